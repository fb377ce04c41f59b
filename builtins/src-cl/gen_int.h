// Includes BODY for all eight integer types and all widths. Defines, in addition to widths.h: S
// (element type), SU, SI (the unsigned and signed types of its size), SW (the type of twice the
// width, if it exists), BITS, SIGNED, T (vector).
#include "muxcl.h"
#define T V(S)
#define TU V(SU)
#define TI V(SI)

#define SIGNED 1
#define S char
#define SI char
#define SU uchar
#define SW short
#define BITS 8
#include "widths.h"
#undef S
#undef SI
#undef SU
#undef SW
#undef BITS
#define S short
#define SI short
#define SU ushort
#define SW int
#define BITS 16
#include "widths.h"
#undef S
#undef SI
#undef SU
#undef SW
#undef BITS
#define S int
#define SI int
#define SU uint
#define SW long
#define BITS 32
#include "widths.h"
#undef S
#undef SI
#undef SU
#undef SW
#undef BITS
#define S long
#define SI long
#define SU ulong
#define BITS 64
#include "widths.h"
#undef S
#undef SI
#undef SU
#undef BITS
#undef SIGNED

#define SIGNED 0
#define S uchar
#define SI char
#define SU uchar
#define SW ushort
#define BITS 8
#include "widths.h"
#undef S
#undef SI
#undef SU
#undef SW
#undef BITS
#define S ushort
#define SI short
#define SU ushort
#define SW uint
#define BITS 16
#include "widths.h"
#undef S
#undef SI
#undef SU
#undef SW
#undef BITS
#define S uint
#define SI int
#define SU uint
#define SW ulong
#define BITS 32
#include "widths.h"
#undef S
#undef SI
#undef SU
#undef SW
#undef BITS
#define S ulong
#define SI long
#define SU ulong
#define BITS 64
#include "widths.h"
#undef S
#undef SI
#undef SU
#undef BITS
#undef SIGNED
