//! test = "invariant-divisions"
//! functions = ["muxcl.kernel.k"]
//! local = [8]
// The remainder is the same for all work-items, but only some compute it. It moves in front of the
// loop over work-items, with frozen operands and a guarded divisor. The other one stays.
kernel void k(global int *a, int n) {
  size_t l = get_local_id(0);
  if (a[l + 8] > 3) a[l] = a[(7 % n) & 15] + 9 / a[l];
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
//   %16 = load i32, ptr %15, align 8, !invariant.load !5
//   %17 = call i32 @llvm.umax.i32(i32 %16, i32 1)
//   %18 = add nuw i64 %0, %6
//   %19 = add nuw i64 %2, %8
//   %20 = add nuw i64 %4, %10
//   %21 = shl i64 %0, 3
//   %22 = sub i64 %13, %21
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %40, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %38, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %indvars.iv = phi i64 [ %indvars.iv.next, %k.group.exit ], [ %22, %group.y ]
//   %gx = phi i64 [ %36, %k.group.exit ], [ %0, %group.y ]
//   %23 = call i64 @llvm.umax.i64(i64 %indvars.iv, i64 1)
//   %umax = call i64 @llvm.umin.i64(i64 %23, i64 8)
//   %24 = freeze i32 %17
//   %25 = icmp eq i32 %24, 0
//   %26 = icmp eq i32 %24, -1
//   %27 = and i1 false, %26
//   %28 = or i1 %25, %27
//   %29 = select i1 %28, i32 1, i32 %24
//   %rem.i.i = srem i32 7, %29
//   br label %items.x.i
//
// if.then.i.i:                                      ; preds = %items.x.i
//   %idxprom.i.i = zext nneg i32 %rem.i.i to i64
//   %arrayidx1.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %idxprom.i.i
//   %30 = load i32, ptr addrspace(1) %arrayidx1.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %31 = load i32, ptr addrspace(1) %34, align 4, !tbaa !1, !llvm.access.group !6
//   %32 = call i32 @llvm.umax.i32(i32 %31, i32 1)
//   %div.i.i = sdiv i32 9, %32
//   %add3.i.i = add nsw i32 %30, %div.i.i
//   store i32 %add3.i.i, ptr addrspace(1) %34, align 4, !tbaa !1, !llvm.access.group !6
//   br label %__clang_ocl_kern_imp_k.exit.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %if.then.i.i, %items.x.i
//   %33 = add nuw nsw i64 %local.x.i, 1
//   %exitcond.not = icmp eq i64 %33, %umax
//   br i1 %exitcond.not, label %k.group.exit, label %items.x.i, !llvm.loop !7
//
// items.x.i:                                        ; preds = %__clang_ocl_kern_imp_k.exit.i, %group.x
//   %local.x.i = phi i64 [ 0, %group.x ], [ %33, %__clang_ocl_kern_imp_k.exit.i ]
//   %34 = getelementptr i32, ptr addrspace(1) %14, i64 %local.x.i
//   %arrayidx.i.i = getelementptr i8, ptr addrspace(1) %34, i64 32
//   %35 = load i32, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %cmp.i.i = icmp sgt i32 %35, 3
//   br i1 %cmp.i.i, label %if.then.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// k.group.exit:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i
//   %36 = add nuw i64 %gx, 1
//   %37 = icmp ult i64 %36, %18
//   %indvars.iv.next = add i64 %indvars.iv, -8
//   br i1 %37, label %group.x, label %group.next, !llvm.loop !12
//
// group.next:                                       ; preds = %k.group.exit
//   %38 = add nuw i64 %gy, 1
//   %39 = icmp ult i64 %38, %19
//   br i1 %39, label %group.y, label %group.next1, !llvm.loop !14
//
// group.next1:                                      ; preds = %group.next
//   %40 = add nuw i64 %gz, 1
//   %41 = icmp ult i64 %40, %20
//   br i1 %41, label %group.z, label %exit, !llvm.loop !15
// }
//
