//! Regression tests: one file for each bug that users, foreign test suites or hostile input found.
//!
//! Each file describes its bug in the `//!` page and exports `TESTS`. All of them run in one
//! process through the ICD loader, on the host and on RefSi G1. A test that needs other environment
//! variables, or that may end the process, starts a child process. Not here: bugs that a unit test
//! of one crate shows better (the crate's own tests).

mod a4_log_at_exit;
mod build_log;
mod destructor_submits;
mod f1_hostile_sources;
mod f2_noreturn_kernel;
mod f3_unsupported_types;
mod f4_refused_option;
mod f6_wild_stores;
mod f8_register_coalescer;
mod f9_collectives_in_branches;
mod h2_failed_kernel;
mod indirect_access;
mod large_control_flow;
mod own_process;
mod p1_alias_scopes;
mod p2_intel_extensions;
mod poll;
mod program;
mod r11_build_threads;
mod refused_thread;
mod report_lines;
mod s10_normalized_rounding;
mod s11_printf_string;
mod s1_rect_slice_pitch;
mod s4_double_fp_config;
mod s5_recursion;
mod s6_overlapping_maps;
mod s7_aligned_zero;
mod s8_build_in_flight;
mod s9_sub_groups_below_2_0;
mod spirv;

use anyhow::Result;
use muxcl_client::Device;
pub use own_process::soc;

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
        a4_log_at_exit::TESTS,
        destructor_submits::TESTS,
        f1_hostile_sources::TESTS,
        f2_noreturn_kernel::TESTS,
        f3_unsupported_types::TESTS,
        f4_refused_option::TESTS,
        f6_wild_stores::TESTS,
        f8_register_coalescer::TESTS,
        f9_collectives_in_branches::TESTS,
        h2_failed_kernel::TESTS,
        indirect_access::TESTS,
        large_control_flow::TESTS,
        p1_alias_scopes::TESTS,
        p2_intel_extensions::TESTS,
        r11_build_threads::TESTS,
        refused_thread::TESTS,
        report_lines::TESTS,
        s10_normalized_rounding::TESTS,
        s11_printf_string::TESTS,
        s1_rect_slice_pitch::TESTS,
        s4_double_fp_config::TESTS,
        s5_recursion::TESTS,
        s6_overlapping_maps::TESTS,
        s7_aligned_zero::TESTS,
        s8_build_in_flight::TESTS,
        s9_sub_groups_below_2_0::TESTS,
    ]
    .concat()
}
