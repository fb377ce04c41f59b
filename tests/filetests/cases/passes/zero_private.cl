//! test = "zero-private"
//! functions = ["__clang_ocl_kern_imp_k", "k"]
//! requirements = ["zero-private"]
// Every variable is zeroed where it is allocated, also in inner blocks. No lifetime ends.
kernel void k(global int *a) {
  int before[4];
  for (int i = 0; i < a[0]; ++i) { int inside; a[i] += inside + before[i & 3]; inside = i; }
}
//---- expected ----
// ; Function Attrs: alwaysinline nounwind
// define dso_local void @__clang_ocl_kern_imp_k(ptr addrspace(1) noundef align 4 %a) #1 !kernel_arg_addr_space !7 !kernel_arg_access_qual !8 !kernel_arg_type !9 !kernel_arg_base_type !9 !kernel_arg_type_qual !10 !kernel_arg_name !11 {
// entry:
//   %a.addr = alloca ptr addrspace(1), align 8
//   %before = alloca [4 x i32], align 4
//   %i = alloca i32, align 4
//   %inside = alloca i32, align 4
//   call void @llvm.memset.p0.i64(ptr align 8 %a.addr, i8 0, i64 8, i1 false)
//   call void @llvm.memset.p0.i64(ptr align 4 %before, i8 0, i64 16, i1 false)
//   call void @llvm.memset.p0.i64(ptr align 4 %i, i8 0, i64 4, i1 false)
//   call void @llvm.memset.p0.i64(ptr align 4 %inside, i8 0, i64 4, i1 false)
//   store ptr addrspace(1) %a, ptr %a.addr, align 8, !tbaa !12
//   store i32 0, ptr %i, align 4, !tbaa !3
//   br label %for.cond
//
// for.cond:                                         ; preds = %for.inc, %entry
//   %0 = load i32, ptr %i, align 4, !tbaa !3
//   %1 = load ptr addrspace(1), ptr %a.addr, align 8, !tbaa !12
//   %arrayidx = getelementptr inbounds i32, ptr addrspace(1) %1, i64 0
//   %2 = load i32, ptr addrspace(1) %arrayidx, align 4, !tbaa !3
//   %cmp = icmp slt i32 %0, %2
//   br i1 %cmp, label %for.body, label %for.cond.cleanup
//
// for.cond.cleanup:                                 ; preds = %for.cond
//   br label %for.end
//
// for.body:                                         ; preds = %for.cond
//   %3 = load i32, ptr %inside, align 4, !tbaa !3
//   %4 = load i32, ptr %i, align 4, !tbaa !3
//   %and = and i32 %4, 3
//   %idxprom = sext i32 %and to i64
//   %arrayidx1 = getelementptr inbounds [4 x i32], ptr %before, i64 0, i64 %idxprom
//   %5 = load i32, ptr %arrayidx1, align 4, !tbaa !3
//   %add = add nsw i32 %3, %5
//   %6 = load ptr addrspace(1), ptr %a.addr, align 8, !tbaa !12
//   %7 = load i32, ptr %i, align 4, !tbaa !3
//   %idxprom2 = sext i32 %7 to i64
//   %arrayidx3 = getelementptr inbounds i32, ptr addrspace(1) %6, i64 %idxprom2
//   %8 = load i32, ptr addrspace(1) %arrayidx3, align 4, !tbaa !3
//   %add4 = add nsw i32 %8, %add
//   store i32 %add4, ptr addrspace(1) %arrayidx3, align 4, !tbaa !3
//   %9 = load i32, ptr %i, align 4, !tbaa !3
//   store i32 %9, ptr %inside, align 4, !tbaa !3
//   br label %for.inc
//
// for.inc:                                          ; preds = %for.body
//   %10 = load i32, ptr %i, align 4, !tbaa !3
//   %inc = add nsw i32 %10, 1
//   store i32 %inc, ptr %i, align 4, !tbaa !3
//   br label %for.cond
//
// for.end:                                          ; preds = %for.cond.cleanup
//   ret void
// }
//
// ; Function Attrs: nounwind
// define dso_local void @k(ptr addrspace(1) noundef align 4 %a) #0 !kernel_arg_addr_space !7 !kernel_arg_access_qual !8 !kernel_arg_type !9 !kernel_arg_base_type !9 !kernel_arg_type_qual !10 !kernel_arg_name !11 {
// entry:
//   %a.addr = alloca ptr addrspace(1), align 8
//   call void @llvm.memset.p0.i64(ptr align 8 %a.addr, i8 0, i64 8, i1 false)
//   store ptr addrspace(1) %a, ptr %a.addr, align 8, !tbaa !12
//   %0 = load ptr addrspace(1), ptr %a.addr, align 8, !tbaa !12
//   call void @__clang_ocl_kern_imp_k(ptr addrspace(1) noundef align 4 %0) #4
//   ret void
// }
//
