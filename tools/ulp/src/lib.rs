//! Measures the accuracy of the OpenCL C library: chooses arguments, knows the specification's
//! bounds, and computes the error of results.
//!
//! Invariant: a result is compared with the exact value to twice the digits of the format, never
//! with another approximation. MPFR computes the exact values, behind the feature `mpfr`; all other
//! code builds without it. Not here: the OpenCL C library, which is called through the ICD loader.
//!
//! # Examples
//! ```
//! use muxcl_ulp::bound::{Bound, Freedom, judge};
//! use muxcl_ulp::exact::Exact;
//! use muxcl_ulp::format::Format;
//!
//! // OpenCL C allows a division of floats 2.5 units in the last place.
//! let third = Exact::from(1.0 / 3.0);
//! let judge = |got: f32| {
//!     let (got, none) = (got.into(), &mut || None);
//!     judge(Bound::Ulp(2.5), Freedom::default(), Format::Float, got, third, &[1.0, 3.0], none)
//! };
//! let good = judge(1.0 / 3.0);
//! assert!(good.kept && good.error < 0.5);
//! let bad = judge(0.333_333_5);
//! assert!(!bad.kept && bad.error > 2.5);
//! ```
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
