//! test = "link-builtins"
//! error = "undefined symbol 'missing'"
float missing(float);
kernel void k(global float *a) { a[0] = missing(sqrt(a[1])); }
