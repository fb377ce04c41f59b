//! Unified shared memory: the three kinds of allocations, their queries, and commands on them.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_test_api::{
    anything, bad_handles, binary_of, cl, code, context, context_of, extension, fails, info,
    kernel, kernels, make, number, program_from, setup,
};
use muxcl_types::container::BinaryKind;

extension!(host, clHostMemAllocINTEL_fn, c"clHostMemAllocINTEL",
    (c: cl_context, list: *const cl_ulong, size: usize, align: cl_uint,
        code: *mut cl_int) -> *mut c_void);
extension!(device, clDeviceMemAllocINTEL_fn, c"clDeviceMemAllocINTEL",
    (c: cl_context, d: cl_device_id, list: *const cl_ulong, size: usize, align: cl_uint,
        code: *mut cl_int) -> *mut c_void);
extension!(shared, clSharedMemAllocINTEL_fn, c"clSharedMemAllocINTEL",
    (c: cl_context, d: cl_device_id, list: *const cl_ulong, size: usize, align: cl_uint,
        code: *mut cl_int) -> *mut c_void);
extension!(free, clMemFreeINTEL_fn, c"clMemFreeINTEL", (c: cl_context, p: *mut c_void) -> cl_int);
extension!(free_after, clMemBlockingFreeINTEL_fn, c"clMemBlockingFreeINTEL", (c: cl_context, p: *mut c_void) -> cl_int);
extension!(get, clGetMemAllocInfoINTEL_fn, c"clGetMemAllocInfoINTEL",
    (c: cl_context, p: *const c_void, name: cl_uint, size: usize, value: *mut c_void,
        size_ret: *mut usize) -> cl_int);
extension!(set, clSetKernelArgMemPointerINTEL_fn, c"clSetKernelArgMemPointerINTEL",
    (k: cl_kernel, index: cl_uint, p: *const c_void) -> cl_int);
extension!(fill, clEnqueueMemFillINTEL_fn, c"clEnqueueMemFillINTEL",
    (q: cl_command_queue, p: *mut c_void, pattern: *const c_void, step: usize, size: usize,
        n: cl_uint, list: *const cl_event,
     event: *mut cl_event) -> cl_int);
extension!(copy, clEnqueueMemcpyINTEL_fn, c"clEnqueueMemcpyINTEL",
    (q: cl_command_queue, blocking: cl_bool, to: *mut c_void, from: *const c_void, size: usize,
        n: cl_uint,
     list: *const cl_event, event: *mut cl_event) -> cl_int);
extension!(migrate, clEnqueueMigrateMemINTEL_fn, c"clEnqueueMigrateMemINTEL",
    (q: cl_command_queue, p: *const c_void, size: usize, flags: cl_mem_migration_flags,
        n: cl_uint, list: *const cl_event,
     event: *mut cl_event) -> cl_int);
extension!(advise, clEnqueueMemAdviseINTEL_fn, c"clEnqueueMemAdviseINTEL",
    (q: cl_command_queue, p: *const c_void, size: usize, advice: cl_uint, n: cl_uint,
        list: *const cl_event,
     event: *mut cl_event) -> cl_int);

fn value(c: cl_context, p: *const c_void, name: cl_uint) -> u64 {
    let mut size = 0;
    assert_eq!(get(c, p, name, 0, null_mut(), &raw mut size), CL_SUCCESS);
    let mut bytes = vec![0; size];
    code!(
        CL_INVALID_VALUE,
        clGetMemAllocInfoINTEL(c, p, name, size - 1, bytes.as_mut_ptr().cast(), null_mut())
    );
    assert_eq!(get(c, p, name, size, bytes.as_mut_ptr().cast(), null_mut()), CL_SUCCESS);
    number(&bytes)
}

