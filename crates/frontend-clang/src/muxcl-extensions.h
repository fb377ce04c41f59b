// Builtins of extensions that clang does not declare itself. The definitions are in muxcl-builtins.
#ifdef cl_khr_extended_async_copies
#define __muxcl_copies(to, from) \
  event_t __attribute__((overloadable, convergent)) async_work_group_copy_2D2D( \
      to void *, size_t, const from void *, size_t, size_t, size_t, size_t, size_t, size_t, \
      event_t); \
  event_t __attribute__((overloadable, convergent)) async_work_group_copy_3D3D( \
      to void *, size_t, const from void *, size_t, size_t, size_t, size_t, size_t, size_t, \
      size_t, size_t, size_t, event_t)
__muxcl_copies(__local, __global);
__muxcl_copies(__global, __local);
#undef __muxcl_copies
#endif

#ifdef cl_khr_async_work_group_copy_fence
void __attribute__((overloadable, convergent)) async_work_group_copy_fence(cl_mem_fence_flags);
#endif

#ifdef cl_khr_work_group_uniform_arithmetic
#define __muxcl_collective(type, op) \
  type __attribute__((overloadable, convergent)) work_group_reduce_##op(type); \
  type __attribute__((overloadable, convergent)) work_group_scan_exclusive_##op(type); \
  type __attribute__((overloadable, convergent)) work_group_scan_inclusive_##op(type);
#define __muxcl_bitwise(type) \
  __muxcl_collective(type, mul) __muxcl_collective(type, and) __muxcl_collective(type, or) \
      __muxcl_collective(type, xor)
__muxcl_bitwise(int)
__muxcl_bitwise(uint)
__muxcl_bitwise(long)
__muxcl_bitwise(ulong)
__muxcl_collective(float, mul)
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__muxcl_collective(half, mul)
#pragma OPENCL EXTENSION cl_khr_fp16 : disable
#endif
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__muxcl_collective(double, mul)
#pragma OPENCL EXTENSION cl_khr_fp64 : disable
#endif
__muxcl_collective(int, logical_and)
__muxcl_collective(int, logical_or)
__muxcl_collective(int, logical_xor)
#undef __muxcl_bitwise
#undef __muxcl_collective
#endif
