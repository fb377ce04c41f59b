// LLVM answers what it cannot do ("fatal error"), and having no memory, by ending the process,
// which is not ours to end. Here that ends the guarded call instead: the handler jumps out of LLVM.
// What LLVM held is leaked, the context it worked on is lost, and this thread is marked so that
// nobody frees the pieces. Invariant: no frame of Rust lies between `MuxclGuarded` and the handler.
#include "shim.h"
#include "llvm/Support/ErrorHandling.h"
#include <csetjmp>
#include <cstring>
#include <mutex>
#include <new>

namespace {

struct Frame {
  std::jmp_buf jump;
  char why[512];
};

thread_local Frame *current = nullptr;
thread_local bool poisoned = false;
std::once_flag installed;

void leave(const char *reason) {
  Frame *frame = current;
  if (!frame)
    return;
  std::strncpy(frame->why, reason ? reason : "unknown", sizeof frame->why - 1);
  frame->why[sizeof frame->why - 1] = 0;
  poisoned = true;
  std::longjmp(frame->jump, 1);
}

// These return outside of a guarded call only: LLVM then goes on to end the process, as it would
// without us.
void onFatal(void *, const char *reason, bool) { leave(reason); }
void onNoMemory(void *, const char *, bool) { leave("out of memory"); }

// `operator new` found no memory. LLVM is built to end the process there. In the shipped library
// this is the handler of the C++ runtime linked into it, not the application's.
void onNewFailed() {
  leave("out of memory");
  std::set_new_handler(nullptr); // not ours: let `operator new` throw
}

} // namespace

extern "C" {

// Runs `fn(arg)`. Returns 0, with the reason given to `sink`, if LLVM met a fatal error in it.
int MuxclGuarded(void (*fn)(void *arg), void *arg, MuxclSink sink, void *ctx) {
  std::call_once(installed, [] {
    llvm::remove_fatal_error_handler();
    llvm::install_fatal_error_handler(onFatal);
    llvm::install_bad_alloc_error_handler(onNoMemory);
    std::set_new_handler(onNewFailed);
  });
  Frame *volatile outer = current;
  Frame frame;
  frame.why[0] = 0;
  current = &frame;
  if (setjmp(frame.jump) != 0) {
    current = outer;
    sink(ctx, frame.why, std::strlen(frame.why));
    return 0;
  }
  fn(arg);
  current = outer;
  return 1;
}

// Ends the guarded call of this thread; what it held is leaked. Without one, nothing happens.
void MuxclGuardLeave(const char *why) {
  Frame *frame = current;
  if (!frame)
    return;
  std::strncpy(frame->why, why, sizeof frame->why - 1);
  frame->why[sizeof frame->why - 1] = 0;
  std::longjmp(frame->jump, 1);
}

// A guarded call of this thread failed: contexts, modules and machines it used must be leaked.
int MuxclPoisoned() { return poisoned; }

} // extern "C"
