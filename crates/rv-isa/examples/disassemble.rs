//! Disassembles instructions, given as hexadecimal words:
//! `cargo run -p muxcl-rv-isa --example disassemble fff58593 00008067`.
#![expect(clippy::print_stdout, reason = "an example program prints")]

use muxcl_rv_isa::{Xlen, decode, disassemble};

fn main() -> Result<(), std::num::ParseIntError> {
    for word in std::env::args().skip(1) {
        let bits = u32::from_str_radix(word.trim_start_matches("0x"), 16)?;
        match decode(bits, Xlen::Rv64) {
            Some(instruction) => println!("{bits:08x}  {}", disassemble(&instruction)),
            None => println!("{bits:08x}  no instruction of RV64"),
        }
    }
    Ok(())
}
