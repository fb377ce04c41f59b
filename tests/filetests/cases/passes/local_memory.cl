//! test = "local-memory"
//! kernel = "k"
// Variables are in the module's order, each aligned for its type. Unused ones take no memory.
kernel void k(global int *a) {
  local char c[3];
  local double8 d[2];
  local short unused[100];
  local int i[5];
  int l = get_local_id(0);
  c[l % 3] = l; d[l % 2] = (double8)(l); i[l % 5] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = c[0] + (int)d[1].s3 + i[2];
}
//---- expected ----
// kernel k: 256 bytes
//      0: k.c (3 bytes)
//     64: k.d (128 bytes)
//    192: k.i (20 bytes)
