kernel void ids(global int *out)
{
    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    size_t i = (z * get_global_size(1) + y) * get_global_size(0) + x;
    int3 local_id = (int3)(get_local_id(0), get_local_id(1), get_local_id(2));
    out[i * 3 + 0] = x * 10000 + y * 100 + z;
    out[i * 3 + 1] = local_id.x * 10000 + local_id.y * 100 + local_id.z;
    out[i * 3 + 2] = get_group_id(0) * 10000 + get_group_id(1) * 100 + get_group_id(2);
}
// run: ids global=8x6x4 local=4x3x2|1x1x1|8x6x4|2x1x4
//   buf i32 576 = -1 => [i/3%gx*10000 + i/3/gx%gy*100 + i/3/gx/gy, lx*ly*lz==1 && i%3==1 ? 0 : i/3%gx%lx*10000 + i/3/gx%gy%ly*100 + i/3/gx/gy%lz, i/3%gx/lx*10000 + i/3/gx%gy/ly*100 + i/3/gx/gy/lz][i%3]
