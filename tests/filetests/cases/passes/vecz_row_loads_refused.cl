//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [4]
//! lanes = 4
// The first loop writes memory that later iterations may read. The index of the second one may wrap,
// so the addresses may not be consecutive. Both keep their gathers.
kernel void k(global float *a, global float *y, int n, uint m) {
  int row = get_global_id(0);
  float sum = 0.0f;
  for (int i = 0; i < n; i++) {
    sum += a[row * n + i];
    y[i] = 1.0f;
  }
  for (uint i = 0; i < m; i++) sum += a[(uint)row * m + i];
  y[row] = sum;
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #1 {
// entry:
//   %value24 = alloca i64, align 8
//   %value23 = alloca <4 x float>, align 16
//   %value20 = alloca i32, align 4
//   %phi15 = alloca <4 x float>, align 16
//   %phi12 = alloca <4 x float>, align 16
//   %phi11 = alloca i32, align 4
//   %value10 = alloca <4 x float>, align 16
//   %value7 = alloca i32, align 4
//   %value = alloca i32, align 4
//   %phi4 = alloca <4 x float>, align 16
//   %phi2 = alloca <4 x float>, align 16
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
//   %19 = getelementptr inbounds nuw i8, ptr %packed, i64 20
//   %20 = load i32, ptr %19, align 4, !invariant.load !5
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %39, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %36, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %33, %k.group.exit ]
//   %21 = shl nuw i64 %gx, 2
//   %22 = sub i64 %13, %21
//   %23 = call i64 @llvm.umin.i64(i64 %22, i64 4)
//   %24 = trunc i64 %21 to i32
//   br label %vector.check
//
// for.cond.i.i:                                     ; preds = %for.body.i.i, %items.x.i
//   %i.i.0.i = phi i32 [ 0, %items.x.i ], [ %inc.i.i, %for.body.i.i ]
//   %sum.i.0.i = phi float [ 0.000000e+00, %items.x.i ], [ %add2.i.i, %for.body.i.i ]
//   %cmp.i.i = icmp slt i32 %i.i.0.i, %18
//   br i1 %cmp.i.i, label %for.body.i.i, label %for.cond6.i.i.preheader
//
// for.cond6.i.i.preheader:                          ; preds = %for.cond.i.i
//   %sum.i.0.i.lcssa = phi float [ %sum.i.0.i, %for.cond.i.i ]
//   br label %for.cond6.i.i
//
// for.body.i.i:                                     ; preds = %for.cond.i.i
//   %mul.i.i = mul nsw i32 %18, %31
//   %add.i.i = add nsw i32 %mul.i.i, %i.i.0.i
//   %idxprom.i.i = sext i32 %add.i.i to i64
//   %arrayidx.i.i = getelementptr inbounds float, ptr addrspace(1) %14, i64 %idxprom.i.i
//   %25 = load float, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %add2.i.i = fadd float %sum.i.0.i, %25
//   %idxprom3.i.i = zext nneg i32 %i.i.0.i to i64
//   %arrayidx4.i.i = getelementptr inbounds nuw float, ptr addrspace(1) %16, i64 %idxprom3.i.i
//   store float 1.000000e+00, ptr addrspace(1) %arrayidx4.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %inc.i.i = add nuw nsw i32 %i.i.0.i, 1
//   br label %for.cond.i.i
//
// for.cond6.i.i:                                    ; preds = %for.cond6.i.i.preheader, %for.body10.i.i
//   %i5.i.0.i = phi i32 [ %inc17.i.i, %for.body10.i.i ], [ 0, %for.cond6.i.i.preheader ]
//   %sum.i.1.i = phi float [ %add15.i.i, %for.body10.i.i ], [ %sum.i.0.i.lcssa, %for.cond6.i.i.preheader ]
//   %cmp7.i.i = icmp ult i32 %i5.i.0.i, %20
//   br i1 %cmp7.i.i, label %for.body10.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// for.body10.i.i:                                   ; preds = %for.cond6.i.i
//   %mul11.i.i = mul i32 %20, %31
//   %add12.i.i = add i32 %mul11.i.i, %i5.i.0.i
//   %idxprom13.i.i = zext i32 %add12.i.i to i64
//   %arrayidx14.i.i = getelementptr inbounds nuw float, ptr addrspace(1) %14, i64 %idxprom13.i.i
//   %26 = load float, ptr addrspace(1) %arrayidx14.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %add15.i.i = fadd float %sum.i.1.i, %26
//   %inc17.i.i = add i32 %i5.i.0.i, 1
//   br label %for.cond6.i.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %for.cond6.i.i
//   %sum.i.1.i.lcssa = phi float [ %sum.i.1.i, %for.cond6.i.i ]
//   %sext.i = shl nuw i64 %32, 32
//   %27 = ashr exact i64 %sext.i, 30
//   %arrayidx20.i.i = getelementptr inbounds i8, ptr addrspace(1) %16, i64 %27
//   store float %sum.i.1.i.lcssa, ptr addrspace(1) %arrayidx20.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %28 = add nuw i64 %local.x.i, 1
//   %29 = icmp ult i64 %28, %23
//   br i1 %29, label %items.x.i, label %k.group.exit, !llvm.loop !9
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %28, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ %90, %vector.leave ]
//   %30 = trunc i64 %local.x.i to i32
//   %31 = add nuw nsw i32 %24, %30
//   %32 = zext i32 %31 to i64
//   br label %for.cond.i.i
//
// k.group.exit:                                     ; preds = %vector.leave, %__clang_ocl_kern_imp_k.exit.i
//   %33 = add nuw i64 %gx, 1
//   %34 = add nuw i64 %0, %6
//   %35 = icmp ult i64 %33, %34
//   br i1 %35, label %group.x, label %group.next, !llvm.loop !13
//
// group.next:                                       ; preds = %k.group.exit
//   %36 = add nuw i64 %gy, 1
//   %37 = add nuw i64 %2, %8
//   %38 = icmp ult i64 %36, %37
//   br i1 %38, label %group.y, label %group.next1, !llvm.loop !14
//
// group.next1:                                      ; preds = %group.next
//   %39 = add nuw i64 %gz, 1
//   %40 = add nuw i64 %4, %10
//   %41 = icmp ult i64 %39, %40
//   br i1 %41, label %group.z, label %exit, !llvm.loop !15
//
// vector.check:                                     ; preds = %group.x
//   %42 = sub i64 %23, 0
//   %43 = and i64 %42, -4
//   %44 = icmp eq i64 %43, 0
//   br i1 %44, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %87, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store i32 poison, ptr %phi, align 4
//   store <4 x float> poison, ptr %phi2, align 16
//   store <4 x float> poison, ptr %phi4, align 16
//   store i32 poison, ptr %phi11, align 4
//   store <4 x float> poison, ptr %phi12, align 16
//   store <4 x float> poison, ptr %phi15, align 16
//   %45 = trunc i64 %vector to i32
//   %46 = add nuw nsw i32 %24, %45
//   %47 = zext i32 %46 to i64
//   store i32 0, ptr %phi, align 4
//   store <4 x float> zeroinitializer, ptr %phi2, align 16
//   store i32 %46, ptr %value, align 4
//   store i64 %47, ptr %value24, align 8
//   br label %for.cond.i.i.v
//
// for.cond.i.i.v:                                   ; preds = %for.body.i.i.v, %items.x.i.v
//   %48 = load i32, ptr %phi, align 4
//   %49 = load <4 x float>, ptr %phi2, align 16
//   %50 = icmp slt i32 %48, %18
//   store i32 %48, ptr %value7, align 4
//   store <4 x float> %49, ptr %value10, align 16
//   br i1 %50, label %edge, label %edge3
//
// for.body.i.i.v:                                   ; preds = %edge
//   %.splatinsert = insertelement <4 x i32> poison, i32 %18, i64 0
//   %.splat = shufflevector <4 x i32> %.splatinsert, <4 x i32> poison, <4 x i32> zeroinitializer
//   %51 = load i32, ptr %value, align 4
//   %.splatinsert5 = insertelement <4 x i32> poison, i32 %51, i64 0
//   %.splat6 = shufflevector <4 x i32> %.splatinsert5, <4 x i32> poison, <4 x i32> zeroinitializer
//   %52 = add <4 x i32> %.splat6, <i32 0, i32 1, i32 2, i32 3>
//   %53 = mul nsw <4 x i32> %.splat, %52
//   %54 = load i32, ptr %value7, align 4
//   %.splatinsert8 = insertelement <4 x i32> poison, i32 %54, i64 0
//   %.splat9 = shufflevector <4 x i32> %.splatinsert8, <4 x i32> poison, <4 x i32> zeroinitializer
//   %55 = add nsw <4 x i32> %53, %.splat9
//   %56 = sext <4 x i32> %55 to <4 x i64>
//   %57 = getelementptr inbounds float, ptr addrspace(1) %14, <4 x i64> %56
//   %58 = call <4 x float> @llvm.masked.gather.v4f32.v4p1(<4 x ptr addrspace(1)> align 4 %57, <4 x i1> splat (i1 true), <4 x float> poison), !tbaa !6, !llvm.access.group !8
//   %59 = load <4 x float>, ptr %value10, align 16
//   %60 = fadd <4 x float> %59, %58
//   %61 = zext nneg i32 %54 to i64
//   %62 = getelementptr inbounds nuw float, ptr addrspace(1) %16, i64 %61
//   store float 1.000000e+00, ptr addrspace(1) %62, align 4, !tbaa !6, !llvm.access.group !8
//   %63 = add nuw nsw i32 %54, 1
//   store i32 %63, ptr %phi, align 4
//   store <4 x float> %60, ptr %phi2, align 16
//   br label %for.cond.i.i.v
//
// for.cond6.i.i.preheader.v:                        ; preds = %edge3
//   %64 = load <4 x float>, ptr %phi4, align 16
//   store i32 0, ptr %phi11, align 4
//   store <4 x float> %64, ptr %phi12, align 16
//   br label %for.cond6.i.i.v
//
// for.cond6.i.i.v:                                  ; preds = %for.body10.i.i.v, %for.cond6.i.i.preheader.v
//   %65 = load i32, ptr %phi11, align 4
//   %66 = load <4 x float>, ptr %phi12, align 16
//   %67 = icmp ult i32 %65, %20
//   store i32 %65, ptr %value20, align 4
//   store <4 x float> %66, ptr %value23, align 16
//   br i1 %67, label %edge13, label %edge14
//
// for.body10.i.i.v:                                 ; preds = %edge13
//   %.splatinsert16 = insertelement <4 x i32> poison, i32 %20, i64 0
//   %.splat17 = shufflevector <4 x i32> %.splatinsert16, <4 x i32> poison, <4 x i32> zeroinitializer
//   %68 = load i32, ptr %value, align 4
//   %.splatinsert18 = insertelement <4 x i32> poison, i32 %68, i64 0
//   %.splat19 = shufflevector <4 x i32> %.splatinsert18, <4 x i32> poison, <4 x i32> zeroinitializer
//   %69 = add <4 x i32> %.splat19, <i32 0, i32 1, i32 2, i32 3>
//   %70 = mul <4 x i32> %.splat17, %69
//   %71 = load i32, ptr %value20, align 4
//   %.splatinsert21 = insertelement <4 x i32> poison, i32 %71, i64 0
//   %.splat22 = shufflevector <4 x i32> %.splatinsert21, <4 x i32> poison, <4 x i32> zeroinitializer
//   %72 = add <4 x i32> %70, %.splat22
//   %73 = zext <4 x i32> %72 to <4 x i64>
//   %74 = getelementptr inbounds nuw float, ptr addrspace(1) %14, <4 x i64> %73
//   %75 = call <4 x float> @llvm.masked.gather.v4f32.v4p1(<4 x ptr addrspace(1)> align 4 %74, <4 x i1> splat (i1 true), <4 x float> poison), !tbaa !6, !llvm.access.group !8
//   %76 = load <4 x float>, ptr %value23, align 16
//   %77 = fadd <4 x float> %76, %75
//   %78 = add i32 %71, 1
//   store i32 %78, ptr %phi11, align 4
//   store <4 x float> %77, ptr %phi12, align 16
//   br label %for.cond6.i.i.v
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %edge14
//   %79 = load <4 x float>, ptr %phi15, align 16
//   %80 = load i64, ptr %value24, align 8
//   %81 = shl nuw i64 %80, 32
//   %82 = ashr exact i64 %81, 30
//   %83 = getelementptr inbounds i8, ptr addrspace(1) %16, i64 %82
//   store <4 x float> %79, ptr addrspace(1) %83, align 4, !tbaa !6, !llvm.access.group !8
//   %84 = add nuw i64 %vector, 1
//   %.splatinsert25 = insertelement <4 x i64> poison, i64 %84, i64 0
//   %.splat26 = shufflevector <4 x i64> %.splatinsert25, <4 x i64> poison, <4 x i32> zeroinitializer
//   %85 = add <4 x i64> %.splat26, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert27 = insertelement <4 x i64> poison, i64 %23, i64 0
//   %.splat28 = shufflevector <4 x i64> %.splatinsert27, <4 x i64> poison, <4 x i32> zeroinitializer
//   %86 = icmp ult <4 x i64> %85, %.splat28
//   %87 = add i64 %vector, 4
//   %88 = sub i64 %87, 0
//   %89 = icmp ult i64 %88, %43
//   br i1 %89, label %items.x.i.v, label %vector.leave, !llvm.loop !16
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %90 = add i64 0, %43
//   %91 = icmp ne i64 %43, %42
//   br i1 %91, label %items.x.i, label %k.group.exit
//
// edge:                                             ; preds = %for.cond.i.i.v
//   br label %for.body.i.i.v
//
// edge3:                                            ; preds = %for.cond.i.i.v
//   store <4 x float> %49, ptr %phi4, align 16
//   br label %for.cond6.i.i.preheader.v
//
// edge13:                                           ; preds = %for.cond6.i.i.v
//   br label %for.body10.i.i.v
//
// edge14:                                           ; preds = %for.cond6.i.i.v
//   store <4 x float> %66, ptr %phi15, align 16
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//
