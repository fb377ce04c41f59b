// A histogram of bytes in local memory for each work-group, added to the result at the end.
kernel void k(global const uchar *in, global uint *bins, int n)
{
    local uint count[256];
    for (int i = get_local_id(0); i < 256; i += get_local_size(0)) count[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&count[in[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_local_id(0); i < 256; i += get_local_size(0))
        if (count[i] > 0) atomic_add(&bins[i], count[i]);
}
