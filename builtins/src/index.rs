//! A library of bitcode members in static data, in the layout that `build.rs` writes. Not here: the
//! list of libraries.
//!
//! `index.bin`, little endian: symbol count, member count (u32 each); per symbol: offset of its
//! name (u32), length (u16), member (u16), sorted by name; per member: offset in `members.bin`,
//! length, offset of its name, length (u32 each); names.

/// Aligns the contained bytes to 16, which LLVM's bitcode reader needs to read in place.
#[repr(C, align(16))]
pub(crate) struct Aligned<B: ?Sized>(pub(crate) B);

/// A library of members.
pub(crate) struct Index {
    pub(crate) index: &'static Aligned<[u8]>,
    pub(crate) members: &'static Aligned<[u8]>,
}

/// The library in the files that begin with `$prefix`.
macro_rules! include_index {
    ($prefix:literal) => {{
        static INDEX: &$crate::index::Aligned<[u8]> = &$crate::index::Aligned(*include_bytes!(
            concat!(env!("OUT_DIR"), "/", $prefix, "index.bin")
        ));
        static MEMBERS: &$crate::index::Aligned<[u8]> = &$crate::index::Aligned(*include_bytes!(
            concat!(env!("OUT_DIR"), "/", $prefix, "members.bin")
        ));
        $crate::index::Index { index: INDEX, members: MEMBERS }
    }};
}
pub(crate) use include_index;

const HEADER: usize = 8;
const SYMBOL: usize = 8;
const MEMBER: usize = 16;

impl Index {
    fn u16_at(&self, at: usize) -> u16 {
        u16::from_le_bytes([self.index.0[at], self.index.0[at + 1]])
    }

    fn u32_at(&self, at: usize) -> usize {
        usize::from(self.u16_at(at)) | (usize::from(self.u16_at(at + 2)) << 16)
    }

    pub(crate) fn symbol_count(&self) -> usize {
        self.u32_at(0)
    }

    pub(crate) fn member_count(&self) -> usize {
        self.u32_at(4)
    }

    fn symbol(&self, nth: usize) -> (&'static [u8], u16) {
        let at = HEADER + nth * SYMBOL;
        let (name, len) = (self.u32_at(at), usize::from(self.u16_at(at + 4)));
        (&self.index.0[name..name + len], self.u16_at(at + 6))
    }

    fn member_entry(&self, id: u16) -> usize {
        HEADER + self.symbol_count() * SYMBOL + usize::from(id) * MEMBER
    }

    pub(crate) fn find(&self, name: &str) -> Option<u16> {
        let (mut low, mut high) = (0, self.symbol_count());
        while low < high {
            let middle = low.midpoint(high);
            let (found, member) = self.symbol(middle);
            match found.cmp(name.as_bytes()) {
                std::cmp::Ordering::Equal => return Some(member),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    pub(crate) fn member(&self, id: u16) -> &'static [u8] {
        let at = self.member_entry(id);
        let (offset, len) = (self.u32_at(at), self.u32_at(at + 4));
        &self.members.0[offset..offset + len]
    }

    pub(crate) fn member_name(&self, id: u16) -> &'static str {
        let at = self.member_entry(id);
        let (name, len) = (self.u32_at(at + 8), self.u32_at(at + 12));
        std::str::from_utf8(&self.index.0[name..name + len]).unwrap_or_default()
    }

    pub(crate) fn symbols(&self) -> impl Iterator<Item = (&'static str, u16)> {
        (0..self.symbol_count()).map(|nth| {
            let (name, member) = self.symbol(nth);
            (std::str::from_utf8(name).unwrap_or_default(), member)
        })
    }
}
