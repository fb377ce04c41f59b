//! Coarse-grain shared virtual memory on devices with memory of their own: migrations, the common
//! address of an allocation, and error codes. Access by kernels is in `tests/kernels`.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_os::{Mapping, page_size};
use muxcl_test_api::{
    binary_of, cl, code, context_of, fails, info, kernel, kernels, make, number, program_from,
    setup,
};
use muxcl_types::container::BinaryKind;

fn queue_on(c: cl_context, device: cl_device_id) -> cl_command_queue {
    make!(clCreateCommandQueueWithProperties(c, device, null()))
}

fn at<T>(value: &T) -> *const c_void {
    std::ptr::from_ref(value).cast()
}

/// An allocation of these bytes, as the host has mapped it.
fn bytes<'a>(pointer: *mut c_void, size: usize) -> &'a mut [u8] {
    // SAFETY: only called for live allocations of at least this size, one slice at a time.
    unsafe { std::slice::from_raw_parts_mut(pointer.cast::<u8>(), size) }
}

fn behind(pointer: *mut c_void, offset: usize) -> *mut c_void {
    pointer.cast::<u8>().wrapping_add(offset).cast()
}

fn map(q: cl_command_queue, flags: cl_map_flags, p: *mut c_void, size: usize) {
    code!(CL_SUCCESS, clEnqueueSVMMap(q, CL_TRUE, flags, p, size, 0, null(), null_mut()));
}

fn unmap(q: cl_command_queue, p: *mut c_void) {
    code!(CL_SUCCESS, clEnqueueSVMUnmap(q, p, 0, null(), null_mut()));
    code!(CL_SUCCESS, clFinish(q));
}

fn put(q: cl_command_queue, p: *mut c_void, content: &[u8]) {
    map(q, CL_MAP_WRITE_INVALIDATE_REGION, p, content.len());
    bytes(p, content.len()).copy_from_slice(content);
    unmap(q, p);
}

/// The content in the memory of a queue's device, read by a copy command.
fn seen(q: cl_command_queue, p: *mut c_void, size: usize) -> Vec<u8> {
    let mut out = vec![0_u8; size];
    code!(
        CL_SUCCESS,
        clEnqueueSVMMemcpy(q, CL_TRUE, out.as_mut_ptr().cast(), p, size, 0, null(), null_mut())
    );
    out
}

