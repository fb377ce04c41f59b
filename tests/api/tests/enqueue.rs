//! Enqueued commands: error codes of their own arguments.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, Ordering};

use muxcl_cl_sys::*;
use muxcl_test_api::{
    argument, bad_handles, binary_of, buffer, cl, code, context, context_of, fails, info, kernel,
    make, number, program, program_from, setup,
};
use muxcl_types::container::{Binary, BinaryKind};
use muxcl_types::program::{ArgKind, KernelInfo};

fn queue(context: cl_context) -> cl_command_queue {
    make!(clCreateCommandQueueWithProperties(context, setup().device(), null()))
}

#[test]
fn reads_and_writes() {
    let c = context();
    let (q, m) = (queue(c), buffer(c, 64));
    let mut host = [0_u8; 128];
    let p: *mut c_void = host.as_mut_ptr().cast();
    for (offset, size) in [(0, 65), (64, 1), (usize::MAX, 2), (2, usize::MAX)] {
        code!(
            CL_INVALID_VALUE,
            clEnqueueReadBuffer(q, m, 1, offset, size, p, 0, null(), null_mut())
        );
        code!(
            CL_INVALID_VALUE,
            clEnqueueWriteBuffer(q, m, 1, offset, size, p.cast_const(), 0, null(), null_mut())
        );
    }
    code!(CL_INVALID_VALUE, clEnqueueReadBuffer(q, m, 1, 0, 4, null_mut(), 0, null(), null_mut()));
    code!(CL_INVALID_VALUE, clEnqueueWriteBuffer(q, m, 1, 0, 4, null(), 0, null(), null_mut()));
    code!(CL_SUCCESS, clEnqueueReadBuffer(q, m, 0, 64, 0, p, 0, null(), null_mut()));
    for (flag, read, write) in [
        (CL_MEM_HOST_WRITE_ONLY, CL_INVALID_OPERATION, CL_SUCCESS),
        (CL_MEM_HOST_READ_ONLY, CL_SUCCESS, CL_INVALID_OPERATION),
        (CL_MEM_HOST_NO_ACCESS, CL_INVALID_OPERATION, CL_INVALID_OPERATION),
    ] {
        let m = make!(clCreateBuffer(c, CL_MEM_READ_WRITE | flag, 64, null_mut()));
        let (zero, one) = ([0_usize; 3], [1_usize; 3]);
        let (o, r) = (zero.as_ptr(), one.as_ptr());
        assert_eq!(cl!(clEnqueueReadBuffer(q, m, 1, 0, 4, p, 0, null(), null_mut())), read);
        assert_eq!(
            cl!(clEnqueueWriteBuffer(q, m, 1, 0, 4, p.cast_const(), 0, null(), null_mut())),
            write
        );
        assert_eq!(
            cl!(clEnqueueReadBufferRect(q, m, 1, o, o, r, 0, 0, 0, 0, p, 0, null(), null_mut())),
            read
        );
        assert_eq!(
            cl!(clEnqueueWriteBufferRect(
                q,
                m,
                1,
                o,
                o,
                r,
                0,
                0,
                0,
                0,
                p.cast_const(),
                0,
                null(),
                null_mut()
            )),
            write
        );
        for (map, expected) in
            [(CL_MAP_READ, read), (CL_MAP_WRITE, write), (CL_MAP_WRITE_INVALIDATE_REGION, write)]
        {
            let mut code = 1;
            let at =
                cl!(clEnqueueMapBuffer(q, m, 1, map, 0, 4, 0, null(), null_mut(), &raw mut code));
            assert_eq!(code, expected);
            if code == CL_SUCCESS {
                code!(CL_SUCCESS, clEnqueueUnmapMemObject(q, m, at, 0, null(), null_mut()));
            }
        }
        // A sub-buffer inherits the host access flags.
        let region = cl_buffer_region { origin: 0, size: 32 };
        let s = make!(clCreateSubBuffer(
            m,
            0,
            CL_BUFFER_CREATE_TYPE_REGION,
            (&raw const region).cast()
        ));
        assert_eq!(cl!(clEnqueueReadBuffer(q, s, 1, 0, 4, p, 0, null(), null_mut())), read);
        code!(CL_SUCCESS, clReleaseMemObject(s));
        code!(CL_SUCCESS, clReleaseMemObject(m));
    }
}

