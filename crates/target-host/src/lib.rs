//! Code generation for the CPU this process runs on.
