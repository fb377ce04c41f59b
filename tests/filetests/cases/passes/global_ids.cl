//! test = "global-ids"
//! uniform = true
//! options = "-cl-std=CL3.0"
//! functions = ["size", "swapped", "steps", "another_dimension"]
// A kernel that computes its global id from the ids of its group gets the global id, in any order
// of the operands, with conversions, and where LLVM adds the two parts to an address.
kernel void size(global int *out) {
  int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
  out[i] = 1;
}
kernel void swapped(global int *out) {
  size_t i = get_local_id(1) + get_local_size(1) * get_group_id(1);
  out[i] = 2;
}
kernel void steps(global int *out) {
  global int *group = out + get_group_id(0) * get_enqueued_local_size(0);
  group[get_local_id(0)] = 3;
}
kernel void another_dimension(global int *out) {
  size_t i = get_group_id(0) * get_local_size(0) + get_local_id(1);
  out[i] = 4;
}
//---- expected ----
// ; Function Attrs: nounwind
// define dso_local void @size(ptr addrspace(1) noundef align 4 %out) #0 !kernel_arg_addr_space !5 !kernel_arg_access_qual !6 !kernel_arg_type !7 !kernel_arg_base_type !7 !kernel_arg_type_qual !8 !kernel_arg_name !9 {
// entry:
//   %0 = call i64 @_Z13get_global_idj(i32 0)
//   %1 = call i64 @_Z17get_global_offsetj(i32 0)
//   %2 = sub i64 %0, %1
//   %sext = shl i64 %2, 32
//   %3 = ashr exact i64 %sext, 30
//   %arrayidx.i = getelementptr inbounds i8, ptr addrspace(1) %out, i64 %3
//   store i32 1, ptr addrspace(1) %arrayidx.i, align 4, !tbaa !1
//   ret void
// }
//
// ; Function Attrs: nounwind
// define dso_local void @swapped(ptr addrspace(1) noundef align 4 %out) #0 !kernel_arg_addr_space !5 !kernel_arg_access_qual !6 !kernel_arg_type !7 !kernel_arg_base_type !7 !kernel_arg_type_qual !8 !kernel_arg_name !9 {
// entry:
//   %0 = call i64 @_Z13get_global_idj(i32 1)
//   %1 = call i64 @_Z17get_global_offsetj(i32 1)
//   %2 = sub i64 %0, %1
//   %3 = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %2
//   store i32 2, ptr addrspace(1) %3, align 4, !tbaa !1
//   ret void
// }
//
// ; Function Attrs: nounwind
// define dso_local void @steps(ptr addrspace(1) noundef align 4 %out) #0 !kernel_arg_addr_space !5 !kernel_arg_access_qual !6 !kernel_arg_type !7 !kernel_arg_base_type !7 !kernel_arg_type_qual !8 !kernel_arg_name !9 {
// entry:
//   %0 = call i64 @_Z13get_global_idj(i32 0)
//   %1 = call i64 @_Z17get_global_offsetj(i32 0)
//   %2 = sub i64 %0, %1
//   %3 = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %2
//   store i32 3, ptr addrspace(1) %3, align 4, !tbaa !1
//   ret void
// }
//
// ; Function Attrs: nounwind
// define dso_local void @another_dimension(ptr addrspace(1) noundef align 4 %out) #0 !kernel_arg_addr_space !5 !kernel_arg_access_qual !6 !kernel_arg_type !7 !kernel_arg_base_type !7 !kernel_arg_type_qual !8 !kernel_arg_name !9 {
// entry:
//   %call.i = call i64 @_Z12get_group_idj(i32 noundef 0) #1
//   %call1.i = call i64 @_Z14get_local_sizej(i32 noundef 0) #1
//   %mul.i = mul i64 %call.i, %call1.i
//   %call2.i = call i64 @_Z12get_local_idj(i32 noundef 1) #1
//   %0 = getelementptr i32, ptr addrspace(1) %out, i64 %mul.i
//   %arrayidx.i = getelementptr i32, ptr addrspace(1) %0, i64 %call2.i
//   store i32 4, ptr addrspace(1) %arrayidx.i, align 4, !tbaa !1
//   ret void
// }
//
