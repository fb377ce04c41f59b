// With 16-bit numbers, more work-items fill the same registers, so that the driver joins larger
// groups than otherwise.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void halves(global float *out)
{
    half x = get_local_id(0);
    out[get_global_id(0)] = x * (half)2 + (half)1;
}
// needs: cl_khr_fp16
// run: halves global=1024 local=256|128|8
//   buf f32 1024 = 0 => i%lx*2 + 1
