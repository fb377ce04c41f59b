//! test = "interior-iterations"
//! functions = ["grid.group", "at_most.group", "leaves.group"]
//! local = [64]
//! lanes = 16
// The work-items of a group leave the copy of the loop together, when the last one reaches the end.
// A loop with another exit stays as it is.
kernel void grid(global const float *in, global float *out, int n) {
  float sum = 0;
  for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) sum += in[i];
  out[get_global_id(0)] = sum;
}
kernel void at_most(global const float *in, global float *out, int n) {
  float sum = 0;
  for (int i = get_local_id(0); i <= n; i += 64) sum += in[i];
  out[get_global_id(0)] = sum;
}
kernel void leaves(global const float *in, global float *out, int n) {
  float sum = 0;
  for (int i = get_local_id(0); i < n; i += 64) {
    if (in[i] < 0) break;
    sum += in[i];
  }
  out[get_global_id(0)] = sum;
}
//---- expected ----
// ; Function Attrs: nounwind
// define internal void @grid.group(ptr addrspace(1) noundef align 4 %in, ptr addrspace(1) noundef align 4 %out, i32 noundef %n, i64 %group.x, i64 %group.y, i64 %group.z, i64 %size.x, i64 %size.y, i64 %size.z, i64 %full.x, i64 %full.y, i64 %full.z, i64 %groups.x, i64 %groups.y, i64 %groups.z, i64 %offset.x, i64 %offset.y, i64 %offset.z, i64 %global.x, i64 %global.y, i64 %global.z, i32 %rank, ptr addrspace(3) %local, ptr noalias %scratch, ptr %extra) #0 {
// prologue:
//   %0 = mul nuw i64 %group.x, 64
//   %1 = add nuw i64 %0, %offset.x
//   %2 = sext i32 %n to i64
//   %3 = sub i64 -1, %global.x
//   %4 = icmp ugt i64 %global.x, 0
//   %5 = icmp ule i64 %2, %3
//   %6 = and i1 %4, %5
//   %7 = add i64 %1, 0
//   %8 = sub i64 %size.x, 1
//   %9 = add i64 %1, %8
//   %10 = icmp ule i64 %7, %9
//   %11 = and i1 %6, %10
//   %12 = select i1 %11, i64 %9, i64 %2
//   br label %items.first
//
// entry:                                            ; preds = %items.x
//   br label %for.cond.i.all
//
// for.cond.i:                                       ; preds = %for.cond.i.all, %for.body.i
//   %13 = phi i64 [ %i.i.0.all, %for.cond.i.all ], [ %add3.i, %for.body.i ]
//   %14 = phi float [ %sum.i.0.all, %for.cond.i.all ], [ %add.i, %for.body.i ]
//   %conv.i = sext i32 %n to i64
//   %cmp.i = icmp ult i64 %13, %conv.i
//   br i1 %cmp.i, label %for.body.i, label %__clang_ocl_kern_imp_grid.exit
//
// for.body.i:                                       ; preds = %for.cond.i
//   %arrayidx.i = getelementptr inbounds nuw float, ptr addrspace(1) %in, i64 %13
//   %15 = load float, ptr addrspace(1) %arrayidx.i, align 4, !tbaa !10, !llvm.access.group !12
//   %add.i = fadd float %14, %15
//   %add3.i = add i64 %13, %global.x
//   br label %for.cond.i, !llvm.loop !13
//
// __clang_ocl_kern_imp_grid.exit:                   ; preds = %for.cond.i
//   %arrayidx5.i = getelementptr inbounds nuw float, ptr addrspace(1) %out, i64 %16
//   store float %14, ptr addrspace(1) %arrayidx5.i, align 4, !tbaa !10, !llvm.access.group !12
//   br label %items.latch
//
// items.first:                                      ; preds = %prologue
//   br label %items.x
//
// items.x:                                          ; preds = %items.latch, %items.first
//   %local.x = phi i64 [ 0, %items.first ], [ %17, %items.latch ]
//   %16 = add nuw nsw i64 %1, %local.x
//   br label %entry
//
// items.latch:                                      ; preds = %__clang_ocl_kern_imp_grid.exit
//   %17 = add nuw i64 %local.x, 1
//   %18 = icmp ult i64 %17, %size.x
//   br i1 %18, label %items.x, label %items.next, !llvm.loop !15
//
// items.next:                                       ; preds = %items.latch
//   ret void
//
// for.cond.i.all:                                   ; preds = %entry, %for.body.i.all
//   %last = phi i64 [ %12, %entry ], [ %19, %for.body.i.all ]
//   %i.i.0.all = phi i64 [ %16, %entry ], [ %add3.i.all, %for.body.i.all ]
//   %sum.i.0.all = phi float [ 0.000000e+00, %entry ], [ %add.i.all, %for.body.i.all ]
//   %conv.i.all = sext i32 %n to i64
//   %cmp.i.all = icmp ult i64 %i.i.0.all, %conv.i.all
//   %19 = add i64 %last, %global.x
//   %20 = icmp ult i64 %last, %2
//   br i1 %20, label %for.body.i.all, label %for.cond.i
//
// for.body.i.all:                                   ; preds = %for.cond.i.all
//   %arrayidx.i.all = getelementptr inbounds nuw float, ptr addrspace(1) %in, i64 %i.i.0.all
//   %21 = load float, ptr addrspace(1) %arrayidx.i.all, align 4, !tbaa !10, !llvm.access.group !12
//   %add.i.all = fadd float %sum.i.0.all, %21
//   %add3.i.all = add i64 %i.i.0.all, %global.x
//   br label %for.cond.i.all
// }
//
// no function at_most.group
// no function leaves.group
