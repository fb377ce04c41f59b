//! test = "known-words"
//! functions = ["k"]
//! words = [[40, 14], [64, 34]]
// Tests that a kernel compiled for an image format and a sampler has no code for others. The image
// has one channel of floats, the sampler filters linearly and clamps to the edge. So the kernel
// loads four floats. It calls no library function for images and has no branch.
kernel void k(read_only image2d_t image, sampler_t s, global float *out, float2 at) {
  out[get_global_id(0)] = read_imagef(image, s, at).x;
}
//---- expected ----
// ; Function Attrs: nounwind
// define void @k(ptr %image, ptr %s, ptr addrspace(1) noundef align 4 %out, <2 x float> noundef %at) #4 !kernel_arg_addr_space !7 !kernel_arg_access_qual !8 !kernel_arg_type !9 !kernel_arg_base_type !10 !kernel_arg_type_qual !11 !kernel_arg_name !12 {
// entry:
//   %0 = extractelement <2 x float> %at, i64 0
//   %1 = extractelement <2 x float> %at, i64 1
//   %2 = getelementptr inbounds nuw i8, ptr %image, i64 8
//   %3 = load i32, ptr %2, align 8
//   %4 = sitofp i32 %3 to float
//   %5 = fadd float %0, -5.000000e-01
//   %6 = call float @llvm.floor.f32(float %5)
//   %7 = fcmp ogt float %6, -1.000000e+00
//   %8 = select i1 %7, float %6, float -1.000000e+00
//   %9 = fcmp olt float %8, %4
//   %10 = select i1 %9, float %8, float %4
//   %11 = fptosi float %10 to i32
//   %12 = fcmp olt float %6, -1.000000e+00
//   %13 = fsub float %5, %6
//   %14 = getelementptr inbounds nuw i8, ptr %image, i64 12
//   %15 = load i32, ptr %14, align 4
//   %16 = sitofp i32 %15 to float
//   %17 = fadd float %1, -5.000000e-01
//   %18 = call float @llvm.floor.f32(float %17)
//   %19 = fcmp ogt float %18, -1.000000e+00
//   %20 = select i1 %19, float %18, float -1.000000e+00
//   %21 = fcmp olt float %20, %16
//   %22 = select i1 %21, float %20, float %16
//   %23 = fptosi float %22 to i32
//   %24 = fcmp olt float %18, -1.000000e+00
//   %25 = call i32 @llvm.smax.i32(i32 %11, i32 0)
//   %26 = add nsw i32 %3, -1
//   %27 = call i32 @llvm.smin.i32(i32 %25, i32 %26)
//   %28 = call i32 @llvm.smax.i32(i32 %23, i32 0)
//   %29 = add nsw i32 %15, -1
//   %30 = call i32 @llvm.smin.i32(i32 %28, i32 %29)
//   %31 = getelementptr inbounds nuw i8, ptr %image, i64 20
//   %32 = load i32, ptr %31, align 4
//   %33 = call i32 @llvm.smin.i32(i32 %32, i32 1)
//   %34 = add nsw i32 %33, -1
//   %35 = load i64, ptr %image, align 8
//   %36 = getelementptr inbounds nuw i8, ptr %image, i64 24
//   %37 = load i64, ptr %36, align 8
//   %38 = zext i32 %30 to i64
//   %39 = mul i64 %37, %38
//   %40 = getelementptr inbounds nuw i8, ptr %image, i64 32
//   %41 = load i64, ptr %40, align 8
//   %42 = zext i32 %34 to i64
//   %43 = mul i64 %41, %42
//   %44 = add i64 %43, %35
//   %45 = add i64 %44, %39
//   %46 = inttoptr i64 %45 to ptr addrspace(1)
//   %47 = zext i32 %27 to i64
//   %48 = getelementptr inbounds nuw float, ptr addrspace(1) %46, i64 %47
//   %49 = load float, ptr addrspace(1) %48, align 4
//   %50 = insertelement <4 x float> <float poison, float 0.000000e+00, float 0.000000e+00, float 1.000000e+00>, float %49, i64 0
//   %51 = call i32 @llvm.smax.i32(i32 %11, i32 -1)
//   %52 = add nsw i32 %51, 1
//   %53 = select i1 %12, i32 0, i32 %52
//   %54 = call i32 @llvm.smin.i32(i32 %53, i32 %26)
//   %55 = zext i32 %54 to i64
//   %56 = getelementptr inbounds nuw float, ptr addrspace(1) %46, i64 %55
//   %57 = load float, ptr addrspace(1) %56, align 4
//   %58 = insertelement <4 x float> <float poison, float 0.000000e+00, float 0.000000e+00, float 1.000000e+00>, float %57, i64 0
//   %59 = call i32 @llvm.smax.i32(i32 %23, i32 -1)
//   %60 = add nsw i32 %59, 1
//   %61 = select i1 %24, i32 0, i32 %60
//   %62 = call i32 @llvm.smin.i32(i32 %61, i32 %29)
//   %63 = zext i32 %62 to i64
//   %64 = mul i64 %37, %63
//   %65 = add i64 %64, %35
//   %66 = add i64 %65, %43
//   %67 = inttoptr i64 %66 to ptr addrspace(1)
//   %68 = zext i32 %27 to i64
//   %69 = getelementptr inbounds nuw float, ptr addrspace(1) %67, i64 %68
//   %70 = load float, ptr addrspace(1) %69, align 4
//   %71 = insertelement <4 x float> <float poison, float 0.000000e+00, float 0.000000e+00, float 1.000000e+00>, float %70, i64 0
//   %72 = zext i32 %54 to i64
//   %73 = getelementptr inbounds nuw float, ptr addrspace(1) %67, i64 %72
//   %74 = load float, ptr addrspace(1) %73, align 4
//   %75 = insertelement <4 x float> <float poison, float 0.000000e+00, float 0.000000e+00, float 1.000000e+00>, float %74, i64 0
//   %76 = fsub float %17, %18
//   %77 = fmul float %13, %76
//   %78 = insertelement <4 x float> poison, float %77, i64 0
//   %79 = shufflevector <4 x float> %78, <4 x float> poison, <4 x i32> zeroinitializer
//   %80 = fsub float 1.000000e+00, %13
//   %81 = fsub float 1.000000e+00, %76
//   %82 = fmul float %80, %81
//   %83 = insertelement <4 x float> poison, float %82, i64 0
//   %84 = shufflevector <4 x float> %83, <4 x float> poison, <4 x i32> zeroinitializer
//   %85 = fmul <4 x float> %84, %50
//   %86 = fmul float %13, %81
//   %87 = insertelement <4 x float> poison, float %86, i64 0
//   %88 = shufflevector <4 x float> %87, <4 x float> poison, <4 x i32> zeroinitializer
//   %89 = fmul <4 x float> %88, %58
//   %90 = fadd <4 x float> %85, %89
//   %91 = fmul float %80, %76
//   %92 = insertelement <4 x float> poison, float %91, i64 0
//   %93 = shufflevector <4 x float> %92, <4 x float> poison, <4 x i32> zeroinitializer
//   %94 = fmul <4 x float> %93, %71
//   %95 = fadd <4 x float> %90, %94
//   %96 = fmul <4 x float> %79, %75
//   %97 = fadd <4 x float> %95, %96
//   %98 = extractelement <4 x float> %97, i64 0
//   %call1.i = call i64 @_Z13get_global_idj(i32 noundef 0) #0
//   %arrayidx.i = getelementptr inbounds nuw float, ptr addrspace(1) %out, i64 %call1.i
//   store float %98, ptr addrspace(1) %arrayidx.i, align 4, !tbaa !13
//   ret void
// }
//
