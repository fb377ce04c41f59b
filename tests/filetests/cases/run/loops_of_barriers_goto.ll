;! test = "run"
;! global = [16]
;! local = [4]
; Irreducible control flow with barriers: two loop entries, chosen by the group.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"
define spir_kernel void @test(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n) !kernel_arg_addr_space !0 {
entry:
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %g = call spir_func i64 @_Z12get_group_idj(i32 0)
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %i
  %v = load i32, ptr addrspace(1) %p
  %odd = trunc i64 %g to i1
  br i1 %odd, label %left, label %right
left:
  %a = phi i32 [ %v, %entry ], [ %d, %right ]
  %k = phi i32 [ 0, %entry ], [ %k2, %right ]
  %b = mul i32 %a, 3
  call spir_func void @_Z7barrierj(i32 1)
  %k1 = add i32 %k, 1
  %done = icmp ugt i32 %k1, 5
  br i1 %done, label %end, label %right
right:
  %c = phi i32 [ %v, %entry ], [ %b, %left ]
  %k3 = phi i32 [ 1, %entry ], [ %k1, %left ]
  %l32 = trunc i64 %l to i32
  %d = add i32 %c, %l32
  call spir_func void @_Z7barrierj(i32 1)
  %k2 = add i32 %k3, 1
  br label %left
end:
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %i
  store i32 %b, ptr addrspace(1) %q
  ret void
}
define spir_kernel void @expect(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n) !kernel_arg_addr_space !0 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %out2 ]
  %g = lshr i32 %i, 2
  %l = and i32 %i, 3
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %v = load i32, ptr addrspace(1) %p
  %odd = trunc i32 %g to i1
  br i1 %odd, label %left, label %right
left:
  %a = phi i32 [ %v, %loop ], [ %d, %right ]
  %k = phi i32 [ 0, %loop ], [ %k2, %right ]
  %b = mul i32 %a, 3
  %k1 = add i32 %k, 1
  %done = icmp ugt i32 %k1, 5
  br i1 %done, label %out2, label %right
right:
  %c = phi i32 [ %v, %loop ], [ %b, %left ]
  %k3 = phi i32 [ 1, %loop ], [ %k1, %left ]
  %d = add i32 %c, %l
  %k2 = add i32 %k3, 1
  br label %left
out2:
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %b, ptr addrspace(1) %q
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
declare spir_func i64 @_Z13get_global_idj(i32) nounwind readnone
declare spir_func i64 @_Z12get_group_idj(i32) nounwind readnone
declare spir_func i64 @_Z12get_local_idj(i32) nounwind readnone
declare spir_func void @_Z7barrierj(i32) convergent nounwind
!0 = !{i32 1, i32 1, i32 0}
