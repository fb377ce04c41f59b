//! Link settings of the library.
//!
//! Rust's linker script for a cdylib already exports `muxcl_compiler_request` only; `--exclude-libs` hides what the
//! archives of clang and LLVM bring, `-Bsymbolic` binds their calls at link time, so that another LLVM in the process
//! changes nothing, and lazy binding keeps loading cheap.

fn main() {
    for argument in [
        "--exclude-libs,ALL",
        "-Bsymbolic",
        "-z,defs",
        "-z,lazy",
        "-z,pack-relative-relocs",
        "--gc-sections",
        "--hash-style=gnu",
        "-O1",
    ] {
        println!("cargo::rustc-cdylib-link-arg=-Wl,{argument}");
    }
}
