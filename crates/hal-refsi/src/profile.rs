//! The detailed counters: the kinds of instructions that a hart has executed. A profiled hart runs
//! one basic block at a time, and each block is classified once. Invariant: the counts cover
//! exactly the instructions that the hart reports as retired. Disabled, profiling costs nothing.

use crate::perf::{COUNTERS, id};
use muxcl_rv_isa::{Extension, Format, Op, decode, decode_compressed};
use muxcl_rv_sim::{Exit, Hart};
use std::collections::BTreeMap;

/// Counts, indexed by counter.
type Counts = [u64; COUNTERS];

/// The profile of one hart.
#[derive(Default)]
pub(crate) struct Profile {
    /// Counts of a block, keyed by its first address and its number of retired instructions.
    blocks: BTreeMap<(u64, u64), Counts>,
    /// Totals since creation of the device.
    pub(crate) total: Counts,
}

impl Profile {
    /// Discards cached blocks after a change of instructions in memory.
    pub(crate) fn forget(&mut self) {
        self.blocks.clear();
    }

    /// Runs the hart for about `limit` instructions.
    pub(crate) fn run(&mut self, hart: &mut Hart, limit: u64) -> Exit {
        let begin = hart.retired();
        loop {
            let (pc, before) = (hart.pc(), hart.retired());
            let exit = hart.run(1);
            let done = hart.retired() - before;
            let counts = self.blocks.entry((pc, done)).or_insert_with(|| count(hart, pc, done));
            for (total, n) in self.total.iter_mut().zip(counts) {
                *total += *n;
            }
            if exit != Exit::Limit || hart.retired() - begin >= limit {
                return exit;
            }
        }
    }
}

/// Classifies the `n` instructions from `pc` on.
fn count(hart: &Hart, mut pc: u64, n: u64) -> Counts {
    let mut counts = [0; COUNTERS];
    for _ in 0..n {
        let mut word = [0; 4];
        let whole = hart.memory().read(hart.id(), pc, &mut word).is_ok();
        if !whole && hart.memory().read(hart.id(), pc, &mut word[..2]).is_err() {
            break;
        }
        let word = u32::from_le_bytes(word);
        let [low, high, ..] = word.to_le_bytes();
        let inst = if low & 3 == 3 {
            decode(word, hart.xlen())
        } else {
            decode_compressed(u16::from_le_bytes([low, high]), hart.xlen())
        };
        let Some(inst) = inst else { break };
        classify(inst.op, &mut counts);
        pc = pc.wrapping_add(inst.len.into());
    }
    counts
}

fn classify(op: Op, counts: &mut Counts) {
    let mut add = |counter: u32| counts[counter as usize] += 1;
    let size = |op| match op {
        Op::Lb | Op::Lbu | Op::Sb => Some(0),
        Op::Lh | Op::Lhu | Op::Sh | Op::Flh | Op::Fsh => Some(1),
        Op::Lw | Op::Lwu | Op::Sw | Op::Flw | Op::Fsw => Some(2),
        Op::Ld | Op::Sd | Op::Fld | Op::Fsd => Some(3),
        _ => None,
    };
    let row = op.row();
    let store = row.matches & 0x20 != 0;
    if let Some(size) = size(op) {
        add(if store { id::WRITE } else { id::READ } + size);
        add(if store { id::WRITE_ALL } else { id::READ_ALL });
        return;
    }
    match (row.extension, row.matches & 0x7f) {
        // Vector loads and stores have no single access size.
        (Extension::V, 0x07) => add(id::READ_ALL),
        (Extension::V, 0x27) => add(id::WRITE_ALL),
        (_, 0x63 | 0x67 | 0x6f) => add(id::BRANCH),
        (Extension::F | Extension::D | Extension::Zfh, _) => add(id::FLOAT),
        (
            Extension::I
            | Extension::M
            | Extension::Zba
            | Extension::Zbb
            | Extension::Zbc
            | Extension::Zbs,
            _,
        ) if !matches!(row.format, Format::Fence | Format::None) => {
            add(id::INTEGER);
        }
        _ => {}
    }
}
