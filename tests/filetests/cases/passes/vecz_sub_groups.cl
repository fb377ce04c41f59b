//! test = "vecz"
//! functions = ["muxcl.kernel.k.group"]
//! local = [64]
//! lanes = 4
// A sub-group becomes one vector of 16 lanes, although other loops would get 4. The mask excludes
// lanes without a work-item. The reduction combines the lanes that take the branch.
kernel void k(global uint *a) {
  uint x = get_global_id(0);
  uint v = a[x];
  if (v > 9)
    v += sub_group_non_uniform_reduce_max(v);
  a[x] = v + sub_group_shuffle_xor(v, 1);
}
//---- expected ----
// ; Function Attrs: convergent noinline nounwind
// define internal void @muxcl.kernel.k.group(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched, i64 %0, i64 %1, i64 %2) #7 {
// entry:
//   %value9 = alloca ptr addrspace(1), align 8
//   %value = alloca <16 x i32>, align 64
//   %phi = alloca <16 x i32>, align 64
//   %mask2 = alloca <16 x i1>, align 2
//   %mask1 = alloca <16 x i1>, align 2
//   %mask = alloca <16 x i1>, align 2
//   %3 = getelementptr inbounds nuw i8, ptr %sched, i64 112
//   %4 = load ptr, ptr %3, align 8, !invariant.load !5
//   %5 = load i64, ptr %4, align 8, !invariant.load !5
//   %6 = load ptr addrspace(1), ptr %packed, align 8, !invariant.load !5
//   %7 = shl nuw i64 %0, 6
//   %8 = sub i64 %5, %7
//   %9 = call i64 @llvm.umin.i64(i64 %8, i64 64)
//   %10 = add nuw nsw i64 %9, 15
//   %11 = lshr i64 %10, 4
//   br label %items.header3.i
//
// items.next.i:                                     ; preds = %vector.leave
//   %12 = add nuw i64 %sub.group.i, 1
//   %13 = icmp ult i64 %12, %11
//   br i1 %13, label %items.header3.i, label %k.group.exit
//
// items.header3.i:                                  ; preds = %items.next.i, %entry
//   %sub.group.i = phi i64 [ 0, %entry ], [ %12, %items.next.i ]
//   %14 = shl nuw i64 %sub.group.i, 4
//   %15 = sub i64 %9, %14
//   %16 = call i64 @llvm.umin.i64(i64 %15, i64 16)
//   br label %vector.check
//
// k.group.exit:                                     ; preds = %items.next.i
//   ret void
//
// vector.check:                                     ; preds = %items.header3.i
//   br label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.header.i.v
//
// items.header.i.v:                                 ; preds = %vector.enter
//   store <16 x i32> poison, ptr %phi, align 64
//   store <16 x i1> zeroinitializer, ptr %mask, align 2
//   store <16 x i1> zeroinitializer, ptr %mask1, align 2
//   store <16 x i1> zeroinitializer, ptr %mask2, align 2
//   %.splatinsert = insertelement <16 x i64> poison, i64 %16, i64 0
//   %.splat = shufflevector <16 x i64> %.splatinsert, <16 x i64> poison, <16 x i32> zeroinitializer
//   %17 = icmp samesign ult <16 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15>, %.splat
//   %18 = xor <16 x i1> splat (i1 true), %17
//   %19 = load <16 x i1>, ptr %mask, align 2
//   %20 = or <16 x i1> %19, %17
//   store <16 x i1> %20, ptr %mask, align 2
//   br label %entry.i.v
//
// entry.i.v:                                        ; preds = %items.header.i.v
//   %21 = load <16 x i1>, ptr %mask, align 2
//   %22 = add i64 %14, 0
//   %23 = add i64 %7, %22
//   %24 = and i64 %23, 4294967295
//   %25 = getelementptr i32, ptr addrspace(1) %6, i64 %24
//   %26 = call <16 x i32> @llvm.masked.load.v16i32.p1(ptr addrspace(1) align 4 %25, <16 x i1> %21, <16 x i32> poison), !tbaa !1, !llvm.access.group !12
//   %27 = icmp ugt <16 x i32> %26, splat (i32 9)
//   %28 = select <16 x i1> %21, <16 x i1> %27, <16 x i1> zeroinitializer
//   %29 = xor <16 x i1> %21, %28
//   %30 = load <16 x i1>, ptr %mask1, align 2
//   %31 = or <16 x i1> %30, %28
//   store <16 x i1> %31, ptr %mask1, align 2
//   %32 = load <16 x i32>, ptr %phi, align 64
//   %33 = select <16 x i1> %29, <16 x i32> %26, <16 x i32> %32
//   store <16 x i32> %33, ptr %phi, align 64
//   %34 = load <16 x i1>, ptr %mask2, align 2
//   %35 = or <16 x i1> %34, %29
//   store <16 x i1> %35, ptr %mask2, align 2
//   %36 = load <16 x i1>, ptr %mask1, align 2
//   %37 = call i1 @llvm.vector.reduce.or.v16i1(<16 x i1> %36)
//   store <16 x i32> %26, ptr %value, align 64
//   store ptr addrspace(1) %25, ptr %value9, align 8
//   br i1 %37, label %if.then.i.i.v, label %skip
//
// if.then.i.i.v:                                    ; preds = %entry.i.v
//   %38 = load <16 x i1>, ptr %mask1, align 2
//   %39 = load <16 x i32>, ptr %value, align 64
//   %40 = select <16 x i1> %38, <16 x i32> %39, <16 x i32> zeroinitializer
//   %41 = call i32 @llvm.vector.reduce.umax.v16i32(<16 x i32> %40)
//   %.splatinsert4 = insertelement <16 x i32> poison, i32 %41, i64 0
//   %.splat5 = shufflevector <16 x i32> %.splatinsert4, <16 x i32> poison, <16 x i32> zeroinitializer
//   %42 = add <16 x i32> %39, %.splat5
//   %43 = load <16 x i32>, ptr %phi, align 64
//   %44 = select <16 x i1> %38, <16 x i32> %42, <16 x i32> %43
//   store <16 x i32> %44, ptr %phi, align 64
//   %45 = load <16 x i1>, ptr %mask2, align 2
//   %46 = or <16 x i1> %45, %38
//   store <16 x i1> %46, ptr %mask2, align 2
//   %47 = load <16 x i1>, ptr %mask2, align 2
//   %48 = call i1 @llvm.vector.reduce.or.v16i1(<16 x i1> %47)
//   br i1 %48, label %__clang_ocl_kern_imp_k.exit.i.v, label %skip6
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %if.then.i.i.v, %skip
//   %49 = load <16 x i1>, ptr %mask2, align 2
//   %50 = load <16 x i32>, ptr %phi, align 64
//   %51 = trunc i64 0 to i32
//   %.splatinsert7 = insertelement <16 x i32> poison, i32 %51, i64 0
//   %.splat8 = shufflevector <16 x i32> %.splatinsert7, <16 x i32> poison, <16 x i32> zeroinitializer
//   %52 = add <16 x i32> %.splat8, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
//   %53 = xor <16 x i32> %52, splat (i32 1)
//   %54 = shufflevector <16 x i32> %50, <16 x i32> poison, <16 x i32> <i32 1, i32 0, i32 3, i32 2, i32 5, i32 4, i32 7, i32 6, i32 9, i32 8, i32 11, i32 10, i32 13, i32 12, i32 15, i32 14>
//   %55 = add <16 x i32> %50, %54
//   %56 = load ptr addrspace(1), ptr %value9, align 8
//   call void @llvm.masked.store.v16i32.p1(<16 x i32> %55, ptr addrspace(1) align 4 %56, <16 x i1> %49), !tbaa !1, !llvm.access.group !12
//   br label %items.latch.i.v
//
// items.latch.i.v:                                  ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %skip6, %skip3
//   %57 = add nuw nsw i64 0, 1
//   br label %vector.leave
//
// vector.leave:                                     ; preds = %items.latch.i.v
//   br label %items.next.i
//
// skip:                                             ; preds = %entry.i.v
//   %58 = load <16 x i1>, ptr %mask2, align 2
//   %59 = call i1 @llvm.vector.reduce.or.v16i1(<16 x i1> %58)
//   br i1 %59, label %__clang_ocl_kern_imp_k.exit.i.v, label %skip3
//
// skip3:                                            ; preds = %skip
//   br label %items.latch.i.v
//
// skip6:                                            ; preds = %if.then.i.i.v
//   br label %items.latch.i.v
// }
//
