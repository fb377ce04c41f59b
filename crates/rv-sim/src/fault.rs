//! The reasons why a hart stops. Invariant: a fault never affects the process or another hart; the
//! hart's registers stay readable.

use std::fmt;

/// Kinds of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// The word is not an instruction of this machine, or is reserved in this state.
    IllegalInstruction,
    /// Instruction fetch from an address without memory.
    Fetch,
    /// Load from an address that is not readable.
    Load,
    /// Store to an address that is not writable.
    Store,
    /// Access that is not naturally aligned, of an atomic instruction or, under
    /// [`crate::HartConfig::strict_alignment`], of any instruction.
    Misaligned,
    /// A device refused an access.
    Device,
}

/// A fault with its details.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// Kind of the fault.
    pub kind: FaultKind,
    /// Address of the faulting instruction.
    pub pc: u64,
    /// Address of the access; for an illegal instruction the instruction word.
    pub address: u64,
    /// Number of the hart.
    pub hart: u32,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            FaultKind::IllegalInstruction => "illegal instruction",
            FaultKind::Fetch => "instruction fetch from",
            FaultKind::Load => "load from",
            FaultKind::Store => "store to",
            FaultKind::Misaligned => "misaligned access to",
            FaultKind::Device => "device refused access to",
        };
        write!(f, "hart {}: {what} {:#x} at pc {:#x}", self.hart, self.address, self.pc)
    }
}

impl std::error::Error for Fault {}

/// The reason why [`crate::Hart::run`] returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Exit {
    /// `ecall`; the pc is past it.
    Ecall,
    /// `ebreak`; the pc is past it.
    Ebreak,
    /// `wfi`; the pc is past it.
    Wfi,
    /// The hart has retired the requested number of instructions (to the end of a basic block).
    Limit,
    /// The pc has reached the return address.
    Returned,
    /// The pc has reached a breakpoint ([`crate::Hart::set_breakpoints`]).
    Breakpoint,
    /// The instruction at the pc faulted.
    Fault(Fault),
}

/// A fault without pc and hart; the loop in `run` adds them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Trap {
    pub(crate) kind: FaultKind,
    pub(crate) address: u64,
}

impl Trap {
    pub(crate) const fn new(kind: FaultKind, address: u64) -> Self {
        Self { kind, address }
    }

    /// An illegal instruction; the loop adds its word.
    pub(crate) const ILLEGAL: Self = Self::new(FaultKind::IllegalInstruction, 0);
}
