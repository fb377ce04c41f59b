//! The kernel passes: from OpenCL C's IR to the kernel ABI, one file each.
