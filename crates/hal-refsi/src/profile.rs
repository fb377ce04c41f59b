//! What a counted hart has executed: the detailed counters, and for profiles of kernels how often
//! each stretch of code was executed. Invariant: the counts cover exactly the instructions that the
//! hart reports as retired. A hart that is not counted pays nothing. Not here: the attribution to
//! kernels (`kernels`).

pub(crate) mod kernels;
mod lines;
mod report;

use crate::perf::{COUNTERS, id};
use crate::translation::Executor;
use muxcl_rv_isa::{Extension, Format, Op, decode, decode_compressed};
use muxcl_rv_sim::{CodeCounts, Hart, Stretch};
use std::collections::BTreeMap;

/// Counts, indexed by counter.
type Counts = [u64; COUNTERS];

/// How often each stretch of code was executed.
pub(crate) type Executions = BTreeMap<Stretch, u64>;

/// The profile of one hart.
#[derive(Default)]
pub(crate) struct Profile {
    /// What the interpreter has executed since the last collection.
    pub(crate) code: CodeCounts,
    /// Counts of one execution of a stretch.
    kinds: BTreeMap<Stretch, Counts>,
    /// Totals since creation of the device, without the bytes that the hart itself counts.
    total: Counts,
    /// Executions since the last [`Profile::take_executions`], if they are kept.
    executions: Executions,
    /// The kernels of the device are profiled.
    pub(crate) keeps_executions: bool,
}

impl Profile {
    /// Discards cached stretches after a change of instructions in memory.
    pub(crate) fn forget(&mut self) {
        self.kinds.clear();
    }

    /// Adds what the hart has executed since the last call to the totals.
    pub(crate) fn collect(&mut self, hart: &Hart, executor: Option<&mut Executor>) {
        let translated = executor.map(Executor::take_counts).unwrap_or_default();
        for (stretch, times) in translated.into_iter().chain(self.code.take()) {
            let kinds = self.kinds.entry(stretch).or_insert_with(|| count(hart, stretch));
            for (total, n) in self.total.iter_mut().zip(kinds) {
                *total += *n * times;
            }
            if self.keeps_executions {
                *self.executions.entry(stretch).or_default() += times;
            }
        }
    }

    /// The hart's counters since its creation.
    pub(crate) fn totals(&self, hart: &Hart) -> Counts {
        let mut totals = self.total;
        let [loaded, stored] = hart.moved();
        totals[id::READ_BYTES as usize] += loaded;
        totals[id::WRITE_BYTES as usize] += stored;
        totals
    }

    /// The executions since the last call.
    pub(crate) fn take_executions(&mut self) -> Executions {
        std::mem::take(&mut self.executions)
    }
}

/// Classifies the instructions of a stretch.
fn count(hart: &Hart, stretch: Stretch) -> Counts {
    let (mut counts, mut pc) = ([0; COUNTERS], stretch.pc);
    for _ in 0..stretch.length {
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
    let mut add = |counter: u32, n: u64| counts[counter as usize] += n;
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
        add(if store { id::WRITE } else { id::READ } + size, 1);
        add(if store { id::WRITE_ALL } else { id::READ_ALL }, 1);
        add(if store { id::WRITE_BYTES } else { id::READ_BYTES }, 1 << size);
        return;
    }
    match (row.extension, row.matches & 0x7f) {
        // Vector loads and stores have no single access size; the hart counts their bytes.
        (Extension::V, 0x07) => add(id::READ_ALL, 1),
        (Extension::V, 0x27) => add(id::WRITE_ALL, 1),
        (_, 0x63 | 0x67 | 0x6f) => add(id::BRANCH, 1),
        (Extension::F | Extension::D | Extension::Zfh, _) => add(id::FLOAT, 1),
        (
            Extension::I
            | Extension::M
            | Extension::Zba
            | Extension::Zbb
            | Extension::Zbc
            | Extension::Zbs,
            _,
        ) if !matches!(row.format, Format::Fence | Format::None) => {
            add(id::INTEGER, 1);
        }
        _ => {}
    }
}
