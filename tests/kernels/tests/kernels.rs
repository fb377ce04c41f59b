//! The kernel files on the host device, or on every device of another driver (`MUXCL_TEST_ICD`).

use std::process::ExitCode;

use muxcl_test_kernels::execute::Variant;
use muxcl_test_kernels::suite::{Target, main as run};

const TARGET: Target = Target {
    name: "host",
    device: "",
    environment: &[("MUXCL_DEVICES", "host")],
    without: &[],
    only: &[],
    il: true,
    variants: &Variant::ALL,
    images: true,
    with_host: false,
};

fn main() -> ExitCode {
    run(&TARGET)
}
