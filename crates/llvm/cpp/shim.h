// C interface to functions that neither LLVM's C API nor inkwell offers. No function throws. Texts
// are passed as pointer and length. Every pointer is borrowed for the call unless its comment says
// otherwise. The Rust side is `src/ffi.rs`, which declares each function with its types.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <cstddef>
#include <cstdint>

extern "C" {
// A text that the caller owns.
struct MuxclText {
  const char *data;
  size_t len;
  llvm::StringRef ref() const { return llvm::StringRef(data, len); }
};

// A sink for output: the callback appends to a vector of the caller.
struct MuxclSink {
  void (*write)(void *ctx, const char *data, size_t len);
  void *ctx;
  void operator()(llvm::StringRef text) const { write(ctx, text.data(), text.size()); }
};

typedef void (*MuxclDiagnostic)(void *ctx, int severity, const char *data, size_t len);

// Abandons the calling thread (fatal.cpp). Returns if that is impossible.
void MuxclAbandon(const char *reason, size_t len);
}
