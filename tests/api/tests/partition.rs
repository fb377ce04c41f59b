//! Sub-devices of a device with four compute units, two of which share a cache, and of a device
//! that cannot be partitioned.

use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_test_api::{
    bad_handles, binary_of, code, context_of, fails, info, kernel, kernels, make, number,
    program_from, setup,
};
use muxcl_types::container::BinaryKind;

const EQUALLY: cl_device_partition_property = CL_DEVICE_PARTITION_EQUALLY;
const COUNTS: cl_device_partition_property = CL_DEVICE_PARTITION_BY_COUNTS;
const AFFINITY: cl_device_partition_property = CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN;
const L2: cl_device_partition_property = 1 << 3;
const L1: cl_device_partition_property = 1 << 4;
const NEXT: cl_device_partition_property = 1 << 5;

fn make_parts(
    device: cl_device_id,
    properties: &[cl_device_partition_property],
) -> Vec<cl_device_id> {
    let mut count = 0;
    code!(
        CL_SUCCESS,
        clCreateSubDevices(device, properties.as_ptr(), 0, null_mut(), &raw mut count)
    );
    let mut list = vec![null_mut(); count as usize];
    code!(
        CL_SUCCESS,
        clCreateSubDevices(device, properties.as_ptr(), count, list.as_mut_ptr(), null_mut())
    );
    list
}

fn units(device: cl_device_id) -> u64 {
    number(&info!(clGetDeviceInfo(device), CL_DEVICE_MAX_COMPUTE_UNITS))
}

fn numbers(bytes: &[u8]) -> Vec<isize> {
    bytes.as_chunks().0.iter().map(|b| isize::from_ne_bytes(*b)).collect()
}

fn release(list: &[cl_device_id]) {
    for &device in list {
        code!(CL_SUCCESS, clReleaseDevice(device));
    }
}

#[test]
fn what_devices_say() {
    let (d, other) = (setup().device(), setup().other_device());
    assert_eq!(
        numbers(&info!(clGetDeviceInfo(d), CL_DEVICE_PARTITION_PROPERTIES)),
        [EQUALLY, COUNTS, AFFINITY]
    );
    assert_eq!(number(&info!(clGetDeviceInfo(d), CL_DEVICE_PARTITION_MAX_SUB_DEVICES)), 4);
    let values = [
        CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE,
        CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE,
        CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE,
    ];
    assert_eq!(values, [L2, L1, NEXT].map(|v| u64::try_from(v).unwrap()));
    let domains = number(&info!(clGetDeviceInfo(d), CL_DEVICE_PARTITION_AFFINITY_DOMAIN));
    assert_eq!(isize::try_from(domains).unwrap(), L1 | L2 | NEXT);
    assert_eq!(numbers(&info!(clGetDeviceInfo(other), CL_DEVICE_PARTITION_PROPERTIES)), [0]);
    assert_eq!(number(&info!(clGetDeviceInfo(other), CL_DEVICE_PARTITION_MAX_SUB_DEVICES)), 0);
    assert_eq!(number(&info!(clGetDeviceInfo(other), CL_DEVICE_PARTITION_AFFINITY_DOMAIN)), 0);
    for root in [d, other] {
        assert!(info!(clGetDeviceInfo(root), CL_DEVICE_PARTITION_TYPE).is_empty());
        assert_eq!(number(&info!(clGetDeviceInfo(root), CL_DEVICE_PARENT_DEVICE)), 0);
    }
}

