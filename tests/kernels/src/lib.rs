//! Kernel tests: `.cl` files that say in comments how they are run and what must come out.
//!
//! One file runs on every device of the platform and in several variants; `directive` describes the
//! comments, `expression` the little language of the values. Expected values are computed here,
//! never taken from a driver. Invariant: a file that says nothing is an error, and so is a `=>`
//! that compares nothing. Not here: timing.

mod coarse_svm;
pub mod directive;
pub mod driver;
pub mod element;
pub mod execute;
pub mod expression;
mod families;
mod image_buffers;
pub mod images;
pub mod immutable;
mod mipmaps;
mod parted;
mod raw_images;
pub mod requirements;
pub mod shared;
pub mod spirv;
pub mod suite;
pub mod together;
