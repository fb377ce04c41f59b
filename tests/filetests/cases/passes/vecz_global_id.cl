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
//   %gz = phi i64 [ %4, %entry ], [ %61, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %58, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %55, %k.group.exit ]
//   %19 = shl nuw i64 %gx, 6
//   %20 = sub i64 %13, %19
//   %21 = call i64 @llvm.umin.i64(i64 %20, i64 64)
//   %22 = trunc i64 %19 to i32
//   %23 = trunc i64 %gy to i32
//   %24 = trunc nuw nsw i64 %21 to i32
//   %25 = add nsw i32 %24, -1
//   %26 = add i32 %25, %22
//   %27 = icmp sgt i32 %22, 0
//   %28 = icmp slt i32 %26, 0
//   %29 = or i1 %27, %28
//   %30 = icmp sge i32 %26, %22
//   %31 = icmp uge i32 %26, %22
//   %32 = and i1 %29, %30
//   %33 = and i1 %32, %31
//   %34 = add i32 %18, -1
//   %35 = icmp slt i32 %34, %22
//   %36 = icmp sgt i32 %34, %26
//   %37 = or i1 %35, %36
//   %38 = and i1 %33, %37
//   br i1 %38, label %items.x.inside.i.preheader, label %items.x.i.preheader
//
// items.x.i.preheader:                              ; preds = %group.x
//   br label %vector.check
//
// items.x.inside.i.preheader:                       ; preds = %group.x
//   br label %vector.check12
//
// if.end.i.i:                                       ; preds = %items.x.i
//   %mul.i.i = mul nsw i32 %18, %23
//   %add.i.i = add nsw i32 %mul.i.i, %46
//   %39 = sext i32 %add.i.i to i64
//   %40 = getelementptr float, ptr addrspace(1) %14, i64 %39
//   %arrayidx.i.i = getelementptr i8, ptr addrspace(1) %40, i64 -4
//   %41 = load float, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %arrayidx9.i.i = getelementptr i8, ptr addrspace(1) %40, i64 4
//   %42 = load float, ptr addrspace(1) %arrayidx9.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %add10.i.i = fadd float %41, %42
//   %arrayidx12.i.i = getelementptr inbounds float, ptr addrspace(1) %16, i64 %39
//   store float %add10.i.i, ptr addrspace(1) %arrayidx12.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   br label %__clang_ocl_kern_imp_k.exit.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %if.end.i.i, %items.x.i
//   %43 = add nuw i64 %local.x.i, 1
//   %44 = icmp ult i64 %43, %21
//   br i1 %44, label %items.x.i, label %k.group.exit.loopexit3, !llvm.loop !9
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %43, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ %99, %vector.leave ]
//   %45 = trunc i64 %local.x.i to i32
//   %46 = add nuw nsw i32 %22, %45
//   %cmp.i.i = icmp eq i32 %46, 0
//   %cmp4.i.i = icmp eq i32 %34, %46
//   %or.cond.i = or i1 %cmp.i.i, %cmp4.i.i
//   br i1 %or.cond.i, label %__clang_ocl_kern_imp_k.exit.i, label %if.end.i.i
//
// items.x.inside.i:                                 ; preds = %vector.leave14, %vector.check12, %items.x.inside.i
//   %local.x.inside.i = phi i64 [ %53, %items.x.inside.i ], [ 0, %vector.check12 ], [ %124, %vector.leave14 ]
//   %47 = trunc i64 %local.x.inside.i to i32
//   %48 = add nuw nsw i32 %22, %47
//   %mul.i.inside.i = mul nsw i32 %18, %23
//   %add.i.inside.i = add nsw i32 %mul.i.inside.i, %48
//   %49 = sext i32 %add.i.inside.i to i64
//   %50 = getelementptr float, ptr addrspace(1) %14, i64 %49
//   %arrayidx.i.inside.i = getelementptr i8, ptr addrspace(1) %50, i64 -4
//   %51 = load float, ptr addrspace(1) %arrayidx.i.inside.i, align 4, !tbaa !6, !llvm.access.group !8
//   %arrayidx9.i.inside.i = getelementptr i8, ptr addrspace(1) %50, i64 4
//   %52 = load float, ptr addrspace(1) %arrayidx9.i.inside.i, align 4, !tbaa !6, !llvm.access.group !8
//   %add10.i.inside.i = fadd float %51, %52
//   %arrayidx12.i.inside.i = getelementptr inbounds float, ptr addrspace(1) %16, i64 %49
//   store float %add10.i.inside.i, ptr addrspace(1) %arrayidx12.i.inside.i, align 4, !tbaa !6, !llvm.access.group !8
//   %53 = add nuw i64 %local.x.inside.i, 1
//   %54 = icmp ult i64 %53, %21
//   br i1 %54, label %items.x.inside.i, label %k.group.exit.loopexit, !llvm.loop !13
//
// k.group.exit.loopexit:                            ; preds = %vector.leave14, %items.x.inside.i
//   br label %k.group.exit
//
// k.group.exit.loopexit3:                           ; preds = %vector.leave, %__clang_ocl_kern_imp_k.exit.i
//   br label %k.group.exit
//
// k.group.exit:                                     ; preds = %k.group.exit.loopexit3, %k.group.exit.loopexit
//   %55 = add nuw i64 %gx, 1
//   %56 = add nuw i64 %0, %6
//   %57 = icmp ult i64 %55, %56
//   br i1 %57, label %group.x, label %group.next, !llvm.loop !14
//
// group.next:                                       ; preds = %k.group.exit
//   %58 = add nuw i64 %gy, 1
//   %59 = add nuw i64 %2, %8
//   %60 = icmp ult i64 %58, %59
//   br i1 %60, label %group.y, label %group.next1, !llvm.loop !15
//
// group.next1:                                      ; preds = %group.next
//   %61 = add nuw i64 %gz, 1
//   %62 = add nuw i64 %4, %10
//   %63 = icmp ult i64 %61, %62
//   br i1 %63, label %group.z, label %exit, !llvm.loop !16
//
// vector.check:                                     ; preds = %items.x.i.preheader
//   %64 = sub i64 %21, 0
//   %65 = and i64 %64, -4
//   %66 = icmp eq i64 %65, 0
//   br i1 %66, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %96, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store <4 x i1> zeroinitializer, ptr %mask, align 1
//   %67 = trunc i64 %vector to i32
//   %68 = add nuw nsw i32 %22, %67
//   %.splatinsert = insertelement <4 x i32> poison, i32 %68, i64 0
//   %.splat = shufflevector <4 x i32> %.splatinsert, <4 x i32> poison, <4 x i32> zeroinitializer
//   %69 = add <4 x i32> %.splat, <i32 0, i32 1, i32 2, i32 3>
//   %70 = icmp eq <4 x i32> %69, zeroinitializer
//   %.splatinsert4 = insertelement <4 x i32> poison, i32 %34, i64 0
//   %.splat5 = shufflevector <4 x i32> %.splatinsert4, <4 x i32> poison, <4 x i32> zeroinitializer
//   %.splatinsert6 = insertelement <4 x i32> poison, i32 %68, i64 0
//   %.splat7 = shufflevector <4 x i32> %.splatinsert6, <4 x i32> poison, <4 x i32> zeroinitializer
//   %71 = add <4 x i32> %.splat7, <i32 0, i32 1, i32 2, i32 3>
//   %72 = icmp eq <4 x i32> %.splat5, %71
//   %73 = or <4 x i1> %70, %72
//   %74 = xor <4 x i1> splat (i1 true), %73
//   %75 = load <4 x i1>, ptr %mask, align 1
//   %76 = or <4 x i1> %75, %74
//   store <4 x i1> %76, ptr %mask, align 1
//   %77 = load <4 x i1>, ptr %mask, align 1
//   %78 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %77)
//   store i32 %68, ptr %value, align 4
//   br i1 %78, label %if.end.i.i.v, label %skip
//
// if.end.i.i.v:                                     ; preds = %items.x.i.v
//   %79 = load <4 x i1>, ptr %mask, align 1
//   %80 = mul nsw i32 %18, %23
//   %81 = load i32, ptr %value, align 4
//   %82 = add i32 %80, %81
//   %83 = sext i32 %80 to i64
//   %84 = sext i32 %81 to i64
//   %85 = add i64 %83, %84
//   %86 = getelementptr float, ptr addrspace(1) %14, i64 %85
//   %87 = getelementptr i8, ptr addrspace(1) %86, i64 -4
//   %88 = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 4 %87, <4 x i1> %79, <4 x float> poison), !tbaa !6, !llvm.access.group !8
//   %89 = getelementptr i8, ptr addrspace(1) %86, i64 4
//   %90 = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 4 %89, <4 x i1> %79, <4 x float> poison), !tbaa !6, !llvm.access.group !8
//   %91 = fadd <4 x float> %88, %90
//   %92 = getelementptr float, ptr addrspace(1) %16, i64 %85
//   call void @llvm.masked.store.v4f32.p1(<4 x float> %91, ptr addrspace(1) align 4 %92, <4 x i1> %79), !tbaa !6, !llvm.access.group !8
//   br label %__clang_ocl_kern_imp_k.exit.i.v
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %if.end.i.i.v, %skip
//   %93 = add nuw i64 %vector, 1
//   %.splatinsert8 = insertelement <4 x i64> poison, i64 %93, i64 0
//   %.splat9 = shufflevector <4 x i64> %.splatinsert8, <4 x i64> poison, <4 x i32> zeroinitializer
//   %94 = add <4 x i64> %.splat9, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert10 = insertelement <4 x i64> poison, i64 %21, i64 0
//   %.splat11 = shufflevector <4 x i64> %.splatinsert10, <4 x i64> poison, <4 x i32> zeroinitializer
//   %95 = icmp ult <4 x i64> %94, %.splat11
//   %96 = add i64 %vector, 4
//   %97 = sub i64 %96, 0
//   %98 = icmp ult i64 %97, %65
//   br i1 %98, label %items.x.i.v, label %vector.leave, !llvm.loop !17
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %99 = add i64 0, %65
//   %100 = icmp ne i64 %65, %64
//   br i1 %100, label %items.x.i, label %k.group.exit.loopexit3
//
// skip:                                             ; preds = %items.x.i.v
//   br label %__clang_ocl_kern_imp_k.exit.i.v
//
// vector.check12:                                   ; preds = %items.x.inside.i.preheader
//   %101 = sub i64 %21, 0
//   %102 = and i64 %101, -4
//   %103 = icmp eq i64 %102, 0
//   br i1 %103, label %items.x.inside.i, label %vector.enter13
//
// vector.enter13:                                   ; preds = %vector.check12
//   br label %items.x.inside.i.v
//
// items.x.inside.i.v:                               ; preds = %items.x.inside.i.v, %vector.enter13
//   %vector15 = phi i64 [ 0, %vector.enter13 ], [ %121, %items.x.inside.i.v ]
//   %104 = trunc i64 %vector15 to i32
//   %105 = add nuw nsw i32 %22, %104
//   %106 = mul nsw i32 %18, %23
//   %107 = add nsw i32 %106, %105
//   %108 = sext i32 %106 to i64
//   %109 = sext i32 %105 to i64
//   %110 = add i64 %108, %109
//   %111 = getelementptr float, ptr addrspace(1) %14, i64 %110
//   %112 = getelementptr i8, ptr addrspace(1) %111, i64 -4
//   %113 = load <4 x float>, ptr addrspace(1) %112, align 4, !tbaa !6, !llvm.access.group !8
//   %114 = getelementptr i8, ptr addrspace(1) %111, i64 4
//   %115 = load <4 x float>, ptr addrspace(1) %114, align 4, !tbaa !6, !llvm.access.group !8
//   %116 = fadd <4 x float> %113, %115
//   %117 = getelementptr inbounds float, ptr addrspace(1) %16, i64 %110
//   store <4 x float> %116, ptr addrspace(1) %117, align 4, !tbaa !6, !llvm.access.group !8
//   %118 = add nuw i64 %vector15, 1
//   %.splatinsert16 = insertelement <4 x i64> poison, i64 %118, i64 0
//   %.splat17 = shufflevector <4 x i64> %.splatinsert16, <4 x i64> poison, <4 x i32> zeroinitializer
//   %119 = add <4 x i64> %.splat17, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert18 = insertelement <4 x i64> poison, i64 %21, i64 0
//   %.splat19 = shufflevector <4 x i64> %.splatinsert18, <4 x i64> poison, <4 x i32> zeroinitializer
//   %120 = icmp ult <4 x i64> %119, %.splat19
//   %121 = add i64 %vector15, 4
//   %122 = sub i64 %121, 0
//   %123 = icmp ult i64 %122, %102
//   br i1 %123, label %items.x.inside.i.v, label %vector.leave14, !llvm.loop !18
//
// vector.leave14:                                   ; preds = %items.x.inside.i.v
//   %124 = add i64 0, %102
//   %125 = icmp ne i64 %102, %101
//   br i1 %125, label %items.x.inside.i, label %k.group.exit.loopexit
// }
//
