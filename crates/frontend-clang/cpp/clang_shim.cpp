// Clang in process: one translation unit in, one LLVM module out. Invariant: no state outlives a
// call, so any number of threads may be inside at once, each with its own LLVMContext. Not here:
// which arguments clang gets (options are Rust's business), stack size (the caller's thread has a
// large stack).
#include "clang_shim.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/Stack.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendOptions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm-c/Core.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <set>
#include <string>

// Of the shim of muxcl-llvm (guard.cpp there).
extern "C" int MuxclGuarded(void (*fn)(void *arg), void *arg, void (*sink)(void *, const char *, size_t), void *ctx);

namespace {

llvm::StringRef toRef(muxcl_bytes b) { return llvm::StringRef(b.ptr ? b.ptr : "", b.len); }
muxcl_bytes toBytes(llvm::StringRef s) { return muxcl_bytes{s.data(), s.size()}; }

// Memory under one prefix, the real file system elsewhere, and a list of what was looked for there
// in vain.
class ProgramFileSystem final : public llvm::vfs::ProxyFileSystem {
public:
  ProgramFileSystem(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> real, llvm::StringRef prefix)
      : ProxyFileSystem(std::move(real)), prefix(prefix.str()), memory(new llvm::vfs::InMemoryFileSystem()) {}

  void add(llvm::StringRef path, llvm::StringRef data) {
    // An absolute name given by the application, and the directories above it, which clang asks for
    // first.
    for (llvm::StringRef part = path; !path.starts_with(prefix) && part.size() > 1; part = llvm::sys::path::parent_path(part))
      outside.insert(part.str());
    memory->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(data, path));
  }

  bool inMemory(llvm::StringRef path) const {
    return path.starts_with(prefix) || (!outside.empty() && outside.count(path.str()) != 0);
  }

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &twine) override {
    std::string path = twine.str();
    if (inMemory(path))
      return memory->status(path);
    auto result = ProxyFileSystem::status(path);
    if (!result)
      absent.insert(path);
    return result;
  }

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine &twine) override {
    std::string path = twine.str();
    if (inMemory(path))
      return memory->openFileForRead(path);
    auto result = ProxyFileSystem::openFileForRead(path);
    if (!result)
      absent.insert(path);
    return result;
  }

  bool exists(const llvm::Twine &twine) override { return bool(status(twine)); }

  std::error_code getRealPath(const llvm::Twine &twine, llvm::SmallVectorImpl<char> &out) override {
    std::string path = twine.str();
    if (inMemory(path)) {
      out.assign(path.begin(), path.end());
      return {};
    }
    return ProxyFileSystem::getRealPath(path, out);
  }

  const std::set<std::string> &absentPaths() const { return absent; }

private:
  std::string prefix;
  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> memory;
  std::set<std::string> outside;
  std::set<std::string> absent;
};

// clang's parser recurses on nested statements and operators without a bound of its own, and its
// code generator on the depth of an expression. Past these bounds the program gets an error, and
// the parser sees the end of the file.
constexpr size_t maxParserStack = size_t(64) << 20;
constexpr size_t maxOperators = 200000;

class DepthGuard {
public:
  explicit DepthGuard(clang::Preprocessor &preprocessor) : preprocessor(preprocessor) {
    bottom = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
    id = preprocessor.getDiagnostics().getCustomDiagID(clang::DiagnosticsEngine::Fatal, "%0");
  }

  void operator()(const clang::Token &token) {
    if (!stopped) {
      uintptr_t here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
      operators = countOperators(token.getKind());
      const char *why = nullptr;
      if (token.is(clang::tok::kw_asm))
        why = "inline assembly is not part of OpenCL C";
      else if (bottom > here && bottom - here > maxParserStack)
        why = "statements or operators are nested too deeply";
      else if (operators > maxOperators)
        why = "expression is too long";
      if (!why)
        return;
      stopped = true;
      preprocessor.getDiagnostics().Report(token.getLocation(), id) << why;
    }
    // The token is the one the parser is about to get.
    const_cast<clang::Token &>(token).setKind(clang::tok::eof);
  }

private:
  size_t countOperators(clang::tok::TokenKind kind) const {
    switch (kind) {
    case clang::tok::semi:
    case clang::tok::comma:
    case clang::tok::l_brace:
    case clang::tok::r_brace:
      return 0;
    default:
      return operators + (clang::tok::getPunctuatorSpelling(kind) != nullptr);
    }
  }

