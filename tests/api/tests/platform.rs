//! Platforms, devices, ICD functions.

#![expect(
    clippy::multiple_unsafe_ops_per_block,
    reason = "some blocks contain several unsafe calls of one kind"
)]

use std::ffi::CStr;
use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_test_api::{bad_handles, cl, code, info, number, setup, text};

#[test]
fn platform_ids() {
    let get = muxcl_cl::api::clIcdGetPlatformIDsKHR;
    let mut platform = null_mut();
    let mut count = 9;
    // SAFETY: valid arguments, or NULL.
    unsafe {
        assert_eq!(get(0, null_mut(), &raw mut count), CL_SUCCESS);
        assert_eq!(count, 1);
        assert_eq!(get(1, &raw mut platform, null_mut()), CL_SUCCESS);
        assert_eq!(get(0, &raw mut platform, null_mut()), CL_INVALID_VALUE);
        assert_eq!(get(0, null_mut(), null_mut()), CL_INVALID_VALUE);
        assert_eq!(
            muxcl_cl::api::clGetPlatformIDs(1, &raw mut platform, &raw mut count),
            CL_SUCCESS
        );
    }
    assert_eq!(platform, setup().platform());
}

#[test]
fn platform_info() {
    let p = setup().platform();
    assert_eq!(text(&info!(clGetPlatformInfo(p), CL_PLATFORM_PROFILE)), "FULL_PROFILE");
    assert!(
        text(&info!(clGetPlatformInfo(p), CL_PLATFORM_VERSION)).starts_with("OpenCL 3.1 muxcl")
    );
    assert_eq!(text(&info!(clGetPlatformInfo(p), CL_PLATFORM_NAME)), "muxcl");
    assert!(!text(&info!(clGetPlatformInfo(p), CL_PLATFORM_VENDOR)).is_empty());
    assert!(text(&info!(clGetPlatformInfo(p), CL_PLATFORM_EXTENSIONS)).contains("cl_khr_icd"));
    assert_eq!(text(&info!(clGetPlatformInfo(p), CL_PLATFORM_ICD_SUFFIX_KHR)), "MUXCL");
    assert_eq!(
        number(&info!(clGetPlatformInfo(p), CL_PLATFORM_NUMERIC_VERSION)),
        u64::from(make_version(3, 1, 0))
    );
    assert_eq!(
        info!(clGetPlatformInfo(p), CL_PLATFORM_EXTENSIONS_WITH_VERSION).len()
            % size_of::<cl_name_version>(),
        0
    );
    assert!(number(&info!(clGetPlatformInfo(p), CL_PLATFORM_HOST_TIMER_RESOLUTION)) >= 1);
    code!(CL_INVALID_VALUE, clGetPlatformInfo(p, 0x1234, 0, null_mut(), null_mut()));
    for bad in bad_handles().into_iter().filter(|b: &cl_platform_id| !b.is_null()) {
        code!(
            CL_INVALID_PLATFORM,
            clGetPlatformInfo(bad, CL_PLATFORM_NAME, 0, null_mut(), null_mut())
        );
    }
}

#[test]
fn device_ids() {
    let p = setup().platform();
    let mut devices = [null_mut(); 2];
    let mut count = 9;
    code!(CL_SUCCESS, clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, 0, null_mut(), &raw mut count));
    assert_eq!(count, 5);
    code!(
        CL_SUCCESS,
        clGetDeviceIDs(p, CL_DEVICE_TYPE_DEFAULT, 2, devices.as_mut_ptr(), &raw mut count)
    );
    assert_eq!((count, devices[0], devices[1]), (1, setup().device(), null_mut()));
    code!(
        CL_SUCCESS,
        clGetDeviceIDs(p, CL_DEVICE_TYPE_ACCELERATOR, 1, devices.as_mut_ptr(), &raw mut count)
    );
    assert_eq!((count, devices[1]), (5, null_mut()));
    code!(
        CL_DEVICE_NOT_FOUND,
        clGetDeviceIDs(p, CL_DEVICE_TYPE_GPU, 0, null_mut(), &raw mut count)
    );
    assert_eq!(count, 0);
    code!(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(p, 0, 0, null_mut(), &raw mut count));
    code!(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(p, 1 << 20, 0, null_mut(), &raw mut count));
    code!(
        CL_INVALID_VALUE,
        clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, 0, devices.as_mut_ptr(), null_mut())
    );
    code!(CL_INVALID_VALUE, clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, 0, null_mut(), null_mut()));
    for bad in bad_handles().into_iter().filter(|b: &cl_platform_id| !b.is_null()) {
        code!(
            CL_INVALID_PLATFORM,
            clGetDeviceIDs(bad, CL_DEVICE_TYPE_ALL, 0, null_mut(), &raw mut count)
        );
    }
}

