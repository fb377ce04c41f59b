// The C face of what neither LLVM's C API nor inkwell offers. Nothing throws. Texts go in and out
// as pointer and length. Every pointer is borrowed for the call unless the comment says otherwise.
// The Rust side is `src/ffi.rs`, which declares each function with the types it takes.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <cstddef>
#include <cstdint>

extern "C" {
// Text of the caller.
struct MuxclText {
  const char *data;
  size_t len;
  llvm::StringRef ref() const { return llvm::StringRef(data, len); }
};

// Collects what a function writes; it appends to a vector of the caller.
struct MuxclSink {
  void (*write)(void *ctx, const char *data, size_t len);
  void *ctx;
  void operator()(llvm::StringRef text) const { write(ctx, text.data(), text.size()); }
};

typedef void (*MuxclDiagnostic)(void *ctx, int severity, const char *data, size_t len);

// Ends the work of the calling thread (fatal.cpp). Returns where the thread cannot be given up.
void MuxclAbandon(const char *reason, size_t len);
}
