//! OpenCL C to LLVM IR with clang in process.
