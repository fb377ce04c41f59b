//! Groups of accesses with a constant distance of two to eight elements from lane to lane, such as
//! the fields of a structure, or `p[2 * i]` and `p[2 * i + 1]`.
//!
//! The lanes of such an access touch memory without long gaps. So consecutive loads and shuffles
//! replace gathers, and all loads of a group share the consecutive loads. Consecutive stores
//! replace scatters.
//!
//! A group lies in a block that all lanes run. Its loads may move up to the first one, because no
//! instruction between them writes memory. Its stores may move down to the last one, because no
//! instruction between them accesses memory. Not here: the code for a group
//! (`widen::group_access`).

use std::collections::BTreeMap;

use muxcl_llvm::{Module, Opcode, Type, Value};

use crate::graph::Graph;
use crate::shapes::{
    Lowering, Shape, Shapes, access_of, base_of, elements_of, fills_bytes, lowering,
};

/// The largest distance from lane to lane, in elements.
pub(crate) const MAX_STRIDE: i64 = 8;

/// The largest number of accesses of a group, and of groups of loads that may grow at the same
/// time. They bound the time to find the group of an access.
const MAX_OPEN: usize = 16;

/// One access of a group.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Member<'m> {
    /// The load or store.
    pub(crate) access: Value<'m>,
    /// The number of elements from the start of the group to the accessed value, in each lane.
    pub(crate) offset: u32,
    /// The number of elements of the accessed value.
    pub(crate) count: u32,
}

/// Loads or stores that one sequence of consecutive accesses replaces.
#[derive(Debug, Clone)]
pub(crate) struct Group<'m> {
    /// The type of an element. Elements of other members may have another type of the same size.
    pub(crate) element: Type<'m>,
    /// The distance from lane to lane, in elements.
    pub(crate) stride: u32,
    /// The accesses in the order of the block.
    pub(crate) members: Vec<Member<'m>>,
}

impl Group<'_> {
    /// The number of elements from the start of the group to its end, in each lane.
    pub(crate) fn extent(&self) -> u32 {
        self.members.iter().map(|m| m.offset + m.count).max().unwrap_or(0)
    }

    /// The number of elements from the first element of lane 0 to the last one of the last lane.
    pub(crate) fn span(&self, lanes: u32) -> u32 {
        (lanes - 1) * self.stride + self.extent()
    }
}

/// A part of an address that differs between lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Index<'m> {
    value: Value<'m>,
    /// The extension of the value to 64 bits; `None` if it has them.
    extension: Option<Opcode>,
    /// The size of the elements that it counts, in bytes.
    scale: u64,
}

/// A group while its block is read. The offsets are in bytes, from `base` and `index`.
#[derive(Debug)]
struct Open<'m> {
    base: Value<'m>,
    index: Option<Index<'m>>,
    element: Type<'m>,
    size: i64,
    step: i64,
    members: Vec<(Value<'m>, i64, u32)>,
}

impl<'m> Open<'m> {
    /// True if `other`, a group with one member, may join this group.
    fn takes(&self, other: &Self, is_load: bool) -> bool {
        let same = (self.base, self.index, self.size, self.step)
            == (other.base, other.index, other.size, other.step);
        let Some((_, at, count)) = other.members.first() else { return false };
        let ranges = || {
            let all = self.members.iter().chain(&other.members);
            all.map(|(_, at, count)| (*at, *at + i64::from(*count) * self.size))
        };
        let first = ranges().map(|r| r.0).min().unwrap_or(0);
        let end = ranges().map(|r| r.1).max().unwrap_or(0);
        let (start, stop) = (*at, *at + i64::from(*count) * self.size);
        let mut own = self.members.iter().map(|(_, a, n)| (*a, *a + i64::from(*n) * self.size));
        let apart = is_load || own.all(|(a, b)| stop <= a || b <= start);
        let few = self.members.len() < MAX_OPEN;
        few && same && (start - first) % self.size == 0 && end - first <= self.step && apart
    }

    fn close(self) -> Group<'m> {
        let first = self.members.iter().map(|m| m.1).min().unwrap_or(0);
        let in_elements = |bytes: i64| u32::try_from(bytes / self.size).unwrap_or(0);
        let members = self.members.iter().map(|(access, at, count)| Member {
            access: *access,
            offset: in_elements(at - first),
            count: *count,
        });
        Group { element: self.element, stride: in_elements(self.step), members: members.collect() }
    }
}

