//! test = "work-item-loops"
//! functions = ["k.group"]
//! local = [8]
// `all` lives across a barrier. The load has one address and no store between the same barriers,
// so `all` is kept once for the group, and not in scratch memory.
kernel void k(global int *a, local int *t) {
  int l = get_local_id(0);
  t[l] = a[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  int all = t[3];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = all;
}
//---- expected ----
// ; Function Attrs: convergent nounwind
// define internal void @k.group(ptr addrspace(1) noundef align 4 %a, ptr addrspace(3) noundef align 4 %t, i64 %group.x, i64 %group.y, i64 %group.z, i64 %size.x, i64 %size.y, i64 %size.z, i64 %full.x, i64 %full.y, i64 %full.z, i64 %groups.x, i64 %groups.y, i64 %groups.z, i64 %offset.x, i64 %offset.y, i64 %offset.z, i64 %global.x, i64 %global.y, i64 %global.z, i32 %rank, ptr addrspace(3) %local, ptr noalias %scratch, ptr %extra) #0 {
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
//   br label %region0.x
//
// region0.x:                                        ; preds = %region0.latch, %region0.first
//   %local.x = phi i64 [ 0, %region0.first ], [ %5, %region0.latch ]
//   %4 = add nuw nsw i64 %1, %local.x
//   br label %entry.r0
//
// region0.latch:                                    ; preds = %entry.r0
//   %5 = add nuw i64 %local.x, 1
//   %6 = icmp ult i64 %5, %size.x
//   br i1 %6, label %region0.x, label %region0.next, !llvm.loop !10
//
// region0.next:                                     ; preds = %region0.latch
//   br label %region1.first
//
// region1.first:                                    ; preds = %region0.next
//   %7 = load i32, ptr %group, align 4
//   br label %region1.x
//
// region1.x:                                        ; preds = %region1.latch, %region1.first
//   %local.x3 = phi i64 [ 0, %region1.first ], [ %8, %region1.latch ]
//   store i32 %7, ptr %group.item, align 4
//   br label %behind.r1
//
// region1.latch:                                    ; preds = %behind.r1
//   %8 = add nuw i64 %local.x3, 1
//   %9 = icmp ult i64 %8, %size.x
//   br i1 %9, label %region1.x, label %region1.next, !llvm.loop !16
//
// region1.next:                                     ; preds = %region1.latch
//   %10 = load i32, ptr %group.item, align 4
//   store i32 %10, ptr %group, align 4
//   br label %region2.first
//
// region2.first:                                    ; preds = %region1.next
//   %11 = load i32, ptr %group, align 4
//   br label %region2.x
//
// region2.x:                                        ; preds = %region2.latch, %region2.first
//   %local.x4 = phi i64 [ 0, %region2.first ], [ %16, %region2.latch ]
//   %12 = add nuw nsw i64 %3, %local.x4
//   %13 = shl i64 %local.x4, 32
//   %14 = ashr exact i64 %13, 32
//   %15 = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %14
//   br label %behind2.r2
//
// region2.latch:                                    ; preds = %behind2.r2
//   %16 = add nuw i64 %local.x4, 1
//   %17 = icmp ult i64 %16, %size.x
//   br i1 %17, label %region2.x, label %region2.next, !llvm.loop !17
//
// region2.next:                                     ; preds = %region2.latch
//   br label %done
//
// done:                                             ; preds = %region2.next
//   ret void
//
// entry.r0:                                         ; preds = %region0.x
//   %sext.r0 = shl i64 %local.x, 32
//   %idxprom.i.r0 = ashr exact i64 %sext.r0, 32
//   %arrayidx.i.r0 = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %idxprom.i.r0
//   %18 = load i32, ptr addrspace(1) %arrayidx.i.r0, align 4, !tbaa !1, !llvm.access.group !13
//   %arrayidx2.i.r0 = getelementptr inbounds i32, ptr addrspace(3) %t, i64 %idxprom.i.r0
//   store i32 %18, ptr addrspace(3) %arrayidx2.i.r0, align 4, !tbaa !1, !llvm.access.group !13
//   br label %region0.latch
//
// behind.r1:                                        ; preds = %region1.x
//   %arrayidx3.i.r1 = getelementptr inbounds nuw i8, ptr addrspace(3) %t, i64 12
//   %19 = load i32, ptr addrspace(3) %arrayidx3.i.r1, align 4, !tbaa !1, !llvm.access.group !13
//   store i32 %19, ptr %group.item, align 4
//   br label %region1.latch
//
// behind2.r2:                                       ; preds = %region2.x
//   store i32 %11, ptr addrspace(1) %15, align 4, !tbaa !1, !llvm.access.group !13
//   br label %region2.latch
// }
//
