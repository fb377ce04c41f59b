// Calls a function so that no C++ exception leaves the call. Rust cannot catch exceptions of other
// languages; they may pass through its "C-unwind" frames, which are all that lies between here and
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

// True when call(data) returned. Otherwise it threw, and `text` says what.
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
