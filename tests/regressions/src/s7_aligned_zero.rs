//! The SPIR-V memory operand `Aligned 0` was a build error.
//!
//! An alignment is a power of two, but some producers write 0 for an unknown alignment. Other
//! drivers accept it, and now this one does too.

use anyhow::{Result, ensure};
use muxcl_client::Device;

use crate::spirv::{INPUT, Parts, id, op, run};
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
    let input: Vec<u32> = (7..57).collect();
    let got = run(device, &parts, &input)?;
    ensure!(got == input, "{got:?}");
    Ok(())
}