/// The groups of the instructions of a block that all lanes run.
pub(crate) fn of_block<'m>(
    module: &Module<'_>,
    graph: &Graph<'m>,
    shapes: &Shapes<'m>,
    block: usize,
) -> Vec<Group<'m>> {
    let mut done = Vec::new();
    let mut loads: Vec<Open<'m>> = Vec::new();
    let mut stores: Option<Open<'m>> = None;
    for i in graph.blocks[block].instructions() {
        let Some(new) = access(module, graph, shapes, i) else {
            if i.opcode() == Opcode::Phi || lowering(i) == Lowering::Hint {
                continue;
            }
            if i.has_side_effects() {
                done.extend(loads.drain(..).map(Open::close));
            }
            if i.has_side_effects() || i.may_read() {
                done.extend(stores.take().map(Open::close));
            }
            continue;
        };
        if lowering(i) == Lowering::Load {
            done.extend(stores.take().map(Open::close));
            match loads.iter_mut().find(|open| open.takes(&new, true)) {
                Some(open) => open.members.extend(new.members),
                None => {
                    if loads.len() == MAX_OPEN {
                        done.push(loads.remove(0).close());
                    }
                    loads.push(new);
                }
            }
            continue;
        }
        done.extend(loads.drain(..).map(Open::close));
        match stores.as_mut().filter(|open| open.takes(&new, false)) {
            Some(open) => open.members.extend(new.members),
            None => done.extend(stores.replace(new).map(Open::close)),
        }
    }
    done.extend(loads.into_iter().chain(stores).map(Open::close));
    done
}

/// The groups of a block by access: their numbers in `groups`.
pub(crate) fn by_access<'m>(groups: &[Group<'m>]) -> BTreeMap<Value<'m>, usize> {
    let members = |(n, group): (usize, &Group<'m>)| {
        group.members.iter().map(move |m| (m.access, n)).collect::<Vec<_>>()
    };
    groups.iter().enumerate().flat_map(members).collect()
}

/// A group with the access `i` only; `None` if `i` cannot be in a group.
fn access<'m>(
    module: &Module<'_>,
    graph: &Graph<'m>,
    shapes: &Shapes<'m>,
    i: Value<'m>,
) -> Option<Open<'m>> {
    let (pointer, ty) = access_of(i)?;
    let (element, count) = elements_of(ty)?;
    let size = i64::try_from(module.size_of(element)).ok()?;
    let whole = fills_bytes(module, element);
    let Shape::Strided(step) = shapes.of_value(graph, pointer) else { return None };
    let extent = i64::from(count) * size;
    let fits = step % size == 0 && step > extent && step <= MAX_STRIDE * size;
    // A private variable is written and read again soon. A consecutive load of several elements
    // would wait until the stores of all of them are in the cache.
    let private = shapes.variables.contains(&base_of(pointer));
    if !whole || element.is_pointer() || !fits || private {
        return None;
    }
    let (base, index, at) = split(module, pointer);
    Some(Open { base, index, element, size, step, members: vec![(i, at, count)] })
}

/// Splits an address into a base, a varying index, and a constant number of bytes.
fn split<'m>(module: &Module<'_>, pointer: Value<'m>) -> (Value<'m>, Option<Index<'m>>, i64) {
    let (mut v, mut bytes) = (pointer, 0i64);
    while v.is_instruction() && v.opcode() == Opcode::GetElementPtr && v.operand_count() == 2 {
        let (scale, index) = (module.size_of(v.gep_type()), v.operand(1));
        let scaled = |n: i64| i64::try_from(scale).ok().and_then(|scale| n.checked_mul(scale));
        if let Some(n) = index.as_i64() {
            let Some(sum) = scaled(n).and_then(|n| bytes.checked_add(n)) else { break };
            bytes = sum;
            v = v.operand(0);
            continue;
        }
        let (value, extension, n) = split_index(index);
        let Some(sum) = scaled(n).and_then(|n| bytes.checked_add(n)) else { break };
        return (v.operand(0), Some(Index { value, extension, scale }), sum);
    }
    (v, None, bytes)
}

/// Splits an index into a value, its extension, and a constant that is added after the extension.
fn split_index(index: Value<'_>) -> (Value<'_>, Option<Opcode>, i64) {
    let (v, extension) = match index.is_instruction().then(|| index.opcode()) {
        Some(o @ (Opcode::SExt | Opcode::ZExt)) => (index.operand(0), Some(o)),
        _ => (index, None),
    };
    // A narrow index without an extension is extended by the address computation.
    if !v.is_instruction() || (extension.is_none() && v.ty().int_width() != 64) {
        return (v, extension, 0);
    }
    let constant = match v.opcode() {
        Opcode::Add | Opcode::Or => v.operand(1).as_i64(),
        _ => None,
    };
    // The sum must not wrap before the extension. An operation without a common bit never wraps.
    let keeps = |n: i64| match (v.opcode(), extension) {
        (Opcode::Add, None) => true,
        (Opcode::Add, Some(Opcode::SExt)) => v.is_nsw(),
        (Opcode::Add, _) => v.is_nuw() && n >= 0,
        _ => v.is_disjoint_or() && n >= 0,
    };
    match constant.filter(|n| keeps(*n)) {
        Some(n) => (v.operand(0), extension, n),
        None => (v, extension, 0),
    }
}
