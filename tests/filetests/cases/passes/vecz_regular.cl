//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! lanes = 4
// The index wraps at the end of a row. So a test of the addresses selects a load of a vector or a
// gather. The indices in `order` may have any order: always a scatter.
kernel void k(global const int *in, global const int *order, global int *out, int width) {
  int x = get_local_id(0);
  out[order[x]] = in[x + 1 == width ? 0 : x + 1];
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
//   %gz = phi i64 [ %4, %entry ], [ %36, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %33, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %30, %k.group.exit ]
//   %21 = shl nuw i64 %gx, 6
//   %22 = sub i64 %13, %21
//   %23 = call i64 @llvm.umin.i64(i64 %22, i64 64)
//   br label %vector.check
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %items.x.i
//   %local.x.i = phi i64 [ %28, %items.x.i ], [ 0, %vector.check ], [ %63, %vector.leave ]
//   %24 = trunc i64 %local.x.i to i32
//   %add.i.i = add nsw i32 %24, 1
//   %cmp.i.i = icmp eq i32 %add.i.i, %20
//   %.add.i.i = select i1 %cmp.i.i, i32 0, i32 %add.i.i
//   %idxprom.i.i = sext i32 %.add.i.i to i64
//   %arrayidx.i.i = getelementptr inbounds i32, ptr addrspace(1) %14, i64 %idxprom.i.i
//   %25 = load i32, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %sext.i = shl i64 %local.x.i, 32
//   %26 = ashr exact i64 %sext.i, 30
//   %arrayidx4.i.i = getelementptr inbounds i8, ptr addrspace(1) %16, i64 %26
//   %27 = load i32, ptr addrspace(1) %arrayidx4.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %idxprom5.i.i = sext i32 %27 to i64
//   %arrayidx6.i.i = getelementptr inbounds i32, ptr addrspace(1) %18, i64 %idxprom5.i.i
//   store i32 %25, ptr addrspace(1) %arrayidx6.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %28 = add nuw i64 %local.x.i, 1
//   %29 = icmp ult i64 %28, %23
//   br i1 %29, label %items.x.i, label %k.group.exit, !llvm.loop !7
//
// k.group.exit:                                     ; preds = %vector.leave, %items.x.i
//   %30 = add nuw i64 %gx, 1
//   %31 = add nuw i64 %0, %6
//   %32 = icmp ult i64 %30, %31
//   br i1 %32, label %group.x, label %group.next, !llvm.loop !11
//
// group.next:                                       ; preds = %k.group.exit
//   %33 = add nuw i64 %gy, 1
//   %34 = add nuw i64 %2, %8
//   %35 = icmp ult i64 %33, %34
//   br i1 %35, label %group.y, label %group.next1, !llvm.loop !12
//
// group.next1:                                      ; preds = %group.next
//   %36 = add nuw i64 %gz, 1
//   %37 = add nuw i64 %4, %10
//   %38 = icmp ult i64 %36, %37
//   br i1 %38, label %group.z, label %exit, !llvm.loop !13
//
// vector.check:                                     ; preds = %group.x
//   %39 = sub i64 %23, 0
//   %40 = and i64 %39, -4
//   %41 = icmp eq i64 %40, 0
//   br i1 %41, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %accessed, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %76, %accessed ]
//   %42 = trunc i64 %vector to i32
//   %43 = add nsw i32 %42, 1
//   %.splatinsert = insertelement <4 x i32> poison, i32 %43, i64 0
//   %.splat = shufflevector <4 x i32> %.splatinsert, <4 x i32> poison, <4 x i32> zeroinitializer
//   %44 = add <4 x i32> %.splat, <i32 0, i32 1, i32 2, i32 3>
//   %.splatinsert2 = insertelement <4 x i32> poison, i32 %20, i64 0
//   %.splat3 = shufflevector <4 x i32> %.splatinsert2, <4 x i32> poison, <4 x i32> zeroinitializer
//   %45 = icmp eq <4 x i32> %44, %.splat3
//   %.splatinsert4 = insertelement <4 x i32> poison, i32 %43, i64 0
//   %.splat5 = shufflevector <4 x i32> %.splatinsert4, <4 x i32> poison, <4 x i32> zeroinitializer
//   %46 = add <4 x i32> %.splat5, <i32 0, i32 1, i32 2, i32 3>
//   %47 = select <4 x i1> %45, <4 x i32> zeroinitializer, <4 x i32> %46
//   %48 = sext <4 x i32> %47 to <4 x i64>
//   %49 = getelementptr inbounds i32, ptr addrspace(1) %14, <4 x i64> %48
//   %50 = freeze <4 x ptr addrspace(1)> %49
//   %51 = freeze <4 x i32> %47
//   %52 = extractelement <4 x i32> %51, i32 0
//   %.splatinsert6 = insertelement <4 x i32> poison, i32 %52, i64 0
//   %.splat7 = shufflevector <4 x i32> %.splatinsert6, <4 x i32> poison, <4 x i32> zeroinitializer
//   %53 = add <4 x i32> %.splat7, <i32 0, i32 1, i32 2, i32 3>
//   %54 = icmp eq <4 x i32> %51, %53
//   %55 = zext i32 %52 to i64
//   %56 = mul i64 %55, 4
//   %57 = getelementptr i8, ptr addrspace(1) %14, i64 %56
//   %58 = icmp uge i32 %52, 2147483644
//   %59 = xor <4 x i1> %54, splat (i1 true)
//   %60 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %59)
//   %61 = or i1 %60, %58
//   %62 = xor i1 %61, true
//   br i1 %62, label %consecutive, label %scattered
//
// vector.leave:                                     ; preds = %accessed
//   %63 = add i64 0, %40
//   %64 = icmp ne i64 %40, %39
//   br i1 %64, label %items.x.i, label %k.group.exit
//
// consecutive:                                      ; preds = %items.x.i.v
//   %65 = load <4 x i32>, ptr addrspace(1) %57, align 4, !tbaa !1, !llvm.access.group !6
//   br label %accessed
//
// scattered:                                        ; preds = %items.x.i.v
//   %66 = call <4 x i32> @llvm.masked.gather.v4i32.v4p1(<4 x ptr addrspace(1)> align 4 %49, <4 x i1> splat (i1 true), <4 x i32> poison), !tbaa !1, !llvm.access.group !6
//   br label %accessed
//
// accessed:                                         ; preds = %scattered, %consecutive
//   %accessed8 = phi <4 x i32> [ %65, %consecutive ], [ %66, %scattered ]
//   %67 = shl i64 %vector, 32
//   %68 = ashr exact i64 %67, 30
//   %69 = getelementptr inbounds i8, ptr addrspace(1) %16, i64 %68
//   %70 = load <4 x i32>, ptr addrspace(1) %69, align 4, !tbaa !1, !llvm.access.group !6
//   %71 = sext <4 x i32> %70 to <4 x i64>
//   %72 = getelementptr inbounds i32, ptr addrspace(1) %18, <4 x i64> %71
//   call void @llvm.masked.scatter.v4i32.v4p1(<4 x i32> %accessed8, <4 x ptr addrspace(1)> align 4 %72, <4 x i1> splat (i1 true)), !tbaa !1, !llvm.access.group !6
//   %73 = add nuw i64 %vector, 1
//   %.splatinsert9 = insertelement <4 x i64> poison, i64 %73, i64 0
//   %.splat10 = shufflevector <4 x i64> %.splatinsert9, <4 x i64> poison, <4 x i32> zeroinitializer
//   %74 = add <4 x i64> %.splat10, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert11 = insertelement <4 x i64> poison, i64 %23, i64 0
//   %.splat12 = shufflevector <4 x i64> %.splatinsert11, <4 x i64> poison, <4 x i32> zeroinitializer
//   %75 = icmp ult <4 x i64> %74, %.splat12
//   %76 = add i64 %vector, 4
//   %77 = sub i64 %76, 0
//   %78 = icmp ult i64 %77, %40
//   br i1 %78, label %items.x.i.v, label %vector.leave, !llvm.loop !14
// }
//
