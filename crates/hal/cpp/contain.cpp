// Calls a function and catches its C++ exceptions. Rust cannot catch exceptions of other languages,
// but they may pass through "C-unwind" frames, and only such frames lie between this function and
// the HAL.
#include <cstddef>
#include <cstring>
#include <exception>

namespace {
void copy(char* text, size_t size, const char* from) noexcept {
  if (size == 0) return;
  strncpy(text, from, size - 1);
  text[size - 1] = 0;
}
}  // namespace

// True if call(data) returned. Otherwise it threw, and `text` receives the exception's text.
extern "C" bool muxcl_hal_contain(void (*call)(void*), void* data, char* text,
                                  size_t size) noexcept {
  try {
    call(data);
    return true;
  } catch (const std::exception& error) {
    copy(text, size, error.what());
  } catch (...) {
    copy(text, size, "an exception that is no std::exception");
  }
  return false;
}
