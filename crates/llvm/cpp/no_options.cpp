// LLVM and clang declare two thousand command-line options, and each constructor enters its own
// into a table when the library is loaded. The shipped library reads no command line: the options
// keep their defaults, and the table stays empty. The linker puts this in the place of
// `llvm::cl::Option::addArgument` (`--wrap`, crates/compiler-lib/build.rs). Only in static builds.
extern "C" __attribute__((visibility("hidden"))) void __wrap__ZN4llvm2cl6Option11addArgumentEv(void *) {}
