//! The contents of local and scratch memory, as far as constant addresses tell.
//!
//! Invariant: each cell holds the value that a load at its address would read. An access that may
//! read or write any part of this memory keeps all earlier stores.

use std::collections::{BTreeMap, BTreeSet};

use muxcl_llvm::{Block, Builder, Function, Module, Opcode, Type, Value};

use crate::kernel_abi::{EXTRA, EXTRA_LOCAL_MEM, EXTRA_SCRATCH};
use crate::local_memory;

/// Memory that only the work-group uses, and that is dead at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Space {
    /// Local memory.
    Local,
    /// Values that live across barriers.
    Scratch,
}

/// The memory at an address.
enum Place {
    /// A constant offset in one of the spaces, in bytes.
    At(Space, i64),
    /// Neither of the spaces.
    Elsewhere,
    /// Possibly one of the spaces.
    Anywhere,
}

/// One element in memory.
#[derive(Clone, Copy)]
struct Cell<'m> {
    /// Size in bytes.
    size: i64,
    /// The value, or a vector that contains it.
    value: Value<'m>,
    /// The element of `value`, if `value` is a vector.
    lane: u32,
    /// The store that wrote the element: an index of [`Memory::stores`].
    store: usize,
}

/// A store to a constant address.
struct Store<'m> {
    instruction: Value<'m>,
    /// True if an access that remains may read what it writes.
    needed: bool,
    /// The stores that provide the elements which a masked store leaves as they are.
    below: Vec<usize>,
}

/// An access to consecutive elements.
struct Access<'m> {
    address: Value<'m>,
    /// The type of the value in memory.
    ty: Type<'m>,
    /// The mask of a masked access.
    mask: Option<Value<'m>>,
    /// The stored value, or of a masked load the value of the lanes outside the mask.
    value: Option<Value<'m>>,
    is_store: bool,
}

/// The contents of memory at one place in a straight-line function.
pub(super) struct Memory<'m, 'c> {
    module: &'m Module<'c>,
    f: Function<'m>,
    block: Block<'m>,
    /// The addresses of the spaces.
    bases: BTreeMap<Value<'m>, Space>,
    /// The structures that contain these addresses.
    extras: BTreeSet<Value<'m>>,
    cells: BTreeMap<(Space, i64), Cell<'m>>,
    stores: Vec<Store<'m>>,
    /// Number of loads that became a stored value.
    copied: usize,
    /// Number of loads that became a shuffle or an element of stored vectors.
    shuffled: usize,
}

impl<'m, 'c> Memory<'m, 'c> {
    /// Memory at the start of `f`, whose body is copied to `block`.
    pub(super) fn new(module: &'m Module<'c>, f: Function<'m>, block: Block<'m>) -> Self {
        Self {
            module,
            f,
            block,
            bases: BTreeMap::new(),
            extras: BTreeSet::new(),
            cells: BTreeMap::new(),
            stores: Vec::new(),
            copied: 0,
            shuffled: 0,
        }
    }

    /// Number of accesses that are not needed; `None` if the shuffles cost more than these save. A
    /// load takes about as long as a shuffle, so each shuffle must save a store.
    pub(super) fn saved(&self) -> Option<usize> {
        let dead = self.stores.iter().filter(|s| !s.needed).count();
        (self.shuffled <= dead).then_some(self.copied + self.shuffled + dead)
    }

    /// Erases the stores whose values no remaining access reads.
    pub(super) fn erase_dead_stores(&self) {
        self.stores.iter().filter(|s| !s.needed).for_each(|s| s.instruction.erase());
    }

