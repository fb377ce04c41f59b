//! test = "local-registers"
//! functions = ["muxcl.kernel.k.group"]
//! local = [32]
//! cost_model = true
//! cpu = "x86-64-v4"
// The number of steps depends on an argument, so the function stays as it is.
kernel void k(global const uint *in, global uint *out, uint steps) {
  local uint sums[64];
  uint l = get_local_id(0);
  sums[l + 32] = 0;
  sums[l] = in[get_global_id(0)];
  for (uint step = 0; step < steps; step++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint next = sums[l + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[l] += next;
  }
  out[get_global_id(0)] = sums[l];
}
//---- expected ----
// ; Function Attrs: convergent noinline nounwind
// define internal void @muxcl.kernel.k.group(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched, i64 %0, i64 %1, i64 %2) #1 {
// entry:
//   %3 = getelementptr inbounds nuw i8, ptr %sched, i64 112
//   %4 = load ptr, ptr %3, align 8, !invariant.load !5
//   %5 = getelementptr inbounds nuw i8, ptr %4, i64 24
//   %6 = load ptr addrspace(3), ptr %5, align 8, !invariant.load !5
//   %7 = getelementptr inbounds nuw i8, ptr %4, i64 40
//   %8 = load ptr, ptr %7, align 8, !invariant.load !5
//   %9 = load ptr addrspace(1), ptr %packed, align 8, !invariant.load !5
//   %10 = getelementptr inbounds nuw i8, ptr %packed, i64 8
//   %11 = load ptr addrspace(1), ptr %10, align 8, !invariant.load !5
//   %12 = getelementptr inbounds nuw i8, ptr %packed, i64 16
//   %13 = load i32, ptr %12, align 8, !invariant.load !5
//   call void @llvm.experimental.noalias.scope.decl(metadata !12)
//   %.tr = trunc i64 %0 to i32
//   %14 = shl i32 %.tr, 5
//   %15 = icmp eq i32 %13, 0
//   br i1 %15, label %region0.x.i.v.us, label %region0.x.i.v
//
// region0.x.i.v.us:                                 ; preds = %entry, %region0.x.i.v.us
//   %vector.us = phi i64 [ %24, %region0.x.i.v.us ], [ 0, %entry ]
//   %16 = trunc nuw nsw i64 %vector.us to i32
//   %17 = add i32 %14, %16
//   %18 = zext i32 %17 to i64
//   %19 = getelementptr inbounds nuw i32, ptr addrspace(3) %6, i64 %vector.us
//   %20 = getelementptr inbounds nuw i8, ptr addrspace(3) %19, i64 128
//   store <16 x i32> zeroinitializer, ptr addrspace(3) %20, align 4, !tbaa !1, !noalias !12, !llvm.access.group !15
//   %21 = getelementptr inbounds nuw i32, ptr addrspace(1) %9, i64 %18
//   %22 = load <16 x i32>, ptr addrspace(1) %21, align 4, !tbaa !1, !noalias !12, !llvm.access.group !15
//   store <16 x i32> %22, ptr addrspace(3) %19, align 4, !tbaa !1, !noalias !12, !llvm.access.group !15
//   %23 = getelementptr inbounds nuw i32, ptr addrspace(1) %11, i64 %18
//   store <16 x i32> %22, ptr addrspace(1) %23, align 4, !tbaa !1, !noalias !12, !llvm.access.group !15
//   %24 = add nuw nsw i64 %vector.us, 16
//   %25 = icmp eq i64 %vector.us, 0
//   br i1 %25, label %region0.x.i.v.us, label %k.group.exit, !llvm.loop !16
//
// region1.first.i.loopexit:                         ; preds = %region2.x.i.v.us
//   br label %vector.ph, !llvm.loop !17
//
// vector.ph:                                        ; preds = %region1.first.i.loopexit, %region1.first.i.preheader
//   %group.i.0 = phi i32 [ %30, %region1.first.i.loopexit ], [ 0, %region1.first.i.preheader ]
//   br label %vector.body
//
// vector.body:                                      ; preds = %vector.body, %vector.ph
//   %index = phi i64 [ 0, %vector.ph ], [ %index.next, %vector.body ]
//   %26 = getelementptr inbounds nuw i32, ptr %8, i64 %index
//   %27 = getelementptr inbounds nuw i32, ptr addrspace(3) %6, i64 %index
//   %28 = getelementptr inbounds nuw i8, ptr addrspace(3) %27, i64 4
//   %wide.load = load <16 x i32>, ptr addrspace(3) %28, align 4, !tbaa !1, !noalias !12, !llvm.access.group !15
//   store <16 x i32> %wide.load, ptr %26, align 4, !alias.scope !12, !llvm.access.group !15
//   %index.next = add nuw i64 %index, 16
//   %29 = icmp eq i64 %index.next, 32
//   br i1 %29, label %region2.x.i.v.preheader, label %vector.body, !llvm.loop !18
//
// region2.x.i.v.preheader:                          ; preds = %vector.body
//   %30 = add nuw i32 %group.i.0, 1
//   %exitcond24.not = icmp eq i32 %group.i.0, %47
//   br i1 %exitcond24.not, label %region2.x.i.v, label %region2.x.i.v.us
//
// region2.x.i.v.us:                                 ; preds = %region2.x.i.v.preheader, %region2.x.i.v.us
//   %vector7.us = phi i64 [ %36, %region2.x.i.v.us ], [ 0, %region2.x.i.v.preheader ]
//   %31 = getelementptr inbounds nuw i32, ptr addrspace(3) %6, i64 %vector7.us
//   %32 = getelementptr inbounds nuw i32, ptr %8, i64 %vector7.us
//   %33 = load <16 x i32>, ptr %32, align 4, !alias.scope !12, !llvm.access.group !15
//   %34 = load <16 x i32>, ptr addrspace(3) %31, align 4, !tbaa !1, !noalias !12, !llvm.access.group !15
//   %35 = add <16 x i32> %34, %33
//   store <16 x i32> %35, ptr addrspace(3) %31, align 4, !tbaa !1, !noalias !12, !llvm.access.group !15
//   %36 = add nuw nsw i64 %vector7.us, 16
//   %37 = icmp eq i64 %vector7.us, 0
//   br i1 %37, label %region2.x.i.v.us, label %region1.first.i.loopexit, !llvm.loop !17
//
// k.group.exit:                                     ; preds = %region2.x.i.v, %region0.x.i.v.us
//   ret void
//
// region0.x.i.v:                                    ; preds = %entry, %region0.x.i.v
//   %vector = phi i64 [ %45, %region0.x.i.v ], [ 0, %entry ]
//   %38 = trunc nuw nsw i64 %vector to i32
//   %39 = add i32 %14, %38
//   %40 = zext i32 %39 to i64
//   %41 = getelementptr inbounds nuw i32, ptr addrspace(3) %6, i64 %vector
//   %42 = getelementptr inbounds nuw i8, ptr addrspace(3) %41, i64 128
//   store <16 x i32> zeroinitializer, ptr addrspace(3) %42, align 4, !tbaa !1, !noalias !12, !llvm.access.group !15
//   %43 = getelementptr inbounds nuw i32, ptr addrspace(1) %9, i64 %40
//   %44 = load <16 x i32>, ptr addrspace(1) %43, align 4, !tbaa !1, !noalias !12, !llvm.access.group !15
//   store <16 x i32> %44, ptr addrspace(3) %41, align 4, !tbaa !1, !noalias !12, !llvm.access.group !15
//   %45 = add nuw nsw i64 %vector, 16
//   %46 = icmp eq i64 %vector, 0
//   br i1 %46, label %region0.x.i.v, label %region1.first.i.preheader, !llvm.loop !16
//
// region1.first.i.preheader:                        ; preds = %region0.x.i.v
//   %47 = add i32 %13, -1
//   br label %vector.ph
//
// region2.x.i.v:                                    ; preds = %region2.x.i.v.preheader, %region2.x.i.v
//   %vector7 = phi i64 [ %57, %region2.x.i.v ], [ 0, %region2.x.i.v.preheader ]
//   %48 = getelementptr inbounds nuw i32, ptr addrspace(3) %6, i64 %vector7
//   %49 = getelementptr inbounds nuw i32, ptr %8, i64 %vector7
//   %50 = load <16 x i32>, ptr %49, align 4, !alias.scope !12, !llvm.access.group !15
//   %51 = load <16 x i32>, ptr addrspace(3) %48, align 4, !tbaa !1, !noalias !12, !llvm.access.group !15
//   %52 = add <16 x i32> %51, %50
//   store <16 x i32> %52, ptr addrspace(3) %48, align 4, !tbaa !1, !noalias !12, !llvm.access.group !15
//   %53 = trunc nuw nsw i64 %vector7 to i32
//   %54 = add i32 %14, %53
//   %55 = zext i32 %54 to i64
//   %56 = getelementptr inbounds nuw i32, ptr addrspace(1) %11, i64 %55
//   store <16 x i32> %52, ptr addrspace(1) %56, align 4, !tbaa !1, !noalias !12, !llvm.access.group !15
//   %57 = add nuw nsw i64 %vector7, 16
//   %58 = icmp eq i64 %vector7, 0
//   br i1 %58, label %region2.x.i.v, label %k.group.exit, !llvm.loop !17
// }
//
