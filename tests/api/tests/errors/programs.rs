//! Programs. The cases that need a compiler are in `loader`.

use std::ptr::{null, null_mut};

use muxcl_cl_sys::*;
use muxcl_test_api::{code, context, fails, make, setup};

fn source(c: cl_context) -> cl_program {
    let mut text = c"kernel void k() {}".as_ptr();
    make!(clCreateProgramWithSource(c, 1, &raw mut text, null()))
}

#[test]
fn without_a_compiler() {
    let (c, elsewhere) = (context(), context());
    let (p, foreign) = (source(c), source(elsewhere));
    let mut name = c"h".as_ptr();
    let (header, name) = (&raw const foreign, &raw mut name);
    code!(
        CL_COMPILER_NOT_AVAILABLE,
        clCompileProgram(p, 0, null(), null(), 0, null(), null_mut(), None, null_mut())
    );
    code!(
        CL_INVALID_CONTEXT,
        clCompileProgram(p, 0, null(), null(), 1, header, name, None, null_mut())
    );
    let (length, d) = (4, setup().device());
    let mut bytes = c"text".as_ptr().cast();
    let (length, bytes) = (&raw const length, &raw mut bytes);
    fails!(
        CL_INVALID_BINARY,
        clCreateProgramWithBinary(c, 1, &raw const d, length, bytes, null_mut())
    );
    for p in [p, foreign] {
        code!(CL_SUCCESS, clReleaseProgram(p));
    }
    for c in [c, elsewhere] {
        code!(CL_SUCCESS, clReleaseContext(c));
    }
}