/// Every query of the specification's table, with the size of its answer (0: any, 1: a string).
const DEVICE_QUERIES: &[(cl_device_info, usize)] = &[
    (CL_DEVICE_TYPE, 8),
    (CL_DEVICE_VENDOR_ID, 4),
    (CL_DEVICE_MAX_COMPUTE_UNITS, 4),
    (CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 4),
    (CL_DEVICE_MAX_WORK_ITEM_SIZES, 24),
    (CL_DEVICE_MAX_WORK_GROUP_SIZE, 8),
    (CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, 4),
    (CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, 4),
    (CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, 4),
    (CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, 4),
    (CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, 4),
    (CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, 4),
    (CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, 4),
    (CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, 4),
    (CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, 4),
    (CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, 4),
    (CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, 4),
    (CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, 4),
    (CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, 4),
    (CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, 4),
    (CL_DEVICE_MAX_CLOCK_FREQUENCY, 4),
    (CL_DEVICE_ADDRESS_BITS, 4),
    (CL_DEVICE_MAX_MEM_ALLOC_SIZE, 8),
    (CL_DEVICE_IMAGE_SUPPORT, 4),
    (CL_DEVICE_MAX_READ_IMAGE_ARGS, 4),
    (CL_DEVICE_MAX_WRITE_IMAGE_ARGS, 4),
    (CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, 4),
    (CL_DEVICE_IL_VERSION, 1),
    (CL_DEVICE_ILS_WITH_VERSION, 0),
    (CL_DEVICE_IMAGE2D_MAX_WIDTH, 8),
    (CL_DEVICE_IMAGE2D_MAX_HEIGHT, 8),
    (CL_DEVICE_IMAGE3D_MAX_WIDTH, 8),
    (CL_DEVICE_IMAGE3D_MAX_HEIGHT, 8),
    (CL_DEVICE_IMAGE3D_MAX_DEPTH, 8),
    (CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, 8),
    (CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, 8),
    (CL_DEVICE_MAX_SAMPLERS, 4),
    (CL_DEVICE_IMAGE_PITCH_ALIGNMENT, 4),
    (CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, 4),
    (CL_DEVICE_MAX_PIPE_ARGS, 4),
    (CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, 4),
    (CL_DEVICE_PIPE_MAX_PACKET_SIZE, 4),
    (CL_DEVICE_MAX_PARAMETER_SIZE, 8),
    (CL_DEVICE_MEM_BASE_ADDR_ALIGN, 4),
    (CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, 4),
    (CL_DEVICE_SINGLE_FP_CONFIG, 8),
    (CL_DEVICE_DOUBLE_FP_CONFIG, 8),
    (CL_DEVICE_HALF_FP_CONFIG, 8),
    (CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, 4),
    (CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, 4),
    (CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, 8),
    (CL_DEVICE_GLOBAL_MEM_SIZE, 8),
    (CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, 8),
    (CL_DEVICE_MAX_CONSTANT_ARGS, 4),
    (CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, 8),
    (CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, 8),
    (CL_DEVICE_LOCAL_MEM_TYPE, 4),
    (CL_DEVICE_LOCAL_MEM_SIZE, 8),
    (CL_DEVICE_ERROR_CORRECTION_SUPPORT, 4),
    (CL_DEVICE_HOST_UNIFIED_MEMORY, 4),
    (CL_DEVICE_PROFILING_TIMER_RESOLUTION, 8),
    (CL_DEVICE_ENDIAN_LITTLE, 4),
    (CL_DEVICE_AVAILABLE, 4),
    (CL_DEVICE_COMPILER_AVAILABLE, 4),
    (CL_DEVICE_LINKER_AVAILABLE, 4),
    (CL_DEVICE_EXECUTION_CAPABILITIES, 8),
    (CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, 8),
    (CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, 8),
    (CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, 4),
    (CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, 4),
    (CL_DEVICE_MAX_ON_DEVICE_QUEUES, 4),
    (CL_DEVICE_MAX_ON_DEVICE_EVENTS, 4),
    (CL_DEVICE_BUILT_IN_KERNELS, 1),
    (CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION, 0),
    (CL_DEVICE_PLATFORM, 8),
    (CL_DEVICE_NAME, 1),
    (CL_DEVICE_VENDOR, 1),
    (CL_DRIVER_VERSION, 1),
    (CL_DEVICE_PROFILE, 1),
    (CL_DEVICE_VERSION, 1),
    (CL_DEVICE_NUMERIC_VERSION, 4),
    (CL_DEVICE_OPENCL_C_VERSION, 1),
    (CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR, 4),
    (CL_DEVICE_OPENCL_C_ALL_VERSIONS, 0),
    (CL_DEVICE_OPENCL_C_FEATURES, 0),
    (CL_DEVICE_EXTENSIONS, 1),
    (CL_DEVICE_EXTENSIONS_WITH_VERSION, 0),
    (CL_DEVICE_PRINTF_BUFFER_SIZE, 8),
    (CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, 4),
    (CL_DEVICE_PARENT_DEVICE, 8),
    (CL_DEVICE_PARTITION_MAX_SUB_DEVICES, 4),
    (CL_DEVICE_PARTITION_PROPERTIES, 0),
    (CL_DEVICE_PARTITION_AFFINITY_DOMAIN, 8),
    (CL_DEVICE_PARTITION_TYPE, 0),
    (CL_DEVICE_REFERENCE_COUNT, 4),
    (CL_DEVICE_SVM_CAPABILITIES, 8),
    (CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, 4),
    (CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, 4),
    (CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, 4),
    (CL_DEVICE_MAX_NUM_SUB_GROUPS, 4),
    (CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, 4),
    (CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, 8),
    (CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, 8),
    (CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, 4),
    (CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, 4),
    (CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, 4),
    (CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, 8),
    (CL_DEVICE_PIPE_SUPPORT, 4),
    (CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, 8),
    (CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED, 1),
    (CL_DEVICE_UUID, 16),
    (CL_DRIVER_UUID, 16),
    (CL_DEVICE_LUID_VALID, 4),
    (CL_DEVICE_LUID, 8),
    (CL_DEVICE_NODE_MASK, 4),
];

