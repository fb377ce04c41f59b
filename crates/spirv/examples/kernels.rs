//! Lists the kernels of a SPIR-V module and what it needs:
//! `cargo run -p muxcl-spirv --example kernels MODULE.spv`.
#![expect(clippy::print_stdout, reason = "an example program prints")]

use muxcl_spirv::module_info;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in std::env::args().skip(1) {
        let info = module_info(&std::fs::read(&path)?)?;
        let (major, minor) = info.version;
        println!("{path}: SPIR-V {major}.{minor}, addresses of {} bits", info.address_bits);
        println!("  kernels: {}", info.kernels.join(", "));
        println!("  extensions: {}", info.extensions.join(", "));
        println!("  capabilities: {:?}", info.capabilities);
    }
    Ok(())
}
