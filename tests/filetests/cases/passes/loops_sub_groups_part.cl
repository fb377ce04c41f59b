//! test = "work-item-loops"
//! functions = ["k.group"]
//! local = [16]
// Work-items diverge: each records its next region, and the first region in order runs for the
// work-items recorded there.
kernel void k(global int *a) {
  int l = get_local_id(0);
  if (a[l] > 0) a[l] = sub_group_broadcast(a[l], 0);
}
//---- expected ----
// ; Function Attrs: convergent nounwind
// define internal void @k.group(ptr addrspace(1) noundef align 4 %a, i64 %group.x, i64 %group.y, i64 %group.z, i64 %size.x, i64 %size.y, i64 %size.z, i64 %full.x, i64 %full.y, i64 %full.z, i64 %groups.x, i64 %groups.y, i64 %groups.z, i64 %offset.x, i64 %offset.y, i64 %offset.z, i64 %global.x, i64 %global.y, i64 %global.z, i32 %rank, ptr addrspace(3) %local, ptr noalias %scratch, ptr %extra) #0 {
// prologue9:
//   %at = alloca [16 x i32], align 64
//   %slot = alloca [64 x i8], align 4
//   %sub.scratch = alloca [128 x i64], align 128
//   %0 = mul nuw i64 %size.x, 1
//   %1 = mul nuw i64 %0, 1
//   %2 = add nuw i64 %1, 15
//   %3 = udiv i64 %2, 16
//   br label %items.first
//
// prologue:                                         ; preds = %items.item
//   %4 = mul nuw i64 %sub.group, 16
//   %5 = sub i64 %size.x, %4
//   %6 = icmp ult i64 %5, 16
//   %7 = select i1 %6, i64 %5, i64 16
//   call void @llvm.memset.p0.i64(ptr align 64 %at, i8 0, i64 64, i1 false)
//   %8 = mul nuw i64 %group.x, 16
//   %9 = add nuw i64 %8, %offset.x
//   %10 = add nuw i64 %group.y, %offset.y
//   %11 = add nuw i64 %group.z, %offset.z
//   br label %region0.header
//
// choose:                                           ; preds = %region2.latch, %region1.latch, %region0.latch
//   br label %each
//
// region0.header:                                   ; preds = %region0.latch, %prologue
//   %lane = phi i64 [ 0, %prologue ], [ %16, %region0.latch ]
//   %12 = add nuw i64 %4, %lane
//   %13 = getelementptr inbounds i32, ptr %at, i64 %lane
//   %14 = load i32, ptr %13, align 4
//   %15 = icmp eq i32 %14, 0
//   br i1 %15, label %entry.r0, label %region0.latch
//
// region0.latch:                                    ; preds = %region0.header, %if.then.i.r0, %__clang_ocl_kern_imp_k.exit.r0
//   %16 = add nuw i64 %lane, 1
//   %17 = icmp ult i64 %16, %7
//   br i1 %17, label %region0.header, label %choose, !llvm.loop !10
//
// region1.header:                                   ; preds = %chosen, %region1.latch
//   %lane3 = phi i64 [ %22, %region1.latch ], [ 0, %chosen ]
//   %18 = getelementptr inbounds i32, ptr %slot, i64 %lane3
//   %19 = getelementptr inbounds i32, ptr %at, i64 %lane3
//   %20 = load i32, ptr %19, align 4
//   %21 = icmp eq i32 %20, 3
//   br i1 %21, label %behind.r1, label %region1.latch
//
// region1.latch:                                    ; preds = %region1.header, %behind.r1
//   %22 = add nuw i64 %lane3, 1
//   %23 = icmp ult i64 %22, %7
//   br i1 %23, label %region1.header, label %choose, !llvm.loop !16
//
// region2.header:                                   ; preds = %chosen, %region2.latch
//   %lane4 = phi i64 [ %33, %region2.latch ], [ 0, %chosen ]
//   %24 = add nuw i64 %4, %lane4
//   %25 = getelementptr inbounds i32, ptr %slot, i64 %lane4
//   %26 = load i32, ptr %25, align 4, !llvm.access.group !13
//   %27 = shl i64 %24, 32
//   %28 = ashr exact i64 %27, 30
//   %29 = getelementptr inbounds i8, ptr addrspace(1) %a, i64 %28
//   %30 = getelementptr inbounds i32, ptr %at, i64 %lane4
//   %31 = load i32, ptr %30, align 4
//   %32 = icmp eq i32 %31, 5
//   br i1 %32, label %behind2.r2, label %region2.latch
//
// region2.latch:                                    ; preds = %region2.header, %behind2.r2
//   %33 = add nuw i64 %lane4, 1
//   %34 = icmp ult i64 %33, %7
//   br i1 %34, label %region2.header, label %choose, !llvm.loop !17
//
// done:                                             ; preds = %chosen
//   br label %items.latch
//
// entry.r0:                                         ; preds = %region0.header
//   %sext.r0 = shl i64 %12, 32
//   %35 = ashr exact i64 %sext.r0, 30
//   %arrayidx.i.r0 = getelementptr inbounds i8, ptr addrspace(1) %a, i64 %35
//   %36 = load i32, ptr addrspace(1) %arrayidx.i.r0, align 4, !tbaa !1, !llvm.access.group !13
//   %cmp.i.r0 = icmp sgt i32 %36, 0
//   br i1 %cmp.i.r0, label %if.then.i.r0, label %__clang_ocl_kern_imp_k.exit.r0
//
// __clang_ocl_kern_imp_k.exit.r0:                   ; preds = %entry.r0
//   store i32 -1, ptr %13, align 4
//   br label %region0.latch
//
// if.then.i.r0:                                     ; preds = %entry.r0
//   %37 = trunc i64 %lane to i32
//   %38 = zext i32 %37 to i64
//   %39 = getelementptr inbounds nuw i64, ptr %sub.scratch, i64 %38
//   store i32 %36, ptr %39, align 4
//   store i32 3, ptr %13, align 4
//   br label %region0.latch
//
// behind.r1:                                        ; preds = %region1.header
//   %40 = load i32, ptr %sub.scratch, align 4
//   store i32 %40, ptr %18, align 4, !llvm.access.group !13
//   store i32 5, ptr %19, align 4
//   br label %region1.latch
//
// behind2.r2:                                       ; preds = %region2.header
//   store i32 %26, ptr addrspace(1) %29, align 4, !tbaa !1, !llvm.access.group !13
//   store i32 -1, ptr %30, align 4
//   br label %region2.latch
//
// chosen:                                           ; preds = %each
//   switch i32 %44, label %done [
//     i32 3, label %region1.header
//     i32 5, label %region2.header
//   ]
//
// each:                                             ; preds = %each, %choose
//   %each8 = phi i64 [ 0, %choose ], [ %45, %each ]
//   %all = phi i32 [ -1, %choose ], [ %44, %each ]
//   %41 = getelementptr inbounds i32, ptr %at, i64 %each8
//   %42 = load i32, ptr %41, align 4
//   %43 = icmp ult i32 %42, %all
//   %44 = select i1 %43, i32 %42, i32 %all
//   %45 = add nuw i64 %each8, 1
//   %46 = icmp ult i64 %45, %7
//   br i1 %46, label %each, label %chosen
//
// items.first:                                      ; preds = %prologue9
//   br label %items.header
//
// items.header:                                     ; preds = %items.latch, %items.first
//   %sub.group = phi i64 [ 0, %items.first ], [ %47, %items.latch ]
//   br label %items.item
//
// items.item:                                       ; preds = %items.header
//   br label %prologue
//
// items.latch:                                      ; preds = %done
//   %47 = add nuw i64 %sub.group, 1
//   %48 = icmp ult i64 %47, %3
//   br i1 %48, label %items.header, label %items.next
//
// items.next:                                       ; preds = %items.latch
//   ret void
// }
//
