//! test = "retarget"
//! options = "-cl-std=CL1.2"
// The triple and the layout become the device's; SPIR's metadata is removed.
kernel void k(global int *a, constant float *b) { a[0] = (int)b[1]; }
//---- expected ----
// ; ModuleID = '<program source>'
// source_filename = "<program source>"
// target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
// target triple = "x86_64-pc-linux-gnu"
//
// ; Function Attrs: nounwind
// define dso_local void @k(ptr addrspace(1) noundef align 4 %a, ptr addrspace(2) noundef align 4 %b) #0 !kernel_arg_addr_space !5 !kernel_arg_access_qual !6 !kernel_arg_type !7 !kernel_arg_base_type !7 !kernel_arg_type_qual !8 !kernel_arg_name !9 {
// entry:
//   %a.addr = alloca ptr addrspace(1), align 8
//   %b.addr = alloca ptr addrspace(2), align 8
//   store ptr addrspace(1) %a, ptr %a.addr, align 8, !tbaa !10
//   store ptr addrspace(2) %b, ptr %b.addr, align 8, !tbaa !13
//   %0 = load ptr addrspace(1), ptr %a.addr, align 8, !tbaa !10
//   %1 = load ptr addrspace(2), ptr %b.addr, align 8, !tbaa !13
//   call void @__clang_ocl_kern_imp_k(ptr addrspace(1) noundef align 4 %0, ptr addrspace(2) noundef align 4 %1) #2
//   ret void
// }
//
// ; Function Attrs: alwaysinline nounwind
// define dso_local void @__clang_ocl_kern_imp_k(ptr addrspace(1) noundef align 4 %a, ptr addrspace(2) noundef align 4 %b) #1 !kernel_arg_addr_space !5 !kernel_arg_access_qual !6 !kernel_arg_type !7 !kernel_arg_base_type !7 !kernel_arg_type_qual !8 !kernel_arg_name !9 {
// entry:
//   %a.addr = alloca ptr addrspace(1), align 8
//   %b.addr = alloca ptr addrspace(2), align 8
//   store ptr addrspace(1) %a, ptr %a.addr, align 8, !tbaa !10
//   store ptr addrspace(2) %b, ptr %b.addr, align 8, !tbaa !13
//   %0 = load ptr addrspace(2), ptr %b.addr, align 8, !tbaa !13
//   %arrayidx = getelementptr inbounds float, ptr addrspace(2) %0, i64 1
//   %1 = load float, ptr addrspace(2) %arrayidx, align 4, !tbaa !15
//   %conv = fptosi float %1 to i32
//   %2 = load ptr addrspace(1), ptr %a.addr, align 8, !tbaa !10
//   %arrayidx1 = getelementptr inbounds i32, ptr addrspace(1) %2, i64 0
//   store i32 %conv, ptr addrspace(1) %arrayidx1, align 4, !tbaa !1
//   ret void
// }
//
// attributes #0 = { nounwind "muxcl-kernel" "prefer-vector-width"="256" }
// attributes #1 = { alwaysinline nounwind "prefer-vector-width"="256" }
// attributes #2 = { nounwind "uniform-work-group-size"="true" }
//
// !llvm.module.flags = !{!0}
// !llvm.errno.tbaa = !{!1}
//
// !0 = !{i32 1, !"wchar_size", i32 4}
// !1 = !{!2, !2, i64 0}
// !2 = !{!"int", !3, i64 0}
// !3 = !{!"omnipotent char", !4, i64 0}
// !4 = !{!"Simple C/C++ TBAA"}
// !5 = !{i32 1, i32 2}
// !6 = !{!"none", !"none"}
// !7 = !{!"int*", !"float*"}
// !8 = !{!"", !"const"}
// !9 = !{!"a", !"b"}
// !10 = !{!11, !11, i64 0}
// !11 = !{!"p1 int", !12, i64 0}
// !12 = !{!"any pointer", !3, i64 0}
// !13 = !{!14, !14, i64 0}
// !14 = !{!"p1 float", !12, i64 0}
// !15 = !{!16, !16, i64 0}
// !16 = !{!"float", !3, i64 0}
