//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! cpu = "x86-64-v4"
//! cost_model = true
// Each instruction of the loop depends on the previous one. So the cost model chooses 64 lanes:
// four vectors of 16 lanes, whose instructions are independent of each other.
kernel void k(global const uint *in, global uint *out, uint rounds) {
  size_t i = get_global_id(0);
  uint x = in[i];
  for (uint r = 0; r < rounds; ++r) {
    x ^= x >> 16;
    x *= 0x85ebca6b;
    x = rotate(x, 5u) + r;
  }
  out[i] = x;
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #2 {
// entry:
//   %value6 = alloca i64, align 8
//   %value5 = alloca i32, align 4
//   %value = alloca <64 x i32>, align 256
//   %phi4 = alloca <64 x i32>, align 256
//   %phi2 = alloca <64 x i32>, align 256
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
//   %16 = shl nuw i64 %gx, 6
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
//   store <64 x i32> poison, ptr %phi2, align 256
//   store <64 x i32> poison, ptr %phi4, align 256
//   %26 = add i64 %16, 0
//   %27 = getelementptr inbounds nuw i32, ptr addrspace(1) %11, i64 %26
//   %28 = load <64 x i32>, ptr addrspace(1) %27, align 4, !tbaa !1, !llvm.access.group !12
//   store i32 0, ptr %phi, align 4
//   store <64 x i32> %28, ptr %phi2, align 256
//   store i64 %26, ptr %value6, align 8
//   br label %for.cond.i.i.v
//
// for.cond.i.i.v:                                   ; preds = %for.body.i.i.v, %items.x.i.v
//   %29 = load i32, ptr %phi, align 4
//   %30 = load <64 x i32>, ptr %phi2, align 256
//   %31 = icmp ult i32 %29, %15
//   store <64 x i32> %30, ptr %value, align 256
//   store i32 %29, ptr %value5, align 4
//   br i1 %31, label %edge, label %edge3
//
// for.body.i.i.v:                                   ; preds = %edge
//   %32 = load <64 x i32>, ptr %value, align 256
//   %33 = lshr <64 x i32> %32, splat (i32 16)
//   %34 = xor <64 x i32> %32, %33
//   %35 = mul <64 x i32> %34, splat (i32 -2048144789)
//   %36 = call <64 x i32> @llvm.fshl.v64i32(<64 x i32> %35, <64 x i32> %35, <64 x i32> splat (i32 5))
//   %37 = load i32, ptr %value5, align 4
//   %.splatinsert = insertelement <64 x i32> poison, i32 %37, i64 0
//   %.splat = shufflevector <64 x i32> %.splatinsert, <64 x i32> poison, <64 x i32> zeroinitializer
//   %38 = add <64 x i32> %36, %.splat
//   %39 = add i32 %37, 1
//   store i32 %39, ptr %phi, align 4
//   store <64 x i32> %38, ptr %phi2, align 256
//   br label %for.cond.i.i.v
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %edge3
//   %40 = load <64 x i32>, ptr %phi4, align 256
//   %41 = load i64, ptr %value6, align 8
//   %42 = getelementptr inbounds nuw i32, ptr addrspace(1) %13, i64 %41
//   store <64 x i32> %40, ptr addrspace(1) %42, align 4, !tbaa !1, !llvm.access.group !12
//   %43 = add nuw nsw i64 0, 1
//   br label %vector.leave
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   br label %k.group.exit
//
// edge:                                             ; preds = %for.cond.i.i.v
//   br label %for.body.i.i.v
//
// edge3:                                            ; preds = %for.cond.i.i.v
//   store <64 x i32> %30, ptr %phi4, align 256
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//
