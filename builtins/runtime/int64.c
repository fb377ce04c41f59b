// 64-bit arithmetic for devices without M, and 64-bit division for 32-bit devices.
#include "runtime.h"
#include "divide.h"
DIVIDE(u64, i64, 64, __muldi3, __udivdi3, __umoddi3, __divdi3, __moddi3)
