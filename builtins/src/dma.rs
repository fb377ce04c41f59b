//! Members that replace those of the library on devices with RefSi M1's DMA engine: asynchronous copies and waiting for them. Their
//! symbols are the library's. Not here: which device has one.

use crate::index::{Index, include_index};

static LIBRARY: Index = include_index!("dma-");

/// The member that defines `symbol`.
#[must_use]
pub fn find(symbol: &str) -> Option<u16> {
    LIBRARY.find(symbol)
}

/// The bitcode of a member that [`find`] gave.
#[must_use]
pub fn member(member: u16) -> &'static [u8] {
    LIBRARY.member(member)
}

/// How many members there are.
#[must_use]
pub fn member_count() -> usize {
    LIBRARY.member_count()
}

/// Every symbol with its member.
pub fn symbols() -> impl Iterator<Item = (&'static str, u16)> {
    LIBRARY.symbols()
}
