//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! lanes = 4
// The loop stays scalar: a lane waits until another has cleared the lowest bit.
kernel void k(global uint *lock, global uint *sum) {
  uint old;
  do {
    old = *(volatile global uint *)lock;
  } while ((old & 1) || atomic_cmpxchg(lock, old, old | 1) != old);
  *sum += (uint)get_local_id(0);
  atomic_add(lock, 1);
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
//   %gz = phi i64 [ %4, %entry ], [ %33, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %30, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %27, %k.group.exit ]
//   %17 = shl nuw i64 %gx, 6
//   %18 = sub i64 %13, %17
//   %19 = call i64 @llvm.umin.i64(i64 %18, i64 64)
//   br label %items.x.i
//
// do.body.i.i:                                      ; preds = %do.body.i.i.backedge, %items.x.i
//   %20 = load volatile i32, ptr addrspace(1) %14, align 4, !tbaa !1
//   %and.i.i = and i32 %20, 1
//   %tobool.i.not.i = icmp eq i32 %and.i.i, 0
//   br i1 %tobool.i.not.i, label %lor.rhs.i.i, label %do.body.i.i.backedge
//
// do.body.i.i.backedge:                             ; preds = %do.body.i.i, %lor.rhs.i.i
//   br label %do.body.i.i
//
// lor.rhs.i.i:                                      ; preds = %do.body.i.i
//   %or.i.i = or disjoint i32 %20, 1
//   %21 = cmpxchg volatile ptr addrspace(1) %14, i32 %20, i32 %or.i.i monotonic monotonic, align 4
//   %cmp.i.not.i = extractvalue { i32, i1 } %21, 1
//   br i1 %cmp.i.not.i, label %__clang_ocl_kern_imp_k.exit.i, label %do.body.i.i.backedge
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %lor.rhs.i.i
//   %22 = load i32, ptr addrspace(1) %16, align 4, !tbaa !1, !llvm.access.group !6
//   %add.i.i = add i32 %22, %26
//   store i32 %add.i.i, ptr addrspace(1) %16, align 4, !tbaa !1, !llvm.access.group !6
//   %23 = atomicrmw volatile add ptr addrspace(1) %14, i32 1 monotonic, align 4
//   %24 = add nuw i64 %local.x.i, 1
//   %25 = icmp ult i64 %24, %19
//   br i1 %25, label %items.x.i, label %k.group.exit, !llvm.loop !7
//
// items.x.i:                                        ; preds = %__clang_ocl_kern_imp_k.exit.i, %group.x
//   %local.x.i = phi i64 [ 0, %group.x ], [ %24, %__clang_ocl_kern_imp_k.exit.i ]
//   %26 = trunc i64 %local.x.i to i32
//   br label %do.body.i.i
//
// k.group.exit:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i
//   %27 = add nuw i64 %gx, 1
//   %28 = add nuw i64 %0, %6
//   %29 = icmp ult i64 %27, %28
//   br i1 %29, label %group.x, label %group.next, !llvm.loop !12
//
// group.next:                                       ; preds = %k.group.exit
//   %30 = add nuw i64 %gy, 1
//   %31 = add nuw i64 %2, %8
//   %32 = icmp ult i64 %30, %31
//   br i1 %32, label %group.y, label %group.next1, !llvm.loop !14
//
// group.next1:                                      ; preds = %group.next
//   %33 = add nuw i64 %gz, 1
//   %34 = add nuw i64 %4, %10
//   %35 = icmp ult i64 %33, %34
//   br i1 %35, label %group.z, label %exit, !llvm.loop !15
// }
//
