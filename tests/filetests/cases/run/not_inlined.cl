//! test = "run"
//! global = [40]
//! local = [8]
//! offset = [5]
// Functions that are too large to be inlined still know their work-item; chains of calls without
// recursion.
__attribute__((noinline)) uint chain3(uint x) {
  for (int k = 0; k < 9; k++) x = x * 33 + get_local_id(0) + (uint)get_global_id(0) * k;
  return x;
}
__attribute__((noinline)) uint chain2(uint x) {
  uint s = 0;
  for (int k = 0; k < 5; k++) {
    s += chain3(x + k);
    s ^= s << 3;
    s += get_group_id(0);
    s ^= s >> 5;
  }
  return s;
}
__attribute__((noinline)) uint chain1(uint x) {
  uint s = chain2(x);
  s += chain2(s) * get_global_offset(0);
  s ^= chain2(s + get_num_groups(0));
  return s;
}
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint t[8];
  uint i = get_global_id(0) - 5, l = get_local_id(0);
  t[l] = chain1(in[i]);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = chain1(t[l ^ 1]) + chain2(l);
}
uint c3(uint x, uint l, uint g) { for (int k = 0; k < 9; k++) x = x * 33 + l + g * k; return x; }
uint c2(uint x, uint l, uint g) {
  uint s = 0;
  for (int k = 0; k < 5; k++) {
    s += c3(x + k, l, g);
    s ^= s << 3;
    s += (g - 5) / 8;
    s ^= s >> 5;
  }
  return s;
}
uint c1(uint x, uint l, uint g) {
  uint s = c2(x, l, g);
  s += c2(s, l, g) * 5;
  s ^= c2(s + 5, l, g);
  return s;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint i = 0; i < n; i++) {
    uint l = i % 8, m = i ^ 1;
    out[i] = c1(c1(in[m], l ^ 1, m + 5), l, i + 5) + c2(l, l, i + 5);
  }
}
