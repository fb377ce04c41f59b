// Debian's LLVM lists Polly as an extension of link-time optimisation. lld's archives refer to it,
// but no code here runs it. Polly is not linked; this extension without callbacks replaces it. Only
// in static builds.
#include "llvm/Plugins/PassPlugin.h"

__attribute__((visibility("hidden"))) llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "none", "0", nullptr};
}
