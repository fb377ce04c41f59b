//! Compiles the C++ shim and links LLVM 22, shared (default) or static (`MUXCL_LLVM_LINK=static`,
//! for `dist`).

#![expect(clippy::disallowed_methods, reason = "a build script is configured by the environment")]

use std::path::{Path, PathBuf};
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
        .cpp_link_stdlib(None)
        .warnings(false);
    for file in [
        "cpp/debug.cpp",
        "cpp/erase.cpp",
        "cpp/fatal.cpp",
        "cpp/lanes.cpp",
        "cpp/module.cpp",
        "cpp/transform.cpp",
        "cpp/vector_length.cpp",
        "cpp/widen.cpp",
        "cpp/target.cpp",
        "cpp/lld.cpp",
    ] {
        build.file(file);
    }
    let kind = std::env::var("MUXCL_LLVM_LINK").unwrap_or_else(|_| "dynamic".to_owned());
    println!("cargo::rustc-check-cfg=cfg(muxcl_static_llvm)");
    if kind == "static" {
        println!("cargo::rustc-cfg=muxcl_static_llvm");
        for name in ["no_destructors", "no_interpreter", "no_polly"] {
            build.file(format!("cpp/{name}.cpp"));
        }
    }
    build.compile("muxcl_llvm_shim");
    prepare_lld(libdir.trim(), &run(&config, &["--bindir"]));
    println!("cargo::rustc-link-search=native={}", libdir.trim());
    if kind == "static" {
        let parts = run(&config, &["--link-static", "--libs", "--system-libs"]);
        for part in parts.split_whitespace() {
            if let Some(name) = part.strip_prefix("-lLLVM") {
                println!("cargo::rustc-link-lib=static:-bundle=LLVM{name}");
            } else if let Some(name) =
                part.strip_prefix("-l").filter(|name| !name.starts_with("Polly"))
            {
                // Finding and loading a shared library adds 0.1 ms to the first build.
                match static_folder(&format!("lib{name}.a"))
                    .filter(|_| ["z", "zstd"].contains(&name))
                {
                    Some(folder) => {
                        println!("cargo::rustc-link-search=native={}", folder.display());
                        println!("cargo::rustc-link-lib=static:-bundle={name}");
                    }
                    None => println!("cargo::rustc-link-lib=dylib={name}"),
                }
            } else if let Some(file) = part.rsplit('/').next().filter(|f| f.contains(".so")) {
                let stem = file.split(".so").next().unwrap_or(file);
                println!("cargo::rustc-link-lib=dylib={}", stem.trim_start_matches("lib"));
            }
        }
    } else {
        println!("cargo::rustc-link-lib=dylib=LLVM-22");
    }
    if kind == "static" {
        // A static libstdc++ saves one shared library, and its 5000 references are bound at link
        // time.
        let folder = static_folder("libstdc++.a").expect("g++ brings libstdc++.a");
        println!("cargo::rustc-link-search=native={}", folder.display());
        println!("cargo::rustc-link-lib=static:-bundle=stdc++");
    } else {
        println!("cargo::rustc-link-lib=dylib=stdc++");
    }
    // For crates with a C++ shim of their own (frontend-clang): DEP_MUXCL_LLVM_*.
    println!("cargo::metadata=includedir={}", include.trim());
    println!("cargo::metadata=libdir={}", libdir.trim());
    println!("cargo::metadata=link={kind}");
}

/// Copies lld's archives and renames some of their references (see `cpp/lld.cpp`). Debian ships lld
/// as archives only.
fn prepare_lld(libdir: &str, bindir: &str) {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    let tool = |name: &str| {
        let path = Path::new(bindir.trim()).join(name);
        if path.exists() { path } else { name.trim_start_matches("llvm-").into() }
    };
    let mut renames = String::new();
    for (from, to) in LLD_RENAMES {
        renames += &format!("{from} {to}\n");
    }
    let archives = ["lldELF", "lldCommon"];
    for name in archives {
        let undefined = run(&tool("llvm-nm"), &["-u", "-j", &format!("{libdir}/lib{name}.a")]);
        for symbol in undefined.lines().filter(|s| s.starts_with("LLVMInitialize")) {
            renames += &format!("{symbol} _Z15MuxclLldNothingv\n");
        }
    }
    let list = out.join("lld-renames");
    std::fs::write(&list, renames).expect("OUT_DIR is writable");
    for name in archives {
        let from = format!("{libdir}/lib{name}.a");
        let to = out.join(format!("libmuxcl_{name}.a"));
        let list = format!("--redefine-syms={}", list.display());
        run(&tool("llvm-objcopy"), &[&list, &from, &to.to_string_lossy()]);
        println!("cargo::rustc-link-lib=static:-bundle=muxcl_{name}");
    }
    println!("cargo::rustc-link-search=native={}", out.display());
}

