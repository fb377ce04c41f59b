//! Generators of the large regular families of the library: they write OpenCL C, one text per
//! member.
//!
//! Invariant: the text depends on nothing (no environment, no clock), so that builds are
//! reproducible. Not here: mathematics, which is hand-written in `src-cl`.

mod atomics;
mod clock;
mod convert;
mod deferred;
mod enqueue;
mod families;
mod groups;
mod images;
mod intel_sub_groups;
mod memory;
mod named_barriers;
mod native;
mod pipes;
mod shuffle;
mod sub_groups;

use std::fmt::Write as _;

/// A scalar type of OpenCL C.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Scalar {
    /// The name in OpenCL C.
    pub(crate) name: &'static str,
    /// Width in bits.
    pub(crate) bits: u32,
    /// True for floating-point types.
    pub(crate) float: bool,
    /// True for signed types.
    pub(crate) signed: bool,
}

const fn scalar(name: &'static str, bits: u32, float: bool, signed: bool) -> Scalar {
    Scalar { name, bits, float, signed }
}

/// All scalar types.
pub(crate) const SCALARS: [Scalar; 11] = [
    scalar("char", 8, false, true),
    scalar("uchar", 8, false, false),
    scalar("short", 16, false, true),
    scalar("ushort", 16, false, false),
    scalar("int", 32, false, true),
    scalar("uint", 32, false, false),
    scalar("long", 64, false, true),
    scalar("ulong", 64, false, false),
    scalar("half", 16, true, true),
    scalar("float", 32, true, true),
    scalar("double", 64, true, true),
];

/// All vector widths, with 1 for scalars.
pub(crate) const WIDTHS: [u32; 6] = [1, 2, 3, 4, 8, 16];
/// All vector widths.
pub(crate) const VECTORS: [u32; 5] = [2, 3, 4, 8, 16];
/// The address spaces of pointer parameters.
pub(crate) const SPACES: [&str; 5] =
    ["__private", "__global", "__constant", "__local", "__generic"];

impl Scalar {
    /// The vector type with this element; the element itself for width 1.
    pub(crate) fn vector(self, width: u32) -> String {
        if width == 1 { self.name.into() } else { format!("{}{width}", self.name) }
    }

    /// The unsigned or signed integer type of the same width.
    pub(crate) fn integer(self, signed: bool) -> Self {
        *SCALARS
            .iter()
            .find(|other| !other.float && other.bits == self.bits && other.signed == signed)
            .unwrap()
    }
}

/// The member access of lane `nth`.
pub(crate) fn lane(nth: u32) -> String {
    format!("s{nth:x}")
}

/// Every generated member: name and text.
pub(crate) fn members(src_cl: &std::path::Path) -> Vec<(String, String)> {
    let mut all = Vec::new();
    families::members(&mut all, &src_cl.join("families"));
    convert::members(&mut all);
    memory::members(&mut all);
    shuffle::members(&mut all);
    atomics::members(&mut all);
    groups::members(&mut all);
    native::members(&mut all);
    pipes::members(&mut all);
    enqueue::members(&mut all);
    all.push(clock::counter());
    all.push(named_barriers::member());
    sub_groups::members(&mut all);
    images::members(&mut all, src_cl);
    intel_sub_groups::members(&mut all, src_cl);
    all
}

/// The members that depend on the width of an address.
pub(crate) fn sized_members(src_cl: &std::path::Path) -> Vec<(String, String)> {
    let mut all = Vec::new();
    memory::members(&mut all);
    groups::members(&mut all);
    images::sized_members(&mut all, src_cl);
    all
}

/// The members that replace some of them on devices with a DMA engine.
pub(crate) fn dma_members() -> Vec<(String, String)> {
    groups::dma_members()
}

/// The members that replace others on RISC-V.
pub(crate) fn timer_members() -> Vec<(String, String)> {
    vec![clock::timer()]
}

/// The members that replace the host's runtime where kernels cannot call it.
pub(crate) fn deferred_members() -> Vec<(String, String)> {
    vec![deferred::member()]
}

/// Starts a member's text.
pub(crate) fn prologue() -> String {
    let mut text = String::new();
    let _ = writeln!(text, "#include \"muxcl.h\"");
    text
}
