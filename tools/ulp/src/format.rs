//! The three floating-point formats, and conversion between numbers and bits.

/// A format of OpenCL C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `half`.
    Half,
    /// `float`.
    Float,
    /// `double`.
    Double,
}

impl Format {
    /// The formats, in the order of the tables.
    pub const ALL: [Self; 3] = [Self::Float, Self::Double, Self::Half];

    /// The type's name in OpenCL C.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Half => "half",
            Self::Float => "float",
            Self::Double => "double",
        }
    }

    /// Size of a number in bytes.
    #[must_use]
    pub fn bytes(self) -> usize {
        match self {
            Self::Half => 2,
            Self::Float => 4,
            Self::Double => 8,
        }
    }

    /// Number of digits of the significand, with the leading one.
    #[must_use]
    pub fn digits(self) -> i32 {
        match self {
            Self::Half => 11,
            Self::Float => 24,
            Self::Double => 53,
        }
    }

    /// The exponent of the largest number.
    #[must_use]
    pub fn emax(self) -> i32 {
        match self {
            Self::Half => 15,
            Self::Float => 127,
            Self::Double => 1023,
        }
    }

    /// The exponent of the smallest normal number.
    #[must_use]
    pub fn emin(self) -> i32 {
        1 - self.emax()
    }

    /// The sign bit.
    #[must_use]
    pub fn sign(self) -> u64 {
        1 << (8 * self.bytes() - 1)
    }

    /// The bits of positive infinity.
    #[must_use]
    pub fn infinity(self) -> u64 {
        (self.sign() - 1) & !(self.unit() - 1)
    }

    /// The bits of the smallest normal number, which are also one step of the exponent.
    #[must_use]
    pub fn unit(self) -> u64 {
        1 << (self.digits() - 1)
    }

    /// The number with these bits.
    #[must_use]
    pub fn value(self, bits: u64) -> f64 {
        match self {
            Self::Half => half::f16::from_bits(bits as u16).to_f64(),
            Self::Float => f64::from(f32::from_bits(bits as u32)),
            Self::Double => f64::from_bits(bits),
        }
    }

    /// The bits of the number nearest to `value`.
    #[must_use]
    pub fn bits(self, value: f64) -> u64 {
        match self {
            Self::Half => u64::from(half::f16::from_f64(value).to_bits()),
            Self::Float => u64::from((value as f32).to_bits()),
            Self::Double => value.to_bits(),
        }
    }

    /// True if `value` is subnormal and not zero.
    #[must_use]
    pub fn subnormal(self, value: f64) -> bool {
        let bits = self.bits(value) & !self.sign();
        bits != 0 && bits < self.unit()
    }

    /// Appends the bytes of a number, as devices read them.
    #[must_use]
    pub fn pack(self, all: &[u64]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(all.len() * self.bytes());
        for bits in all {
            bytes.extend_from_slice(&bits.to_le_bytes()[..self.bytes()]);
        }
        bytes
    }

    /// The bits of number `at` in `bytes`.
    #[must_use]
    pub fn unpack(self, bytes: &[u8], at: usize) -> u64 {
        let mut word = [0; 8];
        word[..self.bytes()].copy_from_slice(&bytes[at * self.bytes()..(at + 1) * self.bytes()]);
        u64::from_le_bytes(word)
    }
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[test]
    fn bits_and_values_agree() {
        for format in Format::ALL {
            for bits in
                [0, 1, format.unit() - 1, format.unit(), format.infinity() - 1, format.infinity()]
            {
                assert_eq!(format.bits(format.value(bits)), bits);
                assert_eq!(format.bits(format.value(bits | format.sign())), bits | format.sign());
                assert_eq!(format.unpack(&format.pack(&[7, bits]), 1), bits);
            }
            assert_eq!(format.value(format.infinity()), f64::INFINITY);
            assert!(format.value(format.infinity() - 1) < 2f64.powi(format.emax()) * 2.0);
            assert_eq!(format.value(format.unit()), 2f64.powi(format.emin()));
            assert!(
                format.subnormal(format.value(1)) && !format.subnormal(format.value(format.unit()))
            );
        }
    }
}
