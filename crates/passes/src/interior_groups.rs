//! `interior-groups`: a second copy of a work-group's code, for groups whose work-items all are
//! inside the bounds that the kernel tests.
//!
//! Most kernels test bounds: `if (x < width && y < height)`, or `if (x == 0 || x >= n - 1) return`.
//! In nearly every group, all work-items give the same answer. The pass computes once for each
//! group whether they do, from the group's first and last work-item. If so, the group runs a copy
//! of the code in which these comparisons are constants. So it has no masks, rows can run side by
//! side, and all lanes run each access. Groups at the edge run the code as it was.
//!
//! A comparison qualifies if one side has the same value in the whole group and is known at its
//! start, and the other side is a sum that grows with the local ids. Such a side takes its smallest
//! value in the first work-item, and its largest in the last. The pass computes both, and also
//! tests that no addition in between wraps: the values are then in order. In the copy, ids are
//! below bounds that are variables, above bounds that are constants, and equal to neither. That is
//! only a guess at the common case: if it does not hold for a group, the group runs the code as it
//! was.
//!
//! Invariant: the function's behaviour does not change. Not here: bounds on work-items of one group
//! between barriers (`muxcl_vecz::shorten`).

use std::collections::BTreeMap;

use muxcl_llvm::{Block, Builder, Function, IntPredicate, Opcode, Value, ValueMap};

use crate::work_item_loops::{GroupFunction, GroupParams};

/// The most comparisons that a function may have.
const MOST_COMPARISONS: usize = 12;
/// Functions with more instructions are not copied.
pub(crate) const MOST_INSTRUCTIONS: usize = 1500;
/// The largest number of work-items of a group in one dimension.
const MOST_ITEMS: u64 = 1 << 16;
/// The largest factor with which a local id may contribute to a sum. With [`MOST_ITEMS`], a sum
/// grows by less than 2^31 in a group, so it wraps at most once.
const MOST_TIMES: u64 = 1 << 12;
/// Larger constants are no bounds: a division compares its operand with the smallest number.
const LARGEST_CONSTANT: u64 = 1 << 30;
/// Depth of the search in operands.
const DEPTH: u32 = 10;

/// How a value differs between the work-items of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spread {
    /// The same for all, and computed by instructions without effects from values that are known at
    /// the start of the group.
    Same {
        /// The compiler knows the number.
        constant: bool,
    },
    /// A sum with the local ids, each at most `times` times.
    Grows {
        times: u64,
        /// The sum also has a part that the compiler does not know, such as the group's first id.
        group: bool,
    },
}

/// A comparison, and its result in groups inside the bounds.
struct Bound<'m> {
    comparison: Value<'m>,
    /// The operand that differs between work-items.
    grows: u32,
    inside: bool,
}

/// Runs the pass on the function of a work-group.
pub fn run(group: GroupFunction<'_>) {
    let f = group.function;
    let Some(first) = f.entry().terminator().filter(|t| t.successors().len() == 1) else { return };
    let all = f.instructions();
    if all.len() > MOST_INSTRUCTIONS {
        return;
    }
    // The copy has private variables of its own, which would lack what the entry stores.
    let in_entry =
        |v: &Value<'_>| v.is_alloca() && v.users().iter().any(|u| u.block() == f.entry());
    if f.entry().instructions().iter().any(in_entry) {
        return;
    }
    let search = Search { group };
    let bounds: Vec<Bound<'_>> = all.iter().filter_map(|i| search.bound(*i)).collect();
    if bounds.len() > MOST_COMPARISONS {
        return;
    }
    let (at, start) = (Builder::before(first), first.successors()[0]);
    let mut corners = [Corner::new(&search, false), Corner::new(&search, true)];
    let mut inside: Option<Value<'_>> = None;
    for bound in &bounds {
        for condition in bound.conditions(&at, &mut corners) {
            inside = Some(inside.map_or(condition, |all| at.and(all, condition)));
        }
    }
    let Some(inside) = inside else { return };
    let copy = copy_inside(f, start, &bounds);
    at.cond_br(inside, copy, start);
    first.erase();
}

/// Copies all blocks except the entry. In the copy, the results of the comparisons are constants.
/// Returns the copy of the block `start`.
fn copy_inside<'m>(f: Function<'m>, start: Block<'m>, bounds: &[Bound<'m>]) -> Block<'m> {
    let map = ValueMap::new();
    let entry = f.entry();
    // `vecz` expects that the private variables of a loop are used in that loop only.
    for i in entry.instructions().into_iter().filter(|i| i.is_alloca()) {
        map.set(i, Builder::before(i).insert_copy(i));
    }
    let blocks: Vec<Block<'m>> = f.blocks().into_iter().filter(|b| *b != entry).collect();
    let copies: Vec<Block<'m>> = blocks.iter().map(|b| map.clone_block(*b, ".inside", f)).collect();
    copies.iter().for_each(|copy| map.remap(*copy));
    for bound in bounds {
        if let Some(comparison) = map.get(bound.comparison) {
            comparison.replace_all_uses(f.cx().bool(bound.inside));
        }
    }
    (blocks.iter().zip(&copies)).find(|(b, _)| **b == start).map_or(start, |(_, copy)| *copy)
}

