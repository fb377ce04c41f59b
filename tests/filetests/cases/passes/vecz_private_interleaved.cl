//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! lanes = 4
// The elements of `v` are interleaved by lane: accesses with the index `i`, the same in all lanes,
// are consecutive, and the others are gathers. `w` keeps a copy for each lane, because its
// accesses have two sizes.
kernel void k(global const int *a, global int *b, int n) {
  int v[100];
  int w[100];
  uint x = get_local_id(0);
  for (int i = 0; i < n; i++) v[i] = a[x + i], w[i] = i;
  int sum = 0;
  for (int i = 0; i < n; i++) sum += v[i] * v[a[x + i]];
  b[x] = sum + ((char *)w)[x];
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #2 {
// entry:
//   %value24 = alloca <4 x i32>, align 16
//   %value15 = alloca i32, align 4
//   %phi14 = alloca <4 x i32>, align 16
//   %phi11 = alloca <4 x i32>, align 16
//   %phi10 = alloca i32, align 4
//   %value4 = alloca i32, align 4
//   %value = alloca i32, align 4
//   %phi = alloca i32, align 4
//   %private2 = alloca [1600 x i8], align 4
//   %private = alloca [1600 x i8], align 16
//   %v.i.i = alloca [100 x i32], align 4, !muxcl.private !5
//   %w.i.i = alloca [100 x i32], align 4, !muxcl.private !5
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
//   %gz = phi i64 [ %4, %entry ], [ %37, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %34, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %31, %k.group.exit ]
//   %19 = shl nuw i64 %gx, 6
//   %20 = sub i64 %13, %19
//   %21 = call i64 @llvm.umin.i64(i64 %20, i64 64)
//   %22 = addrspacecast ptr %w.i.i to ptr addrspace(4)
//   br label %vector.check
//
// for.cond.i.i:                                     ; preds = %for.body.i.i, %items.x.i
//   %i.i.0.i = phi i32 [ 0, %items.x.i ], [ %inc.i.i, %for.body.i.i ]
//   %cmp.i.i = icmp slt i32 %i.i.0.i, %18
//   br i1 %cmp.i.i, label %for.body.i.i, label %for.cond7.i.i.preheader
//
// for.cond7.i.i.preheader:                          ; preds = %for.cond.i.i
//   br label %for.cond7.i.i
//
// for.body.i.i:                                     ; preds = %for.cond.i.i
//   %add.i.i = add i32 %i.i.0.i, %30
//   %idxprom.i.i = zext i32 %add.i.i to i64
//   %arrayidx.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %idxprom.i.i
//   %23 = load i32, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %idxprom2.i.i = zext nneg i32 %i.i.0.i to i64
//   %arrayidx3.i.i = getelementptr inbounds nuw i32, ptr %v.i.i, i64 %idxprom2.i.i
//   store i32 %23, ptr %arrayidx3.i.i, align 4, !tbaa !1
//   %arrayidx5.i.i = getelementptr inbounds nuw i32, ptr %w.i.i, i64 %idxprom2.i.i
//   store i32 %i.i.0.i, ptr %arrayidx5.i.i, align 4, !tbaa !1
//   %inc.i.i = add nuw nsw i32 %i.i.0.i, 1
//   br label %for.cond.i.i
//
// for.cond7.i.i:                                    ; preds = %for.cond7.i.i.preheader, %for.body11.i.i
//   %i6.i.0.i = phi i32 [ %inc21.i.i, %for.body11.i.i ], [ 0, %for.cond7.i.i.preheader ]
//   %sum.i.0.i = phi i32 [ %add19.i.i, %for.body11.i.i ], [ 0, %for.cond7.i.i.preheader ]
//   %cmp8.i.i = icmp slt i32 %i6.i.0.i, %18
//   br i1 %cmp8.i.i, label %for.body11.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// for.body11.i.i:                                   ; preds = %for.cond7.i.i
//   %idxprom12.i.i = zext nneg i32 %i6.i.0.i to i64
//   %arrayidx13.i.i = getelementptr inbounds nuw i32, ptr %v.i.i, i64 %idxprom12.i.i
//   %24 = load i32, ptr %arrayidx13.i.i, align 4, !tbaa !1
//   %add14.i.i = add i32 %i6.i.0.i, %30
//   %idxprom15.i.i = zext i32 %add14.i.i to i64
//   %arrayidx16.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %idxprom15.i.i
//   %25 = load i32, ptr addrspace(1) %arrayidx16.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %idxprom17.i.i = sext i32 %25 to i64
//   %arrayidx18.i.i = getelementptr inbounds i32, ptr %v.i.i, i64 %idxprom17.i.i
//   %26 = load i32, ptr %arrayidx18.i.i, align 4, !tbaa !1
//   %mul.i.i = mul nsw i32 %24, %26
//   %add19.i.i = add nsw i32 %sum.i.0.i, %mul.i.i
//   %inc21.i.i = add nuw nsw i32 %i6.i.0.i, 1
//   br label %for.cond7.i.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %for.cond7.i.i
//   %sum.i.0.i.lcssa = phi i32 [ %sum.i.0.i, %for.cond7.i.i ]
//   %idxprom23.i.i = and i64 %local.x.i, 4294967295
//   %arrayidx24.i.i = getelementptr inbounds nuw i8, ptr addrspace(4) %22, i64 %idxprom23.i.i
//   %27 = load i8, ptr addrspace(4) %arrayidx24.i.i, align 1, !tbaa !7
//   %conv25.i.i = sext i8 %27 to i32
//   %add26.i.i = add nsw i32 %sum.i.0.i.lcssa, %conv25.i.i
//   %arrayidx28.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %16, i64 %idxprom23.i.i
//   store i32 %add26.i.i, ptr addrspace(1) %arrayidx28.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   call void @llvm.lifetime.end.p0(ptr nonnull %w.i.i) #7
//   call void @llvm.lifetime.end.p0(ptr nonnull %v.i.i) #7
//   %28 = add nuw i64 %local.x.i, 1
//   %29 = icmp ult i64 %28, %21
//   br i1 %29, label %items.x.i, label %k.group.exit, !llvm.loop !8
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %28, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ %98, %vector.leave ]
//   %30 = trunc i64 %local.x.i to i32
//   call void @llvm.lifetime.start.p0(ptr nonnull %v.i.i) #7
//   call void @llvm.lifetime.start.p0(ptr nonnull %w.i.i) #7
//   br label %for.cond.i.i
//
// k.group.exit:                                     ; preds = %vector.leave, %__clang_ocl_kern_imp_k.exit.i
//   %31 = add nuw i64 %gx, 1
//   %32 = add nuw i64 %0, %6
//   %33 = icmp ult i64 %31, %32
//   br i1 %33, label %group.x, label %group.next, !llvm.loop !12
//
// group.next:                                       ; preds = %k.group.exit
//   %34 = add nuw i64 %gy, 1
//   %35 = add nuw i64 %2, %8
//   %36 = icmp ult i64 %34, %35
//   br i1 %36, label %group.y, label %group.next1, !llvm.loop !13
//
// group.next1:                                      ; preds = %group.next
//   %37 = add nuw i64 %gz, 1
//   %38 = add nuw i64 %4, %10
//   %39 = icmp ult i64 %37, %38
//   br i1 %39, label %group.z, label %exit, !llvm.loop !14
//
// vector.check:                                     ; preds = %group.x
//   %40 = sub i64 %21, 0
//   %41 = and i64 %40, -4
//   %42 = icmp eq i64 %41, 0
//   br i1 %42, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %95, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store i32 poison, ptr %phi, align 4
//   store i32 poison, ptr %phi10, align 4
//   store <4 x i32> poison, ptr %phi11, align 16
//   store <4 x i32> poison, ptr %phi14, align 16
//   %43 = trunc i64 %vector to i32
//   store i32 0, ptr %phi, align 4
//   store i32 %43, ptr %value4, align 4
//   br label %for.cond.i.i.v
//
// for.cond.i.i.v:                                   ; preds = %accessed, %items.x.i.v
//   %44 = load i32, ptr %phi, align 4
//   %45 = icmp slt i32 %44, %18
//   store i32 %44, ptr %value, align 4
//   br i1 %45, label %edge, label %edge3
//
// for.body.i.i.v:                                   ; preds = %edge
//   %46 = load i32, ptr %value, align 4
//   %47 = load i32, ptr %value4, align 4
//   %48 = add i32 %46, %47
//   %.splatinsert = insertelement <4 x i32> poison, i32 %48, i64 0
//   %.splat = shufflevector <4 x i32> %.splatinsert, <4 x i32> poison, <4 x i32> zeroinitializer
//   %49 = add <4 x i32> %.splat, <i32 0, i32 1, i32 2, i32 3>
//   %50 = zext <4 x i32> %49 to <4 x i64>
//   %51 = getelementptr inbounds nuw i32, ptr addrspace(1) %14, <4 x i64> %50
//   %52 = freeze <4 x ptr addrspace(1)> %51
//   %53 = ptrtoint <4 x ptr addrspace(1)> %52 to <4 x i64>
//   %54 = extractelement <4 x i64> %53, i32 0
//   %.splatinsert5 = insertelement <4 x i64> poison, i64 %54, i64 0
//   %.splat6 = shufflevector <4 x i64> %.splatinsert5, <4 x i64> poison, <4 x i32> zeroinitializer
//   %55 = add <4 x i64> %.splat6, <i64 0, i64 4, i64 8, i64 12>
//   %56 = icmp eq <4 x i64> %53, %55
//   %57 = xor <4 x i1> %56, splat (i1 true)
//   %58 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %57)
//   %59 = extractelement <4 x ptr addrspace(1)> %52, i32 0
//   %60 = xor i1 %58, true
//   br i1 %60, label %consecutive, label %scattered
//
// for.cond7.i.i.preheader.v:                        ; preds = %edge3
//   store i32 0, ptr %phi10, align 4
//   store <4 x i32> zeroinitializer, ptr %phi11, align 16
//   br label %for.cond7.i.i.v
//
// for.cond7.i.i.v:                                  ; preds = %accessed22, %for.cond7.i.i.preheader.v
//   %61 = load i32, ptr %phi10, align 4
//   %62 = load <4 x i32>, ptr %phi11, align 16
//   %63 = icmp slt i32 %61, %18
//   store i32 %61, ptr %value15, align 4
//   store <4 x i32> %62, ptr %value24, align 16
//   br i1 %63, label %edge12, label %edge13
//
// for.body11.i.i.v:                                 ; preds = %edge12
//   %64 = load i32, ptr %value15, align 4
//   %65 = zext nneg i32 %64 to i64
//   %66 = mul i64 %65, 16
//   %67 = getelementptr i8, ptr %private, i64 %66
//   %68 = load <4 x i32>, ptr %67, align 16, !tbaa !1
//   %69 = load i32, ptr %value4, align 4
//   %70 = add i32 %64, %69
//   %.splatinsert16 = insertelement <4 x i32> poison, i32 %70, i64 0
//   %.splat17 = shufflevector <4 x i32> %.splatinsert16, <4 x i32> poison, <4 x i32> zeroinitializer
//   %71 = add <4 x i32> %.splat17, <i32 0, i32 1, i32 2, i32 3>
//   %72 = zext <4 x i32> %71 to <4 x i64>
//   %73 = getelementptr inbounds nuw i32, ptr addrspace(1) %14, <4 x i64> %72
//   %74 = freeze <4 x ptr addrspace(1)> %73
//   %75 = ptrtoint <4 x ptr addrspace(1)> %74 to <4 x i64>
//   %76 = extractelement <4 x i64> %75, i32 0
//   %.splatinsert18 = insertelement <4 x i64> poison, i64 %76, i64 0
//   %.splat19 = shufflevector <4 x i64> %.splatinsert18, <4 x i64> poison, <4 x i32> zeroinitializer
//   %77 = add <4 x i64> %.splat19, <i64 0, i64 4, i64 8, i64 12>
//   %78 = icmp eq <4 x i64> %75, %77
//   %79 = xor <4 x i1> %78, splat (i1 true)
//   %80 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %79)
//   %81 = extractelement <4 x ptr addrspace(1)> %74, i32 0
//   %82 = xor i1 %80, true
//   br i1 %82, label %consecutive20, label %scattered21
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %edge13
//   %83 = load <4 x i32>, ptr %phi14, align 16
//   %84 = and i64 %vector, 4294967295
//   %85 = addrspacecast ptr %private2 to ptr addrspace(4)
//   %86 = getelementptr inbounds nuw i8, ptr addrspace(4) %85, i64 %84
//   %87 = getelementptr i8, ptr addrspace(4) %86, <4 x i64> <i64 0, i64 401, i64 802, i64 1203>
//   %88 = call <4 x i8> @llvm.masked.gather.v4i8.v4p4(<4 x ptr addrspace(4)> align 1 %87, <4 x i1> splat (i1 true), <4 x i8> poison), !tbaa !7
//   %89 = sext <4 x i8> %88 to <4 x i32>
//   %90 = add nsw <4 x i32> %83, %89
//   %91 = getelementptr inbounds nuw i32, ptr addrspace(1) %16, i64 %84
//   store <4 x i32> %90, ptr addrspace(1) %91, align 4, !tbaa !1, !llvm.access.group !6
//   %92 = add nuw i64 %vector, 1
//   %.splatinsert25 = insertelement <4 x i64> poison, i64 %92, i64 0
//   %.splat26 = shufflevector <4 x i64> %.splatinsert25, <4 x i64> poison, <4 x i32> zeroinitializer
//   %93 = add <4 x i64> %.splat26, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert27 = insertelement <4 x i64> poison, i64 %21, i64 0
//   %.splat28 = shufflevector <4 x i64> %.splatinsert27, <4 x i64> poison, <4 x i32> zeroinitializer
//   %94 = icmp ult <4 x i64> %93, %.splat28
//   %95 = add i64 %vector, 4
//   %96 = sub i64 %95, 0
//   %97 = icmp ult i64 %96, %41
//   br i1 %97, label %items.x.i.v, label %vector.leave, !llvm.loop !15
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %98 = add i64 0, %41
//   %99 = icmp ne i64 %41, %40
//   br i1 %99, label %items.x.i, label %k.group.exit
//
// edge:                                             ; preds = %for.cond.i.i.v
//   br label %for.body.i.i.v
//
// edge3:                                            ; preds = %for.cond.i.i.v
//   br label %for.cond7.i.i.preheader.v
//
// consecutive:                                      ; preds = %for.body.i.i.v
//   %100 = load <4 x i32>, ptr addrspace(1) %59, align 4, !tbaa !1, !llvm.access.group !6
//   br label %accessed
//
// scattered:                                        ; preds = %for.body.i.i.v
//   %101 = call <4 x i32> @llvm.masked.gather.v4i32.v4p1(<4 x ptr addrspace(1)> align 4 %51, <4 x i1> splat (i1 true), <4 x i32> poison), !tbaa !1, !llvm.access.group !6
//   br label %accessed
//
// accessed:                                         ; preds = %scattered, %consecutive
//   %accessed7 = phi <4 x i32> [ %100, %consecutive ], [ %101, %scattered ]
//   %102 = zext nneg i32 %46 to i64
//   %103 = mul i64 %102, 16
//   %104 = getelementptr i8, ptr %private, i64 %103
//   store <4 x i32> %accessed7, ptr %104, align 16, !tbaa !1
//   %105 = getelementptr inbounds nuw i32, ptr %private2, i64 %102
//   %.splatinsert8 = insertelement <4 x i32> poison, i32 %46, i64 0
//   %.splat9 = shufflevector <4 x i32> %.splatinsert8, <4 x i32> poison, <4 x i32> zeroinitializer
//   %106 = getelementptr i8, ptr %105, <4 x i64> <i64 0, i64 400, i64 800, i64 1200>
//   call void @llvm.masked.scatter.v4i32.v4p0(<4 x i32> %.splat9, <4 x ptr> align 4 %106, <4 x i1> splat (i1 true)), !tbaa !1
//   %107 = add nuw nsw i32 %46, 1
//   store i32 %107, ptr %phi, align 4
//   br label %for.cond.i.i.v
//
// edge12:                                           ; preds = %for.cond7.i.i.v
//   br label %for.body11.i.i.v
//
// edge13:                                           ; preds = %for.cond7.i.i.v
//   store <4 x i32> %62, ptr %phi14, align 16
//   br label %__clang_ocl_kern_imp_k.exit.i.v
//
// consecutive20:                                    ; preds = %for.body11.i.i.v
//   %108 = load <4 x i32>, ptr addrspace(1) %81, align 4, !tbaa !1, !llvm.access.group !6
//   br label %accessed22
//
// scattered21:                                      ; preds = %for.body11.i.i.v
//   %109 = call <4 x i32> @llvm.masked.gather.v4i32.v4p1(<4 x ptr addrspace(1)> align 4 %73, <4 x i1> splat (i1 true), <4 x i32> poison), !tbaa !1, !llvm.access.group !6
//   br label %accessed22
//
// accessed22:                                       ; preds = %scattered21, %consecutive20
//   %accessed23 = phi <4 x i32> [ %108, %consecutive20 ], [ %109, %scattered21 ]
//   %110 = sext <4 x i32> %accessed23 to <4 x i64>
//   %111 = trunc <4 x i64> %110 to <4 x i32>
//   %112 = mul <4 x i32> %111, splat (i32 16)
//   %113 = add <4 x i32> %112, <i32 0, i32 4, i32 8, i32 12>
//   %114 = sext <4 x i32> %113 to <4 x i64>
//   %115 = getelementptr i8, ptr %private, <4 x i64> %114
//   %116 = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> align 4 %115, <4 x i1> splat (i1 true), <4 x i32> poison), !tbaa !1
//   %117 = mul nsw <4 x i32> %68, %116
//   %118 = load <4 x i32>, ptr %value24, align 16
//   %119 = add nsw <4 x i32> %118, %117
//   %120 = add nuw nsw i32 %64, 1
//   store i32 %120, ptr %phi10, align 4
//   store <4 x i32> %119, ptr %phi11, align 16
//   br label %for.cond7.i.i.v
// }
//
