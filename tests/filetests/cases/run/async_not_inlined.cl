//! test = "run"
//! global = [64]
//! local = [16]
//! local_bytes = 256
//! options = "-cl-std=CL3.0"
// Without optimisation the copies are functions that read the item record.
kernel void test(global uint *out, global const uint *in, uint n, local uint *tile) {
    size_t m = get_local_size(0), first = get_group_id(0) * m;
    event_t e = async_work_group_copy(tile, in + first, m, 0);
    e = async_work_group_strided_copy(tile + m, in, m, 2, e);
    wait_group_events(1, &e);
    uint value = tile[m - 1 - get_local_id(0)] * 1000 + tile[m + get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[get_local_id(0)] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(out + first, tile, m, 0);
    prefetch(in, 4);
    wait_group_events(1, &e);
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint i = 0; i < n; i++) { uint l = i % 16; out[i] = in[i - l + 15 - l] * 1000 + in[2 * l]; }
}
