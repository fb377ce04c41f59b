//! The project's commands: demo, test, dist, install, bench, conformance, tidy.
mod codegen;

use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand};

#[derive(Parser)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Writes crates/cl-sys/src/generated.rs from the Khronos headers
    Codegen {
        /// Only compare with the committed file
        #[arg(long)]
        check: bool,
        /// Folder with cl.h
        #[arg(long, default_value = "/usr/include/CL")]
        headers: PathBuf,
    },
}

fn main() -> anyhow::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    match Args::parse().command {
        Command::Codegen { check, headers } => codegen::run(&root, &headers, check),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    #[test]
    fn codegen_is_fresh() -> anyhow::Result<()> {
        super::codegen::run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."), Path::new("/usr/include/CL"), true)
    }
}
