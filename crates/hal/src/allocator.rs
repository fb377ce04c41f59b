//! An allocator for a region of device memory, without access to that memory. Invariants:
//! allocations and free ranges together cover exactly the region, and no two free ranges are
//! adjacent.
//!
//! It is written here because HALs receive requests for any power-of-two alignment and the crate
//! `range-alloc` has no alignment.

use std::collections::BTreeMap;

/// A first-fit allocator of address ranges.
#[derive(Debug, Clone)]
pub struct RegionAllocator {
    /// Maps the start of each free range to its size.
    free: BTreeMap<u64, u64>,
    used: BTreeMap<u64, u64>,
}

impl RegionAllocator {
    /// Makes all of `[base, base + size)` free, except address 0, which means "none" in the HAL
    /// interface.
    #[must_use]
    pub fn new(base: u64, size: u64) -> Self {
        let (base, size) = if base == 0 { (1, size.saturating_sub(1)) } else { (base, size) };
        let size = size.min(u64::MAX - base);
        let free = if size == 0 { BTreeMap::new() } else { BTreeMap::from([(base, size)]) };
        Self { free, used: BTreeMap::new() }
    }

    /// Allocates `size` bytes (at least 1) at the lowest multiple of `alignment`. `None` if no free
    /// range fits or the alignment is not a power of two.
    pub fn alloc(&mut self, size: u64, alignment: u64) -> Option<u64> {
        if !alignment.is_power_of_two() {
            return None;
        }
        let size = size.max(1);
        let (start, len, at) = self.free.iter().find_map(|(start, len)| {
            let at = start.checked_next_multiple_of(alignment)?;
            let end = at.checked_add(size)?;
            (end <= start + len).then_some((*start, *len, at))
        })?;
        Some(self.take(start, len, at, size))
    }

    /// Allocates as [`RegionAllocator::alloc`] does, but at the highest multiple of `alignment`, so
    /// that programs lie together at one end of memory and buffers at the other.
    pub fn alloc_high(&mut self, size: u64, alignment: u64) -> Option<u64> {
        if !alignment.is_power_of_two() {
            return None;
        }
        let size = size.max(1);
        let (start, len, at) = self.free.iter().rev().find_map(|(start, len)| {
            let at = (start + len).checked_sub(size)? & !(alignment - 1);
            (at >= *start).then_some((*start, *len, at))
        })?;
        Some(self.take(start, len, at, size))
    }

    /// Moves `size` bytes at `at` from a free range to the allocations.
    fn take(&mut self, start: u64, len: u64, at: u64, size: u64) -> u64 {
        self.free.remove(&start);
        if at > start {
            self.free.insert(start, at - start);
        }
        let (end, old_end) = (at + size, start + len);
        if end < old_end {
            self.free.insert(end, old_end - end);
        }
        self.used.insert(at, size);
        at
    }

    /// Frees an allocation of this allocator. False if `address` is not its start.
    pub fn free(&mut self, address: u64) -> bool {
        let Some(mut size) = self.used.remove(&address) else { return false };
        let mut start = address;
        if let Some((before, len)) = self.free.range(..start).next_back().map(|(a, b)| (*a, *b))
            && before + len == start
        {
            self.free.remove(&before);
            (start, size) = (before, size + len);
        }
        if let Some(after) = self.free.remove(&(start + size)) {
            size += after;
        }
        self.free.insert(start, size);
        true
    }

    /// The size of an allocation in bytes.
    #[must_use]
    pub fn size_of(&self, address: u64) -> Option<u64> {
        self.used.get(&address).copied()
    }

    /// The number of free bytes.
    #[must_use]
    pub fn available(&self) -> u64 {
        self.free.values().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_aligned_and_apart() {
        let mut a = RegionAllocator::new(0x1001, 0x1000);
        let first = a.alloc(10, 256).expect("room");
        let second = a.alloc(1, 1).expect("room");
        assert_eq!((first, second), (0x1100, 0x1001));
        assert_eq!(a.alloc(0x10_0000, 1), None);
        assert_eq!(a.alloc(1, 3), None);
        assert_eq!(a.alloc(1, 0), None);
        let (third, fourth) = (a.alloc_high(1, 256).expect("room"), a.alloc_high(2, 1));
        assert_eq!((third, fourth), (0x2000, Some(0x1ffe)));
        assert_eq!(a.alloc_high(0x10_0000, 1), None);
        assert_eq!((a.alloc_high(1, 3), a.alloc_high(1, 0)), (None, None));
        assert!([first, second, third, fourth.expect("room")].iter().all(|at| a.free(*at)));
        assert_eq!(a.alloc_high(0x1000, 1), Some(0x1001));
    }

    #[test]
    fn freed_ranges_become_one() {
        let mut a = RegionAllocator::new(0x1000, 0x1000);
        let all: Vec<u64> = (0..16).map(|_| a.alloc(0x100, 16).expect("room")).collect();
        assert_eq!((a.alloc(1, 1), a.available()), (None, 0));
        for at in all.iter().step_by(2).chain(all.iter().skip(1).step_by(2)) {
            assert!(a.free(*at));
            assert!(!a.free(*at));
        }
        assert_eq!(a.alloc(0x1000, 0x1000), Some(0x1000));
        assert!(!a.free(0x1001));
    }

    #[test]
    fn zero_is_never_an_address() {
        let mut a = RegionAllocator::new(0, 16);
        assert_eq!(a.alloc(15, 1), Some(1));
        assert_eq!(RegionAllocator::new(0x1000, 0).alloc(0, 1), None);
    }

    #[test]
    fn random_use_loses_nothing() {
        let mut a = RegionAllocator::new(0x1000, 1 << 20);
        let (mut live, mut random) = (Vec::new(), fastrand::Rng::with_seed(1));
        for _ in 0..5000 {
            if random.bool() || live.is_empty() {
                let (size, alignment) = (random.u64(..4096), 1 << random.u32(..8));
                let low = random.bool();
                let at = if low { a.alloc(size, alignment) } else { a.alloc_high(size, alignment) };
                live.extend(at);
            } else {
                assert!(a.free(live.swap_remove(random.usize(..live.len()))));
            }
        }
        for at in live {
            assert!(a.free(at));
        }
        assert_eq!((a.available(), a.alloc(1 << 20, 1)), (1 << 20, Some(0x1000)));
    }
}
