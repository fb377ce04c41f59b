//! A simulator of RISC-V machines: a memory map of RAM, ROM, devices and hart-local windows, and
//! harts that run on host threads with RISC-V's memory order. The interpreter decodes each basic
//! block once and runs the decoded form.
//!
//! Invariant: no guest program harms the process. Every access is checked, harts share memory by
//! atomics only (`guest.rs`), and an instruction that cannot be executed ends the hart's run with a
//! [`Fault`]. All RAM is writable and executable, but for the pages that the host protects
//! ([`Memory::protect`]).
//!
//! ```
//! use muxcl_rv_sim::{Exit, Hart, HartConfig, Memory, Xlen};
//! use std::sync::Arc;
//!
//! let mut memory = Memory::new();
//! memory.add_ram(0x8000_0000, 0x1000).unwrap();
//! // addi a0, a0, 2; ret
//! memory.write(0, 0x8000_0000, &[0x13, 0x05, 0x25, 0x00, 0x67, 0x80, 0x00, 0x00]).unwrap();
//! let mut hart = Hart::new(0, &HartConfig::full(Xlen::Rv64, 128), Arc::new(memory)).unwrap();
//! hart.set_return_address(Some(0x1000));
//! hart.set_pc(0x8000_0000);
//! hart.set_x(1, 0x1000); // ra
//! hart.set_x(10, 40); // a0
//! assert_eq!(hart.run(1000), Exit::Returned);
//! assert_eq!(hart.x(10), 42);
//! ```

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
mod codes;
mod counts;
mod debug;
mod fast;
mod fault;
mod float;
mod guest;
mod half;
mod hart;
mod integer;
mod journal;
mod machine;
mod memory;
pub mod native;
mod pages;
mod run;
pub mod soft;
mod system;
mod vector;

pub use counts::{CodeCounts, Stretch};
pub use fault::{Exit, Fault, FaultKind};
pub use hart::{ConfigError, Hart, HartConfig};
pub use journal::{Journal, Registers};
pub use machine::{Machine, Next};
pub use memory::{Device, MapError, Memory, WINDOWS, Window};
pub use muxcl_rv_isa::{Extension, Xlen};
