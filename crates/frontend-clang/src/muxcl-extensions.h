// Builtins of extensions that clang does not declare itself. The definitions are in muxcl-builtins.
#ifdef cl_khr_extended_async_copies
#define __muxcl_copies(to, from)                                                                                       \
  event_t __attribute__((overloadable, convergent))                                                                    \
  async_work_group_copy_2D2D(to void *, size_t, const from void *, size_t, size_t, size_t, size_t, size_t, size_t,     \
                             event_t);                                                                                 \
  event_t __attribute__((overloadable, convergent))                                                                    \
  async_work_group_copy_3D3D(to void *, size_t, const from void *, size_t, size_t, size_t, size_t, size_t, size_t,     \
                             size_t, size_t, size_t, event_t)
__muxcl_copies(__local, __global);
__muxcl_copies(__global, __local);
#undef __muxcl_copies
#endif
