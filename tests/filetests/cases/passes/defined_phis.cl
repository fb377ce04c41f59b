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
//   %17 = call i64 @llvm.vscale.i64()
//   %18 = shl i64 %17, 1
//   %19 = sub i64 0, %18
//   %20 = add nuw i64 %0, %6
//   %21 = add nuw i64 %2, %8
//   %22 = add nuw i64 %4, %10
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %33, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %31, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %29, %k.group.exit ]
//   %23 = shl nuw i64 %gx, 1
//   %24 = sub i64 %13, %23
//   %25 = call i64 @llvm.umin.i64(i64 %24, i64 2)
//   %26 = and i64 %25, %19
//   %27 = icmp eq i64 %26, 0
//   %.pre47 = load float, ptr addrspace(1) %16, align 4, !tbaa !6, !llvm.access.group !8
//   br i1 %27, label %rest.enter, label %items.x.i.v.preheader
//
// items.x.i.v.preheader:                            ; preds = %group.x
//   %28 = fcmp ogt float %.pre47, 0.000000e+00
//   br i1 %28, label %items.x.i.v, label %vector.leave
//
// k.group.exit:                                     ; preds = %edge26, %rest.enter, %vector.leave
//   %29 = add nuw i64 %gx, 1
//   %30 = icmp ult i64 %29, %20
//   br i1 %30, label %group.x, label %group.next, !llvm.loop !9
//
// group.next:                                       ; preds = %k.group.exit
//   %31 = add nuw i64 %gy, 1
//   %32 = icmp ult i64 %31, %21
//   br i1 %32, label %group.y, label %group.next1, !llvm.loop !13
//
// group.next1:                                      ; preds = %group.next
//   %33 = add nuw i64 %gz, 1
//   %34 = icmp ult i64 %33, %22
//   br i1 %34, label %group.z, label %exit, !llvm.loop !14
//
// items.x.i.vthread-pre-split:                      ; preds = %edge6
//   %.pr = load float, ptr addrspace(1) %16, align 4, !tbaa !6
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %items.x.i.v.preheader, %items.x.i.vthread-pre-split
//   %35 = phi float [ %.pr, %items.x.i.vthread-pre-split ], [ %.pre47, %items.x.i.v.preheader ]
//   %vector = phi i64 [ %47, %items.x.i.vthread-pre-split ], [ 0, %items.x.i.v.preheader ]
//   %36 = fcmp ogt float %35, 0.000000e+00
//   br i1 %36, label %edge.lr.ph, label %edge6
//
// edge.lr.ph:                                       ; preds = %items.x.i.v
//   %37 = getelementptr float, ptr addrspace(1) %14, i64 %vector
//   %38 = getelementptr inbounds nuw float, ptr addrspace(1) %16, i64 %vector
//   br label %edge
//
// vector.leave:                                     ; preds = %edge6, %items.x.i.v.preheader
//   %.not = icmp eq i64 %26, %25
//   br i1 %.not, label %k.group.exit, label %vector.leave.rest.enter_crit_edge
//
// vector.leave.rest.enter_crit_edge:                ; preds = %vector.leave
//   %.pre = load float, ptr addrspace(1) %16, align 4, !tbaa !6, !llvm.access.group !8
//   br label %rest.enter
//
// edge:                                             ; preds = %edge.lr.ph, %edge
//   %indvars.iv = phi i64 [ 0, %edge.lr.ph ], [ %indvars.iv.next, %edge ]
//   %phi2.038 = phi <vscale x 2 x float> [ zeroinitializer, %edge.lr.ph ], [ %43, %edge ]
//   %.idx = shl i64 %indvars.iv, 5
//   %39 = getelementptr i8, ptr addrspace(1) %37, i64 %.idx
//   store <vscale x 2 x float> %phi2.038, ptr addrspace(1) %39, align 4, !tbaa !6, !llvm.access.group !8
//   %40 = load <vscale x 2 x float>, ptr addrspace(1) %38, align 4, !tbaa !6, !llvm.access.group !8
//   %41 = trunc nuw nsw i64 %indvars.iv to i32
//   %42 = uitofp nneg i32 %41 to float
//   %.splatinsert = insertelement <vscale x 2 x float> poison, float %42, i64 0
//   %.splat = shufflevector <vscale x 2 x float> %.splatinsert, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
//   %43 = fmul <vscale x 2 x float> %40, %.splat
//   %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
//   %44 = getelementptr inbounds nuw float, ptr addrspace(1) %16, i64 %indvars.iv.next
//   %45 = load float, ptr addrspace(1) %44, align 4, !tbaa !6, !llvm.access.group !8
//   %46 = fcmp ogt float %45, 0.000000e+00
//   br i1 %46, label %edge, label %edge6
//
// edge6:                                            ; preds = %edge, %items.x.i.v
//   %47 = add i64 %vector, %18
//   %48 = icmp ult i64 %47, %26
//   br i1 %48, label %items.x.i.vthread-pre-split, label %vector.leave, !llvm.loop !15
//
// rest.enter:                                       ; preds = %vector.leave.rest.enter_crit_edge, %group.x
//   %49 = phi float [ %.pre, %vector.leave.rest.enter_crit_edge ], [ %.pre47, %group.x ]
//   %50 = sub nsw i64 %25, %26
//   %51 = trunc nsw i64 %50 to i32
//   %52 = call <vscale x 2 x i32> @llvm.stepvector.nxv2i32()
//   %.splatinsert18 = insertelement <vscale x 2 x i32> poison, i32 %51, i64 0
//   %.splat19 = shufflevector <vscale x 2 x i32> %.splatinsert18, <vscale x 2 x i32> poison, <vscale x 2 x i32> zeroinitializer
//   %53 = icmp ult <vscale x 2 x i32> %52, %.splat19
//   %.fr40 = freeze float %49
//   %54 = fcmp ogt float %.fr40, 0.000000e+00
//   br i1 %54, label %edge26.lr.ph, label %k.group.exit
//
// edge26.lr.ph:                                     ; preds = %rest.enter
//   %55 = getelementptr float, ptr addrspace(1) %14, i64 %26
//   %56 = getelementptr float, ptr addrspace(1) %16, i64 %26
//   br label %edge26
//
// edge26:                                           ; preds = %edge26.lr.ph, %edge26
//   %indvars.iv45 = phi i64 [ 0, %edge26.lr.ph ], [ %indvars.iv.next46, %edge26 ]
//   %phi21.041 = phi <vscale x 2 x float> [ zeroinitializer, %edge26.lr.ph ], [ %61, %edge26 ]
//   %.idx48 = shl i64 %indvars.iv45, 5
//   %57 = getelementptr i8, ptr addrspace(1) %55, i64 %.idx48
//   call void @llvm.masked.store.nxv2f32.p1(<vscale x 2 x float> %phi21.041, ptr addrspace(1) align 4 %57, <vscale x 2 x i1> %53), !tbaa !6, !llvm.access.group !8
//   %58 = call <vscale x 2 x float> @llvm.masked.load.nxv2f32.p1(ptr addrspace(1) align 4 %56, <vscale x 2 x i1> %53, <vscale x 2 x float> poison), !tbaa !6, !llvm.access.group !8
//   %59 = trunc nuw nsw i64 %indvars.iv45 to i32
//   %60 = uitofp nneg i32 %59 to float
//   %.splatinsert30 = insertelement <vscale x 2 x float> poison, float %60, i64 0
//   %.splat31 = shufflevector <vscale x 2 x float> %.splatinsert30, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
//   %61 = fmul <vscale x 2 x float> %58, %.splat31
//   %indvars.iv.next46 = add nuw nsw i64 %indvars.iv45, 1
//   %62 = getelementptr inbounds nuw float, ptr addrspace(1) %16, i64 %indvars.iv.next46
//   %63 = load float, ptr addrspace(1) %62, align 4, !tbaa !6, !llvm.access.group !8
//   %.fr = freeze float %63
//   %64 = fcmp ogt float %.fr, 0.000000e+00
//   br i1 %64, label %edge26, label %k.group.exit
// }
//
