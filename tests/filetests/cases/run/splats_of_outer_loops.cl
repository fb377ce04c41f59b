//! test = "run"
//! global = [320]
//! local = [80]
//! local_bytes = 640
// Loops over work-items inside loops whose variable all lanes compare with. The barriers in branches
// give the loops' headers regions of their own.
#define STEP(k) \
  if (in[g] >> k & 1) { \
    t[l + 80] = t[l] + k; \
    barrier(CLK_LOCAL_MEM_FENCE); \
    t[l] ^= t[80 + (l + 1) % 80]; \
    barrier(CLK_LOCAL_MEM_FENCE); \
  }
#define LOOP(from, step) \
  for (int s = from; s < 120; s += step) { \
    if ((int)l < s) t[l] = t[l] * 3 + s; \
    barrier(CLK_LOCAL_MEM_FENCE); \
  }
kernel void test(global uint *out, global const uint *in, uint n, local uint *t) {
  uint l = get_local_id(0), i = get_global_id(0), g = get_group_id(0), size = get_local_size(0);
  t[l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7)
  for (uint s = size / 2; s > 0; s >>= 1) {
    if (l < s) t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  LOOP(-20, 35) LOOP(-10, 40)
  STEP(8) STEP(9) STEP(10) STEP(11) STEP(12) STEP(13) STEP(14) STEP(15)
  LOOP(-30, 35) LOOP(-15, 40)
  out[i] = t[l];
}
#define STEP1(k) \
  if (in[g] >> k & 1) { \
    uint first = t[0]; \
    for (uint l = 0; l < 80; ++l) t[l] ^= (l < 79 ? t[l + 1] : first) + k; \
  }
#define LOOP1(from, step) \
  for (int s = from; s < 120; s += step) \
    for (int l = 0; l < s && l < 80; ++l) t[l] = t[l] * 3 + s;
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n / 80; g++) {
    uint t[80];
    for (uint l = 0; l < 80; ++l) t[l] = in[g * 80 + l];
    STEP1(0) STEP1(1) STEP1(2) STEP1(3) STEP1(4) STEP1(5) STEP1(6) STEP1(7)
    for (uint s = 40; s > 0; s >>= 1)
      for (uint l = 0; l < s; ++l) t[l] += t[l + s];
    LOOP1(-20, 35) LOOP1(-10, 40)
    STEP1(8) STEP1(9) STEP1(10) STEP1(11) STEP1(12) STEP1(13) STEP1(14) STEP1(15)
    LOOP1(-30, 35) LOOP1(-15, 40)
    for (uint l = 0; l < 80; ++l) out[g * 80 + l] = t[l];
  }
}
