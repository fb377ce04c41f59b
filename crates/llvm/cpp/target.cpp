// Target machines, pass pipelines and emission to memory. No option of LLVM's command line is
// touched.
#include "shim.h"
#include "llvm-c/Core.h"
#include "llvm-c/Target.h"
#include "llvm-c/TargetMachine.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/MC/MCInstrInfo.h"
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
// Queried once, because a query of the CPU is slow in a virtual machine.
const StringMap<bool> &hostFeatures() {
  static const StringMap<bool> features = sys::getHostCPUFeatures();
  return features;
}
StringRef hostCpu() {
  static const StringRef name = sys::getHostCPUName();
  return name;
}

// The C functions that generated code may use: the loader provides exactly these.
TargetLibraryInfoImpl library(const Triple &triple) {
  TargetLibraryInfoImpl info(triple);
  info.disableAllFunctions();
  info.setAvailable(LibFunc_memcpy);
  info.setAvailable(LibFunc_memset);
  info.setAvailable(LibFunc_memmove);
  return info;
}

struct WithoutLsr final : OptPassGate {
  bool shouldRunPass(StringRef name, StringRef) const override {
    return name != "Loop Strength Reduction";
  }
  bool isEnabled() const override { return true; }
};
WithoutLsr without_lsr; // no state: shared by all contexts

} // namespace

// The passes that turn one module into a file, and that file.
struct Emission {
  SmallVector<char, 0> buffer;
  raw_svector_ostream stream{buffer};
  legacy::PassManager passes;
};

namespace {

TargetMachine *machine(LLVMTargetMachineRef tm) { return reinterpret_cast<TargetMachine *>(tm); }

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
  MuxclText triple;
  MuxclText cpu;
  MuxclText features;
  MuxclText abi;        // the target's name of it; empty: its default
  uint32_t opt_level;   // 0..3
  uint32_t fast_fusion; // 1: fuse any multiply and add
  uint32_t pic;
  uint32_t medium;      // 1: code and data anywhere within 2 GiB of each other (RISC-V: medany)
};

// The C API can neither control the fusion of multiplications and additions nor initialise a back
// end without its assembler and disassembler. On error, returns null and sends the reason to
// `sink`.
LLVMTargetMachineRef MuxclTargetNew(const MuxclTargetOptions *o, MuxclSink sink) {
  Triple triple{o->triple.ref()};
  if (triple.isRISCV())
    std::call_once(riscv_once, init_riscv);
  else
    std::call_once(x86_once, init_x86);
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target) {
    sink(error);
    return nullptr;
  }
  TargetOptions options;
  options.AllowFPOpFusion = o->fast_fusion ? FPOpFusion::Fast : FPOpFusion::Standard;
  options.FunctionSections = false;
  options.TrapUnreachable = false;
  options.ExceptionModel = ExceptionHandling::None;
  options.MCOptions.ABIName = o->abi.ref().str();
  auto level = static_cast<CodeGenOptLevel>(o->opt_level > 3 ? 3 : o->opt_level);
  TargetMachine *tm = target->createTargetMachine(
      triple, o->cpu.ref(), o->features.ref(), options, o->pic ? Reloc::PIC_ : Reloc::Static,
      o->medium ? CodeModel::Medium : CodeModel::Small, level);
  if (!tm)
    sink("the target has no machine for this triple");
  return reinterpret_cast<LLVMTargetMachineRef>(tm);
}
void MuxclHostCpu(MuxclSink sink) { sink(hostCpu()); }
void MuxclHostTriple(MuxclSink sink) { sink(sys::getProcessTriple()); }
// Each feature as "+name" or "-name", comma separated, sorted.
void MuxclHostFeatures(MuxclSink sink) {
  SmallVector<std::string, 128> list;
  for (auto &f : hostFeatures())
    list.push_back((f.second ? "+" : "-") + f.first().str());
  llvm::sort(list);
  sink(join(list, ","));
}

// The differences between this machine's features and LLVM's model of its CPU: "+name" or "-name",
// comma separated, sorted. This list is much shorter than all features, and subtargets parse it
// many times.
void MuxclHostFeatureDelta(MuxclSink sink) {
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
  sink(join(list, ","));
}

// The features of the CPU `cpu` of the triple's architecture: "+name", comma separated, sorted.
// Sends nothing if LLVM knows no such CPU.
void MuxclCpuFeatures(MuxclText triple_name, MuxclText cpu, MuxclSink sink) {
  std::call_once(x86_once, init_x86);
  Triple triple{triple_name.ref()};
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return;
  std::unique_ptr<MCSubtargetInfo> any(target->createMCSubtargetInfo(triple, "", ""));
  if (!any || !any->isCPUStringValid(cpu.ref()))
    return;
  std::unique_ptr<MCSubtargetInfo> model(target->createMCSubtargetInfo(triple, cpu.ref(), ""));
  SmallVector<std::string, 64> list;
  for (const SubtargetFeatureKV &f : model->getAllProcessorFeatures())
    if (model->getFeatureBits().test(f.Value))
      list.push_back(std::string("+") + f.Key);
  llvm::sort(list);
  sink(join(list, ","));
}

struct MuxclTiming {
  uint32_t latency;    // cycles; 0: not known
  uint32_t operations; // micro-operations; 0: not known
};

