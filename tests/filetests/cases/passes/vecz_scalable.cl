//! test = "vecz"
//! functions = ["muxcl.kernel.k.groups"]
//! isa = "RV64GCV"
//! local = [64]
//! lanes = 8
// The compiler does not know the length of the vector registers. A vector has `vscale` times 4
// lanes, 8 in the smallest registers. The number of whole vectors is known at run time; the other
// work-items run under a mask.
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
//   %gz = phi i64 [ %4, %entry ], [ %31, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %28, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %25, %k.group.exit ]
//   %17 = shl nuw i64 %gx, 6
//   %18 = sub i64 %13, %17
//   %19 = call i64 @llvm.umin.i64(i64 %18, i64 64)
//   br label %vector.check
//
// if.then.i.i:                                      ; preds = %items.x.i
//   %mul.i.i = fmul float %23, 3.000000e+00
//   %conv2.i.i = fptosi float %mul.i.i to i32
//   %arrayidx4.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %16, i64 %idxprom.i.i
//   store i32 %conv2.i.i, ptr addrspace(1) %arrayidx4.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   br label %__clang_ocl_kern_imp_k.exit.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %if.then.i.i, %items.x.i
//   %20 = add nuw i64 %local.x.i, 1
//   %21 = icmp ult i64 %20, %19
//   br i1 %21, label %items.x.i, label %k.group.exit, !llvm.loop !7
//
// items.x.i:                                        ; preds = %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %20, %__clang_ocl_kern_imp_k.exit.i ]
//   %idxprom.i.i = and i64 %local.x.i, 4294967295
//   %arrayidx.i.i = getelementptr inbounds nuw <2 x float>, ptr addrspace(1) %14, i64 %idxprom.i.i
//   %22 = load <2 x float>, ptr addrspace(1) %arrayidx.i.i, align 8, !tbaa !11, !llvm.access.group !6
//   %23 = extractelement <2 x float> %22, i64 0
//   %24 = extractelement <2 x float> %22, i64 1
//   %cmp.i.i = fcmp ogt float %23, %24
//   br i1 %cmp.i.i, label %if.then.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// k.group.exit:                                     ; preds = %vector.leave, %rest.leave, %__clang_ocl_kern_imp_k.exit.i
//   %25 = add nuw i64 %gx, 1
//   %26 = add nuw i64 %0, %6
//   %27 = icmp ult i64 %25, %26
//   br i1 %27, label %group.x, label %group.next, !llvm.loop !12
//
// group.next:                                       ; preds = %k.group.exit
//   %28 = add nuw i64 %gy, 1
//   %29 = add nuw i64 %2, %8
//   %30 = icmp ult i64 %28, %29
//   br i1 %30, label %group.y, label %group.next1, !llvm.loop !13
//
// group.next1:                                      ; preds = %group.next
//   %31 = add nuw i64 %gz, 1
//   %32 = add nuw i64 %4, %10
//   %33 = icmp ult i64 %31, %32
//   br i1 %33, label %group.z, label %exit, !llvm.loop !14
//
// vector.check:                                     ; preds = %group.x
//   %34 = sub i64 %19, 0
//   %35 = call i64 @llvm.vscale.i64()
//   %36 = mul i64 %35, 4
//   %37 = sub i64 0, %36
//   %38 = and i64 %34, %37
//   %39 = icmp eq i64 %38, 0
//   br i1 %39, label %rest.enter, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %60, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store <vscale x 4 x i1> zeroinitializer, ptr %mask, align 1
//   %40 = and i64 %vector, 4294967295
//   store i64 %40, ptr %value, align 8
//   %41 = getelementptr inbounds nuw <2 x float>, ptr addrspace(1) %14, i64 %40
//   %42 = load <vscale x 8 x float>, ptr addrspace(1) %41, align 8, !tbaa !11, !llvm.access.group !6
//   %43 = call { <vscale x 4 x float>, <vscale x 4 x float> } @llvm.vector.deinterleave2.nxv8f32(<vscale x 8 x float> %42)
//   %44 = extractvalue { <vscale x 4 x float>, <vscale x 4 x float> } %43, 0
//   %45 = extractvalue { <vscale x 4 x float>, <vscale x 4 x float> } %43, 1
//   store <vscale x 4 x float> %44, ptr %value2, align 16
//   %46 = fcmp ogt <vscale x 4 x float> %44, %45
//   %47 = xor <vscale x 4 x i1> %46, splat (i1 true)
//   %48 = load <vscale x 4 x i1>, ptr %mask, align 1
//   %49 = or <vscale x 4 x i1> %48, %46
//   store <vscale x 4 x i1> %49, ptr %mask, align 1
//   br label %if.then.i.i.v
//
// if.then.i.i.v:                                    ; preds = %items.x.i.v
//   %50 = load <vscale x 4 x i1>, ptr %mask, align 1
//   %51 = load <vscale x 4 x float>, ptr %value2, align 16
//   %52 = fmul <vscale x 4 x float> %51, splat (float 3.000000e+00)
//   %53 = fptosi <vscale x 4 x float> %52 to <vscale x 4 x i32>
//   %54 = load i64, ptr %value, align 8
//   %55 = getelementptr i32, ptr addrspace(1) %16, i64 %54
//   call void @llvm.masked.store.nxv4i32.p1(<vscale x 4 x i32> %53, ptr addrspace(1) align 4 %55, <vscale x 4 x i1> %50), !tbaa !1, !llvm.access.group !6
//   br label %__clang_ocl_kern_imp_k.exit.i.v
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %if.then.i.i.v
//   %56 = add nuw i64 %vector, 1
//   store i64 %56, ptr %value3, align 8
//   %.splatinsert = insertelement <vscale x 4 x i64> poison, i64 %56, i64 0
//   %.splat = shufflevector <vscale x 4 x i64> %.splatinsert, <vscale x 4 x i64> poison, <vscale x 4 x i32> zeroinitializer
//   %57 = call <vscale x 4 x i64> @llvm.stepvector.nxv4i64()
//   %58 = add <vscale x 4 x i64> %.splat, %57
//   %.splatinsert4 = insertelement <vscale x 4 x i64> poison, i64 %19, i64 0
//   %.splat5 = shufflevector <vscale x 4 x i64> %.splatinsert4, <vscale x 4 x i64> poison, <vscale x 4 x i32> zeroinitializer
//   %59 = icmp ult <vscale x 4 x i64> %58, %.splat5
//   %60 = add i64 %vector, %36
//   %61 = sub i64 %60, 0
//   %62 = icmp ult i64 %61, %38
//   br i1 %62, label %items.x.i.v, label %vector.leave, !llvm.loop !15
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %63 = call i32 @llvm.vscale.i32()
//   %64 = mul i32 %63, 4
//   %65 = sub i32 %64, 1
//   %66 = add i64 0, %38
//   %67 = icmp ne i64 %38, %34
//   br i1 %67, label %rest.enter, label %k.group.exit
//
// rest.enter:                                       ; preds = %vector.leave, %vector.check
//   %68 = add i64 0, %38
//   %69 = sub i64 %34, %38
//   %70 = trunc i64 %69 to i32
//   %71 = call <vscale x 4 x i32> @llvm.stepvector.nxv4i32()
//   %.splatinsert9 = insertelement <vscale x 4 x i32> poison, i32 %70, i64 0
//   %.splat10 = shufflevector <vscale x 4 x i32> %.splatinsert9, <vscale x 4 x i32> poison, <vscale x 4 x i32> zeroinitializer
//   %72 = icmp ult <vscale x 4 x i32> %71, %.splat10
//   store <vscale x 4 x i1> %72, ptr %mask6, align 1
//   br label %items.x.i.rest
//
// items.x.i.rest:                                   ; preds = %rest.enter
//   %73 = load <vscale x 4 x i1>, ptr %mask6, align 1
//   store <vscale x 4 x i1> zeroinitializer, ptr %mask7, align 1
//   store <vscale x 4 x i1> zeroinitializer, ptr %mask8, align 1
//   %74 = and i64 %68, 4294967295
//   store i64 %74, ptr %value11, align 8
//   %75 = getelementptr <2 x float>, ptr addrspace(1) %14, i64 %74
//   %76 = zext <vscale x 4 x i1> %73 to <vscale x 4 x i8>
//   %77 = call <vscale x 8 x i8> @llvm.vector.interleave2.nxv8i8(<vscale x 4 x i8> %76, <vscale x 4 x i8> %76)
//   %78 = trunc <vscale x 8 x i8> %77 to <vscale x 8 x i1>
//   %79 = call <vscale x 8 x float> @llvm.masked.load.nxv8f32.p1(ptr addrspace(1) align 8 %75, <vscale x 8 x i1> %78, <vscale x 8 x float> poison), !tbaa !11, !llvm.access.group !6
//   %80 = call { <vscale x 4 x float>, <vscale x 4 x float> } @llvm.vector.deinterleave2.nxv8f32(<vscale x 8 x float> %79)
//   %81 = extractvalue { <vscale x 4 x float>, <vscale x 4 x float> } %80, 0
//   %82 = extractvalue { <vscale x 4 x float>, <vscale x 4 x float> } %80, 1
//   store <vscale x 4 x float> %81, ptr %value12, align 16
//   %83 = fcmp ogt <vscale x 4 x float> %81, %82
//   %84 = xor <vscale x 4 x i1> %83, splat (i1 true)
//   %85 = select <vscale x 4 x i1> %73, <vscale x 4 x i1> %83, <vscale x 4 x i1> zeroinitializer
//   %86 = select <vscale x 4 x i1> %73, <vscale x 4 x i1> %84, <vscale x 4 x i1> zeroinitializer
//   %87 = load <vscale x 4 x i1>, ptr %mask7, align 1
//   %88 = or <vscale x 4 x i1> %87, %85
//   store <vscale x 4 x i1> %88, ptr %mask7, align 1
//   %89 = load <vscale x 4 x i1>, ptr %mask8, align 1
//   %90 = or <vscale x 4 x i1> %89, %86
//   store <vscale x 4 x i1> %90, ptr %mask8, align 1
//   br label %if.then.i.i.rest
//
// if.then.i.i.rest:                                 ; preds = %items.x.i.rest
//   %91 = load <vscale x 4 x i1>, ptr %mask7, align 1
//   %92 = load <vscale x 4 x float>, ptr %value12, align 16
//   %93 = fmul <vscale x 4 x float> %92, splat (float 3.000000e+00)
//   %94 = fptosi <vscale x 4 x float> %93 to <vscale x 4 x i32>
//   %95 = load i64, ptr %value11, align 8
//   %96 = getelementptr i32, ptr addrspace(1) %16, i64 %95
//   call void @llvm.masked.store.nxv4i32.p1(<vscale x 4 x i32> %94, ptr addrspace(1) align 4 %96, <vscale x 4 x i1> %91), !tbaa !1, !llvm.access.group !6
//   %97 = load <vscale x 4 x i1>, ptr %mask8, align 1
//   %98 = or <vscale x 4 x i1> %97, %91
//   store <vscale x 4 x i1> %98, ptr %mask8, align 1
//   br label %__clang_ocl_kern_imp_k.exit.i.rest
//
// __clang_ocl_kern_imp_k.exit.i.rest:               ; preds = %if.then.i.i.rest
//   %99 = load <vscale x 4 x i1>, ptr %mask8, align 1
//   %100 = add i64 %68, 1
//   store i64 %100, ptr %value13, align 8
//   %.splatinsert14 = insertelement <vscale x 4 x i64> poison, i64 %100, i64 0
//   %.splat15 = shufflevector <vscale x 4 x i64> %.splatinsert14, <vscale x 4 x i64> poison, <vscale x 4 x i32> zeroinitializer
//   %101 = call <vscale x 4 x i64> @llvm.stepvector.nxv4i64()
//   %102 = add <vscale x 4 x i64> %.splat15, %101
//   %.splatinsert16 = insertelement <vscale x 4 x i64> poison, i64 %19, i64 0
//   %.splat17 = shufflevector <vscale x 4 x i64> %.splatinsert16, <vscale x 4 x i64> poison, <vscale x 4 x i32> zeroinitializer
//   %103 = icmp ult <vscale x 4 x i64> %102, %.splat17
//   br label %rest.leave
//
// rest.leave:                                       ; preds = %__clang_ocl_kern_imp_k.exit.i.rest
//   %104 = sub i32 %70, 1
//   br label %k.group.exit
// }
//
