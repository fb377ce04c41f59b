// Half precision in the lanes of vectors: arithmetic, comparisons, conversions, also in lanes of
// which some are off, and results that are infinite, denormal and rounded.
// needs: cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void arithmetic(global const half *a, global const half *b, global half *sum,
                       global half *fused, global half *quotient, global half *root)
{
    size_t i = get_global_id(0);
    sum[i] = a[i] + b[i];
    fused[i] = fma(a[i], b[i], -a[i]);
    quotient[i] = a[i] / b[i];
    root[i] = sqrt(a[i]);
}
// run: arithmetic global=67 local=67
//   buf f16 67 = i * 17
//   buf f16 67 = i % 11 + 0.125
//   buf f16 67 = 0 => a0[i] + a1[i]
//   buf f16 67 = 0 => a0[i] * a1[i] - a0[i]
//   buf f16 67 = 0 => a0[i] / a1[i]
//   buf f16 67 = 0 => sqrt(a0[i])

kernel void extremes(global const half *a, global half *product, global half *small)
{
    size_t i = get_global_id(0);
    product[i] = a[i] * a[i];
    small[i] = (half)0x1p-14f / a[i];
}
// run: extremes global=40 local=40
//   buf f16 40 = i * 32 + 1
//   buf f16 40 = 0 => a0[i] * a0[i]
//   buf f16 40 = 0 => 1 / (16384 * a0[i])

kernel void conversions(global const half *a, global float *wide, global half *narrow,
                        global short *whole, global half *back)
{
    size_t i = get_global_id(0);
    wide[i] = a[i];
    narrow[i] = wide[i] * 1.0625f;
    whole[i] = convert_short_rtz(a[i]);
    back[i] = convert_half((short)(i * 60 - 2000));
}
// run: conversions global=67 local=67
//   buf f16 67 = i * 1.75 - 50
//   buf f32 67 = 0 => a0[i]
//   buf f16 67 = 0 => a0[i] * 1.0625
//   buf i16 67 = 0 => trunc(a0[i])
//   buf f16 67 = 0 => i * 60 - 2000

kernel void some(global const half *a, global half *out)
{
    size_t i = get_global_id(0);
    if (a[i] > (half)3 && i % 5 != 0) {
        half x = a[i];
        for (size_t k = 0; k < i % 4; k++) x = x * (half)2 - (half)1;
        out[i] = fmin(x, (half)1000);
    }
}
// run: some global=67 local=67
//   buf f16 67 = i % 23
//   buf f16 67 = 7 => a0[i] > 3 && i % 5 ? min((a0[i] - 1) * [1, 2, 4, 8][i % 4] + 1, 1000) : 7
