// Loops whose trip counts differ between work-items: while, do, for, break, continue, nesting.
kernel void collatz(global const uint *in, global uint *out)
{
    size_t i = get_global_id(0);
    uint n = in[i], steps = 0;
    while (n != 1) { n = n & 1 ? 3 * n + 1 : n >> 1; ++steps; }
    out[i] = steps;
}
kernel void primes(global int *out)
{
    int n = get_global_id(0), is = n > 1;
    for (int d = 2; d * d <= n; ++d) { if (n % d) continue; is = 0; break; }
    out[n] = is;
}
kernel void triangle(global int *out)
{
    int i = get_global_id(0), s = 0, a = 0;
    do {
        for (int b = 0; b <= a; ++b) {
            if ((a + b) % 3 == 0) continue;
            if (b > 5) break;
            s += a * b;
        }
    } while (++a < i);
    out[i] = s;
}
// run: collatz global=16 local=4|16|1
//   buf u32 16 = i + 1
//   buf u32 16 = 99 => [0, 1, 7, 2, 5, 8, 16, 3, 19, 6, 14, 9, 9, 17, 17, 4][i]
// run: primes global=64 local=16|64
//   buf i32 64 = -1 => i > 1 && sum(k, 2, i, i % k == 0) == 0
// run: triangle global=12 local=4
//   buf i32 12 = -1 => sum(a, 0, max(i, 1), sum(b, 0, a + 1, (a + b) % 3 == 0 || b > 5 ? 0 : a * b))
