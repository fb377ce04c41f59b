//! The block of memory a hart finds its work in: the schedule structure kernels read, then what the
//! loader reads. Invariant: its first part is `hal_sched_info_32_t` or `_64_t`, byte for byte. Not
//! here: the loader (`rom.rs`).

/// Marks a context that was filled in.
const MAGIC: u32 = u32::from_le_bytes(*b"ReSi");

/// Where things lie in a context, for words of 4 or 8 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Bytes of a word.
    pub word: u64,
}

impl Layout {
    /// For words of `bits` bits.
    #[must_use]
    pub const fn new(bits: u32) -> Self {
        Self { word: bits as u64 / 8 }
    }

    /// The group being run, in dimension `k`.
    #[must_use]
    pub const fn group(self, k: u64) -> u64 {
        k * self.word
    }

    /// Groups of the range, in dimension `k`.
    #[must_use]
    pub const fn groups(self, k: u64) -> u64 {
        (3 + k) * self.word
    }

    const fn sched_end(self) -> u64 {
        13 * self.word + 16
    }

    /// The work-item's number in its group, in dimension `k`: WI mode only.
    #[must_use]
    pub const fn local_id(self, k: u64) -> u64 {
        self.sched_end() + 4 * k
    }

    /// The hart.
    #[must_use]
    pub const fn thread(self) -> u64 {
        self.sched_end() + 12
    }

    /// The kernel's address.
    #[must_use]
    pub const fn entry(self) -> u64 {
        self.sched_end() + 16
    }

    /// The packed arguments' address.
    #[must_use]
    pub const fn args(self) -> u64 {
        self.entry() + self.word
    }

    /// Groups of one instance.
    #[must_use]
    pub const fn chunk(self) -> u64 {
        self.entry() + 2 * self.word
    }

    /// Groups of the whole range.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.entry() + 3 * self.word
    }

    /// Groups the hart has still to run, the present one included.
    #[must_use]
    pub const fn left(self) -> u64 {
        self.entry() + 4 * self.word
    }

    const fn magic(self) -> u64 {
        self.entry() + 5 * self.word
    }

    /// Bytes of a context.
    #[must_use]
    pub const fn size(self) -> u64 {
        (self.magic() + 12).next_multiple_of(16)
    }
}

/// What a launch is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Launch {
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

impl Launch {
    /// Groups in all; `None` when they are too many to count.
    #[must_use]
    pub fn total(&self) -> Option<u64> {
        self.groups[0].checked_mul(self.groups[1])?.checked_mul(self.groups[2])
    }

    /// The context of a hart that has not begun.
    #[must_use]
    pub fn context(&self, layout: Layout) -> Vec<u8> {
        let mut bytes = vec![0; usize::try_from(layout.size()).unwrap_or(0)];
        let mut put = |at: u64, value: u64, size: u64| {
            let (at, size) = (usize::try_from(at).unwrap_or(0), usize::try_from(size).unwrap_or(0));
            bytes[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
        };
        let w = layout.word;
        for k in 0..3 {
            let (i, at) = (usize::try_from(k).unwrap_or(0), k * w);
            put(3 * w + at, self.groups[i], w);
            put(6 * w + at, self.offset[i], w);
            put(9 * w + 4 * k, self.local[i].into(), 4);
            // One group a call, so that kernels that know nothing of more do.
            put(9 * w + 16 + at, 1, w);
        }
        put(9 * w + 12, self.dimensions.into(), 4);
        put(layout.entry(), self.entry, w);
        put(layout.args(), self.args, w);
        put(layout.chunk(), self.chunk, w);
        put(layout.total(), self.total().unwrap_or(0), w);
        put(layout.left(), 1, w);
        put(layout.magic(), MAGIC.into(), 4);
        put(layout.magic() + 4, layout.size(), 4);
        put(layout.magic() + 8, self.whole_groups.into(), 4);
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
        let launch = Launch {
            entry: 0x11,
            args: 0x22,
            groups: [4, 5, 6],
            offset: [7, 8, 9],
            local: [10, 11, 12],
            dimensions: 3,
            chunk: 13,
            whole_groups: true,
        };
        let wide = Layout::new(64);
        assert_eq!(wide.sched_end(), size_of::<SchedInfo64>() as u64);
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
        let narrow = Layout::new(32);
        assert_eq!((narrow.sched_end(), narrow.groups(1)), (size_of::<SchedInfo32>() as u64, 16));
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
