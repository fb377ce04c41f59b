;! test = "scalable-variants"
;! isa = "RV64GCV"
;! error = "'_ZGVr2Nxv__Z3sinf': not lane by lane:"
; A function that moves values between lanes has no scalable variant.
declare spir_func <vscale x 4 x float> @_ZGVr2Nxv__Z3sinf(<vscale x 4 x float>)
define spir_func <4 x float> @_Z3sinDv4_f(<4 x float> %x) {
  %y = shufflevector <4 x float> %x, <4 x float> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  ret <4 x float> %y
}
define spir_kernel void @k(ptr addrspace(1) %p) !kernel_arg_addr_space !0 {
  %x = load <vscale x 4 x float>, ptr addrspace(1) %p
  %s = call spir_func <vscale x 4 x float> @_ZGVr2Nxv__Z3sinf(<vscale x 4 x float> %x)
  store <vscale x 4 x float> %s, ptr addrspace(1) %p
  ret void
}
!0 = !{i32 1}
;---- expected ----
