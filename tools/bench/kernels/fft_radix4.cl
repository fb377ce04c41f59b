// One pass of a Fourier transform of radix 4 (Stockham, in natural order). A work-item computes
// four elements; `p` is the number of elements that earlier passes have combined.

float2 times(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

kernel void k(global const float2 *in, global float2 *out, int p)
{
    int i = get_global_id(0), quarter = get_global_size(0), j = i & (p - 1);
    float angle = -6.28318530718f * j / (4 * p), cosine;
    float sine = sincos(angle, &cosine);
    float2 w1 = (float2)(cosine, sine), w2 = times(w1, w1), w3 = times(w2, w1);
    float2 a = in[i];
    float2 b = times(in[i + quarter], w1);
    float2 c = times(in[i + 2 * quarter], w2);
    float2 d = times(in[i + 3 * quarter], w3);
    float2 even = a + c, odd = a - c, sum = b + d, turned = (float2)(b.y - d.y, d.x - b.x);
    int to = ((i - j) << 2) + j;
    out[to] = even + sum;
    out[to + p] = odd + turned;
    out[to + 2 * p] = even - sum;
    out[to + 3 * p] = odd - turned;
}
