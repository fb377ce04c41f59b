//! test = "gather-addresses"
//! functions = ["muxcl.kernel.k"]
//! cpu = "x86-64-v4"
//! local = [64]
//! cost_model = true
// The addresses of the gather are computed in its block, behind the test for consecutive ones.
kernel void k(global const float *a, global float *out, int wrap) {
  int i = get_global_id(0);
  out[i] = a[i & (wrap - 1)];
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #0 {
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
//   %16 = add nsw i32 %15, -1
//   %.splatinsert = insertelement <16 x i32> poison, i32 %16, i64 0
//   %.splat = shufflevector <16 x i32> %.splatinsert, <16 x i32> poison, <16 x i32> zeroinitializer
//   %17 = add nuw i64 %0, %6
//   %18 = add nuw i64 %2, %8
//   %19 = add nuw i64 %4, %10
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %23, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %21, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %vector.leave, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %37, %vector.leave ]
//   %gx.tr = trunc i64 %gx to i32
//   %20 = shl i32 %gx.tr, 6
//   br label %items.x.i.v
//
// group.next:                                       ; preds = %vector.leave
//   %21 = add nuw i64 %gy, 1
//   %22 = icmp ult i64 %21, %18
//   br i1 %22, label %group.y, label %group.next1, !llvm.loop !6
//
// group.next1:                                      ; preds = %group.next
//   %23 = add nuw i64 %gz, 1
//   %24 = icmp ult i64 %23, %19
//   br i1 %24, label %group.z, label %exit, !llvm.loop !10
//
// items.x.i.v:                                      ; preds = %accessed, %group.x
//   %vector = phi i64 [ 0, %group.x ], [ %49, %accessed ]
//   %25 = trunc nuw nsw i64 %vector to i32
//   %26 = add i32 %20, %25
//   %27 = zext i32 %26 to i64
//   %.splatinsert2 = insertelement <16 x i32> poison, i32 %26, i64 0
//   %.splat3 = shufflevector <16 x i32> %.splatinsert2, <16 x i32> poison, <16 x i32> zeroinitializer
//   %28 = or disjoint <16 x i32> %.splat3, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
//   %29 = and <16 x i32> %.splat, %28
//   %30 = freeze <16 x i32> %29
//   %31 = extractelement <16 x i32> %30, i64 0
//   %.splat5 = shufflevector <16 x i32> %30, <16 x i32> poison, <16 x i32> zeroinitializer
//   %32 = add <16 x i32> %.splat5, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
//   %33 = icmp ne <16 x i32> %30, %32
//   %34 = icmp ult i32 %31, 2147483632
//   %35 = bitcast <16 x i1> %33 to i16
//   %36 = icmp eq i16 %35, 0
//   %.not10 = and i1 %36, %34
//   br i1 %.not10, label %consecutive, label %scattered
//
// vector.leave:                                     ; preds = %accessed
//   %37 = add nuw i64 %gx, 1
//   %38 = icmp ult i64 %37, %17
//   br i1 %38, label %group.x, label %group.next, !llvm.loop !11
//
// consecutive:                                      ; preds = %items.x.i.v
//   %39 = zext nneg i32 %31 to i64
//   %40 = shl nuw nsw i64 %39, 2
//   %41 = getelementptr i8, ptr addrspace(1) %11, i64 %40
//   %42 = load <16 x float>, ptr addrspace(1) %41, align 4, !tbaa !12, !llvm.access.group !14
//   br label %accessed
//
// scattered:                                        ; preds = %items.x.i.v
//   %43 = sext <16 x i32> %30 to <16 x i64>
//   %44 = getelementptr inbounds float, ptr addrspace(1) %11, <16 x i64> %43
//   %45 = call <16 x float> @llvm.masked.gather.v16f32.v16p1(<16 x ptr addrspace(1)> align 4 %44, <16 x i1> splat (i1 true), <16 x float> poison), !tbaa !12, !llvm.access.group !14
//   br label %accessed
//
// accessed:                                         ; preds = %scattered, %consecutive
//   %accessed6 = phi <16 x float> [ %42, %consecutive ], [ %45, %scattered ]
//   %46 = shl nuw i64 %27, 32
//   %47 = ashr exact i64 %46, 30
//   %48 = getelementptr inbounds i8, ptr addrspace(1) %13, i64 %47
//   store <16 x float> %accessed6, ptr addrspace(1) %48, align 4, !tbaa !12, !llvm.access.group !14
//   %49 = add nuw nsw i64 %vector, 16
//   %50 = icmp samesign ult i64 %vector, 48
//   br i1 %50, label %items.x.i.v, label %vector.leave, !llvm.loop !15
// }
//
