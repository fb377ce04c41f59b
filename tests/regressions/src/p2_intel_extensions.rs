//! Extensions of SPIR-V that DPC++'s modules use and the driver refused.
//!
//! `SPV_INTEL_subgroups` (shuffles, block reads and writes), `SPV_INTEL_fp_fast_math_mode` and
//! `SPV_INTEL_optnone` (hints), and builtin variables in storage class CrossWorkgroup, as in
//! dpctl's own modules.

use anyhow::{Result, ensure};
use muxcl_client::{Context, Device};

use crate::spirv::{CROSS_WORKGROUP, INPUT, Parts, Words, id, module, op, run};
use crate::{Devices, Test};

pub(crate) const TESTS: &[Test] = &[
    ("p2_sub_group_shuffles", Devices::All, shuffles),
    ("p2_fast_math_and_optnone", Devices::All, hints),
];

const ITEMS: usize = 64;
/// Words that each work-item writes.
const RESULTS: usize = 8;

/// Ids of the shuffles' module.
mod ids {
    use crate::spirv::id::FREE;
    pub(super) const LANE_POINTER: u32 = FREE;
    pub(super) const LANE: u32 = FREE + 1;
    pub(super) const MAX_SIZE: u32 = FREE + 2;
    pub(super) const CONSTANTS: u32 = FREE + 3; // to 12
    pub(super) const LOADED: u32 = FREE + 20;
    pub(super) const LANE_ID: u32 = FREE + 21;
    pub(super) const SIZE: u32 = FREE + 22;
    pub(super) const TENFOLD: u32 = FREE + 23;
    pub(super) const RESULTS: u32 = FREE + 24; // to 31
    pub(super) const FIRST: u32 = FREE + 40;
    pub(super) const BLOCK: u32 = FREE + 41;
    pub(super) const ADDRESSES: u32 = FREE + 50;
}

fn constant(n: u32) -> u32 {
    ids::CONSTANTS + n
}

fn shuffle_body(words: &mut Words) {
    let [r0, r1, r2, r3, r4] = [0, 1, 2, 3, 4].map(|n| ids::RESULTS + n);
    words
        .op(op::LOAD, &[id::UINT, ids::LOADED, id::IN_ITEM])
        .op(op::LOAD, &[id::UINT, ids::LANE_ID, ids::LANE])
        .op(op::LOAD, &[id::UINT, ids::SIZE, ids::MAX_SIZE])
        .op(op::I_MUL, &[id::UINT, ids::TENFOLD, ids::LOADED, constant(10)])
        // Shuffle, ShuffleXor, ShuffleDown, ShuffleUp
        .op(5571, &[id::UINT, r0, ids::LOADED, constant(3)])
        .op(5574, &[id::UINT, r1, ids::LOADED, constant(5)])
        .op(5572, &[id::UINT, r2, ids::LOADED, ids::TENFOLD, constant(2)])
        .op(5573, &[id::UINT, r3, ids::TENFOLD, ids::LOADED, constant(2)])
        // The block that begins with the sub-group's first work-item.
        .op(op::I_SUB, &[id::UINT, ids::FIRST, id::ITEM_32, ids::LANE_ID])
        .op(op::PTR_ACCESS_CHAIN, &[id::POINTER, ids::BLOCK, id::IN, ids::FIRST])
        .op(5575, &[id::UINT, r4, ids::BLOCK])
        .op(5576, &[ids::BLOCK, ids::TENFOLD]);
    let results = [r0, r1, r2, r3, r4, ids::LANE_ID, ids::SIZE, ids::TENFOLD];
    let base = ids::ADDRESSES;
    words.op(op::I_MUL, &[id::UINT, base, id::ITEM_32, constant(8)]);
    for (n, result) in (0_u32..).zip(results) {
        let (index, address) = (base + 1 + 2 * n, base + 2 + 2 * n);
        words
            .op(op::I_ADD, &[id::UINT, index, base, constant(n)])
            .op(op::PTR_ACCESS_CHAIN, &[id::POINTER, address, id::OUT, index])
            .op(op::STORE, &[address, result]);
    }
}

