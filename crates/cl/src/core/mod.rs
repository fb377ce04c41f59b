//! The objects of OpenCL. Their methods take checked arguments and return `ClResult`; raw pointers of the application stop in `api`.

pub mod built;
pub mod context;
pub mod device;
pub mod kernel;
pub mod memory;
pub mod platform;
pub mod program;
