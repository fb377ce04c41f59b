//! Performance counters: 32 for each hart and 32 for the device, memory-mapped at `map::PERF` and
//! readable through the HAL. Invariant: values never decrease while a device lives. The interpreter
//! completes a hart's loads of its own counters, because it knows the exact count.

use muxcl_rv_sim::Device;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counters of a hart, by register.
pub mod id {
    /// Cycles; one instruction takes one cycle.
    pub const CYCLES: u32 = 0;
    /// Retired instructions.
    pub const RETIRED: u32 = 2;
    /// First of five load counters: 1, 2, 4, 8, 16 bytes.
    pub const READ: u32 = 3;
    /// All loads, including vector loads.
    pub const READ_ALL: u32 = 8;
    /// First of five store counters: 1, 2, 4, 8, 16 bytes.
    pub const WRITE: u32 = 9;
    /// All stores, including vector stores.
    pub const WRITE_ALL: u32 = 14;
    /// Integer instructions.
    pub const INTEGER: u32 = 15;
    /// Floating-point instructions.
    pub const FLOAT: u32 = 16;
    /// Branches and jumps.
    pub const BRANCH: u32 = 17;
    /// Bytes that a hart has read, without instructions and DMA transfers.
    pub const READ_BYTES: u32 = 18;
    /// Bytes that a hart has written, without DMA transfers.
    pub const WRITE_BYTES: u32 = 19;
    /// Bytes written by the host. This counter and the following have no register.
    pub const HOST_WRITE: u32 = 64;
    /// Bytes read by the host.
    pub const HOST_READ: u32 = 65;
    /// Programs loaded.
    pub const LOADS: u32 = 66;
    /// Kernels launched.
    pub const LAUNCHES: u32 = 67;
}

/// Number of counters of one unit.
pub const COUNTERS: usize = 32;

/// The counter values.
pub(crate) struct Perf {
    harts: Vec<[AtomicU64; COUNTERS]>,
}

impl Perf {
    pub(crate) fn new(harts: u32) -> Self {
        Self { harts: (0..harts).map(|_| std::array::from_fn(|_| AtomicU64::new(0))).collect() }
    }

    /// A hart's counter, as of the hart's last stop.
    pub(crate) fn get(&self, hart: u32, counter: usize) -> u64 {
        self.harts
            .get(hart as usize)
            .and_then(|h| h.get(counter))
            .map_or(0, |c| c.load(Ordering::Relaxed))
    }

    /// Sets a hart's counter.
    pub(crate) fn set(&self, hart: u32, counter: usize, value: u64) {
        if let Some(cell) = self.harts.get(hart as usize).and_then(|h| h.get(counter)) {
            cell.store(value, Ordering::Relaxed);
        }
    }

    /// The value of the register at `offset` for `hart`. The device's own counters are not
    /// implemented and read 0.
    pub(crate) fn register(&self, hart: u32, offset: u64) -> Option<u64> {
        let index = usize::try_from(offset / 8)
            .ok()
            .filter(|k| offset.is_multiple_of(8) && *k < 2 * COUNTERS)?;
        Some(if index < COUNTERS { self.get(hart, index) } else { 0 })
    }
}

/// The registers as harts see them. Every access stops the hart, and `Machine` completes it.
pub(crate) struct Registers;

impl Device for Registers {
    fn load(&self, _hart: u32, _offset: u64, _size: u32) -> Option<u64> {
        None
    }

    fn store(&self, _hart: u32, _offset: u64, _size: u32, _value: u64) -> bool {
        false
    }
}
