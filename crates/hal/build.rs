//! Compiles the function that contains C++ exceptions of HAL libraries.

fn main() {
    println!("cargo::rerun-if-changed=cpp");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .flag("-fvisibility=hidden")
        .flag("-Wall")
        .file("cpp/contain.cpp")
        .compile("muxcl_hal_contain");
}
