//! The addresses of scalar loads and stores as sums of register values, so that one check covers
//! several accesses: the accesses of a block that differ by constants (a [`Group`]), and all
//! iterations of an innermost loop (a [`Loop`]).
//!
//! Invariant: all arithmetic is modulo 2^64, so only 64-bit machines use this. Not here: the code
//! of the checks (`lower/ranges.rs`).

use crate::region::{Block, End, Pending, registers};
use muxcl_rv_isa::{Format, Inst, Op};
use muxcl_rv_sim::native::Area;
use std::collections::{BTreeMap, BTreeSet};

/// The most registers of a sum: more would make a check slower than the accesses' own.
const MOST_TERMS: usize = 3;
/// The most blocks and instructions of a loop that has a second copy.
const MOST_LOOP: (usize, usize) = (8, 64);
/// The most instructions of a loop's second copy that has the code of several iterations.
const UNROLLED: u64 = 40;
/// The most bytes that one check of a group covers.
const MOST_BYTES: u64 = 1024;
/// The most iterations that one check covers: if all addresses change by constants, and otherwise.
/// Large steps would soon leave every region of memory.
const MOST_ITERATIONS: [u64; 2] = [256, 32];

/// A bound for the absolute values of constant distances and of steps.
pub(crate) const SMALL: u64 = 1 << 40;
/// The stack pointer.
const SP: u8 = 2;

/// A number plus register values with factors, modulo 2^64.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Linear {
    /// Registers with their factors, which are not 0.
    pub(crate) terms: Vec<(u8, u64)>,
    pub(crate) number: u64,
}

impl Linear {
    fn register(register: u8) -> Self {
        Self { terms: if register == 0 { vec![] } else { vec![(register, 1)] }, number: 0 }
    }

    const fn constant(number: u64) -> Self {
        Self { terms: Vec::new(), number }
    }

    /// `self * a + other * b`, unless it has too many terms.
    fn sum(&self, a: u64, other: &Self, b: u64) -> Option<Self> {
        let mut factors: BTreeMap<u8, u64> = BTreeMap::new();
        for (terms, factor) in [(&self.terms, a), (&other.terms, b)] {
            for (register, times) in terms {
                let sum = factors.entry(*register).or_default();
                *sum = sum.wrapping_add(times.wrapping_mul(factor));
            }
        }
        let terms: Vec<(u8, u64)> = factors.into_iter().filter(|(_, times)| *times != 0).collect();
        let number = self.number.wrapping_mul(a).wrapping_add(other.number.wrapping_mul(b));
        (terms.len() <= MOST_TERMS).then_some(Self { terms, number })
    }
}

/// What is known of the integer registers at a point of a block or loop: their values, in terms of
/// the values at its start.
#[derive(Debug, Clone, PartialEq)]
struct Values([Option<Linear>; 32]);

impl Values {
    fn start() -> Self {
        Self(std::array::from_fn(|k| Some(Linear::register(k as u8))))
    }

    fn of(&self, register: u8) -> Option<&Linear> {
        self.0[usize::from(register)].as_ref()
    }

    fn set(&mut self, register: u8, value: Option<Linear>) {
        if register != 0 {
            self.0[usize::from(register)] = value;
        }
    }

    fn step(&mut self, pc: u64, i: &Inst) {
        let imm = i64::from(i.imm).cast_unsigned();
        let sum = |a: u64, b: u64| self.of(i.rs1)?.sum(a, self.of(i.rs2)?, b);
        let value = match i.op {
            Op::Lui => Some(Linear::constant(imm)),
            Op::Auipc => Some(Linear::constant(pc.wrapping_add(imm))),
            Op::Addi => self.of(i.rs1).and_then(|v| v.sum(1, &Linear::constant(imm), 1)),
            Op::Slli => self.of(i.rs1).and_then(|v| v.sum(1 << (imm & 63), &Linear::default(), 1)),
            Op::Add => sum(1, 1),
            Op::Sub => sum(1, u64::MAX),
            Op::Sh1add => sum(2, 1),
            Op::Sh2add => sum(4, 1),
            Op::Sh3add => sum(8, 1),
            _ => {
                let written = registers(i).x_written;
                (1..32).filter(|k| written >> k & 1 == 1).for_each(|k| self.set(k, None));
                return;
            }
        };
        self.set(i.rd, value);
    }

