//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! lanes = 4
// A loop with the same trip count for all work-items stays a loop; `b` is loaded in one access for
// four work-items, `a` once for all.
kernel void k(global const float *a, global const float *b, global float *c, uint n) {
  uint x = get_local_id(0);
  float sum = 0;
  for (uint i = 0; i < n; i++)
    sum += a[i] * b[i * 64 + x];
  c[x] = sum;
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #2 {
// entry:
//   %value6 = alloca <4 x float>, align 16
//   %value5 = alloca i32, align 4
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
//   %18 = load ptr addrspace(1), ptr %17, align 8, !invariant.load !5
//   %19 = getelementptr inbounds nuw i8, ptr %packed, i64 24
//   %20 = load i32, ptr %19, align 8, !invariant.load !5
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %36, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %33, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %30, %k.group.exit ]
//   %21 = shl nuw i64 %gx, 6
//   %22 = sub i64 %13, %21
//   %23 = call i64 @llvm.umin.i64(i64 %22, i64 64)
//   br label %vector.check
//
// for.cond.i.i:                                     ; preds = %for.body.i.i, %items.x.i
//   %i.i.0.i = phi i32 [ 0, %items.x.i ], [ %inc.i.i, %for.body.i.i ]
//   %sum.i.0.i = phi float [ 0.000000e+00, %items.x.i ], [ %26, %for.body.i.i ]
//   %cmp.i.i = icmp ult i32 %i.i.0.i, %20
//   br i1 %cmp.i.i, label %for.body.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// for.body.i.i:                                     ; preds = %for.cond.i.i
//   %idxprom.i.i = zext i32 %i.i.0.i to i64
//   %arrayidx.i.i = getelementptr inbounds nuw float, ptr addrspace(1) %14, i64 %idxprom.i.i
//   %24 = load float, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %mul.i.i = shl i32 %i.i.0.i, 6
//   %add.i.i = add i32 %mul.i.i, %29
//   %idxprom2.i.i = zext i32 %add.i.i to i64
//   %arrayidx3.i.i = getelementptr inbounds nuw float, ptr addrspace(1) %16, i64 %idxprom2.i.i
//   %25 = load float, ptr addrspace(1) %arrayidx3.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %26 = call float @llvm.fmuladd.f32(float %24, float %25, float %sum.i.0.i)
//   %inc.i.i = add i32 %i.i.0.i, 1
//   br label %for.cond.i.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %for.cond.i.i
//   %sum.i.0.i.lcssa = phi float [ %sum.i.0.i, %for.cond.i.i ]
//   %idxprom5.i.i = and i64 %local.x.i, 4294967295
//   %arrayidx6.i.i = getelementptr inbounds nuw float, ptr addrspace(1) %18, i64 %idxprom5.i.i
//   store float %sum.i.0.i.lcssa, ptr addrspace(1) %arrayidx6.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %27 = add nuw i64 %local.x.i, 1
//   %28 = icmp ult i64 %27, %23
//   br i1 %28, label %items.x.i, label %k.group.exit, !llvm.loop !9
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %27, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ %68, %vector.leave ]
//   %29 = trunc i64 %local.x.i to i32
//   br label %for.cond.i.i
//
// k.group.exit:                                     ; preds = %vector.leave, %__clang_ocl_kern_imp_k.exit.i
//   %30 = add nuw i64 %gx, 1
//   %31 = add nuw i64 %0, %6
//   %32 = icmp ult i64 %30, %31
//   br i1 %32, label %group.x, label %group.next, !llvm.loop !13
//
// group.next:                                       ; preds = %k.group.exit
//   %33 = add nuw i64 %gy, 1
//   %34 = add nuw i64 %2, %8
//   %35 = icmp ult i64 %33, %34
//   br i1 %35, label %group.y, label %group.next1, !llvm.loop !14
//
// group.next1:                                      ; preds = %group.next
//   %36 = add nuw i64 %gz, 1
//   %37 = add nuw i64 %4, %10
//   %38 = icmp ult i64 %36, %37
//   br i1 %38, label %group.z, label %exit, !llvm.loop !15
//
// vector.check:                                     ; preds = %group.x
//   %39 = sub i64 %23, 0
//   %40 = and i64 %39, -4
//   %41 = icmp eq i64 %40, 0
//   br i1 %41, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %65, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store i32 poison, ptr %phi, align 4
//   store <4 x float> poison, ptr %phi2, align 16
//   store <4 x float> poison, ptr %phi4, align 16
//   %42 = trunc i64 %vector to i32
//   store i32 0, ptr %phi, align 4
//   store <4 x float> zeroinitializer, ptr %phi2, align 16
//   store i32 %42, ptr %value5, align 4
//   br label %for.cond.i.i.v
//
// for.cond.i.i.v:                                   ; preds = %for.body.i.i.v, %items.x.i.v
//   %43 = load i32, ptr %phi, align 4
//   %44 = load <4 x float>, ptr %phi2, align 16
//   %45 = icmp ult i32 %43, %20
//   store i32 %43, ptr %value, align 4
//   store <4 x float> %44, ptr %value6, align 16
//   br i1 %45, label %edge, label %edge3
//
// for.body.i.i.v:                                   ; preds = %edge
//   %46 = load i32, ptr %value, align 4
//   %47 = zext i32 %46 to i64
//   %48 = getelementptr inbounds nuw float, ptr addrspace(1) %14, i64 %47
//   %49 = load float, ptr addrspace(1) %48, align 4, !tbaa !6, !llvm.access.group !8
//   %50 = shl i32 %46, 6
//   %51 = load i32, ptr %value5, align 4
//   %52 = add i32 %50, %51
//   %53 = zext i32 %52 to i64
//   %54 = getelementptr inbounds nuw float, ptr addrspace(1) %16, i64 %53
//   %55 = load <4 x float>, ptr addrspace(1) %54, align 4, !tbaa !6, !llvm.access.group !8
//   %.splatinsert = insertelement <4 x float> poison, float %49, i64 0
//   %.splat = shufflevector <4 x float> %.splatinsert, <4 x float> poison, <4 x i32> zeroinitializer
//   %56 = load <4 x float>, ptr %value6, align 16
//   %57 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %.splat, <4 x float> %55, <4 x float> %56)
//   %58 = add i32 %46, 1
//   store i32 %58, ptr %phi, align 4
//   store <4 x float> %57, ptr %phi2, align 16
//   br label %for.cond.i.i.v
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %edge3
//   %59 = load <4 x float>, ptr %phi4, align 16
//   %60 = and i64 %vector, 4294967295
//   %61 = getelementptr inbounds nuw float, ptr addrspace(1) %18, i64 %60
//   store <4 x float> %59, ptr addrspace(1) %61, align 4, !tbaa !6, !llvm.access.group !8
//   %62 = add nuw i64 %vector, 1
//   %.splatinsert7 = insertelement <4 x i64> poison, i64 %62, i64 0
//   %.splat8 = shufflevector <4 x i64> %.splatinsert7, <4 x i64> poison, <4 x i32> zeroinitializer
//   %63 = add <4 x i64> %.splat8, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert9 = insertelement <4 x i64> poison, i64 %23, i64 0
//   %.splat10 = shufflevector <4 x i64> %.splatinsert9, <4 x i64> poison, <4 x i32> zeroinitializer
//   %64 = icmp ult <4 x i64> %63, %.splat10
//   %65 = add i64 %vector, 4
//   %66 = sub i64 %65, 0
//   %67 = icmp ult i64 %66, %40
//   br i1 %67, label %items.x.i.v, label %vector.leave, !llvm.loop !16
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %68 = add i64 0, %40
//   %69 = icmp ne i64 %40, %39
//   br i1 %69, label %items.x.i, label %k.group.exit
//
// edge:                                             ; preds = %for.cond.i.i.v
//   br label %for.body.i.i.v
//
// edge3:                                            ; preds = %for.cond.i.i.v
//   store <4 x float> %44, ptr %phi4, align 16
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//
