//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [256]
//! cpu = "x86-64-v4"
//! cost_model = true
// Each iteration of the inner loop loads bytes from other cache lines. 64 lanes load a whole line.
kernel void k(global const uchar *in, global uint *out, int n) {
  uint sum = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) sum += in[i] >> 4;
  out[get_global_id(0)] = sum;
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #1 {
// entry:
//   %value8 = alloca i64, align 8
//   %value7 = alloca <64 x i32>, align 256
//   %value = alloca i64, align 8
//   %phi6 = alloca <64 x i32>, align 256
//   %phi3 = alloca <64 x i32>, align 256
//   %phi = alloca i64, align 8
//   %mask2 = alloca <64 x i1>, align 8
//   %mask = alloca <64 x i1>, align 8
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
//   %11 = getelementptr inbounds nuw i8, ptr %sched, i64 24
//   %12 = load i64, ptr %11, align 8, !invariant.load !5
//   %13 = shl nuw i64 %12, 8
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
//   %19 = shl nuw i64 %gx, 8
//   br label %vector.check
//
// for.cond.i.i:                                     ; preds = %for.body.i.i, %items.x.i
//   %i.i.0.in.i = phi i64 [ %24, %items.x.i ], [ %add5.i.i, %for.body.i.i ]
//   %sum.i.0.i = phi i32 [ 0, %items.x.i ], [ %add.i.i, %for.body.i.i ]
//   %i.i.0.i = trunc i64 %i.i.0.in.i to i32
//   %cmp.i.i = icmp sgt i32 %18, %i.i.0.i
//   br i1 %cmp.i.i, label %for.body.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// for.body.i.i:                                     ; preds = %for.cond.i.i
//   %sext.i = shl i64 %i.i.0.in.i, 32
//   %idxprom.i.i = ashr exact i64 %sext.i, 32
//   %arrayidx.i.i = getelementptr inbounds i8, ptr addrspace(1) %14, i64 %idxprom.i.i
//   %20 = load i8, ptr addrspace(1) %arrayidx.i.i, align 1, !tbaa !6, !llvm.access.group !7
//   %21 = lshr i8 %20, 4
//   %shr.i.i = zext nneg i8 %21 to i32
//   %add.i.i = add i32 %sum.i.0.i, %shr.i.i
//   %add5.i.i = add i64 %idxprom.i.i, %13
//   br label %for.cond.i.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %for.cond.i.i
//   %sum.i.0.i.lcssa = phi i32 [ %sum.i.0.i, %for.cond.i.i ]
//   %arrayidx8.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %16, i64 %24
//   store i32 %sum.i.0.i.lcssa, ptr addrspace(1) %arrayidx8.i.i, align 4, !tbaa !1, !llvm.access.group !7
//   %22 = add nuw nsw i64 %local.x.i, 1
//   %23 = icmp samesign ult i64 %local.x.i, 255
//   br i1 %23, label %items.x.i, label %k.group.exit, !llvm.loop !8
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %22, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ 256, %vector.leave ]
//   %24 = or disjoint i64 %19, %local.x.i
//   br label %for.cond.i.i
//
// k.group.exit:                                     ; preds = %vector.leave, %__clang_ocl_kern_imp_k.exit.i
//   %25 = add nuw i64 %gx, 1
//   %26 = add nuw i64 %0, %6
//   %27 = icmp ult i64 %25, %26
//   br i1 %27, label %group.x, label %group.next, !llvm.loop !12
//
// group.next:                                       ; preds = %k.group.exit
//   %28 = add nuw i64 %gy, 1
//   %29 = add nuw i64 %2, %8
//   %30 = icmp ult i64 %28, %29
//   br i1 %30, label %group.y, label %group.next1, !llvm.loop !13
//
// group.next1:                                      ; preds = %group.next
//   %31 = add nuw i64 %gz, 1
//   %32 = add nuw i64 %4, %10
//   %33 = icmp ult i64 %31, %32
//   br i1 %33, label %group.z, label %exit, !llvm.loop !14
//
// vector.check:                                     ; preds = %group.x
//   br i1 false, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %65, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store i64 poison, ptr %phi, align 8
//   store <64 x i32> poison, ptr %phi3, align 256
//   store <64 x i32> poison, ptr %phi6, align 256
//   %34 = add i64 %19, %vector
//   store i64 %34, ptr %phi, align 8
//   store <64 x i32> zeroinitializer, ptr %phi3, align 256
//   store <64 x i1> splat (i1 true), ptr %mask, align 8
//   store i64 %34, ptr %value8, align 8
//   br label %for.cond.i.i.v
//
// for.cond.i.i.v:                                   ; preds = %for.body.i.i.v, %items.x.i.v
//   %35 = load <64 x i1>, ptr %mask, align 8
//   store <64 x i1> zeroinitializer, ptr %mask2, align 8
//   %36 = load i64, ptr %phi, align 8
//   %37 = load <64 x i32>, ptr %phi3, align 256
//   %38 = trunc i64 %36 to i32
//   %.splatinsert = insertelement <64 x i32> poison, i32 %18, i64 0
//   %.splat = shufflevector <64 x i32> %.splatinsert, <64 x i32> poison, <64 x i32> zeroinitializer
//   %.splatinsert4 = insertelement <64 x i32> poison, i32 %38, i64 0
//   %.splat5 = shufflevector <64 x i32> %.splatinsert4, <64 x i32> poison, <64 x i32> zeroinitializer
//   %39 = add <64 x i32> %.splat5, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63>
//   %40 = icmp sgt <64 x i32> %.splat, %39
//   %41 = select <64 x i1> %35, <64 x i1> %40, <64 x i1> zeroinitializer
//   %42 = xor <64 x i1> %35, %41
//   %43 = load <64 x i1>, ptr %mask2, align 8
//   %44 = or <64 x i1> %43, %41
//   store <64 x i1> %44, ptr %mask2, align 8
//   %45 = load <64 x i32>, ptr %phi6, align 256
//   %46 = select <64 x i1> %42, <64 x i32> %37, <64 x i32> %45
//   store <64 x i32> %46, ptr %phi6, align 256
//   store i64 %36, ptr %value, align 8
//   store <64 x i32> %37, ptr %value7, align 256
//   br label %for.body.i.i.v
//
// for.body.i.i.v:                                   ; preds = %for.cond.i.i.v
//   %47 = load <64 x i1>, ptr %mask2, align 8
//   %48 = load i64, ptr %value, align 8
//   %49 = shl i64 %48, 32
//   %50 = ashr i64 %49, 32
//   %51 = getelementptr i8, ptr addrspace(1) %14, i64 %50
//   %52 = call <64 x i8> @llvm.masked.load.v64i8.p1(ptr addrspace(1) align 1 %51, <64 x i1> %47, <64 x i8> poison), !tbaa !6, !llvm.access.group !7
//   %53 = lshr <64 x i8> %52, splat (i8 4)
//   %54 = zext nneg <64 x i8> %53 to <64 x i32>
//   %55 = load <64 x i32>, ptr %value7, align 256
//   %56 = add <64 x i32> %55, %54
//   %57 = add i64 %50, %13
//   store i64 %57, ptr %phi, align 8
//   store <64 x i32> %56, ptr %phi3, align 256
//   store <64 x i1> %47, ptr %mask, align 8
//   %58 = call i1 @llvm.vector.reduce.or.v64i1(<64 x i1> %47)
//   br i1 %58, label %for.cond.i.i.v, label %loop.done
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %loop.done
//   %59 = load <64 x i32>, ptr %phi6, align 256
//   %60 = load i64, ptr %value8, align 8
//   %61 = getelementptr inbounds nuw i32, ptr addrspace(1) %16, i64 %60
//   store <64 x i32> %59, ptr addrspace(1) %61, align 4, !tbaa !1, !llvm.access.group !7
//   %62 = add nuw nsw i64 %vector, 1
//   %.splatinsert9 = insertelement <64 x i64> poison, i64 %vector, i64 0
//   %.splat10 = shufflevector <64 x i64> %.splatinsert9, <64 x i64> poison, <64 x i32> zeroinitializer
//   %63 = add <64 x i64> %.splat10, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15, i64 16, i64 17, i64 18, i64 19, i64 20, i64 21, i64 22, i64 23, i64 24, i64 25, i64 26, i64 27, i64 28, i64 29, i64 30, i64 31, i64 32, i64 33, i64 34, i64 35, i64 36, i64 37, i64 38, i64 39, i64 40, i64 41, i64 42, i64 43, i64 44, i64 45, i64 46, i64 47, i64 48, i64 49, i64 50, i64 51, i64 52, i64 53, i64 54, i64 55, i64 56, i64 57, i64 58, i64 59, i64 60, i64 61, i64 62, i64 63>
//   %64 = icmp samesign ult <64 x i64> %63, splat (i64 255)
//   %65 = add i64 %vector, 64
//   %66 = sub i64 %65, 0
//   %67 = icmp ult i64 %66, 256
//   br i1 %67, label %items.x.i.v, label %vector.leave, !llvm.loop !15
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   br i1 false, label %items.x.i, label %k.group.exit
//
// loop.done:                                        ; preds = %for.body.i.i.v
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//