    fn end(&mut self, end: &End) {
        match end {
            End::Jump { rd, value, .. } => self.set(*rd, Some(Linear::constant(*value))),
            End::Indirect { inst, .. } => self.set(inst.rd, None),
            End::Branch { .. } | End::Next { .. } | End::Interpret { .. } => {}
        }
    }

    /// Forgets what is not so in `other`, too.
    fn join(&mut self, other: &Self) {
        for (value, other) in self.0.iter_mut().zip(&other.0) {
            if value != other {
                *value = None;
            }
        }
    }
}

/// The memory in which translated code looks for an address: an area, or for stores the part of it
/// without protected pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) area: Area,
    pub(crate) store: bool,
}

/// The areas in which accesses are expected.
#[derive(Debug, Clone, Default)]
pub(crate) struct Areas {
    /// The stack is in memory of the hart's own.
    pub(crate) own: bool,
    /// What harts have found, by the address of the instruction.
    pub(crate) found: BTreeMap<u64, Area>,
}

impl Areas {
    /// The area that the access at `pc` with this base register is expected in.
    pub(crate) fn area(&self, pc: u64, base: u8) -> Area {
        match self.found.get(&pc) {
            Some(area) => *area,
            None if base == SP && self.own => Area::Own,
            None => Area::Main,
        }
    }

    /// Where the access at `pc` with this base register is expected.
    pub(crate) fn place(&self, pc: u64, base: u8, store: bool) -> Place {
        let area = self.area(pc, base);
        Place { area, store: store && area != Area::Own }
    }
}

/// A scalar load or store: whether it stores, and its number of bytes.
fn access(i: &Inst) -> Option<(bool, u64)> {
    let store = match i.op.row().format {
        Format::Load | Format::FLoad => false,
        Format::Store | Format::FStore => true,
        _ => return None,
    };
    Some((store, size(i.op)))
}

/// The address of a scalar load or store, if it is known, where it is likely to be, and its size.
fn address(values: &Values, pc: u64, i: &Inst, areas: &Areas) -> Option<(Linear, Place, u64)> {
    let (store, size) = access(i)?;
    let imm = Linear::constant(i64::from(i.imm).cast_unsigned());
    let address = values.of(i.rs1)?.sum(1, &imm, 1)?;
    small(address.number).then(|| (address, areas.place(pc, i.rs1, store), size))
}

/// Whether the absolute value of a number is so small that sums of such numbers do not overflow.
fn small(number: u64) -> bool {
    number.wrapping_add(SMALL) < 2 * SMALL
}

/// The number of bytes that a scalar load or store accesses; 8 for other instructions.
pub(crate) fn size(op: Op) -> u64 {
    match op {
        Op::Lb | Op::Lbu | Op::Sb => 1,
        Op::Lh | Op::Lhu | Op::Sh | Op::Flh | Op::Fsh => 2,
        Op::Lw | Op::Lwu | Op::Sw | Op::Flw | Op::Fsw => 4,
        _ => 8,
    }
}

/// Addresses whose distances are constant.
#[derive(Debug)]
pub(crate) struct Range {
    pub(crate) place: Place,
    /// The first byte, from the registers at the start of the loop.
    pub(crate) first: Linear,
    /// Number of bytes.
    pub(crate) bytes: u64,
    /// By what the address changes in an iteration.
    pub(crate) step: Linear,
}

/// An innermost loop with accesses whose addresses are known for many iterations in advance.
#[derive(Debug)]
pub(crate) struct Loop {
    /// The block at which each iteration begins.
    pub(crate) head: usize,
    pub(crate) blocks: BTreeSet<usize>,
    /// The registers that it reads or writes.
    pub(crate) touched: Pending,
    /// The fewest instructions that an iteration retires.
    pub(crate) least: u64,
    /// The most iterations that one check covers.
    pub(crate) most: u64,
    /// The number of iterations in the second copy's code.
    pub(crate) unrolled: usize,
    pub(crate) ranges: Vec<Range>,
    /// The accesses in these ranges, by the number of the block and of the instruction.
    pub(crate) covered: BTreeSet<(usize, usize)>,
}

