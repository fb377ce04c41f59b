kernel void geometry(global const float *in, global float *out)
{
    float3 a = vload3(0, in), b = vload3(1, in);
    vstore3(cross(a, b), 0, out);
    out[3] = dot(a, b);
    out[4] = length(a);
    out[5] = distance(a, b);
    vstore3(normalize(a), 2, out);
    out[9] = fast_length(a);
    out[10] = dot(3.0f, 4.0f);
    out[11] = length((float2)(3.0f, 4.0f));
}
// run: geometry global=1
//   buf f32 6 = [1, 2, 3, -4, 5, 0.5][i]
//   buf f32 12 = 0 => [-14, -12.5, 13, 7.5, sqrt(14), sqrt(40.25), 1/sqrt(14), 2/sqrt(14), 3/sqrt(14), sqrt(14), 12, 5][i] ~ 1e-3
