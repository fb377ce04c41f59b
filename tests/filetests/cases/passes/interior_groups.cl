//! test = "interior-groups"
//! functions = ["k.group"]
//! local = [16, 4]
//! lanes = 16
// Groups whose work-items all are inside the bounds run a copy without the comparisons: ids are
// above bounds that are constants, and below those that are arguments.
kernel void k(global const float *in, global float *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < 1 || x >= w - 1 || y >= h) return;
  out[y * w + x] = in[y * w + x - 1] + in[y * w + x + 1];
}
//---- expected ----
// ; Function Attrs: nounwind
// define internal void @k.group(ptr addrspace(1) noundef align 4 %in, ptr addrspace(1) noundef align 4 %out, i32 noundef %w, i32 noundef %h, i64 %group.x, i64 %group.y, i64 %group.z, i64 %size.x, i64 %size.y, i64 %size.z, i64 %full.x, i64 %full.y, i64 %full.z, i64 %groups.x, i64 %groups.y, i64 %groups.z, i64 %offset.x, i64 %offset.y, i64 %offset.z, i64 %global.x, i64 %global.y, i64 %global.z, i32 %rank, ptr addrspace(3) %local, ptr noalias %scratch, ptr %extra) #0 {
// prologue:
//   %0 = mul nuw i64 %group.x, 16
//   %1 = add nuw i64 %0, %offset.x
//   %2 = trunc i64 %1 to i32
//   %3 = mul nuw i64 %group.y, 4
//   %4 = add nuw i64 %3, %offset.y
//   %5 = trunc i64 %4 to i32
//   %6 = trunc i64 0 to i32
//   %7 = add i32 %2, %6
//   %8 = zext i32 %7 to i64
//   %9 = trunc i64 %8 to i32
//   %10 = sub i64 %size.x, 1
//   %11 = trunc i64 %10 to i32
//   %12 = add i32 %2, %11
//   %13 = zext i32 %12 to i64
//   %14 = trunc i64 %13 to i32
//   %15 = icmp slt i32 %9, 1
//   %16 = xor i1 %15, true
//   %17 = icmp slt i32 %14, 1
//   %18 = xor i1 %17, true
//   %19 = icmp sle i32 %9, %14
//   %20 = icmp ule i32 %7, %12
//   %21 = and i1 %16, %18
//   %22 = and i1 %21, %19
//   %23 = and i1 %22, %20
//   %24 = add i32 %w, -1
//   %25 = icmp sle i32 %24, %9
//   %26 = xor i1 %25, true
//   %27 = icmp sle i32 %24, %14
//   %28 = xor i1 %27, true
//   %29 = icmp sle i32 %9, %14
//   %30 = icmp ule i32 %7, %12
//   %31 = and i1 %23, %26
//   %32 = and i1 %31, %28
//   %33 = and i1 %32, %29
//   %34 = and i1 %33, %30
//   %35 = trunc i64 0 to i32
//   %36 = add i32 %5, %35
//   %37 = zext i32 %36 to i64
//   %38 = trunc i64 %37 to i32
//   %39 = sub i64 %size.y, 1
//   %40 = trunc i64 %39 to i32
//   %41 = add i32 %5, %40
//   %42 = zext i32 %41 to i64
//   %43 = trunc i64 %42 to i32
//   %44 = icmp sle i32 %h, %38
//   %45 = xor i1 %44, true
//   %46 = icmp sle i32 %h, %43
//   %47 = xor i1 %46, true
//   %48 = icmp sle i32 %38, %43
//   %49 = icmp ule i32 %36, %41
//   %50 = and i1 %34, %45
//   %51 = and i1 %50, %47
//   %52 = and i1 %51, %48
//   %53 = and i1 %52, %49
//   br i1 %53, label %items.first.inside, label %items.first
//
// entry:                                            ; preds = %items.x
//   %conv.i = trunc i64 %60 to i32
//   %conv2.i = trunc i64 %63 to i32
//   %cmp.i = icmp slt i32 %conv.i, 1
//   %sub.i = add nsw i32 %w, -1
//   %cmp4.i = icmp sle i32 %sub.i, %conv.i
//   %or.cond = select i1 %cmp.i, i1 true, i1 %cmp4.i
//   %cmp7.i = icmp sle i32 %h, %conv2.i
//   %or.cond12 = select i1 %or.cond, i1 true, i1 %cmp7.i
//   br i1 %or.cond12, label %__clang_ocl_kern_imp_k.exit, label %if.end.i
//
// if.end.i:                                         ; preds = %entry
//   %mul.i = mul nsw i32 %w, %conv2.i
//   %add.i = add nsw i32 %mul.i, %conv.i
//   %54 = sext i32 %add.i to i64
//   %55 = getelementptr float, ptr addrspace(1) %in, i64 %54
//   %arrayidx.i = getelementptr i8, ptr addrspace(1) %55, i64 -4
//   %56 = load float, ptr addrspace(1) %arrayidx.i, align 4, !tbaa !10, !llvm.access.group !12
//   %arrayidx14.i = getelementptr i8, ptr addrspace(1) %55, i64 4
//   %57 = load float, ptr addrspace(1) %arrayidx14.i, align 4, !tbaa !10, !llvm.access.group !12
//   %add15.i = fadd float %56, %57
//   %arrayidx19.i = getelementptr inbounds float, ptr addrspace(1) %out, i64 %54
//   store float %add15.i, ptr addrspace(1) %arrayidx19.i, align 4, !tbaa !10, !llvm.access.group !12
//   br label %__clang_ocl_kern_imp_k.exit
//
// __clang_ocl_kern_imp_k.exit:                      ; preds = %if.end.i, %entry
//   br label %items.latch
//
// items.first:                                      ; preds = %prologue
//   br label %items.y
//
// items.y:                                          ; preds = %items.next, %items.first
//   %local.y = phi i64 [ 0, %items.first ], [ %66, %items.next ]
//   br label %items.x
//
// items.x:                                          ; preds = %items.latch, %items.y
//   %local.x = phi i64 [ 0, %items.y ], [ %64, %items.latch ]
//   %58 = trunc i64 %local.x to i32
//   %59 = add nuw nsw i32 %2, %58
//   %60 = zext i32 %59 to i64
//   %61 = trunc i64 %local.y to i32
//   %62 = add nuw nsw i32 %5, %61
//   %63 = zext i32 %62 to i64
//   br label %entry
//
// items.latch:                                      ; preds = %__clang_ocl_kern_imp_k.exit
//   %64 = add nuw i64 %local.x, 1
//   %65 = icmp ult i64 %64, %size.x
//   br i1 %65, label %items.x, label %items.next, !llvm.loop !13
//
// items.next:                                       ; preds = %items.latch
//   %66 = add nuw i64 %local.y, 1
//   %67 = icmp ult i64 %66, %size.y
//   br i1 %67, label %items.y, label %items.next1
//
// items.next1:                                      ; preds = %items.next
//   ret void
//
// entry.inside:                                     ; preds = %items.x.inside
//   %conv.i.inside = trunc i64 %74 to i32
//   %conv2.i.inside = trunc i64 %77 to i32
//   %cmp.i.inside = icmp slt i32 %conv.i.inside, 1
//   %sub.i.inside = add nsw i32 %w, -1
//   %cmp4.i.inside = icmp sle i32 %sub.i.inside, %conv.i.inside
//   %or.cond.inside = select i1 false, i1 true, i1 false
//   %cmp7.i.inside = icmp sle i32 %h, %conv2.i.inside
//   %or.cond12.inside = select i1 %or.cond.inside, i1 true, i1 false
//   br i1 %or.cond12.inside, label %__clang_ocl_kern_imp_k.exit.inside, label %if.end.i.inside
//
// if.end.i.inside:                                  ; preds = %entry.inside
//   %mul.i.inside = mul nsw i32 %w, %conv2.i.inside
//   %add.i.inside = add nsw i32 %mul.i.inside, %conv.i.inside
//   %68 = sext i32 %add.i.inside to i64
//   %69 = getelementptr float, ptr addrspace(1) %in, i64 %68
//   %arrayidx.i.inside = getelementptr i8, ptr addrspace(1) %69, i64 -4
//   %70 = load float, ptr addrspace(1) %arrayidx.i.inside, align 4, !tbaa !10, !llvm.access.group !12
//   %arrayidx14.i.inside = getelementptr i8, ptr addrspace(1) %69, i64 4
//   %71 = load float, ptr addrspace(1) %arrayidx14.i.inside, align 4, !tbaa !10, !llvm.access.group !12
//   %add15.i.inside = fadd float %70, %71
//   %arrayidx19.i.inside = getelementptr inbounds float, ptr addrspace(1) %out, i64 %68
//   store float %add15.i.inside, ptr addrspace(1) %arrayidx19.i.inside, align 4, !tbaa !10, !llvm.access.group !12
//   br label %__clang_ocl_kern_imp_k.exit.inside
//
// __clang_ocl_kern_imp_k.exit.inside:               ; preds = %if.end.i.inside, %entry.inside
//   br label %items.latch.inside
//
// items.first.inside:                               ; preds = %prologue
//   br label %items.y.inside
//
// items.y.inside:                                   ; preds = %items.next.inside, %items.first.inside
//   %local.y.inside = phi i64 [ 0, %items.first.inside ], [ %80, %items.next.inside ]
//   br label %items.x.inside
//
// items.x.inside:                                   ; preds = %items.latch.inside, %items.y.inside
//   %local.x.inside = phi i64 [ 0, %items.y.inside ], [ %78, %items.latch.inside ]
//   %72 = trunc i64 %local.x.inside to i32
//   %73 = add nuw nsw i32 %2, %72
//   %74 = zext i32 %73 to i64
//   %75 = trunc i64 %local.y.inside to i32
//   %76 = add nuw nsw i32 %5, %75
//   %77 = zext i32 %76 to i64
//   br label %entry.inside
//
// items.latch.inside:                               ; preds = %__clang_ocl_kern_imp_k.exit.inside
//   %78 = add nuw i64 %local.x.inside, 1
//   %79 = icmp ult i64 %78, %size.x
//   br i1 %79, label %items.x.inside, label %items.next.inside, !llvm.loop !13
//
// items.next.inside:                                ; preds = %items.latch.inside
//   %80 = add nuw i64 %local.y.inside, 1
//   %81 = icmp ult i64 %80, %size.y
//   br i1 %81, label %items.y.inside, label %items.next1.inside
//
// items.next1.inside:                               ; preds = %items.next.inside
//   ret void
// }
//