  clang::Preprocessor &preprocessor;
  uintptr_t bottom;
  unsigned id;
  size_t operators = 0;
  bool stopped = false;
};

// clang takes the 0 that a queue is compared with for a null pointer, which its code generator
// falls over: a queue is none.
class NullQueues final : public clang::ASTConsumer, clang::DynamicRecursiveASTVisitor {
public:
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl *declaration : group)
      TraverseDecl(declaration);
    return true;
  }

private:
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr *cast) override {
    if (cast->getCastKind() == clang::CK_NullToPointer && cast->getType()->isQueueT())
      cast->setCastKind(clang::CK_ZeroToOCLOpaqueType);
    return true;
  }
};

// Parses, checks, and generates IR; runs no LLVM pass.
class EmitModuleAction final : public clang::ASTFrontendAction {
public:
  explicit EmitModuleAction(llvm::LLVMContext &context) : context(context) {}
  std::unique_ptr<llvm::Module> takeModule() { return std::move(module); }

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &instance, llvm::StringRef file) override {
    clang::Preprocessor &preprocessor = instance.getPreprocessor();
    auto guard = std::make_shared<DepthGuard>(preprocessor);
    preprocessor.setTokenWatcher([guard](const clang::Token &token) { (*guard)(token); });
    auto generator = clang::CreateLLVMCodeGen(instance, file, context);
    current = generator.get();
    if (!instance.getLangOpts().Blocks) // no device-side enqueue, no queues
      return generator;
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(std::make_unique<NullQueues>());
    consumers.push_back(std::move(generator));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }

  void EndSourceFileAction() override {
    if (current && !getCompilerInstance().getDiagnostics().hasErrorOccurred())
      module = current->ReleaseModule();
    current = nullptr;
  }

private:
  llvm::LLVMContext &context;
  clang::CodeGenerator *current = nullptr;
  std::unique_ptr<llvm::Module> module;
};

// Writes the preprocessed text to a string.
class PreprocessAction final : public clang::PreprocessorFrontendAction {
public:
  std::string text;

protected:
  void ExecuteAction() override {
    llvm::raw_string_ostream stream(text);
    clang::CompilerInstance &instance = getCompilerInstance();
    clang::DoPrintPreprocessedInput(instance.getPreprocessor(), &stream, instance.getPreprocessorOutputOpts());
  }
};

void reportDependencies(clang::CompilerInstance &instance, const ProgramFileSystem &files,
                        const muxcl_compile_request &request) {
  if (!request.dependency)
    return;
  if (instance.hasSourceManager()) {
    clang::SourceManager &sources = instance.getSourceManager();
    for (auto it = sources.fileinfo_begin(), end = sources.fileinfo_end(); it != end; ++it) {
      clang::FileEntryRef file = it->first;
      if (files.inMemory(file.getName()))
        continue;
      auto buffer = sources.getMemoryBufferForFileOrNone(file);
      llvm::StringRef data = buffer ? buffer->getBuffer() : llvm::StringRef();
      request.dependency(request.user, toBytes(file.getName()), 1, toBytes(data));
    }
  }
  for (const std::string &path : files.absentPaths())
    request.dependency(request.user, toBytes(path), 0, toBytes(""));
}

struct Counts {
  uint32_t errors = 0;
  uint32_t warnings = 0;
};

