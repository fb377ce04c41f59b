;! test = "work-item-loops"
;! functions = ["k.group"]
;! local = [16]
; One barrier makes two regions. %v is loaded before it and kept in a slot; the address is
; rematerialized.
target triple = "spir64-unknown-unknown"
@t = internal addrspace(3) global [16 x i32] undef
define spir_kernel void @k(ptr addrspace(1) %a) !kernel_arg_addr_space !0 {
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %q = getelementptr [16 x i32], ptr addrspace(3) @t, i64 0, i64 %l
  store i32 %v, ptr addrspace(3) %q
  call spir_func void @_Z7barrierj(i32 1)
  %r = sub i64 15, %l
  %s = getelementptr [16 x i32], ptr addrspace(3) @t, i64 0, i64 %r
  %o = load i32, ptr addrspace(3) %s
  %w = add i32 %v, %o
  store i32 %w, ptr addrspace(1) %p
  ret void
}
declare spir_func i64 @_Z13get_global_idj(i32) nounwind readnone
declare spir_func i64 @_Z12get_local_idj(i32) nounwind readnone
declare spir_func void @_Z7barrierj(i32) convergent nounwind
!0 = !{i32 1}
;---- expected ----
; ; Function Attrs: nounwind
; define internal void @k.group(ptr addrspace(1) %a, i64 %group.x, i64 %group.y, i64 %group.z, i64 %size.x, i64 %size.y, i64 %size.z, i64 %full.x, i64 %full.y, i64 %full.z, i64 %groups.x, i64 %groups.y, i64 %groups.z, i64 %offset.x, i64 %offset.y, i64 %offset.z, i64 %global.x, i64 %global.y, i64 %global.z, i32 %rank, ptr addrspace(3) %local, ptr noalias %scratch, ptr %extra) #0 {
; prologue:
;   %0 = mul nuw i64 %group.x, 16
;   %1 = add nuw i64 %0, %offset.x
;   %2 = mul nuw i64 %group.x, 16
;   %3 = add nuw i64 %2, %offset.x
;   br label %region0.first
;
; region0.first:                                    ; preds = %prologue
;   br label %region0.x
;
; region0.x:                                        ; preds = %region0.latch, %region0.first
;   %local.x = phi i64 [ 0, %region0.first ], [ %7, %region0.latch ]
;   %4 = add nuw nsw i64 %1, %local.x
;   %5 = add nuw i64 0, %local.x
;   %6 = getelementptr inbounds i32, ptr %scratch, i64 %5
;   br label %16
;
; region0.latch:                                    ; preds = %16
;   %7 = add nuw i64 %local.x, 1
;   %8 = icmp ult i64 %7, %size.x
;   br i1 %8, label %region0.x, label %region0.next, !llvm.loop !1
;
; region0.next:                                     ; preds = %region0.latch
;   br label %region1.first
;
; region1.first:                                    ; preds = %region0.next
;   br label %region1.x
;
; region1.x:                                        ; preds = %region1.latch, %region1.first
;   %local.x1 = phi i64 [ 0, %region1.first ], [ %14, %region1.latch ]
;   %9 = add nuw nsw i64 %3, %local.x1
;   %10 = add nuw i64 0, %local.x1
;   %11 = getelementptr inbounds i32, ptr %scratch, i64 %10
;   %12 = load i32, ptr %11, align 4, !llvm.access.group !4
;   %13 = getelementptr i32, ptr addrspace(1) %a, i64 %9
;   br label %behind.r1
;
; region1.latch:                                    ; preds = %behind.r1
;   %14 = add nuw i64 %local.x1, 1
;   %15 = icmp ult i64 %14, %size.x
;   br i1 %15, label %region1.x, label %region1.next, !llvm.loop !7
;
; region1.next:                                     ; preds = %region1.latch
;   br label %done
;
; done:                                             ; preds = %region1.next
;   ret void
;
; 16:                                               ; preds = %region0.x
;   %p.r0 = getelementptr i32, ptr addrspace(1) %a, i64 %4
;   %v.r0 = load i32, ptr addrspace(1) %p.r0, align 4, !llvm.access.group !4
;   store i32 %v.r0, ptr %6, align 4, !llvm.access.group !4
;   %q.r0 = getelementptr i32, ptr addrspace(3) %local, i64 %local.x
;   store i32 %v.r0, ptr addrspace(3) %q.r0, align 4, !llvm.access.group !4
;   br label %region0.latch
;
; behind.r1:                                        ; preds = %region1.x
;   %r.r1 = sub i64 15, %local.x1
;   %s.r1 = getelementptr i32, ptr addrspace(3) %local, i64 %r.r1
;   %o.r1 = load i32, ptr addrspace(3) %s.r1, align 4, !llvm.access.group !4
;   %w.r1 = add i32 %12, %o.r1
;   store i32 %w.r1, ptr addrspace(1) %13, align 4, !llvm.access.group !4
;   br label %region1.latch
; }
;
