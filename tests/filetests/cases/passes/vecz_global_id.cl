//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! lanes = 4
// The global id is an `or disjoint`. The index keeps the stride of one element through the addition
// and the extension, so that the masked accesses are consecutive.
kernel void k(global const float *a, global float *out, int w) {
  int x = get_global_id(0), y = get_global_id(1), i = y * w + x;
  if (x == 0 || x == w - 1)
    return;
  out[i] = a[i - 1] + a[i + 1];
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #1 {
// entry:
//   %value13 = alloca i64, align 8
//   %value10 = alloca i32, align 4
//   %value9 = alloca i32, align 4
//   %value8 = alloca i32, align 4
//   %value3 = alloca i32, align 4
//   %value2 = alloca i32, align 4
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
//   %11 = getelementptr inbounds nuw i8, ptr %sched, i64 48
//   %12 = load i64, ptr %11, align 8, !invariant.load !5
//   %13 = getelementptr inbounds nuw i8, ptr %sched, i64 56
//   %14 = load i64, ptr %13, align 8, !invariant.load !5
//   %15 = getelementptr inbounds nuw i8, ptr %sched, i64 112
//   %16 = load ptr, ptr %15, align 8, !invariant.load !5
//   %17 = load i64, ptr %16, align 8, !invariant.load !5
//   %18 = load ptr addrspace(1), ptr %packed, align 8, !invariant.load !5
//   %19 = getelementptr inbounds nuw i8, ptr %packed, i64 8
//   %20 = load ptr addrspace(1), ptr %19, align 8, !invariant.load !5
//   %21 = getelementptr inbounds nuw i8, ptr %packed, i64 16
//   %22 = load i32, ptr %21, align 8, !invariant.load !5
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %41, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %38, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %35, %k.group.exit ]
//   %23 = shl nuw i64 %gx, 6
//   %24 = sub i64 %17, %23
//   %25 = call i64 @llvm.umin.i64(i64 %24, i64 64)
//   %26 = add nuw i64 %23, %12
//   %27 = add nuw i64 %gy, %14
//   br label %vector.check
//
// if.end.i.i:                                       ; preds = %items.x.i
//   %conv2.i.i = trunc i64 %27 to i32
//   %mul.i.i = mul nsw i32 %22, %conv2.i.i
//   %add.i.i = add nsw i32 %mul.i.i, %conv.i.i
//   %28 = sext i32 %add.i.i to i64
//   %29 = getelementptr float, ptr addrspace(1) %18, i64 %28
//   %arrayidx.i.i = getelementptr i8, ptr addrspace(1) %29, i64 -4
//   %30 = load float, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %arrayidx9.i.i = getelementptr i8, ptr addrspace(1) %29, i64 4
//   %31 = load float, ptr addrspace(1) %arrayidx9.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %add10.i.i = fadd float %30, %31
//   %arrayidx12.i.i = getelementptr inbounds float, ptr addrspace(1) %20, i64 %28
//   store float %add10.i.i, ptr addrspace(1) %arrayidx12.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   br label %__clang_ocl_kern_imp_k.exit.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %if.end.i.i, %items.x.i
//   %32 = add nuw i64 %local.x.i, 1
//   %33 = icmp ult i64 %32, %25
//   br i1 %33, label %items.x.i, label %k.group.exit, !llvm.loop !9
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %32, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ %80, %vector.leave ]
//   %34 = add nuw nsw i64 %26, %local.x.i
//   %conv.i.i = trunc i64 %34 to i32
//   %cmp.i.i = icmp eq i32 %conv.i.i, 0
//   %sub.i.i = add nsw i32 %22, -1
//   %cmp4.i.i = icmp eq i32 %sub.i.i, %conv.i.i
//   %or.cond.i = select i1 %cmp.i.i, i1 true, i1 %cmp4.i.i
//   br i1 %or.cond.i, label %__clang_ocl_kern_imp_k.exit.i, label %if.end.i.i
//
// k.group.exit:                                     ; preds = %vector.leave, %__clang_ocl_kern_imp_k.exit.i
//   %35 = add nuw i64 %gx, 1
//   %36 = add nuw i64 %0, %6
//   %37 = icmp ult i64 %35, %36
//   br i1 %37, label %group.x, label %group.next, !llvm.loop !13
//
// group.next:                                       ; preds = %k.group.exit
//   %38 = add nuw i64 %gy, 1
//   %39 = add nuw i64 %2, %8
//   %40 = icmp ult i64 %38, %39
//   br i1 %40, label %group.y, label %group.next1, !llvm.loop !14
//
// group.next1:                                      ; preds = %group.next
//   %41 = add nuw i64 %gz, 1
//   %42 = add nuw i64 %4, %10
//   %43 = icmp ult i64 %41, %42
//   br i1 %43, label %group.z, label %exit, !llvm.loop !15
//
// vector.check:                                     ; preds = %group.x
//   %44 = sub i64 %25, 0
//   %45 = and i64 %44, -4
//   %46 = icmp eq i64 %45, 0
//   br i1 %46, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %77, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store <4 x i1> zeroinitializer, ptr %mask, align 1
//   %47 = add nuw nsw i64 %26, %vector
//   store i64 %47, ptr %value, align 8
//   %48 = trunc i64 %47 to i32
//   store i32 %48, ptr %value2, align 4
//   %.splatinsert = insertelement <4 x i32> poison, i32 %48, i64 0
//   %.splat = shufflevector <4 x i32> %.splatinsert, <4 x i32> poison, <4 x i32> zeroinitializer
//   %49 = add <4 x i32> %.splat, <i32 0, i32 1, i32 2, i32 3>
//   %50 = icmp eq <4 x i32> %49, zeroinitializer
//   %51 = add nsw i32 %22, -1
//   store i32 %51, ptr %value3, align 4
//   %.splatinsert4 = insertelement <4 x i32> poison, i32 %51, i64 0
//   %.splat5 = shufflevector <4 x i32> %.splatinsert4, <4 x i32> poison, <4 x i32> zeroinitializer
//   %.splatinsert6 = insertelement <4 x i32> poison, i32 %48, i64 0
//   %.splat7 = shufflevector <4 x i32> %.splatinsert6, <4 x i32> poison, <4 x i32> zeroinitializer
//   %52 = add <4 x i32> %.splat7, <i32 0, i32 1, i32 2, i32 3>
//   %53 = icmp eq <4 x i32> %.splat5, %52
//   %54 = select <4 x i1> %50, <4 x i1> splat (i1 true), <4 x i1> %53
//   %55 = xor <4 x i1> %54, splat (i1 true)
//   %56 = load <4 x i1>, ptr %mask, align 1
//   %57 = or <4 x i1> %56, %55
//   store <4 x i1> %57, ptr %mask, align 1
//   %58 = load <4 x i1>, ptr %mask, align 1
//   %59 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %58)
//   br i1 %59, label %if.end.i.i.v, label %skip
//
// if.end.i.i.v:                                     ; preds = %items.x.i.v
//   %60 = load <4 x i1>, ptr %mask, align 1
//   %61 = trunc i64 %27 to i32
//   store i32 %61, ptr %value8, align 4
//   %62 = mul nsw i32 %22, %61
//   store i32 %62, ptr %value9, align 4
//   %63 = load i32, ptr %value2, align 4
//   %64 = add i32 %62, %63
//   store i32 %64, ptr %value10, align 4
//   %.splatinsert11 = insertelement <4 x i32> poison, i32 %64, i64 0
//   %.splat12 = shufflevector <4 x i32> %.splatinsert11, <4 x i32> poison, <4 x i32> zeroinitializer
//   %65 = add <4 x i32> %.splat12, <i32 0, i32 1, i32 2, i32 3>
//   %66 = sext <4 x i32> %65 to <4 x i64>
//   %67 = getelementptr float, ptr addrspace(1) %18, <4 x i64> %66
//   %68 = getelementptr i8, <4 x ptr addrspace(1)> %67, i64 -4
//   %69 = call <4 x float> @llvm.masked.gather.v4f32.v4p1(<4 x ptr addrspace(1)> align 4 %68, <4 x i1> %60, <4 x float> poison), !tbaa !6, !llvm.access.group !8
//   %70 = getelementptr i8, <4 x ptr addrspace(1)> %67, i64 4
//   %71 = call <4 x float> @llvm.masked.gather.v4f32.v4p1(<4 x ptr addrspace(1)> align 4 %70, <4 x i1> %60, <4 x float> poison), !tbaa !6, !llvm.access.group !8
//   %72 = fadd <4 x float> %69, %71
//   %73 = getelementptr inbounds float, ptr addrspace(1) %20, <4 x i64> %66
//   call void @llvm.masked.scatter.v4f32.v4p1(<4 x float> %72, <4 x ptr addrspace(1)> align 4 %73, <4 x i1> %60), !tbaa !6, !llvm.access.group !8
//   br label %__clang_ocl_kern_imp_k.exit.i.v
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %if.end.i.i.v, %skip
//   %74 = add nuw i64 %vector, 1
//   store i64 %74, ptr %value13, align 8
//   %.splatinsert14 = insertelement <4 x i64> poison, i64 %74, i64 0
//   %.splat15 = shufflevector <4 x i64> %.splatinsert14, <4 x i64> poison, <4 x i32> zeroinitializer
//   %75 = add <4 x i64> %.splat15, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert16 = insertelement <4 x i64> poison, i64 %25, i64 0
//   %.splat17 = shufflevector <4 x i64> %.splatinsert16, <4 x i64> poison, <4 x i32> zeroinitializer
//   %76 = icmp ult <4 x i64> %75, %.splat17
//   %77 = add i64 %vector, 4
//   %78 = sub i64 %77, 0
//   %79 = icmp ult i64 %78, %45
//   br i1 %79, label %items.x.i.v, label %vector.leave, !llvm.loop !16
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %80 = add i64 0, %45
//   %81 = icmp ne i64 %45, %44
//   br i1 %81, label %items.x.i, label %k.group.exit
//
// skip:                                             ; preds = %items.x.i.v
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//