// Runs `action` over the request's source. The log is delivered whatever happens.
Counts run(const muxcl_compile_request &request, clang::FrontendAction &action) {
  clang::noteBottomOfStack(/*ForceSet=*/true);
  Counts counts;
  std::string log;
  llvm::raw_string_ostream stream(log);
  llvm::IntrusiveRefCntPtr<ProgramFileSystem> files(
      new ProgramFileSystem(llvm::vfs::createPhysicalFileSystem(), request.memory_prefix));
  for (size_t i = 0; i < request.num_files; ++i)
    files->add(toRef(request.files[i].path), toRef(request.files[i].data));

  auto invocation = std::make_shared<clang::CompilerInvocation>();
  bool parsed;
  {
    clang::DiagnosticOptions options;
    auto engine = clang::CompilerInstance::createDiagnostics(
        *files, options, new clang::TextDiagnosticPrinter(stream, options), /*ShouldOwnClient=*/true);
    parsed = clang::CompilerInvocation::CreateFromArgs(
        *invocation, llvm::ArrayRef<const char *>(request.args, request.num_args), *engine, "muxcl");
    if (!parsed)
      counts.errors = 1;
  }
  if (parsed) {
    auto buffer = llvm::MemoryBuffer::getMemBufferCopy(toRef(request.source), request.source_name);
    invocation->getFrontendOpts().Inputs.clear();
    invocation->getFrontendOpts().Inputs.emplace_back(buffer->getMemBufferRef(),
                                                      clang::InputKind(clang::Language::OpenCL));
    invocation->getFrontendOpts().DisableFree = false;
    invocation->getCodeGenOpts().DisableFree = false;

    clang::CompilerInstance instance(invocation);
    instance.setVerboseOutputStream(stream);
    instance.setVirtualFileSystem(files);
    instance.createDiagnostics(new clang::TextDiagnosticPrinter(stream, instance.getDiagnosticOpts()),
                               /*ShouldOwnClient=*/true);
    instance.createFileManager();
    instance.createSourceManager();
    bool ok = instance.ExecuteAction(action);
    counts.errors = instance.getDiagnosticClient().getNumErrors();
    counts.warnings = instance.getDiagnosticClient().getNumWarnings();
    if (!ok && counts.errors == 0)
      counts.errors = 1;
    reportDependencies(instance, *files, request);
  }
  stream.flush();
  if (request.log && !log.empty())
    request.log(request.user, toBytes(log));
  return counts;
}

// Runs `work`; a fatal error of LLVM's in it ends in the log instead of ending the process.
template <typename F> bool guarded(F &work, const muxcl_compile_request &request) {
  std::string why;
  auto keep = [](void *to, const char *data, size_t len) { static_cast<std::string *>(to)->assign(data, len); };
  auto call = [](void *p) { (*static_cast<F *>(p))(); };
  if (MuxclGuarded(call, &work, keep, &why))
    return true;
  why = "error: " + why + "\n";
  if (request.log)
    request.log(request.user, toBytes(why));
  return false;
}

} // namespace

extern "C" struct muxcl_compile_result muxcl_clang_compile(const struct muxcl_compile_request *request,
                                                           void *llvm_context) {
  llvm::LLVMContext &context = *llvm::unwrap(static_cast<LLVMContextRef>(llvm_context));
  auto action = std::make_unique<EmitModuleAction>(context);
  Counts counts;
  auto work = [&] { counts = run(*request, *action); };
  if (!guarded(work, *request)) {
    (void)action.release(); // in no known state
    return muxcl_compile_result{nullptr, 1, 0};
  }
  std::unique_ptr<llvm::Module> module = action->takeModule();
  if (!module && counts.errors == 0)
    counts.errors = 1;
  if (counts.errors != 0)
    module.reset();
  return muxcl_compile_result{llvm::wrap(module.release()), counts.errors, counts.warnings};
}

extern "C" uint32_t muxcl_clang_preprocess(const struct muxcl_compile_request *request,
                                           void (*text)(void *user, struct muxcl_bytes text)) {
  auto action = std::make_unique<PreprocessAction>();
  Counts counts;
  auto work = [&] { counts = run(*request, *action); };
  if (!guarded(work, *request)) {
    (void)action.release(); // in no known state
    return 1;
  }
  text(request->user, toBytes(action->text));
  return counts.errors;
}
