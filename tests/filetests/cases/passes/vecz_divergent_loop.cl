//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! lanes = 4
// Work-items leave the loop at different iterations: the loop runs while a lane is in its mask, and
// the value that each lane left with is kept.
kernel void k(global uint *a) {
  uint x = get_local_id(0);
  uint v = a[x];
  while (v > 9)
    v = v * 3 / 7;
  a[x] = v;
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #1 {
// entry:
//   %value4 = alloca ptr addrspace(1), align 8
//   %value = alloca <4 x i32>, align 16
//   %phi3 = alloca <4 x i32>, align 16
//   %phi = alloca <4 x i32>, align 16
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
//   %gy = phi i64 [ %2, %group.z ], [ %24, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %21, %k.group.exit ]
//   %15 = shl nuw i64 %gx, 6
//   %16 = sub i64 %13, %15
//   %17 = call i64 @llvm.umin.i64(i64 %16, i64 64)
//   br label %vector.check
//
// while.cond.i.i:                                   ; preds = %while.body.i.i, %items.x.i
//   %v.i.0.i = phi i32 [ %20, %items.x.i ], [ %div.i.i, %while.body.i.i ]
//   %cmp.i.i = icmp ugt i32 %v.i.0.i, 9
//   br i1 %cmp.i.i, label %while.body.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// while.body.i.i:                                   ; preds = %while.cond.i.i
//   %mul.i.i = mul i32 %v.i.0.i, 3
//   %div.i.i = udiv i32 %mul.i.i, 7
//   br label %while.cond.i.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %while.cond.i.i
//   %v.i.0.i.lcssa = phi i32 [ %v.i.0.i, %while.cond.i.i ]
//   store i32 %v.i.0.i.lcssa, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %18 = add nuw i64 %local.x.i, 1
//   %19 = icmp ult i64 %18, %17
//   br i1 %19, label %items.x.i, label %k.group.exit, !llvm.loop !7
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %18, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ %61, %vector.leave ]
//   %idxprom.i.i = and i64 %local.x.i, 4294967295
//   %arrayidx.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %idxprom.i.i
//   %20 = load i32, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   br label %while.cond.i.i
//
// k.group.exit:                                     ; preds = %vector.leave, %__clang_ocl_kern_imp_k.exit.i
//   %21 = add nuw i64 %gx, 1
//   %22 = add nuw i64 %0, %6
//   %23 = icmp ult i64 %21, %22
//   br i1 %23, label %group.x, label %group.next, !llvm.loop !11
//
// group.next:                                       ; preds = %k.group.exit
//   %24 = add nuw i64 %gy, 1
//   %25 = add nuw i64 %2, %8
//   %26 = icmp ult i64 %24, %25
//   br i1 %26, label %group.y, label %group.next1, !llvm.loop !12
//
// group.next1:                                      ; preds = %group.next
//   %27 = add nuw i64 %gz, 1
//   %28 = add nuw i64 %4, %10
//   %29 = icmp ult i64 %27, %28
//   br i1 %29, label %group.z, label %exit, !llvm.loop !13
//
// vector.check:                                     ; preds = %group.x
//   %30 = sub i64 %17, 0
//   %31 = and i64 %30, -4
//   %32 = icmp eq i64 %31, 0
//   br i1 %32, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %58, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store <4 x i32> poison, ptr %phi, align 16
//   store <4 x i32> poison, ptr %phi3, align 16
//   %33 = and i64 %vector, 4294967295
//   %34 = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %33
//   %35 = load <4 x i32>, ptr addrspace(1) %34, align 4, !tbaa !1, !llvm.access.group !6
//   store <4 x i32> %35, ptr %phi, align 16
//   store <4 x i1> splat (i1 true), ptr %mask, align 1
//   store ptr addrspace(1) %34, ptr %value4, align 8
//   br label %while.cond.i.i.v
//
// while.cond.i.i.v:                                 ; preds = %while.body.i.i.v, %items.x.i.v
//   %36 = load <4 x i1>, ptr %mask, align 1
//   store <4 x i1> zeroinitializer, ptr %mask2, align 1
//   %37 = load <4 x i32>, ptr %phi, align 16
//   %38 = icmp ugt <4 x i32> %37, splat (i32 9)
//   %39 = select <4 x i1> %36, <4 x i1> %38, <4 x i1> zeroinitializer
//   %40 = xor <4 x i1> %36, %39
//   %41 = load <4 x i1>, ptr %mask2, align 1
//   %42 = or <4 x i1> %41, %39
//   store <4 x i1> %42, ptr %mask2, align 1
//   %43 = load <4 x i32>, ptr %phi3, align 16
//   %44 = select <4 x i1> %40, <4 x i32> %37, <4 x i32> %43
//   store <4 x i32> %44, ptr %phi3, align 16
//   %45 = load <4 x i1>, ptr %mask2, align 1
//   %46 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %45)
//   store <4 x i32> %37, ptr %value, align 16
//   br i1 %46, label %while.body.i.i.v, label %skip
//
// while.body.i.i.v:                                 ; preds = %while.cond.i.i.v
//   %47 = load <4 x i1>, ptr %mask2, align 1
//   %48 = load <4 x i32>, ptr %value, align 16
//   %49 = mul <4 x i32> %48, splat (i32 3)
//   %50 = select <4 x i1> %47, <4 x i32> splat (i32 7), <4 x i32> splat (i32 1)
//   %51 = udiv <4 x i32> %49, %50
//   store <4 x i32> %51, ptr %phi, align 16
//   store <4 x i1> %47, ptr %mask, align 1
//   %52 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %47)
//   br i1 %52, label %while.cond.i.i.v, label %loop.done
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %loop.done, %skip
//   %53 = load <4 x i32>, ptr %phi3, align 16
//   %54 = load ptr addrspace(1), ptr %value4, align 8
//   store <4 x i32> %53, ptr addrspace(1) %54, align 4, !tbaa !1, !llvm.access.group !6
//   %55 = add nuw i64 %vector, 1
//   %.splatinsert = insertelement <4 x i64> poison, i64 %55, i64 0
//   %.splat = shufflevector <4 x i64> %.splatinsert, <4 x i64> poison, <4 x i32> zeroinitializer
//   %56 = add <4 x i64> %.splat, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert5 = insertelement <4 x i64> poison, i64 %17, i64 0
//   %.splat6 = shufflevector <4 x i64> %.splatinsert5, <4 x i64> poison, <4 x i32> zeroinitializer
//   %57 = icmp ult <4 x i64> %56, %.splat6
//   %58 = add i64 %vector, 4
//   %59 = sub i64 %58, 0
//   %60 = icmp ult i64 %59, %31
//   br i1 %60, label %items.x.i.v, label %vector.leave, !llvm.loop !14
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %61 = add i64 0, %31
//   %62 = icmp ne i64 %31, %30
//   br i1 %62, label %items.x.i, label %k.group.exit
//
// skip:                                             ; preds = %while.cond.i.i.v
//   br label %__clang_ocl_kern_imp_k.exit.i.v
//
// loop.done:                                        ; preds = %while.body.i.i.v
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//