#[test]
fn rectangles() {
    let c = context();
    let (q, m) = (queue(c), buffer(c, 256));
    let mut host = [0_u8; 256];
    let p: *mut c_void = host.as_mut_ptr().cast();
    let o = [0_usize; 3];
    // Region, buffer's row and slice pitch, host's row and slice pitch; all invalid.
    for (region, pitch) in [
        ([0, 1, 1], [0, 0, 0, 0]),
        ([1, 0, 1], [0, 0, 0, 0]),
        ([1, 1, 0], [0, 0, 0, 0]),
        ([8, 4, 2], [7, 0, 0, 0]),
        ([8, 4, 2], [8, 31, 0, 0]),
        ([8, 4, 2], [0, 0, 7, 0]),
        ([8, 4, 2], [0, 0, 8, 31]),
        ([257, 1, 1], [0, 0, 0, 0]),
        ([8, 4, 9], [0, 0, 0, 0]),
        ([8, 4, 2], [usize::MAX / 2, 0, 0, 0]),
        ([usize::MAX, 2, 2], [0, 0, 0, 0]),
    ] {
        let (o, r) = (o.as_ptr(), region.as_ptr());
        let [br, bs, hr, hs] = pitch;
        code!(
            CL_INVALID_VALUE,
            clEnqueueReadBufferRect(q, m, 1, o, o, r, br, bs, hr, hs, p, 0, null(), null_mut())
        );
        let s = p.cast_const();
        code!(
            CL_INVALID_VALUE,
            clEnqueueWriteBufferRect(q, m, 1, o, o, r, br, bs, hr, hs, s, 0, null(), null_mut())
        );
        let other = buffer(c, 256);
        code!(
            CL_INVALID_VALUE,
            clEnqueueCopyBufferRect(q, m, other, o, o, r, br, bs, hr, hs, 0, null(), null_mut())
        );
        code!(CL_SUCCESS, clReleaseMemObject(other));
    }
    let one = [1_usize; 3];
    let (z, r, n) = (o.as_ptr(), one.as_ptr(), null());
    for (a, b, g) in [(n, z, r), (z, n, r), (z, z, n)] {
        code!(
            CL_INVALID_VALUE,
            clEnqueueReadBufferRect(q, m, 1, a, b, g, 0, 0, 0, 0, p, 0, null(), null_mut())
        );
        code!(
            CL_INVALID_VALUE,
            clEnqueueCopyBufferRect(q, m, m, a, b, g, 0, 0, 0, 0, 0, null(), null_mut())
        );
    }
    code!(
        CL_INVALID_VALUE,
        clEnqueueReadBufferRect(q, m, 1, z, z, r, 0, 0, 0, 0, null_mut(), 0, null(), null_mut())
    );
    code!(
        CL_INVALID_VALUE,
        clEnqueueWriteBufferRect(q, m, 1, z, z, r, 0, 0, 0, 0, null(), 0, null(), null_mut())
    );
}

