//! The objects of OpenCL. Their methods take checked arguments and return `ClResult`; raw pointers of the application stop in `api`.

pub mod context;
pub mod device;
pub mod memory;
pub mod platform;
