// Debian's LLVM lists Polly as an extension of link-time optimisation, which lld's archives refer
// to and nothing here runs. Polly is not linked; an extension without callbacks stands in its
// place. Only in static builds.
#include "llvm/Plugins/PassPlugin.h"

__attribute__((visibility("hidden"))) llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "none", "0", nullptr};
}
