//! test = "defined-phis"
//! functions = ["muxcl.kernel.k.groups"]
//! isa = "RV64GCV"
//! lanes = 4
//! local = [2]
// The vector `last` is undefined before the first iteration. It starts as zero instead.
kernel void k(global float *a, global const float *in) {
  size_t l = get_local_id(0);
  float last;
  for (int i = 0; in[i] > 0; i++) {
    a[i * 8 + l] = last;
    last = in[l] * i;
  }
}
//---- expected ----
// ; Function Attrs: noinline nounwind
// define internal void @muxcl.kernel.k.groups(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #0 {
// entry:
//   %0 = load i64, ptr %sched, align 8, !invariant.load !5
//   %1 = getelementptr inbounds nuw i8, ptr %sched, i64 8
//   %2 = load i64, ptr %1, align 8, !invariant.load !5
//   %3 = getelementptr inbounds nuw i8, ptr %sched, i64 16
//   %4 = load i64, ptr %3, align 8, !invariant.load !5
//   %5 = getelementptr inbounds nuw i8, ptr %sched, i64 88
//   %6 = load i64, ptr %5, align 8, !invariant.load !5
//   %7 = getelementptr inbounds nuw i8, ptr %sched, i64 96
//   %8 = load i64, ptr %7, align 8, !invariant.load !5
//   %9 = getelementptr inbounds nuw i8, ptr %sched, i64 104
//   %10 = load i64, ptr %9, align 8, !invariant.load !5
//   %11 = getelementptr inbounds nuw i8, ptr %sched, i64 112
//   %12 = load ptr, ptr %11, align 8, !invariant.load !5
//   %13 = load i64, ptr %12, align 8, !invariant.load !5
//   %14 = load ptr addrspace(1), ptr %packed, align 8, !invariant.load !5
//   %15 = getelementptr inbounds nuw i8, ptr %packed, i64 8
//   %16 = load ptr addrspace(1), ptr %15, align 8, !invariant.load !5
//   %17 = add nuw i64 %0, %6
//   %18 = add nuw i64 %2, %8
//   %19 = add nuw i64 %4, %10
//   %20 = load float, ptr addrspace(1) %16, align 4, !tbaa !6, !llvm.access.group !8
//   %21 = fcmp ogt float %20, 0.000000e+00
//   br i1 %21, label %group.z, label %exit
//
// exit:                                             ; preds = %group.next1, %entry
//   ret void
//
// group.zthread-pre-split:                          ; preds = %group.next1
//   %.pr = load float, ptr addrspace(1) %16, align 4, !tbaa !6
//   br label %group.z
//
// group.z:                                          ; preds = %entry, %group.zthread-pre-split
//   %22 = phi float [ %.pr, %group.zthread-pre-split ], [ %20, %entry ]
//   %gz = phi i64 [ %33, %group.zthread-pre-split ], [ %4, %entry ]
//   %23 = fcmp ogt float %22, 0.000000e+00
//   br i1 %23, label %group.y, label %group.next1
//
// group.y:                                          ; preds = %group.z, %group.next
//   %gy = phi i64 [ %31, %group.next ], [ %2, %group.z ]
//   %24 = load float, ptr addrspace(1) %16, align 4, !tbaa !6, !llvm.access.group !8
//   %25 = fcmp ogt float %24, 0.000000e+00
//   br i1 %25, label %group.x, label %group.next
//
// group.xthread-pre-split:                          ; preds = %vector.leave
//   %.pr15 = load float, ptr addrspace(1) %16, align 4, !tbaa !6
//   br label %group.x
//
// group.x:                                          ; preds = %group.y, %group.xthread-pre-split
//   %26 = phi float [ %.pr15, %group.xthread-pre-split ], [ %24, %group.y ]
//   %gx = phi i64 [ %42, %group.xthread-pre-split ], [ %0, %group.y ]
//   %27 = shl nuw i64 %gx, 1
//   %28 = sub i64 %13, %27
//   %29 = call i64 @llvm.umin.i64(i64 %28, i64 2)
//   %30 = fcmp ogt float %26, 0.000000e+00
//   br i1 %30, label %items.x.i.v, label %vector.leave
//
// group.next:                                       ; preds = %vector.leave, %group.y
//   %31 = add nuw i64 %gy, 1
//   %32 = icmp ult i64 %31, %18
//   br i1 %32, label %group.y, label %group.next1, !llvm.loop !9
//
// group.next1:                                      ; preds = %group.next, %group.z
//   %33 = add nuw i64 %gz, 1
//   %34 = icmp ult i64 %33, %19
//   br i1 %34, label %group.zthread-pre-split, label %exit, !llvm.loop !14
//
// items.x.i.v:                                      ; preds = %group.x, %edge3
//   %vector = phi i64 [ %52, %edge3 ], [ 0, %group.x ]
//   %35 = sub i64 %29, %vector
//   %36 = call i64 @llvm.riscv.vsetvli.i64(i64 %35, i64 2, i64 0)
//   %37 = trunc nuw i64 %36 to i32
//   %38 = load float, ptr addrspace(1) %16, align 4, !tbaa !6, !llvm.access.group !8
//   %39 = fcmp ogt float %38, 0.000000e+00
//   br i1 %39, label %edge.lr.ph, label %edge3
//
// edge.lr.ph:                                       ; preds = %items.x.i.v
//   %40 = getelementptr float, ptr addrspace(1) %14, i64 %vector
//   %41 = getelementptr inbounds nuw float, ptr addrspace(1) %16, i64 %vector
//   br label %edge
//
// vector.leave:                                     ; preds = %edge3, %group.x
//   %42 = add nuw i64 %gx, 1
//   %43 = icmp ult i64 %42, %17
//   br i1 %43, label %group.xthread-pre-split, label %group.next, !llvm.loop !15
//
// edge:                                             ; preds = %edge.lr.ph, %edge
//   %indvars.iv = phi i64 [ 0, %edge.lr.ph ], [ %indvars.iv.next, %edge ]
//   %phi2.09 = phi <vscale x 2 x float> [ zeroinitializer, %edge.lr.ph ], [ %48, %edge ]
//   %.idx = shl i64 %indvars.iv, 5
//   %44 = getelementptr i8, ptr addrspace(1) %40, i64 %.idx
//   call void @llvm.vp.store.nxv2f32.p1(<vscale x 2 x float> %phi2.09, ptr addrspace(1) align 4 %44, <vscale x 2 x i1> splat (i1 true), i32 %37), !tbaa !6, !llvm.access.group !8
//   %45 = call <vscale x 2 x float> @llvm.vp.load.nxv2f32.p1(ptr addrspace(1) align 4 %41, <vscale x 2 x i1> splat (i1 true), i32 %37), !tbaa !6, !llvm.access.group !8
//   %46 = trunc nuw nsw i64 %indvars.iv to i32
//   %47 = uitofp nneg i32 %46 to float
//   %.splatinsert = insertelement <vscale x 2 x float> poison, float %47, i64 0
//   %.splat = shufflevector <vscale x 2 x float> %.splatinsert, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
//   %48 = fmul <vscale x 2 x float> %45, %.splat
//   %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
//   %49 = getelementptr inbounds nuw float, ptr addrspace(1) %16, i64 %indvars.iv.next
//   %50 = load float, ptr addrspace(1) %49, align 4, !tbaa !6, !llvm.access.group !8
//   %51 = fcmp ogt float %50, 0.000000e+00
//   br i1 %51, label %edge, label %edge3
//
// edge3:                                            ; preds = %edge, %items.x.i.v
//   %52 = add i64 %vector, %36
//   %53 = icmp ult i64 %52, %29
//   br i1 %53, label %items.x.i.v, label %vector.leave, !llvm.loop !16
// }
//
