//! A thread's table of combined atomic operations, as far as the runtime of the host knows it. The
//! compiler's pass `combine-atomics` has the rest.
//!
//! The runtime gives each thread that runs groups of a kernel with
//! [`Variant::combines`](crate::variant::Variant::combines) such a table
//! ([`HostExtra::combined`](crate::sched::HostExtra::combined)). Before the first call of the entry
//! point, it sets [`CombinedHeader::finish`] to 0. The first call may put the address of a function
//! there. After the thread's last call, and before anybody learns that the kernel has ended, the
//! runtime calls this function with the address of the table.

use bytemuck::{Pod, Zeroable};

/// Bytes of a table, which is aligned to 64 bytes.
pub const COMBINED_BYTES: usize = size_of::<CombinedHeader>() + COMBINED_ENTRIES;

/// Bytes of the entries of a table. They fit the first-level cache with room for other data.
pub const COMBINED_ENTRIES: usize = 16 << 10;

/// The first bytes of a table.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct CombinedHeader {
    /// Selects the offset of an entry; 0 if the table is switched off.
    pub mask: u64,
    /// Entries that other addresses may take before the table grows or is switched off.
    pub credit: i64,
    /// The address of the function that writes the table to memory, `void (table)`; 0 if there is
    /// nothing to write.
    pub finish: u64,
    /// The address of the kernel's counter of groups that run without a table.
    pub paused: u64,
    /// The number of groups that ran with this table.
    pub groups: u64,
    /// Fills the cache line.
    pub reserved: [u64; 3],
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::offset_of;

    #[test]
    fn layout_matches_the_pass() {
        assert_eq!(offset_of!(CombinedHeader, credit), 8);
        assert_eq!(offset_of!(CombinedHeader, finish), 16);
        assert_eq!(offset_of!(CombinedHeader, paused), 24);
        assert_eq!(offset_of!(CombinedHeader, groups), 32);
        assert_eq!(size_of::<CombinedHeader>(), 64);
    }
}
