//! test = "join-groups"
//! uniform = true
//! functions = ["ids", "any_dimension"]
//! local = [32, 4]
//! seen = [8, 4]
// Four groups of 8 by 4 work-items run as one. The kernel sees its own ids and sizes. Where it
// computes a global id from them, it gets the global id itself.
kernel void ids(global ulong *out) {
  size_t i = get_group_id(0) * get_local_size(0) + get_local_id(0);
  out[i] = get_local_id(0) + get_group_id(0) * 100 + get_num_groups(0) * 10000;
  out[i + 1] = get_local_linear_id();
}
kernel void any_dimension(global ulong *out, uint d) {
  out[get_global_id(0)] = get_local_id(d) + get_enqueued_local_size(d);
}
//---- expected ----
// ; Function Attrs: nounwind
// define dso_local void @ids(ptr addrspace(1) noundef align 8 %out) #0 !kernel_arg_addr_space !5 !kernel_arg_access_qual !6 !kernel_arg_type !7 !kernel_arg_base_type !7 !kernel_arg_type_qual !8 !kernel_arg_name !9 {
// entry:
//   %0 = call i64 @_Z12get_group_idj(i32 noundef 0) #1
//   %1 = mul nuw i64 %0, 4
//   %2 = call i64 @_Z12get_local_idj(i32 0)
//   %3 = udiv i64 %2, 8
//   %4 = add nuw i64 %1, %3
//   %5 = call i64 @_Z12get_local_idj(i32 0)
//   %6 = urem i64 %5, 8
//   %mul5.i = mul i64 %4, 100
//   %add6.i = add i64 %6, %mul5.i
//   %7 = call i64 @_Z14get_num_groupsj(i32 noundef 0) #1
//   %8 = mul nuw i64 %7, 4
//   %mul8.i = mul i64 %8, 10000
//   %add9.i = add i64 %add6.i, %mul8.i
//   %9 = call i64 @_Z13get_global_idj(i32 0)
//   %10 = call i64 @_Z17get_global_offsetj(i32 0)
//   %11 = sub i64 %9, %10
//   %12 = getelementptr inbounds i64, ptr addrspace(1) %out, i64 %11
//   store i64 %add9.i, ptr addrspace(1) %12, align 8, !tbaa !10
//   %13 = call i64 @_Z12get_local_idj(i32 0)
//   %14 = urem i64 %13, 8
//   %15 = call i64 @_Z12get_local_idj(i32 1)
//   %16 = urem i64 %15, 4
//   %17 = call i64 @_Z12get_local_idj(i32 2)
//   %18 = urem i64 %17, 1
//   %19 = mul nuw i64 %18, 4
//   %20 = add nuw i64 %19, %16
//   %21 = mul nuw i64 %20, 8
//   %22 = add nuw i64 %21, %14
//   %arrayidx12.i = getelementptr i8, ptr addrspace(1) %12, i64 8
//   store i64 %22, ptr addrspace(1) %arrayidx12.i, align 8, !tbaa !10
//   ret void
// }
//
// ; Function Attrs: nounwind
// declare void @any_dimension(ptr addrspace(1) noundef align 8, i32 noundef) #0
//
