// Intel's shuffles, blocks in memory, and functions of short integers.
// needs: cl_intel_subgroups cl_intel_subgroups_char cl_intel_subgroups_short cl_intel_subgroups_long cl_intel_subgroup_local_block_io cl_intel_subgroup_buffer_prefetch
// build: -cl-std=CL3.0 -Werror
// run: shuffled global=128 local=128|64|32
//   buf i32 128 = 0 => 1
// run: combined global=96 local=96|32
//   buf i32 96 = 0 => 1
// run: blocks global=64 local=64|32
//   buf u32 512 = i * 3 + 1
//   buf u32 512 = 0 => a0[i]
// run: sizes global=64 local=64|32
//   buf u8 1024 = i * 7
//   buf i32 64 = 0 => 1
// run: local_memory global=64 local=64|32
//   buf u32 256 = i * 5 + 2
//   buf u32 256 = 0 => a0[i]
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
__attribute__((intel_reqd_sub_group_size(16)))
kernel void shuffled(global int *out) {
  uint me = get_global_id(0), l = get_sub_group_local_id(), first = me - l;
  int ok = intel_sub_group_shuffle(me, (l * 5 + 3) % 16) == first + (l * 5 + 3) % 16;
  ok &= intel_sub_group_shuffle_xor((ulong)me << 40, 5) == (ulong)(first + (l ^ 5)) << 40;
  uint down = intel_sub_group_shuffle_down(me, me + 1000, 3);
  ok &= down == (l + 3 < 16 ? me + 3 : first + l + 3 - 16 + 1000);
  uint up = intel_sub_group_shuffle_up(me + 1000, me, l);
  ok &= up == first;
  up = intel_sub_group_shuffle_up(me + 1000, me, 5);
  ok &= up == (l >= 5 ? me - 5 : first + l - 5 + 16 + 1000);
  float4 v = intel_sub_group_shuffle((float4)(me, me + 0.5f, -1.0f * me, 4), l ^ 1);
  uint other = first + (l ^ 1);
  ok &= all(v == (float4)(other, other + 0.5f, -1.0f * other, 4));
  short3 s = intel_sub_group_shuffle_down((short3)(me, l, 7), (short3)(8), 16);
  ok &= all(s == (short3)(8));
  uchar16 c = intel_sub_group_shuffle_xor((uchar16)(l), 15);
  ok &= all(c == (uchar16)(15 - l));
  out[me] = ok;
}
__attribute__((intel_reqd_sub_group_size(16)))
kernel void combined(global int *out) {
  uint me = get_global_id(0), l = get_sub_group_local_id();
  int ok = intel_sub_group_reduce_add((uchar)(l * 3)) == (uchar)360;
  ok &= intel_sub_group_reduce_max((short)-l) == 0;
  ok &= intel_sub_group_scan_inclusive_add((ushort)2) == 2 * l + 2;
  ok &= intel_sub_group_scan_exclusive_min((char)-l) == (l == 0 ? CHAR_MAX : -(int)(l - 1));
  ok &= intel_sub_group_broadcast((char)(l + 1), 7) == 8;
  ok &= all(intel_sub_group_broadcast((ushort4)(l), 3) == (ushort4)(3));
  out[me] = ok;
}
__attribute__((intel_reqd_sub_group_size(16)))
kernel void blocks(global uint *in, global uint *out) {
  uint at = (get_global_id(0) - get_sub_group_local_id()) * 8;
  intel_sub_group_block_prefetch_ui8(in + at);
  uint8 v = intel_sub_group_block_read8(in + at);
  intel_sub_group_block_write8(out + at, v);
  uint2 first = intel_sub_group_block_read_ui2(in + at);
  intel_sub_group_block_write2(in + at, first);
}
__attribute__((intel_reqd_sub_group_size(16)))
kernel void sizes(global uchar *in, global int *out) {
  uint me = get_global_id(0), l = get_sub_group_local_id(), at = (me - l) * 4;
  uchar b = intel_sub_group_block_read_uc(in + at + 1);
  int ok = b == (uchar)((at + 1 + l) * 7);
  uchar16 bs = intel_sub_group_block_read_uc16(in + at);
  ok &= bs.s0 == (uchar)((at + l) * 7) && bs.sf == (uchar)((at + l + 15 * 16) * 7);
  ushort4 s = intel_sub_group_block_read_us4((global ushort *)(in + at));
  ok &= s.w == ((global ushort *)(in + at))[l + 3 * 16];
  ulong2 u = intel_sub_group_block_read_ul2((global ulong *)(in + at));
  ok &= u.x == ((global ulong *)(in + at))[l] && u.y == ((global ulong *)(in + at))[l + 16];
  out[me] = ok;
}
__attribute__((intel_reqd_sub_group_size(16)))
kernel void local_memory(global uint *in, global uint *out) {
  local uint tile[256] __attribute__((aligned(16)));
  uint l = get_sub_group_local_id(), at = (get_local_id(0) - l) * 4;
  uint from = (get_global_id(0) - l) * 4;
  intel_sub_group_block_write4(tile + at, intel_sub_group_block_read4(in + from));
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  intel_sub_group_block_write4(out + from, intel_sub_group_block_read4(tile + at));
}
