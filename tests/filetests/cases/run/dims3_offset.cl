//! test = "run"
//! global = [6, 5, 4]
//! local = [4, 2, 3]
//! offset = [3, 7, 11]
// Non-uniform groups in every dimension, offsets, every work-item function, dynamic and
// out-of-range indices.
uint hash(uint h, size_t v) { return (h ^ (uint)v) * 16777619u; }
kernel void test(global uint *out, global const uint *in, uint n) {
  size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1);
  size_t z = get_global_id(2) - get_global_offset(2);
  size_t i = (z * get_global_size(1) + y) * get_global_size(0) + x;
  uint h = 2166136261u;
  for (uint d = 0; d < 5; d++) {
    h = hash(h, get_global_id(d)); h = hash(h, get_local_id(d)); h = hash(h, get_group_id(d));
    h = hash(h, get_local_size(d));
    h = hash(h, get_enqueued_local_size(d));
    h = hash(h, get_num_groups(d));
    h = hash(h, get_global_size(d)); h = hash(h, get_global_offset(d));
  }
  h = hash(h, get_global_linear_id());
  h = hash(h, get_local_linear_id());
  h = hash(h, get_work_dim());
  h = hash(h, get_global_id(3)); h = hash(h, get_local_size(7)); h = hash(h, get_global_size(99));
  out[i] = h;
  if (in[i] & 1) out[n + i] = i;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  size_t g[3] = {6, 5, 4}, l[3] = {4, 2, 3}, o[3] = {3, 7, 11};
  for (size_t i = 0; i < n; i++) {
    size_t id[3] = {i % 6, i / 6 % 5, i / 30};
    size_t ls[3], li[3];
    uint h = 2166136261u;
    for (uint d = 0; d < 5; d++) {
      if (d < 3) {
        size_t group = id[d] / l[d], lid = id[d] % l[d];
        size_t rest = g[d] - group * l[d];
        ls[d] = rest < l[d] ? rest : l[d]; li[d] = lid;
        h = hash(h, id[d] + o[d]);
        h = hash(h, lid);
        h = hash(h, group);
        h = hash(h, ls[d]);
        h = hash(h, l[d]);
        h = hash(h, (g[d] + l[d] - 1) / l[d]); h = hash(h, g[d]); h = hash(h, o[d]);
      } else {
        h = hash(h, 0);
        h = hash(h, 0);
        h = hash(h, 0);
        h = hash(h, 1);
        h = hash(h, 1);
        h = hash(h, 1);
        h = hash(h, 1); h = hash(h, 0);
      }
    }
    h = hash(h, i); h = hash(h, (li[2] * ls[1] + li[1]) * ls[0] + li[0]); h = hash(h, 3);
    h = hash(h, 0); h = hash(h, 1); h = hash(h, 1);
    out[i] = h;
    if (in[i] & 1) out[n + i] = i;
  }
}
