//! test = "lower-blocks"
//! options = "-cl-std=CL3.0"
// A block that is enqueued and called: a constant replaces its kernel, the literal has no address
// of its body, and all errors become one.
kernel void k(global int *a, queue_t q)
{
    void (^const block)(void) = ^{ a[0] = 1; };
    block();
    a[1] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), block);
}
//---- expected ----
// ; ModuleID = '<program source>'
// source_filename = "<program source>"
// target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
// target triple = "spir64-unknown-unknown"
//
// %struct.ndrange_t = type { i32, [3 x i64], [3 x i64], [3 x i64] }
//
// @muxcl.child.__k_block_invoke_kernel = external constant { ptr, i64, i64, i64, i64, i64, i64 }
//
// ; Function Attrs: nounwind
// define dso_local void @k(ptr addrspace(1) noundef align 4 %a, target("spirv.Queue") %q) #0 !kernel_arg_addr_space !7 !kernel_arg_access_qual !8 !kernel_arg_type !9 !kernel_arg_base_type !9 !kernel_arg_type_qual !10 !kernel_arg_name !11 {
// entry:
//   %a.addr = alloca ptr addrspace(1), align 8
//   %q.addr = alloca target("spirv.Queue"), align 8
//   store ptr addrspace(1) %a, ptr %a.addr, align 8, !tbaa !12
//   store target("spirv.Queue") %q, ptr %q.addr, align 8, !tbaa !15
//   %0 = load ptr addrspace(1), ptr %a.addr, align 8, !tbaa !12
//   %1 = load target("spirv.Queue"), ptr %q.addr, align 8, !tbaa !15
//   call void @__clang_ocl_kern_imp_k(ptr addrspace(1) noundef align 4 %0, target("spirv.Queue") %1) #5
//   ret void
// }
//
// ; Function Attrs: alwaysinline nounwind
// define dso_local void @__clang_ocl_kern_imp_k(ptr addrspace(1) noundef align 4 %a, target("spirv.Queue") %q) #1 !kernel_arg_addr_space !7 !kernel_arg_access_qual !8 !kernel_arg_type !9 !kernel_arg_base_type !9 !kernel_arg_type_qual !10 !kernel_arg_name !11 {
// entry:
//   %a.addr = alloca ptr addrspace(1), align 8
//   %q.addr = alloca target("spirv.Queue"), align 8
//   %block = alloca ptr addrspace(4), align 8
//   %block1 = alloca <{ i32, i32, ptr addrspace(4), ptr addrspace(1) }>, align 8
//   %tmp = alloca %struct.ndrange_t, align 8
//   store ptr addrspace(1) %a, ptr %a.addr, align 8, !tbaa !12
//   store target("spirv.Queue") %q, ptr %q.addr, align 8, !tbaa !15
//   call void @llvm.lifetime.start.p0(ptr %block) #3
//   %block.size = getelementptr inbounds nuw <{ i32, i32, ptr addrspace(4), ptr addrspace(1) }>, ptr %block1, i32 0, i32 0
//   store i32 24, ptr %block.size, align 8
//   %block.align = getelementptr inbounds nuw <{ i32, i32, ptr addrspace(4), ptr addrspace(1) }>, ptr %block1, i32 0, i32 1
//   store i32 8, ptr %block.align, align 4
//   %block.invoke = getelementptr inbounds nuw <{ i32, i32, ptr addrspace(4), ptr addrspace(1) }>, ptr %block1, i32 0, i32 2
//   store ptr addrspace(4) null, ptr %block.invoke, align 8
//   %block.captured = getelementptr inbounds nuw <{ i32, i32, ptr addrspace(4), ptr addrspace(1) }>, ptr %block1, i32 0, i32 3
//   %0 = load ptr addrspace(1), ptr %a.addr, align 8, !tbaa !12
//   store ptr addrspace(1) %0, ptr %block.captured, align 8, !tbaa !12
//   %block1.ascast = addrspacecast ptr %block1 to ptr addrspace(4)
//   store ptr addrspace(4) %block1.ascast, ptr %block, align 8, !tbaa !17
//   %1 = load ptr addrspace(4), ptr %block, align 8, !tbaa !17
//   call void @__k_block_invoke(ptr addrspace(4) noundef %1) #3
//   %2 = load target("spirv.Queue"), ptr %q.addr, align 8, !tbaa !15
//   call void @_Z10ndrange_1Dm(ptr dead_on_unwind writable sret(%struct.ndrange_t) align 8 %tmp, i64 noundef 1) #3
//   %3 = load ptr addrspace(4), ptr %block, align 8, !tbaa !17
//   %4 = addrspacecast ptr %block1 to ptr addrspace(4)
//   %5 = call i32 @__enqueue_kernel_basic(target("spirv.Queue") %2, i32 0, ptr %tmp, ptr addrspace(4) addrspacecast (ptr @muxcl.child.__k_block_invoke_kernel to ptr addrspace(4)), ptr addrspace(4) %4)
//   %6 = icmp eq i32 %5, 0
//   %7 = select i1 %6, i32 0, i32 -101
//   %8 = load ptr addrspace(1), ptr %a.addr, align 8, !tbaa !12
//   %arrayidx = getelementptr inbounds i32, ptr addrspace(1) %8, i64 1
//   store i32 %7, ptr addrspace(1) %arrayidx, align 4, !tbaa !3
//   call void @llvm.lifetime.end.p0(ptr %block) #3
//   ret void
// }
//
// ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// declare void @llvm.lifetime.start.p0(ptr captures(none)) #2
//
// ; Function Attrs: nounwind
// define internal void @__k_block_invoke(ptr addrspace(4) noundef %.block_descriptor) #3 {
// entry:
//   %.block_descriptor.addr = alloca ptr addrspace(4), align 8
//   store ptr addrspace(4) %.block_descriptor, ptr %.block_descriptor.addr, align 8
//   %block.capture.addr = getelementptr inbounds nuw <{ i32, i32, ptr addrspace(4), ptr addrspace(1) }>, ptr addrspace(4) %.block_descriptor, i32 0, i32 3
//   %0 = load ptr addrspace(1), ptr addrspace(4) %block.capture.addr, align 8, !tbaa !12
//   %arrayidx = getelementptr inbounds i32, ptr addrspace(1) %0, i64 0
//   store i32 1, ptr addrspace(1) %arrayidx, align 4, !tbaa !3
//   ret void
// }
//
// ; Function Attrs: nounwind
// declare void @_Z10ndrange_1Dm(ptr dead_on_unwind writable sret(%struct.ndrange_t) align 8, i64 noundef) #3
//
// ; Function Attrs: nounwind
// define void @__k_block_invoke_kernel(ptr addrspace(4) %0) #4 {
// entry:
//   call void @__k_block_invoke(ptr addrspace(4) %0)
//   ret void
// }
//
// ; Function Attrs: nounwind
// declare i32 @__enqueue_kernel_basic(target("spirv.Queue"), i32, ptr, ptr addrspace(4), ptr addrspace(4)) #3
//
// ; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
// declare void @llvm.lifetime.end.p0(ptr captures(none)) #2
//
// attributes #0 = { nounwind "muxcl-kernel" }
// attributes #1 = { alwaysinline nounwind }
// attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
// attributes #3 = { nounwind }
// attributes #4 = { nounwind "muxcl-block" "muxcl-kernel" }
// attributes #5 = { nounwind "uniform-work-group-size"="false" }
//
// !llvm.module.flags = !{!0}
// !opencl.ocl.version = !{!1}
// !opencl.spir.version = !{!1}
// !llvm.ident = !{!2}
// !llvm.errno.tbaa = !{!3}
//
// !0 = !{i32 1, !"wchar_size", i32 4}
// !1 = !{i32 3, i32 0}
// !2 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
// !3 = !{!4, !4, i64 0}
// !4 = !{!"int", !5, i64 0}
// !5 = !{!"omnipotent char", !6, i64 0}
// !6 = !{!"Simple C/C++ TBAA"}
// !7 = !{i32 1, i32 0}
// !8 = !{!"none", !"none"}
// !9 = !{!"int*", !"queue_t"}
// !10 = !{!"", !""}
// !11 = !{!"a", !"q"}
// !12 = !{!13, !13, i64 0}
// !13 = !{!"p1 int", !14, i64 0}
// !14 = !{!"any pointer", !5, i64 0}
// !15 = !{!16, !16, i64 0}
// !16 = !{!"queue_t", !5, i64 0}
// !17 = !{!5, !5, i64 0}
