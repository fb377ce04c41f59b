//! Builds the C++ shim and links clang: `libclang-cpp.so` by default, clang's archives with
//! `MUXCL_LLVM_LINK=static`. Also copies `opencl-c-base.h` from clang's resource folder, to be
//! embedded; with two macros changed ([`NULLS`]).
#![expect(clippy::disallowed_methods, reason = "a build script is configured by the environment")]

use std::env;
use std::error::Error;
use std::path::{Path, PathBuf};

// In the order that a one-pass linker needs: users before their dependencies.
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

/// clang's header makes null events and null reservations by a cast between types that its code
/// generator does not support: it crashes on the first, and emits an unusable constant for the
/// second. The pass `lower-opaque` lowers these functions instead.
const NULLS: [(&str, &str, &str, &str); 2] = [
    ("CLK_NULL_EVENT", "__opencl_c_device_enqueue", "clk_event_t __muxcl_clk_event_of", "~0UL"),
    ("CLK_NULL_RESERVE_ID", "__opencl_c_pipes", "reserve_id_t __muxcl_reserve_of", "0"),
];

fn with_nulls(header: &str) -> Result<String, Box<dyn Error>> {
    let mut text = header.to_owned();
    for (name, feature, function, number) in NULLS {
        let start = text
            .find(&format!("#define {name} "))
            .ok_or_else(|| format!("no {name} in opencl-c-base.h"))?;
        let end = text[start..].find('\n').map_or(text.len(), |length| start + length);
        let call = function.rsplit(' ').next().unwrap_or(function);
        let declared =
            format!("#ifdef {feature}\n{function}(unsigned long) __attribute__((const));\n#endif");
        text.replace_range(start..end, &format!("{declared}\n#define {name} ({call}({number}))"));
    }
    Ok(text)
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed=MUXCL_LLVM_LINK");
    println!("cargo::rerun-if-env-changed=LLVM_SYS_221_PREFIX");
    println!("cargo::rerun-if-changed=cpp");
    let prefix = PathBuf::from(
        env::var("LLVM_SYS_221_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".into()),
    );
    let header = prefix.join("lib/clang/22/include/opencl-c-base.h");
    let text = std::fs::read_to_string(&header)
        .map_err(|e| format!("{}: {e} (package clang-22)", header.display()))?;
    std::fs::write(Path::new(&env::var("OUT_DIR")?).join("opencl-c-base.h"), with_nulls(&text)?)?;

    let is_static = env::var("MUXCL_LLVM_LINK").is_ok_and(|v| v == "static");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .file("cpp/clang_shim.cpp")
        .files(is_static.then_some("cpp/no_targets.cpp"))
        .include(prefix.join("include"))
        .define("_GNU_SOURCE", None)
        .define("__STDC_CONSTANT_MACROS", None)
        .define("__STDC_FORMAT_MACROS", None)
        .define("__STDC_LIMIT_MACROS", None)
        .flags([
            "-fno-exceptions",
            "-fno-rtti",
            "-fvisibility=hidden",
            "-fvisibility-inlines-hidden",
        ])
        .flags(["-ffunction-sections", "-fdata-sections", "-Wno-unused-parameter", "-Wno-comment"])
        .opt_level(2)
        .cpp_link_stdlib(None) // crates/llvm links it
        .debug(false)
        .warnings(false)
        .try_compile("muxcl_clang_shim")?;

    println!("cargo::rustc-link-search=native={}", prefix.join("lib").display());
    if is_static {
        for name in CLANG_ARCHIVES {
            println!("cargo::rustc-link-lib=static:-bundle={name}");
        }
    } else {
        // Debian's libclang-22-dev lacks the link with the plain name, so the file itself is used.
        let libraries = std::fs::read_dir(prefix.join("lib"))?
            .flatten()
            .filter_map(|e| e.file_name().into_string().ok());
        let name = libraries
            .filter(|n| n.starts_with("libclang-cpp.so"))
            .min()
            .ok_or("no libclang-cpp.so (package libclang-cpp22)")?;
        println!("cargo::rustc-link-lib=dylib:+verbatim={name}");
    }
    Ok(())
}
