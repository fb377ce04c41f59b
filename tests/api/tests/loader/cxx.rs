//! C++ for OpenCL (`cl_ext_cxx_for_opencl`): versions, and constructors of program-scope objects in
//! every kind of program.

use std::ffi::CStr;
use std::path::Path;
use std::ptr::{null, null_mut};

use muxcl_cl_sys::{
    CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT, CL_PROGRAM_KERNEL_NAMES,
    CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, CL_SUCCESS, CL_TRUE, cl_context, cl_mem, cl_program,
    cl_uint, make_version,
};
use muxcl_test_api::{
    buffer, cl, code, context, errcode, fails, info, kernel, number, program_binary, program_from,
    setup, text,
};

use crate::{log_of, program_of, queue};

const VERSION: &[u8] = b"kernel void k(global uint *out) { out[0] = __OPENCL_CPP_VERSION__; }";
/// Two sources with constructors; a template instance is in both.
const FIRST: &[u8] = b"
    template<typename T> T squared(T x) { static global T calls; ++calls; return x * x; }
    struct Base { uint n; Base(uint x); };
    Base::Base(uint x) : n(squared(x)) {}
    global Base base(3);
    extern global uint more;
    kernel void k(global uint *out) { out[0] = base.n * 100 + more; }";
const SECOND: &[u8] = b"
    template<typename T> T squared(T x) { static global T calls; ++calls; return x * x; }
    global uint more = squared(5u) + (uint)get_global_size(0);";
const BOTH: u32 = 9 * 100 + 25 + 1;

/// Runs kernel `k`, and returns the number that it writes.
fn result(c: cl_context, p: cl_program) -> u32 {
    let (q, k, out) = (queue(c), kernel(p, c"k"), buffer(c, 4));
    code!(CL_SUCCESS, clSetKernelArg(k, 0, size_of::<cl_mem>(), (&raw const out).cast()));
    let one = 1;
    code!(
        CL_SUCCESS,
        clEnqueueNDRangeKernel(q, k, 1, null(), &raw const one, null(), 0, null(), null_mut())
    );
    let mut result = 0_u32;
    let to = (&raw mut result).cast();
    code!(CL_SUCCESS, clEnqueueReadBuffer(q, out, CL_TRUE, 0, 4, to, 0, null(), null_mut()));
    code!(CL_SUCCESS, clReleaseMemObject(out));
    code!(CL_SUCCESS, clReleaseKernel(k));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    result
}

fn built(c: cl_context, source: &[u8], options: &CStr) -> cl_program {
    let p = program_of(c, source);
    let code = cl!(clBuildProgram(p, 0, null(), options.as_ptr(), None, null_mut()));
    assert_eq!(code, CL_SUCCESS, "{}", log_of(p));
    p
}

fn linked(c: cl_context, sources: &[&[u8]]) -> cl_program {
    let compile = |source: &&[u8]| {
        let p = program_of(c, source);
        let options = c"-cl-std=CLC++".as_ptr();
        let code =
            cl!(clCompileProgram(p, 0, null(), options, 0, null(), null_mut(), None, null_mut()));
        assert_eq!(code, CL_SUCCESS, "{}", log_of(p));
        p
    };
    let objects: Vec<cl_program> = sources.iter().map(compile).collect();
    let (count, list) = (cl_uint::try_from(objects.len()).unwrap(), objects.as_ptr());
    let p =
        errcode!(CL_SUCCESS, clLinkProgram(c, 0, null(), null(), count, list, None, null_mut()));
    for object in objects {
        code!(CL_SUCCESS, clReleaseProgram(object));
    }
    p
}

fn constructs(p: cl_program) -> bool {
    number(&info!(clGetProgramInfo(p), CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT)) == 1
}

pub(crate) fn cxx(_: &Path) {
    let (c, d) = (context(), setup().device());
    let version = number(&info!(clGetDeviceInfo(d), CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT));
    assert_eq!(version, make_version(1, 0, 0).into());
    for (options, version) in
        [(c"-cl-std=CLC++", 100), (c"-cl-std=CLC++1.0", 100), (c"-cl-std=CLC++2021", 202_100)]
    {
        let p = built(c, VERSION, options);
        assert!(!constructs(p));
        assert_eq!(result(c, p), version, "{options:?}");
        code!(CL_SUCCESS, clReleaseProgram(p));
    }
    let p = program_of(c, VERSION);
    let options = c"-cl-std=CLC++17".as_ptr();
    code!(CL_INVALID_BUILD_OPTIONS, clBuildProgram(p, 0, null(), options, None, null_mut()));
    assert!(log_of(p).contains("no such version of OpenCL C or C++ for OpenCL"), "{}", log_of(p));
    code!(CL_SUCCESS, clReleaseProgram(p));

    // The second round is answered from the disk cache.
    for _ in 0..2 {
        let p = linked(c, &[FIRST, SECOND]);
        assert!(constructs(p));
        assert_eq!(text(&info!(clGetProgramInfo(p), CL_PROGRAM_KERNEL_NAMES)), "k");
        fails!(CL_INVALID_KERNEL_NAME, clCreateKernel(p, c"muxcl.constructors".as_ptr()));
        // Of several first launches, each sees the objects.
        std::thread::scope(|scope| {
            for _ in 0..4 {
                let (c, p) = (c.addr(), p.addr());
                scope.spawn(move || {
                    let [c, p] = [c, p].map(std::ptr::without_provenance_mut::<()>);
                    assert_eq!(result(c.cast(), p.cast()), BOTH);
                });
            }
        });
        let bytes = program_binary(p);
        code!(CL_SUCCESS, clReleaseProgram(p));
        let p = program_from(c, &[d], &bytes);
        code!(CL_SUCCESS, clBuildProgram(p, 0, null(), null(), None, null_mut()));
        assert!(constructs(p));
        assert_eq!(result(c, p), BOTH);
        code!(CL_SUCCESS, clReleaseProgram(p));
    }
    code!(CL_SUCCESS, clReleaseContext(c));
}
