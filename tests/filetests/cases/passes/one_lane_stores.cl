//! test = "one-lane-stores"
//! functions = ["muxcl.kernel.k"]
//! cpu = "x86-64-v4"
//! local = [5]
//! lanes = 4
//! masked_rest = true
//! cost_model = true
// A vector under a mask runs the fifth work-item. Its store becomes a store of one element.
kernel void k(global const ulong *in, global uint *out) {
  uint x = get_local_id(0);
  out[x] = in[x];
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
//   %14 = getelementptr i8, ptr addrspace(1) %11, i64 32
//   %15 = call <4 x i64> @llvm.masked.load.v4i64.p1(ptr addrspace(1) align 8 %14, <4 x i1> <i1 true, i1 false, i1 false, i1 false>, <4 x i64> poison), !tbaa !6, !llvm.access.group !8
//   %16 = trunc <4 x i64> %15 to <4 x i32>
//   %17 = getelementptr i8, ptr addrspace(1) %13, i64 16
//   %18 = add nuw i64 %0, %6
//   %19 = add nuw i64 %2, %8
//   %20 = add nuw i64 %4, %10
//   %.pre.pre.pre = load <4 x i64>, ptr addrspace(1) %11, align 8, !tbaa !6
//   %21 = trunc <4 x i64> %.pre.pre.pre to <4 x i32>
//   store <4 x i32> %21, ptr addrspace(1) %13, align 4, !tbaa !1, !llvm.access.group !8
//   %22 = extractelement <4 x i32> %16, i64 0
//   store i32 %22, ptr addrspace(1) %17, align 4, !tbaa !1, !llvm.access.group !8
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %27, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %25, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %group.x, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %23, %group.x ]
//   %23 = add nuw i64 %gx, 1
//   %24 = icmp ult i64 %23, %18
//   br i1 %24, label %group.x, label %group.next, !llvm.loop !9
//
// group.next:                                       ; preds = %group.x
//   %25 = add nuw i64 %gy, 1
//   %26 = icmp ult i64 %25, %19
//   br i1 %26, label %group.y, label %group.next1, !llvm.loop !13
//
// group.next1:                                      ; preds = %group.next
//   %27 = add nuw i64 %gz, 1
//   %28 = icmp ult i64 %27, %20
//   br i1 %28, label %group.z, label %exit, !llvm.loop !14
// }
//
