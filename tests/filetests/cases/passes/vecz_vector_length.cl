//! test = "vecz"
//! functions = ["muxcl.kernel.k.groups"]
//! isa = "RV64GCV"
//! lanes = 8
// Tests vectors with a length. The local size is not known, so `vsetvli` gives the length of each
// vector. Accesses with a constant distance are strided, the division has the length, and the
// divergent loop ends if no lane below the length is in the mask.
kernel void k(global const ulong *in, global ulong *out) {
  size_t x = get_local_id(0);
  ulong v = in[3 * x];
  while (v > 9) v = v / in[x];
  out[255 - x] = v;
}
//---- expected ----
// ; Function Attrs: noinline nounwind
// define internal void @muxcl.kernel.k.groups(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #2 {
// entry:
//   %value = alloca <vscale x 4 x i64>, align 32
//   %phi3 = alloca <vscale x 4 x i64>, align 32
//   %phi = alloca <vscale x 4 x i64>, align 32
//   %mask2 = alloca <vscale x 4 x i1>, align 1
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
//   %11 = getelementptr inbounds nuw i8, ptr %sched, i64 72
//   %12 = load i32, ptr %11, align 4, !invariant.load !5
//   %13 = zext i32 %12 to i64
//   %14 = getelementptr inbounds nuw i8, ptr %sched, i64 76
//   %15 = load i32, ptr %14, align 4, !invariant.load !5
//   %16 = zext i32 %15 to i64
//   %17 = getelementptr inbounds nuw i8, ptr %sched, i64 80
//   %18 = load i32, ptr %17, align 4, !invariant.load !5
//   %19 = zext i32 %18 to i64
//   %20 = getelementptr inbounds nuw i8, ptr %sched, i64 112
//   %21 = load ptr, ptr %20, align 8, !invariant.load !5
//   %22 = load i64, ptr %21, align 8, !invariant.load !5
//   %23 = getelementptr inbounds nuw i8, ptr %21, i64 8
//   %24 = load i64, ptr %23, align 8, !invariant.load !5
//   %25 = getelementptr inbounds nuw i8, ptr %21, i64 16
//   %26 = load i64, ptr %25, align 8, !invariant.load !5
//   %27 = load ptr addrspace(1), ptr %packed, align 8, !invariant.load !5
//   %28 = getelementptr inbounds nuw i8, ptr %packed, i64 8
//   %29 = load ptr addrspace(1), ptr %28, align 8, !invariant.load !5
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %49, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %46, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %43, %k.group.exit ]
//   %30 = mul nuw i64 %gx, %13
//   %31 = sub i64 %22, %30
//   %32 = call i64 @llvm.umin.i64(i64 %31, i64 %13)
//   %33 = mul nuw i64 %gy, %16
//   %34 = sub i64 %24, %33
//   %35 = call i64 @llvm.umin.i64(i64 %34, i64 %16)
//   %36 = mul nuw i64 %gz, %19
//   %37 = sub i64 %26, %36
//   %38 = call i64 @llvm.umin.i64(i64 %37, i64 %19)
//   br label %items.z.i
//
// items.z.i:                                        ; preds = %items.next1.i, %group.x
//   %local.z.i = phi i64 [ 0, %group.x ], [ %41, %items.next1.i ]
//   br label %items.y.i
//
// items.y.i:                                        ; preds = %items.next.i, %items.z.i
//   %local.y.i = phi i64 [ 0, %items.z.i ], [ %39, %items.next.i ]
//   br label %vector.enter
//
// items.next.i:                                     ; preds = %vector.leave
//   %39 = add nuw i64 %local.y.i, 1
//   %40 = icmp ult i64 %39, %35
//   br i1 %40, label %items.y.i, label %items.next1.i
//
// items.next1.i:                                    ; preds = %items.next.i
//   %41 = add nuw i64 %local.z.i, 1
//   %42 = icmp ult i64 %41, %38
//   br i1 %42, label %items.z.i, label %k.group.exit
//
// k.group.exit:                                     ; preds = %items.next1.i
//   %43 = add nuw i64 %gx, 1
//   %44 = add nuw i64 %0, %6
//   %45 = icmp ult i64 %43, %44
//   br i1 %45, label %group.x, label %group.next, !llvm.loop !6
//
// group.next:                                       ; preds = %k.group.exit
//   %46 = add nuw i64 %gy, 1
//   %47 = add nuw i64 %2, %8
//   %48 = icmp ult i64 %46, %47
//   br i1 %48, label %group.y, label %group.next1, !llvm.loop !10
//
// group.next1:                                      ; preds = %group.next
//   %49 = add nuw i64 %gz, 1
//   %50 = add nuw i64 %4, %10
//   %51 = icmp ult i64 %49, %50
//   br i1 %51, label %group.z, label %exit, !llvm.loop !11
//
// vector.enter:                                     ; preds = %items.y.i
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %__clang_ocl_kern_imp_k.exit.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %84, %__clang_ocl_kern_imp_k.exit.i.v ]
//   store <vscale x 4 x i64> poison, ptr %phi, align 32
//   store <vscale x 4 x i64> poison, ptr %phi3, align 32
//   %52 = sub i64 %32, %vector
//   %53 = call i64 @llvm.riscv.vsetvli.i64(i64 %52, i64 3, i64 2)
//   %54 = trunc i64 %53 to i32
//   %55 = zext i32 %54 to i64
//   %56 = mul i64 %vector, 24
//   %57 = getelementptr inbounds nuw i8, ptr addrspace(1) %27, i64 %56
//   %58 = call <vscale x 4 x i64> @llvm.experimental.vp.strided.load.nxv4i64.p1.i64(ptr addrspace(1) align 8 %57, i64 24, <vscale x 4 x i1> splat (i1 true), i32 %54), !tbaa !12, !llvm.access.group !14
//   store <vscale x 4 x i64> %58, ptr %phi, align 32
//   store <vscale x 4 x i1> splat (i1 true), ptr %mask, align 1
//   br label %while.cond.i.i.v
//
// while.cond.i.i.v:                                 ; preds = %while.body.i.i.v, %items.x.i.v
//   %59 = load <vscale x 4 x i1>, ptr %mask, align 1
//   store <vscale x 4 x i1> zeroinitializer, ptr %mask2, align 1
//   %60 = load <vscale x 4 x i64>, ptr %phi, align 32
//   %61 = icmp ugt <vscale x 4 x i64> %60, splat (i64 9)
//   %62 = select <vscale x 4 x i1> %59, <vscale x 4 x i1> %61, <vscale x 4 x i1> zeroinitializer
//   %63 = xor <vscale x 4 x i1> %59, %62
//   %64 = load <vscale x 4 x i1>, ptr %mask2, align 1
//   %65 = or <vscale x 4 x i1> %64, %62
//   store <vscale x 4 x i1> %65, ptr %mask2, align 1
//   %66 = load <vscale x 4 x i64>, ptr %phi3, align 32
//   %67 = select <vscale x 4 x i1> %63, <vscale x 4 x i64> %60, <vscale x 4 x i64> %66
//   store <vscale x 4 x i64> %67, ptr %phi3, align 32
//   %68 = load <vscale x 4 x i1>, ptr %mask2, align 1
//   %69 = call i1 @llvm.vp.reduce.or.nxv4i1(i1 false, <vscale x 4 x i1> %68, <vscale x 4 x i1> splat (i1 true), i32 %54)
//   store <vscale x 4 x i64> %60, ptr %value, align 32
//   br i1 %69, label %while.body.i.i.v, label %skip
//
// while.body.i.i.v:                                 ; preds = %while.cond.i.i.v
//   %70 = load <vscale x 4 x i1>, ptr %mask2, align 1
//   %71 = getelementptr i64, ptr addrspace(1) %27, i64 %vector
//   %72 = call <vscale x 4 x i64> @llvm.vp.load.nxv4i64.p1(ptr addrspace(1) align 8 %71, <vscale x 4 x i1> %70, i32 %54), !tbaa !12, !llvm.access.group !14
//   %73 = call <vscale x 4 x i64> @llvm.umax.nxv4i64(<vscale x 4 x i64> %72, <vscale x 4 x i64> splat (i64 1))
//   %74 = load <vscale x 4 x i64>, ptr %value, align 32
//   %75 = call <vscale x 4 x i64> @llvm.vp.udiv.nxv4i64(<vscale x 4 x i64> %74, <vscale x 4 x i64> %73, <vscale x 4 x i1> %70, i32 %54)
//   store <vscale x 4 x i64> %75, ptr %phi, align 32
//   store <vscale x 4 x i1> %70, ptr %mask, align 1
//   %76 = call i1 @llvm.vp.reduce.or.nxv4i1(i1 false, <vscale x 4 x i1> %70, <vscale x 4 x i1> splat (i1 true), i32 %54)
//   br i1 %76, label %while.cond.i.i.v, label %loop.done
//
// __clang_ocl_kern_imp_k.exit.i.v:                  ; preds = %loop.done, %skip
//   %77 = load <vscale x 4 x i64>, ptr %phi3, align 32
//   %78 = sub i64 255, %vector
//   %79 = getelementptr inbounds nuw i64, ptr addrspace(1) %29, i64 %78
//   call void @llvm.experimental.vp.strided.store.nxv4i64.p1.i64(<vscale x 4 x i64> %77, ptr addrspace(1) align 8 %79, i64 -8, <vscale x 4 x i1> splat (i1 true), i32 %54), !tbaa !12, !llvm.access.group !14
//   %80 = add nuw i64 %vector, 1
//   %.splatinsert = insertelement <vscale x 4 x i64> poison, i64 %80, i64 0
//   %.splat = shufflevector <vscale x 4 x i64> %.splatinsert, <vscale x 4 x i64> poison, <vscale x 4 x i32> zeroinitializer
//   %81 = call <vscale x 4 x i64> @llvm.stepvector.nxv4i64()
//   %82 = add <vscale x 4 x i64> %.splat, %81
//   %.splatinsert4 = insertelement <vscale x 4 x i64> poison, i64 %32, i64 0
//   %.splat5 = shufflevector <vscale x 4 x i64> %.splatinsert4, <vscale x 4 x i64> poison, <vscale x 4 x i32> zeroinitializer
//   %83 = icmp ult <vscale x 4 x i64> %82, %.splat5
//   %84 = add i64 %vector, %55
//   %85 = icmp ult i64 %84, %32
//   br i1 %85, label %items.x.i.v, label %vector.leave, !llvm.loop !15
//
// vector.leave:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i.v
//   %86 = sub i32 %54, 1
//   br label %items.next.i
//
// skip:                                             ; preds = %while.cond.i.i.v
//   br label %__clang_ocl_kern_imp_k.exit.i.v
//
// loop.done:                                        ; preds = %while.body.i.i.v
//   br label %__clang_ocl_kern_imp_k.exit.i.v
// }
//
