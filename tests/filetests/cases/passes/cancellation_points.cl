//! test = "cancellation-points"
//! functions = ["muxcl.kernel.k"]
//! requirements = ["stoppable"]
//! local = [1]
// Each iteration of a loop reads the flag, and returns if it is set.
kernel void k(global int *a) {
  while (a[0] != a[1]) a[2] += a[3];
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
//   %12 = load i32, ptr addrspace(1) %11, align 4, !tbaa !1, !llvm.access.group !6
//   %arrayidx1.i.i = getelementptr inbounds nuw i8, ptr addrspace(1) %11, i64 4
//   %13 = add nuw i64 %0, %6
//   %14 = add nuw i64 %2, %8
//   %15 = load i32, ptr addrspace(1) %arrayidx1.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %16 = icmp eq i32 %12, %15
//   %17 = add nuw i64 %4, %10
//   br i1 %16, label %exit, label %group.z
//
// exit:                                             ; preds = %on6, %entry
//   ret void
//
// group.z:                                          ; preds = %entry, %on6
//   %18 = phi i32 [ %.lcssa, %on6 ], [ %15, %entry ]
//   %19 = phi i1 [ true, %on6 ], [ false, %entry ]
//   %gz = phi i64 [ %34, %on6 ], [ %4, %entry ]
//   br label %group.y
//
// group.y:                                          ; preds = %on7, %group.z
//   %20 = phi i32 [ %18, %group.z ], [ %29, %on7 ]
//   %21 = phi i1 [ %19, %group.z ], [ true, %on7 ]
//   %gy = phi i64 [ %2, %group.z ], [ %30, %on7 ]
//   br i1 %21, label %group.next, label %group.x.preheader
//
// group.x.preheader:                                ; preds = %group.y
//   %22 = icmp eq i32 %12, %20
//   br label %group.x
//
// group.x:                                          ; preds = %group.x.preheader, %on8
//   %cmp.i.not.i2 = phi i1 [ true, %on8 ], [ %22, %group.x.preheader ]
//   %gx = phi i64 [ %25, %on8 ], [ %0, %group.x.preheader ]
//   br i1 %cmp.i.not.i2, label %k.group.exit, label %while.body.i.i
//
// while.body.i.i:                                   ; preds = %group.x, %on
//   %23 = load volatile i32, ptr @muxcl.stop, align 4
//   %24 = icmp eq i32 %23, 0
//   br i1 %24, label %on, label %stop
//
// on:                                               ; preds = %while.body.i.i
//   br label %while.body.i.i
//
// k.group.exit:                                     ; preds = %group.x
//   %25 = add nuw i64 %gx, 1
//   %26 = icmp ult i64 %25, %13
//   %27 = load volatile i32, ptr @muxcl.stop, align 4
//   %28 = icmp eq i32 %27, 0
//   br i1 %28, label %on8, label %stop
//
// on8:                                              ; preds = %k.group.exit
//   br i1 %26, label %group.x, label %group.next, !llvm.loop !7
//
// group.next:                                       ; preds = %on8, %group.y
//   %29 = phi i32 [ %20, %group.y ], [ %12, %on8 ]
//   %30 = add nuw i64 %gy, 1
//   %31 = icmp ult i64 %30, %14
//   %32 = load volatile i32, ptr @muxcl.stop, align 4
//   %33 = icmp eq i32 %32, 0
//   br i1 %33, label %on7, label %stop
//
// on7:                                              ; preds = %group.next
//   br i1 %31, label %group.y, label %group.next1.split, !llvm.loop !12
//
// group.next1.split:                                ; preds = %on7
//   %.lcssa = phi i32 [ %29, %on7 ]
//   %34 = add nuw i64 %gz, 1
//   %35 = icmp ult i64 %34, %17
//   %36 = load volatile i32, ptr @muxcl.stop, align 4
//   %37 = icmp eq i32 %36, 0
//   br i1 %37, label %on6, label %stop
//
// on6:                                              ; preds = %group.next1.split
//   br i1 %35, label %group.z, label %exit, !llvm.loop !13
//
// stop:                                             ; preds = %k.group.exit, %group.next, %group.next1.split, %while.body.i.i
//   ret void
// }
//
