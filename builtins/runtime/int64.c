// Arithmetic on 64 bits for devices without M, and division for those of 32 bits.
#include "runtime.h"
#include "divide.h"
DIVIDE(u64, i64, 64, __muldi3, __udivdi3, __umoddi3, __divdi3, __moddi3)
