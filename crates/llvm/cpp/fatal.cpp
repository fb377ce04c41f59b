// Fatal errors of LLVM: what its code generators cannot express otherwise ("fatal error: ..."), and
// memory that ran out. LLVM's own answer ends the process, which is the application's. Here the
// handler calls back into Rust, which parks the calling thread for ever and fails the request it
// works on (`src/fatal.rs`). No frame is unwound: destructors do not run, and everything the thread
// holds stays as it is, unreachable for others. On a thread whose work cannot be abandoned the
// handler returns and LLVM ends the process, as it would without us.
//
// LLVM's global locks are not held while a fatal error is reported: it guards registries of passes,
// targets and options with them, for single lookups.
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

// `operator new` found no memory. In the shipped library this is the handler of the C++ runtime
// linked into it, not the application's.
void onNewFailed() {
  abandon("out of memory", 13);
  std::set_new_handler(nullptr); // a thread of others: `operator new` throws there
}

} // namespace

extern "C" {

// `fn` returns only where the calling thread cannot be given up. Later calls change nothing.
void MuxclInstallFatalHandlers(void (*fn)(const char *reason, size_t len)) {
  std::call_once(installed, [fn] {
    abandon = fn;
    llvm::remove_fatal_error_handler();
    llvm::install_fatal_error_handler(onFatal);
    llvm::install_bad_alloc_error_handler(onNoMemory);
    std::set_new_handler(onNewFailed);
  });
}

// Ends the work of this thread; returns where it cannot be given up.
void MuxclAbandon(const char *reason, size_t len) {
  if (abandon)
    abandon(reason, len);
}

} // extern "C"
