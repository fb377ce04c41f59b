// Common functions.
//@ member max_fp gen_fp.h
OVL F max(F x, F y) { return (x < y) ? y : x; }
#if N > 1
OVL F max(F x, S y) { return (x < (F)y) ? (F)y : x; }
#endif
//@ member min_fp gen_fp.h
OVL F min(F x, F y) { return (y < x) ? y : x; }
#if N > 1
OVL F min(F x, S y) { return ((F)y < x) ? (F)y : x; }
#endif
//@ member clamp_fp gen_fp.h
// fmin(fmax(x, low), high), also for NaN. A constant bound leaves one maximum or minimum
// instruction. The bounds come first, because x86 tests the first argument for NaN: for bounds that
// are the same for all work-items, that test moves in front of the loop over work-items.
#if FP == 16
// Intrinsics on half call the C library, element by element.
HELPER F limit(F x, F low, F high) {
  F y = ((x > low) | (low != low)) ? x : low;
  return ((y < high) | (high != high)) ? y : high;
}
#else
HELPER F limit(F x, F low, F high) { return v_minnum(high, v_maxnum(low, x)); }
#endif
OVL F clamp(F x, F low, F high) { return limit(x, low, high); }
#if N > 1
OVL F clamp(F x, S low, S high) { return limit(x, (F)low, (F)high); }
#endif
//@ member mix gen_fp.h
OVL F mix(F x, F y, F a) { return x + (y - x) * a; }
#if N > 1
OVL F mix(F x, F y, S a) { return x + (y - x) * (F)a; }
#endif
//@ member step gen_fp.h
OVL F step(F edge, F x) { return (x < edge) ? (F)0 : (F)1; }
#if N > 1
OVL F step(S edge, F x) { return (x < (F)edge) ? (F)0 : (F)1; }
#endif
//@ member smoothstep gen_fp.h
HELPER F smooth(F a, F b, F x) {
  // As in clamp, NaN becomes 0: the quotient of two infinities, for example.
  F t = (x - a) / (b - a);
  t = (t > (F)0) ? t : (F)0;
  t = (t < (F)1) ? t : (F)1;
  return t * t * ((F)3 - (F)2 * t);
}
OVL F smoothstep(F a, F b, F x) { return smooth(a, b, x); }
#if N > 1
OVL F smoothstep(S a, S b, F x) { return smooth((F)a, (F)b, x); }
#endif
//@ member sign gen_fp.h
OVL F sign(F x) { return (x != x) ? (F)0 : (x == (F)0) ? x : v_copysign((F)1, x); }
//@ member degrees gen_fp.h
#if FP == 16
OVL F degrees(F x) { return CVT(half, CVT(float, x) * (V(float))57.295779513082320877f); }
#else
OVL F degrees(F x) { return x * (F)(S)57.295779513082320877; }
#endif
//@ member radians gen_fp.h
#if FP == 16
OVL F radians(F x) { return CVT(half, CVT(float, x) * (V(float))0.017453292519943295769f); }
#else
OVL F radians(F x) { return x * (F)(S)0.017453292519943295769; }
#endif
