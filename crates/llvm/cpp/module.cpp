// Diagnostics, bitcode, text, linking: functions that the C API lacks, or that return an error here
// where the C API reports to the context's handler.
#include "shim.h"
#include "llvm-c/Core.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {

class SinkStream final : public raw_ostream {
  MuxclSink sink;
  uint64_t pos = 0;
  void write_impl(const char *p, size_t n) override {
    sink(StringRef(p, n));
    pos += n;
  }
  uint64_t current_pos() const override { return pos; }

public:
  explicit SinkStream(MuxclSink s) : sink(s) {}
  ~SinkStream() override { flush(); }
};

struct Handler final : public DiagnosticHandler {
  MuxclDiagnostic fn;
  void *ctx;
  Handler(MuxclDiagnostic f, void *c) : fn(f), ctx(c) {}
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    std::string text;
    raw_string_ostream os(text);
    DiagnosticPrinterRawOStream printer(os);
    info.print(printer);
    fn(ctx, static_cast<int>(info.getSeverity()), text.data(), text.size());
    return true; // handled: LLVM must neither print nor exit
  }
};

void report(Error error, MuxclSink sink) { sink(toString(std::move(error))); }

} // namespace

extern "C" {

void MuxclContextSetHandler(LLVMContextRef c, MuxclDiagnostic fn, void *ctx) {
  unwrap(c)->setDiagnosticHandler(std::make_unique<Handler>(fn, ctx));
}

// If `lazy`, the bytes must outlive the module. On error, returns null and sends the reason to
// `sink`.
LLVMModuleRef MuxclParseBitcode(LLVMContextRef c, MuxclText bitcode, int lazy, MuxclSink sink) {
  StringRef bytes = bitcode.ref();
  Expected<std::unique_ptr<Module>> module =
      lazy ? getOwningLazyBitcodeModule(MemoryBuffer::getMemBuffer(bytes, "bitcode", false),
                                        *unwrap(c), true)
           : parseBitcodeFile(MemoryBufferRef(bytes, "bitcode"), *unwrap(c));
  if (!module) {
    report(module.takeError(), sink);
    return nullptr;
  }
  return wrap(module->release());
}

LLVMModuleRef MuxclParseText(LLVMContextRef c, MuxclText text, MuxclSink sink) {
  SMDiagnostic diag;
  auto buffer = MemoryBuffer::getMemBufferCopy(text.ref(), "text");
  // The reader looks up values by name, so it needs a context that keeps names.
  bool discard = unwrap(c)->shouldDiscardValueNames();
  unwrap(c)->setDiscardValueNames(false);
  auto module = parseIR(buffer->getMemBufferRef(), diag, *unwrap(c));
  unwrap(c)->setDiscardValueNames(discard);
  if (!module) {
    SinkStream os(sink);
    diag.print("", os, false);
    return nullptr;
  }
  return wrap(module.release());
}

int MuxclMaterialize(LLVMValueRef v, MuxclSink sink) {
  if (Error e = cast<GlobalValue>(unwrap(v))->materialize()) {
    report(std::move(e), sink);
    return 0;
  }
  return 1;
}

// Consumes `src`. Returns 1 on success; on failure, the context's handler gets the reason.
int MuxclLinkModules(LLVMModuleRef dest, LLVMModuleRef src, int only_needed) {
  std::unique_ptr<Module> source(unwrap(src));
  return !Linker::linkModules(*unwrap(dest), std::move(source),
                              only_needed ? Linker::Flags::LinkOnlyNeeded : Linker::Flags::None);
}

// The bytes of the constant string that a pointer refers to, up to its NUL. Looks through constant
// offsets and casts.
int MuxclConstantString(LLVMValueRef v, MuxclSink sink) {
  StringRef text;
  if (!getConstantStringInfo(unwrap(v), text))
    return 0;
  sink(text);
  return 1;
}

} // extern "C"
