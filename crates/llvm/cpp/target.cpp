// Target machines, pass pipelines and emission to memory. No option of LLVM's command line is
// touched.
#include "shim.h"
#include "llvm-c/Core.h"
#include "llvm-c/Target.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/Utils/SplitModule.h"
#include <memory>
#include <mutex>

using namespace llvm;

namespace {
std::once_flag x86_once, riscv_once;
void init_x86() {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
}
void init_riscv() {
  LLVMInitializeRISCVTargetInfo();
  LLVMInitializeRISCVTarget();
  LLVMInitializeRISCVTargetMC();
  LLVMInitializeRISCVAsmPrinter();
}
// Asking the CPU is slow in a virtual machine: once.
const StringMap<bool> &hostFeatures() {
  static const StringMap<bool> features = sys::getHostCPUFeatures();
  return features;
}
StringRef hostCpu() {
  static const StringRef name = sys::getHostCPUName();
  return name;
}
void send(MuxclSink sink, void *ctx, StringRef s) { sink(ctx, s.data(), s.size()); }

// The only C functions the generated code may assume: the loader provides these.
TargetLibraryInfoImpl library(const Triple &triple) {
  TargetLibraryInfoImpl info(triple);
  info.disableAllFunctions();
  info.setAvailable(LibFunc_memcpy);
  info.setAvailable(LibFunc_memset);
  info.setAvailable(LibFunc_memmove);
  return info;
}

struct WithoutLsr final : OptPassGate {
  bool shouldRunPass(StringRef name, StringRef) const override { return name != "Loop Strength Reduction"; }
  bool isEnabled() const override { return true; }
};
WithoutLsr without_lsr; // no state: shared by all contexts

// The passes that turn one module into a file, and the file.
struct Emission {
  SmallVector<char, 0> buffer;
  raw_svector_ostream stream{buffer};
  legacy::PassManager passes;
};

std::unique_ptr<Emission> emission(TargetMachine &machine, CodeGenFileType type) {
  auto made = std::make_unique<Emission>();
  TargetLibraryInfoImpl info = library(machine.getTargetTriple());
  made->passes.add(new TargetLibraryInfoWrapperPass(info));
  if (machine.addPassesToEmitFile(made->passes, made->stream, nullptr, type, true))
    return nullptr;
  return made;
}
} // namespace

extern "C" {

struct MuxclTargetOptions {
  const char *triple;
  const char *cpu;
  const char *features;
  uint32_t opt_level;   // 0..3
  uint32_t fast_fusion; // 1: fuse any multiply and add
  uint32_t pic;
  const char *abi;      // the target's name of it; empty: its default
  uint32_t medium;      // 1: code and data anywhere within 2 GiB of each other (RISC-V: medany)
};

void *MuxclTargetNew(const MuxclTargetOptions *o, MuxclSink sink, void *ctx) {
  Triple triple{StringRef(o->triple)};
  if (triple.isRISCV())
    std::call_once(riscv_once, init_riscv);
  else
    std::call_once(x86_once, init_x86);
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target) {
    send(sink, ctx, error);
    return nullptr;
  }
  TargetOptions options;
  options.AllowFPOpFusion = o->fast_fusion ? FPOpFusion::Fast : FPOpFusion::Standard;
  options.FunctionSections = false;
  options.TrapUnreachable = false;
  options.ExceptionModel = ExceptionHandling::None;
  options.MCOptions.ABIName = o->abi;
  auto level = static_cast<CodeGenOptLevel>(o->opt_level > 3 ? 3 : o->opt_level);
  TargetMachine *tm = target->createTargetMachine(triple, o->cpu, o->features, options,
                                                  o->pic ? Reloc::PIC_ : Reloc::Static,
                                                  o->medium ? CodeModel::Medium : CodeModel::Small, level);
  if (!tm)
    send(sink, ctx, "the target has no machine for this triple");
  return tm;
}
void MuxclTargetDelete(void *tm) { delete static_cast<TargetMachine *>(tm); }
void MuxclTargetLayout(void *tm, MuxclSink sink, void *ctx) {
  send(sink, ctx, static_cast<TargetMachine *>(tm)->createDataLayout().getStringRepresentation());
}
void MuxclHostCpu(MuxclSink sink, void *ctx) { send(sink, ctx, hostCpu()); }
void MuxclHostTriple(MuxclSink sink, void *ctx) { send(sink, ctx, sys::getProcessTriple()); }
// Each feature as "+name" or "-name", comma separated, sorted.
void MuxclHostFeatures(MuxclSink sink, void *ctx) {
  SmallVector<std::string, 128> list;
  for (auto &f : hostFeatures())
    list.push_back((f.second ? "+" : "-") + f.first().str());
  llvm::sort(list);
  send(sink, ctx, join(list, ","));
}

