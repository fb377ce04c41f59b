//! test = "vecz"
//! functions = ["muxcl.kernel.k.group"]
//! local = [64]
//! lanes = 4
// A work-item may wait for a lock that another work-item of its sub-group holds. As lanes of one
// vector, they could wait for ever. So the sub-groups stay loops.
kernel void k(global int *lock, global int *a) {
  int v = sub_group_reduce_add(a[get_global_id(0)]);
  bool done = false;
  while (!done) {
    if (atomic_cmpxchg(lock, 0, 1) == 0) {
      a[0] += v;
      atomic_xchg(lock, 0);
      done = true;
    }
  }
}
//---- expected ----
// ; Function Attrs: convergent noinline nounwind
// define internal void @muxcl.kernel.k.group(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched, i64 %0, i64 %1, i64 %2) #5 {
// entry:
//   %slot.i = alloca [64 x i8], align 4
//   %sub.scratch.i = alloca [128 x i64], align 128
//   %3 = getelementptr inbounds nuw i8, ptr %sched, i64 112
//   %4 = load ptr, ptr %3, align 8, !invariant.load !5
//   %5 = load i64, ptr %4, align 8, !invariant.load !5
//   %6 = load ptr addrspace(1), ptr %packed, align 8, !invariant.load !5
//   %7 = getelementptr inbounds nuw i8, ptr %packed, i64 8
//   %8 = load ptr addrspace(1), ptr %7, align 8, !invariant.load !5
//   %9 = shl nuw i64 %0, 6
//   %10 = sub i64 %5, %9
//   %11 = call i64 @llvm.umin.i64(i64 %10, i64 64)
//   call void @llvm.lifetime.start.p0(ptr nonnull %slot.i)
//   call void @llvm.lifetime.start.p0(ptr nonnull %sub.scratch.i)
//   %12 = add nuw nsw i64 %11, 15
//   %13 = lshr i64 %12, 4
//   br label %items.header.i
//
// region0.header.i:                                 ; preds = %vector.leave, %vector.check, %region0.header.i
//   %lane.i = phi i64 [ %19, %region0.header.i ], [ 0, %vector.check ], [ %112, %vector.leave ]
//   %14 = getelementptr inbounds nuw i32, ptr addrspace(1) %8, i64 %9
//   %15 = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %91
//   %arrayidx.i.r0.i = getelementptr inbounds nuw i32, ptr addrspace(1) %15, i64 %lane.i
//   %16 = load i32, ptr addrspace(1) %arrayidx.i.r0.i, align 4, !tbaa !1, !llvm.access.group !12
//   %17 = and i64 %lane.i, 4294967295
//   %18 = getelementptr inbounds nuw i64, ptr %sub.scratch.i, i64 %17
//   store i32 %16, ptr %18, align 4
//   %19 = add nuw i64 %lane.i, 1
//   %20 = icmp ult i64 %19, %93
//   br i1 %20, label %region0.header.i, label %region1.first.i, !llvm.loop !13
//
// region1.first.i:                                  ; preds = %vector.leave, %region0.header.i
//   %21 = sub nuw nsw i64 64, %93
//   %22 = lshr i64 -1, %21
//   %23 = trunc nuw nsw i64 %93 to i32
//   %24 = icmp eq i64 %11, %91
//   br i1 %24, label %__muxcl_sub_op_reduce_add_int.exit.r1.i, label %.preheader.preheader
//
// .preheader.preheader:                             ; preds = %region1.first.i
//   br label %.preheader
//
// region2.header.i:                                 ; preds = %vector.leave11, %vector.check9, %region2.header.i
//   %lane5.i = phi i64 [ %26, %region2.header.i ], [ 0, %vector.check9 ], [ %124, %vector.leave11 ]
//   %25 = getelementptr inbounds i32, ptr %slot.i, i64 %lane5.i
//   store i32 %84, ptr %25, align 4, !llvm.access.group !12
//   %26 = add nuw i64 %lane5.i, 1
//   %27 = icmp ult i64 %26, %93
//   br i1 %27, label %region2.header.i, label %region3.header.i.preheader, !llvm.loop !14
//
// region3.header.i.preheader:                       ; preds = %vector.leave11, %region2.header.i
//   br label %region3.header.i
//
// region3.header.i:                                 ; preds = %region3.header.i.preheader, %__clang_ocl_kern_imp_k.exit.r3.i
//   %lane6.i = phi i64 [ %89, %__clang_ocl_kern_imp_k.exit.r3.i ], [ 0, %region3.header.i.preheader ]
//   %28 = getelementptr inbounds i32, ptr %slot.i, i64 %lane6.i
//   %29 = load i32, ptr %28, align 4, !llvm.access.group !12
//   br label %while.cond.i.r3.i
//
// done.i:                                           ; preds = %__clang_ocl_kern_imp_k.exit.r3.i
//   %30 = add nuw i64 %sub.group.i, 1
//   %31 = icmp ult i64 %30, %13
//   br i1 %31, label %items.header.i, label %k.group.exit
//
// .preheader:                                       ; preds = %.preheader.preheader, %76
//   %32 = phi i32 [ %47, %76 ], [ 0, %.preheader.preheader ]
//   %33 = phi i32 [ %57, %76 ], [ 0, %.preheader.preheader ]
//   %34 = phi i32 [ %78, %76 ], [ 0, %.preheader.preheader ]
//   %35 = phi i32 [ %77, %76 ], [ 0, %.preheader.preheader ]
//   %36 = phi i32 [ %67, %76 ], [ 0, %.preheader.preheader ]
//   %37 = zext i32 %34 to i64
//   %38 = and i64 %37, 60
//   %39 = lshr i64 %22, %38
//   %40 = and i64 %39, 1
//   %41 = icmp eq i64 %40, 0
//   br i1 %41, label %46, label %42
//
// 42:                                               ; preds = %.preheader
//   %43 = getelementptr inbounds nuw i64, ptr %sub.scratch.i, i64 %37
//   %44 = load i32, ptr %43, align 4
//   %45 = add nsw i32 %44, %32
//   br label %46
//
// 46:                                               ; preds = %42, %.preheader
//   %47 = phi i32 [ %45, %42 ], [ %32, %.preheader ]
//   %48 = and i64 %39, 2
//   %49 = icmp eq i64 %48, 0
//   br i1 %49, label %56, label %50
//
// 50:                                               ; preds = %46
//   %51 = or disjoint i32 %34, 1
//   %52 = zext i32 %51 to i64
//   %53 = getelementptr inbounds nuw i64, ptr %sub.scratch.i, i64 %52
//   %54 = load i32, ptr %53, align 4
//   %55 = add nsw i32 %54, %33
//   br label %56
//
// 56:                                               ; preds = %50, %46
//   %57 = phi i32 [ %55, %50 ], [ %33, %46 ]
//   %58 = and i64 %39, 4
//   %59 = icmp eq i64 %58, 0
//   br i1 %59, label %66, label %60
//
// 60:                                               ; preds = %56
//   %61 = or disjoint i32 %34, 2
//   %62 = zext i32 %61 to i64
//   %63 = getelementptr inbounds nuw i64, ptr %sub.scratch.i, i64 %62
//   %64 = load i32, ptr %63, align 4
//   %65 = add nsw i32 %64, %36
//   br label %66
//
// 66:                                               ; preds = %60, %56
//   %67 = phi i32 [ %65, %60 ], [ %36, %56 ]
//   %68 = and i64 %39, 8
//   %69 = icmp eq i64 %68, 0
//   br i1 %69, label %76, label %70
//
// 70:                                               ; preds = %66
//   %71 = or disjoint i32 %34, 3
//   %72 = zext i32 %71 to i64
//   %73 = getelementptr inbounds nuw i64, ptr %sub.scratch.i, i64 %72
//   %74 = load i32, ptr %73, align 4
//   %75 = add nsw i32 %74, %35
//   br label %76
//
// 76:                                               ; preds = %70, %66
//   %77 = phi i32 [ %75, %70 ], [ %35, %66 ]
//   %78 = add i32 %34, 4
//   %79 = icmp ult i32 %78, %23
//   br i1 %79, label %.preheader, label %80, !llvm.loop !15
//
// 80:                                               ; preds = %76
//   %.lcssa6 = phi i32 [ %77, %76 ]
//   %.lcssa5 = phi i32 [ %67, %76 ]
//   %.lcssa4 = phi i32 [ %57, %76 ]
//   %.lcssa = phi i32 [ %47, %76 ]
//   %81 = add i32 %.lcssa6, %.lcssa5
//   %82 = add i32 %81, %.lcssa4
//   %83 = add i32 %82, %.lcssa
//   br label %__muxcl_sub_op_reduce_add_int.exit.r1.i
//
// __muxcl_sub_op_reduce_add_int.exit.r1.i:          ; preds = %80, %region1.first.i
//   %84 = phi i32 [ 0, %region1.first.i ], [ %83, %80 ]
//   %85 = getelementptr inbounds nuw i8, ptr %sub.scratch.i, i64 512
//   store i32 %84, ptr %85, align 4
//   br label %vector.check9
//
// while.cond.i.r3.i:                                ; preds = %if.end.i.r3.i, %region3.header.i
//   %done.i.0.r3.i = phi i8 [ 0, %region3.header.i ], [ %done.i.1.r3.i, %if.end.i.r3.i ]
//   %loadedv.i.r3.i = trunc nuw i8 %done.i.0.r3.i to i1
//   br i1 %loadedv.i.r3.i, label %__clang_ocl_kern_imp_k.exit.r3.i, label %while.body.i.r3.i
//
// while.body.i.r3.i:                                ; preds = %while.cond.i.r3.i
//   %86 = cmpxchg volatile ptr addrspace(1) %6, i32 0, i32 1 monotonic monotonic, align 4
//   %cmp.i.r3.i = extractvalue { i32, i1 } %86, 1
//   br i1 %cmp.i.r3.i, label %if.then.i.r3.i, label %if.end.i.r3.i
//
// if.then.i.r3.i:                                   ; preds = %while.body.i.r3.i
//   %87 = load i32, ptr addrspace(1) %8, align 4, !tbaa !1, !llvm.access.group !12
//   %add.i.r3.i = add nsw i32 %87, %29
//   store i32 %add.i.r3.i, ptr addrspace(1) %8, align 4, !tbaa !1, !llvm.access.group !12
//   %88 = atomicrmw volatile xchg ptr addrspace(1) %6, i32 0 monotonic, align 4
//   br label %if.end.i.r3.i
//
// if.end.i.r3.i:                                    ; preds = %if.then.i.r3.i, %while.body.i.r3.i
//   %done.i.1.r3.i = phi i8 [ 1, %if.then.i.r3.i ], [ %done.i.0.r3.i, %while.body.i.r3.i ]
//   br label %while.cond.i.r3.i
//
// __clang_ocl_kern_imp_k.exit.r3.i:                 ; preds = %while.cond.i.r3.i
//   %89 = add nuw i64 %lane6.i, 1
//   %90 = icmp ult i64 %89, %93
//   br i1 %90, label %region3.header.i, label %done.i, !llvm.loop !16
//
// items.header.i:                                   ; preds = %done.i, %entry
//   %sub.group.i = phi i64 [ 0, %entry ], [ %30, %done.i ]
//   %91 = shl nuw i64 %sub.group.i, 4
//   %92 = sub i64 %11, %91
//   %93 = call i64 @llvm.umin.i64(i64 %92, i64 16)
//   br label %vector.check
//
// k.group.exit:                                     ; preds = %done.i
//   call void @llvm.lifetime.end.p0(ptr nonnull %slot.i)
//   call void @llvm.lifetime.end.p0(ptr nonnull %sub.scratch.i)
//   ret void
//
// vector.check:                                     ; preds = %items.header.i
//   %94 = sub i64 %93, 0
//   %95 = and i64 %94, -4
//   %96 = icmp eq i64 %95, 0
//   br i1 %96, label %region0.header.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %region0.header.i.v
//
// region0.header.i.v:                               ; preds = %region0.header.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %109, %region0.header.i.v ]
//   %97 = getelementptr inbounds nuw i32, ptr addrspace(1) %8, i64 %9
//   %98 = getelementptr inbounds nuw i32, ptr addrspace(1) %97, i64 %91
//   %99 = getelementptr inbounds nuw i32, ptr addrspace(1) %98, i64 %vector
//   %100 = load <4 x i32>, ptr addrspace(1) %99, align 4, !tbaa !1, !llvm.access.group !12
//   %101 = and i64 %vector, 4294967295
//   %102 = getelementptr inbounds nuw i64, ptr %sub.scratch.i, i64 %101
//   %103 = shufflevector <4 x i32> %100, <4 x i32> %100, <4 x i32> <i32 0, i32 poison, i32 1, i32 poison>
//   call void @llvm.masked.store.v4i32.p0(<4 x i32> %103, ptr align 4 %102, <4 x i1> <i1 true, i1 false, i1 true, i1 false>)
//   %104 = shufflevector <4 x i32> %100, <4 x i32> %100, <4 x i32> <i32 2, i32 poison, i32 3, i32 poison>
//   %105 = getelementptr i8, ptr %102, i64 16
//   call void @llvm.masked.store.v4i32.p0(<4 x i32> %104, ptr align 4 %105, <4 x i1> <i1 true, i1 false, i1 true, i1 false>)
//   %106 = add nuw i64 %vector, 1
//   %.splatinsert = insertelement <4 x i64> poison, i64 %106, i64 0
//   %.splat = shufflevector <4 x i64> %.splatinsert, <4 x i64> poison, <4 x i32> zeroinitializer
//   %107 = add <4 x i64> %.splat, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert7 = insertelement <4 x i64> poison, i64 %93, i64 0
//   %.splat8 = shufflevector <4 x i64> %.splatinsert7, <4 x i64> poison, <4 x i32> zeroinitializer
//   %108 = icmp ult <4 x i64> %107, %.splat8
//   %109 = add i64 %vector, 4
//   %110 = sub i64 %109, 0
//   %111 = icmp ult i64 %110, %95
//   br i1 %111, label %region0.header.i.v, label %vector.leave, !llvm.loop !19
//
// vector.leave:                                     ; preds = %region0.header.i.v
//   %112 = add i64 0, %95
//   %113 = icmp ne i64 %95, %94
//   br i1 %113, label %region0.header.i, label %region1.first.i
//
// vector.check9:                                    ; preds = %__muxcl_sub_op_reduce_add_int.exit.r1.i
//   %114 = sub i64 %93, 0
//   %115 = and i64 %114, -4
//   %116 = icmp eq i64 %115, 0
//   br i1 %116, label %region2.header.i, label %vector.enter10
//
// vector.enter10:                                   ; preds = %vector.check9
//   br label %region2.header.i.v
//
// region2.header.i.v:                               ; preds = %region2.header.i.v, %vector.enter10
//   %vector12 = phi i64 [ 0, %vector.enter10 ], [ %121, %region2.header.i.v ]
//   %117 = getelementptr inbounds i32, ptr %slot.i, i64 %vector12
//   %.splatinsert13 = insertelement <4 x i32> poison, i32 %84, i64 0
//   %.splat14 = shufflevector <4 x i32> %.splatinsert13, <4 x i32> poison, <4 x i32> zeroinitializer
//   store <4 x i32> %.splat14, ptr %117, align 4, !llvm.access.group !12
//   %118 = add nuw i64 %vector12, 1
//   %.splatinsert15 = insertelement <4 x i64> poison, i64 %118, i64 0
//   %.splat16 = shufflevector <4 x i64> %.splatinsert15, <4 x i64> poison, <4 x i32> zeroinitializer
//   %119 = add <4 x i64> %.splat16, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert17 = insertelement <4 x i64> poison, i64 %93, i64 0
//   %.splat18 = shufflevector <4 x i64> %.splatinsert17, <4 x i64> poison, <4 x i32> zeroinitializer
//   %120 = icmp ult <4 x i64> %119, %.splat18
//   %121 = add i64 %vector12, 4
//   %122 = sub i64 %121, 0
//   %123 = icmp ult i64 %122, %115
//   br i1 %123, label %region2.header.i.v, label %vector.leave11, !llvm.loop !20
//
// vector.leave11:                                   ; preds = %region2.header.i.v
//   %124 = add i64 0, %115
//   %125 = icmp ne i64 %115, %114
//   br i1 %125, label %region2.header.i, label %region3.header.i.preheader
// }
//
