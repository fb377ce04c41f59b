//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! lanes = 4
// The loads of `re` and `im` share two consecutive loads. The load of `b[3 * x]` becomes three loads
// that do not read past its last lane. The stores of both fields become two consecutive stores, and
// the store with gaps becomes masked stores.
struct complex {
  float re, im;
};
kernel void k(global const struct complex *a, global const int *b, global struct complex *c,
              global int *d) {
  size_t x = get_local_id(0);
  float re = a[x].re, im = a[x].im;
  int v = b[3 * x];
  c[x].re = re * re - im * im;
  c[x].im = 2 * re * im;
  d[2 * x + 1] = v;
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #2 {
// entry:
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
//   %18 = load ptr addrspace(1), ptr %17, align 8, !invariant.load !5
//   %19 = getelementptr inbounds nuw i8, ptr %packed, i64 24
//   %20 = load ptr addrspace(1), ptr %19, align 8, !invariant.load !5
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %38, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %35, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %32, %k.group.exit ]
//   %21 = shl nuw i64 %gx, 6
//   %22 = sub i64 %13, %21
//   %23 = call i64 @llvm.umin.i64(i64 %22, i64 64)
//   br label %vector.check
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %items.x.i
//   %local.x.i = phi i64 [ %30, %items.x.i ], [ 0, %vector.check ], [ %84, %vector.leave ]
//   %arrayidx.i.i = getelementptr inbounds nuw %struct.complex, ptr addrspace(1) %14, i64 %local.x.i
//   %24 = load float, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !6, !llvm.access.group !9
//   %im3.i.i = getelementptr inbounds nuw i8, ptr addrspace(1) %arrayidx.i.i, i64 4
//   %25 = load float, ptr addrspace(1) %im3.i.i, align 4, !tbaa !10, !llvm.access.group !9
//   %arrayidx4.i.idx.i = mul i64 %local.x.i, 12
//   %arrayidx4.i.i = getelementptr inbounds nuw i8, ptr addrspace(1) %16, i64 %arrayidx4.i.idx.i
//   %26 = load i32, ptr addrspace(1) %arrayidx4.i.i, align 4, !tbaa !1, !llvm.access.group !9
//   %27 = fneg float %25
//   %neg.i.i = fmul float %25, %27
//   %28 = call float @llvm.fmuladd.f32(float %24, float %24, float %neg.i.i)
//   %arrayidx7.i.i = getelementptr inbounds nuw %struct.complex, ptr addrspace(1) %18, i64 %local.x.i
//   store float %28, ptr addrspace(1) %arrayidx7.i.i, align 4, !tbaa !6, !llvm.access.group !9
//   %mul9.i.i = fmul float %24, 2.000000e+00
//   %mul10.i.i = fmul float %mul9.i.i, %25
//   %im12.i.i = getelementptr inbounds nuw i8, ptr addrspace(1) %arrayidx7.i.i, i64 4
//   store float %mul10.i.i, ptr addrspace(1) %im12.i.i, align 4, !tbaa !10, !llvm.access.group !9
//   %.idx.i = shl i64 %local.x.i, 3
//   %29 = getelementptr inbounds nuw i8, ptr addrspace(1) %20, i64 %.idx.i
//   %arrayidx14.i.i = getelementptr inbounds nuw i8, ptr addrspace(1) %29, i64 4
//   store i32 %26, ptr addrspace(1) %arrayidx14.i.i, align 4, !tbaa !1, !llvm.access.group !9
//   %30 = add nuw i64 %local.x.i, 1
//   %31 = icmp ult i64 %30, %23
//   br i1 %31, label %items.x.i, label %k.group.exit, !llvm.loop !11
//
// k.group.exit:                                     ; preds = %vector.leave, %items.x.i
//   %32 = add nuw i64 %gx, 1
//   %33 = add nuw i64 %0, %6
//   %34 = icmp ult i64 %32, %33
//   br i1 %34, label %group.x, label %group.next, !llvm.loop !15
//
// group.next:                                       ; preds = %k.group.exit
//   %35 = add nuw i64 %gy, 1
//   %36 = add nuw i64 %2, %8
//   %37 = icmp ult i64 %35, %36
//   br i1 %37, label %group.y, label %group.next1, !llvm.loop !16
//
// group.next1:                                      ; preds = %group.next
//   %38 = add nuw i64 %gz, 1
//   %39 = add nuw i64 %4, %10
//   %40 = icmp ult i64 %38, %39
//   br i1 %40, label %group.z, label %exit, !llvm.loop !17
//
// vector.check:                                     ; preds = %group.x
//   %41 = sub i64 %23, 0
//   %42 = and i64 %41, -4
//   %43 = icmp eq i64 %42, 0
//   br i1 %43, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %items.x.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %81, %items.x.i.v ]
//   %44 = getelementptr inbounds nuw %struct.complex, ptr addrspace(1) %14, i64 %vector
//   %45 = load <4 x float>, ptr addrspace(1) %44, align 4
//   %46 = getelementptr i8, ptr addrspace(1) %44, i64 16
//   %47 = load <4 x float>, ptr addrspace(1) %46, align 4
//   %48 = shufflevector <4 x float> %45, <4 x float> %47, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
//   %49 = shufflevector <4 x float> %45, <4 x float> %47, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
//   %50 = getelementptr inbounds nuw i8, ptr addrspace(1) %44, i64 4
//   %51 = mul i64 %vector, 12
//   %52 = getelementptr inbounds nuw i8, ptr addrspace(1) %16, i64 %51
//   %53 = load <4 x i32>, ptr addrspace(1) %52, align 4, !tbaa !1, !llvm.access.group !9
//   %54 = getelementptr i8, ptr addrspace(1) %52, i64 16
//   %55 = load <4 x i32>, ptr addrspace(1) %54, align 4, !tbaa !1, !llvm.access.group !9
//   %56 = getelementptr i8, ptr addrspace(1) %52, i64 24
//   %57 = load <4 x i32>, ptr addrspace(1) %56, align 4, !tbaa !1, !llvm.access.group !9
//   %58 = shufflevector <4 x i32> %53, <4 x i32> %55, <4 x i32> <i32 0, i32 3, i32 6, i32 poison>
//   %59 = shufflevector <4 x i32> %57, <4 x i32> %57, <4 x i32> <i32 poison, i32 poison, i32 poison, i32 3>
//   %60 = shufflevector <4 x i32> %58, <4 x i32> %59, <4 x i32> <i32 0, i32 1, i32 2, i32 7>
//   %61 = fneg <4 x float> %49
//   %62 = fmul <4 x float> %49, %61
//   %63 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %48, <4 x float> %48, <4 x float> %62)
//   %64 = getelementptr inbounds nuw %struct.complex, ptr addrspace(1) %18, i64 %vector
//   %65 = fmul <4 x float> %48, splat (float 2.000000e+00)
//   %66 = fmul <4 x float> %65, %49
//   %67 = getelementptr inbounds nuw i8, ptr addrspace(1) %64, i64 4
//   %68 = getelementptr i8, ptr addrspace(1) %67, i64 -4
//   %69 = shufflevector <4 x float> %63, <4 x float> %66, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
//   store <4 x float> %69, ptr addrspace(1) %68, align 4
//   %70 = shufflevector <4 x float> %63, <4 x float> %66, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
//   %71 = getelementptr i8, ptr addrspace(1) %68, i64 16
//   store <4 x float> %70, ptr addrspace(1) %71, align 4
//   %72 = shl i64 %vector, 3
//   %73 = getelementptr inbounds nuw i8, ptr addrspace(1) %20, i64 %72
//   %74 = getelementptr inbounds nuw i8, ptr addrspace(1) %73, i64 4
//   %75 = shufflevector <4 x i32> %60, <4 x i32> %60, <4 x i32> <i32 0, i32 poison, i32 1, i32 poison>
//   call void @llvm.masked.store.v4i32.p1(<4 x i32> %75, ptr addrspace(1) align 4 %74, <4 x i1> <i1 true, i1 false, i1 true, i1 false>), !tbaa !1, !llvm.access.group !9
//   %76 = shufflevector <4 x i32> %60, <4 x i32> %60, <4 x i32> <i32 2, i32 poison, i32 3, i32 poison>
//   %77 = getelementptr i8, ptr addrspace(1) %74, i64 16
//   call void @llvm.masked.store.v4i32.p1(<4 x i32> %76, ptr addrspace(1) align 4 %77, <4 x i1> <i1 true, i1 false, i1 true, i1 false>), !tbaa !1, !llvm.access.group !9
//   %78 = add nuw i64 %vector, 1
//   %.splatinsert = insertelement <4 x i64> poison, i64 %78, i64 0
//   %.splat = shufflevector <4 x i64> %.splatinsert, <4 x i64> poison, <4 x i32> zeroinitializer
//   %79 = add <4 x i64> %.splat, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert2 = insertelement <4 x i64> poison, i64 %23, i64 0
//   %.splat3 = shufflevector <4 x i64> %.splatinsert2, <4 x i64> poison, <4 x i32> zeroinitializer
//   %80 = icmp ult <4 x i64> %79, %.splat3
//   %81 = add i64 %vector, 4
//   %82 = sub i64 %81, 0
//   %83 = icmp ult i64 %82, %42
//   br i1 %83, label %items.x.i.v, label %vector.leave, !llvm.loop !18
//
// vector.leave:                                     ; preds = %items.x.i.v
//   %84 = add i64 0, %42
//   %85 = icmp ne i64 %42, %41
//   br i1 %85, label %items.x.i, label %k.group.exit
// }
//
