//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [4]
//! lanes = 4
// Eight iterations of the inner loop share one load for each lane, and shuffles transpose the
// loaded vectors. The gather remains for the last iterations.
kernel void k(global const float *a, global const float *x, global float *y, int n) {
  int row = get_global_id(0);
  float sum = 0.0f;
  for (int i = 0; i < n; i++) sum += a[row * n + i] * x[i];
  y[row] = sum;
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #2 {
// entry:
//   %value90 = alloca i64, align 8
//   %value89 = alloca <4 x float>, align 16
//   %value84 = alloca i32, align 4
//   %phi79 = alloca <4 x float>, align 16
//   %value74 = alloca i32, align 4
//   %value9 = alloca <4 x ptr addrspace(1)>, align 32
//   %phi8 = alloca i32, align 4
//   %phi7 = alloca <4 x float>, align 16
//   %phi6 = alloca i32, align 4
//   %phi5 = alloca <4 x float>, align 16
//   %phi = alloca i32, align 4
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
//   %11 = getelementptr inbounds nuw i8, ptr %sched, i64 112
//   %12 = load ptr, ptr %11, align 8, !invariant.load !5
//   %13 = load i64, ptr %12, align 8, !invariant.load !5
//   %14 = load ptr addrspace(1), ptr %packed, align 8, !invariant.load !5
//   %15 = getelementptr inbounds nuw i8, ptr %packed, i64 8
//   %16 = load ptr addrspace(1), ptr %15, align 8, !invariant.load !5
//   %17 = getelementptr inbounds nuw i8, ptr %packed, i64 16
//   %18 = load ptr addrspace(1), ptr %17, align 8, !invariant.load !5
//   %19 = getelementptr inbounds nuw i8, ptr %packed, i64 24
//   %20 = load i32, ptr %19, align 8, !invariant.load !5
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %40, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %37, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %34, %k.group.exit ]
//   %21 = shl nuw i64 %gx, 2
//   %22 = sub i64 %13, %21
//   %23 = call i64 @llvm.umin.i64(i64 %22, i64 4)
//   %24 = trunc i64 %21 to i32
//   br label %vector.check
//
// for.cond.i.i:                                     ; preds = %rows, %rows.check, %for.body.i.i
//   %i.i.0.i = phi i32 [ %inc.i.i, %for.body.i.i ], [ 0, %rows.check ], [ %137, %rows ]
//   %sum.i.0.i = phi float [ %27, %for.body.i.i ], [ 0.000000e+00, %rows.check ], [ %136, %rows ]
//   %cmp.i.i = icmp slt i32 %i.i.0.i, %20
//   br i1 %cmp.i.i, label %for.body.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// for.body.i.i:                                     ; preds = %for.cond.i.i
//   %mul.i.i = mul nsw i32 %20, %32
//   %add.i.i = add nsw i32 %mul.i.i, %i.i.0.i
//   %idxprom.i.i = sext i32 %add.i.i to i64
//   %arrayidx.i.i = getelementptr inbounds float, ptr addrspace(1) %14, i64 %idxprom.i.i
//   %25 = load float, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %idxprom2.i.i = zext nneg i32 %i.i.0.i to i64
//   %arrayidx3.i.i = getelementptr inbounds nuw float, ptr addrspace(1) %16, i64 %idxprom2.i.i
//   %26 = load float, ptr addrspace(1) %arrayidx3.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %27 = call float @llvm.fmuladd.f32(float %25, float %26, float %sum.i.0.i)
//   %inc.i.i = add nuw nsw i32 %i.i.0.i, 1
//   br label %for.cond.i.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %for.cond.i.i
//   %sum.i.0.i.lcssa = phi float [ %sum.i.0.i, %for.cond.i.i ]
//   %sext.i = shl nuw i64 %33, 32
//   %28 = ashr exact i64 %sext.i, 30
//   %arrayidx6.i.i = getelementptr inbounds i8, ptr addrspace(1) %18, i64 %28
//   store float %sum.i.0.i.lcssa, ptr addrspace(1) %arrayidx6.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %29 = add nuw i64 %local.x.i, 1
//   %30 = icmp ult i64 %29, %23
//   br i1 %30, label %items.x.i, label %k.group.exit, !llvm.loop !9
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %29, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ %312, %vector.leave ]
//   %31 = trunc i64 %local.x.i to i32
//   %32 = add nuw nsw i32 %24, %31
//   %33 = zext i32 %32 to i64
//   br label %rows.check
//
// k.group.exit:                                     ; preds = %vector.leave, %__clang_ocl_kern_imp_k.exit.i
//   %34 = add nuw i64 %gx, 1
//   %35 = add nuw i64 %0, %6
//   %36 = icmp ult i64 %34, %35
//   br i1 %36, label %group.x, label %group.next, !llvm.loop !13
//
// group.next:                                       ; preds = %k.group.exit
//   %37 = add nuw i64 %gy, 1
//   %38 = add nuw i64 %2, %8
//   %39 = icmp ult i64 %37, %38
//   br i1 %39, label %group.y, label %group.next1, !llvm.loop !14
//
// group.next1:                                      ; preds = %group.next
//   %40 = add nuw i64 %gz, 1
//   %41 = add nuw i64 %4, %10
//   %42 = icmp ult i64 %40, %41
//   br i1 %42, label %group.z, label %exit, !llvm.loop !15
//
// rows.check:                                       ; preds = %items.x.i
//   %43 = sub i32 %20, 0
//   %44 = and i32 %43, -8
//   %45 = icmp slt i32 0, %20
//   %46 = select i1 %45, i32 %44, i32 0
//   %47 = mul nsw i32 %20, %32
//   %48 = add nsw i32 %47, 0
//   %49 = sext i32 %48 to i64
//   %50 = getelementptr inbounds float, ptr addrspace(1) %14, i64 %49
//   %51 = icmp eq i32 %46, 0
//   br i1 %51, label %for.cond.i.i, label %rows
//
// rows:                                             ; preds = %rows, %rows.check
//   %52 = phi i32 [ 0, %rows.check ], [ %137, %rows ]
//   %53 = phi float [ 0.000000e+00, %rows.check ], [ %136, %rows ]
//   %done = phi i32 [ 0, %rows.check ], [ %138, %rows ]
//   %54 = zext i32 %done to i64
//   %55 = mul i64 %54, 4
//   %56 = getelementptr i8, ptr addrspace(1) %50, i64 %55
//   %57 = load <8 x float>, ptr addrspace(1) %56, align 4, !tbaa !6, !llvm.access.group !8
//   %58 = mul nsw i32 %20, %32
//   %59 = add nsw i32 %58, %52
//   %60 = sext i32 %59 to i64
//   %61 = getelementptr inbounds float, ptr addrspace(1) %14, i64 %60
//   %62 = extractelement <8 x float> %57, i32 0
//   %63 = zext nneg i32 %52 to i64
//   %64 = getelementptr inbounds nuw float, ptr addrspace(1) %16, i64 %63
//   %65 = load float, ptr addrspace(1) %64, align 4, !tbaa !6, !llvm.access.group !8
//   %66 = call float @llvm.fmuladd.f32(float %62, float %65, float %53)
//   %67 = add nuw nsw i32 %52, 1
//   %68 = mul nsw i32 %20, %32
//   %69 = add nsw i32 %68, %67
//   %70 = sext i32 %69 to i64
//   %71 = getelementptr inbounds float, ptr addrspace(1) %14, i64 %70
//   %72 = extractelement <8 x float> %57, i32 1
//   %73 = zext nneg i32 %67 to i64
//   %74 = getelementptr inbounds nuw float, ptr addrspace(1) %16, i64 %73
//   %75 = load float, ptr addrspace(1) %74, align 4, !tbaa !6, !llvm.access.group !8
//   %76 = call float @llvm.fmuladd.f32(float %72, float %75, float %66)
//   %77 = add nuw nsw i32 %67, 1
//   %78 = mul nsw i32 %20, %32
//   %79 = add nsw i32 %78, %77
//   %80 = sext i32 %79 to i64
//   %81 = getelementptr inbounds float, ptr addrspace(1) %14, i64 %80
//   %82 = extractelement <8 x float> %57, i32 2
//   %83 = zext nneg i32 %77 to i64
//   %84 = getelementptr inbounds nuw float, ptr addrspace(1) %16, i64 %83
//   %85 = load float, ptr addrspace(1) %84, align 4, !tbaa !6, !llvm.access.group !8
//   %86 = call float @llvm.fmuladd.f32(float %82, float %85, float %76)
//   %87 = add nuw nsw i32 %77, 1
//   %88 = mul nsw i32 %20, %32
//   %89 = add nsw i32 %88, %87
//   %90 = sext i32 %89 to i64
//   %91 = getelementptr inbounds float, ptr addrspace(1) %14, i64 %90
//   %92 = extractelement <8 x float> %57, i32 3
//   %93 = zext nneg i32 %87 to i64
//   %94 = getelementptr inbounds nuw float, ptr addrspace(1) %16, i64 %93
//   %95 = load float, ptr addrspace(1) %94, align 4, !tbaa !6, !llvm.access.group !8
//   %96 = call float @llvm.fmuladd.f32(float %92, float %95, float %86)
//   %97 = add nuw nsw i32 %87, 1
//   %98 = mul nsw i32 %20, %32
//   %99 = add nsw i32 %98, %97
//   %100 = sext i32 %99 to i64
//   %101 = getelementptr inbounds float, ptr addrspace(1) %14, i64 %100
//   %102 = extractelement <8 x float> %57, i32 4
//   %103 = zext nneg i32 %97 to i64
//   %104 = getelementptr inbounds nuw float, ptr addrspace(1) %16, i64 %103
//   %105 = load float, ptr addrspace(1) %104, align 4, !tbaa !6, !llvm.access.group !8
//   %106 = call float @llvm.fmuladd.f32(float %102, float %105, float %96)
//   %107 = add nuw nsw i32 %97, 1
//   %108 = mul nsw i32 %20, %32
//   %109 = add nsw i32 %108, %107
//   %110 = sext i32 %109 to i64
//   %111 = getelementptr inbounds float, ptr addrspace(1) %14, i64 %110
//   %112 = extractelement <8 x float> %57, i32 5
//   %113 = zext nneg i32 %107 to i64
//   %114 = getelementptr inbounds nuw float, ptr addrspace(1) %16, i64 %113
//   %115 = load float, ptr addrspace(1) %114, align 4, !tbaa !6, !llvm.access.group !8
//   %116 = call float @llvm.fmuladd.f32(float %112, float %115, float %106)
//   %117 = add nuw nsw i32 %107, 1
//   %118 = mul nsw i32 %20, %32
//   %119 = add nsw i32 %118, %117
//   %120 = sext i32 %119 to i64
//   %121 = getelementptr inbounds float, ptr addrspace(1) %14, i64 %120
//   %122 = extractelement <8 x float> %57, i32 6
//   %123 = zext nneg i32 %117 to i64
//   %124 = getelementptr inbounds nuw float, ptr addrspace(1) %16, i64 %123
//   %125 = load float, ptr addrspace(1) %124, align 4, !tbaa !6, !llvm.access.group !8
//   %126 = call float @llvm.fmuladd.f32(float %122, float %125, float %116)
//   %127 = add nuw nsw i32 %117, 1
//   %128 = mul nsw i32 %20, %32
//   %129 = add nsw i32 %128, %127
//   %130 = sext i32 %129 to i64
//   %131 = getelementptr inbounds float, ptr addrspace(1) %14, i64 %130
//   %132 = extractelement <8 x float> %57, i32 7
//   %133 = zext nneg i32 %127 to i64
//   %134 = getelementptr inbounds nuw float, ptr addrspace(1) %16, i64 %133
//   %135 = load float, ptr addrspace(1) %134, align 4, !tbaa !6, !llvm.access.group !8
//   %136 = call float @llvm.fmuladd.f32(float %132, float %135, float %126)
//   %137 = add nuw nsw i32 %127, 1
//   %138 = add i32 %done, 8
//   %139 = icmp ult i32 %138, %46
//   br i1 %139, label %rows, label %for.cond.i.i
//
// vector.check:                                     ; preds = %group.x
//   %140 = sub i64 %23, 0
//   %141 = and i64 %140, -4
//   %142 = icmp eq i64 %141, 0
//   br i1 %142, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %309, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store i32 poison, ptr %phi6, align 4
//   store <4 x float> poison, ptr %phi7, align 16
//   store i32 poison, ptr %phi8, align 4
//   store i32 poison, ptr %phi, align 4
//   store <4 x float> poison, ptr %phi5, align 16
//   store <4 x float> poison, ptr %phi79, align 16
//   %143 = trunc i64 %vector to i32
//   %144 = add nuw nsw i32 %24, %143
//   %145 = zext i32 %144 to i64
//   store i32 %144, ptr %value, align 4
//   store i64 %145, ptr %value90, align 8
//   br label %rows.check.v
//
// rows.check.v:                                     ; preds = %items.x.i.v
//   %146 = sub i32 %20, 0
//   %147 = and i32 %146, -8
//   %148 = icmp slt i32 0, %20
//   %149 = select i1 %148, i32 %147, i32 0
//   %.splatinsert = insertelement <4 x i32> poison, i32 %20, i64 0
//   %.splat = shufflevector <4 x i32> %.splatinsert, <4 x i32> poison, <4 x i32> zeroinitializer
//   %150 = load i32, ptr %value, align 4
//   %.splatinsert2 = insertelement <4 x i32> poison, i32 %150, i64 0
//   %.splat3 = shufflevector <4 x i32> %.splatinsert2, <4 x i32> poison, <4 x i32> zeroinitializer
//   %151 = add <4 x i32> %.splat3, <i32 0, i32 1, i32 2, i32 3>
//   %152 = mul nsw <4 x i32> %.splat, %151
//   %153 = add nsw <4 x i32> %152, zeroinitializer
//   %154 = sext <4 x i32> %153 to <4 x i64>
//   %155 = getelementptr inbounds float, ptr addrspace(1) %14, <4 x i64> %154
//   %156 = icmp eq i32 %149, 0
//   store <4 x ptr addrspace(1)> %155, ptr %value9, align 32
//   store i32 %149, ptr %value74, align 4
//   br i1 %156, label %edge, label %edge4
//
// rows.v:                                           ; preds = %edge75, %edge4
//   %157 = load i32, ptr %phi6, align 4
//   %158 = load <4 x float>, ptr %phi7, align 16
//   %159 = load i32, ptr %phi8, align 4
//   %160 = zext i32 %159 to i64
//   %161 = mul i64 %160, 4
//   %162 = load <4 x ptr addrspace(1)>, ptr %value9, align 32
//   %163 = getelementptr i8, <4 x ptr addrspace(1)> %162, i64 %161
//   %164 = extractelement <4 x ptr addrspace(1)> %162, i32 0
//   %165 = getelementptr i8, ptr addrspace(1) %164, i64 %161
//   %166 = extractelement <4 x ptr addrspace(1)> %162, i32 1
//   %167 = getelementptr i8, ptr addrspace(1) %166, i64 %161
//   %168 = extractelement <4 x ptr addrspace(1)> %162, i32 2
//   %169 = getelementptr i8, ptr addrspace(1) %168, i64 %161
//   %170 = extractelement <4 x ptr addrspace(1)> %162, i32 3
//   %171 = getelementptr i8, ptr addrspace(1) %170, i64 %161
//   %172 = load <8 x float>, ptr addrspace(1) %165, align 4, !tbaa !6, !llvm.access.group !8
//   %173 = load <8 x float>, ptr addrspace(1) %167, align 4, !tbaa !6, !llvm.access.group !8
//   %174 = load <8 x float>, ptr addrspace(1) %169, align 4, !tbaa !6, !llvm.access.group !8
//   %175 = load <8 x float>, ptr addrspace(1) %171, align 4, !tbaa !6, !llvm.access.group !8
//   %176 = shufflevector <8 x float> %172, <8 x float> %172, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
//   %177 = shufflevector <8 x float> %173, <8 x float> %173, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
//   %178 = shufflevector <8 x float> %174, <8 x float> %174, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
//   %179 = shufflevector <8 x float> %175, <8 x float> %175, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
//   %180 = shufflevector <4 x float> %176, <4 x float> %177, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
//   %181 = shufflevector <4 x float> %176, <4 x float> %177, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
//   %182 = shufflevector <4 x float> %178, <4 x float> %179, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
//   %183 = shufflevector <4 x float> %178, <4 x float> %179, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
//   %184 = shufflevector <4 x float> %180, <4 x float> %182, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
//   %185 = shufflevector <4 x float> %180, <4 x float> %182, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
//   %186 = shufflevector <4 x float> %181, <4 x float> %183, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
//   %187 = shufflevector <4 x float> %181, <4 x float> %183, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
//   %188 = shufflevector <8 x float> %172, <8 x float> %172, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
//   %189 = shufflevector <8 x float> %173, <8 x float> %173, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
//   %190 = shufflevector <8 x float> %174, <8 x float> %174, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
//   %191 = shufflevector <8 x float> %175, <8 x float> %175, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
//   %192 = shufflevector <4 x float> %188, <4 x float> %189, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
//   %193 = shufflevector <4 x float> %188, <4 x float> %189, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
//   %194 = shufflevector <4 x float> %190, <4 x float> %191, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
//   %195 = shufflevector <4 x float> %190, <4 x float> %191, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
//   %196 = shufflevector <4 x float> %192, <4 x float> %194, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
//   %197 = shufflevector <4 x float> %192, <4 x float> %194, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
//   %198 = shufflevector <4 x float> %193, <4 x float> %195, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
//   %199 = shufflevector <4 x float> %193, <4 x float> %195, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
//   %.splatinsert10 = insertelement <4 x i32> poison, i32 %20, i64 0
//   %.splat11 = shufflevector <4 x i32> %.splatinsert10, <4 x i32> poison, <4 x i32> zeroinitializer
//   %200 = load i32, ptr %value, align 4
//   %.splatinsert12 = insertelement <4 x i32> poison, i32 %200, i64 0
//   %.splat13 = shufflevector <4 x i32> %.splatinsert12, <4 x i32> poison, <4 x i32> zeroinitializer
//   %201 = add <4 x i32> %.splat13, <i32 0, i32 1, i32 2, i32 3>
//   %202 = mul nsw <4 x i32> %.splat11, %201
//   %.splatinsert14 = insertelement <4 x i32> poison, i32 %157, i64 0
//   %.splat15 = shufflevector <4 x i32> %.splatinsert14, <4 x i32> poison, <4 x i32> zeroinitializer
//   %203 = add nsw <4 x i32> %202, %.splat15
//   %204 = sext <4 x i32> %203 to <4 x i64>
//   %205 = getelementptr inbounds float, ptr addrspace(1) %14, <4 x i64> %204
//   %206 = zext nneg i32 %157 to i64
//   %207 = getelementptr inbounds nuw float, ptr addrspace(1) %16, i64 %206
//   %208 = load float, ptr addrspace(1) %207, align 4, !tbaa !6, !llvm.access.group !8
//   %.splatinsert16 = insertelement <4 x float> poison, float %208, i64 0
//   %.splat17 = shufflevector <4 x float> %.splatinsert16, <4 x float> poison, <4 x i32> zeroinitializer
//   %209 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %184, <4 x float> %.splat17, <4 x float> %158)
//   %210 = add nuw nsw i32 %157, 1
//   %.splatinsert18 = insertelement <4 x i32> poison, i32 %20, i64 0
//   %.splat19 = shufflevector <4 x i32> %.splatinsert18, <4 x i32> poison, <4 x i32> zeroinitializer
//   %.splatinsert20 = insertelement <4 x i32> poison, i32 %200, i64 0
//   %.splat21 = shufflevector <4 x i32> %.splatinsert20, <4 x i32> poison, <4 x i32> zeroinitializer
//   %211 = add <4 x i32> %.splat21, <i32 0, i32 1, i32 2, i32 3>
//   %212 = mul nsw <4 x i32> %.splat19, %211
//   %.splatinsert22 = insertelement <4 x i32> poison, i32 %210, i64 0
//   %.splat23 = shufflevector <4 x i32> %.splatinsert22, <4 x i32> poison, <4 x i32> zeroinitializer
//   %213 = add nsw <4 x i32> %212, %.splat23
//   %214 = sext <4 x i32> %213 to <4 x i64>
//   %215 = getelementptr inbounds float, ptr addrspace(1) %14, <4 x i64> %214
//   %216 = zext nneg i32 %210 to i64
//   %217 = getelementptr inbounds nuw float, ptr addrspace(1) %16, i64 %216
//   %218 = load float, ptr addrspace(1) %217, align 4, !tbaa !6, !llvm.access.group !8
//   %.splatinsert24 = insertelement <4 x float> poison, float %218, i64 0
//   %.splat25 = shufflevector <4 x float> %.splatinsert24, <4 x float> poison, <4 x i32> zeroinitializer
//   %219 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %186, <4 x float> %.splat25, <4 x float> %209)
//   %220 = add nuw nsw i32 %210, 1
//   %.splatinsert26 = insertelement <4 x i32> poison, i32 %20, i64 0
//   %.splat27 = shufflevector <4 x i32> %.splatinsert26, <4 x i32> poison, <4 x i32> zeroinitializer
//   %.splatinsert28 = insertelement <4 x i32> poison, i32 %200, i64 0
//   %.splat29 = shufflevector <4 x i32> %.splatinsert28, <4 x i32> poison, <4 x i32> zeroinitializer
//   %221 = add <4 x i32> %.splat29, <i32 0, i32 1, i32 2, i32 3>
//   %222 = mul nsw <4 x i32> %.splat27, %221
//   %.splatinsert30 = insertelement <4 x i32> poison, i32 %220, i64 0
//   %.splat31 = shufflevector <4 x i32> %.splatinsert30, <4 x i32> poison, <4 x i32> zeroinitializer
//   %223 = add nsw <4 x i32> %222, %.splat31
//   %224 = sext <4 x i32> %223 to <4 x i64>
//   %225 = getelementptr inbounds float, ptr addrspace(1) %14, <4 x i64> %224
//   %226 = zext nneg i32 %220 to i64
//   %227 = getelementptr inbounds nuw float, ptr addrspace(1) %16, i64 %226
//   %228 = load float, ptr addrspace(1) %227, align 4, !tbaa !6, !llvm.access.group !8
//   %.splatinsert32 = insertelement <4 x float> poison, float %228, i64 0
//   %.splat33 = shufflevector <4 x float> %.splatinsert32, <4 x float> poison, <4 x i32> zeroinitializer
//   %229 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %185, <4 x float> %.splat33, <4 x float> %219)
//   %230 = add nuw nsw i32 %220, 1
//   %.splatinsert34 = insertelement <4 x i32> poison, i32 %20, i64 0
//   %.splat35 = shufflevector <4 x i32> %.splatinsert34, <4 x i32> poison, <4 x i32> zeroinitializer
//   %.splatinsert36 = insertelement <4 x i32> poison, i32 %200, i64 0
//   %.splat37 = shufflevector <4 x i32> %.splatinsert36, <4 x i32> poison, <4 x i32> zeroinitializer
//   %231 = add <4 x i32> %.splat37, <i32 0, i32 1, i32 2, i32 3>
//   %232 = mul nsw <4 x i32> %.splat35, %231
//   %.splatinsert38 = insertelement <4 x i32> poison, i32 %230, i64 0
//   %.splat39 = shufflevector <4 x i32> %.splatinsert38, <4 x i32> poison, <4 x i32> zeroinitializer
//   %233 = add nsw <4 x i32> %232, %.splat39
//   %234 = sext <4 x i32> %233 to <4 x i64>
//   %235 = getelementptr inbounds float, ptr addrspace(1) %14, <4 x i64> %234
//   %236 = zext nneg i32 %230 to i64
//   %237 = getelementptr inbounds nuw float, ptr addrspace(1) %16, i64 %236
//   %238 = load float, ptr addrspace(1) %237, align 4, !tbaa !6, !llvm.access.group !8
//   %.splatinsert40 = insertelement <4 x float> poison, float %238, i64 0
//   %.splat41 = shufflevector <4 x float> %.splatinsert40, <4 x float> poison, <4 x i32> zeroinitializer
//   %239 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %187, <4 x float> %.splat41, <4 x float> %229)
//   %240 = add nuw nsw i32 %230, 1
//   %.splatinsert42 = insertelement <4 x i32> poison, i32 %20, i64 0
//   %.splat43 = shufflevector <4 x i32> %.splatinsert42, <4 x i32> poison, <4 x i32> zeroinitializer
//   %.splatinsert44 = insertelement <4 x i32> poison, i32 %200, i64 0
//   %.splat45 = shufflevector <4 x i32> %.splatinsert44, <4 x i32> poison, <4 x i32> zeroinitializer
//   %241 = add <4 x i32> %.splat45, <i32 0, i32 1, i32 2, i32 3>
//   %242 = mul nsw <4 x i32> %.splat43, %241
//   %.splatinsert46 = insertelement <4 x i32> poison, i32 %240, i64 0
//   %.splat47 = shufflevector <4 x i32> %.splatinsert46, <4 x i32> poison, <4 x i32> zeroinitializer
//   %243 = add nsw <4 x i32> %242, %.splat47
//   %244 = sext <4 x i32> %243 to <4 x i64>
//   %245 = getelementptr inbounds float, ptr addrspace(1) %14, <4 x i64> %244
//   %246 = zext nneg i32 %240 to i64
//   %247 = getelementptr inbounds nuw float, ptr addrspace(1) %16, i64 %246
//   %248 = load float, ptr addrspace(1) %247, align 4, !tbaa !6, !llvm.access.group !8
//   %.splatinsert48 = insertelement <4 x float> poison, float %248, i64 0
//   %.splat49 = shufflevector <4 x float> %.splatinsert48, <4 x float> poison, <4 x i32> zeroinitializer
//   %249 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %196, <4 x float> %.splat49, <4 x float> %239)
//   %250 = add nuw nsw i32 %240, 1
//   %.splatinsert50 = insertelement <4 x i32> poison, i32 %20, i64 0
//   %.splat51 = shufflevector <4 x i32> %.splatinsert50, <4 x i32> poison, <4 x i32> zeroinitializer
//   %.splatinsert52 = insertelement <4 x i32> poison, i32 %200, i64 0
//   %.splat53 = shufflevector <4 x i32> %.splatinsert52, <4 x i32> poison, <4 x i32> zeroinitializer
//   %251 = add <4 x i32> %.splat53, <i32 0, i32 1, i32 2, i32 3>
//   %252 = mul nsw <4 x i32> %.splat51, %251
//   %.splatinsert54 = insertelement <4 x i32> poison, i32 %250, i64 0
//   %.splat55 = shufflevector <4 x i32> %.splatinsert54, <4 x i32> poison, <4 x i32> zeroinitializer
//   %253 = add nsw <4 x i32> %252, %.splat55
//   %254 = sext <4 x i32> %253 to <4 x i64>
//   %255 = getelementptr inbounds float, ptr addrspace(1) %14, <4 x i64> %254
//   %256 = zext nneg i32 %250 to i64
//   %257 = getelementptr inbounds nuw float, ptr addrspace(1) %16, i64 %256
//   %258 = load float, ptr addrspace(1) %257, align 4, !tbaa !6, !llvm.access.group !8
//   %.splatinsert56 = insertelement <4 x float> poison, float %258, i64 0
//   %.splat57 = shufflevector <4 x float> %.splatinsert56, <4 x float> poison, <4 x i32> zeroinitializer
//   %259 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %198, <4 x float> %.splat57, <4 x float> %249)
//   %260 = add nuw nsw i32 %250, 1
//   %.splatinsert58 = insertelement <4 x i32> poison, i32 %20, i64 0
//   %.splat59 = shufflevector <4 x i32> %.splatinsert58, <4 x i32> poison, <4 x i32> zeroinitializer
//   %.splatinsert60 = insertelement <4 x i32> poison, i32 %200, i64 0
//   %.splat61 = shufflevector <4 x i32> %.splatinsert60, <4 x i32> poison, <4 x i32> zeroinitializer
//   %261 = add <4 x i32> %.splat61, <i32 0, i32 1, i32 2, i32 3>
//   %262 = mul nsw <4 x i32> %.splat59, %261
//   %.splatinsert62 = insertelement <4 x i32> poison, i32 %260, i64 0
//   %.splat63 = shufflevector <4 x i32> %.splatinsert62, <4 x i32> poison, <4 x i32> zeroinitializer
//   %263 = add nsw <4 x i32> %262, %.splat63
//   %264 = sext <4 x i32> %263 to <4 x i64>
//   %265 = getelementptr inbounds float, ptr addrspace(1) %14, <4 x i64> %264
//   %266 = zext nneg i32 %260 to i64
//   %267 = getelementptr inbounds nuw float, ptr addrspace(1) %16, i64 %266
//   %268 = load float, ptr addrspace(1) %267, align 4, !tbaa !6, !llvm.access.group !8
//   %.splatinsert64 = insertelement <4 x float> poison, float %268, i64 0
//   %.splat65 = shufflevector <4 x float> %.splatinsert64, <4 x float> poison, <4 x i32> zeroinitializer
//   %269 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %197, <4 x float> %.splat65, <4 x float> %259)
//   %270 = add nuw nsw i32 %260, 1
//   %.splatinsert66 = insertelement <4 x i32> poison, i32 %20, i64 0
//   %.splat67 = shufflevector <4 x i32> %.splatinsert66, <4 x i32> poison, <4 x i32> zeroinitializer
//   %.splatinsert68 = insertelement <4 x i32> poison, i32 %200, i64 0
//   %.splat69 = shufflevector <4 x i32> %.splatinsert68, <4 x i32> poison, <4 x i32> zeroinitializer
//   %271 = add <4 x i32> %.splat69, <i32 0, i32 1, i32 2, i32 3>
//   %272 = mul nsw <4 x i32> %.splat67, %271
//   %.splatinsert70 = insertelement <4 x i32> poison, i32 %270, i64 0
//   %.splat71 = shufflevector <4 x i32> %.splatinsert70, <4 x i32> poison, <4 x i32> zeroinitializer
//   %273 = add nsw <4 x i32> %272, %.splat71
//   %274 = sext <4 x i32> %273 to <4 x i64>
//   %275 = getelementptr inbounds float, ptr addrspace(1) %14, <4 x i64> %274
//   %276 = zext nneg i32 %270 to i64
//   %277 = getelementptr inbounds nuw float, ptr addrspace(1) %16, i64 %276
//   %278 = load float, ptr addrspace(1) %277, align 4, !tbaa !6, !llvm.access.group !8
//   %.splatinsert72 = insertelement <4 x float> poison, float %278, i64 0
//   %.splat73 = shufflevector <4 x float> %.splatinsert72, <4 x float> poison, <4 x i32> zeroinitializer
//   %279 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %199, <4 x float> %.splat73, <4 x float> %269)
//   %280 = add nuw nsw i32 %270, 1
//   %281 = add i32 %159, 8
//   %282 = load i32, ptr %value74, align 4
//   %283 = icmp ult i32 %281, %282
//   br i1 %283, label %edge75, label %edge76
//
// for.cond.i.i.v:                                   ; preds = %for.body.i.i.v, %edge76, %edge
//   %284 = load i32, ptr %phi, align 4
//   %285 = load <4 x float>, ptr %phi5, align 16
//   %286 = icmp slt i32 %284, %20
//   store i32 %284, ptr %value84, align 4
//   store <4 x float> %285, ptr %value89, align 16
//   br i1 %286, label %edge77, label %edge78
//
// for.body.i.i.v:                                   ; preds = %edge77
//   %.splatinsert80 = insertelement <4 x i32> poison, i32 %20, i64 0
//   %.splat81 = shufflevector <4 x i32> %.splatinsert80, <4 x i32> poison, <4 x i32> zeroinitializer
//   %287 = load i32, ptr %value, align 4
//   %.splatinsert82 = insertelement <4 x i32> poison, i32 %287, i64 0
//   %.splat83 = shufflevector <4 x i32> %.splatinsert82, <4 x i32> poison, <4 x i32> zeroinitializer
//   %288 = add <4 x i32> %.splat83, <i32 0, i32 1, i32 2, i32 3>
//   %289 = mul nsw <4 x i32> %.splat81, %288
//   %290 = load i32, ptr %value84, align 4
//   %.splatinsert85 = insertelement <4 x i32> poison, i32 %290, i64 0
//   %.splat86 = shufflevector <4 x i32> %.splatinsert85, <4 x i32> poison, <4 x i32> zeroinitializer
//   %291 = add nsw <4 x i32> %289, %.splat86
//   %292 = sext <4 x i32> %291 to <4 x i64>
//   %293 = getelementptr inbounds float, ptr addrspace(1) %14, <4 x i64> %292
//   %294 = call <4 x float> @llvm.masked.gather.v4f32.v4p1(<4 x ptr addrspace(1)> align 4 %293, <4 x i1> splat (i1 true), <4 x float> poison), !tbaa !6, !llvm.access.group !8
//   %295 = zext nneg i32 %290 to i64
//   %296 = getelementptr inbounds nuw float, ptr addrspace(1) %16, i64 %295
//   %297 = load float, ptr addrspace(1) %296, align 4, !tbaa !6, !llvm.access.group !8
//   %.splatinsert87 = insertelement <4 x float> poison, float %297, i64 0
//   %.splat88 = shufflevector <4 x float> %.splatinsert87, <4 x float> poison, <4 x i32> zeroinitializer
//   %298 = load <4 x float>, ptr %value89, align 16
//   %299 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %294, <4 x float> %.splat88, <4 x float> %298)
//   %300 = add nuw nsw i32 %290, 1
//   store i32 %300, ptr %phi, align 4
//   store <4 x float> %299, ptr %phi5, align 16
//   br label %for.cond.i.i.v
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %edge78
//   %301 = load <4 x float>, ptr %phi79, align 16
//   %302 = load i64, ptr %value90, align 8
//   %303 = shl nuw i64 %302, 32
//   %304 = ashr exact i64 %303, 30
//   %305 = getelementptr inbounds i8, ptr addrspace(1) %18, i64 %304
//   store <4 x float> %301, ptr addrspace(1) %305, align 4, !tbaa !6, !llvm.access.group !8
//   %306 = add nuw i64 %vector, 1
//   %.splatinsert91 = insertelement <4 x i64> poison, i64 %306, i64 0
//   %.splat92 = shufflevector <4 x i64> %.splatinsert91, <4 x i64> poison, <4 x i32> zeroinitializer
//   %307 = add <4 x i64> %.splat92, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert93 = insertelement <4 x i64> poison, i64 %23, i64 0
//   %.splat94 = shufflevector <4 x i64> %.splatinsert93, <4 x i64> poison, <4 x i32> zeroinitializer
//   %308 = icmp ult <4 x i64> %307, %.splat94
//   %309 = add i64 %vector, 4
//   %310 = sub i64 %309, 0
//   %311 = icmp ult i64 %310, %141
//   br i1 %311, label %items.x.i.v, label %vector.leave, !llvm.loop !16
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %312 = add i64 0, %141
//   %313 = icmp ne i64 %141, %140
//   br i1 %313, label %items.x.i, label %k.group.exit
//
// edge:                                             ; preds = %rows.check.v
//   store i32 0, ptr %phi, align 4
//   store <4 x float> zeroinitializer, ptr %phi5, align 16
//   br label %for.cond.i.i.v
//
// edge4:                                            ; preds = %rows.check.v
//   store i32 0, ptr %phi6, align 4
//   store <4 x float> zeroinitializer, ptr %phi7, align 16
//   store i32 0, ptr %phi8, align 4
//   br label %rows.v
//
// edge75:                                           ; preds = %rows.v
//   store i32 %280, ptr %phi6, align 4
//   store <4 x float> %279, ptr %phi7, align 16
//   store i32 %281, ptr %phi8, align 4
//   br label %rows.v
//
// edge76:                                           ; preds = %rows.v
//   store i32 %280, ptr %phi, align 4
//   store <4 x float> %279, ptr %phi5, align 16
//   br label %for.cond.i.i.v
//
// edge77:                                           ; preds = %for.cond.i.i.v
//   br label %for.body.i.i.v
//
// edge78:                                           ; preds = %for.cond.i.i.v
//   store <4 x float> %285, ptr %phi79, align 16
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//
