//! test = "check-types"
//! error = "function 'k' uses 'long double', which OpenCL C reserves"
kernel void k(global int *p) { long double x = p[0]; p[0] = (int)(x * x); }
