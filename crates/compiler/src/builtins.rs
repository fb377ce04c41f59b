//! The OpenCL C library, behind the interface that the passes use.

use muxcl_builtins::MemberId;
use muxcl_builtins::overlay::{DEFERRED, DMA, Overlay, SPIR32, TIMER};
use muxcl_builtins::variants::{
    LANES, Lanes, WIDENED, fixed_variant, scalable_variant, scalar_of, variant,
};
use muxcl_passes::library_calls::{VariantLanes, parse_variant_name};
use muxcl_passes::link_builtins::{BuiltinLibrary, VariantSource};
use muxcl_types::device::HalTarget;

/// The library of `muxcl-builtins` with the overlays for a kind of device. Functions of overlays
/// replace those of the library. The numbers of overlay members follow those of library members.
#[derive(Debug, Clone, Copy)]
pub struct Library {
    /// Invariant: at most one overlay defines a symbol.
    overlays: [Option<&'static Overlay>; 3],
}

impl Library {
    /// The library of a device with addresses of `address_bits` bits: the host, or a device behind
    /// a HAL.
    #[must_use]
    pub fn new(address_bits: u32, hal: Option<&HalTarget>) -> Self {
        let machine = match (address_bits, hal) {
            (32, _) => Some(&SPIR32),
            (_, Some(HalTarget { dma: Some(_), .. })) => Some(&DMA),
            _ => None,
        };
        let deferred = if address_bits == 64 { hal.map(|_| &DEFERRED) } else { None };
        Self { overlays: [machine, hal.map(|_| &TIMER), deferred] }
    }

    /// The same library without the functions that use a DMA engine: the accesses of the engine
    /// cannot be checked.
    #[must_use]
    pub fn without_dma(self) -> Self {
        let engine = |overlay: &&'static Overlay| std::ptr::eq(*overlay, &raw const DMA);
        Self { overlays: self.overlays.map(|overlay| overlay.filter(|o| !engine(o))) }
    }

    /// The overlays, each with the number of its first member.
    fn numbered(&self) -> impl Iterator<Item = (usize, &'static Overlay)> {
        let mut next = muxcl_builtins::member_count();
        self.overlays.into_iter().flatten().map(move |overlay| {
            let first = next;
            next += overlay.member_count();
            (first, overlay)
        })
    }
}

impl BuiltinLibrary for Library {
    fn find(&self, symbol: &str) -> Option<usize> {
        let replaced =
            self.numbered().find_map(|(first, o)| Some(first + usize::from(o.find(symbol)?)));
        replaced.or_else(|| muxcl_builtins::find(symbol).map(MemberId::index))
    }

    fn bitcode(&self, member: usize) -> &'static [u8] {
        if member < muxcl_builtins::member_count() {
            return MemberId::from_index(member).map_or(&[], muxcl_builtins::member);
        }
        let within = |(first, overlay): (usize, &'static Overlay)| {
            let member = member.checked_sub(first).filter(|m| *m < overlay.member_count())?;
            Some(overlay.member(u16::try_from(member).ok()?))
        };
        self.numbered().find_map(within).unwrap_or(&[])
    }

    fn lanes(&self, symbol: &str) -> Option<(String, u32)> {
        let scalar = scalar_of(symbol)?;
        let most = LANES[LANES.len() - 1];
        fixed_variant(&scalar, most).map(|_| (scalar, most))
    }

    fn variant(&self, name: &str) -> Option<String> {
        let (scalar, lanes) = parse_variant_name(name)?;
        match lanes {
            VariantLanes::Fixed(lanes) => fixed_variant(scalar, lanes).map(|(symbol, _)| symbol),
            VariantLanes::Scalable(factor) => {
                variant(scalar, Lanes::Scalable(factor)).map(|v| v.symbol)
            }
        }
    }

    fn scalable_variant(&self, symbol: &str) -> Option<VariantSource> {
        let variant = scalable_variant(symbol)?;
        let Lanes::Scalable(count) = variant.lanes else { return None };
        let member = self.find(&variant.source)?;
        Some(VariantSource { symbol: variant.source, member, lanes: WIDENED, count })
    }
}
