//! What OpenCL 3.1 requires of every device.

use std::path::Path;
use std::ptr::{null, null_mut};

use muxcl_cl_sys::{
    CL_DEVICE_EXTENSIONS, CL_DEVICE_IL_VERSION, CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES,
    CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED, CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED,
    CL_DEVICE_MAX_NUM_SUB_GROUPS, CL_DEVICE_MAX_WORK_GROUP_SIZES, CL_DEVICE_NUMERIC_VERSION,
    CL_DEVICE_OPENCL_C_FEATURES, CL_DEVICE_OPENCL_C_VERSION, CL_DEVICE_SPIRV_CAPABILITIES,
    CL_DEVICE_SPIRV_EXTENSIONS, CL_DEVICE_UUID, CL_DEVICE_VERSION, CL_PLATFORM_NUMERIC_VERSION,
    CL_PLATFORM_VERSION, CL_SUCCESS, CL_TRUE, CL_UUID_SIZE, cl_context, cl_kernel, cl_mem,
    make_version,
};
use muxcl_test_api::{buffer, cl, code, context, info, kernel, make, number, setup, text};

use crate::{log_of, queue};

/// The extensions that every device with OpenCL 3.1 must list.
const EXTENSIONS: [&str; 9] = [
    "cl_khr_device_uuid",
    "cl_khr_extended_bit_ops",
    "cl_khr_integer_dot_product",
    "cl_khr_spirv_queries",
    "cl_khr_subgroup_extended_types",
    "cl_khr_subgroup_rotate",
    "cl_khr_subgroup_shuffle",
    "cl_khr_subgroup_shuffle_relative",
    "cl_khr_suggested_local_work_size",
];
/// The SPIR-V extensions that every device with OpenCL 3.1 must list.
const SPIRV_EXTENSIONS: [&[u8]; 3] =
    [b"SPV_KHR_bit_instructions", b"SPV_KHR_integer_dot_product", b"SPV_KHR_subgroup_rotate"];
/// GroupNonUniformShuffle, GroupNonUniformShuffleRelative, DotProductInput4x8BitPacked, DotProduct,
/// BitInstructions, GroupNonUniformRotateKHR.
const SPIRV_CAPABILITIES: [u32; 6] = [65, 66, 6018, 6019, 6025, 6026];

/// Functions that OpenCL C 3.1 has without an extension.
const SOURCE: &std::ffi::CStr = c"
#if __OPENCL_C_VERSION__ != 310 || CL_VERSION_3_1 != 310 || __OPENCL_VERSION__ != 310
#error version
#endif
#if !defined(__opencl_c_integer_dot_product_input_4x8bit_packed)
#error dot product
#endif
kernel void functions(global uint *out, local uint *nothing) {
  uint i = get_sub_group_local_id();
  out[0] = bitfield_insert(0xffffffffu, 0u, 4u, 8u);
  out[1] = bit_reverse(1u) + bitfield_extract_unsigned(0xabcdu, 4u, 8u);
  out[2] = dot_4x8packed_uu_uint(0x01020304u, 0x05060708u);
  uint moved = sub_group_rotate(i, 0) - i;
  moved |= sub_group_shuffle(i, i) ^ sub_group_shuffle_xor(i, 0) ^ i ^ i;
  moved |= sub_group_shuffle_up(i, 0) ^ sub_group_shuffle_down(i, 0);
  out[3] = moved + sub_group_broadcast((uchar2)(3, 4), 0).y + sub_group_reduce_max((char)-7);
}
";
/// A program that is built without `-cl-std` is OpenCL C 1.2.
const DEFAULT: &std::ffi::CStr = c"
#if __OPENCL_C_VERSION__ != 120 || __OPENCL_VERSION__ != 310 || defined(CL_VERSION_3_1)
#error version
#endif
kernel void k(global int *out) { out[0] = __OPENCL_C_VERSION__; }
";

