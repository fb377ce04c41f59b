//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [256]
//! cost_model = true
//! cpu = "znver4"
// A product takes three cycles on this processor, so eight vectors of 16 lanes fill its units.
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
//   %value5 = alloca <128 x i32>, align 512
//   %value = alloca <128 x i32>, align 512
//   %phi4 = alloca <128 x i32>, align 512
//   %phi2 = alloca <128 x i32>, align 512
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
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %22, %k.group.exit ]
//   %16 = shl nuw i64 %gx, 8
//   br label %vector.check
//
// for.cond.i.i:                                     ; preds = %for.body.i.i, %items.x.i
//   %r.i.0.i = phi i32 [ 0, %items.x.i ], [ %inc.i.i, %for.body.i.i ]
//   %x.i.0.i = phi i32 [ %20, %items.x.i ], [ %add.i.i, %for.body.i.i ]
//   %cmp.i.i = icmp slt i32 %r.i.0.i, %15
//   br i1 %cmp.i.i, label %for.body.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// for.body.i.i:                                     ; preds = %for.cond.i.i
//   %mul.i.i = mul nsw i32 %x.i.0.i, %x.i.0.i
//   %add.i.i = add nsw i32 %mul.i.i, %21
//   %inc.i.i = add nuw nsw i32 %r.i.0.i, 1
//   br label %for.cond.i.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %for.cond.i.i
//   %x.i.0.i.lcssa = phi i32 [ %x.i.0.i, %for.cond.i.i ]
//   store i32 %x.i.0.i.lcssa, ptr addrspace(1) %arrayidx1.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %17 = add nuw nsw i64 %local.x.i, 1
//   %18 = icmp samesign ult i64 %local.x.i, 255
//   br i1 %18, label %items.x.i, label %k.group.exit, !llvm.loop !7
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %17, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ 256, %vector.leave ]
//   %19 = or disjoint i64 %16, %local.x.i
//   %arrayidx.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %11, i64 %19
//   %20 = load i32, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %arrayidx1.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %13, i64 %19
//   %21 = load i32, ptr addrspace(1) %arrayidx1.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   br label %for.cond.i.i
//
// k.group.exit:                                     ; preds = %vector.leave, %__clang_ocl_kern_imp_k.exit.i
//   %22 = add nuw i64 %gx, 1
//   %23 = add nuw i64 %0, %6
//   %24 = icmp ult i64 %22, %23
//   br i1 %24, label %group.x, label %group.next, !llvm.loop !11
//
// group.next:                                       ; preds = %k.group.exit
//   %25 = add nuw i64 %gy, 1
//   %26 = add nuw i64 %2, %8
//   %27 = icmp ult i64 %25, %26
//   br i1 %27, label %group.y, label %group.next1, !llvm.loop !12
//
// group.next1:                                      ; preds = %group.next
//   %28 = add nuw i64 %gz, 1
//   %29 = add nuw i64 %4, %10
//   %30 = icmp ult i64 %28, %29
//   br i1 %30, label %group.z, label %exit, !llvm.loop !13
//
// vector.check:                                     ; preds = %group.x
//   br i1 false, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %50, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store i32 poison, ptr %phi, align 4
//   store <128 x i32> poison, ptr %phi2, align 512
//   store <128 x i32> poison, ptr %phi4, align 512
//   %31 = add i64 %16, %vector
//   %32 = getelementptr inbounds nuw i32, ptr addrspace(1) %11, i64 %31
//   %33 = load <128 x i32>, ptr addrspace(1) %32, align 4, !tbaa !1, !llvm.access.group !6
//   %34 = getelementptr inbounds nuw i32, ptr addrspace(1) %13, i64 %31
//   %35 = load <128 x i32>, ptr addrspace(1) %34, align 4, !tbaa !1, !llvm.access.group !6
//   store i32 0, ptr %phi, align 4
//   store <128 x i32> %33, ptr %phi2, align 512
//   store <128 x i32> %35, ptr %value5, align 512
//   store ptr addrspace(1) %34, ptr %value7, align 8
//   br label %for.cond.i.i.v
//
// for.cond.i.i.v:                                   ; preds = %for.body.i.i.v, %items.x.i.v
//   %36 = load i32, ptr %phi, align 4
//   %37 = load <128 x i32>, ptr %phi2, align 512
//   %38 = icmp slt i32 %36, %15
//   store <128 x i32> %37, ptr %value, align 512
//   store i32 %36, ptr %value6, align 4
//   br i1 %38, label %edge, label %edge3
//
// for.body.i.i.v:                                   ; preds = %edge
//   %39 = load <128 x i32>, ptr %value, align 512
//   %40 = mul nsw <128 x i32> %39, %39
//   %41 = load <128 x i32>, ptr %value5, align 512
//   %42 = add nsw <128 x i32> %40, %41
//   %43 = load i32, ptr %value6, align 4
//   %44 = add nuw nsw i32 %43, 1
//   store i32 %44, ptr %phi, align 4
//   store <128 x i32> %42, ptr %phi2, align 512
//   br label %for.cond.i.i.v
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %edge3
//   %45 = load <128 x i32>, ptr %phi4, align 512
//   %46 = load ptr addrspace(1), ptr %value7, align 8
//   store <128 x i32> %45, ptr addrspace(1) %46, align 4, !tbaa !1, !llvm.access.group !6
//   %47 = add nuw nsw i64 %vector, 1
//   %.splatinsert = insertelement <128 x i64> poison, i64 %vector, i64 0
//   %.splat = shufflevector <128 x i64> %.splatinsert, <128 x i64> poison, <128 x i32> zeroinitializer
//   %48 = add <128 x i64> %.splat, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15, i64 16, i64 17, i64 18, i64 19, i64 20, i64 21, i64 22, i64 23, i64 24, i64 25, i64 26, i64 27, i64 28, i64 29, i64 30, i64 31, i64 32, i64 33, i64 34, i64 35, i64 36, i64 37, i64 38, i64 39, i64 40, i64 41, i64 42, i64 43, i64 44, i64 45, i64 46, i64 47, i64 48, i64 49, i64 50, i64 51, i64 52, i64 53, i64 54, i64 55, i64 56, i64 57, i64 58, i64 59, i64 60, i64 61, i64 62, i64 63, i64 64, i64 65, i64 66, i64 67, i64 68, i64 69, i64 70, i64 71, i64 72, i64 73, i64 74, i64 75, i64 76, i64 77, i64 78, i64 79, i64 80, i64 81, i64 82, i64 83, i64 84, i64 85, i64 86, i64 87, i64 88, i64 89, i64 90, i64 91, i64 92, i64 93, i64 94, i64 95, i64 96, i64 97, i64 98, i64 99, i64 100, i64 101, i64 102, i64 103, i64 104, i64 105, i64 106, i64 107, i64 108, i64 109, i64 110, i64 111, i64 112, i64 113, i64 114, i64 115, i64 116, i64 117, i64 118, i64 119, i64 120, i64 121, i64 122, i64 123, i64 124, i64 125, i64 126, i64 127>
//   %49 = icmp samesign ult <128 x i64> %48, splat (i64 255)
//   %50 = add i64 %vector, 128
//   %51 = sub i64 %50, 0
//   %52 = icmp ult i64 %51, 256
//   br i1 %52, label %items.x.i.v, label %vector.leave, !llvm.loop !14
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   br i1 false, label %items.x.i, label %k.group.exit
//
// edge:                                             ; preds = %for.cond.i.i.v
//   br label %for.body.i.i.v
//
// edge3:                                            ; preds = %for.cond.i.i.v
//   store <128 x i32> %37, ptr %phi4, align 512
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//
