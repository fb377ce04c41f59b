//! The objects of OpenCL. Their methods take checked arguments and return `ClResult`; raw pointers
//! of the application stop in `api`.

pub mod built;
pub mod callbacks;
pub mod context;
pub mod device;
pub mod device_queue;
mod epoch;
pub mod event;
pub mod il;
pub mod image;
pub mod kernel;
pub mod memory;
pub mod ndrange;
pub mod platform;
pub mod program;
pub mod queue;
pub mod rect;
pub mod sampler;
pub mod semaphore;
pub mod storage;
pub mod svm;
mod svm_place;
pub mod terminate;
