// The C++ library registers the destructors of global objects here. In the shipped library, which
// is never unloaded, none shall run: at exit other threads of the application may still be
// compiling. Hidden, so this is for LLVM's and clang's objects, which are linked into the same
// library, and for nobody else. Only in static builds.
extern "C" __attribute__((visibility("hidden"))) int __cxa_atexit(void (*)(void *), void *, void *) { return 0; }
