// Context, modules, bitcode, linking, printing, verification: the parts LLVM-C lacks or ends the
// process for.
#include "shim.h"
#include "llvm-c/Core.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {

class SinkStream final : public raw_ostream {
  MuxclSink sink;
  void *ctx;
  uint64_t pos = 0;
  void write_impl(const char *p, size_t n) override {
    sink(ctx, p, n);
    pos += n;
  }
  uint64_t current_pos() const override { return pos; }

public:
  SinkStream(MuxclSink s, void *c) : sink(s), ctx(c) {}
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

void report(Error error, MuxclSink sink, void *ctx) {
  std::string text = toString(std::move(error));
  sink(ctx, text.data(), text.size());
}

} // namespace

extern "C" {

void MuxclContextSetHandler(LLVMContextRef c, MuxclDiagnostic fn, void *ctx) {
  unwrap(c)->setDiagnosticHandler(std::make_unique<Handler>(fn, ctx));
}

// The bytes must outlive the module when `lazy`. Returns null and explains to `sink` on error.
LLVMModuleRef MuxclParseBitcode(LLVMContextRef c, const char *data, size_t len, int lazy, MuxclSink sink, void *ctx) {
  StringRef bytes(data, len);
  Expected<std::unique_ptr<Module>> module =
      lazy ? getOwningLazyBitcodeModule(MemoryBuffer::getMemBuffer(bytes, "bitcode", false), *unwrap(c), true)
           : parseBitcodeFile(MemoryBufferRef(bytes, "bitcode"), *unwrap(c));
  if (!module) {
    report(module.takeError(), sink, ctx);
    return nullptr;
  }
  return wrap(module->release());
}

LLVMModuleRef MuxclParseText(LLVMContextRef c, const char *data, size_t len, MuxclSink sink, void *ctx) {
  SMDiagnostic diag;
  auto buffer = MemoryBuffer::getMemBufferCopy(StringRef(data, len), "text");
  // The reader finds values by their names, so it refuses a context without.
  bool discard = unwrap(c)->shouldDiscardValueNames();
  unwrap(c)->setDiscardValueNames(false);
  auto module = parseIR(buffer->getMemBufferRef(), diag, *unwrap(c));
  unwrap(c)->setDiscardValueNames(discard);
  if (!module) {
    SinkStream os(sink, ctx);
    diag.print("", os, false);
    return nullptr;
  }
  return wrap(module.release());
}

int MuxclMaterialize(LLVMValueRef v, MuxclSink sink, void *ctx) {
  if (Error e = cast<GlobalValue>(unwrap(v))->materialize()) {
    report(std::move(e), sink, ctx);
    return 0;
  }
  return 1;
}

int MuxclMaterializeAll(LLVMModuleRef m, MuxclSink sink, void *ctx) {
  if (Error e = unwrap(m)->materializeAll()) {
    report(std::move(e), sink, ctx);
    return 0;
  }
  return 1;
}

int MuxclMaterializeMetadata(LLVMModuleRef m, MuxclSink sink, void *ctx) {
  if (Error e = unwrap(m)->materializeMetadata()) {
    report(std::move(e), sink, ctx);
    return 0;
  }
  return 1;
}

void MuxclWriteBitcode(LLVMModuleRef m, MuxclSink sink, void *ctx) {
  SmallVector<char, 0> buffer;
  BitcodeWriter writer(buffer);
  writer.writeModule(*unwrap(m));
  writer.writeSymtab();
  writer.writeStrtab();
  sink(ctx, buffer.data(), buffer.size());
}

void MuxclPrintModule(LLVMModuleRef m, MuxclSink sink, void *ctx) {
  SinkStream os(sink, ctx);
  unwrap(m)->print(os, nullptr);
}

void MuxclPrintValue(LLVMValueRef v, MuxclSink sink, void *ctx) {
  SinkStream os(sink, ctx);
  unwrap(v)->print(os);
}

void MuxclPrintType(LLVMTypeRef t, MuxclSink sink, void *ctx) {
  SinkStream os(sink, ctx);
  unwrap(t)->print(os);
}

// Consumes `src`. Returns 1 on success; the reason of a failure goes to the context's handler.
int MuxclLinkModules(LLVMModuleRef dest, LLVMModuleRef src, int only_needed) {
  std::unique_ptr<Module> source(unwrap(src));
  return !Linker::linkModules(*unwrap(dest), std::move(source),
                              only_needed ? Linker::Flags::LinkOnlyNeeded : Linker::Flags::None);
}

int MuxclVerifyModule(LLVMModuleRef m, MuxclSink sink, void *ctx) {
  SinkStream os(sink, ctx);
  return !verifyModule(*unwrap(m), &os);
}

int MuxclVerifyFunction(LLVMValueRef f, MuxclSink sink, void *ctx) {
  SinkStream os(sink, ctx);
  return !verifyFunction(*cast<Function>(unwrap(f)), &os);
}

// The bytes of the constant string a pointer is to, up to its NUL; through constant offsets and
// casts.
int MuxclConstantString(LLVMValueRef v, MuxclSink sink, void *ctx) {
  StringRef text;
  if (!getConstantStringInfo(unwrap(v), text))
    return 0;
  sink(ctx, text.data(), text.size());
  return 1;
}

int MuxclStripDebugInfo(LLVMModuleRef m) { return StripDebugInfo(*unwrap(m)); }

} // extern "C"
