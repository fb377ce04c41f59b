//! libmuxcl.so: the exported C ABI and nothing else.
