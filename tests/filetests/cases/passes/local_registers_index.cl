//! test = "local-registers"
//! functions = ["muxcl.kernel.k.group"]
//! local = [32]
//! cost_model = true
//! cpu = "x86-64-v4"
// The last region reads an element that the data selects. So the last stores to `tile` stay, and
// the stores before them disappear.
kernel void k(global const uint *in, global uint *out) {
  local uint tile[32];
  uint l = get_local_id(0);
  tile[l] = in[get_global_id(0)];
  for (uint step = 0; step < 3; step++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint other = tile[l ^ 16];
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[l] += other >> 1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[tile[l] & 31];
}
//---- expected ----
// ; Function Attrs: convergent noinline nounwind
// define internal void @muxcl.kernel.k.group(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched, i64 %0, i64 %1, i64 %2) #1 {
// straight:
//   %3 = getelementptr inbounds nuw i8, ptr %sched, i64 112
//   %4 = load ptr, ptr %3, align 8, !invariant.load !5
//   %5 = getelementptr inbounds nuw i8, ptr %4, i64 24
//   %6 = load ptr addrspace(3), ptr %5, align 8, !invariant.load !5
//   %7 = load ptr addrspace(1), ptr %packed, align 8, !invariant.load !5
//   %8 = getelementptr inbounds nuw i8, ptr %packed, i64 8
//   %9 = load ptr addrspace(1), ptr %8, align 8, !invariant.load !5
//   call void @llvm.experimental.noalias.scope.decl(metadata !12)
//   %10 = trunc i64 %0 to i32
//   %11 = shl i32 %10, 5
//   %12 = zext i32 %11 to i64
//   %13 = getelementptr inbounds nuw i32, ptr addrspace(1) %7, i64 %12
//   %14 = load <16 x i32>, ptr addrspace(1) %13, align 4, !tbaa !1, !noalias !12, !llvm.access.group !15
//   %15 = or disjoint i32 %11, 16
//   %16 = zext i32 %15 to i64
//   %17 = getelementptr inbounds nuw i32, ptr addrspace(1) %7, i64 %16
//   %18 = load <16 x i32>, ptr addrspace(1) %17, align 4, !tbaa !1, !noalias !12, !llvm.access.group !15
//   %19 = lshr <16 x i32> %18, splat (i32 1)
//   %20 = add <16 x i32> %14, %19
//   %21 = lshr <16 x i32> %14, splat (i32 1)
//   %22 = add <16 x i32> %18, %21
//   %23 = lshr <16 x i32> %22, splat (i32 1)
//   %24 = add <16 x i32> %20, %23
//   %25 = lshr <16 x i32> %20, splat (i32 1)
//   %26 = add <16 x i32> %22, %25
//   %27 = lshr <16 x i32> %26, splat (i32 1)
//   %28 = add <16 x i32> %24, %27
//   store <16 x i32> %28, ptr addrspace(3) %6, align 4, !tbaa !1, !noalias !12, !llvm.access.group !15
//   %29 = getelementptr inbounds nuw i32, ptr addrspace(3) %6, i64 16
//   %30 = lshr <16 x i32> %24, splat (i32 1)
//   %31 = add <16 x i32> %26, %30
//   store <16 x i32> %31, ptr addrspace(3) %29, align 4, !tbaa !1, !noalias !12, !llvm.access.group !15
//   %32 = zext i32 %11 to i64
//   %33 = and <16 x i32> %28, splat (i32 31)
//   %34 = zext nneg <16 x i32> %33 to <16 x i64>
//   %35 = getelementptr inbounds nuw i32, ptr addrspace(3) %6, <16 x i64> %34
//   %36 = call <16 x i32> @llvm.masked.gather.v16i32.v16p3(<16 x ptr addrspace(3)> align 4 %35, <16 x i1> splat (i1 true), <16 x i32> poison), !tbaa !1, !noalias !12, !llvm.access.group !15
//   %37 = getelementptr inbounds nuw i32, ptr addrspace(1) %9, i64 %32
//   store <16 x i32> %36, ptr addrspace(1) %37, align 4, !tbaa !1, !noalias !12, !llvm.access.group !15
//   %38 = or disjoint i32 %11, 16
//   %39 = zext i32 %38 to i64
//   %40 = and <16 x i32> %31, splat (i32 31)
//   %41 = zext nneg <16 x i32> %40 to <16 x i64>
//   %42 = getelementptr inbounds nuw i32, ptr addrspace(3) %6, <16 x i64> %41
//   %43 = call <16 x i32> @llvm.masked.gather.v16i32.v16p3(<16 x ptr addrspace(3)> align 4 %42, <16 x i1> splat (i1 true), <16 x i32> poison), !tbaa !1, !noalias !12, !llvm.access.group !15
//   %44 = getelementptr inbounds nuw i32, ptr addrspace(1) %9, i64 %39
//   store <16 x i32> %43, ptr addrspace(1) %44, align 4, !tbaa !1, !noalias !12, !llvm.access.group !15
//   ret void
// }
//
