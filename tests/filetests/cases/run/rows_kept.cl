//! test = "run"
//! global = [16, 16]
//! local = [16, 16]
// Rows of work-items that must not run side by side, because the kernel has private arrays,
// branches that depend on the row, atomic operations, and stores of all rows to one address.
kernel void test(global uint *out, global const uint *in, uint n) {
  uint x = get_global_id(0), y = get_global_id(1);
  local uint count[2], columns[16];
  uint own[8];
  for (uint i = 0; i < 8; i++) own[i] = in[(y * 16 + x + i) & 255];
  if (y == 0)
    columns[x] = 0;
  if (x == 0 && y < 2)
    count[y] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint sum = 0;
  for (uint i = 0; i < (y & 7); i++) {
    own[(in[x] + i) & 7] += in[y] * i;
    sum += own[(in[i] + y) & 7];
  }
  atomic_add(&columns[x], sum & 255);
  if (in[x * 16 + y] & 1)
    atomic_inc(&count[x & 1]);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[y * 16 + x] = sum + columns[x] + (count[x & 1] << 16);
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  uint columns[16], count[2] = {0, 0};
  for (uint x = 0; x < 16; x++) columns[x] = 0;
  for (uint y = 0; y < 16; y++)
    for (uint x = 0; x < 16; x++) {
      uint own[8], sum = 0;
      for (uint i = 0; i < 8; i++) own[i] = in[(y * 16 + x + i) & 255];
      for (uint i = 0; i < (y & 7); i++) {
        own[(in[x] + i) & 7] += in[y] * i;
        sum += own[(in[i] + y) & 7];
      }
      out[y * 16 + x] = sum;
      columns[x] += sum & 255;
      count[x & 1] += in[x * 16 + y] & 1;
    }
  for (uint y = 0; y < 16; y++)
    for (uint x = 0; x < 16; x++) out[y * 16 + x] += columns[x] + (count[x & 1] << 16);
}
