//! Compiles the C++ shim and links LLVM 22, shared (default) or static (`MUXCL_LLVM_LINK=static`, for `dist`).

#![expect(clippy::disallowed_methods, reason = "a build script is configured by the environment")]

use std::path::PathBuf;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=cpp");
    println!("cargo::rerun-if-env-changed=MUXCL_LLVM_LINK");
    println!("cargo::rerun-if-env-changed=MUXCL_LLVM_CONFIG");
    let config = find_config();
    let include = run(&config, &["--includedir"]);
    let libdir = run(&config, &["--libdir"]);
    let mut build = cc::Build::new();
    build
        .cpp(true)
        .std("c++17")
        .include(include.trim())
        .flag("-fno-exceptions")
        .flag("-fvisibility=hidden")
        .flag_if_supported("-Wno-unused-parameter")
        .flag_if_supported("-Wno-comment")
        .define("__STDC_CONSTANT_MACROS", None)
        .define("__STDC_FORMAT_MACROS", None)
        .define("__STDC_LIMIT_MACROS", None)
        .debug(false)
        .opt_level(1)
        .warnings(false);
    for file in ["cpp/guard.cpp", "cpp/module.cpp", "cpp/transform.cpp", "cpp/target.cpp"] {
        build.file(file);
    }
    build.compile("muxcl_llvm_shim");
    println!("cargo::rustc-link-search=native={}", libdir.trim());
    let kind = std::env::var("MUXCL_LLVM_LINK").unwrap_or_else(|_| "dynamic".to_owned());
    if kind == "static" {
        let parts = run(&config, &["--link-static", "--libs", "--system-libs"]);
        for part in parts.split_whitespace() {
            if let Some(name) = part.strip_prefix("-lLLVM") {
                println!("cargo::rustc-link-lib=static:-bundle=LLVM{name}");
            } else if let Some(name) = part.strip_prefix("-l").filter(|name| !name.starts_with("Polly")) {
                println!("cargo::rustc-link-lib=dylib={name}");
            } else if let Some(file) = part.rsplit('/').next().filter(|f| f.contains(".so")) {
                let stem = file.split(".so").next().unwrap_or(file);
                println!("cargo::rustc-link-lib=dylib={}", stem.trim_start_matches("lib"));
            }
        }
    } else {
        println!("cargo::rustc-link-lib=dylib=LLVM-22");
    }
    println!("cargo::rustc-link-lib=dylib=stdc++");
    // For crates with a C++ shim of their own (frontend-clang): DEP_MUXCL_LLVM_*.
    println!("cargo::metadata=includedir={}", include.trim());
    println!("cargo::metadata=libdir={}", libdir.trim());
    println!("cargo::metadata=link={kind}");
}

fn find_config() -> PathBuf {
    if let Some(path) = std::env::var_os("MUXCL_LLVM_CONFIG") {
        return path.into();
    }
    for path in ["/usr/lib/llvm-22/bin/llvm-config", "/usr/bin/llvm-config-22"] {
        if std::path::Path::new(path).exists() {
            return path.into();
        }
    }
    "llvm-config-22".into()
}

fn run(tool: &PathBuf, args: &[&str]) -> String {
    let out = Command::new(tool).args(args).output();
    match out {
        Ok(out) if out.status.success() => String::from_utf8_lossy(&out.stdout).into_owned(),
        other => panic!("{} {args:?} failed: {other:?}; install llvm-22-dev or set MUXCL_LLVM_CONFIG", tool.display()),
    }
}
