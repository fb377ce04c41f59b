//! test = "run"
//! global = [48, 40]
//! local = [8, 4]
// Bounds that hold in some groups and not in others: of both signs, of sums, products and unsigned
// differences that wrap, together with conditions on data, and in inner loops.
kernel void test(global uint *out, global const uint *in, uint n) {
  int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
  int bound = (int)(n / 48);
  uint i = y * w + x, v = 1;
  if (x > 2 && y > 0 && x < bound - 1 && y < bound - 7) v += in[i - 1] + in[i + 1];
  if (2 * x + y < bound + 30) v = v * 3 + in[(2 * x + y) & 63];
  if ((uint)(x - 5) < (uint)(bound - 12)) v ^= in[x];
  if (x >= bound - 30 || y >= bound - 20) v += 17;
  else v -= in[y];
  if (x < bound - 10 && in[i] & 1) v = rotate(v, 5u);
  if (x == 0 || y == bound - 3 || x + y == 45) v += 3;
  for (int k = 0; k < 3; k++)
    if (x + k < bound - 14 && y - k >= 2) v = v * 5 + k;
  if (get_global_id(1) >= n / 96) {
    out[i] = v;
    return;
  }
  out[i] = v + in[n - i - 1];
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (int y = 0; y < 40; y++)
    for (int x = 0; x < 48; x++) {
      int bound = (int)(n / 48);
      uint i = y * 48 + x, v = 1;
      if (x > 2 && y > 0 && x < bound - 1 && y < bound - 7) v += in[i - 1] + in[i + 1];
      if (2 * x + y < bound + 30) v = v * 3 + in[(2 * x + y) & 63];
      if (x >= 5 && x < bound - 7) v ^= in[x];
      if (x >= bound - 30 || y >= bound - 20) v += 17;
      else v -= in[y];
      if (x < bound - 10 && in[i] & 1) v = rotate(v, 5u);
      if (x == 0 || y == bound - 3 || x + y == 45) v += 3;
      for (int k = 0; k < 3; k++)
        if (x + k < bound - 14 && y - k >= 2) v = v * 5 + k;
      out[i] = y >= n / 96 ? v : v + in[n - i - 1];
    }
}
