//! A translator of RISC-V code to the host's code, on Cranelift. It runs the harts of crate
//! `rv-sim`: the interpreter executes code at once, and code that is hot is translated.
//!
//! Invariants: a hart's registers, memory, faults and number of retired instructions are those of
//! the interpreter; every access to memory is checked; pages of translated code are never writable
//! and executable at once; no signal handler is installed. Translations are shared by the harts of
//! a machine and kept until the guest's code changes.
//!
//! The path of a piece of code: `run.rs` finds that it is hot, `region.rs` finds its basic blocks,
//! `ranges.rs` finds the accesses to memory that one check covers, `lower` makes functions of the
//! blocks, `host.rs` compiles them, `arena.rs` has the memory, and `cache.rs` keeps them. Not here:
//! the meaning of instructions that are not worth translating, which the interpreter executes
//! (`muxcl_rv_sim::native`).

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "registers are 64 bits wide and instructions read them at their own width and sign"
)]

mod arena;
mod cache;
mod check;
mod halves;
mod host;
mod lower;
mod ranges;
mod region;
mod run;

pub use cache::{Statistics, Translator, may_read_flags};
pub use host::JitError;
pub use run::Executor;
