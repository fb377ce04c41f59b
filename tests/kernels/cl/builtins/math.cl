// Basic math: exact functions compared exactly, others within a tolerance.
kernel void exact(global const float *in, global float *out)
{
    size_t i = get_global_id(0);
    float x = in[i];
    global float *o = out + i * 10;
    o[0] = floor(x); o[1] = ceil(x); o[2] = trunc(x); o[3] = rint(x); o[4] = fabs(x);
    o[5] = fma(x, x, 1.0f);
    o[6] = fmin(x, 1.0f);
    o[7] = fmax(x, 1.0f);
    o[8] = copysign(2.0f, x);
    o[9] = ldexp(x, 3);
}
kernel void near(global const float *in, global float *out)
{
    size_t i = get_global_id(0);
    float x = in[i];
    global float *o = out + i * 8;
    o[0] = sin(x);
    o[1] = cos(x);
    o[2] = exp(x);
    o[3] = log(x);
    o[4] = sqrt(x);
    o[5] = pow(x, 2.0f);
    o[6] = rsqrt(x);
    o[7] = exp2(x);
}
kernel void by_pointer(global const float *in, global float *out, global int *exponents)
{
    size_t i = get_global_id(0);
    float whole, c;
    int e;
    local int shared_exponent[8];
    out[i * 4 + 0] = fract(in[i], &whole);
    out[i * 4 + 1] = whole;
    out[i * 4 + 2] = frexp(in[i], &e);
    out[i * 4 + 3] = frexp(in[i], &shared_exponent[get_local_id(0)]);
    sincos(in[i], &c);
    exponents[i] = e * 100 + shared_exponent[get_local_id(0)];
}
// run: exact global=6 local=3
//   buf f32 6 = [1.5, -1.5, 2.5, -0.25, 1000.75, 0.5][i]
//   buf f32 60 = 0 => [floor(a0[i/10]), ceil(a0[i/10]), trunc(a0[i/10]), rint(a0[i/10]), abs(a0[i/10]), fma(a0[i/10],a0[i/10],1), min(a0[i/10],1.0), max(a0[i/10],1.0), a0[i/10] < 0 ? -2 : 2, a0[i/10]*8][i%10]
// run: near global=64 local=16
//   buf f32 64 = 0.1 + i * 0.15
//   buf f32 512 = 0 => [sin(a0[i/8]), cos(a0[i/8]), exp(a0[i/8]), log(a0[i/8]), sqrt(a0[i/8]), a0[i/8]*a0[i/8], 1/sqrt(a0[i/8]), exp(a0[i/8] * 0.6931471805599453)][i%8] ~ 2e-6
// run: by_pointer global=4 local=4
//   buf f32 4 = [1.75, -0.25, 8, 100.5][i]
//   buf f32 16 = 0 => [0.75, 1, 0.875, 0.875, 0.75, -1, -0.5, -0.5, 0, 8, 0.5, 0.5, 0.5, 100, 0.78515625, 0.78515625][i]
//   buf i32 4 = 0 => [101, -101, 404, 707][i]
