//! test = "select-kernel"
//! kernel = "k"
//! functions = ["k", "other", "__muxcl_helper", "__muxcl_only_other"]
// One kernel and the functions it calls have bodies. The other kernel and its function are
// declarations.
__attribute__((noinline)) int __muxcl_helper(int n) { return n * 3; }
__attribute__((noinline)) int __muxcl_only_other(int n) { return n * 5; }
kernel void k(global int *a) { a[0] = __muxcl_helper(a[1]); }
kernel void other(global int *a) { a[0] = __muxcl_only_other(a[1]) + __muxcl_helper(a[2]); }
//---- expected ----
// ; Function Attrs: nounwind
// define dso_local void @k(ptr addrspace(1) noundef align 4 %a) #1 !kernel_arg_addr_space !5 !kernel_arg_access_qual !6 !kernel_arg_type !7 !kernel_arg_base_type !7 !kernel_arg_type_qual !8 !kernel_arg_name !9 {
// entry:
//   %arrayidx.i = getelementptr inbounds nuw i8, ptr addrspace(1) %a, i64 4
//   %0 = load i32, ptr addrspace(1) %arrayidx.i, align 4, !tbaa !1
//   %call.i = call i32 @__muxcl_helper(i32 noundef %0) #2
//   store i32 %call.i, ptr addrspace(1) %a, align 4, !tbaa !1
//   ret void
// }
//
// ; Function Attrs: nounwind
// declare void @other(ptr addrspace(1) noundef align 4) #1
//
// ; Function Attrs: noinline nounwind
// define internal i32 @__muxcl_helper(i32 noundef %n) #0 {
// entry:
//   %mul = mul nsw i32 %n, 3
//   ret i32 %mul
// }
//
// ; Function Attrs: noinline nounwind
// declare i32 @__muxcl_only_other(i32 noundef) #0
//
