//! RISC-V instructions as data: RV32 and RV64, I M A F D C Zicsr Zifencei Zba Zbb Zbc Zbs Zfh Zvfh
//! and V 1.0. One table ([`for_each_instruction!`]) generates the semantic ids ([`Op`]), the
//! decoder ([`decode()`]), the encoder ([`encode`]) and the disassembler ([`disassemble`]).
//! Invariant: `encode(decode(w)) == w` for every word that decodes. The crate `rv-sim` implements
//! the semantics.
//!
//! ```
//! use muxcl_rv_isa::{Op, Xlen, decode, disassemble, encode};
//!
//! let inst = decode(0xfff5_8593, Xlen::Rv64).unwrap();
//! assert_eq!((inst.op, inst.rd, inst.rs1, inst.imm), (Op::Addi, 11, 11, -1));
//! assert_eq!(disassemble(&inst), "addi a1, a1, -1");
//! assert_eq!(encode(&inst, Xlen::Rv64), Some(0xfff5_8593));
//! ```
#![forbid(unsafe_code)]

mod compressed;
pub mod csr;
mod decode;
mod disasm;
mod format;
mod op;
mod table;

pub use compressed::{CompressedRow, decode_compressed, disassemble_compressed};
pub use decode::{decode, decode_any, encode};
pub use disasm::{disassemble, f_name, vtype_name, x_name};
pub use format::{Format, Inst, Operand};
pub use op::{Extension, OP_COUNT, Op, Row, Xlen, XlenSet};

#[cfg(test)]
mod tests;
