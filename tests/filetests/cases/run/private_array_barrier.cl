//! test = "run"
//! global = [128]
//! local = [32]
// Private arrays that live across barriers, with constant and variable indices, and loops over
// them that step backwards, leave early or depend on each other.
kernel void test(global uint *out, global const uint *in, uint n) {
  uint i = get_global_id(0), l = get_local_id(0), sum[4][3], other[8];
  local uint tile[32];
  for (int a = 0; a < 4; a++)
    for (int b = 0; b < 3; b++) sum[a][b] = in[i] + a * b;
  for (int a = 7; a >= 0; a -= 1) other[a] = in[i] >> a;
  for (uint t = 0; t < (n & 7) + 2; t++) {
    tile[l] = in[i] * (t + 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int a = 0; a < 4; a++)
      for (int b = 0; b < 3; b++) sum[a][b] += tile[(l * (a + 1) + b) & 31] * other[a + b];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int a = 0; a < 8; a++) {
      if (other[a] % 5 == t) break;
      other[a] += sum[a >> 1][t % 3];
    }
    other[in[i] & 7] ^= t;
  }
  uint all = 0;
  for (int a = 0; a < 4; a++)
    for (int b = 0; b < 3; b++) all = all * 31 + sum[a][b];
  for (int a = 0; a < 8; a++) all = all * 31 + other[a];
  out[i] = all;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint g = 0; g < n / 32; g++) {
    uint sum[32][4][3], other[32][8], tile[32];
    for (uint l = 0; l < 32; l++) {
      for (int a = 0; a < 4; a++)
        for (int b = 0; b < 3; b++) sum[l][a][b] = in[g * 32 + l] + a * b;
      for (int a = 7; a >= 0; a -= 1) other[l][a] = in[g * 32 + l] >> a;
    }
    for (uint t = 0; t < (n & 7) + 2; t++) {
      for (uint l = 0; l < 32; l++) tile[l] = in[g * 32 + l] * (t + 1);
      for (uint l = 0; l < 32; l++)
        for (int a = 0; a < 4; a++)
          for (int b = 0; b < 3; b++)
            sum[l][a][b] += tile[(l * (a + 1) + b) & 31] * other[l][a + b];
      for (uint l = 0; l < 32; l++) {
        for (int a = 0; a < 8; a++) {
          if (other[l][a] % 5 == t) break;
          other[l][a] += sum[l][a >> 1][t % 3];
        }
        other[l][in[g * 32 + l] & 7] ^= t;
      }
    }
    for (uint l = 0; l < 32; l++) {
      uint all = 0;
      for (int a = 0; a < 4; a++)
        for (int b = 0; b < 3; b++) all = all * 31 + sum[l][a][b];
      for (int a = 0; a < 8; a++) all = all * 31 + other[l][a];
      out[g * 32 + l] = all;
    }
  }
}
