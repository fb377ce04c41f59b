//! The OpenCL C library as indexed LLVM bitcode.
//!
//! The library consists of many small bitcode modules ("members"), one per family of functions, so
//! that a program links only what it calls. A sorted index maps each mangled symbol (`_Z3sinDv4_f`)
//! to its member. The layout is fixed at build time and the data is mapped read-only: it needs no
//! start-up work, no allocation and no LLVM.
//!
//! A compiler links it as follows: for every undefined symbol of the program, [`find`] the member
//! and link [`member`]'s bitcode "only needed". Repeat for the symbols that became undefined, until
//! no more member is found.
//!
//! Invariant: the library defines every OpenCL C builtin for every type, width and address space,
//! except `printf`, work-item functions, barriers and address-space queries, which `passes` lowers.
//! Image functions access their image's descriptor and their sampler's number through
//! `__muxcl_image` and `__muxcl_sampler_bits`, which `passes` lowers too. Besides
//! `work_group_barrier` and work-item functions, members may call one more symbol that `passes`
//! lowers: `__muxcl_wg_scratch() -> local ulong *`, memory for (work-group size + 8) ulongs, which
//! the work-group functions use.
//!
//! Not here: linking, optimisation, and anything that depends on the target.
//!
//! # Examples
//! ```
//! use muxcl_builtins::variants::{Lanes, variant};
//! use muxcl_builtins::{find, member, member_name};
//!
//! let sin = find("_Z3sinf").unwrap(); // float sin(float)
//! assert!(member(sin).starts_with(b"BC"), "{} is bitcode", member_name(sin));
//! assert_eq!(find("_Z3sinv"), None);
//! // The function that a vectorizer calls for four lanes.
//! assert_eq!(variant("_Z3sinf", Lanes::Fixed(4)).unwrap().symbol, "_Z3sinDv4_f");
//! ```

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
