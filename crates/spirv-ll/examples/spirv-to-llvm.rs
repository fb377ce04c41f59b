//! Shows the IR of a SPIR-V file: `cargo run -p muxcl-spirv-ll --example spirv-to-llvm FILE.spv`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a tool")]

use muxcl_llvm::Context;
use muxcl_spirv_ll::{Math, Options, text, translate};

fn main() {
    for file in std::env::args().skip(1) {
        let il = match std::fs::read(&file) {
            Ok(il) => il,
            Err(e) => {
                eprintln!("{file}: {e}");
                continue;
            }
        };
        let bits = muxcl_spirv::module_info(&il).map_or(64, |info| info.address_bits);
        let options = Options { constants: &[], address_bits: bits, math: Math::default() };
        let context = Context::new();
        match translate(&context, &il, &options) {
            Ok(module) => println!("; {file}\n{module}"),
            Err(e) => {
                println!("; {file}\n{}", text(&il, &options).unwrap_or_default());
                eprintln!("{file}: {e}");
            }
        }
    }
}
