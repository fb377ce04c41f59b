//! The codes that end a block, except conditional branches. Each function has the name of its code.
//!
//! # Safety
//! For every function: `s` is the current instruction of `run`, and a terminator.

use super::cells::{next_link, read_link, taken_link};
use super::{Run, Stop};
use crate::code::{DecodedInst, unpack};
use crate::fault::{Exit, FaultKind, Trap};
use std::sync::atomic::{Ordering, fence};

type Done = Result<(), Stop>;

/// A direct jump. The immediate is the return address.
#[inline(always)]
pub(super) unsafe fn Jal<const RV64: bool>(run: &mut Run<'_>, s: &DecodedInst) -> Done {
    run.hart.x[s.rd as usize] = s.imm.cast_unsigned();
    // SAFETY: the caller's promise.
    let at = unsafe { taken_link(run.ip) };
    // SAFETY: the caller's promise; `at` is one of the links.
    unsafe { run.follow(at) }
}

/// An indirect jump. The first link holds the return address; the second one caches the block of
/// the last target.
#[inline(always)]
pub(super) unsafe fn Jalr<const RV64: bool>(run: &mut Run<'_>, s: &DecodedInst) -> Done {
    let target = run.hart.x[s.rs1 as usize].wrapping_add(s.imm.cast_unsigned()) & !1;
    let target = if RV64 { target } else { u64::from(target as u32) };
    // SAFETY: the caller's promise.
    let first = unsafe { taken_link(run.ip) };
    // SAFETY: as above.
    let second = unsafe { next_link(run.ip) };
    // SAFETY: a link of this terminator.
    run.hart.x[s.rd as usize] = unsafe { read_link(first) }.pc;
    run.budget -= i64::from(s.n);
    if run.budget <= 0 {
        run.hart.pc = target;
        return Err(Stop::Exit(Exit::Limit));
    }
    // SAFETY: a link of this terminator.
    let cached = unsafe { read_link(second) };
    run.ip = if cached.pc == target && !cached.target.is_null() {
        cached.target
    } else {
        // SAFETY: a link of this terminator.
        unsafe { run.hart.indirect(second, target) }
    };
    Ok(())
}

/// The end of a block of maximal length.
#[inline(always)]
pub(super) unsafe fn Goto<const RV64: bool>(run: &mut Run<'_>, _: &DecodedInst) -> Done {
    // SAFETY: the caller's promise.
    let at = unsafe { next_link(run.ip) };
    // SAFETY: a link of this terminator.
    unsafe { run.follow(at) }
}

/// An instruction on a CSR. It may read the counters, so they are exact while it runs.
#[inline(always)]
pub(super) unsafe fn Csr<const RV64: bool>(run: &mut Run<'_>, s: &DecodedInst) -> Done {
    run.count();
    let before = u64::from(s.n) - 1;
    run.hart.retired += before;
    let done = run.hart.csr_instruction(&unpack(&DecodedInst { rs3: 0, ..*s }));
    run.hart.retired -= before;
    done?;
    // SAFETY: the caller's promise.
    unsafe { Goto::<RV64>(run, s) }
}

/// Counts the block's instructions and sets the pc to the next instruction.
#[inline(always)]
unsafe fn leave(run: &mut Run<'_>, s: &DecodedInst) {
    run.budget -= i64::from(s.n);
    // SAFETY: the caller's promise.
    let at = unsafe { next_link(run.ip) };
    // SAFETY: a link of this terminator.
    run.hart.pc = unsafe { read_link(at) }.pc;
}

/// Terminators that end the run: the code and the exit.
macro_rules! exits {
    ($($code:ident = $exit:expr;)*) => {$(
        #[inline(always)]
        pub(super) unsafe fn $code<const RV64: bool>(run: &mut Run<'_>, s: &DecodedInst) -> Done {
            // SAFETY: the caller's promise.
            unsafe { leave(run, s) };
            Err(Stop::Exit($exit))
        }
    )*};
}

exits! {
    Ecall = Exit::Ecall;
    Ebreak = Exit::Ebreak;
    Wfi = Exit::Wfi;
    Return = Exit::Returned;
    Break = Exit::Breakpoint;
}

/// `fence.i`. The caller of the loop discards the decoded code, because `s` is part of it.
#[inline(always)]
pub(super) unsafe fn FenceI<const RV64: bool>(run: &mut Run<'_>, s: &DecodedInst) -> Done {
    // SAFETY: the caller's promise.
    unsafe { leave(run, s) };
    fence(Ordering::SeqCst);
    Err(Stop::Flush)
}

/// Terminators that trap at their own address: the code and the kind of fault.
macro_rules! faults {
    ($($code:ident = $kind:expr;)*) => {$(
        #[inline(always)]
        pub(super) unsafe fn $code<const RV64: bool>(run: &mut Run<'_>, _: &DecodedInst) -> Done {
            // SAFETY: the caller's promise.
            let (_, pc) = unsafe { run.hart.locate(run.ip) };
            Err(Trap::new($kind, pc).into())
        }
    )*};
}

faults! {
    Illegal = FaultKind::IllegalInstruction;
    FetchFault = FaultKind::Fetch;
}
