//! Each thread's memory for kernels: local memory, scratch memory, a table of combined atomic
//! operations, a record of counted operations, and a stack if the thread's own stack is too small
//! or of unknown size.
//!
//! Invariant: one thread uses an arena at a time; everything in it is aligned to at least 128 bytes
//! and has unmapped pages on both sides. It grows on demand and stays with the thread. Not here:
//! limits (`info`), which callers check first.

use muxcl_mux::MuxError;
use muxcl_os::{Mapping, Protection, Stack, advise_huge, page_size};
use muxcl_types::combined::{COMBINED_BYTES, CombinedHeader};
use muxcl_types::operations::OperationCounts;
use std::cell::Cell;

/// Size in bytes of the stack on which kernels run if an application's thread has too little: the
/// largest stack of a kernel (`MAX_STACK_BYTES`) plus 1 MiB for the functions that kernels call.
const OWN_STACK: usize = 16 << 20;
/// Granularity of local memory, in bytes.
const STEP: usize = 64 << 10;

#[derive(Debug, Default)]
pub(crate) struct Arena {
    local: GuardedPages,
    scratch: GuardedPages,
    combined: GuardedPages,
    counts: GuardedPages,
    stack: Option<Stack>,
}

thread_local! {
    static ARENA: Cell<Option<Box<Arena>>> = const { Cell::new(None) };
}

impl Arena {
    /// Takes the thread's arena. Creates a new one if the thread's is in use (a callback that
    /// waits).
    pub(crate) fn take() -> Box<Self> {
        ARENA.try_with(Cell::take).ok().flatten().unwrap_or_default()
    }

    /// Returns the arena to the thread.
    pub(crate) fn give(self: Box<Self>) {
        let _ = ARENA.try_with(|slot| slot.set(Some(self)));
    }

    /// Local memory of at least `bytes`.
    pub(crate) fn local(&mut self, bytes: usize) -> Result<*mut u8, MuxError> {
        self.local.at_least(bytes)
    }

    /// Scratch memory of at least `bytes`.
    pub(crate) fn scratch(&mut self, bytes: usize) -> Result<*mut u8, MuxError> {
        self.scratch.at_least(bytes)
    }

    /// The table of combined atomic operations.
    pub(crate) fn combined(&mut self) -> Result<*mut CombinedHeader, MuxError> {
        Ok(self.combined.at_least(COMBINED_BYTES)?.cast())
    }

    /// The record of counted operations.
    pub(crate) fn counts(&mut self) -> Result<*mut OperationCounts, MuxError> {
        Ok(self.counts.at_least(size_of::<OperationCounts>())?.cast())
    }

    /// A stack for kernels.
    pub(crate) fn stack(&mut self) -> Result<&mut Stack, MuxError> {
        match &mut self.stack {
            Some(stack) => Ok(stack),
            empty => Ok(empty.insert(Stack::new(OWN_STACK).map_err(|_| MuxError::OutOfMemory)?)),
        }
    }
}

/// Zeroed pages between two guard pages. Growing discards their content.
#[derive(Debug, Default)]
struct GuardedPages {
    map: Option<Mapping>,
    usable: usize,
}

impl GuardedPages {
    fn at_least(&mut self, bytes: usize) -> Result<*mut u8, MuxError> {
        let page = page_size();
        if self.usable < bytes || self.map.is_none() {
            let usable = bytes
                .max(1)
                .checked_next_multiple_of(STEP.max(page))
                .ok_or(MuxError::OutOfMemory)?;
            let room = usable.checked_add(2 * page).ok_or(MuxError::OutOfMemory)?;
            self.map = None;
            self.usable = 0;
            let failed = |_| MuxError::OutOfMemory;
            let map = Mapping::new(room, Protection::None).map_err(failed)?;
            map.protect(page..page + usable, Protection::ReadWrite).map_err(failed)?;
            if usable >= 4 << 20 {
                advise_huge(map.as_ptr().wrapping_add(page), usable);
            }
            self.map = Some(map);
            self.usable = usable;
        }
        self.map.as_ref().map(|m| m.as_ptr().wrapping_add(page)).ok_or(MuxError::OutOfMemory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grows_aligned_and_stays_with_the_thread() {
        let mut arena = Arena::take();
        let small = arena.local(100).unwrap();
        assert_eq!(small.addr() % 128, 0);
        assert_eq!(arena.local(50).unwrap(), small);
        let large = arena.local(1 << 20).unwrap();
        // SAFETY: the last byte of the requested memory.
        unsafe { large.wrapping_add((1 << 20) - 1).write(1) };
        arena.give();
        let mut again = Arena::take();
        assert_eq!(again.local(1000).unwrap(), large);
        assert!(again.scratch(usize::MAX - 5).is_err());
        assert!(again.stack().unwrap().size() >= OWN_STACK);
    }
}
