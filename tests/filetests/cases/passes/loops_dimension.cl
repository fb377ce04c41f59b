//! test = "work-item-loops"
//! functions = ["k.group"]
//! local = [8, 16]
//! lanes = 16
// Work-items with consecutive `y` access consecutive elements, so the innermost loops of both
// regions step through `y`. The slot of `v` has the same order: its index is `x * 16 + y`.
kernel void k(global float *a, global const float *b, int n) {
  local float t[8][16];
  int x = get_local_id(0), y = get_local_id(1), i = get_global_id(0) * n + get_global_id(1);
  float v = b[i];
  t[x][y] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = v + t[x ^ 1][y];
}
//---- expected ----
// ; Function Attrs: convergent nounwind
// define internal void @k.group(ptr addrspace(1) noundef align 4 %a, ptr addrspace(1) noundef align 4 %b, i32 noundef %n, i64 %group.x, i64 %group.y, i64 %group.z, i64 %size.x, i64 %size.y, i64 %size.z, i64 %full.x, i64 %full.y, i64 %full.z, i64 %groups.x, i64 %groups.y, i64 %groups.z, i64 %offset.x, i64 %offset.y, i64 %offset.z, i64 %global.x, i64 %global.y, i64 %global.z, i32 %rank, ptr addrspace(3) %local, ptr noalias %scratch, ptr %extra) #0 {
// prologue:
//   %0 = mul nuw i64 %group.x, 8
//   %1 = add nuw i64 %0, %offset.x
//   %2 = trunc i64 %1 to i32
//   %3 = mul nuw i64 %group.y, 16
//   %4 = add nuw i64 %3, %offset.y
//   %5 = trunc i64 %4 to i32
//   %6 = mul nuw i64 %group.x, 8
//   %7 = add nuw i64 %6, %offset.x
//   %8 = trunc i64 %7 to i32
//   %9 = mul nuw i64 %group.y, 16
//   %10 = add nuw i64 %9, %offset.y
//   %11 = trunc i64 %10 to i32
//   br label %region0.first
//
// region0.first:                                    ; preds = %prologue
//   br label %region0.x
//
// region0.x:                                        ; preds = %region0.next, %region0.first
//   %local.x = phi i64 [ 0, %region0.first ], [ %24, %region0.next ]
//   br label %region0.y
//
// region0.y:                                        ; preds = %region0.latch, %region0.x
//   %local.y = phi i64 [ 0, %region0.x ], [ %22, %region0.latch ]
//   %12 = trunc i64 %local.x to i32
//   %13 = add nuw nsw i32 %2, %12
//   %14 = zext i32 %13 to i64
//   %15 = trunc i64 %local.y to i32
//   %16 = add nuw nsw i32 %5, %15
//   %17 = zext i32 %16 to i64
//   %18 = add nuw i64 0, %local.x
//   %19 = mul nuw i64 %18, 16
//   %20 = add nuw i64 %19, %local.y
//   %21 = getelementptr inbounds float, ptr %scratch, i64 %20
//   br label %entry.r0
//
// region0.latch:                                    ; preds = %entry.r0
//   %22 = add nuw i64 %local.y, 1
//   %23 = icmp ult i64 %22, %size.y
//   br i1 %23, label %region0.y, label %region0.next, !llvm.loop !10
//
// region0.next:                                     ; preds = %region0.latch
//   %24 = add nuw i64 %local.x, 1
//   %25 = icmp ult i64 %24, %size.x
//   br i1 %25, label %region0.x, label %region0.next1
//
// region0.next1:                                    ; preds = %region0.next
//   br label %region1.first
//
// region1.first:                                    ; preds = %region0.next1
//   br label %region1.x
//
// region1.x:                                        ; preds = %region1.next, %region1.first
//   %local.x2 = phi i64 [ 0, %region1.first ], [ %47, %region1.next ]
//   br label %region1.y
//
// region1.y:                                        ; preds = %region1.latch, %region1.x
//   %local.y3 = phi i64 [ 0, %region1.x ], [ %45, %region1.latch ]
//   %26 = trunc i64 %local.x2 to i32
//   %27 = add nuw nsw i32 %8, %26
//   %28 = zext i32 %27 to i64
//   %29 = trunc i64 %local.y3 to i32
//   %30 = add nuw nsw i32 %11, %29
//   %31 = zext i32 %30 to i64
//   %32 = shl i64 %local.x2, 32
//   %33 = shl i64 %local.y3, 32
//   %34 = ashr exact i64 %33, 32
//   %35 = add nuw i64 0, %local.x2
//   %36 = mul nuw i64 %35, 16
//   %37 = add nuw i64 %36, %local.y3
//   %38 = getelementptr inbounds float, ptr %scratch, i64 %37
//   %39 = load float, ptr %38, align 4, !llvm.access.group !13
//   %40 = zext i32 %n to i64
//   %41 = mul i64 %28, %40
//   %42 = add i64 %41, %31
//   %43 = shl i64 %42, 32
//   %44 = ashr exact i64 %43, 32
//   br label %behind.r1
//
// region1.latch:                                    ; preds = %behind.r1
//   %45 = add nuw i64 %local.y3, 1
//   %46 = icmp ult i64 %45, %size.y
//   br i1 %46, label %region1.y, label %region1.next, !llvm.loop !16
//
// region1.next:                                     ; preds = %region1.latch
//   %47 = add nuw i64 %local.x2, 1
//   %48 = icmp ult i64 %47, %size.x
//   br i1 %48, label %region1.x, label %region1.next4
//
// region1.next4:                                    ; preds = %region1.next
//   br label %done
//
// done:                                             ; preds = %region1.next4
//   ret void
//
// entry.r0:                                         ; preds = %region0.y
//   %conv4.i.r0 = zext i32 %n to i64
//   %mul.i.r0 = mul i64 %14, %conv4.i.r0
//   %add.i.r0 = add i64 %mul.i.r0, %17
//   %sext.r0 = shl i64 %add.i.r0, 32
//   %idxprom.i.r0 = ashr exact i64 %sext.r0, 32
//   %arrayidx.i.r0 = getelementptr inbounds float, ptr addrspace(1) %b, i64 %idxprom.i.r0
//   %49 = load float, ptr addrspace(1) %arrayidx.i.r0, align 4, !tbaa !17, !llvm.access.group !13
//   store float %49, ptr %21, align 4, !llvm.access.group !13
//   %sext5.r0 = shl i64 %local.x, 32
//   %50 = ashr exact i64 %sext5.r0, 26
//   %arrayidx8.i.r0 = getelementptr inbounds i8, ptr addrspace(3) %local, i64 %50
//   %sext6.r0 = shl i64 %local.y, 32
//   %idxprom9.i.r0 = ashr exact i64 %sext6.r0, 32
//   %arrayidx10.i.r0 = getelementptr inbounds float, ptr addrspace(3) %arrayidx8.i.r0, i64 %idxprom9.i.r0
//   store float %49, ptr addrspace(3) %arrayidx10.i.r0, align 4, !tbaa !17, !llvm.access.group !13
//   br label %region0.latch
//
// behind.r1:                                        ; preds = %region1.y
//   %sext7.r1 = ashr exact i64 %32, 32
//   %idxprom11.i.r1 = xor i64 %sext7.r1, 1
//   %arrayidx12.i.r1 = getelementptr inbounds [16 x float], ptr addrspace(3) %local, i64 %idxprom11.i.r1
//   %arrayidx14.i.r1 = getelementptr inbounds float, ptr addrspace(3) %arrayidx12.i.r1, i64 %34
//   %51 = load float, ptr addrspace(3) %arrayidx14.i.r1, align 4, !tbaa !17, !llvm.access.group !13
//   %add15.i.r1 = fadd float %39, %51
//   %arrayidx17.i.r1 = getelementptr inbounds float, ptr addrspace(1) %a, i64 %44
//   store float %add15.i.r1, ptr addrspace(1) %arrayidx17.i.r1, align 4, !tbaa !17, !llvm.access.group !13
//   br label %region1.latch
// }
//
