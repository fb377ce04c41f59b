//! Target, Context, Module, Kernel: compile, link, finalise, specialise, binary.
