//! test = "vecz"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! lanes = 4
//! options = "-g"
// Instructions in vectors have the locations of the scalar ones. The variable `scale` has the same
// value in all lanes, and `x` has the value of lane 0. The variables `v`, `a`, and `w` at its end
// differ between lanes, so they have no value (`poison`).
kernel void k(global const int *in, global int *out, int n) {
  size_t x = get_global_id(0);
  int scale = n * 3;
  int v = in[x];
  int w = n;
  int a[40];
  a[v & 31] = scale;
  if (v > 5)
    w = scale;
  out[x] = a[w & 31];
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #2 !dbg !15 {
// entry:
//   %private = alloca [640 x i8], align 16
//   %a.i.i = alloca [40 x i32], align 4, !muxcl.private !26
//   %0 = load i64, ptr %sched, align 8, !invariant.load !26
//   %1 = getelementptr inbounds nuw i8, ptr %sched, i64 8
//   %2 = load i64, ptr %1, align 8, !invariant.load !26
//   %3 = getelementptr inbounds nuw i8, ptr %sched, i64 16
//   %4 = load i64, ptr %3, align 8, !invariant.load !26
//   %5 = getelementptr inbounds nuw i8, ptr %sched, i64 88
//   %6 = load i64, ptr %5, align 8, !invariant.load !26
//   %7 = getelementptr inbounds nuw i8, ptr %sched, i64 96
//   %8 = load i64, ptr %7, align 8, !invariant.load !26
//   %9 = getelementptr inbounds nuw i8, ptr %sched, i64 104
//   %10 = load i64, ptr %9, align 8, !invariant.load !26
//   %11 = getelementptr inbounds nuw i8, ptr %sched, i64 112
//   %12 = load ptr, ptr %11, align 8, !invariant.load !26
//   %13 = load i64, ptr %12, align 8, !invariant.load !26
//   %14 = load ptr addrspace(1), ptr %packed, align 8, !invariant.load !26
//   %15 = getelementptr inbounds nuw i8, ptr %packed, i64 8
//   %16 = load ptr addrspace(1), ptr %15, align 8, !invariant.load !26
//   %17 = getelementptr inbounds nuw i8, ptr %packed, i64 16
//   %18 = load i32, ptr %17, align 8, !invariant.load !26
//   br label %group.z
//
// exit:                                             ; preds = %group.next1
//   ret void
//
// group.z:                                          ; preds = %group.next1, %entry
//   %gz = phi i64 [ %4, %entry ], [ %33, %group.next1 ]
//   br label %group.y
//
// group.y:                                          ; preds = %group.next, %group.z
//   %gy = phi i64 [ %2, %group.z ], [ %30, %group.next ]
//   br label %group.x
//
// group.x:                                          ; preds = %k.group.exit, %group.y
//   %gx = phi i64 [ %0, %group.y ], [ %27, %k.group.exit ]
//   %19 = shl nuw i64 %gx, 6
//   %20 = sub i64 %13, %19
//   %21 = call i64 @llvm.umin.i64(i64 %20, i64 64)
//   br label %vector.check
//
// items.x.i:                                        ; preds = %vector.leave, %vector.check, %items.x.i
//   %local.x.i = phi i64 [ %25, %items.x.i ], [ 0, %vector.check ], [ %67, %vector.leave ]
//   %22 = add nuw nsw i64 %19, %local.x.i
//     #dbg_value(ptr addrspace(1) %14, !23, !DIExpression(), !27)
//     #dbg_value(ptr addrspace(1) %16, !24, !DIExpression(), !27)
//     #dbg_value(i32 %18, !25, !DIExpression(), !27)
//     #dbg_value(ptr addrspace(1) %14, !28, !DIExpression(), !43)
//     #dbg_value(ptr addrspace(1) %16, !31, !DIExpression(), !43)
//     #dbg_value(i32 %18, !32, !DIExpression(), !43)
//     #dbg_value(i64 %22, !33, !DIExpression(), !43)
//   %mul.i.i = mul nsw i32 %18, 3, !dbg !45
//     #dbg_value(i32 %mul.i.i, !36, !DIExpression(), !43)
//   %arrayidx.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %22, !dbg !46
//   %23 = load i32, ptr addrspace(1) %arrayidx.i.i, align 4, !dbg !46, !tbaa !5, !llvm.access.group !47
//     #dbg_value(i32 %23, !37, !DIExpression(), !43)
//     #dbg_value(i32 %18, !38, !DIExpression(), !43)
//   call void @llvm.lifetime.start.p0(ptr nonnull %a.i.i) #6, !dbg !48
//     #dbg_value(ptr %a.i.i, !39, !DIExpression(DW_OP_deref), !49)
//   %and.i.i = and i32 %23, 31, !dbg !50
//   %idxprom.i.i = zext nneg i32 %and.i.i to i64, !dbg !51
//   %arrayidx1.i.i = getelementptr inbounds nuw i32, ptr %a.i.i, i64 %idxprom.i.i, !dbg !51
//   store i32 %mul.i.i, ptr %arrayidx1.i.i, align 4, !dbg !52, !tbaa !5
//   %cmp.i.i = icmp sgt i32 %23, 5, !dbg !53
//   %spec.select.i = select i1 %cmp.i.i, i32 %mul.i.i, i32 %18, !dbg !53
//     #dbg_value(i32 %spec.select.i, !38, !DIExpression(), !43)
//   %and2.i.i = and i32 %spec.select.i, 31, !dbg !55
//   %idxprom3.i.i = zext nneg i32 %and2.i.i to i64, !dbg !56
//   %arrayidx4.i.i = getelementptr inbounds nuw i32, ptr %a.i.i, i64 %idxprom3.i.i, !dbg !56
//   %24 = load i32, ptr %arrayidx4.i.i, align 4, !dbg !56, !tbaa !5
//   %arrayidx5.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %16, i64 %22, !dbg !57
//   store i32 %24, ptr addrspace(1) %arrayidx5.i.i, align 4, !dbg !58, !tbaa !5, !llvm.access.group !47
//   call void @llvm.lifetime.end.p0(ptr nonnull %a.i.i) #6, !dbg !59
//   %25 = add nuw i64 %local.x.i, 1
//   %26 = icmp ult i64 %25, %21
//   br i1 %26, label %items.x.i, label %k.group.exit, !llvm.loop !60
//
// k.group.exit:                                     ; preds = %vector.leave, %items.x.i
//   %27 = add nuw i64 %gx, 1
//   %28 = add nuw i64 %0, %6
//   %29 = icmp ult i64 %27, %28
//   br i1 %29, label %group.x, label %group.next, !llvm.loop !64
//
// group.next:                                       ; preds = %k.group.exit
//   %30 = add nuw i64 %gy, 1
//   %31 = add nuw i64 %2, %8
//   %32 = icmp ult i64 %30, %31
//   br i1 %32, label %group.y, label %group.next1, !llvm.loop !65
//
// group.next1:                                      ; preds = %group.next
//   %33 = add nuw i64 %gz, 1
//   %34 = add nuw i64 %4, %10
//   %35 = icmp ult i64 %33, %34
//   br i1 %35, label %group.z, label %exit, !llvm.loop !66
//
// vector.check:                                     ; preds = %group.x
//   %36 = sub i64 %21, 0
//   %37 = and i64 %36, -4
//   %38 = icmp eq i64 %37, 0
//   br i1 %38, label %items.x.i, label %vector.enter
//
// vector.enter:                                     ; preds = %vector.check
//   br label %items.x.i.v
//
// items.x.i.v:                                      ; preds = %items.x.i.v, %vector.enter
//   %vector = phi i64 [ 0, %vector.enter ], [ %64, %items.x.i.v ]
//   %39 = add nuw nsw i64 %19, %vector
//     #dbg_value(ptr addrspace(1) %14, !23, !DIExpression(), !27)
//     #dbg_value(ptr addrspace(1) %16, !24, !DIExpression(), !27)
//     #dbg_value(i32 %18, !25, !DIExpression(), !27)
//     #dbg_value(ptr addrspace(1) %14, !28, !DIExpression(), !43)
//     #dbg_value(ptr addrspace(1) %16, !31, !DIExpression(), !43)
//     #dbg_value(i32 %18, !32, !DIExpression(), !43)
//     #dbg_value(i64 %39, !33, !DIExpression(), !43)
//   %40 = mul nsw i32 %18, 3, !dbg !45
//     #dbg_value(i32 %40, !36, !DIExpression(), !43)
//   %41 = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %39, !dbg !46
//   %42 = load <4 x i32>, ptr addrspace(1) %41, align 4, !dbg !46, !tbaa !5, !llvm.access.group !47
//     #dbg_value(i1 poison, !37, !DIExpression(), !43)
//     #dbg_value(i32 %18, !38, !DIExpression(), !43)
//     #dbg_value(i1 poison, !39, !DIExpression(DW_OP_deref), !49)
//   %43 = and <4 x i32> %42, splat (i32 31), !dbg !50
//   %44 = zext nneg <4 x i32> %43 to <4 x i64>, !dbg !51
//   %45 = trunc <4 x i64> %44 to <4 x i32>, !dbg !51
//   %46 = mul <4 x i32> %45, splat (i32 16), !dbg !51
//   %47 = add <4 x i32> %46, <i32 0, i32 4, i32 8, i32 12>, !dbg !51
//   %48 = sext <4 x i32> %47 to <4 x i64>, !dbg !51
//   %49 = getelementptr i8, ptr %private, <4 x i64> %48, !dbg !51
//   %.splatinsert = insertelement <4 x i32> poison, i32 %40, i64 0, !dbg !52
//   %.splat = shufflevector <4 x i32> %.splatinsert, <4 x i32> poison, <4 x i32> zeroinitializer, !dbg !52
//   call void @llvm.masked.scatter.v4i32.v4p0(<4 x i32> %.splat, <4 x ptr> align 4 %49, <4 x i1> splat (i1 true)), !dbg !52, !tbaa !5
//   %50 = icmp sgt <4 x i32> %42, splat (i32 5), !dbg !53
//   %.splatinsert2 = insertelement <4 x i32> poison, i32 %40, i64 0, !dbg !53
//   %.splat3 = shufflevector <4 x i32> %.splatinsert2, <4 x i32> poison, <4 x i32> zeroinitializer, !dbg !53
//   %.splatinsert4 = insertelement <4 x i32> poison, i32 %18, i64 0, !dbg !53
//   %.splat5 = shufflevector <4 x i32> %.splatinsert4, <4 x i32> poison, <4 x i32> zeroinitializer, !dbg !53
//   %51 = select <4 x i1> %50, <4 x i32> %.splat3, <4 x i32> %.splat5, !dbg !53
//     #dbg_value(i1 poison, !38, !DIExpression(), !43)
//   %52 = and <4 x i32> %51, splat (i32 31), !dbg !55
//   %53 = zext nneg <4 x i32> %52 to <4 x i64>, !dbg !56
//   %54 = trunc <4 x i64> %53 to <4 x i32>, !dbg !56
//   %55 = mul <4 x i32> %54, splat (i32 16), !dbg !56
//   %56 = add <4 x i32> %55, <i32 0, i32 4, i32 8, i32 12>, !dbg !56
//   %57 = sext <4 x i32> %56 to <4 x i64>, !dbg !56
//   %58 = getelementptr i8, ptr %private, <4 x i64> %57, !dbg !56
//   %59 = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> align 4 %58, <4 x i1> splat (i1 true), <4 x i32> poison), !dbg !56, !tbaa !5
//   %60 = getelementptr inbounds nuw i32, ptr addrspace(1) %16, i64 %39, !dbg !57
//   store <4 x i32> %59, ptr addrspace(1) %60, align 4, !dbg !58, !tbaa !5, !llvm.access.group !47
//   %61 = add nuw i64 %vector, 1
//   %.splatinsert6 = insertelement <4 x i64> poison, i64 %61, i64 0
//   %.splat7 = shufflevector <4 x i64> %.splatinsert6, <4 x i64> poison, <4 x i32> zeroinitializer
//   %62 = add <4 x i64> %.splat7, <i64 0, i64 1, i64 2, i64 3>
//   %.splatinsert8 = insertelement <4 x i64> poison, i64 %21, i64 0
//   %.splat9 = shufflevector <4 x i64> %.splatinsert8, <4 x i64> poison, <4 x i32> zeroinitializer
//   %63 = icmp ult <4 x i64> %62, %.splat9
//   %64 = add i64 %vector, 4
//   %65 = sub i64 %64, 0
//   %66 = icmp ult i64 %65, %37
//   br i1 %66, label %items.x.i.v, label %vector.leave, !llvm.loop !67
//
// vector.leave:                                     ; preds = %items.x.i.v
//   %67 = add i64 0, %37
//   %68 = icmp ne i64 %37, %36
//   br i1 %68, label %items.x.i, label %k.group.exit
// }
//
