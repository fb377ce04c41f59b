//! Shared virtual memory on a device that supports it, on one that does not, and on both in one
//! context.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_test_api::{
    anything, bad_handles, binary_of, cl, code, context, context_of, fails, info, kernel, kernels,
    make, number, program_from, setup,
};
use muxcl_types::container::BinaryKind;

fn queue_on(c: cl_context, device: cl_device_id) -> cl_command_queue {
    make!(clCreateCommandQueueWithProperties(c, device, null()))
}

/// A user event of the context.
fn user_event(c: cl_context) -> cl_event {
    make!(clCreateUserEvent(c))
}

fn at<T>(value: &T) -> *const c_void {
    std::ptr::from_ref(value).cast()
}

fn bytes<'a>(pointer: *mut c_void, size: usize) -> &'a [u8] {
    // SAFETY: only called for live allocations of at least this size.
    unsafe { std::slice::from_raw_parts(pointer.cast::<u8>(), size) }
}

#[test]
fn capabilities() {
    let all = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER
        | CL_DEVICE_SVM_FINE_GRAIN_BUFFER
        | CL_DEVICE_SVM_FINE_GRAIN_SYSTEM
        | CL_DEVICE_SVM_ATOMICS;
    assert_eq!(number(&info!(clGetDeviceInfo(setup().device()), CL_DEVICE_SVM_CAPABILITIES)), all);
    assert_eq!(
        number(&info!(clGetDeviceInfo(setup().other_device()), CL_DEVICE_SVM_CAPABILITIES)),
        0
    );
}

