//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! lanes = 4
// A branch on the argument stays a branch. Both sides of the branch on the element run under masks,
// the one with a gather only if a lane takes it.
kernel void k(global int *a, global int *b, int n) {
  uint x = get_local_id(0);
  int v = a[x];
  if (n > 3)
    v += n;
  if (v & 1)
    b[x] = v * 5;
  else
    a[x] = b[v & 63];
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #1 {
// entry:
//   %value4 = alloca i64, align 8
//   %value3 = alloca ptr addrspace(1), align 8
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
//   %16 = load ptr addrspace(1), ptr %15, align 8, !invariant.load !5
//   %17 = getelementptr inbounds nuw i8, ptr %packed, i64 16
//   %18 = load i32, ptr %17, align 8, !invariant.load !5
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
//   %19 = shl nuw i64 %gx, 6
//   %20 = sub i64 %13, %19
//   %21 = call i64 @llvm.umin.i64(i64 %20, i64 64)
//   br label %vector.check
//
// if.then2.i.i:                                     ; preds = %items.x.i
//   %mul.i.i = mul nsw i32 %spec.select.i, 5
//   %arrayidx4.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %16, i64 %idxprom.i.i
//   store i32 %mul.i.i, ptr addrspace(1) %arrayidx4.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   br label %__clang_ocl_kern_imp_k.exit.i
//
// if.else.i.i:                                      ; preds = %items.x.i
//   %and5.i.i = and i32 %spec.select.i, 62
//   %idxprom6.i.i = zext nneg i32 %and5.i.i to i64
//   %arrayidx7.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %16, i64 %idxprom6.i.i
//   %22 = load i32, ptr addrspace(1) %arrayidx7.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   store i32 %22, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   br label %__clang_ocl_kern_imp_k.exit.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %if.else.i.i, %if.then2.i.i
//   %23 = add nuw i64 %local.x.i, 1
//   %24 = icmp ult i64 %23, %21
//   br i1 %24, label %items.x.i, label %k.group.exit, !llvm.loop !7
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %23, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ %71, %vector.leave ]
//   %idxprom.i.i = and i64 %local.x.i, 4294967295
//   %arrayidx.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %idxprom.i.i
//   %25 = load i32, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %cmp.i.i = icmp sgt i32 %18, 3
//   %add.i.i = select i1 %cmp.i.i, i32 %18, i32 0
//   %spec.select.i = add nsw i32 %25, %add.i.i
//   %and.i.i = and i32 %spec.select.i, 1
//   %tobool.i.not.i = icmp eq i32 %and.i.i, 0
//   br i1 %tobool.i.not.i, label %if.else.i.i, label %if.then2.i.i
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
//   %35 = sub i64 %21, 0
//   %36 = and i64 %35, -4
//   %37 = icmp eq i64 %36, 0
//   br i1 %37, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %68, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store <4 x i1> zeroinitializer, ptr %mask, align 1
//   store <4 x i1> zeroinitializer, ptr %mask2, align 1
//   %38 = and i64 %vector, 4294967295
//   %39 = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %38
//   %40 = load <4 x i32>, ptr addrspace(1) %39, align 4, !tbaa !1, !llvm.access.group !6
//   %41 = icmp sgt i32 %18, 3
//   %42 = select i1 %41, i32 %18, i32 0
//   %.splatinsert = insertelement <4 x i32> poison, i32 %42, i64 0
//   %.splat = shufflevector <4 x i32> %.splatinsert, <4 x i32> poison, <4 x i32> zeroinitializer
//   %43 = add nsw <4 x i32> %40, %.splat
//   %44 = and <4 x i32> %43, splat (i32 1)
//   %45 = icmp eq <4 x i32> %44, zeroinitializer
//   %46 = xor <4 x i1> splat (i1 true), %45
//   %47 = load <4 x i1>, ptr %mask, align 1
//   %48 = or <4 x i1> %47, %45
//   store <4 x i1> %48, ptr %mask, align 1
//   %49 = load <4 x i1>, ptr %mask2, align 1
//   %50 = or <4 x i1> %49, %46
//   store <4 x i1> %50, ptr %mask2, align 1
//   %51 = load <4 x i1>, ptr %mask, align 1
//   %52 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %51)
//   store <4 x i32> %43, ptr %value, align 16
//   store ptr addrspace(1) %39, ptr %value3, align 8
//   store i64 %38, ptr %value4, align 8
//   br i1 %52, label %if.else.i.i.v, label %skip
//
// if.else.i.i.v:                                    ; preds = %items.x.i.v
//   %53 = load <4 x i1>, ptr %mask, align 1
//   %54 = load <4 x i32>, ptr %value, align 16
//   %55 = and <4 x i32> %54, splat (i32 62)
//   %56 = zext nneg <4 x i32> %55 to <4 x i64>
//   %57 = getelementptr inbounds nuw i32, ptr addrspace(1) %16, <4 x i64> %56
//   %58 = call <4 x i32> @llvm.masked.gather.v4i32.v4p1(<4 x ptr addrspace(1)> align 4 %57, <4 x i1> %53, <4 x i32> poison), !tbaa !1, !llvm.access.group !6
//   %59 = load ptr addrspace(1), ptr %value3, align 8
//   call void @llvm.masked.store.v4i32.p1(<4 x i32> %58, ptr addrspace(1) align 4 %59, <4 x i1> %53), !tbaa !1, !llvm.access.group !6
//   br label %if.then2.i.i.v
//
// if.then2.i.i.v:                                   ; preds = %if.else.i.i.v, %skip
//   %60 = load <4 x i1>, ptr %mask2, align 1
//   %61 = load <4 x i32>, ptr %value, align 16
//   %62 = mul nsw <4 x i32> %61, splat (i32 5)
//   %63 = load i64, ptr %value4, align 8
//   %64 = getelementptr i32, ptr addrspace(1) %16, i64 %63
//   call void @llvm.masked.store.v4i32.p1(<4 x i32> %62, ptr addrspace(1) align 4 %64, <4 x i1> %60), !tbaa !1, !llvm.access.group !6
//   br label %__clang_ocl_kern_imp_k.exit.i.v
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %if.then2.i.i.v
//   %65 = add nuw i64 %vector, 1
//   %.splatinsert5 = insertelement <4 x i64> poison, i64 %65, i64 0
//   %.splat6 = shufflevector <4 x i64> %.splatinsert5, <4 x i64> poison, <4 x i32> zeroinitializer
//   %66 = add <4 x i64> %.splat6, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert7 = insertelement <4 x i64> poison, i64 %21, i64 0
//   %.splat8 = shufflevector <4 x i64> %.splatinsert7, <4 x i64> poison, <4 x i32> zeroinitializer
//   %67 = icmp ult <4 x i64> %66, %.splat8
//   %68 = add i64 %vector, 4
//   %69 = sub i64 %68, 0
//   %70 = icmp ult i64 %69, %36
//   br i1 %70, label %items.x.i.v, label %vector.leave, !llvm.loop !14
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %71 = add i64 0, %36
//   %72 = icmp ne i64 %36, %35
//   br i1 %72, label %items.x.i, label %k.group.exit
//
// skip:                                             ; preds = %items.x.i.v
//   br label %if.then2.i.i.v
// }
//
