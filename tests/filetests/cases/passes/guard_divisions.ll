;! test = "guard-divisions"
;! functions = ["f", "v"]
; Divisors that can be 0, or that can be -1 with the smallest dividend, become 1. Safe constants
; stay.
define spir_func i32 @f(i32 %a, i32 %b) {
  %u = udiv i32 %a, %b
  %s = srem i32 %u, %b
  %c = sdiv i32 %s, 7
  ret i32 %c
}
define spir_func <2 x i16> @v(<2 x i16> %a, <2 x i16> %b) {
  %s = sdiv <2 x i16> %a, %b
  ret <2 x i16> %s
}
;---- expected ----
; ; Function Attrs: nounwind
; define i32 @f(i32 %a, i32 %b) #0 {
;   %1 = icmp eq i32 %b, 0
;   %2 = select i1 %1, i32 1, i32 %b
;   %u = udiv i32 %a, %2
;   %3 = icmp eq i32 %b, 0
;   %4 = icmp eq i32 %u, -2147483648
;   %5 = icmp eq i32 %b, -1
;   %6 = and i1 %4, %5
;   %7 = or i1 %3, %6
;   %8 = select i1 %7, i32 1, i32 %b
;   %s = srem i32 %u, %8
;   %c = sdiv i32 %s, 7
;   ret i32 %c
; }
;
; ; Function Attrs: nounwind
; define <2 x i16> @v(<2 x i16> %a, <2 x i16> %b) #0 {
;   %1 = icmp eq <2 x i16> %b, zeroinitializer
;   %2 = icmp eq <2 x i16> %a, splat (i16 -32768)
;   %3 = icmp eq <2 x i16> %b, splat (i16 -1)
;   %4 = and <2 x i1> %2, %3
;   %5 = or <2 x i1> %1, %4
;   %6 = select <2 x i1> %5, <2 x i16> splat (i16 1), <2 x i16> %b
;   %s = sdiv <2 x i16> %a, %6
;   ret <2 x i16> %s
; }
;
