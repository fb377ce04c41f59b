//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! lanes = 4
// The address of the load grows in the inner loop by the same amount in all lanes. So it keeps the
// stride of one element from lane to lane, and the load is one access of a vector.
kernel void k(global const int *a, global int *out, int rows) {
  uint x = get_local_id(0);
  global const int *p = a + x;
  int sum = 0;
  for (int r = 0; r < rows; r++, p += 64)
    sum += *p;
  out[x] = sum;
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #1 {
// entry:
//   %value8 = alloca i64, align 8
//   %value7 = alloca i32, align 4
//   %value6 = alloca <4 x i32>, align 16
//   %value = alloca ptr addrspace(1), align 8
//   %phi5 = alloca <4 x i32>, align 16
//   %phi3 = alloca ptr addrspace(1), align 8
//   %phi2 = alloca <4 x i32>, align 16
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
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %31, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %28, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %25, %k.group.exit ]
//   %19 = shl nuw i64 %gx, 6
//   %20 = sub i64 %13, %19
//   %21 = call i64 @llvm.umin.i64(i64 %20, i64 64)
//   br label %vector.check
//
// for.cond.i.i:                                     ; preds = %for.body.i.i, %items.x.i
//   %r.i.0.i = phi i32 [ 0, %items.x.i ], [ %inc.i.i, %for.body.i.i ]
//   %sum.i.0.i = phi i32 [ 0, %items.x.i ], [ %add.i.i, %for.body.i.i ]
//   %p.i.0.i = phi ptr addrspace(1) [ %add.ptr.i.i, %items.x.i ], [ %add.ptr2.i.i, %for.body.i.i ]
//   %cmp.i.i = icmp slt i32 %r.i.0.i, %18
//   br i1 %cmp.i.i, label %for.body.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// for.body.i.i:                                     ; preds = %for.cond.i.i
//   %22 = load i32, ptr addrspace(1) %p.i.0.i, align 4, !tbaa !1, !llvm.access.group !6
//   %add.i.i = add nsw i32 %sum.i.0.i, %22
//   %inc.i.i = add nuw nsw i32 %r.i.0.i, 1
//   %add.ptr2.i.i = getelementptr inbounds nuw i8, ptr addrspace(1) %p.i.0.i, i64 256
//   br label %for.cond.i.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %for.cond.i.i
//   %sum.i.0.i.lcssa = phi i32 [ %sum.i.0.i, %for.cond.i.i ]
//   %arrayidx.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %16, i64 %idx.ext.i.i
//   store i32 %sum.i.0.i.lcssa, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %23 = add nuw i64 %local.x.i, 1
//   %24 = icmp ult i64 %23, %21
//   br i1 %24, label %items.x.i, label %k.group.exit, !llvm.loop !7
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %23, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ %59, %vector.leave ]
//   %idx.ext.i.i = and i64 %local.x.i, 4294967295
//   %add.ptr.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %idx.ext.i.i
//   br label %for.cond.i.i
//
// k.group.exit:                                     ; preds = %vector.leave, %__clang_ocl_kern_imp_k.exit.i
//   %25 = add nuw i64 %gx, 1
//   %26 = add nuw i64 %0, %6
//   %27 = icmp ult i64 %25, %26
//   br i1 %27, label %group.x, label %group.next, !llvm.loop !11
//
// group.next:                                       ; preds = %k.group.exit
//   %28 = add nuw i64 %gy, 1
//   %29 = add nuw i64 %2, %8
//   %30 = icmp ult i64 %28, %29
//   br i1 %30, label %group.y, label %group.next1, !llvm.loop !12
//
// group.next1:                                      ; preds = %group.next
//   %31 = add nuw i64 %gz, 1
//   %32 = add nuw i64 %4, %10
//   %33 = icmp ult i64 %31, %32
//   br i1 %33, label %group.z, label %exit, !llvm.loop !13
//
// vector.check:                                     ; preds = %group.x
//   %34 = sub i64 %21, 0
//   %35 = and i64 %34, -4
//   %36 = icmp eq i64 %35, 0
//   br i1 %36, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %56, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store i32 poison, ptr %phi, align 4
//   store <4 x i32> poison, ptr %phi2, align 16
//   store ptr addrspace(1) poison, ptr %phi3, align 8
//   store <4 x i32> poison, ptr %phi5, align 16
//   %37 = and i64 %vector, 4294967295
//   %38 = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %37
//   store i32 0, ptr %phi, align 4
//   store <4 x i32> zeroinitializer, ptr %phi2, align 16
//   store ptr addrspace(1) %38, ptr %phi3, align 8
//   store i64 %37, ptr %value8, align 8
//   br label %for.cond.i.i.v
//
// for.cond.i.i.v:                                   ; preds = %for.body.i.i.v, %items.x.i.v
//   %39 = load i32, ptr %phi, align 4
//   %40 = load <4 x i32>, ptr %phi2, align 16
//   %41 = load ptr addrspace(1), ptr %phi3, align 8
//   %42 = icmp slt i32 %39, %18
//   store ptr addrspace(1) %41, ptr %value, align 8
//   store <4 x i32> %40, ptr %value6, align 16
//   store i32 %39, ptr %value7, align 4
//   br i1 %42, label %edge, label %edge4
//
// for.body.i.i.v:                                   ; preds = %edge
//   %43 = load ptr addrspace(1), ptr %value, align 8
//   %44 = load <4 x i32>, ptr addrspace(1) %43, align 4, !tbaa !1, !llvm.access.group !6
//   %45 = load <4 x i32>, ptr %value6, align 16
//   %46 = add nsw <4 x i32> %45, %44
//   %47 = load i32, ptr %value7, align 4
//   %48 = add nuw nsw i32 %47, 1
//   %49 = getelementptr inbounds nuw i8, ptr addrspace(1) %43, i64 256
//   store i32 %48, ptr %phi, align 4
//   store <4 x i32> %46, ptr %phi2, align 16
//   store ptr addrspace(1) %49, ptr %phi3, align 8
//   br label %for.cond.i.i.v
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %edge4
//   %50 = load <4 x i32>, ptr %phi5, align 16
//   %51 = load i64, ptr %value8, align 8
//   %52 = getelementptr inbounds nuw i32, ptr addrspace(1) %16, i64 %51
//   store <4 x i32> %50, ptr addrspace(1) %52, align 4, !tbaa !1, !llvm.access.group !6
//   %53 = add nuw i64 %vector, 1
//   %.splatinsert = insertelement <4 x i64> poison, i64 %53, i64 0
//   %.splat = shufflevector <4 x i64> %.splatinsert, <4 x i64> poison, <4 x i32> zeroinitializer
//   %54 = add <4 x i64> %.splat, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert9 = insertelement <4 x i64> poison, i64 %21, i64 0
//   %.splat10 = shufflevector <4 x i64> %.splatinsert9, <4 x i64> poison, <4 x i32> zeroinitializer
//   %55 = icmp ult <4 x i64> %54, %.splat10
//   %56 = add i64 %vector, 4
//   %57 = sub i64 %56, 0
//   %58 = icmp ult i64 %57, %35
//   br i1 %58, label %items.x.i.v, label %vector.leave, !llvm.loop !14
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %59 = add i64 0, %35
//   %60 = icmp ne i64 %35, %34
//   br i1 %60, label %items.x.i, label %k.group.exit
//
// edge:                                             ; preds = %for.cond.i.i.v
//   br label %for.body.i.i.v
//
// edge4:                                            ; preds = %for.cond.i.i.v
//   store <4 x i32> %40, ptr %phi5, align 16
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//
