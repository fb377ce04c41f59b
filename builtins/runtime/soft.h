// Floating-point arithmetic on integers, rounding to nearest even. An unpacked number has a sign,
// an exponent and a 64-bit significand with the first bit set. The significand's last bit is
// sticky: it also stands for all lower bits. Formats of up to 53 bits leave 11 bits for rounding.
#pragma once
#include "runtime.h"

typedef struct {
  int kind; // as below
  int sign;
  int exp; // the value is (sig / 2^63) * 2^exp
  u64 sig;
} number;
enum { ZERO, FINITE, INFINITE, NAN_ };

INNER int clz64(u64 v) {
  int n = 0;
  for (int k = 32; k; k >>= 1)
    if (!(v >> (64 - k) & (((u64)1 << (k - 1) << 1) - 1))) {
      n += k;
      v <<= k;
    }
  return n;
}
// Shifts right; the last bit is sticky.
INNER u64 jam(u64 v, int n) {
  if (n <= 0)
    return v;
  if (n > 63)
    return v != 0;
  return v >> n | ((v << (64 - n)) != 0);
}
INNER void mul64(u64 a, u64 b, u64 *high, u64 *low) {
  u64 al = (u32)a, ah = a >> 32, bl = (u32)b, bh = b >> 32;
  u64 ll = al * bl, lh = al * bh, hl = ah * bl, hh = ah * bh;
  u64 middle = (ll >> 32) + (u32)lh + (u32)hl;
  *low = middle << 32 | (u32)ll;
  *high = hh + (lh >> 32) + (hl >> 32) + (middle >> 32);
}

// `p`: bits of the significand including the hidden bit; `e`: bits of the exponent.
INNER number unpack(u64 bits, int p, int e) {
  number n;
  int field = (int)(bits >> (p - 1)) & ((1 << e) - 1);
  u64 fraction = bits & (((u64)1 << (p - 1)) - 1);
  n.sign = (int)(bits >> (p - 1 + e)) & 1;
  n.exp = field - ((1 << (e - 1)) - 1);
  n.sig = 0;
  if (field == (1 << e) - 1) {
    n.kind = fraction ? NAN_ : INFINITE;
  } else if (field == 0) {
    n.kind = fraction ? FINITE : ZERO;
    if (fraction) {
      int zeros = clz64(fraction);
      n.sig = fraction << zeros;
      n.exp = 2 - (1 << (e - 1)) + (64 - p) - zeros;
    }
  } else {
    n.kind = FINITE;
    n.sig = (fraction | (u64)1 << (p - 1)) << (64 - p);
  }
  return n;
}
INNER u64 special(int kind, int sign, int p, int e) {
  u64 top = (u64)((1 << e) - 1) << (p - 1);
  if (kind == NAN_)
    return top | (u64)1 << (p - 2);
  return (u64)sign << (p - 1 + e) | (kind == INFINITE ? top : 0);
}
INNER u64 pack(number n, int p, int e) {
  int bias = (1 << (e - 1)) - 1;
  if (n.kind != FINITE)
    return special(n.kind, n.sign, p, e);
  if (n.exp > bias)
    return special(INFINITE, n.sign, p, e);
  if (n.exp < 1 - bias) {
    n.sig = jam(n.sig, 1 - bias - n.exp);
    n.exp = 1 - bias;
  }
  int drop = 64 - p;
  u64 rest = n.sig & (((u64)1 << drop) - 1), half = (u64)1 << (drop - 1), q = n.sig >> drop;
  q += rest > half || (rest == half && (q & 1));
  // The hidden bit increments the exponent, and so does a carry.
  u64 bits = ((u64)(n.exp + bias - 1) << (p - 1)) + q;
  return (u64)n.sign << (p - 1 + e) | bits;
}
INNER number make(int kind, int sign) {
  number n = {kind, sign, 0, 0};
  return n;
}

