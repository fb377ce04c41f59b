//! test = "kernel-abi"
//! functions = ["muxcl.kernel.k"]
//! local = [4]
// Local arguments follow the static local variables, each aligned to 128 bytes. Arguments are
// unpacked once.
kernel void k(global int *a, local int *t, char c, local float *u, float3 v) {
  local int s[5];
  int l = get_local_id(0);
  s[l] = c; t[l] = c; u[l] = v.y;
  a[l] = s[l];
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #1 {
// entry:
//   %0 = load i64, ptr %sched, align 8, !invariant.load !5
//   %1 = getelementptr inbounds i8, ptr %sched, i64 8
//   %2 = load i64, ptr %1, align 8, !invariant.load !5
//   %3 = getelementptr inbounds i8, ptr %sched, i64 16
//   %4 = load i64, ptr %3, align 8, !invariant.load !5
//   %5 = getelementptr inbounds i8, ptr %sched, i64 88
//   %6 = load i64, ptr %5, align 8, !invariant.load !5
//   %7 = getelementptr inbounds i8, ptr %sched, i64 96
//   %8 = load i64, ptr %7, align 8, !invariant.load !5
//   %9 = getelementptr inbounds i8, ptr %sched, i64 104
//   %10 = load i64, ptr %9, align 8, !invariant.load !5
//   %11 = getelementptr inbounds i8, ptr %sched, i64 24
//   %12 = load i64, ptr %11, align 8, !invariant.load !5
//   %13 = getelementptr inbounds i8, ptr %sched, i64 32
//   %14 = load i64, ptr %13, align 8, !invariant.load !5
//   %15 = getelementptr inbounds i8, ptr %sched, i64 40
//   %16 = load i64, ptr %15, align 8, !invariant.load !5
//   %17 = getelementptr inbounds i8, ptr %sched, i64 48
//   %18 = load i64, ptr %17, align 8, !invariant.load !5
//   %19 = getelementptr inbounds i8, ptr %sched, i64 56
//   %20 = load i64, ptr %19, align 8, !invariant.load !5
//   %21 = getelementptr inbounds i8, ptr %sched, i64 64
//   %22 = load i64, ptr %21, align 8, !invariant.load !5
//   %23 = getelementptr inbounds i8, ptr %sched, i64 84
//   %24 = load i32, ptr %23, align 4, !invariant.load !5
//   %25 = getelementptr inbounds i8, ptr %sched, i64 112
//   %26 = load ptr, ptr %25, align 8, !invariant.load !5
//   %27 = load i64, ptr %26, align 8, !invariant.load !5
//   %28 = getelementptr inbounds i8, ptr %26, i64 8
//   %29 = load i64, ptr %28, align 8, !invariant.load !5
//   %30 = getelementptr inbounds i8, ptr %26, i64 16
//   %31 = load i64, ptr %30, align 8, !invariant.load !5
//   %32 = getelementptr inbounds i8, ptr %26, i64 24
//   %33 = load ptr addrspace(3), ptr %32, align 8, !invariant.load !5
//   %34 = getelementptr inbounds i8, ptr %26, i64 40
//   %35 = load ptr, ptr %34, align 8, !invariant.load !5
//   %36 = load ptr addrspace(1), ptr %packed, align 8, !invariant.load !5
//   %37 = getelementptr inbounds i8, ptr addrspace(3) %33, i64 128
//   %38 = getelementptr inbounds i8, ptr %packed, i64 8
//   %39 = load i64, ptr %38, align 8, !invariant.load !5
//   %40 = add i64 %39, 127
//   %41 = and i64 %40, -128
//   %42 = add i64 128, %41
//   %43 = getelementptr inbounds i8, ptr %packed, i64 16
//   %44 = load i8, ptr %43, align 8, !invariant.load !5
//   %45 = getelementptr inbounds i8, ptr addrspace(3) %33, i64 %42
//   %46 = getelementptr inbounds i8, ptr %packed, i64 24
//   %47 = load i64, ptr %46, align 8, !invariant.load !5
//   %48 = add i64 %47, 127
//   %49 = and i64 %48, -128
//   %50 = add i64 %42, %49
//   %51 = getelementptr inbounds i8, ptr %packed, i64 32
//   %52 = load <3 x float>, ptr %51, align 8, !invariant.load !5
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %78, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %75, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %72, %k.group.exit ]
//   %53 = mul nuw i64 %gx, 4
//   %54 = sub i64 %27, %53
//   %55 = icmp ult i64 %54, 4
//   %56 = select i1 %55, i64 %54, i64 4
//   %57 = mul nuw i64 %gy, 1
//   %58 = sub i64 %29, %57
//   %59 = icmp ult i64 %58, 1
//   %60 = select i1 %59, i64 %58, i64 1
//   %61 = mul nuw i64 %gz, 1
//   %62 = sub i64 %31, %61
//   %63 = icmp ult i64 %62, 1
//   %64 = select i1 %63, i64 %62, i64 1
//   %65 = mul nuw i64 %gx, 4
//   %66 = add nuw i64 %65, %18
//   br label %items.x.i
//
// items.x.i:                                        ; preds = %items.x.i, %group.x
//   %local.x.i = phi i64 [ 0, %group.x ], [ %70, %items.x.i ]
//   %67 = add nuw nsw i64 %66, %local.x.i
//   %conv1.i.i = sext i8 %44 to i32
//   %sext.i = shl i64 %local.x.i, 32
//   %idxprom.i.i = ashr exact i64 %sext.i, 32
//   %arrayidx.i.i = getelementptr inbounds i32, ptr addrspace(3) %33, i64 %idxprom.i.i
//   store i32 %conv1.i.i, ptr addrspace(3) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %arrayidx4.i.i = getelementptr inbounds i32, ptr addrspace(3) %37, i64 %idxprom.i.i
//   store i32 %conv1.i.i, ptr addrspace(3) %arrayidx4.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %68 = extractelement <3 x float> %52, i64 1
//   %arrayidx6.i.i = getelementptr inbounds float, ptr addrspace(3) %45, i64 %idxprom.i.i
//   store float %68, ptr addrspace(3) %arrayidx6.i.i, align 4, !tbaa !7, !llvm.access.group !6
//   %69 = load i32, ptr addrspace(3) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %arrayidx10.i.i = getelementptr inbounds i32, ptr addrspace(1) %36, i64 %idxprom.i.i
//   store i32 %69, ptr addrspace(1) %arrayidx10.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %70 = add nuw i64 %local.x.i, 1
//   %71 = icmp ult i64 %70, %56
//   br i1 %71, label %items.x.i, label %k.group.exit, !llvm.loop !9
//
// k.group.exit:                                     ; preds = %items.x.i
//   %72 = add nuw i64 %gx, 1
//   %73 = add nuw i64 %0, %6
//   %74 = icmp ult i64 %72, %73
//   br i1 %74, label %group.x, label %group.next, !llvm.loop !14
//
// group.next:                                       ; preds = %k.group.exit
//   %75 = add nuw i64 %gy, 1
//   %76 = add nuw i64 %2, %8
//   %77 = icmp ult i64 %75, %76
//   br i1 %77, label %group.y, label %group.next1, !llvm.loop !16
//
// group.next1:                                      ; preds = %group.next
//   %78 = add nuw i64 %gz, 1
//   %79 = add nuw i64 %4, %10
//   %80 = icmp ult i64 %78, %79
//   br i1 %80, label %group.z, label %exit, !llvm.loop !17
// }
//
