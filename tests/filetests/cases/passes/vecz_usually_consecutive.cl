//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! cost_model = true
// The indices stop at an edge, so the addresses of most vectors are consecutive, but not of all. A
// test at run time selects vector loads. LLVM's loop vectorizer would load each byte by itself.
kernel void k(global const uchar *in, global uchar *out, int w) {
  int x = get_global_id(0);
  out[x] = max(in[max(x - 1, 0)], in[min(x + 1, w - 1)]);
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #2 {
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
//   %15 = load i32, ptr %14, align 8, !invariant.load !5
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %34, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %31, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %28, %k.group.exit ]
//   %gx.tr = trunc i64 %gx to i32
//   %16 = shl i32 %gx.tr, 6
//   br label %vector.check
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %items.x.i
//   %local.x.i = phi i64 [ %26, %items.x.i ], [ 0, %vector.check ], [ 64, %vector.leave ]
//   %17 = trunc nuw nsw i64 %local.x.i to i32
//   %18 = or disjoint i32 %16, %17
//   %19 = call i32 @llvm.smax.i32(i32 %18, i32 1)
//   %20 = zext nneg i32 %19 to i64
//   %21 = getelementptr i8, ptr addrspace(1) %11, i64 %20
//   %arrayidx.i.i = getelementptr i8, ptr addrspace(1) %21, i64 -1
//   %22 = load i8, ptr addrspace(1) %arrayidx.i.i, align 1, !tbaa !6, !llvm.access.group !7
//   %add.i.i = add nsw i32 %18, 1
//   %sub2.i.i = add nsw i32 %15, -1
//   %23 = call noundef i32 @llvm.smin.i32(i32 %add.i.i, i32 %sub2.i.i)
//   %idxprom4.i.i = sext i32 %23 to i64
//   %arrayidx5.i.i = getelementptr inbounds i8, ptr addrspace(1) %11, i64 %idxprom4.i.i
//   %24 = load i8, ptr addrspace(1) %arrayidx5.i.i, align 1, !tbaa !6, !llvm.access.group !7
//   %25 = call noundef i8 @llvm.umax.i8(i8 %22, i8 %24)
//   %idxprom7.i.i = sext i32 %18 to i64
//   %arrayidx8.i.i = getelementptr inbounds i8, ptr addrspace(1) %13, i64 %idxprom7.i.i
//   store i8 %25, ptr addrspace(1) %arrayidx8.i.i, align 1, !tbaa !6, !llvm.access.group !7
//   %26 = add nuw nsw i64 %local.x.i, 1
//   %27 = icmp samesign ult i64 %local.x.i, 63
//   br i1 %27, label %items.x.i, label %k.group.exit, !llvm.loop !8
//
// k.group.exit:                                     ; preds = %vector.leave, %items.x.i
//   %28 = add nuw i64 %gx, 1
//   %29 = add nuw i64 %0, %6
//   %30 = icmp ult i64 %28, %29
//   br i1 %30, label %group.x, label %group.next, !llvm.loop !12
//
// group.next:                                       ; preds = %k.group.exit
//   %31 = add nuw i64 %gy, 1
//   %32 = add nuw i64 %2, %8
//   %33 = icmp ult i64 %31, %32
//   br i1 %33, label %group.y, label %group.next1, !llvm.loop !13
//
// group.next1:                                      ; preds = %group.next
//   %34 = add nuw i64 %gz, 1
//   %35 = add nuw i64 %4, %10
//   %36 = icmp ult i64 %34, %35
//   br i1 %36, label %group.z, label %exit, !llvm.loop !14
//
// vector.check:                                     ; preds = %group.x
//   br i1 false, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %accessed13, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %84, %accessed13 ]
//   %37 = trunc nuw nsw i64 %vector to i32
//   %38 = add i32 %16, %37
//   %.splatinsert = insertelement <8 x i32> poison, i32 %38, i64 0
//   %.splat = shufflevector <8 x i32> %.splatinsert, <8 x i32> poison, <8 x i32> zeroinitializer
//   %39 = add <8 x i32> %.splat, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
//   %40 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %39, <8 x i32> splat (i32 1))
//   %41 = zext nneg <8 x i32> %40 to <8 x i64>
//   %42 = getelementptr i8, ptr addrspace(1) %11, <8 x i64> %41
//   %43 = getelementptr i8, <8 x ptr addrspace(1)> %42, i64 -1
//   %44 = freeze <8 x ptr addrspace(1)> %43
//   %45 = freeze <8 x i32> %40
//   %46 = extractelement <8 x i32> %45, i32 0
//   %.splatinsert2 = insertelement <8 x i32> poison, i32 %46, i64 0
//   %.splat3 = shufflevector <8 x i32> %.splatinsert2, <8 x i32> poison, <8 x i32> zeroinitializer
//   %47 = add <8 x i32> %.splat3, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
//   %48 = icmp eq <8 x i32> %45, %47
//   %49 = icmp uge i32 %46, 2147483640
//   %50 = xor <8 x i1> %48, splat (i1 true)
//   %51 = call i1 @llvm.vector.reduce.or.v8i1(<8 x i1> %50)
//   %52 = or i1 %51, %49
//   %53 = extractelement <8 x ptr addrspace(1)> %44, i32 0
//   %54 = xor i1 %52, true
//   br i1 %54, label %consecutive, label %scattered
//
// vector.leave:                                     ; preds = %accessed13
//   br i1 false, label %items.x.i, label %k.group.exit
//
// consecutive:                                      ; preds = %items.x.i.v
//   %55 = load <8 x i8>, ptr addrspace(1) %53, align 1, !tbaa !6, !llvm.access.group !7
//   br label %accessed
//
// scattered:                                        ; preds = %items.x.i.v
//   %56 = call <8 x i8> @llvm.masked.gather.v8i8.v8p1(<8 x ptr addrspace(1)> align 1 %43, <8 x i1> splat (i1 true), <8 x i8> poison), !tbaa !6, !llvm.access.group !7
//   br label %accessed
//
// accessed:                                         ; preds = %scattered, %consecutive
//   %accessed4 = phi <8 x i8> [ %55, %consecutive ], [ %56, %scattered ]
//   %57 = add nsw i32 %38, 1
//   %58 = add nsw i32 %15, -1
//   %.splatinsert5 = insertelement <8 x i32> poison, i32 %57, i64 0
//   %.splat6 = shufflevector <8 x i32> %.splatinsert5, <8 x i32> poison, <8 x i32> zeroinitializer
//   %59 = add <8 x i32> %.splat6, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
//   %.splatinsert7 = insertelement <8 x i32> poison, i32 %58, i64 0
//   %.splat8 = shufflevector <8 x i32> %.splatinsert7, <8 x i32> poison, <8 x i32> zeroinitializer
//   %60 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %59, <8 x i32> %.splat8)
//   %61 = sext <8 x i32> %60 to <8 x i64>
//   %62 = getelementptr inbounds i8, ptr addrspace(1) %11, <8 x i64> %61
//   %63 = freeze <8 x ptr addrspace(1)> %62
//   %64 = freeze <8 x i32> %60
//   %65 = extractelement <8 x i32> %64, i32 0
//   %.splatinsert9 = insertelement <8 x i32> poison, i32 %65, i64 0
//   %.splat10 = shufflevector <8 x i32> %.splatinsert9, <8 x i32> poison, <8 x i32> zeroinitializer
//   %66 = add <8 x i32> %.splat10, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
//   %67 = icmp eq <8 x i32> %64, %66
//   %68 = zext i32 %65 to i64
//   %69 = mul i64 %68, 1
//   %70 = getelementptr i8, ptr addrspace(1) %11, i64 %69
//   %71 = icmp uge i32 %65, 2147483640
//   %72 = xor <8 x i1> %67, splat (i1 true)
//   %73 = call i1 @llvm.vector.reduce.or.v8i1(<8 x i1> %72)
//   %74 = or i1 %73, %71
//   %75 = xor i1 %74, true
//   br i1 %75, label %consecutive11, label %scattered12
//
// consecutive11:                                    ; preds = %accessed
//   %76 = load <8 x i8>, ptr addrspace(1) %70, align 1, !tbaa !6, !llvm.access.group !7
//   br label %accessed13
//
// scattered12:                                      ; preds = %accessed
//   %77 = call <8 x i8> @llvm.masked.gather.v8i8.v8p1(<8 x ptr addrspace(1)> align 1 %62, <8 x i1> splat (i1 true), <8 x i8> poison), !tbaa !6, !llvm.access.group !7
//   br label %accessed13
//
// accessed13:                                       ; preds = %scattered12, %consecutive11
//   %accessed14 = phi <8 x i8> [ %76, %consecutive11 ], [ %77, %scattered12 ]
//   %78 = call <8 x i8> @llvm.umax.v8i8(<8 x i8> %accessed4, <8 x i8> %accessed14)
//   %79 = sext i32 %38 to i64
//   %80 = getelementptr inbounds i8, ptr addrspace(1) %13, i64 %79
//   store <8 x i8> %78, ptr addrspace(1) %80, align 1, !tbaa !6, !llvm.access.group !7
//   %81 = add nuw nsw i64 %vector, 1
//   %.splatinsert15 = insertelement <8 x i64> poison, i64 %vector, i64 0
//   %.splat16 = shufflevector <8 x i64> %.splatinsert15, <8 x i64> poison, <8 x i32> zeroinitializer
//   %82 = add <8 x i64> %.splat16, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
//   %83 = icmp samesign ult <8 x i64> %82, splat (i64 63)
//   %84 = add i64 %vector, 8
//   %85 = sub i64 %84, 0
//   %86 = icmp ult i64 %85, 64
//   br i1 %86, label %items.x.i.v, label %vector.leave, !llvm.loop !15
// }
//
