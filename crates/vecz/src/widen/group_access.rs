//! Code for groups of accesses with a constant distance between lanes ([`crate::groups`]).
//!
//! Invariant: the accesses touch no memory outside the range from the first element of lane 0 to
//! the last one of the last lane. This range is mapped, because its gaps are shorter than a page.
//! Gaps are read but not written.

use muxcl_llvm::{Type, Value};

use super::{Lanes, Widen};
use crate::groups::{self, Group};

/// The element with number `e` of consecutive vectors: the number of its vector, and its lane.
type Place = (usize, u32);

impl<'m> Widen<'_, 'm, '_> {
    /// Finds the groups of block `n`.
    pub(super) fn find_groups(&mut self, n: usize) {
        self.ready.clear();
        self.groups = match self.mask.is_none() && self.interleaves {
            true => groups::of_block(self.module, self.graph, self.shapes, n),
            false => Vec::new(),
        };
        self.group_of = groups::by_access(&self.groups);
    }

    /// The vectors of the load `i`, if it is in a group. The first load of the group loads all.
    pub(super) fn load_in_group(&mut self, i: Value<'m>) -> Option<Vec<Value<'m>>> {
        if let Some(parts) = self.ready.remove(&i) {
            return Some(parts);
        }
        let group = self.groups.get(*self.group_of.get(&i)?)?.clone();
        let base = self.start_of(&group, i, i.operand(0))?;
        let lanes = self.width.count;
        let size = self.module.size_of(group.element);
        let span = group.span(lanes);
        let chunks = span.div_ceil(lanes);
        let align = self.align_of(&group);
        let ty = self.wide(group.element);
        let like = self.like(&group);
        // The last vector ends with the last element, so it may overlap the one before.
        let last = span - lanes;
        let load = |n: u32| {
            let at = u64::from(if n + 1 == chunks { last } else { n * lanes }) * size;
            self.b().masked_load(ty, self.bytes_after(base, at), align, None, like)
        };
        let vectors: Vec<Value<'m>> = (0..chunks).map(load).collect();
        let place = |e: u32| -> Place {
            match e / lanes {
                n if n + 1 < chunks => (n as usize, e % lanes),
                _ => (vectors.len() - 1, e - last),
            }
        };
        for member in &group.members {
            let part = |c: u32| {
                let element = |lane: u32| Some(place(lane * group.stride + member.offset + c));
                let list: Vec<_> = (0..lanes).map(element).collect();
                let ty = self.wide(scalar_of(member.access.ty()));
                self.b().bitcast(self.picked(&vectors, &list), ty)
            };
            let parts = (0..member.count).map(part).collect();
            self.ready.insert(member.access, parts);
        }
        self.ready.remove(&i)
    }

    /// Stores the vectors of the store `i`, if it is in a group. The last store of the group stores
    /// all. False if `i` is in no group.
    pub(super) fn store_in_group(&mut self, i: Value<'m>, parts: &[Value<'m>]) -> bool {
        let Some(group) = self.group_of.get(&i).map(|n| self.groups[*n].clone()) else {
            return false;
        };
        self.ready.insert(i, parts.to_vec());
        if group.members.last().is_none_or(|m| m.access != i) {
            return true;
        }
        let Some(base) = self.start_of(&group, i, i.operand(1)) else { return false };
        let lanes = self.width.count;
        let size = self.module.size_of(group.element);
        let ty = self.wide(group.element);
        let mut sources = Vec::new();
        // By number of the element in a lane: its vector in `sources`.
        let mut written = vec![None; group.stride as usize];
        for member in &group.members {
            let parts = self.ready.remove(&member.access).unwrap_or_default();
            for (c, part) in (0u32..).zip(parts) {
                written[(member.offset + c) as usize] = Some(sources.len());
                sources.push(self.b().bitcast(part, ty));
            }
        }
        let span = group.span(lanes);
        let align = self.align_of(&group);
        let like = self.like(&group);
        for chunk in 0..span.div_ceil(lanes) {
            let place = |e: u32| -> Option<Place> {
                let source = written[(e % group.stride) as usize].filter(|_| e < span)?;
                Some((source, e / group.stride))
            };
            let list: Vec<_> = (0..lanes).map(|l| place(chunk * lanes + l)).collect();
            let mask = list.contains(&None).then(|| self.constant_mask(&list));
            let vector = self.picked(&sources, &list);
            let address = self.bytes_after(base, u64::from(chunk * lanes) * size);
            self.b().masked_store(vector, address, align, mask, like);
        }
        true
    }

