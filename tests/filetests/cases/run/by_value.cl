//! test = "run"
//! global = [24]
//! local = [8]
// Structures and three-component vectors by value. The kernel writes its copy, which lives across a
// barrier.
typedef struct { uint a, b[4], c; } big;
kernel void test(global uint *out, global const uint *in, uint n, big s, uint3 v, ushort2 t,
                 ulong w) {
  local uint x[8];
  uint i = get_global_id(0), l = get_local_id(0);
  s.b[l & 3] += l;
  x[l] = s.b[l & 3] + in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  s.a += x[7 - l];
  out[i] = s.a + s.b[0] * 3 + s.b[1] * 5 + s.b[2] * 7 + s.b[3] * 11 + s.c + v.x + v.y * 2 +
           v.z * 3 + t.x + t.y + (uint)w;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint i = 0; i < n; i++) {
    uint l = i % 8, m = 7 - l, b[4] = {2, 3, 4, 5}, x = b[m & 3] + m + in[i - l + m];
    b[l & 3] += l;
    out[i] = 1 + x + b[0] * 3 + b[1] * 5 + b[2] * 7 + b[3] * 11 + 6 + 1 + 4 + 9 + 1 + 0 + 1;
  }
}
