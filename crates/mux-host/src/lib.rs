//! The Mux target for the CPU this process runs on.
