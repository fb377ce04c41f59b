//! The kernel files on RefSi M1. `vecz` vectorizes every loop over work-items that it accepts.

use std::process::ExitCode;

use muxcl_test_kernels::execute::Variant;
use muxcl_test_kernels::suite::{Target, main as run};

const TARGET: Target = Target {
    name: "refsi-m1-lanes",
    device: "RefSi M1",
    environment: &[
        ("MUXCL_DEVICES", "host,hal"),
        ("CA_HAL_DEVICE", "refsi"),
        ("HAL_REFSI_SOC", "m1"),
        ("MUXCL_VECZ", "always"),
        // The device stops a kernel after this number of instructions, so that an endless kernel
        // fails within a second. All kernels of the files execute far fewer.
        ("HAL_REFSI_MAX_INSTRUCTIONS", "200000000"),
    ],
    without: &[],
    only: &[],
    il: false,
    variants: &[Variant::Source],
    // The test program `lanes` runs the image tests with `MUXCL_VECZ=always` on the host.
    images: false,
    with_host: false,
};

fn main() -> ExitCode {
    run(&TARGET)
}
