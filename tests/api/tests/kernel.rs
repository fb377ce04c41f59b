//! Kernels: creation, arguments, queries.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_test_api::{
    anything, argument, bad_handles, binary_of, buffer, cl, code, context, context_of, fails, info,
    kernel, make, number, program, program_from, setup, text,
};
use muxcl_types::container::BinaryKind;
use muxcl_types::program::{ArgKind, KernelInfo};

#[test]
fn create() {
    let c = context();
    let p = program(c);
    for bad in bad_handles::<_cl_program>() {
        fails!(CL_INVALID_PROGRAM, clCreateKernel(bad, c"empty".as_ptr()));
        code!(CL_INVALID_PROGRAM, clCreateKernelsInProgram(bad, 0, null_mut(), null_mut()));
    }
    fails!(CL_INVALID_VALUE, clCreateKernel(p, null()));
    fails!(CL_INVALID_KERNEL_NAME, clCreateKernel(p, c"nobody".as_ptr()));
    fails!(CL_INVALID_KERNEL_NAME, clCreateKernel(p, c"".as_ptr()));
    fails!(CL_INVALID_KERNEL_NAME, clCreateKernel(p, c"\xff\xfe".as_ptr()));

    let mut count = 0;
    code!(CL_SUCCESS, clCreateKernelsInProgram(p, 0, null_mut(), &raw mut count));
    assert_eq!(count, 3);
    let mut all = [null_mut(); 3];
    code!(CL_INVALID_VALUE, clCreateKernelsInProgram(p, 2, all.as_mut_ptr(), &raw mut count));
    assert!(all[0].is_null());
    code!(CL_SUCCESS, clCreateKernelsInProgram(p, 3, all.as_mut_ptr(), null_mut()));
    for (k, name) in all.into_iter().zip(["empty", "all", "two"]) {
        assert_eq!(text(&info!(clGetKernelInfo(k), CL_KERNEL_FUNCTION_NAME)), name);
        code!(CL_SUCCESS, clReleaseKernel(k));
    }
    let unbuilt =
        program_from(c, &[setup().device()], &binary_of(Vec::new(), BinaryKind::Executable));
    fails!(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(unbuilt, c"empty".as_ptr()));
    code!(
        CL_INVALID_PROGRAM_EXECUTABLE,
        clCreateKernelsInProgram(unbuilt, 0, null_mut(), &raw mut count)
    );
    code!(CL_SUCCESS, clReleaseProgram(unbuilt));
    code!(CL_SUCCESS, clReleaseProgram(p));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn definitions_must_agree() {
    let (a, b) = (setup().device(), setup().other_device());
    let c = context_of(&[a, b]);
    let one = |size| {
        let info = KernelInfo {
            name: "k".into(),
            args: vec![argument(ArgKind::Value, size, "x")],
            ..KernelInfo::default()
        };
        binary_of(vec![info], BinaryKind::Executable)
    };
    let (small, large) = (one(4), one(8));
    let lengths = [small.len(), large.len()];
    let mut pointers = [small.as_ptr(), large.as_ptr()];
    let devices = [a, b];
    let p = make!(clCreateProgramWithBinary(
        c,
        2,
        devices.as_ptr(),
        lengths.as_ptr(),
        pointers.as_mut_ptr(),
        null_mut()
    ));
    code!(CL_SUCCESS, clBuildProgram(p, 0, null(), null(), None, null_mut()));
    fails!(CL_INVALID_KERNEL_DEFINITION, clCreateKernel(p, c"k".as_ptr()));
    let mut made = null_mut();
    code!(CL_INVALID_KERNEL_DEFINITION, clCreateKernelsInProgram(p, 1, &raw mut made, null_mut()));
    code!(CL_SUCCESS, clReleaseProgram(p));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn references_and_clones() {
    let c = context();
    let p = program(c);
    let k = kernel(p, c"two");
    assert_eq!(number(&info!(clGetKernelInfo(k), CL_KERNEL_REFERENCE_COUNT)), 1);
    code!(CL_SUCCESS, clRetainKernel(k));
    assert_eq!(number(&info!(clGetKernelInfo(k), CL_KERNEL_REFERENCE_COUNT)), 2);
    let copy = make!(clCloneKernel(k));
    assert_ne!(copy, k);
    assert_eq!(text(&info!(clGetKernelInfo(copy), CL_KERNEL_FUNCTION_NAME)), "two");
    code!(CL_SUCCESS, clReleaseKernel(copy));
    code!(CL_SUCCESS, clReleaseKernel(k));
    code!(CL_SUCCESS, clReleaseKernel(k));
    for bad in bad_handles::<_cl_kernel>().into_iter().chain([k, copy, c.cast()]) {
        code!(CL_INVALID_KERNEL, clRetainKernel(bad));
        code!(CL_INVALID_KERNEL, clReleaseKernel(bad));
        fails!(CL_INVALID_KERNEL, clCloneKernel(bad));
        code!(CL_INVALID_KERNEL, clSetKernelArg(bad, 0, 4, anything()));
        code!(CL_INVALID_KERNEL, clSetKernelArgSVMPointer(bad, 0, anything()));
        code!(CL_INVALID_KERNEL, clSetKernelExecInfo(bad, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, null()));
        code!(
            CL_INVALID_KERNEL,
            clGetKernelInfo(bad, CL_KERNEL_NUM_ARGS, 0, null_mut(), null_mut())
        );
        code!(
            CL_INVALID_KERNEL,
            clGetKernelArgInfo(bad, 0, CL_KERNEL_ARG_NAME, 0, null_mut(), null_mut())
        );
        code!(
            CL_INVALID_KERNEL,
            clGetKernelWorkGroupInfo(
                bad,
                null_mut(),
                CL_KERNEL_WORK_GROUP_SIZE,
                0,
                null_mut(),
                null_mut()
            )
        );
        let most = CL_KERNEL_MAX_NUM_SUB_GROUPS;
        code!(
            CL_INVALID_KERNEL,
            clGetKernelSubGroupInfo(bad, null_mut(), most, 0, null(), 0, null_mut(), null_mut())
        );
        code!(
            CL_INVALID_KERNEL,
            clGetKernelSubGroupInfoKHR(bad, null_mut(), most, 0, null(), 0, null_mut(), null_mut())
        );
    }
    code!(CL_SUCCESS, clReleaseProgram(p));
    code!(CL_SUCCESS, clReleaseContext(c));
}

fn at<T>(value: &T) -> *const c_void {
    std::ptr::from_ref(value).cast()
}

#[test]
fn arguments() {
    let c = context();
    let other_context = context();
    let p = program(c);
    let k = kernel(p, c"all");
    let mem = buffer(c, 256);
    let foreign = buffer(other_context, 256);
    let null_mem: cl_mem = null_mut();
    let number = 7_u32;
    // By value.
    code!(CL_SUCCESS, clSetKernelArg(k, 0, 4, at(&number)));
    code!(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 0, 8, at(&[0_u64; 2])));
    code!(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 0, 0, at(&number)));
    code!(CL_INVALID_ARG_VALUE, clSetKernelArg(k, 0, 4, null()));
    // Buffers.
    for index in [1, 2] {
        code!(CL_SUCCESS, clSetKernelArg(k, index, 8, at(&mem)));
        code!(CL_SUCCESS, clSetKernelArg(k, index, 8, at(&null_mem)));
        code!(CL_SUCCESS, clSetKernelArg(k, index, 8, null()));
        code!(CL_INVALID_ARG_SIZE, clSetKernelArg(k, index, 4, at(&mem)));
        code!(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, index, 8, at(&k)));
        code!(CL_INVALID_CONTEXT, clSetKernelArg(k, index, 8, at(&foreign)));
        for bad in bad_handles::<_cl_mem>().into_iter().filter(|b| !b.is_null()) {
            code!(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, index, 8, at(&bad)));
        }
    }
    // Local memory.
    code!(CL_SUCCESS, clSetKernelArg(k, 3, 100, null()));
    code!(CL_INVALID_ARG_VALUE, clSetKernelArg(k, 3, 100, at(&number)));
    code!(CL_SUCCESS, clSetKernelArg(k, 3, 0, null()));
    code!(CL_INVALID_ARG_VALUE, clSetKernelArg(k, 3, 0, at(&number)));
    // Memory objects and samplers of the wrong type.
    code!(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 4, 8, at(&mem)));
    code!(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 4, 4, at(&mem)));
    code!(CL_INVALID_SAMPLER, clSetKernelArg(k, 5, 8, at(&mem)));
    code!(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 5, 4, at(&mem)));
    code!(CL_INVALID_DEVICE_QUEUE, clSetKernelArg(k, 6, 8, at(&mem)));
    code!(CL_INVALID_ARG_INDEX, clSetKernelArg(k, 7, 4, at(&number)));
    code!(CL_INVALID_ARG_INDEX, clSetKernelArg(k, u32::MAX, 4, at(&number)));
    // An argument keeps the memory alive, but not the handle.
    code!(CL_SUCCESS, clSetKernelArg(k, 1, 8, at(&mem)));
    code!(CL_SUCCESS, clReleaseMemObject(mem));
    code!(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 1, 8, at(&mem)));
    code!(CL_SUCCESS, clReleaseMemObject(foreign));
    code!(CL_SUCCESS, clReleaseKernel(k));
    code!(CL_SUCCESS, clReleaseProgram(p));
    code!(CL_SUCCESS, clReleaseContext(c));
    code!(CL_SUCCESS, clReleaseContext(other_context));
}

