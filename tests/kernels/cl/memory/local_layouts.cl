// Local variables of many types and alignments, in a kernel and as arguments of functions; structs;
// arrays of arrays.
struct item { char c; double d; short s; };
kernel void layouts(global int *out)
{
    local char c;
    local double8 wide;
    local struct item items[4];
    local short grid[3][5];
    local uchar3 three;
    size_t l = get_local_id(0);
    if (l == 0) {
        c = 7;
        wide = (double8)(1, 2, 3, 4, 5, 6, 7, 8);
        three = (uchar3)(1, 2, 3);
        for (int i = 0; i < 4; ++i) { items[i].c = i; items[i].d = i * 0.5; items[i].s = i * 100; }
        for (int i = 0; i < 15; ++i) grid[i / 5][i % 5] = i;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = c + (int)wide.s7 + items[l % 4].c + (int)(items[l % 4].d * 2) +
                            items[l % 4].s + grid[l % 3][l % 5] + three.z +
                            ((size_t)&wide % 64 != 0) * 100000;
}
// needs: cl_khr_fp64
// run: layouts global=16 local=8|16|1
//   buf i32 16 = 0 => 7 + 8 + i%lx%4 + i%lx%4 + i%lx%4*100 + i%lx%3*5 + i%lx%5 + 3
