//! Programs: creation, binaries, builds without a compiler, queries.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use muxcl_cl_sys::*;
use muxcl_test_api::{
    anything, bad_handles, binary_of, cl, code, context, context_of, fails, info, kernel, kernels,
    make, number, program, program_from, setup, text,
};
use muxcl_types::container::BinaryKind;

const SOURCE: &std::ffi::CStr = c"kernel void k() {}";

fn source_program(c: cl_context) -> cl_program {
    let mut source = SOURCE.as_ptr();
    make!(clCreateProgramWithSource(c, 1, &raw mut source, null()))
}

#[test]
fn with_source() {
    let c = context();
    let mut parts = [c"kernel ".as_ptr(), c"void k() {}xxx".as_ptr()];
    let lengths = [0, 11];
    let p = make!(clCreateProgramWithSource(c, 2, parts.as_mut_ptr(), lengths.as_ptr()));
    assert_eq!(text(&info!(clGetProgramInfo(p), CL_PROGRAM_SOURCE)), "kernel void k() {}");
    code!(CL_SUCCESS, clReleaseProgram(p));
    for bad in bad_handles::<_cl_context>() {
        fails!(CL_INVALID_CONTEXT, clCreateProgramWithSource(bad, 1, parts.as_mut_ptr(), null()));
    }
    fails!(CL_INVALID_VALUE, clCreateProgramWithSource(c, 0, parts.as_mut_ptr(), null()));
    fails!(CL_INVALID_VALUE, clCreateProgramWithSource(c, 1, null_mut(), null()));
    parts[1] = null();
    fails!(CL_INVALID_VALUE, clCreateProgramWithSource(c, 2, parts.as_mut_ptr(), null()));
    fails!(CL_INVALID_VALUE, clCreateProgramWithSource(c, 2, parts.as_mut_ptr(), lengths.as_ptr()));
    code!(CL_SUCCESS, clReleaseContext(c));
}

/// A call of `clCreateProgramWithBinary` for the first device that must fail; returns the binary
/// status.
fn refused(c: cl_context, bytes: &[u8], expected: cl_int) -> cl_int {
    let d = setup().device();
    let length = bytes.len();
    let mut pointer = if bytes.is_empty() { null() } else { bytes.as_ptr() };
    let (mut status, mut code) = (77, 77);
    let made = cl!(clCreateProgramWithBinary(
        c,
        1,
        &raw const d,
        &raw const length,
        &raw mut pointer,
        &raw mut status,
        &raw mut code
    ));
    assert!(made.is_null());
    assert_eq!(code, expected);
    status
}

