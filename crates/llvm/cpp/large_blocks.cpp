// Large blocks come from the system as pages that nobody has touched. LLVM's largest objects, its
// models of a CPU, are read before they are written: then each page faults twice, and interrupts
// the other CPUs in between, which takes longer than filling the object. So such blocks are written
// to once as they are made. The linker puts this in the place of `operator new` (`--wrap`,
// crates/compiler-lib/build.rs). Only in static builds.
#include <cstddef>

extern "C" __attribute__((visibility("hidden"))) void *__real__Znwm(size_t size);

extern "C" __attribute__((visibility("hidden"))) void *__wrap__Znwm(size_t size) {
  constexpr size_t large = 128 << 10, page = 4096; // from `large` on, glibc asks the system
  if (__builtin_expect(size < large, 1))
    return __real__Znwm(size);
  auto *block = static_cast<volatile char *>(__real__Znwm(size));
  for (size_t at = 0; at < size && size < 32 * large; at += page)
    block[at] = 0;
  return const_cast<char *>(block);
}
