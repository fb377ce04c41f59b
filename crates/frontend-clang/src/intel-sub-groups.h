// Builtins of Intel's extensions of sub-groups, which clang does not declare itself. The
// definitions are in muxcl-builtins.
#define __muxcl_function __attribute__((overloadable, convergent))
#define __muxcl_shuffles(type) \
  type __muxcl_function intel_sub_group_shuffle(type, uint); \
  type __muxcl_function intel_sub_group_shuffle_xor(type, uint); \
  type __muxcl_function intel_sub_group_shuffle_down(type, type, uint); \
  type __muxcl_function intel_sub_group_shuffle_up(type, type, uint);
#define __muxcl_vectors(what, type) \
  what(type) what(type##2) what(type##3) what(type##4) what(type##8) what(type##16)
#define __muxcl_broadcast(type) type __muxcl_function intel_sub_group_broadcast(type, uint);
#define __muxcl_combining(type, op) \
  type __muxcl_function intel_sub_group_reduce_##op(type); \
  type __muxcl_function intel_sub_group_scan_exclusive_##op(type); \
  type __muxcl_function intel_sub_group_scan_inclusive_##op(type);
#define __muxcl_short_integer(type) \
  __muxcl_vectors(__muxcl_shuffles, type) __muxcl_vectors(__muxcl_broadcast, type) \
      __muxcl_combining(type, add) __muxcl_combining(type, min) __muxcl_combining(type, max)
#define __muxcl_memory(space, name, element, type) \
  type __muxcl_function intel_sub_group_block_read##name(const space element *); \
  void __muxcl_function intel_sub_group_block_write##name(space element *, type);
#ifdef cl_intel_subgroup_local_block_io
#define __muxcl_local(name, element, type) __muxcl_memory(__local, name, element, type)
#else
#define __muxcl_local(name, element, type)
#endif
#ifdef cl_intel_subgroup_buffer_prefetch
#define __muxcl_prefetch(name, element) \
  void __muxcl_function intel_sub_group_block_prefetch##name(const __global element *);
#else
#define __muxcl_prefetch(name, element)
#endif
#ifdef __IMAGE_SUPPORT__
#define __muxcl_image_read(access, name, type) \
  type __muxcl_function intel_sub_group_block_read##name(access image2d_t, int2);
#define __muxcl_image_write(access, name, type) \
  void __muxcl_function intel_sub_group_block_write##name(access image2d_t, int2, type);
#define __muxcl_images(name, type) \
  __muxcl_image_read(read_only, name, type) __muxcl_image_write(write_only, name, type) \
      __muxcl_read_write_images(name, type)
#ifdef __opencl_c_read_write_images
#define __muxcl_read_write_images(name, type) \
  __muxcl_image_read(read_write, name, type) __muxcl_image_write(read_write, name, type)
#else
#define __muxcl_read_write_images(name, type)
#endif
#else
#define __muxcl_images(name, type)
#endif
#define __muxcl_block(name, element, type) \
  __muxcl_memory(__global, name, element, type) __muxcl_local(name, element, type) \
      __muxcl_prefetch(name, element) __muxcl_images(name, type)
#define __muxcl_blocks(name, element) \
  __muxcl_block(name, element, element) __muxcl_block(name##2, element, element##2) \
      __muxcl_block(name##4, element, element##4) __muxcl_block(name##8, element, element##8)

#ifdef cl_intel_subgroups
__muxcl_vectors(__muxcl_shuffles, float)
__muxcl_vectors(__muxcl_shuffles, int)
__muxcl_vectors(__muxcl_shuffles, uint)
__muxcl_vectors(__muxcl_shuffles, long)
__muxcl_vectors(__muxcl_shuffles, ulong)
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__muxcl_vectors(__muxcl_shuffles, half)
#pragma OPENCL EXTENSION cl_khr_fp16 : disable
#endif
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__muxcl_vectors(__muxcl_shuffles, double)
#pragma OPENCL EXTENSION cl_khr_fp64 : disable
#endif
__muxcl_block(, uint, uint)
__muxcl_block(2, uint, uint2)
__muxcl_block(4, uint, uint4)
__muxcl_block(8, uint, uint8)
__muxcl_blocks(_ui, uint)
#endif

#ifdef cl_intel_subgroups_char
__muxcl_short_integer(char)
__muxcl_short_integer(uchar)
__muxcl_blocks(_uc, uchar)
__muxcl_block(_uc16, uchar, uchar16)
#endif

#ifdef cl_intel_subgroups_short
__muxcl_short_integer(short)
__muxcl_short_integer(ushort)
__muxcl_blocks(_us, ushort)
__muxcl_block(_us16, ushort, ushort16)
#endif

#ifdef cl_intel_subgroups_long
__muxcl_blocks(_ul, ulong)
#endif

#undef __muxcl_function
#undef __muxcl_shuffles
#undef __muxcl_vectors
#undef __muxcl_broadcast
#undef __muxcl_combining
#undef __muxcl_short_integer
#undef __muxcl_memory
#undef __muxcl_local
#undef __muxcl_prefetch
#undef __muxcl_image_read
#undef __muxcl_image_write
#undef __muxcl_images
#undef __muxcl_read_write_images
#undef __muxcl_block
#undef __muxcl_blocks
