//! A set of pages of a region: those that harts and devices may not write. Invariant: readers and
//! writers may run at the same time; a reader sees each page before or after a change.

use crate::memory::PAGE;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// A set of page numbers, one bit each.
#[derive(Debug, Default)]
pub(crate) struct PageSet(Box<[AtomicU64]>);

/// Bits `from..to` of a word; `to` is at most 64.
const fn bits(from: u64, to: u64) -> u64 {
    if from >= to { 0 } else { u64::MAX << from & u64::MAX >> (64 - to) }
}

impl PageSet {
    /// An empty set for page numbers below `pages`.
    pub(crate) fn new(pages: u64) -> Self {
        Self((0..pages.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    /// The words that contain pages of the range, each with its bits of the range.
    fn words(&self, pages: Range<u64>) -> impl Iterator<Item = (&AtomicU64, u64)> {
        let first = (pages.start / 64).min(self.0.len() as u64);
        let last = pages.end.div_ceil(64).clamp(first, self.0.len() as u64);
        (first..).zip(&self.0[first as usize..last as usize]).map(move |(k, word)| {
            let bit = |page: u64| page.saturating_sub(k * 64).min(64);
            (word, bits(bit(pages.start), bit(pages.end)))
        })
    }

    /// Adds or removes pages.
    pub(crate) fn set(&self, pages: Range<u64>, member: bool) {
        for (word, bits) in self.words(pages) {
            if member {
                word.fetch_or(bits, Ordering::Relaxed);
            } else {
                word.fetch_and(!bits, Ordering::Relaxed);
            }
        }
    }

    /// Whether the set contains a page of the range.
    pub(crate) fn any(&self, pages: Range<u64>) -> bool {
        self.words(pages).any(|(word, bits)| word.load(Ordering::Relaxed) & bits != 0)
    }

    /// The longest range of pages below `pages` that are not in the set.
    pub(crate) fn longest_gap(&self, pages: u64) -> Range<u64> {
        let (mut best, mut start) = (0..0, 0);
        let mut end_at = |start: u64, end: u64| {
            let end = end.min(pages);
            if end.saturating_sub(start) > best.end - best.start {
                best = start..end;
            }
        };
        for (k, word) in (0u64..).zip(&self.0) {
            let mut left = word.load(Ordering::Relaxed);
            while left != 0 {
                let page = k * 64 + u64::from(left.trailing_zeros());
                end_at(start, page);
                start = page + 1;
                left &= left - 1;
            }
        }
        end_at(start, pages);
        best
    }
}

/// The numbers of the pages that contain `size` bytes at `address`, relative to the page of `base`.
/// `address` is not below `base`, and the range does not wrap around.
pub(crate) fn pages_of(base: u64, address: u64, size: u64) -> Range<u64> {
    let first = base / PAGE as u64;
    match size.checked_sub(1) {
        Some(before) => address / PAGE as u64 - first..(address + before) / PAGE as u64 + 1 - first,
        None => 0..0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_what_a_list_of_flags_is() {
        const PAGES: u64 = 200;
        let mut random = fastrand::Rng::with_seed(3);
        let (set, mut flags) = (PageSet::new(PAGES), [false; PAGES as usize]);
        for _ in 0..3000 {
            let (start, member) = (random.u64(..PAGES), random.bool());
            let range = start..random.u64(start..=PAGES);
            let within = range.start as usize..range.end as usize;
            match random.u32(..3) {
                0 => {
                    set.set(range, member);
                    flags[within].fill(member);
                }
                1 => assert_eq!(set.any(range), flags[within].contains(&true)),
                _ => {
                    let runs = flags.split(|flag| *flag);
                    let longest = runs.map(<[bool]>::len).max().unwrap_or(0);
                    let gap = set.longest_gap(PAGES);
                    assert_eq!(gap.end - gap.start, longest as u64);
                    assert!(!set.any(gap));
                }
            }
        }
        // Pages that do not exist.
        assert!(!set.any(1000..2000));
        set.set(1000..u64::MAX, true);
        assert!(!PageSet::default().any(0..10));
    }

    #[test]
    fn a_range_is_in_the_pages_of_its_bytes() {
        assert_eq!(pages_of(0x1000, 0x1000, 0x1000), 0..1);
        assert_eq!(pages_of(0x1000, 0x1fff, 2), 0..2);
        assert_eq!(pages_of(0x1008, 0x2000, 1), 1..2);
        assert_eq!(pages_of(0x1000, 0x1234, 0), 0..0);
        assert_eq!(pages_of(0, u64::MAX, 1), (1 << 52) - 1..1 << 52);
    }
}
