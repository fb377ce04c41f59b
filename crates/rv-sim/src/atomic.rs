//! The A extension on the host's atomics. Invariant: every operation is sequentially consistent,
//! which satisfies every `aq`/`rl` combination. `sc` succeeds when the word still has the value
//! that `lr` read. An exact reservation would require every store to check for reservations.

use crate::fault::Trap;
use crate::hart::Hart;
use muxcl_rv_isa::{Inst, Op};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::SeqCst};

/// The reservation: address and value of the last `lr`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reservation {
    address: u64,
    value: u64,
    size: u64,
}

impl Hart {
    /// Executes an atomic instruction.
    pub(crate) fn atomic(&mut self, inst: &Inst) -> Result<(), Trap> {
        let address = self.address(self.x(inst.rs1));
        let value = self.x(inst.rs2);
        let wide = inst.op.row().mnemonic.contains(".d");
        let write = !matches!(inst.op, Op::LrW | Op::LrD);
        let host = self.atomic_target(address, if wide { 8 } else { 4 }, write)?;
        let old = if wide {
            // SAFETY: `atomic_target` returned eight aligned bytes of a live region. They are
            // writable, unless the instruction only loads.
            let cell = unsafe { AtomicU64::from_ptr(host.cast()) };
            match inst.op {
                Op::LrD => cell.load(SeqCst),
                Op::ScD => {
                    let held =
                        self.reservation.take().filter(|r| r.address == address && r.size == 8);
                    let done = held.is_some_and(|r| {
                        cell.compare_exchange(r.value, value, SeqCst, SeqCst).is_ok()
                    });
                    u64::from(!done)
                }
                Op::AmoswapD => cell.swap(value, SeqCst),
                Op::AmoaddD => cell.fetch_add(value, SeqCst),
                Op::AmoxorD => cell.fetch_xor(value, SeqCst),
                Op::AmoandD => cell.fetch_and(value, SeqCst),
                Op::AmoorD => cell.fetch_or(value, SeqCst),
                Op::AmominuD => cell.fetch_min(value, SeqCst),
                Op::AmomaxuD => cell.fetch_max(value, SeqCst),
                Op::AmominD => {
                    update64(cell, |old| old.cast_signed().min(value.cast_signed()).cast_unsigned())
                }
                Op::AmomaxD => {
                    update64(cell, |old| old.cast_signed().max(value.cast_signed()).cast_unsigned())
                }
                _ => return Err(Trap::ILLEGAL),
            }
        } else {
            let value = value as u32;
            // SAFETY: `atomic_target` returned four aligned bytes of a live region. They are
            // writable, unless the instruction only loads.
            let cell = unsafe { AtomicU32::from_ptr(host.cast()) };
            let old = match inst.op {
                Op::LrW => cell.load(SeqCst),
                Op::ScW => {
                    let held =
                        self.reservation.take().filter(|r| r.address == address && r.size == 4);
                    let done = held.is_some_and(|r| {
                        cell.compare_exchange(r.value as u32, value, SeqCst, SeqCst).is_ok()
                    });
                    u32::from(!done)
                }
                Op::AmoswapW => cell.swap(value, SeqCst),
                Op::AmoaddW => cell.fetch_add(value, SeqCst),
                Op::AmoxorW => cell.fetch_xor(value, SeqCst),
                Op::AmoandW => cell.fetch_and(value, SeqCst),
                Op::AmoorW => cell.fetch_or(value, SeqCst),
                Op::AmominuW => cell.fetch_min(value, SeqCst),
                Op::AmomaxuW => cell.fetch_max(value, SeqCst),
                Op::AmominW => {
                    update32(cell, |old| old.cast_signed().min(value.cast_signed()).cast_unsigned())
                }
                Op::AmomaxW => {
                    update32(cell, |old| old.cast_signed().max(value.cast_signed()).cast_unsigned())
                }
                _ => return Err(Trap::ILLEGAL),
            };
            i64::from(old.cast_signed()).cast_unsigned()
        };
        if !write {
            self.reservation =
                Some(Reservation { address, value: old, size: if wide { 8 } else { 4 } });
        }
        let size = if wide { 8 } else { 4 };
        let conditional = matches!(inst.op, Op::ScW | Op::ScD);
        if !conditional {
            self.count_moved(false, size);
        }
        // The result of `sc` is 0 if it has stored.
        if write && !(conditional && old != 0) {
            self.count_moved(true, size);
        }
        self.set_x(inst.rd, old);
        Ok(())
    }
}

fn update64(cell: &AtomicU64, f: impl Fn(u64) -> u64) -> u64 {
    cell.fetch_update(SeqCst, SeqCst, |old| Some(f(old))).unwrap_or_else(|old| old)
}

fn update32(cell: &AtomicU32, f: impl Fn(u32) -> u32) -> u32 {
    cell.fetch_update(SeqCst, SeqCst, |old| Some(f(old))).unwrap_or_else(|old| old)
}
