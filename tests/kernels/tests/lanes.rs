//! The kernel files on the host. `vecz` vectorizes every loop over work-items that it accepts.

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