fn end(c: cl_context, queues: &[cl_command_queue]) {
    for &q in queues {
        code!(CL_SUCCESS, clReleaseCommandQueue(q));
    }
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn capabilities() {
    for device in setup().coarse() {
        let capabilities = number(&info!(clGetDeviceInfo(device), CL_DEVICE_SVM_CAPABILITIES));
        assert_eq!(capabilities, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    }
}

#[test]
fn allocation() {
    let [one, two] = setup().coarse();
    for devices in
        [vec![one], vec![one, two], vec![setup().device(), one], vec![two, setup().apart(), one]]
    {
        let c = context_of(&devices);
        let whole: Vec<*mut c_void> =
            (0..6).map(|n| cl!(clSVMAlloc(c, 0, 100 << (2 * n), 1 << n))).collect();
        for (n, p) in whole.iter().enumerate() {
            assert!(!p.is_null() && p.addr().is_multiple_of(page_size()));
            let disjoint =
                |q: &*mut c_void| q.addr().abs_diff(p.addr()) >= 100 << (2 * n) || q == p;
            assert!(whole[n..].iter().all(disjoint));
        }
        let aligned = cl!(clSVMAlloc(c, CL_MEM_READ_ONLY, 64, 1 << 21));
        assert!(!aligned.is_null() && aligned.addr().is_multiple_of(1 << 21));
        // Fine-grain allocations need a device that supports them.
        for flags in
            [CL_MEM_SVM_FINE_GRAIN_BUFFER, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS]
        {
            let fine = cl!(clSVMAlloc(c, flags, 64, 0));
            assert_eq!(fine.is_null(), !devices.contains(&setup().device()));
            cl!(clSVMFree(c, fine));
        }
        for p in whole.into_iter().chain([aligned]) {
            cl!(clSVMFree(c, p));
        }
        end(c, &[]);
    }
}

/// An address in use by the process is skipped, and the next address is used.
#[test]
fn addresses_of_the_process_are_left_alone() {
    let c = context_of(&setup().coarse()[..1]);
    let before = cl!(clSVMAlloc(c, 0, page_size(), 0));
    // The device returns each address once, so the next ones are known, unless another test takes
    // them first.
    let own = Mapping::at(before.addr() + page_size(), 64 * page_size()).unwrap();
    if let Some(own) = &own {
        // SAFETY: this test's own mapping, of that length.
        unsafe { own.as_ptr().write_bytes(0x77, own.len()) };
    }
    let list: Vec<*mut c_void> =
        (0..40).map(|_| cl!(clSVMAlloc(c, 0, 2 * page_size(), 0))).collect();
    let q = queue_on(c, setup().coarse()[0]);
    for &p in &list {
        assert!(!p.is_null());
        put(q, p, &vec![1; 2 * page_size()]);
    }
    if let Some(own) = own {
        // SAFETY: as above.
        let content = unsafe { std::slice::from_raw_parts(own.as_ptr(), own.len()) };
        assert!(content.iter().all(|b| *b == 0x77), "nothing of the process's has changed");
    }
    for p in list.into_iter().chain([before]) {
        cl!(clSVMFree(c, p));
    }
    end(c, &[q]);
}

/// Content moves from map to device to map, on any device, and copies exchange it with host memory.
#[test]
fn content_moves() {
    let [one, two] = setup().coarse();
    let c = context_of(&[one, two, setup().device()]);
    let queues = [one, two, setup().device()].map(|d| queue_on(c, d));
    let p = cl!(clSVMAlloc(c, 0, 4096, 0));
    let q = cl!(clSVMAlloc(c, 0, 4096, 0));
    for (n, &queue) in queues.iter().enumerate() {
        let content: Vec<u8> = (0..4096).map(|i| (i * 7 + n * 31).to_le_bytes()[0]).collect();
        put(queue, p, &content);
        for &other in &queues {
            assert_eq!(seen(other, p, 4096), content);
            // From one allocation to another, and from device to device.
            code!(
                CL_SUCCESS,
                clEnqueueSVMMemcpy(other, CL_FALSE, q, p, 4096, 0, null(), null_mut())
            );
            code!(CL_SUCCESS, clFinish(other));
            for &third in &queues {
                assert_eq!(seen(third, behind(q, 100), 50), content[100..150]);
            }
            // A part is filled, another part is written from host memory, and the rest stays.
            code!(
                CL_SUCCESS,
                clEnqueueSVMMemFill(
                    other,
                    behind(q, 64),
                    at(&0xabcd_u16),
                    2,
                    32,
                    0,
                    null(),
                    null_mut()
                )
            );
            let three = [1_u8, 2, 3];
            code!(
                CL_SUCCESS,
                clEnqueueSVMMemcpy(
                    other,
                    CL_TRUE,
                    behind(q, 5),
                    at(&three),
                    3,
                    0,
                    null(),
                    null_mut()
                )
            );
            let mut wanted = content.clone();
            wanted[64..96].copy_from_slice(&[0xcd, 0xab].repeat(16));
            wanted[5..8].copy_from_slice(&three);
            map(queues[2 - n], CL_MAP_READ, q, 4096);
            assert_eq!(bytes(q, 4096), wanted);
            unmap(queues[2 - n], q);
        }
    }
    // Between two addresses in host memory.
    for queue in queues {
        let mut out = [0_u8; 4];
        code!(
            CL_SUCCESS,
            clEnqueueSVMMemcpy(
                queue,
                1,
                out.as_mut_ptr().cast(),
                at(&[5_u8; 4]),
                4,
                0,
                null(),
                null_mut()
            )
        );
        assert_eq!(out, [5; 4]);
        code!(
            CL_SUCCESS,
            clEnqueueSVMMemFill(
                queue,
                out.as_mut_ptr().cast(),
                at(&6_u8),
                1,
                3,
                0,
                null(),
                null_mut()
            )
        );
        code!(CL_SUCCESS, clFinish(queue));
        assert_eq!(out, [6, 6, 6, 5]);
    }
    for p in [p, q] {
        cl!(clSVMFree(c, p));
    }
    end(c, &queues);
}

/// A map for reading leaves the devices' copies current. A map for writing makes the host's copy of
/// the mapped part the only current one.
#[test]
fn maps() {
    let [one, two] = setup().coarse();
    let c = context_of(&[one, two]);
    let queues = [one, two].map(|d| queue_on(c, d));
    let [a, b] = queues;
    let p = cl!(clSVMAlloc(c, 0, 300, 0));
    put(a, p, &[1; 300]);
    assert_eq!(seen(b, p, 300), [1; 300]);
    map(a, CL_MAP_READ, p, 300);
    bytes(p, 300).fill(9);
    unmap(a, p);
    assert_eq!(seen(b, p, 300), [1; 300], "what is written to a map for reading is not seen");
    code!(CL_SUCCESS, clEnqueueSVMMemFill(b, p, at(&2_u8), 1, 300, 0, null(), null_mut()));
    code!(CL_SUCCESS, clFinish(b));
    // Two maps at the same time, unmapped in the order of the map calls.
    map(a, CL_MAP_READ | CL_MAP_WRITE, behind(p, 100), 50);
    map(b, CL_MAP_WRITE, behind(p, 200), 100);
    assert_eq!(bytes(behind(p, 100), 50), [2; 50]);
    bytes(behind(p, 100), 50).fill(3);
    bytes(behind(p, 200), 100).fill(4);
    unmap(a, behind(p, 100));
    unmap(a, behind(p, 200));
    let wanted = [[2; 100].as_slice(), &[3; 50], &[2; 50], &[4; 100]].concat();
    for q in queues {
        assert_eq!(seen(q, p, 300), wanted);
    }
    // An unmap of an unmapped pointer has no effect.
    unmap(a, behind(p, 7));
    // Behind an event that is not complete when the call returns.
    let user = make!(clCreateUserEvent(c));
    code!(
        CL_SUCCESS,
        clEnqueueSVMMap(a, CL_FALSE, CL_MAP_READ, p, 300, 1, &raw const user, null_mut())
    );
    code!(CL_SUCCESS, clEnqueueSVMMemFill(b, p, at(&8_u8), 1, 300, 0, null(), null_mut()));
    code!(CL_SUCCESS, clFinish(b));
    code!(CL_SUCCESS, clSetUserEventStatus(user, CL_COMPLETE));
    code!(CL_SUCCESS, clFinish(a));
    assert_eq!(bytes(p, 300), [8; 300]);
    unmap(a, p);
    code!(CL_SUCCESS, clReleaseEvent(user));
    // Migration to the host, to a device, and to a device with undefined content.
    let mut list = [p.cast_const()];
    for (q, flags) in
        [(a, 0), (b, CL_MIGRATE_MEM_OBJECT_HOST), (b, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)]
    {
        assert_eq!(seen(a, p, 300).len(), 300);
        code!(
            CL_SUCCESS,
            clEnqueueSVMMigrateMem(q, 1, list.as_mut_ptr(), null(), flags, 0, null(), null_mut())
        );
        code!(CL_SUCCESS, clFinish(q));
    }
    put(a, p, &[7; 300]);
    assert_eq!(seen(b, p, 300), [7; 300]);
    // Beyond the end of the allocation.
    let past = [
        cl!(clEnqueueSVMMap(a, CL_TRUE, CL_MAP_READ, p, 301, 0, null(), null_mut())),
        cl!(clEnqueueSVMMemcpy(
            a,
            CL_TRUE,
            behind(p, 299),
            at(&[0_u8; 2]),
            2,
            0,
            null(),
            null_mut()
        )),
        cl!(clEnqueueSVMMemFill(a, p, at(&0_u8), 1, usize::MAX, 0, null(), null_mut())),
        cl!(clEnqueueSVMMigrateMem(
            a,
            1,
            list.as_mut_ptr(),
            &raw const WIDE,
            0,
            0,
            null(),
            null_mut()
        )),
    ];
    assert_eq!(past, [CL_INVALID_VALUE; 4]);
    cl!(clSVMFree(c, p));
    end(c, &queues);
}

static WIDE: usize = 301;

/// A buffer on an allocation uses the allocation's memory, and keeps it after the allocation is
/// freed.
#[test]
fn buffers() {
    let [one, two] = setup().coarse();
    let c = context_of(&[one, two]);
    let queues = [one, two].map(|d| queue_on(c, d));
    let [a, b] = queues;
    let p = cl!(clSVMAlloc(c, 0, 4096, 0));
    put(a, p, &[1; 4096]);
    let whole = make!(clCreateBuffer(c, CL_MEM_USE_HOST_PTR, 4096, p));
    let inner = make!(clCreateBuffer(c, CL_MEM_USE_HOST_PTR, 2048, behind(p, 1024)));
    let region = cl_buffer_region { origin: 1024, size: 256 };
    let part = make!(clCreateSubBuffer(inner, 0, CL_BUFFER_CREATE_TYPE_REGION, at(&region)));
    for m in [whole, inner, part] {
        assert_eq!(number(&info!(clGetMemObjectInfo(m), CL_MEM_USES_SVM_POINTER)), 1);
    }
    fails!(CL_INVALID_BUFFER_SIZE, clCreateBuffer(c, CL_MEM_USE_HOST_PTR, 4096, behind(p, 1)));
    let fill = |q, m, value: u8, size| {
        code!(CL_SUCCESS, clEnqueueFillBuffer(q, m, at(&value), 1, 0, size, 0, null(), null_mut()));
        code!(CL_SUCCESS, clFinish(q));
    };
    fill(b, inner, 2, 2048);
    fill(a, part, 3, 256);
    let mut wanted = [1_u8; 4096];
    wanted[1024..3072].fill(2);
    wanted[2048..2304].fill(3);
    assert_eq!(seen(b, p, 4096), wanted);
    let mut out = [0_u8; 4096];
    code!(
        CL_SUCCESS,
        clEnqueueReadBuffer(b, whole, 1, 0, 4096, out.as_mut_ptr().cast(), 0, null(), null_mut())
    );
    assert_eq!(out, wanted);
    let mut code = 1;
    let at_part = cl!(clEnqueueMapBuffer(
        b,
        part,
        1,
        CL_MAP_WRITE,
        16,
        16,
        0,
        null(),
        null_mut(),
        &raw mut code
    ));
    assert_eq!((code, at_part), (CL_SUCCESS, behind(p, 2048 + 16)), "where the allocation is");
    bytes(at_part, 16).fill(4);
    code!(CL_SUCCESS, clEnqueueUnmapMemObject(b, part, at_part, 0, null(), null_mut()));
    code!(CL_SUCCESS, clFinish(b));
    wanted[2064..2080].fill(4);
    assert_eq!(seen(a, p, 4096), wanted);
    cl!(clSVMFree(c, p));
    code!(
        CL_SUCCESS,
        clEnqueueReadBuffer(a, whole, 1, 0, 4096, out.as_mut_ptr().cast(), 0, null(), null_mut())
    );
    assert_eq!(out, wanted);
    for m in [part, inner, whole] {
        code!(CL_SUCCESS, clReleaseMemObject(m));
    }
    end(c, &queues);
}

/// Kernels accept allocations, but no other addresses of the process. Memory that they may access
/// moves to their device.
#[test]
fn kernels_reach_allocations() {
    let [one, two] = setup().coarse();
    let devices = [one, two, setup().device(), setup().apart()];
    let c = context_of(&devices);
    let queues = devices.map(|d| queue_on(c, d));
    let program = program_from(c, &devices[..3], &binary_of(kernels(), BinaryKind::Executable));
    code!(CL_SUCCESS, clBuildProgram(program, 0, null(), null(), None, null_mut()));
    let k = kernel(program, c"two");
    code!(CL_SUCCESS, clSetKernelArg(k, 1, 16, at(&[0_u64; 2])));
    let items = 1_usize;
    let run = |q| {
        cl!(clEnqueueNDRangeKernel(
            q,
            k,
            1,
            null(),
            &raw const items,
            null(),
            0,
            null(),
            null_mut()
        ))
    };
    let p = cl!(clSVMAlloc(c, 0, 512, 0));
    put(queues[0], p, &[1; 512]);
    for inside in [p, behind(p, 100), behind(p, 512), null_mut()] {
        code!(CL_SUCCESS, clSetKernelArgSVMPointer(k, 0, inside));
        assert_eq!([run(queues[0]), run(queues[1]), run(queues[2])], [CL_SUCCESS; 3], "{inside:?}");
    }
    // A buffer may begin anywhere in an allocation, because it is no sub-buffer.
    let inside = make!(clCreateBuffer(c, CL_MEM_USE_HOST_PTR, 64, behind(p, 4)));
    code!(CL_SUCCESS, clSetKernelArg(k, 0, 8, at(&inside)));
    assert_eq!([run(queues[0]), run(queues[1]), run(queues[2])], [CL_SUCCESS; 3]);
    code!(CL_SUCCESS, clReleaseMemObject(inside));
    // A fine-grain allocation, memory of the application, and a freed allocation.
    let fine = cl!(clSVMAlloc(c, CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 0));
    let gone = cl!(clSVMAlloc(c, 0, 64, 0));
    cl!(clSVMFree(c, gone));
    let own = 5_u64;
    for foreign in [fine.cast_const(), at(&own), gone.cast_const()] {
        code!(CL_SUCCESS, clSetKernelArgSVMPointer(k, 0, foreign));
        assert_eq!([run(queues[0]), run(queues[1])], [CL_INVALID_OPERATION; 2]);
        assert_eq!(run(queues[2]), CL_SUCCESS, "a device that knows all addresses");
    }
    code!(CL_SUCCESS, clSetKernelArgSVMPointer(k, 0, p));
    let reached = [p, behind(p, 8), null_mut()];
    code!(CL_SUCCESS, clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, 24, at(&reached)));
    assert_eq!([run(queues[0]), run(queues[1]), run(queues[2])], [CL_SUCCESS; 3]);
    // The kernel may have written any byte: the host's copy is outdated, and a map updates it.
    code!(CL_SUCCESS, clFinish(queues[2]));
    code!(CL_SUCCESS, clEnqueueSVMMemFill(queues[1], p, at(&6_u8), 1, 512, 0, null(), null_mut()));
    assert_eq!(run(queues[1]), CL_SUCCESS);
    map(queues[1], CL_MAP_READ, p, 512);
    assert_eq!(bytes(p, 512), [6; 512]);
    unmap(queues[1], p);
    let yes = CL_TRUE;
    code!(
        CL_SUCCESS,
        clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 4, at(&yes))
    );
    assert_eq!([run(queues[0]), run(queues[2])], [CL_INVALID_OPERATION, CL_SUCCESS]);
    // No device of this context accepts all addresses of the process.
    let alone = context_of(&devices[..1]);
    let other = program_from(alone, &devices[..1], &binary_of(kernels(), BinaryKind::Executable));
    code!(CL_SUCCESS, clBuildProgram(other, 0, null(), null(), None, null_mut()));
    let lone = kernel(other, c"two");
    code!(
        CL_INVALID_OPERATION,
        clSetKernelExecInfo(lone, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 4, at(&yes))
    );
    code!(
        CL_SUCCESS,
        clSetKernelExecInfo(lone, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 4, at(&CL_FALSE))
    );
    // A device without shared virtual memory.
    code!(
        CL_INVALID_OPERATION,
        clEnqueueSVMMap(queues[3], 1, CL_MAP_READ, p, 4, 0, null(), null_mut())
    );
    for kernel in [k, lone] {
        code!(CL_SUCCESS, clReleaseKernel(kernel));
    }
    for program in [program, other] {
        code!(CL_SUCCESS, clReleaseProgram(program));
    }
    for p in [p, fine] {
        cl!(clSVMFree(c, p));
    }
    end(c, &queues);
    end(alone, &[]);
}

