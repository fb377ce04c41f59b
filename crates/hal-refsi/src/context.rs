//! The context: the block of memory that tells a hart its work.
//!
//! It begins with the structure that kernels read, in one of two conventions; the loader's part
//! (`rom.rs`) follows at the same offset in both. The group and the number of groups, which the
//! loader advances, have the same offsets in both too. Invariant: the first part is
//! `hal_sched_info_32_t` or `_64_t`, or the execution state of the oneAPI Construction Kit's RefSi
//! kernels, byte for byte.

/// Marks a context that was filled in.
const MAGIC: u32 = u32::from_le_bytes(*b"ReSi");
/// Offset of the loader's part. No kernel's structure is larger.
const LOADER: u64 = 192;

/// What a kernel's second argument points at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Convention {
    /// `hal_sched_info_32_t` or `hal_sched_info_64_t`; `hal_extra` is 0.
    #[default]
    Schedule,
    /// The execution state that kernels of the oneAPI Construction Kit's RefSi HAL expect: its
    /// work- group part has local sizes of a word each, and `hal_extra` points at the state itself.
    /// In WI mode such a kernel loops over the groups by itself.
    ExecutionState,
}

/// Offsets in a context, in bytes, for words of 4 or 8 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Bytes of a word.
    pub word: u64,
    /// The structure that kernels read.
    pub convention: Convention,
}

impl Layout {
    /// For words of `bits` bits.
    #[must_use]
    pub const fn new(bits: u32, convention: Convention) -> Self {
        Self { word: bits as u64 / 8, convention }
    }

    /// The current group, in dimension `k`.
    #[must_use]
    pub const fn group(self, k: u64) -> u64 {
        k * self.word
    }

    /// Groups of the range, in dimension `k`.
    #[must_use]
    pub const fn groups(self, k: u64) -> u64 {
        (3 + k) * self.word
    }

    /// Local size, in dimension `k`.
    const fn local_size(self, k: u64) -> u64 {
        9 * self.word
            + k * match self.convention {
                Convention::Schedule => 4,
                Convention::ExecutionState => self.word,
            }
    }

    /// Number of dimensions.
    const fn dimensions(self) -> u64 {
        match self.convention {
            Convention::Schedule => 9 * self.word + 12,
            Convention::ExecutionState => 12 * self.word,
        }
    }

    /// Groups of one call, in dimension `k`.
    const fn per_call(self, k: u64) -> u64 {
        k * self.word
            + match self.convention {
                Convention::Schedule => 9 * self.word + 16,
                Convention::ExecutionState => 13 * self.word,
            }
    }

    const fn schedule_end(self) -> u64 {
        13 * self.word + 16
    }

    /// The work-item's number in its group, in dimension `k`: WI mode only.
    #[must_use]
    pub const fn local_id(self, k: u64) -> u64 {
        4 * k
            + match self.convention {
                Convention::Schedule => self.schedule_end(),
                Convention::ExecutionState => (17 * self.word).next_multiple_of(8),
            }
    }

    /// The execution state's fields after the local ids, from the kernel's address on; each of
    /// these has 8 bytes.
    const fn state(self) -> u64 {
        (self.local_id(0) + 12).next_multiple_of(8)
    }

    /// The hart's number.
    #[must_use]
    pub const fn thread(self) -> u64 {
        match self.convention {
            Convention::Schedule => self.schedule_end() + 12,
            Convention::ExecutionState => self.state() + 32,
        }
    }

    /// The kernel's address.
    #[must_use]
    pub const fn entry(self) -> u64 {
        LOADER
    }

    /// The packed arguments' address.
    #[must_use]
    pub const fn args(self) -> u64 {
        LOADER + self.word
    }

    /// Groups of one instance.
    #[must_use]
    pub const fn chunk(self) -> u64 {
        LOADER + 2 * self.word
    }

    /// Groups of the whole range.
    #[must_use]
    pub const fn total(self) -> u64 {
        LOADER + 3 * self.word
    }

    /// Groups the hart has still to run, the present one included.
    #[must_use]
    pub const fn left(self) -> u64 {
        LOADER + 4 * self.word
    }

    /// The offset at which the loader stores the context's own address: `hal_extra` of an
    /// execution state, else a word that nothing reads.
    #[must_use]
    pub const fn own_address_at(self) -> u64 {
        LOADER + 5 * self.word
    }

    const fn unread(self) -> u64 {
        LOADER + 6 * self.word
    }

    const fn magic(self) -> u64 {
        LOADER + 7 * self.word
    }

