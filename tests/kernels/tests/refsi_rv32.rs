//! The kernel files on a RefSi G1 with 32-bit addresses.

use std::process::ExitCode;

use muxcl_test_kernels::execute::Variant;
use muxcl_test_kernels::suite::{Target, main as run};

const TARGET: Target = Target {
    name: "refsi-g1-rv32",
    device: "RefSi G1",
    environment: &[
        ("MUXCL_DEVICES", "hal"),
        ("CA_HAL_DEVICE", "refsi"),
        ("HAL_REFSI_SOC", "g1"),
        ("HAL_REFSI_MAX_INSTRUCTIONS", "200000000"),
        ("HAL_DESCRIPTION", "RV32GCV_Zfh_Zvfh"),
    ],
    without: &[
        "__opencl_c_device_enqueue",
        "cl_khr_int64_base_atomics",
        "cl_khr_int64_extended_atomics",
    ],
    only: &[],
    il: true,
    // The test programs of the 64-bit devices run the other variants, such as program binaries.
    variants: &[Variant::Source, Variant::NoOpt],
    images: true,
    with_host: false,
};

fn main() -> ExitCode {
    run(&TARGET)
}
