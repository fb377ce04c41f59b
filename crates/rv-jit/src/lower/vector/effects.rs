//! Which bytes of the vector registers an instruction with a plan reads and writes. Only choices
//! depend on it, see [`super::variables`]; code does not.

use super::plan::{Access, CHUNK, Config, Places, Plan, Planned, Unit, plan};
use muxcl_rv_isa::{Inst, Operand};
use std::ops::Range;

/// The bytes, by their offsets in the registers.
#[derive(Debug, Default)]
pub(super) struct Effects {
    pub(super) reads: Vec<Range<u64>>,
    pub(super) writes: Vec<Range<u64>>,
    /// The written values come from memory.
    pub(super) loads: bool,
}

/// The effects of a vector instruction; `None` if the interpreter executes it.
pub(super) fn effects(i: &Inst, config: Option<Config>, unit: Unit) -> Option<Effects> {
    let Planned { plan, sew, elements, any_length, most } = plan(i, config, unit)?;
    let has = |o: Operand| i.op.row().format.operands().contains(&o);
    let part = |register: u8, bytes: u64| {
        let start = u64::from(register) * unit.vlenb;
        start..start + bytes
    };
    let mut all = Effects::default();
    let mut sources = |a: u64, b: u64| {
        let (a, b) = (has(Operand::V2).then_some(a), has(Operand::V1).then_some(b));
        all.reads.extend(a.map(|bytes| part(i.rs2, bytes)));
        all.reads.extend(b.map(|bytes| part(i.rs1, bytes)));
    };
    let bits = elements.div_ceil(8);
    match plan {
        // Such registers gain nothing as variables.
        Plan::Call => return None,
        Plan::Map(map) => {
            sources(elements * map.a.size, elements * map.b.size);
            all.writes.push(part(i.rd, elements * map.d));
            if map.operation.reads_destination() {
                all.reads.push(part(i.rd, elements * map.d));
            }
        }
        Plan::Compare { size, .. } => {
            sources(elements * size, elements * size);
            all.writes.push(part(i.rd, bits));
        }
        Plan::MarkFirst => {
            sources(bits, bits);
            all.writes.push(part(i.rd, bits));
        }
        Plan::Logic(_) => {
            sources(bits, bits);
            all.writes.push(part(i.rd, bits));
        }
        Plan::Count | Plan::FindFirst => sources(bits, bits),
        Plan::Reduce { a, width, .. } => {
            sources(elements * a.size, width);
            all.writes.push(part(i.rd, width));
        }
        Plan::Copy { bytes } => {
            all.reads.push(part(i.rs2, bytes));
            all.writes.push(part(i.rd, bytes));
        }
        Plan::Read => sources(sew, sew),
        Plan::Write => all.writes.push(part(i.rd, sew)),
        Plan::Compress => {
            sources(elements * sew, bits);
            all.reads.push(part(i.rd, elements * sew));
            all.writes.push(part(i.rd, elements * sew));
        }
        Plan::CountBefore => {
            sources(bits, 0);
            all.writes.push(part(i.rd, elements * sew));
        }
        Plan::SlideAny { up } => {
            sources(most * sew, 0);
            all.reads.extend(up.then(|| part(i.rd, elements * sew)));
            all.writes.push(part(i.rd, elements * sew));
        }
        Plan::Slide { .. } | Plan::Broadcast | Plan::Gather => {
            sources(elements * sew, elements * sew);
            all.writes.push(part(i.rd, elements * sew));
        }
        Plan::Access(Access { store, places, size, fields, registers, elements, .. }) => {
            if let Places::Indexed(index) = places {
                all.reads.push(part(i.rs2, elements * index));
            }
            all.loads = !store;
            let to = if store { &mut all.reads } else { &mut all.writes };
            for field in 0..fields {
                let start = (u64::from(i.rd) + field * registers) * unit.vlenb;
                to.push(start..start + elements * size);
            }
        }
    }
    if has(Operand::V0) || has(Operand::VMask) && !i.unmasked {
        all.reads.push(0..bits);
    }
    // Where not all bytes of a chunk change, the others are read.
    let whole = |r: &Range<u64>| r.end.is_multiple_of(CHUNK);
    let masked = any_length || !i.unmasked;
    let kept: Vec<_> = all.writes.iter().filter(|r| masked || !whole(r)).cloned().collect();
    all.reads.extend(kept);
    Some(all)
}
