//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [13]
//! lanes = 8
//! masked_rest = true
// Tests that a vector under a mask runs the last work-items, which are too few to fill a vector. In
// a group of 13 work-items, a full vector of 8 lanes runs the first 8, and a vector under a mask
// the other 5. The old scalar loop is unreachable and disappears.
kernel void k(global const int *in, global int *out) {
  uint x = get_local_id(0);
  out[x] = in[x] * 3;
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #1 {
// entry:
//   %mask = alloca <8 x i1>, align 1
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
//   %gz = phi i64 [ %4, %entry ], [ %25, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %22, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %19, %k.group.exit ]
//   %.neg = mul i64 %gx, -13
//   %17 = add i64 %.neg, %13
//   %18 = call i64 @llvm.umin.i64(i64 %17, i64 13)
//   br label %vector.check
//
// k.group.exit:                                     ; preds = %vector.leave, %rest.leave
//   %19 = add nuw i64 %gx, 1
//   %20 = add nuw i64 %0, %6
//   %21 = icmp ult i64 %19, %20
//   br i1 %21, label %group.x, label %group.next, !llvm.loop !6
//
// group.next:                                       ; preds = %k.group.exit
//   %22 = add nuw i64 %gy, 1
//   %23 = add nuw i64 %2, %8
//   %24 = icmp ult i64 %22, %23
//   br i1 %24, label %group.y, label %group.next1, !llvm.loop !10
//
// group.next1:                                      ; preds = %group.next
//   %25 = add nuw i64 %gz, 1
//   %26 = add nuw i64 %4, %10
//   %27 = icmp ult i64 %25, %26
//   br i1 %27, label %group.z, label %exit, !llvm.loop !11
//
// vector.check:                                     ; preds = %group.x
//   %28 = sub i64 %18, 0
//   %29 = and i64 %28, -8
//   %30 = icmp eq i64 %29, 0
//   br i1 %30, label %rest.enter, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %items.x.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %39, %items.x.i.v ]
//   %31 = and i64 %vector, 4294967295
//   %32 = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %31
//   %33 = load <8 x i32>, ptr addrspace(1) %32, align 4, !tbaa !1, !llvm.access.group !12
//   %34 = mul nsw <8 x i32> %33, splat (i32 3)
//   %35 = getelementptr inbounds nuw i32, ptr addrspace(1) %16, i64 %31
//   store <8 x i32> %34, ptr addrspace(1) %35, align 4, !tbaa !1, !llvm.access.group !12
//   %36 = add nuw i64 %vector, 1
//   %.splatinsert = insertelement <8 x i64> poison, i64 %36, i64 0
//   %.splat = shufflevector <8 x i64> %.splatinsert, <8 x i64> poison, <8 x i32> zeroinitializer
//   %37 = add <8 x i64> %.splat, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
//   %.splatinsert2 = insertelement <8 x i64> poison, i64 %18, i64 0
//   %.splat3 = shufflevector <8 x i64> %.splatinsert2, <8 x i64> poison, <8 x i32> zeroinitializer
//   %38 = icmp ult <8 x i64> %37, %.splat3
//   %39 = add i64 %vector, 8
//   %40 = sub i64 %39, 0
//   %41 = icmp ult i64 %40, %29
//   br i1 %41, label %items.x.i.v, label %vector.leave, !llvm.loop !13
//
// vector.leave:                                     ; preds = %items.x.i.v
//   %42 = add i64 0, %29
//   %43 = icmp ne i64 %29, %28
//   br i1 %43, label %rest.enter, label %k.group.exit
//
// rest.enter:                                       ; preds = %vector.leave, %vector.check
//   %44 = add i64 0, %29
//   %45 = sub i64 %28, %29
//   %46 = trunc i64 %45 to i32
//   %.splatinsert4 = insertelement <8 x i32> poison, i32 %46, i64 0
//   %.splat5 = shufflevector <8 x i32> %.splatinsert4, <8 x i32> poison, <8 x i32> zeroinitializer
//   %47 = icmp ult <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %.splat5
//   store <8 x i1> %47, ptr %mask, align 1
//   br label %items.x.i.rest
//
// items.x.i.rest:                                   ; preds = %rest.enter
//   %48 = load <8 x i1>, ptr %mask, align 1
//   %49 = and i64 %44, 4294967295
//   %50 = getelementptr i32, ptr addrspace(1) %14, i64 %49
//   %51 = call <8 x i32> @llvm.masked.load.v8i32.p1(ptr addrspace(1) align 4 %50, <8 x i1> %48, <8 x i32> poison), !tbaa !1, !llvm.access.group !12
//   %52 = mul nsw <8 x i32> %51, splat (i32 3)
//   %53 = getelementptr i32, ptr addrspace(1) %16, i64 %49
//   call void @llvm.masked.store.v8i32.p1(<8 x i32> %52, ptr addrspace(1) align 4 %53, <8 x i1> %48), !tbaa !1, !llvm.access.group !12
//   %54 = add i64 %44, 1
//   %.splatinsert6 = insertelement <8 x i64> poison, i64 %54, i64 0
//   %.splat7 = shufflevector <8 x i64> %.splatinsert6, <8 x i64> poison, <8 x i32> zeroinitializer
//   %55 = add <8 x i64> %.splat7, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
//   %.splatinsert8 = insertelement <8 x i64> poison, i64 %18, i64 0
//   %.splat9 = shufflevector <8 x i64> %.splatinsert8, <8 x i64> poison, <8 x i32> zeroinitializer
//   %56 = icmp ult <8 x i64> %55, %.splat9
//   br label %rest.leave
//
// rest.leave:                                       ; preds = %items.x.i.rest
//   %57 = sub i32 %46, 1
//   br label %k.group.exit
// }
//
