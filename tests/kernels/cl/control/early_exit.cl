// Work-items that return early, from several blocks.
kernel void exits(global const int *in, global int *out, int n)
{
    int i = get_global_id(0);
    if (i >= n) return;
    int v = in[i];
    if (v < 0) { out[i] = -1; return; }
    for (int k = 0; k < v; ++k) if (k * k > v) { out[i] = k; return; }
    out[i] = 1000 + v;
}
// run: exits global=32 local=8|32|1|null
//   buf i32 20 = i - 5
//   buf i32 32 = 7 => i >= 20 ? 7 : i < 5 ? -1 : i - 5 < 3 ? 1000 + i - 5 : sum(k, 0, i - 5, k * k <= i - 5)
//   val i32 20
