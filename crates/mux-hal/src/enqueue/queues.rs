//! Device-side queues, each a count of occupied bytes. The host copies the table of queues to the
//! device before it runs a kernel that may enqueue, and reads the table back afterwards.
//!
//! Invariant: the bytes that a child takes are returned when it has run or failed to run.

use crate::connection::DeviceUse;
use crate::queue::HalQueue;
use muxcl_lock::{Mutex, Rank};
use muxcl_mux::target::TargetDeviceQueue;
use muxcl_mux::{DeviceQueueLimits, MuxError};
use muxcl_types::deferred::Queue;
use std::any::Any;
use std::sync::Arc;

/// Limits that the device reports for the queues of one context. Fewer queues than on the host: the
/// CTS makes 256 children and events for each queue at once (`enqueue_multi_queue`), and the device
/// has room for 65,536 events and 8 MiB of records.
pub(crate) const DEVICE_QUEUES: DeviceQueueLimits =
    DeviceQueueLimits { max_queues: 128, ..DeviceQueueLimits::OF_ACCOUNTS };

/// Maximum number of queues of a device, across all contexts.
pub(crate) const MOST: usize = 1024;

/// The queues of a device.
#[derive(Debug)]
pub(crate) struct Queues {
    table: Mutex<Table>,
}

#[derive(Debug, Default)]
struct Table {
    entries: Vec<QueueEntry>,
    /// Handles of deleted queues that may still own events.
    gone: Vec<u64>,
}

#[derive(Debug, Clone, Copy, Default)]
struct QueueEntry {
    age: u32,
    /// The queue of this entry. Its number is 0 if the entry is free.
    queue: Queue,
}

impl Default for Queues {
    fn default() -> Self {
        Self { table: Mutex::new(Rank::Leaf, Table::default()) }
    }
}

impl Queues {
    /// Registers a queue and returns its handle.
    fn enter(&self, size: u32) -> Result<u64, MuxError> {
        let mut table = self.table.lock();
        let Table { entries, gone } = &mut *table;
        let index = match entries.iter().position(|p| p.queue.number == 0) {
            Some(index) => index,
            None if entries.len() < MOST => {
                entries.try_reserve(1).map_err(|_| MuxError::OutOfMemory)?;
                // Reserve memory here, so that deleting a queue rarely allocates.
                gone.try_reserve(entries.len() + 1).map_err(|_| MuxError::OutOfMemory)?;
                entries.push(QueueEntry::default());
                entries.len() - 1
            }
            None => return Err(MuxError::OutOfResources(format!("{MOST} queues on the device"))),
        };
        let entry = &mut entries[index];
        entry.age = (entry.age + 1) & 0x7fff_ffff;
        let number = u64::from(entry.age) << 32 | (index as u64 + 1);
        entry.queue = Queue { number, size: size.into(), used: 0 };
        Ok(number)
    }

    fn leave(&self, number: u64) {
        let mut table = self.table.lock();
        if let Some(entry) = table.find(number) {
            entry.queue = Queue::default();
            table.gone.push(number);
        }
    }

    /// A copy of the table, for kernels.
    pub(crate) fn copy(&self) -> Vec<Queue> {
        self.table.lock().entries.iter().map(|p| p.queue).collect()
    }

    /// Records the bytes that kernels have taken.
    pub(crate) fn update(&self, queues: &[Queue]) {
        let mut table = self.table.lock();
        for queue in queues.iter().filter(|q| q.number != 0) {
            if let Some(entry) = table.find(queue.number) {
                entry.queue.used = queue.used;
            }
        }
    }

    /// Returns bytes to a queue.
    pub(crate) fn give(&self, number: u64, bytes: u64) {
        if let Some(entry) = self.table.lock().find(number) {
            entry.queue.used = entry.queue.used.saturating_sub(bytes);
        }
    }

    /// Takes the queues that were deleted since the last call.
    pub(crate) fn take_gone(&self) -> Vec<u64> {
        std::mem::take(&mut self.table.lock().gone)
    }
}

impl Table {
    fn find(&mut self, number: u64) -> Option<&mut QueueEntry> {
        let index = usize::try_from(number & 0xffff_ffff).ok()?.checked_sub(1)?;
        self.entries.get_mut(index).filter(|p| p.queue.number == number)
    }
}

/// A device-side queue.
#[derive(Debug)]
pub(crate) struct HalDeviceQueue {
    number: u64,
    queues: Arc<Queues>,
    runner: Arc<HalQueue>,
    /// The queue's events live in device memory.
    _device: DeviceUse,
}

impl HalDeviceQueue {
    pub(crate) fn create(
        size: u32,
        queues: &Arc<Queues>,
        runner: &Arc<HalQueue>,
        device: DeviceUse,
    ) -> Result<Self, MuxError> {
        let number = queues.enter(size)?;
        let (queues, runner) = (Arc::clone(queues), Arc::clone(runner));
        Ok(Self { number, queues, runner, _device: device })
    }
}

impl Drop for HalDeviceQueue {
    fn drop(&mut self) {
        self.queues.leave(self.number);
        // Command buffers that wait for its events can never finish: wake them so that they fail.
        self.runner.look_again();
    }
}

impl TargetDeviceQueue for HalDeviceQueue {
    fn handle(&self) -> u64 {
        self.number
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_and_numbers() {
        let queues = Queues::default();
        let (a, b) = (queues.enter(100).unwrap(), queues.enter(200).unwrap());
        let mut copy = queues.copy();
        assert_eq!(
            copy.iter().map(|q| (q.number, q.size)).collect::<Vec<_>>(),
            [(a, 100), (b, 200)]
        );
        copy[0].used = 60;
        queues.update(&copy);
        queues.give(a, 20);
        assert_eq!(queues.copy()[0].used, 40);
        queues.leave(a);
        let c = queues.enter(50).unwrap();
        assert!(c != a && queues.copy()[0].number == c);
        // An update for a deleted queue is ignored.
        queues.update(&copy);
        queues.give(a, 1);
        assert_eq!(
            (queues.copy()[0].used, queues.take_gone(), queues.take_gone()),
            (0, vec![a], vec![])
        );
    }

    #[test]
    fn there_are_so_many() {
        let queues = Queues::default();
        let numbers: Vec<u64> = (0..MOST).map(|_| queues.enter(1).unwrap()).collect();
        assert!(matches!(queues.enter(1), Err(MuxError::OutOfResources(_))));
        queues.leave(numbers[7]);
        assert!(queues.enter(1).is_ok());
    }
}
