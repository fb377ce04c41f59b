//! The SPIR-V memory operand `Aligned 0` was a build error.
//!
//! An alignment is a power of two, but some producers write 0 for an unknown alignment. Other
//! drivers accept it, and now this one does too.

use anyhow::{Result, ensure};
use muxcl_client::{Context, Device};

use crate::spirv::{INPUT, Parts, id, module, op};
use crate::{Devices, Test};

pub(crate) const TESTS: &[Test] = &[("s7_aligned_zero", Devices::All, aligned_zero)];

fn aligned_zero(device: Device) -> Result<()> {
    const VALUE: u32 = id::FREE;
    let parts = Parts {
        capabilities: &[],
        extension: "",
        builtin_class: INPUT,
        control: 0,
        annotations: &|_| {},
        declarations: &|_| {},
        body: &|words| {
            words
                .op(op::LOAD, &[id::UINT, VALUE, id::IN_ITEM, 2, 0])
                .op(op::STORE, &[id::OUT_ITEM, VALUE, 2, 0]);
        },
    };
    let context = Context::new(device)?;
    let program = context.build_il(device, &module(device, &parts)?, "")?;
    let queue = context.queue(device, 0)?;
    let input: Vec<u32> = (7..57).collect();
    let (out, from) = (context.buffer_with(&[0_u32; 50])?, context.buffer_with(&input)?);
    let mut kernel = program.kernel("k")?;
    kernel.set_buffer(0, &out)?;
    kernel.set_buffer(1, &from)?;
    queue.run(&kernel, &[50], None, None)?;
    let mut got = [0_u32; 50];
    queue.read(&out, &mut got)?;
    ensure!(got[..] == input[..], "{got:?}");
    Ok(())
}
