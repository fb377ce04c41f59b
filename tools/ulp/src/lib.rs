//! The accuracy of the OpenCL C library: which arguments to try, what the specification allows, how
//! far a result is off.
//!
//! Invariant: a result is judged against the exact value, known to twice the digits of the format,
//! never against another approximation. The exact values come from MPFR, behind the feature `mpfr`;
//! without it everything else still builds. Not here: the OpenCL C library, which is reached
//! through the ICD loader as any program reaches it.
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
