//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! lanes = 4
// The inner loop is unrolled, and the private array becomes registers: no memory on the stack for
// it remains.
kernel void k(global const int *a, global int *out) {
  uint x = get_local_id(0);
  int v[4];
  for (int i = 0; i < 4; i++)
    v[i] = a[x + 64 * i];
  if (v[0] > v[3])
    out[x] = v[1] * v[2];
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #2 {
// entry:
//   %value = alloca i64, align 8
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
//   %add.i.2.i = add i64 %local.x.i, 128
//   %idxprom.i.2.i = and i64 %add.i.2.i, 4294967295
//   %arrayidx.i.2.i = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %idxprom.i.2.i
//   %20 = load i32, ptr addrspace(1) %arrayidx.i.2.i, align 4, !tbaa !1, !llvm.access.group !6
//   %add.i.1.i = add i64 %local.x.i, 64
//   %idxprom.i.1.i = and i64 %add.i.1.i, 4294967295
//   %arrayidx.i.1.i = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %idxprom.i.1.i
//   %21 = load i32, ptr addrspace(1) %arrayidx.i.1.i, align 4, !tbaa !1, !llvm.access.group !6
//   %mul10.i.i = mul nsw i32 %21, %20
//   %arrayidx12.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %16, i64 %idxprom.i.i
//   store i32 %mul10.i.i, ptr addrspace(1) %arrayidx12.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   br label %__clang_ocl_kern_imp_k.exit.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %if.then.i.i, %items.x.i
//   %22 = add nuw i64 %local.x.i, 1
//   %23 = icmp ult i64 %22, %19
//   br i1 %23, label %items.x.i, label %k.group.exit, !llvm.loop !7
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %22, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ %69, %vector.leave ]
//   %idxprom.i.i = and i64 %local.x.i, 4294967295
//   %arrayidx.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %idxprom.i.i
//   %24 = load i32, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %add.i.3.i = add i64 %local.x.i, 192
//   %idxprom.i.3.i = and i64 %add.i.3.i, 4294967295
//   %arrayidx.i.3.i = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %idxprom.i.3.i
//   %25 = load i32, ptr addrspace(1) %arrayidx.i.3.i, align 4, !tbaa !1, !llvm.access.group !6
//   %cmp6.i.i = icmp sgt i32 %24, %25
//   br i1 %cmp6.i.i, label %if.then.i.i, label %__clang_ocl_kern_imp_k.exit.i
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
//   %vector = phi i64 [ 0, %vector.enter ], [ %66, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store <4 x i1> zeroinitializer, ptr %mask, align 1
//   %38 = and i64 %vector, 4294967295
//   %39 = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %38
//   %40 = load <4 x i32>, ptr addrspace(1) %39, align 4, !tbaa !1, !llvm.access.group !6
//   %41 = add i64 %vector, 192
//   %42 = and i64 %41, 4294967295
//   %43 = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %42
//   %44 = load <4 x i32>, ptr addrspace(1) %43, align 4, !tbaa !1, !llvm.access.group !6
//   %45 = icmp sgt <4 x i32> %40, %44
//   %46 = xor <4 x i1> splat (i1 true), %45
//   %47 = load <4 x i1>, ptr %mask, align 1
//   %48 = or <4 x i1> %47, %45
//   store <4 x i1> %48, ptr %mask, align 1
//   %49 = load <4 x i1>, ptr %mask, align 1
//   %50 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %49)
//   store i64 %38, ptr %value, align 8
//   br i1 %50, label %if.then.i.i.v, label %skip
//
// if.then.i.i.v:                                    ; preds = %items.x.i.v
//   %51 = load <4 x i1>, ptr %mask, align 1
//   %52 = add i64 %vector, 128
//   %53 = and i64 %52, 4294967295
//   %54 = getelementptr i32, ptr addrspace(1) %14, i64 %53
//   %55 = call <4 x i32> @llvm.masked.load.v4i32.p1(ptr addrspace(1) align 4 %54, <4 x i1> %51, <4 x i32> poison), !tbaa !1, !llvm.access.group !6
//   %56 = add i64 %vector, 64
//   %57 = and i64 %56, 4294967295
//   %58 = getelementptr i32, ptr addrspace(1) %14, i64 %57
//   %59 = call <4 x i32> @llvm.masked.load.v4i32.p1(ptr addrspace(1) align 4 %58, <4 x i1> %51, <4 x i32> poison), !tbaa !1, !llvm.access.group !6
//   %60 = mul nsw <4 x i32> %59, %55
//   %61 = load i64, ptr %value, align 8
//   %62 = getelementptr i32, ptr addrspace(1) %16, i64 %61
//   call void @llvm.masked.store.v4i32.p1(<4 x i32> %60, ptr addrspace(1) align 4 %62, <4 x i1> %51), !tbaa !1, !llvm.access.group !6
//   br label %__clang_ocl_kern_imp_k.exit.i.v
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %if.then.i.i.v, %skip
//   %63 = add nuw i64 %vector, 1
//   %.splatinsert = insertelement <4 x i64> poison, i64 %63, i64 0
//   %.splat = shufflevector <4 x i64> %.splatinsert, <4 x i64> poison, <4 x i32> zeroinitializer
//   %64 = add <4 x i64> %.splat, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert2 = insertelement <4 x i64> poison, i64 %19, i64 0
//   %.splat3 = shufflevector <4 x i64> %.splatinsert2, <4 x i64> poison, <4 x i32> zeroinitializer
//   %65 = icmp ult <4 x i64> %64, %.splat3
//   %66 = add i64 %vector, 4
//   %67 = sub i64 %66, 0
//   %68 = icmp ult i64 %67, %36
//   br i1 %68, label %items.x.i.v, label %vector.leave, !llvm.loop !14
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %69 = add i64 0, %36
//   %70 = icmp ne i64 %36, %35
//   br i1 %70, label %items.x.i, label %k.group.exit
//
// skip:                                             ; preds = %items.x.i.v
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//
