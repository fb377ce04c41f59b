//! test = "run"
//! global = [64]
//! local = [16]
// Divergence between barriers: loops of different lengths, early continue, values defined on some
// paths only.
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint t[16];
  uint l = get_local_id(0), i = get_global_id(0), v = in[i] & 31, last = 7;
  t[l] = 0;
  for (uint r = 0; r < 4; r++) {
    uint s = 0;
    for (uint k = 0; k < v; k++) {
      if ((k ^ l) & 1) continue;
      s += k * r;
      if (s > 90) { last = k; break; }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    t[(l + r) & 15] += s;
    if (r == 1) v += 2; else if (l & 1) v ^= 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t[l] & 1) last += r;
  }
  out[i] = t[l] * 64 + last;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n / 16; g++) {
    uint t[16], v[16], last[16], s[16];
    for (uint l = 0; l < 16; l++) { t[l] = 0; v[l] = in[g * 16 + l] & 31; last[l] = 7; }
    for (uint r = 0; r < 4; r++) {
      for (uint l = 0; l < 16; l++) {
        s[l] = 0;
        for (uint k = 0; k < v[l]; k++)
          if (!((k ^ l) & 1)) {
            s[l] += k * r;
            if (s[l] > 90) { last[l] = k; break; }
          }
      }
      for (uint l = 0; l < 16; l++) {
        t[(l + r) & 15] += s[l];
        if (r == 1) v[l] += 2; else if (l & 1) v[l] ^= 5;
      }
      for (uint l = 0; l < 16; l++) if (t[l] & 1) last[l] += r;
    }
    for (uint l = 0; l < 16; l++) out[g * 16 + l] = t[l] * 64 + last[l];
  }
}
