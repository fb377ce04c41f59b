//! test = "run"
//! global = [48]
//! local = [8]
// Barriers in uniform branches and in a switch, as first and last instruction; values that live
// across barriers on some paths only.
kernel void test(global uint *out, global const uint *in, uint n) {
  local uint t[8];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint l = get_local_id(0), i = get_global_id(0), g = get_group_id(0);
  uint v = in[i], w = v ^ l;
  if (g & 1) {
    t[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    v = t[(l + 3) & 7] + w;
  } else {
    v += 7;
  }
  switch (g % 4) {
  case 0: v *= 5; break;
  case 1:
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    v = t[7 - l] - w; // fall through
  case 2: w += v; break;
  default:
    barrier(CLK_LOCAL_MEM_FENCE);
    t[7 - l] = w;
    barrier(CLK_LOCAL_MEM_FENCE);
    w = t[l];
    break;
  }
  out[i] = v * 3 + w;
  barrier(CLK_GLOBAL_MEM_FENCE);
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n / 8; g++) {
    uint v[8], w[8], t[8];
    for (uint l = 0; l < 8; l++) { v[l] = in[g * 8 + l]; w[l] = v[l] ^ l; }
    if (g & 1) {
      for (uint l = 0; l < 8; l++) t[l] = v[l];
      for (uint l = 0; l < 8; l++) v[l] = t[(l + 3) & 7] + w[l];
    } else for (uint l = 0; l < 8; l++) v[l] += 7;
    switch (g % 4) {
    case 0: for (uint l = 0; l < 8; l++) v[l] *= 5; break;
    case 1: for (uint l = 0; l < 8; l++) t[l] = v[l];
      for (uint l = 0; l < 8; l++) v[l] = t[7 - l] - w[l];
    case 2: for (uint l = 0; l < 8; l++) w[l] += v[l]; break;
    default: for (uint l = 0; l < 8; l++) t[7 - l] = w[l];
      for (uint l = 0; l < 8; l++) w[l] = t[l];
    }
    for (uint l = 0; l < 8; l++) out[g * 8 + l] = v[l] * 3 + w[l];
  }
}
