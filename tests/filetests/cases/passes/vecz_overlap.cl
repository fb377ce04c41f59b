//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! cpu = "x86-64-v4"
//! cost_model = true
// Each step of the loop waits for the one before, so four vectors of 16 lanes run side by side.
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
//   %value9 = alloca i64, align 8
//   %value8 = alloca i32, align 4
//   %phi7 = alloca <64 x i32>, align 256
//   %value5 = alloca i1, align 1
//   %value4 = alloca <64 x i32>, align 256
//   %value3 = alloca i32, align 4
//   %phi2 = alloca <64 x i32>, align 256
//   %phi = alloca i32, align 4
//   %value = alloca i64, align 8
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
//   %16 = shl nuw i64 %gx, 6
//   br label %vector.check
//
// for.cond.i.i:                                     ; preds = %for.body.i.i, %items.x.i
//   %r.i.0.i = phi i32 [ 0, %items.x.i ], [ %inc.i.i, %for.body.i.i ]
//   %x.i.0.i = phi i32 [ %21, %items.x.i ], [ %add.i.i, %for.body.i.i ]
//   %cmp.i.i = icmp ult i32 %r.i.0.i, %15
//   br i1 %cmp.i.i, label %for.body.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// for.body.i.i:                                     ; preds = %for.cond.i.i
//   %shr.i.i = lshr i32 %x.i.0.i, 16
//   %xor.i.i = xor i32 %x.i.0.i, %shr.i.i
//   %mul.i.i = mul i32 %xor.i.i, -2048144789
//   %17 = call noundef i32 @llvm.fshl.i32(i32 %mul.i.i, i32 %mul.i.i, i32 5)
//   %add.i.i = add i32 %17, %r.i.0.i
//   %inc.i.i = add i32 %r.i.0.i, 1
//   br label %for.cond.i.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %for.cond.i.i
//   %x.i.0.i.lcssa = phi i32 [ %x.i.0.i, %for.cond.i.i ]
//   %arrayidx2.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %13, i64 %20
//   store i32 %x.i.0.i.lcssa, ptr addrspace(1) %arrayidx2.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %18 = add nuw nsw i64 %local.x.i, 1
//   %19 = icmp samesign ult i64 %local.x.i, 63
//   br i1 %19, label %items.x.i, label %k.group.exit, !llvm.loop !7
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %18, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ 64, %vector.leave ]
//   %20 = or disjoint i64 %16, %local.x.i
//   %arrayidx.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %11, i64 %20
//   %21 = load i32, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
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
//   %vector = phi i64 [ 0, %vector.enter ], [ %51, %__clang_ocl_kern_imp_k.exit.i.v ]
//   %31 = add i64 %16, %vector
//   store i64 %31, ptr %value, align 8
//   %32 = getelementptr inbounds nuw i32, ptr addrspace(1) %11, i64 %31
//   %33 = load <64 x i32>, ptr addrspace(1) %32, align 4, !tbaa !1, !llvm.access.group !6
//   store i32 0, ptr %phi, align 4
//   store <64 x i32> %33, ptr %phi2, align 256
//   br label %for.cond.i.i.v
//
// for.cond.i.i.v:                                   ; preds = %for.body.i.i.v, %items.x.i.v
//   %34 = load i32, ptr %phi, align 4
//   store i32 %34, ptr %value3, align 4
//   %35 = load <64 x i32>, ptr %phi2, align 256
//   store <64 x i32> %35, ptr %value4, align 256
//   %36 = icmp ult i32 %34, %15
//   store i1 %36, ptr %value5, align 1
//   br i1 %36, label %edge, label %edge6
//
// for.body.i.i.v:                                   ; preds = %edge
//   %37 = load <64 x i32>, ptr %value4, align 256
//   %38 = lshr <64 x i32> %37, splat (i32 16)
//   %39 = xor <64 x i32> %37, %38
//   %40 = mul <64 x i32> %39, splat (i32 -2048144789)
//   %41 = call <64 x i32> @llvm.fshl.v64i32(<64 x i32> %40, <64 x i32> %40, <64 x i32> splat (i32 5))
//   %42 = load i32, ptr %value3, align 4
//   %.splatinsert = insertelement <64 x i32> poison, i32 %42, i64 0
//   %.splat = shufflevector <64 x i32> %.splatinsert, <64 x i32> poison, <64 x i32> zeroinitializer
//   %43 = add <64 x i32> %41, %.splat
//   %44 = add i32 %42, 1
//   store i32 %44, ptr %value8, align 4
//   store i32 %44, ptr %phi, align 4
//   store <64 x i32> %43, ptr %phi2, align 256
//   br label %for.cond.i.i.v
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %edge6
//   %45 = load <64 x i32>, ptr %phi7, align 256
//   %46 = load i64, ptr %value, align 8
//   %47 = getelementptr inbounds nuw i32, ptr addrspace(1) %13, i64 %46
//   store <64 x i32> %45, ptr addrspace(1) %47, align 4, !tbaa !1, !llvm.access.group !6
//   %48 = add nuw nsw i64 %vector, 1
//   store i64 %48, ptr %value9, align 8
//   %.splatinsert10 = insertelement <64 x i64> poison, i64 %vector, i64 0
//   %.splat11 = shufflevector <64 x i64> %.splatinsert10, <64 x i64> poison, <64 x i32> zeroinitializer
//   %49 = add <64 x i64> %.splat11, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15, i64 16, i64 17, i64 18, i64 19, i64 20, i64 21, i64 22, i64 23, i64 24, i64 25, i64 26, i64 27, i64 28, i64 29, i64 30, i64 31, i64 32, i64 33, i64 34, i64 35, i64 36, i64 37, i64 38, i64 39, i64 40, i64 41, i64 42, i64 43, i64 44, i64 45, i64 46, i64 47, i64 48, i64 49, i64 50, i64 51, i64 52, i64 53, i64 54, i64 55, i64 56, i64 57, i64 58, i64 59, i64 60, i64 61, i64 62, i64 63>
//   %50 = icmp samesign ult <64 x i64> %49, splat (i64 63)
//   %51 = add i64 %vector, 64
//   %52 = sub i64 %51, 0
//   %53 = icmp ult i64 %52, 64
//   br i1 %53, label %items.x.i.v, label %vector.leave, !llvm.loop !14
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   br i1 false, label %items.x.i, label %k.group.exit
//
// edge:                                             ; preds = %for.cond.i.i.v
//   br label %for.body.i.i.v
//
// edge6:                                            ; preds = %for.cond.i.i.v
//   store <64 x i32> %35, ptr %phi7, align 256
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//
