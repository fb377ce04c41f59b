//! The link options of `libmuxcl.so`.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // The library's own symbols take precedence over a loader's of the same name.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-Bsymbolic");
    // Threads run in the library, and handles point into it: dlclose must not unmap it.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libmuxcl.so");
}
