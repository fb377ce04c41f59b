//! Measures the accuracy of the OpenCL C library: chooses arguments, knows the specification's
//! bounds, and computes the error of results.
//!
//! Invariant: a result is compared with the exact value to twice the digits of the format, never
//! with another approximation. MPFR computes the exact values, behind the feature `mpfr`; all other
//! code builds without it. Not here: the OpenCL C library, which is called through the ICD loader.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "arithmetic on the bits of floating-point numbers"
)]

pub mod arguments;
pub mod bound;
pub mod catalogue;
pub mod estimate;
pub mod exact;
pub mod format;
pub mod kernel;
#[cfg(feature = "mpfr")]
pub mod measure;
pub mod random;
#[cfg(feature = "mpfr")]
pub mod reference;
pub mod report;