/// Finds the comparisons that qualify.
pub(crate) struct Search<'m> {
    pub(crate) group: GroupFunction<'m>,
}

impl<'m> Search<'m> {
    fn bound(&self, i: Value<'m>) -> Option<Bound<'m>> {
        use IntPredicate as P;
        if i.opcode() != Opcode::ICmp || !i.operand(0).ty().is_int() || !i.has_uses() {
            return None;
        }
        let sides = [0, 1].map(|n| self.spread(i.operand(n)));
        let (grows, constant) = match sides {
            [Some(Spread::Grows { group: true, .. }), Some(Spread::Same { constant })] => {
                (0, constant)
            }
            [Some(Spread::Same { constant }), Some(Spread::Grows { group: true, .. })] => {
                (1, constant)
            }
            _ => return None,
        };
        let inside = match i.int_predicate() {
            P::Ult | P::Ule | P::Slt | P::Sle => (grows == 0) != constant,
            P::Ugt | P::Uge | P::Sgt | P::Sge => (grows == 1) != constant,
            P::Eq => false,
            P::Ne => true,
        };
        if i.operand(1 - grows).as_i64().is_some_and(|c| c.unsigned_abs() > LARGEST_CONSTANT) {
            return None;
        }
        Some(Bound { comparison: i, grows, inside })
    }

    /// True for a value that is known at the start of the group.
    fn is_known(&self, v: Value<'m>) -> bool {
        v.is_constant()
            || v.is_argument()
            || v.is_instruction() && v.block() == self.group.function.entry()
    }

    /// The number of iterations of a loop over the work-items of a group, if `phi` is its counter.
    /// Other loops that count from zero to such a number are the same here.
    fn items(&self, phi: Value<'m>) -> Option<Value<'m>> {
        if phi.opcode() != Opcode::Phi {
            return None;
        }
        let [(a, from_a), (b, from_b)] = phi.incoming()[..] else { return None };
        let (next, latch) = match (a.is_constant() && a.is_null(), b.is_constant() && b.is_null()) {
            (true, false) => (b, from_b),
            (false, true) => (a, from_a),
            _ => return None,
        };
        let steps = next.is_instruction()
            && next.opcode() == Opcode::Add
            && next.operand(0) == phi
            && next.operand(1).as_u64() == Some(1);
        let branch = latch.terminator().filter(|t| t.is_conditional_branch() && steps)?;
        let test = branch.operand(0);
        let repeats = test.is_instruction()
            && test.opcode() == Opcode::ICmp
            && test.int_predicate() == IntPredicate::Ult
            && test.operand(0) == next
            && branch.successors()[0] == phi.block();
        if !repeats {
            return None;
        }
        let count = test.operand(1);
        let is_size = GroupParams::LOCAL_SIZES
            .map(|n| self.group.function.param(self.group.kernel_params + n))
            .contains(&count);
        let fits = count.as_u64().is_some_and(|n| (1..=MOST_ITEMS).contains(&n));
        (is_size || fits).then_some(count)
    }

    /// How `v` differs between the work-items of a group; `None` if that is unknown.
    pub(crate) fn spread(&self, v: Value<'m>) -> Option<Spread> {
        self.spread_within(v, DEPTH)
    }

    fn spread_within(&self, v: Value<'m>, depth: u32) -> Option<Spread> {
        use Opcode as O;
        if self.is_known(v) {
            return Some(Spread::Same { constant: v.as_u64().is_some() });
        }
        let depth = depth.checked_sub(1)?;
        if !v.is_instruction() || !v.ty().is_int() {
            return None;
        }
        if v.opcode() == O::Phi {
            return self.items(v).map(|_| Spread::Grows { times: 1, group: false });
        }
        let operand = |n: u32| self.spread_within(v.operand(n), depth);
        let wide = v.ty().int_width() >= 32;
        let spread = match v.opcode() {
            O::ZExt | O::SExt => operand(0)?,
            O::Trunc if wide => operand(0)?,
            O::Add => sum(operand(0)?, operand(1)?),
            O::Or if v.is_disjoint_or() => sum(operand(0)?, operand(1)?),
            O::Sub => match (operand(0)?, operand(1)?) {
                (a, b @ Spread::Same { .. }) => sum(a, b),
                _ => return None,
            },
            O::Mul | O::Shl => match (operand(0)?, operand(1)?) {
                (Spread::Same { constant: a }, Spread::Same { constant: b }) => {
                    Spread::Same { constant: a && b }
                }
                (Spread::Grows { times, group }, Spread::Same { constant: true }) => {
                    let by = v.operand(1).as_u64()?;
                    let by = if v.opcode() == O::Mul { by } else { 1 << by.min(32) };
                    Spread::Grows { times: times.checked_mul(by.max(1))?, group }
                }
                _ => return None,
            },
            O::And | O::Or | O::Xor | O::LShr | O::AShr => match (operand(0)?, operand(1)?) {
                (Spread::Same { constant: a }, Spread::Same { constant: b }) => {
                    Spread::Same { constant: a && b }
                }
                _ => return None,
            },
            _ => return None,
        };
        match spread {
            Spread::Grows { times, .. } if times > MOST_TIMES || !wide => None,
            spread => Some(spread),
        }
    }
}

fn sum(a: Spread, b: Spread) -> Spread {
    match (a, b) {
        (Spread::Same { constant: a }, Spread::Same { constant: b }) => {
            Spread::Same { constant: a && b }
        }
        (Spread::Grows { times, group }, Spread::Same { constant })
        | (Spread::Same { constant }, Spread::Grows { times, group }) => {
            Spread::Grows { times, group: group || !constant }
        }
        (Spread::Grows { times: a, group: f }, Spread::Grows { times: b, group: g }) => {
            Spread::Grows { times: a.saturating_add(b), group: f || g }
        }
    }
}

/// Computes values as they are in the first or in the last work-item of a group.
pub(crate) struct Corner<'a, 'm> {
    search: &'a Search<'m>,
    last: bool,
    known: BTreeMap<Value<'m>, Value<'m>>,
}

impl<'a, 'm> Corner<'a, 'm> {
    pub(crate) fn new(search: &'a Search<'m>, last: bool) -> Self {
        Self { search, last, known: BTreeMap::new() }
    }

    /// Computes `v`, whose [`Search::spread`] is known.
    pub(crate) fn value(&mut self, b: &Builder<'m>, v: Value<'m>) -> Value<'m> {
        if self.search.is_known(v) {
            return v;
        }
        if let Some(known) = self.known.get(&v) {
            return *known;
        }
        let new = match self.search.items(v) {
            Some(_) if !self.last => v.ty().null(),
            Some(count) => b.sub(count, v.ty().constant(1)),
            None => {
                let operands: Vec<_> = v.operands().iter().map(|o| self.value(b, *o)).collect();
                let copy = b.insert_copy(v);
                // The program may never compute the value, and then it may overflow here.
                copy.drop_poison_flags();
                for (n, o) in (0u32..).zip(operands) {
                    copy.set_operand(n, o);
                }
                copy
            }
        };
        self.known.insert(v, new);
        new
    }
}

impl<'m> Bound<'m> {
    /// The conditions under which the comparison has the result `inside` in the whole group.
    fn conditions(
        &self,
        b: &Builder<'m>,
        [first, last]: &mut [Corner<'_, 'm>; 2],
    ) -> Vec<Value<'m>> {
        use IntPredicate as P;
        let predicate = self.comparison.int_predicate();
        let grows = self.comparison.operand(self.grows);
        let other = first.value(b, self.comparison.operand(1 - self.grows));
        let ends = [first.value(b, grows), last.value(b, grows)];
        let mut conditions = Vec::new();
        if matches!(predicate, P::Eq | P::Ne) {
            // No work-item has the value: it is below the first one's or above the last one's.
            let below = b.icmp(P::Slt, other, ends[0]);
            conditions.push(b.or(below, b.icmp(P::Sgt, other, ends[1])));
        } else {
            for end in ends {
                let (x, y) = if self.grows == 0 { (end, other) } else { (other, end) };
                let holds = b.icmp(predicate, x, y);
                let not = b.xor(holds, holds.cx().bool(true));
                conditions.push(if self.inside { holds } else { not });
            }
        }
        let signed = !matches!(predicate, P::Ult | P::Ule | P::Ugt | P::Uge);
        conditions.extend(in_order(b, [first, last], grows, signed));
        conditions
    }
}

