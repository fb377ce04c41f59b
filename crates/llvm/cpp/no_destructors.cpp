// The C++ runtime registers the destructors of global objects here. In the shipped library, which
// is never unloaded, none may run: at exit other threads of the application may still compile, and
// they use those objects. LLVM's and clang's archives are built without
// `-fno-c++-static-destructors`, so the registration is left out at link time instead. The function
// is hidden: only the objects of this library call it. Only in static builds
// (docs/adr/0006-cold-builds.md).
extern "C" __attribute__((visibility("hidden"))) int __cxa_atexit(void (*)(void *), void *,
                                                                  void *) {
  return 0;
}