/// References of lld and their replacements in `cpp/lld.cpp`: `MuxclLldGetFile`, `MuxclLldOutput`,
/// `MuxclLldExit`, `MuxclLldNothing`, `MuxclLldZero`.
const LLD_RENAMES: &[(&str, &str)] = &[
    (
        "_ZN4llvm12MemoryBuffer7getFileERKNS_5TwineEbbbSt8optionalINS_5AlignEE",
        "_Z15MuxclLldGetFileRKN4llvm5TwineEbbbSt8optionalINS_5AlignEE",
    ),
    ("_ZN4llvm16FileOutputBuffer6createENS_9StringRefEmj", "_Z14MuxclLldOutputN4llvm9StringRefEmj"),
    ("_ZN4llvm3sys7Process4ExitEib", "_Z12MuxclLldExitib"),
    ("_ZN4llvm13llvm_shutdownEv", "_Z15MuxclLldNothingv"),
    ("_ZN4llvm2cl25ResetAllOptionOccurrencesEv", "_Z15MuxclLldNothingv"),
    (
        "_ZN4llvm2cl23ParseCommandLineOptionsEiPKPKcNS_9StringRefEPNS_11raw_ostreamEPNS_3vfs10FileSystemES2_b",
        "_Z12MuxclLldZerov",
    ),
    ("_ZN4llvm3sys2fs6removeERKNS_5TwineEb", "_Z12MuxclLldZerov"),
    // No link compresses sections, so the compression libraries are not needed.
    ("ZSTD_CCtx_setParameter", "_Z12MuxclLldZerov"),
    ("ZSTD_compressStream2", "_Z12MuxclLldZerov"),
    ("ZSTD_createCCtx", "_Z12MuxclLldZerov"),
    ("ZSTD_freeCCtx", "_Z12MuxclLldZerov"),
    ("adler32", "_Z12MuxclLldZerov"),
    ("adler32_combine", "_Z12MuxclLldZerov"),
    ("deflate", "_Z12MuxclLldZerov"),
    ("deflateEnd", "_Z12MuxclLldZerov"),
    ("deflateInit2_", "_Z12MuxclLldZerov"),
];

fn find_config() -> PathBuf {
    if let Some(path) = std::env::var_os("MUXCL_LLVM_CONFIG") {
        return path.into();
    }
    for path in ["/usr/lib/llvm-22/bin/llvm-config", "/usr/bin/llvm-config-22"] {
        if Path::new(path).exists() {
            return path.into();
        }
    }
    "llvm-config-22".into()
}

/// The folder where the compiler finds the archive `name`; `None` if it finds none.
fn static_folder(name: &str) -> Option<PathBuf> {
    let out = cc::Build::new()
        .cpp(true)
        .get_compiler()
        .to_command()
        .arg(format!("-print-file-name={name}"))
        .output();
    let path = PathBuf::from(String::from_utf8_lossy(&out.ok()?.stdout).trim());
    path.parent().filter(|folder| folder.is_absolute()).map(Into::into)
}

fn run(tool: &PathBuf, args: &[&str]) -> String {
    let out = Command::new(tool).args(args).output();
    match out {
        Ok(out) if out.status.success() => String::from_utf8_lossy(&out.stdout).into_owned(),
        other => panic!(
            "{} {args:?} failed: {other:?}; install llvm-22-dev or set MUXCL_LLVM_CONFIG",
            tool.display()
        ),
    }
}