INNER number add_numbers(number a, number b) {
  if (a.kind == NAN_ || b.kind == NAN_)
    return make(NAN_, 0);
  if (a.kind == INFINITE)
    return b.kind == INFINITE && a.sign != b.sign ? make(NAN_, 0) : a;
  if (b.kind == INFINITE)
    return b;
  if (b.kind == ZERO)
    return a.kind == ZERO && a.sign != b.sign ? make(ZERO, 0) : a;
  if (a.kind == ZERO)
    return b;
  if (b.exp > a.exp || (b.exp == a.exp && b.sig > a.sig)) {
    number t = a;
    a = b;
    b = t;
  }
  u64 x = a.sig >> 1, y = jam(b.sig >> 1, a.exp - b.exp); // the formats leave the last bits free
  u64 sum = a.sign == b.sign ? x + y : x - y;
  if (sum == 0)
    return make(ZERO, 0);
  int zeros = clz64(sum);
  a.sig = sum << zeros;
  a.exp += 1 - zeros;
  return a;
}
INNER number mul_numbers(number a, number b) {
  int sign = a.sign ^ b.sign;
  if (a.kind == NAN_ || b.kind == NAN_)
    return make(NAN_, 0);
  if (a.kind == INFINITE || b.kind == INFINITE)
    return a.kind == ZERO || b.kind == ZERO ? make(NAN_, 0) : make(INFINITE, sign);
  if (a.kind == ZERO || b.kind == ZERO)
    return make(ZERO, sign);
  u64 high, low;
  mul64(a.sig, b.sig, &high, &low);
  number n = {FINITE, sign, a.exp + b.exp + 1, high};
  if (!(high >> 63)) {
    n.sig = high << 1 | low >> 63;
    low <<= 1;
    n.exp--;
  }
  n.sig |= low != 0;
  return n;
}
INNER number div_numbers(number a, number b) {
  int sign = a.sign ^ b.sign;
  if (a.kind == NAN_ || b.kind == NAN_ || (a.kind == INFINITE && b.kind == INFINITE) ||
      (a.kind == ZERO && b.kind == ZERO))
    return make(NAN_, 0);
  if (a.kind == INFINITE || b.kind == ZERO)
    return make(INFINITE, sign);
  if (a.kind == ZERO || b.kind == INFINITE)
    return make(ZERO, sign);
  // 57 bits of quotient. Both significands lose one bit, which the formats leave free.
  u64 r = a.sig >> 1, d = b.sig >> 1, q = 0;
  int exp = a.exp - b.exp;
  if (r < d) {
    r <<= 1;
    exp--;
  }
  for (int k = 0; k < 57; k++) {
    q <<= 1;
    if (r >= d) {
      r -= d;
      q |= 1;
    }
    r <<= 1;
  }
  number n = {FINITE, sign, exp, q << 7 | (r != 0)};
  return n;
}
INNER number sqrt_number(number a) {
  if (a.kind == NAN_ || a.kind == ZERO)
    return a.kind == NAN_ ? make(NAN_, 0) : a;
  if (a.sign)
    return make(NAN_, 0);
  if (a.kind == INFINITE)
    return a;
  // 57 bits of root, from two bits of the radicand each. The radicand has 64 bits, followed by
  // zeros. An odd exponent takes one more leading bit.
  u64 radicand = a.sig, rest = 0, root = 0;
  int odd = a.exp & 1;
  for (int k = 0; k < 57; k++) {
    // With an even exponent the radicand is 01.xx..., with an odd one 1x.xx...
    if (k == 0 && !odd) {
      rest = radicand >> 63;
      radicand <<= 1;
    } else {
      rest = rest << 2 | radicand >> 62;
      radicand <<= 2;
    }
    u64 trial = root << 2 | 1;
    root <<= 1;
    if (rest >= trial) {
      rest -= trial;
      root |= 1;
    }
  }
  number n = {FINITE, 0, (a.exp - odd) / 2, root << 7 | (rest != 0)};
  return n;
}
// a * b + c with one rounding.
INNER number fma_numbers(number a, number b, number c) {
  number p = mul_numbers(a, b);
  if (p.kind != FINITE || c.kind != FINITE)
    return add_numbers(p, c);
  u64 ph, pl, ch = c.sig, cl = 0;
  mul64(a.sig, b.sig, &ph, &pl);
  p.exp = a.exp + b.exp + 1;
  if (!(ph >> 63)) {
    ph = ph << 1 | pl >> 63;
    pl <<= 1;
    p.exp--;
  }
  int swap = c.exp > p.exp || (c.exp == p.exp && (ch > ph || (ch == ph && cl > pl)));
  u64 xh = swap ? ch : ph, xl = swap ? cl : pl, yh = swap ? ph : ch, yl = swap ? pl : cl;
  int d = swap ? c.exp - p.exp : p.exp - c.exp, exp = swap ? c.exp : p.exp;
  int sign = swap ? c.sign : p.sign;
  // Leaves one leading bit free, then aligns the smaller operand with the larger.
  int out = (int)(xl & 1);
  xl = xl >> 1 | xh << 63;
  xh >>= 1;
  int lost = (int)(yl & 1);
  yl = yl >> 1 | yh << 63;
  yh >>= 1;
  if (d >= 128) {
    lost |= (yh | yl) != 0;
    yh = yl = 0;
  } else if (d >= 64) {
    lost |= yl != 0 || (d > 64 && (yh << (128 - d)) != 0);
    yl = d > 64 ? yh >> (d - 64) : yh;
    yh = 0;
  } else if (d > 0) {
    lost |= (yl << (64 - d)) != 0;
    yl = yl >> d | yh << (64 - d);
    yh >>= d;
  }
  u64 h, l;
  if (p.sign == c.sign) {
    l = xl + yl;
    h = xh + yh + (l < xl);
  } else {
    // rounding the smaller up makes the difference's last bits too small; sticky says so
    u64 y = yl + (u64)lost;
    u64 carry = lost && y == 0;
    l = xl - y;
    h = xh - yh - carry - (xl < y);
  }
  lost |= out;
  if ((h | l) == 0)
    return lost ? make(ZERO, sign) : make(ZERO, 0);
  if (h == 0) {
    h = l;
    l = 0;
    exp -= 64;
  }
  int zeros = clz64(h);
  if (zeros) {
    h = h << zeros | l >> (64 - zeros);
    l <<= zeros;
  }
  number n = {FINITE, sign, exp + 1 - zeros, h | (l != 0 || lost)};
  return n;
}

