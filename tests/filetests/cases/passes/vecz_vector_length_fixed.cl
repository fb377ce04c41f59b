//! test = "vecz"
//! functions = ["muxcl.kernel.k.groups"]
//! isa = "RV64GCV"
//! vlen = 512
//! local = [13]
//! lanes = 32
// Tests vectors of a fixed number of lanes with a length. The instruction set has no vectors of
// 16-bit floating-point numbers, so vectors are not scalable, and `half` values are loaded as
// integers. The length is the minimum of the lanes and the remaining work-items. The atomic sum
// ignores the lanes at and beyond the length.
kernel void k(global const float2 *in, global float2 *out, global half *h, global uint *sum) {
  uint x = get_local_id(0);
  out[x] = in[x].yx * vload_half(2 * x + 1, h);
  if (in[x].x > 1) atomic_add(sum, x);
}
//---- expected ----
// ; Function Attrs: noinline nounwind vscale_range(8,8)
// define internal void @muxcl.kernel.k.groups(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #1 {
// entry:
//   %mask = alloca <32 x i1>, align 4
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
//   %gz = phi i64 [ %4, %entry ], [ %29, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %26, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %23, %k.group.exit ]
//   %.neg = mul i64 %gx, -13
//   %21 = add i64 %.neg, %13
//   %22 = call i64 @llvm.umin.i64(i64 %21, i64 13)
//   br label %vector.enter
//
// k.group.exit:                                     ; preds = %vector.leave
//   %23 = add nuw i64 %gx, 1
//   %24 = add nuw i64 %0, %6
//   %25 = icmp ult i64 %23, %24
//   br i1 %25, label %group.x, label %group.next, !llvm.loop !6
//
// group.next:                                       ; preds = %k.group.exit
//   %26 = add nuw i64 %gy, 1
//   %27 = add nuw i64 %2, %8
//   %28 = icmp ult i64 %26, %27
//   br i1 %28, label %group.y, label %group.next1, !llvm.loop !10
//
// group.next1:                                      ; preds = %group.next
//   %29 = add nuw i64 %gz, 1
//   %30 = add nuw i64 %4, %10
//   %31 = icmp ult i64 %29, %30
//   br i1 %31, label %group.z, label %exit, !llvm.loop !11
//
// vector.enter:                                     ; preds = %group.x
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %77, %__clang_ocl_kern_imp_k.exit.i.v ]
//   %32 = sub i64 %22, %vector
//   %33 = icmp ult i64 %32, 32
//   %34 = select i1 %33, i64 %32, i64 32
//   %35 = trunc i64 %34 to i32
//   store <32 x i1> zeroinitializer, ptr %mask, align 4
//   %36 = and i64 %vector, 4294967295
//   %37 = getelementptr inbounds nuw <2 x float>, ptr addrspace(1) %14, i64 %36
//   %38 = mul i32 %35, 2
//   %39 = call <64 x float> @llvm.vp.load.v64f32.p1(ptr addrspace(1) align 8 %37, <64 x i1> splat (i1 true), i32 %38), !llvm.access.group !12
//   %40 = shufflevector <64 x float> %39, <64 x float> poison, <32 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28, i32 30, i32 32, i32 34, i32 36, i32 38, i32 40, i32 42, i32 44, i32 46, i32 48, i32 50, i32 52, i32 54, i32 56, i32 58, i32 60, i32 62>
//   %41 = shufflevector <64 x float> %39, <64 x float> poison, <32 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15, i32 17, i32 19, i32 21, i32 23, i32 25, i32 27, i32 29, i32 31, i32 33, i32 35, i32 37, i32 39, i32 41, i32 43, i32 45, i32 47, i32 49, i32 51, i32 53, i32 55, i32 57, i32 59, i32 61, i32 63>
//   %42 = shl i64 %vector, 1
//   %.splatinsert = insertelement <32 x i64> poison, i64 %42, i64 0
//   %.splat = shufflevector <32 x i64> %.splatinsert, <32 x i64> poison, <32 x i32> zeroinitializer
//   %43 = add <32 x i64> %.splat, <i64 0, i64 2, i64 4, i64 6, i64 8, i64 10, i64 12, i64 14, i64 16, i64 18, i64 20, i64 22, i64 24, i64 26, i64 28, i64 30, i64 32, i64 34, i64 36, i64 38, i64 40, i64 42, i64 44, i64 46, i64 48, i64 50, i64 52, i64 54, i64 56, i64 58, i64 60, i64 62>
//   %44 = and <32 x i64> %43, splat (i64 4294967294)
//   %45 = addrspacecast ptr addrspace(1) %18 to ptr addrspace(4)
//   %46 = getelementptr inbounds nuw half, ptr addrspace(4) %45, <32 x i64> %44
//   %47 = getelementptr inbounds nuw i8, <32 x ptr addrspace(4)> %46, i64 2
//   %48 = call <32 x i16> @llvm.vp.gather.v32i16.v32p4(<32 x ptr addrspace(4)> align 2 %47, <32 x i1> splat (i1 true), i32 %35), !llvm.access.group !12
//   %49 = bitcast <32 x i16> %48 to <32 x half>
//   %50 = fpext <32 x half> %49 to <32 x float>
//   %51 = fmul <32 x float> %41, %50
//   %52 = fmul <32 x float> %40, %50
//   %53 = getelementptr inbounds nuw <2 x float>, ptr addrspace(1) %16, i64 %36
//   %54 = shufflevector <32 x float> %52, <32 x float> poison, <64 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
//   %55 = shufflevector <32 x float> %51, <32 x float> poison, <64 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
//   %56 = shufflevector <64 x float> %55, <64 x float> %54, <64 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 64, i32 65, i32 66, i32 67, i32 68, i32 69, i32 70, i32 71, i32 72, i32 73, i32 74, i32 75, i32 76, i32 77, i32 78, i32 79, i32 80, i32 81, i32 82, i32 83, i32 84, i32 85, i32 86, i32 87, i32 88, i32 89, i32 90, i32 91, i32 92, i32 93, i32 94, i32 95>
//   %57 = shufflevector <64 x float> %56, <64 x float> poison, <64 x i32> <i32 0, i32 32, i32 1, i32 33, i32 2, i32 34, i32 3, i32 35, i32 4, i32 36, i32 5, i32 37, i32 6, i32 38, i32 7, i32 39, i32 8, i32 40, i32 9, i32 41, i32 10, i32 42, i32 11, i32 43, i32 12, i32 44, i32 13, i32 45, i32 14, i32 46, i32 15, i32 47, i32 16, i32 48, i32 17, i32 49, i32 18, i32 50, i32 19, i32 51, i32 20, i32 52, i32 21, i32 53, i32 22, i32 54, i32 23, i32 55, i32 24, i32 56, i32 25, i32 57, i32 26, i32 58, i32 27, i32 59, i32 28, i32 60, i32 29, i32 61, i32 30, i32 62, i32 31, i32 63>
//   %58 = mul i32 %35, 2
//   call void @llvm.vp.store.v64f32.p1(<64 x float> %57, ptr addrspace(1) align 8 %53, <64 x i1> splat (i1 true), i32 %58), !tbaa !13, !llvm.access.group !12
//   %59 = mul i32 %35, 2
//   %60 = call <64 x float> @llvm.vp.load.v64f32.p1(ptr addrspace(1) align 8 %37, <64 x i1> splat (i1 true), i32 %59), !llvm.access.group !12
//   %61 = shufflevector <64 x float> %60, <64 x float> poison, <32 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28, i32 30, i32 32, i32 34, i32 36, i32 38, i32 40, i32 42, i32 44, i32 46, i32 48, i32 50, i32 52, i32 54, i32 56, i32 58, i32 60, i32 62>
//   %62 = shufflevector <64 x float> %60, <64 x float> poison, <32 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15, i32 17, i32 19, i32 21, i32 23, i32 25, i32 27, i32 29, i32 31, i32 33, i32 35, i32 37, i32 39, i32 41, i32 43, i32 45, i32 47, i32 49, i32 51, i32 53, i32 55, i32 57, i32 59, i32 61, i32 63>
//   %63 = fcmp ogt <32 x float> %61, splat (float 1.000000e+00)
//   %64 = xor <32 x i1> splat (i1 true), %63
//   %65 = load <32 x i1>, ptr %mask, align 4
//   %66 = or <32 x i1> %65, %63
//   store <32 x i1> %66, ptr %mask, align 4
//   %67 = load <32 x i1>, ptr %mask, align 4
//   %68 = call i1 @llvm.vp.reduce.or.v32i1(i1 false, <32 x i1> %67, <32 x i1> splat (i1 true), i32 %35)
//   br i1 %68, label %if.then.i.i.v, label %skip
//
// if.then.i.i.v:                                    ; preds = %items.x.i.v
//   %69 = load <32 x i1>, ptr %mask, align 4
//   %70 = trunc i64 %vector to i32
//   %.splatinsert2 = insertelement <32 x i32> poison, i32 %70, i64 0
//   %.splat3 = shufflevector <32 x i32> %.splatinsert2, <32 x i32> poison, <32 x i32> zeroinitializer
//   %71 = add <32 x i32> %.splat3, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
//   %72 = call <32 x i32> @llvm.vp.merge.v32i32(<32 x i1> %69, <32 x i32> %71, <32 x i32> zeroinitializer, i32 %35)
//   %73 = call i1 @llvm.vp.reduce.or.v32i1(i1 false, <32 x i1> %69, <32 x i1> splat (i1 true), i32 %35)
//   br i1 %73, label %combined, label %combined.done
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %combined.done, %skip
//   %74 = add nuw i64 %vector, 1
//   %.splatinsert4 = insertelement <32 x i64> poison, i64 %74, i64 0
//   %.splat5 = shufflevector <32 x i64> %.splatinsert4, <32 x i64> poison, <32 x i32> zeroinitializer
//   %75 = add <32 x i64> %.splat5, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15, i64 16, i64 17, i64 18, i64 19, i64 20, i64 21, i64 22, i64 23, i64 24, i64 25, i64 26, i64 27, i64 28, i64 29, i64 30, i64 31>
//   %.splatinsert6 = insertelement <32 x i64> poison, i64 %22, i64 0
//   %.splat7 = shufflevector <32 x i64> %.splatinsert6, <32 x i64> poison, <32 x i32> zeroinitializer
//   %76 = icmp ult <32 x i64> %75, %.splat7
//   %77 = add i64 %vector, 32
//   %78 = icmp ult i64 %77, %22
//   br i1 %78, label %items.x.i.v, label %vector.leave, !llvm.loop !14
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %79 = sub i32 %35, 1
//   br label %k.group.exit
//
// skip:                                             ; preds = %items.x.i.v
//   br label %__clang_ocl_kern_imp_k.exit.i.v
//
// combined:                                         ; preds = %if.then.i.i.v
//   %80 = call i32 @llvm.vector.reduce.add.v32i32(<32 x i32> %72)
//   %81 = atomicrmw volatile add ptr addrspace(1) %20, i32 %80 monotonic, align 4
//   br label %combined.done
//
// combined.done:                                    ; preds = %combined, %if.then.i.i.v
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//
