// Each work-group waits for the group before it, as a scan with a single pass does. OpenCL does not
// promise that such a kernel ends. It does here, because the groups start in order.
kernel void chain(global const uint *in, global volatile uint *sums)
{
    uint g = get_group_id(0), sum = in[get_global_id(0)];
    if (get_local_id(0) == 0) {
        if (g > 0) {
            uint before;
            while ((before = atomic_or(sums + g - 1, 0)) == 0);
            sum += before;
        }
        atomic_xchg(sums + g, sum);
    }
}
// run: chain global=65536 local=16
//   buf u32 65536 = 1
//   buf u32 4096 = 0 => i + 1
