// The C face of what LLVM's own C API lacks. C signatures only; nothing throws; errors are text
// given to a sink. Every pointer is borrowed for the call unless the comment says otherwise.
#pragma once
#include <cstddef>
#include <cstdint>

extern "C" {
typedef void (*MuxclSink)(void *ctx, const char *data, size_t len);
// Runs `fn(arg)`; 0, with the reason given to `sink`, if LLVM met a fatal error in it (guard.cpp).
int MuxclGuarded(void (*fn)(void *arg), void *arg, MuxclSink sink, void *ctx);
typedef void (*MuxclDiagnostic)(void *ctx, int severity, const char *data, size_t len);
}

// The same for a lambda.
template <typename F> int muxclGuarded(F &body, MuxclSink sink, void *ctx) {
  return MuxclGuarded([](void *p) { (*static_cast<F *>(p))(); }, &body, sink, ctx);
}
