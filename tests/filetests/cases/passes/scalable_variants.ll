;! test = "scalable-variants"
;! isa = "RV64GCV"
;! functions = ["_ZGVr2Nxv__Z3sinf", "_ZGVr1Nxvl4__Z5frexpfPU3AS1i", "_ZGVr4Nxvvv__Z5clampfff"]
; Library functions that are declared on scalable vectors get the body of their variant of four
; lanes (defined in this file, not by the library). It contains splats, "any" and "all", a loop over
; the lanes, a scalar in all lanes, and a call of another vector function with a result on the
; stack, of another type.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"
declare <4 x float> @llvm.fma.v4f32(<4 x float>, <4 x float>, <4 x float>)
declare spir_func <vscale x 4 x float> @_ZGVr2Nxv__Z3sinf(<vscale x 4 x float>)
declare spir_func <vscale x 2 x float> @_ZGVr1Nxvl4__Z5frexpfPU3AS1i(<vscale x 2 x float>, ptr addrspace(1))
declare spir_func <vscale x 8 x float> @_ZGVr4Nxvvv__Z5clampfff(<vscale x 8 x float>, <vscale x 8 x float>, <vscale x 8 x float>)

define spir_func <4 x float> @_Z3sinDv4_f(<4 x float> %x) {
  %y = call <4 x float> @llvm.fma.v4f32(<4 x float> %x, <4 x float> splat (float 2.0), <4 x float> zeroinitializer)
  %big = fcmp ogt <4 x float> %x, splat (float 1.0e4)
  %bits = bitcast <4 x i1> %big to i4
  %none = icmp eq i4 %bits, 0
  %every = icmp eq i4 %bits, -1
  br i1 %none, label %done, label %slow
slow:
  br i1 %every, label %done, label %lanes
lanes:
  %r = phi <4 x float> [ %y, %slow ], [ %r1, %next ]
  %n = phi i32 [ 0, %slow ], [ %n1, %next ]
  %lane = extractelement <4 x float> %x, i32 %n
  %far = fcmp ogt float %lane, 1.0e4
  br i1 %far, label %one, label %next
one:
  %scaled = fmul float %lane, 0.5
  %put = insertelement <4 x float> %r, float %scaled, i32 %n
  br label %next
next:
  %r1 = phi <4 x float> [ %r, %lanes ], [ %put, %one ]
  %n1 = add nuw nsw i32 %n, 1
  %more = icmp samesign ult i32 %n, 3
  br i1 %more, label %lanes, label %done
done:
  %result = phi <4 x float> [ %y, %0 ], [ %x, %slow ], [ %r1, %next ]
  ret <4 x float> %result
}

define spir_func <4 x float> @_Z5frexpDv4_fPU3AS1Dv4_i(<4 x float> %x, ptr addrspace(1) initializes((0, 16)) %e) {
  %p = alloca <4 x float>, align 16
  %y = call spir_func <4 x float> @halve(<4 x float> %x, ptr %p)
  %v = load <4 x i32>, ptr %p, align 16
  store <4 x i32> %v, ptr addrspace(1) %e, align 16
  ret <4 x float> %y
}
define internal spir_func <4 x float> @halve(<4 x float> %x, ptr %p) {
  %b = bitcast <4 x float> %x to <4 x i32>
  %e = lshr <4 x i32> %b, splat (i32 23)
  store <4 x i32> %e, ptr %p, align 16
  ret <4 x float> %x
}

define spir_func <4 x float> @_Z5clampDv4_fS_S_(<4 x float> %x, <4 x float> %low, <4 x float> %high) {
  %s = call float @scale()
  %i = insertelement <4 x float> poison, float %s, i64 0
  %a = shufflevector <4 x float> %i, <4 x float> poison, <4 x i32> zeroinitializer
  %c = fcmp olt <4 x float> %x, %low
  %y = select <4 x i1> %c, <4 x float> %a, <4 x float> %high
  ret <4 x float> %y
}
define internal float @scale() {
  ret float 3.0
}

