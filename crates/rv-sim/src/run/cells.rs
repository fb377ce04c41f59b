//! Access to the cells of a hart's decoded code: slots, links between blocks, and the program
//! address of a cell. Not here: translation (`code.rs`).

use crate::code::{BlockLink, Cell, DecodedInst};
use crate::fault::{Exit, Fault, FaultKind, Trap};
use crate::hart::Hart;

/// The instruction at `ip`.
///
/// # Safety
/// `ip` points at an instruction's cell in a code cache that is not flushed while the result lives.
#[inline(always)]
pub(super) unsafe fn slot<'a>(ip: *mut Cell) -> &'a DecodedInst {
    // SAFETY: the caller's promise; slots are never written after translation.
    unsafe { &*ip.cast::<DecodedInst>() }
}

/// The cell of the taken link of the terminator at `ip`.
///
/// # Safety
/// `ip` points at a terminator's cell in a live code cache; its two links follow the cell.
#[inline(always)]
pub(super) unsafe fn taken_link(ip: *mut Cell) -> *mut Cell {
    // SAFETY: the caller's promise.
    unsafe { ip.add(1) }
}

/// The cell of the link of the terminator at `ip` to the next instruction.
///
/// # Safety
/// As [`taken_link`].
#[inline(always)]
pub(super) unsafe fn next_link(ip: *mut Cell) -> *mut Cell {
    // SAFETY: the caller's promise.
    unsafe { ip.add(2) }
}

/// Reads a link.
///
/// # Safety
/// `at` points at a link's cell in a live code cache.
#[inline(always)]
pub(super) unsafe fn read_link(at: *mut Cell) -> BlockLink {
    // SAFETY: the caller's promise.
    unsafe { at.cast::<BlockLink>().read() }
}

/// Writes a link.
///
/// # Safety
/// As [`read_link`].
#[inline(always)]
unsafe fn write_link(at: *mut Cell, link: BlockLink) {
    // SAFETY: the caller's promise; no reference to a link's cell exists.
    unsafe { at.cast::<BlockLink>().write(link) };
}

/// The cell after the one at `ip`.
///
/// # Safety
/// `ip` points at an instruction's cell that is no terminator, in a live code cache.
#[inline(always)]
pub(super) unsafe fn following(ip: *mut Cell) -> *mut Cell {
    // SAFETY: the caller's promise: every block ends in a terminator.
    unsafe { ip.add(1) }
}

impl Hart {
    /// Translates the block that a link leads to, and completes the link.
    ///
    /// # Safety
    /// `at` points at a link's cell in this hart's code cache.
    #[cold]
    #[inline(never)]
    pub(super) unsafe fn resolve(&mut self, at: *mut Cell) -> *mut Cell {
        // SAFETY: the caller's promise.
        let pc = unsafe { read_link(at) }.pc;
        let target = self.block(pc);
        // SAFETY: the caller's promise; translation moves no cell.
        unsafe { write_link(at, BlockLink { target, pc }) };
        target
    }

    /// The block at `pc`, the target of an indirect jump. The link caches it.
    ///
    /// # Safety
    /// As [`Hart::resolve`].
    #[inline(never)]
    pub(super) unsafe fn indirect(&mut self, at: *mut Cell, pc: u64) -> *mut Cell {
        let target = match self.code.recent(pc) {
            Some(target) => target,
            None => self.block(pc),
        };
        // SAFETY: the caller's promise; translation moves no cell.
        unsafe { write_link(at, BlockLink { target, pc }) };
        target
    }

    /// The number of instructions of the block before the cell, and the cell's pc.
    ///
    /// # Safety
    /// `ip` points at an instruction's cell in this hart's code cache.
    pub(super) unsafe fn locate(&self, ip: *mut Cell) -> (u64, u64) {
        let Some((first, pc)) = self.code.owner(ip) else { return (0, self.pc) };
        // SAFETY: the caller's promise.
        let s = unsafe { slot(ip) };
        let offset = if s.code.terminates() { u16::from(s.rs3) } else { s.n };
        (
            ((ip.addr() - first) / size_of::<Cell>()) as u64,
            self.address(pc.wrapping_add(u64::from(offset) * 2)),
        )
    }

    /// The exit for a trap of the instruction at `ip`, and the number of instructions before it in
    /// its block.
    ///
    /// # Safety
    /// As [`Hart::locate`].
    #[cold]
    #[inline(never)]
    pub(super) unsafe fn fault_at(&mut self, ip: *mut Cell, trap: Trap) -> (u64, Exit) {
        // SAFETY: the caller's promise.
        let (before, pc) = unsafe { self.locate(ip) };
        self.pc = pc;
        let address = if trap.kind == FaultKind::IllegalInstruction {
            self.word_at(pc)
        } else {
            trap.address
        };
        (before, Exit::Fault(Fault { kind: trap.kind, pc, address, hart: self.id }))
    }
}
