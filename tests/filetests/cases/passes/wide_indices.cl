//! test = "wide-indices"
//! functions = ["muxcl.kernel.k"]
//! cpu = "x86-64-v4"
//! local = [64]
//! cost_model = true
// The counter of the loop over work-items is added behind the extension of the group's number.
kernel void k(global const uchar *in, global uint *bins, global uint *out) {
  int i = get_global_id(0);
  out[i] = atomic_inc(&bins[in[i]]);
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
//   %15 = load ptr addrspace(1), ptr %14, align 8, !invariant.load !5
//   %16 = add nuw i64 %0, %6
//   %17 = add nuw i64 %2, %8
//   %18 = add nuw i64 %4, %10
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %30, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %28, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %26, %k.group.exit ]
//   %19 = shl i64 %gx, 38
//   br label %items.x.i
//
// items.x.i:                                        ; preds = %items.x.i, %group.x
//   %local.x.i = phi i64 [ 0, %group.x ], [ %25, %items.x.i ]
//   %20 = shl nuw nsw i64 %local.x.i, 32
//   %21 = ashr i64 %19, 32
//   %22 = add i64 %21, %local.x.i
//   %arrayidx.i.i = getelementptr inbounds i8, ptr addrspace(1) %11, i64 %22
//   %23 = load i8, ptr addrspace(1) %arrayidx.i.i, align 1, !tbaa !6, !llvm.access.group !7
//   %idxprom1.i.i = zext i8 %23 to i64
//   %arrayidx2.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %13, i64 %idxprom1.i.i
//   %24 = atomicrmw volatile add ptr addrspace(1) %arrayidx2.i.i, i32 1 monotonic, align 4
//   %arrayidx5.i.i = getelementptr inbounds i32, ptr addrspace(1) %15, i64 %22
//   store i32 %24, ptr addrspace(1) %arrayidx5.i.i, align 4, !tbaa !1, !llvm.access.group !7
//   %25 = add nuw nsw i64 %local.x.i, 1
//   %exitcond.not = icmp eq i64 %25, 64
//   br i1 %exitcond.not, label %k.group.exit, label %items.x.i, !llvm.loop !8
//
// k.group.exit:                                     ; preds = %items.x.i
//   %26 = add nuw i64 %gx, 1
//   %27 = icmp ult i64 %26, %16
//   br i1 %27, label %group.x, label %group.next, !llvm.loop !13
//
// group.next:                                       ; preds = %k.group.exit
//   %28 = add nuw i64 %gy, 1
//   %29 = icmp ult i64 %28, %17
//   br i1 %29, label %group.y, label %group.next1, !llvm.loop !15
//
// group.next1:                                      ; preds = %group.next
//   %30 = add nuw i64 %gz, 1
//   %31 = icmp ult i64 %30, %18
//   br i1 %31, label %group.z, label %exit, !llvm.loop !16
// }
//
