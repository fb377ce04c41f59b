//! test = "vecz"
//! functions = ["muxcl.kernel.chain"]
//! local = [64]
//! cpu = "x86-64-v4"
//! cost_model = true
// Each function waits for the result of the one before, so an iteration computes four vectors.
kernel void chain(global const float *in, global float *out) {
  size_t i = get_global_id(0);
  float x = in[i];
  out[i] = exp(log(exp(log(x) / (x + 2.0f)) / (x + 3.0f)));
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.chain(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #4 {
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
//   %11 = load ptr addrspace(1), ptr %packed, align 8, !invariant.load !5
//   %12 = getelementptr inbounds nuw i8, ptr %packed, i64 8
//   %13 = load ptr addrspace(1), ptr %12, align 8, !invariant.load !5
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %21, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %18, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %chain.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %15, %chain.group.exit ]
//   %14 = shl nuw i64 %gx, 6
//   br label %vector.check
//
// chain.group.exit:                                 ; preds = %vector.leave
//   %15 = add nuw i64 %gx, 1
//   %16 = add nuw i64 %0, %6
//   %17 = icmp ult i64 %15, %16
//   br i1 %17, label %group.x, label %group.next, !llvm.loop !6
//
// group.next:                                       ; preds = %chain.group.exit
//   %18 = add nuw i64 %gy, 1
//   %19 = add nuw i64 %2, %8
//   %20 = icmp ult i64 %18, %19
//   br i1 %20, label %group.y, label %group.next1, !llvm.loop !10
//
// group.next1:                                      ; preds = %group.next
//   %21 = add nuw i64 %gz, 1
//   %22 = add nuw i64 %4, %10
//   %23 = icmp ult i64 %21, %22
//   br i1 %23, label %group.z, label %exit, !llvm.loop !11
//
// vector.check:                                     ; preds = %group.x
//   br label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %vector.enter
//   %24 = add i64 %14, 0
//   %25 = getelementptr inbounds nuw float, ptr addrspace(1) %11, i64 %24
//   %26 = load <64 x float>, ptr addrspace(1) %25, align 4, !tbaa !12, !llvm.access.group !14
//   %27 = shufflevector <64 x float> %26, <64 x float> %26, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
//   %28 = call <16 x float> @muxcl.lanes.16._Z3logf(<16 x float> %27)
//   %29 = shufflevector <64 x float> %26, <64 x float> %26, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
//   %30 = call <16 x float> @muxcl.lanes.16._Z3logf(<16 x float> %29)
//   %31 = shufflevector <64 x float> %26, <64 x float> %26, <16 x i32> <i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47>
//   %32 = call <16 x float> @muxcl.lanes.16._Z3logf(<16 x float> %31)
//   %33 = shufflevector <64 x float> %26, <64 x float> %26, <16 x i32> <i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63>
//   %34 = call <16 x float> @muxcl.lanes.16._Z3logf(<16 x float> %33)
//   %35 = shufflevector <16 x float> %28, <16 x float> %30, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
//   %36 = shufflevector <16 x float> %32, <16 x float> %34, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
//   %37 = shufflevector <32 x float> %35, <32 x float> %36, <64 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63>
//   %38 = fadd <64 x float> %26, splat (float 2.000000e+00)
//   %39 = fdiv <64 x float> %37, %38, !fpmath !15
//   %40 = shufflevector <64 x float> %39, <64 x float> %39, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
//   %41 = call <16 x float> @muxcl.lanes.16._Z3expf(<16 x float> %40)
//   %42 = shufflevector <64 x float> %39, <64 x float> %39, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
//   %43 = call <16 x float> @muxcl.lanes.16._Z3expf(<16 x float> %42)
//   %44 = shufflevector <64 x float> %39, <64 x float> %39, <16 x i32> <i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47>
//   %45 = call <16 x float> @muxcl.lanes.16._Z3expf(<16 x float> %44)
//   %46 = shufflevector <64 x float> %39, <64 x float> %39, <16 x i32> <i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63>
//   %47 = call <16 x float> @muxcl.lanes.16._Z3expf(<16 x float> %46)
//   %48 = shufflevector <16 x float> %41, <16 x float> %43, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
//   %49 = shufflevector <16 x float> %45, <16 x float> %47, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
//   %50 = shufflevector <32 x float> %48, <32 x float> %49, <64 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63>
//   %51 = fadd <64 x float> %26, splat (float 3.000000e+00)
//   %52 = fdiv <64 x float> %50, %51, !fpmath !15
//   %53 = shufflevector <64 x float> %52, <64 x float> %52, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
//   %54 = call <16 x float> @muxcl.lanes.16._Z3logf(<16 x float> %53)
//   %55 = shufflevector <64 x float> %52, <64 x float> %52, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
//   %56 = call <16 x float> @muxcl.lanes.16._Z3logf(<16 x float> %55)
//   %57 = shufflevector <64 x float> %52, <64 x float> %52, <16 x i32> <i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47>
//   %58 = call <16 x float> @muxcl.lanes.16._Z3logf(<16 x float> %57)
//   %59 = shufflevector <64 x float> %52, <64 x float> %52, <16 x i32> <i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63>
//   %60 = call <16 x float> @muxcl.lanes.16._Z3logf(<16 x float> %59)
//   %61 = shufflevector <16 x float> %54, <16 x float> %56, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
//   %62 = shufflevector <16 x float> %58, <16 x float> %60, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
//   %63 = shufflevector <32 x float> %61, <32 x float> %62, <64 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63>
//   %64 = shufflevector <64 x float> %63, <64 x float> %63, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
//   %65 = call <16 x float> @muxcl.lanes.16._Z3expf(<16 x float> %64)
//   %66 = shufflevector <64 x float> %63, <64 x float> %63, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
//   %67 = call <16 x float> @muxcl.lanes.16._Z3expf(<16 x float> %66)
//   %68 = shufflevector <64 x float> %63, <64 x float> %63, <16 x i32> <i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47>
//   %69 = call <16 x float> @muxcl.lanes.16._Z3expf(<16 x float> %68)
//   %70 = shufflevector <64 x float> %63, <64 x float> %63, <16 x i32> <i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63>
//   %71 = call <16 x float> @muxcl.lanes.16._Z3expf(<16 x float> %70)
//   %72 = shufflevector <16 x float> %65, <16 x float> %67, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
//   %73 = shufflevector <16 x float> %69, <16 x float> %71, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
//   %74 = shufflevector <32 x float> %72, <32 x float> %73, <64 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63>
//   %75 = getelementptr inbounds nuw float, ptr addrspace(1) %13, i64 %24
//   store <64 x float> %74, ptr addrspace(1) %75, align 4, !tbaa !12, !llvm.access.group !14
//   %76 = add nuw nsw i64 0, 1
//   br label %vector.leave
//
// vector.leave:                                     ; preds = %items.x.i.v
//   br label %chain.group.exit
// }
//