#[test]
fn with_binary() {
    let c = context();
    let d = setup().device();
    let good = binary_of(kernels(), BinaryKind::Executable);
    let length = good.len();
    let mut pointer = good.as_ptr();
    let mut status = 77;
    for bad in bad_handles::<_cl_context>() {
        fails!(
            CL_INVALID_CONTEXT,
            clCreateProgramWithBinary(
                bad,
                1,
                &raw const d,
                &raw const length,
                &raw mut pointer,
                &raw mut status
            )
        );
    }
    fails!(
        CL_INVALID_VALUE,
        clCreateProgramWithBinary(
            c,
            0,
            &raw const d,
            &raw const length,
            &raw mut pointer,
            null_mut()
        )
    );
    fails!(
        CL_INVALID_VALUE,
        clCreateProgramWithBinary(c, 1, null(), &raw const length, &raw mut pointer, null_mut())
    );
    fails!(
        CL_INVALID_VALUE,
        clCreateProgramWithBinary(c, 1, &raw const d, null(), &raw mut pointer, null_mut())
    );
    fails!(
        CL_INVALID_VALUE,
        clCreateProgramWithBinary(c, 1, &raw const d, &raw const length, null_mut(), null_mut())
    );
    let other = setup().other_device();
    fails!(
        CL_INVALID_DEVICE,
        clCreateProgramWithBinary(
            c,
            1,
            &raw const other,
            &raw const length,
            &raw mut pointer,
            null_mut()
        )
    );
    let null_device: cl_device_id = null_mut();
    fails!(
        CL_INVALID_DEVICE,
        clCreateProgramWithBinary(
            c,
            1,
            &raw const null_device,
            &raw const length,
            &raw mut pointer,
            null_mut()
        )
    );
    assert_eq!(refused(c, &[], CL_INVALID_VALUE), CL_INVALID_VALUE);
    assert_eq!(refused(c, b"no binary at all", CL_INVALID_BINARY), CL_INVALID_BINARY);
    assert_eq!(refused(c, b"\x7fELF\x02\x01\x01", CL_INVALID_BINARY), CL_INVALID_BINARY);
    // Truncated anywhere, or any byte changed.
    for at in (1..good.len()).step_by(7) {
        assert_eq!(refused(c, &good[..at], CL_INVALID_BINARY), CL_INVALID_BINARY, "cut at {at}");
        let mut bad = good.clone();
        bad[at] ^= 1;
        assert_eq!(refused(c, &bad, CL_INVALID_BINARY), CL_INVALID_BINARY, "changed at {at}");
    }
    // Another device, another CPU.
    let mut foreign = muxcl_types::container::Binary::from_bytes(&good).unwrap();
    foreign.target = "riscv64".into();
    assert_eq!(refused(c, &foreign.to_bytes(), CL_INVALID_BINARY), CL_INVALID_BINARY);
    foreign.target = "null".into();
    foreign.features = "+avx9".into();
    assert_eq!(refused(c, &foreign.to_bytes(), CL_INVALID_BINARY), CL_INVALID_BINARY);

    let p = program_from(c, &[d], &good);
    assert_eq!(info!(clGetProgramInfo(p), CL_PROGRAM_SOURCE), b"\0");
    assert_eq!(
        number(&info!(clGetProgramBuildInfo(p, d), CL_PROGRAM_BUILD_STATUS)),
        u64::from(CL_BUILD_NONE.cast_unsigned())
    );
    fails!(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(p, c"empty".as_ptr()));
    code!(CL_SUCCESS, clBuildProgram(p, 1, &raw const d, c"-w".as_ptr(), None, null_mut()));
    assert_eq!(number(&info!(clGetProgramBuildInfo(p, d), CL_PROGRAM_BUILD_STATUS)), 0);
    assert_eq!(text(&info!(clGetProgramBuildInfo(p, d), CL_PROGRAM_BUILD_OPTIONS)), "-w");
    assert_eq!(text(&info!(clGetProgramBuildInfo(p, d), CL_PROGRAM_BUILD_LOG)), "");
    let kind = number(&info!(clGetProgramBuildInfo(p, d), CL_PROGRAM_BINARY_TYPE));
    assert_eq!(kind, u64::from(CL_PROGRAM_BINARY_TYPE_EXECUTABLE));
    assert_eq!(
        number(&info!(clGetProgramBuildInfo(p, d), CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE)),
        24
    );
    code!(CL_SUCCESS, clReleaseProgram(p));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn other_creators() {
    let c = context();
    let d = setup().device();
    let name = c"builtin".as_ptr();
    fails!(
        CL_INVALID_CONTEXT,
        clCreateProgramWithBuiltInKernels(null_mut(), 1, &raw const d, name)
    );
    fails!(CL_INVALID_VALUE, clCreateProgramWithBuiltInKernels(c, 0, &raw const d, name));
    fails!(CL_INVALID_VALUE, clCreateProgramWithBuiltInKernels(c, 1, null(), name));
    fails!(CL_INVALID_VALUE, clCreateProgramWithBuiltInKernels(c, 1, &raw const d, null()));
    fails!(CL_INVALID_VALUE, clCreateProgramWithBuiltInKernels(c, 1, &raw const d, name));
    let other = setup().other_device();
    fails!(CL_INVALID_DEVICE, clCreateProgramWithBuiltInKernels(c, 1, &raw const other, name));
    let p = program(c);
    code!(CL_INVALID_OPERATION, clSetProgramReleaseCallback(p, Some(told), null_mut()));
    code!(CL_INVALID_VALUE, clSetProgramReleaseCallback(p, None, null_mut()));
    code!(CL_SUCCESS, clReleaseProgram(p));
    for bad in bad_handles::<_cl_program>().into_iter().chain([p]) {
        code!(CL_INVALID_PROGRAM, clRetainProgram(bad));
        code!(CL_INVALID_PROGRAM, clReleaseProgram(bad));
        code!(CL_INVALID_PROGRAM, clSetProgramReleaseCallback(bad, Some(told), null_mut()));
        code!(
            CL_INVALID_PROGRAM,
            clGetProgramInfo(bad, CL_PROGRAM_DEVICES, 0, null_mut(), null_mut())
        );
        code!(
            CL_INVALID_PROGRAM,
            clGetProgramBuildInfo(bad, d, CL_PROGRAM_BUILD_LOG, 0, null_mut(), null_mut())
        );
        code!(CL_INVALID_PROGRAM, clBuildProgram(bad, 0, null(), null(), None, null_mut()));
        code!(
            CL_INVALID_PROGRAM,
            clCompileProgram(bad, 0, null(), null(), 0, null(), null_mut(), None, null_mut())
        );
    }
    code!(CL_SUCCESS, clReleaseContext(c));
}

static TOLD: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn told(_: cl_program, data: *mut c_void) {
    TOLD.store(data.addr(), Ordering::SeqCst);
}

#[test]
fn build_errors() {
    let c = context();
    let (d, other) = (setup().device(), setup().other_device());
    let p = program(c);
    code!(CL_INVALID_VALUE, clBuildProgram(p, 1, null(), null(), None, null_mut()));
    code!(CL_INVALID_VALUE, clBuildProgram(p, 0, &raw const d, null(), None, null_mut()));
    code!(CL_INVALID_VALUE, clBuildProgram(p, 0, null(), null(), None, anything()));
    code!(CL_INVALID_DEVICE, clBuildProgram(p, 1, &raw const other, null(), None, null_mut()));
    let null_device: cl_device_id = null_mut();
    code!(
        CL_INVALID_DEVICE,
        clBuildProgram(p, 1, &raw const null_device, null(), None, null_mut())
    );
    let bad_text = c"-D\xff\xfe=1";
    code!(
        CL_INVALID_BUILD_OPTIONS,
        clBuildProgram(p, 0, null(), bad_text.as_ptr(), None, null_mut())
    );
    let log = info!(clGetProgramBuildInfo(p, d), CL_PROGRAM_BUILD_LOG);
    assert!(String::from_utf8_lossy(&log).contains("UTF-8"), "the log says why");
    // A program with attached kernels cannot be rebuilt; without them it can.
    let k = kernel(p, c"empty");
    code!(CL_INVALID_OPERATION, clBuildProgram(p, 0, null(), null(), None, null_mut()));
    code!(CL_SUCCESS, clReleaseKernel(k));
    code!(CL_SUCCESS, clBuildProgram(p, 0, null(), null(), None, null_mut()));
    // A program from a binary has no source to compile.
    code!(
        CL_INVALID_VALUE,
        clCompileProgram(p, 1, null(), null(), 0, null(), null_mut(), None, null_mut())
    );
    let mut name = c"h".as_ptr();
    code!(
        CL_INVALID_VALUE,
        clCompileProgram(p, 0, null(), null(), 0, null(), &raw mut name, None, null_mut())
    );
    code!(
        CL_INVALID_VALUE,
        clCompileProgram(p, 0, null(), null(), 1, null(), &raw mut name, None, null_mut())
    );
    code!(
        CL_INVALID_VALUE,
        clCompileProgram(p, 0, null(), null(), 1, &raw const p, null_mut(), None, null_mut())
    );
    code!(
        CL_INVALID_VALUE,
        clCompileProgram(p, 0, null(), null(), 0, null(), null_mut(), None, anything())
    );
    code!(
        CL_INVALID_DEVICE,
        clCompileProgram(p, 1, &raw const other, null(), 0, null(), null_mut(), None, null_mut())
    );
    code!(
        CL_INVALID_COMPILER_OPTIONS,
        clCompileProgram(p, 0, null(), bad_text.as_ptr(), 0, null(), null_mut(), None, null_mut())
    );
    let null_program: cl_program = null_mut();
    code!(
        CL_INVALID_PROGRAM,
        clCompileProgram(
            p,
            0,
            null(),
            null(),
            1,
            &raw const null_program,
            &raw mut name,
            None,
            null_mut()
        )
    );
    code!(
        CL_INVALID_OPERATION,
        clCompileProgram(p, 0, null(), null(), 0, null(), null_mut(), None, null_mut())
    );
    code!(CL_SUCCESS, clReleaseProgram(p));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn build_with_a_callback() {
    let c = context();
    let p = program_from(c, &[setup().device()], &binary_of(kernels(), BinaryKind::Executable));
    let data: *mut c_void = std::ptr::without_provenance_mut(42);
    code!(CL_SUCCESS, clBuildProgram(p, 0, null(), null(), Some(told), data));
    let start = Instant::now();
    while TOLD.load(Ordering::SeqCst) != 42 {
        assert!(start.elapsed() < Duration::from_secs(20), "the callback never came");
        std::thread::sleep(Duration::from_millis(1));
    }
    let k = kernel(p, c"two");
    code!(CL_SUCCESS, clReleaseKernel(k));
    code!(CL_SUCCESS, clReleaseProgram(p));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn link_errors() {
    let c = context();
    let (d, other) = (setup().device(), setup().other_device());
    let p = program(c);
    let one: *const cl_program = &raw const p;
    fails!(
        CL_INVALID_CONTEXT,
        clLinkProgram(null_mut(), 0, null(), null(), 1, one, None, null_mut())
    );
    fails!(CL_INVALID_VALUE, clLinkProgram(c, 1, null(), null(), 1, one, None, null_mut()));
    fails!(CL_INVALID_VALUE, clLinkProgram(c, 0, &raw const d, null(), 1, one, None, null_mut()));
    fails!(CL_INVALID_VALUE, clLinkProgram(c, 0, null(), null(), 0, null(), None, null_mut()));
    fails!(CL_INVALID_VALUE, clLinkProgram(c, 0, null(), null(), 0, one, None, null_mut()));
    fails!(CL_INVALID_VALUE, clLinkProgram(c, 0, null(), null(), 1, null(), None, null_mut()));
    let null_program: cl_program = null_mut();
    fails!(
        CL_INVALID_PROGRAM,
        clLinkProgram(c, 0, null(), null(), 1, &raw const null_program, None, null_mut())
    );
    fails!(CL_INVALID_VALUE, clLinkProgram(c, 0, null(), null(), 1, one, None, anything()));
    fails!(
        CL_INVALID_DEVICE,
        clLinkProgram(c, 1, &raw const other, null(), 1, one, None, null_mut())
    );
    fails!(
        CL_INVALID_LINKER_OPTIONS,
        clLinkProgram(c, 0, null(), c"\xff".as_ptr(), 1, one, None, null_mut())
    );
    // An executable cannot be linked, alone or together with an object.
    fails!(CL_INVALID_OPERATION, clLinkProgram(c, 0, null(), null(), 1, one, None, null_mut()));
    let object = program_from(c, &[d], &binary_of(Vec::new(), BinaryKind::CompiledObject));
    let kind = number(&info!(clGetProgramBuildInfo(object, d), CL_PROGRAM_BINARY_TYPE));
    assert_eq!(kind, u64::from(CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT));
    fails!(
        CL_LINKER_NOT_AVAILABLE,
        clLinkProgram(c, 0, null(), null(), 1, &raw const object, None, null_mut())
    );
    let elsewhere = context();
    fails!(
        CL_INVALID_CONTEXT,
        clLinkProgram(elsewhere, 0, null(), null(), 1, &raw const object, None, null_mut())
    );
    code!(CL_SUCCESS, clReleaseContext(elsewhere));
    let both = [p, object];
    fails!(
        CL_INVALID_OPERATION,
        clLinkProgram(c, 0, null(), null(), 2, both.as_ptr(), None, null_mut())
    );
    code!(CL_SUCCESS, clReleaseProgram(object));
    code!(CL_SUCCESS, clReleaseProgram(p));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn queries() {
    let (a, b) = (setup().device(), setup().other_device());
    let c = context_of(&[a, b]);
    let bytes = binary_of(kernels(), BinaryKind::Executable);
    let p = program_from(c, &[b], &bytes);
    assert_eq!(number(&info!(clGetProgramInfo(p), CL_PROGRAM_REFERENCE_COUNT)), 1);
    assert_eq!(number(&info!(clGetProgramInfo(p), CL_PROGRAM_CONTEXT)), c.addr() as u64);
    assert_eq!(number(&info!(clGetProgramInfo(p), CL_PROGRAM_NUM_DEVICES)), 1);
    assert_eq!(number(&info!(clGetProgramInfo(p), CL_PROGRAM_DEVICES)), b.addr() as u64);
    assert_eq!(info!(clGetProgramInfo(p), CL_PROGRAM_BINARY_SIZES), bytes.len().to_ne_bytes());
    assert!(info!(clGetProgramInfo(p), CL_PROGRAM_IL).is_empty());
    code!(
        CL_INVALID_PROGRAM_EXECUTABLE,
        clGetProgramInfo(p, CL_PROGRAM_NUM_KERNELS, 0, null_mut(), null_mut())
    );
    code!(
        CL_INVALID_PROGRAM_EXECUTABLE,
        clGetProgramInfo(p, CL_PROGRAM_KERNEL_NAMES, 0, null_mut(), null_mut())
    );
    code!(CL_SUCCESS, clBuildProgram(p, 0, null(), null(), None, null_mut()));
    assert_eq!(number(&info!(clGetProgramInfo(p), CL_PROGRAM_NUM_KERNELS)), 3);
    assert_eq!(text(&info!(clGetProgramInfo(p), CL_PROGRAM_KERNEL_NAMES)), "empty;all;two");
    assert_eq!(number(&info!(clGetProgramInfo(p), CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT)), 0);
    assert_eq!(number(&info!(clGetProgramInfo(p), CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT)), 0);
    code!(CL_INVALID_VALUE, clGetProgramInfo(p, 0x9999, 0, null_mut(), null_mut()));
    code!(CL_INVALID_VALUE, clGetProgramBuildInfo(p, b, 0x9999, 0, null_mut(), null_mut()));
    code!(
        CL_INVALID_DEVICE,
        clGetProgramBuildInfo(p, a, CL_PROGRAM_BUILD_LOG, 0, null_mut(), null_mut())
    );
    code!(
        CL_INVALID_DEVICE,
        clGetProgramBuildInfo(p, null_mut(), CL_PROGRAM_BUILD_LOG, 0, null_mut(), null_mut())
    );
    // The binary is returned unchanged, a NULL entry is skipped, and an array that is too short is
    // refused.
    let mut out = vec![0_u8; bytes.len()];
    let mut pointers = [out.as_mut_ptr()];
    let at: *mut c_void = pointers.as_mut_ptr().cast();
    code!(CL_SUCCESS, clGetProgramInfo(p, CL_PROGRAM_BINARIES, 8, at, null_mut()));
    assert_eq!(out, bytes);
    pointers[0] = null_mut();
    let at: *mut c_void = pointers.as_mut_ptr().cast();
    code!(CL_SUCCESS, clGetProgramInfo(p, CL_PROGRAM_BINARIES, 8, at, null_mut()));
    code!(CL_INVALID_VALUE, clGetProgramInfo(p, CL_PROGRAM_BINARIES, 7, at, null_mut()));
    let mut size = 0;
    code!(CL_SUCCESS, clGetProgramInfo(p, CL_PROGRAM_BINARIES, 0, null_mut(), &raw mut size));
    assert_eq!(size, 8);
    code!(CL_SUCCESS, clReleaseProgram(p));
    let p = source_program(c);
    assert_eq!(
        info!(clGetProgramInfo(p), CL_PROGRAM_BINARY_SIZES),
        [0; 16],
        "nothing built, no binary"
    );
    let kind = number(&info!(clGetProgramBuildInfo(p, a), CL_PROGRAM_BINARY_TYPE));
    assert_eq!(kind, u64::from(CL_PROGRAM_BINARY_TYPE_NONE));
    code!(CL_SUCCESS, clReleaseProgram(p));
    code!(CL_SUCCESS, clReleaseContext(c));
}
