kernel void ids(global int *out)
{
    size_t x = get_global_id(0), y = get_global_id(1);
    size_t i = (y - get_global_offset(1)) * get_global_size(0) + (x - get_global_offset(0));
    out[i * 4 + 0] = x * 1000 + y;
    out[i * 4 + 1] = get_local_id(0) * 1000 + get_local_id(1);
    out[i * 4 + 2] = get_group_id(0) * 1000 + get_group_id(1);
    out[i * 4 + 3] = get_local_size(0) * 1000 + get_num_groups(1) * 10 + get_work_dim();
}
// run: ids global=12x6 local=4x3|1x6|12x1|2x2 offset=7x100
//   buf i32 288 = -1 => [(i/4%gx+7)*1000 + i/4/gx+100, i/4%gx%lx*1000 + i/4/gx%ly, i/4%gx/lx*1000 + i/4/gx/ly, lx*1000 + gy/ly*10 + 2][i%4]
