//! test = "canonical-loops"
//! functions = ["muxcl.kernel.k"]
//! local = [64]
//! lanes = 4
// Some work-items enter the loop in its middle. The short part, up to the call, is copied, and all
// work-items run the long part together.
kernel void k(global uint *a) {
  uint x = get_local_id(0), v = a[x], n = v & 7;
  if (v & 8)
    goto middle;
top:
  v = v / 3 + n;
  a[x + 64] = v;
  v = v * 5 ^ a[v & 63];
  a[x + 128] = v;
middle:
  a[x + n] = v;
  if (n-- > 0)
    goto top;
  a[x] = v;
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @muxcl.kernel.k(ptr noalias noundef nonnull readonly align 8 %packed, ptr noalias noundef nonnull readonly align 8 %sched) #1 {
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
//   %15 = shl nuw i64 %gx, 6
//   %16 = sub i64 %13, %15
//   %17 = call i64 @llvm.umin.i64(i64 %16, i64 64)
//   br label %items.x.i
//
// top.i.i:                                          ; preds = %top.i.i.preheader, %top.i.i
//   %n.i.0.i = phi i32 [ %dec.i.i, %top.i.i ], [ %n.i.0.i.ph, %top.i.i.preheader ]
//   %v.i.0.i = phi i32 [ %xor.i.i, %top.i.i ], [ %22, %top.i.i.preheader ]
//   %div.i.i = udiv i32 %v.i.0.i, 3
//   %add.i.i = add i32 %div.i.i, %n.i.0.i
//   %add2.i.i = add i64 %local.x.i, 64
//   %idxprom3.i.i = and i64 %add2.i.i, 4294967295
//   %arrayidx4.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %idxprom3.i.i
//   store i32 %add.i.i, ptr addrspace(1) %arrayidx4.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %mul.i.i = mul i32 %add.i.i, 5
//   %and5.i.i = and i32 %add.i.i, 63
//   %idxprom6.i.i = zext nneg i32 %and5.i.i to i64
//   %arrayidx7.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %idxprom6.i.i
//   %18 = load i32, ptr addrspace(1) %arrayidx7.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %xor.i.i = xor i32 %mul.i.i, %18
//   %add8.i.i = add i64 %local.x.i, 128
//   %idxprom9.i.i = and i64 %add8.i.i, 4294967295
//   %arrayidx10.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %idxprom9.i.i
//   store i32 %xor.i.i, ptr addrspace(1) %arrayidx10.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %add11.i.i = add i32 %n.i.0.i, %21
//   %idxprom12.i.i = zext i32 %add11.i.i to i64
//   %arrayidx13.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %idxprom12.i.i
//   store i32 %xor.i.i, ptr addrspace(1) %arrayidx13.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %dec.i.i = add i32 %n.i.0.i, -1
//   %cmp.i.not.i = icmp eq i32 %n.i.0.i, 0
//   br i1 %cmp.i.not.i, label %__clang_ocl_kern_imp_k.exit.i.loopexit, label %top.i.i
//
// __clang_ocl_kern_imp_k.exit.i.loopexit:           ; preds = %top.i.i
//   %xor.i.i.lcssa = phi i32 [ %xor.i.i, %top.i.i ]
//   br label %__clang_ocl_kern_imp_k.exit.i
//
// __clang_ocl_kern_imp_k.exit.i:                    ; preds = %__clang_ocl_kern_imp_k.exit.i.loopexit, %middle.i.i.copy
//   %kept.0 = phi i32 [ %22, %middle.i.i.copy ], [ %xor.i.i.lcssa, %__clang_ocl_kern_imp_k.exit.i.loopexit ]
//   store i32 %kept.0, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %19 = add nuw i64 %local.x.i, 1
//   %20 = icmp ult i64 %19, %17
//   br i1 %20, label %items.x.i, label %k.group.exit, !llvm.loop !7
//
// items.x.i:                                        ; preds = %__clang_ocl_kern_imp_k.exit.i, %group.x
//   %local.x.i = phi i64 [ 0, %group.x ], [ %19, %__clang_ocl_kern_imp_k.exit.i ]
//   %21 = trunc i64 %local.x.i to i32
//   %idxprom.i.i = and i64 %local.x.i, 4294967295
//   %arrayidx.i.i = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %idxprom.i.i
//   %22 = load i32, ptr addrspace(1) %arrayidx.i.i, align 4, !tbaa !1, !llvm.access.group !6
//   %and.i.i = and i32 %22, 7
//   %and1.i.i = and i32 %22, 8
//   %tobool.i.not.i = icmp eq i32 %and1.i.i, 0
//   br i1 %tobool.i.not.i, label %top.i.i.preheader, label %middle.i.i.copy
//
// k.group.exit:                                     ; preds = %__clang_ocl_kern_imp_k.exit.i
//   %23 = add nuw i64 %gx, 1
//   %24 = add nuw i64 %0, %6
//   %25 = icmp ult i64 %23, %24
//   br i1 %25, label %group.x, label %group.next, !llvm.loop !12
//
// group.next:                                       ; preds = %k.group.exit
//   %26 = add nuw i64 %gy, 1
//   %27 = add nuw i64 %2, %8
//   %28 = icmp ult i64 %26, %27
//   br i1 %28, label %group.y, label %group.next1, !llvm.loop !14
//
// group.next1:                                      ; preds = %group.next
//   %29 = add nuw i64 %gz, 1
//   %30 = add nuw i64 %4, %10
//   %31 = icmp ult i64 %29, %30
//   br i1 %31, label %group.z, label %exit, !llvm.loop !15
//
// middle.i.i.copy:                                  ; preds = %items.x.i
//   %add11.i.i.copy = add i32 %and.i.i, %21
//   %idxprom12.i.i.copy = zext i32 %add11.i.i.copy to i64
//   %arrayidx13.i.i.copy = getelementptr inbounds nuw i32, ptr addrspace(1) %14, i64 %idxprom12.i.i.copy
//   store i32 %22, ptr addrspace(1) %arrayidx13.i.i.copy, align 4, !tbaa !1, !llvm.access.group !6
//   %dec.i.i.copy = add nsw i32 %and.i.i, -1
//   %cmp.i.not.i.copy = icmp eq i32 %and.i.i, 0
//   br i1 %cmp.i.not.i.copy, label %__clang_ocl_kern_imp_k.exit.i, label %top.i.i.preheader
//
// top.i.i.preheader:                                ; preds = %items.x.i, %middle.i.i.copy
//   %n.i.0.i.ph = phi i32 [ %dec.i.i.copy, %middle.i.i.copy ], [ %and.i.i, %items.x.i ]
//   br label %top.i.i
// }
//