#[test]
fn ways_to_divide() {
    let d = setup().device();
    let cases: [(&[isize], &[u64], &[isize]); 8] = [
        (&[EQUALLY, 1, 0], &[1, 1, 1, 1], &[EQUALLY, 1, 0]),
        (&[EQUALLY, 2, 0], &[2, 2], &[EQUALLY, 2, 0]),
        (&[EQUALLY, 3, 0], &[3], &[EQUALLY, 3, 0]),
        (&[COUNTS, 1, 3, 0, 0], &[1, 3], &[COUNTS, 1, 3, 0, 0]),
        (&[COUNTS, 2, 0, 0], &[2], &[COUNTS, 2, 0, 0]),
        (&[AFFINITY, L2, 0], &[2, 2], &[AFFINITY, L2, 0]),
        (&[AFFINITY, L1, 0], &[1, 1, 1, 1], &[AFFINITY, L1, 0]),
        (&[AFFINITY, NEXT, 0], &[2, 2], &[AFFINITY, L2, 0]),
    ];
    for (properties, sizes, shown) in cases {
        let parts = make_parts(d, properties);
        assert_eq!(parts.iter().map(|&p| units(p)).collect::<Vec<_>>(), sizes, "{properties:?}");
        for &part in &parts {
            assert_eq!(numbers(&info!(clGetDeviceInfo(part), CL_DEVICE_PARTITION_TYPE)), shown);
            assert_eq!(
                number(&info!(clGetDeviceInfo(part), CL_DEVICE_PARENT_DEVICE)),
                d.addr() as u64
            );
            let kind = |device| number(&info!(clGetDeviceInfo(device), CL_DEVICE_TYPE));
            assert_eq!(kind(part), kind(d));
        }
        release(&parts);
    }
    // A sub-device of a sub-device. A device with one unit or one cache cannot be partitioned.
    let halves = make_parts(d, &[EQUALLY, 2, 0]);
    let quarters = make_parts(halves[0], &[AFFINITY, NEXT, 0]);
    assert_eq!(
        numbers(&info!(clGetDeviceInfo(quarters[0]), CL_DEVICE_PARTITION_TYPE)),
        [AFFINITY, L1, 0]
    );
    assert_eq!(
        number(&info!(clGetDeviceInfo(quarters[1]), CL_DEVICE_PARENT_DEVICE)),
        halves[0].addr() as u64
    );
    assert_eq!(numbers(&info!(clGetDeviceInfo(quarters[0]), CL_DEVICE_PARTITION_PROPERTIES)), [0]);
    for (device, properties) in [
        (quarters[0], [EQUALLY, 1, 0, 0]),
        (quarters[0], [COUNTS, 1, 0, 0]),
        (quarters[0], [AFFINITY, NEXT, 0, 0]),
        (halves[0], [AFFINITY, L2, 0, 0]),
        (halves[0], [EQUALLY, 2, 0, 0]),
        (d, [EQUALLY, 4, 0, 0]),
    ] {
        let p = properties.as_ptr();
        code!(CL_DEVICE_PARTITION_FAILED, clCreateSubDevices(device, p, 0, null_mut(), null_mut()));
    }
    // The parents stay valid after their last release as long as their sub-devices exist.
    release(&halves);
    assert_eq!(units(halves[0]), 2);
    release(&quarters);
    code!(CL_INVALID_DEVICE, clGetDeviceInfo(halves[0], CL_DEVICE_TYPE, 0, null_mut(), null_mut()));
}

#[test]
fn errors() {
    let d = setup().device();
    let mut list = [null_mut(); 4];
    let out = list.as_mut_ptr();
    for properties in [
        [0, 0, 0, 0],
        [0x1234, 1, 0, 0],
        [EQUALLY, 0, 0, 0],
        [EQUALLY, -1, 0, 0],
        [EQUALLY, 1, EQUALLY, 1],
        [COUNTS, 0, 0, 0],
        [AFFINITY, 0, 0, 0],
        [AFFINITY, L1 | L2, 0, 0],
        [AFFINITY, 1 << 20, 0, 0],
        [AFFINITY, L2, 7, 0],
    ] {
        code!(CL_INVALID_VALUE, clCreateSubDevices(d, properties.as_ptr(), 4, out, null_mut()));
    }
    for properties in
        [[EQUALLY, 5, 0, 0, 0], [COUNTS, 5, 0, 0, 0], [COUNTS, -1, 0, 0, 0], [COUNTS, 3, 2, 0, 0]]
    {
        let p = properties.as_ptr();
        code!(CL_INVALID_DEVICE_PARTITION_COUNT, clCreateSubDevices(d, p, 4, out, null_mut()));
    }
    let many = [COUNTS, 1, 1, 1, 1, 1, 0, 0];
    code!(
        CL_INVALID_DEVICE_PARTITION_COUNT,
        clCreateSubDevices(d, many.as_ptr(), 4, out, null_mut())
    );
    let equally = [EQUALLY, 1, 0];
    let p = equally.as_ptr();
    code!(CL_INVALID_VALUE, clCreateSubDevices(d, null(), 4, out, null_mut()));
    code!(CL_INVALID_VALUE, clCreateSubDevices(d, p, 3, out, null_mut()));
    code!(CL_INVALID_VALUE, clCreateSubDevices(d, p, 0, out, null_mut()));
    code!(CL_INVALID_VALUE, clCreateSubDevices(setup().other_device(), p, 4, out, null_mut()));
    assert!(list.iter().all(|p| p.is_null()), "nothing is made");
    for bad in bad_handles::<_cl_device_id>() {
        code!(CL_INVALID_DEVICE, clCreateSubDevices(bad, p, 4, list.as_mut_ptr(), null_mut()));
        code!(CL_INVALID_DEVICE, clRetainDevice(bad));
        code!(CL_INVALID_DEVICE, clReleaseDevice(bad));
    }
}

