//! The context: the block of memory that describes a hart's work.
//!
//! It begins with the structure that kernels read, in one of two conventions. The loader's fields
//! (`rom.rs`) follow at the same offset in both, and so do the current group and the number of
//! groups, which the loader updates. Invariant: the first part equals `hal_sched_info_32_t` or
//! `_64_t`, or the execution state of the oneAPI Construction Kit's RefSi kernels, byte for byte.

use crate::map;
use crate::options::{Options, Soc};
use muxcl_rv_sim::Memory;

/// Magic number of an initialised context.
const MAGIC: u32 = u32::from_le_bytes(*b"ReSi");
/// Offset of the loader's fields. No kernel structure is larger.
const LOADER: u64 = 192;

/// The type of a kernel's second argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Convention {
    /// `hal_sched_info_32_t` or `hal_sched_info_64_t`; `hal_extra` is 0.
    #[default]
    Schedule,
    /// The execution state that kernels of the oneAPI Construction Kit's RefSi HAL expect: local
    /// sizes in its work-group part are one word each, and `hal_extra` points at the state itself.
    /// In WI mode such a kernel loops over the groups itself.
    ExecutionState,
}

/// Byte offsets in a context, for words of 4 or 8 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Size of a word in bytes.
    pub word: u64,
    /// The structure that kernels read.
    pub convention: Convention,
}

impl Layout {
    /// Offsets for words of `bits` bits.
    #[must_use]
    pub const fn new(bits: u32, convention: Convention) -> Self {
        Self { word: bits as u64 / 8, convention }
    }

    /// Current group in dimension `k`.
    #[must_use]
    pub const fn group(self, k: u64) -> u64 {
        k * self.word
    }

    /// Number of groups of the range in dimension `k`.
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

    /// Number of groups per call in dimension `k`.
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

    /// Local id in dimension `k`; WI mode only.
    #[must_use]
    pub const fn local_id(self, k: u64) -> u64 {
        4 * k
            + match self.convention {
                Convention::Schedule => self.schedule_end(),
                Convention::ExecutionState => (17 * self.word).next_multiple_of(8),
            }
    }

    /// Offset of the execution state's fields after the local ids, which begin with the kernel's
    /// address; each has 8 bytes.
    const fn state(self) -> u64 {
        (self.local_id(0) + 12).next_multiple_of(8)
    }

    /// Number of the hart.
    #[must_use]
    pub const fn thread(self) -> u64 {
        match self.convention {
            Convention::Schedule => self.schedule_end() + 12,
            Convention::ExecutionState => self.state() + 32,
        }
    }

    /// Address of the kernel.
    #[must_use]
    pub const fn entry(self) -> u64 {
        LOADER
    }

    /// Address of the packed arguments.
    #[must_use]
    pub const fn args(self) -> u64 {
        LOADER + self.word
    }

    /// Number of groups per instance.
    #[must_use]
    pub const fn chunk(self) -> u64 {
        LOADER + 2 * self.word
    }

    /// Number of groups of the whole range.
    #[must_use]
    pub const fn total(self) -> u64 {
        LOADER + 3 * self.word
    }

    /// Number of groups left for the hart, including the current one.
    #[must_use]
    pub const fn left(self) -> u64 {
        LOADER + 4 * self.word
    }

    /// Offset at which the loader stores the context's own address: `hal_extra` of an execution
    /// state, otherwise an unused word.
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

    /// Size of a context in bytes.
    #[must_use]
    pub const fn size(self) -> u64 {
        (self.magic() + 12).next_multiple_of(16)
    }
}

/// The kernel, range and arguments of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KernelLaunch {
    /// Address of the kernel.
    pub entry: u64,
    /// Address of the packed arguments.
    pub args: u64,
    /// Number of groups in each dimension.
    pub groups: [u64; 3],
    /// Global offset.
    pub offset: [u64; 3],
    /// Local size in each dimension.
    pub local: [u32; 3],
    /// Number of dimensions.
    pub dimensions: u32,
    /// Number of groups per instance.
    pub chunk: u64,
    /// True if a call runs a whole group, false if it runs one work-item.
    pub whole_groups: bool,
}

impl KernelLaunch {
    /// Total number of groups; `None` on overflow.
    #[must_use]
    pub fn total(&self) -> Option<u64> {
        self.groups[0].checked_mul(self.groups[1])?.checked_mul(self.groups[2])
    }

    /// The initial context of a hart.
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
            // One group per call also suits kernels that do not loop over groups.
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

/// The current group of a hart, from its context.
pub(crate) fn current_group(memory: &Memory, options: &Options, hart: u32) -> Option<[u64; 3]> {
    let at = match options.soc {
        Soc::M1 => {
            map::TCDM_HARTS + u64::from(hart) * (map::TCDM_HARTS_SIZE / u64::from(options.harts))
        }
        Soc::G1 => map::HART,
    };
    let layout = Layout::new(options.word_size(), Convention::Schedule);
    let word = usize::try_from(layout.word).ok()?;
    let mut ids = [0; 3];
    for (k, id) in (0u64..).zip(&mut ids) {
        let mut bytes = [0; 8];
        memory.read(hart, at + layout.group(k), &mut bytes[..word]).ok()?;
        *id = u64::from_le_bytes(bytes);
    }
    Some(ids)
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
