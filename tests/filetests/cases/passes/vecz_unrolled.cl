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
//   %value11 = alloca i64, align 8
//   %value10 = alloca i64, align 8
//   %value7 = alloca i64, align 8
//   %value4 = alloca i64, align 8
//   %value3 = alloca i64, align 8
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
//   %add.i.i.2 = add i64 %local.x.i, 128
//   %idxprom.i.i.2 = and i64 %add.i.i.2, 4294967295
//   %arrayidx.i.i.2 = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %idxprom.i.i.2
//   %20 = load i32, ptr addrspace(1) %arrayidx.i.i.2, align 4, !tbaa !1, !llvm.access.group !6
//   %add.i.i.1 = add i64 %local.x.i, 64
//   %idxprom.i.i.1 = and i64 %add.i.i.1, 4294967295
//   %arrayidx.i.i.1 = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %idxprom.i.i.1
//   %21 = load i32, ptr addrspace(1) %arrayidx.i.i.1, align 4, !tbaa !1, !llvm.access.group !6
//   %mul10.i.i = mul nsw i32 %21, %20
//   %idxprom11.i.i = and i64 %local.x.i, 4294967295
//   %arrayidx12.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %16, i64 %idxprom11.i.i
//   store i32 %mul10.i.i, ptr addrspace(1) %arrayidx12.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   br label %__clang_ocl_kern_imp_k.exit.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %if.then.i.i, %items.x.i
//   %22 = add nuw i64 %local.x.i, 1
//   %23 = icmp ult i64 %22, %19
//   br i1 %23, label %items.x.i, label %k.group.exit, !llvm.loop !7
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %22, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ %72, %vector.leave ]
//   %idxprom.i.i = and i64 %local.x.i, 4294967295
//   %arrayidx.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %idxprom.i.i
//   %24 = load i32, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %add.i.i.3 = add i64 %local.x.i, 192
//   %idxprom.i.i.3 = and i64 %add.i.i.3, 4294967295
//   %arrayidx.i.i.3 = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %idxprom.i.i.3
//   %25 = load i32, ptr addrspace(1) %arrayidx.i.i.3, align 4, !tbaa !1, !llvm.access.group !6
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
//   %vector = phi i64 [ 0, %vector.enter ], [ %69, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store <4 x i1> zeroinitializer, ptr %mask, align 1
//   %38 = and i64 %vector, 4294967295
//   store i64 %38, ptr %value, align 8
//   %39 = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %38
//   %40 = load <4 x i32>, ptr addrspace(1) %39, align 4, !tbaa !1, !llvm.access.group !6
//   %41 = add i64 %vector, 192
//   store i64 %41, ptr %value3, align 8
//   %.splatinsert = insertelement <4 x i64> poison, i64 %41, i64 0
//   %.splat = shufflevector <4 x i64> %.splatinsert, <4 x i64> poison, <4 x i32> zeroinitializer
//   %42 = add <4 x i64> %.splat, <i64 0, i64 1, i64 2, i64 3>
//   %43 = and <4 x i64> %42, splat (i64 4294967295)
//   %44 = getelementptr inbounds nuw i32, ptr addrspace(1) %14, <4 x i64> %43
//   %45 = call <4 x i32> @llvm.masked.gather.v4i32.v4p1(<4 x ptr addrspace(1)> align 4 %44, <4 x i1> splat (i1 true), <4 x i32> poison), !tbaa !1, !llvm.access.group !6
//   %46 = icmp sgt <4 x i32> %40, %45
//   %47 = xor <4 x i1> %46, splat (i1 true)
//   %48 = load <4 x i1>, ptr %mask, align 1
//   %49 = or <4 x i1> %48, %46
//   store <4 x i1> %49, ptr %mask, align 1
//   %50 = load <4 x i1>, ptr %mask, align 1
//   %51 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %50)
//   br i1 %51, label %if.then.i.i.v, label %skip
//
// if.then.i.i.v:                                    ; preds = %items.x.i.v
//   %52 = load <4 x i1>, ptr %mask, align 1
//   %53 = add i64 %vector, 128
//   store i64 %53, ptr %value4, align 8
//   %.splatinsert5 = insertelement <4 x i64> poison, i64 %53, i64 0
//   %.splat6 = shufflevector <4 x i64> %.splatinsert5, <4 x i64> poison, <4 x i32> zeroinitializer
//   %54 = add <4 x i64> %.splat6, <i64 0, i64 1, i64 2, i64 3>
//   %55 = and <4 x i64> %54, splat (i64 4294967295)
//   %56 = getelementptr inbounds nuw i32, ptr addrspace(1) %14, <4 x i64> %55
//   %57 = call <4 x i32> @llvm.masked.gather.v4i32.v4p1(<4 x ptr addrspace(1)> align 4 %56, <4 x i1> %52, <4 x i32> poison), !tbaa !1, !llvm.access.group !6
//   %58 = add i64 %vector, 64
//   store i64 %58, ptr %value7, align 8
//   %.splatinsert8 = insertelement <4 x i64> poison, i64 %58, i64 0
//   %.splat9 = shufflevector <4 x i64> %.splatinsert8, <4 x i64> poison, <4 x i32> zeroinitializer
//   %59 = add <4 x i64> %.splat9, <i64 0, i64 1, i64 2, i64 3>
//   %60 = and <4 x i64> %59, splat (i64 4294967295)
//   %61 = getelementptr inbounds nuw i32, ptr addrspace(1) %14, <4 x i64> %60
//   %62 = call <4 x i32> @llvm.masked.gather.v4i32.v4p1(<4 x ptr addrspace(1)> align 4 %61, <4 x i1> %52, <4 x i32> poison), !tbaa !1, !llvm.access.group !6
//   %63 = mul nsw <4 x i32> %62, %57
//   %64 = and i64 %vector, 4294967295
//   store i64 %64, ptr %value10, align 8
//   %65 = getelementptr i32, ptr addrspace(1) %16, i64 %64
//   call void @llvm.masked.store.v4i32.p1(<4 x i32> %63, ptr addrspace(1) align 4 %65, <4 x i1> %52), !tbaa !1, !llvm.access.group !6
//   br label %__clang_ocl_kern_imp_k.exit.i.v
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %if.then.i.i.v, %skip
//   %66 = add nuw i64 %vector, 1
//   store i64 %66, ptr %value11, align 8
//   %.splatinsert12 = insertelement <4 x i64> poison, i64 %66, i64 0
//   %.splat13 = shufflevector <4 x i64> %.splatinsert12, <4 x i64> poison, <4 x i32> zeroinitializer
//   %67 = add <4 x i64> %.splat13, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert14 = insertelement <4 x i64> poison, i64 %19, i64 0
//   %.splat15 = shufflevector <4 x i64> %.splatinsert14, <4 x i64> poison, <4 x i32> zeroinitializer
//   %68 = icmp ult <4 x i64> %67, %.splat15
//   %69 = add i64 %vector, 4
//   %70 = sub i64 %69, 0
//   %71 = icmp ult i64 %70, %36
//   br i1 %71, label %items.x.i.v, label %vector.leave, !llvm.loop !14
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %72 = add i64 0, %36
//   %73 = icmp ne i64 %36, %35
//   br i1 %73, label %items.x.i, label %k.group.exit
//
// skip:                                             ; preds = %items.x.i.v
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//
