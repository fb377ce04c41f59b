//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! lanes = 4
// Work-items copy a tile. The counter `i` of lane 0 is a multiple of 4, so the row and the end of
// the loop are the same in all lanes, and the column keeps its stride: no masks, no gathers.
kernel void k(global const int *in, global int *out, int width) {
  for (int i = get_local_id(0); i < 256; i += 64)
    out[i] = in[i / 16 * width + i % 16];
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #1 {
// entry:
//   %value = alloca i32, align 4
//   %phi = alloca i32, align 4
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
//   %17 = getelementptr inbounds nuw i8, ptr %packed, i64 16
//   %18 = load i32, ptr %17, align 8, !invariant.load !5
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %32, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %29, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %26, %k.group.exit ]
//   %19 = shl nuw i64 %gx, 6
//   %20 = sub i64 %13, %19
//   %21 = call i64 @llvm.umin.i64(i64 %20, i64 64)
//   br label %vector.check
//
// for.cond.i.i:                                     ; preds = %for.body.i.i, %items.x.i
//   %i.i.0.i = phi i32 [ %25, %items.x.i ], [ %add4.i.i, %for.body.i.i ]
//   %cmp.i.i = icmp slt i32 %i.i.0.i, 256
//   br i1 %cmp.i.i, label %for.body.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// for.body.i.i:                                     ; preds = %for.cond.i.i
//   %div.i.i = sdiv i32 %i.i.0.i, 16
//   %mul.i.i = mul nsw i32 %div.i.i, %18
//   %rem.i.i = srem i32 %i.i.0.i, 16
//   %add.i.i = add nsw i32 %mul.i.i, %rem.i.i
//   %idxprom.i.i = sext i32 %add.i.i to i64
//   %arrayidx.i.i = getelementptr inbounds i32, ptr addrspace(1) %14, i64 %idxprom.i.i
//   %22 = load i32, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %idxprom2.i.i = sext i32 %i.i.0.i to i64
//   %arrayidx3.i.i = getelementptr inbounds i32, ptr addrspace(1) %16, i64 %idxprom2.i.i
//   store i32 %22, ptr addrspace(1) %arrayidx3.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %add4.i.i = add nsw i32 %i.i.0.i, 64
//   br label %for.cond.i.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %for.cond.i.i
//   %23 = add nuw i64 %local.x.i, 1
//   %24 = icmp ult i64 %23, %21
//   br i1 %24, label %items.x.i, label %k.group.exit, !llvm.loop !7
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %23, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ %60, %vector.leave ]
//   %25 = trunc i64 %local.x.i to i32
//   br label %for.cond.i.i
//
// k.group.exit:                                     ; preds = %vector.leave, %__clang_ocl_kern_imp_k.exit.i
//   %26 = add nuw i64 %gx, 1
//   %27 = add nuw i64 %0, %6
//   %28 = icmp ult i64 %26, %27
//   br i1 %28, label %group.x, label %group.next, !llvm.loop !11
//
// group.next:                                       ; preds = %k.group.exit
//   %29 = add nuw i64 %gy, 1
//   %30 = add nuw i64 %2, %8
//   %31 = icmp ult i64 %29, %30
//   br i1 %31, label %group.y, label %group.next1, !llvm.loop !12
//
// group.next1:                                      ; preds = %group.next
//   %32 = add nuw i64 %gz, 1
//   %33 = add nuw i64 %4, %10
//   %34 = icmp ult i64 %32, %33
//   br i1 %34, label %group.z, label %exit, !llvm.loop !13
//
// vector.check:                                     ; preds = %group.x
//   %35 = sub i64 %21, 0
//   %36 = and i64 %35, -4
//   %37 = icmp eq i64 %36, 0
//   br i1 %37, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %57, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store i32 poison, ptr %phi, align 4
//   %38 = trunc i64 %vector to i32
//   store i32 %38, ptr %phi, align 4
//   br label %for.cond.i.i.v
//
// for.cond.i.i.v:                                   ; preds = %for.body.i.i.v, %items.x.i.v
//   %39 = load i32, ptr %phi, align 4
//   %40 = icmp slt i32 %39, 256
//   store i32 %39, ptr %value, align 4
//   br i1 %40, label %edge, label %edge2
//
// for.body.i.i.v:                                   ; preds = %edge
//   %41 = load i32, ptr %value, align 4
//   %.splatinsert = insertelement <4 x i32> poison, i32 %41, i64 0
//   %.splat = shufflevector <4 x i32> %.splatinsert, <4 x i32> poison, <4 x i32> zeroinitializer
//   %42 = add <4 x i32> %.splat, <i32 0, i32 1, i32 2, i32 3>
//   %43 = sdiv <4 x i32> %42, splat (i32 16)
//   %.splatinsert3 = insertelement <4 x i32> poison, i32 %18, i64 0
//   %.splat4 = shufflevector <4 x i32> %.splatinsert3, <4 x i32> poison, <4 x i32> zeroinitializer
//   %44 = mul nsw <4 x i32> %43, %.splat4
//   %.splatinsert5 = insertelement <4 x i32> poison, i32 %41, i64 0
//   %.splat6 = shufflevector <4 x i32> %.splatinsert5, <4 x i32> poison, <4 x i32> zeroinitializer
//   %45 = add <4 x i32> %.splat6, <i32 0, i32 1, i32 2, i32 3>
//   %46 = srem <4 x i32> %45, splat (i32 16)
//   %47 = add nsw <4 x i32> %44, %46
//   %48 = sext <4 x i32> %47 to <4 x i64>
//   %49 = getelementptr inbounds i32, ptr addrspace(1) %14, <4 x i64> %48
//   %50 = call <4 x i32> @llvm.masked.gather.v4i32.v4p1(<4 x ptr addrspace(1)> align 4 %49, <4 x i1> splat (i1 true), <4 x i32> poison), !tbaa !1, !llvm.access.group !6
//   %51 = sext i32 %41 to i64
//   %52 = getelementptr inbounds i32, ptr addrspace(1) %16, i64 %51
//   store <4 x i32> %50, ptr addrspace(1) %52, align 4, !tbaa !1, !llvm.access.group !6
//   %53 = add nsw i32 %41, 64
//   store i32 %53, ptr %phi, align 4
//   br label %for.cond.i.i.v
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %edge2
//   %54 = add nuw i64 %vector, 1
//   %.splatinsert7 = insertelement <4 x i64> poison, i64 %54, i64 0
//   %.splat8 = shufflevector <4 x i64> %.splatinsert7, <4 x i64> poison, <4 x i32> zeroinitializer
//   %55 = add <4 x i64> %.splat8, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert9 = insertelement <4 x i64> poison, i64 %21, i64 0
//   %.splat10 = shufflevector <4 x i64> %.splatinsert9, <4 x i64> poison, <4 x i32> zeroinitializer
//   %56 = icmp ult <4 x i64> %55, %.splat10
//   %57 = add i64 %vector, 4
//   %58 = sub i64 %57, 0
//   %59 = icmp ult i64 %58, %36
//   br i1 %59, label %items.x.i.v, label %vector.leave, !llvm.loop !14
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %60 = add i64 0, %36
//   %61 = icmp ne i64 %36, %35
//   br i1 %61, label %items.x.i, label %k.group.exit
//
// edge:                                             ; preds = %for.cond.i.i.v
//   br label %for.body.i.i.v
//
// edge2:                                            ; preds = %for.cond.i.i.v
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//
