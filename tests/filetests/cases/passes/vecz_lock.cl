//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! lanes = 4
// The loop stays scalar: the lane with the lock would wait for the others to leave the inner loop.
kernel void k(global int *lock, global int *sum) {
  while (atomic_xchg(lock, 1)) {
  }
  *sum += (int)get_local_id(0);
  atomic_xchg(lock, 0);
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
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %32, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %29, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %26, %k.group.exit ]
//   %17 = shl nuw i64 %gx, 6
//   %18 = sub i64 %13, %17
//   %19 = call i64 @llvm.umin.i64(i64 %18, i64 64)
//   br label %items.x.i
//
// while.cond.i.i:                                   ; preds = %while.cond.i.i, %items.x.i
//   %20 = atomicrmw volatile xchg ptr addrspace(1) %14, i32 1 monotonic, align 4
//   %tobool.i.not.i = icmp eq i32 %20, 0
//   br i1 %tobool.i.not.i, label %__clang_ocl_kern_imp_k.exit.i, label %while.cond.i.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %while.cond.i.i
//   %21 = load i32, ptr addrspace(1) %16, align 4, !tbaa !1, !llvm.access.group !6
//   %add.i.i = add nsw i32 %21, %25
//   store i32 %add.i.i, ptr addrspace(1) %16, align 4, !tbaa !1, !llvm.access.group !6
//   %22 = atomicrmw volatile xchg ptr addrspace(1) %14, i32 0 monotonic, align 4
//   %23 = add nuw i64 %local.x.i, 1
//   %24 = icmp ult i64 %23, %19
//   br i1 %24, label %items.x.i, label %k.group.exit, !llvm.loop !7
//
// items.x.i:                                        ; preds = %__clang_ocl_kern_imp_k.exit.i, %group.x
//   %local.x.i = phi i64 [ 0, %group.x ], [ %23, %__clang_ocl_kern_imp_k.exit.i ]
//   %25 = trunc i64 %local.x.i to i32
//   br label %while.cond.i.i
//
// k.group.exit:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i
//   %26 = add nuw i64 %gx, 1
//   %27 = add nuw i64 %0, %6
//   %28 = icmp ult i64 %26, %27
//   br i1 %28, label %group.x, label %group.next, !llvm.loop !12
//
// group.next:                                       ; preds = %k.group.exit
//   %29 = add nuw i64 %gy, 1
//   %30 = add nuw i64 %2, %8
//   %31 = icmp ult i64 %29, %30
//   br i1 %31, label %group.y, label %group.next1, !llvm.loop !14
//
// group.next1:                                      ; preds = %group.next
//   %32 = add nuw i64 %gz, 1
//   %33 = add nuw i64 %4, %10
//   %34 = icmp ult i64 %32, %33
//   br i1 %34, label %group.z, label %exit, !llvm.loop !15
// }
//
