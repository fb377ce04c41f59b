//! The kernel files on a RefSi G1 without floating point and vectors.

use std::process::ExitCode;

use muxcl_test_kernels::execute::Variant;
use muxcl_test_kernels::suite::{Target, main as run};

const TARGET: Target = Target {
    name: "refsi-g1-soft",
    device: "RefSi G1",
    environment: &[
        ("MUXCL_DEVICES", "hal"),
        ("CA_HAL_DEVICE", "refsi"),
        ("HAL_REFSI_SOC", "g1"),
        ("HAL_REFSI_MAX_INSTRUCTIONS", "200000000"),
        ("HAL_DESCRIPTION", "RV64IMAC"),
    ],
    without: &["cl_khr_fp64", "cl_khr_fp16"],
    only: &[],
    il: false,
    // The test program `refsi_g1` runs the other variants.
    variants: &[Variant::Source],
    images: true,
    with_host: false,
};

fn main() -> ExitCode {
    run(&TARGET)
}