#[test]
fn copies_overlap() {
    let c = context();
    let (q, m) = (queue(c), buffer(c, 1024));
    let copy = |a, b, from, to, size| {
        cl!(clEnqueueCopyBuffer(q, a, b, from, to, size, 0, null(), null_mut()))
    };
    assert_eq!(copy(m, m, 0, 16, 16), CL_SUCCESS);
    assert_eq!(copy(m, m, 16, 0, 16), CL_SUCCESS);
    assert_eq!(copy(m, m, 0, 15, 16), CL_MEM_COPY_OVERLAP);
    assert_eq!(copy(m, m, 15, 0, 16), CL_MEM_COPY_OVERLAP);
    assert_eq!(copy(m, m, 7, 7, 1), CL_MEM_COPY_OVERLAP);
    assert_eq!(copy(m, m, 1000, 0, 25), CL_INVALID_VALUE);
    assert_eq!(copy(m, m, 0, 1000, 25), CL_INVALID_VALUE);
    let sub = |origin, size| {
        let region = cl_buffer_region { origin, size };
        make!(clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, (&raw const region).cast()))
    };
    let (a, b) = (sub(0, 256), sub(128, 256));
    assert_eq!(copy(a, b, 0, 0, 128), CL_SUCCESS);
    assert_eq!(copy(a, b, 1, 0, 128), CL_MEM_COPY_OVERLAP);
    assert_eq!(copy(a, m, 0, 255, 10), CL_SUCCESS);
    assert_eq!(copy(a, m, 0, 5, 10), CL_MEM_COPY_OVERLAP);
    let rect = |x, y, to: [usize; 3], pitch: usize, other: usize| {
        let (o, r) = ([0_usize; 3], [8_usize, 4, 2]);
        cl!(clEnqueueCopyBufferRect(
            q,
            x,
            y,
            o.as_ptr(),
            to.as_ptr(),
            r.as_ptr(),
            pitch,
            4 * pitch,
            other,
            4 * other,
            0,
            null(),
            null_mut()
        ))
    };
    // Next to each other in the gaps between rows, and then overlapping by one byte.
    assert_eq!(rect(m, m, [8, 0, 0], 16, 16), CL_SUCCESS);
    assert_eq!(rect(m, m, [7, 0, 0], 16, 16), CL_MEM_COPY_OVERLAP);
    assert_eq!(rect(m, m, [0, 3, 1], 16, 16), CL_MEM_COPY_OVERLAP);
    assert_eq!(rect(m, m, [0, 0, 2], 16, 16), CL_SUCCESS);
    assert_eq!(rect(m, m, [8, 0, 0], 16, 20), CL_INVALID_VALUE, "other pitches in one buffer");
    assert_eq!(rect(a, b, [7, 0, 0], 16, 16), CL_SUCCESS, "128 bytes further");
    let near = sub(0, 512);
    assert_eq!(rect(a, near, [7, 0, 0], 16, 16), CL_MEM_COPY_OVERLAP);
    code!(CL_SUCCESS, clFinish(q));
}

