//! A refused option gave CL_INVALID_BUILD_OPTIONS and an empty log.
//!
//! The log names the option, for `clBuildProgram` and for `clCompileProgram`.

use anyhow::{Result, bail, ensure};
use muxcl_client::sys::{CL_INVALID_BUILD_OPTIONS, CL_INVALID_COMPILER_OPTIONS};
use muxcl_client::{ClientError, Context, Device};

use crate::{Devices, Test, build_log};

pub(crate) const TESTS: &[Test] = &[("f4_refused_option", Devices::All, refused_option)];

const SOURCE: &str = "kernel void k(global int *p) { *p = 1; }";

fn refused_option(device: Device) -> Result<()> {
    for (options, named) in [
        ("-w -cl-foo", "'-cl-foo'"),
        ("-D", "'-D'"),
        ("-cl-std=CL9.9", "'-cl-std=CL9.9'"),
        ("-DX=\"1", "unterminated quote"),
        ("-create-library", "'-create-library'"),
    ] {
        let (code, log) = build_log::failure(device, SOURCE, options)?;
        ensure!(code == CL_INVALID_BUILD_OPTIONS && log.contains(named), "{options}: {log}");
        match Context::new(device)?.link(device, &[SOURCE], options) {
            Err(ClientError::Build { code, log }) => ensure!(
                code == CL_INVALID_COMPILER_OPTIONS && log.contains(named),
                "compile, {options}: {code}, {log}"
            ),
            other => bail!("compile, {options}: {other:?}"),
        }
    }
    Ok(())
}
