//! test = "fuse-halves"
//! functions = ["f"]
//! isa = "RV64GCV_Zfh_Zvfh"
// `fma` and `mad` of halves are instructions; that of floats is the library's.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
half f(half x, half y, half3 *z, float *w) {
  *z = fma(*z, *z, *z);
  *w = fma(*w, *w, *w);
  return mad(x, y, x);
}
kernel void k(global half *a, global half3 *b, global float *c) {
  half3 z = b[0];
  float w = c[0];
  a[0] = f(a[0], a[1], &z, &w);
  b[0] = z;
  c[0] = w;
}
//---- expected ----
// ; Function Attrs: nounwind
// define dso_local half @f(half noundef %x, half noundef %y, ptr addrspace(4) noundef %z, ptr addrspace(4) noundef %w) #0 {
// entry:
//   %x.addr = alloca half, align 2
//   %y.addr = alloca half, align 2
//   %z.addr = alloca ptr addrspace(4), align 8
//   %w.addr = alloca ptr addrspace(4), align 8
//   store half %x, ptr %x.addr, align 2, !tbaa !7
//   store half %y, ptr %y.addr, align 2, !tbaa !7
//   store ptr addrspace(4) %z, ptr %z.addr, align 8, !tbaa !9
//   store ptr addrspace(4) %w, ptr %w.addr, align 8, !tbaa !11
//   %0 = load ptr addrspace(4), ptr %z.addr, align 8, !tbaa !9
//   %loadVecN = load <4 x half>, ptr addrspace(4) %0, align 8
//   %extractVec = shufflevector <4 x half> %loadVecN, <4 x half> poison, <3 x i32> <i32 0, i32 1, i32 2>
//   %1 = load ptr addrspace(4), ptr %z.addr, align 8, !tbaa !9
//   %loadVecN1 = load <4 x half>, ptr addrspace(4) %1, align 8
//   %extractVec2 = shufflevector <4 x half> %loadVecN1, <4 x half> poison, <3 x i32> <i32 0, i32 1, i32 2>
//   %2 = load ptr addrspace(4), ptr %z.addr, align 8, !tbaa !9
//   %loadVecN3 = load <4 x half>, ptr addrspace(4) %2, align 8
//   %extractVec4 = shufflevector <4 x half> %loadVecN3, <4 x half> poison, <3 x i32> <i32 0, i32 1, i32 2>
//   %3 = call <3 x half> @llvm.fma.v3f16(<3 x half> %extractVec, <3 x half> %extractVec2, <3 x half> %extractVec4)
//   %4 = load ptr addrspace(4), ptr %z.addr, align 8, !tbaa !9
//   %extractVec5 = shufflevector <3 x half> %3, <3 x half> undef, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
//   store <4 x half> %extractVec5, ptr addrspace(4) %4, align 8, !tbaa !13
//   %5 = load ptr addrspace(4), ptr %w.addr, align 8, !tbaa !11
//   %6 = load float, ptr addrspace(4) %5, align 4, !tbaa !14
//   %7 = load ptr addrspace(4), ptr %w.addr, align 8, !tbaa !11
//   %8 = load float, ptr addrspace(4) %7, align 4, !tbaa !14
//   %9 = load ptr addrspace(4), ptr %w.addr, align 8, !tbaa !11
//   %10 = load float, ptr addrspace(4) %9, align 4, !tbaa !14
//   %call6 = call float @_Z3fmafff(float noundef %6, float noundef %8, float noundef %10) #1
//   %11 = load ptr addrspace(4), ptr %w.addr, align 8, !tbaa !11
//   store float %call6, ptr addrspace(4) %11, align 4, !tbaa !14
//   %12 = load half, ptr %x.addr, align 2, !tbaa !7
//   %13 = load half, ptr %y.addr, align 2, !tbaa !7
//   %14 = load half, ptr %x.addr, align 2, !tbaa !7
//   %15 = call half @llvm.fma.f16(half %12, half %13, half %14)
//   ret half %15
// }
//