#[test]
fn fills_maps_and_migrations() {
    let c = context();
    let (q, m) = (queue(c), buffer(c, 256));
    let bytes = [1_u8; 256];
    let p: *const c_void = bytes.as_ptr().cast();
    for size in [1, 2, 4, 8, 16, 32, 64, 128] {
        code!(CL_SUCCESS, clEnqueueFillBuffer(q, m, p, size, 128, 128, 0, null(), null_mut()));
    }
    for size in [0, 3, 5, 12, 256] {
        code!(CL_INVALID_VALUE, clEnqueueFillBuffer(q, m, p, size, 0, 0, 0, null(), null_mut()));
    }
    code!(CL_INVALID_VALUE, clEnqueueFillBuffer(q, m, null(), 4, 0, 4, 0, null(), null_mut()));
    code!(CL_INVALID_VALUE, clEnqueueFillBuffer(q, m, p, 4, 2, 4, 0, null(), null_mut()));
    code!(CL_INVALID_VALUE, clEnqueueFillBuffer(q, m, p, 4, 4, 6, 0, null(), null_mut()));
    code!(CL_INVALID_VALUE, clEnqueueFillBuffer(q, m, p, 4, 256, 4, 0, null(), null_mut()));

    let invalidate = CL_MAP_WRITE_INVALIDATE_REGION;
    for (flags, offset, size) in [
        (CL_MAP_READ, 0, 0),
        (CL_MAP_READ, 250, 7),
        (CL_MAP_READ, usize::MAX, 1),
        (8, 0, 4),
        (CL_MAP_READ | invalidate, 0, 4),
        (CL_MAP_WRITE | invalidate, 0, 4),
    ] {
        fails!(
            CL_INVALID_VALUE,
            clEnqueueMapBuffer(q, m, 1, flags, offset, size, 0, null(), null_mut())
        );
    }
    let mapped = make!(clEnqueueMapBuffer(
        q,
        m,
        1,
        CL_MAP_READ | CL_MAP_WRITE,
        128,
        4,
        0,
        null(),
        null_mut()
    ));
    code!(CL_INVALID_VALUE, clEnqueueUnmapMemObject(q, m, null_mut(), 0, null(), null_mut()));
    code!(
        CL_INVALID_VALUE,
        clEnqueueUnmapMemObject(q, m, mapped.wrapping_byte_add(1), 0, null(), null_mut())
    );
    code!(
        CL_INVALID_VALUE,
        clEnqueueUnmapMemObject(q, buffer(c, 256), mapped, 0, null(), null_mut())
    );
    code!(
        CL_INVALID_MEM_OBJECT,
        clEnqueueUnmapMemObject(q, null_mut(), mapped, 0, null(), null_mut())
    );
    code!(
        CL_INVALID_COMMAND_QUEUE,
        clEnqueueUnmapMemObject(null_mut(), m, mapped, 0, null(), null_mut())
    );
    assert_eq!(number(&info!(clGetMemObjectInfo(m), CL_MEM_MAP_COUNT)), 1);
    code!(CL_SUCCESS, clEnqueueUnmapMemObject(q, m, mapped, 0, null(), null_mut()));
    code!(CL_INVALID_VALUE, clEnqueueUnmapMemObject(q, m, mapped, 0, null(), null_mut()));
    assert_eq!(number(&info!(clGetMemObjectInfo(m), CL_MEM_MAP_COUNT)), 0);

    code!(
        CL_INVALID_VALUE,
        clEnqueueMigrateMemObjects(q, 0, &raw const m, 0, 0, null(), null_mut())
    );
    code!(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(q, 1, null(), 0, 0, null(), null_mut()));
    code!(
        CL_INVALID_VALUE,
        clEnqueueMigrateMemObjects(q, 1, &raw const m, 4, 0, null(), null_mut())
    );
    let flags = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    code!(CL_SUCCESS, clEnqueueMigrateMemObjects(q, 1, &raw const m, flags, 0, null(), null_mut()));
    code!(CL_SUCCESS, clFinish(q));
}

unsafe extern "C" fn add(args: *mut c_void) {
    // SAFETY: the test passes {pointer to a u32, u32}.
    let (p, n) = unsafe { args.cast::<(*mut u32, usize)>().read_unaligned() };
    // SAFETY: as above.
    unsafe { *p += u32::try_from(n).unwrap_or(0) };
}

