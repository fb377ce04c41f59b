//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! cpu = "x86-64-v3"
//! cost_model = true
// Each instruction of the loop depends on the previous one. But twelve values live across the loop,
// and 16 registers cannot hold those of two vectors. So an iteration computes one vector only.
kernel void k(global const float *in, global float *out, int rounds) {
  size_t i = get_global_id(0);
  float a = in[i], b = in[i + 1], c = in[i + 2], d = in[i + 3], e = in[i + 4], f = in[i + 5];
  float g = in[i + 6], h = in[i + 7], j = in[i + 8], l = in[i + 9], m = in[i + 10], n = in[i + 11];
  for (int r = 0; r < rounds; ++r) {
    a = a * b + c;
    a = a * d + e;
    a = a * f + g;
    a = a * h + j;
    a = a * l + m;
    a = a * n + b;
  }
  out[i] = a;
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #2 {
// entry:
//   %value17 = alloca i64, align 8
//   %value16 = alloca i32, align 4
//   %value15 = alloca <8 x float>, align 32
//   %value14 = alloca <8 x float>, align 32
//   %value13 = alloca <8 x float>, align 32
//   %value12 = alloca <8 x float>, align 32
//   %value11 = alloca <8 x float>, align 32
//   %value10 = alloca <8 x float>, align 32
//   %value9 = alloca <8 x float>, align 32
//   %value8 = alloca <8 x float>, align 32
//   %value7 = alloca <8 x float>, align 32
//   %value6 = alloca <8 x float>, align 32
//   %value5 = alloca <8 x float>, align 32
//   %value = alloca <8 x float>, align 32
//   %phi4 = alloca <8 x float>, align 32
//   %phi2 = alloca <8 x float>, align 32
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
//   %13 = load ptr addrspace(1), ptr %12, align 8, !invariant.load !5
//   %14 = getelementptr inbounds nuw i8, ptr %packed, i64 16
//   %15 = load i32, ptr %14, align 8, !invariant.load !5
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %44, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %41, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %38, %k.group.exit ]
//   %16 = shl nuw i64 %gx, 6
//   br label %vector.check
//
// for.cond.i.i:                                     ; preds = %for.body.i.i, %items.x.i
//   %r.i.0.i = phi i32 [ 0, %items.x.i ], [ %inc.i.i, %for.body.i.i ]
//   %a.i.0.i = phi float [ %26, %items.x.i ], [ %22, %for.body.i.i ]
//   %cmp.i.i = icmp slt i32 %r.i.0.i, %15
//   br i1 %cmp.i.i, label %for.body.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// for.body.i.i:                                     ; preds = %for.cond.i.i
//   %17 = call float @llvm.fmuladd.f32(float %a.i.0.i, float %27, float %28)
//   %18 = call float @llvm.fmuladd.f32(float %17, float %29, float %30)
//   %19 = call float @llvm.fmuladd.f32(float %18, float %31, float %32)
//   %20 = call float @llvm.fmuladd.f32(float %19, float %33, float %34)
//   %21 = call float @llvm.fmuladd.f32(float %20, float %35, float %36)
//   %22 = call float @llvm.fmuladd.f32(float %21, float %37, float %27)
//   %inc.i.i = add nuw nsw i32 %r.i.0.i, 1
//   br label %for.cond.i.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %for.cond.i.i
//   %a.i.0.i.lcssa = phi float [ %a.i.0.i, %for.cond.i.i ]
//   %arrayidx22.i.i = getelementptr inbounds nuw float, ptr addrspace(1) %13, i64 %25
//   store float %a.i.0.i.lcssa, ptr addrspace(1) %arrayidx22.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %23 = add nuw nsw i64 %local.x.i, 1
//   %24 = icmp samesign ult i64 %local.x.i, 63
//   br i1 %24, label %items.x.i, label %k.group.exit, !llvm.loop !9
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %23, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ 64, %vector.leave ]
//   %25 = or disjoint i64 %16, %local.x.i
//   %arrayidx.i.i = getelementptr inbounds nuw float, ptr addrspace(1) %11, i64 %25
//   %26 = load float, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %arrayidx1.i.i = getelementptr i8, ptr addrspace(1) %arrayidx.i.i, i64 4
//   %27 = load float, ptr addrspace(1) %arrayidx1.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %arrayidx3.i.i = getelementptr i8, ptr addrspace(1) %arrayidx.i.i, i64 8
//   %28 = load float, ptr addrspace(1) %arrayidx3.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %arrayidx5.i.i = getelementptr i8, ptr addrspace(1) %arrayidx.i.i, i64 12
//   %29 = load float, ptr addrspace(1) %arrayidx5.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %arrayidx7.i.i = getelementptr i8, ptr addrspace(1) %arrayidx.i.i, i64 16
//   %30 = load float, ptr addrspace(1) %arrayidx7.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %arrayidx9.i.i = getelementptr i8, ptr addrspace(1) %arrayidx.i.i, i64 20
//   %31 = load float, ptr addrspace(1) %arrayidx9.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %arrayidx11.i.i = getelementptr i8, ptr addrspace(1) %arrayidx.i.i, i64 24
//   %32 = load float, ptr addrspace(1) %arrayidx11.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %arrayidx13.i.i = getelementptr i8, ptr addrspace(1) %arrayidx.i.i, i64 28
//   %33 = load float, ptr addrspace(1) %arrayidx13.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %arrayidx15.i.i = getelementptr i8, ptr addrspace(1) %arrayidx.i.i, i64 32
//   %34 = load float, ptr addrspace(1) %arrayidx15.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %arrayidx17.i.i = getelementptr i8, ptr addrspace(1) %arrayidx.i.i, i64 36
//   %35 = load float, ptr addrspace(1) %arrayidx17.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %arrayidx19.i.i = getelementptr i8, ptr addrspace(1) %arrayidx.i.i, i64 40
//   %36 = load float, ptr addrspace(1) %arrayidx19.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %arrayidx21.i.i = getelementptr i8, ptr addrspace(1) %arrayidx.i.i, i64 44
//   %37 = load float, ptr addrspace(1) %arrayidx21.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   br label %for.cond.i.i
//
// k.group.exit:                                     ; preds = %vector.leave, %__clang_ocl_kern_imp_k.exit.i
//   %38 = add nuw i64 %gx, 1
//   %39 = add nuw i64 %0, %6
//   %40 = icmp ult i64 %38, %39
//   br i1 %40, label %group.x, label %group.next, !llvm.loop !13
//
// group.next:                                       ; preds = %k.group.exit
//   %41 = add nuw i64 %gy, 1
//   %42 = add nuw i64 %2, %8
//   %43 = icmp ult i64 %41, %42
//   br i1 %43, label %group.y, label %group.next1, !llvm.loop !14
//
// group.next1:                                      ; preds = %group.next
//   %44 = add nuw i64 %gz, 1
//   %45 = add nuw i64 %4, %10
//   %46 = icmp ult i64 %44, %45
//   br i1 %46, label %group.z, label %exit, !llvm.loop !15
//
// vector.check:                                     ; preds = %group.x
//   br i1 false, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %101, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store i32 poison, ptr %phi, align 4
//   store <8 x float> poison, ptr %phi2, align 32
//   store <8 x float> poison, ptr %phi4, align 32
//   %47 = add i64 %16, %vector
//   %48 = getelementptr inbounds nuw float, ptr addrspace(1) %11, i64 %47
//   %49 = load <8 x float>, ptr addrspace(1) %48, align 4, !tbaa !6, !llvm.access.group !8
//   %50 = getelementptr i8, ptr addrspace(1) %48, i64 4
//   %51 = load <8 x float>, ptr addrspace(1) %50, align 4, !tbaa !6, !llvm.access.group !8
//   %52 = getelementptr i8, ptr addrspace(1) %48, i64 8
//   %53 = load <8 x float>, ptr addrspace(1) %52, align 4, !tbaa !6, !llvm.access.group !8
//   %54 = getelementptr i8, ptr addrspace(1) %48, i64 12
//   %55 = load <8 x float>, ptr addrspace(1) %54, align 4, !tbaa !6, !llvm.access.group !8
//   %56 = getelementptr i8, ptr addrspace(1) %48, i64 16
//   %57 = load <8 x float>, ptr addrspace(1) %56, align 4, !tbaa !6, !llvm.access.group !8
//   %58 = getelementptr i8, ptr addrspace(1) %48, i64 20
//   %59 = load <8 x float>, ptr addrspace(1) %58, align 4, !tbaa !6, !llvm.access.group !8
//   %60 = getelementptr i8, ptr addrspace(1) %48, i64 24
//   %61 = load <8 x float>, ptr addrspace(1) %60, align 4, !tbaa !6, !llvm.access.group !8
//   %62 = getelementptr i8, ptr addrspace(1) %48, i64 28
//   %63 = load <8 x float>, ptr addrspace(1) %62, align 4, !tbaa !6, !llvm.access.group !8
//   %64 = getelementptr i8, ptr addrspace(1) %48, i64 32
//   %65 = load <8 x float>, ptr addrspace(1) %64, align 4, !tbaa !6, !llvm.access.group !8
//   %66 = getelementptr i8, ptr addrspace(1) %48, i64 36
//   %67 = load <8 x float>, ptr addrspace(1) %66, align 4, !tbaa !6, !llvm.access.group !8
//   %68 = getelementptr i8, ptr addrspace(1) %48, i64 40
//   %69 = load <8 x float>, ptr addrspace(1) %68, align 4, !tbaa !6, !llvm.access.group !8
//   %70 = getelementptr i8, ptr addrspace(1) %48, i64 44
//   %71 = load <8 x float>, ptr addrspace(1) %70, align 4, !tbaa !6, !llvm.access.group !8
//   store i32 0, ptr %phi, align 4
//   store <8 x float> %49, ptr %phi2, align 32
//   store <8 x float> %51, ptr %value5, align 32
//   store <8 x float> %53, ptr %value6, align 32
//   store <8 x float> %55, ptr %value7, align 32
//   store <8 x float> %57, ptr %value8, align 32
//   store <8 x float> %59, ptr %value9, align 32
//   store <8 x float> %61, ptr %value10, align 32
//   store <8 x float> %63, ptr %value11, align 32
//   store <8 x float> %65, ptr %value12, align 32
//   store <8 x float> %67, ptr %value13, align 32
//   store <8 x float> %69, ptr %value14, align 32
//   store <8 x float> %71, ptr %value15, align 32
//   store i64 %47, ptr %value17, align 8
//   br label %for.cond.i.i.v
//
// for.cond.i.i.v:                                   ; preds = %for.body.i.i.v, %items.x.i.v
//   %72 = load i32, ptr %phi, align 4
//   %73 = load <8 x float>, ptr %phi2, align 32
//   %74 = icmp slt i32 %72, %15
//   store <8 x float> %73, ptr %value, align 32
//   store i32 %72, ptr %value16, align 4
//   br i1 %74, label %edge, label %edge3
//
// for.body.i.i.v:                                   ; preds = %edge
//   %75 = load <8 x float>, ptr %value, align 32
//   %76 = load <8 x float>, ptr %value5, align 32
//   %77 = load <8 x float>, ptr %value6, align 32
//   %78 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %75, <8 x float> %76, <8 x float> %77)
//   %79 = load <8 x float>, ptr %value7, align 32
//   %80 = load <8 x float>, ptr %value8, align 32
//   %81 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %78, <8 x float> %79, <8 x float> %80)
//   %82 = load <8 x float>, ptr %value9, align 32
//   %83 = load <8 x float>, ptr %value10, align 32
//   %84 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %81, <8 x float> %82, <8 x float> %83)
//   %85 = load <8 x float>, ptr %value11, align 32
//   %86 = load <8 x float>, ptr %value12, align 32
//   %87 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %84, <8 x float> %85, <8 x float> %86)
//   %88 = load <8 x float>, ptr %value13, align 32
//   %89 = load <8 x float>, ptr %value14, align 32
//   %90 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %87, <8 x float> %88, <8 x float> %89)
//   %91 = load <8 x float>, ptr %value15, align 32
//   %92 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %90, <8 x float> %91, <8 x float> %76)
//   %93 = load i32, ptr %value16, align 4
//   %94 = add nuw nsw i32 %93, 1
//   store i32 %94, ptr %phi, align 4
//   store <8 x float> %92, ptr %phi2, align 32
//   br label %for.cond.i.i.v
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %edge3
//   %95 = load <8 x float>, ptr %phi4, align 32
//   %96 = load i64, ptr %value17, align 8
//   %97 = getelementptr inbounds nuw float, ptr addrspace(1) %13, i64 %96
//   store <8 x float> %95, ptr addrspace(1) %97, align 4, !tbaa !6, !llvm.access.group !8
//   %98 = add nuw nsw i64 %vector, 1
//   %.splatinsert = insertelement <8 x i64> poison, i64 %vector, i64 0
//   %.splat = shufflevector <8 x i64> %.splatinsert, <8 x i64> poison, <8 x i32> zeroinitializer
//   %99 = add <8 x i64> %.splat, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
//   %100 = icmp samesign ult <8 x i64> %99, splat (i64 63)
//   %101 = add i64 %vector, 8
//   %102 = sub i64 %101, 0
//   %103 = icmp ult i64 %102, 64
//   br i1 %103, label %items.x.i.v, label %vector.leave, !llvm.loop !16
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   br i1 false, label %items.x.i, label %k.group.exit
//
// edge:                                             ; preds = %for.cond.i.i.v
//   br label %for.body.i.i.v
//
// edge3:                                            ; preds = %for.cond.i.i.v
//   store <8 x float> %73, ptr %phi4, align 32
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//
