//! test = "work-item-loops"
//! functions = ["k.group"]
//! local = [32]
// All work-items take the same path, so there are loops over the work-items of a sub-group. One
// work-item runs the part that has the same effect for all. The loop over sub-groups has two parts
// because of the barrier.
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
//   br i1 %39, label %__muxcl_sub_op_reduce_add_int.exit.r1.r0, label %40
//
// 40:                                               ; preds = %85, %region1.first.r0
//   %41 = phi i32 [ %56, %85 ], [ 0, %region1.first.r0 ]
//   %42 = phi i32 [ %66, %85 ], [ 0, %region1.first.r0 ]
//   %43 = phi i32 [ %87, %85 ], [ 0, %region1.first.r0 ]
//   %44 = phi i32 [ %86, %85 ], [ 0, %region1.first.r0 ]
//   %45 = phi i32 [ %76, %85 ], [ 0, %region1.first.r0 ]
//   %46 = zext i32 %43 to i64
//   %47 = and i64 %46, 60
//   %48 = lshr i64 %37, %47
//   %49 = and i64 %48, 1
//   %50 = icmp eq i64 %49, 0
//   br i1 %50, label %55, label %51
//
// 51:                                               ; preds = %40
//   %52 = getelementptr inbounds nuw i64, ptr %sub.scratch, i64 %46
//   %53 = load i32, ptr %52, align 4
//   %54 = add nsw i32 %53, %41
//   br label %55
//
// 55:                                               ; preds = %51, %40
//   %56 = phi i32 [ %54, %51 ], [ %41, %40 ]
//   %57 = and i64 %48, 2
//   %58 = icmp eq i64 %57, 0
//   br i1 %58, label %65, label %59
//
// 59:                                               ; preds = %55
//   %60 = or disjoint i32 %43, 1
//   %61 = zext i32 %60 to i64
//   %62 = getelementptr inbounds nuw i64, ptr %sub.scratch, i64 %61
//   %63 = load i32, ptr %62, align 4
//   %64 = add nsw i32 %63, %42
//   br label %65
//
// 65:                                               ; preds = %59, %55
//   %66 = phi i32 [ %64, %59 ], [ %42, %55 ]
//   %67 = and i64 %48, 4
//   %68 = icmp eq i64 %67, 0
//   br i1 %68, label %75, label %69
//
// 69:                                               ; preds = %65
//   %70 = or disjoint i32 %43, 2
//   %71 = zext i32 %70 to i64
//   %72 = getelementptr inbounds nuw i64, ptr %sub.scratch, i64 %71
//   %73 = load i32, ptr %72, align 4
//   %74 = add nsw i32 %73, %45
//   br label %75
//
// 75:                                               ; preds = %69, %65
//   %76 = phi i32 [ %74, %69 ], [ %45, %65 ]
//   %77 = and i64 %48, 8
//   %78 = icmp eq i64 %77, 0
//   br i1 %78, label %85, label %79
//
// 79:                                               ; preds = %75
//   %80 = or disjoint i32 %43, 3
//   %81 = zext i32 %80 to i64
//   %82 = getelementptr inbounds nuw i64, ptr %sub.scratch, i64 %81
//   %83 = load i32, ptr %82, align 4
//   %84 = add nsw i32 %83, %44
//   br label %85
//
// 85:                                               ; preds = %79, %75
//   %86 = phi i32 [ %84, %79 ], [ %44, %75 ]
//   %87 = add i32 %43, 4
//   %88 = icmp ult i32 %87, %38
//   br i1 %88, label %40, label %89, !llvm.loop !16
//
// 89:                                               ; preds = %85
//   %90 = add i32 %86, %76
//   %91 = add i32 %90, %66
//   %92 = add i32 %91, %56
//   br label %__muxcl_sub_op_reduce_add_int.exit.r1.r0
//
// __muxcl_sub_op_reduce_add_int.exit.r1.r0:         ; preds = %89, %region1.first.r0
//   %93 = phi i32 [ 0, %region1.first.r0 ], [ %92, %89 ]
//   %94 = getelementptr inbounds nuw i8, ptr %sub.scratch, i64 512
//   store i32 %93, ptr %94, align 4
//   br label %region2.header.r0
//
// region2.header.r0:                                ; preds = %region2.header.r0, %__muxcl_sub_op_reduce_add_int.exit.r1.r0
//   %lane7.r0 = phi i64 [ 0, %__muxcl_sub_op_reduce_add_int.exit.r1.r0 ], [ %97, %region2.header.r0 ]
//   %95 = getelementptr inbounds i32, ptr %9, i64 %lane7.r0
//   %96 = load i32, ptr %94, align 4
//   store i32 %96, ptr %95, align 4, !llvm.access.group !10
//   %97 = add nuw i64 %lane7.r0, 1
//   %98 = icmp ult i64 %97, %23
//   br i1 %98, label %region2.header.r0, label %region3.header.r0, !llvm.loop !17
//
// region3.header.r0:                                ; preds = %region3.header.r0, %region2.header.r0
//   %lane8.r0 = phi i64 [ %99, %region3.header.r0 ], [ 0, %region2.header.r0 ]
//   %99 = add nuw i64 %lane8.r0, 1
//   %100 = icmp ult i64 %99, %23
//   br i1 %100, label %region3.header.r0, label %wait.r0, !llvm.loop !18
//
// wait.r0:                                          ; preds = %region3.header.r0
//   br label %region0.latch
//
// behind.r1:                                        ; preds = %region1.item
//   br label %region4.header.r1
//
// region4.header.r1:                                ; preds = %region4.header.r1, %behind.r1
//   %lane9.r1 = phi i64 [ 0, %behind.r1 ], [ %106, %region4.header.r1 ]
//   %101 = add nuw i64 %14, %lane9.r1
//   %102 = shl i64 %101, 32
//   %103 = getelementptr inbounds i32, ptr %13, i64 %lane9.r1
//   %104 = load i32, ptr %103, align 4, !llvm.access.group !10
//   %sext3.r4.r1 = sub i64 133143986176, %102
//   %105 = ashr exact i64 %sext3.r4.r1, 30
//   %arrayidx3.i.r4.r1 = getelementptr inbounds i8, ptr addrspace(1) %a, i64 %105
//   store i32 %104, ptr addrspace(1) %arrayidx3.i.r4.r1, align 4, !tbaa !1, !llvm.access.group !10
//   %106 = add nuw i64 %lane9.r1, 1
//   %107 = icmp ult i64 %106, %17
//   br i1 %107, label %region4.header.r1, label %done.r1, !llvm.loop !19
//
// done.r1:                                          ; preds = %region4.header.r1
//   br label %region1.latch
// }
//
