//! Sizes of sub-groups. A sub-group is a run of work-items with consecutive local linear ids; the
//! last one of a work-group may be smaller.

/// Work-items of a full sub-group of a kernel that requires no size.
pub const DEFAULT: u32 = 16;

/// The sizes that a kernel may require (`intel_reqd_sub_group_size`).
pub const SIZES: [u32; 5] = [4, 8, 16, 32, 64];

/// The number of sub-groups of `size` work-items in a work-group of `items`.
#[must_use]
pub fn count(items: u64, size: u32) -> u64 {
    items.div_ceil(size.max(1).into())
}
