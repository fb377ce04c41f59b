// Each work-item adds elements a global size apart; a tree in local memory adds the work-items.
kernel void k(global const float *in, global float *out, int n, local float *tile)
{
    size_t l = get_local_id(0);
    float sum = 0.0f;
    for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) sum += in[i];
    tile[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (l < s) tile[l] += tile[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) out[get_group_id(0)] = tile[0];
}