#[test]
fn native_kernels() {
    let c = context();
    let (q, m) = (queue(c), buffer(c, 4));
    let zero = 0_u32;
    code!(
        CL_SUCCESS,
        clEnqueueFillBuffer(q, m, (&raw const zero).cast(), 4, 0, 4, 0, null(), null_mut())
    );
    let mut args: (*mut u32, usize) = (null_mut(), 7);
    let base: *mut c_void = (&raw mut args).cast();
    let place: *const c_void = (&raw const args.0).cast();
    let mut places = [place];
    let l = places.as_mut_ptr();
    let (none, mem) = (null_mut(), &raw const m);
    let f = Some(add as unsafe extern "C" fn(*mut c_void));
    code!(CL_INVALID_VALUE, clEnqueueNativeKernel(q, None, base, 16, 1, mem, l, 0, null(), none));
    code!(
        CL_INVALID_VALUE,
        clEnqueueNativeKernel(q, f, null_mut(), 16, 0, null(), null_mut(), 0, null(), none)
    );
    code!(CL_INVALID_VALUE, clEnqueueNativeKernel(q, f, null_mut(), 0, 1, mem, l, 0, null(), none));
    code!(
        CL_INVALID_VALUE,
        clEnqueueNativeKernel(q, f, base, 0, 0, null(), null_mut(), 0, null(), none)
    );
    code!(CL_INVALID_VALUE, clEnqueueNativeKernel(q, f, base, 16, 1, null(), l, 0, null(), none));
    code!(
        CL_INVALID_VALUE,
        clEnqueueNativeKernel(q, f, base, 16, 1, mem, null_mut(), 0, null(), none)
    );
    code!(
        CL_INVALID_VALUE,
        clEnqueueNativeKernel(q, f, base, 16, 0, mem, null_mut(), 0, null(), none)
    );
    code!(CL_INVALID_VALUE, clEnqueueNativeKernel(q, f, base, 16, 0, null(), l, 0, null(), none));
    code!(CL_INVALID_VALUE, clEnqueueNativeKernel(q, f, base, 7, 1, mem, l, 0, null(), none));
    let bad: cl_mem = q.cast();
    code!(
        CL_INVALID_MEM_OBJECT,
        clEnqueueNativeKernel(q, f, base, 16, 1, &raw const bad, l, 0, null(), none)
    );
    for _ in 0..3 {
        code!(CL_SUCCESS, clEnqueueNativeKernel(q, f, base, 16, 1, mem, l, 0, null(), none));
    }
    args.1 = 1000;
    assert_eq!(args.1, 1000);
    let mut out = 0_u32;
    code!(CL_SUCCESS, clEnqueueReadBuffer(q, m, 1, 0, 4, (&raw mut out).cast(), 0, null(), none));
    assert_eq!(out, 21, "arguments are copied when enqueued");
}

