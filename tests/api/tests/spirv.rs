//! Programs in SPIR-V without a compiler: creation, stored modules, queries of devices. Builds are
//! in `il.rs`.

#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]

use std::ffi::{CStr, c_char};
use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_spirv::support;
use muxcl_test_api::{
    anything, bad_handles, code, context, context_of, extension, fails, il, info, make, number,
    program, setup, text,
};

extension!(
    create_khr,
    clCreateProgramWithILKHR_fn,
    c"clCreateProgramWithILKHR",
    (c: cl_context, il: *const std::ffi::c_void, length: usize, code: *mut cl_int) -> cl_program
);

/// A program of a module.
fn create(c: cl_context, module: &[u8]) -> cl_program {
    make!(clCreateProgramWithIL(c, module.as_ptr().cast(), module.len()))
}

#[test]
fn creation() {
    let module = il::fill(0);
    let (at, length) = (module.as_ptr().cast(), module.len());
    let c = context();
    for bad in bad_handles::<_cl_context>() {
        fails!(CL_INVALID_CONTEXT, clCreateProgramWithIL(bad, at, length));
        fails!(CL_INVALID_CONTEXT, clCreateProgramWithILKHR(bad, at, length));
    }
    let without = context_of(&[setup().other_device()]);
    fails!(CL_INVALID_OPERATION, clCreateProgramWithIL(without, at, length));
    fails!(CL_INVALID_OPERATION, clCreateProgramWithILKHR(without, at, length));
    fails!(CL_INVALID_VALUE, clCreateProgramWithIL(c, null(), length));
    fails!(CL_INVALID_VALUE, clCreateProgramWithIL(c, at, 0));
    fails!(CL_INVALID_VALUE, clCreateProgramWithILKHR(c, null(), 0));
    // Invalid modules: truncated ones (except directly behind the memory model, where the rest is a
    // valid, empty module), one with another magic number, one of a future version, and one that is
    // not SPIR-V.
    for cut in (1..length).filter(|&cut| cut != 64) {
        fails!(CL_INVALID_VALUE, clCreateProgramWithIL(c, at, cut));
    }
    let mut broken = module.clone();
    broken[0] ^= 1;
    fails!(CL_INVALID_VALUE, clCreateProgramWithIL(c, broken.as_ptr().cast(), length));
    let newer = il::fill(7);
    fails!(CL_INVALID_VALUE, clCreateProgramWithIL(c, newer.as_ptr().cast(), length));
    let source = b"kernel void k() {}..";
    fails!(CL_INVALID_VALUE, clCreateProgramWithIL(c, source.as_ptr().cast(), source.len()));
    // The words of a module may be misaligned.
    let shifted = [b"x", module.as_slice()].concat();
    let p = create(c, &shifted[1..]);
    code!(CL_SUCCESS, clReleaseProgram(p));
    let mut code = 1;
    let p = create_khr(c, at, length, &raw mut code);
    assert_eq!(code, CL_SUCCESS);
    assert_eq!(info!(clGetProgramInfo(p), CL_PROGRAM_IL), module);
    code!(CL_SUCCESS, clReleaseProgram(p));
    for c in [c, without] {
        code!(CL_SUCCESS, clReleaseContext(c));
    }
}

