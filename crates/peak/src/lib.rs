//! What this machine can do at most, measured: floating-point operations in a second with
//! multiply-adds in the widest vectors, and the bytes that a large copy moves. A profile shows
//! kernels as shares of these.
//!
//! Invariant: each measurement is the best of several short ones, so work that runs beside them
//! matters little. Not here: what a kernel executes. The crate is apart from others because it is
//! optimised in every build.
//!
//! # Examples
//! ```
//! let peak = muxcl_peak::measure(1);
//! assert!(peak.bytes > 0.0);
//! ```

mod chains;

use std::hint::black_box;
use std::sync::Barrier;
use std::time::Instant;

/// The largest rates of a machine.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Peak {
    /// Operations on `float` in a second, a multiply-add counted as two. 0 if it is not known.
    pub single: f64,
    /// Operations on `double` in a second. 0 if it is not known.
    pub double: f64,
    /// Bytes that a copy reads and writes in a second.
    pub bytes: f64,
}

/// How often a measurement is repeated.
const REPEATS: usize = 5;
/// Multiply-adds of a chain in one measurement: about a millisecond.
const ROUNDS: u32 = 500_000;
/// Bytes that all threads together copy: more than most caches hold.
const COPIED: usize = 64 << 20;

/// Measures with this number of threads. Takes some 0.1 s.
#[must_use]
pub fn measure(threads: usize) -> Peak {
    let threads = threads.max(1);
    let part = COPIED / threads;
    Peak {
        single: rate(threads, || (), |()| chains::single(ROUNDS)),
        double: rate(threads, || (), |()| chains::double(ROUNDS)),
        bytes: rate(
            threads,
            || (vec![1_u8; part], vec![2_u8; part]),
            |(from, to)| {
                to.copy_from_slice(from);
                black_box(&to);
                2 * part as u64
            },
        ),
    }
}

/// The amount in a second that all threads do at the same time, the best of [`REPEATS`] times.
/// `work` returns the amount that it has done.
fn rate<T>(
    threads: usize,
    prepare: impl Fn() -> T + Sync,
    work: impl Fn(&mut T) -> u64 + Sync,
) -> f64 {
    let barrier = Barrier::new(threads);
    let one = || {
        let mut state = prepare();
        let mut spans = Vec::new();
        for _ in 0..REPEATS {
            barrier.wait();
            let begin = Instant::now();
            let amount = work(&mut state);
            spans.push((begin, Instant::now(), amount));
        }
        spans
    };
    let spans: Vec<_> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(one)).collect();
        let own = one();
        others.into_iter().filter_map(|thread| thread.join().ok()).chain([own]).collect()
    });
    let mut best = 0.0_f64;
    for k in 0..REPEATS {
        let all = || spans.iter().filter_map(|spans| spans.get(k));
        let begin = all().map(|span| span.0).min();
        let end = all().map(|span| span.1).max();
        let (Some(begin), Some(end)) = (begin, end) else { return 0.0 };
        let amount: u64 = all().map(|span| span.2).sum();
        #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
        let rate = amount as f64 / (end - begin).as_secs_f64().max(1e-9);
        best = best.max(rate);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_those_of_a_machine() {
        let peak = measure(1);
        // From a slow virtual machine to a fast core.
        assert!((1e8..1e12).contains(&peak.bytes), "{peak:?}");
        if chains::single(1) != 0 {
            assert!((1e9..1e12).contains(&peak.single), "{peak:?}");
            // Vectors of `double` have half the lanes.
            assert!((0.25..0.9).contains(&(peak.double / peak.single)), "{peak:?}");
        }
    }
}
