// Clang in process: one translation unit in, one LLVM module out. Invariant: no state outlives a
// call, so any number of threads may call at the same time, each with its own LLVMContext. Not
// here: the choice of clang's arguments (Rust parses the options), stack size (the caller's thread
// has a large stack).
#include "clang_shim.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Expr.h"
#include "clang/AST/TypeLoc.h"
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
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm-c/Core.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <climits>
#include <memory>
#include <set>
#include <string>
#include <system_error>
#include <utility>

namespace {

llvm::StringRef toRef(muxcl_bytes b) { return llvm::StringRef(b.ptr ? b.ptr : "", b.len); }
muxcl_bytes toBytes(llvm::StringRef s) { return muxcl_bytes{s.data(), s.size()}; }

// clang's lexer calls itself for each line continuation of a run. A frame has about 100 bytes, so
// a run of this length takes a small part of the thread's stack.
constexpr size_t maxContinuations = 100000;
constexpr const char *tooManyContinuations =
    "more than 100000 line continuations follow each other";

// Whether `text` has a run of line continuations that is too long for clang. A line continuation
// is a backslash or its trigraph, white space, and the end of the line.
bool hasLongContinuation(llvm::StringRef text) {
  size_t run = 0;
  for (size_t at = text.find('\n'); at != llvm::StringRef::npos; at = text.find('\n', at + 1)) {
    size_t begin = at;
    while (begin > 0 &&
           (text[begin - 1] == ' ' || text[begin - 1] == '\t' || text[begin - 1] == '\r' ||
            text[begin - 1] == '\f' || text[begin - 1] == '\v'))
      --begin;
    llvm::StringRef line = text.substr(0, begin);
    size_t slash = line.ends_with("\\") ? 1 : line.ends_with("?\?/") ? 3 : 0;
    // The run continues if the line contains only this continuation.
    bool alone = slash != 0 && (line.size() == slash || line[line.size() - slash - 1] == '\n');
    run = slash == 0 ? 0 : alone ? run + 1 : 1;
    if (run > maxContinuations)
      return true;
  }
  return false;
}

// The error of a file that `hasLongContinuation` refuses.
class ContinuationError final : public std::error_category {
public:
  const char *name() const noexcept override { return "muxcl"; }
  std::string message(int) const override { return tooManyContinuations; }
  static std::error_code code() {
    static const ContinuationError category;
    return std::error_code(1, category);
  }
};

// A file of the real file system whose text is checked when it is read.
class CheckedFile final : public llvm::vfs::File {
public:
  explicit CheckedFile(std::unique_ptr<llvm::vfs::File> file) : file(std::move(file)) {}
  llvm::ErrorOr<llvm::vfs::Status> status() override { return file->status(); }
  llvm::ErrorOr<std::string> getName() override { return file->getName(); }
  std::error_code close() override { return file->close(); }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
  getBuffer(const llvm::Twine &name, int64_t size, bool terminated, bool isVolatile) override {
    auto buffer = file->getBuffer(name, size, terminated, isVolatile);
    if (buffer && hasLongContinuation((*buffer)->getBuffer()))
      return ContinuationError::code();
    return buffer;
  }

private:
  std::unique_ptr<llvm::vfs::File> file;
};

// A file that the request's `open` opened.
class OpenedFile final : public llvm::vfs::File {
public:
  OpenedFile(int descriptor, std::string path) : descriptor(descriptor), path(std::move(path)) {}
  ~OpenedFile() override { close(); }
  llvm::ErrorOr<llvm::vfs::Status> status() override {
    llvm::sys::fs::file_status status;
    if (std::error_code error = llvm::sys::fs::status(descriptor, status))
      return error;
    return llvm::vfs::Status::copyWithNewName(status, path);
  }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
  getBuffer(const llvm::Twine &name, int64_t size, bool terminated, bool isVolatile) override {
    return llvm::MemoryBuffer::getOpenFile(descriptor, name, size, terminated, isVolatile);
  }
  std::error_code close() override {
    int closed = std::exchange(descriptor, -1);
    return closed < 0 ? std::error_code() : llvm::sys::Process::SafelyCloseFileDescriptor(closed);
  }

private:
  int descriptor;
  std::string path;
};

// Serves the paths under one prefix from memory and all others from the real file system. Keeps
// lists of the paths that the real file system does not have, and of those that are refused.
class ProgramFileSystem final : public llvm::vfs::ProxyFileSystem {
public:
  ProgramFileSystem(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> real,
                    const muxcl_compile_request &request)
      : ProxyFileSystem(std::move(real)), request(request), prefix(request.memory_prefix),
        memory(new llvm::vfs::InMemoryFileSystem()) {}

