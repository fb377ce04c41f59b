//! The OpenCL C library as indexed LLVM bitcode.
