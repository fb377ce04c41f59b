//! Why a hart stopped. Invariant: a fault never harms the process or another hart; the hart's
//! registers stay readable.

use std::fmt;

/// What went wrong at an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// The word is no instruction of this machine, or reserved in this state.
    IllegalInstruction,
    /// Instructions were fetched from where there are none.
    Fetch,
    /// A load from where there is nothing to read.
    Load,
    /// A store to where nothing can be written.
    Store,
    /// An access that is not naturally aligned: of an atomic instruction, or of any under
    /// [`crate::HartConfig::strict_alignment`].
    Misaligned,
    /// A device refused an access.
    Device,
}

/// A fault, with all there is to say about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// What went wrong.
    pub kind: FaultKind,
    /// Address of the instruction.
    pub pc: u64,
    /// Address of the access; of an illegal instruction, its word.
    pub address: u64,
    /// The hart.
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

/// Why [`crate::Hart::run`] returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Exit {
    /// `ecall`; the pc is past it.
    Ecall,
    /// `ebreak`; the pc is past it.
    Ebreak,
    /// `wfi`; the pc is past it.
    Wfi,
    /// The number of instructions asked for has been retired (to the end of a basic block).
    Limit,
    /// The pc is at the address set as the place to return to.
    Returned,
    /// The instruction at the pc could not be executed.
    Fault(Fault),
}

/// A fault on its way to the loop, which knows pc and hart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Trap {
    pub(crate) kind: FaultKind,
    pub(crate) address: u64,
}

impl Trap {
    pub(crate) const fn new(kind: FaultKind, address: u64) -> Self {
        Self { kind, address }
    }

    /// An illegal instruction; the loop fills in the word.
    pub(crate) const ILLEGAL: Self = Self::new(FaultKind::IllegalInstruction, 0);
}
