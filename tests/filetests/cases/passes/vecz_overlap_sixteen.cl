//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [256]
//! cost_model = true
//! cpu = "sapphirerapids"
// A product takes ten cycles on this processor: sixteen vectors of 16 lanes run side by side. The
// 32 registers hold `x` and most of the values of `c`, and instructions read the others in memory.
kernel void k(global const int *in, global int *out, int rounds) {
  size_t i = get_global_id(0);
  int x = in[i], c = out[i];
  for (int r = 0; r < rounds; ++r) x = x * x + c;
  out[i] = x;
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #1 {
// entry:
//   %value7 = alloca ptr addrspace(1), align 8
//   %value6 = alloca i32, align 4
//   %value5 = alloca <256 x i32>, align 1024
//   %value = alloca <256 x i32>, align 1024
//   %phi4 = alloca <256 x i32>, align 1024
//   %phi2 = alloca <256 x i32>, align 1024
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
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %17, %k.group.exit ]
//   %16 = shl nuw i64 %gx, 8
//   br label %vector.check
//
// k.group.exit:                                     ; preds = %vector.leave
//   %17 = add nuw i64 %gx, 1
//   %18 = add nuw i64 %0, %6
//   %19 = icmp ult i64 %17, %18
//   br i1 %19, label %group.x, label %group.next, !llvm.loop !6
//
// group.next:                                       ; preds = %k.group.exit
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
//   store <256 x i32> poison, ptr %phi2, align 1024
//   store <256 x i32> poison, ptr %phi4, align 1024
//   %26 = add i64 %16, 0
//   %27 = getelementptr inbounds nuw i32, ptr addrspace(1) %11, i64 %26
//   %28 = load <256 x i32>, ptr addrspace(1) %27, align 4, !tbaa !1, !llvm.access.group !12
//   %29 = getelementptr inbounds nuw i32, ptr addrspace(1) %13, i64 %26
//   %30 = load <256 x i32>, ptr addrspace(1) %29, align 4, !tbaa !1, !llvm.access.group !12
//   store i32 0, ptr %phi, align 4
//   store <256 x i32> %28, ptr %phi2, align 1024
//   store <256 x i32> %30, ptr %value5, align 1024
//   store ptr addrspace(1) %29, ptr %value7, align 8
//   br label %for.cond.i.i.v
//
// for.cond.i.i.v:                                   ; preds = %for.body.i.i.v, %items.x.i.v
//   %31 = load i32, ptr %phi, align 4
//   %32 = load <256 x i32>, ptr %phi2, align 1024
//   %33 = icmp slt i32 %31, %15
//   store <256 x i32> %32, ptr %value, align 1024
//   store i32 %31, ptr %value6, align 4
//   br i1 %33, label %edge, label %edge3
//
// for.body.i.i.v:                                   ; preds = %edge
//   %34 = load <256 x i32>, ptr %value, align 1024
//   %35 = mul nsw <256 x i32> %34, %34
//   %36 = load <256 x i32>, ptr %value5, align 1024
//   %37 = add nsw <256 x i32> %35, %36
//   %38 = load i32, ptr %value6, align 4
//   %39 = add nuw nsw i32 %38, 1
//   store i32 %39, ptr %phi, align 4
//   store <256 x i32> %37, ptr %phi2, align 1024
//   br label %for.cond.i.i.v
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %edge3
//   %40 = load <256 x i32>, ptr %phi4, align 1024
//   %41 = load ptr addrspace(1), ptr %value7, align 8
//   store <256 x i32> %40, ptr addrspace(1) %41, align 4, !tbaa !1, !llvm.access.group !12
//   %42 = add nuw nsw i64 0, 1
//   br label %vector.leave
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   br label %k.group.exit
//
// edge:                                             ; preds = %for.cond.i.i.v
//   br label %for.body.i.i.v
//
// edge3:                                            ; preds = %for.cond.i.i.v
//   store <256 x i32> %32, ptr %phi4, align 1024
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//
