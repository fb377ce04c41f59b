//! Builds every program that it is given and reads its code. `cargo xtask dist` traces it to learn
//! which functions of the compiler library run in builds.
//!
//! Arguments: files of OpenCL C. Each one is built for the first device. The program then queries
//! the binary, which contains the code of all kernels for any local size.

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
