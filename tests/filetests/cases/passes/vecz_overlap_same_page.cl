//! test = "vecz"
//! functions = ["muxcl.kernel.near"]
//! local = [64]
//! cpu = "x86-64-v4"
//! cost_model = true
// Consecutive iterations read from one page. Two vectors are enough for the latency of the sum.
kernel void near(global const float *in, global float *out, int n) {
  size_t x = get_global_id(0);
  float sum = 0;
  for (int y = 0; y < n; ++y) sum += in[y * 64 + x];
  out[x] = sum;
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.near(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #1 {
// entry:
//   %value6 = alloca <32 x float>, align 128
//   %value5 = alloca i64, align 8
//   %value = alloca i32, align 4
//   %phi4 = alloca <32 x float>, align 128
//   %phi2 = alloca <32 x float>, align 128
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
//   %gz = phi i64 [ %4, %entry ], [ %28, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %25, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %near.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %22, %near.group.exit ]
//   %16 = shl nuw i64 %gx, 6
//   br label %vector.check
//
// for.cond.i.i:                                     ; preds = %for.body.i.i, %items.x.i
//   %y.i.0.i = phi i32 [ 0, %items.x.i ], [ %inc.i.i, %for.body.i.i ]
//   %sum.i.0.i = phi float [ 0.000000e+00, %items.x.i ], [ %add1.i.i, %for.body.i.i ]
//   %cmp.i.i = icmp slt i32 %y.i.0.i, %15
//   br i1 %cmp.i.i, label %for.body.i.i, label %__clang_ocl_kern_imp_near.exit.i
//
// for.body.i.i:                                     ; preds = %for.cond.i.i
//   %mul.i.i = shl nsw i32 %y.i.0.i, 6
//   %conv.i.i = zext nneg i32 %mul.i.i to i64
//   %17 = getelementptr float, ptr addrspace(1) %11, i64 %21
//   %arrayidx.i.i = getelementptr float, ptr addrspace(1) %17, i64 %conv.i.i
//   %18 = load float, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %add1.i.i = fadd float %sum.i.0.i, %18
//   %inc.i.i = add nuw nsw i32 %y.i.0.i, 1
//   br label %for.cond.i.i
//
// __clang_ocl_kern_imp_near.exit.i:                 ; preds = %for.cond.i.i
//   %sum.i.0.i.lcssa = phi float [ %sum.i.0.i, %for.cond.i.i ]
//   %arrayidx2.i.i = getelementptr inbounds nuw float, ptr addrspace(1) %13, i64 %21
//   store float %sum.i.0.i.lcssa, ptr addrspace(1) %arrayidx2.i.i, align 4, !tbaa !6, !llvm.access.group !8
//   %19 = add nuw nsw i64 %local.x.i, 1
//   %20 = icmp samesign ult i64 %local.x.i, 63
//   br i1 %20, label %items.x.i, label %near.group.exit, !llvm.loop !9
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_near.exit.i
//   %local.x.i = phi i64 [ %19, %__clang_ocl_kern_imp_near.exit.i ], [ 0, %vector.check ], [ 64, %vector.leave ]
//   %21 = or disjoint i64 %16, %local.x.i
//   br label %for.cond.i.i
//
// near.group.exit:                                  ; preds = %vector.leave, %__clang_ocl_kern_imp_near.exit.i
//   %22 = add nuw i64 %gx, 1
//   %23 = add nuw i64 %0, %6
//   %24 = icmp ult i64 %22, %23
//   br i1 %24, label %group.x, label %group.next, !llvm.loop !13
//
// group.next:                                       ; preds = %near.group.exit
//   %25 = add nuw i64 %gy, 1
//   %26 = add nuw i64 %2, %8
//   %27 = icmp ult i64 %25, %26
//   br i1 %27, label %group.y, label %group.next1, !llvm.loop !14
//
// group.next1:                                      ; preds = %group.next
//   %28 = add nuw i64 %gz, 1
//   %29 = add nuw i64 %4, %10
//   %30 = icmp ult i64 %28, %29
//   br i1 %30, label %group.z, label %exit, !llvm.loop !15
//
// vector.check:                                     ; preds = %group.x
//   br i1 false, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_near.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %51, %__clang_ocl_kern_imp_near.exit.i.v ]
//   store i32 poison, ptr %phi, align 4
//   store <32 x float> poison, ptr %phi2, align 128
//   store <32 x float> poison, ptr %phi4, align 128
//   %31 = add i64 %16, %vector
//   store i32 0, ptr %phi, align 4
//   store <32 x float> zeroinitializer, ptr %phi2, align 128
//   store i64 %31, ptr %value5, align 8
//   br label %for.cond.i.i.v
//
// for.cond.i.i.v:                                   ; preds = %for.body.i.i.v, %items.x.i.v
//   %32 = load i32, ptr %phi, align 4
//   %33 = load <32 x float>, ptr %phi2, align 128
//   %34 = icmp slt i32 %32, %15
//   store i32 %32, ptr %value, align 4
//   store <32 x float> %33, ptr %value6, align 128
//   br i1 %34, label %edge, label %edge3
//
// for.body.i.i.v:                                   ; preds = %edge
//   %35 = load i32, ptr %value, align 4
//   %36 = shl nsw i32 %35, 6
//   %37 = zext nneg i32 %36 to i64
//   %38 = load i64, ptr %value5, align 8
//   %39 = getelementptr float, ptr addrspace(1) %11, i64 %38
//   %40 = getelementptr float, ptr addrspace(1) %39, i64 %37
//   %41 = load <32 x float>, ptr addrspace(1) %40, align 4, !tbaa !6, !llvm.access.group !8
//   %42 = load <32 x float>, ptr %value6, align 128
//   %43 = fadd <32 x float> %42, %41
//   %44 = add nuw nsw i32 %35, 1
//   store i32 %44, ptr %phi, align 4
//   store <32 x float> %43, ptr %phi2, align 128
//   br label %for.cond.i.i.v
//
// __clang_ocl_kern_imp_near.exit.i.v:               ; preds = %edge3
//   %45 = load <32 x float>, ptr %phi4, align 128
//   %46 = load i64, ptr %value5, align 8
//   %47 = getelementptr inbounds nuw float, ptr addrspace(1) %13, i64 %46
//   store <32 x float> %45, ptr addrspace(1) %47, align 4, !tbaa !6, !llvm.access.group !8
//   %48 = add nuw nsw i64 %vector, 1
//   %.splatinsert = insertelement <32 x i64> poison, i64 %vector, i64 0
//   %.splat = shufflevector <32 x i64> %.splatinsert, <32 x i64> poison, <32 x i32> zeroinitializer
//   %49 = add <32 x i64> %.splat, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15, i64 16, i64 17, i64 18, i64 19, i64 20, i64 21, i64 22, i64 23, i64 24, i64 25, i64 26, i64 27, i64 28, i64 29, i64 30, i64 31>
//   %50 = icmp samesign ult <32 x i64> %49, splat (i64 63)
//   %51 = add i64 %vector, 32
//   %52 = sub i64 %51, 0
//   %53 = icmp ult i64 %52, 64
//   br i1 %53, label %items.x.i.v, label %vector.leave, !llvm.loop !16
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_near.exit.i.v
//   br i1 false, label %items.x.i, label %near.group.exit
//
// edge:                                             ; preds = %for.cond.i.i.v
//   br label %for.body.i.i.v
//
// edge3:                                            ; preds = %for.cond.i.i.v
//   store <32 x float> %33, ptr %phi4, align 128
//   br label %__clang_ocl_kern_imp_near.exit.i.v
// }
//
