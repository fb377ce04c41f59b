//! The OpenCL C library, as the passes ask for it.

use muxcl_builtins::MemberId;
use muxcl_builtins::forms::{Lanes, WIDENED, scalable_form};
use muxcl_builtins::overlay::{DMA, Overlay, SPIR32};
use muxcl_passes::link_builtins::{BuiltinLibrary, FormSource};

/// The library of `muxcl-builtins`, with what a kind of device has in front of it. Members of overlays are numbered behind the others.
#[derive(Debug, Clone, Copy)]
pub struct Library {
    overlay: Option<&'static Overlay>,
}

impl Library {
    /// The library of devices with addresses of so many bits, with RefSi M1's DMA engine (of which there are none with 32 bits) or without.
    #[must_use]
    pub fn new(address_bits: u32, dma: bool) -> Self {
        let overlay = match (address_bits, dma) {
            (32, _) => Some(&SPIR32),
            (_, true) => Some(&DMA),
            _ => None,
        };
        Self { overlay }
    }
}

impl BuiltinLibrary for Library {
    fn find(&self, symbol: &str) -> Option<usize> {
        match self.overlay.and_then(|o| o.find(symbol)) {
            Some(member) => Some(muxcl_builtins::member_count() + usize::from(member)),
            None => muxcl_builtins::find(symbol).map(MemberId::index),
        }
    }

    fn bitcode(&self, member: usize) -> &'static [u8] {
        match (member.checked_sub(muxcl_builtins::member_count()), self.overlay) {
            (None, _) => MemberId::from_index(member).map_or(&[], muxcl_builtins::member),
            (Some(member), Some(overlay)) if member < overlay.member_count() => {
                u16::try_from(member).map_or(&[], |m| overlay.member(m))
            }
            _ => &[],
        }
    }

    fn form(&self, symbol: &str) -> Option<FormSource> {
        let form = scalable_form(symbol)?;
        let Lanes::Scalable(count) = form.lanes else { return None };
        let member = self.find(&form.source)?;
        Some(FormSource { symbol: form.source, member, lanes: WIDENED, count })
    }
}
