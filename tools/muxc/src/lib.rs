//! What `muxc`, `veczc` and the file tests share: inputs, devices, and lists of passes.
//!
//! * `input`: a module from OpenCL C, or from LLVM IR as text or bitcode.
//! * `machine`: the device to compile for, with its code generator.
//! * `stages`: the driver's pipeline or a list of passes, and the text of the IR.
//! * `command_line`: options that the programs share.
//!
//! Invariant: the passes, their order in the pipeline, and the library are the driver's; nothing
//! here changes IR. Not here: the passes (`muxcl-passes`), running kernels.

pub mod command_line;
mod input;
mod machine;
mod stages;

pub use input::{Input, parse, read};
pub use machine::Machine;
pub use stages::{Item, functions, kernel_names, list, run_list};
