//! The kernel files on the host device with work-items in lanes of vectors, wherever possible.

use std::process::ExitCode;

use muxcl_test_kernels::execute::Variant;
use muxcl_test_kernels::suite::{Target, main as run};

const TARGET: Target = Target {
    name: "host-lanes",
    device: "",
    environment: &[("MUXCL_DEVICES", "host"), ("MUXCL_VECZ", "always")],
    without: &[],
    only: &[],
    il: false,
    variants: &[Variant::Source],
    images: true,
    with_host: false,
};

fn main() -> ExitCode {
    run(&TARGET)
}
