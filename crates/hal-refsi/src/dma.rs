//! The DMA engine of M1: registers at `map::DMA`, one set for each hart and one for the command
//! processor. Transfers of a unit run in order. Two may be in flight; starting a third completes
//! the first. Invariant: a transfer is complete after a wait for it; the transfer numbers of a unit
//! are consecutive. The end of a kernel completes its remaining transfers.

use muxcl_lock::{Mutex, Rank};
use muxcl_rv_sim::{Device, FaultKind, Memory};
use std::collections::VecDeque;
use std::sync::{OnceLock, Weak};

/// Register indices, in units of 8 bytes.
pub mod reg {
    /// Starts a transfer with the given options.
    pub const CTRL: u64 = 0;
    /// Number of the last started transfer.
    pub const START_SEQ: u64 = 1;
    /// Number of the last completed transfer; a write waits.
    pub const DONE_SEQ: u64 = 2;
    /// Source address.
    pub const SRC: u64 = 3;
    /// Destination address.
    pub const DST: u64 = 4;
    /// Bytes of a row. The number of rows and the number of planes follow in the next registers.
    pub const SIZE: u64 = 5;
    /// Row stride at the source in bytes; the plane stride follows.
    pub const SRC_STRIDE: u64 = 8;
    /// Row stride at the destination in bytes; the plane stride follows.
    pub const DST_STRIDE: u64 = 10;
}

/// Bits of [`reg::CTRL`].
pub mod ctrl {
    /// Starts the transfer.
    pub const START: u64 = 1;
    /// One dimension: a row.
    pub const ONE: u64 = 0x10;
    /// Two dimensions: rows.
    pub const TWO: u64 = 0x20;
    /// Three dimensions: planes.
    pub const THREE: u64 = 0x30;
    /// The destination has strides; otherwise its rows are contiguous.
    pub const STRIDE_DST: u64 = 0x40;
    /// The source has strides; otherwise its rows are contiguous.
    pub const STRIDE_SRC: u64 = 0x80;
}

/// Maximum number of transfers in flight.
const CHANNELS: usize = 2;
/// Number of registers of a unit.
const REGISTERS: usize = 12;

#[derive(Debug, Clone, Copy)]
struct Transfer {
    number: u32,
    to: u64,
    from: u64,
    /// Bytes of a row, rows, planes.
    size: [u64; 3],
    from_stride: [u64; 2],
    to_stride: [u64; 2],
}

#[derive(Debug, Default)]
struct Unit {
    registers: [u64; REGISTERS],
    started: u32,
    done: u32,
    under_way: VecDeque<Transfer>,
    error: Option<String>,
}

/// The DMA engine.
pub(crate) struct Dma {
    memory: OnceLock<Weak<Memory>>,
    units: Vec<Mutex<Unit>>,
}

impl Dma {
    /// Creates an engine for the given number of harts.
    pub(crate) fn new(harts: u32) -> Self {
        let units = (0..=harts).map(|_| Mutex::new(Rank::Leaf, Unit::default())).collect();
        Self { memory: OnceLock::new(), units }
    }

    /// Sets the memory that the engine accesses. The memory map owns the engine, so the engine
    /// holds a weak reference only.
    pub(crate) fn attach(&self, memory: Weak<Memory>) {
        // A second call would pass the same memory.
        let _ = self.memory.set(memory);
    }

    fn perform(&self, unit: u32, t: &Transfer) -> Result<(), String> {
        let memory = self.memory.get().and_then(Weak::upgrade).ok_or("the engine has no memory")?;
        for plane in 0..t.size[2] {
            for row in 0..t.size[1] {
                let at = |base: u64, stride: [u64; 2]| {
                    base.wrapping_add(stride[0].wrapping_mul(row))
                        .wrapping_add(stride[1].wrapping_mul(plane))
                };
                let (to, from) = (at(t.to, t.to_stride), at(t.from, t.from_stride));
                memory.bus_copy(unit, to, from, t.size[0]).map_err(|kind| {
                    let what = match kind {
                        FaultKind::Store => "writes memory that is not writable",
                        _ => "leaves memory",
                    };
                    format!(
                        "DMA transfer {} of {} bytes from {from:#x} to {to:#x} {what}",
                        t.number, t.size[0]
                    )
                })?;
            }
        }
        Ok(())
    }

