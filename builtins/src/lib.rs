//! The OpenCL C library as indexed LLVM bitcode.
//!
//! The library is cut into many small bitcode modules ("members"), one per family of functions, so that a program pays
//! only for what it calls. A sorted index maps each mangled symbol (`_Z3sinDv4_f`) to its member. Everything is laid
//! out at build time and mapped read-only: no start-up work, no allocation, no LLVM here.
//!
//! How a compiler links it: for every undefined symbol of the program, [`find`] the member, link [`member`]'s bitcode
//! "only needed", and repeat for the symbols that became undefined, until nothing is found any more.
//!
//! Invariant: every OpenCL C builtin that is neither an image function, `printf`, a work-item function, a barrier nor an
//! address-space query is here for every type, width and address space; the excepted ones are lowered by `passes`.
//! Beside `work_group_barrier` and work-item functions, members may call one more symbol that `passes` lowers:
//! `__muxcl_wg_scratch() -> local ulong *`, with room for (work-group size + 8) ulongs, used by the work-group functions.
//!
//! Not here: linking, optimisation, and anything that depends on the target.

use std::fmt;

/// Forces the alignment a bitcode reader is happiest with.
#[repr(C, align(16))]
struct Aligned<B: ?Sized>(B);

static INDEX: &Aligned<[u8]> = &Aligned(*include_bytes!(concat!(env!("OUT_DIR"), "/index.bin")));
static MEMBERS: &Aligned<[u8]> = &Aligned(*include_bytes!(concat!(env!("OUT_DIR"), "/members.bin")));

/// One bitcode module of the library.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemberId(u16);

impl MemberId {
    /// Its number, below [`member_count`].
    #[must_use]
    pub fn index(self) -> usize {
        self.0.into()
    }

    /// The member of this number.
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

// index.bin, little endian: symbol count, member count (u32 each); per symbol: offset of its name (u32), length (u16),
// member (u16), sorted by name; per member: offset in members.bin, length, offset of its name, length (u32 each); names.
const HEADER: usize = 8;
const SYMBOL: usize = 8;
const MEMBER: usize = 16;

fn u16_at(at: usize) -> usize {
    usize::from(u16::from_le_bytes([INDEX.0[at], INDEX.0[at + 1]]))
}

fn u32_at(at: usize) -> usize {
    u16_at(at) | (u16_at(at + 2) << 16)
}

fn text(at: usize, len: usize) -> &'static str {
    std::str::from_utf8(&INDEX.0[at..at + len]).unwrap_or_default()
}

/// How many symbols the library defines.
#[must_use]
pub fn symbol_count() -> usize {
    u32_at(0)
}

/// How many members it is cut into.
#[must_use]
pub fn member_count() -> usize {
    u32_at(4)
}

fn symbol(nth: usize) -> (&'static [u8], MemberId) {
    let at = HEADER + nth * SYMBOL;
    let (name, len) = (u32_at(at), u16_at(at + 4));
    (&INDEX.0[name..name + len], MemberId(u16::from_le_bytes([INDEX.0[at + 6], INDEX.0[at + 7]])))
}

fn member_entry(id: MemberId) -> usize {
    HEADER + symbol_count() * SYMBOL + usize::from(id.0) * MEMBER
}

/// The member that defines the mangled `symbol`. A binary search over static data.
#[must_use]
pub fn find(name: &str) -> Option<MemberId> {
    let (mut low, mut high) = (0, symbol_count());
    while low < high {
        let middle = low.midpoint(high);
        let (found, member) = symbol(middle);
        match found.cmp(name.as_bytes()) {
            std::cmp::Ordering::Equal => return Some(member),
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    None
}

/// The bitcode of a member.
#[must_use]
pub fn member(id: MemberId) -> &'static [u8] {
    let at = member_entry(id);
    let (offset, len) = (u32_at(at), u32_at(at + 4));
    &MEMBERS.0[offset..offset + len]
}

/// The name of a member (its source, without extension), for logs.
#[must_use]
pub fn member_name(id: MemberId) -> &'static str {
    let at = member_entry(id);
    text(u32_at(at + 8), u32_at(at + 12))
}

/// Every symbol with the member that defines it, in the order of the index.
pub fn symbols() -> impl Iterator<Item = (&'static str, MemberId)> {
    (0..symbol_count()).map(|nth| {
        let (name, member) = symbol(nth);
        (std::str::from_utf8(name).unwrap_or_default(), member)
    })
}
