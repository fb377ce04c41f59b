//! Builds every program it is given and takes its code: what `cargo xtask dist` watches to learn
//! which functions of the compiler library builds run.
//!
//! Arguments: files of OpenCL C. Each one is built for the first device, and its binary, which
//! holds the code of all its kernels for any local size, is asked for.

use std::error::Error;
use std::fs;

use muxcl_client::{Context, Platform};

fn main() -> Result<(), Box<dyn Error>> {
    let platform = Platform::all()?.into_iter().next().ok_or("no platform")?;
    let device = platform.devices()?.into_iter().next().ok_or("no device")?;
    let context = Context::new(device)?;
    for file in std::env::args().skip(1) {
        let source = fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
        let program = context.build(device, &source, "-cl-std=CL3.0");
        let binary = program.and_then(|program| program.binary());
        if binary.map_err(|error| format!("{file}: {error}"))?.is_empty() {
            return Err(format!("{file}: an empty binary").into());
        }
    }
    Ok(())
}
