//! test = "internalise"
// Functions and constants are internal; kernels and program-scope variables are not.
global int counter = 3;
constant int table[2] = { 7, 9 };
int helper(int n);
int helper(int n) { return table[n & 1] + counter; }
kernel void k(global int *a) { a[0] = helper(a[1]); }
//---- expected ----
// ; ModuleID = '<program source>'
// source_filename = "<program source>"
// target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
// target triple = "x86_64-pc-linux-gnu"
//
// @muxcl.var.counter = addrspace(1) global i32 3, align 4
// @table = internal addrspace(2) constant [2 x i32] [i32 7, i32 9], align 4
//
// ; Function Attrs: nounwind
// define internal i32 @helper(i32 noundef %n) #0 {
// entry:
//   %n.addr = alloca i32, align 4
//   store i32 %n, ptr %n.addr, align 4, !tbaa !1
//   %0 = load i32, ptr %n.addr, align 4, !tbaa !1
//   %and = and i32 %0, 1
//   %idxprom = sext i32 %and to i64
//   %arrayidx = getelementptr inbounds [2 x i32], ptr addrspace(2) @table, i64 0, i64 %idxprom
//   %1 = load i32, ptr addrspace(2) %arrayidx, align 4, !tbaa !1
//   %2 = load i32, ptr addrspace(1) @muxcl.var.counter, align 4, !tbaa !1
//   %add = add nsw i32 %1, %2
//   ret i32 %add
// }
//
// ; Function Attrs: nounwind
// define dso_local void @k(ptr addrspace(1) noundef align 4 %a) #1 !kernel_arg_addr_space !5 !kernel_arg_access_qual !6 !kernel_arg_type !7 !kernel_arg_base_type !7 !kernel_arg_type_qual !8 !kernel_arg_name !9 {
// entry:
//   %a.addr = alloca ptr addrspace(1), align 8
//   store ptr addrspace(1) %a, ptr %a.addr, align 8, !tbaa !10
//   %0 = load ptr addrspace(1), ptr %a.addr, align 8, !tbaa !10
//   call void @__clang_ocl_kern_imp_k(ptr addrspace(1) noundef align 4 %0) #3
//   ret void
// }
//
// ; Function Attrs: alwaysinline nounwind
// define internal void @__clang_ocl_kern_imp_k(ptr addrspace(1) noundef align 4 %a) #2 !kernel_arg_addr_space !5 !kernel_arg_access_qual !6 !kernel_arg_type !7 !kernel_arg_base_type !7 !kernel_arg_type_qual !8 !kernel_arg_name !9 {
// entry:
//   %a.addr = alloca ptr addrspace(1), align 8
//   store ptr addrspace(1) %a, ptr %a.addr, align 8, !tbaa !10
//   %0 = load ptr addrspace(1), ptr %a.addr, align 8, !tbaa !10
//   %arrayidx = getelementptr inbounds i32, ptr addrspace(1) %0, i64 1
//   %1 = load i32, ptr addrspace(1) %arrayidx, align 4, !tbaa !1
//   %call = call i32 @helper(i32 noundef %1) #4
//   %2 = load ptr addrspace(1), ptr %a.addr, align 8, !tbaa !10
//   %arrayidx1 = getelementptr inbounds i32, ptr addrspace(1) %2, i64 0
//   store i32 %call, ptr addrspace(1) %arrayidx1, align 4, !tbaa !1
//   ret void
// }
//
// attributes #0 = { nounwind "prefer-vector-width"="256" }
// attributes #1 = { nounwind "muxcl-kernel" "prefer-vector-width"="256" }
// attributes #2 = { alwaysinline nounwind "prefer-vector-width"="256" }
// attributes #3 = { nounwind "uniform-work-group-size"="false" }
// attributes #4 = { nounwind }
//
// !llvm.module.flags = !{!0}
// !llvm.errno.tbaa = !{!1}
//
// !0 = !{i32 1, !"wchar_size", i32 4}
// !1 = !{!2, !2, i64 0}
// !2 = !{!"int", !3, i64 0}
// !3 = !{!"omnipotent char", !4, i64 0}
// !4 = !{!"Simple C/C++ TBAA"}
// !5 = !{i32 1}
// !6 = !{!"none"}
// !7 = !{!"int*"}
// !8 = !{!""}
// !9 = !{!"a"}
// !10 = !{!11, !11, i64 0}
// !11 = !{!"p1 int", !12, i64 0}
// !12 = !{!"any pointer", !3, i64 0}
