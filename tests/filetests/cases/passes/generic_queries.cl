//! test = "lower-opaque"
//! functions = ["f"]
// Events become pointers; queries of generic pointers become range checks.
int f(int *p, event_t e) { wait_group_events(1, &e); return (to_local(p) ? 1 : 0) + get_fence(p); }
kernel void k(global int *a) { a[0] = f((int *)a, 0); }
//---- expected ----
// ; Function Attrs: convergent nounwind
// define i32 @f(ptr addrspace(4) noundef %p, ptr %e) #2 {
// entry:
//   %p.addr = alloca ptr addrspace(4), align 8
//   %e.addr = alloca ptr, align 8
//   store ptr addrspace(4) %p, ptr %p.addr, align 8, !tbaa !10
//   store ptr %e, ptr %e.addr, align 8, !tbaa !13
//   %e.addr.ascast = addrspacecast ptr %e.addr to ptr addrspace(4)
//   call void @_Z17wait_group_eventsiPU3AS49ocl_event(i32 noundef 1, ptr addrspace(4) noundef %e.addr.ascast) #3
//   %0 = load ptr addrspace(4), ptr %p.addr, align 8, !tbaa !10
//   %1 = call i1 @__muxcl_is_local(ptr addrspace(4) %0)
//   %2 = addrspacecast ptr addrspace(4) %0 to ptr addrspace(3)
//   %3 = select i1 %1, ptr addrspace(3) %2, ptr addrspace(3) null
//   %tobool = icmp ne ptr addrspace(3) %3, addrspacecast (ptr addrspace(4) null to ptr addrspace(3))
//   %4 = zext i1 %tobool to i64
//   %cond = select i1 %tobool, i32 1, i32 0
//   %5 = load ptr addrspace(4), ptr %p.addr, align 8, !tbaa !10
//   %6 = call i1 @__muxcl_is_local(ptr addrspace(4) %5)
//   %7 = select i1 %6, i32 1, i32 2
//   %add = add i32 %cond, %7
//   ret i32 %add
// }
//
