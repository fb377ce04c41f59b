//! test = "masked-accesses"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! lanes = 8
// An ordinary store runs if all lanes are in the mask, and an ordinary load of bytes if a lane is in
// the mask and the vector is in one page. The masked load of 32-bit elements stays.
kernel void k(global const uchar *small, global const int *large, global int *out, int n) {
  int x = get_global_id(0);
  if (small[x] > n) out[x] = large[x] + small[x + n];
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #0 {
// entry:
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
//   %18 = load ptr addrspace(1), ptr %17, align 8, !invariant.load !5
//   %19 = getelementptr inbounds nuw i8, ptr %packed, i64 24
//   %20 = load i32, ptr %19, align 8, !invariant.load !5
//   %21 = add nuw i64 %0, %6
//   %.splatinsert = insertelement <8 x i32> poison, i32 %20, i64 0
//   %.splat = shufflevector <8 x i32> %.splatinsert, <8 x i32> poison, <8 x i32> zeroinitializer
//   %22 = sext i32 %20 to i64
//   %invariant.gep = getelementptr i8, ptr addrspace(1) %14, i64 %22
//   %23 = add nuw i64 %2, %8
//   %24 = add nuw i64 %4, %10
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %42, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %40, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %38, %k.group.exit ]
//   %25 = shl nuw i64 %gx, 6
//   %26 = sub i64 %13, %25
//   %27 = call i64 @llvm.umin.i64(i64 %26, i64 64)
//   %28 = trunc i64 %25 to i32
//   %29 = and i64 %27, 120
//   %30 = icmp eq i64 %29, 0
//   br i1 %30, label %items.x.i.preheader, label %items.x.i.v
//
// items.x.i.preheader:                              ; preds = %group.x, %vector.leave
//   %local.x.i.ph = phi i64 [ 0, %group.x ], [ %29, %vector.leave ]
//   br label %items.x.i
//
// if.then.i.i:                                      ; preds = %items.x.i
//   %arrayidx4.i.i = getelementptr inbounds i32, ptr addrspace(1) %16, i64 %idxprom.i.i
//   %31 = load i32, ptr addrspace(1) %arrayidx4.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %add.i.i = add nsw i32 %20, %36
//   %idxprom5.i.i = sext i32 %add.i.i to i64
//   %arrayidx6.i.i = getelementptr inbounds i8, ptr addrspace(1) %14, i64 %idxprom5.i.i
//   %32 = load i8, ptr addrspace(1) %arrayidx6.i.i, align 1, !tbaa !7, !llvm.access.group !6
//   %conv7.i.i = zext i8 %32 to i32
//   %add8.i.i = add nsw i32 %31, %conv7.i.i
//   %arrayidx10.i.i = getelementptr inbounds i32, ptr addrspace(1) %18, i64 %idxprom.i.i
//   store i32 %add8.i.i, ptr addrspace(1) %arrayidx10.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   br label %__clang_ocl_kern_imp_k.exit.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %if.then.i.i, %items.x.i
//   %33 = add nuw nsw i64 %local.x.i, 1
//   %34 = icmp samesign ult i64 %33, %27
//   br i1 %34, label %items.x.i, label %k.group.exit, !llvm.loop !8
//
// items.x.i:                                        ; preds = %items.x.i.preheader, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %33, %__clang_ocl_kern_imp_k.exit.i ], [ %local.x.i.ph, %items.x.i.preheader ]
//   %35 = trunc i64 %local.x.i to i32
//   %36 = add nuw nsw i32 %28, %35
//   %idxprom.i.i = sext i32 %36 to i64
//   %arrayidx.i.i = getelementptr inbounds i8, ptr addrspace(1) %14, i64 %idxprom.i.i
//   %37 = load i8, ptr addrspace(1) %arrayidx.i.i, align 1, !tbaa !7, !llvm.access.group !6
//   %conv1.i.i = zext i8 %37 to i32
//   %cmp.i.i = icmp slt i32 %20, %conv1.i.i
//   br i1 %cmp.i.i, label %if.then.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// k.group.exit:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i, %vector.leave
//   %38 = add nuw i64 %gx, 1
//   %39 = icmp ult i64 %38, %21
//   br i1 %39, label %group.x, label %group.next, !llvm.loop !12
//
// group.next:                                       ; preds = %k.group.exit
//   %40 = add nuw i64 %gy, 1
//   %41 = icmp ult i64 %40, %23
//   br i1 %41, label %group.y, label %group.next1, !llvm.loop !13
//
// group.next1:                                      ; preds = %group.next
//   %42 = add nuw i64 %gz, 1
//   %43 = icmp ult i64 %42, %24
//   br i1 %43, label %group.z, label %exit, !llvm.loop !14
//
// items.x.i.v:                                      ; preds = %group.x, %__clang_ocl_kern_imp_k.exit.i.v
//   %vector = phi i64 [ %68, %__clang_ocl_kern_imp_k.exit.i.v ], [ 0, %group.x ]
//   %44 = add nuw i64 %25, %vector
//   %sext = shl i64 %44, 32
//   %45 = ashr exact i64 %sext, 32
//   %46 = getelementptr inbounds i8, ptr addrspace(1) %14, i64 %45
//   %47 = load <8 x i8>, ptr addrspace(1) %46, align 1, !tbaa !7, !llvm.access.group !6
//   %48 = zext <8 x i8> %47 to <8 x i32>
//   %49 = icmp slt <8 x i32> %.splat, %48
//   %50 = bitcast <8 x i1> %49 to i8
//   %.not = icmp eq i8 %50, 0
//   br i1 %.not, label %__clang_ocl_kern_imp_k.exit.i.v, label %if.then.i.i.v
//
// if.then.i.i.v:                                    ; preds = %items.x.i.v
//   %51 = getelementptr i32, ptr addrspace(1) %16, i64 %45
//   %52 = call <8 x i32> @llvm.masked.load.v8i32.p1(ptr addrspace(1) align 4 %51, <8 x i1> %49, <8 x i32> poison), !tbaa !1, !llvm.access.group !6
//   %gep = getelementptr i8, ptr addrspace(1) %invariant.gep, i64 %45
//   %53 = bitcast <8 x i1> %49 to i8
//   %54 = freeze i8 %53
//   %55 = icmp ne i8 %54, 0
//   %56 = ptrtoint ptr addrspace(1) %gep to i64
//   %57 = and i64 %56, 4095
//   %58 = icmp ule i64 %57, 4088
//   %59 = and i1 %55, %58
//   br i1 %59, label %ordinary, label %masked
//
// masked:                                           ; preds = %if.then.i.i.v
//   %60 = call <8 x i8> @llvm.masked.load.v8i8.p1(ptr addrspace(1) align 1 %gep, <8 x i1> %49, <8 x i8> poison), !tbaa !7, !llvm.access.group !6
//   br label %accessed
//
// accessed:                                         ; preds = %ordinary, %masked
//   %61 = phi <8 x i8> [ %71, %ordinary ], [ %60, %masked ]
//   %62 = zext <8 x i8> %61 to <8 x i32>
//   %63 = add nsw <8 x i32> %52, %62
//   %64 = getelementptr i32, ptr addrspace(1) %18, i64 %45
//   %65 = bitcast <8 x i1> %49 to i8
//   %66 = freeze i8 %65
//   %67 = icmp eq i8 %66, -1
//   br i1 %67, label %ordinary12, label %masked10
//
// masked10:                                         ; preds = %accessed
//   call void @llvm.masked.store.v8i32.p1(<8 x i32> %63, ptr addrspace(1) align 4 %64, <8 x i1> %49), !tbaa !1, !llvm.access.group !6
//   br label %accessed11
//
// accessed11:                                       ; preds = %ordinary12, %masked10
//   br label %__clang_ocl_kern_imp_k.exit.i.v
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %items.x.i.v, %accessed11
//   %68 = add nuw nsw i64 %vector, 8
//   %69 = icmp samesign ult i64 %68, %29
//   br i1 %69, label %items.x.i.v, label %vector.leave, !llvm.loop !15
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %.not9 = icmp eq i64 %29, %27
//   br i1 %.not9, label %k.group.exit, label %items.x.i.preheader
//
// ordinary:                                         ; preds = %if.then.i.i.v
//   %70 = load <8 x i8>, ptr addrspace(1) %gep, align 1, !tbaa !7, !llvm.access.group !6
//   %71 = select <8 x i1> %49, <8 x i8> %70, <8 x i8> poison
//   br label %accessed
//
// ordinary12:                                       ; preds = %accessed
//   store <8 x i32> %63, ptr addrspace(1) %64, align 4, !tbaa !1, !llvm.access.group !6
//   br label %accessed11
// }
//
