//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! lanes = 4
// Tests calls of library functions that have vector variants. The variant of `pow` is called for
// all lanes, with the argument 1 in lanes outside the mask. `exp` has a uniform argument, so it
// stays one scalar call. `log` of an OpenCL vector becomes a call for each component.
kernel void k(global float *a, global double2 *b, float n) {
  uint x = get_local_id(0);
  float v = a[x];
  if (v > 0) v = pow(v, n);
  a[x] = v + exp(n);
  b[x] = log(b[x]);
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #5 {
// entry:
//   %value5 = alloca i64, align 8
//   %value4 = alloca ptr addrspace(1), align 8
//   %value = alloca <4 x float>, align 16
//   %phi = alloca <4 x float>, align 16
//   %mask = alloca <4 x i1>, align 1
//   %0 = load i64, ptr %sched, align 8, !invariant.load !6
//   %1 = getelementptr inbounds nuw i8, ptr %sched, i64 8
//   %2 = load i64, ptr %1, align 8, !invariant.load !6
//   %3 = getelementptr inbounds nuw i8, ptr %sched, i64 16
//   %4 = load i64, ptr %3, align 8, !invariant.load !6
//   %5 = getelementptr inbounds nuw i8, ptr %sched, i64 88
//   %6 = load i64, ptr %5, align 8, !invariant.load !6
//   %7 = getelementptr inbounds nuw i8, ptr %sched, i64 96
//   %8 = load i64, ptr %7, align 8, !invariant.load !6
//   %9 = getelementptr inbounds nuw i8, ptr %sched, i64 104
//   %10 = load i64, ptr %9, align 8, !invariant.load !6
//   %11 = getelementptr inbounds nuw i8, ptr %sched, i64 112
//   %12 = load ptr, ptr %11, align 8, !invariant.load !6
//   %13 = load i64, ptr %12, align 8, !invariant.load !6
//   %14 = load ptr addrspace(1), ptr %packed, align 8, !invariant.load !6
//   %15 = getelementptr inbounds nuw i8, ptr %packed, i64 8
//   %16 = load ptr addrspace(1), ptr %15, align 8, !invariant.load !6
//   %17 = getelementptr inbounds nuw i8, ptr %packed, i64 16
//   %18 = load float, ptr %17, align 8, !invariant.load !6
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %32, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %29, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %26, %k.group.exit ]
//   %19 = shl nuw i64 %gx, 6
//   %20 = sub i64 %13, %19
//   %21 = call i64 @llvm.umin.i64(i64 %20, i64 64)
//   br label %vector.check
//
// if.then.i.i:                                      ; preds = %items.x.i
//   %call2.i.i = call float @_Z3powff(float noundef %25, float noundef %18) #0
//   br label %__clang_ocl_kern_imp_k.exit.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %if.then.i.i, %items.x.i
//   %v.i.0.i = phi float [ %call2.i.i, %if.then.i.i ], [ %25, %items.x.i ]
//   %call3.i.i = call float @_Z3expf(float noundef %18) #0
//   %add.i.i = fadd float %v.i.0.i, %call3.i.i
//   store float %add.i.i, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !7, !llvm.access.group !9
//   %arrayidx7.i.i = getelementptr inbounds nuw <2 x double>, ptr addrspace(1) %16, i64 %idxprom.i.i
//   %22 = load <2 x double>, ptr addrspace(1) %arrayidx7.i.i, align 16, !tbaa !10, !llvm.access.group !9
//   %call8.i.i = call <2 x double> @_Z3logDv2_d(<2 x double> noundef %22) #0
//   store <2 x double> %call8.i.i, ptr addrspace(1) %arrayidx7.i.i, align 16, !tbaa !10, !llvm.access.group !9
//   %23 = add nuw i64 %local.x.i, 1
//   %24 = icmp ult i64 %23, %21
//   br i1 %24, label %items.x.i, label %k.group.exit, !llvm.loop !11
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %__clang_ocl_kern_imp_k.exit.i
//   %local.x.i = phi i64 [ %23, %__clang_ocl_kern_imp_k.exit.i ], [ 0, %vector.check ], [ %74, %vector.leave ]
//   %idxprom.i.i = and i64 %local.x.i, 4294967295
//   %arrayidx.i.i = getelementptr inbounds nuw float, ptr addrspace(1) %14, i64 %idxprom.i.i
//   %25 = load float, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !7, !llvm.access.group !9
//   %cmp.i.i = fcmp ogt float %25, 0.000000e+00
//   br i1 %cmp.i.i, label %if.then.i.i, label %__clang_ocl_kern_imp_k.exit.i
//
// k.group.exit:                                     ; preds = %vector.leave, %__clang_ocl_kern_imp_k.exit.i
//   %26 = add nuw i64 %gx, 1
//   %27 = add nuw i64 %0, %6
//   %28 = icmp ult i64 %26, %27
//   br i1 %28, label %group.x, label %group.next, !llvm.loop !15
//
// group.next:                                       ; preds = %k.group.exit
//   %29 = add nuw i64 %gy, 1
//   %30 = add nuw i64 %2, %8
//   %31 = icmp ult i64 %29, %30
//   br i1 %31, label %group.y, label %group.next1, !llvm.loop !16
//
// group.next1:                                      ; preds = %group.next
//   %32 = add nuw i64 %gz, 1
//   %33 = add nuw i64 %4, %10
//   %34 = icmp ult i64 %32, %33
//   br i1 %34, label %group.z, label %exit, !llvm.loop !17
//
// vector.check:                                     ; preds = %group.x
//   %35 = sub i64 %21, 0
//   %36 = and i64 %35, -4
//   %37 = icmp eq i64 %36, 0
//   br i1 %37, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %71, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store <4 x float> poison, ptr %phi, align 16
//   store <4 x i1> zeroinitializer, ptr %mask, align 1
//   %38 = and i64 %vector, 4294967295
//   %39 = getelementptr inbounds nuw float, ptr addrspace(1) %14, i64 %38
//   %40 = load <4 x float>, ptr addrspace(1) %39, align 4, !tbaa !7, !llvm.access.group !9
//   %41 = fcmp ogt <4 x float> %40, zeroinitializer
//   %42 = xor <4 x i1> splat (i1 true), %41
//   %43 = load <4 x i1>, ptr %mask, align 1
//   %44 = or <4 x i1> %43, %41
//   store <4 x i1> %44, ptr %mask, align 1
//   %45 = load <4 x float>, ptr %phi, align 16
//   %46 = select <4 x i1> %42, <4 x float> %40, <4 x float> %45
//   store <4 x float> %46, ptr %phi, align 16
//   %47 = load <4 x i1>, ptr %mask, align 1
//   %48 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %47)
//   store <4 x float> %40, ptr %value, align 16
//   store ptr addrspace(1) %39, ptr %value4, align 8
//   store i64 %38, ptr %value5, align 8
//   br i1 %48, label %if.then.i.i.v, label %skip
//
// if.then.i.i.v:                                    ; preds = %items.x.i.v
//   %49 = load <4 x i1>, ptr %mask, align 1
//   %50 = load <4 x float>, ptr %value, align 16
//   %51 = select <4 x i1> %49, <4 x float> %50, <4 x float> splat (float 1.000000e+00)
//   %.splatinsert = insertelement <4 x float> poison, float %18, i64 0
//   %.splat = shufflevector <4 x float> %.splatinsert, <4 x float> poison, <4 x i32> zeroinitializer
//   %52 = select <4 x i1> %49, <4 x float> %.splat, <4 x float> splat (float 1.000000e+00)
//   %53 = call <4 x float> @muxcl.lanes.4._Z3powff(<4 x float> %51, <4 x float> %52)
//   %54 = load <4 x float>, ptr %phi, align 16
//   %55 = select <4 x i1> %49, <4 x float> %53, <4 x float> %54
//   store <4 x float> %55, ptr %phi, align 16
//   br label %__clang_ocl_kern_imp_k.exit.i.v
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %if.then.i.i.v, %skip
//   %56 = load <4 x float>, ptr %phi, align 16
//   %57 = call float @_Z3expf(float noundef %18) #0
//   %.splatinsert2 = insertelement <4 x float> poison, float %57, i64 0
//   %.splat3 = shufflevector <4 x float> %.splatinsert2, <4 x float> poison, <4 x i32> zeroinitializer
//   %58 = fadd <4 x float> %56, %.splat3
//   %59 = load ptr addrspace(1), ptr %value4, align 8
//   store <4 x float> %58, ptr addrspace(1) %59, align 4, !tbaa !7, !llvm.access.group !9
//   %60 = load i64, ptr %value5, align 8
//   %61 = getelementptr inbounds nuw <2 x double>, ptr addrspace(1) %16, i64 %60
//   %62 = load <8 x double>, ptr addrspace(1) %61, align 16, !tbaa !10, !llvm.access.group !9
//   %63 = shufflevector <8 x double> %62, <8 x double> %62, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
//   %64 = call <4 x double> @muxcl.lanes.4._Z3logd(<4 x double> %63)
//   %65 = shufflevector <8 x double> %62, <8 x double> %62, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
//   %66 = call <4 x double> @muxcl.lanes.4._Z3logd(<4 x double> %65)
//   %67 = shufflevector <4 x double> %64, <4 x double> %66, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
//   store <8 x double> %67, ptr addrspace(1) %61, align 16, !tbaa !10, !llvm.access.group !9
//   %68 = add nuw i64 %vector, 1
//   %.splatinsert6 = insertelement <4 x i64> poison, i64 %68, i64 0
//   %.splat7 = shufflevector <4 x i64> %.splatinsert6, <4 x i64> poison, <4 x i32> zeroinitializer
//   %69 = add <4 x i64> %.splat7, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert8 = insertelement <4 x i64> poison, i64 %21, i64 0
//   %.splat9 = shufflevector <4 x i64> %.splatinsert8, <4 x i64> poison, <4 x i32> zeroinitializer
//   %70 = icmp ult <4 x i64> %69, %.splat9
//   %71 = add i64 %vector, 4
//   %72 = sub i64 %71, 0
//   %73 = icmp ult i64 %72, %36
//   br i1 %73, label %items.x.i.v, label %vector.leave, !llvm.loop !18
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %74 = add i64 0, %36
//   %75 = icmp ne i64 %36, %35
//   br i1 %75, label %items.x.i, label %k.group.exit
//
// skip:                                             ; preds = %items.x.i.v
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//
