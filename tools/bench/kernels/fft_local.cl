// Fourier transforms of 1024 elements each, one by each work-group of 256, of radix 4 (Stockham, in
// natural order) through local memory.

#define N 1024

float2 times(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

kernel void k(global const float2 *in, global float2 *out)
{
    local float2 t[N];
    int l = get_local_id(0);
    in += get_group_id(0) * N;
    out += get_group_id(0) * N;
    float2 a = in[l], b = in[l + N / 4], c = in[l + N / 2], d = in[l + 3 * N / 4];
    for (int p = 1; p < N; p *= 4) {
        int j = l & (p - 1), to = ((l - j) << 2) + j;
        float angle = -6.28318530718f * j / (4 * p);
        float2 w1 = (float2)(cos(angle), sin(angle)), w2 = times(w1, w1), w3 = times(w2, w1);
        b = times(b, w1);
        c = times(c, w2);
        d = times(d, w3);
        float2 even = a + c, odd = a - c, sum = b + d, turned = (float2)(b.y - d.y, d.x - b.x);
        t[to] = even + sum;
        t[to + p] = odd + turned;
        t[to + 2 * p] = even - sum;
        t[to + 3 * p] = odd - turned;
        barrier(CLK_LOCAL_MEM_FENCE);
        a = t[l];
        b = t[l + N / 4];
        c = t[l + N / 2];
        d = t[l + 3 * N / 4];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[l] = a;
    out[l + N / 4] = b;
    out[l + N / 2] = c;
    out[l + 3 * N / 4] = d;
}
