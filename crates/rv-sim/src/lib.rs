//! A RISC-V machine: a memory map of RAM, ROM, devices and hart-local windows, and harts that run
//! on host threads with RISC-V's memory order. The interpreter decodes each basic block once and
//! runs it from the decoded form; it is the oracle of any faster engine. Invariant: nothing a guest
//! program does harms the process: every access is checked, and what cannot be executed ends that
//! hart's run with a [`Fault`]. Not here: devices of a product, ELF files, kernels.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "registers are 64 bits wide and instructions read them at their own width and sign; each such cast is the instruction's meaning"
)]
#![expect(
    trivial_numeric_casts,
    clippy::useless_conversion,
    clippy::unnecessary_cast,
    reason = "one expression is written for every width of element, and for one of them the conversion does nothing"
)]

mod access;
mod atomic;
mod code;
mod fast;
mod fault;
mod float;
mod guest;
mod hart;
mod integer;
mod machine;
mod memory;
mod run;
pub mod soft;
mod system;
mod vector;

pub use fault::{Exit, Fault, FaultKind};
pub use hart::{ConfigError, Hart, HartConfig};
pub use machine::{Machine, Next};
pub use memory::{Device, MapError, Memory, WINDOWS, Window};
pub use muxcl_rv_isa::{Extension, Xlen};
