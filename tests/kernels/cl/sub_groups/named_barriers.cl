// Named barriers: sub-groups of a group wait for each other, in loops of different length and in
// branches. The functions are those that SPIR-V's instructions call.
// needs: cl_khr_subgroup_named_barrier
// build: -cl-std=CL3.0
// variants: source noopt binary
// run: pairs global=128 local=64|128
//   buf i32 128 = 0 => 1
// run: producers global=192 local=96|64
//   buf i32 192 = 0 => 1
// run: reused global=64 local=64|32
//   buf i32 64 = 0 => 1
typedef struct { uint words[4]; } named_barrier;
__attribute__((convergent)) void __muxcl_work_group_named_barrier(local named_barrier *, uint);
__attribute__((convergent)) void __muxcl_sub_group_named_barrier(local named_barrier *);
#define INIT __muxcl_work_group_named_barrier
#define WAIT __muxcl_sub_group_named_barrier
// Sub-groups in pairs; each pair loops as often as its number says, then all meet.
kernel void pairs(global int *out) {
  local named_barrier even, odd;
  local int values[128];
  INIT(&even, 2);
  INIT(&odd, get_num_sub_groups() - 2);
  uint l = get_local_id(0), s = get_sub_group_id(), i = get_sub_group_local_id();
  uint size = get_max_sub_group_size();
  values[l] = 0;
  int ok = 1;
  if (s < 2) {
    for (int k = 0; k < 7; k++) {
      values[l] = k + (int)i;
      WAIT(&even);
      ok &= values[(s ^ 1) * size + i] == k + (int)i;
      WAIT(&even);
    }
  } else {
    for (int k = 0; k < 3; k++) {
      values[l] = 100 * k + (int)s;
      WAIT(&odd);
      for (uint other = 2; other < get_num_sub_groups(); other++)
        ok &= values[other * size + i] == 100 * k + (int)other;
      WAIT(&odd);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  ok &= values[i] == 6 + (int)i;
  out[get_global_id(0)] = ok;
}
// The last sub-group consumes what the others produce; a collective stands between the barriers.
kernel void producers(global int *out) {
  local named_barrier full, empty;
  local int box[8];
  uint n = get_num_sub_groups(), s = get_sub_group_id(), i = get_sub_group_local_id();
  INIT(&full, n);
  INIT(&empty, n);
  int ok = 1;
  for (int k = 0; k < 5; k++) {
    int sum = sub_group_reduce_add((int)i + k);
    if (s + 1 < n) {
      if (i == 0) box[s] = sum * (int)(s + 1);
      WAIT(&full);
      WAIT(&empty);
    } else {
      WAIT(&full);
      for (uint other = 0; other + 1 < n; other++) ok &= box[other] == sum * (int)(other + 1);
      WAIT(&empty);
    }
  }
  out[get_global_id(0)] = ok;
}
// One barrier for one sub-group at a time, then for all; made anew in a loop.
kernel void reused(global int *out) {
  local named_barrier b;
  local int count;
  uint n = get_num_sub_groups(), i = get_sub_group_local_id();
  int ok = 1;
  for (int k = 0; k < 3; k++) {
    if (get_local_id(0) == 0) count = 0;
    INIT(&b, n);
    if (i == 0) atomic_add(&count, 1);
    WAIT(&b);
    ok &= count == (int)n;
    INIT(&b, 1);
    WAIT(&b);
  }
  out[get_global_id(0)] = ok;
}
