//! The checker (`MUXCL_CHECK`): what is checked, and the structures in device memory that checked
//! kernels and the runtime share.
//!
//! A checked kernel has one more argument behind its own, the address of a [`State`]. Behind it
//! follow [`Report`]s ([`REPORTS`] of them), [`Region`]s, and a counter of 32 bits for each
//! site. `builtins/src-cl/check.cl` declares the same structures in OpenCL C. All words are little
//! endian; addresses have 64 bits. Tests pin the layouts.
//!
//! Invariant: the runtime accesses the memory only before and after the kernel runs. Not here:
//! instrumenting kernels (`passes::check`), texts of reports (`cl::core::check`).

use bytemuck::{Pod, Zeroable};
use serde::{Deserialize, Serialize};

/// What a context checks in its kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Checks {
    /// Bounds, alignment, and reads of uninitialised memory.
    pub memory: bool,
    /// Data races of work-items.
    pub race: bool,
    /// Barriers that not all work-items of a group reach.
    pub divergence: bool,
}

impl Checks {
    /// All checks.
    pub const ALL: Self = Self { memory: true, race: true, divergence: true };

    /// The checks that the names in `list` choose: `memory`, `race`, `divergence`, or `all`.
    ///
    /// # Errors
    /// The first name that is none of these.
    pub fn of_names<S: AsRef<str>>(list: &[S]) -> Result<Self, &str> {
        let mut out = Self::default();
        for name in list.iter().map(AsRef::as_ref) {
            match name {
                "memory" => out.memory = true,
                "race" => out.race = true,
                "divergence" => out.divergence = true,
                "all" => out = Self::ALL,
                _ => return Err(name),
            }
        }
        Ok(out)
    }

    /// True if anything is checked.
    #[must_use]
    pub fn any(self) -> bool {
        self.memory || self.race || self.divergence
    }
}

/// A place in a kernel that may be reported.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Site {
    /// The source's file and line; `None` if the code has no location.
    pub place: Option<(String, u32)>,
    /// The variable or argument that the code accesses; empty if unknown.
    pub object: String,
}

/// Number of reports that one launch can make.
pub const REPORTS: usize = 64;

/// The kinds of errors, as [`Report::kind`] holds them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Kind {
    /// An access outside of its region.
    Bounds = 0,
    /// A read of bytes that nothing has written.
    Uninitialised = 1,
    /// An address that is no multiple of the type's alignment.
    Misaligned = 2,
    /// Two accesses that no barrier orders.
    Race = 3,
    /// A barrier that not all work-items of the group reach.
    Divergence = 4,
}

impl Kind {
    /// The kind with this number.
    #[must_use]
    pub fn of_number(number: u32) -> Option<Self> {
        [Self::Bounds, Self::Uninitialised, Self::Misaligned, Self::Race, Self::Divergence]
            .into_iter()
            .find(|kind| *kind as u32 == number)
    }
}

/// Properties of an access: bits of the argument `how` of the library's functions.
pub mod how {
    /// The access writes.
    pub const WRITE: u32 = 1;
    /// The access is atomic.
    pub const ATOMIC: u32 = 2;
    /// The kernel computes with the value it reads, and does not only copy it.
    pub const USED: u32 = 4;
    /// Errors of memory are reported.
    pub const MEMORY: u32 = 8;
    /// Races are reported.
    pub const RACE: u32 = 16;
    /// The logarithm of the alignment in bytes starts at this bit.
    pub const ALIGN_SHIFT: u32 = 8;
}

/// The region of an address that no allocation contains. Every access to it is an error.
pub const NOWHERE: u32 = 0;
/// The region of an address about which nothing is known. No access to it is an error.
pub const ANYWHERE: u32 = 1;
/// The region of the first argument; the others follow.
pub const FIRST_ARGUMENT: u32 = 2;

/// The start of the memory of one launch.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct State {
    /// The launch's number in shadow cells, 1 to [`LAUNCHES`].
    pub launch: u32,
    /// Written by kernels: the number of reports, also of those beyond [`REPORTS`].
    pub reported: u32,
    /// Number of regions.
    pub regions: u32,
    /// The region of an address that is in no other: [`NOWHERE`] or [`ANYWHERE`].
    pub unknown: u32,
}

/// The site of a work-item that has ended, in place of a barrier's; an unknown site.
pub const ENDED: u32 = u32::MAX;