  void add(llvm::StringRef path, llvm::StringRef data) {
    // A header with an absolute name, and its parent directories, which clang looks up first.
    for (llvm::StringRef part = path; !path.starts_with(prefix) && part.size() > 1;
         part = llvm::sys::path::parent_path(part))
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

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &twine) override {
    std::string path = twine.str();
    bool here = inMemory(path);
    auto result = here ? memory->openFileForRead(path) : openReal(path);
    if (result)
      return std::make_unique<CheckedFile>(std::move(*result));
    if (!here)
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
  const std::set<std::string> &refusedPaths() const { return refused; }

private:
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openReal(const std::string &path) {
    if (!request.open)
      return ProxyFileSystem::openFileForRead(path);
    // Most paths that clang tries do not exist. This process sees that without opening them.
    auto status = ProxyFileSystem::status(path);
    if (!status)
      return status.getError();
    if (status->isDirectory())
      return std::make_error_code(std::errc::is_a_directory);
    llvm::SmallString<256> absolute(path);
    if (std::error_code error = makeAbsolute(absolute))
      return error;
    int descriptor = request.open(request.user, toBytes(absolute));
    if (descriptor >= 0)
      return std::make_unique<OpenedFile>(descriptor, path);
    if (descriptor != INT_MIN)
      return std::error_code(-descriptor, std::generic_category());
    refused.insert(path);
    return std::make_error_code(std::errc::no_such_file_or_directory);
  }

  const muxcl_compile_request &request;
  std::string prefix;
  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> memory;
  std::set<std::string> outside;
  std::set<std::string> absent;
  std::set<std::string> refused;
};

// clang's parser recurses on nested statements and operators without a bound of its own, and its
// code generator on the depth of an expression. Beyond these bounds the program gets an error, and
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
    // The parser's next token.
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

// Refuses declarations that pass clang's checks and that its code generator or the device's runtime
// cannot handle. It runs before the code generator, which generates nothing after an error.
class DeclarationRules final : public clang::ASTConsumer, clang::DynamicRecursiveASTVisitor {
public:
  explicit DeclarationRules(clang::DiagnosticsEngine &diagnostics) : diagnostics(diagnostics) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl *declaration : group) {
      // C++ has functions in namespaces and classes.
      if (declaration->getASTContext().getLangOpts().CPlusPlus)
        TraverseDecl(declaration);
      else if (auto *function = clang::dyn_cast<clang::FunctionDecl>(declaration))
        check(*function);
    }
    return true;
  }

private:
  bool VisitFunctionDecl(clang::FunctionDecl *function) override {
    check(*function);
    return true;
  }

  void check(clang::FunctionDecl &function) {
    // The device's processor and its features are the driver's choice. LLVM would print a line to
    // stderr for each function and each pass that reads an unknown feature.
    if (function.hasAttr<clang::TargetAttr>()) {
      report(clang::DiagnosticsEngine::Warning, function,
             "attribute 'target' of function '%0' is ignored");
      function.dropAttr<clang::TargetAttr>();
    }
    if (!function.hasAttr<clang::DeviceKernelAttr>())
      return;
    auto *type = function.getType()->castAs<clang::FunctionType>();
    if (type->getCallConv() != clang::CC_DeviceKernel) {
      std::string attribute = conventionAttribute(function);
      report(clang::DiagnosticsEngine::Error, function,
             "kernel '%0' has the calling convention attribute '%1'; OpenCL defines how kernels "
             "are called",
             attribute);
    }
    if (function.isNoReturn())
      report(clang::DiagnosticsEngine::Error, function,
             "kernel '%0' has the attribute 'noreturn'; a work-item ends when its kernel returns");
  }

