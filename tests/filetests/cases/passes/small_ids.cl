//! test = "work-item-loops"
//! functions = ["narrow.group", "wide.group"]
//! local = [64]
//! lanes = 4
// Ids fit 31 bits. A kernel that converts them computes them in 32 bits, so that the conversion
// folds away. Another keeps the 64-bit sum, which LLVM's loop vectorizer analyses faster.
kernel void narrow(global int *a) {
  int x = get_global_id(0);
  a[x] = x;
}
kernel void wide(global int *a) { a[get_global_id(0)] = 1; }
//---- expected ----
// ; Function Attrs: nounwind
// define internal void @narrow.group(ptr addrspace(1) noundef align 4 %a, i64 %group.x, i64 %group.y, i64 %group.z, i64 %size.x, i64 %size.y, i64 %size.z, i64 %full.x, i64 %full.y, i64 %full.z, i64 %groups.x, i64 %groups.y, i64 %groups.z, i64 %offset.x, i64 %offset.y, i64 %offset.z, i64 %global.x, i64 %global.y, i64 %global.z, i32 %rank, ptr addrspace(3) %local, ptr noalias %scratch, ptr %extra) #0 {
// prologue:
//   %0 = mul nuw i64 %group.x, 64
//   %1 = add nuw i64 %0, %offset.x
//   %2 = trunc i64 %1 to i32
//   br label %items.first
//
// entry:                                            ; preds = %items.x
//   %conv.i = trunc i64 %6 to i32
//   %sext = shl i64 %6, 32
//   %3 = ashr exact i64 %sext, 30
//   %arrayidx.i = getelementptr inbounds i8, ptr addrspace(1) %a, i64 %3
//   store i32 %conv.i, ptr addrspace(1) %arrayidx.i, align 4, !tbaa !1, !llvm.access.group !10
//   br label %items.latch
//
// items.first:                                      ; preds = %prologue
//   br label %items.x
//
// items.x:                                          ; preds = %items.latch, %items.first
//   %local.x = phi i64 [ 0, %items.first ], [ %7, %items.latch ]
//   %4 = trunc i64 %local.x to i32
//   %5 = add nuw nsw i32 %2, %4
//   %6 = zext i32 %5 to i64
//   br label %entry
//
// items.latch:                                      ; preds = %entry
//   %7 = add nuw i64 %local.x, 1
//   %8 = icmp ult i64 %7, %size.x
//   br i1 %8, label %items.x, label %items.next, !llvm.loop !11
//
// items.next:                                       ; preds = %items.latch
//   ret void
// }
//
// no function wide.group