fn shuffles(device: Device) -> Result<()> {
    let parts = Parts {
        // SubgroupDispatch, SubgroupShuffleINTEL, SubgroupBufferBlockIOINTEL
        capabilities: &[58, 5568, 5569],
        extension: "SPV_INTEL_subgroups",
        builtin_class: CROSS_WORKGROUP,
        control: 0,
        // BuiltIn SubgroupLocalInvocationId, SubgroupMaxSize
        annotations: &|words| {
            words.op(op::DECORATE, &[ids::LANE, 11, 41]).op(op::DECORATE, &[ids::MAX_SIZE, 11, 37]);
        },
        declarations: &|words| {
            words
                .op(op::TYPE_POINTER, &[ids::LANE_POINTER, INPUT, id::UINT])
                .op(op::VARIABLE, &[ids::LANE_POINTER, ids::LANE, INPUT])
                .op(op::VARIABLE, &[ids::LANE_POINTER, ids::MAX_SIZE, INPUT]);
            for n in 0..=10 {
                words.op(op::CONSTANT, &[id::UINT, constant(n), n]);
            }
        },
        body: &shuffle_body,
    };
    let context = Context::new(device)?;
    let program = context.build_il(device, &module(device, &parts)?, "")?;
    let queue = context.queue(device, 0)?;
    let input: Vec<u32> = (100..).take(ITEMS).collect();
    let out = context.buffer_with(&vec![0_u32; ITEMS * RESULTS])?;
    let from = context.buffer_with(&input)?;
    let mut kernel = program.kernel("k")?;
    kernel.set_buffer(0, &out)?;
    kernel.set_buffer(1, &from)?;
    queue.run(&kernel, &[ITEMS], Some(&[ITEMS]), None)?;
    let mut got = vec![0_u32; ITEMS * RESULTS];
    queue.read(&out, &mut got)?;
    for (item, row) in got.chunks(RESULTS).enumerate() {
        let &[shuffled, xored, down, up, read, lane, size, _] = row else { continue };
        let (lane, size) = (usize::try_from(lane)?, usize::try_from(size)?);
        ensure!(size >= 8 && lane < size && lane == item % size, "lane {lane} of {size}");
        let first = item - lane;
        let at = |n: usize| input[first + n];
        let wanted = [
            at(3),
            at(lane ^ 5),
            if lane + 2 < size { at(lane + 2) } else { 10 * at(lane + 2 - size) },
            if lane >= 2 { at(lane - 2) } else { 10 * at(lane + size - 2) },
            input[item],
        ];
        ensure!([shuffled, xored, down, up, read] == wanted, "{item}: {row:?}, not {wanted:?}");
    }
    let mut written = vec![0_u32; ITEMS];
    queue.read(&from, &mut written)?;
    ensure!(written.iter().zip(&input).all(|(w, i)| *w == 10 * i), "written: {written:?}");
    Ok(())
}

fn hints(device: Device) -> Result<()> {
    const FLOAT: u32 = id::FREE;
    const LOADED: u32 = id::FREE + 1;
    const NUMBER: u32 = id::FREE + 2;
    const SUM: u32 = id::FREE + 3;
    const RESULT: u32 = id::FREE + 4;
    // FPFastMathModeINTEL with its two flags; OptNoneEXT in the function's control.
    for (capability, extension, control) in
        [(5837, "SPV_INTEL_fp_fast_math_mode", 0), (6094, "SPV_INTEL_optnone", 0x1_0000)]
    {
        let parts = Parts {
            capabilities: &[capability],
            extension,
            builtin_class: INPUT,
            control,
            annotations: &|words| {
                words.op(op::DECORATE, &[SUM, 40, 0x3_0000]);
            },
            declarations: &|words| {
                words.op(op::TYPE_FLOAT, &[FLOAT, 32]);
            },
            body: &|words| {
                words
                    .op(op::LOAD, &[id::UINT, LOADED, id::IN_ITEM])
                    .op(op::CONVERT_U_TO_F, &[FLOAT, NUMBER, LOADED])
                    .op(op::F_ADD, &[FLOAT, SUM, NUMBER, NUMBER])
                    .op(op::CONVERT_F_TO_U, &[id::UINT, RESULT, SUM])
                    .op(op::STORE, &[id::OUT_ITEM, RESULT]);
            },
        };
        let input: Vec<u32> = (0..50).collect();
        let got = run(device, &parts, &input)?;
        ensure!(got.iter().zip(&input).all(|(got, i)| *got == 2 * i), "{extension}: {got:?}");
    }
    Ok(())
}
