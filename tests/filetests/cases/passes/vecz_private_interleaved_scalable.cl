//! test = "vecz"
//! functions = ["muxcl.kernel.k.groups"]
//! isa = "RV64GCV"
//! local = [64]
//! lanes = 8
// The distance between the elements of an interleaved array depends on the number of lanes, which
// is known at run time only. The components of a vector are elements of their own. The array is
// short, because the stack must have room for the longest registers.
kernel void k(global const float2 *a, global float2 *b, int n) {
  float2 v[6];
  uint x = get_local_id(0);
  for (int i = 0; i < n; i++) v[i] = a[x + i];
  b[x] = v[n - 1];
}
//---- expected ----
// ; Function Attrs: noinline nounwind
// define internal void @muxcl.kernel.k.groups(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #2 {
// entry:
//   %value3 = alloca i32, align 4
//   %value = alloca i32, align 4
//   %phi = alloca i32, align 4
//   %private = alloca <vscale x 192 x i8>, align 4
//   %v.i.i = alloca [6 x <2 x float>], align 8, !muxcl.private !5
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
//   %gz = phi i64 [ %4, %entry ], [ %30, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %27, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %24, %k.group.exit ]
//   %19 = shl nuw i64 %gx, 6
//   %20 = sub i64 %13, %19
//   %21 = call i64 @llvm.umin.i64(i64 %20, i64 64)
//   %22 = sext i32 %18 to i64
//   %23 = getelementptr <2 x float>, ptr %v.i.i, i64 %22
//   %arrayidx5.i.i = getelementptr i8, ptr %23, i64 -8
//   br label %vector.enter
//
// k.group.exit:                                     ; preds = %vector.leave
//   %24 = add nuw i64 %gx, 1
//   %25 = add nuw i64 %0, %6
//   %26 = icmp ult i64 %24, %25
//   br i1 %26, label %group.x, label %group.next, !llvm.loop !6
//
// group.next:                                       ; preds = %k.group.exit
//   %27 = add nuw i64 %gy, 1
//   %28 = add nuw i64 %2, %8
//   %29 = icmp ult i64 %27, %28
//   br i1 %29, label %group.y, label %group.next1, !llvm.loop !10
//
// group.next1:                                      ; preds = %group.next
//   %30 = add nuw i64 %gz, 1
//   %31 = add nuw i64 %4, %10
//   %32 = icmp ult i64 %30, %31
//   br i1 %32, label %group.z, label %exit, !llvm.loop !11
//
// vector.enter:                                     ; preds = %group.x
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %82, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store i32 poison, ptr %phi, align 4
//   %33 = sub i64 %21, %vector
//   %34 = call i64 @llvm.riscv.vsetvli.i64(i64 %33, i64 2, i64 1)
//   %35 = trunc i64 %34 to i32
//   %36 = zext i32 %35 to i64
//   %37 = trunc i64 %vector to i32
//   store i32 0, ptr %phi, align 4
//   store i32 %37, ptr %value3, align 4
//   br label %for.cond.i.i.v
//
// for.cond.i.i.v:                                   ; preds = %accessed, %items.x.i.v
//   %38 = load i32, ptr %phi, align 4
//   %39 = icmp slt i32 %38, %18
//   store i32 %38, ptr %value, align 4
//   br i1 %39, label %edge, label %edge2
//
// for.body.i.i.v:                                   ; preds = %edge
//   %40 = load i32, ptr %value, align 4
//   %41 = load i32, ptr %value3, align 4
//   %42 = add i32 %40, %41
//   %.splatinsert = insertelement <vscale x 4 x i32> poison, i32 %42, i64 0
//   %.splat = shufflevector <vscale x 4 x i32> %.splatinsert, <vscale x 4 x i32> poison, <vscale x 4 x i32> zeroinitializer
//   %43 = call <vscale x 4 x i32> @llvm.stepvector.nxv4i32()
//   %44 = add <vscale x 4 x i32> %.splat, %43
//   %45 = zext <vscale x 4 x i32> %44 to <vscale x 4 x i64>
//   %46 = getelementptr inbounds nuw <2 x float>, ptr addrspace(1) %14, <vscale x 4 x i64> %45
//   %47 = freeze <vscale x 4 x ptr addrspace(1)> %46
//   %48 = ptrtoint <vscale x 4 x ptr addrspace(1)> %47 to <vscale x 4 x i64>
//   %49 = extractelement <vscale x 4 x i64> %48, i32 0
//   %.splatinsert4 = insertelement <vscale x 4 x i64> poison, i64 %49, i64 0
//   %.splat5 = shufflevector <vscale x 4 x i64> %.splatinsert4, <vscale x 4 x i64> poison, <vscale x 4 x i32> zeroinitializer
//   %50 = call <vscale x 4 x i64> @llvm.stepvector.nxv4i64()
//   %51 = mul <vscale x 4 x i64> %50, splat (i64 8)
//   %52 = add <vscale x 4 x i64> %.splat5, %51
//   %53 = icmp eq <vscale x 4 x i64> %48, %52
//   %54 = xor <vscale x 4 x i1> %53, splat (i1 true)
//   %55 = call i1 @llvm.vp.reduce.or.nxv4i1(i1 false, <vscale x 4 x i1> %54, <vscale x 4 x i1> splat (i1 true), i32 %35)
//   %56 = extractelement <vscale x 4 x ptr addrspace(1)> %47, i32 0
//   %57 = xor i1 %55, true
//   br i1 %57, label %consecutive, label %scattered
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %edge2
//   %58 = call i64 @llvm.vscale.i64()
//   %59 = mul i64 %58, 4
//   %60 = mul i64 %59, 8
//   %61 = mul i64 %22, %60
//   %62 = getelementptr i8, ptr %private, i64 %61
//   %63 = call i64 @llvm.vscale.i64()
//   %64 = mul i64 %63, 4
//   %65 = mul i64 %64, 1
//   %66 = mul i64 -8, %65
//   %67 = getelementptr i8, ptr %62, i64 %66
//   %68 = call <vscale x 4 x float> @llvm.vp.load.nxv4f32.p0(ptr align 4 %67, <vscale x 4 x i1> splat (i1 true), i32 %35), !tbaa !12
//   %69 = call i64 @llvm.vscale.i64()
//   %70 = mul i64 %69, 4
//   %71 = mul i64 %70, 4
//   %72 = getelementptr i8, ptr %67, i64 %71
//   %73 = call <vscale x 4 x float> @llvm.vp.load.nxv4f32.p0(ptr align 4 %72, <vscale x 4 x i1> splat (i1 true), i32 %35), !tbaa !12
//   %74 = and i64 %vector, 4294967295
//   %75 = getelementptr inbounds nuw <2 x float>, ptr addrspace(1) %16, i64 %74
//   %76 = call <vscale x 8 x float> @llvm.vector.interleave2.nxv8f32(<vscale x 4 x float> %68, <vscale x 4 x float> %73)
//   %77 = mul i32 %35, 2
//   call void @llvm.vp.store.nxv8f32.p1(<vscale x 8 x float> %76, ptr addrspace(1) align 8 %75, <vscale x 8 x i1> splat (i1 true), i32 %77), !tbaa !12, !llvm.access.group !13
//   %78 = add nuw i64 %vector, 1
//   %.splatinsert8 = insertelement <vscale x 4 x i64> poison, i64 %78, i64 0
//   %.splat9 = shufflevector <vscale x 4 x i64> %.splatinsert8, <vscale x 4 x i64> poison, <vscale x 4 x i32> zeroinitializer
//   %79 = call <vscale x 4 x i64> @llvm.stepvector.nxv4i64()
//   %80 = add <vscale x 4 x i64> %.splat9, %79
//   %.splatinsert10 = insertelement <vscale x 4 x i64> poison, i64 %21, i64 0
//   %.splat11 = shufflevector <vscale x 4 x i64> %.splatinsert10, <vscale x 4 x i64> poison, <vscale x 4 x i32> zeroinitializer
//   %81 = icmp ult <vscale x 4 x i64> %80, %.splat11
//   %82 = add i64 %vector, %36
//   %83 = icmp ult i64 %82, %21
//   br i1 %83, label %items.x.i.v, label %vector.leave, !llvm.loop !14
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %84 = sub i32 %35, 1
//   br label %k.group.exit
//
// edge:                                             ; preds = %for.cond.i.i.v
//   br label %for.body.i.i.v
//
// edge2:                                            ; preds = %for.cond.i.i.v
//   br label %__clang_ocl_kern_imp_k.exit.i.v
//
// consecutive:                                      ; preds = %for.body.i.i.v
//   %85 = mul i32 %35, 2
//   %86 = call <vscale x 8 x float> @llvm.vp.load.nxv8f32.p1(ptr addrspace(1) align 8 %56, <vscale x 8 x i1> splat (i1 true), i32 %85), !tbaa !12, !llvm.access.group !13
//   %87 = call { <vscale x 4 x float>, <vscale x 4 x float> } @llvm.vector.deinterleave2.nxv8f32(<vscale x 8 x float> %86)
//   %88 = extractvalue { <vscale x 4 x float>, <vscale x 4 x float> } %87, 0
//   %89 = extractvalue { <vscale x 4 x float>, <vscale x 4 x float> } %87, 1
//   br label %accessed
//
// scattered:                                        ; preds = %for.body.i.i.v
//   %90 = call <vscale x 4 x i64> @llvm.vp.gather.nxv4i64.nxv4p1(<vscale x 4 x ptr addrspace(1)> align 8 %46, <vscale x 4 x i1> splat (i1 true), i32 %35), !tbaa !12, !llvm.access.group !13
//   %91 = bitcast <vscale x 4 x i64> %90 to <vscale x 8 x float>
//   %92 = call { <vscale x 4 x float>, <vscale x 4 x float> } @llvm.vector.deinterleave2.nxv8f32(<vscale x 8 x float> %91)
//   %93 = extractvalue { <vscale x 4 x float>, <vscale x 4 x float> } %92, 0
//   %94 = extractvalue { <vscale x 4 x float>, <vscale x 4 x float> } %92, 1
//   br label %accessed
//
// accessed:                                         ; preds = %scattered, %consecutive
//   %accessed6 = phi <vscale x 4 x float> [ %88, %consecutive ], [ %93, %scattered ]
//   %accessed7 = phi <vscale x 4 x float> [ %89, %consecutive ], [ %94, %scattered ]
//   %95 = zext nneg i32 %40 to i64
//   %96 = call i64 @llvm.vscale.i64()
//   %97 = mul i64 %96, 4
//   %98 = mul i64 %97, 8
//   %99 = mul i64 %95, %98
//   %100 = getelementptr i8, ptr %private, i64 %99
//   call void @llvm.vp.store.nxv4f32.p0(<vscale x 4 x float> %accessed6, ptr align 4 %100, <vscale x 4 x i1> splat (i1 true), i32 %35), !tbaa !12
//   %101 = call i64 @llvm.vscale.i64()
//   %102 = mul i64 %101, 4
//   %103 = mul i64 %102, 4
//   %104 = getelementptr i8, ptr %100, i64 %103
//   call void @llvm.vp.store.nxv4f32.p0(<vscale x 4 x float> %accessed7, ptr align 4 %104, <vscale x 4 x i1> splat (i1 true), i32 %35), !tbaa !12
//   %105 = add nuw nsw i32 %40, 1
//   store i32 %105, ptr %phi, align 4
//   br label %for.cond.i.i.v
// }
//
