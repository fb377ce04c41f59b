//! Images without a device: formats, pixels as bytes, layout in memory, samplers, and the
//! descriptor kernels read.
//!
//! [`format`] is the one table of formats; [`pixel`] converts by the rules of the specification,
//! section 8.3; [`layout`] checks sizes and pitches and places regions; [`descriptor`] is the
//! kernel side's `Descriptor` in `builtins/src-cl/image/core.h`; and [`sampler`] is an independent
//! statement of addressing and filtering (section 8.2) that tests hold kernels to.
//!
//! Invariant: numbers of formats, types and modes are OpenCL's own; nothing here allocates on
//! behalf of a device, and there is no unsafe code. Not here: memory objects, commands, error
//! codes.

#![forbid(unsafe_code)]

pub mod descriptor;
pub mod format;
pub mod layout;
pub mod mipmap;
pub mod pixel;
pub mod sampler;

pub use format::Format;
pub use layout::{Desc, Kind, Layout};
