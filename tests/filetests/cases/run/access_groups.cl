//! test = "run"
//! global = [96]
//! local = [32]
// Accesses with a distance of two to eight elements from lane to lane: single ones, groups that
// share consecutive accesses, groups with gaps, and accesses between them that may be to the same
// memory.
struct mixed {
  int a;
  float b;
  int c;
};
struct wide {
  float4 a;
  float4 b;
};
kernel void test(global uint *out, global const uint *in, uint n) {
  size_t x = get_global_id(0);
  size_t l = get_local_id(0);
  uint sum = 0;
  sum += in[2 * x] ^ in[3 * x + 1] ^ in[4 * x + 3];
  global const uchar *bytes = (global const uchar *)in;
  sum += bytes[3 * x] * 7u + bytes[3 * x + 1] * 11u + bytes[3 * x + 2] * 13u;
  global const ushort *shorts = (global const ushort *)in;
  sum ^= shorts[6 * x + 5] + (uint)shorts[6 * x + 2] * 77u;
  global const ulong *longs = (global const ulong *)in;
  sum += (uint)(longs[2 * x + 1] >> 3);
  global const struct mixed *m = (global const struct mixed *)in;
  sum += m[x].a * 3u + as_uint(m[x].b) * 5u - m[x].c;
  // Inside the group, so that indices stay below the size of the buffer.
  global const struct wide *w = (global const struct wide *)in;
  uint4 bits = as_uint4(w[l].b);
  sum ^= bits.x + 3 * bits.y + 5 * bits.z + 7 * bits.w;
  sum += in[5 * l] + in[7 * l + 2] + in[8 * l + 7];
  // All words of a lane, in another order. The load reads what the store before it wrote.
  global uint *own = out + 4 * x;
  own[3] = sum;
  own[0] = sum * 3;
  own[0] += own[3] ^ 5;
  own[2] = sum >> 3;
  own[1] = sum + x;
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (volatile uint i = 0; i < n; i++) {
    uint x = i, l = x % 32;
    uint sum = 0;
    sum += in[2 * x] ^ in[3 * x + 1] ^ in[4 * x + 3];
    global const uchar *bytes = (global const uchar *)in;
    sum += bytes[3 * x] * 7u + bytes[3 * x + 1] * 11u + bytes[3 * x + 2] * 13u;
    global const ushort *shorts = (global const ushort *)in;
    sum ^= shorts[6 * x + 5] + (uint)shorts[6 * x + 2] * 77u;
    global const ulong *longs = (global const ulong *)in;
    sum += (uint)(longs[2 * x + 1] >> 3);
    global const struct mixed *m = (global const struct mixed *)in;
    sum += m[x].a * 3u + as_uint(m[x].b) * 5u - m[x].c;
    global const struct wide *w = (global const struct wide *)in;
    uint4 bits = as_uint4(w[l].b);
    sum ^= bits.x + 3 * bits.y + 5 * bits.z + 7 * bits.w;
    sum += in[5 * l] + in[7 * l + 2] + in[8 * l + 7];
    out[4 * x + 3] = sum;
    out[4 * x] = sum * 3 + (sum ^ 5);
    out[4 * x + 2] = sum >> 3;
    out[4 * x + 1] = sum + x;
  }
}