    /// Completes the oldest transfer; false if it fails.
    fn complete_one(&self, number: u32, unit: &mut Unit) -> bool {
        let Some(t) = unit.under_way.pop_front() else { return true };
        unit.done = t.number;
        match self.perform(number, &t) {
            Ok(()) => true,
            Err(text) => {
                unit.error = Some(text);
                unit.under_way.clear();
                false
            }
        }
    }

    fn start(&self, number: u32, unit: &mut Unit, control: u64) -> bool {
        let r = unit.registers;
        let dimensions = match control & ctrl::THREE {
            ctrl::ONE => 1,
            ctrl::TWO => 2,
            ctrl::THREE => 3,
            _ => {
                unit.error = Some("DMA transfer of no dimensions".to_owned());
                return false;
            }
        };
        let size =
            [r[5], if dimensions > 1 { r[6] } else { 1 }, if dimensions > 2 { r[7] } else { 1 }];
        let strides = |given: bool, a: u64, b: u64| {
            if given { [a, b] } else { [size[0], size[0].wrapping_mul(size[1])] }
        };
        // Number 0 means "no transfer", so 1 follows the largest number.
        unit.started = unit.started.checked_add(1).unwrap_or(1);
        let transfer = Transfer {
            number: unit.started,
            to: r[4],
            from: r[3],
            size,
            from_stride: strides(control & ctrl::STRIDE_SRC != 0, r[8], r[9]),
            to_stride: strides(control & ctrl::STRIDE_DST != 0, r[10], r[11]),
        };
        unit.under_way.push_back(transfer);
        unit.under_way.len() <= CHANNELS || self.complete_one(number, unit)
    }

    /// Completes all transfers of the unit, at the end of its kernel.
    pub(crate) fn drain(&self, number: u32) -> Result<(), String> {
        let Some(unit) = self.units.get(number as usize) else { return Ok(()) };
        let mut unit = unit.lock();
        while !unit.under_way.is_empty() {
            if !self.complete_one(number, &mut unit) {
                break;
            }
        }
        unit.error.take().map_or(Ok(()), Err)
    }

    /// Discards the unit's transfers and registers after its kernel failed.
    pub(crate) fn reset(&self, number: u32) -> Option<String> {
        let mut unit = self.units.get(number as usize)?.lock();
        let error = unit.error.take();
        *unit = Unit::default();
        error
    }
}

impl Device for Dma {
    fn load(&self, number: u32, offset: u64, size: u32) -> Option<u64> {
        if size != 8 || !offset.is_multiple_of(8) {
            return None;
        }
        let mut unit = self.units.get(number as usize)?.lock();
        match offset / 8 {
            reg::START_SEQ => Some(unit.started.into()),
            reg::DONE_SEQ => {
                // Polling advances time: each read of DONESEQ completes a transfer.
                self.complete_one(number, &mut unit).then(|| unit.done.into())
            }
            reg::CTRL => Some(unit.registers[0] & !ctrl::START),
            index => unit.registers.get(usize::try_from(index).ok()?).copied(),
        }
    }

    fn store(&self, number: u32, offset: u64, size: u32, value: u64) -> bool {
        let Some(unit) = self.units.get(number as usize) else { return false };
        if size != 8 || !offset.is_multiple_of(8) {
            return false;
        }
        let mut unit = unit.lock();
        match offset / 8 {
            reg::START_SEQ => true,
            reg::DONE_SEQ => {
                // A number beyond the last started transfer waits for all.
                let number_of = u32::try_from(value).unwrap_or(u32::MAX);
                while unit
                    .under_way
                    .front()
                    .is_some_and(|t| t.number <= number_of || number_of > unit.started)
                {
                    if !self.complete_one(number, &mut unit) {
                        return false;
                    }
                }
                true
            }
            reg::CTRL => {
                unit.registers[0] = value & !ctrl::START;
                value & ctrl::START == 0 || self.start(number, &mut unit, value)
            }
            index => {
                let place = usize::try_from(index).ok().and_then(|k| unit.registers.get_mut(k));
                place.map(|p| *p = value).is_some()
            }
        }
    }
}