#[test]
fn references() {
    let parts = make_parts(setup().device(), &[EQUALLY, 2, 0]);
    let d = parts[0];
    let count = || number(&info!(clGetDeviceInfo(d), CL_DEVICE_REFERENCE_COUNT));
    assert_eq!(count(), 1);
    code!(CL_SUCCESS, clRetainDevice(d));
    assert_eq!(count(), 2);
    code!(CL_SUCCESS, clReleaseDevice(d));
    let c = context_of(&[d]);
    release(&parts);
    assert_eq!(count(), 0, "the context keeps it");
    code!(CL_SUCCESS, clReleaseContext(c));
    code!(CL_INVALID_DEVICE, clReleaseDevice(d));
    code!(CL_INVALID_DEVICE, clRetainDevice(d));
}

/// Commands on sub-devices and on the root device in one context, with a program for the root
/// device only.
#[test]
fn contexts_and_programs() {
    let d = setup().device();
    let parts = make_parts(d, &[EQUALLY, 2, 0]);
    let c = context_of(&[parts[0], parts[1], d]);
    assert_eq!(number(&info!(clGetContextInfo(c), CL_CONTEXT_NUM_DEVICES)), 3);
    let program = program_from(c, &[d], &binary_of(kernels(), BinaryKind::Executable));
    code!(CL_SUCCESS, clBuildProgram(program, 0, null(), null(), None, null_mut()));
    assert_eq!(number(&info!(clGetProgramInfo(program), CL_PROGRAM_NUM_DEVICES)), 1);
    let all = program_from(c, &[parts[0], d], &binary_of(kernels(), BinaryKind::Executable));
    let status = |device| {
        let bytes = info!(clGetProgramBuildInfo(all, device), CL_PROGRAM_BUILD_STATUS);
        i32::from_ne_bytes(*bytes.first_chunk().unwrap())
    };
    assert_eq!((status(parts[0]), status(d)), (CL_BUILD_NONE, CL_BUILD_NONE));
    code!(CL_SUCCESS, clBuildProgram(all, 1, &raw const d, null(), None, null_mut()));
    assert_eq!(
        (status(parts[0]), status(d)),
        (CL_BUILD_SUCCESS, CL_BUILD_SUCCESS),
        "the part runs the whole's"
    );
    code!(CL_SUCCESS, clReleaseProgram(all));
    let k = kernel(program, c"empty");
    let one = 1_usize;
    for device in [parts[0], parts[1], d] {
        assert_eq!(
            number(&info!(clGetKernelWorkGroupInfo(k, device), CL_KERNEL_WORK_GROUP_SIZE)),
            1024
        );
        let q = make!(clCreateCommandQueueWithProperties(c, device, null()));
        assert_eq!(number(&info!(clGetCommandQueueInfo(q), CL_QUEUE_DEVICE)), device.addr() as u64);
        code!(
            CL_SUCCESS,
            clEnqueueNDRangeKernel(q, k, 1, null(), &raw const one, null(), 0, null(), null_mut())
        );
        code!(CL_SUCCESS, clFinish(q));
        code!(CL_SUCCESS, clReleaseCommandQueue(q));
    }
    code!(CL_SUCCESS, clReleaseKernel(k));
    code!(CL_SUCCESS, clReleaseProgram(program));
    // A sub-device that is not in the context.
    let others = make_parts(d, &[EQUALLY, 2, 0]);
    fails!(CL_INVALID_DEVICE, clCreateCommandQueueWithProperties(c, others[0], null()));
    release(&others);
    release(&parts);
    code!(CL_SUCCESS, clReleaseContext(c));
}