#[test]
fn device_info() {
    let d = setup().device();
    for &(query, size) in DEVICE_QUERIES {
        let answer = info!(clGetDeviceInfo(d), query);
        match size {
            0 => {}
            1 => assert_eq!(answer.last(), Some(&0), "{query:#x} is no string"),
            n => assert_eq!(answer.len(), n, "{query:#x}"),
        }
    }
    // The table is complete: it contains each name that the headers have in this range.
    let known = |q| DEVICE_QUERIES.iter().any(|&(x, _)| x == q);
    for query in 0x1000..=0x1073_u32 {
        let reserved = matches!(query, 0x102D | 0x1034);
        let answered = cl!(clGetDeviceInfo(d, query, 0, null_mut(), null_mut())) == CL_SUCCESS;
        assert!(answered == known(query) && (answered || reserved || query > 0x1072), "{query:#x}");
    }
    // The minimum of a full profile.
    let least = |query, bound: u64| {
        assert!(number(&info!(clGetDeviceInfo(d), query)) >= bound, "{query:#x}")
    };
    least(CL_DEVICE_MAX_PARAMETER_SIZE, 1024);
    least(CL_DEVICE_MEM_BASE_ADDR_ALIGN, 1024);
    least(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, 64 << 10);
    least(CL_DEVICE_MAX_CONSTANT_ARGS, 8);
    least(CL_DEVICE_LOCAL_MEM_SIZE, 32 << 10);
    least(CL_DEVICE_PRINTF_BUFFER_SIZE, 1 << 20);
    assert_eq!(
        number(&info!(clGetDeviceInfo(d), CL_DEVICE_PLATFORM)),
        setup().platform().addr() as u64
    );
    // A binary cache that is keyed by the driver version must not mix binary formats.
    let format = format!("+{}", muxcl_types::container::VERSION);
    assert!(
        text(&info!(clGetDeviceInfo(d), CL_DRIVER_VERSION))
            .trim_end_matches('\0')
            .ends_with(&format)
    );
    let versions = info!(clGetDeviceInfo(d), CL_DEVICE_OPENCL_C_ALL_VERSIONS);
    // All but 2.0: no device without a compiler can enqueue.
    assert_eq!(versions.len(), 5 * size_of::<cl_name_version>());
    let names = text(&info!(clGetDeviceInfo(d), CL_DEVICE_EXTENSIONS));
    assert!(names.split(' ').any(|n| n == "cl_khr_byte_addressable_store"));
    code!(CL_INVALID_VALUE, clGetDeviceInfo(d, 0x4FFF, 0, null_mut(), null_mut()));
    for bad in bad_handles::<_cl_device_id>() {
        code!(CL_INVALID_DEVICE, clGetDeviceInfo(bad, CL_DEVICE_NAME, 0, null_mut(), null_mut()));
    }
    // A platform handle is not a device.
    code!(
        CL_INVALID_DEVICE,
        clGetDeviceInfo(setup().platform().cast(), CL_DEVICE_NAME, 0, null_mut(), null_mut())
    );
}

#[test]
fn root_devices_are_not_counted() {
    let d = setup().device();
    code!(CL_SUCCESS, clRetainDevice(d));
    assert_eq!(number(&info!(clGetDeviceInfo(d), CL_DEVICE_REFERENCE_COUNT)), 1);
    code!(CL_SUCCESS, clReleaseDevice(d));
    code!(CL_SUCCESS, clReleaseDevice(d));
    assert_eq!(number(&info!(clGetDeviceInfo(d), CL_DEVICE_REFERENCE_COUNT)), 1);
    code!(CL_INVALID_DEVICE, clRetainDevice(null_mut()));
    code!(CL_INVALID_DEVICE, clReleaseDevice(null_mut()));
}

