// Work-group collectives in one and two dimensions.
// build: -cl-std=CL3.0
// needs: CL3.0 __opencl_c_work_group_collective_functions
kernel void collect(global const int *in, global int *out)
{
    size_t g = get_global_id(0);
    int x = in[g];
    global int *o = out + g * 10;
    o[0] = work_group_reduce_add(x);
    o[1] = work_group_reduce_max(x) - work_group_reduce_max(x);
    o[2] = work_group_reduce_min(x + 100 * (int)get_local_id(0));
    o[3] = work_group_scan_inclusive_add(x);
    o[4] = work_group_scan_exclusive_add(x);
    o[5] = work_group_broadcast(x, get_local_size(0) - 1);
    o[6] = work_group_all(x > 2);
    o[7] = work_group_any(x > 10);
    o[8] = work_group_scan_inclusive_max(x + 100 * (int)get_local_id(0));
    o[9] = work_group_reduce_max(x + 100 * (int)get_local_id(0));
}
kernel void plane(global float *out)
{
    size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    float x = (float)get_local_id(0) + 10 * (float)get_local_id(1);
    out[i] = work_group_reduce_add(x) + work_group_broadcast(x, 1, 1) * 1000 +
             work_group_scan_inclusive_add(1) * 0.5f;
}
// run: collect global=32 local=8|32|1
//   buf i32 32 = (i * 7 + 3) % 13
//   buf i32 320 = -9 => [sum(k, i/10/lx*lx, i/10/lx*lx+lx, a0[k]), 0, a0[i/10/lx*lx], sum(k, i/10/lx*lx, i/10+1, a0[k]), sum(k, i/10/lx*lx, i/10, a0[k]), a0[i/10/lx*lx+lx-1], sum(k, i/10/lx*lx, i/10/lx*lx+lx, a0[k] <= 2) == 0, sum(k, i/10/lx*lx, i/10/lx*lx+lx, a0[k] > 10) > 0, a0[i/10] + 100 * (i/10%lx), a0[i/10/lx*lx+lx-1] + 100 * (lx-1)][i%10]
// run: plane global=8x4 local=4x2
//   buf f32 32 = 0 => 52 + 11000 + (i/8%2*4 + i%8%4 + 1) * 0.5