    /// Bytes of a context.
    #[must_use]
    pub const fn size(self) -> u64 {
        (self.magic() + 12).next_multiple_of(16)
    }
}

/// The kernel, range and arguments of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KernelLaunch {
    /// The kernel's address.
    pub entry: u64,
    /// The packed arguments' address.
    pub args: u64,
    /// Groups in each dimension.
    pub groups: [u64; 3],
    /// Global offset.
    pub offset: [u64; 3],
    /// Work-items of a group.
    pub local: [u32; 3],
    /// Dimensions.
    pub dimensions: u32,
    /// Groups of one instance.
    pub chunk: u64,
    /// One call for each group, not for each work-item.
    pub whole_groups: bool,
}

impl KernelLaunch {
    /// Groups in all; `None` when they are too many to count.
    #[must_use]
    pub fn total(&self) -> Option<u64> {
        self.groups[0].checked_mul(self.groups[1])?.checked_mul(self.groups[2])
    }

    /// The context of a hart that has not begun.
    #[must_use]
    pub fn context(&self, l: Layout) -> Vec<u8> {
        let mut bytes = vec![0; usize::try_from(l.size()).unwrap_or(0)];
        let mut put = |at: u64, value: u64, size: u64| {
            let (at, size) = (usize::try_from(at).unwrap_or(0), usize::try_from(size).unwrap_or(0));
            bytes[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
        };
        let w = l.word;
        let local_bytes = l.local_size(1) - l.local_size(0);
        for k in 0..3 {
            let i = usize::try_from(k).unwrap_or(0);
            put(l.groups(k), self.groups[i], w);
            put((6 + k) * w, self.offset[i], w);
            put(l.local_size(k), self.local[i].into(), local_bytes);
            // One group a call: a kernel without a loop over groups is right too.
            put(l.per_call(k), 1, w);
        }
        put(l.dimensions(), self.dimensions.into(), 4);
        put(l.entry(), self.entry, w);
        put(l.args(), self.args, w);
        put(l.chunk(), self.chunk, w);
        put(l.total(), self.total().unwrap_or(0), w);
        put(l.left(), 1, w);
        put(l.magic(), MAGIC.into(), 4);
        put(l.magic() + 4, l.size(), 4);
        put(l.magic() + 8, self.whole_groups.into(), 4);
        match l.convention {
            Convention::Schedule => put(l.own_address_at(), l.unread(), w),
            Convention::ExecutionState => {
                put(l.own_address_at(), 16 * w, w);
                put(l.state(), self.entry, 8);
                put(l.state() + 8, self.args, 8);
                put(l.state() + 16, MAGIC.into(), 4);
                put(l.state() + 20, l.state() + 40, 4);
                put(l.state() + 24, self.whole_groups.into(), 4);
            }
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muxcl_types::sched::{SchedInfo32, SchedInfo64};
    use std::mem::{offset_of, size_of};

    #[test]
    fn a_context_begins_with_the_schedule_structure() {
        let launch = KernelLaunch {
            entry: 0x11,
            args: 0x22,
            groups: [4, 5, 6],
            offset: [7, 8, 9],
            local: [10, 11, 12],
            dimensions: 3,
            chunk: 13,
            whole_groups: true,
        };
        let wide = Layout::new(64, Convention::Schedule);
        assert_eq!(wide.schedule_end(), size_of::<SchedInfo64>() as u64);
        let bytes = launch.context(wide);
        let sched: SchedInfo64 = bytemuck::pod_read_unaligned(&bytes[..size_of::<SchedInfo64>()]);
        let expected = SchedInfo64 {
            num_groups_total: [4, 5, 6],
            global_offset: [7, 8, 9],
            local_size: [10, 11, 12],
            num_dim: 3,
            num_groups_per_call: [1; 3],
            ..SchedInfo64::default()
        };
        assert_eq!(sched, expected);
        let narrow = Layout::new(32, Convention::Schedule);
        assert_eq!(
            (narrow.schedule_end(), narrow.groups(1)),
            (size_of::<SchedInfo32>() as u64, 16)
        );
        let bytes = launch.context(narrow);
        let sched: SchedInfo32 = bytemuck::pod_read_unaligned(&bytes[..size_of::<SchedInfo32>()]);
        assert_eq!(
            (sched.global_offset, sched.local_size, sched.num_dim),
            ([7, 8, 9], [10, 11, 12], 3)
        );
        assert_eq!(wide.groups(2), offset_of!(SchedInfo64, num_groups_total) as u64 + 16);
        assert_eq!(bytes[usize::try_from(narrow.total()).expect("small")], 120);
    }
}
