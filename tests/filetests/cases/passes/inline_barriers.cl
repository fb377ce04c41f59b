//! test = "inline-barriers"
//! functions = ["k", "sync"]
void sync(void) {
    barrier(CLK_LOCAL_MEM_FENCE);
    work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
}
kernel void k(global int *a) { a[0] = 1; sync(); a[1] = 2; }
//---- expected ----
// ; Function Attrs: convergent nounwind
// define dso_local void @k(ptr addrspace(1) noundef align 4 %a) #1 !kernel_arg_addr_space !5 !kernel_arg_access_qual !6 !kernel_arg_type !7 !kernel_arg_base_type !7 !kernel_arg_type_qual !8 !kernel_arg_name !9 {
// entry:
//   %a.addr.i = alloca ptr addrspace(1), align 8
//   %a.addr = alloca ptr addrspace(1), align 8
//   store ptr addrspace(1) %a, ptr %a.addr, align 8, !tbaa !10
//   %0 = load ptr addrspace(1), ptr %a.addr, align 8, !tbaa !10
//   call void @llvm.lifetime.start.p0(ptr %a.addr.i)
//   store ptr addrspace(1) %0, ptr %a.addr.i, align 8, !tbaa !10
//   %1 = load ptr addrspace(1), ptr %a.addr.i, align 8, !tbaa !10
//   store i32 1, ptr addrspace(1) %1, align 4, !tbaa !1
//   call void @__muxcl_barrier()
//   call void @__muxcl_barrier()
//   %2 = load ptr addrspace(1), ptr %a.addr.i, align 8, !tbaa !10
//   %arrayidx1.i = getelementptr inbounds i32, ptr addrspace(1) %2, i64 1
//   store i32 2, ptr addrspace(1) %arrayidx1.i, align 4, !tbaa !1
//   call void @llvm.lifetime.end.p0(ptr %a.addr.i)
//   ret void
// }
//
// no function sync
