// Dimensions beyond the NDRange's: sizes are 1, ids are 0. The dimension may be a variable.
kernel void past(global int *out, uint d)
{
    size_t i = get_global_id(0);
    out[i * 6 + 0] = get_global_size(d);
    out[i * 6 + 1] = get_local_size(d);
    out[i * 6 + 2] = get_num_groups(d);
    out[i * 6 + 3] = get_global_id(d);
    out[i * 6 + 4] = get_local_id(d);
    out[i * 6 + 5] = get_group_id(d);
}
// run: past global=4 local=2
//   buf i32 24 = -1 => [1, 1, 1, 0, 0, 0][i%6]
//   val u32 1
// run: past global=4 local=2
//   buf i32 24 = -1 => [1, 1, 1, 0, 0, 0][i%6]
//   val u32 3
// run: past global=4 local=2
//   buf i32 24 = -1 => [4, 2, 2, i/6, i/6%2, i/6/2][i%6]
//   val u32 0
