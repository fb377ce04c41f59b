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
//   %value = alloca i32, align 4
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
//   %gz = phi i64 [ %4, %entry ], [ %38, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %35, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %32, %k.group.exit ]
//   %19 = shl nuw i64 %gx, 6
//   %20 = sub i64 %13, %19
//   %21 = call i64 @llvm.umin.i64(i64 %20, i64 64)
//   %22 = trunc i64 %19 to i32
//   %23 = trunc i64 %gy to i32
//   br label %vector.check
//
// if.end.i.i:                                       ; preds = %items.x.i
//   %mul.i.i = mul nsw i32 %18, %23
//   %add.i.i = add nsw i32 %mul.i.i, %31
//   %24 = sext i32 %add.i.i to i64
//   %25 = getelementptr float, ptr addrspace(1) %14, i64 %24
//   %arrayidx.i.i = getelementptr i8, ptr addrspace(1) %25, i64 -4
//   %26 = load float, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %arrayidx9.i.i = getelementptr i8, ptr addrspace(1) %25, i64 4
//   %27 = load float, ptr addrspace(1) %arrayidx9.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %add10.i.i = fadd float %26, %27
//   %arrayidx12.i.i = getelementptr inbounds float, ptr addrspace(1) %16, i64 %24
//   store float %add10.i.i, ptr addrspace(1) %arrayidx12.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   br label %__clang_ocl_kern_imp_k.exit.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %if.end.i.i, %items.x.i
//   %28 = add nuw i64 %local.x.i, 1
//   %29 = icmp ult i64 %28, %21
//   br i1 %29, label %items.x.i, label %k.group.exit, !llvm.loop !9
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %28, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ %77, %vector.leave ]
//   %30 = trunc i64 %local.x.i to i32
//   %31 = add nuw nsw i32 %22, %30
//   %cmp.i.i = icmp eq i32 %31, 0
//   %sub.i.i = add nsw i32 %18, -1
//   %cmp4.i.i = icmp eq i32 %sub.i.i, %31
//   %or.cond.i = select i1 %cmp.i.i, i1 true, i1 %cmp4.i.i
//   br i1 %or.cond.i, label %__clang_ocl_kern_imp_k.exit.i, label %if.end.i.i
//
// k.group.exit:                                     ; preds = %vector.leave, %__clang_ocl_kern_imp_k.exit.i
//   %32 = add nuw i64 %gx, 1
//   %33 = add nuw i64 %0, %6
//   %34 = icmp ult i64 %32, %33
//   br i1 %34, label %group.x, label %group.next, !llvm.loop !13
//
// group.next:                                       ; preds = %k.group.exit
//   %35 = add nuw i64 %gy, 1
//   %36 = add nuw i64 %2, %8
//   %37 = icmp ult i64 %35, %36
//   br i1 %37, label %group.y, label %group.next1, !llvm.loop !14
//
// group.next1:                                      ; preds = %group.next
//   %38 = add nuw i64 %gz, 1
//   %39 = add nuw i64 %4, %10
//   %40 = icmp ult i64 %38, %39
//   br i1 %40, label %group.z, label %exit, !llvm.loop !15
//
// vector.check:                                     ; preds = %group.x
//   %41 = sub i64 %21, 0
//   %42 = and i64 %41, -4
//   %43 = icmp eq i64 %42, 0
//   br i1 %43, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %74, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store <4 x i1> zeroinitializer, ptr %mask, align 1
//   %44 = trunc i64 %vector to i32
//   %45 = add nuw nsw i32 %22, %44
//   %.splatinsert = insertelement <4 x i32> poison, i32 %45, i64 0
//   %.splat = shufflevector <4 x i32> %.splatinsert, <4 x i32> poison, <4 x i32> zeroinitializer
//   %46 = add <4 x i32> %.splat, <i32 0, i32 1, i32 2, i32 3>
//   %47 = icmp eq <4 x i32> %46, zeroinitializer
//   %48 = add nsw i32 %18, -1
//   %.splatinsert2 = insertelement <4 x i32> poison, i32 %48, i64 0
//   %.splat3 = shufflevector <4 x i32> %.splatinsert2, <4 x i32> poison, <4 x i32> zeroinitializer
//   %.splatinsert4 = insertelement <4 x i32> poison, i32 %45, i64 0
//   %.splat5 = shufflevector <4 x i32> %.splatinsert4, <4 x i32> poison, <4 x i32> zeroinitializer
//   %49 = add <4 x i32> %.splat5, <i32 0, i32 1, i32 2, i32 3>
//   %50 = icmp eq <4 x i32> %.splat3, %49
//   %51 = select <4 x i1> %47, <4 x i1> splat (i1 true), <4 x i1> %50
//   %52 = xor <4 x i1> splat (i1 true), %51
//   %53 = load <4 x i1>, ptr %mask, align 1
//   %54 = or <4 x i1> %53, %52
//   store <4 x i1> %54, ptr %mask, align 1
//   %55 = load <4 x i1>, ptr %mask, align 1
//   %56 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %55)
//   store i32 %45, ptr %value, align 4
//   br i1 %56, label %if.end.i.i.v, label %skip
//
// if.end.i.i.v:                                     ; preds = %items.x.i.v
//   %57 = load <4 x i1>, ptr %mask, align 1
//   %58 = mul nsw i32 %18, %23
//   %59 = load i32, ptr %value, align 4
//   %60 = add i32 %58, %59
//   %61 = sext i32 %58 to i64
//   %62 = sext i32 %59 to i64
//   %63 = add i64 %61, %62
//   %64 = getelementptr float, ptr addrspace(1) %14, i64 %63
//   %65 = getelementptr i8, ptr addrspace(1) %64, i64 -4
//   %66 = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 4 %65, <4 x i1> %57, <4 x float> poison), !tbaa !6, !llvm.access.group !8
//   %67 = getelementptr i8, ptr addrspace(1) %64, i64 4
//   %68 = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 4 %67, <4 x i1> %57, <4 x float> poison), !tbaa !6, !llvm.access.group !8
//   %69 = fadd <4 x float> %66, %68
//   %70 = getelementptr float, ptr addrspace(1) %16, i64 %63
//   call void @llvm.masked.store.v4f32.p1(<4 x float> %69, ptr addrspace(1) align 4 %70, <4 x i1> %57), !tbaa !6, !llvm.access.group !8
//   br label %__clang_ocl_kern_imp_k.exit.i.v
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %if.end.i.i.v, %skip
//   %71 = add nuw i64 %vector, 1
//   %.splatinsert6 = insertelement <4 x i64> poison, i64 %71, i64 0
//   %.splat7 = shufflevector <4 x i64> %.splatinsert6, <4 x i64> poison, <4 x i32> zeroinitializer
//   %72 = add <4 x i64> %.splat7, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert8 = insertelement <4 x i64> poison, i64 %21, i64 0
//   %.splat9 = shufflevector <4 x i64> %.splatinsert8, <4 x i64> poison, <4 x i32> zeroinitializer
//   %73 = icmp ult <4 x i64> %72, %.splat9
//   %74 = add i64 %vector, 4
//   %75 = sub i64 %74, 0
//   %76 = icmp ult i64 %75, %42
//   br i1 %76, label %items.x.i.v, label %vector.leave, !llvm.loop !16
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %77 = add i64 0, %42
//   %78 = icmp ne i64 %42, %41
//   br i1 %78, label %items.x.i, label %k.group.exit
//
// skip:                                             ; preds = %items.x.i.v
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//
