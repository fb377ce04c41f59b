//! test = "work-item-loops"
//! functions = ["k.group"]
//! local = [8]
// A barrier in a loop: the region behind it reaches the barrier again or leaves the loop. The exit
// of the last work-item decides.
kernel void k(global int *a, local int *t, int n) {
  int l = get_local_id(0);
  for (int i = 0; i < n; i++) {
    t[l] = a[l] + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = t[7 - l];
  }
}
//---- expected ----
// ; Function Attrs: convergent nounwind
// define internal void @k.group(ptr addrspace(1) noundef align 4 %a, ptr addrspace(3) noundef align 4 %t, i32 noundef %n, i64 %group.x, i64 %group.y, i64 %group.z, i64 %size.x, i64 %size.y, i64 %size.z, i64 %full.x, i64 %full.y, i64 %full.z, i64 %groups.x, i64 %groups.y, i64 %groups.z, i64 %offset.x, i64 %offset.y, i64 %offset.z, i64 %global.x, i64 %global.y, i64 %global.z, i32 %rank, ptr addrspace(3) %local, ptr noalias %scratch, ptr %extra) #0 {
// prologue:
//   %group = alloca i32, align 4
//   %group.item = alloca i32, align 4
//   %0 = mul nuw i64 %group.x, 8
//   %1 = add nuw i64 %0, %offset.x
//   %2 = mul nuw i64 %group.x, 8
//   %3 = add nuw i64 %2, %offset.x
//   br label %region0.first
//
// region0.first:                                    ; preds = %prologue
//   %4 = load i32, ptr %group, align 4
//   br label %region0.x
//
// region0.x:                                        ; preds = %region0.latch, %region0.first
//   %local.x = phi i64 [ 0, %region0.first ], [ %6, %region0.latch ]
//   %5 = add nuw nsw i64 %1, %local.x
//   store i32 %4, ptr %group.item, align 4
//   br label %entry.r0
//
// region0.latch:                                    ; preds = %exit2, %exit
//   %next = phi i32 [ 0, %exit ], [ 1, %exit2 ]
//   %6 = add nuw i64 %local.x, 1
//   %7 = icmp ult i64 %6, %size.x
//   br i1 %7, label %region0.x, label %region0.next, !llvm.loop !10
//
// region0.next:                                     ; preds = %region0.latch
//   %8 = load i32, ptr %group.item, align 4
//   store i32 %8, ptr %group, align 4
//   %cond = icmp eq i32 %next, 1
//   br i1 %cond, label %region1.first, label %done
//
// region1.first:                                    ; preds = %region1.next, %region0.next
//   %9 = load i32, ptr %group, align 4
//   br label %region1.x
//
// region1.x:                                        ; preds = %region1.latch, %region1.first
//   %local.x1 = phi i64 [ 0, %region1.first ], [ %14, %region1.latch ]
//   %10 = add nuw nsw i64 %3, %local.x1
//   store i32 %9, ptr %group.item, align 4
//   %11 = shl i64 %local.x1, 32
//   %12 = ashr exact i64 %11, 32
//   %13 = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %12
//   br label %behind.r1
//
// region1.latch:                                    ; preds = %exit5, %exit4
//   %next3 = phi i32 [ 0, %exit4 ], [ 1, %exit5 ]
//   %14 = add nuw i64 %local.x1, 1
//   %15 = icmp ult i64 %14, %size.x
//   br i1 %15, label %region1.x, label %region1.next, !llvm.loop !16
//
// region1.next:                                     ; preds = %region1.latch
//   %16 = load i32, ptr %group.item, align 4
//   store i32 %16, ptr %group, align 4
//   %cond6 = icmp eq i32 %next3, 1
//   br i1 %cond6, label %region1.first, label %done
//
// done:                                             ; preds = %region1.next, %region0.next
//   ret void
//
// exit:                                             ; preds = %__clang_ocl_kern_imp_k.exit.r0
//   br label %region0.latch
//
// exit2:                                            ; preds = %for.body.i.r0
//   br label %region0.latch
//
// entry.r0:                                         ; preds = %region0.x
//   br label %for.cond.i.r0
//
// for.cond.i.r0:                                    ; preds = %entry.r0
//   %i.i.0.r0 = phi i32 [ 0, %entry.r0 ]
//   store i32 %i.i.0.r0, ptr %group.item, align 4
//   %cmp.i.r0 = icmp slt i32 %i.i.0.r0, %n
//   br i1 %cmp.i.r0, label %for.body.i.r0, label %__clang_ocl_kern_imp_k.exit.r0
//
// __clang_ocl_kern_imp_k.exit.r0:                   ; preds = %for.cond.i.r0
//   br label %exit
//
// for.body.i.r0:                                    ; preds = %for.cond.i.r0
//   %sext.r0 = shl i64 %local.x, 32
//   %idxprom.i.r0 = ashr exact i64 %sext.r0, 32
//   %arrayidx.i.r0 = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %idxprom.i.r0
//   %17 = load i32, ptr addrspace(1) %arrayidx.i.r0, align 4, !tbaa !1, !llvm.access.group !13
//   %add.i.r0 = add nsw i32 %17, %i.i.0.r0
//   %arrayidx3.i.r0 = getelementptr inbounds i32, ptr addrspace(3) %t, i64 %idxprom.i.r0
//   store i32 %add.i.r0, ptr addrspace(3) %arrayidx3.i.r0, align 4, !tbaa !1, !llvm.access.group !13
//   br label %exit2
//
// exit4:                                            ; preds = %__clang_ocl_kern_imp_k.exit.r1
//   br label %region1.latch
//
// exit5:                                            ; preds = %for.body.i.r1
//   br label %region1.latch
//
// behind.r1:                                        ; preds = %region1.x
//   %sext8.r1 = sub i64 30064771072, %11
//   %18 = ashr exact i64 %sext8.r1, 30
//   %arrayidx5.i.r1 = getelementptr inbounds i8, ptr addrspace(3) %t, i64 %18
//   %19 = load i32, ptr addrspace(3) %arrayidx5.i.r1, align 4, !tbaa !1, !llvm.access.group !13
//   store i32 %19, ptr addrspace(1) %13, align 4, !tbaa !1, !llvm.access.group !13
//   %20 = load i32, ptr %group.item, align 4
//   %inc.i.r1 = add nuw nsw i32 %20, 1
//   br label %for.cond.i.r1
//
// for.cond.i.r1:                                    ; preds = %behind.r1
//   %i.i.0.r1 = phi i32 [ %inc.i.r1, %behind.r1 ]
//   store i32 %i.i.0.r1, ptr %group.item, align 4
//   %cmp.i.r1 = icmp slt i32 %i.i.0.r1, %n
//   br i1 %cmp.i.r1, label %for.body.i.r1, label %__clang_ocl_kern_imp_k.exit.r1
//
// __clang_ocl_kern_imp_k.exit.r1:                   ; preds = %for.cond.i.r1
//   br label %exit4
//
// for.body.i.r1:                                    ; preds = %for.cond.i.r1
//   %sext.r1 = shl i64 %local.x1, 32
//   %idxprom.i.r1 = ashr exact i64 %sext.r1, 32
//   %arrayidx.i.r1 = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %idxprom.i.r1
//   %21 = load i32, ptr addrspace(1) %arrayidx.i.r1, align 4, !tbaa !1, !llvm.access.group !13
//   %add.i.r1 = add nsw i32 %21, %i.i.0.r1
//   %arrayidx3.i.r1 = getelementptr inbounds i32, ptr addrspace(3) %t, i64 %idxprom.i.r1
//   store i32 %add.i.r1, ptr addrspace(3) %arrayidx3.i.r1, align 4, !tbaa !1, !llvm.access.group !13
//   br label %exit5
// }
//
