// Sub-groups that wait for each other in loops: each one makes progress.
// needs: cl_khr_subgroups
// build: -cl-std=CL3.0
// run: waits_for_the_next global=192 local=96|64
//   buf i32 192 = 0 => 1
// run: ping_pong global=64 local=64|32
//   buf i32 64 = 0 => 1
// run: takes_turns global=96 local=96
//   buf i32 96 = 0 => 1
// run: with_barriers global=96 local=96
//   buf i32 96 = 0 => 1
#define LOAD(p) atomic_load_explicit(p, memory_order_acquire, memory_scope_work_group)
#define STORE(p, v) atomic_store_explicit(p, v, memory_order_release, memory_scope_work_group)
kernel void waits_for_the_next(global int *out) {
  local atomic_int done[16];
  uint id = get_sub_group_id(), l = get_sub_group_local_id();
  if (l == 0) atomic_init(&done[id], 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  // The first waits for the second, the second for the third, ...
  if (id + 1 < get_num_sub_groups() && l == 0)
    while (LOAD(&done[id + 1]) == 0) {}
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) STORE(&done[id], 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  int all = 1;
  for (uint i = 0; i < get_num_sub_groups(); i++) all &= LOAD(&done[i]);
  out[get_global_id(0)] = all;
}
kernel void ping_pong(global int *out) {
  local atomic_int turn;
  uint id = get_sub_group_id(), n = get_num_sub_groups(), l = get_sub_group_local_id();
  if (get_local_id(0) == 0) atomic_init(&turn, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0)
    for (int k = 0; k < 50; k++) {
      while (LOAD(&turn) != k * (int)n + (int)(n - 1 - id)) {}
      STORE(&turn, k * n + (n - 1 - id) + 1);
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = LOAD(&turn) == 50 * (int)n;
}
// A lock, by an exchange and by a comparison.
kernel void takes_turns(global int *out) {
  local atomic_int lock, other;
  local int count;
  uint l = get_sub_group_local_id();
  if (get_local_id(0) == 0) {
    atomic_init(&lock, 0);
    atomic_init(&other, 0);
    count = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0)
    for (int k = 0; k < 20; k++) {
      while (atomic_exchange_explicit(&lock, 1, memory_order_acquire, memory_scope_work_group) !=
             0) {}
      int expected = 0;
      while (!atomic_compare_exchange_strong_explicit(&other, &expected, 1, memory_order_acquire,
                                                      memory_order_relaxed,
                                                      memory_scope_work_group))
        expected = 0;
      count++;
      STORE(&other, 0);
      STORE(&lock, 0);
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = count == 20 * (int)get_num_sub_groups();
}
// Spin loops, collectives and group barriers in one loop; private arrays stay live.
kernel void with_barriers(global int *out) {
  local atomic_int at;
  uint id = get_sub_group_id(), n = get_num_sub_groups(), l = get_sub_group_local_id();
  int kept[4];
  if (get_local_id(0) == 0) atomic_init(&at, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 4; k++) {
    if (l == 0)
      while (LOAD(&at) % (int)n != (int)(n - 1 - id)) {}
    kept[k] = sub_group_reduce_add((int)(l + id)) + k;
    if (l == 0) atomic_fetch_add(&at, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  int size = get_sub_group_size(), ok = LOAD(&at) == 4 * (int)n;
  for (int k = 0; k < 4; k++) ok &= kept[k] == size * (size - 1) / 2 + size * (int)id + k;
  out[get_global_id(0)] = ok;
}
