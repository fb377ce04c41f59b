//! test = "run"
//! global = [200]
//! local = [100]
// Groups of 100 work-items: the last vector of a group is shorter than the others. Accesses run
// backwards, or at a distance of two elements, and divisors may be zero outside the group.
kernel void test(global uint *out, global const uint *in, uint n) {
  size_t g = get_global_id(0);
  uint v = in[n - 1 - g];
  ulong d = in[g] & 3;
  ulong q = d ? ((ulong)v << 20) / d : 7;
  global ushort *words = (global ushort *)(out + n);
  words[2 * g] = v;
  words[2 * g + 1] = q;
  ushort2 pair = vload2(g, (global const ushort *)in);
  ushort2 other = ((global const ushort2 *)in)[n - 1 - g];
  ((global ushort2 *)(out + 2 * n))[n - 1 - g] = pair.yx + other;
  out[n - 1 - g] = (uint)(q >> 3) ^ v;
  uint k = 0;
  for (ulong left = v; left > 1000; left /= d + 2) k++;
  out[3 * n + g] = k;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (size_t g = 0; g < n; g++) {
    uint v = in[n - 1 - g];
    ulong d = in[g] & 3;
    ulong q = d ? ((ulong)v << 20) / d : 7;
    global ushort *words = (global ushort *)(out + n);
    words[2 * g] = v;
    words[2 * g + 1] = q;
    ushort2 pair = vload2(g, (global const ushort *)in);
    ushort2 other = ((global const ushort2 *)in)[n - 1 - g];
    ((global ushort2 *)(out + 2 * n))[n - 1 - g] = pair.yx + other;
    out[n - 1 - g] = (uint)(q >> 3) ^ v;
    uint k = 0;
    for (ulong left = v; left > 1000; left /= d + 2) k++;
    out[3 * n + g] = k;
  }
}
