//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! lanes = 4
// Processors have no vector division of integers. The remainder uses a product with the reciprocal
// of `n`, which all lanes share, and the quotient a division in `float`.
kernel void k(global int *a, global ushort *b, int n) {
  uint x = get_local_id(0);
  a[x] = a[x] % n;
  b[x] = b[x] / b[x + 64];
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
//   %18 = load i32, ptr %17, align 8, !invariant.load !5
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %40, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %37, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %34, %k.group.exit ]
//   %19 = shl nuw i64 %gx, 6
//   %20 = sub i64 %13, %19
//   %21 = call i64 @llvm.umin.i64(i64 %20, i64 64)
//   br label %vector.check
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %items.x.i
//   %local.x.i = phi i64 [ %32, %items.x.i ], [ 0, %vector.check ], [ %81, %vector.leave ]
//   %idxprom.i.i = and i64 %local.x.i, 4294967295
//   %arrayidx.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %idxprom.i.i
//   %22 = load i32, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %23 = icmp eq i32 %18, 0
//   %24 = icmp eq i32 %22, -2147483648
//   %25 = icmp eq i32 %18, -1
//   %26 = and i1 %24, %25
//   %27 = or i1 %23, %26
//   %28 = select i1 %27, i32 1, i32 %18
//   %rem.i.i = srem i32 %22, %28
//   store i32 %rem.i.i, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %arrayidx4.i.i = getelementptr inbounds nuw i16, ptr addrspace(1) %16, i64 %idxprom.i.i
//   %29 = load i16, ptr addrspace(1) %arrayidx4.i.i, align 2, !tbaa !7, !llvm.access.group !6
//   %add.i.i = add i64 %local.x.i, 64
//   %idxprom6.i.i = and i64 %add.i.i, 4294967295
//   %arrayidx7.i.i = getelementptr inbounds nuw i16, ptr addrspace(1) %16, i64 %idxprom6.i.i
//   %30 = load i16, ptr addrspace(1) %arrayidx7.i.i, align 2, !tbaa !7, !llvm.access.group !6
//   %narrow.i = call i16 @llvm.umax.i16(i16 %30, i16 1)
//   %31 = udiv i16 %29, %narrow.i
//   store i16 %31, ptr addrspace(1) %arrayidx4.i.i, align 2, !tbaa !7, !llvm.access.group !6
//   %32 = add nuw i64 %local.x.i, 1
//   %33 = icmp ult i64 %32, %21
//   br i1 %33, label %items.x.i, label %k.group.exit, !llvm.loop !9
//
// k.group.exit:                                     ; preds = %vector.leave, %items.x.i
//   %34 = add nuw i64 %gx, 1
//   %35 = add nuw i64 %0, %6
//   %36 = icmp ult i64 %34, %35
//   br i1 %36, label %group.x, label %group.next, !llvm.loop !13
//
// group.next:                                       ; preds = %k.group.exit
//   %37 = add nuw i64 %gy, 1
//   %38 = add nuw i64 %2, %8
//   %39 = icmp ult i64 %37, %38
//   br i1 %39, label %group.y, label %group.next1, !llvm.loop !14
//
// group.next1:                                      ; preds = %group.next
//   %40 = add nuw i64 %gz, 1
//   %41 = add nuw i64 %4, %10
//   %42 = icmp ult i64 %40, %41
//   br i1 %42, label %group.z, label %exit, !llvm.loop !15
//
// vector.check:                                     ; preds = %group.x
//   %43 = sub i64 %21, 0
//   %44 = and i64 %43, -4
//   %45 = icmp eq i64 %44, 0
//   br i1 %45, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %items.x.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %78, %items.x.i.v ]
//   %46 = and i64 %vector, 4294967295
//   %47 = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %46
//   %48 = load <4 x i32>, ptr addrspace(1) %47, align 4, !tbaa !1, !llvm.access.group !6
//   %49 = icmp eq i32 %18, 0
//   %50 = icmp eq <4 x i32> %48, splat (i32 -2147483648)
//   %51 = icmp eq i32 %18, -1
//   %.splatinsert = insertelement <4 x i1> poison, i1 %51, i64 0
//   %.splat = shufflevector <4 x i1> %.splatinsert, <4 x i1> poison, <4 x i32> zeroinitializer
//   %52 = and <4 x i1> %50, %.splat
//   %.splatinsert2 = insertelement <4 x i1> poison, i1 %49, i64 0
//   %.splat3 = shufflevector <4 x i1> %.splatinsert2, <4 x i1> poison, <4 x i32> zeroinitializer
//   %53 = or <4 x i1> %.splat3, %52
//   %.splatinsert4 = insertelement <4 x i32> poison, i32 %18, i64 0
//   %.splat5 = shufflevector <4 x i32> %.splatinsert4, <4 x i32> poison, <4 x i32> zeroinitializer
//   %54 = select <4 x i1> %53, <4 x i32> splat (i32 1), <4 x i32> %.splat5
//   %55 = sitofp i32 %18 to double
//   %56 = fdiv double 1.000000e+00, %55
//   %57 = fmul double %56, 0x3FF0000000000004
//   %.splatinsert6 = insertelement <4 x double> poison, double %57, i64 0
//   %.splat7 = shufflevector <4 x double> %.splatinsert6, <4 x double> poison, <4 x i32> zeroinitializer
//   %58 = select <4 x i1> %53, <4 x double> splat (double 0x3FF0000000000004), <4 x double> %.splat7
//   %59 = sitofp <4 x i32> %48 to <4 x double>
//   %60 = fmul <4 x double> %59, %58
//   %61 = fptosi <4 x double> %60 to <4 x i32>
//   %62 = mul <4 x i32> %61, %54
//   %63 = sub <4 x i32> %48, %62
//   store <4 x i32> %63, ptr addrspace(1) %47, align 4, !tbaa !1, !llvm.access.group !6
//   %64 = getelementptr inbounds nuw i16, ptr addrspace(1) %16, i64 %46
//   %65 = load <4 x i16>, ptr addrspace(1) %64, align 2, !tbaa !7, !llvm.access.group !6
//   %66 = add i64 %vector, 64
//   %67 = and i64 %66, 4294967295
//   %68 = getelementptr inbounds nuw i16, ptr addrspace(1) %16, i64 %67
//   %69 = load <4 x i16>, ptr addrspace(1) %68, align 2, !tbaa !7, !llvm.access.group !6
//   %70 = call <4 x i16> @llvm.umax.v4i16(<4 x i16> %69, <4 x i16> splat (i16 1))
//   %71 = uitofp <4 x i16> %65 to <4 x float>
//   %72 = uitofp <4 x i16> %70 to <4 x float>
//   %73 = fdiv <4 x float> %71, %72
//   %74 = fptoui <4 x float> %73 to <4 x i16>
//   store <4 x i16> %74, ptr addrspace(1) %64, align 2, !tbaa !7, !llvm.access.group !6
//   %75 = add nuw i64 %vector, 1
//   %.splatinsert8 = insertelement <4 x i64> poison, i64 %75, i64 0
//   %.splat9 = shufflevector <4 x i64> %.splatinsert8, <4 x i64> poison, <4 x i32> zeroinitializer
//   %76 = add <4 x i64> %.splat9, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert10 = insertelement <4 x i64> poison, i64 %21, i64 0
//   %.splat11 = shufflevector <4 x i64> %.splatinsert10, <4 x i64> poison, <4 x i32> zeroinitializer
//   %77 = icmp ult <4 x i64> %76, %.splat11
//   %78 = add i64 %vector, 4
//   %79 = sub i64 %78, 0
//   %80 = icmp ult i64 %79, %44
//   br i1 %80, label %items.x.i.v, label %vector.leave, !llvm.loop !16
//
// vector.leave:                                     ; preds = %items.x.i.v
//   %81 = add i64 0, %44
//   %82 = icmp ne i64 %44, %43
//   br i1 %82, label %items.x.i, label %k.group.exit
// }
//
