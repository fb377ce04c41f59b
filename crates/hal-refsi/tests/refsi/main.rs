//! Tests of the RefSi devices. They form one program, so that shared programs are compiled once.
#![expect(clippy::print_stdout, reason = "a child process reports to its test")]
#![expect(clippy::cast_possible_truncation, reason = "the values are byte patterns")]

mod commands;
mod common;
mod concurrent;
mod device;
mod dma;
mod gdb;
mod items;
mod library;
mod profile;
mod robust;
mod states;
mod trace;
