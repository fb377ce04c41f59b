// Global sizes without useful divisors, in a language version that requires full groups. The driver
// may use partial groups, or larger groups than the application asks for, only for kernels that
// cannot see them. SPIR-V does not require full groups.
// build: -cl-std=CL1.2
// variants: source binary noopt
kernel void line(global uint *out)
{
    size_t i = get_global_id(0);
    if (i % 3) out[i] = get_global_size(0) + i;
}
kernel void plane(global uint *out)
{
    size_t x = get_global_id(0), y = get_global_id(1);
    out[y * get_global_size(0) + x] = x + 1000 * y;
}
kernel void full_groups(global uint *out)
{
    size_t i = get_global_id(0), n = get_local_size(0);
    out[i] = n * get_num_groups(0) == get_global_size(0) && get_local_id(0) == i % n;
}
kernel void neighbours(global uint *out)
{
    local uint last;
    if (get_local_id(0) == 0) last = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = get_global_id(0) - last < get_local_size(0);
}
kernel void sizes(global uint *out)
{
    size_t i = get_global_id(0), j = get_global_id(1);
    out[j * get_global_size(0) + i] = get_local_size(0) + 100 * get_local_size(1);
}
kernel void numbers(global uint *out)
{
    out[get_global_id(0)] = get_group_id(0);
}
kernel __attribute__((reqd_work_group_size(2, 1, 1))) void required(global uint *out)
{
    out[get_global_id(0)] = get_global_id(0) + 7;
}
// run: line global=2063 local=null
//   buf u32 2063 = 1 => i % 3 == 0 ? 1 : 2063 + i
// run: line global=2061 local=1|3|9
//   buf u32 2061 = 1 => i % 3 == 0 ? 1 : 2061 + i
// run: plane global=37x41 local=null|37x1|1x41|1x1
//   buf u32 1517 = 0 => i % 37 + 1000 * (i / 37)
// run: plane global=1031x3 local=null
//   buf u32 3093 = 0 => i % 1031 + 1000 * (i / 1031)
// run: full_groups global=2063 local=null
//   buf u32 2063 = 0 => 1
// run: neighbours global=1031 local=null
//   buf u32 1031 = 0 => 1
// run: sizes global=64x6 local=8x2
//   buf u32 384 = 0 => 208
// run: numbers global=1024 local=1
//   buf u32 1024 = 0 => i
// run: numbers global=1024 local=8
//   buf u32 1024 = 0 => i / 8
// run: required global=1024 local=2
//   buf u32 1024 = 0 => i + 7