#[test]
fn allocation() {
    let (d, other) = (setup().device(), setup().other_device());
    for query in [0x4190, 0x4191, 0x4192, 0x4193, 0x4194] {
        assert_eq!(number(&info!(clGetDeviceInfo(d), query)), 15);
        code!(CL_INVALID_VALUE, clGetDeviceInfo(other, query, 0, null_mut(), null_mut()));
    }
    let c = context_of(&[d, other]);
    let mut result = 1;
    let code = &raw mut result;
    let flags = [u64::from(CL_MEM_ALLOC_FLAGS_INTEL), 1, 0];
    let all = [
        (host(c, null(), 100, 0, code), CL_MEM_TYPE_HOST_INTEL, null_mut(), 0),
        (device(c, d, flags.as_ptr(), 100, 64, code), CL_MEM_TYPE_DEVICE_INTEL, d, 1),
        (shared(c, d, null(), 100, 1, code), CL_MEM_TYPE_SHARED_INTEL, d, 0),
        (shared(c, null_mut(), null(), 100, 128, code), CL_MEM_TYPE_SHARED_INTEL, null_mut(), 0),
    ];
    assert_eq!(result, CL_SUCCESS);
    for (p, kind, named, flags) in all {
        assert!(!p.is_null());
        // Also for an address inside the allocation.
        for at in [0, 99] {
            let p = p.cast::<u8>().wrapping_add(at).cast();
            assert_eq!(value(c, p, CL_MEM_ALLOC_TYPE_INTEL), u64::from(kind));
            assert_eq!(
                value(c, p, CL_MEM_ALLOC_BASE_PTR_INTEL),
                all.iter().find(|a| a.1 == kind && a.2 == named).unwrap().0.addr() as u64
            );
            assert_eq!(value(c, p, CL_MEM_ALLOC_SIZE_INTEL), 100);
            assert_eq!(value(c, p, CL_MEM_ALLOC_DEVICE_INTEL), named.addr() as u64);
            assert_eq!(value(c, p, CL_MEM_ALLOC_FLAGS_INTEL), flags);
        }
        code!(CL_INVALID_VALUE, clGetMemAllocInfoINTEL(c, p, 0x9999, 0, null_mut(), null_mut()));
        code!(CL_INVALID_VALUE, clMemFreeINTEL(c, p.cast::<u8>().wrapping_add(1).cast()));
        assert_eq!((free(c, p), free(c, p)), (CL_SUCCESS, CL_INVALID_VALUE));
        assert_eq!(value(c, p, CL_MEM_ALLOC_TYPE_INTEL), u64::from(CL_MEM_TYPE_UNKNOWN_INTEL));
    }
    assert_eq!((free(c, null_mut()), free_after(c, null_mut())), (CL_SUCCESS, CL_SUCCESS));
    assert_eq!(
        (free(c, anything()), free_after(c, anything())),
        (CL_INVALID_VALUE, CL_INVALID_VALUE)
    );
    // An allocation of clSVMAlloc is not freed by this call.
    let svm = cl!(clSVMAlloc(c, 0, 64, 0));
    code!(CL_INVALID_VALUE, clMemFreeINTEL(c, svm));
    assert_eq!(value(c, svm, CL_MEM_ALLOC_TYPE_INTEL), u64::from(CL_MEM_TYPE_UNKNOWN_INTEL));
    cl!(clSVMFree(c, svm));
    fails!(CL_INVALID_CONTEXT, clHostMemAllocINTEL(null_mut(), null(), 64, 0));
    fails!(CL_INVALID_CONTEXT, clDeviceMemAllocINTEL(null_mut(), d, null(), 64, 0));
    fails!(CL_INVALID_CONTEXT, clSharedMemAllocINTEL(null_mut(), d, null(), 64, 0));
    fails!(CL_INVALID_DEVICE, clDeviceMemAllocINTEL(c, null_mut(), null(), 64, 0));
    fails!(CL_INVALID_OPERATION, clDeviceMemAllocINTEL(c, other, null(), 64, 0));
    fails!(CL_INVALID_OPERATION, clSharedMemAllocINTEL(c, other, null(), 64, 0));
    fails!(CL_INVALID_BUFFER_SIZE, clHostMemAllocINTEL(c, null(), 0, 0));
    fails!(CL_INVALID_BUFFER_SIZE, clHostMemAllocINTEL(c, null(), usize::MAX, 0));
    fails!(CL_INVALID_VALUE, clHostMemAllocINTEL(c, null(), 64, 3));
    fails!(CL_INVALID_VALUE, clHostMemAllocINTEL(c, null(), 64, 256));
    for list in [
        [0x7777, 1, 0, 0, 0],
        [0x4195, 8, 0, 0, 0],
        [0x4195, 2, 0, 0, 0],
        [0x4195, 1, 0x4195, 1, 0],
    ] {
        fails!(CL_INVALID_PROPERTY, clHostMemAllocINTEL(c, list.as_ptr(), 64, 0));
    }
    fails!(CL_INVALID_PROPERTY, clSharedMemAllocINTEL(c, d, [0x4195, 6, 0].as_ptr(), 64, 0));
    let none = context_of(&[other]);
    fails!(CL_INVALID_OPERATION, clHostMemAllocINTEL(none, null(), 64, 0));
    fails!(CL_INVALID_DEVICE, clSharedMemAllocINTEL(none, d, null(), 64, 0));
    for bad in bad_handles::<_cl_context>() {
        assert_eq!(
            (free(bad, anything()), free_after(bad, anything())),
            (CL_INVALID_CONTEXT, CL_INVALID_CONTEXT)
        );
        code!(
            CL_INVALID_CONTEXT,
            clGetMemAllocInfoINTEL(
                bad,
                anything(),
                CL_MEM_ALLOC_TYPE_INTEL,
                0,
                null_mut(),
                null_mut()
            )
        );
    }
    code!(CL_SUCCESS, clReleaseContext(none));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn commands() {
    let (d, other) = (setup().device(), setup().other_device());
    let c = context_of(&[d, other]);
    let queues = [d, other].map(|d| make!(clCreateCommandQueueWithProperties(c, d, null())));
    let q = queues[0];
    let mut result = 1;
    let p = shared(c, d, null(), 64, 0, &raw mut result);
    let mut out = [0_u8; 32];
    let to: *mut c_void = out.as_mut_ptr().cast();
    let step: *const c_void = [1_u8, 2].as_ptr().cast();
    let mut events = [null_mut(); 4];
    assert_eq!(fill(q, p, step, 2, 64, 0, null(), &raw mut events[0]), CL_SUCCESS);
    assert_eq!(
        migrate(q, p, 64, CL_MIGRATE_MEM_OBJECT_HOST, 0, null(), &raw mut events[1]),
        CL_SUCCESS
    );
    assert_eq!(advise(q, p, 64, 0, 0, null(), &raw mut events[2]), CL_SUCCESS);
    assert_eq!(copy(q, 1, to, p, 32, 0, null(), &raw mut events[3]), CL_SUCCESS);
    assert!(out.chunks(2).all(|c| c == [1, 2]));
    for (event, kind) in events.into_iter().zip([0x4204, 0x4206, 0x4207, 0x4205]) {
        assert_eq!(number(&info!(clGetEventInfo(event), CL_EVENT_COMMAND_TYPE)), kind);
        code!(CL_SUCCESS, clReleaseEvent(event));
    }
    for (q, expected) in [(queues[1], CL_INVALID_OPERATION), (null_mut(), CL_INVALID_COMMAND_QUEUE)]
    {
        assert_eq!(fill(q, p, step, 2, 64, 0, null(), null_mut()), expected);
        assert_eq!(copy(q, 1, to, p, 32, 0, null(), null_mut()), expected);
        assert_eq!(migrate(q, p, 64, 0, 0, null(), null_mut()), expected);
        assert_eq!(advise(q, p, 64, 0, 0, null(), null_mut()), expected);
    }
    code!(CL_INVALID_VALUE, clEnqueueMemFillINTEL(q, p, step, 3, 63, 0, null(), null_mut()));
    code!(CL_INVALID_VALUE, clEnqueueMemsetINTEL(q, null_mut(), 1, 63, 0, null(), null_mut()));
    // The function of earlier revisions, as C's memset: any address and size, the low byte.
    let odd = p.cast::<u8>().wrapping_add(1).cast();
    code!(CL_SUCCESS, clEnqueueMemsetINTEL(q, p, 0x0102, 9, 0, null(), null_mut()));
    code!(CL_SUCCESS, clEnqueueMemsetINTEL(q, odd, -1, 7, 0, null(), null_mut()));
    let mut bytes = [0_u8; 9];
    let at = bytes.as_mut_ptr().cast();
    code!(CL_SUCCESS, clEnqueueMemcpyINTEL(q, CL_TRUE, at, p, 9, 0, null(), null_mut()));
    assert_eq!(bytes, [2, 255, 255, 255, 255, 255, 255, 255, 2]);
    assert_eq!(fill(q, p, step, 2, 64, 0, null(), null_mut()), CL_SUCCESS);
    code!(CL_MEM_COPY_OVERLAP, clEnqueueMemcpyINTEL(q, 1, p, p, 32, 0, null(), null_mut()));
    code!(CL_INVALID_VALUE, clEnqueueMemcpyINTEL(q, 1, null_mut(), p, 32, 0, null(), null_mut()));
    code!(CL_INVALID_VALUE, clEnqueueMigrateMemINTEL(q, p, 64, 1 << 9, 0, null(), null_mut()));
    code!(CL_INVALID_VALUE, clEnqueueMigrateMemINTEL(q, null(), 64, 0, 0, null(), null_mut()));
    code!(CL_INVALID_VALUE, clEnqueueMemAdviseINTEL(q, p, 64, 77, 0, null(), null_mut()));
    // A free that waits: the command behind the gate has read the memory before.
    let gate = make!(clCreateUserEvent(c));
    out.fill(0);
    assert_eq!(copy(q, 0, to, p, 32, 1, &raw const gate, null_mut()), CL_SUCCESS);
    let (address, context) = (p.expose_provenance(), c.expose_provenance());
    let freed = std::thread::spawn(move || {
        free_after(
            std::ptr::with_exposed_provenance_mut(context),
            std::ptr::with_exposed_provenance_mut(address),
        )
    });
    std::thread::sleep(std::time::Duration::from_millis(20));
    assert!(!freed.is_finished());
    assert_eq!(value(c, p, CL_MEM_ALLOC_SIZE_INTEL), 64, "it is there yet");
    code!(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
    assert_eq!(freed.join().unwrap(), CL_SUCCESS);
    assert!(out.chunks(2).all(|c| c == [1, 2]));
    assert_eq!(value(c, p, CL_MEM_ALLOC_SIZE_INTEL), 0);
    code!(CL_SUCCESS, clReleaseEvent(gate));
    for queue in queues {
        code!(CL_SUCCESS, clReleaseCommandQueue(queue));
    }
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn kernel_arguments() {
    let c = context();
    let program =
        program_from(c, &[setup().device()], &binary_of(kernels(), BinaryKind::Executable));
    code!(CL_SUCCESS, clBuildProgram(program, 0, null(), null(), None, null_mut()));
    let k = kernel(program, c"two");
    let p = host(c, null(), 64, 0, null_mut());
    assert_eq!(
        (set(k, 0, p), set(k, 1, p), set(k, 2, p)),
        (CL_SUCCESS, CL_INVALID_ARG_VALUE, CL_INVALID_ARG_INDEX)
    );
    for bad in bad_handles::<_cl_kernel>() {
        code!(CL_INVALID_KERNEL, clSetKernelArgMemPointerINTEL(bad, 0, p));
    }
    let yes: *const c_void = (&raw const CL_TRUE_WORD).cast();
    for name in [0x4200, 0x4201, 0x4202] {
        code!(CL_SUCCESS, clSetKernelExecInfo(k, name, 4, yes));
        code!(CL_INVALID_VALUE, clSetKernelExecInfo(k, name, 8, yes));
    }
    code!(
        CL_SUCCESS,
        clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, 8, (&raw const p).cast())
    );
    code!(
        CL_INVALID_VALUE,
        clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, 7, (&raw const p).cast())
    );
    assert_eq!(free(c, p), CL_SUCCESS);
    let other = setup().other_device();
    let none = context_of(&[other]);
    let without = program_from(none, &[other], &binary_of(kernels(), BinaryKind::Executable));
    code!(CL_SUCCESS, clBuildProgram(without, 0, null(), null(), None, null_mut()));
    let lone = kernel(without, c"two");
    code!(CL_INVALID_OPERATION, clSetKernelArgMemPointerINTEL(lone, 0, anything()));
    for k in [k, lone] {
        code!(CL_SUCCESS, clReleaseKernel(k));
    }
    for p in [program, without] {
        code!(CL_SUCCESS, clReleaseProgram(p));
    }
    code!(CL_SUCCESS, clReleaseContext(none));
    code!(CL_SUCCESS, clReleaseContext(c));
}

static CL_TRUE_WORD: cl_bool = CL_TRUE;

/// A device with its own memory has device allocations if its addresses are free in a process; the
/// host accesses them with commands.
#[test]
fn device_allocations_of_a_device_with_memory_of_its_own() {
    let [d, other] = setup().coarse();
    assert_eq!(number(&info!(clGetDeviceInfo(d), CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL)), 1);
    for query in [0x4190, 0x4192, 0x4193, 0x4194] {
        assert_eq!(number(&info!(clGetDeviceInfo(d), query)), 0);
    }
    let c = context_of(&[d, other]);
    fails!(CL_INVALID_OPERATION, clHostMemAllocINTEL(c, null(), 64, 0));
    fails!(CL_INVALID_OPERATION, clSharedMemAllocINTEL(c, d, null(), 64, 0));
    fails!(CL_INVALID_OPERATION, clSharedMemAllocINTEL(c, null_mut(), null(), 64, 0));
    let mut result = 1;
    let [p, q] = [(); 2].map(|()| device(c, d, null(), 4096, 0, &raw mut result));
    assert_eq!(result, CL_SUCCESS);
    assert_eq!(value(c, p, CL_MEM_ALLOC_TYPE_INTEL), u64::from(CL_MEM_TYPE_DEVICE_INTEL));
    assert_eq!(value(c, p.wrapping_byte_add(9), CL_MEM_ALLOC_BASE_PTR_INTEL), p.addr() as u64);
    assert_eq!(value(c, p, CL_MEM_ALLOC_DEVICE_INTEL), d.addr() as u64);

    // Through both allocations, on either device, and back.
    let queues = [d, other].map(|d| make!(clCreateCommandQueueWithProperties(c, d, null())));
    let sent: Vec<u8> = (0..=255).cycle().take(4096).collect();
    let mut back = vec![0u8; 4096];
    let none = (0, null(), null_mut());
    assert_eq!(
        copy(queues[0], CL_TRUE, p, sent.as_ptr().cast(), 4096, none.0, none.1, none.2),
        CL_SUCCESS
    );
    assert_eq!(
        fill(queues[0], p, [7u8, 8].as_ptr().cast(), 2, 64, none.0, none.1, none.2),
        CL_SUCCESS
    );
    assert_eq!(copy(queues[0], CL_FALSE, q, p, 4096, none.0, none.1, none.2), CL_SUCCESS);
    code!(CL_SUCCESS, clFinish(queues[0]));
    for queue in queues {
        back.fill(0);
        assert_eq!(
            copy(queue, CL_TRUE, back.as_mut_ptr().cast(), q, 4096, none.0, none.1, none.2),
            CL_SUCCESS
        );
        assert!(back[..64].chunks(2).all(|pair| pair == [7, 8]) && back[64..] == sent[64..]);
        assert_eq!(migrate(queue, q, 4096, 0, none.0, none.1, none.2), CL_SUCCESS);
        assert_eq!(advise(queue, q, 4096, 0, none.0, none.1, none.2), CL_SUCCESS);
        code!(CL_SUCCESS, clReleaseCommandQueue(queue));
    }
    let program = program_from(c, &[d, other], &binary_of(kernels(), BinaryKind::Executable));
    code!(CL_SUCCESS, clBuildProgram(program, 0, null(), null(), None, null_mut()));
    let k = kernel(program, c"two");
    assert_eq!(set(k, 0, p), CL_SUCCESS);
    let yes: cl_bool = CL_TRUE;
    let (yes, size) = ((&raw const yes).cast(), size_of::<cl_bool>());
    code!(
        CL_SUCCESS,
        clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, size, yes)
    );
    for name in [
        CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
        CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL,
    ] {
        code!(CL_INVALID_OPERATION, clSetKernelExecInfo(k, name, size, yes));
    }
    code!(CL_SUCCESS, clReleaseKernel(k));
    code!(CL_SUCCESS, clReleaseProgram(program));
    assert_eq!((free(c, p), free_after(c, q)), (CL_SUCCESS, CL_SUCCESS));
    assert_eq!(free(c, p), CL_INVALID_VALUE);
    code!(CL_SUCCESS, clReleaseContext(c));
}
