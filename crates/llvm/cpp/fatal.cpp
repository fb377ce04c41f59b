// Fatal errors of LLVM: failures of code generation without another way to report them ("fatal
// error: ..."), and exhausted memory. By default LLVM ends the process, which belongs to the
// application. Here the handler calls back into Rust, which parks the calling thread for ever and
// fails its request (`src/fatal.rs`). No frame is unwound: destructors do not run, and everything
// that the thread owns is leaked. On a thread that cannot be abandoned, the handler returns and
// LLVM ends the process as usual.
//
// The reporting thread holds none of LLVM's global locks: they guard single look-ups in the
// registries of passes, targets and options.
#include "shim.h"
#include "llvm/Support/ErrorHandling.h"
#include <cstring>
#include <mutex>
#include <new>

namespace {

void (*abandon)(const char *reason, size_t len) = nullptr;
std::once_flag installed;

void onFatal(void *, const char *reason, bool) {
  reason = reason ? reason : "unknown";
  abandon(reason, std::strlen(reason));
}
void onNoMemory(void *, const char *, bool) { abandon("out of memory", 13); }

// Called when `operator new` fails. In the shipped library, this is the handler of the C++ runtime
// linked into it, not the application's.
void onNewFailed() {
  abandon("out of memory", 13);
  std::set_new_handler(nullptr); // a thread of others: `operator new` throws there
}

} // namespace

extern "C" {

// `fn` returns only if the calling thread cannot be abandoned. Later calls change nothing.
void MuxclInstallFatalHandlers(void (*fn)(const char *reason, size_t len)) {
  std::call_once(installed, [fn] {
    abandon = fn;
    llvm::remove_fatal_error_handler();
    llvm::install_fatal_error_handler(onFatal);
    llvm::install_bad_alloc_error_handler(onNoMemory);
    std::set_new_handler(onNewFailed);
  });
}

// Abandons this thread; returns if that is impossible.
void MuxclAbandon(const char *reason, size_t len) {
  if (abandon)
    abandon(reason, len);
}

} // extern "C"