  // The attribute as the source spells it.
  static std::string conventionAttribute(const clang::FunctionDecl &function) {
    if (const clang::TypeSourceInfo *info = function.getTypeSourceInfo())
      for (clang::TypeLoc at = info->getTypeLoc(); at; at = at.getNextTypeLoc())
        if (auto attributed = at.getAs<clang::AttributedTypeLoc>())
          if (attributed.getTypePtr()->isCallingConv() && attributed.getAttr())
            return attributed.getAttr()->getSpelling();
    return "of another type";
  }

  template <unsigned N>
  void report(clang::DiagnosticsEngine::Level level, const clang::FunctionDecl &function,
              const char (&format)[N], llvm::StringRef more = "") {
    unsigned id = diagnostics.getCustomDiagID(level, format);
    auto builder = diagnostics.Report(function.getLocation(), id);
    builder << function.getName();
    if (!more.empty())
      builder << more;
  }

  clang::DiagnosticsEngine &diagnostics;
};

// `#pragma OPENCL ...` below OpenCL C 2.0 on a device with sub-groups. clang knows the extension
// cl_khr_subgroups from 2.0 on; the extension itself asks for no version of the language.
class OpenClPragmas final : public clang::PragmaNamespace {
public:
  OpenClPragmas() : PragmaNamespace("OPENCL") {}

  void HandlePragma(clang::Preprocessor &preprocessor, clang::PragmaIntroducer introducer,
                    clang::Token &token) override {
    if (namesSubgroups(preprocessor, token))
      preprocessor.DiscardUntilEndOfDirective();
    else
      PragmaNamespace::HandlePragma(preprocessor, introducer, token);
  }

private:
  // Whether `EXTENSION cl_khr_subgroups` follows `token`. The tokens stay in the preprocessor.
  static bool namesSubgroups(clang::Preprocessor &preprocessor, const clang::Token &token) {
    const clang::SourceManager &sources = preprocessor.getSourceManager();
    const clang::LangOptions &language = preprocessor.getLangOpts();
    auto extension = clang::Lexer::findNextToken(token.getLocation(), sources, language);
    if (!extension || !extension->is(clang::tok::raw_identifier) ||
        extension->getRawIdentifier() != "EXTENSION")
      return false;
    auto name = clang::Lexer::findNextToken(extension->getLocation(), sources, language);
    return name && name->is(clang::tok::raw_identifier) &&
           name->getRawIdentifier() == "cl_khr_subgroups";
  }
};

// Changes the pragmas that the preprocessor knows. Called before the parser adds its own.
void choosePragmas(clang::Preprocessor &preprocessor, const muxcl_compile_request &request) {
  // `#pragma clang __debug` can end the process or write to stderr. The handler is removed by its
  // name, and clang then leaks it (about 50 bytes).
  struct Debug final : clang::PragmaHandler {
    Debug() : PragmaHandler("__debug") {}
    void HandlePragma(clang::Preprocessor &, clang::PragmaIntroducer, clang::Token &) override {}
  } debug;
  preprocessor.RemovePragmaHandler("clang", &debug);
  if (request.subgroup_pragma)
    preprocessor.AddPragmaHandler(new OpenClPragmas());
}

// In a comparison of a queue with 0, clang treats the 0 as a null pointer. Its code generator fails
// on this cast, because a queue is no pointer.
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
  EmitModuleAction(llvm::LLVMContext &context, const muxcl_compile_request &request)
      : context(context), request(request) {}
  std::unique_ptr<llvm::Module> takeModule() { return std::move(module); }

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &instance,
                                                        llvm::StringRef file) override {
    clang::Preprocessor &preprocessor = instance.getPreprocessor();
    auto guard = std::make_shared<DepthGuard>(preprocessor);
    preprocessor.setTokenWatcher([guard](const clang::Token &token) { (*guard)(token); });
    choosePragmas(preprocessor, request);
    auto generator = clang::CreateLLVMCodeGen(instance, file, context);
    current = generator.get();
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(std::make_unique<DeclarationRules>(instance.getDiagnostics()));
    if (instance.getLangOpts().Blocks) // only device-side enqueue has queues
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
  const muxcl_compile_request &request;
  clang::CodeGenerator *current = nullptr;
  std::unique_ptr<llvm::Module> module;
};

