//! The OpenCL C library as indexed LLVM bitcode.
//!
//! The library is cut into many small bitcode modules ("members"), one per family of functions, so
//! that a program pays only for what it calls. A sorted index maps each mangled symbol
//! (`_Z3sinDv4_f`) to its member. Everything is laid out at build time and mapped read-only: no
//! start-up work, no allocation, no LLVM here.
//!
//! How a compiler links it: for every undefined symbol of the program, [`find`] the member, link
//! [`member`]'s bitcode "only needed", and repeat for the symbols that became undefined, until
//! nothing is found any more.
//!
//! Invariant: every OpenCL C builtin that is neither `printf`, a work-item function, a barrier nor
//! an address-space query is here for every type, width and address space; the excepted ones are
//! lowered by `passes`. Image functions get at their image's descriptor and their sampler's number
//! by `__muxcl_image` and `__muxcl_sampler_bits`, which `passes` lowers too. Beside
//! `work_group_barrier` and work-item functions, members may call one more symbol that `passes`
//! lowers: `__muxcl_wg_scratch() -> local ulong *`, with room for (work-group size + 8) ulongs,
//! used by the work-group functions.
//!
//! Not here: linking, optimisation, and anything that depends on the target.

mod index;
pub mod overlay;
pub mod runtime;
pub mod variants;

use std::fmt;

use index::{Index, include_index};

static LIBRARY: Index = include_index!("");

/// One bitcode module of the library.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemberId(u16);

impl MemberId {
    /// The member's number, below [`member_count`].
    #[must_use]
    pub fn index(self) -> usize {
        self.0.into()
    }

    /// The member with this number.
    #[must_use]
    pub fn from_index(index: usize) -> Option<Self> {
        u16::try_from(index).ok().filter(|n| usize::from(*n) < member_count()).map(Self)
    }
}

impl fmt::Debug for MemberId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MemberId({} = {})", self.0, member_name(*self))
    }
}

/// The number of symbols that the library defines.
#[must_use]
pub fn symbol_count() -> usize {
    LIBRARY.symbol_count()
}

/// The number of members.
#[must_use]
pub fn member_count() -> usize {
    LIBRARY.member_count()
}

/// The member that defines the mangled `symbol`. A binary search over static data.
#[must_use]
pub fn find(name: &str) -> Option<MemberId> {
    LIBRARY.find(name).map(MemberId)
}

/// The bitcode of a member.
#[must_use]
pub fn member(id: MemberId) -> &'static [u8] {
    LIBRARY.member(id.0)
}

/// The name of a member (its source, without extension), for logs.
#[must_use]
pub fn member_name(id: MemberId) -> &'static str {
    LIBRARY.member_name(id.0)
}

/// Every symbol with the member that defines it, in the order of the index.
pub fn symbols() -> impl Iterator<Item = (&'static str, MemberId)> {
    LIBRARY.symbols().map(|(name, member)| (name, MemberId(member)))
}
