//! test = "run"
//! global = [64]
//! local = [16]
// Accesses of several sizes to the same bytes, an atomic operation, a volatile access, a generic
// pointer, and an index from memory.
uint through(uint *p) { return p[0] + 1; }
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint tile[64];
  local uchar *bytes = (local uchar *)tile;
  local uint2 *pairs = (local uint2 *)tile;
  local volatile uint *watched = tile;
  uint l = get_local_id(0), g = get_global_id(0), sum = 0;
  for (uint k = 0; k < 4; k++) tile[l + 16 * k] = in[g] + k;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < 4; step++) {
    bytes[4 * l + step] = (uchar)(7 * l + step);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint2 both = pairs[l];
    sum += both.x ^ both.y;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&tile[(l + step) & 15], step);
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += watched[l + 16] + through(&tile[15 - l]);
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[16 + (in[g & ~15u] + l) % 16] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum ^= tile[l + 16] + tile[l + 17 * (step & 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[g] = sum;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n; g += 16) {
    uint tile[64], sum[16];
    uchar *bytes = (uchar *)tile;
    for (uint l = 0; l < 16; l++) {
      sum[l] = 0;
      for (uint k = 0; k < 4; k++) tile[l + 16 * k] = in[g + l] + k;
    }
    for (uint step = 1; step < 4; step++) {
      for (uint l = 0; l < 16; l++) bytes[4 * l + step] = (uchar)(7 * l + step);
      for (uint l = 0; l < 16; l++) sum[l] += tile[2 * l] ^ tile[2 * l + 1];
      for (uint l = 0; l < 16; l++) tile[(l + step) & 15] += step;
      for (uint l = 0; l < 16; l++) sum[l] += tile[l + 16] + tile[15 - l] + 1;
      for (uint l = 0; l < 16; l++) tile[16 + (in[g] + l) % 16] = sum[l];
      for (uint l = 0; l < 16; l++) sum[l] ^= tile[l + 16] + tile[l + 17 * (step & 1)];
    }
    for (uint l = 0; l < 16; l++) out[g + l] = sum[l];
  }
}
