//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! lanes = 8
// Two rows are read at the same columns. The tests compare the columns, without the row, so both
// tests, and those of all iterations, are the same.
kernel void k(global const int *in, global int *out, int w, int h) {
  int x = get_global_id(0), column = min(x + 1, w - 1), sum = 0;
  for (int y = 0; y < h; y += 2) sum += in[y * w + column] + in[column - y];
  out[x] = sum;
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #2 {
// entry:
//   %value22 = alloca i64, align 8
//   %value21 = alloca <8 x i32>, align 32
//   %value9 = alloca <8 x i32>, align 32
//   %value = alloca i32, align 4
//   %phi6 = alloca <8 x i32>, align 32
//   %phi4 = alloca <8 x i32>, align 32
//   %phi = alloca i32, align 4
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
//   %19 = getelementptr inbounds nuw i8, ptr %packed, i64 20
//   %20 = load i32, ptr %19, align 4, !invariant.load !5
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %40, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %37, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %34, %k.group.exit ]
//   %21 = shl nuw i64 %gx, 6
//   %22 = sub i64 %13, %21
//   %23 = call i64 @llvm.umin.i64(i64 %22, i64 64)
//   %24 = trunc i64 %21 to i32
//   br label %vector.check
//
// for.cond.i.i:                                     ; preds = %for.body.i.i, %items.x.i
//   %y.i.0.i = phi i32 [ 0, %items.x.i ], [ %add9.i.i, %for.body.i.i ]
//   %sum.i.0.i = phi i32 [ 0, %items.x.i ], [ %add8.i.i, %for.body.i.i ]
//   %cmp.i.i = icmp slt i32 %y.i.0.i, %20
//   br i1 %cmp.i.i, label %for.body.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// for.body.i.i:                                     ; preds = %for.cond.i.i
//   %mul.i.i = mul nsw i32 %y.i.0.i, %18
//   %add3.i.i = add nsw i32 %mul.i.i, %33
//   %idxprom.i.i = sext i32 %add3.i.i to i64
//   %arrayidx.i.i = getelementptr inbounds i32, ptr addrspace(1) %14, i64 %idxprom.i.i
//   %25 = load i32, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %sub4.i.i = sub nsw i32 %33, %y.i.0.i
//   %idxprom5.i.i = sext i32 %sub4.i.i to i64
//   %arrayidx6.i.i = getelementptr inbounds i32, ptr addrspace(1) %14, i64 %idxprom5.i.i
//   %26 = load i32, ptr addrspace(1) %arrayidx6.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %add7.i.i = add nsw i32 %25, %26
//   %add8.i.i = add nsw i32 %sum.i.0.i, %add7.i.i
//   %add9.i.i = add nuw nsw i32 %y.i.0.i, 2
//   br label %for.cond.i.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %for.cond.i.i
//   %sum.i.0.i.lcssa = phi i32 [ %sum.i.0.i, %for.cond.i.i ]
//   %sext.i = shl nuw i64 %32, 32
//   %27 = ashr exact i64 %sext.i, 30
//   %arrayidx11.i.i = getelementptr inbounds i8, ptr addrspace(1) %16, i64 %27
//   store i32 %sum.i.0.i.lcssa, ptr addrspace(1) %arrayidx11.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %28 = add nuw i64 %local.x.i, 1
//   %29 = icmp ult i64 %28, %23
//   br i1 %29, label %items.x.i, label %k.group.exit, !llvm.loop !7
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %28, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ %88, %vector.leave ]
//   %30 = trunc i64 %local.x.i to i32
//   %31 = add nuw nsw i32 %24, %30
//   %32 = zext i32 %31 to i64
//   %add.i.i = add nsw i32 %31, 1
//   %sub.i.i = add nsw i32 %18, -1
//   %33 = call noundef i32 @llvm.smin.i32(i32 %add.i.i, i32 %sub.i.i)
//   br label %for.cond.i.i
//
// k.group.exit:                                     ; preds = %vector.leave, %__clang_ocl_kern_imp_k.exit.i
//   %34 = add nuw i64 %gx, 1
//   %35 = add nuw i64 %0, %6
//   %36 = icmp ult i64 %34, %35
//   br i1 %36, label %group.x, label %group.next, !llvm.loop !11
//
// group.next:                                       ; preds = %k.group.exit
//   %37 = add nuw i64 %gy, 1
//   %38 = add nuw i64 %2, %8
//   %39 = icmp ult i64 %37, %38
//   br i1 %39, label %group.y, label %group.next1, !llvm.loop !12
//
// group.next1:                                      ; preds = %group.next
//   %40 = add nuw i64 %gz, 1
//   %41 = add nuw i64 %4, %10
//   %42 = icmp ult i64 %40, %41
//   br i1 %42, label %group.z, label %exit, !llvm.loop !13
//
// vector.check:                                     ; preds = %group.x
//   %43 = sub i64 %23, 0
//   %44 = and i64 %43, -8
//   %45 = icmp eq i64 %44, 0
//   br i1 %45, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %85, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store i32 poison, ptr %phi, align 4
//   store <8 x i32> poison, ptr %phi4, align 32
//   store <8 x i32> poison, ptr %phi6, align 32
//   %46 = trunc i64 %vector to i32
//   %47 = add nuw nsw i32 %24, %46
//   %48 = zext i32 %47 to i64
//   %49 = add nsw i32 %47, 1
//   %50 = add nsw i32 %18, -1
//   %.splatinsert = insertelement <8 x i32> poison, i32 %49, i64 0
//   %.splat = shufflevector <8 x i32> %.splatinsert, <8 x i32> poison, <8 x i32> zeroinitializer
//   %51 = add <8 x i32> %.splat, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
//   %.splatinsert2 = insertelement <8 x i32> poison, i32 %50, i64 0
//   %.splat3 = shufflevector <8 x i32> %.splatinsert2, <8 x i32> poison, <8 x i32> zeroinitializer
//   %52 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %51, <8 x i32> %.splat3)
//   store i32 0, ptr %phi, align 4
//   store <8 x i32> zeroinitializer, ptr %phi4, align 32
//   store <8 x i32> %52, ptr %value9, align 32
//   store i64 %48, ptr %value22, align 8
//   br label %for.cond.i.i.v
//
// for.cond.i.i.v:                                   ; preds = %accessed19, %items.x.i.v
//   %53 = load i32, ptr %phi, align 4
//   %54 = load <8 x i32>, ptr %phi4, align 32
//   %55 = icmp slt i32 %53, %20
//   store i32 %53, ptr %value, align 4
//   store <8 x i32> %54, ptr %value21, align 32
//   br i1 %55, label %edge, label %edge5
//
// for.body.i.i.v:                                   ; preds = %edge
//   %56 = load i32, ptr %value, align 4
//   %57 = mul nsw i32 %56, %18
//   %.splatinsert7 = insertelement <8 x i32> poison, i32 %57, i64 0
//   %.splat8 = shufflevector <8 x i32> %.splatinsert7, <8 x i32> poison, <8 x i32> zeroinitializer
//   %58 = load <8 x i32>, ptr %value9, align 32
//   %59 = add nsw <8 x i32> %.splat8, %58
//   %60 = sext <8 x i32> %59 to <8 x i64>
//   %61 = getelementptr inbounds i32, ptr addrspace(1) %14, <8 x i64> %60
//   %62 = freeze i32 %57
//   %63 = freeze <8 x ptr addrspace(1)> %61
//   %64 = freeze <8 x i32> %58
//   %65 = extractelement <8 x i32> %64, i32 0
//   %.splatinsert10 = insertelement <8 x i32> poison, i32 %65, i64 0
//   %.splat11 = shufflevector <8 x i32> %.splatinsert10, <8 x i32> poison, <8 x i32> zeroinitializer
//   %66 = add <8 x i32> %.splat11, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
//   %67 = icmp eq <8 x i32> %64, %66
//   %68 = add i32 %65, %62
//   %69 = zext i32 %68 to i64
//   %70 = mul i64 %69, 4
//   %71 = getelementptr i8, ptr addrspace(1) %14, i64 %70
//   %72 = icmp uge i32 %68, 2147483640
//   %73 = xor <8 x i1> %67, splat (i1 true)
//   %74 = call i1 @llvm.vector.reduce.or.v8i1(<8 x i1> %73)
//   %75 = or i1 %74, %72
//   %76 = xor i1 %75, true
//   br i1 %76, label %consecutive, label %scattered
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %edge5
//   %77 = load <8 x i32>, ptr %phi6, align 32
//   %78 = load i64, ptr %value22, align 8
//   %79 = shl nuw i64 %78, 32
//   %80 = ashr exact i64 %79, 30
//   %81 = getelementptr inbounds i8, ptr addrspace(1) %16, i64 %80
//   store <8 x i32> %77, ptr addrspace(1) %81, align 4, !tbaa !1, !llvm.access.group !6
//   %82 = add nuw i64 %vector, 1
//   %.splatinsert23 = insertelement <8 x i64> poison, i64 %82, i64 0
//   %.splat24 = shufflevector <8 x i64> %.splatinsert23, <8 x i64> poison, <8 x i32> zeroinitializer
//   %83 = add <8 x i64> %.splat24, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
//   %.splatinsert25 = insertelement <8 x i64> poison, i64 %23, i64 0
//   %.splat26 = shufflevector <8 x i64> %.splatinsert25, <8 x i64> poison, <8 x i32> zeroinitializer
//   %84 = icmp ult <8 x i64> %83, %.splat26
//   %85 = add i64 %vector, 8
//   %86 = sub i64 %85, 0
//   %87 = icmp ult i64 %86, %44
//   br i1 %87, label %items.x.i.v, label %vector.leave, !llvm.loop !14
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %88 = add i64 0, %44
//   %89 = icmp ne i64 %44, %43
//   br i1 %89, label %items.x.i, label %k.group.exit
//
// edge:                                             ; preds = %for.cond.i.i.v
//   br label %for.body.i.i.v
//
// edge5:                                            ; preds = %for.cond.i.i.v
//   store <8 x i32> %54, ptr %phi6, align 32
//   br label %__clang_ocl_kern_imp_k.exit.i.v
//
// consecutive:                                      ; preds = %for.body.i.i.v
//   %90 = load <8 x i32>, ptr addrspace(1) %71, align 4, !tbaa !1, !llvm.access.group !6
//   br label %accessed
//
// scattered:                                        ; preds = %for.body.i.i.v
//   %91 = call <8 x i32> @llvm.masked.gather.v8i32.v8p1(<8 x ptr addrspace(1)> align 4 %61, <8 x i1> splat (i1 true), <8 x i32> poison), !tbaa !1, !llvm.access.group !6
//   br label %accessed
//
// accessed:                                         ; preds = %scattered, %consecutive
//   %accessed12 = phi <8 x i32> [ %90, %consecutive ], [ %91, %scattered ]
//   %.splatinsert13 = insertelement <8 x i32> poison, i32 %56, i64 0
//   %.splat14 = shufflevector <8 x i32> %.splatinsert13, <8 x i32> poison, <8 x i32> zeroinitializer
//   %92 = sub nsw <8 x i32> %58, %.splat14
//   %93 = sext <8 x i32> %92 to <8 x i64>
//   %94 = getelementptr inbounds i32, ptr addrspace(1) %14, <8 x i64> %93
//   %95 = freeze i32 %56
//   %96 = sub i32 0, %95
//   %97 = freeze <8 x ptr addrspace(1)> %94
//   %98 = freeze <8 x i32> %58
//   %99 = extractelement <8 x i32> %98, i32 0
//   %.splatinsert15 = insertelement <8 x i32> poison, i32 %99, i64 0
//   %.splat16 = shufflevector <8 x i32> %.splatinsert15, <8 x i32> poison, <8 x i32> zeroinitializer
//   %100 = add <8 x i32> %.splat16, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
//   %101 = icmp eq <8 x i32> %98, %100
//   %102 = add i32 %99, %96
//   %103 = zext i32 %102 to i64
//   %104 = mul i64 %103, 4
//   %105 = getelementptr i8, ptr addrspace(1) %14, i64 %104
//   %106 = icmp uge i32 %102, 2147483640
//   %107 = xor <8 x i1> %101, splat (i1 true)
//   %108 = call i1 @llvm.vector.reduce.or.v8i1(<8 x i1> %107)
//   %109 = or i1 %108, %106
//   %110 = xor i1 %109, true
//   br i1 %110, label %consecutive17, label %scattered18
//
// consecutive17:                                    ; preds = %accessed
//   %111 = load <8 x i32>, ptr addrspace(1) %105, align 4, !tbaa !1, !llvm.access.group !6
//   br label %accessed19
//
// scattered18:                                      ; preds = %accessed
//   %112 = call <8 x i32> @llvm.masked.gather.v8i32.v8p1(<8 x ptr addrspace(1)> align 4 %94, <8 x i1> splat (i1 true), <8 x i32> poison), !tbaa !1, !llvm.access.group !6
//   br label %accessed19
//
// accessed19:                                       ; preds = %scattered18, %consecutive17
//   %accessed20 = phi <8 x i32> [ %111, %consecutive17 ], [ %112, %scattered18 ]
//   %113 = add nsw <8 x i32> %accessed12, %accessed20
//   %114 = load <8 x i32>, ptr %value21, align 32
//   %115 = add nsw <8 x i32> %114, %113
//   %116 = add nuw nsw i32 %56, 2
//   store i32 %116, ptr %phi, align 4
//   store <8 x i32> %115, ptr %phi4, align 32
//   br label %for.cond.i.i.v
// }
//
