//! Extensions without a chapter of their own: queue hints, device identities, buffer addresses.

use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_test_api::{
    anything, bad_handles, binary_of, buffer, cl, code, context, context_of, fails, info, kernel,
    kernels, make, number, program_from, setup, text,
};
use muxcl_types::container::BinaryKind;

fn at<T>(value: &T) -> *const c_void {
    std::ptr::from_ref(value).cast()
}

fn has(device: cl_device_id, extension: &str) -> bool {
    text(&info!(clGetDeviceInfo(device), CL_DEVICE_EXTENSIONS)).split(' ').any(|e| e == extension)
}

#[test]
fn queue_hints() {
    let c = context();
    let d = setup().device();
    assert!(has(d, "cl_khr_priority_hints") && has(d, "cl_khr_throttle_hints"));
    for name in [CL_QUEUE_PRIORITY_KHR, CL_QUEUE_THROTTLE_KHR] {
        for level in [1, 2, 4] {
            let list = [name, level, 0];
            let q = make!(clCreateCommandQueueWithProperties(c, d, list.as_ptr()));
            let array = info!(clGetCommandQueueInfo(q), CL_QUEUE_PROPERTIES_ARRAY);
            assert_eq!(array, list.iter().flat_map(|v| v.to_ne_bytes()).collect::<Vec<_>>());
            assert_eq!(number(&info!(clGetCommandQueueInfo(q), CL_QUEUE_PROPERTIES)), 0);
            code!(CL_SUCCESS, clReleaseCommandQueue(q));
        }
        for list in
            [[name, 0, 0, 0, 0], [name, 3, 0, 0, 0], [name, 8, 0, 0, 0], [name, 1, name, 1, 0]]
        {
            fails!(CL_INVALID_VALUE, clCreateCommandQueueWithProperties(c, d, list.as_ptr()));
        }
    }
    let both = [CL_QUEUE_PRIORITY_KHR, 1, CL_QUEUE_THROTTLE_KHR, 4, 0];
    let q = make!(clCreateCommandQueueWithProperties(c, d, both.as_ptr()));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn identities() {
    let (d, other) = (setup().device(), setup().other_device());
    let of = |device| info!(clGetDeviceInfo(device), CL_DEVICE_UUID_KHR);
    assert!(has(d, "cl_khr_device_uuid"));
    assert_eq!(of(d).len(), 16);
    assert_eq!(of(d), of(d));
    assert_ne!(of(d), of(other), "two devices of one kind");
    let driver = info!(clGetDeviceInfo(d), CL_DRIVER_UUID_KHR);
    assert_eq!(driver, info!(clGetDeviceInfo(other), CL_DRIVER_UUID_KHR));
    assert_eq!(driver.len(), 16);
    assert_ne!(driver, of(d));
    assert_eq!(number(&info!(clGetDeviceInfo(d), CL_DEVICE_LUID_VALID_KHR)), 0);
    assert_eq!(info!(clGetDeviceInfo(d), CL_DEVICE_LUID_KHR).len(), 8);
    assert_eq!(number(&info!(clGetDeviceInfo(d), CL_DEVICE_NODE_MASK_KHR)), 0);
}

#[test]
fn device_addresses() {
    let (d, other) = (setup().device(), setup().other_device());
    assert!(has(d, "cl_ext_buffer_device_address") && !has(other, "cl_ext_buffer_device_address"));
    let c = context_of(&[d, other]);
    let wanted = [CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, 1, 0];
    let mem =
        make!(clCreateBufferWithProperties(c, wanted.as_ptr(), CL_MEM_READ_WRITE, 256, null_mut()));
    let addresses = info!(clGetMemObjectInfo(mem), CL_MEM_DEVICE_ADDRESS_EXT);
    assert_eq!(addresses.len(), 16, "one for each device");
    let address = number(&addresses[..8]);
    assert!(address != 0 && number(&addresses[8..]) == 0);
    // Without the property, and with the property set to false.
    let plain = buffer(c, 64);
    let not = [CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, 0, 0];
    let without =
        make!(clCreateBufferWithProperties(c, not.as_ptr(), CL_MEM_READ_WRITE, 64, null_mut()));
    for m in [plain, without] {
        code!(
            CL_INVALID_OPERATION,
            clGetMemObjectInfo(m, CL_MEM_DEVICE_ADDRESS_EXT, 0, null_mut(), null_mut())
        );
        code!(CL_SUCCESS, clReleaseMemObject(m));
    }
    let rw = CL_MEM_READ_WRITE;
    let twice = [CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, 1, CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, 1, 0];
    fails!(
        CL_INVALID_PROPERTY,
        clCreateBufferWithProperties(c, twice.as_ptr(), rw, 16, null_mut())
    );
    let odd = [CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, 2, 0];
    fails!(CL_INVALID_PROPERTY, clCreateBufferWithProperties(c, odd.as_ptr(), rw, 16, null_mut()));
    let none = context_of(&[other]);
    fails!(
        CL_INVALID_OPERATION,
        clCreateBufferWithProperties(none, wanted.as_ptr(), rw, 16, null_mut())
    );

    let name: &CStr = c"clSetKernelArgDevicePointerEXT";
    let found = cl!(clGetExtensionFunctionAddressForPlatform(setup().platform(), name.as_ptr()));
    assert!(!found.is_null());
    // SAFETY: the function of this name has this type.
    let set =
        unsafe { std::mem::transmute::<*mut c_void, clSetKernelArgDevicePointerEXT_fn>(found) };
    // SAFETY: the arguments are valid, or the driver must refuse them.
    let set = |k, index, value| unsafe { set(k, index, value) };
    let binary = binary_of(kernels(), BinaryKind::Executable);
    let program = program_from(c, &[d, other], &binary);
    code!(CL_SUCCESS, clBuildProgram(program, 0, null(), null(), None, null_mut()));
    let k = kernel(program, c"two");
    assert_eq!(set(k, 0, address), CL_SUCCESS);
    assert_eq!(set(k, 0, address + 16), CL_SUCCESS);
    assert_eq!(set(k, 1, address), CL_INVALID_ARG_INDEX, "no pointer");
    assert_eq!(set(k, 2, address), CL_INVALID_ARG_INDEX);
    for bad in bad_handles::<_cl_kernel>() {
        assert_eq!(set(bad, 0, address), CL_INVALID_KERNEL);
    }
    code!(CL_SUCCESS, clSetKernelArg(k, 1, 16, at(&[0_u64; 2])));
    code!(CL_SUCCESS, clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, 8, at(&address)));
    code!(
        CL_INVALID_VALUE,
        clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, 7, anything())
    );
    let one = 1_usize;
    for (device, expected) in [(d, CL_SUCCESS), (other, CL_INVALID_OPERATION)] {
        let q = make!(clCreateCommandQueueWithProperties(c, device, null()));
        let run = cl!(clEnqueueNDRangeKernel(
            q,
            k,
            1,
            null(),
            &raw const one,
            null(),
            0,
            null(),
            null_mut()
        ));
        assert_eq!(run, expected);
        code!(CL_SUCCESS, clFinish(q));
        code!(CL_SUCCESS, clReleaseCommandQueue(q));
    }
    let alone = program_from(none, &[other], &binary);
    code!(CL_SUCCESS, clBuildProgram(alone, 0, null(), null(), None, null_mut()));
    let lone = kernel(alone, c"two");
    assert_eq!(set(lone, 0, address), CL_INVALID_OPERATION);
    for k in [k, lone] {
        code!(CL_SUCCESS, clReleaseKernel(k));
    }
    for p in [program, alone] {
        code!(CL_SUCCESS, clReleaseProgram(p));
    }
    code!(CL_SUCCESS, clReleaseMemObject(mem));
    code!(CL_SUCCESS, clReleaseContext(none));
    code!(CL_SUCCESS, clReleaseContext(c));
}
