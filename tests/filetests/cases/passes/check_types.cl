//! test = "check-types"
//! isa = "RV64GCV"
//! error = "function 'k' uses '__bf16', for which this device has no arithmetic"
kernel void k(global float *p) { __bf16 x = (__bf16)p[0]; p[0] = (float)x; }
