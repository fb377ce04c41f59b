//! Kernel tests: the same file on every device and variant.
