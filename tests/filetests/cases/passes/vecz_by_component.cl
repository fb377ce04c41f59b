//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! lanes = 4
// Each load needs its components, so they become vectors of lanes, and no vector stays whole.
kernel void k(global const float4 *a, global float *out) {
  uint x = get_local_id(0);
  float4 v = a[x] * 2.0f;
  out[x] = v.x * v.y + v.z * v.w;
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #2 {
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
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %34, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %31, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %28, %k.group.exit ]
//   %17 = shl nuw i64 %gx, 6
//   %18 = sub i64 %13, %17
//   %19 = call i64 @llvm.umin.i64(i64 %18, i64 64)
//   br label %vector.check
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %items.x.i
//   %local.x.i = phi i64 [ %26, %items.x.i ], [ 0, %vector.check ], [ %60, %vector.leave ]
//   %idxprom.i.i = and i64 %local.x.i, 4294967295
//   %arrayidx.i.i = getelementptr inbounds nuw <4 x float>, ptr addrspace(1) %14, i64 %idxprom.i.i
//   %20 = load <4 x float>, ptr addrspace(1) %arrayidx.i.i, align 16, !tbaa !6, !llvm.access.group !7
//   %mul.i.i = fmul <4 x float> %20, splat (float 2.000000e+00)
//   %21 = extractelement <4 x float> %mul.i.i, i64 0
//   %22 = extractelement <4 x float> %mul.i.i, i64 1
//   %23 = extractelement <4 x float> %mul.i.i, i64 2
//   %24 = extractelement <4 x float> %mul.i.i, i64 3
//   %mul2.i.i = fmul float %23, %24
//   %25 = call float @llvm.fmuladd.f32(float %21, float %22, float %mul2.i.i)
//   %arrayidx4.i.i = getelementptr inbounds nuw float, ptr addrspace(1) %16, i64 %idxprom.i.i
//   store float %25, ptr addrspace(1) %arrayidx4.i.i, align 4, !tbaa !8, !llvm.access.group !7
//   %26 = add nuw i64 %local.x.i, 1
//   %27 = icmp ult i64 %26, %19
//   br i1 %27, label %items.x.i, label %k.group.exit, !llvm.loop !10
//
// k.group.exit:                                     ; preds = %vector.leave, %items.x.i
//   %28 = add nuw i64 %gx, 1
//   %29 = add nuw i64 %0, %6
//   %30 = icmp ult i64 %28, %29
//   br i1 %30, label %group.x, label %group.next, !llvm.loop !14
//
// group.next:                                       ; preds = %k.group.exit
//   %31 = add nuw i64 %gy, 1
//   %32 = add nuw i64 %2, %8
//   %33 = icmp ult i64 %31, %32
//   br i1 %33, label %group.y, label %group.next1, !llvm.loop !15
//
// group.next1:                                      ; preds = %group.next
//   %34 = add nuw i64 %gz, 1
//   %35 = add nuw i64 %4, %10
//   %36 = icmp ult i64 %34, %35
//   br i1 %36, label %group.z, label %exit, !llvm.loop !16
//
// vector.check:                                     ; preds = %group.x
//   %37 = sub i64 %19, 0
//   %38 = and i64 %37, -4
//   %39 = icmp eq i64 %38, 0
//   br i1 %39, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %items.x.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %57, %items.x.i.v ]
//   %40 = and i64 %vector, 4294967295
//   %41 = getelementptr inbounds nuw <4 x float>, ptr addrspace(1) %14, i64 %40
//   %42 = load <16 x float>, ptr addrspace(1) %41, align 16, !tbaa !6, !llvm.access.group !7
//   %43 = shufflevector <16 x float> %42, <16 x float> poison, <4 x i32> <i32 0, i32 4, i32 8, i32 12>
//   %44 = shufflevector <16 x float> %42, <16 x float> poison, <4 x i32> <i32 1, i32 5, i32 9, i32 13>
//   %45 = shufflevector <16 x float> %42, <16 x float> poison, <4 x i32> <i32 2, i32 6, i32 10, i32 14>
//   %46 = shufflevector <16 x float> %42, <16 x float> poison, <4 x i32> <i32 3, i32 7, i32 11, i32 15>
//   %47 = fmul <4 x float> %43, splat (float 2.000000e+00)
//   %48 = fmul <4 x float> %44, splat (float 2.000000e+00)
//   %49 = fmul <4 x float> %45, splat (float 2.000000e+00)
//   %50 = fmul <4 x float> %46, splat (float 2.000000e+00)
//   %51 = fmul <4 x float> %49, %50
//   %52 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %47, <4 x float> %48, <4 x float> %51)
//   %53 = getelementptr inbounds nuw float, ptr addrspace(1) %16, i64 %40
//   store <4 x float> %52, ptr addrspace(1) %53, align 4, !tbaa !8, !llvm.access.group !7
//   %54 = add nuw i64 %vector, 1
//   %.splatinsert = insertelement <4 x i64> poison, i64 %54, i64 0
//   %.splat = shufflevector <4 x i64> %.splatinsert, <4 x i64> poison, <4 x i32> zeroinitializer
//   %55 = add <4 x i64> %.splat, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert2 = insertelement <4 x i64> poison, i64 %19, i64 0
//   %.splat3 = shufflevector <4 x i64> %.splatinsert2, <4 x i64> poison, <4 x i32> zeroinitializer
//   %56 = icmp ult <4 x i64> %55, %.splat3
//   %57 = add i64 %vector, 4
//   %58 = sub i64 %57, 0
//   %59 = icmp ult i64 %58, %38
//   br i1 %59, label %items.x.i.v, label %vector.leave, !llvm.loop !17
//
// vector.leave:                                     ; preds = %items.x.i.v
//   %60 = add i64 0, %38
//   %61 = icmp ne i64 %38, %37
//   br i1 %61, label %items.x.i, label %k.group.exit
// }
//