// Writes the preprocessed text to a string.
class PreprocessAction final : public clang::PreprocessorFrontendAction {
public:
  explicit PreprocessAction(const muxcl_compile_request &request) : request(request) {}
  std::string text;

protected:
  void ExecuteAction() override {
    llvm::raw_string_ostream stream(text);
    clang::CompilerInstance &instance = getCompilerInstance();
    choosePragmas(instance.getPreprocessor(), request);
    clang::DoPrintPreprocessedInput(instance.getPreprocessor(), &stream,
                                    instance.getPreprocessorOutputOpts());
  }

private:
  const muxcl_compile_request &request;
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
  // This file system has a current directory of its own. If the directory does not exist any more,
  // no relative path does.
  std::unique_ptr<llvm::vfs::FileSystem> real = llvm::vfs::createPhysicalFileSystem();
  if (request.directory)
    (void)real->setCurrentWorkingDirectory(request.directory);
  llvm::IntrusiveRefCntPtr<ProgramFileSystem> files(
      new ProgramFileSystem(std::move(real), request));
  for (size_t i = 0; i < request.num_files; ++i)
    files->add(toRef(request.files[i].path), toRef(request.files[i].data));

  auto invocation = std::make_shared<clang::CompilerInvocation>();
  bool parsed;
  {
    clang::DiagnosticOptions options;
    auto engine = clang::CompilerInstance::createDiagnostics(
        *files, options, new clang::TextDiagnosticPrinter(stream, options),
        /*ShouldOwnClient=*/true);
    parsed = clang::CompilerInvocation::CreateFromArgs(
        *invocation, llvm::ArrayRef<const char *>(request.args, request.num_args), *engine,
        "muxcl");
    if (!parsed)
      counts.errors = 1;
  }
  // The device's macros come before the application's, so the application can redefine them.
  auto &macros = invocation->getPreprocessorOpts().Macros;
  std::vector<std::pair<std::string, bool>> ofDevice;
  ofDevice.reserve(request.num_macros + macros.size());
  for (const muxcl_macro &macro : llvm::ArrayRef(request.macros, request.num_macros))
    ofDevice.emplace_back(toRef(macro.text).str(), macro.undefined != 0);
  std::move(macros.begin(), macros.end(), std::back_inserter(ofDevice));
  macros = std::move(ofDevice);
  if (hasLongContinuation(toRef(request.source))) {
    stream << request.source_name << ": error: " << tooManyContinuations << '\n';
    counts.errors = 1;
    parsed = false;
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
    instance.createDiagnostics(
        new clang::TextDiagnosticPrinter(stream, instance.getDiagnosticOpts()),
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
  if (counts.errors != 0)
    for (const std::string &path : files->refusedPaths())
      stream << "note: '" << path << "' exists, but programs may not include it: it is not named"
             << " like a source (.h, .cl), nor below the current directory or a folder of -I (see"
             << " MUXCL_COMPILER_FILES)\n";
  stream.flush();
  if (request.log && !log.empty())
    request.log(request.user, toBytes(log));
  return counts;
}

} // namespace

extern "C" struct muxcl_compile_result
muxcl_clang_compile(const struct muxcl_compile_request *request, void *llvm_context) {
  llvm::LLVMContext &context = *llvm::unwrap(static_cast<LLVMContextRef>(llvm_context));
  auto action = std::make_unique<EmitModuleAction>(context, *request);
  Counts counts = run(*request, *action);
  std::unique_ptr<llvm::Module> module = action->takeModule();
  if (!module && counts.errors == 0)
    counts.errors = 1;
  if (counts.errors != 0)
    module.reset();
  return muxcl_compile_result{llvm::wrap(module.release()), counts.errors, counts.warnings};
}

extern "C" uint32_t muxcl_clang_preprocess(const struct muxcl_compile_request *request,
                                           void (*text)(void *user, struct muxcl_bytes text)) {
  auto action = std::make_unique<PreprocessAction>(*request);
  Counts counts = run(*request, *action);
  text(request->user, toBytes(action->text));
  return counts.errors;
}
