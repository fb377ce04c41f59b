//! test = "work-item-loops"
//! functions = ["k.group"]
//! local = [16, 16]
//! lanes = 16
// Work-items with consecutive `x` write consecutive elements, and those with consecutive `y` read
// them. Neither dimension is clearly better, so `x` stays innermost.
kernel void k(global const float *in, global float *out, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * n + x] = in[x * n + y];
}
//---- expected ----
// ; Function Attrs: nounwind
// define internal void @k.group(ptr addrspace(1) noundef align 4 %in, ptr addrspace(1) noundef align 4 %out, i32 noundef %n, i64 %group.x, i64 %group.y, i64 %group.z, i64 %size.x, i64 %size.y, i64 %size.z, i64 %full.x, i64 %full.y, i64 %full.z, i64 %groups.x, i64 %groups.y, i64 %groups.z, i64 %offset.x, i64 %offset.y, i64 %offset.z, i64 %global.x, i64 %global.y, i64 %global.z, i32 %rank, ptr addrspace(3) %local, ptr noalias %scratch, ptr %extra) #0 {
// prologue:
//   %0 = mul nuw i64 %group.x, 16
//   %1 = add nuw i64 %0, %offset.x
//   %2 = trunc i64 %1 to i32
//   %3 = mul nuw i64 %group.y, 16
//   %4 = add nuw i64 %3, %offset.y
//   %5 = trunc i64 %4 to i32
//   br label %items.first
//
// entry:                                            ; preds = %items.x
//   %conv.i = trunc i64 %9 to i32
//   %conv2.i = trunc i64 %12 to i32
//   %mul.i = mul nsw i32 %n, %conv.i
//   %add.i = add nsw i32 %mul.i, %conv2.i
//   %idxprom.i = sext i32 %add.i to i64
//   %arrayidx.i = getelementptr inbounds float, ptr addrspace(1) %in, i64 %idxprom.i
//   %6 = load float, ptr addrspace(1) %arrayidx.i, align 4, !tbaa !10, !llvm.access.group !12
//   %mul3.i = mul nsw i32 %n, %conv2.i
//   %add4.i = add nsw i32 %mul3.i, %conv.i
//   %idxprom5.i = sext i32 %add4.i to i64
//   %arrayidx6.i = getelementptr inbounds float, ptr addrspace(1) %out, i64 %idxprom5.i
//   store float %6, ptr addrspace(1) %arrayidx6.i, align 4, !tbaa !10, !llvm.access.group !12
//   br label %items.latch
//
// items.first:                                      ; preds = %prologue
//   br label %items.y
//
// items.y:                                          ; preds = %items.next, %items.first
//   %local.y = phi i64 [ 0, %items.first ], [ %15, %items.next ]
//   br label %items.x
//
// items.x:                                          ; preds = %items.latch, %items.y
//   %local.x = phi i64 [ 0, %items.y ], [ %13, %items.latch ]
//   %7 = trunc i64 %local.x to i32
//   %8 = add nuw nsw i32 %2, %7
//   %9 = zext i32 %8 to i64
//   %10 = trunc i64 %local.y to i32
//   %11 = add nuw nsw i32 %5, %10
//   %12 = zext i32 %11 to i64
//   br label %entry
//
// items.latch:                                      ; preds = %entry
//   %13 = add nuw i64 %local.x, 1
//   %14 = icmp ult i64 %13, %size.x
//   br i1 %14, label %items.x, label %items.next, !llvm.loop !13
//
// items.next:                                       ; preds = %items.latch
//   %15 = add nuw i64 %local.y, 1
//   %16 = icmp ult i64 %15, %size.y
//   br i1 %16, label %items.y, label %items.next1
//
// items.next1:                                      ; preds = %items.next
//   ret void
// }
//
