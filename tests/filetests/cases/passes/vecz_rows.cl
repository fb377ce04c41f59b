//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [16, 16]
//! cpu = "x86-64-v4"
//! cost_model = true
// Tests unroll and jam. The sums of eight rows (values of `y`) are computed side by side, and share
// the load of `b`, which does not depend on the row.
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
//   %gz = phi i64 [ %4, %entry ], [ %58, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %55, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %52, %k.group.exit ]
//   %gx.tr = trunc i64 %gx to i32
//   %18 = shl i32 %gx.tr, 4
//   %gy.tr = trunc i64 %gy to i32
//   %19 = shl i32 %gy.tr, 4
//   br label %items.y.i
//
// items.y.i:                                        ; preds = %items.next.i, %group.x
//   %local.y.i = phi i64 [ 0, %group.x ], [ %50, %items.next.i ]
//   %20 = add nuw nsw i64 %local.y.i, 7
//   %21 = add nuw nsw i64 %local.y.i, 6
//   %22 = add nuw nsw i64 %local.y.i, 5
//   %23 = add nuw nsw i64 %local.y.i, 4
//   %24 = add nuw nsw i64 %local.y.i, 3
//   %25 = add nuw nsw i64 %local.y.i, 2
//   %26 = add nuw nsw i64 %local.y.i, 1
//   %27 = trunc nuw nsw i64 %26 to i32
//   %28 = trunc nuw nsw i64 %25 to i32
//   %29 = trunc nuw nsw i64 %24 to i32
//   %30 = trunc nuw nsw i64 %23 to i32
//   %31 = trunc nuw nsw i64 %22 to i32
//   %32 = trunc nuw nsw i64 %21 to i32
//   %33 = trunc nuw nsw i64 %20 to i32
//   %34 = trunc nuw nsw i64 %local.y.i to i32
//   %35 = or disjoint i32 %19, %27
//   %36 = or disjoint i32 %19, %28
//   %37 = or disjoint i32 %19, %29
//   %38 = or disjoint i32 %19, %30
//   %39 = or disjoint i32 %19, %31
//   %40 = or disjoint i32 %19, %32
//   %41 = or disjoint i32 %19, %33
//   %42 = or disjoint i32 %19, %34
//   %43 = mul nsw i32 %17, %35
//   %44 = mul nsw i32 %17, %36
//   %45 = mul nsw i32 %17, %37
//   %46 = mul nsw i32 %17, %38
//   %47 = mul nsw i32 %17, %39
//   %48 = mul nsw i32 %17, %40
//   %49 = mul nsw i32 %17, %41
//   %mul9.i.i = mul nsw i32 %17, %42
//   br label %vector.check
//
// items.next.i:                                     ; preds = %vector.leave
//   %50 = add nuw nsw i64 %local.y.i, 8
//   %51 = icmp samesign ult i64 %local.y.i, 8
//   br i1 %51, label %items.y.i, label %k.group.exit
//
// k.group.exit:                                     ; preds = %items.next.i
//   %52 = add nuw i64 %gx, 1
//   %53 = add nuw i64 %0, %6
//   %54 = icmp ult i64 %52, %53
//   br i1 %54, label %group.x, label %group.next, !llvm.loop !6
//
// group.next:                                       ; preds = %k.group.exit
//   %55 = add nuw i64 %gy, 1
//   %56 = add nuw i64 %2, %8
//   %57 = icmp ult i64 %55, %56
//   br i1 %57, label %group.y, label %group.next1, !llvm.loop !10
//
// group.next1:                                      ; preds = %group.next
//   %58 = add nuw i64 %gz, 1
//   %59 = add nuw i64 %4, %10
//   %60 = icmp ult i64 %58, %59
//   br i1 %60, label %group.z, label %exit, !llvm.loop !11
//
// vector.check:                                     ; preds = %items.y.i
//   br label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %vector.enter
//   store i32 poison, ptr %phi, align 4
//   store <16 x float> poison, ptr %phi3, align 64
//   store <16 x float> poison, ptr %phi4, align 64
//   store <16 x float> poison, ptr %phi5, align 64
//   store <16 x float> poison, ptr %phi6, align 64
//   store <16 x float> poison, ptr %phi7, align 64
//   store <16 x float> poison, ptr %phi8, align 64
//   store <16 x float> poison, ptr %phi9, align 64
//   store <16 x float> poison, ptr %phi10, align 64
//   store <16 x float> poison, ptr %phi22, align 64
//   store <16 x float> poison, ptr %phi23, align 64
//   store <16 x float> poison, ptr %phi24, align 64
//   store <16 x float> poison, ptr %phi25, align 64
//   store <16 x float> poison, ptr %phi26, align 64
//   store <16 x float> poison, ptr %phi27, align 64
//   store <16 x float> poison, ptr %phi28, align 64
//   store <16 x float> poison, ptr %phi29, align 64
//   %61 = trunc nuw nsw i64 0 to i32
//   store i32 %61, ptr %value, align 4
//   %62 = add i32 %18, %61
//   store i32 %62, ptr %value2, align 4
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
//   %63 = load i32, ptr %phi, align 4
//   store i32 %63, ptr %value11, align 4
//   %64 = load <16 x float>, ptr %phi3, align 64
//   store <16 x float> %64, ptr %value12, align 64
//   %65 = load <16 x float>, ptr %phi4, align 64
//   store <16 x float> %65, ptr %value13, align 64
//   %66 = load <16 x float>, ptr %phi5, align 64
//   store <16 x float> %66, ptr %value14, align 64
//   %67 = load <16 x float>, ptr %phi6, align 64
//   store <16 x float> %67, ptr %value15, align 64
//   %68 = load <16 x float>, ptr %phi7, align 64
//   store <16 x float> %68, ptr %value16, align 64
//   %69 = load <16 x float>, ptr %phi8, align 64
//   store <16 x float> %69, ptr %value17, align 64
//   %70 = load <16 x float>, ptr %phi9, align 64
//   store <16 x float> %70, ptr %value18, align 64
//   %71 = load <16 x float>, ptr %phi10, align 64
//   store <16 x float> %71, ptr %value19, align 64
//   %72 = icmp slt i32 %63, %17
//   store i1 %72, ptr %value20, align 1
//   br i1 %72, label %edge, label %edge21
//
// for.body.i.i.v:                                   ; preds = %edge
//   %73 = load i32, ptr %value11, align 4
//   %74 = add nsw i32 %43, %73
//   store i32 %74, ptr %value30, align 4
//   %75 = add nsw i32 %44, %73
//   store i32 %75, ptr %value31, align 4
//   %76 = add nsw i32 %45, %73
//   store i32 %76, ptr %value32, align 4
//   %77 = add nsw i32 %46, %73
//   store i32 %77, ptr %value33, align 4
//   %78 = add nsw i32 %47, %73
//   store i32 %78, ptr %value34, align 4
//   %79 = add nsw i32 %48, %73
//   store i32 %79, ptr %value35, align 4
//   %80 = add nsw i32 %49, %73
//   store i32 %80, ptr %value36, align 4
//   %81 = add nsw i32 %mul9.i.i, %73
//   store i32 %81, ptr %value37, align 4
//   %82 = sext i32 %74 to i64
//   store i64 %82, ptr %value38, align 8
//   %83 = sext i32 %75 to i64
//   store i64 %83, ptr %value39, align 8
//   %84 = sext i32 %76 to i64
//   store i64 %84, ptr %value40, align 8
//   %85 = sext i32 %77 to i64
//   store i64 %85, ptr %value41, align 8
//   %86 = sext i32 %78 to i64
//   store i64 %86, ptr %value42, align 8
//   %87 = sext i32 %79 to i64
//   store i64 %87, ptr %value43, align 8
//   %88 = sext i32 %80 to i64
//   store i64 %88, ptr %value44, align 8
//   %89 = sext i32 %81 to i64
//   store i64 %89, ptr %value45, align 8
//   %90 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %82
//   %91 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %83
//   %92 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %84
//   %93 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %85
//   %94 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %86
//   %95 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %87
//   %96 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %88
//   %97 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %89
//   %98 = load float, ptr addrspace(1) %90, align 4, !tbaa !12, !llvm.access.group !14
//   %99 = load float, ptr addrspace(1) %91, align 4, !tbaa !12, !llvm.access.group !14
//   %100 = load float, ptr addrspace(1) %92, align 4, !tbaa !12, !llvm.access.group !14
//   %101 = load float, ptr addrspace(1) %93, align 4, !tbaa !12, !llvm.access.group !14
//   %102 = load float, ptr addrspace(1) %94, align 4, !tbaa !12, !llvm.access.group !14
//   %103 = load float, ptr addrspace(1) %95, align 4, !tbaa !12, !llvm.access.group !14
//   %104 = load float, ptr addrspace(1) %96, align 4, !tbaa !12, !llvm.access.group !14
//   %105 = load float, ptr addrspace(1) %97, align 4, !tbaa !12, !llvm.access.group !14
//   %106 = mul nsw i32 %73, %17
//   store i32 %106, ptr %value46, align 4
//   %107 = load i32, ptr %value2, align 4
//   %108 = add nsw i32 %106, %107
//   store i32 %108, ptr %value47, align 4
//   %109 = sext i32 %106 to i64
//   %110 = sext i32 %107 to i64
//   %111 = add i64 %109, %110
//   store i64 %111, ptr %value48, align 8
//   %112 = getelementptr inbounds float, ptr addrspace(1) %13, i64 %111
//   %113 = load <16 x float>, ptr addrspace(1) %112, align 4, !tbaa !12, !llvm.access.group !14
//   %.splatinsert = insertelement <16 x float> poison, float %98, i64 0
//   %.splat = shufflevector <16 x float> %.splatinsert, <16 x float> poison, <16 x i32> zeroinitializer
//   %114 = load <16 x float>, ptr %value12, align 64
//   %115 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %.splat, <16 x float> %113, <16 x float> %114)
//   %.splatinsert49 = insertelement <16 x float> poison, float %99, i64 0
//   %.splat50 = shufflevector <16 x float> %.splatinsert49, <16 x float> poison, <16 x i32> zeroinitializer
//   %116 = load <16 x float>, ptr %value13, align 64
//   %117 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %.splat50, <16 x float> %113, <16 x float> %116)
//   %.splatinsert51 = insertelement <16 x float> poison, float %100, i64 0
//   %.splat52 = shufflevector <16 x float> %.splatinsert51, <16 x float> poison, <16 x i32> zeroinitializer
//   %118 = load <16 x float>, ptr %value14, align 64
//   %119 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %.splat52, <16 x float> %113, <16 x float> %118)
//   %.splatinsert53 = insertelement <16 x float> poison, float %101, i64 0
//   %.splat54 = shufflevector <16 x float> %.splatinsert53, <16 x float> poison, <16 x i32> zeroinitializer
//   %120 = load <16 x float>, ptr %value15, align 64
//   %121 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %.splat54, <16 x float> %113, <16 x float> %120)
//   %.splatinsert55 = insertelement <16 x float> poison, float %102, i64 0
//   %.splat56 = shufflevector <16 x float> %.splatinsert55, <16 x float> poison, <16 x i32> zeroinitializer
//   %122 = load <16 x float>, ptr %value16, align 64
//   %123 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %.splat56, <16 x float> %113, <16 x float> %122)
//   %.splatinsert57 = insertelement <16 x float> poison, float %103, i64 0
//   %.splat58 = shufflevector <16 x float> %.splatinsert57, <16 x float> poison, <16 x i32> zeroinitializer
//   %124 = load <16 x float>, ptr %value17, align 64
//   %125 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %.splat58, <16 x float> %113, <16 x float> %124)
//   %.splatinsert59 = insertelement <16 x float> poison, float %104, i64 0
//   %.splat60 = shufflevector <16 x float> %.splatinsert59, <16 x float> poison, <16 x i32> zeroinitializer
//   %126 = load <16 x float>, ptr %value18, align 64
//   %127 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %.splat60, <16 x float> %113, <16 x float> %126)
//   %.splatinsert61 = insertelement <16 x float> poison, float %105, i64 0
//   %.splat62 = shufflevector <16 x float> %.splatinsert61, <16 x float> poison, <16 x i32> zeroinitializer
//   %128 = load <16 x float>, ptr %value19, align 64
//   %129 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %.splat62, <16 x float> %113, <16 x float> %128)
//   %130 = add nuw nsw i32 %73, 1
//   store i32 %130, ptr %value63, align 4
//   store i32 %130, ptr %phi, align 4
//   store <16 x float> %115, ptr %phi3, align 64
//   store <16 x float> %117, ptr %phi4, align 64
//   store <16 x float> %119, ptr %phi5, align 64
//   store <16 x float> %121, ptr %phi6, align 64
//   store <16 x float> %123, ptr %phi7, align 64
//   store <16 x float> %125, ptr %phi8, align 64
//   store <16 x float> %127, ptr %phi9, align 64
//   store <16 x float> %129, ptr %phi10, align 64
//   br label %for.cond.i.i.v
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %edge21
//   %131 = load <16 x float>, ptr %phi22, align 64
//   %132 = load <16 x float>, ptr %phi23, align 64
//   %133 = load <16 x float>, ptr %phi24, align 64
//   %134 = load <16 x float>, ptr %phi25, align 64
//   %135 = load <16 x float>, ptr %phi26, align 64
//   %136 = load <16 x float>, ptr %phi27, align 64
//   %137 = load <16 x float>, ptr %phi28, align 64
//   %138 = load <16 x float>, ptr %phi29, align 64
//   %139 = load i32, ptr %value2, align 4
//   %140 = add nsw i32 %43, %139
//   store i32 %140, ptr %value64, align 4
//   %141 = add nsw i32 %44, %139
//   store i32 %141, ptr %value65, align 4
//   %142 = add nsw i32 %45, %139
//   store i32 %142, ptr %value66, align 4
//   %143 = add nsw i32 %46, %139
//   store i32 %143, ptr %value67, align 4
//   %144 = add nsw i32 %47, %139
//   store i32 %144, ptr %value68, align 4
//   %145 = add nsw i32 %48, %139
//   store i32 %145, ptr %value69, align 4
//   %146 = add nsw i32 %49, %139
//   store i32 %146, ptr %value70, align 4
//   %147 = add nsw i32 %mul9.i.i, %139
//   store i32 %147, ptr %value71, align 4
//   %148 = sext i32 %43 to i64
//   %149 = sext i32 %139 to i64
//   %150 = add i64 %148, %149
//   store i64 %150, ptr %value72, align 8
//   %151 = sext i32 %44 to i64
//   %152 = sext i32 %139 to i64
//   %153 = add i64 %151, %152
//   store i64 %153, ptr %value73, align 8
//   %154 = sext i32 %45 to i64
//   %155 = sext i32 %139 to i64
//   %156 = add i64 %154, %155
//   store i64 %156, ptr %value74, align 8
//   %157 = sext i32 %46 to i64
//   %158 = sext i32 %139 to i64
//   %159 = add i64 %157, %158
//   store i64 %159, ptr %value75, align 8
//   %160 = sext i32 %47 to i64
//   %161 = sext i32 %139 to i64
//   %162 = add i64 %160, %161
//   store i64 %162, ptr %value76, align 8
//   %163 = sext i32 %48 to i64
//   %164 = sext i32 %139 to i64
//   %165 = add i64 %163, %164
//   store i64 %165, ptr %value77, align 8
//   %166 = sext i32 %49 to i64
//   %167 = sext i32 %139 to i64
//   %168 = add i64 %166, %167
//   store i64 %168, ptr %value78, align 8
//   %169 = sext i32 %mul9.i.i to i64
//   %170 = sext i32 %139 to i64
//   %171 = add i64 %169, %170
//   store i64 %171, ptr %value79, align 8
//   %172 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %150
//   %173 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %153
//   %174 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %156
//   %175 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %159
//   %176 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %162
//   %177 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %165
//   %178 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %168
//   %179 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %171
//   store <16 x float> %131, ptr addrspace(1) %172, align 4, !tbaa !12, !llvm.access.group !14
//   store <16 x float> %132, ptr addrspace(1) %173, align 4, !tbaa !12, !llvm.access.group !14
//   store <16 x float> %133, ptr addrspace(1) %174, align 4, !tbaa !12, !llvm.access.group !14
//   store <16 x float> %134, ptr addrspace(1) %175, align 4, !tbaa !12, !llvm.access.group !14
//   store <16 x float> %135, ptr addrspace(1) %176, align 4, !tbaa !12, !llvm.access.group !14
//   store <16 x float> %136, ptr addrspace(1) %177, align 4, !tbaa !12, !llvm.access.group !14
//   store <16 x float> %137, ptr addrspace(1) %178, align 4, !tbaa !12, !llvm.access.group !14
//   store <16 x float> %138, ptr addrspace(1) %179, align 4, !tbaa !12, !llvm.access.group !14
//   %180 = add nuw nsw i64 0, 1
//   store i64 %180, ptr %value80, align 8
//   br label %vector.leave
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   br label %items.next.i
//
// edge:                                             ; preds = %for.cond.i.i.v
//   br label %for.body.i.i.v
//
// edge21:                                           ; preds = %for.cond.i.i.v
//   store <16 x float> %64, ptr %phi22, align 64
//   store <16 x float> %65, ptr %phi23, align 64
//   store <16 x float> %66, ptr %phi24, align 64
//   store <16 x float> %67, ptr %phi25, align 64
//   store <16 x float> %68, ptr %phi26, align 64
//   store <16 x float> %69, ptr %phi27, align 64
//   store <16 x float> %70, ptr %phi28, align 64
//   store <16 x float> %71, ptr %phi29, align 64
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//
