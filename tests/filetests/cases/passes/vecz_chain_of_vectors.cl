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
//   %value98 = alloca i32, align 4
//   %value82 = alloca <16 x float>, align 64
//   %value83 = alloca <16 x float>, align 64
//   %value84 = alloca <16 x float>, align 64
//   %value85 = alloca <16 x float>, align 64
//   %value86 = alloca <16 x float>, align 64
//   %value87 = alloca <16 x float>, align 64
//   %value88 = alloca <16 x float>, align 64
//   %value89 = alloca <16 x float>, align 64
//   %value90 = alloca <16 x float>, align 64
//   %value91 = alloca <16 x float>, align 64
//   %value92 = alloca <16 x float>, align 64
//   %value93 = alloca <16 x float>, align 64
//   %value94 = alloca <16 x float>, align 64
//   %value95 = alloca <16 x float>, align 64
//   %value96 = alloca <16 x float>, align 64
//   %value97 = alloca <16 x float>, align 64
//   %value = alloca <16 x float>, align 64
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
//   %phi51 = alloca <16 x float>, align 64
//   %phi52 = alloca <16 x float>, align 64
//   %phi53 = alloca <16 x float>, align 64
//   %phi54 = alloca <16 x float>, align 64
//   %phi55 = alloca <16 x float>, align 64
//   %phi56 = alloca <16 x float>, align 64
//   %phi57 = alloca <16 x float>, align 64
//   %phi58 = alloca <16 x float>, align 64
//   %phi59 = alloca <16 x float>, align 64
//   %phi60 = alloca <16 x float>, align 64
//   %phi61 = alloca <16 x float>, align 64
//   %phi62 = alloca <16 x float>, align 64
//   %phi63 = alloca <16 x float>, align 64
//   %phi64 = alloca <16 x float>, align 64
//   %phi65 = alloca <16 x float>, align 64
//   %phi66 = alloca <16 x float>, align 64
//   %phi2 = alloca <16 x float>, align 64
//   %phi3 = alloca <16 x float>, align 64
//   %phi4 = alloca <16 x float>, align 64
//   %phi5 = alloca <16 x float>, align 64
//   %phi6 = alloca <16 x float>, align 64
//   %phi7 = alloca <16 x float>, align 64
//   %phi8 = alloca <16 x float>, align 64
//   %phi9 = alloca <16 x float>, align 64
//   %phi10 = alloca <16 x float>, align 64
//   %phi11 = alloca <16 x float>, align 64
//   %phi12 = alloca <16 x float>, align 64
//   %phi13 = alloca <16 x float>, align 64
//   %phi14 = alloca <16 x float>, align 64
//   %phi15 = alloca <16 x float>, align 64
//   %phi16 = alloca <16 x float>, align 64
//   %phi17 = alloca <16 x float>, align 64
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
//   store <16 x float> poison, ptr %phi2, align 64
//   store <16 x float> poison, ptr %phi3, align 64
//   store <16 x float> poison, ptr %phi4, align 64
//   store <16 x float> poison, ptr %phi5, align 64
//   store <16 x float> poison, ptr %phi6, align 64
//   store <16 x float> poison, ptr %phi7, align 64
//   store <16 x float> poison, ptr %phi8, align 64
//   store <16 x float> poison, ptr %phi9, align 64
//   store <16 x float> poison, ptr %phi10, align 64
//   store <16 x float> poison, ptr %phi11, align 64
//   store <16 x float> poison, ptr %phi12, align 64
//   store <16 x float> poison, ptr %phi13, align 64
//   store <16 x float> poison, ptr %phi14, align 64
//   store <16 x float> poison, ptr %phi15, align 64
//   store <16 x float> poison, ptr %phi16, align 64
//   store <16 x float> poison, ptr %phi17, align 64
//   store <16 x float> poison, ptr %phi51, align 64
//   store <16 x float> poison, ptr %phi52, align 64
//   store <16 x float> poison, ptr %phi53, align 64
//   store <16 x float> poison, ptr %phi54, align 64
//   store <16 x float> poison, ptr %phi55, align 64
//   store <16 x float> poison, ptr %phi56, align 64
//   store <16 x float> poison, ptr %phi57, align 64
//   store <16 x float> poison, ptr %phi58, align 64
//   store <16 x float> poison, ptr %phi59, align 64
//   store <16 x float> poison, ptr %phi60, align 64
//   store <16 x float> poison, ptr %phi61, align 64
//   store <16 x float> poison, ptr %phi62, align 64
//   store <16 x float> poison, ptr %phi63, align 64
//   store <16 x float> poison, ptr %phi64, align 64
//   store <16 x float> poison, ptr %phi65, align 64
//   store <16 x float> poison, ptr %phi66, align 64
//   %31 = insertelement <16 x float> <float poison, float 2.000000e+00, float 3.000000e+00, float 4.000000e+00, float 5.000000e+00, float 6.000000e+00, float 7.000000e+00, float 8.000000e+00, float 9.000000e+00, float 1.000000e+01, float 1.100000e+01, float 1.200000e+01, float 1.300000e+01, float 1.400000e+01, float 1.500000e+01, float 1.600000e+01>, float %13, i64 0
//   %.splatinsert = insertelement <16 x i64> poison, i64 %vector, i64 0
//   %.splat = shufflevector <16 x i64> %.splatinsert, <16 x i64> poison, <16 x i32> zeroinitializer
//   %32 = add <16 x i64> %.splat, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15>
//   %33 = uitofp nneg <16 x i64> %32 to <16 x float>
//   store i32 0, ptr %phi, align 4
//   %34 = extractelement <16 x float> %31, i32 0
//   %.splatinsert18 = insertelement <16 x float> poison, float %34, i64 0
//   %.splat19 = shufflevector <16 x float> %.splatinsert18, <16 x float> poison, <16 x i32> zeroinitializer
//   %35 = extractelement <16 x float> %31, i32 1
//   %.splatinsert20 = insertelement <16 x float> poison, float %35, i64 0
//   %.splat21 = shufflevector <16 x float> %.splatinsert20, <16 x float> poison, <16 x i32> zeroinitializer
//   %36 = extractelement <16 x float> %31, i32 2
//   %.splatinsert22 = insertelement <16 x float> poison, float %36, i64 0
//   %.splat23 = shufflevector <16 x float> %.splatinsert22, <16 x float> poison, <16 x i32> zeroinitializer
//   %37 = extractelement <16 x float> %31, i32 3
//   %.splatinsert24 = insertelement <16 x float> poison, float %37, i64 0
//   %.splat25 = shufflevector <16 x float> %.splatinsert24, <16 x float> poison, <16 x i32> zeroinitializer
//   %38 = extractelement <16 x float> %31, i32 4
//   %.splatinsert26 = insertelement <16 x float> poison, float %38, i64 0
//   %.splat27 = shufflevector <16 x float> %.splatinsert26, <16 x float> poison, <16 x i32> zeroinitializer
//   %39 = extractelement <16 x float> %31, i32 5
//   %.splatinsert28 = insertelement <16 x float> poison, float %39, i64 0
//   %.splat29 = shufflevector <16 x float> %.splatinsert28, <16 x float> poison, <16 x i32> zeroinitializer
//   %40 = extractelement <16 x float> %31, i32 6
//   %.splatinsert30 = insertelement <16 x float> poison, float %40, i64 0
//   %.splat31 = shufflevector <16 x float> %.splatinsert30, <16 x float> poison, <16 x i32> zeroinitializer
//   %41 = extractelement <16 x float> %31, i32 7
//   %.splatinsert32 = insertelement <16 x float> poison, float %41, i64 0
//   %.splat33 = shufflevector <16 x float> %.splatinsert32, <16 x float> poison, <16 x i32> zeroinitializer
//   %42 = extractelement <16 x float> %31, i32 8
//   %.splatinsert34 = insertelement <16 x float> poison, float %42, i64 0
//   %.splat35 = shufflevector <16 x float> %.splatinsert34, <16 x float> poison, <16 x i32> zeroinitializer
//   %43 = extractelement <16 x float> %31, i32 9
//   %.splatinsert36 = insertelement <16 x float> poison, float %43, i64 0
//   %.splat37 = shufflevector <16 x float> %.splatinsert36, <16 x float> poison, <16 x i32> zeroinitializer
//   %44 = extractelement <16 x float> %31, i32 10
//   %.splatinsert38 = insertelement <16 x float> poison, float %44, i64 0
//   %.splat39 = shufflevector <16 x float> %.splatinsert38, <16 x float> poison, <16 x i32> zeroinitializer
//   %45 = extractelement <16 x float> %31, i32 11
//   %.splatinsert40 = insertelement <16 x float> poison, float %45, i64 0
//   %.splat41 = shufflevector <16 x float> %.splatinsert40, <16 x float> poison, <16 x i32> zeroinitializer
//   %46 = extractelement <16 x float> %31, i32 12
//   %.splatinsert42 = insertelement <16 x float> poison, float %46, i64 0
//   %.splat43 = shufflevector <16 x float> %.splatinsert42, <16 x float> poison, <16 x i32> zeroinitializer
//   %47 = extractelement <16 x float> %31, i32 13
//   %.splatinsert44 = insertelement <16 x float> poison, float %47, i64 0
//   %.splat45 = shufflevector <16 x float> %.splatinsert44, <16 x float> poison, <16 x i32> zeroinitializer
//   %48 = extractelement <16 x float> %31, i32 14
//   %.splatinsert46 = insertelement <16 x float> poison, float %48, i64 0
//   %.splat47 = shufflevector <16 x float> %.splatinsert46, <16 x float> poison, <16 x i32> zeroinitializer
//   %49 = extractelement <16 x float> %31, i32 15
//   %.splatinsert48 = insertelement <16 x float> poison, float %49, i64 0
//   %.splat49 = shufflevector <16 x float> %.splatinsert48, <16 x float> poison, <16 x i32> zeroinitializer
//   store <16 x float> %.splat19, ptr %phi2, align 64
//   store <16 x float> %.splat21, ptr %phi3, align 64
//   store <16 x float> %.splat23, ptr %phi4, align 64
//   store <16 x float> %.splat25, ptr %phi5, align 64
//   store <16 x float> %.splat27, ptr %phi6, align 64
//   store <16 x float> %.splat29, ptr %phi7, align 64
//   store <16 x float> %.splat31, ptr %phi8, align 64
//   store <16 x float> %.splat33, ptr %phi9, align 64
//   store <16 x float> %.splat35, ptr %phi10, align 64
//   store <16 x float> %.splat37, ptr %phi11, align 64
//   store <16 x float> %.splat39, ptr %phi12, align 64
//   store <16 x float> %.splat41, ptr %phi13, align 64
//   store <16 x float> %.splat43, ptr %phi14, align 64
//   store <16 x float> %.splat45, ptr %phi15, align 64
//   store <16 x float> %.splat47, ptr %phi16, align 64
//   store <16 x float> %.splat49, ptr %phi17, align 64
//   store <16 x float> %33, ptr %value82, align 64
//   store <16 x float> %33, ptr %value83, align 64
//   store <16 x float> %33, ptr %value84, align 64
//   store <16 x float> %33, ptr %value85, align 64
//   store <16 x float> %33, ptr %value86, align 64
//   store <16 x float> %33, ptr %value87, align 64
//   store <16 x float> %33, ptr %value88, align 64
//   store <16 x float> %33, ptr %value89, align 64
//   store <16 x float> %33, ptr %value90, align 64
//   store <16 x float> %33, ptr %value91, align 64
//   store <16 x float> %33, ptr %value92, align 64
//   store <16 x float> %33, ptr %value93, align 64
//   store <16 x float> %33, ptr %value94, align 64
//   store <16 x float> %33, ptr %value95, align 64
//   store <16 x float> %33, ptr %value96, align 64
//   store <16 x float> %33, ptr %value97, align 64
//   br label %for.cond.i.i.v
//
// for.cond.i.i.v:                                   ; preds = %for.body.i.i.v, %items.x.i.v
//   %50 = load i32, ptr %phi, align 4
//   %51 = load <16 x float>, ptr %phi2, align 64
//   %52 = load <16 x float>, ptr %phi3, align 64
//   %53 = load <16 x float>, ptr %phi4, align 64
//   %54 = load <16 x float>, ptr %phi5, align 64
//   %55 = load <16 x float>, ptr %phi6, align 64
//   %56 = load <16 x float>, ptr %phi7, align 64
//   %57 = load <16 x float>, ptr %phi8, align 64
//   %58 = load <16 x float>, ptr %phi9, align 64
//   %59 = load <16 x float>, ptr %phi10, align 64
//   %60 = load <16 x float>, ptr %phi11, align 64
//   %61 = load <16 x float>, ptr %phi12, align 64
//   %62 = load <16 x float>, ptr %phi13, align 64
//   %63 = load <16 x float>, ptr %phi14, align 64
//   %64 = load <16 x float>, ptr %phi15, align 64
//   %65 = load <16 x float>, ptr %phi16, align 64
//   %66 = load <16 x float>, ptr %phi17, align 64
//   %67 = icmp slt i32 %50, %15
//   store <16 x float> %51, ptr %value, align 64
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
//   store i32 %50, ptr %value98, align 4
//   br i1 %67, label %edge, label %edge50
//
// for.body.i.i.v:                                   ; preds = %edge
//   %68 = load <16 x float>, ptr %value, align 64
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
//   %84 = load <16 x float>, ptr %value82, align 64
//   %85 = load <16 x float>, ptr %value83, align 64
//   %86 = load <16 x float>, ptr %value84, align 64
//   %87 = load <16 x float>, ptr %value85, align 64
//   %88 = load <16 x float>, ptr %value86, align 64
//   %89 = load <16 x float>, ptr %value87, align 64
//   %90 = load <16 x float>, ptr %value88, align 64
//   %91 = load <16 x float>, ptr %value89, align 64
//   %92 = load <16 x float>, ptr %value90, align 64
//   %93 = load <16 x float>, ptr %value91, align 64
//   %94 = load <16 x float>, ptr %value92, align 64
//   %95 = load <16 x float>, ptr %value93, align 64
//   %96 = load <16 x float>, ptr %value94, align 64
//   %97 = load <16 x float>, ptr %value95, align 64
//   %98 = load <16 x float>, ptr %value96, align 64
//   %99 = load <16 x float>, ptr %value97, align 64
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
//   %116 = load i32, ptr %value98, align 4
//   %117 = add nuw nsw i32 %116, 1
//   store i32 %117, ptr %phi, align 4
//   store <16 x float> %100, ptr %phi2, align 64
//   store <16 x float> %101, ptr %phi3, align 64
//   store <16 x float> %102, ptr %phi4, align 64
//   store <16 x float> %103, ptr %phi5, align 64
//   store <16 x float> %104, ptr %phi6, align 64
//   store <16 x float> %105, ptr %phi7, align 64
//   store <16 x float> %106, ptr %phi8, align 64
//   store <16 x float> %107, ptr %phi9, align 64
//   store <16 x float> %108, ptr %phi10, align 64
//   store <16 x float> %109, ptr %phi11, align 64
//   store <16 x float> %110, ptr %phi12, align 64
//   store <16 x float> %111, ptr %phi13, align 64
//   store <16 x float> %112, ptr %phi14, align 64
//   store <16 x float> %113, ptr %phi15, align 64
//   store <16 x float> %114, ptr %phi16, align 64
//   store <16 x float> %115, ptr %phi17, align 64
//   br label %for.cond.i.i.v
//
// __clang_ocl_kern_imp_chain.exit.i.v:              ; preds = %edge50
//   %118 = load <16 x float>, ptr %phi51, align 64
//   %119 = load <16 x float>, ptr %phi52, align 64
//   %120 = load <16 x float>, ptr %phi53, align 64
//   %121 = load <16 x float>, ptr %phi54, align 64
//   %122 = load <16 x float>, ptr %phi55, align 64
//   %123 = load <16 x float>, ptr %phi56, align 64
//   %124 = load <16 x float>, ptr %phi57, align 64
//   %125 = load <16 x float>, ptr %phi58, align 64
//   %126 = load <16 x float>, ptr %phi59, align 64
//   %127 = load <16 x float>, ptr %phi60, align 64
//   %128 = load <16 x float>, ptr %phi61, align 64
//   %129 = load <16 x float>, ptr %phi62, align 64
//   %130 = load <16 x float>, ptr %phi63, align 64
//   %131 = load <16 x float>, ptr %phi64, align 64
//   %132 = load <16 x float>, ptr %phi65, align 64
//   %133 = load <16 x float>, ptr %phi66, align 64
//   %134 = fadd <16 x float> %118, %133
//   %135 = shl nuw i64 %gx, 8
//   %136 = getelementptr inbounds nuw i8, ptr addrspace(1) %11, i64 %135
//   %137 = getelementptr inbounds nuw float, ptr addrspace(1) %136, i64 %vector
//   store <16 x float> %134, ptr addrspace(1) %137, align 4, !tbaa !6, !llvm.access.group !8
//   %138 = add nuw nsw i64 %vector, 1
//   %.splatinsert99 = insertelement <16 x i64> poison, i64 %vector, i64 0
//   %.splat100 = shufflevector <16 x i64> %.splatinsert99, <16 x i64> poison, <16 x i32> zeroinitializer
//   %139 = add <16 x i64> %.splat100, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15>
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
// edge50:                                           ; preds = %for.cond.i.i.v
//   store <16 x float> %51, ptr %phi51, align 64
//   store <16 x float> %52, ptr %phi52, align 64
//   store <16 x float> %53, ptr %phi53, align 64
//   store <16 x float> %54, ptr %phi54, align 64
//   store <16 x float> %55, ptr %phi55, align 64
//   store <16 x float> %56, ptr %phi56, align 64
//   store <16 x float> %57, ptr %phi57, align 64
//   store <16 x float> %58, ptr %phi58, align 64
//   store <16 x float> %59, ptr %phi59, align 64
//   store <16 x float> %60, ptr %phi60, align 64
//   store <16 x float> %61, ptr %phi61, align 64
//   store <16 x float> %62, ptr %phi62, align 64
//   store <16 x float> %63, ptr %phi63, align 64
//   store <16 x float> %64, ptr %phi64, align 64
//   store <16 x float> %65, ptr %phi65, align 64
//   store <16 x float> %66, ptr %phi66, align 64
//   br label %__clang_ocl_kern_imp_chain.exit.i.v
// }
//
// no function muxcl.kernel.copy
