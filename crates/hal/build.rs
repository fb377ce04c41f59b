//! Compiles the function that contains C++ exceptions of HAL libraries.

use std::path::PathBuf;

fn main() {
    println!("cargo::rerun-if-changed=cpp");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .flag("-fvisibility=hidden")
        .flag("-Wall")
        .cpp_link_stdlib(None)
        .file("cpp/contain.cpp")
        .compile("muxcl_hal_contain");
    // The C++ run-time library is linked statically: loading the shared one costs an application a
    // millisecond at its first OpenCL call, whether it uses a HAL or not.
    let static_library = cc::Build::new()
        .cpp(true)
        .get_compiler()
        .to_command()
        .arg("-print-file-name=libstdc++.a")
        .output()
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .map(|path| PathBuf::from(path.trim()))
        .filter(|path| path.is_absolute());
    match static_library.as_deref().and_then(|path| path.parent()) {
        Some(folder) => {
            println!("cargo::rustc-link-search=native={}", folder.display());
            println!("cargo::rustc-link-lib=static:-bundle=stdc++");
        }
        None => println!("cargo::rustc-link-lib=dylib=stdc++"),
    }
}
