//! Device-side queues: creation, the default queue, queries, use as arguments. Host commands with
//! them fail.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_test_api::{
    argument, bad_handles, binary_of, buffer, cl, code, context, context_of, fails, info, kernel,
    make, number, program_from, setup,
};
use muxcl_types::container::BinaryKind;
use muxcl_types::program::{ArgKind, KernelInfo};

const PROPERTIES: u64 = CL_QUEUE_PROPERTIES as u64;
const SIZE: u64 = CL_QUEUE_SIZE as u64;
const ON_DEVICE: u64 = CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

fn made(c: cl_context, list: &[u64]) -> cl_command_queue {
    make!(clCreateCommandQueueWithProperties(c, setup().device(), list.as_ptr()))
}

fn device_number(name: cl_device_info) -> u64 {
    number(&info!(clGetDeviceInfo(setup().device()), name))
}

#[test]
fn what_devices_say() {
    let of_both = |name| {
        [setup().device(), setup().other_device()].map(|d| number(&info!(clGetDeviceInfo(d), name)))
    };
    let supported = CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT;
    assert_eq!(of_both(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES), [supported, 0]);
    let all = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
    assert_eq!(of_both(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES), [all, 0]);
    for (name, least) in [
        (CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, 16 << 10),
        (CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, 256 << 10),
        (CL_DEVICE_MAX_ON_DEVICE_QUEUES, 1),
        (CL_DEVICE_MAX_ON_DEVICE_EVENTS, 1024),
    ] {
        let [with, without] = of_both(name);
        assert!(with >= least && without == 0, "{name:#x}: {with} {without}");
    }
}

#[test]
fn create() {
    let c = context_of(&[setup().device(), setup().other_device()]);
    let d = setup().device();
    let most = device_number(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE);
    let priority = CL_QUEUE_PRIORITY_KHR;
    for (list, device) in [
        ([PROPERTIES, ON_DEVICE, 0, 0, 0, 0, 0], setup().other_device()),
        ([PROPERTIES, ON_DEVICE, SIZE, most + 1, 0, 0, 0], d),
        ([PROPERTIES, ON_DEVICE, SIZE, u64::MAX, 0, 0, 0], d),
        ([SIZE, 64, PROPERTIES, ON_DEVICE, priority, 1, 0], d),
    ] {
        fails!(
            CL_INVALID_QUEUE_PROPERTIES,
            clCreateCommandQueueWithProperties(c, device, list.as_ptr())
        );
    }
    let list = [SIZE, 4096, PROPERTIES, ON_DEVICE | CL_QUEUE_PROFILING_ENABLE, 0];
    let q = made(c, &list);
    assert_eq!(number(&info!(clGetCommandQueueInfo(q), CL_QUEUE_CONTEXT)), c.addr() as u64);
    assert_eq!(number(&info!(clGetCommandQueueInfo(q), CL_QUEUE_DEVICE)), d.addr() as u64);
    assert_eq!(number(&info!(clGetCommandQueueInfo(q), CL_QUEUE_REFERENCE_COUNT)), 1);
    assert_eq!(number(&info!(clGetCommandQueueInfo(q), CL_QUEUE_PROPERTIES)), list[3]);
    assert_eq!(number(&info!(clGetCommandQueueInfo(q), CL_QUEUE_SIZE)), 4096);
    assert_eq!(number(&info!(clGetCommandQueueInfo(q), CL_QUEUE_DEVICE_DEFAULT)), 0);
    let array = info!(clGetCommandQueueInfo(q), CL_QUEUE_PROPERTIES_ARRAY);
    assert_eq!(array, list.iter().flat_map(|v| v.to_ne_bytes()).collect::<Vec<_>>());
    code!(CL_INVALID_VALUE, clGetCommandQueueInfo(q, 0x10, 0, null_mut(), null_mut()));
    code!(CL_SUCCESS, clRetainCommandQueue(q));
    assert_eq!(number(&info!(clGetCommandQueueInfo(q), CL_QUEUE_REFERENCE_COUNT)), 2);
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_INVALID_COMMAND_QUEUE, clReleaseCommandQueue(q));
    let plain = made(c, &[PROPERTIES, ON_DEVICE, 0]);
    let preferred = device_number(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE);
    assert_eq!(number(&info!(clGetCommandQueueInfo(plain), CL_QUEUE_SIZE)), preferred);
    code!(CL_SUCCESS, clReleaseCommandQueue(plain));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn a_device_has_so_many() {
    let c = context();
    let list = [PROPERTIES, ON_DEVICE, 0];
    let most = device_number(CL_DEVICE_MAX_ON_DEVICE_QUEUES);
    // As many beside the default queue.
    let default = made(c, &[PROPERTIES, ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT, 0]);
    let queues: Vec<_> = (0..most).map(|_| made(c, &list)).collect();
    fails!(
        CL_OUT_OF_RESOURCES,
        clCreateCommandQueueWithProperties(c, setup().device(), list.as_ptr())
    );
    fails!(
        CL_OUT_OF_RESOURCES,
        clCreateCommandQueueWithPropertiesKHR(c, setup().device(), list.as_ptr())
    );
    code!(CL_SUCCESS, clReleaseCommandQueue(queues[0]));
    let again = made(c, &list);
    let other = context();
    let theirs = made(other, &list);
    for q in queues.into_iter().skip(1).chain([again, theirs, default]) {
        code!(CL_SUCCESS, clReleaseCommandQueue(q));
    }
    code!(CL_SUCCESS, clReleaseContext(c));
    code!(CL_SUCCESS, clReleaseContext(other));
}

