//! test = "vecz"
//! functions = ["muxcl.kernel.far"]
//! local = [64]
//! cpu = "x86-64-v4"
//! cost_model = true
// Consecutive iterations read from different pages. So each reads 256 bytes, which are four vectors.
kernel void far(global const float *in, global float *out, int n) {
  size_t x = get_global_id(0);
  float sum = 0;
  for (int y = 0; y < n; ++y) sum += in[y * 4096 + x];
  out[x] = sum;
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.far(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #1 {
// entry:
//   %value6 = alloca <64 x float>, align 256
//   %value5 = alloca i64, align 8
//   %value = alloca i32, align 4
//   %phi4 = alloca <64 x float>, align 256
//   %phi2 = alloca <64 x float>, align 256
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
//   %gz = phi i64 [ %4, %entry ], [ %23, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %20, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %far.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %17, %far.group.exit ]
//   %16 = shl nuw i64 %gx, 6
//   br label %vector.check
//
// far.group.exit:                                   ; preds = %vector.leave
//   %17 = add nuw i64 %gx, 1
//   %18 = add nuw i64 %0, %6
//   %19 = icmp ult i64 %17, %18
//   br i1 %19, label %group.x, label %group.next, !llvm.loop !6
//
// group.next:                                       ; preds = %far.group.exit
//   %20 = add nuw i64 %gy, 1
//   %21 = add nuw i64 %2, %8
//   %22 = icmp ult i64 %20, %21
//   br i1 %22, label %group.y, label %group.next1, !llvm.loop !10
//
// group.next1:                                      ; preds = %group.next
//   %23 = add nuw i64 %gz, 1
//   %24 = add nuw i64 %4, %10
//   %25 = icmp ult i64 %23, %24
//   br i1 %25, label %group.z, label %exit, !llvm.loop !11
//
// vector.check:                                     ; preds = %group.x
//   br label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %vector.enter
//   store i32 poison, ptr %phi, align 4
//   store <64 x float> poison, ptr %phi2, align 256
//   store <64 x float> poison, ptr %phi4, align 256
//   %26 = add i64 %16, 0
//   store i32 0, ptr %phi, align 4
//   store <64 x float> zeroinitializer, ptr %phi2, align 256
//   store i64 %26, ptr %value5, align 8
//   br label %for.cond.i.i.v
//
// for.cond.i.i.v:                                   ; preds = %for.body.i.i.v, %items.x.i.v
//   %27 = load i32, ptr %phi, align 4
//   %28 = load <64 x float>, ptr %phi2, align 256
//   %29 = icmp slt i32 %27, %15
//   store i32 %27, ptr %value, align 4
//   store <64 x float> %28, ptr %value6, align 256
//   br i1 %29, label %edge, label %edge3
//
// for.body.i.i.v:                                   ; preds = %edge
//   %30 = load i32, ptr %value, align 4
//   %31 = shl nsw i32 %30, 12
//   %32 = zext nneg i32 %31 to i64
//   %33 = load i64, ptr %value5, align 8
//   %34 = getelementptr float, ptr addrspace(1) %11, i64 %33
//   %35 = getelementptr float, ptr addrspace(1) %34, i64 %32
//   %36 = load <64 x float>, ptr addrspace(1) %35, align 4, !tbaa !12, !llvm.access.group !14
//   %37 = load <64 x float>, ptr %value6, align 256
//   %38 = fadd <64 x float> %37, %36
//   %39 = add nuw nsw i32 %30, 1
//   store i32 %39, ptr %phi, align 4
//   store <64 x float> %38, ptr %phi2, align 256
//   br label %for.cond.i.i.v
//
// __clang_ocl_kern_imp_far.exit.i.v:                ; preds = %edge3
//   %40 = load <64 x float>, ptr %phi4, align 256
//   %41 = load i64, ptr %value5, align 8
//   %42 = getelementptr inbounds nuw float, ptr addrspace(1) %13, i64 %41
//   store <64 x float> %40, ptr addrspace(1) %42, align 4, !tbaa !12, !llvm.access.group !14
//   %43 = add nuw nsw i64 0, 1
//   br label %vector.leave
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_far.exit.i.v
//   br label %far.group.exit
//
// edge:                                             ; preds = %for.cond.i.i.v
//   br label %for.body.i.i.v
//
// edge3:                                            ; preds = %for.cond.i.i.v
//   store <64 x float> %28, ptr %phi4, align 256
//   br label %__clang_ocl_kern_imp_far.exit.i.v
// }
//
