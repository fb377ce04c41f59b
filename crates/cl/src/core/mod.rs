//! The objects of OpenCL. Their methods take checked arguments and return `ClResult`; raw pointers
//! of the application stay in `api`.
//!
//! A module imports only modules that come before it in this list (`tests/layers.rs` checks it). A
//! context comes before the objects that are made in it: it knows its queues and commands only by
//! traits that they implement.
//!
//! ```text
//! callbacks epoch il image ndrange rect     no objects
//! device platform check                     devices
//! external maps storage svm_domains svm     memory, its maps, and which copies are current
//! terminate device_queues context           contexts
//! memory sampler                            memory objects
//! device_program program                    programs
//! event queue watch semaphore device_queue  commands and their order
//! kernel                                    kernels and launches
//! command_buffer                            recorded commands
//! ```

pub mod callbacks;
pub mod check;
pub mod command_buffer;
pub mod context;
pub mod device;
pub mod device_program;
pub mod device_queue;
pub mod device_queues;
mod epoch;
pub mod event;
pub mod external;
pub mod il;
pub mod image;
pub mod kernel;
pub mod maps;
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
mod svm_domains;
pub mod terminate;
mod watch;