    /// Follows the effect of `i`, the last instruction of the block, on memory. Returns the value
    /// that equals the result of a load.
    pub(super) fn access(&mut self, i: Value<'m>) -> Option<Value<'m>> {
        if i.opcode() == Opcode::Fence || is_without_effect(i) {
            // No other thread uses this memory.
            return None;
        }
        let plain = i.is_call() || !(i.is_volatile() || i.is_atomic());
        if let Some(value) = self.gather(i) {
            return Some(value);
        }
        let Some(access) = decode(i) else {
            match space_of(i) {
                Some(local_memory::SPACE) => self.touch_all(Some(Space::Local), i),
                Some(1 | 2) => {}
                _ => self.touch_all(None, i),
            }
            return None;
        };
        match self.place(access.address) {
            Place::Elsewhere => {
                if !access.is_store {
                    self.note_base(i, access.address);
                }
                None
            }
            // The size of a scalable vector is not known here.
            Place::At(space, _) if access.ty.is_scalable_vector() => {
                self.touch_all(Some(space), i);
                None
            }
            Place::At(space, offset) if plain => match access.is_store {
                true => {
                    self.store(i, &access, space, offset);
                    None
                }
                false => self.load(&access, space, offset),
            },
            _ => {
                let local = access.address.ty().address_space() == local_memory::SPACE;
                self.touch_all(local.then_some(Space::Local), i);
                None
            }
        }
    }

    /// Recognises the loads of the addresses of both spaces (`kernel-abi` writes them).
    fn note_base(&mut self, i: Value<'m>, address: Value<'m>) {
        if i.opcode() != Opcode::Load || !i.ty().is_pointer() || !i.has_mark("invariant.load") {
            return;
        }
        let (base, distance) = address.base_in(self.f);
        let is = |offset: u64| i64::try_from(offset) == Ok(distance);
        if base == self.f.param(1) && is(EXTRA) {
            self.extras.insert(i);
        } else if self.extras.contains(&base) {
            if is(EXTRA_LOCAL_MEM) {
                self.bases.insert(i, Space::Local);
            } else if is(EXTRA_SCRATCH) {
                self.bases.insert(i, Space::Scratch);
            }
        }
    }

    fn place(&self, address: Value<'m>) -> Place {
        if is_global(address.ty()) {
            return Place::Elsewhere;
        }
        let (base, distance) = address.base_in(self.f);
        if let Some(space) = self.bases.get(&base) {
            return Place::At(*space, distance);
        }
        let parameters = [self.f.param(0), self.f.param(1)];
        let elsewhere = base.is_instruction() && base.is_alloca()
            || is_global(base.ty())
            || parameters.contains(&base)
            || self.extras.contains(&base);
        if elsewhere { Place::Elsewhere } else { Place::Anywhere }
    }

    /// Follows an instruction that may access any address of one space, or of both.
    fn touch_all(&mut self, only: Option<Space>, i: Value<'m>) {
        let touched = |space: Space| only.is_none_or(|only| only == space);
        let cells = self.cells.iter().filter(|((space, _), _)| touched(*space));
        let stores: BTreeSet<_> = cells.map(|(_, c)| c.store).collect();
        // If the instruction writes, it may leave a part of what each store has written.
        stores.into_iter().for_each(|s| self.need(s));
        if i.has_side_effects() {
            self.cells.retain(|(space, _), _| !touched(*space));
        }
    }

    /// Keeps a store, and the stores below it.
    fn need(&mut self, store: usize) {
        let mut work = vec![store];
        while let Some(store) = work.pop() {
            let store = &mut self.stores[store];
            if !store.needed {
                store.needed = true;
                work.extend(&store.below);
            }
        }
    }

    /// Number, type and size of the elements of a type that cells can hold.
    fn elements(&self, ty: Type<'m>) -> Option<(u32, Type<'m>, i64)> {
        let (count, element) =
            if ty.is_vector() { (ty.vector_len(), ty.element()) } else { (1, ty) };
        let whole = !element.is_int() || matches!(element.int_width(), 8 | 16 | 32 | 64);
        let size = self.module.size_of(element);
        let dense = self.module.size_of(ty) == size * u64::from(count);
        let fits = element.is_scalar() && whole && matches!(size, 1 | 2 | 4 | 8) && dense;
        fits.then_some((count, element, i64::try_from(size).ok()?))
    }

    /// The cells that overlap some bytes, with their addresses.
    fn overlapping(&self, space: Space, at: i64, size: i64) -> Vec<((Space, i64), Cell<'m>)> {
        let near = self.cells.range((space, at - 7)..(space, at + size));
        near.filter(|((_, from), c)| from + c.size > at).map(|(k, c)| (*k, *c)).collect()
    }

    /// Reads some bytes from memory, without their value.
    fn read(&mut self, space: Space, at: i64, size: i64) {
        for (_, cell) in self.overlapping(space, at, size) {
            self.need(cell.store);
        }
    }

    /// Forgets the cells that overlap some bytes. A part of each may stay in memory.
    fn forget(&mut self, space: Space, at: i64, size: i64) {
        for (key, cell) in self.overlapping(space, at, size) {
            self.need(cell.store);
            self.cells.remove(&key);
        }
    }

    /// The value of a gather from constant addresses.
    fn gather(&mut self, i: Value<'m>) -> Option<Value<'m>> {
        let callee = i.is_call().then(|| i.callee()).flatten()?;
        if !callee.name().starts_with("llvm.masked.gather.") {
            return None;
        }
        let (count, element, size) = self.elements(i.ty())?;
        let [addresses, mask, other] = i.args()[..] else { return None };
        let active = constant_mask(mask, count)?;
        let (space, offsets) = self.places(addresses, count)?;
        let cells = self.find(space, &offsets, &active, size)?;
        let (ty, mask, value) = (i.ty(), Some(mask), Some(other));
        let access = Access { address: addresses, ty, mask, value, is_store: false };
        let (value, shuffled) = self.combine(&access, &cells, element, true)?;
        *(if shuffled { &mut self.shuffled } else { &mut self.copied }) += 1;
        Some(value)
    }

    /// The places of a vector of addresses with constant offsets.
    fn places(&self, addresses: Value<'m>, count: u32) -> Option<(Space, Vec<i64>)> {
        let is_sum = addresses.is_instruction()
            && addresses.opcode() == Opcode::GetElementPtr
            && addresses.operand_count() == 2;
        if !is_sum || !addresses.operand(0).ty().is_pointer() {
            return None;
        }
        let (indices, size) = (addresses.operand(1), self.module.size_of(addresses.gep_type()));
        let size = i64::try_from(size).ok()?;
        if !indices.is_constant() || !indices.ty().is_vector() || indices.is_constant_expr() {
            return None;
        }
        let Place::At(space, at) = self.place(addresses.operand(0)) else { return None };
        let offset = |k: u32| {
            let index = indices.constant_element(k)?.as_i64()?;
            at.checked_add(index.checked_mul(size)?)
        };
        Some((space, (0..count).map(offset).collect::<Option<_>>()?))
    }

    fn load(&mut self, a: &Access<'m>, space: Space, at: i64) -> Option<Value<'m>> {
        let bytes = i64::try_from(self.module.size_of(a.ty)).unwrap_or(i64::MAX);
        let Some((count, element, size)) = self.elements(a.ty) else {
            self.read(space, at, bytes);
            return None;
        };
        let known = a.mask.map(|mask| constant_mask(mask, count));
        // Without a constant mask, all elements must be known.
        let active = known.clone().flatten().unwrap_or_else(|| vec![true; count as usize]);
        let offsets: Vec<i64> = (0..i64::from(count)).map(|k| at + k * size).collect();
        if let Some(cells) = self.find(space, &offsets, &active, size) {
            let constant = known.is_none_or(|k| k.is_some());
            if let Some((value, shuffled)) = self.combine(a, &cells, element, constant) {
                *(if shuffled { &mut self.shuffled } else { &mut self.copied }) += 1;
                return Some(value);
            }
        }
        for (offset, _) in offsets.into_iter().zip(active).filter(|(_, active)| *active) {
            self.read(space, offset, size);
        }
        None
    }

    /// The cells of the active elements; `None` if one is unknown.
    fn find(
        &self,
        space: Space,
        offsets: &[i64],
        active: &[bool],
        size: i64,
    ) -> Option<Vec<Option<Cell<'m>>>> {
        let cell = |(offset, active): (&i64, &bool)| match active {
            true => self.cells.get(&(space, *offset)).filter(|c| c.size == size).map(|c| Some(*c)),
            false => Some(None),
        };
        offsets.iter().zip(active).map(cell).collect()
    }

    /// The value of a load from these cells, and whether it takes a shuffle. `None` if it takes
    /// more than two vectors. `constant`: the access has no mask, or `cells` lacks those outside
    /// the mask.
    fn combine(
        &self,
        a: &Access<'m>,
        cells: &[Option<Cell<'m>>],
        element: Type<'m>,
        constant: bool,
    ) -> Option<(Value<'m>, bool)> {
        let b = Builder::at_end(self.block);
        if !a.ty.is_vector() {
            let cell = cells.first().copied().flatten()?;
            if cell.value.ty() == a.ty {
                return Some((cell.value, false));
            }
            let fits = cell.value.ty().is_vector() && cell.value.ty().element() == element;
            let lane = a.ty.cx().u32(cell.lane);
            return fits.then(|| (b.extract_element(cell.value, lane), true));
        }
        let mut sources: Vec<Value<'m>> = Vec::new();
        for cell in cells.iter().flatten() {
            if !sources.contains(&cell.value) {
                sources.push(cell.value);
            }
        }
        let other = a.value.filter(|_| a.mask.is_some()).filter(|v| *v != a.ty.poison());
        let masked = !constant || cells.iter().any(Option::is_none);
        let Some(first) = sources.first().copied() else {
            return Some((other.unwrap_or_else(|| a.ty.poison()), false));
        };
        let ty = first.ty();
        let fit = ty.is_vector() && ty.element() == element && sources.len() <= 2;
        if !fit || sources.iter().any(|s| s.ty() != ty) {
            return None;
        }
        let in_place = |(k, cell): (u32, &Option<Cell<'m>>)| cell.is_none_or(|c| c.lane == k);
        let same = sources.len() == 1 && ty == a.ty && (0u32..).zip(cells).all(in_place);
        let select = |v: Value<'m>| match (a.mask, other) {
            (Some(mask), Some(other)) if masked => b.select(mask, v, other),
            _ => v,
        };
        if same {
            return Some((select(first), masked && other.is_some()));
        }
        let length = i32::try_from(ty.vector_len()).ok()?;
        // The lanes outside a constant mask may come from the second source of the shuffle.
        let joined = other.filter(|v| constant && masked && sources.len() == 1 && v.ty() == ty);
        let second = sources.get(1).copied().or(joined).unwrap_or_else(|| ty.poison());
        let lane = |(k, cell): (i32, &Option<Cell<'m>>)| match cell {
            Some(c) if c.value == first => i32::try_from(c.lane).unwrap_or(-1),
            Some(c) => i32::try_from(c.lane).map_or(-1, |lane| length + lane),
            None if joined.is_some() => length + k,
            None => -1,
        };
        let mask: Vec<i32> = (0..).zip(cells).map(lane).collect();
        let value = b.shuffle(first, second, &mask);
        Some((if joined.is_some() { value } else { select(value) }, true))
    }

    fn store(&mut self, i: Value<'m>, a: &Access<'m>, space: Space, at: i64) {
        let bytes = i64::try_from(self.module.size_of(a.ty)).unwrap_or(i64::MAX);
        let elements = self.elements(a.ty).zip(a.value);
        let Some(((count, element, size), value)) = elements else {
            self.forget(space, at, bytes);
            return;
        };
        let known = a.mask.map(|mask| constant_mask(mask, count));
        let active = known.clone().flatten().unwrap_or_else(|| vec![true; count as usize]);
        let offsets: Vec<i64> = (0..i64::from(count)).map(|k| at + k * size).collect();
        let mut store = Store { instruction: i, needed: false, below: Vec::new() };
        let mut value = value;
        if let (Some(mask), Some(None)) = (a.mask, &known) {
            // Each element is either the new or the old one.
            let cells = self.find(space, &offsets, &active, size);
            let all = Access { mask: None, value: None, is_store: false, ..*a };
            let old = cells.and_then(|cells| {
                let (old, _) = self.combine(&all, &cells, element, true)?;
                Some((old, cells))
            });
            let Some((old, cells)) = old else {
                self.forget(space, at, bytes);
                return;
            };
            store.below = cells.iter().flatten().map(|c| c.store).collect();
            store.below.dedup();
            value = Builder::at_end(self.block).select(mask, value, old);
        }
        let number = self.stores.len();
        self.stores.push(store);
        for (lane, (offset, _)) in
            (0..).zip(offsets.into_iter().zip(active)).filter(|(_, (_, active))| *active)
        {
            let exact = self.cells.get(&(space, offset)).is_some_and(|c| c.size == size);
            if !exact {
                self.forget(space, offset, size);
            }
            self.cells.insert((space, offset), Cell { size, value, lane, store: number });
        }
    }
}

/// True for memory that no pointer to local or private memory refers to: global and constant.
fn is_global(pointer: Type<'_>) -> bool {
    matches!(pointer.address_space(), 1 | 2)
}

/// True for a call that neither reads nor writes memory of the program.
fn is_without_effect(i: Value<'_>) -> bool {
    let Some(callee) = i.is_call().then(|| i.callee()).flatten() else { return false };
    let name = callee.name();
    let known = ["llvm.assume", "llvm.experimental.noalias.scope.decl", "llvm.prefetch."];
    i.is_lifetime() || known.iter().any(|k| name.starts_with(k))
}

/// The address space of all addresses of an atomic operation, a gather or a scatter; `None` for
/// other instructions.
fn space_of(i: Value<'_>) -> Option<u32> {
    let address = match i.opcode() {
        Opcode::AtomicRmw | Opcode::AtomicCmpXchg => i.operand(0),
        Opcode::Call => {
            let name = i.callee()?.name();
            let number = if name.starts_with("llvm.masked.gather.") {
                0
            } else if name.starts_with("llvm.masked.scatter.") {
                1
            } else {
                return None;
            };
            *i.args().get(number)?
        }
        _ => return None,
    };
    let ty = address.ty();
    let ty = if ty.is_any_vector() { ty.element() } else { ty };
    ty.is_pointer().then(|| ty.address_space())
}

/// The access to consecutive elements that `i` is.
fn decode(i: Value<'_>) -> Option<Access<'_>> {
    match i.opcode() {
        Opcode::Load => {
            let address = i.operand(0);
            Some(Access { address, ty: i.ty(), mask: None, value: None, is_store: false })
        }
        Opcode::Store => {
            let value = i.operand(0);
            let (address, ty) = (i.operand(1), value.ty());
            Some(Access { address, ty, mask: None, value: Some(value), is_store: true })
        }
        Opcode::Call => {
            let name = i.callee()?.name();
            let args = i.args();
            let [a, b, c] = args[..] else { return None };
            if name.starts_with("llvm.masked.load.") {
                let (mask, value) = (Some(b), Some(c));
                Some(Access { address: a, ty: i.ty(), mask, value, is_store: false })
            } else if name.starts_with("llvm.masked.store.") {
                let (mask, value) = (Some(c), Some(a));
                Some(Access { address: b, ty: a.ty(), mask, value, is_store: true })
            } else {
                None
            }
        }
        _ => None,
    }
}

/// The lanes of a constant mask; `None` if the mask depends on data.
fn constant_mask(mask: Value<'_>, count: u32) -> Option<Vec<bool>> {
    if !mask.is_constant() || !mask.ty().is_vector() || mask.is_constant_expr() {
        return None;
    }
    (0..count).map(|k| Some(mask.constant_element(k)?.as_u64()? != 0)).collect()
}
