//! Objects that kernels hold as handles. The registry recognises stale and invalid handles.
//!
//! A handle consists of a slot's index and the number of times the slot was used, so a handle is
//! not reused soon. It is never 0 and never all ones.

use muxcl_lock::{Mutex, Rank};

/// The objects of one kind, by handle.
#[derive(Debug)]
pub(crate) struct Registry<T> {
    slots: Mutex<Slots<T>>,
}

#[derive(Debug)]
struct Slots<T> {
    all: Vec<HandleEntry<T>>,
    free: Vec<u32>,
}

#[derive(Debug)]
struct HandleEntry<T> {
    age: u32,
    value: Option<T>,
}

/// Maximum number of objects, a bound on the memory that a kernel in an endless loop can take.
const MOST: usize = 1 << 22;

impl<T: Clone> Registry<T> {
    pub(crate) const fn new() -> Self {
        Self { slots: Mutex::new(Rank::Leaf, Slots { all: Vec::new(), free: Vec::new() }) }
    }

    /// Adds an object and returns its handle. `None` if the limit is reached or memory runs out.
    /// `make` receives the handle.
    pub(crate) fn insert(&self, make: impl FnOnce(u64) -> T) -> Option<u64> {
        let mut slots = self.slots.lock();
        let Slots { all, free } = &mut *slots;
        let index = match free.pop() {
            Some(index) => index,
            None if all.len() < MOST => {
                all.try_reserve(1).ok()?;
                // Allocate here, so that `remove` never allocates.
                free.try_reserve(all.len() + 1).ok()?;
                all.push(HandleEntry { age: 0, value: None });
                u32::try_from(all.len() - 1).ok()?
            }
            None => return None,
        };
        let slot = all.get_mut(index as usize)?;
        let number = u64::from(slot.age) << 32 | u64::from(index + 1);
        slot.value = Some(make(number));
        Some(number)
    }

    /// The object of a handle.
    pub(crate) fn get(&self, number: u64) -> Option<T> {
        let (index, age) = split(number)?;
        let slots = self.slots.lock();
        slots.all.get(index as usize).filter(|s| s.age == age)?.value.clone()
    }

    /// All objects.
    pub(crate) fn all(&self) -> Vec<T> {
        self.slots.lock().all.iter().filter_map(|slot| slot.value.clone()).collect()
    }

    /// Removes a handle and returns its object.
    pub(crate) fn remove(&self, number: u64) -> Option<T> {
        let (index, age) = split(number)?;
        let mut slots = self.slots.lock();
        let slot = slots.all.get_mut(index as usize).filter(|s| s.age == age)?;
        let value = slot.value.take()?;
        slot.age = slot.age.wrapping_add(1) & 0x7fff_ffff;
        slots.free.push(index);
        Some(value)
    }

    /// Removes and returns every object for which `gone` is true. The caller drops them after the
    /// lock is released.
    pub(crate) fn remove_all(&self, gone: impl Fn(&T) -> bool) -> Vec<T> {
        let mut slots = self.slots.lock();
        let Slots { all, free } = &mut *slots;
        let mut out = Vec::new();
        for (index, slot) in (0..).zip(all) {
            if slot.value.as_ref().is_some_and(&gone) {
                out.extend(slot.value.take());
                slot.age = slot.age.wrapping_add(1) & 0x7fff_ffff;
                free.push(index);
            }
        }
        out
    }
}

fn split(number: u64) -> Option<(u32, u32)> {
    let index = u32::try_from(number & 0xffff_ffff).ok()?.checked_sub(1)?;
    Some((index, u32::try_from(number >> 32).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_recognised_when_they_are_gone() {
        let registry: Registry<u64> = Registry::new();
        let a = registry.insert(|n| n).unwrap();
        let b = registry.insert(|_| 7).unwrap();
        assert_eq!((registry.get(a), registry.get(b)), (Some(a), Some(7)));
        assert_eq!(
            (registry.remove(a), registry.remove(a), registry.get(a)),
            (Some(a), None, None)
        );
        let c = registry.insert(|_| 9).unwrap();
        assert!(c != a && registry.get(a).is_none() && registry.get(c) == Some(9));
        for bad in [0, u64::MAX, 1 << 32, 3, u64::from(u32::MAX)] {
            assert_eq!(registry.get(bad), None, "{bad:#x}");
        }
        assert_eq!(registry.remove_all(|v| *v == 7), [7]);
        assert!(registry.get(b).is_none() && registry.get(c).is_some());
    }
}
