//! test = "prepare"
//! functions = ["k", "f"]
// Kernels get the attribute and the C convention, and lose optnone and noinline. The by-value
// structure is copied.
typedef struct { int a[4]; } s4;
__attribute__((noinline)) int f(int x) { return x + 1; }
kernel void k(global int *a, s4 s) { s.a[1] = f(s.a[0]); a[0] = s.a[1]; }
//---- expected ----
// ; Function Attrs: nounwind
// define dso_local void @k(ptr addrspace(1) noundef align 4 %a, ptr noundef align 4 %s) #1 !kernel_arg_addr_space !7 !kernel_arg_access_qual !8 !kernel_arg_type !9 !kernel_arg_base_type !9 !kernel_arg_type_qual !10 !kernel_arg_name !11 {
// entry:
//   %byval.copy = alloca %struct.s4, align 4
//   call void @llvm.memcpy.p0.p0.i64(ptr align 4 %byval.copy, ptr align 4 %s, i64 16, i1 false)
//   %a.addr = alloca ptr addrspace(1), align 8
//   store ptr addrspace(1) %a, ptr %a.addr, align 8, !tbaa !12
//   %0 = load ptr addrspace(1), ptr %a.addr, align 8, !tbaa !12
//   call void @__clang_ocl_kern_imp_k(ptr addrspace(1) noundef align 4 %0, ptr noundef byval(%struct.s4) align 4 %byval.copy) #4
//   ret void
// }
//
// ; Function Attrs: nounwind
// define dso_local i32 @f(i32 noundef %x) #0 {
// entry:
//   %x.addr = alloca i32, align 4
//   store i32 %x, ptr %x.addr, align 4, !tbaa !3
//   %0 = load i32, ptr %x.addr, align 4, !tbaa !3
//   %add = add nsw i32 %0, 1
//   ret i32 %add
// }
//
