//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [8, 8]
//! cost_model = true
//! cpu = "x86-64-v3"
// The store is consecutive from row to row. Eight rows run side by side, and each lane stores the
// elements of all of them at once, after a transposition.
kernel void k(global const float *in, global float *out, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  out[x * n + y] = in[y * n + x];
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #1 {
// entry:
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
//   %gz = phi i64 [ %4, %entry ], [ %33, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %30, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %27, %k.group.exit ]
//   %gx.tr = trunc i64 %gx to i32
//   %16 = shl i32 %gx.tr, 3
//   %gy.tr = trunc i64 %gy to i32
//   %17 = shl i32 %gy.tr, 3
//   br label %items.y.i
//
// items.y.i:                                        ; preds = %items.next.i, %group.x
//   %local.y.i = phi i64 [ 0, %group.x ], [ %25, %items.next.i ]
//   %18 = add nuw nsw i64 %local.y.i, 7
//   %19 = add nuw nsw i64 %local.y.i, 6
//   %20 = add nuw nsw i64 %local.y.i, 5
//   %21 = add nuw nsw i64 %local.y.i, 4
//   %22 = add nuw nsw i64 %local.y.i, 3
//   %23 = add nuw nsw i64 %local.y.i, 2
//   %24 = add nuw nsw i64 %local.y.i, 1
//   br label %vector.check
//
// items.next.i:                                     ; preds = %vector.leave
//   %25 = add nuw nsw i64 %local.y.i, 8
//   %26 = icmp samesign ult i64 %local.y.i, 0
//   br i1 %26, label %items.y.i, label %k.group.exit
//
// k.group.exit:                                     ; preds = %items.next.i
//   %27 = add nuw i64 %gx, 1
//   %28 = add nuw i64 %0, %6
//   %29 = icmp ult i64 %27, %28
//   br i1 %29, label %group.x, label %group.next, !llvm.loop !6
//
// group.next:                                       ; preds = %k.group.exit
//   %30 = add nuw i64 %gy, 1
//   %31 = add nuw i64 %2, %8
//   %32 = icmp ult i64 %30, %31
//   br i1 %32, label %group.y, label %group.next1, !llvm.loop !10
//
// group.next1:                                      ; preds = %group.next
//   %33 = add nuw i64 %gz, 1
//   %34 = add nuw i64 %4, %10
//   %35 = icmp ult i64 %33, %34
//   br i1 %35, label %group.z, label %exit, !llvm.loop !11
//
// vector.check:                                     ; preds = %items.y.i
//   br label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %vector.enter
//   %36 = trunc nuw nsw i64 0 to i32
//   %37 = add i32 %16, %36
//   %38 = trunc nuw nsw i64 %24 to i32
//   %39 = trunc nuw nsw i64 %23 to i32
//   %40 = trunc nuw nsw i64 %22 to i32
//   %41 = trunc nuw nsw i64 %21 to i32
//   %42 = trunc nuw nsw i64 %20 to i32
//   %43 = trunc nuw nsw i64 %19 to i32
//   %44 = trunc nuw nsw i64 %18 to i32
//   %45 = trunc nuw nsw i64 %local.y.i to i32
//   %46 = or disjoint i32 %17, %38
//   %47 = or disjoint i32 %17, %39
//   %48 = or disjoint i32 %17, %40
//   %49 = or disjoint i32 %17, %41
//   %50 = or disjoint i32 %17, %42
//   %51 = or disjoint i32 %17, %43
//   %52 = or disjoint i32 %17, %44
//   %53 = or disjoint i32 %17, %45
//   %54 = mul nsw i32 %15, %46
//   %55 = mul nsw i32 %15, %47
//   %56 = mul nsw i32 %15, %48
//   %57 = mul nsw i32 %15, %49
//   %58 = mul nsw i32 %15, %50
//   %59 = mul nsw i32 %15, %51
//   %60 = mul nsw i32 %15, %52
//   %61 = mul nsw i32 %15, %53
//   %62 = add nsw i32 %54, %37
//   %63 = add nsw i32 %55, %37
//   %64 = add nsw i32 %56, %37
//   %65 = add nsw i32 %57, %37
//   %66 = add nsw i32 %58, %37
//   %67 = add nsw i32 %59, %37
//   %68 = add nsw i32 %60, %37
//   %69 = add nsw i32 %61, %37
//   %70 = sext i32 %54 to i64
//   %71 = sext i32 %37 to i64
//   %72 = add i64 %70, %71
//   %73 = sext i32 %55 to i64
//   %74 = sext i32 %37 to i64
//   %75 = add i64 %73, %74
//   %76 = sext i32 %56 to i64
//   %77 = sext i32 %37 to i64
//   %78 = add i64 %76, %77
//   %79 = sext i32 %57 to i64
//   %80 = sext i32 %37 to i64
//   %81 = add i64 %79, %80
//   %82 = sext i32 %58 to i64
//   %83 = sext i32 %37 to i64
//   %84 = add i64 %82, %83
//   %85 = sext i32 %59 to i64
//   %86 = sext i32 %37 to i64
//   %87 = add i64 %85, %86
//   %88 = sext i32 %60 to i64
//   %89 = sext i32 %37 to i64
//   %90 = add i64 %88, %89
//   %91 = sext i32 %61 to i64
//   %92 = sext i32 %37 to i64
//   %93 = add i64 %91, %92
//   %94 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %72
//   %95 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %75
//   %96 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %78
//   %97 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %81
//   %98 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %84
//   %99 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %87
//   %100 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %90
//   %101 = getelementptr inbounds float, ptr addrspace(1) %11, i64 %93
//   %102 = load <8 x float>, ptr addrspace(1) %94, align 4, !tbaa !12, !llvm.access.group !14
//   %103 = load <8 x float>, ptr addrspace(1) %95, align 4, !tbaa !12, !llvm.access.group !14
//   %104 = load <8 x float>, ptr addrspace(1) %96, align 4, !tbaa !12, !llvm.access.group !14
//   %105 = load <8 x float>, ptr addrspace(1) %97, align 4, !tbaa !12, !llvm.access.group !14
//   %106 = load <8 x float>, ptr addrspace(1) %98, align 4, !tbaa !12, !llvm.access.group !14
//   %107 = load <8 x float>, ptr addrspace(1) %99, align 4, !tbaa !12, !llvm.access.group !14
//   %108 = load <8 x float>, ptr addrspace(1) %100, align 4, !tbaa !12, !llvm.access.group !14
//   %109 = load <8 x float>, ptr addrspace(1) %101, align 4, !tbaa !12, !llvm.access.group !14
//   %.splatinsert = insertelement <8 x i32> poison, i32 %15, i64 0
//   %.splat = shufflevector <8 x i32> %.splatinsert, <8 x i32> poison, <8 x i32> zeroinitializer
//   %.splatinsert2 = insertelement <8 x i32> poison, i32 %37, i64 0
//   %.splat3 = shufflevector <8 x i32> %.splatinsert2, <8 x i32> poison, <8 x i32> zeroinitializer
//   %110 = add <8 x i32> %.splat3, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
//   %111 = mul nsw <8 x i32> %.splat, %110
//   %.splatinsert4 = insertelement <8 x i32> poison, i32 %46, i64 0
//   %.splat5 = shufflevector <8 x i32> %.splatinsert4, <8 x i32> poison, <8 x i32> zeroinitializer
//   %112 = add nsw <8 x i32> %111, %.splat5
//   %.splatinsert6 = insertelement <8 x i32> poison, i32 %47, i64 0
//   %.splat7 = shufflevector <8 x i32> %.splatinsert6, <8 x i32> poison, <8 x i32> zeroinitializer
//   %113 = add nsw <8 x i32> %111, %.splat7
//   %.splatinsert8 = insertelement <8 x i32> poison, i32 %48, i64 0
//   %.splat9 = shufflevector <8 x i32> %.splatinsert8, <8 x i32> poison, <8 x i32> zeroinitializer
//   %114 = add nsw <8 x i32> %111, %.splat9
//   %.splatinsert10 = insertelement <8 x i32> poison, i32 %49, i64 0
//   %.splat11 = shufflevector <8 x i32> %.splatinsert10, <8 x i32> poison, <8 x i32> zeroinitializer
//   %115 = add nsw <8 x i32> %111, %.splat11
//   %.splatinsert12 = insertelement <8 x i32> poison, i32 %50, i64 0
//   %.splat13 = shufflevector <8 x i32> %.splatinsert12, <8 x i32> poison, <8 x i32> zeroinitializer
//   %116 = add nsw <8 x i32> %111, %.splat13
//   %.splatinsert14 = insertelement <8 x i32> poison, i32 %51, i64 0
//   %.splat15 = shufflevector <8 x i32> %.splatinsert14, <8 x i32> poison, <8 x i32> zeroinitializer
//   %117 = add nsw <8 x i32> %111, %.splat15
//   %.splatinsert16 = insertelement <8 x i32> poison, i32 %52, i64 0
//   %.splat17 = shufflevector <8 x i32> %.splatinsert16, <8 x i32> poison, <8 x i32> zeroinitializer
//   %118 = add nsw <8 x i32> %111, %.splat17
//   %.splatinsert18 = insertelement <8 x i32> poison, i32 %53, i64 0
//   %.splat19 = shufflevector <8 x i32> %.splatinsert18, <8 x i32> poison, <8 x i32> zeroinitializer
//   %119 = add nsw <8 x i32> %111, %.splat19
//   %120 = sext <8 x i32> %112 to <8 x i64>
//   %121 = sext <8 x i32> %113 to <8 x i64>
//   %122 = sext <8 x i32> %114 to <8 x i64>
//   %123 = sext <8 x i32> %115 to <8 x i64>
//   %124 = sext <8 x i32> %116 to <8 x i64>
//   %125 = sext <8 x i32> %117 to <8 x i64>
//   %126 = sext <8 x i32> %118 to <8 x i64>
//   %127 = sext <8 x i32> %119 to <8 x i64>
//   %128 = getelementptr inbounds float, ptr addrspace(1) %13, <8 x i64> %120
//   %129 = getelementptr inbounds float, ptr addrspace(1) %13, <8 x i64> %121
//   %130 = getelementptr inbounds float, ptr addrspace(1) %13, <8 x i64> %122
//   %131 = getelementptr inbounds float, ptr addrspace(1) %13, <8 x i64> %123
//   %132 = getelementptr inbounds float, ptr addrspace(1) %13, <8 x i64> %124
//   %133 = getelementptr inbounds float, ptr addrspace(1) %13, <8 x i64> %125
//   %134 = getelementptr inbounds float, ptr addrspace(1) %13, <8 x i64> %126
//   %135 = getelementptr inbounds float, ptr addrspace(1) %13, <8 x i64> %127
//   %136 = extractelement <8 x ptr addrspace(1)> %135, i32 0
//   %137 = extractelement <8 x ptr addrspace(1)> %135, i32 1
//   %138 = extractelement <8 x ptr addrspace(1)> %135, i32 2
//   %139 = extractelement <8 x ptr addrspace(1)> %135, i32 3
//   %140 = extractelement <8 x ptr addrspace(1)> %135, i32 4
//   %141 = extractelement <8 x ptr addrspace(1)> %135, i32 5
//   %142 = extractelement <8 x ptr addrspace(1)> %135, i32 6
//   %143 = extractelement <8 x ptr addrspace(1)> %135, i32 7
//   %144 = shufflevector <8 x float> %109, <8 x float> %102, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
//   %145 = shufflevector <8 x float> %109, <8 x float> %102, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
//   %146 = shufflevector <8 x float> %103, <8 x float> %104, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
//   %147 = shufflevector <8 x float> %103, <8 x float> %104, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
//   %148 = shufflevector <8 x float> %105, <8 x float> %106, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
//   %149 = shufflevector <8 x float> %105, <8 x float> %106, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
//   %150 = shufflevector <8 x float> %107, <8 x float> %108, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
//   %151 = shufflevector <8 x float> %107, <8 x float> %108, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
//   %152 = shufflevector <8 x float> %144, <8 x float> %146, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
//   %153 = shufflevector <8 x float> %144, <8 x float> %146, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
//   %154 = shufflevector <8 x float> %145, <8 x float> %147, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
//   %155 = shufflevector <8 x float> %145, <8 x float> %147, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
//   %156 = shufflevector <8 x float> %148, <8 x float> %150, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
//   %157 = shufflevector <8 x float> %148, <8 x float> %150, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
//   %158 = shufflevector <8 x float> %149, <8 x float> %151, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
//   %159 = shufflevector <8 x float> %149, <8 x float> %151, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
//   %160 = shufflevector <8 x float> %152, <8 x float> %156, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
//   %161 = shufflevector <8 x float> %152, <8 x float> %156, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
//   %162 = shufflevector <8 x float> %154, <8 x float> %158, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
//   %163 = shufflevector <8 x float> %154, <8 x float> %158, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
//   %164 = shufflevector <8 x float> %153, <8 x float> %157, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
//   %165 = shufflevector <8 x float> %153, <8 x float> %157, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
//   %166 = shufflevector <8 x float> %155, <8 x float> %159, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
//   %167 = shufflevector <8 x float> %155, <8 x float> %159, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
//   store <8 x float> %160, ptr addrspace(1) %136, align 4, !tbaa !12, !llvm.access.group !14
//   store <8 x float> %162, ptr addrspace(1) %137, align 4, !tbaa !12, !llvm.access.group !14
//   store <8 x float> %164, ptr addrspace(1) %138, align 4, !tbaa !12, !llvm.access.group !14
//   store <8 x float> %166, ptr addrspace(1) %139, align 4, !tbaa !12, !llvm.access.group !14
//   store <8 x float> %161, ptr addrspace(1) %140, align 4, !tbaa !12, !llvm.access.group !14
//   store <8 x float> %163, ptr addrspace(1) %141, align 4, !tbaa !12, !llvm.access.group !14
//   store <8 x float> %165, ptr addrspace(1) %142, align 4, !tbaa !12, !llvm.access.group !14
//   store <8 x float> %167, ptr addrspace(1) %143, align 4, !tbaa !12, !llvm.access.group !14
//   %168 = add nuw nsw i64 0, 1
//   br label %vector.leave
//
// vector.leave:                                     ; preds = %items.x.i.v
//   br label %items.next.i
// }
//
