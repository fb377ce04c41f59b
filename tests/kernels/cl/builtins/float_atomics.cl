// cl_ext_float_atomics: many work-items add to one location, and compute its minimum and maximum.
// build: -cl-std=CL3.0
// needs: CL3.0 cl_ext_float_atomics
#define SHARED(T) \
    local atomic_##T sum, low, high; \
    T x = (T)((int)(get_global_id(0) * 7 % 64) - 20); \
    if (get_local_id(0) == 0) { \
        atomic_store_explicit(&sum, (T)0, memory_order_relaxed); \
        atomic_store_explicit(&low, (T)1000, memory_order_relaxed); \
        atomic_store_explicit(&high, (T)-1000, memory_order_relaxed); \
    } \
    barrier(CLK_LOCAL_MEM_FENCE); \
    atomic_fetch_add_explicit(&sum, x, memory_order_relaxed, memory_scope_work_group); \
    atomic_fetch_min_explicit(&low, x, memory_order_relaxed, memory_scope_work_group); \
    atomic_fetch_max_explicit(&high, x, memory_order_relaxed); \
    barrier(CLK_LOCAL_MEM_FENCE); \
    if (get_local_id(0) == 0) { \
        atomic_fetch_add(&to[0], atomic_load(&sum)); \
        atomic_fetch_sub_explicit(&to[1], atomic_load(&sum), memory_order_acq_rel, \
                                  memory_scope_device); \
        atomic_fetch_min_explicit(&to[2], atomic_load(&low), memory_order_seq_cst, \
                                  memory_scope_device); \
        atomic_fetch_max(&to[3], atomic_load(&high)); \
    }
kernel void floats(global atomic_float *to) { SHARED(float) }

// Other types in one group, which passes its values as floats.
#define GROUP(T) \
    volatile global atomic_##T *to = (volatile global atomic_##T *)space; \
    SHARED(T) \
    barrier(CLK_GLOBAL_MEM_FENCE); \
    if (get_local_id(0) < 4) out[get_local_id(0)] = (float)atomic_load(&to[get_local_id(0)]); \
    barrier(CLK_GLOBAL_MEM_FENCE); \
    if (get_local_id(0) < 4) space[get_local_id(0)] = 0;
kernel void doubles(global ulong *space, global float *out)
{
#ifdef __opencl_c_ext_fp64_global_atomic_add
    GROUP(double)
#else
    GROUP(float)
#endif
}
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void halves(global ulong *space, global float *out)
{
#if defined(__opencl_c_ext_fp16_global_atomic_add) && \
    defined(__opencl_c_ext_fp16_global_atomic_load_store)
    GROUP(half)
#else
    GROUP(float)
#endif
}
// run: floats global=64 local=8|64|1
//   buf f32 4 = 0 => [736, -736, -20, 43][i]
// run: doubles global=64 local=64
//   buf i64 4 = 0
//   buf f32 4 = 0 => [736, -736, -20, 43][i]
// run: halves global=64 local=64
//   buf i64 4 = 0
//   buf f32 4 = 0 => [736, -736, -20, 43][i]
