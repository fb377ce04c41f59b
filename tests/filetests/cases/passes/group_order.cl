//! test = "kernel-abi"
//! functions = ["muxcl.kernel.k"]
//! local = [1, 16]
// Neighbours in `y` access neighbouring elements, so the innermost loop over groups steps through
// `y`.
kernel void k(global float *a) {
  a[get_global_id(0) * get_global_size(1) + get_global_id(1)] = 1.0f;
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #1 {
// entry:
//   %0 = load i64, ptr %sched, align 8, !invariant.load !5
//   %1 = getelementptr inbounds i8, ptr %sched, i64 8
//   %2 = load i64, ptr %1, align 8, !invariant.load !5
//   %3 = getelementptr inbounds i8, ptr %sched, i64 16
//   %4 = load i64, ptr %3, align 8, !invariant.load !5
//   %5 = getelementptr inbounds i8, ptr %sched, i64 88
//   %6 = load i64, ptr %5, align 8, !invariant.load !5
//   %7 = getelementptr inbounds i8, ptr %sched, i64 96
//   %8 = load i64, ptr %7, align 8, !invariant.load !5
//   %9 = getelementptr inbounds i8, ptr %sched, i64 104
//   %10 = load i64, ptr %9, align 8, !invariant.load !5
//   %11 = getelementptr inbounds i8, ptr %sched, i64 24
//   %12 = load i64, ptr %11, align 8, !invariant.load !5
//   %13 = getelementptr inbounds i8, ptr %sched, i64 32
//   %14 = load i64, ptr %13, align 8, !invariant.load !5
//   %15 = getelementptr inbounds i8, ptr %sched, i64 40
//   %16 = load i64, ptr %15, align 8, !invariant.load !5
//   %17 = getelementptr inbounds i8, ptr %sched, i64 48
//   %18 = load i64, ptr %17, align 8, !invariant.load !5
//   %19 = getelementptr inbounds i8, ptr %sched, i64 56
//   %20 = load i64, ptr %19, align 8, !invariant.load !5
//   %21 = getelementptr inbounds i8, ptr %sched, i64 64
//   %22 = load i64, ptr %21, align 8, !invariant.load !5
//   %23 = getelementptr inbounds i8, ptr %sched, i64 84
//   %24 = load i32, ptr %23, align 4, !invariant.load !5
//   %25 = getelementptr inbounds i8, ptr %sched, i64 112
//   %26 = load ptr, ptr %25, align 8, !invariant.load !5
//   %27 = load i64, ptr %26, align 8, !invariant.load !5
//   %28 = getelementptr inbounds i8, ptr %26, i64 8
//   %29 = load i64, ptr %28, align 8, !invariant.load !5
//   %30 = getelementptr inbounds i8, ptr %26, i64 16
//   %31 = load i64, ptr %30, align 8, !invariant.load !5
//   %32 = getelementptr inbounds i8, ptr %26, i64 24
//   %33 = load ptr addrspace(3), ptr %32, align 8, !invariant.load !5
//   %34 = getelementptr inbounds i8, ptr %26, i64 40
//   %35 = load ptr, ptr %34, align 8, !invariant.load !5
//   %36 = load ptr addrspace(1), ptr %packed, align 8, !invariant.load !5
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %62, %group.next1 ]
//   br label %group.x
//
// group.x:                                          ; preds = %group.next, %group.z
//   %gx = phi i64 [ %0, %group.z ], [ %59, %group.next ]
//   br label %group.y
//
// group.y:                                          ; preds = %k.group.exit, %group.x
//   %gy = phi i64 [ %2, %group.x ], [ %56, %k.group.exit ]
//   %37 = mul nuw i64 %gx, 1
//   %38 = sub i64 %27, %37
//   %39 = icmp ult i64 %38, 1
//   %40 = select i1 %39, i64 %38, i64 1
//   %41 = mul nuw i64 %gy, 16
//   %42 = sub i64 %29, %41
//   %43 = icmp ult i64 %42, 16
//   %44 = select i1 %43, i64 %42, i64 16
//   %45 = mul nuw i64 %gz, 1
//   %46 = sub i64 %31, %45
//   %47 = icmp ult i64 %46, 1
//   %48 = select i1 %47, i64 %46, i64 1
//   %49 = add nuw i64 %gx, %18
//   %50 = mul nuw i64 %gy, 16
//   %51 = add nuw i64 %50, %20
//   br label %items.y.i
//
// items.y.i:                                        ; preds = %items.y.i, %group.y
//   %local.y.i = phi i64 [ 0, %group.y ], [ %54, %items.y.i ]
//   %52 = add nuw nsw i64 %51, %local.y.i
//   %mul.i.i = mul i64 %49, %29
//   %53 = getelementptr float, ptr addrspace(1) %36, i64 %mul.i.i
//   %arrayidx.i.i = getelementptr float, ptr addrspace(1) %53, i64 %52
//   store float 1.000000e+00, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %54 = add nuw i64 %local.y.i, 1
//   %55 = icmp ult i64 %54, %44
//   br i1 %55, label %items.y.i, label %k.group.exit, !llvm.loop !9
//
// k.group.exit:                                     ; preds = %items.y.i
//   %56 = add nuw i64 %gy, 1
//   %57 = add nuw i64 %2, %8
//   %58 = icmp ult i64 %56, %57
//   br i1 %58, label %group.y, label %group.next, !llvm.loop !14
//
// group.next:                                       ; preds = %k.group.exit
//   %59 = add nuw i64 %gx, 1
//   %60 = add nuw i64 %0, %6
//   %61 = icmp ult i64 %59, %60
//   br i1 %61, label %group.x, label %group.next1, !llvm.loop !16
//
// group.next1:                                      ; preds = %group.next
//   %62 = add nuw i64 %gz, 1
//   %63 = add nuw i64 %4, %10
//   %64 = icmp ult i64 %62, %63
//   br i1 %64, label %group.z, label %exit, !llvm.loop !17
// }
//
