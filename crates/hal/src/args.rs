//! Packs kernel arguments into one buffer. Each argument starts at a multiple of its size, rounded
//! up to a power of two. Addresses and the sizes of local arguments are device words. Invariant:
//! the layout is that of the HAL interface.

use crate::{Argument, HalError};

/// Packs arguments for a device of `word_size` bits (32 or 64).
///
/// # Errors
/// If the word size is invalid, or an address or size does not fit in 32 bits.
pub fn pack(args: &[Argument<'_>], word_size: u32) -> Result<Vec<u8>, HalError> {
    let size = match word_size {
        64 => 8,
        32 => 4,
        _ => return Err(HalError::Argument("a word size of 32 or 64 bits")),
    };
    let mut packed = Vec::with_capacity(args.len() * 16);
    for arg in args {
        let word;
        let bytes = match arg {
            Argument::Global { address: value, .. } | Argument::Local { size: value } => {
                if size == 4 && u32::try_from(*value).is_err() {
                    return Err(HalError::Argument("an address below 4 GiB"));
                }
                word = value.to_le_bytes();
                &word[..size]
            }
            Argument::Value(bytes) => bytes,
        };
        let alignment = bytes.len().max(1).next_power_of_two();
        packed.resize(packed.len().next_multiple_of(alignment), 0);
        packed.extend_from_slice(bytes);
    }
    Ok(packed)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARGS: [Argument<'static>; 5] = [
        Argument::Value(&[1]),
        Argument::Global { address: 0x1122_3344, size: 64 },
        Argument::Value(&[7; 12]),
        Argument::Local { size: 256 },
        Argument::Value(&[9, 9]),
    ];

    #[test]
    fn words_of_64_bits() {
        let packed = pack(&ARGS, 64).expect("it fits");
        let mut expected = vec![1, 0, 0, 0, 0, 0, 0, 0, 0x44, 0x33, 0x22, 0x11, 0, 0, 0, 0];
        expected.extend([7; 12]);
        expected.extend([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 9, 9]);
        assert_eq!(packed, expected);
    }

    #[test]
    fn words_of_32_bits() {
        let packed = pack(&ARGS, 32).expect("it fits");
        let mut expected = vec![1, 0, 0, 0, 0x44, 0x33, 0x22, 0x11, 0, 0, 0, 0, 0, 0, 0, 0];
        expected.extend([7; 12]);
        expected.extend([0, 1, 0, 0, 9, 9]);
        assert_eq!(packed, expected);
        assert!(pack(&[Argument::Global { address: 1 << 32, size: 1 }], 32).is_err());
        assert!(pack(&[Argument::Local { size: 1 }], 16).is_err());
    }
}
