//! The time that a kernel's work-items took at its last launches. The next launch begins with it,
//! so that it asks for threads at once instead of running a first group alone, which may be a large
//! part of the whole.
//!
//! Threads race for the number, and arguments change it. A wrong one costs a few microseconds: the
//! launch shares work that is not worth it, or measures once more.

use muxcl_lock::sync::atomic::{AtomicU64, Ordering};

/// Picoseconds for each work-item; 0: unknown.
#[derive(Debug, Default)]
pub(crate) struct Pace(AtomicU64);

impl Pace {
    /// The expected time of `items` work-items, in ps.
    pub(crate) fn expected(&self, items: u64) -> Option<u64> {
        let one = self.0.load(Ordering::Relaxed);
        (one != 0).then(|| one.saturating_mul(items))
    }

    /// Takes note that `items` work-items took `ps`. One measurement out of the ordinary, such as
    /// that of an interrupted thread, changes the number by a quarter of the difference.
    pub(crate) fn measured(&self, items: u64, ps: u64) {
        let now = (ps / items.max(1)).max(1);
        let before = self.0.load(Ordering::Relaxed);
        let next = if before == 0 { now } else { before - before / 4 + now / 4 };
        self.0.store(next.max(1), Ordering::Relaxed);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn follows_the_measurements() {
        let pace = Pace::default();
        assert_eq!(pace.expected(64), None);
        pace.measured(64, 6400);
        assert_eq!(pace.expected(2), Some(200));
        pace.measured(64, 64 * 500);
        assert_eq!(pace.expected(1), Some(200));
        for _ in 0..50 {
            pace.measured(1, 1);
        }
        assert!(pace.expected(1).unwrap() < 5);
    }
}