define spir_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %e) !kernel_arg_addr_space !0 {
  %x = load <vscale x 4 x float>, ptr addrspace(1) %p
  %s = call spir_func <vscale x 4 x float> @_ZGVr2Nxv__Z3sinf(<vscale x 4 x float> %x)
  store <vscale x 4 x float> %s, ptr addrspace(1) %p
  %u = load <vscale x 2 x float>, ptr addrspace(1) %p
  %f = call spir_func <vscale x 2 x float> @_ZGVr1Nxvl4__Z5frexpfPU3AS1i(<vscale x 2 x float> %u, ptr addrspace(1) %e)
  store <vscale x 2 x float> %f, ptr addrspace(1) %p
  %v = load <vscale x 8 x float>, ptr addrspace(1) %p
  %c = call spir_func <vscale x 8 x float> @_ZGVr4Nxvvv__Z5clampfff(<vscale x 8 x float> %v, <vscale x 8 x float> %v, <vscale x 8 x float> %v)
  store <vscale x 8 x float> %c, ptr addrspace(1) %p
  ret void
}
!0 = !{i32 1, i32 1}
;---- expected ----
; ; Function Attrs: nounwind
; define <vscale x 4 x float> @_ZGVr2Nxv__Z3sinf(<vscale x 4 x float> %x) #1 {
;   %1 = call i32 @llvm.vscale.i32()
;   %2 = mul i32 %1, 4
;   %3 = sub i32 %2, 1
;   %y = call <vscale x 4 x float> @llvm.fma.nxv4f32(<vscale x 4 x float> %x, <vscale x 4 x float> splat (float 2.000000e+00), <vscale x 4 x float> zeroinitializer)
;   %big = fcmp ogt <vscale x 4 x float> %x, splat (float 1.000000e+04)
;   %4 = call i1 @llvm.vector.reduce.or.nxv4i1(<vscale x 4 x i1> %big)
;   %5 = xor i1 %4, true
;   %6 = call i1 @llvm.vector.reduce.and.nxv4i1(<vscale x 4 x i1> %big)
;   br i1 %5, label %done, label %slow
;
; slow:                                             ; preds = %0
;   br i1 %6, label %done, label %lanes
;
; lanes:                                            ; preds = %next, %slow
;   %r = phi <vscale x 4 x float> [ %y, %slow ], [ %r1, %next ]
;   %n = phi i32 [ 0, %slow ], [ %n1, %next ]
;   %lane = extractelement <vscale x 4 x float> %x, i32 %n
;   %far = fcmp ogt float %lane, 1.000000e+04
;   br i1 %far, label %one, label %next
;
; one:                                              ; preds = %lanes
;   %scaled = fmul float %lane, 5.000000e-01
;   %put = insertelement <vscale x 4 x float> %r, float %scaled, i32 %n
;   br label %next
;
; next:                                             ; preds = %one, %lanes
;   %r1 = phi <vscale x 4 x float> [ %r, %lanes ], [ %put, %one ]
;   %n1 = add nuw nsw i32 %n, 1
;   %more = icmp samesign ult i32 %n, %3
;   br i1 %more, label %lanes, label %done
;
; done:                                             ; preds = %next, %slow, %0
;   %result = phi <vscale x 4 x float> [ %y, %0 ], [ %x, %slow ], [ %r1, %next ]
;   ret <vscale x 4 x float> %result
; }
;
; ; Function Attrs: nounwind
; define <vscale x 2 x float> @_ZGVr1Nxvl4__Z5frexpfPU3AS1i(<vscale x 2 x float> %x, ptr addrspace(1) %e) #1 {
;   %b.i = bitcast <vscale x 2 x float> %x to <vscale x 2 x i32>
;   %e.i = lshr <vscale x 2 x i32> %b.i, splat (i32 23)
;   %1 = bitcast <vscale x 2 x i32> %e.i to <vscale x 2 x float>
;   %2 = bitcast <vscale x 2 x float> %1 to <vscale x 2 x i32>
;   store <vscale x 2 x i32> %2, ptr addrspace(1) %e, align 4
;   ret <vscale x 2 x float> %x
; }
;
; ; Function Attrs: nounwind
; define <vscale x 8 x float> @_ZGVr4Nxvvv__Z5clampfff(<vscale x 8 x float> %x, <vscale x 8 x float> %low, <vscale x 8 x float> %high) #1 {
;   %s = call float @scale()
;   %i = insertelement <vscale x 8 x float> poison, float %s, i64 0
;   %1 = extractelement <vscale x 8 x float> %i, i64 0
;   %.splatinsert = insertelement <vscale x 8 x float> poison, float %1, i64 0
;   %.splat = shufflevector <vscale x 8 x float> %.splatinsert, <vscale x 8 x float> poison, <vscale x 8 x i32> zeroinitializer
;   %c = fcmp olt <vscale x 8 x float> %x, %low
;   %y = select <vscale x 8 x i1> %c, <vscale x 8 x float> %.splat, <vscale x 8 x float> %high
;   ret <vscale x 8 x float> %y
; }
;
