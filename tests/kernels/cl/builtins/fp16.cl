// needs: cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void halves(half factor, global const half *in, global half *out, global half4 *wide)
{
    size_t i = get_global_id(0);
    out[i] = in[i] * factor + (half)1;
    if (i == 0) wide[0] = fabs((half4)(-1, 2, -3, 4)) * factor;
}
// run: halves global=16 local=4
//   val f16 2.5
//   buf f16 16 = i * 0.5
//   buf f16 16 = 0 => a1[i] * 2.5 + 1
//   buf f16 4 = 0 => (i + 1) * 2.5