#[test]
fn allocation() {
    let c = context();
    for flags in [
        0,
        CL_MEM_READ_WRITE,
        CL_MEM_READ_ONLY,
        CL_MEM_WRITE_ONLY,
        CL_MEM_SVM_FINE_GRAIN_BUFFER,
        CL_MEM_READ_ONLY | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS,
    ] {
        for alignment in [0, 1, 2, 128, 4096, 1 << 21] {
            let p = cl!(clSVMAlloc(c, flags, 100, alignment));
            assert!(!p.is_null());
            assert!(p.addr().is_multiple_of(if alignment == 0 { 128 } else { alignment as usize }));
            cl!(clSVMFree(c, p));
        }
    }
    for flags in [
        CL_MEM_SVM_ATOMICS,
        CL_MEM_READ_WRITE | CL_MEM_READ_ONLY,
        CL_MEM_USE_HOST_PTR,
        CL_MEM_HOST_READ_ONLY,
        1 << 60,
    ] {
        assert!(cl!(clSVMAlloc(c, flags, 64, 0)).is_null());
    }
    let most = usize::try_from(number(&info!(
        clGetDeviceInfo(setup().device()),
        CL_DEVICE_MAX_MEM_ALLOC_SIZE
    )))
    .unwrap();
    for size in [0, most + 1, usize::MAX] {
        assert!(cl!(clSVMAlloc(c, 0, size, 0)).is_null());
    }
    for alignment in [3, 24, 1000, 1 << 22, 1 << 31] {
        assert!(cl!(clSVMAlloc(c, 0, 64, alignment)).is_null());
    }
    for bad in bad_handles::<_cl_context>() {
        assert!(cl!(clSVMAlloc(bad, 0, 64, 0)).is_null());
        cl!(clSVMFree(bad, anything()));
    }
    // Freeing a pointer that is not an allocation has no effect.
    cl!(clSVMFree(c, null_mut()));
    cl!(clSVMFree(c, anything()));
    let p = cl!(clSVMAlloc(c, 0, 64, 0));
    cl!(clSVMFree(c, p));
    cl!(clSVMFree(c, p));
    // The context frees the remaining allocations.
    assert!(!cl!(clSVMAlloc(c, 0, 1 << 20, 0)).is_null());
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn a_device_without() {
    let c = context_of(&[setup().other_device()]);
    let q = queue_on(c, setup().other_device());
    assert!(cl!(clSVMAlloc(c, CL_MEM_READ_WRITE, 64, 0)).is_null());
    let both = context_of(&[setup().device(), setup().other_device()]);
    let without = queue_on(both, setup().other_device());
    let shared = cl!(clSVMAlloc(both, CL_MEM_READ_WRITE, 64, 0));
    assert!(!shared.is_null(), "one device of the context has it");
    let calls = [
        (q, CL_INVALID_OPERATION),
        (without, CL_INVALID_OPERATION),
        (null_mut(), CL_INVALID_COMMAND_QUEUE),
    ];
    for (q, expected) in calls {
        let p = if q == without { shared } else { anything() };
        let mut list = [p];
        let mut constant = [p.cast_const()];
        let codes = [
            cl!(clEnqueueSVMFree(q, 1, list.as_mut_ptr(), None, null_mut(), 0, null(), null_mut())),
            cl!(clEnqueueSVMMemcpy(q, 1, p, p, 4, 0, null(), null_mut())),
            cl!(clEnqueueSVMMemFill(q, p, p, 4, 4, 0, null(), null_mut())),
            cl!(clEnqueueSVMMap(q, 1, CL_MAP_READ, p, 4, 0, null(), null_mut())),
            cl!(clEnqueueSVMUnmap(q, p, 0, null(), null_mut())),
            cl!(clEnqueueSVMMigrateMem(
                q,
                1,
                constant.as_mut_ptr(),
                null(),
                0,
                0,
                null(),
                null_mut()
            )),
        ];
        assert_eq!(codes, [expected; 6]);
    }
    // Kernels of a context without shared virtual memory, and of one where only the other device
    // has it.
    let binary = binary_of(kernels(), BinaryKind::Executable);
    let devices = [setup().device(), setup().other_device()];
    let alone = program_from(c, &devices[1..], &binary);
    code!(CL_SUCCESS, clBuildProgram(alone, 0, null(), null(), None, null_mut()));
    let k = kernel(alone, c"two");
    code!(CL_INVALID_OPERATION, clSetKernelArgSVMPointer(k, 0, shared));
    code!(
        CL_INVALID_OPERATION,
        clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, at(&shared))
    );
    let system = CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM;
    let yes = CL_TRUE;
    code!(CL_INVALID_OPERATION, clSetKernelExecInfo(k, system, 4, at(&yes)));
    code!(CL_SUCCESS, clSetKernelExecInfo(k, system, 4, at(&CL_FALSE)));
    code!(CL_INVALID_VALUE, clSetKernelExecInfo(k, system, 8, at(&shared)));
    code!(CL_INVALID_VALUE, clSetKernelExecInfo(k, 0x1234, 4, at(&yes)));
    for (list, of) in [
        (CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, "addresses"),
        (CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, "unified memory"),
    ] {
        let code = cl!(clSetKernelExecInfo(k, list, 8, at(&shared)));
        assert_eq!(code, CL_INVALID_OPERATION, "a device without {of}");
    }
    code!(CL_SUCCESS, clReleaseKernel(k));
    let program = program_from(both, &devices, &binary);
    code!(CL_SUCCESS, clBuildProgram(program, 0, null(), null(), None, null_mut()));
    let k = kernel(program, c"two");
    code!(CL_SUCCESS, clSetKernelArg(k, 1, 16, at(&[0_u64; 2])));
    let with = queue_on(both, setup().device());
    let one = 1_usize;
    let run = |q| {
        cl!(clEnqueueNDRangeKernel(q, k, 1, null(), &raw const one, null(), 0, null(), null_mut()))
    };
    code!(CL_SUCCESS, clSetKernelArg(k, 0, 8, null()));
    assert_eq!((run(with), run(without)), (CL_SUCCESS, CL_SUCCESS));
    code!(CL_SUCCESS, clSetKernelArgSVMPointer(k, 0, shared));
    assert_eq!(
        (run(with), run(without)),
        (CL_SUCCESS, CL_INVALID_OPERATION),
        "an SVM pointer as an argument"
    );
    code!(CL_SUCCESS, clSetKernelArg(k, 0, 8, null()));
    assert_eq!(run(without), CL_SUCCESS);
    code!(CL_SUCCESS, clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, at(&shared)));
    let copy = make!(clCloneKernel(k));
    assert_eq!((run(with), run(without)), (CL_SUCCESS, CL_INVALID_OPERATION), "and behind one");
    let run_copy = |q| {
        cl!(clEnqueueNDRangeKernel(
            q,
            copy,
            1,
            null(),
            &raw const one,
            null(),
            0,
            null(),
            null_mut()
        ))
    };
    assert_eq!(
        (run_copy(with), run_copy(without)),
        (CL_SUCCESS, CL_INVALID_OPERATION),
        "a clone takes it over"
    );
    code!(CL_SUCCESS, clSetKernelExecInfo(copy, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, null()));
    assert_eq!((run_copy(with), run_copy(without)), (CL_SUCCESS, CL_SUCCESS), "taken back");
    cl!(clFinish(with));
    cl!(clFinish(without));
    cl!(clSVMFree(both, shared));
    for kernel in [k, copy] {
        code!(CL_SUCCESS, clReleaseKernel(kernel));
    }
    for program in [alone, program] {
        code!(CL_SUCCESS, clReleaseProgram(program));
    }
    for queue in [q, with, without] {
        code!(CL_SUCCESS, clReleaseCommandQueue(queue));
    }
    code!(CL_SUCCESS, clReleaseContext(both));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn kernel_arguments() {
    let c = context();
    let program =
        program_from(c, &[setup().device()], &binary_of(kernels(), BinaryKind::Executable));
    code!(CL_SUCCESS, clBuildProgram(program, 0, null(), null(), None, null_mut()));
    let k = kernel(program, c"all");
    let p = cl!(clSVMAlloc(c, 0, 64, 0));
    for index in [1, 2] {
        code!(CL_SUCCESS, clSetKernelArgSVMPointer(k, index, p));
        code!(
            CL_SUCCESS,
            clSetKernelArgSVMPointer(k, index, p.cast::<u8>().wrapping_add(5).cast())
        );
        code!(CL_SUCCESS, clSetKernelArgSVMPointer(k, index, null()));
        code!(CL_SUCCESS, clSetKernelArgSVMPointer(k, index, anything()));
    }
    for index in [0, 3, 4, 5, 6] {
        code!(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(k, index, p));
    }
    code!(CL_INVALID_ARG_INDEX, clSetKernelArgSVMPointer(k, 7, p));
    let yes = CL_TRUE;
    let (pointers, system) =
        (CL_KERNEL_EXEC_INFO_SVM_PTRS, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM);
    code!(CL_SUCCESS, clSetKernelExecInfo(k, pointers, 16, at(&[p, p])));
    code!(CL_SUCCESS, clSetKernelExecInfo(k, system, 4, at(&yes)));
    code!(CL_SUCCESS, clSetKernelExecInfo(k, system, 4, at(&CL_FALSE)));
    code!(CL_INVALID_VALUE, clSetKernelExecInfo(k, pointers, 7, at(&p)));
    code!(CL_INVALID_VALUE, clSetKernelExecInfo(k, pointers, 0, at(&p)));
    code!(CL_INVALID_VALUE, clSetKernelExecInfo(k, pointers, 8, null()));
    code!(CL_INVALID_VALUE, clSetKernelExecInfo(k, system, 8, at(&p)));
    code!(CL_INVALID_VALUE, clSetKernelExecInfo(k, system, 4, null()));
    code!(CL_INVALID_VALUE, clSetKernelExecInfo(k, 0x1234, 4, at(&yes)));
    cl!(clSVMFree(c, p));
    code!(CL_SUCCESS, clReleaseKernel(k));
    code!(CL_SUCCESS, clReleaseProgram(program));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn copies_and_fills() {
    let c = context();
    let q = queue_on(c, setup().device());
    let p = cl!(clSVMAlloc(c, 0, 256, 0));
    let part = |at: usize| p.cast::<u8>().wrapping_add(at).cast::<c_void>();
    // Fill one half, copy it over the other half, and copy the result to the test's own memory.
    code!(
        CL_SUCCESS,
        clEnqueueSVMMemFill(q, p, at(&0x0403_0201_u32), 4, 128, 0, null(), null_mut())
    );
    code!(CL_SUCCESS, clEnqueueSVMMemcpy(q, CL_FALSE, part(128), p, 128, 0, null(), null_mut()));
    let mut out = [0_u8; 256];
    code!(
        CL_SUCCESS,
        clEnqueueSVMMemcpy(q, CL_TRUE, out.as_mut_ptr().cast(), p, 256, 0, null(), null_mut())
    );
    assert!(out.chunks(4).all(|w| w == [1, 2, 3, 4]));
    // A blocking copy without dependencies, with an event.
    let mut event = null_mut();
    code!(
        CL_SUCCESS,
        clEnqueueSVMMemcpy(q, CL_TRUE, p, at(&[9_u8; 3]), 3, 0, null(), &raw mut event)
    );
    assert_eq!(bytes(p, 4), [9, 9, 9, 4]);
    assert_eq!(
        number(&info!(clGetEventInfo(event), CL_EVENT_COMMAND_TYPE)),
        u64::from(CL_COMMAND_SVM_MEMCPY)
    );
    code!(CL_SUCCESS, clReleaseEvent(event));
    // After an event that fails, no bytes are copied, and a blocking copy returns the error.
    let user = user_event(c);
    let mut late = null_mut();
    code!(
        CL_SUCCESS,
        clEnqueueSVMMemFill(q, p, at(&7_u8), 1, 1, 1, &raw const user, &raw mut late)
    );
    code!(CL_SUCCESS, clSetUserEventStatus(user, -5));
    let blocking = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    assert_eq!(
        cl!(clEnqueueSVMMemcpy(q, CL_TRUE, p, at(&1_u8), 1, 1, &raw const late, null_mut())),
        blocking
    );
    assert_eq!(
        cl!(clEnqueueSVMMap(q, CL_TRUE, CL_MAP_READ, p, 1, 1, &raw const late, null_mut())),
        blocking
    );
    assert_eq!(bytes(p, 1), [9]);
    for e in [user, late] {
        code!(CL_SUCCESS, clReleaseEvent(e));
    }
    // Zero bytes.
    code!(CL_SUCCESS, clEnqueueSVMMemcpy(q, CL_TRUE, part(8), p, 0, 0, null(), null_mut()));
    code!(CL_SUCCESS, clEnqueueSVMMemFill(q, p, at(&1_u8), 1, 0, 0, null(), null_mut()));

    code!(
        CL_INVALID_VALUE,
        clEnqueueSVMMemcpy(q, CL_TRUE, null_mut(), p, 4, 0, null(), null_mut())
    );
    code!(CL_INVALID_VALUE, clEnqueueSVMMemcpy(q, CL_TRUE, p, null(), 4, 0, null(), null_mut()));
    for (to, from) in [(0, 0), (0, 15), (15, 0)] {
        let (to, from) = (part(to), part(from));
        code!(
            CL_MEM_COPY_OVERLAP,
            clEnqueueSVMMemcpy(q, CL_TRUE, to, from, 16, 0, null(), null_mut())
        );
    }
    code!(CL_SUCCESS, clEnqueueSVMMemcpy(q, CL_TRUE, part(16), p, 16, 0, null(), null_mut()));
    code!(CL_INVALID_VALUE, clEnqueueSVMMemFill(q, null_mut(), p, 4, 4, 0, null(), null_mut()));
    code!(CL_INVALID_VALUE, clEnqueueSVMMemFill(q, p, null(), 4, 4, 0, null(), null_mut()));
    for (pattern, size) in [(0, 4), (3, 6), (256, 256), (8, 12), (129, 129)] {
        code!(
            CL_INVALID_VALUE,
            clEnqueueSVMMemFill(q, p, anything(), pattern, size, 0, null(), null_mut())
        );
    }
    code!(CL_INVALID_VALUE, clEnqueueSVMMemFill(q, part(2), p, 4, 4, 0, null(), null_mut()));
    let foreign = context();
    let event = user_event(foreign);
    let wait = &raw const event;
    let mut list = [p];
    let mut constant = [p.cast_const()];
    let mut codes = |count, wait| {
        [
            cl!(clEnqueueSVMFree(
                q,
                1,
                list.as_mut_ptr(),
                None,
                null_mut(),
                count,
                wait,
                null_mut()
            )),
            cl!(clEnqueueSVMMemcpy(q, 1, p, part(4), 4, count, wait, null_mut())),
            cl!(clEnqueueSVMMemFill(q, p, part(4), 4, 4, count, wait, null_mut())),
            cl!(clEnqueueSVMMap(q, 1, CL_MAP_READ, p, 4, count, wait, null_mut())),
            cl!(clEnqueueSVMUnmap(q, p, count, wait, null_mut())),
            cl!(clEnqueueSVMMigrateMem(
                q,
                1,
                constant.as_mut_ptr(),
                null(),
                0,
                count,
                wait,
                null_mut()
            )),
        ]
    };
    assert_eq!(codes(1, wait), [CL_INVALID_CONTEXT; 6]);
    assert_eq!(codes(0, wait), [CL_INVALID_EVENT_WAIT_LIST; 6]);
    assert_eq!(codes(1, null()), [CL_INVALID_EVENT_WAIT_LIST; 6]);
    code!(CL_SUCCESS, clReleaseEvent(event));
    cl!(clSVMFree(c, p));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseContext(foreign));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn maps_and_migration() {
    let c = context();
    let q = queue_on(c, setup().device());
    let p = cl!(clSVMAlloc(c, 0, 256, 0));
    let user = user_event(c);
    let mut events = [null_mut(); 3];
    let waits = &raw const user;
    let mut list = [p.cast_const()];
    code!(
        CL_SUCCESS,
        clEnqueueSVMMap(
            q,
            CL_FALSE,
            CL_MAP_READ | CL_MAP_WRITE,
            p,
            256,
            1,
            waits,
            &raw mut events[0]
        )
    );
    code!(CL_SUCCESS, clEnqueueSVMUnmap(q, p, 1, waits, &raw mut events[1]));
    let migrated = &raw mut events[2];
    code!(
        CL_SUCCESS,
        clEnqueueSVMMigrateMem(
            q,
            1,
            list.as_mut_ptr(),
            at(&256_usize).cast(),
            0,
            1,
            waits,
            migrated
        )
    );
    code!(CL_SUCCESS, clFlush(q));
    let types = [CL_COMMAND_SVM_MAP, CL_COMMAND_SVM_UNMAP, CL_COMMAND_SVM_MIGRATE_MEM];
    for (event, kind) in events.into_iter().zip(types) {
        assert_eq!(number(&info!(clGetEventInfo(event), CL_EVENT_COMMAND_TYPE)), u64::from(kind));
        assert_ne!(
            number(&info!(clGetEventInfo(event), CL_EVENT_COMMAND_EXECUTION_STATUS)),
            0,
            "it waits"
        );
    }
    code!(CL_SUCCESS, clSetUserEventStatus(user, CL_COMPLETE));
    code!(CL_SUCCESS, clWaitForEvents(3, events.as_ptr()));
    for event in events.into_iter().chain([user]) {
        code!(CL_SUCCESS, clReleaseEvent(event));
    }
    code!(
        CL_SUCCESS,
        clEnqueueSVMMap(q, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, p, 1, 0, null(), null_mut())
    );
    code!(
        CL_INVALID_VALUE,
        clEnqueueSVMMap(q, CL_TRUE, CL_MAP_READ, null_mut(), 4, 0, null(), null_mut())
    );
    code!(CL_INVALID_VALUE, clEnqueueSVMMap(q, CL_TRUE, CL_MAP_READ, p, 0, 0, null(), null_mut()));
    for flags in [
        1 << 20,
        CL_MAP_WRITE_INVALIDATE_REGION | CL_MAP_READ,
        CL_MAP_WRITE_INVALIDATE_REGION | CL_MAP_WRITE,
    ] {
        code!(CL_INVALID_VALUE, clEnqueueSVMMap(q, CL_TRUE, flags, p, 4, 0, null(), null_mut()));
    }
    code!(CL_INVALID_VALUE, clEnqueueSVMUnmap(q, null_mut(), 0, null(), null_mut()));

    let host = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    code!(
        CL_SUCCESS,
        clEnqueueSVMMigrateMem(q, 1, list.as_mut_ptr(), null(), host, 0, null(), null_mut())
    );
    code!(
        CL_SUCCESS,
        clEnqueueSVMMigrateMem(
            q,
            1,
            list.as_mut_ptr(),
            at(&0_usize).cast(),
            0,
            0,
            null(),
            null_mut()
        )
    );
    code!(
        CL_INVALID_VALUE,
        clEnqueueSVMMigrateMem(q, 0, list.as_mut_ptr(), null(), 0, 0, null(), null_mut())
    );
    code!(
        CL_INVALID_VALUE,
        clEnqueueSVMMigrateMem(q, 1, null_mut(), null(), 0, 0, null(), null_mut())
    );
    code!(
        CL_INVALID_VALUE,
        clEnqueueSVMMigrateMem(q, 1, list.as_mut_ptr(), null(), 1 << 9, 0, null(), null_mut())
    );
    code!(
        CL_INVALID_VALUE,
        clEnqueueSVMMigrateMem(
            q,
            1,
            list.as_mut_ptr(),
            at(&257_usize).cast(),
            0,
            0,
            null(),
            null_mut()
        )
    );
    let mut other = [anything().cast_const()];
    code!(
        CL_INVALID_VALUE,
        clEnqueueSVMMigrateMem(q, 1, other.as_mut_ptr(), null(), 0, 0, null(), null_mut())
    );
    cl!(clSVMFree(c, p));
    code!(
        CL_INVALID_VALUE,
        clEnqueueSVMMigrateMem(q, 1, list.as_mut_ptr(), null(), 0, 0, null(), null_mut())
    );
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseContext(c));
}