#[test]
fn versions() {
    let c = context();
    for &(_, minor) in support::VERSIONS {
        let p = create(c, &il::fill(minor.into()));
        code!(CL_SUCCESS, clReleaseProgram(p));
    }
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn what_is_kept() {
    let module = il::fill(2);
    // The device without SPIR-V also belongs to the program.
    let devices = [setup().device(), setup().other_device()];
    let c = context_of(&devices);
    let p = create(c, &module);
    assert_eq!(info!(clGetProgramInfo(p), CL_PROGRAM_IL), module);
    assert_eq!(text(&info!(clGetProgramInfo(p), CL_PROGRAM_SOURCE)), "");
    assert_eq!(number(&info!(clGetProgramInfo(p), CL_PROGRAM_NUM_DEVICES)), 2);
    assert_eq!(info!(clGetProgramInfo(p), CL_PROGRAM_BINARY_SIZES), [0; 16]);
    code!(
        CL_INVALID_PROGRAM_EXECUTABLE,
        clGetProgramInfo(p, CL_PROGRAM_NUM_KERNELS, 0, null_mut(), null_mut())
    );
    for d in devices {
        let none = number(&info!(clGetProgramBuildInfo(p, d), CL_PROGRAM_BINARY_TYPE));
        assert_eq!(none, u64::from(CL_PROGRAM_BINARY_TYPE_NONE));
        assert_eq!(
            info!(clGetProgramBuildInfo(p, d), CL_PROGRAM_BUILD_STATUS),
            CL_BUILD_NONE.to_ne_bytes()
        );
    }
    code!(CL_COMPILER_NOT_AVAILABLE, clBuildProgram(p, 0, null(), null(), None, null_mut()));
    // The invalid headers are ignored.
    code!(
        CL_COMPILER_NOT_AVAILABLE,
        clCompileProgram(p, 0, null(), null(), 1, null(), null_mut(), None, null_mut())
    );
    code!(CL_SUCCESS, clReleaseProgram(p));
    // Programs that are not from SPIR-V.
    let p = program(c);
    let mut size = 7;
    let mut untouched = [0xA5_u8; 8];
    let at = untouched.as_mut_ptr().cast();
    code!(CL_SUCCESS, clGetProgramInfo(p, CL_PROGRAM_IL, 8, at, &raw mut size));
    assert_eq!((size, untouched), (0, [0xA5; 8]));
    code!(CL_SUCCESS, clReleaseProgram(p));
    code!(CL_SUCCESS, clReleaseContext(c));
}

#[test]
fn specialization_constants() {
    let c = context();
    let value = 3_u32;
    let at = (&raw const value).cast();
    let p = create(c, &il::fill(0));
    code!(CL_COMPILER_NOT_AVAILABLE, clSetProgramSpecializationConstant(p, il::FACTOR, 4, at));
    code!(CL_SUCCESS, clReleaseProgram(p));
    let of_c = program(c);
    let mut released = bad_handles::<_cl_program>();
    released.extend([p, of_c]);
    for bad in released {
        code!(
            CL_INVALID_PROGRAM,
            clSetProgramSpecializationConstant(bad, il::FACTOR, 4, anything())
        );
    }
    code!(CL_SUCCESS, clReleaseProgram(of_c));
    let without = context_of(&[setup().other_device()]);
    let mut source = c"kernel void k() {}".as_ptr();
    let of_c = make!(clCreateProgramWithSource(without, 1, &raw mut source, null()));
    code!(
        CL_INVALID_OPERATION,
        clSetProgramSpecializationConstant(of_c, il::FACTOR, 4, anything())
    );
    code!(CL_SUCCESS, clReleaseProgram(of_c));
    for c in [c, without] {
        code!(CL_SUCCESS, clReleaseContext(c));
    }
}

/// The texts that an answer points to.
fn texts(answer: &[u8]) -> Vec<String> {
    let pointers =
        answer.chunks(size_of::<usize>()).map(|p| usize::from_ne_bytes(p.try_into().unwrap()));
    let text = |p: usize| {
        // SAFETY: the driver returns addresses of static strings.
        unsafe { CStr::from_ptr(std::ptr::with_exposed_provenance::<c_char>(p)) }
            .to_str()
            .unwrap()
            .to_owned()
    };
    pointers.map(text).collect()
}

#[test]
fn devices_say_what_they_take() {
    let (d, without) = (setup().device(), setup().other_device());
    let list = text(&info!(clGetDeviceInfo(d), CL_DEVICE_IL_VERSION));
    assert!(
        list.split(' ').any(|v| v == "SPIR-V_1.0") && list.split(' ').any(|v| v == "SPIR-V_1.4"),
        "{list}"
    );
    let versions = info!(clGetDeviceInfo(d), CL_DEVICE_ILS_WITH_VERSION);
    let size = size_of::<cl_name_version>();
    let parts: Vec<String> = versions
        .chunks(size)
        .map(|entry| {
            let version = u32::from_ne_bytes(*entry.first_chunk().unwrap());
            let end = entry[4..].iter().position(|&b| b == 0).unwrap();
            let name = std::str::from_utf8(&entry[4..4 + end]).unwrap();
            format!("{name}_{}.{}", version >> 22, version >> 12 & 0x3ff)
        })
        .collect();
    assert_eq!(parts.join(" "), list);
    assert_eq!(text(&info!(clGetDeviceInfo(without), CL_DEVICE_IL_VERSION)), "");
    assert_eq!(info!(clGetDeviceInfo(without), CL_DEVICE_ILS_WITH_VERSION), []);

    let sets = texts(&info!(clGetDeviceInfo(d), CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR));
    assert!(sets.contains(&"OpenCL.std".to_owned()), "{sets:?}");
    let extensions = texts(&info!(clGetDeviceInfo(d), CL_DEVICE_SPIRV_EXTENSIONS_KHR));
    assert!(extensions.iter().all(|name| name.starts_with("SPV_")), "{extensions:?}");
    let capabilities = info!(clGetDeviceInfo(d), CL_DEVICE_SPIRV_CAPABILITIES_KHR);
    let capabilities: Vec<u64> = capabilities.chunks(4).map(number).collect();
    let has = |c: muxcl_spirv::numbers::Capability| capabilities.contains(&u64::from(c as u32));
    assert!(
        has(muxcl_spirv::numbers::Capability::Kernel)
            && has(muxcl_spirv::numbers::Capability::Addresses)
    );
    assert!(
        !has(muxcl_spirv::numbers::Capability::Shader)
            && !has(muxcl_spirv::numbers::Capability::Float64)
    );
    for query in [
        CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR,
        CL_DEVICE_SPIRV_EXTENSIONS_KHR,
        CL_DEVICE_SPIRV_CAPABILITIES_KHR,
    ] {
        code!(CL_INVALID_VALUE, clGetDeviceInfo(without, query, 0, null_mut(), null_mut()));
    }
}
