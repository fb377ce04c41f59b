//! Tests of the RefSi devices. They form one program, so that shared programs are compiled once.
#![expect(
    clippy::print_stdout,
    reason = "a test that runs as the child of another says what it saw"
)]
#![expect(clippy::cast_possible_truncation, reason = "patterns of bytes")]

mod commands;
mod common;
mod device;
mod dma;
mod items;
mod library;
mod robust;
mod states;
