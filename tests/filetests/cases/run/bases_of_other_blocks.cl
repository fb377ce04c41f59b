//! test = "run"
//! global = [192]
//! local = [64]
// Addresses that are computed in front of a loop, in two steps, and used in the loop: each lane's
// load of an OpenCL vector, accesses of a partner's element, accesses that are consecutive in most
// vectors, accesses with a constant distance, and private arrays.
uint item(global const uint *in, global uint *out, uint x, uint n) {
  global const uint4 *row = (global const uint4 *)in + in[x] % 20;
  global const uint4 *at = row + (n & 7);
  uint4 sum = row[0];
  for (uint k = 0; k < n % 5 + 2; k++) {
    sum = sum * 3 + at[0];
    out[x] = sum.x;
  }
  uint hash = sum.x + sum.y * 3 + sum.z * 5 + sum.w * 7;
  global const uint *start = in + (n & 63), *partner = start + (x ^ (n & 15));
  hash += start[0];
  for (uint k = 0; k < n % 5 + 2; k++) {
    hash = hash * 3 + partner[0];
    out[x] = hash;
  }
  global const uint *line = in + (in[3] & 31), *wrapped = line + (x + n / 2 + 5) % n;
  hash += line[0];
  for (uint k = 0; k < n % 5 + 2; k++) {
    hash = hash * 3 + wrapped[0];
    out[x] = hash;
  }
  global const uint *pairs = in + 2 * x, *second = pairs + (n & 3);
  hash += pairs[0];
  for (uint k = 0; k < n % 5 + 2; k++) {
    hash = hash * 3 + second[0] + second[1];
    out[x] = hash;
  }
  uint own[24];
  #pragma unroll 1
  for (uint k = 0; k < 24; k++) own[k] = in[x + k];
  uint *part = own + in[x] % 8, *place = part + n % 9;
  hash += part[0];
  #pragma unroll 1
  for (uint k = 0; k < n % 5 + 2; k++) {
    place[0] = hash = hash * 3 + place[0];
    out[x] = hash;
  }
  #pragma unroll 1
  for (uint k = 0; k < 24; k++) hash = hash * 3 + own[k];
  return hash;
}
kernel void test(global uint *out, global const uint *in, uint n) {
  uint x = get_global_id(0);
  out[x] = item(in, out, x, n);
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint x = 0; x < n; x++) out[x] = item(in, out, x, n);
}
