//! test = "run"
//! global = [48]
//! local = [16]
// Loops with several latches, and switches in loops.
#define INLINE __attribute__((always_inline))
INLINE uint latches(global const uint *in, uint x) {
  uint k = 0, sum = 0;
top:
  x = x * 3u + k;
  if (x & 1u) {
    if (k++ < 9u) goto top;
  } else if (x & 2u) {
    sum += x;
    if (k++ < 5u) goto top;
  } else if (k++ < 3u) {
    x ^= in[x & 15u];
    goto top;
  }
  return sum ^ x;
}
INLINE uint switches(uint x) {
  for (uint k = 0; k < (x & 7u); k++) {
    switch (x % 9u) {
    case 0:
      x += 3u;
      continue;
    case 1:
      x ^= 7u;
      break;
    case 2:
      x *= 5u;
    case 3:
      x++;
      if (x & 8u) continue;
      break;
    case 4:
      return x ^ k;
    case 5:
      if (k > 100u) __builtin_unreachable();
      x = ~x;
      break;
    default:
      x -= 9u;
    }
    x ^= k;
  }
  return x;
}
kernel void test(global uint *out, global const uint *in, uint n) {
  uint i = get_global_id(0);
  out[i] = latches(in, in[i]) + switches(in[i]) * 3u + (in[i] & 255u);
}
kernel void expect(global uint *out, global const uint *in, uint n) {
  for (uint i = 0; i < n; i++)
    out[i] = latches(in, in[i]) + switches(in[i]) * 3u + (in[i] & 255u);
}
