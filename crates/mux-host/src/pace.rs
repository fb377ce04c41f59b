//! The time that a kernel's work-items took at its last launches. With it, the next launch asks for
//! threads at once. Otherwise a thread would first run one group alone to measure it, and that
//! group may be a large part of the whole.
//!
//! The number may be wrong, because threads race for it and the time depends on the arguments. The
//! launch then shares work that is too short, or measures a group alone, which costs microseconds.
//! Not here: the decision to share (`job`).

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

    /// Takes note that `items` work-items took `ps`. Each measurement counts for a quarter, because
    /// some are wrong, such as that of a thread which the system has interrupted.
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