    /// The address of the group's first element in lane 0; `pointer` is the address of `access`.
    fn start_of(
        &mut self,
        group: &Group<'m>,
        access: Value<'m>,
        pointer: Value<'m>,
    ) -> Option<Value<'m>> {
        let Lanes::Strided(base, _) = self.lookup(pointer) else { return None };
        let member = group.members.iter().find(|m| m.access == access)?;
        let bytes = u64::from(member.offset) * self.module.size_of(group.element);
        Some(self.bytes_after(base, bytes.wrapping_neg()))
    }

    /// The address `bytes` bytes after `base`, modulo 2^64.
    fn bytes_after(&self, base: Value<'m>, bytes: u64) -> Value<'m> {
        let offset = self.module.cx().u64(bytes);
        if bytes == 0 { base } else { self.b().byte_offsets(base, offset) }
    }

    /// The alignment that all elements of the group have, in bytes.
    fn align_of(&self, group: &Group<'m>) -> u32 {
        let size = u32::try_from(self.module.size_of(group.element)).unwrap_or(1);
        group.members.iter().map(|m| m.access.align()).fold(size, u32::min)
    }

    /// The access whose metadata holds for a whole group: none if it has several members, because
    /// their metadata differ.
    fn like(&self, group: &Group<'m>) -> Value<'m> {
        match group.members.as_slice() {
            [only] => only.access,
            _ => group.element.poison(),
        }
    }

    /// The constant mask with the lanes that have a place.
    fn constant_mask(&self, list: &[Option<Place>]) -> Value<'m> {
        let count = self.width.count.cast_signed();
        let lanes: Vec<i32> = list.iter().map(|p| if p.is_some() { 0 } else { count }).collect();
        let all = self.all();
        self.b().shuffle(all, all.ty().null(), &lanes)
    }

    /// A vector whose lanes come from these places in `sources`. First, lanes of two vectors at a
    /// time move to their places. Then the results are blended, which is cheaper than further
    /// shuffles across a register.
    fn picked(&self, sources: &[Value<'m>], list: &[Option<Place>]) -> Value<'m> {
        let b = self.b();
        let lanes = self.width.count.cast_signed();
        let used: Vec<usize> =
            (0..sources.len()).filter(|n| list.iter().flatten().any(|p| p.0 == *n)).collect();
        let mut parts = Vec::new();
        for pair in used.chunks(2) {
            let (first, second) = (pair[0], pair[pair.len() - 1]);
            let from = |p: &Option<Place>| match p {
                Some((n, lane)) if *n == first => lane.cast_signed(),
                Some((n, lane)) if *n == second => lanes + lane.cast_signed(),
                _ => -1,
            };
            let moves: Vec<i32> = list.iter().map(from).collect();
            let has: Vec<bool> = moves.iter().map(|m| *m >= 0).collect();
            parts.push((b.shuffle(sources[first], sources[second], &moves), has));
        }
        let blend = |(a, in_a): (Value<'m>, Vec<bool>), (c, in_c): (Value<'m>, Vec<bool>)| {
            let from = |(lane, (a, c)): (i32, (&bool, &bool))| match (a, c) {
                (true, _) => lane,
                (_, true) => lanes + lane,
                _ => -1,
            };
            let choice: Vec<i32> = (0i32..).zip(in_a.iter().zip(&in_c)).map(from).collect();
            let has = in_a.iter().zip(&in_c).map(|(a, c)| *a || *c).collect();
            (b.shuffle(a, c, &choice), has)
        };
        let joined = parts.into_iter().reduce(blend).map(|p| p.0);
        joined.unwrap_or_else(|| sources[0].ty().poison())
    }
}

/// The type of the elements of a value.
fn scalar_of(ty: Type<'_>) -> Type<'_> {
    if ty.is_vector() { ty.element() } else { ty }
}
