// What OpenCL C 3.1 made part of the language: extended bit operations and integer dot products.
// build: -cl-std=CL3.1
// needs: CL3.1

kernel void bits(global const uint *in, global uint *out) {
  size_t i = get_global_id(0);
  uint x = in[i];
  global uint *o = out + i * 8;
  o[0] = bitfield_insert(x, 0x5au, 4, 8);
  o[1] = bitfield_insert(x, 0xffffffffu, 0, 32);
  o[2] = bitfield_insert(x, 7u, 3, 0);
  o[3] = (uint)bitfield_extract_signed(x, 28, 4);
  o[4] = bitfield_extract_unsigned(x, 8, 16);
  o[5] = bitfield_extract_unsigned(x, 31, 0);
  o[6] = bit_reverse(x);
  ushort4 v = bit_reverse((ushort4)((ushort)x, 1, 2, 3));
  o[7] = v.x + v.y * 65536u;
}
// run: bits global=4 local=2
//   buf u32 4 = [0, 4294967295, 305419896, 2147483649][i]
//   buf u32 32 = 0 => [1440, 4294967295, 0, 0, 0, 0, 0, 2147483648, 4294964655, 4294967295, 4294967295, 4294967295, 65535, 0, 4294967295, 2147549183, 305419688, 4294967295, 305419896, 1, 13398, 0, 510274632, 2147491434, 2147485089, 4294967295, 2147483649, 4294967288, 0, 0, 2147483649, 2147516416][i]

kernel void dots(global const uint *a, global const uint *b, global int *out) {
  size_t i = get_global_id(0);
  global int *o = out + i * 8;
  o[0] = (int)dot_4x8packed_uu_uint(a[i], b[i]);
  o[1] = dot_4x8packed_ss_int(a[i], b[i]);
  o[2] = dot_4x8packed_us_int(a[i], b[i]);
  o[3] = dot_4x8packed_su_int(a[i], b[i]);
  o[4] = (int)dot_acc_sat_4x8packed_uu_uint(a[i], b[i], 0xfffffff0u);
  o[5] = dot_acc_sat_4x8packed_ss_int(a[i], b[i], 0x7ffffff0);
  o[6] = dot(as_uchar4(a[i]), as_char4(b[i]));
  o[7] = dot_acc_sat(as_char4(a[i]), as_char4(b[i]), -0x7fffffff - 1);
}
// run: dots global=3
//   buf u32 3 = [67305985, 4294967295, 2155905152][i]
//   buf u32 3 = [134678021, 4294967295, 2139062143][i]
//   buf i32 24 = 0 => [70, 70, 70, 70, -1, 2147483647, 70, -2147483578, 260100, 4, -1020, -1020, -1, 2147483636, -1020, -2147483644, 65024, -65024, 65024, -65024, -1, 2147418608, 65024, -2147483648][i]
