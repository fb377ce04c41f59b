//! test = "run"
//! global = [48]
//! local = [16]
// A machine whose states lead to each other: copies of its blocks would grow without a bound.
__attribute__((always_inline)) uint run(uint x, uint k) {
  uint r = x;
#define NEXT if (k-- == 0) return r; \
  switch (r % 5u) { case 0: goto s0; case 1: goto s1; case 2: goto s2; case 3: goto s3; \
  default: goto s4; }
  NEXT
s0: r = r * 3u + 1u; NEXT
s1: r ^= r >> 5; r += 77u; NEXT
s2: r = r * r + 5u; NEXT
s3: r = ~r; NEXT
s4: r = (r << 3) ^ x; NEXT
}
kernel void test(global uint *out, global const uint *in, uint n) {
  uint i = get_global_id(0);
  out[i] = run(in[i], in[i] & 15u);
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint i = 0; i < n; i++) out[i] = run(in[i], in[i] & 15u);
}
