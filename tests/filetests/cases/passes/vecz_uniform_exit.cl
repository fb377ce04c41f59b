//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! lanes = 4
// Lanes leave the loop at different iterations, or all that remain when `n` reaches its limit. That
// exit is a branch on a scalar, so only the other one changes masks. One comparison gives the masks
// of both sides of the `if`.
kernel void k(global float *a, int limit) {
  size_t i = get_global_id(0);
  float x = a[i], y = 0;
  int n = 0;
  for (; n < limit; ++n) {
    if (x * x + y * y >= 4.0f) break;
    y = 2 * x * y;
    x = x * x - y * y + 1;
  }
  a[i] = n;
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #2 {
// entry:
//   %value12 = alloca ptr addrspace(1), align 8
//   %value9 = alloca i32, align 4
//   %value8 = alloca <4 x float>, align 16
//   %value = alloca <4 x float>, align 16
//   %phi7 = alloca <4 x i32>, align 16
//   %phi5 = alloca <4 x float>, align 16
//   %phi4 = alloca <4 x float>, align 16
//   %phi = alloca i32, align 4
//   %mask3 = alloca <4 x i1>, align 1
//   %mask2 = alloca <4 x i1>, align 1
//   %mask = alloca <4 x i1>, align 1
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
//   %16 = load i32, ptr %15, align 8, !invariant.load !5
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
//   %gy = phi i64 [ %2, %group.z ], [ %30, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %27, %k.group.exit ]
//   %17 = shl nuw i64 %gx, 6
//   %18 = sub i64 %13, %17
//   %19 = call i64 @llvm.umin.i64(i64 %18, i64 64)
//   br label %vector.check
//
// for.cond.i.i:                                     ; preds = %if.end.i.i, %items.x.i
//   %n.i.0.i = phi i32 [ 0, %items.x.i ], [ %inc.i.i, %if.end.i.i ]
//   %y.i.0.i = phi float [ 0.000000e+00, %items.x.i ], [ %mul3.i.i, %if.end.i.i ]
//   %x.i.0.i = phi float [ %26, %items.x.i ], [ %add.i.i, %if.end.i.i ]
//   %cmp.i.i = icmp slt i32 %n.i.0.i, %16
//   br i1 %cmp.i.i, label %for.body.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// for.body.i.i:                                     ; preds = %for.cond.i.i
//   %mul1.i.i = fmul float %y.i.0.i, %y.i.0.i
//   %20 = call float @llvm.fmuladd.f32(float %x.i.0.i, float %x.i.0.i, float %mul1.i.i)
//   %cmp2.i.i = fcmp ult float %20, 4.000000e+00
//   br i1 %cmp2.i.i, label %if.end.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// if.end.i.i:                                       ; preds = %for.body.i.i
//   %mul.i.i = fmul float %x.i.0.i, 2.000000e+00
//   %mul3.i.i = fmul float %mul.i.i, %y.i.0.i
//   %21 = fneg float %mul3.i.i
//   %neg.i.i = fmul float %mul3.i.i, %21
//   %22 = call float @llvm.fmuladd.f32(float %x.i.0.i, float %x.i.0.i, float %neg.i.i)
//   %add.i.i = fadd float %22, 1.000000e+00
//   %inc.i.i = add nuw nsw i32 %n.i.0.i, 1
//   br label %for.cond.i.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %for.body.i.i, %for.cond.i.i
//   %n.i.0.i.lcssa = phi i32 [ %n.i.0.i, %for.body.i.i ], [ %n.i.0.i, %for.cond.i.i ]
//   %conv.i.i = uitofp nneg i32 %n.i.0.i.lcssa to float
//   store float %conv.i.i, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %23 = add nuw i64 %local.x.i, 1
//   %24 = icmp ult i64 %23, %19
//   br i1 %24, label %items.x.i, label %k.group.exit, !llvm.loop !9
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %23, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ %82, %vector.leave ]
//   %25 = getelementptr inbounds nuw float, ptr addrspace(1) %14, i64 %17
//   %arrayidx.i.i = getelementptr inbounds nuw float, ptr addrspace(1) %25, i64 %local.x.i
//   %26 = load float, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   br label %for.cond.i.i
//
// k.group.exit:                                     ; preds = %vector.leave, %__clang_ocl_kern_imp_k.exit.i
//   %27 = add nuw i64 %gx, 1
//   %28 = add nuw i64 %0, %6
//   %29 = icmp ult i64 %27, %28
//   br i1 %29, label %group.x, label %group.next, !llvm.loop !13
//
// group.next:                                       ; preds = %k.group.exit
//   %30 = add nuw i64 %gy, 1
//   %31 = add nuw i64 %2, %8
//   %32 = icmp ult i64 %30, %31
//   br i1 %32, label %group.y, label %group.next1, !llvm.loop !14
//
// group.next1:                                      ; preds = %group.next
//   %33 = add nuw i64 %gz, 1
//   %34 = add nuw i64 %4, %10
//   %35 = icmp ult i64 %33, %34
//   br i1 %35, label %group.z, label %exit, !llvm.loop !15
//
// vector.check:                                     ; preds = %group.x
//   %36 = sub i64 %19, 0
//   %37 = and i64 %36, -4
//   %38 = icmp eq i64 %37, 0
//   br i1 %38, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %79, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store i32 poison, ptr %phi, align 4
//   store <4 x float> poison, ptr %phi4, align 16
//   store <4 x float> poison, ptr %phi5, align 16
//   store <4 x i32> poison, ptr %phi7, align 16
//   %39 = getelementptr inbounds nuw float, ptr addrspace(1) %14, i64 %17
//   %40 = getelementptr inbounds nuw float, ptr addrspace(1) %39, i64 %vector
//   %41 = load <4 x float>, ptr addrspace(1) %40, align 4, !tbaa !6, !llvm.access.group !8
//   store i32 0, ptr %phi, align 4
//   store <4 x float> zeroinitializer, ptr %phi4, align 16
//   store <4 x float> %41, ptr %phi5, align 16
//   store <4 x i1> splat (i1 true), ptr %mask, align 1
//   store ptr addrspace(1) %40, ptr %value12, align 8
//   br label %for.cond.i.i.v
//
// for.cond.i.i.v:                                   ; preds = %if.end.i.i.v, %items.x.i.v
//   %42 = load <4 x i1>, ptr %mask, align 1
//   store <4 x i1> zeroinitializer, ptr %mask2, align 1
//   store <4 x i1> zeroinitializer, ptr %mask3, align 1
//   %43 = load i32, ptr %phi, align 4
//   %44 = load <4 x float>, ptr %phi4, align 16
//   %45 = load <4 x float>, ptr %phi5, align 16
//   %46 = icmp slt i32 %43, %16
//   %47 = freeze i1 %46
//   store <4 x float> %44, ptr %value, align 16
//   store <4 x float> %45, ptr %value8, align 16
//   store i32 %43, ptr %value9, align 4
//   br i1 %47, label %edge, label %edge6
//
// for.body.i.i.v:                                   ; preds = %edge
//   %48 = load <4 x i1>, ptr %mask2, align 1
//   %49 = load <4 x float>, ptr %value, align 16
//   %50 = fmul <4 x float> %49, %49
//   %51 = load <4 x float>, ptr %value8, align 16
//   %52 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %51, <4 x float> %51, <4 x float> %50)
//   %53 = fcmp ult <4 x float> %52, splat (float 4.000000e+00)
//   %54 = select <4 x i1> %48, <4 x i1> %53, <4 x i1> zeroinitializer
//   %55 = xor <4 x i1> %48, %54
//   %56 = load <4 x i1>, ptr %mask3, align 1
//   %57 = or <4 x i1> %56, %54
//   store <4 x i1> %57, ptr %mask3, align 1
//   %58 = load i32, ptr %value9, align 4
//   %.splatinsert10 = insertelement <4 x i32> poison, i32 %58, i64 0
//   %.splat11 = shufflevector <4 x i32> %.splatinsert10, <4 x i32> poison, <4 x i32> zeroinitializer
//   %59 = load <4 x i32>, ptr %phi7, align 16
//   %60 = select <4 x i1> %55, <4 x i32> %.splat11, <4 x i32> %59
//   store <4 x i32> %60, ptr %phi7, align 16
//   br label %if.end.i.i.v
//
// if.end.i.i.v:                                     ; preds = %for.body.i.i.v
//   %61 = load <4 x i1>, ptr %mask3, align 1
//   %62 = load <4 x float>, ptr %value8, align 16
//   %63 = fmul <4 x float> %62, splat (float 2.000000e+00)
//   %64 = load <4 x float>, ptr %value, align 16
//   %65 = fmul <4 x float> %63, %64
//   %66 = fneg <4 x float> %65
//   %67 = fmul <4 x float> %65, %66
//   %68 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %62, <4 x float> %62, <4 x float> %67)
//   %69 = fadd <4 x float> %68, splat (float 1.000000e+00)
//   %70 = load i32, ptr %value9, align 4
//   %71 = add nuw nsw i32 %70, 1
//   store i32 %71, ptr %phi, align 4
//   store <4 x float> %65, ptr %phi4, align 16
//   store <4 x float> %69, ptr %phi5, align 16
//   store <4 x i1> %61, ptr %mask, align 1
//   %72 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %61)
//   br i1 %72, label %for.cond.i.i.v, label %loop.done
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %loop.done, %edge6
//   %73 = load <4 x i32>, ptr %phi7, align 16
//   %74 = uitofp nneg <4 x i32> %73 to <4 x float>
//   %75 = load ptr addrspace(1), ptr %value12, align 8
//   store <4 x float> %74, ptr addrspace(1) %75, align 4, !tbaa !6, !llvm.access.group !8
//   %76 = add nuw i64 %vector, 1
//   %.splatinsert13 = insertelement <4 x i64> poison, i64 %76, i64 0
//   %.splat14 = shufflevector <4 x i64> %.splatinsert13, <4 x i64> poison, <4 x i32> zeroinitializer
//   %77 = add <4 x i64> %.splat14, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert15 = insertelement <4 x i64> poison, i64 %19, i64 0
//   %.splat16 = shufflevector <4 x i64> %.splatinsert15, <4 x i64> poison, <4 x i32> zeroinitializer
//   %78 = icmp ult <4 x i64> %77, %.splat16
//   %79 = add i64 %vector, 4
//   %80 = sub i64 %79, 0
//   %81 = icmp ult i64 %80, %37
//   br i1 %81, label %items.x.i.v, label %vector.leave, !llvm.loop !16
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %82 = add i64 0, %37
//   %83 = icmp ne i64 %37, %36
//   br i1 %83, label %items.x.i, label %k.group.exit
//
// edge:                                             ; preds = %for.cond.i.i.v
//   %84 = load <4 x i1>, ptr %mask2, align 1
//   %85 = or <4 x i1> %84, %42
//   store <4 x i1> %85, ptr %mask2, align 1
//   br label %for.body.i.i.v
//
// edge6:                                            ; preds = %for.cond.i.i.v
//   %.splatinsert = insertelement <4 x i32> poison, i32 %43, i64 0
//   %.splat = shufflevector <4 x i32> %.splatinsert, <4 x i32> poison, <4 x i32> zeroinitializer
//   %86 = load <4 x i32>, ptr %phi7, align 16
//   %87 = select <4 x i1> %42, <4 x i32> %.splat, <4 x i32> %86
//   store <4 x i32> %87, ptr %phi7, align 16
//   br label %__clang_ocl_kern_imp_k.exit.i.v
//
// loop.done:                                        ; preds = %if.end.i.i.v
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//