// Looks up instructions by LLVM's names in the scheduling model of an x86 processor. `timings` has
// an entry for each name.
void MuxclTimings(const MuxclTargetOptions *o, const MuxclText *names, MuxclTiming *timings,
                  size_t count) {
  std::call_once(x86_once, init_x86);
  std::fill_n(timings, count, MuxclTiming{});
  Triple triple{o->triple.ref()};
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target || !triple.isX86())
    return;
  std::unique_ptr<MCSubtargetInfo> processor(
      target->createMCSubtargetInfo(triple, o->cpu.ref(), o->features.ref()));
  std::unique_ptr<MCInstrInfo> instructions(target->createMCInstrInfo());
  if (!processor || !instructions || !processor->getSchedModel().hasInstrSchedModel())
    return;
  const MCSchedModel &model = processor->getSchedModel();
  // TableGen sorts instructions by name, pseudo instructions first. A scan of all names would take
  // half a millisecond. If the order changes, instructions count as not known.
  auto opcodes = seq(0u, instructions->getNumOpcodes());
  auto real = partition_point(opcodes, [&](unsigned o) { return instructions->get(o).isPseudo(); });
  for (size_t i = 0; i < count; ++i) {
    auto found = std::partition_point(real, opcodes.end(), [&](unsigned o) {
      return instructions->getName(o) < names[i].ref();
    });
    if (found == opcodes.end() || instructions->getName(*found) != names[i].ref())
      continue;
    const MCSchedClassDesc *desc =
        model.getSchedClassDesc(instructions->get(*found).getSchedClass());
    if (!desc->isValid() || desc->isVariant())
      continue;
    int latency = MCSchedModel::computeInstrLatency(*processor, *desc);
    timings[i] = {static_cast<uint32_t>(std::max(latency, 0)), desc->NumMicroOps};
  }
}

namespace {
// A pass builder with all analyses.
struct Passes {
  PassBuilder pb;
  LoopAnalysisManager lam;
  FunctionAnalysisManager fam;
  CGSCCAnalysisManager cgam;
  ModuleAnalysisManager mam;
  Passes(const Module &module, TargetMachine *tm, const PipelineTuningOptions &tuning)
      : pb(tm, tuning) {
    TargetLibraryInfoImpl tli = library(module.getTargetTriple());
    fam.registerPass([&] { return TargetLibraryAnalysis(tli); });
    pb.registerModuleAnalyses(mam);
    pb.registerCGSCCAnalyses(cgam);
    pb.registerFunctionAnalyses(fam);
    pb.registerLoopAnalyses(lam);
    pb.crossRegisterProxies(lam, fam, cgam, mam);
  }
};
} // namespace

// Unlike `LLVMRunPasses`, controls which C functions the passes may introduce. `vectorize` bit 0:
// loop vectorizer, bit 1: SLP; `tm` may be null. If `pipeline` is malformed, returns 0 and sends
// the reason to `sink`.
int MuxclRunPipeline(LLVMModuleRef m, MuxclText pipeline, LLVMTargetMachineRef tm,
                     uint32_t vectorize, MuxclSink sink) {
  Module &module = *unwrap(m);
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = vectorize & 1;
  tuning.LoopInterleaving = vectorize & 1;
  tuning.SLPVectorization = vectorize & 2;
  Passes passes(module, machine(tm), tuning);
  ModulePassManager mpm;
  if (Error e = passes.pb.parsePassPipeline(mpm, pipeline.ref())) {
    sink(toString(std::move(e)));
    return 0;
  }
  mpm.run(module, passes.mam);
  return 1;
}

// The same for function passes on one function.
int MuxclRunOnFunction(LLVMValueRef f, MuxclText pipeline, LLVMTargetMachineRef tm,
                       MuxclSink sink) {
  Function &function = *unwrap<Function>(f);
  Passes passes(*function.getParent(), machine(tm), PipelineTuningOptions());
  FunctionPassManager fpm;
  if (Error e = passes.pb.parsePassPipeline(fpm, pipeline.ref())) {
    sink(toString(std::move(e)));
    return 0;
  }
  fpm.run(function, passes.fam);
  return 1;
}

// Creates the passes that write an object, for one future module; null if the target has none.
// Delete them before their machine.
Emission *MuxclEmissionNew(LLVMTargetMachineRef tm) {
  return emission(*machine(tm), CodeGenFileType::ObjectFile).release();
}
void MuxclEmissionDelete(Emission *emission) { delete emission; }

// `no_lsr` omits loop strength reduction, which takes most of the time of code generation on deep
// loop nests and gains little with x86's addressing modes. `prepared` is null or a result of
// `MuxclEmissionNew` for this machine; this function takes ownership. Returns 0 if the target
// cannot write this kind of file.
int MuxclEmit(LLVMModuleRef m, LLVMTargetMachineRef tm, Emission *prepared, int assembly,
              int no_lsr, MuxclSink sink) {
  Module &module = *unwrap(m);
  std::unique_ptr<Emission> emitted(prepared);
  if (!emitted)
    emitted = emission(*machine(tm), assembly ? CodeGenFileType::AssemblyFile
                                              : CodeGenFileType::ObjectFile);
  if (!emitted)
    return 0;
  if (no_lsr)
    module.getContext().setOptPassGate(without_lsr);
  emitted->passes.run(module);
  module.getContext().setOptPassGate(getGlobalPassGate());
  sink(StringRef(emitted->buffer.data(), emitted->buffer.size()));
  return 1;
}

} // extern "C"
