//! The kernel files on RefSi G1, and the device in one context with the host.

use std::process::ExitCode;

use muxcl_test_kernels::execute::Variant;
use muxcl_test_kernels::suite::{Target, main as run};

const TARGET: Target = Target {
    name: "refsi-g1",
    device: "RefSi G1",
    environment: &[
        ("MUXCL_DEVICES", "host,hal"),
        ("CA_HAL_DEVICE", "refsi"),
        ("HAL_REFSI_SOC", "g1"),
        // Ends an endless kernel within a second; all kernels of the files stay far below the
        // limit.
        ("HAL_REFSI_MAX_INSTRUCTIONS", "200000000"),
    ],
    without: &[],
    only: &[],
    il: true,
    variants: &Variant::ALL,
    images: true,
    with_host: true,
};

fn main() -> ExitCode {
    run(&TARGET)
}
