//! Images without a device: formats, pixels as bytes, layout in memory, samplers, and the
//! descriptor that kernels read.
//!
//! [`mod@format`] is the table of formats. [`pixel`] converts between colours and bytes (OpenCL C,
//! section 8.3). [`layout`] checks sizes and pitches, and gives the offsets of regions.
//! [`descriptor`] writes the structure that `builtins/src-cl/image/core.h` declares. [`sampler`] is
//! an independent implementation of addressing and filtering (section 8.2), with which tests
//! compare kernels.
//!
//! Invariant: the numbers of formats, types and modes are OpenCL's. No memory of a device, no
//! unsafe code. Not here: memory objects, commands, error codes.
//!
//! # Examples
//! ```
//! use muxcl_img::format::{channel, order};
//! use muxcl_img::pixel::{Color, encode};
//! use muxcl_img::{Desc, Format, Kind, Layout};
//!
//! let format = Format::new(order::BGRA, channel::UNORM_INT8).unwrap();
//! let desc = Desc { kind: Kind::Image2D, width: 6, height: 4, ..Desc::default() };
//! let layout = Layout::of(&desc, format, false).unwrap();
//! assert_eq!((layout.row_pitch, layout.size), (24, 96));
//! assert_eq!(layout.offset([2, 1, 0]), 32);
//! assert_eq!(encode(format, Color::Float([1.0, 0.5, 0.0, 1.0]))[..4], [0, 128, 255, 255]);
//! ```

#![forbid(unsafe_code)]

pub mod descriptor;
pub mod format;
pub mod layout;
pub mod mipmap;
pub mod pixel;
pub mod sampler;

pub use format::Format;
pub use layout::{Desc, Kind, Layout};
