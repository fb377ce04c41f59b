//! Regression tests: one file for each bug that users, foreign test suites or hostile input found.
//!
//! Each file tells the story in its `//!` page and exports `TESTS`. All of them run in one process
//! through the ICD loader, on the host and on RefSi G1. A test that needs other environment
//! variables, or that may end the process, starts a child process. Not here: bugs that a unit test
//! of one crate shows better (the crate's own tests).

mod a4_log_at_exit;
pub mod child;
mod h2_failed_kernel;
mod p1_alias_scopes;
mod p2_intel_extensions;
mod s10_normalized_rounding;
mod s1_rect_slice_pitch;
mod s4_double_fp_config;
mod s6_overlapping_maps;
mod s7_aligned_zero;
mod s8_build_in_flight;
mod spirv;

use anyhow::Result;
use muxcl_client::Device;

/// A test body. It runs once for each device of its [`Devices`].
pub type Body = fn(Device) -> Result<()>;

/// The devices on which a test runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Devices {
    /// The host CPU only.
    Host,
    /// RefSi G1 only.
    Hal,
    /// The host CPU, then RefSi G1.
    All,
}

/// One test: its name, its devices, its body.
pub type Test = (&'static str, Devices, Body);

/// The tests of every file.
pub fn all() -> Vec<Test> {
    [
        s7_aligned_zero::TESTS,
        p2_intel_extensions::TESTS,
        p1_alias_scopes::TESTS,
        s10_normalized_rounding::TESTS,
        a4_log_at_exit::TESTS,
        h2_failed_kernel::TESTS,
        s1_rect_slice_pitch::TESTS,
        s4_double_fp_config::TESTS,
        s6_overlapping_maps::TESTS,
        s8_build_in_flight::TESTS,
    ]
    .concat()
}

/// The parts that child processes play for tests.
pub fn parts() -> Vec<child::Part> {
    [a4_log_at_exit::PARTS, h2_failed_kernel::PARTS].concat()
}
