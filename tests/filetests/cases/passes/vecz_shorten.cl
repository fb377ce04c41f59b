//! test = "canonical-loops"
//! functions = ["muxcl.kernel.k.group"]
//! local = [256]
//! cost_model = true
//! cpu = "x86-64-v4"
// A tree in local memory. The loop of the region after a barrier ends at `s`, or after work-item 0
// if `s` is 0. The sum is read once for all work-items.
kernel void k(global const float *in, global float *out) {
  local float tile[256], sum;
  uint l = get_local_id(0);
  tile[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = 128; s > 0; s >>= 1) {
    if (l < s) tile[l] += tile[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) sum = sqrt(tile[0]);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = sum;
}
//---- expected ----
// ; Function Attrs: convergent noinline nounwind
// define internal void @muxcl.kernel.k.group(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched, i64 %0, i64 %1, i64 %2) #4 {
// entry:
//   %group.i = alloca i32, align 4
//   %group.item.i = alloca i32, align 4
//   %3 = getelementptr inbounds nuw i8, ptr %sched, i64 112
//   %4 = load ptr, ptr %3, align 8, !invariant.load !5
//   %5 = getelementptr inbounds nuw i8, ptr %4, i64 24
//   %6 = load ptr addrspace(3), ptr %5, align 8, !invariant.load !5
//   %7 = load ptr addrspace(1), ptr %packed, align 8, !invariant.load !5
//   %8 = getelementptr inbounds nuw i8, ptr %packed, i64 8
//   %9 = load ptr addrspace(1), ptr %8, align 8, !invariant.load !5
//   call void @llvm.lifetime.start.p0(ptr nonnull %group.i)
//   call void @llvm.lifetime.start.p0(ptr nonnull %group.item.i)
//   %10 = shl nuw i64 %0, 8
//   br label %region0.x.i
//
// region0.x.i:                                      ; preds = %region0.x.i, %entry
//   %local.x.i = phi i64 [ 0, %entry ], [ %13, %region0.x.i ]
//   %.masked = and i64 %10, 4294967040
//   %11 = getelementptr inbounds nuw float, ptr addrspace(1) %7, i64 %.masked
//   %arrayidx.i.r0.i = getelementptr inbounds nuw float, ptr addrspace(1) %11, i64 %local.x.i
//   %12 = load float, ptr addrspace(1) %arrayidx.i.r0.i, align 4, !tbaa !12, !llvm.access.group !14
//   %arrayidx2.i.r0.i = getelementptr inbounds nuw float, ptr addrspace(3) %6, i64 %local.x.i
//   store float %12, ptr addrspace(3) %arrayidx2.i.r0.i, align 4, !tbaa !12, !llvm.access.group !14
//   %13 = add nuw nsw i64 %local.x.i, 1
//   %14 = icmp samesign ult i64 %local.x.i, 255
//   br i1 %14, label %region0.x.i, label %region0.next.i, !llvm.loop !15
//
// region0.next.i:                                   ; preds = %region0.x.i
//   store i32 128, ptr %group.item.i, align 4
//   br label %region1.x.i
//
// region1.x.i:                                      ; preds = %region1.x.i, %region0.next.i
//   %local.x5.i = phi i64 [ 0, %region0.next.i ], [ %18, %region1.x.i ]
//   %15 = getelementptr inbounds nuw float, ptr addrspace(3) %6, i64 %local.x5.i
//   %arrayidx7.i.r1.i = getelementptr inbounds nuw i8, ptr addrspace(3) %15, i64 512
//   %16 = load float, ptr addrspace(3) %arrayidx7.i.r1.i, align 4, !tbaa !12, !llvm.access.group !14
//   %17 = load float, ptr addrspace(3) %15, align 4, !tbaa !12, !llvm.access.group !14
//   %add10.i.r1.i = fadd float %17, %16
//   store float %add10.i.r1.i, ptr addrspace(3) %15, align 4, !tbaa !12, !llvm.access.group !14
//   %18 = add nuw nsw i64 %local.x5.i, 1
//   %19 = icmp samesign ult i64 %local.x5.i, 127
//   br i1 %19, label %region1.x.i, label %region1.next.i, !llvm.loop !18
//
// region1.next.i:                                   ; preds = %region1.x.i
//   %20 = load i32, ptr %group.item.i, align 4
//   store i32 %20, ptr %group.i, align 4
//   br label %region2.first.i
//
// region2.first.i:                                  ; preds = %region1.next.i, %shortened
//   %21 = load i32, ptr %group.i, align 4
//   %22 = lshr i32 %21, 1
//   %23 = icmp eq i32 %22, 0
//   %24 = call i32 @llvm.umin.i32(i32 %22, i32 256)
//   %narrow = select i1 %23, i32 1, i32 %24
//   %25 = zext nneg i32 %narrow to i64
//   store i32 %22, ptr %group.item.i, align 4
//   %.not = icmp eq i32 %narrow, 0
//   br i1 %.not, label %shortened, label %region2.x.i.preheader
//
// region2.x.i.preheader:                            ; preds = %region2.first.i
//   br label %region2.x.i
//
// region2.x.i:                                      ; preds = %region2.x.i.preheader, %region2.latch.i
//   %local.x6.i = phi i64 [ %26, %region2.latch.i ], [ 0, %region2.x.i.preheader ]
//   br i1 %23, label %for.cond.cleanup.i.r2.i, label %for.body.i.r2.i
//
// region2.latch.i:                                  ; preds = %for.cond.cleanup.i.r2.i, %for.body.i.r2.i
//   %26 = add nuw nsw i64 %local.x6.i, 1
//   %27 = icmp samesign ult i64 %26, %25
//   br i1 %27, label %region2.x.i, label %shortened.loopexit, !llvm.loop !19
//
// shortened.loopexit:                               ; preds = %region2.latch.i
//   br label %shortened
//
// shortened:                                        ; preds = %shortened.loopexit, %region2.first.i
//   %28 = load i32, ptr %group.item.i, align 4
//   store i32 %28, ptr %group.i, align 4
//   br i1 %23, label %region3.x.i.preheader, label %region2.first.i
//
// region3.x.i.preheader:                            ; preds = %shortened
//   br label %region3.x.i
//
// region3.x.i:                                      ; preds = %region3.x.i.preheader, %region3.x.i
//   %local.x7.i = phi i64 [ %32, %region3.x.i ], [ 0, %region3.x.i.preheader ]
//   %29 = getelementptr inbounds nuw i8, ptr addrspace(3) %6, i64 1024
//   %30 = load float, ptr addrspace(3) %29, align 4, !tbaa !12, !llvm.access.group !14
//   %31 = getelementptr inbounds nuw float, ptr addrspace(1) %9, i64 %10
//   %arrayidx17.i.r3.i = getelementptr inbounds nuw float, ptr addrspace(1) %31, i64 %local.x7.i
//   store float %30, ptr addrspace(1) %arrayidx17.i.r3.i, align 4, !tbaa !12, !llvm.access.group !14
//   %32 = add nuw nsw i64 %local.x7.i, 1
//   %33 = icmp samesign ult i64 %local.x7.i, 255
//   br i1 %33, label %region3.x.i, label %k.group.exit, !llvm.loop !20
//
// for.body.i.r2.i:                                  ; preds = %region2.x.i
//   %34 = getelementptr inbounds nuw float, ptr addrspace(3) %6, i64 %local.x6.i
//   %35 = trunc nuw nsw i64 %local.x6.i to i32
//   %add.i.r2.i = add nuw i32 %22, %35
//   %idxprom6.i.r2.i = zext i32 %add.i.r2.i to i64
//   %arrayidx7.i.r2.i = getelementptr inbounds nuw float, ptr addrspace(3) %6, i64 %idxprom6.i.r2.i
//   %36 = load float, ptr addrspace(3) %arrayidx7.i.r2.i, align 4, !tbaa !12, !llvm.access.group !14
//   %37 = load float, ptr addrspace(3) %34, align 4, !tbaa !12, !llvm.access.group !14
//   %add10.i.r2.i = fadd float %37, %36
//   store float %add10.i.r2.i, ptr addrspace(3) %34, align 4, !tbaa !12, !llvm.access.group !14
//   br label %region2.latch.i
//
// for.cond.cleanup.i.r2.i:                          ; preds = %region2.x.i
//   %38 = getelementptr inbounds nuw i8, ptr addrspace(3) %6, i64 1024
//   %39 = load float, ptr addrspace(3) %6, align 4, !tbaa !12, !llvm.access.group !14
//   %40 = call noundef float @llvm.sqrt.f32(float %39), !fpmath !21
//   store float %40, ptr addrspace(3) %38, align 4, !tbaa !12, !llvm.access.group !14
//   br label %region2.latch.i
//
// k.group.exit:                                     ; preds = %region3.x.i
//   call void @llvm.lifetime.end.p0(ptr nonnull %group.i)
//   call void @llvm.lifetime.end.p0(ptr nonnull %group.item.i)
//   ret void
// }
//
