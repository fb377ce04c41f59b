//! test = "local-registers"
//! functions = ["muxcl.kernel.k.groups.group"]
//! isa = "RV64GCV"
//! vlen = 512
//! local = [64]
//! cost_model = true
// LLVM's loop vectorizer loads the scratch memory as scalable vectors, which may read every element
// that the scalar loop with the fence has stored. So all these stores stay.
kernel void k(global int *data, global int *out) {
  size_t g = get_global_id(0), l = get_local_id(0);
  data[g] = (int)g + 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  int value = data[g - l + (l + 1) % 64];
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[g] = value;
}
//---- expected ----
// ; Function Attrs: convergent noinline nounwind vscale_range(8,8)
// define internal void @muxcl.kernel.k.groups.group(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched, i64 %0, i64 %1, i64 %2) #0 {
// entry:
//   %3 = getelementptr inbounds nuw i8, ptr %sched, i64 112
//   %4 = load ptr, ptr %3, align 8, !invariant.load !5
//   %5 = getelementptr inbounds nuw i8, ptr %4, i64 40
//   %6 = load ptr, ptr %5, align 8, !invariant.load !5
//   %7 = load ptr addrspace(1), ptr %packed, align 8, !invariant.load !5
//   %8 = getelementptr inbounds nuw i8, ptr %packed, i64 8
//   %9 = load ptr addrspace(1), ptr %8, align 8, !invariant.load !5
//   call void @llvm.experimental.noalias.scope.decl(metadata !12)
//   %10 = shl nuw i64 %0, 6
//   %broadcast.splatinsert = insertelement <vscale x 4 x i64> poison, i64 %10, i64 0
//   %broadcast.splat = shufflevector <vscale x 4 x i64> %broadcast.splatinsert, <vscale x 4 x i64> poison, <vscale x 4 x i32> zeroinitializer
//   %11 = call <vscale x 4 x i64> @llvm.stepvector.nxv4i64()
//   br label %vector.body
//
// vector.body:                                      ; preds = %vector.body, %entry
//   %index = phi i64 [ 0, %entry ], [ %index.next, %vector.body ]
//   %vec.ind = phi <vscale x 4 x i64> [ %11, %entry ], [ %vec.ind.next, %vector.body ]
//   %12 = or disjoint <vscale x 4 x i64> %broadcast.splat, %vec.ind
//   %13 = extractelement <vscale x 4 x i64> %12, i64 0
//   %14 = trunc <vscale x 4 x i64> %12 to <vscale x 4 x i32>
//   %15 = and i64 %13, 4294967295
//   %16 = add nsw <vscale x 4 x i32> %14, splat (i32 1)
//   %17 = getelementptr inbounds nuw i32, ptr addrspace(1) %7, i64 %15
//   store <vscale x 4 x i32> %16, ptr addrspace(1) %17, align 4, !tbaa !1, !noalias !12, !llvm.access.group !15
//   %index.next = add nuw i64 %index, 32
//   %vec.ind.next = add nuw nsw <vscale x 4 x i64> %vec.ind, splat (i64 32)
//   %18 = icmp eq i64 %index.next, 64
//   br i1 %18, label %region1.x.i.preheader, label %vector.body, !llvm.loop !16
//
// region1.x.i.preheader:                            ; preds = %vector.body
//   %19 = getelementptr i32, ptr addrspace(1) %7, i64 %10
//   br label %region1.x.i
//
// region1.x.i:                                      ; preds = %region1.x.i.preheader, %region1.x.i
//   %local.x3.i = phi i64 [ %add2.i.r1.i, %region1.x.i ], [ 0, %region1.x.i.preheader ]
//   %20 = getelementptr inbounds nuw i32, ptr %6, i64 %local.x3.i
//   %add2.i.r1.i = add i64 %local.x3.i, 1
//   %rem.i.r1.i = and i64 %add2.i.r1.i, 63
//   %arrayidx4.i.r1.i = getelementptr i32, ptr addrspace(1) %19, i64 %rem.i.r1.i
//   %21 = load i32, ptr addrspace(1) %arrayidx4.i.r1.i, align 4, !tbaa !1, !noalias !12, !llvm.access.group !15
//   store i32 %21, ptr %20, align 4, !alias.scope !12, !llvm.access.group !15
//   fence acq_rel
//   %exitcond1.not = icmp eq i64 %add2.i.r1.i, 64
//   br i1 %exitcond1.not, label %region2.x.i.preheader, label %region1.x.i, !llvm.loop !21
//
// region2.x.i.preheader:                            ; preds = %region1.x.i
//   %22 = getelementptr inbounds nuw i32, ptr addrspace(1) %9, i64 %10
//   br label %vector.body9
//
// vector.body9:                                     ; preds = %vector.body9, %region2.x.i.preheader
//   %index10 = phi i64 [ 0, %region2.x.i.preheader ], [ %index.next11, %vector.body9 ]
//   %23 = getelementptr inbounds nuw i32, ptr %6, i64 %index10
//   %wide.load = load <vscale x 4 x i32>, ptr %23, align 4, !alias.scope !12, !llvm.access.group !15
//   %24 = getelementptr inbounds nuw i32, ptr addrspace(1) %22, i64 %index10
//   store <vscale x 4 x i32> %wide.load, ptr addrspace(1) %24, align 4, !tbaa !1, !noalias !12, !llvm.access.group !15
//   %index.next11 = add nuw i64 %index10, 32
//   %25 = icmp eq i64 %index.next11, 64
//   br i1 %25, label %k.group.exit, label %vector.body9, !llvm.loop !22
//
// k.group.exit:                                     ; preds = %vector.body9
//   ret void
// }
//
