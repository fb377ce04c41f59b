// Local memory as an argument, together with local variables of the kernel.
kernel void rotate(global int *out, local int *first, int by, local char *second)
{
    local int third[64];
    size_t l = get_local_id(0), n = get_local_size(0);
    first[l] = (int)get_global_id(0);
    second[l] = (char)l;
    third[l] = (int)get_group_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    size_t other = (l + by) % n;
    out[get_global_id(0)] = first[other] * 10000 + second[other] * 100 + third[other];
}
// run: rotate global=128 local=16|64|1|32
//   buf i32 128 = 0 => (i/lx*lx + (i+3)%lx) * 10000 + (i+3)%lx * 100 + i/lx
//   local 256
//   val i32 3
//   local 64
