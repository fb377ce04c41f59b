// 32-bit arithmetic for devices without M.
#include "runtime.h"
#include "divide.h"
DIVIDE(u32, i32, 32, __mulsi3, __udivsi3, __umodsi3, __divsi3, __modsi3)
