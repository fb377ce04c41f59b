// Every work-item function in one dimension.
kernel void ids(global uint *out)
{
    size_t i = get_global_linear_id();
    global uint *o = out + i * 10;
    o[0] = get_global_id(0);
    o[1] = get_local_id(0);
    o[2] = get_group_id(0);
    o[3] = get_global_size(0);
    o[4] = get_local_size(0);
    o[5] = get_num_groups(0);
    o[6] = get_global_offset(0);
    o[7] = get_work_dim();
    o[8] = get_enqueued_local_size(0);
    o[9] = get_local_linear_id();
}
// build: -cl-std=CL3.0
// needs: CL3.0
// run: ids global=24 local=8|1|24|3
//   buf u32 240 = 0 => [i/10, i/10%lx, i/10/lx, gx, lx, gx/lx, 0, 1, lx, i/10%lx][i%10]
// run: ids global=24 local=8|3 offset=5
//   buf u32 240 = 0 => [i/10+5, i/10%lx, i/10/lx, gx, lx, gx/lx, 5, 1, lx, i/10%lx][i%10]
