//! Builds the C++ shim and links clang: `libclang-cpp.so` by default, clang's archives with `MUXCL_LLVM_LINK=static`.
//! Also copies `opencl-c-base.h` from clang's resource folder, to be embedded.
#![expect(clippy::disallowed_methods, reason = "build scripts are told everything through the environment")]

use std::env;
use std::error::Error;
use std::path::{Path, PathBuf};

// In the order a one-pass linker needs: users before what they use.
const CLANG_ARCHIVES: &[&str] = &[
    "clangFrontend",
    "clangCodeGen",
    "clangSerialization",
    "clangParse",
    "clangSema",
    "clangAPINotes",
    "clangAnalysis",
    "clangAnalysisLifetimeSafety",
    "clangEdit",
    "clangDriver",
    "clangOptions",
    "clangASTMatchers",
    "clangAST",
    "clangSupport",
    "clangLex",
    "clangBasic",
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed=MUXCL_LLVM_LINK");
    println!("cargo::rerun-if-env-changed=LLVM_SYS_221_PREFIX");
    println!("cargo::rerun-if-changed=cpp");
    let prefix = PathBuf::from(env::var("LLVM_SYS_221_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".into()));
    let header = prefix.join("lib/clang/22/include/opencl-c-base.h");
    std::fs::copy(&header, Path::new(&env::var("OUT_DIR")?).join("opencl-c-base.h"))
        .map_err(|e| format!("{}: {e} (package clang-22)", header.display()))?;

    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .file("cpp/clang_shim.cpp")
        .include(prefix.join("include"))
        .define("_GNU_SOURCE", None)
        .define("__STDC_CONSTANT_MACROS", None)
        .define("__STDC_FORMAT_MACROS", None)
        .define("__STDC_LIMIT_MACROS", None)
        .flags(["-fno-exceptions", "-fno-rtti", "-fvisibility=hidden", "-fvisibility-inlines-hidden"])
        .flags(["-ffunction-sections", "-fdata-sections", "-Wno-unused-parameter", "-Wno-comment"])
        .opt_level(2)
        .cpp_link_stdlib(None) // crates/llvm links it
        .debug(false)
        .warnings(false)
        .try_compile("muxcl_clang_shim")?;

    println!("cargo::rustc-link-search=native={}", prefix.join("lib").display());
    if env::var("MUXCL_LLVM_LINK").is_ok_and(|v| v == "static") {
        for name in CLANG_ARCHIVES {
            println!("cargo::rustc-link-lib=static:-bundle={name}");
        }
    } else {
        // Debian's libclang-22-dev has no link of the plain name; the file itself does as well.
        let libraries =
            std::fs::read_dir(prefix.join("lib"))?.flatten().filter_map(|e| e.file_name().into_string().ok());
        let name = libraries
            .filter(|n| n.starts_with("libclang-cpp.so"))
            .min()
            .ok_or("no libclang-cpp.so (package libclang-cpp22)")?;
        println!("cargo::rustc-link-lib=dylib:+verbatim={name}");
    }
    Ok(())
}
