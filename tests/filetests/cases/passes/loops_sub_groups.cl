//! test = "work-item-loops"
//! functions = ["k.group"]
//! local = [32]
// Everybody takes the same way: loops over the work-items of a sub-group, once for the part that one work-item does; around them the loop
// over sub-groups, in two parts because of the barrier.
kernel void k(global int *a) {
  int l = get_local_id(0);
  int sum = sub_group_reduce_add(a[l]);
  barrier(CLK_GLOBAL_MEM_FENCE);
  a[31 - l] = sum;
}
//---- expected ----
// ; Function Attrs: convergent nounwind
// define internal void @k.group(ptr addrspace(1) noundef align 4 %a, i64 %group.x, i64 %group.y, i64 %group.z, i64 %size.x, i64 %size.y, i64 %size.z, i64 %full.x, i64 %full.y, i64 %full.z, i64 %groups.x, i64 %groups.y, i64 %groups.z, i64 %offset.x, i64 %offset.y, i64 %offset.z, i64 %global.x, i64 %global.y, i64 %global.z, i32 %rank, ptr addrspace(3) %local, ptr noalias %scratch, ptr %extra) #0 {
// prologue10:
//   %sub.scratch = alloca [128 x i64], align 128
//   %0 = mul nuw i64 %size.x, 1
//   %1 = mul nuw i64 %0, 1
//   %2 = add nuw i64 %1, 15
//   %3 = udiv i64 %2, 16
//   %4 = mul nuw i64 %size.x, 1
//   %5 = mul nuw i64 %4, 1
//   %6 = add nuw i64 %5, 15
//   %7 = udiv i64 %6, 16
//   br label %region0.first
//
// region0.first:                                    ; preds = %prologue10
//   br label %region0.header11
//
// region0.header11:                                 ; preds = %region0.latch, %region0.first
//   %sub.group = phi i64 [ 0, %region0.first ], [ %10, %region0.latch ]
//   br label %region0.item
//
// region0.item:                                     ; preds = %region0.header11
//   %8 = mul nuw i64 %sub.group, 64
//   %9 = getelementptr inbounds i8, ptr %scratch, i64 %8
//   br label %prologue.r0
//
// region0.latch:                                    ; preds = %wait.r0
//   %10 = add nuw i64 %sub.group, 1
//   %11 = icmp ult i64 %10, %3
//   br i1 %11, label %region0.header11, label %region0.next
//
// region0.next:                                     ; preds = %region0.latch
//   br label %region1.first12
//
// region1.first12:                                  ; preds = %region0.next
//   br label %region1.header
//
// region1.header:                                   ; preds = %region1.latch, %region1.first12
//   %sub.group13 = phi i64 [ 0, %region1.first12 ], [ %18, %region1.latch ]
//   br label %region1.item
//
// region1.item:                                     ; preds = %region1.header
//   %12 = mul nuw i64 %sub.group13, 64
//   %13 = getelementptr inbounds i8, ptr %scratch, i64 %12
//   %14 = mul nuw i64 %sub.group13, 16
//   %15 = sub i64 %size.x, %14
//   %16 = icmp ult i64 %15, 16
//   %17 = select i1 %16, i64 %15, i64 16
//   br label %behind.r1
//
// region1.latch:                                    ; preds = %done.r1
//   %18 = add nuw i64 %sub.group13, 1
//   %19 = icmp ult i64 %18, %7
//   br i1 %19, label %region1.header, label %region1.next
//
// region1.next:                                     ; preds = %region1.latch
//   br label %done14
//
// done14:                                           ; preds = %region1.next
//   ret void
//
// prologue.r0:                                      ; preds = %region0.item
//   %20 = mul nuw i64 %sub.group, 16
//   %21 = sub i64 %size.x, %20
//   %22 = icmp ult i64 %21, 16
//   %23 = select i1 %22, i64 %21, i64 16
//   %24 = mul nuw i64 %group.x, 32
//   %25 = add nuw i64 %24, %offset.x
//   %26 = add nuw i64 %group.y, %offset.y
//   %27 = add nuw i64 %group.z, %offset.z
//   br label %region0.header.r0
//
// region0.header.r0:                                ; preds = %region0.header.r0, %prologue.r0
//   %lane.r0 = phi i64 [ 0, %prologue.r0 ], [ %34, %region0.header.r0 ]
//   %28 = add nuw i64 %20, %lane.r0
//   %sext.r0.r0 = shl i64 %28, 32
//   %29 = ashr exact i64 %sext.r0.r0, 30
//   %arrayidx.i.r0.r0 = getelementptr inbounds i8, ptr addrspace(1) %a, i64 %29
//   %30 = load i32, ptr addrspace(1) %arrayidx.i.r0.r0, align 4, !tbaa !1, !llvm.access.group !10
//   %31 = trunc i64 %lane.r0 to i32
//   %32 = zext i32 %31 to i64
//   %33 = getelementptr inbounds nuw i64, ptr %sub.scratch, i64 %32
//   store i32 %30, ptr %33, align 4
//   %34 = add nuw i64 %lane.r0, 1
//   %35 = icmp ult i64 %34, %23
//   br i1 %35, label %region0.header.r0, label %region1.first.r0, !llvm.loop !11
//
// region1.first.r0:                                 ; preds = %region0.header.r0
//   %36 = sub i64 64, %23
//   %37 = lshr i64 -1, %36
//   %38 = trunc i64 %23 to i32
//   %39 = icmp eq i32 %38, 0
//   br i1 %39, label %_Z20sub_group_reduce_addi.exit.r1.r0, label %40
//
// 40:                                               ; preds = %52, %region1.first.r0
//   %41 = phi i32 [ %53, %52 ], [ 0, %region1.first.r0 ]
//   %42 = phi i32 [ %54, %52 ], [ 0, %region1.first.r0 ]
//   %43 = zext i32 %42 to i64
//   %44 = and i64 %43, 63
//   %45 = shl nuw i64 1, %44
//   %46 = and i64 %45, %37
//   %47 = icmp eq i64 %46, 0
//   br i1 %47, label %52, label %48
//
// 48:                                               ; preds = %40
//   %49 = getelementptr inbounds nuw i64, ptr %sub.scratch, i64 %43
//   %50 = load i32, ptr %49, align 4
//   %51 = add nsw i32 %50, %41
//   br label %52
//
// 52:                                               ; preds = %48, %40
//   %53 = phi i32 [ %51, %48 ], [ %41, %40 ]
//   %54 = add nuw i32 %42, 1
//   %55 = icmp ult i32 %54, %38
//   br i1 %55, label %40, label %_Z20sub_group_reduce_addi.exit.r1.r0, !llvm.loop !15
//
// _Z20sub_group_reduce_addi.exit.r1.r0:             ; preds = %52, %region1.first.r0
//   %56 = phi i32 [ 0, %region1.first.r0 ], [ %53, %52 ]
//   %57 = getelementptr inbounds nuw i8, ptr %sub.scratch, i64 512
//   store i32 %56, ptr %57, align 4
//   br label %region2.header.r0
//
// region2.header.r0:                                ; preds = %region2.header.r0, %_Z20sub_group_reduce_addi.exit.r1.r0
//   %lane7.r0 = phi i64 [ 0, %_Z20sub_group_reduce_addi.exit.r1.r0 ], [ %60, %region2.header.r0 ]
//   %58 = getelementptr inbounds i32, ptr %9, i64 %lane7.r0
//   %59 = load i32, ptr %57, align 4
//   store i32 %59, ptr %58, align 4, !llvm.access.group !10
//   %60 = add nuw i64 %lane7.r0, 1
//   %61 = icmp ult i64 %60, %23
//   br i1 %61, label %region2.header.r0, label %region3.header.r0, !llvm.loop !16
//
// region3.header.r0:                                ; preds = %region3.header.r0, %region2.header.r0
//   %lane8.r0 = phi i64 [ %62, %region3.header.r0 ], [ 0, %region2.header.r0 ]
//   %62 = add nuw i64 %lane8.r0, 1
//   %63 = icmp ult i64 %62, %23
//   br i1 %63, label %region3.header.r0, label %wait.r0, !llvm.loop !17
//
// wait.r0:                                          ; preds = %region3.header.r0
//   br label %region0.latch
//
// behind.r1:                                        ; preds = %region1.item
//   br label %region4.header.r1
//
// region4.header.r1:                                ; preds = %region4.header.r1, %behind.r1
//   %lane9.r1 = phi i64 [ 0, %behind.r1 ], [ %69, %region4.header.r1 ]
//   %64 = add nuw i64 %14, %lane9.r1
//   %65 = shl i64 %64, 32
//   %66 = getelementptr inbounds i32, ptr %13, i64 %lane9.r1
//   %67 = load i32, ptr %66, align 4, !llvm.access.group !10
//   %sext3.r4.r1 = sub i64 133143986176, %65
//   %68 = ashr exact i64 %sext3.r4.r1, 30
//   %arrayidx3.i.r4.r1 = getelementptr inbounds i8, ptr addrspace(1) %a, i64 %68
//   store i32 %67, ptr addrspace(1) %arrayidx3.i.r4.r1, align 4, !tbaa !1, !llvm.access.group !10
//   %69 = add nuw i64 %lane9.r1, 1
//   %70 = icmp ult i64 %69, %17
//   br i1 %70, label %region4.header.r1, label %done.r1, !llvm.loop !18
//
// done.r1:                                          ; preds = %region4.header.r1
//   br label %region1.latch
// }
//
