//! libmuxcl_compiler.so: the exports of the compiler and nothing else.