#[test]
fn launches() {
    let c = context();
    let q = queue(c);
    let p = program(c);
    let empty = kernel(p, c"empty");
    let launch = |k: cl_kernel, dims: u32, offset: &[usize], global: &[usize], local: &[usize]| {
        let at = |s: &[usize]| if s.is_empty() { null() } else { s.as_ptr() };
        let mut e = null_mut();
        let code = cl!(clEnqueueNDRangeKernel(
            q,
            k,
            dims,
            at(offset),
            at(global),
            at(local),
            0,
            null(),
            &raw mut e
        ));
        assert_eq!(code == CL_SUCCESS, !e.is_null());
        if code == CL_SUCCESS {
            code!(CL_SUCCESS, clWaitForEvents(1, &raw const e));
            assert_eq!(
                number(&info!(clGetEventInfo(e), CL_EVENT_COMMAND_TYPE)),
                u64::from(CL_COMMAND_NDRANGE_KERNEL)
            );
            code!(CL_SUCCESS, clReleaseEvent(e));
        }
        code
    };
    for bad in bad_handles::<_cl_kernel>() {
        assert_eq!(launch(bad, 1, &[], &[1], &[]), CL_INVALID_KERNEL);
        code!(CL_INVALID_KERNEL, clEnqueueTask(q, bad, 0, null(), null_mut()));
    }
    let mut one = 1_usize;
    let g = &raw const one;
    code!(
        CL_INVALID_COMMAND_QUEUE,
        clEnqueueNDRangeKernel(null_mut(), empty, 1, null(), g, null(), 0, null(), null_mut())
    );
    code!(
        CL_INVALID_EVENT_WAIT_LIST,
        clEnqueueNDRangeKernel(q, empty, 1, null(), g, null(), 1, null(), null_mut())
    );
    let elsewhere = kernel(program(context()), c"empty");
    assert_eq!(launch(elsewhere, 1, &[], &[1], &[]), CL_INVALID_CONTEXT);
    for dims in [0, 4, u32::MAX] {
        assert_eq!(launch(empty, dims, &[], &[1, 1, 1, 1], &[]), CL_INVALID_WORK_DIMENSION);
    }
    assert_eq!(launch(empty, 1, &[usize::MAX], &[1], &[]), CL_INVALID_GLOBAL_OFFSET);
    assert_eq!(launch(empty, 1, &[], &[1 << 20], &[2000]), CL_INVALID_WORK_ITEM_SIZE);
    assert_eq!(launch(empty, 2, &[], &[64, 64], &[64, 64]), CL_INVALID_WORK_GROUP_SIZE);
    assert_eq!(launch(empty, 1, &[], &[8], &[0]), CL_INVALID_WORK_GROUP_SIZE);
    for global in [vec![], vec![0], vec![1], vec![1021]] {
        assert_eq!(launch(empty, 1, &[], &global, &[]), CL_SUCCESS);
    }
    assert_eq!(launch(empty, 3, &[1, 2, 3], &[4, 5, 6], &[4, 5, 6]), CL_SUCCESS);
    assert_eq!(launch(empty, 1, &[], &[10], &[4]), CL_SUCCESS, "a partial group");
    code!(CL_SUCCESS, clEnqueueTask(q, empty, 0, null(), null_mut()));

    let two = kernel(p, c"two");
    assert_eq!(launch(two, 1, &[], &[1], &[]), CL_INVALID_KERNEL_ARGS);
    code!(CL_SUCCESS, clSetKernelArg(two, 0, 8, null()));
    assert_eq!(launch(two, 1, &[], &[1], &[]), CL_INVALID_KERNEL_ARGS);
    let value = [0_u8; 16];
    code!(CL_SUCCESS, clSetKernelArg(two, 1, 16, value.as_ptr().cast()));
    assert_eq!(launch(two, 1, &[], &[1], &[]), CL_SUCCESS);

    let mut local = 0_usize;
    let l = &raw mut local;
    let name = c"clGetKernelSuggestedLocalWorkSizeKHR";
    let address = cl!(clGetExtensionFunctionAddressForPlatform(setup().platform(), name.as_ptr()));
    assert!(!address.is_null());
    // SAFETY: the function of that name has this type.
    let suggest: clGetKernelSuggestedLocalWorkSizeKHR_fn = unsafe { std::mem::transmute(address) };
    let suggest = |k, dims, global, out| {
        // SAFETY: NULL or live pointers.
        unsafe { suggest(q, k, dims, null(), global, out) }
    };
    assert_eq!(suggest(empty, 1, g, null_mut()), CL_INVALID_VALUE);
    assert_eq!(suggest(empty, 1, null(), l), CL_INVALID_GLOBAL_WORK_SIZE);
    assert_eq!(suggest(empty, 0, g, l), CL_INVALID_WORK_DIMENSION);
    assert_eq!(suggest(null_mut(), 1, g, l), CL_INVALID_KERNEL);
    one = 4096;
    assert_eq!(suggest(empty, 1, &raw const one, l), CL_SUCCESS);
    assert!(local > 1 && 4096 % local == 0, "{local}");
    let (of_extension, at) = (std::mem::take(&mut local), &raw const one);
    let l = &raw mut local;
    code!(CL_SUCCESS, clGetKernelSuggestedLocalWorkSize(q, empty, 1, null(), at, l));
    assert_eq!(local, of_extension);
    code!(CL_SUCCESS, clFinish(q));
}

static DESTROYED: AtomicBool = AtomicBool::new(false);

unsafe extern "C" fn destroyed(_: cl_mem, _: *mut c_void) {
    DESTROYED.store(true, Ordering::SeqCst);
}

