//! Sub-groups: a work-group's work-items in the order of their local linear ids, so many at a time;
//! the last may have fewer.

/// Work-items of a full sub-group, unless the kernel asks for another number.
pub const DEFAULT: u32 = 16;

/// The numbers a kernel may ask for (`intel_reqd_sub_group_size`).
pub const SIZES: [u32; 5] = [4, 8, 16, 32, 64];

/// How many sub-groups so many work-items are.
#[must_use]
pub fn count(items: u64, size: u32) -> u64 {
    items.div_ceil(size.max(1).into())
}
