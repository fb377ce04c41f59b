// Kernels whose small groups the driver may run as one large group, because no address and no
// branch depends on local or group ids. The kernels must see the ids and sizes of the small groups.
kernel void seen(global uint *out)
{
    size_t i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    out[i] = get_local_id(0) + get_group_id(0) * 1000;
}
kernel void sizes(global uint *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[y * get_global_size(0) + x] = get_local_size(0) + get_local_size(1) * 100
        + get_num_groups(0) * 10000 + get_num_groups(1) * 1000000;
}
kernel void linear(global uint *out)
{
    size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    out[i] = get_local_linear_id() + get_group_id(1) * 1000;
}
kernel void any_dimension(global uint *out, uint d)
{
    uint size = get_enqueued_local_size(d);
    out[get_global_id(0)] = get_local_id(d) + get_group_id(d) * 1000 + size * 100;
}
// Each group has local memory of its own, so these groups stay apart.
kernel void local_memory(global uint *out, local uint *slots)
{
    uint i = get_global_id(0) % 8;
    slots[i] = get_group_id(0);
    out[get_global_id(0)] = slots[i];
}
// build: -cl-std=CL3.0
// needs: CL3.0
// run: seen global=1024 local=1|2|8|64|256
//   buf u32 1024 = 0 => i%lx + i/lx*1000
// run: seen global=96 local=8|3 offset=7
//   buf u32 96 = 0 => i%lx + i/lx*1000
// run: sizes global=64x8 local=4x2|1x1|8x8|64x1
//   buf u32 512 = 0 => lx + ly*100 + gx/lx*10000 + gy/ly*1000000
// run: linear global=64x8 local=4x2|2x4|16x1
//   buf u32 512 = 0 => i/64%ly*lx + i%64%lx + i/64/ly*1000
// run: any_dimension global=256 local=4|16
//   buf u32 256 = 0 => i%lx + i/lx*1000 + lx*100
//   val u32 0
// run: any_dimension global=256 local=4|16
//   buf u32 256 = 0 => 100
//   val u32 3
// run: local_memory global=256 local=8
//   buf u32 256 = 0 => i/8
//   local 32
