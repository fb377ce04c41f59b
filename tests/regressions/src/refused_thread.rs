//! If the system refused to start a thread, a program that only polled an event's status waited for
//! ever: only a waiting thread ran the command. Now the query of the status runs it.

use anyhow::{Result, ensure};
use muxcl_client::{Context, Device};

use crate::r11_build_threads::limit_memory;
use crate::{Devices, Test, own_process, poll};

pub(crate) const TESTS: &[Test] = &[("refused_thread/no_memory", Devices::All, no_memory)];

fn no_memory(device: Device) -> Result<()> {
    own_process::run(TESTS[0].0, device, &[], |device| {
        let context = Context::new(device)?;
        let queue = context.queue(device, 0)?;
        // No room for a thread's stack, which has at least 16 MiB.
        limit_memory(Some(8 << 20))?;
        let complete = poll::marker_completes(queue.raw());
        limit_memory(None)?;
        ensure!(complete, "the command did not run");
        Ok(())
    })
}
