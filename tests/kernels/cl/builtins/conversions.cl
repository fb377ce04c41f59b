// Conversions with rounding and saturation, and reinterpretation.
kernel void floats(global const float *in, global int *out)
{
    size_t i = get_global_id(0);
    float x = in[i];
    global int *o = out + i * 10;
    o[0] = convert_int(x);
    o[1] = convert_int_rte(x);
    o[2] = convert_int_rtp(x);
    o[3] = convert_int_rtn(x);
    o[4] = convert_int_rtz(x);
    o[5] = convert_char_sat(x);
    o[6] = convert_uchar_sat_rte(x);
    o[7] = convert_short_sat_rtp(x);
    o[8] = as_int(x);
    o[9] = (int)x;
}
kernel void ints(global const int *in, global int *out)
{
    size_t i = get_global_id(0);
    out[i * 4 + 0] = convert_uchar_sat(in[i]); out[i * 4 + 1] = convert_char(in[i]);
    out[i * 4 + 2] = convert_ushort_sat(in[i]); out[i * 4 + 3] = as_int(as_uchar4(in[i]).wzyx);
}
kernel void to_float(global const long *in, global float *out)
{
    size_t i = get_global_id(0);
    out[i * 4 + 0] = convert_float_rte(in[i]); out[i * 4 + 1] = convert_float_rtz(in[i]);
    out[i * 4 + 2] = convert_float_rtp(in[i]); out[i * 4 + 3] = convert_float_rtn(in[i]);
}
kernel void wide(global const float *in, global short *out)
{
    vstore8(convert_short8_sat_rte(vload8(0, in)), 0, out);
    vstore3(convert_short3(vload3(0, in)), 0, out + 8);
}
// run: floats global=8 local=4
//   buf f32 8 = [0.5, -0.5, 1.5, -1.5, 2.75, -2.75, 300.25, -200.5][i]
//   buf i32 80 = 0 => [trunc(a0[i/10]), rint(a0[i/10]), ceil(a0[i/10]), floor(a0[i/10]), trunc(a0[i/10]), clamp(trunc(a0[i/10]), -128, 127), clamp(rint(a0[i/10]), 0, 255), ceil(a0[i/10]), bits32(a0[i/10]), trunc(a0[i/10])][i%10]
// run: ints global=4
//   buf i32 4 = [-1, 300, 0x12345678, -70000][i]
//   buf i32 16 = 0 => [clamp(a0[i/4],0,255), i8(a0[i/4]), clamp(a0[i/4],0,65535), i32(((a0[i/4]&0xff)<<24) | ((a0[i/4]&0xff00)<<8) | ((a0[i/4]>>8)&0xff00) | ((a0[i/4]>>24)&0xff))][i%4]
// run: to_float global=3
//   buf i64 3 = [16777217, -16777217, 5][i]
//   buf f32 12 = 0 => [16777216, 16777216, 16777218, 16777216, -16777216, -16777216, -16777216, -16777218, 5, 5, 5, 5][i]
// run: wide global=1
//   buf f32 8 = [1.5, 2.5, -3.5, 40000, -40000, 0.49, 7, -0.5][i]
//   buf i16 11 = 0 => [2, 2, -4, 32767, -32768, 0, 7, 0, 1, 2, -3][i]
