// Relational builtins, with the special values.
kernel void tests(global const float *in, global int *out)
{
    size_t i = get_global_id(0);
    float x = in[i];
    global int *o = out + i * 8;
    o[0] = isnan(x); o[1] = isinf(x); o[2] = isfinite(x); o[3] = isnormal(x); o[4] = signbit(x);
    o[5] = isequal(x, x); o[6] = isless(x, 1.0f); o[7] = isordered(x, 0.0f);
}
kernel void vectors(global const float4 *in, global int4 *out)
{
    float4 x = in[0];
    out[0] = isnan(x);
    out[1] = isgreater(x, (float4)(0.0f));
    out[2] = (int4)(any(isnan(x)), all(isnan(x)), any(isinf(x) == 0), 0);
    out[3] = as_int4(bitselect(x, (float4)(2.0f), as_float4((int4)(-1, 0, -1, 0))));
}
// run: tests global=7
//   buf f32 7 = [nan, inf, -inf, 0, -0.0, 1.5, 1e-40][i]
//   buf i32 56 = -1 => [i/8==0, i/8==1||i/8==2, i/8>2, i/8==5, i/8==2||i/8==4, i/8!=0, i/8==2||i/8==3||i/8==4||i/8==6, i/8!=0][i%8]
// run: vectors global=1
//   buf f32 4 = [nan, 1, -1, inf][i]
//   buf i32 16 = 0 => [-1, 0, 0, 0, 0, -1, 0, -1, 1, 0, 1, 0, 0x40000000, 0x3f800000, 0x40000000, 0x7f800000][i]
