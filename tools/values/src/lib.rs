//! The contents of buffers for `oclrun` and the kernel tests: numbers of OpenCL's scalar types,
//! the expressions that compute them, and how far two numbers may lie apart.
//!
//! Invariant: a number is converted to a type exactly where an [`Element`] stores it or a cast in
//! an [`Expression`] says so; everything between is wider. Not here: OpenCL.

mod element;
mod expression;
mod tolerance;

pub use element::Element;
pub use expression::{Expression, Number, Scope, fill, split};
pub use tolerance::{Tolerance, ulps};