#[test]
fn the_default_queue() {
    let c = context_of(&[setup().device(), setup().other_device()]);
    let d = setup().device();
    let host = make!(clCreateCommandQueueWithProperties(c, d, null()));
    let default_of =
        |q: cl_command_queue| number(&info!(clGetCommandQueueInfo(q), CL_QUEUE_DEVICE_DEFAULT));
    let as_default = [PROPERTIES, ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT, 0];
    let first = made(c, &as_default);
    assert_eq!(default_of(host), first.addr() as u64);
    // The same queue again, with one more reference.
    assert_eq!(made(c, &as_default), first);
    assert_eq!(number(&info!(clGetCommandQueueInfo(first), CL_QUEUE_REFERENCE_COUNT)), 2);
    let second = made(c, &[PROPERTIES, ON_DEVICE, 0]);
    assert_eq!(default_of(second), first.addr() as u64);

    for bad in bad_handles::<_cl_context>() {
        code!(CL_INVALID_CONTEXT, clSetDefaultDeviceCommandQueue(bad, d, second));
    }
    for bad in bad_handles::<_cl_device_id>() {
        code!(CL_INVALID_DEVICE, clSetDefaultDeviceCommandQueue(c, bad, second));
    }
    let (alone, elsewhere) = (context_of(&[setup().other_device()]), context());
    code!(CL_INVALID_DEVICE, clSetDefaultDeviceCommandQueue(alone, d, second));
    code!(CL_INVALID_OPERATION, clSetDefaultDeviceCommandQueue(c, setup().other_device(), second));
    let theirs = made(elsewhere, &[PROPERTIES, ON_DEVICE, 0]);
    for bad in bad_handles::<_cl_command_queue>().into_iter().chain([host, theirs]) {
        code!(CL_INVALID_COMMAND_QUEUE, clSetDefaultDeviceCommandQueue(c, d, bad));
    }
    assert_eq!(default_of(host), first.addr() as u64);
    code!(CL_SUCCESS, clSetDefaultDeviceCommandQueue(c, d, second));
    assert_eq!([default_of(host), default_of(first)], [second.addr() as u64; 2]);
    assert_eq!(made(c, &as_default), second);
    // The application owns it: after its release, no default queue exists.
    for q in [second, second] {
        code!(CL_SUCCESS, clReleaseCommandQueue(q));
    }
    assert_eq!(default_of(host), 0);
    for q in [first, first, host, theirs] {
        code!(CL_SUCCESS, clReleaseCommandQueue(q));
    }
    for c in [c, alone, elsewhere] {
        code!(CL_SUCCESS, clReleaseContext(c));
    }
}

#[test]
fn the_host_enqueues_nothing_there() {
    let c = context();
    let q = made(c, &[PROPERTIES, ON_DEVICE, 0]);
    let m = buffer(c, 16);
    let mut host = [0_u8; 16];
    let p = host.as_mut_ptr().cast::<c_void>();
    code!(CL_INVALID_COMMAND_QUEUE, clEnqueueReadBuffer(q, m, 1, 0, 4, p, 0, null(), null_mut()));
    code!(CL_INVALID_COMMAND_QUEUE, clEnqueueMarkerWithWaitList(q, 0, null(), null_mut()));
    code!(CL_INVALID_COMMAND_QUEUE, clFlush(q));
    code!(CL_INVALID_COMMAND_QUEUE, clFinish(q));
    code!(CL_INVALID_OPERATION, clSetCommandQueueProperty(q, 0, 1, null_mut()));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseMemObject(m));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn as_arguments() {
    let c = context();
    let args = vec![argument(ArgKind::Opaque, 8, "queue")];
    let info = KernelInfo { name: "k".into(), args, enqueues: true, ..KernelInfo::default() };
    let p = program_from(c, &[setup().device()], &binary_of(vec![info], BinaryKind::Executable));
    code!(CL_SUCCESS, clBuildProgram(p, 0, null(), null(), None, null_mut()));
    let k = kernel(p, c"k");
    let q = made(c, &[PROPERTIES, ON_DEVICE, 0]);
    let host = make!(clCreateCommandQueueWithProperties(c, setup().device(), null()));
    let other = context();
    let theirs = made(other, &[PROPERTIES, ON_DEVICE, 0]);
    let at = |handle: &cl_command_queue| std::ptr::from_ref(handle).cast::<c_void>();
    let one = 1_usize;
    let size = size_of::<cl_command_queue>();
    let launch = || {
        cl!(clEnqueueNDRangeKernel(
            host,
            k,
            1,
            null(),
            &raw const one,
            null(),
            0,
            null(),
            null_mut()
        ))
    };
    for size in [0, 4, 16] {
        code!(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 0, size, at(&q)));
    }
    code!(CL_INVALID_DEVICE_QUEUE, clSetKernelArg(k, 0, size, null()));
    for bad in bad_handles::<_cl_command_queue>().into_iter().chain([host, theirs]) {
        code!(CL_INVALID_DEVICE_QUEUE, clSetKernelArg(k, 0, size, at(&bad)));
    }
    assert_eq!(launch(), CL_INVALID_KERNEL_ARGS);
    code!(CL_SUCCESS, clSetKernelArg(k, 0, size, at(&q)));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    assert_eq!(launch(), CL_SUCCESS);
    code!(CL_SUCCESS, clFinish(host));
    code!(CL_SUCCESS, clReleaseKernel(k));
    code!(CL_SUCCESS, clReleaseProgram(p));
    for q in [host, theirs] {
        code!(CL_SUCCESS, clReleaseCommandQueue(q));
    }
    for c in [c, other] {
        code!(CL_SUCCESS, clReleaseContext(c));
    }
}
