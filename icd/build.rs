//! How `libmuxcl.so` is linked.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Our own symbols win over a loader's of the same name.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-Bsymbolic");
    // Threads run in the library, and handles point into it: dlclose must not unmap it.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libmuxcl.so");
}
