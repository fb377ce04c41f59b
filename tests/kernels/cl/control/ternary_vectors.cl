// Selection and comparison of vectors; logical operators evaluate only the operands they need.
kernel void choose(global const int4 *a, global const int4 *b, global int4 *out, global int *count)
{
    size_t i = get_global_id(0);
    int4 x = a[i], y = b[i], less = x < y;
    int calls = 0;
    if (x.x > 100 && ++calls) calls += 10;
    if (x.x <= 100 || ++calls) calls += 1;
    out[i] = (less ? x : -y) + select(y, x, less) + (x == y) + (any(less) ? 1000 : 0) +
             (all(less) ? 5000 : 0);
    count[i] = calls;
}
// run: choose global=4 local=2
//   buf i32 16 = i * 3 % 7
//   buf i32 16 = 6 - i % 4 * 2
//   buf i32 16 = 0 => (a0[i] < a1[i] ? 2 * a0[i] : 0) - (a0[i] == a1[i]) + (sum(k, i/4*4, i/4*4+4, a0[k] < a1[k]) > 0 ? 1000 : 0) + (sum(k, i/4*4, i/4*4+4, a0[k] < a1[k]) == 4 ? 5000 : 0)
//   buf i32 4 = -1 => 1
