//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [256]
//! cpu = "x86-64-v4"
//! cost_model = true
// Consecutive iterations load bytes that are next to each other, so 16 lanes do.
kernel void k(global const uchar *in, global uint *out, int n) {
  uint sum = 0;
  for (int i = 0; i < n; ++i) sum += in[get_global_id(0) + i] >> 4;
  out[get_global_id(0)] = sum;
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #1 {
// entry:
//   %value6 = alloca <16 x i32>, align 64
//   %value5 = alloca i64, align 8
//   %value = alloca i32, align 4
//   %phi4 = alloca <16 x i32>, align 64
//   %phi2 = alloca <16 x i32>, align 64
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
//   %11 = load ptr addrspace(1), ptr %packed, align 8, !invariant.load !5
//   %12 = getelementptr inbounds nuw i8, ptr %packed, i64 8
//   %13 = load ptr addrspace(1), ptr %12, align 8, !invariant.load !5
//   %14 = getelementptr inbounds nuw i8, ptr %packed, i64 16
//   %15 = load i32, ptr %14, align 8, !invariant.load !5
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %29, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %26, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %23, %k.group.exit ]
//   %16 = shl nuw i64 %gx, 8
//   br label %vector.check
//
// for.cond.i.i:                                     ; preds = %for.body.i.i, %items.x.i
//   %i.i.0.i = phi i32 [ 0, %items.x.i ], [ %inc.i.i, %for.body.i.i ]
//   %sum.i.0.i = phi i32 [ 0, %items.x.i ], [ %add2.i.i, %for.body.i.i ]
//   %cmp.i.i = icmp slt i32 %i.i.0.i, %15
//   br i1 %cmp.i.i, label %for.body.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// for.body.i.i:                                     ; preds = %for.cond.i.i
//   %conv.i.i = zext nneg i32 %i.i.0.i to i64
//   %17 = getelementptr i8, ptr addrspace(1) %11, i64 %22
//   %arrayidx.i.i = getelementptr i8, ptr addrspace(1) %17, i64 %conv.i.i
//   %18 = load i8, ptr addrspace(1) %arrayidx.i.i, align 1, !tbaa !6, !llvm.access.group !7
//   %19 = lshr i8 %18, 4
//   %shr.i.i = zext nneg i8 %19 to i32
//   %add2.i.i = add i32 %sum.i.0.i, %shr.i.i
//   %inc.i.i = add nuw nsw i32 %i.i.0.i, 1
//   br label %for.cond.i.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %for.cond.i.i
//   %sum.i.0.i.lcssa = phi i32 [ %sum.i.0.i, %for.cond.i.i ]
//   %arrayidx4.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %13, i64 %22
//   store i32 %sum.i.0.i.lcssa, ptr addrspace(1) %arrayidx4.i.i, align 4, !tbaa !1, !llvm.access.group !7
//   %20 = add nuw nsw i64 %local.x.i, 1
//   %21 = icmp samesign ult i64 %local.x.i, 255
//   br i1 %21, label %items.x.i, label %k.group.exit, !llvm.loop !8
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %20, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ 256, %vector.leave ]
//   %22 = or disjoint i64 %16, %local.x.i
//   br label %for.cond.i.i
//
// k.group.exit:                                     ; preds = %vector.leave, %__clang_ocl_kern_imp_k.exit.i
//   %23 = add nuw i64 %gx, 1
//   %24 = add nuw i64 %0, %6
//   %25 = icmp ult i64 %23, %24
//   br i1 %25, label %group.x, label %group.next, !llvm.loop !12
//
// group.next:                                       ; preds = %k.group.exit
//   %26 = add nuw i64 %gy, 1
//   %27 = add nuw i64 %2, %8
//   %28 = icmp ult i64 %26, %27
//   br i1 %28, label %group.y, label %group.next1, !llvm.loop !13
//
// group.next1:                                      ; preds = %group.next
//   %29 = add nuw i64 %gz, 1
//   %30 = add nuw i64 %4, %10
//   %31 = icmp ult i64 %29, %30
//   br i1 %31, label %group.z, label %exit, !llvm.loop !14
//
// vector.check:                                     ; preds = %group.x
//   br i1 false, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %53, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store i32 poison, ptr %phi, align 4
//   store <16 x i32> poison, ptr %phi2, align 64
//   store <16 x i32> poison, ptr %phi4, align 64
//   %32 = add i64 %16, %vector
//   store i32 0, ptr %phi, align 4
//   store <16 x i32> zeroinitializer, ptr %phi2, align 64
//   store i64 %32, ptr %value5, align 8
//   br label %for.cond.i.i.v
//
// for.cond.i.i.v:                                   ; preds = %for.body.i.i.v, %items.x.i.v
//   %33 = load i32, ptr %phi, align 4
//   %34 = load <16 x i32>, ptr %phi2, align 64
//   %35 = icmp slt i32 %33, %15
//   store i32 %33, ptr %value, align 4
//   store <16 x i32> %34, ptr %value6, align 64
//   br i1 %35, label %edge, label %edge3
//
// for.body.i.i.v:                                   ; preds = %edge
//   %36 = load i32, ptr %value, align 4
//   %37 = zext nneg i32 %36 to i64
//   %38 = load i64, ptr %value5, align 8
//   %39 = getelementptr i8, ptr addrspace(1) %11, i64 %38
//   %40 = getelementptr i8, ptr addrspace(1) %39, i64 %37
//   %41 = load <16 x i8>, ptr addrspace(1) %40, align 1, !tbaa !6, !llvm.access.group !7
//   %42 = lshr <16 x i8> %41, splat (i8 4)
//   %43 = zext nneg <16 x i8> %42 to <16 x i32>
//   %44 = load <16 x i32>, ptr %value6, align 64
//   %45 = add <16 x i32> %44, %43
//   %46 = add nuw nsw i32 %36, 1
//   store i32 %46, ptr %phi, align 4
//   store <16 x i32> %45, ptr %phi2, align 64
//   br label %for.cond.i.i.v
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %edge3
//   %47 = load <16 x i32>, ptr %phi4, align 64
//   %48 = load i64, ptr %value5, align 8
//   %49 = getelementptr inbounds nuw i32, ptr addrspace(1) %13, i64 %48
//   store <16 x i32> %47, ptr addrspace(1) %49, align 4, !tbaa !1, !llvm.access.group !7
//   %50 = add nuw nsw i64 %vector, 1
//   %.splatinsert = insertelement <16 x i64> poison, i64 %vector, i64 0
//   %.splat = shufflevector <16 x i64> %.splatinsert, <16 x i64> poison, <16 x i32> zeroinitializer
//   %51 = add <16 x i64> %.splat, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15>
//   %52 = icmp samesign ult <16 x i64> %51, splat (i64 255)
//   %53 = add i64 %vector, 16
//   %54 = sub i64 %53, 0
//   %55 = icmp ult i64 %54, 256
//   br i1 %55, label %items.x.i.v, label %vector.leave, !llvm.loop !15
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   br i1 false, label %items.x.i, label %k.group.exit
//
// edge:                                             ; preds = %for.cond.i.i.v
//   br label %for.body.i.i.v
//
// edge3:                                            ; preds = %for.cond.i.i.v
//   store <16 x i32> %34, ptr %phi4, align 64
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//
