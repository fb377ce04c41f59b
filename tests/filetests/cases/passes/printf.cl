//! test = "printf"
//! options = "-cl-std=CL3.0"
// A format that passes through a function, a choice between two strings, and a wrong format.
void say(constant char *format, int n) { printf(format, n); }
kernel void k(global int *a, float4 v)
{
    size_t i = get_global_id(0);
    say("%d\n", a[i]);
    printf("%s %v4hlf %p\n", a[i] > 0 ? "more" : "less", v, a);
    a[i] = printf("%k", 1);
}
//---- expected ----
// ; ModuleID = '<program source>'
// source_filename = "<program source>"
// target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
// target triple = "x86_64-pc-linux-gnu"
//
// @.str = internal unnamed_addr addrspace(2) constant [4 x i8] c"%d\0A\00", align 1
// @.str.1 = internal unnamed_addr addrspace(2) constant [14 x i8] c"%s %v4hlf %p\0A\00", align 1
// @.str.2 = internal unnamed_addr addrspace(2) constant [5 x i8] c"more\00", align 1
// @.str.3 = internal unnamed_addr addrspace(2) constant [5 x i8] c"less\00", align 1
// @.str.4 = internal unnamed_addr addrspace(2) constant [3 x i8] c"%k\00", align 1
//
// ; Function Attrs: nounwind
// define dso_local void @k(ptr addrspace(1) noundef align 4 %a, <4 x float> noundef %v) #0 !kernel_arg_addr_space !5 !kernel_arg_access_qual !6 !kernel_arg_type !7 !kernel_arg_base_type !8 !kernel_arg_type_qual !9 !kernel_arg_name !10 {
// entry:
//   %printf7 = alloca [5 x i64], align 8
//   %printf = alloca [2 x i64], align 8
//   %call.i = call i64 @_Z13get_global_idj(i32 noundef 0) #1
//   %arrayidx.i = getelementptr inbounds nuw i32, ptr addrspace(1) %a, i64 %call.i
//   %0 = load i32, ptr addrspace(1) %arrayidx.i, align 4, !tbaa !1
//   store i32 16, ptr %printf, align 4
//   %1 = getelementptr inbounds i8, ptr %printf, i64 4
//   store i32 0, ptr %1, align 4
//   %2 = getelementptr inbounds i8, ptr %printf, i64 8
//   store i32 %0, ptr %2, align 4
//   %3 = call i64 @__muxcl_printf_stream()
//   %4 = call i32 @muxcl_printf_write(i64 %3, ptr %printf, i32 16)
//   %5 = load i32, ptr addrspace(1) %arrayidx.i, align 4, !tbaa !1
//   %cmp.i = icmp sgt i32 %5, 0
//   %cond.i = select i1 %cmp.i, ptr addrspace(2) @.str.2, ptr addrspace(2) @.str.3
//   %6 = select i1 %cmp.i, i32 0, i32 1
//   %7 = ptrtoint ptr addrspace(1) %a to i64
//   store i32 40, ptr %printf7, align 4
//   %8 = getelementptr inbounds i8, ptr %printf7, i64 4
//   store i32 1, ptr %8, align 4
//   %9 = getelementptr inbounds i8, ptr %printf7, i64 8
//   store i32 %6, ptr %9, align 4
//   %10 = getelementptr inbounds i8, ptr %printf7, i64 12
//   store <4 x float> %v, ptr %10, align 4
//   %11 = getelementptr inbounds i8, ptr %printf7, i64 32
//   store i64 %7, ptr %11, align 8
//   %12 = call i64 @__muxcl_printf_stream()
//   %13 = call i32 @muxcl_printf_write(i64 %12, ptr %printf7, i32 40)
//   store i32 -1, ptr addrspace(1) %arrayidx.i, align 4, !tbaa !1
//   ret void
// }
//
// ; Function Attrs: nounwind willreturn memory(none)
// declare i64 @_Z13get_global_idj(i32 noundef) #1
//
// ; Function Attrs: nounwind
// declare i64 @__muxcl_printf_stream() #2
//
// ; Function Attrs: nounwind
// declare i32 @muxcl_printf_write(i64, ptr, i32) #2
//
// attributes #0 = { nounwind "muxcl-kernel" "prefer-vector-width"="256" }
// attributes #1 = { nounwind willreturn memory(none) }
// attributes #2 = { nounwind }
//
// !llvm.module.flags = !{!0}
// !llvm.errno.tbaa = !{!1}
//
// !0 = !{i32 1, !"wchar_size", i32 4}
// !1 = !{!2, !2, i64 0}
// !2 = !{!"int", !3, i64 0}
// !3 = !{!"omnipotent char", !4, i64 0}
// !4 = !{!"Simple C/C++ TBAA"}
// !5 = !{i32 1, i32 0}
// !6 = !{!"none", !"none"}
// !7 = !{!"int*", !"float4"}
// !8 = !{!"int*", !"float __attribute__((ext_vector_type(4)))"}
// !9 = !{!"", !""}
// !10 = !{!"a", !"v"}