#[test]
fn timers() {
    let d = setup().device();
    let (mut device, mut host) = (0, 0);
    code!(CL_SUCCESS, clGetDeviceAndHostTimer(d, &raw mut device, &raw mut host));
    assert!(host > 0);
    let mut later = 0;
    code!(CL_SUCCESS, clGetHostTimer(d, &raw mut later));
    assert!(later >= host);
    code!(CL_INVALID_VALUE, clGetHostTimer(d, null_mut()));
    code!(CL_INVALID_VALUE, clGetDeviceAndHostTimer(d, null_mut(), &raw mut host));
    code!(CL_INVALID_VALUE, clGetDeviceAndHostTimer(d, &raw mut device, null_mut()));
    code!(CL_INVALID_DEVICE, clGetHostTimer(null_mut(), &raw mut later));
    code!(CL_INVALID_DEVICE, clGetDeviceAndHostTimer(null_mut(), &raw mut device, &raw mut host));
}

#[test]
fn functions_by_name() {
    let p = setup().platform();
    let address = |name: &CStr| cl!(clGetExtensionFunctionAddress(name.as_ptr()));
    assert!(!address(c"clIcdGetPlatformIDsKHR").is_null());
    assert!(!address(c"clIcdGetFunctionAddressForPlatformKHR").is_null());
    assert!(!address(c"clCreateCommandQueueWithPropertiesKHR").is_null());
    assert!(address(c"clNoSuchFunctionKHR").is_null());
    assert!(address(c"").is_null());
    assert!(cl!(clGetExtensionFunctionAddress(null())).is_null());
    let of = |p, name: &CStr| cl!(clGetExtensionFunctionAddressForPlatform(p, name.as_ptr()));
    // This is a core function: libraries export it, and the look-up of extensions lacks it.
    assert!(of(p, c"clGetKernelSuggestedLocalWorkSize").is_null());
    assert!(!of(p, c"clGetKernelSuggestedLocalWorkSizeKHR").is_null());
    assert!(of(null_mut(), c"clGetKernelSuggestedLocalWorkSizeKHR").is_null());
    assert!(cl!(clGetExtensionFunctionAddressForPlatform(p, null())).is_null());
    let icd = muxcl_cl::api::clIcdGetFunctionAddressForPlatformKHR;
    // SAFETY: valid arguments, or NULL.
    unsafe {
        assert!(!icd(p, c"clFinish".as_ptr()).is_null());
        assert!(!icd(p, c"clGetKernelSuggestedLocalWorkSize".as_ptr()).is_null());
        assert!(icd(p, c"clCreateFromGLBuffer".as_ptr()).is_null());
        assert!(icd(p, null()).is_null());
        assert!(icd(null_mut(), c"clFinish".as_ptr()).is_null());
        assert_eq!(
            muxcl_cl::api::clIcdSetPlatformDispatchDataKHR(null_mut(), null_mut()),
            CL_INVALID_PLATFORM
        );
    }
}

#[test]
fn the_loaders_words_in_a_handle() {
    let table = muxcl_test_api::dispatch();
    // SAFETY: the slot holds the tag.
    unsafe {
        assert_eq!(table.clGetPlatformIDs.tag, CL_ICD2_TAG_KHR);
        assert_eq!(table.clUnloadCompiler.tag, CL_ICD2_TAG_KHR);
    }
    let mut data = 5_u64;
    let p = setup().platform();
    // SAFETY: the data may be any address.
    let code = unsafe { muxcl_cl::api::clIcdSetPlatformDispatchDataKHR(p, (&raw mut data).cast()) };
    assert_eq!(code, CL_SUCCESS);
    let context = muxcl_test_api::context();
    for handle in [p.cast::<*mut u64>(), setup().device().cast(), context.cast()] {
        // SAFETY: a handle begins with two words.
        assert_eq!(unsafe { *handle.add(1) }, &raw mut data);
    }
    // SAFETY: as above.
    let code = unsafe { muxcl_cl::api::clIcdSetPlatformDispatchDataKHR(p, null_mut()) };
    assert_eq!(code, CL_SUCCESS);
    code!(CL_SUCCESS, clReleaseContext(context));
}

#[test]
fn unloading_the_compiler_is_a_hint() {
    code!(CL_SUCCESS, clUnloadPlatformCompiler(setup().platform()));
    code!(CL_INVALID_PLATFORM, clUnloadPlatformCompiler(null_mut()));
    // SAFETY: no arguments.
    assert_eq!(unsafe { muxcl_cl::api::clUnloadCompiler() }, CL_SUCCESS);
}