/// The blocks of the innermost loop that begins at `head`, in an order in which the others follow
/// their predecessors.
fn body(head: usize, blocks: &[Block], next: &[Vec<usize>]) -> Option<Vec<usize>> {
    let mut all = BTreeSet::from([head]);
    let before = |k: usize| (0..blocks.len()).filter(move |b| next[*b].contains(&k));
    // What is reached without the head is not part of its loop.
    let (mut outside, mut todo) = (BTreeSet::new(), vec![0]);
    while let Some(k) = todo.pop() {
        if k != head && outside.insert(k) {
            todo.extend(&next[k]);
        }
    }
    let mut todo: Vec<usize> = before(head).filter(|k| !outside.contains(k)).collect();
    if todo.is_empty() {
        return None;
    }
    while let Some(k) = todo.pop() {
        if all.insert(k) {
            todo.extend(before(k));
        }
        if all.len() > MOST_LOOP.0 {
            return None;
        }
    }
    let mut order = vec![head];
    while order.len() < all.len() {
        let ready = |k: &&usize| !order.contains(k) && before(**k).all(|b| order.contains(&b));
        // Without such a block, the loop contains another one.
        order.push(*all.iter().find(ready)?);
    }
    // Going down or up in a recursion, rather than a loop that calls functions.
    let calls = order.iter().any(|k| matches!(blocks[*k].end, End::Jump { rd: 1.., .. }));
    let returns = order.iter().any(|k| matches!(blocks[*k].end, End::Indirect { .. }));
    if calls != returns {
        return None;
    }
    let count: usize = order.iter().map(|k| blocks[*k].insts.len()).sum();
    (count <= MOST_LOOP.1).then_some(order)
}

/// The innermost loops that have accesses with known addresses. `next` has the successors of each
/// block.
pub(crate) fn loops(blocks: &[Block], next: &[Vec<usize>], areas: &Areas) -> Vec<Loop> {
    let found = (0..blocks.len()).filter_map(|head| {
        let order = body(head, blocks, next)?;
        find(head, &order, blocks, next, areas)
    });
    let mut all: Vec<Loop> = Vec::new();
    for one in found {
        if all.iter().all(|other| other.blocks.is_disjoint(&one.blocks)) {
            all.push(one);
        }
    }
    all
}

/// The registers that blocks read or write.
fn touched<'a>(blocks: impl Iterator<Item = &'a Block>) -> Pending {
    let mut all = Pending::default();
    for block in blocks {
        let last = match &block.end {
            End::Branch { inst, .. } | End::Indirect { inst, .. } => Some(inst),
            End::Jump { rd, .. } => {
                all.x |= 1 << rd & !1;
                None
            }
            End::Next { .. } | End::Interpret { .. } => None,
        };
        for r in block.insts.iter().map(|(_, i)| i).chain(last).map(registers) {
            all.x |= r.x_read | r.x_written;
            all.f |= r.f_read | r.f_written;
        }
    }
    all
}

