/* The C interface of clang in process. Invariant: every type here is plain C, no exception leaves a
   function, and nothing here touches process-wide state (no command-line options of LLVM, no signal
   handlers, no current directory). */
#ifndef MUXCL_CLANG_SHIM_H
#define MUXCL_CLANG_SHIM_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A run of bytes that lives as long as the call. */
struct muxcl_bytes {
  const char *ptr;
  size_t len;
};

/* A file that exists only in memory. */
struct muxcl_file {
  struct muxcl_bytes path;
  struct muxcl_bytes data;
};

/* A macro of the device: `text` is "NAME=VALUE", or "NAME" to define it as 1 or to undefine it.
 * Macros take effect before the options in `args`, and cost less time than such options. */
struct muxcl_macro {
  struct muxcl_bytes text;
  int undefined;
};

/* Reports a file of the real file system: a `present` file with its contents, or a file that clang
 * looked for and did not find. */
typedef void (*muxcl_dependency_fn)(void *user, struct muxcl_bytes path, int present,
                                    struct muxcl_bytes data);

/* Opens a file of the real file system by its absolute path. Returns a descriptor, which the caller
 * closes; INT_MIN if programs may not include the file, so that there is no such file to clang; or
 * the negated `errno`. */
typedef int (*muxcl_open_fn)(void *user, struct muxcl_bytes path);

struct muxcl_compile_request {
  struct muxcl_bytes source;
  const char *source_name;        /* shown in diagnostics */
  const struct muxcl_file *files; /* in-memory files */
  size_t num_files;
  const char *directory;     /* relative paths are relative to it; NULL: the current directory */
  const char *memory_prefix; /* paths under this prefix are looked up in memory only */
  const char *const *args;   /* arguments of `clang -cc1` */
  size_t num_args;
  const struct muxcl_macro *macros; /* of the device */
  size_t num_macros;
  int subgroup_pragma; /* accept `#pragma OPENCL EXTENSION cl_khr_subgroups` below OpenCL C 2.0 */
  void *user;
  muxcl_open_fn open; /* NULL: this process opens files itself */
  void (*log)(void *user, struct muxcl_bytes text); /* called at most once */
  muxcl_dependency_fn dependency;
};

struct muxcl_compile_result {
  void *module; /* LLVMModuleRef owned by the caller, or NULL */
  uint32_t errors;
  uint32_t warnings;
};

/* Compiles one translation unit into `llvm_context` (an LLVMContextRef). */
struct muxcl_compile_result muxcl_clang_compile(const struct muxcl_compile_request *request,
                                                void *llvm_context);

/* Preprocesses only; the text goes to `text`. Returns the number of errors. */
uint32_t muxcl_clang_preprocess(const struct muxcl_compile_request *request,
                                void (*text)(void *user, struct muxcl_bytes text));

#ifdef __cplusplus
}
#endif
#endif