pub(crate) fn requirements(_: &Path) {
    let (p, d) = (setup().platform(), setup().device());
    let string = |query| text(&info!(clGetDeviceInfo(d), query));
    let integer = |query| number(&info!(clGetDeviceInfo(d), query));
    assert!(string(CL_DEVICE_VERSION).starts_with("OpenCL 3.1 muxcl"));
    assert_eq!(integer(CL_DEVICE_NUMERIC_VERSION), make_version(3, 1, 0).into());
    assert!(
        text(&info!(clGetPlatformInfo(p), CL_PLATFORM_VERSION)).starts_with("OpenCL 3.1 muxcl")
    );
    let of_platform = number(&info!(clGetPlatformInfo(p), CL_PLATFORM_NUMERIC_VERSION));
    assert_eq!(of_platform, make_version(3, 1, 0).into());
    // Without -cl-std, programs are compiled for the highest version 1.x.
    assert!(string(CL_DEVICE_OPENCL_C_VERSION).starts_with("OpenCL C 1.2 "));
    // No version of the driver has been submitted to Khronos.
    assert_eq!(string(CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED), "v0000-01-01-00");

    let names = string(CL_DEVICE_EXTENSIONS);
    for wanted in EXTENSIONS {
        assert!(names.split(' ').any(|name| name == wanted), "{wanted}");
    }
    let languages = string(CL_DEVICE_IL_VERSION);
    for minor in 0..=4 {
        let wanted = format!("SPIR-V_1.{minor}");
        assert!(languages.split(' ').any(|name| name == wanted), "{wanted}");
    }
    assert!(integer(CL_DEVICE_MAX_NUM_SUB_GROUPS) >= 1);
    let features = info!(clGetDeviceInfo(d), CL_DEVICE_OPENCL_C_FEATURES);
    assert!(features.windows(20).any(|name| name == b"__opencl_c_subgroups"));
    let packed = CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED;
    assert_eq!(integer(CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES) & packed, packed);
    assert_eq!(info!(clGetDeviceInfo(d), CL_DEVICE_UUID).len(), CL_UUID_SIZE as usize);
    let sizes = info!(clGetDeviceInfo(d), CL_DEVICE_MAX_WORK_GROUP_SIZES);
    assert_eq!(sizes.len(), 3 * size_of::<usize>());

    let capabilities = info!(clGetDeviceInfo(d), CL_DEVICE_SPIRV_CAPABILITIES);
    for wanted in SPIRV_CAPABILITIES {
        let found = capabilities.chunks_exact(4).any(|c| c == wanted.to_ne_bytes());
        assert!(found, "capability {wanted}");
    }
    let pointers = info!(clGetDeviceInfo(d), CL_DEVICE_SPIRV_EXTENSIONS);
    let extensions: Vec<_> = pointers
        .chunks_exact(size_of::<usize>())
        .map(|bytes| {
            let at = usize::from_ne_bytes(bytes.try_into().unwrap());
            // SAFETY: the query answers with pointers to strings of the driver.
            unsafe { std::ffi::CStr::from_ptr(std::ptr::with_exposed_provenance(at)) }
        })
        .collect();
    for wanted in SPIRV_EXTENSIONS {
        assert!(extensions.iter().any(|name| name.to_bytes() == wanted), "{wanted:?}");
    }
    programs();
}

/// A program in OpenCL C 3.1, one without a version, and a local argument without memory.
fn programs() {
    let c = context();
    for (source, options) in [(SOURCE, c"-cl-std=CL3.1 -Werror"), (DEFAULT, c"")] {
        let mut text = source.as_ptr();
        let p = make!(clCreateProgramWithSource(c, 1, &raw mut text, null()));
        let code = cl!(clBuildProgram(p, 0, null(), options.as_ptr(), None, null_mut()));
        assert_eq!(code, CL_SUCCESS, "{}", log_of(p));
        if source == SOURCE {
            run(c, kernel(p, c"functions"));
        }
        code!(CL_SUCCESS, clReleaseProgram(p));
    }
    code!(CL_SUCCESS, clReleaseContext(c));
}

fn run(c: cl_context, k: cl_kernel) {
    let (q, out, one) = (queue(c), buffer(c, 16), 1_usize);
    code!(CL_SUCCESS, clSetKernelArg(k, 0, size_of::<cl_mem>(), (&raw const out).cast()));
    code!(CL_SUCCESS, clSetKernelArg(k, 1, 0, null()));
    let at = &raw const one;
    code!(CL_SUCCESS, clEnqueueNDRangeKernel(q, k, 1, null(), at, at, 0, null(), null_mut()));
    let mut values = [0_u32; 4];
    let to = values.as_mut_ptr().cast();
    code!(CL_SUCCESS, clEnqueueReadBuffer(q, out, CL_TRUE, 0, 16, to, 0, null(), null_mut()));
    assert_eq!(values, [0xffff_f00f, 0x8000_00bc, 70, 0xffff_fffd]);
    code!(CL_SUCCESS, clReleaseMemObject(out));
    code!(CL_SUCCESS, clReleaseKernel(k));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
}
