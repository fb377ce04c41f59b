//! test = "check-recursion"
//! error = "kernel 'k' is recursive: f calls f; OpenCL C has no recursion"
int g(global int *o, int n);
__attribute__((noinline)) int f(global int *o, int n) {
    o[n] += 1;
    int r = g(o, n - 1) * o[n];
    return r ^ o[n + 1];
}
__attribute__((noinline)) int g(global int *o, int n) {
    o[n] += 2;
    int r = n ? f(o, n / 2) * o[n] : o[n];
    return r ^ o[n];
}
kernel void k(global int *o) { o[0] = f(o, o[1]); }
