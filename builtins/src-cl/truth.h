// The type of a truth value and limits, inside a gen_fp.h body.
#if N == 1
#define R int
#else
#define R I
#endif
#ifndef TRUTH_ONCE
#define TRUTH_ONCE
#define MIN_NORMAL ((S)(sizeof(S) == 2 ? 0x1p-14 : sizeof(S) == 4 ? 0x1p-126 : 0x1p-1022))
#endif
