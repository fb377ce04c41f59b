// Calls a function and catches its C++ exceptions. Rust cannot catch exceptions of other languages,
// but they may pass through "C-unwind" frames, and only such frames lie between this function and
// the HAL.
#include <cxxabi.h>

#include <cstddef>
#include <cstring>
#include <exception>

namespace {
// A thread's exceptions, as the Itanium C++ ABI lays them out (2.2.2).
struct Globals {
  void* caught;
  unsigned int uncaught;
};

// If the HAL has another copy of the C++ run-time library, its `throw` counted the exception there,
// and the `catch` below counted it here. Corrects both counts.
void settle(void* (*globals)()) noexcept {
  auto ours = reinterpret_cast<Globals*>(abi::__cxa_get_globals());
  auto theirs = globals ? static_cast<Globals*>(globals()) : nullptr;
  if (theirs == ours) return;
  ours->uncaught++;
  if (theirs && theirs->uncaught) theirs->uncaught--;
}

void copy(char* text, size_t size, const char* from) noexcept {
  if (size == 0) return;
  strncpy(text, from, size - 1);
  text[size - 1] = 0;
}
}  // namespace

// True if call(data) returned. Otherwise it threw, and `text` receives the exception's text.
// `globals` is `__cxa_get_globals` of the HAL's C++ run-time library, or null if it has none.
extern "C" bool muxcl_hal_contain(void (*call)(void*), void* data, char* text,
                                  size_t size, void* (*globals)()) noexcept {
  try {
    call(data);
    return true;
  } catch (const std::exception& error) {
    copy(text, size, error.what());
  } catch (...) {
    copy(text, size, "an exception that is no std::exception");
  }
  settle(globals);
  return false;
}
