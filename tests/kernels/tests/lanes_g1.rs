//! The kernel files on RefSi G1 with work-items in lanes of vectors, wherever possible.

use std::process::ExitCode;

use muxcl_test_kernels::execute::Variant;
use muxcl_test_kernels::suite::{Target, main as run};

const TARGET: Target = Target {
    name: "refsi-g1-lanes",
    device: "RefSi G1",
    environment: &[
        ("MUXCL_DEVICES", "host,hal"),
        ("CA_HAL_DEVICE", "refsi"),
        ("HAL_REFSI_SOC", "g1"),
        ("MUXCL_VECZ", "always"),
        // Ends an endless kernel within a second; all kernels of the files stay far below the
        // limit.
        ("HAL_REFSI_MAX_INSTRUCTIONS", "200000000"),
    ],
    // RV64GCV: no half precision.
    without: &["cl_khr_fp16"],
    only: &[],
    il: false,
    variants: &[Variant::Source],
    // With `MUXCL_VECZ=always`, images run on the host.
    images: false,
    with_host: false,
};

fn main() -> ExitCode {
    run(&TARGET)
}
