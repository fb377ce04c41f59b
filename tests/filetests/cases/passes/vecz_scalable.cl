//! test = "vecz"
//! functions = ["muxcl.kernel.k.groups"]
//! isa = "RV64GCV"
//! local = [64]
//! lanes = 8
// Tests scalable vectors. The compiler does not know the length of the vector registers, so a
// vector has `vscale` times 4 lanes: 8 with the shortest registers, for which `vscale` is 2. The
// number of whole vectors is computed at run time. The remaining work-items run under a mask.
kernel void k(global const float2 *in, global int *out) {
  uint x = get_local_id(0);
  float2 v = in[x];
  if (v.x > v.y) out[x] = v.x * 3;
}
//---- expected ----
// ; Function Attrs: noinline nounwind
// define internal void @muxcl.kernel.k.groups(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #1 {
// entry:
//   %value2 = alloca i64, align 8
//   %value = alloca <vscale x 4 x float>, align 16
//   %mask = alloca <vscale x 4 x i1>, align 1
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
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %26, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %23, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %20, %k.group.exit ]
//   %17 = shl nuw i64 %gx, 6
//   %18 = sub i64 %13, %17
//   %19 = call i64 @llvm.umin.i64(i64 %18, i64 64)
//   br label %vector.enter
//
// k.group.exit:                                     ; preds = %vector.leave
//   %20 = add nuw i64 %gx, 1
//   %21 = add nuw i64 %0, %6
//   %22 = icmp ult i64 %20, %21
//   br i1 %22, label %group.x, label %group.next, !llvm.loop !6
//
// group.next:                                       ; preds = %k.group.exit
//   %23 = add nuw i64 %gy, 1
//   %24 = add nuw i64 %2, %8
//   %25 = icmp ult i64 %23, %24
//   br i1 %25, label %group.y, label %group.next1, !llvm.loop !10
//
// group.next1:                                      ; preds = %group.next
//   %26 = add nuw i64 %gz, 1
//   %27 = add nuw i64 %4, %10
//   %28 = icmp ult i64 %26, %27
//   br i1 %28, label %group.z, label %exit, !llvm.loop !11
//
// vector.enter:                                     ; preds = %group.x
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %54, %__clang_ocl_kern_imp_k.exit.i.v ]
//   %29 = sub i64 %19, %vector
//   %30 = call i64 @llvm.riscv.vsetvli.i64(i64 %29, i64 2, i64 1)
//   %31 = trunc i64 %30 to i32
//   %32 = zext i32 %31 to i64
//   store <vscale x 4 x i1> zeroinitializer, ptr %mask, align 1
//   %33 = and i64 %vector, 4294967295
//   %34 = getelementptr inbounds nuw <2 x float>, ptr addrspace(1) %14, i64 %33
//   %35 = mul i32 %31, 2
//   %36 = call <vscale x 8 x float> @llvm.vp.load.nxv8f32.p1(ptr addrspace(1) align 8 %34, <vscale x 8 x i1> splat (i1 true), i32 %35), !tbaa !12, !llvm.access.group !13
//   %37 = call { <vscale x 4 x float>, <vscale x 4 x float> } @llvm.vector.deinterleave2.nxv8f32(<vscale x 8 x float> %36)
//   %38 = extractvalue { <vscale x 4 x float>, <vscale x 4 x float> } %37, 0
//   %39 = extractvalue { <vscale x 4 x float>, <vscale x 4 x float> } %37, 1
//   %40 = fcmp ogt <vscale x 4 x float> %38, %39
//   %41 = xor <vscale x 4 x i1> splat (i1 true), %40
//   %42 = load <vscale x 4 x i1>, ptr %mask, align 1
//   %43 = or <vscale x 4 x i1> %42, %40
//   store <vscale x 4 x i1> %43, ptr %mask, align 1
//   store <vscale x 4 x float> %38, ptr %value, align 16
//   store i64 %33, ptr %value2, align 8
//   br label %if.then.i.i.v
//
// if.then.i.i.v:                                    ; preds = %items.x.i.v
//   %44 = load <vscale x 4 x i1>, ptr %mask, align 1
//   %45 = load <vscale x 4 x float>, ptr %value, align 16
//   %46 = fmul <vscale x 4 x float> %45, splat (float 3.000000e+00)
//   %47 = fptosi <vscale x 4 x float> %46 to <vscale x 4 x i32>
//   %48 = load i64, ptr %value2, align 8
//   %49 = getelementptr i32, ptr addrspace(1) %16, i64 %48
//   call void @llvm.vp.store.nxv4i32.p1(<vscale x 4 x i32> %47, ptr addrspace(1) align 4 %49, <vscale x 4 x i1> %44, i32 %31), !tbaa !1, !llvm.access.group !13
//   br label %__clang_ocl_kern_imp_k.exit.i.v
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %if.then.i.i.v
//   %50 = add nuw i64 %vector, 1
//   %.splatinsert = insertelement <vscale x 4 x i64> poison, i64 %50, i64 0
//   %.splat = shufflevector <vscale x 4 x i64> %.splatinsert, <vscale x 4 x i64> poison, <vscale x 4 x i32> zeroinitializer
//   %51 = call <vscale x 4 x i64> @llvm.stepvector.nxv4i64()
//   %52 = add <vscale x 4 x i64> %.splat, %51
//   %.splatinsert3 = insertelement <vscale x 4 x i64> poison, i64 %19, i64 0
//   %.splat4 = shufflevector <vscale x 4 x i64> %.splatinsert3, <vscale x 4 x i64> poison, <vscale x 4 x i32> zeroinitializer
//   %53 = icmp ult <vscale x 4 x i64> %52, %.splat4
//   %54 = add i64 %vector, %32
//   %55 = icmp ult i64 %54, %19
//   br i1 %55, label %items.x.i.v, label %vector.leave, !llvm.loop !14
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %56 = sub i32 %31, 1
//   br label %k.group.exit
// }
//
