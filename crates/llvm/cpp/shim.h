// The C face of what LLVM's own C API lacks. C signatures only; nothing throws; errors are text given to a sink.
// Every pointer is borrowed for the call unless the comment says otherwise.
#pragma once
#include <cstddef>
#include <cstdint>

extern "C" {
typedef void (*MuxclSink)(void *ctx, const char *data, size_t len);
typedef void (*MuxclDiagnostic)(void *ctx, int severity, const char *data, size_t len);
}
