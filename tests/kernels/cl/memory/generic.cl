// The generic address space: functions that accept a pointer to any memory.
// build: -cl-std=CL3.0
// needs: CL3.0 __opencl_c_generic_address_space
int sum(const int *p, int n) { int s = 0; for (int i = 0; i < n; ++i) s += p[i]; return s; }
void store(int *p, int value) { *p = value; }
kernel void anywhere(global int *data, global int *out)
{
    local int tile[8];
    int mine[8];
    size_t l = get_local_id(0);
    tile[l] = data[get_global_id(0)];
    for (int i = 0; i < 8; ++i) mine[i] = i + (int)l;
    barrier(CLK_LOCAL_MEM_FENCE);
    int *p = l % 3 == 0   ? (int *)tile
             : l % 3 == 1 ? (int *)mine
                          : (int *)(data + get_group_id(0) * 8);
    int result = sum(p, 8);
    store(&mine[0], result);
    store(&out[get_global_id(0) * 2], mine[0]);
    global int *g = to_global(p);
    local int *t = to_local(p);
    private int *q = to_private(p);
    out[get_global_id(0) * 2 + 1] = (g != 0) + (t != 0) + (q != 0) >= 1;
}
// run: anywhere global=32 local=8
//   buf i32 32 = i * i
//   buf i32 64 = -1 => i % 2 ? 1 : (i/2%8%3 == 1 ? 28 + 8 * (i/2%8) : sum(k, i/2/8*8, i/2/8*8+8, a0[k]))
