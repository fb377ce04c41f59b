// Barriers in three-dimensional groups: every work-item reads the opposite corner.
kernel void opposite(global int *out)
{
    local int tile[64];
    size_t l = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) +
               get_local_id(0);
    size_t n = get_local_size(0) * get_local_size(1) * get_local_size(2);
    size_t g = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) +
               get_global_id(0);
    tile[l] = (int)g;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = tile[n - 1 - l];
}
// run: opposite global=8x4x6 local=4x2x3|8x4x2|1x1x1|2x4x1
//   buf i32 192 = -1 => ((i/gx/gy/lz*lz + lz-1 - i/gx/gy%lz) * gy + i/gx%gy/ly*ly + ly-1 - i/gx%gy%ly) * gx + i%gx/lx*lx + lx-1 - i%gx%lx
