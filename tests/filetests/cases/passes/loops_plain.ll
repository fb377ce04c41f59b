;! test = "work-item-loops"
;! functions = ["k.group"]
;! local = [8, 4]
; Without a barrier, the blocks stay in place inside one loop nest. z has the constant size 1 and no
; loop. The accesses are parallel.
target triple = "spir64-unknown-unknown"
define spir_kernel void @k(ptr addrspace(1) %a) !kernel_arg_addr_space !0 {
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %y = call spir_func i64 @_Z12get_local_idj(i32 1)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %t = trunc i64 %y to i32
  %w = add i32 %v, %t
  store i32 %w, ptr addrspace(1) %p
  ret void
}
declare spir_func i64 @_Z13get_global_idj(i32) nounwind readnone
declare spir_func i64 @_Z12get_local_idj(i32) nounwind readnone
!0 = !{i32 1}
;---- expected ----
; ; Function Attrs: nounwind
; define internal void @k.group(ptr addrspace(1) %a, i64 %group.x, i64 %group.y, i64 %group.z, i64 %size.x, i64 %size.y, i64 %size.z, i64 %full.x, i64 %full.y, i64 %full.z, i64 %groups.x, i64 %groups.y, i64 %groups.z, i64 %offset.x, i64 %offset.y, i64 %offset.z, i64 %global.x, i64 %global.y, i64 %global.z, i32 %rank, ptr addrspace(3) %local, ptr noalias %scratch, ptr %extra) #0 {
; prologue:
;   %0 = mul nuw i64 %group.x, 8
;   %1 = add nuw i64 %0, %offset.x
;   %2 = mul nuw i64 %group.y, 4
;   %3 = add nuw i64 %2, %offset.y
;   br label %items.first
;
; 4:                                                ; preds = %items.x
;   %p = getelementptr i32, ptr addrspace(1) %a, i64 %5
;   %v = load i32, ptr addrspace(1) %p, align 4, !llvm.access.group !1
;   %t = trunc i64 %local.y to i32
;   %w = add i32 %v, %t
;   store i32 %w, ptr addrspace(1) %p, align 4, !llvm.access.group !1
;   br label %items.latch
;
; items.first:                                      ; preds = %prologue
;   br label %items.y
;
; items.y:                                          ; preds = %items.next, %items.first
;   %local.y = phi i64 [ 0, %items.first ], [ %9, %items.next ]
;   br label %items.x
;
; items.x:                                          ; preds = %items.latch, %items.y
;   %local.x = phi i64 [ 0, %items.y ], [ %7, %items.latch ]
;   %5 = add nuw nsw i64 %1, %local.x
;   %6 = add nuw nsw i64 %3, %local.y
;   br label %4
;
; items.latch:                                      ; preds = %4
;   %7 = add nuw i64 %local.x, 1
;   %8 = icmp ult i64 %7, %size.x
;   br i1 %8, label %items.x, label %items.next, !llvm.loop !2
;
; items.next:                                       ; preds = %items.latch
;   %9 = add nuw i64 %local.y, 1
;   %10 = icmp ult i64 %9, %size.y
;   br i1 %10, label %items.y, label %items.next1
;
; items.next1:                                      ; preds = %items.next
;   ret void
; }
;
