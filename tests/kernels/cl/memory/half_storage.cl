// half as a storage format, with every rounding.
kernel void convert(global const float *in, global half *out, global float *back)
{
    size_t i = get_global_id(0);
    vstore_half(in[i], i, out);
    vstore_half_rtz(in[i], i + 8, out);
    vstore_half_rtp(in[i], i + 16, out);
    vstore_half_rtn(in[i], i + 24, out);
    vstore_half_rte(in[i], i + 32, out);
    back[i] = vload_half(i, out);
}
kernel void wide(global const float *in, global half *out, global float *back)
{
    vstore_half4(vload4(0, in), 0, out);
    vstorea_half3(vload3(0, in + 4), 1, out);
    vstore4(vload_half4(0, out), 0, back);
    vstore3(vloada_half3(1, out), 0, back + 4);
}
// 1 + 2^-11 is half-way between two halves; 1 + 3 * 2^-12 is above half-way.
// run: convert global=8
//   buf f32 8 = [1.00048828125, -1.00048828125, 1.000732421875, -1.000732421875, 0.5, 65504, -2, 0.0000001][i]
//   buf f16 40 = 0 => [1, -1, 1.0009765625, -1.0009765625, 0.5, 65504, -2, 1.1920928955078125e-7, 1, -1, 1, -1, 0.5, 65504, -2, 5.9604644775390625e-8, 1.0009765625, -1, 1.0009765625, -1, 0.5, 65504, -2, 1.1920928955078125e-7, 1, -1.0009765625, 1, -1.0009765625, 0.5, 65504, -2, 5.9604644775390625e-8, 1, -1, 1.0009765625, -1.0009765625, 0.5, 65504, -2, 1.1920928955078125e-7][i]
//   buf f32 8 = 0 => f16(a0[i])
// run: wide global=1
//   buf f32 7 = i + 0.5
//   buf f16 8 = 9 => any
//   buf f32 7 = 0 => i + 0.5