#[test]
fn a_repeated_launch_delays_a_destructor_callback_that_came_between() {
    let c = context();
    let (q, m) = (queue(c), buffer(c, 64));
    let k = kernel(program(c), c"two");
    let value = [0_u8; 16];
    code!(CL_SUCCESS, clSetKernelArg(k, 0, 8, (&raw const m).cast()));
    code!(CL_SUCCESS, clSetKernelArg(k, 1, 16, value.as_ptr().cast()));
    let (gate, one) = (make!(clCreateUserEvent(c)), 1_usize);
    let launch = |waits: cl_uint| {
        let list = if waits == 0 { null() } else { &raw const gate };
        let at = &raw const one;
        code!(CL_SUCCESS, clEnqueueNDRangeKernel(q, k, 1, null(), at, at, waits, list, null_mut()));
    };
    launch(0);
    launch(0);
    code!(CL_SUCCESS, clFinish(q));
    code!(CL_SUCCESS, clSetMemObjectDestructorCallback(m, Some(destroyed), null_mut()));
    launch(1);
    code!(CL_SUCCESS, clFlush(q));
    code!(CL_SUCCESS, clReleaseMemObject(m));
    assert!(!DESTROYED.load(Ordering::SeqCst), "a pending launch uses the buffer");
    code!(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
    code!(CL_SUCCESS, clFinish(q));
    assert!(DESTROYED.load(Ordering::SeqCst));
}

#[test]
fn rules_of_a_program() {
    let c = context();
    let q = queue(c);
    let info = |name: &str| KernelInfo { name: name.into(), ..KernelInfo::default() };
    let fixed = KernelInfo { reqd_work_group_size: [8, 2, 1], ..info("fixed") };
    let local = KernelInfo { args: vec![argument(ArgKind::LocalPointer, 8, "l")], ..info("local") };
    let mut binary =
        Binary::from_bytes(&binary_of(vec![info("any"), fixed, local], BinaryKind::Executable))
            .unwrap();
    binary.info.uniform_work_groups = true;
    let p = program_from(c, &[setup().device()], &binary.to_bytes());
    code!(CL_SUCCESS, clBuildProgram(p, 0, null(), null(), None, null_mut()));
    let launch = |k, global: [usize; 2], local: Option<[usize; 2]>| {
        let l = local.as_ref().map_or(null(), |l| l.as_ptr());
        cl!(clEnqueueNDRangeKernel(q, k, 2, null(), global.as_ptr(), l, 0, null(), null_mut()))
    };
    let any = kernel(p, c"any");
    assert_eq!(
        launch(any, [10, 3], Some([4, 1])),
        CL_INVALID_WORK_GROUP_SIZE,
        "uniform groups were promised"
    );
    assert_eq!(launch(any, [10, 3], None), CL_SUCCESS);
    let fixed = kernel(p, c"fixed");
    assert_eq!(launch(fixed, [16, 4], Some([2, 8])), CL_INVALID_WORK_GROUP_SIZE);
    assert_eq!(launch(fixed, [16, 4], Some([8, 2])), CL_SUCCESS);
    assert_eq!(launch(fixed, [16, 4], None), CL_SUCCESS);
    assert_eq!(launch(fixed, [12, 4], None), CL_INVALID_WORK_GROUP_SIZE);
    let local = kernel(p, c"local");
    code!(CL_SUCCESS, clSetKernelArg(local, 0, 1 << 10, null()));
    assert_eq!(launch(local, [1, 1], None), CL_SUCCESS);
    code!(CL_SUCCESS, clSetKernelArg(local, 0, 1 << 20, null()));
    assert_eq!(launch(local, [1, 1], None), CL_OUT_OF_RESOURCES);
    code!(CL_SUCCESS, clFinish(q));
}

#[test]
fn a_kernel_for_one_device_does_not_run_on_the_other() {
    let c = context_of(&[setup().device(), setup().other_device()]);
    let q = make!(clCreateCommandQueueWithProperties(c, setup().other_device(), null()));
    let empty = kernel(program(c), c"empty");
    code!(CL_INVALID_PROGRAM_EXECUTABLE, clEnqueueTask(q, empty, 0, null(), null_mut()));
}