// What this machine has and lacks beside what LLVM's model of its CPU says: "+name" or "-name",
// comma separated, sorted. Much shorter than all features; subtargets parse the list again and
// again.
void MuxclHostFeatureDelta(MuxclSink sink, void *ctx) {
  std::call_once(x86_once, init_x86);
  Triple triple{sys::getProcessTriple()};
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return;
  std::unique_ptr<MCSubtargetInfo> model(target->createMCSubtargetInfo(triple, hostCpu(), ""));
  if (!model)
    return;
  const auto &host = hostFeatures();
  SmallVector<std::string, 32> list;
  for (const SubtargetFeatureKV &f : model->getAllProcessorFeatures()) {
    auto found = host.find(f.Key);
    bool inModel = model->getFeatureBits().test(f.Value);
    if (found != host.end() && found->second != inModel)
      list.push_back((found->second ? "+" : "-") + found->first().str());
  }
  llvm::sort(list);
  send(sink, ctx, join(list, ","));
}

// `vectorize` bit 0: loop vectorizer, bit 1: SLP; `tm` may be null.
int MuxclRunPipeline(LLVMModuleRef m, const char *pipeline, void *tm, uint32_t vectorize, uint32_t verify_each,
                     MuxclSink sink, void *ctx) {
  Module &module = *unwrap(m);
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = vectorize & 1;
  tuning.LoopInterleaving = vectorize & 1;
  tuning.SLPVectorization = vectorize & 2;
  (void)verify_each;
  PassBuilder pb(static_cast<TargetMachine *>(tm), tuning);
  LoopAnalysisManager lam;
  FunctionAnalysisManager fam;
  CGSCCAnalysisManager cgam;
  ModuleAnalysisManager mam;
  TargetLibraryInfoImpl tli = library(module.getTargetTriple());
  fam.registerPass([&] { return TargetLibraryAnalysis(tli); });
  pb.registerModuleAnalyses(mam);
  pb.registerCGSCCAnalyses(cgam);
  pb.registerFunctionAnalyses(fam);
  pb.registerLoopAnalyses(lam);
  pb.crossRegisterProxies(lam, fam, cgam, mam);
  ModulePassManager mpm;
  if (Error e = pb.parsePassPipeline(mpm, pipeline)) {
    send(sink, ctx, toString(std::move(e)));
    return 0;
  }
  auto run = [&] { mpm.run(module, mam); };
  return muxclGuarded(run, sink, ctx);
}

// Makes the passes that write an object, for one module to come; null where the target has none. A
// machine deletes what it has first.
void *MuxclEmissionNew(void *tm, MuxclSink errors, void *ectx) {
  Emission *made = nullptr;
  auto run = [&] { made = emission(*static_cast<TargetMachine *>(tm), CodeGenFileType::ObjectFile).release(); };
  return muxclGuarded(run, errors, ectx) ? made : nullptr;
}
void MuxclEmissionDelete(void *emission) { delete static_cast<Emission *>(emission); }

// `no_lsr` leaves loop strength reduction out: it takes most of the time of code generation on deep
// loop nests, and x86's addressing modes need it little. `prepared` is null or what
// `MuxclEmissionNew` made for this machine, which it takes.
int MuxclEmit(LLVMModuleRef m, void *tm, void *prepared, int assembly, int no_lsr, MuxclSink sink, void *ctx,
              MuxclSink errors, void *ectx) {
  Module &module = *unwrap(m);
  SmallVector<char, 0> buffer;
  bool written = false;
  auto run = [&] {
    std::unique_ptr<Emission> emitted(static_cast<Emission *>(prepared));
    if (!emitted)
      emitted = emission(*static_cast<TargetMachine *>(tm),
                         assembly ? CodeGenFileType::AssemblyFile : CodeGenFileType::ObjectFile);
    if (!emitted) {
      send(errors, ectx, "the target cannot write this kind of file");
      return;
    }
    if (no_lsr)
      module.getContext().setOptPassGate(without_lsr);
    emitted->passes.run(module);
    module.getContext().setOptPassGate(getGlobalPassGate());
    buffer = std::move(emitted->buffer);
    written = true;
  };
  if (!muxclGuarded(run, errors, ectx) || !written)
    return 0;
  sink(ctx, buffer.data(), buffer.size());
  return 1;
}

} // extern "C"
