//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! lanes = 4
// The vectors of consecutive work-items are loaded, added up and stored without a shuffle. A sum of
// components at the end needs the shuffles of one value.
kernel void k(global const float4 *a, global float4 *out, global float *sums, int rows) {
  uint x = get_local_id(0);
  float4 sum = 0;
  for (int r = 0; r < rows; r++)
    sum += a[r * 64 + x] * 0.5f;
  out[x] = sum;
  sums[x] = sum.x + sum.w;
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #2 {
// entry:
//   %value6 = alloca <16 x float>, align 64
//   %value5 = alloca i32, align 4
//   %value = alloca i32, align 4
//   %phi4 = alloca <16 x float>, align 64
//   %phi2 = alloca <16 x float>, align 64
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
//   %18 = load ptr addrspace(1), ptr %17, align 8, !invariant.load !5
//   %19 = getelementptr inbounds nuw i8, ptr %packed, i64 24
//   %20 = load i32, ptr %19, align 8, !invariant.load !5
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %37, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %34, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %31, %k.group.exit ]
//   %21 = shl nuw i64 %gx, 6
//   %22 = sub i64 %13, %21
//   %23 = call i64 @llvm.umin.i64(i64 %22, i64 64)
//   br label %vector.check
//
// for.cond.i.i:                                     ; preds = %for.body.i.i, %items.x.i
//   %r.i.0.i = phi i32 [ 0, %items.x.i ], [ %inc.i.i, %for.body.i.i ]
//   %sum.i.0.i = phi <4 x float> [ zeroinitializer, %items.x.i ], [ %25, %for.body.i.i ]
//   %cmp.i.i = icmp slt i32 %r.i.0.i, %20
//   br i1 %cmp.i.i, label %for.body.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// for.body.i.i:                                     ; preds = %for.cond.i.i
//   %mul.i.i = shl nsw i32 %r.i.0.i, 6
//   %add.i.i = add i32 %mul.i.i, %30
//   %idxprom.i.i = zext i32 %add.i.i to i64
//   %arrayidx.i.i = getelementptr inbounds nuw <4 x float>, ptr addrspace(1) %14, i64 %idxprom.i.i
//   %24 = load <4 x float>, ptr addrspace(1) %arrayidx.i.i, align 16, !tbaa !6, !llvm.access.group !7
//   %25 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %24, <4 x float> splat (float 5.000000e-01), <4 x float> %sum.i.0.i)
//   %inc.i.i = add nuw nsw i32 %r.i.0.i, 1
//   br label %for.cond.i.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %for.cond.i.i
//   %sum.i.0.i.lcssa = phi <4 x float> [ %sum.i.0.i, %for.cond.i.i ]
//   %idxprom3.i.i = and i64 %local.x.i, 4294967295
//   %arrayidx4.i.i = getelementptr inbounds nuw <4 x float>, ptr addrspace(1) %16, i64 %idxprom3.i.i
//   store <4 x float> %sum.i.0.i.lcssa, ptr addrspace(1) %arrayidx4.i.i, align 16, !tbaa !6, !llvm.access.group !7
//   %26 = extractelement <4 x float> %sum.i.0.i.lcssa, i64 0
//   %27 = extractelement <4 x float> %sum.i.0.i.lcssa, i64 3
//   %add5.i.i = fadd float %26, %27
//   %arrayidx7.i.i = getelementptr inbounds nuw float, ptr addrspace(1) %18, i64 %idxprom3.i.i
//   store float %add5.i.i, ptr addrspace(1) %arrayidx7.i.i, align 4, !tbaa !8, !llvm.access.group !7
//   %28 = add nuw i64 %local.x.i, 1
//   %29 = icmp ult i64 %28, %23
//   br i1 %29, label %items.x.i, label %k.group.exit, !llvm.loop !10
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %28, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ %72, %vector.leave ]
//   %30 = trunc i64 %local.x.i to i32
//   br label %for.cond.i.i
//
// k.group.exit:                                     ; preds = %vector.leave, %__clang_ocl_kern_imp_k.exit.i
//   %31 = add nuw i64 %gx, 1
//   %32 = add nuw i64 %0, %6
//   %33 = icmp ult i64 %31, %32
//   br i1 %33, label %group.x, label %group.next, !llvm.loop !14
//
// group.next:                                       ; preds = %k.group.exit
//   %34 = add nuw i64 %gy, 1
//   %35 = add nuw i64 %2, %8
//   %36 = icmp ult i64 %34, %35
//   br i1 %36, label %group.y, label %group.next1, !llvm.loop !15
//
// group.next1:                                      ; preds = %group.next
//   %37 = add nuw i64 %gz, 1
//   %38 = add nuw i64 %4, %10
//   %39 = icmp ult i64 %37, %38
//   br i1 %39, label %group.z, label %exit, !llvm.loop !16
//
// vector.check:                                     ; preds = %group.x
//   %40 = sub i64 %23, 0
//   %41 = and i64 %40, -4
//   %42 = icmp eq i64 %41, 0
//   br i1 %42, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %69, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store i32 poison, ptr %phi, align 4
//   store <16 x float> poison, ptr %phi2, align 64
//   store <16 x float> poison, ptr %phi4, align 64
//   %43 = trunc i64 %vector to i32
//   store i32 0, ptr %phi, align 4
//   store <16 x float> zeroinitializer, ptr %phi2, align 64
//   store i32 %43, ptr %value5, align 4
//   br label %for.cond.i.i.v
//
// for.cond.i.i.v:                                   ; preds = %for.body.i.i.v, %items.x.i.v
//   %44 = load i32, ptr %phi, align 4
//   %45 = load <16 x float>, ptr %phi2, align 64
//   %46 = icmp slt i32 %44, %20
//   store i32 %44, ptr %value, align 4
//   store <16 x float> %45, ptr %value6, align 64
//   br i1 %46, label %edge, label %edge3
//
// for.body.i.i.v:                                   ; preds = %edge
//   %47 = load i32, ptr %value, align 4
//   %48 = shl nsw i32 %47, 6
//   %49 = load i32, ptr %value5, align 4
//   %50 = add i32 %48, %49
//   %51 = zext i32 %50 to i64
//   %52 = getelementptr inbounds nuw <4 x float>, ptr addrspace(1) %14, i64 %51
//   %53 = load <16 x float>, ptr addrspace(1) %52, align 16, !tbaa !6, !llvm.access.group !7
//   %54 = load <16 x float>, ptr %value6, align 64
//   %55 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %53, <16 x float> splat (float 5.000000e-01), <16 x float> %54)
//   %56 = add nuw nsw i32 %47, 1
//   store i32 %56, ptr %phi, align 4
//   store <16 x float> %55, ptr %phi2, align 64
//   br label %for.cond.i.i.v
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %edge3
//   %57 = load <16 x float>, ptr %phi4, align 64
//   %58 = and i64 %vector, 4294967295
//   %59 = getelementptr inbounds nuw <4 x float>, ptr addrspace(1) %16, i64 %58
//   store <16 x float> %57, ptr addrspace(1) %59, align 16, !tbaa !6, !llvm.access.group !7
//   %60 = shufflevector <16 x float> %57, <16 x float> poison, <4 x i32> <i32 0, i32 4, i32 8, i32 12>
//   %61 = shufflevector <16 x float> %57, <16 x float> poison, <4 x i32> <i32 1, i32 5, i32 9, i32 13>
//   %62 = shufflevector <16 x float> %57, <16 x float> poison, <4 x i32> <i32 2, i32 6, i32 10, i32 14>
//   %63 = shufflevector <16 x float> %57, <16 x float> poison, <4 x i32> <i32 3, i32 7, i32 11, i32 15>
//   %64 = fadd <4 x float> %60, %63
//   %65 = getelementptr inbounds nuw float, ptr addrspace(1) %18, i64 %58
//   store <4 x float> %64, ptr addrspace(1) %65, align 4, !tbaa !8, !llvm.access.group !7
//   %66 = add nuw i64 %vector, 1
//   %.splatinsert = insertelement <4 x i64> poison, i64 %66, i64 0
//   %.splat = shufflevector <4 x i64> %.splatinsert, <4 x i64> poison, <4 x i32> zeroinitializer
//   %67 = add <4 x i64> %.splat, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert7 = insertelement <4 x i64> poison, i64 %23, i64 0
//   %.splat8 = shufflevector <4 x i64> %.splatinsert7, <4 x i64> poison, <4 x i32> zeroinitializer
//   %68 = icmp ult <4 x i64> %67, %.splat8
//   %69 = add i64 %vector, 4
//   %70 = sub i64 %69, 0
//   %71 = icmp ult i64 %70, %41
//   br i1 %71, label %items.x.i.v, label %vector.leave, !llvm.loop !17
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %72 = add i64 0, %41
//   %73 = icmp ne i64 %41, %40
//   br i1 %73, label %items.x.i, label %k.group.exit
//
// edge:                                             ; preds = %for.cond.i.i.v
//   br label %for.body.i.i.v
//
// edge3:                                            ; preds = %for.cond.i.i.v
//   store <16 x float> %45, ptr %phi4, align 64
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//
