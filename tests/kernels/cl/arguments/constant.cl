// Constant memory: as an argument and as a program-scope constant.
constant int table[5] = {10, 20, 30, 40, 50};
constant float scale = 0.5f;
constant char text[] = "muxcl";
struct pair { int a; float b; };
constant struct pair pairs[2] = {{1, 2.5f}, {3, 4.5f}};
kernel void look_up(constant int *more, global float *out)
{
    size_t i = get_global_id(0);
    out[i] = table[i % 5] + more[i % 4] + scale + text[i % 5] + pairs[i % 2].a + pairs[i % 2].b;
}
// run: look_up global=20 local=5|null
//   buf i32 4 = 100 * i
//   buf f32 20 = 0 => (i%5+1)*10 + i%4*100 + 0.5 + [109,117,120,99,108][i%5] + [3.5, 7.5][i%2]
