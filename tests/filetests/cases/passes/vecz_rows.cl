//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [16, 16]
//! cpu = "x86-64-v4"
//! cost_model = true
// Sums of eight rows run side by side. The load of `b` serves all of them.
kernel void k(global const float *a, global const float *b, global float *c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[y * n + i] * b[i * n + x];
  c[y * n + x] = sum;
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #2 {
// entry:
//   %value80 = alloca i64, align 8
//   %value79 = alloca i64, align 8
//   %value78 = alloca i64, align 8
//   %value77 = alloca i64, align 8
//   %value76 = alloca i64, align 8
//   %value75 = alloca i64, align 8
//   %value74 = alloca i64, align 8
//   %value73 = alloca i64, align 8
//   %value72 = alloca i64, align 8
//   %value71 = alloca i32, align 4
//   %value70 = alloca i32, align 4
//   %value69 = alloca i32, align 4
//   %value68 = alloca i32, align 4
//   %value67 = alloca i32, align 4
//   %value66 = alloca i32, align 4
//   %value65 = alloca i32, align 4
//   %value64 = alloca i32, align 4
//   %value63 = alloca i32, align 4
//   %value48 = alloca i64, align 8
//   %value47 = alloca i32, align 4
//   %value46 = alloca i32, align 4
//   %value45 = alloca i64, align 8
//   %value44 = alloca i64, align 8
//   %value43 = alloca i64, align 8
//   %value42 = alloca i64, align 8
//   %value41 = alloca i64, align 8
//   %value40 = alloca i64, align 8
//   %value39 = alloca i64, align 8
//   %value38 = alloca i64, align 8
//   %value37 = alloca i32, align 4
//   %value36 = alloca i32, align 4
//   %value35 = alloca i32, align 4
//   %value34 = alloca i32, align 4
//   %value33 = alloca i32, align 4
//   %value32 = alloca i32, align 4
//   %value31 = alloca i32, align 4
//   %value30 = alloca i32, align 4
//   %phi29 = alloca <16 x float>, align 64
//   %phi28 = alloca <16 x float>, align 64
//   %phi27 = alloca <16 x float>, align 64
//   %phi26 = alloca <16 x float>, align 64
//   %phi25 = alloca <16 x float>, align 64
//   %phi24 = alloca <16 x float>, align 64
//   %phi23 = alloca <16 x float>, align 64
//   %phi22 = alloca <16 x float>, align 64
//   %value20 = alloca i1, align 1
//   %value19 = alloca <16 x float>, align 64
//   %value18 = alloca <16 x float>, align 64
//   %value17 = alloca <16 x float>, align 64
//   %value16 = alloca <16 x float>, align 64
//   %value15 = alloca <16 x float>, align 64
//   %value14 = alloca <16 x float>, align 64
//   %value13 = alloca <16 x float>, align 64
//   %value12 = alloca <16 x float>, align 64
//   %value11 = alloca i32, align 4
//   %phi10 = alloca <16 x float>, align 64
//   %phi9 = alloca <16 x float>, align 64
//   %phi8 = alloca <16 x float>, align 64
//   %phi7 = alloca <16 x float>, align 64
//   %phi6 = alloca <16 x float>, align 64
//   %phi5 = alloca <16 x float>, align 64
//   %phi4 = alloca <16 x float>, align 64
//   %phi3 = alloca <16 x float>, align 64
//   %phi = alloca i32, align 4
//   %value2 = alloca i32, align 4
//   %value = alloca i32, align 4
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
//   %15 = load ptr addrspace(1), ptr %14, align 8, !invariant.load !5
//   %16 = getelementptr inbounds nuw i8, ptr %packed, i64 24
//   %17 = load i32, ptr %16, align 8, !invariant.load !5
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %135, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %132, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %129, %k.group.exit ]
//   %gx.tr = trunc i64 %gx to i32
//   %18 = shl i32 %gx.tr, 4
//   %gy.tr = trunc i64 %gy to i32
//   %19 = shl i32 %gy.tr, 4
//   br label %items.y.i
//
// for.cond.i.i:                                     ; preds = %for.body.i.i, %items.x.i
//   %i.i.0.i = phi i32 [ 0, %items.x.i ], [ %inc.i.i, %for.body.i.i ]
//   %20 = phi float [ 0.000000e+00, %items.x.i ], [ %57, %for.body.i.i ]
//   %21 = phi float [ 0.000000e+00, %items.x.i ], [ %58, %for.body.i.i ]
//   %22 = phi float [ 0.000000e+00, %items.x.i ], [ %59, %for.body.i.i ]
//   %23 = phi float [ 0.000000e+00, %items.x.i ], [ %60, %for.body.i.i ]
//   %24 = phi float [ 0.000000e+00, %items.x.i ], [ %61, %for.body.i.i ]
//   %25 = phi float [ 0.000000e+00, %items.x.i ], [ %62, %for.body.i.i ]
//   %26 = phi float [ 0.000000e+00, %items.x.i ], [ %63, %for.body.i.i ]
//   %sum.i.0.i = phi float [ 0.000000e+00, %items.x.i ], [ %64, %for.body.i.i ]
//   %cmp.i.i = icmp slt i32 %i.i.0.i, %17
//   br i1 %cmp.i.i, label %for.body.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// for.body.i.i:                                     ; preds = %for.cond.i.i
//   %27 = add nsw i32 %118, %i.i.0.i
//   %28 = add nsw i32 %119, %i.i.0.i
//   %29 = add nsw i32 %120, %i.i.0.i
//   %30 = add nsw i32 %121, %i.i.0.i
//   %31 = add nsw i32 %122, %i.i.0.i
//   %32 = add nsw i32 %123, %i.i.0.i
//   %33 = add nsw i32 %124, %i.i.0.i
//   %add.i.i = add nsw i32 %mul9.i.i, %i.i.0.i
//   %34 = sext i32 %27 to i64
//   %35 = sext i32 %28 to i64
//   %36 = sext i32 %29 to i64
//   %37 = sext i32 %30 to i64
//   %38 = sext i32 %31 to i64
//   %39 = sext i32 %32 to i64
//   %40 = sext i32 %33 to i64
//   %idxprom.i.i = sext i32 %add.i.i to i64
//   %41 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %34
//   %42 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %35
//   %43 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %36
//   %44 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %37
//   %45 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %38
//   %46 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %39
//   %47 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %40
//   %arrayidx.i.i = getelementptr inbounds float, ptr addrspace(1) %11, i64 %idxprom.i.i
//   %48 = load float, ptr addrspace(1) %41, align 4, !tbaa !6, !llvm.access.group !8
//   %49 = load float, ptr addrspace(1) %42, align 4, !tbaa !6, !llvm.access.group !8
//   %50 = load float, ptr addrspace(1) %43, align 4, !tbaa !6, !llvm.access.group !8
//   %51 = load float, ptr addrspace(1) %44, align 4, !tbaa !6, !llvm.access.group !8
//   %52 = load float, ptr addrspace(1) %45, align 4, !tbaa !6, !llvm.access.group !8
//   %53 = load float, ptr addrspace(1) %46, align 4, !tbaa !6, !llvm.access.group !8
//   %54 = load float, ptr addrspace(1) %47, align 4, !tbaa !6, !llvm.access.group !8
//   %55 = load float, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %mul4.i.i = mul nsw i32 %i.i.0.i, %17
//   %add5.i.i = add nsw i32 %mul4.i.i, %126
//   %idxprom6.i.i = sext i32 %add5.i.i to i64
//   %arrayidx7.i.i = getelementptr inbounds float, ptr addrspace(1) %13, i64 %idxprom6.i.i
//   %56 = load float, ptr addrspace(1) %arrayidx7.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %57 = call float @llvm.fmuladd.f32(float %48, float %56, float %20)
//   %58 = call float @llvm.fmuladd.f32(float %49, float %56, float %21)
//   %59 = call float @llvm.fmuladd.f32(float %50, float %56, float %22)
//   %60 = call float @llvm.fmuladd.f32(float %51, float %56, float %23)
//   %61 = call float @llvm.fmuladd.f32(float %52, float %56, float %24)
//   %62 = call float @llvm.fmuladd.f32(float %53, float %56, float %25)
//   %63 = call float @llvm.fmuladd.f32(float %54, float %56, float %26)
//   %64 = call float @llvm.fmuladd.f32(float %55, float %56, float %sum.i.0.i)
//   %inc.i.i = add nuw nsw i32 %i.i.0.i, 1
//   br label %for.cond.i.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %for.cond.i.i
//   %65 = phi float [ %20, %for.cond.i.i ]
//   %66 = phi float [ %21, %for.cond.i.i ]
//   %67 = phi float [ %22, %for.cond.i.i ]
//   %68 = phi float [ %23, %for.cond.i.i ]
//   %69 = phi float [ %24, %for.cond.i.i ]
//   %70 = phi float [ %25, %for.cond.i.i ]
//   %71 = phi float [ %26, %for.cond.i.i ]
//   %sum.i.0.i.lcssa = phi float [ %sum.i.0.i, %for.cond.i.i ]
//   %72 = add nsw i32 %118, %126
//   %73 = add nsw i32 %119, %126
//   %74 = add nsw i32 %120, %126
//   %75 = add nsw i32 %121, %126
//   %76 = add nsw i32 %122, %126
//   %77 = add nsw i32 %123, %126
//   %78 = add nsw i32 %124, %126
//   %add10.i.i = add nsw i32 %mul9.i.i, %126
//   %79 = sext i32 %72 to i64
//   %80 = sext i32 %73 to i64
//   %81 = sext i32 %74 to i64
//   %82 = sext i32 %75 to i64
//   %83 = sext i32 %76 to i64
//   %84 = sext i32 %77 to i64
//   %85 = sext i32 %78 to i64
//   %idxprom11.i.i = sext i32 %add10.i.i to i64
//   %86 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %79
//   %87 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %80
//   %88 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %81
//   %89 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %82
//   %90 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %83
//   %91 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %84
//   %92 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %85
//   %arrayidx12.i.i = getelementptr inbounds float, ptr addrspace(1) %15, i64 %idxprom11.i.i
//   store float %65, ptr addrspace(1) %86, align 4, !tbaa !6, !llvm.access.group !8
//   store float %66, ptr addrspace(1) %87, align 4, !tbaa !6, !llvm.access.group !8
//   store float %67, ptr addrspace(1) %88, align 4, !tbaa !6, !llvm.access.group !8
//   store float %68, ptr addrspace(1) %89, align 4, !tbaa !6, !llvm.access.group !8
//   store float %69, ptr addrspace(1) %90, align 4, !tbaa !6, !llvm.access.group !8
//   store float %70, ptr addrspace(1) %91, align 4, !tbaa !6, !llvm.access.group !8
//   store float %71, ptr addrspace(1) %92, align 4, !tbaa !6, !llvm.access.group !8
//   store float %sum.i.0.i.lcssa, ptr addrspace(1) %arrayidx12.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %93 = add nuw nsw i64 %local.x.i, 1
//   %94 = icmp samesign ult i64 %local.x.i, 15
//   br i1 %94, label %items.x.i, label %items.next.i, !llvm.loop !9
//
// items.y.i:                                        ; preds = %items.next.i, %group.x
//   %local.y.i = phi i64 [ 0, %group.x ], [ %127, %items.next.i ]
//   %95 = add nuw nsw i64 %local.y.i, 7
//   %96 = add nuw nsw i64 %local.y.i, 6
//   %97 = add nuw nsw i64 %local.y.i, 5
//   %98 = add nuw nsw i64 %local.y.i, 4
//   %99 = add nuw nsw i64 %local.y.i, 3
//   %100 = add nuw nsw i64 %local.y.i, 2
//   %101 = add nuw nsw i64 %local.y.i, 1
//   %102 = trunc nuw nsw i64 %101 to i32
//   %103 = trunc nuw nsw i64 %100 to i32
//   %104 = trunc nuw nsw i64 %99 to i32
//   %105 = trunc nuw nsw i64 %98 to i32
//   %106 = trunc nuw nsw i64 %97 to i32
//   %107 = trunc nuw nsw i64 %96 to i32
//   %108 = trunc nuw nsw i64 %95 to i32
//   %109 = trunc nuw nsw i64 %local.y.i to i32
//   %110 = or disjoint i32 %19, %102
//   %111 = or disjoint i32 %19, %103
//   %112 = or disjoint i32 %19, %104
//   %113 = or disjoint i32 %19, %105
//   %114 = or disjoint i32 %19, %106
//   %115 = or disjoint i32 %19, %107
//   %116 = or disjoint i32 %19, %108
//   %117 = or disjoint i32 %19, %109
//   %118 = mul nsw i32 %17, %110
//   %119 = mul nsw i32 %17, %111
//   %120 = mul nsw i32 %17, %112
//   %121 = mul nsw i32 %17, %113
//   %122 = mul nsw i32 %17, %114
//   %123 = mul nsw i32 %17, %115
//   %124 = mul nsw i32 %17, %116
//   %mul9.i.i = mul nsw i32 %17, %117
//   br label %vector.check
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %93, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ 16, %vector.leave ]
//   %125 = trunc nuw nsw i64 %local.x.i to i32
//   %126 = or disjoint i32 %18, %125
//   br label %for.cond.i.i
//
// items.next.i:                                     ; preds = %vector.leave, %__clang_ocl_kern_imp_k.exit.i
//   %127 = add nuw nsw i64 %local.y.i, 8
//   %128 = icmp samesign ult i64 %local.y.i, 8
//   br i1 %128, label %items.y.i, label %k.group.exit
//
// k.group.exit:                                     ; preds = %items.next.i
//   %129 = add nuw i64 %gx, 1
//   %130 = add nuw i64 %0, %6
//   %131 = icmp ult i64 %129, %130
//   br i1 %131, label %group.x, label %group.next, !llvm.loop !13
//
// group.next:                                       ; preds = %k.group.exit
//   %132 = add nuw i64 %gy, 1
//   %133 = add nuw i64 %2, %8
//   %134 = icmp ult i64 %132, %133
//   br i1 %134, label %group.y, label %group.next1, !llvm.loop !14
//
// group.next1:                                      ; preds = %group.next
//   %135 = add nuw i64 %gz, 1
//   %136 = add nuw i64 %4, %10
//   %137 = icmp ult i64 %135, %136
//   br i1 %137, label %group.z, label %exit, !llvm.loop !15
//
// vector.check:                                     ; preds = %items.y.i
//   br i1 false, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %260, %__clang_ocl_kern_imp_k.exit.i.v ]
//   %138 = trunc nuw nsw i64 %vector to i32
//   store i32 %138, ptr %value, align 4
//   %139 = add i32 %18, %138
//   store i32 %139, ptr %value2, align 4
//   store i32 0, ptr %phi, align 4
//   store <16 x float> zeroinitializer, ptr %phi3, align 64
//   store <16 x float> zeroinitializer, ptr %phi4, align 64
//   store <16 x float> zeroinitializer, ptr %phi5, align 64
//   store <16 x float> zeroinitializer, ptr %phi6, align 64
//   store <16 x float> zeroinitializer, ptr %phi7, align 64
//   store <16 x float> zeroinitializer, ptr %phi8, align 64
//   store <16 x float> zeroinitializer, ptr %phi9, align 64
//   store <16 x float> zeroinitializer, ptr %phi10, align 64
//   br label %for.cond.i.i.v
//
// for.cond.i.i.v:                                   ; preds = %for.body.i.i.v, %items.x.i.v
//   %140 = load i32, ptr %phi, align 4
//   store i32 %140, ptr %value11, align 4
//   %141 = load <16 x float>, ptr %phi3, align 64
//   store <16 x float> %141, ptr %value12, align 64
//   %142 = load <16 x float>, ptr %phi4, align 64
//   store <16 x float> %142, ptr %value13, align 64
//   %143 = load <16 x float>, ptr %phi5, align 64
//   store <16 x float> %143, ptr %value14, align 64
//   %144 = load <16 x float>, ptr %phi6, align 64
//   store <16 x float> %144, ptr %value15, align 64
//   %145 = load <16 x float>, ptr %phi7, align 64
//   store <16 x float> %145, ptr %value16, align 64
//   %146 = load <16 x float>, ptr %phi8, align 64
//   store <16 x float> %146, ptr %value17, align 64
//   %147 = load <16 x float>, ptr %phi9, align 64
//   store <16 x float> %147, ptr %value18, align 64
//   %148 = load <16 x float>, ptr %phi10, align 64
//   store <16 x float> %148, ptr %value19, align 64
//   %149 = icmp slt i32 %140, %17
//   store i1 %149, ptr %value20, align 1
//   br i1 %149, label %edge, label %edge21
//
// for.body.i.i.v:                                   ; preds = %edge
//   %150 = load i32, ptr %value11, align 4
//   %151 = add nsw i32 %118, %150
//   store i32 %151, ptr %value30, align 4
//   %152 = add nsw i32 %119, %150
//   store i32 %152, ptr %value31, align 4
//   %153 = add nsw i32 %120, %150
//   store i32 %153, ptr %value32, align 4
//   %154 = add nsw i32 %121, %150
//   store i32 %154, ptr %value33, align 4
//   %155 = add nsw i32 %122, %150
//   store i32 %155, ptr %value34, align 4
//   %156 = add nsw i32 %123, %150
//   store i32 %156, ptr %value35, align 4
//   %157 = add nsw i32 %124, %150
//   store i32 %157, ptr %value36, align 4
//   %158 = add nsw i32 %mul9.i.i, %150
//   store i32 %158, ptr %value37, align 4
//   %159 = sext i32 %151 to i64
//   store i64 %159, ptr %value38, align 8
//   %160 = sext i32 %152 to i64
//   store i64 %160, ptr %value39, align 8
//   %161 = sext i32 %153 to i64
//   store i64 %161, ptr %value40, align 8
//   %162 = sext i32 %154 to i64
//   store i64 %162, ptr %value41, align 8
//   %163 = sext i32 %155 to i64
//   store i64 %163, ptr %value42, align 8
//   %164 = sext i32 %156 to i64
//   store i64 %164, ptr %value43, align 8
//   %165 = sext i32 %157 to i64
//   store i64 %165, ptr %value44, align 8
//   %166 = sext i32 %158 to i64
//   store i64 %166, ptr %value45, align 8
//   %167 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %159
//   %168 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %160
//   %169 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %161
//   %170 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %162
//   %171 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %163
//   %172 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %164
//   %173 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %165
//   %174 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %166
//   %175 = load float, ptr addrspace(1) %167, align 4, !tbaa !6, !llvm.access.group !8
//   %176 = load float, ptr addrspace(1) %168, align 4, !tbaa !6, !llvm.access.group !8
//   %177 = load float, ptr addrspace(1) %169, align 4, !tbaa !6, !llvm.access.group !8
//   %178 = load float, ptr addrspace(1) %170, align 4, !tbaa !6, !llvm.access.group !8
//   %179 = load float, ptr addrspace(1) %171, align 4, !tbaa !6, !llvm.access.group !8
//   %180 = load float, ptr addrspace(1) %172, align 4, !tbaa !6, !llvm.access.group !8
//   %181 = load float, ptr addrspace(1) %173, align 4, !tbaa !6, !llvm.access.group !8
//   %182 = load float, ptr addrspace(1) %174, align 4, !tbaa !6, !llvm.access.group !8
//   %183 = mul nsw i32 %150, %17
//   store i32 %183, ptr %value46, align 4
//   %184 = load i32, ptr %value2, align 4
//   %185 = add nsw i32 %183, %184
//   store i32 %185, ptr %value47, align 4
//   %186 = sext i32 %183 to i64
//   %187 = sext i32 %184 to i64
//   %188 = add i64 %186, %187
//   store i64 %188, ptr %value48, align 8
//   %189 = getelementptr inbounds float, ptr addrspace(1) %13, i64 %188
//   %190 = load <16 x float>, ptr addrspace(1) %189, align 4, !tbaa !6, !llvm.access.group !8
//   %.splatinsert = insertelement <16 x float> poison, float %175, i64 0
//   %.splat = shufflevector <16 x float> %.splatinsert, <16 x float> poison, <16 x i32> zeroinitializer
//   %191 = load <16 x float>, ptr %value12, align 64
//   %192 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %.splat, <16 x float> %190, <16 x float> %191)
//   %.splatinsert49 = insertelement <16 x float> poison, float %176, i64 0
//   %.splat50 = shufflevector <16 x float> %.splatinsert49, <16 x float> poison, <16 x i32> zeroinitializer
//   %193 = load <16 x float>, ptr %value13, align 64
//   %194 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %.splat50, <16 x float> %190, <16 x float> %193)
//   %.splatinsert51 = insertelement <16 x float> poison, float %177, i64 0
//   %.splat52 = shufflevector <16 x float> %.splatinsert51, <16 x float> poison, <16 x i32> zeroinitializer
//   %195 = load <16 x float>, ptr %value14, align 64
//   %196 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %.splat52, <16 x float> %190, <16 x float> %195)
//   %.splatinsert53 = insertelement <16 x float> poison, float %178, i64 0
//   %.splat54 = shufflevector <16 x float> %.splatinsert53, <16 x float> poison, <16 x i32> zeroinitializer
//   %197 = load <16 x float>, ptr %value15, align 64
//   %198 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %.splat54, <16 x float> %190, <16 x float> %197)
//   %.splatinsert55 = insertelement <16 x float> poison, float %179, i64 0
//   %.splat56 = shufflevector <16 x float> %.splatinsert55, <16 x float> poison, <16 x i32> zeroinitializer
//   %199 = load <16 x float>, ptr %value16, align 64
//   %200 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %.splat56, <16 x float> %190, <16 x float> %199)
//   %.splatinsert57 = insertelement <16 x float> poison, float %180, i64 0
//   %.splat58 = shufflevector <16 x float> %.splatinsert57, <16 x float> poison, <16 x i32> zeroinitializer
//   %201 = load <16 x float>, ptr %value17, align 64
//   %202 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %.splat58, <16 x float> %190, <16 x float> %201)
//   %.splatinsert59 = insertelement <16 x float> poison, float %181, i64 0
//   %.splat60 = shufflevector <16 x float> %.splatinsert59, <16 x float> poison, <16 x i32> zeroinitializer
//   %203 = load <16 x float>, ptr %value18, align 64
//   %204 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %.splat60, <16 x float> %190, <16 x float> %203)
//   %.splatinsert61 = insertelement <16 x float> poison, float %182, i64 0
//   %.splat62 = shufflevector <16 x float> %.splatinsert61, <16 x float> poison, <16 x i32> zeroinitializer
//   %205 = load <16 x float>, ptr %value19, align 64
//   %206 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %.splat62, <16 x float> %190, <16 x float> %205)
//   %207 = add nuw nsw i32 %150, 1
//   store i32 %207, ptr %value63, align 4
//   store i32 %207, ptr %phi, align 4
//   store <16 x float> %192, ptr %phi3, align 64
//   store <16 x float> %194, ptr %phi4, align 64
//   store <16 x float> %196, ptr %phi5, align 64
//   store <16 x float> %198, ptr %phi6, align 64
//   store <16 x float> %200, ptr %phi7, align 64
//   store <16 x float> %202, ptr %phi8, align 64
//   store <16 x float> %204, ptr %phi9, align 64
//   store <16 x float> %206, ptr %phi10, align 64
//   br label %for.cond.i.i.v
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %edge21
//   %208 = load <16 x float>, ptr %phi22, align 64
//   %209 = load <16 x float>, ptr %phi23, align 64
//   %210 = load <16 x float>, ptr %phi24, align 64
//   %211 = load <16 x float>, ptr %phi25, align 64
//   %212 = load <16 x float>, ptr %phi26, align 64
//   %213 = load <16 x float>, ptr %phi27, align 64
//   %214 = load <16 x float>, ptr %phi28, align 64
//   %215 = load <16 x float>, ptr %phi29, align 64
//   %216 = load i32, ptr %value2, align 4
//   %217 = add nsw i32 %118, %216
//   store i32 %217, ptr %value64, align 4
//   %218 = add nsw i32 %119, %216
//   store i32 %218, ptr %value65, align 4
//   %219 = add nsw i32 %120, %216
//   store i32 %219, ptr %value66, align 4
//   %220 = add nsw i32 %121, %216
//   store i32 %220, ptr %value67, align 4
//   %221 = add nsw i32 %122, %216
//   store i32 %221, ptr %value68, align 4
//   %222 = add nsw i32 %123, %216
//   store i32 %222, ptr %value69, align 4
//   %223 = add nsw i32 %124, %216
//   store i32 %223, ptr %value70, align 4
//   %224 = add nsw i32 %mul9.i.i, %216
//   store i32 %224, ptr %value71, align 4
//   %225 = sext i32 %118 to i64
//   %226 = sext i32 %216 to i64
//   %227 = add i64 %225, %226
//   store i64 %227, ptr %value72, align 8
//   %228 = sext i32 %119 to i64
//   %229 = sext i32 %216 to i64
//   %230 = add i64 %228, %229
//   store i64 %230, ptr %value73, align 8
//   %231 = sext i32 %120 to i64
//   %232 = sext i32 %216 to i64
//   %233 = add i64 %231, %232
//   store i64 %233, ptr %value74, align 8
//   %234 = sext i32 %121 to i64
//   %235 = sext i32 %216 to i64
//   %236 = add i64 %234, %235
//   store i64 %236, ptr %value75, align 8
//   %237 = sext i32 %122 to i64
//   %238 = sext i32 %216 to i64
//   %239 = add i64 %237, %238
//   store i64 %239, ptr %value76, align 8
//   %240 = sext i32 %123 to i64
//   %241 = sext i32 %216 to i64
//   %242 = add i64 %240, %241
//   store i64 %242, ptr %value77, align 8
//   %243 = sext i32 %124 to i64
//   %244 = sext i32 %216 to i64
//   %245 = add i64 %243, %244
//   store i64 %245, ptr %value78, align 8
//   %246 = sext i32 %mul9.i.i to i64
//   %247 = sext i32 %216 to i64
//   %248 = add i64 %246, %247
//   store i64 %248, ptr %value79, align 8
//   %249 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %227
//   %250 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %230
//   %251 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %233
//   %252 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %236
//   %253 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %239
//   %254 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %242
//   %255 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %245
//   %256 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %248
//   store <16 x float> %208, ptr addrspace(1) %249, align 4, !tbaa !6, !llvm.access.group !8
//   store <16 x float> %209, ptr addrspace(1) %250, align 4, !tbaa !6, !llvm.access.group !8
//   store <16 x float> %210, ptr addrspace(1) %251, align 4, !tbaa !6, !llvm.access.group !8
//   store <16 x float> %211, ptr addrspace(1) %252, align 4, !tbaa !6, !llvm.access.group !8
//   store <16 x float> %212, ptr addrspace(1) %253, align 4, !tbaa !6, !llvm.access.group !8
//   store <16 x float> %213, ptr addrspace(1) %254, align 4, !tbaa !6, !llvm.access.group !8
//   store <16 x float> %214, ptr addrspace(1) %255, align 4, !tbaa !6, !llvm.access.group !8
//   store <16 x float> %215, ptr addrspace(1) %256, align 4, !tbaa !6, !llvm.access.group !8
//   %257 = add nuw nsw i64 %vector, 1
//   store i64 %257, ptr %value80, align 8
//   %.splatinsert81 = insertelement <16 x i64> poison, i64 %vector, i64 0
//   %.splat82 = shufflevector <16 x i64> %.splatinsert81, <16 x i64> poison, <16 x i32> zeroinitializer
//   %258 = add <16 x i64> %.splat82, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15>
//   %259 = icmp samesign ult <16 x i64> %258, splat (i64 15)
//   %260 = add i64 %vector, 16
//   %261 = sub i64 %260, 0
//   %262 = icmp ult i64 %261, 16
//   br i1 %262, label %items.x.i.v, label %vector.leave, !llvm.loop !16
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   br i1 false, label %items.x.i, label %items.next.i
//
// edge:                                             ; preds = %for.cond.i.i.v
//   br label %for.body.i.i.v
//
// edge21:                                           ; preds = %for.cond.i.i.v
//   store <16 x float> %141, ptr %phi22, align 64
//   store <16 x float> %142, ptr %phi23, align 64
//   store <16 x float> %143, ptr %phi24, align 64
//   store <16 x float> %144, ptr %phi25, align 64
//   store <16 x float> %145, ptr %phi26, align 64
//   store <16 x float> %146, ptr %phi27, align 64
//   store <16 x float> %147, ptr %phi28, align 64
//   store <16 x float> %148, ptr %phi29, align 64
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//
