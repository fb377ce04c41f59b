//! Kernel files on RefSi G1 behind a server of the remote HAL, over the loopback interface: what
//! travels through the HAL's interface, such as arguments, program-scope variables, printf and
//! device-side enqueue.

use std::process::ExitCode;

use anyhow::Result;
use muxcl_test_kernels::execute::Variant;
use muxcl_test_kernels::remote::{RemoteServer, make_keys};
use muxcl_test_kernels::suite::{Target, main as run};

const TARGET: Target = Target {
    name: "remote-g1",
    device: "RefSi G1 at ",
    environment: &[("MUXCL_DEVICES", "host,hal"), ("CA_HAL_DEVICE", "remote")],
    without: &[],
    only: &[
        "arguments/",
        "basic/",
        "barriers/matmul",
        "barriers/scan",
        "enqueue/blocks",
        "memory/atomics_c11",
        "memory/pointers_in_buffers",
        "memory/program_scope",
    ],
    il: false,
    variants: &[Variant::Source],
    images: false,
    with_host: true,
};

fn main() -> ExitCode {
    let start = || -> Result<_> {
        let keys = tempfile::tempdir()?;
        make_keys(keys.path(), &[])?;
        Ok((RemoteServer::start("127.0.0.1:0", keys.path(), None)?, keys))
    };
    match start() {
        Ok((server, keys)) => {
            let keys = keys.path().display().to_string();
            let variables =
                [("MUXCL_REMOTE", server.address.to_string()), ("MUXCL_REMOTE_KEYS", keys)];
            for (name, value) in variables {
                // SAFETY: no thread has been started yet.
                unsafe { muxcl_client::set_variable(name, &value) };
            }
            run(&TARGET)
        }
        Err(error) => {
            #[expect(clippy::print_stderr, reason = "a test harness reports on the terminal")]
            {
                eprintln!("{error:#}");
            }
            ExitCode::FAILURE
        }
    }
}
