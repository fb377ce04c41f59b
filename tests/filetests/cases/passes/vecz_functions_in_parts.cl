//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! lanes = 32
// Library functions have vector variants of at most 16 lanes. A vector of 32 lanes needs two calls.
kernel void k(global float *a) {
  uint x = get_local_id(0);
  a[x] = exp(a[x]);
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #3 {
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
//   %11 = getelementptr inbounds nuw i8, ptr %sched, i64 112
//   %12 = load ptr, ptr %11, align 8, !invariant.load !5
//   %13 = load i64, ptr %12, align 8, !invariant.load !5
//   %14 = load ptr addrspace(1), ptr %packed, align 8, !invariant.load !5
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %27, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %24, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %21, %k.group.exit ]
//   %15 = shl nuw i64 %gx, 6
//   %16 = sub i64 %13, %15
//   %17 = call i64 @llvm.umin.i64(i64 %16, i64 64)
//   br label %vector.check
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %items.x.i
//   %local.x.i = phi i64 [ %19, %items.x.i ], [ 0, %vector.check ], [ %47, %vector.leave ]
//   %idxprom.i.i = and i64 %local.x.i, 4294967295
//   %arrayidx.i.i = getelementptr inbounds nuw float, ptr addrspace(1) %14, i64 %idxprom.i.i
//   %18 = load float, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %call1.i.i = call float @_Z3expf(float noundef %18) #0
//   store float %call1.i.i, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %19 = add nuw i64 %local.x.i, 1
//   %20 = icmp ult i64 %19, %17
//   br i1 %20, label %items.x.i, label %k.group.exit, !llvm.loop !9
//
// k.group.exit:                                     ; preds = %vector.leave, %items.x.i
//   %21 = add nuw i64 %gx, 1
//   %22 = add nuw i64 %0, %6
//   %23 = icmp ult i64 %21, %22
//   br i1 %23, label %group.x, label %group.next, !llvm.loop !13
//
// group.next:                                       ; preds = %k.group.exit
//   %24 = add nuw i64 %gy, 1
//   %25 = add nuw i64 %2, %8
//   %26 = icmp ult i64 %24, %25
//   br i1 %26, label %group.y, label %group.next1, !llvm.loop !14
//
// group.next1:                                      ; preds = %group.next
//   %27 = add nuw i64 %gz, 1
//   %28 = add nuw i64 %4, %10
//   %29 = icmp ult i64 %27, %28
//   br i1 %29, label %group.z, label %exit, !llvm.loop !15
//
// vector.check:                                     ; preds = %group.x
//   %30 = sub i64 %17, 0
//   %31 = and i64 %30, -32
//   %32 = icmp eq i64 %31, 0
//   br i1 %32, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %items.x.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %44, %items.x.i.v ]
//   %33 = and i64 %vector, 4294967295
//   %34 = getelementptr inbounds nuw float, ptr addrspace(1) %14, i64 %33
//   %35 = load <32 x float>, ptr addrspace(1) %34, align 4, !tbaa !6, !llvm.access.group !8
//   %36 = shufflevector <32 x float> %35, <32 x float> %35, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
//   %37 = call <16 x float> @muxcl.lanes.16._Z3expf(<16 x float> %36)
//   %38 = shufflevector <32 x float> %35, <32 x float> %35, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
//   %39 = call <16 x float> @muxcl.lanes.16._Z3expf(<16 x float> %38)
//   %40 = shufflevector <16 x float> %37, <16 x float> %39, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
//   store <32 x float> %40, ptr addrspace(1) %34, align 4, !tbaa !6, !llvm.access.group !8
//   %41 = add nuw i64 %vector, 1
//   %.splatinsert = insertelement <32 x i64> poison, i64 %41, i64 0
//   %.splat = shufflevector <32 x i64> %.splatinsert, <32 x i64> poison, <32 x i32> zeroinitializer
//   %42 = add <32 x i64> %.splat, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15, i64 16, i64 17, i64 18, i64 19, i64 20, i64 21, i64 22, i64 23, i64 24, i64 25, i64 26, i64 27, i64 28, i64 29, i64 30, i64 31>
//   %.splatinsert2 = insertelement <32 x i64> poison, i64 %17, i64 0
//   %.splat3 = shufflevector <32 x i64> %.splatinsert2, <32 x i64> poison, <32 x i32> zeroinitializer
//   %43 = icmp ult <32 x i64> %42, %.splat3
//   %44 = add i64 %vector, 32
//   %45 = sub i64 %44, 0
//   %46 = icmp ult i64 %45, %31
//   br i1 %46, label %items.x.i.v, label %vector.leave, !llvm.loop !16
//
// vector.leave:                                     ; preds = %items.x.i.v
//   %47 = add i64 0, %31
//   %48 = icmp ne i64 %31, %30
//   br i1 %48, label %items.x.i, label %k.group.exit
// }
//
