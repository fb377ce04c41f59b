;! test = "split-vectors"
;! functions = ["f", "g"]
; Lanes that are extracted one by one become scalars, through chains. Values that are used as
; vectors stay.
define spir_kernel void @f(ptr addrspace(1) %out, <2 x i32> %a, <2 x i32> %c) {
  %s = mul <2 x i32> %a, %c
  %t = sub <2 x i32> %s, %a
  %x = extractelement <2 x i32> %t, i32 0
  %y = extractelement <2 x i32> %t, i32 1
  %r = udiv i32 %x, %y
  store i32 %r, ptr addrspace(1) %out
  ret void
}
define spir_kernel void @g(ptr addrspace(1) %out, <2 x i32> %a, i32 %n) {
  %s = mul <2 x i32> %a, %a
  %x = extractelement <2 x i32> %s, i32 0
  %y = extractelement <2 x i32> %s, i32 %n
  %r = add i32 %x, %y
  store i32 %r, ptr addrspace(1) %out
  ret void
}
;---- expected ----
; ; Function Attrs: nounwind
; define void @f(ptr addrspace(1) %out, <2 x i32> %a, <2 x i32> %c) #0 {
;   %1 = extractelement <2 x i32> %c, i32 1
;   %2 = add i32 %1, -1
;   %3 = extractelement <2 x i32> %c, i32 0
;   %4 = add i32 %3, -1
;   %5 = extractelement <2 x i32> %a, i32 0
;   %6 = mul i32 %5, %4
;   %7 = extractelement <2 x i32> %a, i32 1
;   %8 = mul i32 %7, %2
;   %9 = call i32 @llvm.umax.i32(i32 %8, i32 1)
;   %r = udiv i32 %6, %9
;   store i32 %r, ptr addrspace(1) %out, align 4
;   ret void
; }
;
; ; Function Attrs: nounwind
; define void @g(ptr addrspace(1) %out, <2 x i32> %a, i32 %n) #0 {
;   %s = mul <2 x i32> %a, %a
;   %x = extractelement <2 x i32> %s, i64 0
;   %y = extractelement <2 x i32> %s, i32 %n
;   %r = add i32 %x, %y
;   store i32 %r, ptr addrspace(1) %out, align 4
;   ret void
; }
;
