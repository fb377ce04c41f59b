//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [13]
//! lanes = 8
//! masked_rest = true
// 13 work-items with at most 8 lanes: a loop over full vectors, and one vector under a mask for the
// others. Nothing reaches the old loop.
kernel void k(global const int *in, global int *out) {
  uint x = get_local_id(0);
  out[x] = in[x] * 3;
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #1 {
// entry:
//   %value8 = alloca i64, align 8
//   %value7 = alloca i64, align 8
//   %mask = alloca <8 x i1>, align 1
//   %value2 = alloca i64, align 8
//   %value = alloca i64, align 8
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
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %22, %k.group.exit ]
//   %.neg = mul i64 %gx, -13
//   %17 = add i64 %.neg, %13
//   %18 = call i64 @llvm.umin.i64(i64 %17, i64 13)
//   br label %vector.check
//
// items.x.i:                                        ; preds = %items.x.i
//   %local.x.i = phi i64 [ %20, %items.x.i ]
//   %idxprom.i.i = and i64 %local.x.i, 4294967295
//   %arrayidx.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %idxprom.i.i
//   %19 = load i32, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %mul.i.i = mul nsw i32 %19, 3
//   %arrayidx2.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %16, i64 %idxprom.i.i
//   store i32 %mul.i.i, ptr addrspace(1) %arrayidx2.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %20 = add nuw i64 %local.x.i, 1
//   %21 = icmp ult i64 %20, %18
//   br i1 %21, label %items.x.i, label %k.group.exit, !llvm.loop !7
//
// k.group.exit:                                     ; preds = %vector.leave, %rest.leave, %items.x.i
//   %22 = add nuw i64 %gx, 1
//   %23 = add nuw i64 %0, %6
//   %24 = icmp ult i64 %22, %23
//   br i1 %24, label %group.x, label %group.next, !llvm.loop !11
//
// group.next:                                       ; preds = %k.group.exit
//   %25 = add nuw i64 %gy, 1
//   %26 = add nuw i64 %2, %8
//   %27 = icmp ult i64 %25, %26
//   br i1 %27, label %group.y, label %group.next1, !llvm.loop !12
//
// group.next1:                                      ; preds = %group.next
//   %28 = add nuw i64 %gz, 1
//   %29 = add nuw i64 %4, %10
//   %30 = icmp ult i64 %28, %29
//   br i1 %30, label %group.z, label %exit, !llvm.loop !13
//
// vector.check:                                     ; preds = %group.x
//   %31 = sub i64 %18, 0
//   %32 = and i64 %31, -8
//   %33 = icmp eq i64 %32, 0
//   br i1 %33, label %rest.enter, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %items.x.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %42, %items.x.i.v ]
//   %34 = and i64 %vector, 4294967295
//   store i64 %34, ptr %value, align 8
//   %35 = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %34
//   %36 = load <8 x i32>, ptr addrspace(1) %35, align 4, !tbaa !1, !llvm.access.group !6
//   %37 = mul nsw <8 x i32> %36, splat (i32 3)
//   %38 = getelementptr inbounds nuw i32, ptr addrspace(1) %16, i64 %34
//   store <8 x i32> %37, ptr addrspace(1) %38, align 4, !tbaa !1, !llvm.access.group !6
//   %39 = add nuw i64 %vector, 1
//   store i64 %39, ptr %value2, align 8
//   %.splatinsert = insertelement <8 x i64> poison, i64 %39, i64 0
//   %.splat = shufflevector <8 x i64> %.splatinsert, <8 x i64> poison, <8 x i32> zeroinitializer
//   %40 = add <8 x i64> %.splat, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
//   %.splatinsert3 = insertelement <8 x i64> poison, i64 %18, i64 0
//   %.splat4 = shufflevector <8 x i64> %.splatinsert3, <8 x i64> poison, <8 x i32> zeroinitializer
//   %41 = icmp ult <8 x i64> %40, %.splat4
//   %42 = add i64 %vector, 8
//   %43 = sub i64 %42, 0
//   %44 = icmp ult i64 %43, %32
//   br i1 %44, label %items.x.i.v, label %vector.leave, !llvm.loop !14
//
// vector.leave:                                     ; preds = %items.x.i.v
//   %45 = add i64 0, %32
//   %46 = icmp ne i64 %32, %31
//   br i1 %46, label %rest.enter, label %k.group.exit
//
// rest.enter:                                       ; preds = %vector.leave, %vector.check
//   %47 = add i64 0, %32
//   %48 = sub i64 %31, %32
//   %49 = trunc i64 %48 to i32
//   %.splatinsert5 = insertelement <8 x i32> poison, i32 %49, i64 0
//   %.splat6 = shufflevector <8 x i32> %.splatinsert5, <8 x i32> poison, <8 x i32> zeroinitializer
//   %50 = icmp ult <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %.splat6
//   store <8 x i1> %50, ptr %mask, align 1
//   br label %items.x.i.rest
//
// items.x.i.rest:                                   ; preds = %rest.enter
//   %51 = load <8 x i1>, ptr %mask, align 1
//   %52 = and i64 %47, 4294967295
//   store i64 %52, ptr %value7, align 8
//   %53 = getelementptr i32, ptr addrspace(1) %14, i64 %52
//   %54 = call <8 x i32> @llvm.masked.load.v8i32.p1(ptr addrspace(1) align 4 %53, <8 x i1> %51, <8 x i32> poison), !tbaa !1, !llvm.access.group !6
//   %55 = mul nsw <8 x i32> %54, splat (i32 3)
//   %56 = getelementptr i32, ptr addrspace(1) %16, i64 %52
//   call void @llvm.masked.store.v8i32.p1(<8 x i32> %55, ptr addrspace(1) align 4 %56, <8 x i1> %51), !tbaa !1, !llvm.access.group !6
//   %57 = add i64 %47, 1
//   store i64 %57, ptr %value8, align 8
//   %.splatinsert9 = insertelement <8 x i64> poison, i64 %57, i64 0
//   %.splat10 = shufflevector <8 x i64> %.splatinsert9, <8 x i64> poison, <8 x i32> zeroinitializer
//   %58 = add <8 x i64> %.splat10, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
//   %.splatinsert11 = insertelement <8 x i64> poison, i64 %18, i64 0
//   %.splat12 = shufflevector <8 x i64> %.splatinsert11, <8 x i64> poison, <8 x i32> zeroinitializer
//   %59 = icmp ult <8 x i64> %58, %.splat12
//   br label %rest.leave
//
// rest.leave:                                       ; preds = %items.x.i.rest
//   %60 = sub i32 %49, 1
//   br label %k.group.exit
// }
//
