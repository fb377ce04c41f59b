//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! lanes = 4
// Each lane exchanges its element with a partner at the distance `step`: one access, and a
// permutation if the distance is less than the number of lanes. The mask is permuted, too.
kernel void k(global int *keys, int step) {
  int i = get_local_id(0), other = i ^ step;
  if (other > i) {
    int a = keys[i], b = keys[other];
    if (a > b) {
      keys[i] = b;
      keys[other] = a;
    }
  }
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #1 {
// entry:
//   %value13 = alloca <4 x ptr addrspace(1)>, align 32
//   %value12 = alloca <4 x i32>, align 16
//   %value11 = alloca ptr addrspace(1), align 8
//   %value10 = alloca <4 x i32>, align 16
//   %value7 = alloca i32, align 4
//   %value = alloca <4 x i32>, align 16
//   %mask2 = alloca <4 x i1>, align 1
//   %mask = alloca <4 x i1>, align 1
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
//   br label %vector.check
//
// if.then.i.i:                                      ; preds = %items.x.i
//   %sext.i = shl i64 %local.x.i, 32
//   %20 = ashr exact i64 %sext.i, 30
//   %arrayidx.i.i = getelementptr inbounds i8, ptr addrspace(1) %14, i64 %20
//   %21 = load i32, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %idxprom2.i.i = sext i32 %xor.i.i to i64
//   %arrayidx3.i.i = getelementptr inbounds i32, ptr addrspace(1) %14, i64 %idxprom2.i.i
//   %22 = load i32, ptr addrspace(1) %arrayidx3.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %cmp4.i.i = icmp sgt i32 %21, %22
//   br i1 %cmp4.i.i, label %if.then6.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// if.then6.i.i:                                     ; preds = %if.then.i.i
//   store i32 %22, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   store i32 %21, ptr addrspace(1) %arrayidx3.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   br label %__clang_ocl_kern_imp_k.exit.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %if.then6.i.i, %if.then.i.i, %items.x.i
//   %23 = add nuw i64 %local.x.i, 1
//   %24 = icmp ult i64 %23, %19
//   br i1 %24, label %items.x.i, label %k.group.exit, !llvm.loop !7
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %23, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ %87, %vector.leave ]
//   %25 = trunc i64 %local.x.i to i32
//   %xor.i.i = xor i32 %16, %25
//   %cmp.i.i = icmp sgt i32 %xor.i.i, %25
//   br i1 %cmp.i.i, label %if.then.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// k.group.exit:                                     ; preds = %vector.leave, %__clang_ocl_kern_imp_k.exit.i
//   %26 = add nuw i64 %gx, 1
//   %27 = add nuw i64 %0, %6
//   %28 = icmp ult i64 %26, %27
//   br i1 %28, label %group.x, label %group.next, !llvm.loop !11
//
// group.next:                                       ; preds = %k.group.exit
//   %29 = add nuw i64 %gy, 1
//   %30 = add nuw i64 %2, %8
//   %31 = icmp ult i64 %29, %30
//   br i1 %31, label %group.y, label %group.next1, !llvm.loop !12
//
// group.next1:                                      ; preds = %group.next
//   %32 = add nuw i64 %gz, 1
//   %33 = add nuw i64 %4, %10
//   %34 = icmp ult i64 %32, %33
//   br i1 %34, label %group.z, label %exit, !llvm.loop !13
//
// vector.check:                                     ; preds = %group.x
//   %35 = sub i64 %19, 0
//   %36 = and i64 %35, -4
//   %37 = icmp eq i64 %36, 0
//   br i1 %37, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %84, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store <4 x i1> zeroinitializer, ptr %mask, align 1
//   store <4 x i1> zeroinitializer, ptr %mask2, align 1
//   %38 = trunc i64 %vector to i32
//   %.splatinsert = insertelement <4 x i32> poison, i32 %16, i64 0
//   %.splat = shufflevector <4 x i32> %.splatinsert, <4 x i32> poison, <4 x i32> zeroinitializer
//   %.splatinsert3 = insertelement <4 x i32> poison, i32 %38, i64 0
//   %.splat4 = shufflevector <4 x i32> %.splatinsert3, <4 x i32> poison, <4 x i32> zeroinitializer
//   %39 = add <4 x i32> %.splat4, <i32 0, i32 1, i32 2, i32 3>
//   %40 = xor <4 x i32> %.splat, %39
//   %.splatinsert5 = insertelement <4 x i32> poison, i32 %38, i64 0
//   %.splat6 = shufflevector <4 x i32> %.splatinsert5, <4 x i32> poison, <4 x i32> zeroinitializer
//   %41 = add <4 x i32> %.splat6, <i32 0, i32 1, i32 2, i32 3>
//   %42 = icmp sgt <4 x i32> %40, %41
//   %43 = xor <4 x i1> splat (i1 true), %42
//   %44 = load <4 x i1>, ptr %mask, align 1
//   %45 = or <4 x i1> %44, %42
//   store <4 x i1> %45, ptr %mask, align 1
//   %46 = load <4 x i1>, ptr %mask, align 1
//   %47 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %46)
//   store <4 x i32> %40, ptr %value, align 16
//   store i32 %38, ptr %value7, align 4
//   br i1 %47, label %if.then.i.i.v, label %skip
//
// if.then.i.i.v:                                    ; preds = %items.x.i.v
//   %48 = load <4 x i1>, ptr %mask, align 1
//   %49 = shl i64 %vector, 32
//   %50 = ashr i64 %49, 30
//   %51 = getelementptr i8, ptr addrspace(1) %14, i64 %50
//   %52 = call <4 x i32> @llvm.masked.load.v4i32.p1(ptr addrspace(1) align 4 %51, <4 x i1> %48, <4 x i32> poison), !tbaa !1, !llvm.access.group !6
//   %53 = load <4 x i32>, ptr %value, align 16
//   %54 = sext <4 x i32> %53 to <4 x i64>
//   %55 = getelementptr inbounds i32, ptr addrspace(1) %14, <4 x i64> %54
//   %56 = load i32, ptr %value7, align 4
//   %57 = freeze i32 %56
//   %58 = freeze i32 %16
//   %59 = and i32 %58, 3
//   %60 = xor i32 %58, %59
//   %61 = xor i32 %57, %60
//   %62 = sext i32 %61 to i64
//   %63 = mul i64 %62, 4
//   %64 = getelementptr i8, ptr addrspace(1) %14, i64 %63
//   %65 = icmp eq i32 %59, 0
//   store ptr addrspace(1) %51, ptr %value11, align 8
//   store <4 x i32> %52, ptr %value12, align 16
//   store <4 x ptr addrspace(1)> %55, ptr %value13, align 32
//   br i1 %65, label %consecutive, label %scattered
//
// if.then6.i.i.v:                                   ; preds = %accessed
//   %66 = load <4 x i1>, ptr %mask2, align 1
//   %67 = load <4 x i32>, ptr %value10, align 16
//   %68 = load ptr addrspace(1), ptr %value11, align 8
//   call void @llvm.masked.store.v4i32.p1(<4 x i32> %67, ptr addrspace(1) align 4 %68, <4 x i1> %66), !tbaa !1, !llvm.access.group !6
//   %69 = load <4 x i32>, ptr %value12, align 16
//   %70 = load <4 x ptr addrspace(1)>, ptr %value13, align 32
//   %71 = load i32, ptr %value7, align 4
//   %72 = freeze i32 %71
//   %73 = freeze i32 %16
//   %74 = and i32 %73, 3
//   %75 = xor i32 %73, %74
//   %76 = xor i32 %72, %75
//   %77 = sext i32 %76 to i64
//   %78 = mul i64 %77, 4
//   %79 = getelementptr i8, ptr addrspace(1) %14, i64 %78
//   %80 = icmp eq i32 %74, 0
//   br i1 %80, label %consecutive14, label %scattered15
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %accessed16, %skip9, %skip
//   %81 = add nuw i64 %vector, 1
//   %.splatinsert17 = insertelement <4 x i64> poison, i64 %81, i64 0
//   %.splat18 = shufflevector <4 x i64> %.splatinsert17, <4 x i64> poison, <4 x i32> zeroinitializer
//   %82 = add <4 x i64> %.splat18, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert19 = insertelement <4 x i64> poison, i64 %19, i64 0
//   %.splat20 = shufflevector <4 x i64> %.splatinsert19, <4 x i64> poison, <4 x i32> zeroinitializer
//   %83 = icmp ult <4 x i64> %82, %.splat20
//   %84 = add i64 %vector, 4
//   %85 = sub i64 %84, 0
//   %86 = icmp ult i64 %85, %36
//   br i1 %86, label %items.x.i.v, label %vector.leave, !llvm.loop !14
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %87 = add i64 0, %36
//   %88 = icmp ne i64 %36, %35
//   br i1 %88, label %items.x.i, label %k.group.exit
//
// skip:                                             ; preds = %items.x.i.v
//   br label %__clang_ocl_kern_imp_k.exit.i.v
//
// consecutive:                                      ; preds = %if.then.i.i.v
//   %89 = call <4 x i32> @llvm.masked.load.v4i32.p1(ptr addrspace(1) align 4 %64, <4 x i1> %48, <4 x i32> poison), !tbaa !1, !llvm.access.group !6
//   br label %accessed
//
// scattered:                                        ; preds = %if.then.i.i.v
//   %90 = zext <4 x i1> %48 to <4 x i32>
//   %91 = shufflevector <4 x i32> %90, <4 x i32> poison, <4 x i32> <i32 1, i32 0, i32 3, i32 2>
//   %92 = and i32 %59, 1
//   %93 = icmp ne i32 %92, 0
//   %94 = select i1 %93, <4 x i32> %91, <4 x i32> %90
//   %95 = shufflevector <4 x i32> %94, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 1>
//   %96 = and i32 %59, 2
//   %97 = icmp ne i32 %96, 0
//   %98 = select i1 %97, <4 x i32> %95, <4 x i32> %94
//   %99 = trunc <4 x i32> %98 to <4 x i1>
//   %100 = call <4 x i32> @llvm.masked.load.v4i32.p1(ptr addrspace(1) align 4 %64, <4 x i1> %99, <4 x i32> poison), !tbaa !1, !llvm.access.group !6
//   %101 = shufflevector <4 x i32> %100, <4 x i32> poison, <4 x i32> <i32 1, i32 0, i32 3, i32 2>
//   %102 = and i32 %59, 1
//   %103 = icmp ne i32 %102, 0
//   %104 = select i1 %103, <4 x i32> %101, <4 x i32> %100
//   %105 = shufflevector <4 x i32> %104, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 1>
//   %106 = and i32 %59, 2
//   %107 = icmp ne i32 %106, 0
//   %108 = select i1 %107, <4 x i32> %105, <4 x i32> %104
//   br label %accessed
//
// accessed:                                         ; preds = %scattered, %consecutive
//   %accessed8 = phi <4 x i32> [ %89, %consecutive ], [ %108, %scattered ]
//   %109 = icmp sgt <4 x i32> %52, %accessed8
//   %110 = select <4 x i1> %48, <4 x i1> %109, <4 x i1> zeroinitializer
//   %111 = xor <4 x i1> %48, %110
//   %112 = load <4 x i1>, ptr %mask2, align 1
//   %113 = or <4 x i1> %112, %110
//   store <4 x i1> %113, ptr %mask2, align 1
//   %114 = load <4 x i1>, ptr %mask2, align 1
//   %115 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %114)
//   store <4 x i32> %accessed8, ptr %value10, align 16
//   br i1 %115, label %if.then6.i.i.v, label %skip9
//
// skip9:                                            ; preds = %accessed
//   br label %__clang_ocl_kern_imp_k.exit.i.v
//
// consecutive14:                                    ; preds = %if.then6.i.i.v
//   call void @llvm.masked.store.v4i32.p1(<4 x i32> %69, ptr addrspace(1) align 4 %79, <4 x i1> %66), !tbaa !1, !llvm.access.group !6
//   br label %accessed16
//
// scattered15:                                      ; preds = %if.then6.i.i.v
//   %116 = zext <4 x i1> %66 to <4 x i32>
//   %117 = shufflevector <4 x i32> %116, <4 x i32> poison, <4 x i32> <i32 1, i32 0, i32 3, i32 2>
//   %118 = and i32 %74, 1
//   %119 = icmp ne i32 %118, 0
//   %120 = select i1 %119, <4 x i32> %117, <4 x i32> %116
//   %121 = shufflevector <4 x i32> %120, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 1>
//   %122 = and i32 %74, 2
//   %123 = icmp ne i32 %122, 0
//   %124 = select i1 %123, <4 x i32> %121, <4 x i32> %120
//   %125 = trunc <4 x i32> %124 to <4 x i1>
//   %126 = shufflevector <4 x i32> %69, <4 x i32> poison, <4 x i32> <i32 1, i32 0, i32 3, i32 2>
//   %127 = and i32 %74, 1
//   %128 = icmp ne i32 %127, 0
//   %129 = select i1 %128, <4 x i32> %126, <4 x i32> %69
//   %130 = shufflevector <4 x i32> %129, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 1>
//   %131 = and i32 %74, 2
//   %132 = icmp ne i32 %131, 0
//   %133 = select i1 %132, <4 x i32> %130, <4 x i32> %129
//   call void @llvm.masked.store.v4i32.p1(<4 x i32> %133, ptr addrspace(1) align 4 %79, <4 x i1> %125), !tbaa !1, !llvm.access.group !6
//   br label %accessed16
//
// accessed16:                                       ; preds = %scattered15, %consecutive14
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//