unsafe extern "C" fn freed(
    queue: cl_command_queue,
    count: cl_uint,
    list: *mut *mut c_void,
    data: *mut c_void,
) {
    // SAFETY: the test passes a pointer to such a vector.
    let seen = unsafe { &mut *data.cast::<Vec<usize>>() };
    seen.push(queue.addr());
    for i in 0..count as usize {
        let at = list.wrapping_add(i);
        // SAFETY: the index is less than the length of the list.
        seen.push(unsafe { *at }.addr());
    }
}

#[test]
fn free_commands() {
    let c = context();
    let q = queue_on(c, setup().device());
    let mut list = [cl!(clSVMAlloc(c, 0, 64, 0)), cl!(clSVMAlloc(c, 0, 64, 0))];
    let user = user_event(c);
    let mut event = null_mut();
    let mut seen: Vec<usize> = Vec::new();
    let data = (&raw mut seen).cast();
    code!(
        CL_SUCCESS,
        clEnqueueSVMFree(
            q,
            2,
            list.as_mut_ptr(),
            Some(freed),
            data,
            1,
            &raw const user,
            &raw mut event
        )
    );
    let expected = [q.addr(), list[0].addr(), list[1].addr()];
    let copy = list;
    list = [null_mut(); 2];
    code!(CL_SUCCESS, clFlush(q));
    assert!(seen.is_empty(), "it waits");
    code!(CL_SUCCESS, clSetUserEventStatus(user, CL_COMPLETE));
    code!(CL_SUCCESS, clWaitForEvents(1, &raw const event));
    assert_eq!(seen, expected);
    assert_eq!(
        number(&info!(clGetEventInfo(event), CL_EVENT_COMMAND_TYPE)),
        u64::from(CL_COMMAND_SVM_FREE)
    );
    code!(CL_SUCCESS, clReleaseEvent(event));
    code!(CL_SUCCESS, clReleaseEvent(user));
    // The callback was responsible for freeing them and did not, so they still exist. Without a
    // callback the driver frees them.
    list.copy_from_slice(&copy);
    let mut first = [list[0].cast_const()];
    code!(
        CL_SUCCESS,
        clEnqueueSVMMigrateMem(q, 1, first.as_mut_ptr(), null(), 0, 0, null(), null_mut())
    );
    code!(
        CL_SUCCESS,
        clEnqueueSVMFree(q, 2, list.as_mut_ptr(), None, null_mut(), 0, null(), null_mut())
    );
    code!(CL_SUCCESS, clFinish(q));
    code!(
        CL_INVALID_VALUE,
        clEnqueueSVMMigrateMem(q, 1, first.as_mut_ptr(), null(), 0, 0, null(), null_mut())
    );
    code!(
        CL_INVALID_VALUE,
        clEnqueueSVMFree(q, 0, list.as_mut_ptr(), None, null_mut(), 0, null(), null_mut())
    );
    code!(
        CL_INVALID_VALUE,
        clEnqueueSVMFree(q, 1, null_mut(), None, null_mut(), 0, null(), null_mut())
    );
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn buffers_on_svm() {
    let c = context();
    let p = cl!(clSVMAlloc(c, 0, 4096, 0));
    let mem = make!(clCreateBuffer(c, CL_MEM_USE_HOST_PTR, 4096, p));
    assert_eq!(number(&info!(clGetMemObjectInfo(mem), CL_MEM_USES_SVM_POINTER)), 1);
    assert_eq!(number(&info!(clGetMemObjectInfo(mem), CL_MEM_HOST_PTR)), p.addr() as u64);
    let region = cl_buffer_region { origin: 1024, size: 64 };
    let part = make!(clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, at(&region)));
    assert_eq!(number(&info!(clGetMemObjectInfo(part), CL_MEM_USES_SVM_POINTER)), 1);
    let copied = make!(clCreateBuffer(c, CL_MEM_COPY_HOST_PTR, 4096, p));
    assert_eq!(number(&info!(clGetMemObjectInfo(copied), CL_MEM_USES_SVM_POINTER)), 0);
    fails!(CL_INVALID_BUFFER_SIZE, clCreateBuffer(c, CL_MEM_USE_HOST_PTR, 4097, p));
    for m in [part, copied, mem] {
        code!(CL_SUCCESS, clReleaseMemObject(m));
    }
    cl!(clSVMFree(c, p));
    code!(CL_SUCCESS, clReleaseContext(c));
}