/// One error that a kernel found. The other access of a race is in the fields `other` and
/// `other_item`; for [`Kind::Divergence`], they have the other work-item and its barrier.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct Report {
    /// The site's index in the program's table.
    pub site: u32,
    /// A [`Kind`].
    pub kind: u32,
    /// The region's index; [`NOWHERE`] for memory without one.
    pub region: u32,
    /// Size of the access in bytes, or of one cell for a race.
    pub size: u32,
    /// Address of the access; in local and private memory, the offset in the variable.
    pub address: u64,
    /// Size in bytes of a variable in local or private memory; the alignment that
    /// [`Kind::Misaligned`] wants; else 0.
    pub limit: u64,
    /// The work-item: group * size of a full group + local linear id.
    pub item: u64,
    /// The other site, or [`ENDED`].
    pub other: u32,
    /// The other work-item, as `item`; of a race modulo 2^26.
    pub other_item: u32,
    /// Bit 0: the access writes, or the work-item of a divergence is the one that has not reached
    /// the barrier. Bit 1: the other access writes.
    pub writes: u32,
    /// Padding.
    pub unused: u32,
}

/// Memory that a kernel may access.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct Region {
    /// Address of the first byte; 0 for local memory, in which `init` and `race` are offsets
    /// ([`LocalShadow`]).
    pub low: u64,
    /// Bytes that kernels may access: 0 if the memory is not valid.
    pub size: u64,
    /// One past the last byte of the memory, valid or not; `low` if no address is to be found here.
    pub end: u64,
    /// Address of the bytes that tell which bytes are initialised (one for each, 0 or 1); 0 if all
    /// of them are.
    pub init: u64,
    /// Address of the [`Cell`]s, one for each four bytes; 0 without.
    pub race: u64,
}

/// The shadow of a local argument, behind it in local memory: its [`Cell`]s, then a byte for each
/// of its bytes. All fields are offsets from the argument's address in bytes. The argument's
/// [`Region`] has `race` and `init`, or zeros if the device's local memory is too small for a
/// shadow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalShadow {
    /// Offset of the cells.
    pub race: u64,
    /// Offset of the bytes that tell which bytes of the argument are written.
    pub init: u64,
    /// Size of the argument with its shadow.
    pub end: u64,
}

impl LocalShadow {
    /// The shadow of an argument of `size` bytes; `None` if it would be too large.
    #[must_use]
    pub fn of(size: u64) -> Option<Self> {
        let race = size.checked_next_multiple_of(8)?;
        let init = race.checked_add(size.div_ceil(4).checked_mul(size_of::<Cell>() as u64)?)?;
        Some(Self { race, init, end: init.checked_add(size)? })
    }
}

/// The last accesses to four bytes. `check.cl` packs work-item, epoch, launch and site of each into
/// 64 bits.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct Cell {
    /// The last write.
    pub write: u64,
    /// The last read.
    pub read: u64,
}

/// The greatest launch number. It has 5 bits in a cell, and 0 means no launch.
pub const LAUNCHES: u32 = 31;
/// The number of barriers that a work-item has passed has 12 bits in a cell. This one stands for
/// itself and all greater ones.
pub const EPOCHS: u32 = (1 << 12) - 1;

/// The layout of the memory of one launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Number of regions.
    pub regions: usize,
    /// Number of sites of the program.
    pub sites: usize,
}

impl Layout {
    /// Offset of the reports in bytes.
    pub const REPORTS_AT: usize = 256;
    /// Offset of 128 bytes, aligned to their size, that accesses out of bounds use instead.
    pub const SCRAP_AT: usize = 128;
    /// Offset of the regions in bytes.
    pub const REGIONS_AT: usize = Self::REPORTS_AT + REPORTS * size_of::<Report>();

    /// Size of the memory in bytes.
    #[must_use]
    pub fn size(self) -> usize {
        Self::REGIONS_AT + self.regions * size_of::<Region>() + self.sites * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_those_of_the_library() {
        assert_eq!(size_of::<State>(), 16);
        assert_eq!(size_of::<Report>(), 56);
        assert_eq!(std::mem::offset_of!(Report, item), 32);
        assert_eq!(std::mem::offset_of!(Report, other), 40);
        assert_eq!(size_of::<Region>(), 40);
        assert_eq!(size_of::<Cell>(), 16);
        assert_eq!(Layout::REGIONS_AT, 256 + 64 * 56);
    }

    #[test]
    fn shadows_of_local_arguments() {
        assert_eq!(LocalShadow::of(6), Some(LocalShadow { race: 8, init: 40, end: 46 }));
        assert_eq!(LocalShadow::of(u64::MAX / 2), None);
    }

    #[test]
    fn names_choose_checks() {
        assert!(!Checks::of_names::<&str>(&[]).unwrap().any());
        let race = Checks { race: true, ..Checks::default() };
        assert_eq!(Checks::of_names(&["race"]), Ok(race));
        assert_eq!(Checks::of_names(&["all"]), Ok(Checks::ALL));
        assert_eq!(Checks::of_names(&["memory", "race", "divergence"]), Ok(Checks::ALL));
        assert_eq!(Checks::of_names(&["race", "rase"]), Err("rase"));
    }
}
