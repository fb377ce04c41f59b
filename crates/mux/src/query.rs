//! Query pools: start and end times of commands.

use crate::MuxError;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Times of one query, ns on the device's clock ([`crate::Device::timestamp`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DurationResult {
    /// Start time; 0 before the start.
    pub start: u64,
    /// End time; 0 before the end.
    pub end: u64,
    /// End time of the command and of all commands that it enqueued; 0 before that.
    pub complete: u64,
}

#[derive(Debug, Default)]
struct QueryTimes {
    start: AtomicU64,
    /// The command's own end; 0 if it is recorded only as `complete`.
    end: AtomicU64,
    complete: AtomicU64,
}

/// Duration queries. Cheap to clone.
#[derive(Debug, Clone)]
pub struct QueryPool {
    slots: Arc<[QueryTimes]>,
}

impl QueryPool {
    pub(crate) fn new(count: usize) -> Self {
        Self { slots: (0..count).map(|_| QueryTimes::default()).collect() }
    }

    /// Number of queries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// True if the pool has no queries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    pub(crate) fn check(&self, index: usize, count: usize) -> Result<(), MuxError> {
        match index.checked_add(count) {
            Some(end) if end <= self.slots.len() => Ok(()),
            _ => Err(MuxError::InvalidValue("query index")),
        }
    }

    /// Result of a query.
    ///
    /// # Errors
    /// `InvalidValue` for a bad index.
    pub fn result(&self, index: usize) -> Result<DurationResult, MuxError> {
        self.check(index, 1)?;
        let slot = &self.slots[index];
        let [start, end, complete] =
            [&slot.start, &slot.end, &slot.complete].map(|word| word.load(Ordering::Acquire));
        Ok(DurationResult { start, end: if end == 0 { complete } else { end }, complete })
    }

    /// For targets: records the start of a query.
    pub fn record_start(&self, index: usize, now: u64) {
        if let Some(slot) = self.slots.get(index) {
            slot.end.store(0, Ordering::Release);
            slot.start.store(now, Ordering::Release);
        }
    }

    /// Records the end of the timed command. Commands that it enqueued may still run.
    pub(crate) fn record_own_end(&self, index: usize, now: u64) {
        if let Some(slot) = self.slots.get(index) {
            slot.end.store(now, Ordering::Release);
        }
    }

    /// For targets: records the end of a query.
    pub fn record_end(&self, index: usize, now: u64) {
        if let Some(slot) = self.slots.get(index) {
            slot.complete.store(now, Ordering::Release);
        }
    }

    /// For targets: clears results.
    pub fn reset(&self, index: usize, count: usize) {
        for slot in self.slots.iter().skip(index).take(count) {
            slot.start.store(0, Ordering::Release);
            slot.end.store(0, Ordering::Release);
            slot.complete.store(0, Ordering::Release);
        }
    }
}
