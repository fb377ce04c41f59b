//! The C ABI between libmuxcl.so and libmuxcl_compiler.so: bytes in, bytes out.
