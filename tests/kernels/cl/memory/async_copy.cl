// Copies between global and local memory by the whole group, with strides and events.
kernel void through(global const int *in, global int *out, local int *tile)
{
    size_t n = get_local_size(0), first = get_group_id(0) * n;
    event_t e = async_work_group_copy(tile, in + first, n, 0);
    e = async_work_group_strided_copy(tile + n, in, n, 2, e);
    wait_group_events(1, &e);
    int value = tile[n - 1 - get_local_id(0)] * 1000 + tile[n + get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[get_local_id(0)] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(out + first, tile, n, 0);
    prefetch(in, 4);
    wait_group_events(1, &e);
}
kernel void vectors(global const float3 *in, global float *out)
{
    local float3 tile[8];
    event_t e[1];
    e[0] = async_work_group_copy(tile, in + get_group_id(0) * 8, 8, 0);
    wait_group_events(1, e);
    vstore3(tile[get_local_id(0)], get_global_id(0), out);
}
// run: through global=64 local=16|32|1
//   buf i32 64 = i
//   buf i32 64 = 0 => (i/lx*lx + lx-1-i%lx) * 1000 + i%lx*2
//   local 256
// run: vectors global=16 local=8
//   buf f32 64 = i
//   buf f32 48 = -1 => i / 3 * 4 + i % 3
