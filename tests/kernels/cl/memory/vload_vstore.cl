// Vector loads and stores of every width at unaligned addresses.
#define TEST(n) { int##n v = vload##n(i, in + 1); vstore##n(v * 2, i, out + 1); }
kernel void move(global const int *in, global int *out, int width)
{
    size_t i = get_global_id(0);
    switch (width) {
    case 2: TEST(2) break;
    case 3: TEST(3) break;
    case 4: TEST(4) break;
    case 8: TEST(8) break;
    case 16: TEST(16) break;
    }
}
kernel void bytes(constant uchar *in, local uchar *tile, global char *out)
{
    size_t l = get_local_id(0);
    vstore3(vload3(l, in), l, tile);
    barrier(CLK_LOCAL_MEM_FENCE);
    char mine[8];
    vstore4(vload4(0, (local char *)tile + l * 3), 1, mine);
    vstore2(vload2(2, mine), l, out);
}
// run: move global=4 local=2|4
//   buf i32 10 = i * 3 + 1
//   buf i32 10 = -1 => i == 0 || i == n - 1 ? -1 : a0[i] * 2
//   val i32 2
// run: move global=4 local=2|4
//   buf i32 14 = i * 3 + 1
//   buf i32 14 = -1 => i == 0 || i == n - 1 ? -1 : a0[i] * 2
//   val i32 3
// run: move global=4 local=2|4
//   buf i32 18 = i * 3 + 1
//   buf i32 18 = -1 => i == 0 || i == n - 1 ? -1 : a0[i] * 2
//   val i32 4
// run: move global=4 local=2|4
//   buf i32 34 = i * 3 + 1
//   buf i32 34 = -1 => i == 0 || i == n - 1 ? -1 : a0[i] * 2
//   val i32 8
// run: move global=4 local=2|4
//   buf i32 66 = i * 3 + 1
//   buf i32 66 = -1 => i == 0 || i == n - 1 ? -1 : a0[i] * 2
//   val i32 16
// run: bytes global=4 local=4
//   buf u8 13 = i + 1
//   local 13
//   buf i8 8 = 0 => i / 2 * 3 + i % 2 + 1