fn find(
    head: usize,
    order: &[usize],
    blocks: &[Block],
    next: &[Vec<usize>],
    areas: &Areas,
) -> Option<Loop> {
    // The registers before each block, and the fewest retired instructions of a path to it. Those
    // of the head are those after an iteration.
    let mut before: BTreeMap<usize, (Values, u64)> = BTreeMap::new();
    let mut accesses = Vec::new();
    for k in order {
        let (mut values, retired) =
            if *k == head { (Values::start(), 0) } else { before.get(k)?.clone() };
        for (n, (pc, i)) in blocks[*k].insts.iter().enumerate() {
            if let Some((address, place, size)) = address(&values, *pc, i, areas) {
                accesses.push(((*k, n), place, address, size));
            }
            values.step(*pc, i);
        }
        values.end(&blocks[*k].end);
        let retired = retired + blocks[*k].retires;
        for to in next[*k].iter().filter(|to| order.contains(to)) {
            before
                .entry(*to)
                .and_modify(|(old, least)| {
                    old.join(&values);
                    *least = retired.min(*least);
                })
                .or_insert_with(|| (values.clone(), retired));
        }
    }
    let (after, least) = before.get(&head)?;
    // By what each register changes in an iteration, in terms of registers that do not change.
    let change = |k: u8| after.of(k)?.sum(1, &Linear::register(k), u64::MAX);
    let fixed = |sum: &Linear| sum.terms.iter().all(|(k, _)| change(*k) == Some(Linear::default()));
    let step = |address: &Linear| {
        address.terms.iter().try_fold(Linear::default(), |all, (k, times)| {
            let change = change(*k).filter(fixed)?;
            all.sum(1, &change, *times)
        })
    };
    let mut ranges: BTreeMap<(Place, Linear, Linear), BTreeSet<(u64, u64)>> = BTreeMap::new();
    let mut covered = BTreeSet::new();
    for (at, place, address, size) in accesses {
        let Some(step) = step(&address) else { continue };
        let base = Linear { number: 0, ..address };
        ranges.entry((place, base, step)).or_default().insert((address.number, size));
        covered.insert(at);
    }
    let constant = ranges.keys().all(|(_, _, step)| step.terms.is_empty());
    let ranges: Vec<Range> = ranges
        .into_iter()
        .map(|((place, base, step), parts)| {
            let first = parts.iter().map(|(at, _)| at.cast_signed()).min().unwrap_or_default();
            let end = parts.iter().map(|(at, size)| at.wrapping_add(*size).cast_signed()).max();
            let bytes = end.unwrap_or_default().wrapping_sub(first).cast_unsigned();
            let number = first.cast_unsigned();
            Range { place, first: Linear { number, ..base }, bytes, step }
        })
        .collect();
    let fine = |r: &Range| !r.step.terms.is_empty() || small(r.step.number);
    (!covered.is_empty() && *least > 0 && ranges.iter().all(fine)).then(|| Loop {
        head,
        blocks: order.iter().copied().collect(),
        touched: touched(order.iter().map(|k| &blocks[*k])),
        least: *least,
        most: MOST_ITERATIONS[usize::from(!constant)],
        unrolled: (UNROLLED / order.iter().map(|k| blocks[*k].retires).sum::<u64>()).clamp(1, 4)
            as usize,
        ranges,
        covered,
    })
}

/// Accesses of one block with constant distances. The first of them checks all.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) place: Place,
    /// Binary logarithm of the number of bytes that are checked.
    pub(crate) log: usize,
}

/// The groups of a block.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    pub(crate) all: Vec<Group>,
    /// The group of an access, and its offset there, by the number of the instruction.
    pub(crate) accesses: BTreeMap<usize, (usize, u64)>,
}

impl Groups {
    /// The groups of this block.
    pub(crate) fn of(block: &Block, areas: &Areas) -> Self {
        let mut values = Values::start();
        let mut found: BTreeMap<_, Vec<(usize, Place, u64, u64)>> = BTreeMap::new();
        for (n, (pc, i)) in block.insts.iter().enumerate() {
            if let Some((address, place, size)) = address(&values, *pc, i, areas) {
                let key = (place.area, address.terms);
                found.entry(key).or_default().push((n, place, address.number, size));
            }
            values.step(*pc, i);
        }
        let mut groups = Self::default();
        for all in found.into_values().filter(|all| all.len() > 1) {
            let first = all.iter().map(|(.., at, _)| at.cast_signed()).min().unwrap_or_default();
            let offset = |at: u64| at.wrapping_sub(first.cast_unsigned());
            let bytes = all.iter().map(|(.., at, size)| offset(*at) + size).max().unwrap_or(0);
            if bytes > MOST_BYTES {
                continue;
            }
            let checked = bytes.next_power_of_two();
            for (n, _, at, _) in &all {
                // What is too much is below the addresses: the stack is at an end of its memory.
                let offset = offset(*at) + (checked - bytes);
                groups.accesses.insert(*n, (groups.all.len(), offset));
            }
            let log = checked.trailing_zeros() as usize;
            let place = all.iter().map(|(_, place, ..)| *place).max();
            groups.all.extend(place.map(|place| Group { place, log }));
        }
        groups
    }
}
