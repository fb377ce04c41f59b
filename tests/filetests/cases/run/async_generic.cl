//! test = "run"
//! global = [32]
//! local = [8]
// Asynchronous copies and events, generic pointers to all address spaces, program-scope variables,
// and structures passed by value to functions.
typedef struct { uint a; uint b[3]; } pair;
global uint counter_base = 5;
constant uint table[4] = {3, 1, 4, 1};
uint load(uint *p) { return *p; }
uint kind(uint *p) { return to_global(p) ? 1 : to_local(p) ? 2 : to_private(p) ? 3 : 0; }
uint sum(pair p) { p.a += 1; return p.a + p.b[0] + p.b[1] + p.b[2]; }
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint t[8];
  local uint r[8];
  uint l = get_local_id(0), i = get_global_id(0), g = get_group_id(0);
  event_t e = async_work_group_copy(t, in + g * 8, 8, 0);
  wait_group_events(1, &e);
  uint mine = t[7 - l];
  volatile uint priv = mine;
  uint *p = (l & 1) ? (uint *)&t[l] : (uint *)&mine;
  r[l] = load(p) + counter_base + table[l & 3];
  barrier(CLK_LOCAL_MEM_FENCE);
  pair q = {r[l], {r[0], l, g}};
  uint v = sum(q) + q.a;
  barrier(CLK_LOCAL_MEM_FENCE); // r[0] is read by everybody
  out[n + i] = kind((uint *)&t[0]) * 100 + kind((uint *)(in + i)) * 10 + kind(&mine) +
               (get_fence(&t[0]) == CLK_LOCAL_MEM_FENCE);
  r[l] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  e = async_work_group_copy(out + g * 8, r, 8, 0);
  wait_group_events(1, &e);
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n / 8; g++) {
    uint r[8];
    for (uint l = 0; l < 8; l++)
      r[l] = ((l & 1) ? in[g * 8 + l] : in[g * 8 + 7 - l]) + 5 + table[l & 3];
    for (uint l = 0; l < 8; l++) {
      out[g * 8 + l] = r[l] + 1 + r[0] + l + g + r[l];
      out[n + g * 8 + l] = 214;
    }
  }
}