/// Conditions that hold together only if every work-item's value of `v` lies between the values of
/// the group's first and last work-items. `v` grows with the local ids ([`Spread::Grows`]), so it
/// does unless an addition wraps.
pub(crate) fn in_order<'m>(
    b: &Builder<'m>,
    [first, last]: [&mut Corner<'_, 'm>; 2],
    v: Value<'m>,
    signed: bool,
) -> Vec<Value<'m>> {
    use IntPredicate as P;
    let mut ordered = vec![(v, signed)];
    // An extension keeps the order of its operand only if the operand does not wrap.
    let mut at = vec![v];
    while let Some(v) = at.pop() {
        let grows = matches!(first.search.spread(v), Some(Spread::Grows { .. }));
        if !v.is_instruction() || v.opcode() == Opcode::Phi || !grows {
            continue;
        }
        if matches!(v.opcode(), Opcode::ZExt | Opcode::SExt) {
            ordered.push((v.operand(0), v.opcode() == Opcode::SExt));
        }
        at.extend(v.operands());
    }
    let of_ends = |(v, signed): (Value<'m>, bool)| {
        let (low, high) = (first.value(b, v), last.value(b, v));
        b.icmp(if signed { P::Sle } else { P::Ule }, low, high)
    };
    ordered.into_iter().map(of_ends).collect()
}
