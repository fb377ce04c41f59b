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
//   %value41 = alloca <16 x float>, align 64
//   %value38 = alloca <16 x float>, align 64
//   %value35 = alloca <16 x float>, align 64
//   %value32 = alloca <16 x float>, align 64
//   %value29 = alloca <16 x float>, align 64
//   %value26 = alloca <16 x float>, align 64
//   %value23 = alloca <16 x float>, align 64
//   %value20 = alloca <16 x float>, align 64
//   %value19 = alloca i32, align 4
//   %value = alloca i32, align 4
//   %phi18 = alloca <16 x float>, align 64
//   %phi17 = alloca <16 x float>, align 64
//   %phi16 = alloca <16 x float>, align 64
//   %phi15 = alloca <16 x float>, align 64
//   %phi14 = alloca <16 x float>, align 64
//   %phi13 = alloca <16 x float>, align 64
//   %phi12 = alloca <16 x float>, align 64
//   %phi11 = alloca <16 x float>, align 64
//   %phi9 = alloca <16 x float>, align 64
//   %phi8 = alloca <16 x float>, align 64
//   %phi7 = alloca <16 x float>, align 64
//   %phi6 = alloca <16 x float>, align 64
//   %phi5 = alloca <16 x float>, align 64
//   %phi4 = alloca <16 x float>, align 64
//   %phi3 = alloca <16 x float>, align 64
//   %phi2 = alloca <16 x float>, align 64
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
//   store <16 x float> poison, ptr %phi2, align 64
//   store <16 x float> poison, ptr %phi3, align 64
//   store <16 x float> poison, ptr %phi4, align 64
//   store <16 x float> poison, ptr %phi5, align 64
//   store <16 x float> poison, ptr %phi6, align 64
//   store <16 x float> poison, ptr %phi7, align 64
//   store <16 x float> poison, ptr %phi8, align 64
//   store <16 x float> poison, ptr %phi9, align 64
//   store <16 x float> poison, ptr %phi11, align 64
//   store <16 x float> poison, ptr %phi12, align 64
//   store <16 x float> poison, ptr %phi13, align 64
//   store <16 x float> poison, ptr %phi14, align 64
//   store <16 x float> poison, ptr %phi15, align 64
//   store <16 x float> poison, ptr %phi16, align 64
//   store <16 x float> poison, ptr %phi17, align 64
//   store <16 x float> poison, ptr %phi18, align 64
//   %61 = trunc nuw nsw i64 0 to i32
//   %62 = add i32 %18, %61
//   store i32 0, ptr %phi, align 4
//   store <16 x float> zeroinitializer, ptr %phi2, align 64
//   store <16 x float> zeroinitializer, ptr %phi3, align 64
//   store <16 x float> zeroinitializer, ptr %phi4, align 64
//   store <16 x float> zeroinitializer, ptr %phi5, align 64
//   store <16 x float> zeroinitializer, ptr %phi6, align 64
//   store <16 x float> zeroinitializer, ptr %phi7, align 64
//   store <16 x float> zeroinitializer, ptr %phi8, align 64
//   store <16 x float> zeroinitializer, ptr %phi9, align 64
//   store i32 %62, ptr %value19, align 4
//   br label %for.cond.i.i.v
//
// for.cond.i.i.v:                                   ; preds = %for.body.i.i.v, %items.x.i.v
//   %63 = load i32, ptr %phi, align 4
//   %64 = load <16 x float>, ptr %phi2, align 64
//   %65 = load <16 x float>, ptr %phi3, align 64
//   %66 = load <16 x float>, ptr %phi4, align 64
//   %67 = load <16 x float>, ptr %phi5, align 64
//   %68 = load <16 x float>, ptr %phi6, align 64
//   %69 = load <16 x float>, ptr %phi7, align 64
//   %70 = load <16 x float>, ptr %phi8, align 64
//   %71 = load <16 x float>, ptr %phi9, align 64
//   %72 = icmp slt i32 %63, %17
//   store i32 %63, ptr %value, align 4
//   store <16 x float> %64, ptr %value20, align 64
//   store <16 x float> %65, ptr %value23, align 64
//   store <16 x float> %66, ptr %value26, align 64
//   store <16 x float> %67, ptr %value29, align 64
//   store <16 x float> %68, ptr %value32, align 64
//   store <16 x float> %69, ptr %value35, align 64
//   store <16 x float> %70, ptr %value38, align 64
//   store <16 x float> %71, ptr %value41, align 64
//   br i1 %72, label %edge, label %edge10
//
// for.body.i.i.v:                                   ; preds = %edge
//   %73 = load i32, ptr %value, align 4
//   %74 = add nsw i32 %43, %73
//   %75 = add nsw i32 %44, %73
//   %76 = add nsw i32 %45, %73
//   %77 = add nsw i32 %46, %73
//   %78 = add nsw i32 %47, %73
//   %79 = add nsw i32 %48, %73
//   %80 = add nsw i32 %49, %73
//   %81 = add nsw i32 %mul9.i.i, %73
//   %82 = sext i32 %74 to i64
//   %83 = sext i32 %75 to i64
//   %84 = sext i32 %76 to i64
//   %85 = sext i32 %77 to i64
//   %86 = sext i32 %78 to i64
//   %87 = sext i32 %79 to i64
//   %88 = sext i32 %80 to i64
//   %89 = sext i32 %81 to i64
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
//   %107 = load i32, ptr %value19, align 4
//   %108 = add nsw i32 %106, %107
//   %109 = sext i32 %106 to i64
//   %110 = sext i32 %107 to i64
//   %111 = add i64 %109, %110
//   %112 = getelementptr inbounds float, ptr addrspace(1) %13, i64 %111
//   %113 = load <16 x float>, ptr addrspace(1) %112, align 4, !tbaa !12, !llvm.access.group !14
//   %.splatinsert = insertelement <16 x float> poison, float %98, i64 0
//   %.splat = shufflevector <16 x float> %.splatinsert, <16 x float> poison, <16 x i32> zeroinitializer
//   %114 = load <16 x float>, ptr %value20, align 64
//   %115 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %.splat, <16 x float> %113, <16 x float> %114)
//   %.splatinsert21 = insertelement <16 x float> poison, float %99, i64 0
//   %.splat22 = shufflevector <16 x float> %.splatinsert21, <16 x float> poison, <16 x i32> zeroinitializer
//   %116 = load <16 x float>, ptr %value23, align 64
//   %117 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %.splat22, <16 x float> %113, <16 x float> %116)
//   %.splatinsert24 = insertelement <16 x float> poison, float %100, i64 0
//   %.splat25 = shufflevector <16 x float> %.splatinsert24, <16 x float> poison, <16 x i32> zeroinitializer
//   %118 = load <16 x float>, ptr %value26, align 64
//   %119 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %.splat25, <16 x float> %113, <16 x float> %118)
//   %.splatinsert27 = insertelement <16 x float> poison, float %101, i64 0
//   %.splat28 = shufflevector <16 x float> %.splatinsert27, <16 x float> poison, <16 x i32> zeroinitializer
//   %120 = load <16 x float>, ptr %value29, align 64
//   %121 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %.splat28, <16 x float> %113, <16 x float> %120)
//   %.splatinsert30 = insertelement <16 x float> poison, float %102, i64 0
//   %.splat31 = shufflevector <16 x float> %.splatinsert30, <16 x float> poison, <16 x i32> zeroinitializer
//   %122 = load <16 x float>, ptr %value32, align 64
//   %123 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %.splat31, <16 x float> %113, <16 x float> %122)
//   %.splatinsert33 = insertelement <16 x float> poison, float %103, i64 0
//   %.splat34 = shufflevector <16 x float> %.splatinsert33, <16 x float> poison, <16 x i32> zeroinitializer
//   %124 = load <16 x float>, ptr %value35, align 64
//   %125 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %.splat34, <16 x float> %113, <16 x float> %124)
//   %.splatinsert36 = insertelement <16 x float> poison, float %104, i64 0
//   %.splat37 = shufflevector <16 x float> %.splatinsert36, <16 x float> poison, <16 x i32> zeroinitializer
//   %126 = load <16 x float>, ptr %value38, align 64
//   %127 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %.splat37, <16 x float> %113, <16 x float> %126)
//   %.splatinsert39 = insertelement <16 x float> poison, float %105, i64 0
//   %.splat40 = shufflevector <16 x float> %.splatinsert39, <16 x float> poison, <16 x i32> zeroinitializer
//   %128 = load <16 x float>, ptr %value41, align 64
//   %129 = call <16 x float> @llvm.fmuladd.v16f32(<16 x float> %.splat40, <16 x float> %113, <16 x float> %128)
//   %130 = add nuw nsw i32 %73, 1
//   store i32 %130, ptr %phi, align 4
//   store <16 x float> %115, ptr %phi2, align 64
//   store <16 x float> %117, ptr %phi3, align 64
//   store <16 x float> %119, ptr %phi4, align 64
//   store <16 x float> %121, ptr %phi5, align 64
//   store <16 x float> %123, ptr %phi6, align 64
//   store <16 x float> %125, ptr %phi7, align 64
//   store <16 x float> %127, ptr %phi8, align 64
//   store <16 x float> %129, ptr %phi9, align 64
//   br label %for.cond.i.i.v
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %edge10
//   %131 = load <16 x float>, ptr %phi11, align 64
//   %132 = load <16 x float>, ptr %phi12, align 64
//   %133 = load <16 x float>, ptr %phi13, align 64
//   %134 = load <16 x float>, ptr %phi14, align 64
//   %135 = load <16 x float>, ptr %phi15, align 64
//   %136 = load <16 x float>, ptr %phi16, align 64
//   %137 = load <16 x float>, ptr %phi17, align 64
//   %138 = load <16 x float>, ptr %phi18, align 64
//   %139 = load i32, ptr %value19, align 4
//   %140 = add nsw i32 %43, %139
//   %141 = add nsw i32 %44, %139
//   %142 = add nsw i32 %45, %139
//   %143 = add nsw i32 %46, %139
//   %144 = add nsw i32 %47, %139
//   %145 = add nsw i32 %48, %139
//   %146 = add nsw i32 %49, %139
//   %147 = add nsw i32 %mul9.i.i, %139
//   %148 = sext i32 %43 to i64
//   %149 = sext i32 %139 to i64
//   %150 = add i64 %148, %149
//   %151 = sext i32 %44 to i64
//   %152 = sext i32 %139 to i64
//   %153 = add i64 %151, %152
//   %154 = sext i32 %45 to i64
//   %155 = sext i32 %139 to i64
//   %156 = add i64 %154, %155
//   %157 = sext i32 %46 to i64
//   %158 = sext i32 %139 to i64
//   %159 = add i64 %157, %158
//   %160 = sext i32 %47 to i64
//   %161 = sext i32 %139 to i64
//   %162 = add i64 %160, %161
//   %163 = sext i32 %48 to i64
//   %164 = sext i32 %139 to i64
//   %165 = add i64 %163, %164
//   %166 = sext i32 %49 to i64
//   %167 = sext i32 %139 to i64
//   %168 = add i64 %166, %167
//   %169 = sext i32 %mul9.i.i to i64
//   %170 = sext i32 %139 to i64
//   %171 = add i64 %169, %170
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
//   br label %vector.leave
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   br label %items.next.i
//
// edge:                                             ; preds = %for.cond.i.i.v
//   br label %for.body.i.i.v
//
// edge10:                                           ; preds = %for.cond.i.i.v
//   store <16 x float> %64, ptr %phi11, align 64
//   store <16 x float> %65, ptr %phi12, align 64
//   store <16 x float> %66, ptr %phi13, align 64
//   store <16 x float> %67, ptr %phi14, align 64
//   store <16 x float> %68, ptr %phi15, align 64
//   store <16 x float> %69, ptr %phi16, align 64
//   store <16 x float> %70, ptr %phi17, align 64
//   store <16 x float> %71, ptr %phi18, align 64
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//