#[test]
fn queries() {
    let c = context();
    let p = program(c);
    let k = kernel(p, c"all");
    let d = setup().device();
    assert_eq!(number(&info!(clGetKernelInfo(k), CL_KERNEL_NUM_ARGS)), 7);
    assert_eq!(number(&info!(clGetKernelInfo(k), CL_KERNEL_CONTEXT)), c.addr() as u64);
    assert_eq!(number(&info!(clGetKernelInfo(k), CL_KERNEL_PROGRAM)), p.addr() as u64);
    assert_eq!(text(&info!(clGetKernelInfo(k), CL_KERNEL_ATTRIBUTES)), "", "it came from a binary");
    code!(CL_INVALID_VALUE, clGetKernelInfo(k, 0x9999, 0, null_mut(), null_mut()));

    assert_eq!(text(&info!(clGetKernelArgInfo(k, 1), CL_KERNEL_ARG_NAME)), "global");
    assert_eq!(text(&info!(clGetKernelArgInfo(k, 1), CL_KERNEL_ARG_TYPE_NAME)), "int");
    let address = number(&info!(clGetKernelArgInfo(k, 0), CL_KERNEL_ARG_ADDRESS_QUALIFIER));
    assert_eq!(address, u64::from(CL_KERNEL_ARG_ADDRESS_PRIVATE));
    let access = number(&info!(clGetKernelArgInfo(k, 0), CL_KERNEL_ARG_ACCESS_QUALIFIER));
    assert_eq!(access, u64::from(CL_KERNEL_ARG_ACCESS_NONE));
    assert_eq!(number(&info!(clGetKernelArgInfo(k, 0), CL_KERNEL_ARG_TYPE_QUALIFIER)), 0);
    code!(
        CL_INVALID_ARG_INDEX,
        clGetKernelArgInfo(k, 7, CL_KERNEL_ARG_NAME, 0, null_mut(), null_mut())
    );
    code!(CL_INVALID_VALUE, clGetKernelArgInfo(k, 0, 0x9999, 0, null_mut(), null_mut()));
    let bare = kernel(p, c"two");
    code!(
        CL_KERNEL_ARG_INFO_NOT_AVAILABLE,
        clGetKernelArgInfo(bare, 0, CL_KERNEL_ARG_NAME, 0, null_mut(), null_mut())
    );
    code!(CL_SUCCESS, clReleaseKernel(bare));

    for device in [d, null_mut()] {
        assert_eq!(
            number(&info!(clGetKernelWorkGroupInfo(k, device), CL_KERNEL_WORK_GROUP_SIZE)),
            1024
        );
        assert_eq!(
            number(&info!(clGetKernelWorkGroupInfo(k, device), CL_KERNEL_PRIVATE_MEM_SIZE)),
            16
        );
        assert_eq!(
            number(&info!(
                clGetKernelWorkGroupInfo(k, device),
                CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE
            )),
            4
        );
        let required: Vec<u8> = [8_usize, 2, 1].iter().flat_map(|n| n.to_ne_bytes()).collect();
        assert_eq!(
            info!(clGetKernelWorkGroupInfo(k, device), CL_KERNEL_COMPILE_WORK_GROUP_SIZE),
            required
        );
    }
    assert_eq!(number(&info!(clGetKernelWorkGroupInfo(k, d), CL_KERNEL_LOCAL_MEM_SIZE)), 64);
    code!(CL_SUCCESS, clSetKernelArg(k, 3, 128, null()));
    assert_eq!(number(&info!(clGetKernelWorkGroupInfo(k, d), CL_KERNEL_LOCAL_MEM_SIZE)), 64 + 128);
    let other = setup().other_device();
    let global = CL_KERNEL_GLOBAL_WORK_SIZE;
    code!(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(k, d, global, 0, null_mut(), null_mut()));
    code!(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(k, d, 0x9999, 0, null_mut(), null_mut()));
    code!(CL_INVALID_DEVICE, clGetKernelWorkGroupInfo(k, other, global, 0, null_mut(), null_mut()));
    let most = CL_KERNEL_MAX_NUM_SUB_GROUPS;
    code!(
        CL_INVALID_DEVICE,
        clGetKernelSubGroupInfo(k, other, most, 0, null(), 0, null_mut(), null_mut())
    );
    code!(
        CL_INVALID_DEVICE,
        clGetKernelSubGroupInfoKHR(k, other, most, 0, null(), 0, null_mut(), null_mut())
    );
    code!(CL_SUCCESS, clReleaseKernel(k));
    code!(CL_SUCCESS, clReleaseProgram(p));
    code!(CL_SUCCESS, clReleaseContext(c));

    // With two devices the query must name one.
    let c = context_of(&[d, other]);
    let p =
        program_from(c, &[d, other], &binary_of(muxcl_test_api::kernels(), BinaryKind::Executable));
    code!(CL_SUCCESS, clBuildProgram(p, 0, null(), null(), None, null_mut()));
    let k = kernel(p, c"all");
    let size = CL_KERNEL_WORK_GROUP_SIZE;
    code!(
        CL_INVALID_DEVICE,
        clGetKernelWorkGroupInfo(k, null_mut(), size, 0, null_mut(), null_mut())
    );
    code!(CL_SUCCESS, clGetKernelWorkGroupInfo(k, other, size, 0, null_mut(), null_mut()));
    // The other device has no sub-groups.
    let most = CL_KERNEL_MAX_NUM_SUB_GROUPS;
    code!(
        CL_INVALID_OPERATION,
        clGetKernelSubGroupInfo(k, other, most, 0, null(), 0, null_mut(), null_mut())
    );
    code!(
        CL_INVALID_OPERATION,
        clGetKernelSubGroupInfoKHR(k, other, most, 0, null(), 0, null_mut(), null_mut())
    );
    code!(CL_SUCCESS, clReleaseKernel(k));
    code!(CL_SUCCESS, clReleaseProgram(p));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn sub_groups() {
    let c = context();
    let p = program(c);
    let d = setup().device();
    // 16 work-items by default; kernel "all" asks for 8.
    for (name, width, asked) in [(c"empty", 16, 0), (c"all", 8, 8)] {
        let k = kernel(p, name);
        let ask = |what, input: &[usize], room: usize| {
            let mut out = [99usize; 3];
            let (bytes, mut size) = (size_of_val(input), 0);
            let from = if input.is_empty() { null() } else { input.as_ptr().cast() };
            let room = room * size_of::<usize>();
            let code = cl!(clGetKernelSubGroupInfo(
                k,
                d,
                what,
                bytes,
                from,
                room,
                out.as_mut_ptr().cast(),
                &raw mut size
            ));
            (code, out, size / size_of::<usize>())
        };
        for (local, items) in
            [(&[20usize][..], 20), (&[20, 3], 60), (&[4, 1, 1], 4), (&[1024], 1024)]
        {
            let (code, out, count) = ask(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, local, 1);
            assert_eq!((code, out[0], count), (CL_SUCCESS, width.min(items), 1));
            let (code, out, count) = ask(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, local, 1);
            assert_eq!((code, out[0], count), (CL_SUCCESS, items.div_ceil(width), 1));
        }
        let shape = CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT;
        assert_eq!(ask(shape, &[4], 3), (CL_SUCCESS, [4 * width, 1, 1], 3));
        assert_eq!(ask(shape, &[4], 1), (CL_SUCCESS, [4 * width, 99, 99], 1));
        assert_eq!(ask(shape, &[1025], 2), (CL_SUCCESS, [0, 0, 99], 2));
        assert_eq!(ask(shape, &[usize::MAX], 2), (CL_SUCCESS, [0, 0, 99], 2));
        assert_eq!(ask(CL_KERNEL_MAX_NUM_SUB_GROUPS, &[], 1).1[0], 1024 / width);
        assert_eq!(ask(CL_KERNEL_COMPILE_NUM_SUB_GROUPS, &[], 1).1[0], 0);
        assert_eq!(ask(CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, &[], 1).1[0], asked);

        for what in
            [CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, shape]
        {
            assert_eq!(ask(what, &[], 1).0, CL_INVALID_VALUE, "no input");
            assert_eq!(ask(what, &[1; 4], 1).0, CL_INVALID_VALUE, "four dimensions");
            assert_eq!(ask(what, &[1], 0).0, CL_INVALID_VALUE, "no room");
            let odd = cl!(clGetKernelSubGroupInfo(
                k,
                d,
                what,
                7,
                at(&[1usize]),
                0,
                null_mut(),
                null_mut()
            ));
            assert_eq!(odd, CL_INVALID_VALUE, "part of a number");
        }
        assert_eq!(ask(shape, &[1, 1], 3).0, CL_INVALID_VALUE, "a count is one number");
        code!(
            CL_INVALID_VALUE,
            clGetKernelSubGroupInfo(k, d, 0x9999, 0, null(), 0, null_mut(), null_mut())
        );
        code!(
            CL_INVALID_VALUE,
            clGetKernelSubGroupInfoKHR(k, d, 0x9999, 0, null(), 0, null_mut(), null_mut())
        );
        code!(CL_SUCCESS, clReleaseKernel(k));
    }
    code!(CL_SUCCESS, clReleaseProgram(p));
    code!(CL_SUCCESS, clReleaseContext(c));
}

/// The argument's address space determines the kind of value, whatever the application assumes: no
/// call may crash.
#[test]
fn many_threads_set_arguments_of_their_own_kernels() {
    let c = context();
    let p = program(c);
    let address = p.expose_provenance();
    let threads: Vec<_> = (0..4)
        .map(|_| {
            std::thread::spawn(move || {
                let p: cl_program = std::ptr::with_exposed_provenance_mut(address);
                for n in 0..200_u128 {
                    let k = kernel(p, c"two");
                    let copy = make!(clCloneKernel(k));
                    assert_eq!(cl!(clSetKernelArg(copy, 1, 16, at(&n))), CL_SUCCESS);
                    code!(CL_SUCCESS, clReleaseKernel(k));
                    code!(CL_SUCCESS, clReleaseKernel(copy));
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    code!(CL_SUCCESS, clReleaseProgram(p));
    code!(CL_SUCCESS, clReleaseContext(c));
}