typedef union {
  float f;
  u32 u;
} single;
typedef union {
  double f;
  u64 u;
} twice;
// Hides the bits from the optimiser. Otherwise it recognises a NaN test and replaces it by a
// floating-point comparison, which is a call of the function defined here.
INNER u32 bits_f(float f) {
  single s = {f};
  volatile u32 hidden = s.u;
  return hidden;
}
INNER u64 bits_d(double f) {
  twice t = {f};
  volatile u64 hidden = t.u;
  return hidden;
}
INNER number of_f(float f) { return unpack(bits_f(f), 24, 8); }
INNER number of_d(double f) { return unpack(bits_d(f), 53, 11); }
INNER float to_f(number n) {
  single s;
  s.u = (u32)pack(n, 24, 8);
  return s.f;
}
INNER double to_d(number n) {
  twice t;
  t.u = pack(n, 53, 11);
  return t.f;
}
INNER number of_u64(u64 v, int sign) {
  if (v == 0)
    return make(ZERO, 0);
  int zeros = clz64(v);
  number n = {FINITE, sign, 63 - zeros, v << zeros};
  return n;
}
// Rounds towards zero to an integer of `bits` bits, saturating.
INNER u64 to_unsigned(number n, int bits) {
  u64 most = bits == 64 ? ~(u64)0 : ((u64)1 << bits) - 1;
  if (n.kind == NAN_ || n.kind == ZERO || n.sign || (n.kind == FINITE && n.exp < 0))
    return 0;
  if (n.kind == INFINITE || n.exp >= bits)
    return most;
  return n.sig >> (63 - n.exp);
}
INNER i64 to_signed(number n, int bits) {
  u64 most = ((u64)1 << (bits - 1)) - 1;
  if (n.kind == NAN_ || n.kind == ZERO || (n.kind == FINITE && n.exp < 0))
    return 0;
  if (n.kind == INFINITE || n.exp >= bits - 1)
    return n.sign ? -(i64)most - 1 : (i64)most;
  i64 v = (i64)(n.sig >> (63 - n.exp));
  return n.sign ? -v : v;
}
