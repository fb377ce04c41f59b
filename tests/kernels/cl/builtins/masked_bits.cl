// A vector select around bit operations of three operands, one of them a constant, which AVX-512
// does in one instruction.
kernel void masked(global const int *choose, global const int *a, global const int *b,
                   global int *out) {
    size_t i = get_global_id(0);
    int8 x = vload8(i, a), y = vload8(i, b);
    vstore8(vload8(i, choose) == 0 ? bitselect(x, y, (int8)0x7ffffff0) : x, i, out);
}
kernel void signs(global const int *choose, global const float *a, global const float *b,
                  global float *out) {
    size_t i = get_global_id(0);
    float4 x = vload4(i, a), y = vload4(i, b);
    vstore4(vload4(i, choose) == 0 ? copysign(x, y) : x, i, out);
}
// run: masked global=4
//   buf i32 32 = i % 3
//   buf i32 32 = i * 1000 + 7
//   buf i32 32 = 90000 - i * 123
//   buf i32 32 = 0 => a0[i] == 0 ? (a1[i] & 15) | (a2[i] & ~15) : a1[i]
// run: signs global=8
//   buf i32 32 = i % 2
//   buf f32 32 = i + 1
//   buf f32 32 = i % 4 < 2 ? -1 : 1
//   buf f32 32 = 0 => i % 2 == 0 ? (i + 1) * a2[i] : i + 1
