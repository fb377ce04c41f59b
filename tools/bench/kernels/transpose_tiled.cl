// The transposed matrix, through tiles of 16 x 16 in local memory.
kernel void k(global const float *in, global float *out, int n)
{
    local float tile[16][17];
    int lx = get_local_id(0), ly = get_local_id(1);
    int bx = get_group_id(0) * 16, by = get_group_id(1) * 16;
    tile[ly][lx] = in[(by + ly) * n + bx + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(bx + ly) * n + by + lx] = tile[lx][ly];
}
