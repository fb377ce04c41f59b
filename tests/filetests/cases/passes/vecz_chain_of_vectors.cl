//! test = "vecz"
//! functions = ["muxcl.kernel.chain", "muxcl.kernel.copy"]
//! local = [64]
//! cpu = "x86-64-v4"
//! cost_model = true
// A vector of 16 floats fills a register in scalar code too. The first kernel becomes faster with
// lanes, because the components of several work-items are independent of each other. The second
// kernel would only need more shuffles, and stays scalar.
kernel void chain(global float *out, float a, int rounds) {
  float16 x = (float16)(a, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
  float16 c = (float16)get_local_id(0);
  for (int r = 0; r < rounds; r++) x = x * x + c;
  out[get_global_id(0)] = x.s0 + x.sf;
}
kernel void copy(global const float16 *in, global float16 *out) {
  size_t i = get_global_id(0);
  float16 x = in[i];
  if (x.s0 > 0) x += 1;
  out[i] = x;
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.chain(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #0 {
// entry:
//   %value102 = alloca i64, align 8
//   %value101 = alloca i64, align 8
//   %value100 = alloca i32, align 4
//   %phi84 = alloca <16 x float>, align 64
//   %phi85 = alloca <16 x float>, align 64
//   %phi86 = alloca <16 x float>, align 64
//   %phi87 = alloca <16 x float>, align 64
//   %phi88 = alloca <16 x float>, align 64
//   %phi89 = alloca <16 x float>, align 64
//   %phi90 = alloca <16 x float>, align 64
//   %phi91 = alloca <16 x float>, align 64
//   %phi92 = alloca <16 x float>, align 64
//   %phi93 = alloca <16 x float>, align 64
//   %phi94 = alloca <16 x float>, align 64
//   %phi95 = alloca <16 x float>, align 64
//   %phi96 = alloca <16 x float>, align 64
//   %phi97 = alloca <16 x float>, align 64
//   %phi98 = alloca <16 x float>, align 64
//   %phi99 = alloca <16 x float>, align 64
//   %value82 = alloca i1, align 1
//   %value66 = alloca <16 x float>, align 64
//   %value67 = alloca <16 x float>, align 64
//   %value68 = alloca <16 x float>, align 64
//   %value69 = alloca <16 x float>, align 64
//   %value70 = alloca <16 x float>, align 64
//   %value71 = alloca <16 x float>, align 64
//   %value72 = alloca <16 x float>, align 64
//   %value73 = alloca <16 x float>, align 64
//   %value74 = alloca <16 x float>, align 64
//   %value75 = alloca <16 x float>, align 64
//   %value76 = alloca <16 x float>, align 64
//   %value77 = alloca <16 x float>, align 64
//   %value78 = alloca <16 x float>, align 64
//   %value79 = alloca <16 x float>, align 64
//   %value80 = alloca <16 x float>, align 64
//   %value81 = alloca <16 x float>, align 64
//   %value65 = alloca i32, align 4
//   %phi17 = alloca <16 x float>, align 64
//   %phi18 = alloca <16 x float>, align 64
//   %phi19 = alloca <16 x float>, align 64
//   %phi20 = alloca <16 x float>, align 64
//   %phi21 = alloca <16 x float>, align 64
//   %phi22 = alloca <16 x float>, align 64
//   %phi23 = alloca <16 x float>, align 64
//   %phi24 = alloca <16 x float>, align 64
//   %phi25 = alloca <16 x float>, align 64
//   %phi26 = alloca <16 x float>, align 64
//   %phi27 = alloca <16 x float>, align 64
//   %phi28 = alloca <16 x float>, align 64
//   %phi29 = alloca <16 x float>, align 64
//   %phi30 = alloca <16 x float>, align 64
//   %phi31 = alloca <16 x float>, align 64
//   %phi32 = alloca <16 x float>, align 64
//   %phi = alloca i32, align 4
//   %value = alloca <16 x float>, align 64
//   %value2 = alloca <16 x float>, align 64
//   %value3 = alloca <16 x float>, align 64
//   %value4 = alloca <16 x float>, align 64
//   %value5 = alloca <16 x float>, align 64
//   %value6 = alloca <16 x float>, align 64
//   %value7 = alloca <16 x float>, align 64
//   %value8 = alloca <16 x float>, align 64
//   %value9 = alloca <16 x float>, align 64
//   %value10 = alloca <16 x float>, align 64
//   %value11 = alloca <16 x float>, align 64
//   %value12 = alloca <16 x float>, align 64
//   %value13 = alloca <16 x float>, align 64
//   %value14 = alloca <16 x float>, align 64
//   %value15 = alloca <16 x float>, align 64
//   %value16 = alloca <16 x float>, align 64
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
//   %13 = load float, ptr %12, align 8, !invariant.load !5
//   %14 = getelementptr inbounds nuw i8, ptr %packed, i64 12
//   %15 = load i32, ptr %14, align 4, !invariant.load !5
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %28, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %25, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %chain.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %22, %chain.group.exit ]
//   br label %vector.check
//
// for.cond.i.i:                                     ; preds = %for.body.i.i, %items.x.i
//   %r.i.0.i = phi i32 [ 0, %items.x.i ], [ %inc.i.i, %for.body.i.i ]
//   %x.i.0.i = phi <16 x float> [ %vecinit15.i.i, %items.x.i ], [ %16, %for.body.i.i ]
//   %cmp.i.i = icmp slt i32 %r.i.0.i, %15
//   br i1 %cmp.i.i, label %for.body.i.i, label %__clang_ocl_kern_imp_chain.exit.i
//
// for.body.i.i:                                     ; preds = %for.cond.i.i
//   %16 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %x.i.0.i, <16 x float> %x.i.0.i, <16 x float> %splat.splat.i.i)
//   %inc.i.i = add nuw nsw i32 %r.i.0.i, 1
//   br label %for.cond.i.i
//
// __clang_ocl_kern_imp_chain.exit.i:                ; preds = %for.cond.i.i
//   %x.i.0.i.lcssa = phi <16 x float> [ %x.i.0.i, %for.cond.i.i ]
//   %17 = extractelement <16 x float> %x.i.0.i.lcssa, i64 0
//   %18 = extractelement <16 x float> %x.i.0.i.lcssa, i64 15
//   %add.i.i = fadd float %17, %18
//   %.idx = shl nuw i64 %gx, 8
//   %19 = getelementptr inbounds nuw i8, ptr addrspace(1) %11, i64 %.idx
//   %arrayidx.i.i = getelementptr inbounds nuw float, ptr addrspace(1) %19, i64 %local.x.i
//   store float %add.i.i, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %20 = add nuw nsw i64 %local.x.i, 1
//   %21 = icmp samesign ult i64 %local.x.i, 63
//   br i1 %21, label %items.x.i, label %chain.group.exit, !llvm.loop !9
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_chain.exit.i
//   %local.x.i = phi i64 [ %20, %__clang_ocl_kern_imp_chain.exit.i ], [ 0, %vector.check ], [ 64, %vector.leave ]
//   %vecinit15.i.i = insertelement <16 x float> <float poison, float 2.000000e+00, float 3.000000e+00, float 4.000000e+00, float 5.000000e+00, float 6.000000e+00, float 7.000000e+00, float 8.000000e+00, float 9.000000e+00, float 1.000000e+01, float 1.100000e+01, float 1.200000e+01, float 1.300000e+01, float 1.400000e+01, float 1.500000e+01, float 1.600000e+01>, float %13, i64 0
//   %conv.i.i = uitofp nneg i64 %local.x.i to float
//   %splat.splatinsert.i.i = insertelement <16 x float> poison, float %conv.i.i, i64 0
//   %splat.splat.i.i = shufflevector <16 x float> %splat.splatinsert.i.i, <16 x float> poison, <16 x i32> zeroinitializer
//   br label %for.cond.i.i
//
// chain.group.exit:                                 ; preds = %vector.leave, %__clang_ocl_kern_imp_chain.exit.i
//   %22 = add nuw i64 %gx, 1
//   %23 = add nuw i64 %0, %6
//   %24 = icmp ult i64 %22, %23
//   br i1 %24, label %group.x, label %group.next, !llvm.loop !13
//
// group.next:                                       ; preds = %chain.group.exit
//   %25 = add nuw i64 %gy, 1
//   %26 = add nuw i64 %2, %8
//   %27 = icmp ult i64 %25, %26
//   br i1 %27, label %group.y, label %group.next1, !llvm.loop !14
//
// group.next1:                                      ; preds = %group.next
//   %28 = add nuw i64 %gz, 1
//   %29 = add nuw i64 %4, %10
//   %30 = icmp ult i64 %28, %29
//   br i1 %30, label %group.z, label %exit, !llvm.loop !15
//
// vector.check:                                     ; preds = %group.x
//   br i1 false, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_chain.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %141, %__clang_ocl_kern_imp_chain.exit.i.v ]
//   store i32 poison, ptr %phi, align 4
//   store <16 x float> poison, ptr %phi17, align 64
//   store <16 x float> poison, ptr %phi18, align 64
//   store <16 x float> poison, ptr %phi19, align 64
//   store <16 x float> poison, ptr %phi20, align 64
//   store <16 x float> poison, ptr %phi21, align 64
//   store <16 x float> poison, ptr %phi22, align 64
//   store <16 x float> poison, ptr %phi23, align 64
//   store <16 x float> poison, ptr %phi24, align 64
//   store <16 x float> poison, ptr %phi25, align 64
//   store <16 x float> poison, ptr %phi26, align 64
//   store <16 x float> poison, ptr %phi27, align 64
//   store <16 x float> poison, ptr %phi28, align 64
//   store <16 x float> poison, ptr %phi29, align 64
//   store <16 x float> poison, ptr %phi30, align 64
//   store <16 x float> poison, ptr %phi31, align 64
//   store <16 x float> poison, ptr %phi32, align 64
//   store <16 x float> poison, ptr %phi84, align 64
//   store <16 x float> poison, ptr %phi85, align 64
//   store <16 x float> poison, ptr %phi86, align 64
//   store <16 x float> poison, ptr %phi87, align 64
//   store <16 x float> poison, ptr %phi88, align 64
//   store <16 x float> poison, ptr %phi89, align 64
//   store <16 x float> poison, ptr %phi90, align 64
//   store <16 x float> poison, ptr %phi91, align 64
//   store <16 x float> poison, ptr %phi92, align 64
//   store <16 x float> poison, ptr %phi93, align 64
//   store <16 x float> poison, ptr %phi94, align 64
//   store <16 x float> poison, ptr %phi95, align 64
//   store <16 x float> poison, ptr %phi96, align 64
//   store <16 x float> poison, ptr %phi97, align 64
//   store <16 x float> poison, ptr %phi98, align 64
//   store <16 x float> poison, ptr %phi99, align 64
//   %31 = insertelement <16 x float> <float poison, float 2.000000e+00, float 3.000000e+00, float 4.000000e+00, float 5.000000e+00, float 6.000000e+00, float 7.000000e+00, float 8.000000e+00, float 9.000000e+00, float 1.000000e+01, float 1.100000e+01, float 1.200000e+01, float 1.300000e+01, float 1.400000e+01, float 1.500000e+01, float 1.600000e+01>, float %13, i64 0
//   %.splatinsert = insertelement <16 x i64> poison, i64 %vector, i64 0
//   %.splat = shufflevector <16 x i64> %.splatinsert, <16 x i64> poison, <16 x i32> zeroinitializer
//   %32 = add <16 x i64> %.splat, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15>
//   %33 = uitofp nneg <16 x i64> %32 to <16 x float>
//   store <16 x float> %33, ptr %value, align 64
//   store <16 x float> %33, ptr %value2, align 64
//   store <16 x float> %33, ptr %value3, align 64
//   store <16 x float> %33, ptr %value4, align 64
//   store <16 x float> %33, ptr %value5, align 64
//   store <16 x float> %33, ptr %value6, align 64
//   store <16 x float> %33, ptr %value7, align 64
//   store <16 x float> %33, ptr %value8, align 64
//   store <16 x float> %33, ptr %value9, align 64
//   store <16 x float> %33, ptr %value10, align 64
//   store <16 x float> %33, ptr %value11, align 64
//   store <16 x float> %33, ptr %value12, align 64
//   store <16 x float> %33, ptr %value13, align 64
//   store <16 x float> %33, ptr %value14, align 64
//   store <16 x float> %33, ptr %value15, align 64
//   store <16 x float> %33, ptr %value16, align 64
//   store i32 0, ptr %phi, align 4
//   %34 = extractelement <16 x float> %31, i32 0
//   %.splatinsert33 = insertelement <16 x float> poison, float %34, i64 0
//   %.splat34 = shufflevector <16 x float> %.splatinsert33, <16 x float> poison, <16 x i32> zeroinitializer
//   %35 = extractelement <16 x float> %31, i32 1
//   %.splatinsert35 = insertelement <16 x float> poison, float %35, i64 0
//   %.splat36 = shufflevector <16 x float> %.splatinsert35, <16 x float> poison, <16 x i32> zeroinitializer
//   %36 = extractelement <16 x float> %31, i32 2
//   %.splatinsert37 = insertelement <16 x float> poison, float %36, i64 0
//   %.splat38 = shufflevector <16 x float> %.splatinsert37, <16 x float> poison, <16 x i32> zeroinitializer
//   %37 = extractelement <16 x float> %31, i32 3
//   %.splatinsert39 = insertelement <16 x float> poison, float %37, i64 0
//   %.splat40 = shufflevector <16 x float> %.splatinsert39, <16 x float> poison, <16 x i32> zeroinitializer
//   %38 = extractelement <16 x float> %31, i32 4
//   %.splatinsert41 = insertelement <16 x float> poison, float %38, i64 0
//   %.splat42 = shufflevector <16 x float> %.splatinsert41, <16 x float> poison, <16 x i32> zeroinitializer
//   %39 = extractelement <16 x float> %31, i32 5
//   %.splatinsert43 = insertelement <16 x float> poison, float %39, i64 0
//   %.splat44 = shufflevector <16 x float> %.splatinsert43, <16 x float> poison, <16 x i32> zeroinitializer
//   %40 = extractelement <16 x float> %31, i32 6
//   %.splatinsert45 = insertelement <16 x float> poison, float %40, i64 0
//   %.splat46 = shufflevector <16 x float> %.splatinsert45, <16 x float> poison, <16 x i32> zeroinitializer
//   %41 = extractelement <16 x float> %31, i32 7
//   %.splatinsert47 = insertelement <16 x float> poison, float %41, i64 0
//   %.splat48 = shufflevector <16 x float> %.splatinsert47, <16 x float> poison, <16 x i32> zeroinitializer
//   %42 = extractelement <16 x float> %31, i32 8
//   %.splatinsert49 = insertelement <16 x float> poison, float %42, i64 0
//   %.splat50 = shufflevector <16 x float> %.splatinsert49, <16 x float> poison, <16 x i32> zeroinitializer
//   %43 = extractelement <16 x float> %31, i32 9
//   %.splatinsert51 = insertelement <16 x float> poison, float %43, i64 0
//   %.splat52 = shufflevector <16 x float> %.splatinsert51, <16 x float> poison, <16 x i32> zeroinitializer
//   %44 = extractelement <16 x float> %31, i32 10
//   %.splatinsert53 = insertelement <16 x float> poison, float %44, i64 0
//   %.splat54 = shufflevector <16 x float> %.splatinsert53, <16 x float> poison, <16 x i32> zeroinitializer
//   %45 = extractelement <16 x float> %31, i32 11
//   %.splatinsert55 = insertelement <16 x float> poison, float %45, i64 0
//   %.splat56 = shufflevector <16 x float> %.splatinsert55, <16 x float> poison, <16 x i32> zeroinitializer
//   %46 = extractelement <16 x float> %31, i32 12
//   %.splatinsert57 = insertelement <16 x float> poison, float %46, i64 0
//   %.splat58 = shufflevector <16 x float> %.splatinsert57, <16 x float> poison, <16 x i32> zeroinitializer
//   %47 = extractelement <16 x float> %31, i32 13
//   %.splatinsert59 = insertelement <16 x float> poison, float %47, i64 0
//   %.splat60 = shufflevector <16 x float> %.splatinsert59, <16 x float> poison, <16 x i32> zeroinitializer
//   %48 = extractelement <16 x float> %31, i32 14
//   %.splatinsert61 = insertelement <16 x float> poison, float %48, i64 0
//   %.splat62 = shufflevector <16 x float> %.splatinsert61, <16 x float> poison, <16 x i32> zeroinitializer
//   %49 = extractelement <16 x float> %31, i32 15
//   %.splatinsert63 = insertelement <16 x float> poison, float %49, i64 0
//   %.splat64 = shufflevector <16 x float> %.splatinsert63, <16 x float> poison, <16 x i32> zeroinitializer
//   store <16 x float> %.splat34, ptr %phi17, align 64
//   store <16 x float> %.splat36, ptr %phi18, align 64
//   store <16 x float> %.splat38, ptr %phi19, align 64
//   store <16 x float> %.splat40, ptr %phi20, align 64
//   store <16 x float> %.splat42, ptr %phi21, align 64
//   store <16 x float> %.splat44, ptr %phi22, align 64
//   store <16 x float> %.splat46, ptr %phi23, align 64
//   store <16 x float> %.splat48, ptr %phi24, align 64
//   store <16 x float> %.splat50, ptr %phi25, align 64
//   store <16 x float> %.splat52, ptr %phi26, align 64
//   store <16 x float> %.splat54, ptr %phi27, align 64
//   store <16 x float> %.splat56, ptr %phi28, align 64
//   store <16 x float> %.splat58, ptr %phi29, align 64
//   store <16 x float> %.splat60, ptr %phi30, align 64
//   store <16 x float> %.splat62, ptr %phi31, align 64
//   store <16 x float> %.splat64, ptr %phi32, align 64
//   br label %for.cond.i.i.v
//
// for.cond.i.i.v:                                   ; preds = %for.body.i.i.v, %items.x.i.v
//   %50 = load i32, ptr %phi, align 4
//   store i32 %50, ptr %value65, align 4
//   %51 = load <16 x float>, ptr %phi17, align 64
//   %52 = load <16 x float>, ptr %phi18, align 64
//   %53 = load <16 x float>, ptr %phi19, align 64
//   %54 = load <16 x float>, ptr %phi20, align 64
//   %55 = load <16 x float>, ptr %phi21, align 64
//   %56 = load <16 x float>, ptr %phi22, align 64
//   %57 = load <16 x float>, ptr %phi23, align 64
//   %58 = load <16 x float>, ptr %phi24, align 64
//   %59 = load <16 x float>, ptr %phi25, align 64
//   %60 = load <16 x float>, ptr %phi26, align 64
//   %61 = load <16 x float>, ptr %phi27, align 64
//   %62 = load <16 x float>, ptr %phi28, align 64
//   %63 = load <16 x float>, ptr %phi29, align 64
//   %64 = load <16 x float>, ptr %phi30, align 64
//   %65 = load <16 x float>, ptr %phi31, align 64
//   %66 = load <16 x float>, ptr %phi32, align 64
//   store <16 x float> %51, ptr %value66, align 64
//   store <16 x float> %52, ptr %value67, align 64
//   store <16 x float> %53, ptr %value68, align 64
//   store <16 x float> %54, ptr %value69, align 64
//   store <16 x float> %55, ptr %value70, align 64
//   store <16 x float> %56, ptr %value71, align 64
//   store <16 x float> %57, ptr %value72, align 64
//   store <16 x float> %58, ptr %value73, align 64
//   store <16 x float> %59, ptr %value74, align 64
//   store <16 x float> %60, ptr %value75, align 64
//   store <16 x float> %61, ptr %value76, align 64
//   store <16 x float> %62, ptr %value77, align 64
//   store <16 x float> %63, ptr %value78, align 64
//   store <16 x float> %64, ptr %value79, align 64
//   store <16 x float> %65, ptr %value80, align 64
//   store <16 x float> %66, ptr %value81, align 64
//   %67 = icmp slt i32 %50, %15
//   store i1 %67, ptr %value82, align 1
//   br i1 %67, label %edge, label %edge83
//
// for.body.i.i.v:                                   ; preds = %edge
//   %68 = load <16 x float>, ptr %value66, align 64
//   %69 = load <16 x float>, ptr %value67, align 64
//   %70 = load <16 x float>, ptr %value68, align 64
//   %71 = load <16 x float>, ptr %value69, align 64
//   %72 = load <16 x float>, ptr %value70, align 64
//   %73 = load <16 x float>, ptr %value71, align 64
//   %74 = load <16 x float>, ptr %value72, align 64
//   %75 = load <16 x float>, ptr %value73, align 64
//   %76 = load <16 x float>, ptr %value74, align 64
//   %77 = load <16 x float>, ptr %value75, align 64
//   %78 = load <16 x float>, ptr %value76, align 64
//   %79 = load <16 x float>, ptr %value77, align 64
//   %80 = load <16 x float>, ptr %value78, align 64
//   %81 = load <16 x float>, ptr %value79, align 64
//   %82 = load <16 x float>, ptr %value80, align 64
//   %83 = load <16 x float>, ptr %value81, align 64
//   %84 = load <16 x float>, ptr %value, align 64
//   %85 = load <16 x float>, ptr %value2, align 64
//   %86 = load <16 x float>, ptr %value3, align 64
//   %87 = load <16 x float>, ptr %value4, align 64
//   %88 = load <16 x float>, ptr %value5, align 64
//   %89 = load <16 x float>, ptr %value6, align 64
//   %90 = load <16 x float>, ptr %value7, align 64
//   %91 = load <16 x float>, ptr %value8, align 64
//   %92 = load <16 x float>, ptr %value9, align 64
//   %93 = load <16 x float>, ptr %value10, align 64
//   %94 = load <16 x float>, ptr %value11, align 64
//   %95 = load <16 x float>, ptr %value12, align 64
//   %96 = load <16 x float>, ptr %value13, align 64
//   %97 = load <16 x float>, ptr %value14, align 64
//   %98 = load <16 x float>, ptr %value15, align 64
//   %99 = load <16 x float>, ptr %value16, align 64
//   %100 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %68, <16 x float> %68, <16 x float> %84)
//   %101 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %69, <16 x float> %69, <16 x float> %85)
//   %102 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %70, <16 x float> %70, <16 x float> %86)
//   %103 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %71, <16 x float> %71, <16 x float> %87)
//   %104 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %72, <16 x float> %72, <16 x float> %88)
//   %105 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %73, <16 x float> %73, <16 x float> %89)
//   %106 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %74, <16 x float> %74, <16 x float> %90)
//   %107 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %75, <16 x float> %75, <16 x float> %91)
//   %108 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %76, <16 x float> %76, <16 x float> %92)
//   %109 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %77, <16 x float> %77, <16 x float> %93)
//   %110 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %78, <16 x float> %78, <16 x float> %94)
//   %111 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %79, <16 x float> %79, <16 x float> %95)
//   %112 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %80, <16 x float> %80, <16 x float> %96)
//   %113 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %81, <16 x float> %81, <16 x float> %97)
//   %114 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %82, <16 x float> %82, <16 x float> %98)
//   %115 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %83, <16 x float> %83, <16 x float> %99)
//   %116 = load i32, ptr %value65, align 4
//   %117 = add nuw nsw i32 %116, 1
//   store i32 %117, ptr %value100, align 4
//   store i32 %117, ptr %phi, align 4
//   store <16 x float> %100, ptr %phi17, align 64
//   store <16 x float> %101, ptr %phi18, align 64
//   store <16 x float> %102, ptr %phi19, align 64
//   store <16 x float> %103, ptr %phi20, align 64
//   store <16 x float> %104, ptr %phi21, align 64
//   store <16 x float> %105, ptr %phi22, align 64
//   store <16 x float> %106, ptr %phi23, align 64
//   store <16 x float> %107, ptr %phi24, align 64
//   store <16 x float> %108, ptr %phi25, align 64
//   store <16 x float> %109, ptr %phi26, align 64
//   store <16 x float> %110, ptr %phi27, align 64
//   store <16 x float> %111, ptr %phi28, align 64
//   store <16 x float> %112, ptr %phi29, align 64
//   store <16 x float> %113, ptr %phi30, align 64
//   store <16 x float> %114, ptr %phi31, align 64
//   store <16 x float> %115, ptr %phi32, align 64
//   br label %for.cond.i.i.v
//
// __clang_ocl_kern_imp_chain.exit.i.v:              ; preds = %edge83
//   %118 = load <16 x float>, ptr %phi84, align 64
//   %119 = load <16 x float>, ptr %phi85, align 64
//   %120 = load <16 x float>, ptr %phi86, align 64
//   %121 = load <16 x float>, ptr %phi87, align 64
//   %122 = load <16 x float>, ptr %phi88, align 64
//   %123 = load <16 x float>, ptr %phi89, align 64
//   %124 = load <16 x float>, ptr %phi90, align 64
//   %125 = load <16 x float>, ptr %phi91, align 64
//   %126 = load <16 x float>, ptr %phi92, align 64
//   %127 = load <16 x float>, ptr %phi93, align 64
//   %128 = load <16 x float>, ptr %phi94, align 64
//   %129 = load <16 x float>, ptr %phi95, align 64
//   %130 = load <16 x float>, ptr %phi96, align 64
//   %131 = load <16 x float>, ptr %phi97, align 64
//   %132 = load <16 x float>, ptr %phi98, align 64
//   %133 = load <16 x float>, ptr %phi99, align 64
//   %134 = fadd <16 x float> %118, %133
//   %135 = shl nuw i64 %gx, 8
//   store i64 %135, ptr %value101, align 8
//   %136 = getelementptr inbounds nuw i8, ptr addrspace(1) %11, i64 %135
//   %137 = getelementptr inbounds nuw float, ptr addrspace(1) %136, i64 %vector
//   store <16 x float> %134, ptr addrspace(1) %137, align 4, !tbaa !6, !llvm.access.group !8
//   %138 = add nuw nsw i64 %vector, 1
//   store i64 %138, ptr %value102, align 8
//   %.splatinsert103 = insertelement <16 x i64> poison, i64 %vector, i64 0
//   %.splat104 = shufflevector <16 x i64> %.splatinsert103, <16 x i64> poison, <16 x i32> zeroinitializer
//   %139 = add <16 x i64> %.splat104, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15>
//   %140 = icmp samesign ult <16 x i64> %139, splat (i64 63)
//   %141 = add i64 %vector, 16
//   %142 = sub i64 %141, 0
//   %143 = icmp ult i64 %142, 64
//   br i1 %143, label %items.x.i.v, label %vector.leave, !llvm.loop !16
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_chain.exit.i.v
//   br i1 false, label %items.x.i, label %chain.group.exit
//
// edge:                                             ; preds = %for.cond.i.i.v
//   br label %for.body.i.i.v
//
// edge83:                                           ; preds = %for.cond.i.i.v
//   store <16 x float> %51, ptr %phi84, align 64
//   store <16 x float> %52, ptr %phi85, align 64
//   store <16 x float> %53, ptr %phi86, align 64
//   store <16 x float> %54, ptr %phi87, align 64
//   store <16 x float> %55, ptr %phi88, align 64
//   store <16 x float> %56, ptr %phi89, align 64
//   store <16 x float> %57, ptr %phi90, align 64
//   store <16 x float> %58, ptr %phi91, align 64
//   store <16 x float> %59, ptr %phi92, align 64
//   store <16 x float> %60, ptr %phi93, align 64
//   store <16 x float> %61, ptr %phi94, align 64
//   store <16 x float> %62, ptr %phi95, align 64
//   store <16 x float> %63, ptr %phi96, align 64
//   store <16 x float> %64, ptr %phi97, align 64
//   store <16 x float> %65, ptr %phi98, align 64
//   store <16 x float> %66, ptr %phi99, align 64
//   br label %__clang_ocl_kern_imp_chain.exit.i.v
// }
//
// no function muxcl.kernel.copy
