//! test = "run"
//! global = [128]
//! local = [32]
// Stores and loads under conditions that depend on data, between accesses at constant distances.
// The work-items of one parity change nothing in a step.
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint tile[40];
  uint l = get_local_id(0), g = get_global_id(0), mine = in[g];
  tile[l] = mine;
  if (l < 8) tile[32 + l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < 8; step++) {
    uint next = 0;
    if (mine >> step & 1) next = tile[l + step];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (next & 2) tile[l] = next + step;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % 2 == step % 2) tile[l] ^= next;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[g] = tile[l] + tile[l + 1];
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n; g += 32) {
    uint tile[40], next[32];
    for (uint l = 0; l < 32; l++) tile[l] = in[g + l];
    for (uint l = 0; l < 8; l++) tile[32 + l] = l;
    for (uint step = 1; step < 8; step++) {
      for (uint l = 0; l < 32; l++) next[l] = in[g + l] >> step & 1 ? tile[l + step] : 0;
      for (uint l = 0; l < 32; l++) {
        if (next[l] & 2) tile[l] = next[l] + step;
        if (l % 2 == step % 2) tile[l] ^= next[l];
      }
    }
    for (uint l = 0; l < 32; l++) out[g + l] = tile[l] + tile[l + 1];
  }
}
