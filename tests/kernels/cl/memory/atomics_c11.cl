// C11 atomics of every order and scope.
// build: -cl-std=CL3.0
// needs: CL3.0 __opencl_c_atomic_order_seq_cst __opencl_c_atomic_scope_device
kernel void all(global atomic_int *c, global atomic_uint *u, global atomic_float *f,
                global int *won) {
    size_t i = get_global_id(0);
    atomic_fetch_add_explicit(&c[0], 2, memory_order_relaxed, memory_scope_device);
    atomic_fetch_sub_explicit(&c[1], 1, memory_order_acq_rel, memory_scope_device);
    atomic_fetch_max_explicit(&c[2], (int)i, memory_order_release, memory_scope_device);
    atomic_fetch_min_explicit(&c[3], -(int)i, memory_order_acquire, memory_scope_device);
    atomic_fetch_or_explicit(&u[0], 1u << (i % 32), memory_order_seq_cst, memory_scope_device);
    atomic_fetch_and_explicit(&u[1], ~(1u << (i % 32)), memory_order_relaxed,
                              memory_scope_work_group);
    atomic_fetch_xor_explicit(&u[2], 3u, memory_order_relaxed, memory_scope_device);
    int want = atomic_load_explicit(&c[4], memory_order_relaxed, memory_scope_device);
    while (!atomic_compare_exchange_weak_explicit(&c[4], &want, want + 7, memory_order_acq_rel,
                                                  memory_order_relaxed, memory_scope_device)) {}
    int expected = 0;
    won[i] = atomic_compare_exchange_strong_explicit(&c[5], &expected, 1, memory_order_seq_cst,
                                                     memory_order_relaxed, memory_scope_device);
    atomic_store_explicit(&c[6], 9, memory_order_release, memory_scope_device);
    atomic_exchange_explicit(f, 1.5f, memory_order_relaxed, memory_scope_device);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
}
// run: all global=128 local=16|1|null
//   buf i32 7 = 0 => [256, -128, 127, -127, 896, 1, 9][i]
//   buf u32 3 = [0, 0xffffffff, 5][i] => [0xffffffff, 0, 5][i]
//   buf f32 1 = 0 => 1.5
//   buf i32 128 = 5 => any
