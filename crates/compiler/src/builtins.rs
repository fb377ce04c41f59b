//! The OpenCL C library, as the passes ask for it.

use muxcl_builtins::MemberId;
use muxcl_passes::link_builtins::BuiltinLibrary;

/// The library of `muxcl-builtins`, for a kind of device.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Library {
    /// The device has RefSi M1's DMA engine. Members of that variant are numbered behind the others.
    pub(crate) dma: bool,
}

impl BuiltinLibrary for Library {
    fn find(&self, symbol: &str) -> Option<usize> {
        let dma = if self.dma { muxcl_builtins::dma::find(symbol) } else { None };
        match dma {
            Some(member) => Some(muxcl_builtins::member_count() + usize::from(member)),
            None => muxcl_builtins::find(symbol).map(MemberId::index),
        }
    }

    fn bitcode(&self, member: usize) -> &'static [u8] {
        match member.checked_sub(muxcl_builtins::member_count()) {
            Some(dma) if dma < muxcl_builtins::dma::member_count() => {
                u16::try_from(dma).map_or(&[], muxcl_builtins::dma::member)
            }
            _ => MemberId::from_index(member).map_or(&[], muxcl_builtins::member),
        }
    }
}
