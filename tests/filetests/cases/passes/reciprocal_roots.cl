//! test = "reciprocal-roots"
//! functions = ["muxcl.kernel.k"]
//! cpu = "x86-64-v4"
//! local = [1]
// A reciprocal square root comes from the processor's estimate. The square root that has another
// use stays, and so does the division of 2.
kernel void k(global float *a, global float3 *b) {
  a[0] = rsqrt(a[1]);
  float root = sqrt(a[2]);
  a[3] = 1.0f / root + root;
  a[4] = 2.0f / sqrt(a[5]);
  b[0] = rsqrt(b[1]);
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #1 {
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
//   %11 = load ptr addrspace(1), ptr %packed, align 8, !invariant.load !5
//   %12 = getelementptr inbounds nuw i8, ptr %packed, i64 8
//   %13 = load ptr addrspace(1), ptr %12, align 8, !invariant.load !5
//   %arrayidx.i.i = getelementptr inbounds nuw i8, ptr addrspace(1) %11, i64 4
//   %arrayidx2.i.i = getelementptr inbounds nuw i8, ptr addrspace(1) %11, i64 8
//   %arrayidx4.i.i = getelementptr inbounds nuw i8, ptr addrspace(1) %11, i64 12
//   %arrayidx5.i.i = getelementptr inbounds nuw i8, ptr addrspace(1) %11, i64 20
//   %arrayidx8.i.i = getelementptr inbounds nuw i8, ptr addrspace(1) %11, i64 16
//   %arrayidx9.i.i = getelementptr inbounds nuw i8, ptr addrspace(1) %13, i64 16
//   %14 = add nuw i64 %0, %6
//   %15 = add nuw i64 %2, %8
//   %16 = add nuw i64 %4, %10
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %54, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %52, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %group.x, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %50, %group.x ]
//   %17 = load float, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %18 = insertelement <4 x float> poison, float %17, i32 0
//   %19 = call <4 x float> @llvm.x86.avx512.rsqrt14.ps.128(<4 x float> %18, <4 x float> %18, i8 -1)
//   %20 = extractelement <4 x float> %19, i32 0
//   %21 = fmul float %17, %20
//   %22 = call float @llvm.fma.f32(float %21, float %20, float -1.000000e+00)
//   %23 = fmul float %20, -5.000000e-01
//   %24 = call float @llvm.fma.f32(float %22, float %23, float %20)
//   %25 = fcmp oeq float %22, %22
//   %26 = select i1 %25, float %24, float %20
//   store float %26, ptr addrspace(1) %11, align 4, !tbaa !6, !llvm.access.group !8
//   %27 = load float, ptr addrspace(1) %arrayidx2.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %28 = call noundef float @llvm.sqrt.f32(float %27), !fpmath !9
//   %29 = insertelement <4 x float> poison, float %27, i32 0
//   %30 = call <4 x float> @llvm.x86.avx512.rsqrt14.ps.128(<4 x float> %29, <4 x float> %29, i8 -1)
//   %31 = extractelement <4 x float> %30, i32 0
//   %32 = fmul float %27, %31
//   %33 = call float @llvm.fma.f32(float %32, float %31, float -1.000000e+00)
//   %34 = fmul float %31, -5.000000e-01
//   %35 = call float @llvm.fma.f32(float %33, float %34, float %31)
//   %36 = fcmp oeq float %33, %33
//   %37 = select i1 %36, float %35, float %31
//   %add.i.i = fadd float %37, %28
//   store float %add.i.i, ptr addrspace(1) %arrayidx4.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %38 = load float, ptr addrspace(1) %arrayidx5.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %39 = call noundef float @llvm.sqrt.f32(float %38), !fpmath !9
//   %div7.i.i = fdiv float 2.000000e+00, %39, !fpmath !10
//   store float %div7.i.i, ptr addrspace(1) %arrayidx8.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %loadVecN.i.i = load <4 x float>, ptr addrspace(1) %arrayidx9.i.i, align 16, !llvm.access.group !8
//   %40 = shufflevector <4 x float> %loadVecN.i.i, <4 x float> %loadVecN.i.i, <3 x i32> <i32 0, i32 1, i32 2>
//   %41 = shufflevector <3 x float> %40, <3 x float> %40, <4 x i32> <i32 0, i32 1, i32 2, i32 poison>
//   %42 = call <4 x float> @llvm.x86.avx512.rsqrt14.ps.128(<4 x float> %41, <4 x float> %41, i8 -1)
//   %43 = shufflevector <4 x float> %42, <4 x float> %42, <3 x i32> <i32 0, i32 1, i32 2>
//   %44 = fmul <3 x float> %40, %43
//   %45 = call <3 x float> @llvm.fma.v3f32(<3 x float> %44, <3 x float> %43, <3 x float> splat (float -1.000000e+00))
//   %46 = fmul <3 x float> %43, splat (float -5.000000e-01)
//   %47 = call <3 x float> @llvm.fma.v3f32(<3 x float> %45, <3 x float> %46, <3 x float> %43)
//   %48 = fcmp oeq <3 x float> %45, %45
//   %49 = select <3 x i1> %48, <3 x float> %47, <3 x float> %43
//   %extractVec12.i.i = shufflevector <3 x float> %49, <3 x float> <float undef, float poison, float poison>, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
//   store <4 x float> %extractVec12.i.i, ptr addrspace(1) %13, align 16, !tbaa !11, !llvm.access.group !8
//   %50 = add nuw i64 %gx, 1
//   %51 = icmp ult i64 %50, %14
//   br i1 %51, label %group.x, label %group.next, !llvm.loop !12
//
// group.next:                                       ; preds = %group.x
//   %52 = add nuw i64 %gy, 1
//   %53 = icmp ult i64 %52, %15
//   br i1 %53, label %group.y, label %group.next1, !llvm.loop !16
//
// group.next1:                                      ; preds = %group.next
//   %54 = add nuw i64 %gz, 1
//   %55 = icmp ult i64 %54, %16
//   br i1 %55, label %group.z, label %exit, !llvm.loop !17
// }
//
