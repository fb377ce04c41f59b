//! test = "local-registers"
//! functions = ["muxcl.kernel.k.group"]
//! local = [32]
//! cost_model = true
//! cpu = "x86-64-v4"
// A scan of 32 work-items stays in two registers: shuffles replace the loads at a distance, and no
// access to local or scratch memory remains.
kernel void k(global const uint *in, global uint *out) {
  local uint sums[32];
  uint l = get_local_id(0), size = get_local_size(0);
  sums[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < size; step <<= 1) {
    uint add = l >= step ? sums[l - step] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[l] += add;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = sums[l];
}
//---- expected ----
// ; Function Attrs: convergent noinline nounwind
// define internal void @muxcl.kernel.k.group(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched, i64 %0, i64 %1, i64 %2) #1 {
// straight:
//   %3 = load ptr addrspace(1), ptr %packed, align 8, !invariant.load !5
//   %4 = getelementptr inbounds nuw i8, ptr %packed, i64 8
//   %5 = load ptr addrspace(1), ptr %4, align 8, !invariant.load !5
//   call void @llvm.experimental.noalias.scope.decl(metadata !12)
//   %6 = trunc i64 %0 to i32
//   %7 = shl i32 %6, 5
//   %8 = zext i32 %7 to i64
//   %9 = getelementptr inbounds nuw i32, ptr addrspace(1) %3, i64 %8
//   %10 = load <16 x i32>, ptr addrspace(1) %9, align 4, !tbaa !1, !noalias !12, !llvm.access.group !15
//   %11 = or disjoint i32 %7, 16
//   %12 = zext i32 %11 to i64
//   %13 = getelementptr inbounds nuw i32, ptr addrspace(1) %3, i64 %12
//   %14 = load <16 x i32>, ptr addrspace(1) %13, align 4, !tbaa !1, !noalias !12, !llvm.access.group !15
//   %15 = shufflevector <16 x i32> %10, <16 x i32> poison, <16 x i32> <i32 poison, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14>
//   %16 = select <16 x i1> <i1 false, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <16 x i32> %15, <16 x i32> zeroinitializer
//   %17 = shufflevector <16 x i32> %10, <16 x i32> %14, <16 x i32> <i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30>
//   %18 = add <16 x i32> %10, %16
//   %19 = add <16 x i32> %14, %17
//   %20 = shufflevector <16 x i32> %18, <16 x i32> zeroinitializer, <16 x i32> <i32 16, i32 17, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13>
//   %21 = shufflevector <16 x i32> %18, <16 x i32> %19, <16 x i32> <i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29>
//   %22 = add <16 x i32> %18, %20
//   %23 = add <16 x i32> %19, %21
//   %24 = shufflevector <16 x i32> %22, <16 x i32> zeroinitializer, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11>
//   %25 = shufflevector <16 x i32> %22, <16 x i32> %23, <16 x i32> <i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27>
//   %26 = add <16 x i32> %22, %24
//   %27 = add <16 x i32> %23, %25
//   %28 = shufflevector <16 x i32> %26, <16 x i32> zeroinitializer, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
//   %29 = shufflevector <16 x i32> %26, <16 x i32> %27, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
//   %30 = add <16 x i32> %26, %28
//   %31 = add <16 x i32> %27, %29
//   %32 = add <16 x i32> %31, %30
//   %33 = zext i32 %7 to i64
//   %34 = getelementptr inbounds nuw i32, ptr addrspace(1) %5, i64 %33
//   store <16 x i32> %30, ptr addrspace(1) %34, align 4, !tbaa !1, !noalias !12, !llvm.access.group !15
//   %35 = add i32 %7, 16
//   %36 = zext i32 %35 to i64
//   %37 = getelementptr inbounds nuw i32, ptr addrspace(1) %5, i64 %36
//   store <16 x i32> %32, ptr addrspace(1) %37, align 4, !tbaa !1, !noalias !12, !llvm.access.group !15
//   ret void
// }
//
