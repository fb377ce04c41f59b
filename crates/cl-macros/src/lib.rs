//! The attribute macro every OpenCL entry point goes through.
