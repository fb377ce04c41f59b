// Switches: dense, sparse, with fall-through, on 64-bit values, in a loop.
kernel void dense(global const int *in, global int *out)
{
    size_t i = get_global_id(0);
    int r;
    switch (in[i]) {
    case 0: r = 10; break;
    case 1: r = 11;
    case 2: r = 12; break;
    case 3: case 4: r = 34; break;
    case -1: r = -100; break;
    case 1000000: r = 6; break;
    default: r = 99;
    }
    out[i] = r;
}
kernel void wide(global const long *in, global int *out)
{
    size_t i = get_global_id(0);
    switch (in[i]) {
    case 0x100000000L: out[i] = 1; return;
    case -0x100000000L: out[i] = 2; return;
    case 0: out[i] = 3; return;
    }
    out[i] = 4;
}
kernel void machine(global const int *ops, global int *out, int count)
{
    size_t i = get_global_id(0);
    int acc = (int)i;
    for (int pc = 0; pc < count; ++pc)
        switch (ops[pc]) {
        case 0: acc += 3; break;
        case 1: acc *= 2; break;
        case 2: if (acc & 1) ++pc; break;
        case 3: acc = -acc; break;
        case 4: out[i] = acc; return;
        }
    out[i] = acc + 1000;
}
// run: dense global=8 local=4|1
//   buf i32 8 = [0, 1, 2, 3, 4, -1, 1000000, 7][i]
//   buf i32 8 = 0 => [10, 12, 12, 34, 34, -100, 6, 99][i]
// run: wide global=4 local=2
//   buf i64 4 = [1 << 32, -(1 << 32), 0, 1][i]
//   buf i32 4 = 0 => i + 1
// run: machine global=8 local=4
//   buf i32 6 = [1, 0, 2, 3, 0, 4][i]
//   buf i32 8 = 0 => i * 2 + 3 + 3
//   val i32 6
// run: machine global=8 local=4
//   buf i32 3 = [0, 2, 3][i]
//   buf i32 8 = 0 => (i + 3) % 2 ? i + 3 + 1000 : 1000 - (i + 3)
//   val i32 3
