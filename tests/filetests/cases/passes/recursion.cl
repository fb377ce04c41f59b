//! test = "inline-barriers"
//! error = "function 'f' calls barrier() or a sub-group function, and cannot be inlined"
//! functions = ["k"]
int f(int n);
int f(int n) { barrier(CLK_LOCAL_MEM_FENCE); return n ? f(n - 1) : 0; }
kernel void k(global int *a) { a[0] = f(a[1]); }
