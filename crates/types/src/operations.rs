//! The operations that kernels count for a profile: the record that compiled code adds to.
//!
//! Counts are those of executed instructions, as those of a processor's counters are: an
//! instruction on a vector counts all its lanes, also those that a mask switches off. Not here: the
//! code that counts (`passes::count_operations`), and what a machine could do (`mux-host`).

use bytemuck::{Pod, Zeroable};

/// What a thread has executed of a kernel ([`HostExtra::counts`](crate::sched::HostExtra::counts)).
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct OperationCounts {
    /// Floating-point operations on numbers of at most 32 bits. A multiply-add is two.
    pub single: u64,
    /// Floating-point operations on `double`.
    pub double: u64,
    /// Bytes that loads, stores and atomic operations access, except those of variables on the
    /// stack.
    pub bytes: u64,
}

impl OperationCounts {
    /// The sum of two counts.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            single: self.single.saturating_add(other.single),
            double: self.double.saturating_add(other.double),
            bytes: self.bytes.saturating_add(other.bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::offset_of;

    #[test]
    fn layout_matches_the_pass() {
        assert_eq!(offset_of!(OperationCounts, single), 0);
        assert_eq!(offset_of!(OperationCounts, double), 8);
        assert_eq!(offset_of!(OperationCounts, bytes), 16);
    }
}
