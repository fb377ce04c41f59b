//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! lanes = 4
// The loop stays scalar: four copies of the array would take 320 KiB of the stack.
kernel void k(global int *a, int n) {
  int v[20480];
  uint x = get_local_id(0);
  for (int i = 0; i < n; i++)
    v[i] = a[x + i];
  a[x] = v[a[x]];
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #2 {
// entry:
//   %v.i.i = alloca [20480 x i32], align 4, !muxcl.private !5
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
// for.cond.i.i:                                     ; preds = %for.body.i.i, %items.x.i
//   %i.i.0.i = phi i32 [ 0, %items.x.i ], [ %inc.i.i, %for.body.i.i ]
//   %cmp.i.i = icmp slt i32 %i.i.0.i, %16
//   br i1 %cmp.i.i, label %for.body.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// for.body.i.i:                                     ; preds = %for.cond.i.i
//   %add.i.i = add i32 %i.i.0.i, %25
//   %idxprom.i.i = zext i32 %add.i.i to i64
//   %arrayidx.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %idxprom.i.i
//   %20 = load i32, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %idxprom2.i.i = zext nneg i32 %i.i.0.i to i64
//   %arrayidx3.i.i = getelementptr inbounds nuw i32, ptr %v.i.i, i64 %idxprom2.i.i
//   store i32 %20, ptr %arrayidx3.i.i, align 4, !tbaa !1
//   %inc.i.i = add nuw nsw i32 %i.i.0.i, 1
//   br label %for.cond.i.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %for.cond.i.i
//   %idxprom4.i.i = and i64 %local.x.i, 4294967295
//   %arrayidx5.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %idxprom4.i.i
//   %21 = load i32, ptr addrspace(1) %arrayidx5.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %idxprom6.i.i = sext i32 %21 to i64
//   %arrayidx7.i.i = getelementptr inbounds i32, ptr %v.i.i, i64 %idxprom6.i.i
//   %22 = load i32, ptr %arrayidx7.i.i, align 4, !tbaa !1
//   store i32 %22, ptr addrspace(1) %arrayidx5.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   call void @llvm.lifetime.end.p0(ptr nonnull %v.i.i) #4
//   %23 = add nuw i64 %local.x.i, 1
//   %24 = icmp ult i64 %23, %19
//   br i1 %24, label %items.x.i, label %k.group.exit, !llvm.loop !7
//
// items.x.i:                                        ; preds = %__clang_ocl_kern_imp_k.exit.i, %group.x
//   %local.x.i = phi i64 [ 0, %group.x ], [ %23, %__clang_ocl_kern_imp_k.exit.i ]
//   %25 = trunc i64 %local.x.i to i32
//   call void @llvm.lifetime.start.p0(ptr nonnull %v.i.i) #4
//   br label %for.cond.i.i
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
