//! The table in which a thread collects atomic operations of a kernel before they reach memory: its
//! size, and what the runtime of the host does with it. The compiler's pass `combine-atomics` makes
//! the code that fills it.
//!
//! Each thread that runs groups of a kernel with
//! [`Variant::combines`](crate::variant::Variant::combines) needs such a table
//! ([`HostExtra::combined`](crate::sched::HostExtra::combined)). The runtime
//!
//! 1. clears [`CombinedHeader::finish`];
//! 2. calls the entry point, which may store a function there;
//! 3. calls this function with the table after the thread's last group, and before it reports that
//!    the kernel has ended. The function writes the collected operations to memory.

use std::ptr::NonNull;

/// Bytes of a table, which is aligned to 64 bytes.
pub const COMBINED_BYTES: usize = size_of::<CombinedHeader>() + COMBINED_ENTRIES + COMBINED_WINDOW;

/// Bytes of the entries of a table. They fit the first-level cache with room for other data.
pub const COMBINED_ENTRIES: usize = 16 << 10;

/// Bytes of a table's window, which is behind the entries.
pub const COMBINED_WINDOW: usize = 16 << 10;

/// The first bytes of a table.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct CombinedHeader {
    /// Selects the offset of an entry; 0 if the table is switched off.
    pub mask: u64,
    /// Entries that other addresses may take before the table grows or is switched off.
    pub credit: i64,
    /// Writes the table to memory; `None` if the table is not in use.
    pub finish: Option<extern "C" fn(NonNull<Self>)>,
    /// The address of the kernel's counter of groups that run without a table.
    pub paused: u64,
    /// The number of groups that ran with this table.
    pub groups: u64,
    /// The address of the first byte of memory that the window covers; all ones if there is no
    /// window.
    pub window: u64,
    /// Fills the cache line.
    pub reserved: [u64; 2],
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
        assert_eq!(offset_of!(CombinedHeader, window), 40);
        assert_eq!(size_of::<CombinedHeader>(), 64);
    }
}
