//! The run-time library of devices that lack instructions (`builtins/runtime`), which code
//! generation calls, as bitcode for RV32 and RV64.
//!
//! Each member is compiled for the least instruction set of its width. Code generation removes the
//! functions' target attributes and sets the device's. Not here: OpenCL C.

use crate::index::{Index, include_index};

static RISCV32: Index = include_index!("riscv32-unknown-elf-");
static RISCV64: Index = include_index!("riscv64-unknown-elf-");

fn library(xlen: u32) -> &'static Index {
    if xlen == 32 { &RISCV32 } else { &RISCV64 }
}

/// The member that defines `symbol` for registers of `xlen` bits (32 or 64).
#[must_use]
pub fn find(xlen: u32, symbol: &str) -> Option<u16> {
    library(xlen).find(symbol)
}

/// The bitcode of a member that [`find`] returned.
#[must_use]
pub fn member(xlen: u32, member: u16) -> &'static [u8] {
    library(xlen).member(member)
}

/// Every symbol with its member, sorted by symbol.
pub fn symbols(xlen: u32) -> impl Iterator<Item = (&'static str, u16)> {
    library(xlen).symbols()
}
