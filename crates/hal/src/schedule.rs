//! Builds the scheduling argument of a kernel: the bytes of `hal_sched_info_32_t` or
//! `hal_sched_info_64_t` for the device. Invariant: the layouts are those of the HAL specification,
//! and tests check them. Not here: distribution of work-groups to harts.

use crate::{HalError, NdRange};

/// One call of a kernel: a box of work-groups, and the NDRange that contains it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    /// Index of the first work-group.
    pub first: [u64; 3],
    /// Number of work-groups of this call; at least one in every dimension.
    pub groups: [u64; 3],
    /// Number of work-groups of the whole NDRange.
    pub total: [u64; 3],
    /// Global offset in work-items.
    pub offset: [u64; 3],
    /// Local size in work-items.
    pub local: [u32; 3],
    /// Number of dimensions, 1 to 3.
    pub dimensions: u32,
    /// Value that the HAL passes to the kernel.
    pub extra: u64,
}

impl Schedule {
    /// All work-groups of an NDRange in one call. A partial last group counts as one.
    ///
    /// # Errors
    /// If a size is zero or too large, or the number of dimensions is not 1 to 3.
    pub fn whole(range: &NdRange, dimensions: u32) -> Result<Self, HalError> {
        if !(1..=3).contains(&dimensions) {
            return Err(HalError::Argument("one to three dimensions"));
        }
        if range.global.iter().chain(&range.local).any(|n| *n == 0 || *n > u64::from(u32::MAX)) {
            return Err(HalError::Argument("sizes from 1 to 4294967295"));
        }
        let groups = [0, 1, 2].map(|d| range.global[d].div_ceil(range.local[d]));
        let local = range.local.map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        Ok(Self {
            first: [0; 3],
            groups,
            total: groups,
            offset: range.offset,
            local,
            dimensions,
            extra: 0,
        })
    }

    /// Number of work-items in a work-group.
    #[must_use]
    pub fn group_size(&self) -> u64 {
        self.local.iter().fold(1, |size, n| size.saturating_mul(u64::from(*n)))
    }

    /// The bytes of the structure for a device of `word_size` bits (32 or 64).
    ///
    /// # Errors
    /// If the word size is invalid, or a value does not fit in 32 bits.
    pub fn bytes(&self, word_size: u32) -> Result<Vec<u8>, HalError> {
        let word = |value: u64| match word_size {
            64 => Ok(value.to_le_bytes().to_vec()),
            32 => u32::try_from(value)
                .map(|v| v.to_le_bytes().to_vec())
                .map_err(|_| HalError::Argument("a range within 32 bits")),
            _ => Err(HalError::Argument("a word size of 32 or 64 bits")),
        };
        let mut bytes = Vec::with_capacity(120);
        for value in self.first.iter().chain(&self.total).chain(&self.offset) {
            bytes.extend(word(*value)?);
        }
        for value in self.local.iter().chain(&[self.dimensions]) {
            bytes.extend(value.to_le_bytes());
        }
        for value in self.groups.iter().chain(&[self.extra]) {
            bytes.extend(word(*value)?);
        }
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_the_specifications() {
        let range = NdRange { offset: [5, 6, 7], global: [10, 8, 1], local: [4, 8, 1] };
        let s = Schedule { extra: 0x1234, ..Schedule::whole(&range, 2).expect("a range") };
        assert_eq!((s.total, s.group_size()), ([3, 1, 1], 32));
        let wide = s.bytes(64).expect("it fits");
        let word = |at: usize| u64::from_le_bytes(wide[at..at + 8].try_into().expect("eight"));
        assert_eq!((wide.len(), word(24), word(48), wide[72], wide[84]), (120, 3, 5, 4, 2));
        assert_eq!((word(88), word(112)), (3, 0x1234));
        let narrow = s.bytes(32).expect("it fits");
        assert_eq!(
            (narrow.len(), narrow[12], narrow[24], narrow[36], narrow[48], narrow[52]),
            (68, 3, 5, 4, 2, 3)
        );
        assert_eq!(narrow[64..], 0x1234u32.to_le_bytes());
        assert!(s.bytes(16).is_err() && Schedule { extra: 1 << 32, ..s }.bytes(32).is_err());
        assert!(Schedule::whole(&range, 4).is_err());
        assert!(Schedule::whole(&NdRange { local: [0, 1, 1], ..range }, 1).is_err());
    }
}
