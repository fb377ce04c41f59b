//! `clCreateProgramWithIL` refused `SPV_INTEL_memory_access_aliasing` with `CL_INVALID_VALUE`.
//!
//! DPC++ writes the extension's hints into more than half of its modules, so most of dpnp failed
//! with `UR_RESULT_ERROR_INVALID_BINARY`. The second test checks that the build log names an
//! extension that the driver lacks, whatever its instructions look like.

use anyhow::{Result, bail, ensure};
use muxcl_client::{Context, Device};

use crate::spirv::{INPUT, Parts, Words, id, module, op, run};
use crate::{Devices, Test};

pub(crate) const TESTS: &[Test] = &[
    ("p1_alias_scopes", Devices::All, alias_scopes),
    ("p1_unknown_extension", Devices::All, unknown_extension),
];

const DOMAIN: u32 = id::FREE;
const SCOPE: u32 = id::FREE + 1;
const LIST: u32 = id::FREE + 2;
const VALUE: u32 = id::FREE + 3;
const SUM: u32 = id::FREE + 4;

/// `out[i] = in[i] + in[i]`, with hints on the load and on the store.
fn hinted(words: &mut Words) {
    words
        .op(op::LOAD, &[id::UINT, VALUE, id::IN_ITEM, 0x1_0002, 4, LIST])
        .op(op::I_ADD, &[id::UINT, SUM, VALUE, VALUE])
        .op(op::STORE, &[id::OUT_ITEM, SUM, 0x2_0002, 4, LIST]);
}

fn alias_scopes(device: Device) -> Result<()> {
    let parts = Parts {
        capabilities: &[5910],
        extension: "SPV_INTEL_memory_access_aliasing",
        builtin_class: INPUT,
        control: 0,
        // AliasScopeINTEL, also as a decoration
        annotations: &|words| {
            words.op(332, &[VALUE, 5914, LIST]);
        },
        declarations: &|words| {
            words.op(5911, &[DOMAIN]).op(5912, &[SCOPE, DOMAIN]).op(5913, &[LIST, SCOPE]);
        },
        body: &hinted,
    };
    let input: Vec<u32> = (0..100).collect();
    let got = run(device, &parts, &input)?;
    ensure!(got.iter().zip(&input).all(|(got, i)| *got == 2 * i), "{got:?}");
    Ok(())
}

fn unknown_extension(device: Device) -> Result<()> {
    let parts = Parts {
        capabilities: &[],
        extension: "SPV_MUXCL_unheard_of",
        builtin_class: INPUT,
        control: 0,
        annotations: &|_| {},
        declarations: &|words| {
            words.op(6999, &[DOMAIN]);
        },
        body: &|_| {},
    };
    let context = Context::new(device)?;
    let Err(error) = context.build_il(device, &module(device, &parts)?, "") else {
        bail!("a module with an unknown extension builds");
    };
    let text = format!("{error:#}");
    ensure!(text.contains("SPV_MUXCL_unheard_of"), "the extension is not named: {text}");
    Ok(())
}
