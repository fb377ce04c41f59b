//! Members that replace members of the library on some devices. Not here: the choice of overlays
//! for a device.

use std::fmt;

use crate::index::{Index, include_index};

/// The replacing members of one kind of device.
pub struct Overlay(Index);

/// For devices with a DMA engine: asynchronous copies and waiting for them. The symbols are the
/// library's.
pub static DMA: Overlay = Overlay(include_index!("dma-"));

/// For RISC-V: kernels read the machine's timer as their clock, because each hart counts its own
/// cycles.
pub static TIMER: Overlay = Overlay(include_index!("timer-"));

/// For devices behind a HAL with addresses of 64 bits: the functions of device-side enqueue that
/// the host's runtime provides elsewhere.
pub static DEFERRED: Overlay = Overlay(include_index!("deferred-"));

/// For devices with addresses of 32 bits: functions with `size_t` in their signatures. All other
/// members serve both widths.
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

    /// The bitcode of a member that [`Overlay::find`] returned.
    #[must_use]
    pub fn member(&self, member: u16) -> &'static [u8] {
        self.0.member(member)
    }

    /// The number of members.
    #[must_use]
    pub fn member_count(&self) -> usize {
        self.0.member_count()
    }

    /// Every symbol with its member, sorted by symbol.
    pub fn symbols(&self) -> impl Iterator<Item = (&'static str, u16)> {
        self.0.symbols()
    }
}