/// `cl_ext_buffer_device_address` on devices with memory of their own: each device has its own
/// address of a buffer, and content that kernels access moves there.
#[test]
fn addresses_of_buffers() {
    let devices = setup().coarse();
    let c = context_of(&devices);
    let queues = devices.map(|d| queue_on(c, d));
    let properties: [cl_mem_properties; 3] = [CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, 1, 0];
    let content = [7_u8; 64];
    let host = content.as_ptr().cast_mut().cast();
    let flags = CL_MEM_COPY_HOST_PTR;
    let m = make!(clCreateBufferWithProperties(c, properties.as_ptr(), flags, 64, host));
    let both = info!(clGetMemObjectInfo(m), CL_MEM_DEVICE_ADDRESS_EXT);
    let addresses: Vec<u64> = both.chunks(8).map(number).collect();
    assert!(addresses.len() == 2 && addresses[0] != addresses[1] && !addresses.contains(&0));
    let program = program_from(c, &devices, &binary_of(kernels(), BinaryKind::Executable));
    code!(CL_SUCCESS, clBuildProgram(program, 0, null(), null(), None, null_mut()));
    let k = kernel(program, c"two");
    code!(CL_SUCCESS, clSetKernelArg(k, 1, 16, at(&[0_u64; 2])));
    let items = 1_usize;
    let run = |q| {
        cl!(clEnqueueNDRangeKernel(
            q,
            k,
            1,
            null(),
            &raw const items,
            null(),
            0,
            null(),
            null_mut()
        ))
    };
    for n in [0, 1, 0] {
        code!(CL_SUCCESS, clSetKernelArgDevicePointerEXT(k, 0, addresses[n] + 8));
        assert_eq!(run(queues[n]), CL_SUCCESS);
        assert_eq!(run(queues[1 - n]), CL_INVALID_OPERATION, "an address of the other device");
        let mut out = [0_u8; 64];
        code!(
            CL_SUCCESS,
            clEnqueueReadBuffer(
                queues[n],
                m,
                1,
                0,
                64,
                out.as_mut_ptr().cast(),
                0,
                null(),
                null_mut()
            )
        );
        assert_eq!(out, content, "it came along");
    }
    code!(CL_SUCCESS, clSetKernelArgDevicePointerEXT(k, 0, 0));
    code!(
        CL_SUCCESS,
        clSetKernelExecInfo(
            k,
            CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT,
            16,
            at(&[addresses[0], addresses[1]])
        )
    );
    assert_eq!(run(queues[0]), CL_SUCCESS);
    code!(CL_SUCCESS, clReleaseKernel(k));
    code!(CL_SUCCESS, clReleaseProgram(program));
    code!(CL_SUCCESS, clReleaseMemObject(m));
    end(c, &queues);
}
