// Work-items diverge between barriers and reconverge at each.
kernel void ways(global const int *in, global int *out)
{
    local int tile[64];
    int l = get_local_id(0), n = get_local_size(0), value = in[get_global_id(0)], steps = 0;
    while (value != 1) {
        value = value % 2 ? 3 * value + 1 : value / 2;
        if (++steps > 30) break;
    }
    tile[l] = steps;
    barrier(CLK_LOCAL_MEM_FENCE);
    int most = 0;
    for (int k = 0; k < n; ++k) {
        if (k == l) continue;
        most = max(most, tile[k]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = most * 100 + steps;
}
// run: ways global=8 local=8
//   buf i32 8 = i + 1
//   buf i32 8 = 0 => (i == 6 ? 8 : 16) * 100 + [0, 1, 7, 2, 5, 8, 16, 3][i]
