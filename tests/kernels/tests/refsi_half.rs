//! The kernel files about half precision on a RefSi G1 whose vectors hold no halves.

use std::process::ExitCode;

use muxcl_test_kernels::execute::Variant;
use muxcl_test_kernels::suite::{Target, main as run};

const TARGET: Target = Target {
    name: "refsi-g1-zfh",
    device: "RefSi G1",
    environment: &[
        ("MUXCL_DEVICES", "hal"),
        ("CA_HAL_DEVICE", "refsi"),
        ("HAL_REFSI_SOC", "g1"),
        ("HAL_DESCRIPTION", "RV64GCV_Zfh"),
    ],
    without: &[],
    only: &["fp16", "half", "conversions"],
    il: false,
    variants: &Variant::ALL,
    images: true,
    with_host: false,
};

fn main() -> ExitCode {
    run(&TARGET)
}
