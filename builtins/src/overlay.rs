//! Members that stand in front of the library's on some devices. Not here: which device is which.

use std::fmt;

use crate::index::{Index, include_index};

/// Members for a kind of device.
pub struct Overlay(Index);

/// For devices with RefSi M1's DMA engine: asynchronous copies and waiting for them. The symbols
/// are the library's.
pub static DMA: Overlay = Overlay(include_index!("dma-"));

/// For RISC-V: each hart counts cycles of its own, so what kernels read as a clock is the machine's
/// timer.
pub static TIMER: Overlay = Overlay(include_index!("timer-"));

/// For devices behind a HAL with addresses of 64 bits: what the host's runtime does there for
/// kernels that enqueue.
pub static DEFERRED: Overlay = Overlay(include_index!("deferred-"));

/// For devices with addresses of 32 bits: what has `size_t` in its parameters or asks for sizes.
/// The other members know nothing of the size of an address, and serve both.
pub static SPIR32: Overlay = Overlay(include_index!("spir-unknown-unknown-"));

impl fmt::Debug for Overlay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Overlay({} members)", self.member_count())
    }
}

impl Overlay {
    /// The member that defines `symbol`.
    #[must_use]
    pub fn find(&self, symbol: &str) -> Option<u16> {
        self.0.find(symbol)
    }

    /// The bitcode of a member that [`Overlay::find`] gave.
    #[must_use]
    pub fn member(&self, member: u16) -> &'static [u8] {
        self.0.member(member)
    }

    /// How many members there are.
    #[must_use]
    pub fn member_count(&self) -> usize {
        self.0.member_count()
    }

    /// Every symbol with its member.
    pub fn symbols(&self) -> impl Iterator<Item = (&'static str, u16)> {
        self.0.symbols()
    }
}
