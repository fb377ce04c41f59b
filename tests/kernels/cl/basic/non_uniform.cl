// Global sizes that the local size does not divide: the last groups are smaller.
// build: -cl-std=CL3.0
// needs: CL3.0
kernel void sizes(global int *out)
{
    size_t i = get_global_id(0);
    out[i * 4 + 0] = get_local_size(0);
    out[i * 4 + 1] = get_enqueued_local_size(0);
    out[i * 4 + 2] = get_local_id(0);
    out[i * 4 + 3] = get_group_id(0) * 100 + get_num_groups(0);
}
kernel void plane(global int *out)
{
    size_t x = get_global_id(0), y = get_global_id(1);
    out[y * get_global_size(0) + x] = get_local_size(0) * 100 + get_local_size(1);
}
kernel void with_barrier(global int *out)
{
    local int sum;
    if (get_local_id(0) == 0) sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&sum, (int)get_local_id(0) + 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = sum;
}
// run: sizes global=10 local=4|3|7
//   buf i32 40 = -1 => [min(lx, gx - i/4/lx*lx), lx, i/4%lx, i/4/lx*100 + (gx+lx-1)/lx][i%4]
// run: sizes global=5 local=8
//   buf i32 20 = -1 => [5, 8, i/4, 1][i%4]
// run: plane global=7x5 local=4x2|2x4|3x3
//   buf i32 35 = -1 => min(lx, gx - i%gx/lx*lx)*100 + min(ly, gy - i/gx/ly*ly)
// run: with_barrier global=21 local=8|16|5
//   buf i32 21 = -1 => sum(k, 0, min(lx, gx - i/lx*lx), k+1)
