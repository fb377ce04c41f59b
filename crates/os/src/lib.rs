//! The operating system: memory maps, dynamic libraries, threads, clocks. The only crate with cfg(target_os).
