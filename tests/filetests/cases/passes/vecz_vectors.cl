//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! lanes = 4
// The load at any index gathers one integer of 32 bits per lane, which becomes four vectors. The
// store to consecutive addresses interleaves them again.
kernel void k(global const uchar4 *a, global uchar4 *out, global const int *index) {
  uint x = get_local_id(0);
  uchar4 v = a[index[x]];
  if (v.x > v.y)
    v = v.yxzw;
  out[x] = v;
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
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %35, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %32, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %29, %k.group.exit ]
//   %19 = shl nuw i64 %gx, 6
//   %20 = sub i64 %13, %19
//   %21 = call i64 @llvm.umin.i64(i64 %20, i64 64)
//   br label %vector.check
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %items.x.i
//   %local.x.i = phi i64 [ %27, %items.x.i ], [ 0, %vector.check ], [ %78, %vector.leave ]
//   %idxprom.i.i = and i64 %local.x.i, 4294967295
//   %arrayidx.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %18, i64 %idxprom.i.i
//   %22 = load i32, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %idxprom1.i.i = sext i32 %22 to i64
//   %arrayidx2.i.i = getelementptr inbounds <4 x i8>, ptr addrspace(1) %14, i64 %idxprom1.i.i
//   %23 = load <4 x i8>, ptr addrspace(1) %arrayidx2.i.i, align 4, !tbaa !7, !llvm.access.group !6
//   %24 = extractelement <4 x i8> %23, i64 0
//   %25 = extractelement <4 x i8> %23, i64 1
//   %cmp.i.i = icmp ugt i8 %24, %25
//   %26 = shufflevector <4 x i8> %23, <4 x i8> poison, <4 x i32> <i32 1, i32 0, i32 2, i32 3>
//   %spec.select.i = select i1 %cmp.i.i, <4 x i8> %26, <4 x i8> %23
//   %arrayidx7.i.i = getelementptr inbounds nuw <4 x i8>, ptr addrspace(1) %16, i64 %idxprom.i.i
//   store <4 x i8> %spec.select.i, ptr addrspace(1) %arrayidx7.i.i, align 4, !tbaa !7, !llvm.access.group !6
//   %27 = add nuw i64 %local.x.i, 1
//   %28 = icmp ult i64 %27, %21
//   br i1 %28, label %items.x.i, label %k.group.exit, !llvm.loop !8
//
// k.group.exit:                                     ; preds = %vector.leave, %items.x.i
//   %29 = add nuw i64 %gx, 1
//   %30 = add nuw i64 %0, %6
//   %31 = icmp ult i64 %29, %30
//   br i1 %31, label %group.x, label %group.next, !llvm.loop !12
//
// group.next:                                       ; preds = %k.group.exit
//   %32 = add nuw i64 %gy, 1
//   %33 = add nuw i64 %2, %8
//   %34 = icmp ult i64 %32, %33
//   br i1 %34, label %group.y, label %group.next1, !llvm.loop !13
//
// group.next1:                                      ; preds = %group.next
//   %35 = add nuw i64 %gz, 1
//   %36 = add nuw i64 %4, %10
//   %37 = icmp ult i64 %35, %36
//   br i1 %37, label %group.z, label %exit, !llvm.loop !14
//
// vector.check:                                     ; preds = %group.x
//   %38 = sub i64 %21, 0
//   %39 = and i64 %38, -4
//   %40 = icmp eq i64 %39, 0
//   br i1 %40, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %items.x.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %75, %items.x.i.v ]
//   %41 = and i64 %vector, 4294967295
//   %42 = getelementptr inbounds nuw i32, ptr addrspace(1) %18, i64 %41
//   %43 = load <4 x i32>, ptr addrspace(1) %42, align 4, !tbaa !1, !llvm.access.group !6
//   %44 = sext <4 x i32> %43 to <4 x i64>
//   %45 = getelementptr inbounds <4 x i8>, ptr addrspace(1) %14, <4 x i64> %44
//   %46 = call <4 x i32> @llvm.masked.gather.v4i32.v4p1(<4 x ptr addrspace(1)> align 4 %45, <4 x i1> splat (i1 true), <4 x i32> poison), !tbaa !7, !llvm.access.group !6
//   %47 = bitcast <4 x i32> %46 to <16 x i8>
//   %48 = bitcast <16 x i8> %47 to <4 x i32>
//   %49 = trunc <4 x i32> %48 to <4 x i8>
//   %50 = lshr <4 x i32> %48, splat (i32 8)
//   %51 = trunc <4 x i32> %50 to <4 x i8>
//   %52 = lshr <4 x i32> %48, splat (i32 16)
//   %53 = trunc <4 x i32> %52 to <4 x i8>
//   %54 = lshr <4 x i32> %48, splat (i32 24)
//   %55 = trunc <4 x i32> %54 to <4 x i8>
//   %56 = icmp ugt <4 x i8> %49, %51
//   %57 = select <4 x i1> %56, <4 x i8> %51, <4 x i8> %49
//   %58 = select <4 x i1> %56, <4 x i8> %49, <4 x i8> %51
//   %59 = select <4 x i1> %56, <4 x i8> %53, <4 x i8> %53
//   %60 = select <4 x i1> %56, <4 x i8> %55, <4 x i8> %55
//   %61 = getelementptr inbounds nuw <4 x i8>, ptr addrspace(1) %16, i64 %41
//   %62 = shufflevector <4 x i8> %58, <4 x i8> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 poison, i32 poison, i32 poison, i32 poison>
//   %63 = shufflevector <4 x i8> %57, <4 x i8> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 poison, i32 poison, i32 poison, i32 poison>
//   %64 = shufflevector <8 x i8> %63, <8 x i8> %62, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
//   %65 = shufflevector <4 x i8> %59, <4 x i8> poison, <12 x i32> <i32 0, i32 1, i32 2, i32 3, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
//   %66 = shufflevector <8 x i8> %64, <8 x i8> poison, <12 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 poison, i32 poison, i32 poison, i32 poison>
//   %67 = shufflevector <12 x i8> %66, <12 x i8> %65, <12 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
//   %68 = shufflevector <4 x i8> %60, <4 x i8> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
//   %69 = shufflevector <12 x i8> %67, <12 x i8> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 poison, i32 poison, i32 poison, i32 poison>
//   %70 = shufflevector <16 x i8> %69, <16 x i8> %68, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 16, i32 17, i32 18, i32 19>
//   %71 = shufflevector <16 x i8> %70, <16 x i8> poison, <16 x i32> <i32 0, i32 4, i32 8, i32 12, i32 1, i32 5, i32 9, i32 13, i32 2, i32 6, i32 10, i32 14, i32 3, i32 7, i32 11, i32 15>
//   store <16 x i8> %71, ptr addrspace(1) %61, align 4, !tbaa !7, !llvm.access.group !6
//   %72 = add nuw i64 %vector, 1
//   %.splatinsert = insertelement <4 x i64> poison, i64 %72, i64 0
//   %.splat = shufflevector <4 x i64> %.splatinsert, <4 x i64> poison, <4 x i32> zeroinitializer
//   %73 = add <4 x i64> %.splat, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert2 = insertelement <4 x i64> poison, i64 %21, i64 0
//   %.splat3 = shufflevector <4 x i64> %.splatinsert2, <4 x i64> poison, <4 x i32> zeroinitializer
//   %74 = icmp ult <4 x i64> %73, %.splat3
//   %75 = add i64 %vector, 4
//   %76 = sub i64 %75, 0
//   %77 = icmp ult i64 %76, %39
//   br i1 %77, label %items.x.i.v, label %vector.leave, !llvm.loop !15
//
// vector.leave:                                     ; preds = %items.x.i.v
//   %78 = add i64 0, %39
//   %79 = icmp ne i64 %39, %38
//   br i1 %79, label %items.x.i, label %k.group.exit
// }
//
