//! Kernel tests: `.cl` files with comments that define their runs and the expected results.
//!
//! One file runs on every device of the platform and in several variants. `directive` describes the
//! comments, the crate `muxcl-values` the language of the values. Expected values are computed
//! here, never taken from a driver. Invariant: a file without a run directive is an error, and so
//! is a `=>` that compares no value. Not here: timing.

mod block_images;
mod coarse_svm;
mod command_buffers;
pub mod directive;
mod divergent;
pub mod driver;
pub mod execute;
pub mod external_memory;
mod families;
pub mod hals;
mod image_buffers;
pub mod images;
pub mod immutable;
mod mipmaps;
mod page_ends;
mod raw_images;
pub mod remote;
pub mod requirements;
pub mod shared;
pub mod spirv;
pub mod suite;
pub mod together;
