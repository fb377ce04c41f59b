//! test = "vecz"
//! functions = ["muxcl.kernel.k.groups"]
//! isa = "RV64GCV"
//! local = [64]
//! lanes = 8
// Tests scalable vectors. The compiler does not know the length of the vector registers, so a
// vector has `vscale` times 4 lanes: 8 with the shortest registers, for which `vscale` is 2. The
// number of whole vectors is computed at run time. The remaining work-items run under a mask.
kernel void k(global const float2 *in, global int *out) {
  uint x = get_local_id(0);
  float2 v = in[x];
  if (v.x > v.y) out[x] = v.x * 3;
}
//---- expected ----
// ; Function Attrs: noinline nounwind
// define internal void @muxcl.kernel.k.groups(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #1 {
// entry:
//   %value13 = alloca i64, align 8
//   %value12 = alloca <vscale x 4 x float>, align 16
//   %value11 = alloca i64, align 8
//   %mask8 = alloca <vscale x 4 x i1>, align 1
//   %mask7 = alloca <vscale x 4 x i1>, align 1
//   %mask6 = alloca <vscale x 4 x i1>, align 1
//   %value3 = alloca i64, align 8
//   %value2 = alloca <vscale x 4 x float>, align 16
//   %value = alloca i64, align 8
//   %mask = alloca <vscale x 4 x i1>, align 1
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
//   %gz = phi i64 [ %4, %entry ], [ %26, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %23, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %20, %k.group.exit ]
//   %17 = shl nuw i64 %gx, 6
//   %18 = sub i64 %13, %17
//   %19 = call i64 @llvm.umin.i64(i64 %18, i64 64)
//   br label %vector.check
//
// k.group.exit:                                     ; preds = %vector.leave, %rest.leave
//   %20 = add nuw i64 %gx, 1
//   %21 = add nuw i64 %0, %6
//   %22 = icmp ult i64 %20, %21
//   br i1 %22, label %group.x, label %group.next, !llvm.loop !6
//
// group.next:                                       ; preds = %k.group.exit
//   %23 = add nuw i64 %gy, 1
//   %24 = add nuw i64 %2, %8
//   %25 = icmp ult i64 %23, %24
//   br i1 %25, label %group.y, label %group.next1, !llvm.loop !10
//
// group.next1:                                      ; preds = %group.next
//   %26 = add nuw i64 %gz, 1
//   %27 = add nuw i64 %4, %10
//   %28 = icmp ult i64 %26, %27
//   br i1 %28, label %group.z, label %exit, !llvm.loop !11
//
// vector.check:                                     ; preds = %group.x
//   %29 = sub i64 %19, 0
//   %30 = call i64 @llvm.vscale.i64()
//   %31 = mul i64 %30, 4
//   %32 = sub i64 0, %31
//   %33 = and i64 %29, %32
//   %34 = icmp eq i64 %33, 0
//   br i1 %34, label %rest.enter, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %55, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store <vscale x 4 x i1> zeroinitializer, ptr %mask, align 1
//   %35 = and i64 %vector, 4294967295
//   store i64 %35, ptr %value, align 8
//   %36 = getelementptr inbounds nuw <2 x float>, ptr addrspace(1) %14, i64 %35
//   %37 = load <vscale x 8 x float>, ptr addrspace(1) %36, align 8, !tbaa !12, !llvm.access.group !13
//   %38 = call { <vscale x 4 x float>, <vscale x 4 x float> } @llvm.vector.deinterleave2.nxv8f32(<vscale x 8 x float> %37)
//   %39 = extractvalue { <vscale x 4 x float>, <vscale x 4 x float> } %38, 0
//   %40 = extractvalue { <vscale x 4 x float>, <vscale x 4 x float> } %38, 1
//   store <vscale x 4 x float> %39, ptr %value2, align 16
//   %41 = fcmp ogt <vscale x 4 x float> %39, %40
//   %42 = xor <vscale x 4 x i1> %41, splat (i1 true)
//   %43 = load <vscale x 4 x i1>, ptr %mask, align 1
//   %44 = or <vscale x 4 x i1> %43, %41
//   store <vscale x 4 x i1> %44, ptr %mask, align 1
//   br label %if.then.i.i.v
//
// if.then.i.i.v:                                    ; preds = %items.x.i.v
//   %45 = load <vscale x 4 x i1>, ptr %mask, align 1
//   %46 = load <vscale x 4 x float>, ptr %value2, align 16
//   %47 = fmul <vscale x 4 x float> %46, splat (float 3.000000e+00)
//   %48 = fptosi <vscale x 4 x float> %47 to <vscale x 4 x i32>
//   %49 = load i64, ptr %value, align 8
//   %50 = getelementptr i32, ptr addrspace(1) %16, i64 %49
//   call void @llvm.masked.store.nxv4i32.p1(<vscale x 4 x i32> %48, ptr addrspace(1) align 4 %50, <vscale x 4 x i1> %45), !tbaa !1, !llvm.access.group !13
//   br label %__clang_ocl_kern_imp_k.exit.i.v
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %if.then.i.i.v
//   %51 = add nuw i64 %vector, 1
//   store i64 %51, ptr %value3, align 8
//   %.splatinsert = insertelement <vscale x 4 x i64> poison, i64 %51, i64 0
//   %.splat = shufflevector <vscale x 4 x i64> %.splatinsert, <vscale x 4 x i64> poison, <vscale x 4 x i32> zeroinitializer
//   %52 = call <vscale x 4 x i64> @llvm.stepvector.nxv4i64()
//   %53 = add <vscale x 4 x i64> %.splat, %52
//   %.splatinsert4 = insertelement <vscale x 4 x i64> poison, i64 %19, i64 0
//   %.splat5 = shufflevector <vscale x 4 x i64> %.splatinsert4, <vscale x 4 x i64> poison, <vscale x 4 x i32> zeroinitializer
//   %54 = icmp ult <vscale x 4 x i64> %53, %.splat5
//   %55 = add i64 %vector, %31
//   %56 = sub i64 %55, 0
//   %57 = icmp ult i64 %56, %33
//   br i1 %57, label %items.x.i.v, label %vector.leave, !llvm.loop !14
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %58 = call i32 @llvm.vscale.i32()
//   %59 = mul i32 %58, 4
//   %60 = sub i32 %59, 1
//   %61 = add i64 0, %33
//   %62 = icmp ne i64 %33, %29
//   br i1 %62, label %rest.enter, label %k.group.exit
//
// rest.enter:                                       ; preds = %vector.leave, %vector.check
//   %63 = add i64 0, %33
//   %64 = sub i64 %29, %33
//   %65 = trunc i64 %64 to i32
//   %66 = call <vscale x 4 x i32> @llvm.stepvector.nxv4i32()
//   %.splatinsert9 = insertelement <vscale x 4 x i32> poison, i32 %65, i64 0
//   %.splat10 = shufflevector <vscale x 4 x i32> %.splatinsert9, <vscale x 4 x i32> poison, <vscale x 4 x i32> zeroinitializer
//   %67 = icmp ult <vscale x 4 x i32> %66, %.splat10
//   store <vscale x 4 x i1> %67, ptr %mask6, align 1
//   br label %items.x.i.rest
//
// items.x.i.rest:                                   ; preds = %rest.enter
//   %68 = load <vscale x 4 x i1>, ptr %mask6, align 1
//   store <vscale x 4 x i1> zeroinitializer, ptr %mask7, align 1
//   store <vscale x 4 x i1> zeroinitializer, ptr %mask8, align 1
//   %69 = and i64 %63, 4294967295
//   store i64 %69, ptr %value11, align 8
//   %70 = getelementptr <2 x float>, ptr addrspace(1) %14, i64 %69
//   %71 = zext <vscale x 4 x i1> %68 to <vscale x 4 x i8>
//   %72 = call <vscale x 8 x i8> @llvm.vector.interleave2.nxv8i8(<vscale x 4 x i8> %71, <vscale x 4 x i8> %71)
//   %73 = trunc <vscale x 8 x i8> %72 to <vscale x 8 x i1>
//   %74 = call <vscale x 8 x float> @llvm.masked.load.nxv8f32.p1(ptr addrspace(1) align 8 %70, <vscale x 8 x i1> %73, <vscale x 8 x float> poison), !tbaa !12, !llvm.access.group !13
//   %75 = call { <vscale x 4 x float>, <vscale x 4 x float> } @llvm.vector.deinterleave2.nxv8f32(<vscale x 8 x float> %74)
//   %76 = extractvalue { <vscale x 4 x float>, <vscale x 4 x float> } %75, 0
//   %77 = extractvalue { <vscale x 4 x float>, <vscale x 4 x float> } %75, 1
//   store <vscale x 4 x float> %76, ptr %value12, align 16
//   %78 = fcmp ogt <vscale x 4 x float> %76, %77
//   %79 = xor <vscale x 4 x i1> %78, splat (i1 true)
//   %80 = select <vscale x 4 x i1> %68, <vscale x 4 x i1> %78, <vscale x 4 x i1> zeroinitializer
//   %81 = select <vscale x 4 x i1> %68, <vscale x 4 x i1> %79, <vscale x 4 x i1> zeroinitializer
//   %82 = load <vscale x 4 x i1>, ptr %mask7, align 1
//   %83 = or <vscale x 4 x i1> %82, %80
//   store <vscale x 4 x i1> %83, ptr %mask7, align 1
//   %84 = load <vscale x 4 x i1>, ptr %mask8, align 1
//   %85 = or <vscale x 4 x i1> %84, %81
//   store <vscale x 4 x i1> %85, ptr %mask8, align 1
//   br label %if.then.i.i.rest
//
// if.then.i.i.rest:                                 ; preds = %items.x.i.rest
//   %86 = load <vscale x 4 x i1>, ptr %mask7, align 1
//   %87 = load <vscale x 4 x float>, ptr %value12, align 16
//   %88 = fmul <vscale x 4 x float> %87, splat (float 3.000000e+00)
//   %89 = fptosi <vscale x 4 x float> %88 to <vscale x 4 x i32>
//   %90 = load i64, ptr %value11, align 8
//   %91 = getelementptr i32, ptr addrspace(1) %16, i64 %90
//   call void @llvm.masked.store.nxv4i32.p1(<vscale x 4 x i32> %89, ptr addrspace(1) align 4 %91, <vscale x 4 x i1> %86), !tbaa !1, !llvm.access.group !13
//   %92 = load <vscale x 4 x i1>, ptr %mask8, align 1
//   %93 = or <vscale x 4 x i1> %92, %86
//   store <vscale x 4 x i1> %93, ptr %mask8, align 1
//   br label %__clang_ocl_kern_imp_k.exit.i.rest
//
// __clang_ocl_kern_imp_k.exit.i.rest:               ; preds = %if.then.i.i.rest
//   %94 = load <vscale x 4 x i1>, ptr %mask8, align 1
//   %95 = add i64 %63, 1
//   store i64 %95, ptr %value13, align 8
//   %.splatinsert14 = insertelement <vscale x 4 x i64> poison, i64 %95, i64 0
//   %.splat15 = shufflevector <vscale x 4 x i64> %.splatinsert14, <vscale x 4 x i64> poison, <vscale x 4 x i32> zeroinitializer
//   %96 = call <vscale x 4 x i64> @llvm.stepvector.nxv4i64()
//   %97 = add <vscale x 4 x i64> %.splat15, %96
//   %.splatinsert16 = insertelement <vscale x 4 x i64> poison, i64 %19, i64 0
//   %.splat17 = shufflevector <vscale x 4 x i64> %.splatinsert16, <vscale x 4 x i64> poison, <vscale x 4 x i32> zeroinitializer
//   %98 = icmp ult <vscale x 4 x i64> %97, %.splat17
//   br label %rest.leave
//
// rest.leave:                                       ; preds = %__clang_ocl_kern_imp_k.exit.i.rest
//   %99 = sub i32 %65, 1
//   br label %k.group.exit
// }
//
