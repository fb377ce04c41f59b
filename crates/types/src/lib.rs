//! Plain data shared by compiler and runtime: kernel ABI structures, kernel metadata, program containers.
