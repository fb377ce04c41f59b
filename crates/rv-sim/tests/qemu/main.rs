//! Compares every instruction with QEMU's user mode on random operands: one generated program runs
//! on both machines and writes out its results. Needs `qemu-riscv64` and `qemu-riscv32` (Debian:
//! qemu-user). Not here: rounding modes in bulk (`soft` has its own tests).
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    reason = "pieces of random numbers and of addresses below 4 GiB"
)]

mod image;
mod scalar;
mod vector;

use fastrand::Rng;
use image::Machine;
use muxcl_rv_sim::Xlen;

/// Random operands from a fixed seed.
#[derive(Debug)]
pub(crate) struct Random(Rng);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Rng::with_seed(seed))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0.u64(..)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0.u64(..n)
    }

    /// A random integer, often an edge case of arithmetic.
    pub(crate) fn integer(&mut self) -> u64 {
        let r = self.next();
        match self.below(8) {
            0 => [0, 1, u64::MAX, 1 << 63, i64::MAX as u64, 0x8000_0000, 0x7fff_ffff, 0xffff_ffff]
                [r as usize % 8],
            1 => r % 64,
            2 => (r % 64).wrapping_neg(),
            3 => 1 << (r % 64),
            4 => i64::from(r as i32) as u64,
            _ => r,
        }
    }

    /// Bits of a random floating-point number of `width` bits, often an edge case.
    pub(crate) fn float(&mut self, width: u32) -> u64 {
        let (exp, frac) = match width {
            16 => (5, 10),
            32 => (8, 23),
            _ => (11, 52),
        };
        let r = self.next();
        let sign = (r & 1) << (width - 1);
        let all = (1u64 << exp) - 1;
        let fraction = match self.below(4) {
            0 => 0,
            1 => (1 << frac) - 1,
            2 => 1 << self.below(frac),
            _ => r >> 8 & ((1 << frac) - 1),
        };
        let bias = all / 2;
        let exponent = match self.below(10) {
            0 => 0,
            1 => all,
            2 => 1,
            3 => all - 1,
            4..=7 => (bias + self.below(6)).saturating_sub(3),
            _ => self.below(all + 1),
        };
        sign | exponent << frac | fraction
    }
}

#[test]
fn scalar_rv64() {
    for (seed, vlen) in [(1, 128), (2, 256)] {
        let machine = Machine::find(Xlen::Rv64, vlen);
        scalar::check(&machine, seed, 40);
    }
}

#[test]
fn scalar_rv32() {
    let machine = Machine::find(Xlen::Rv32, 128);
    scalar::check(&machine, 3, 40);
}

#[test]
fn vector_rv64() {
    for (seed, vlen) in [(4, 128), (5, 256), (6, 512)] {
        let machine = Machine::find(Xlen::Rv64, vlen);
        vector::check(&machine, seed, 24);
    }
}

#[test]
fn vector_rv32() {
    let machine = Machine::find(Xlen::Rv32, 128);
    vector::check(&machine, 7, 12);
}
