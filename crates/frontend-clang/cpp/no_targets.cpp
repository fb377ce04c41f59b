// clang compiles for SPIR here, for any device. Programs for SPIR cannot name the builtin functions
// of processors (`__builtin_arm_...`), whose code generators have 400 KB of tables that the loader
// would relocate. The linker replaces their entry points by the functions below (`--wrap`,
// crates/compiler-lib/build.rs). A builtin function without code is an error of the program that
// calls it. Only in static builds (docs/adr/0006-cold-builds.md).
#include "clang/Sema/RISCVIntrinsicManager.h"
#include <memory>

namespace clang {
class Sema;
}

#define MUXCL_HIDDEN extern "C" __attribute__((visibility("hidden")))
#define MUXCL_NO_BUILTINS(name, arguments) \
  MUXCL_HIDDEN void * \
  __wrap__ZN5clang7CodeGen15CodeGenFunction##name##ExprEjPKNS_8CallExprE##arguments() { \
    return nullptr; \
  }

MUXCL_NO_BUILTINS(18EmitARMBuiltin, NS0_15ReturnValueSlotEN4llvm6Triple8ArchTypeE)
MUXCL_NO_BUILTINS(18EmitBPFBuiltin, )
MUXCL_NO_BUILTINS(18EmitPPCBuiltin, )
MUXCL_NO_BUILTINS(18EmitX86Builtin, )
MUXCL_NO_BUILTINS(19EmitHLSLBuiltin, NS0_15ReturnValueSlotE)
MUXCL_NO_BUILTINS(20EmitNVPTXBuiltin, )
MUXCL_NO_BUILTINS(20EmitRISCVBuiltin, NS0_15ReturnValueSlotE)
MUXCL_NO_BUILTINS(21EmitAMDGPUBuiltin, )
MUXCL_NO_BUILTINS(22EmitAArch64Builtin, N4llvm6Triple8ArchTypeE)
MUXCL_NO_BUILTINS(22EmitDirectXBuiltin, )
MUXCL_NO_BUILTINS(22EmitHexagonBuiltin, )
MUXCL_NO_BUILTINS(22EmitSystemZBuiltin, )
MUXCL_NO_BUILTINS(26EmitWebAssemblyBuiltin, )

MUXCL_HIDDEN std::unique_ptr<clang::sema::RISCVIntrinsicManager>
__wrap__ZN5clang27CreateRISCVIntrinsicManagerERNS_4SemaE(clang::Sema &) {
  return nullptr;
}
