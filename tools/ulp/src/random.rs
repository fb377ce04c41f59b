//! Pseudo-random numbers, the same in every run.

/// A generator of pseudo-random numbers (xorshift, 64 bits of state).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator whose sequence depends on `name`.
    #[must_use]
    pub fn of(name: &str) -> Self {
        // FNV-1a, so that rows get different arguments.
        Self(
            name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            }) | 1,
        )
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A random number in `[from, to)`.
    pub fn between(&mut self, from: f64, to: f64) -> f64 {
        let fraction = (self.bits() >> 11) as f64 * 2f64.powi(-53);
        from + (to - from) * fraction
    }

    /// A random integer in `[from, to]`.
    pub fn whole(&mut self, from: i64, to: i64) -> i64 {
        let span = (to - from + 1) as u64;
        from + ((u128::from(self.bits()) * u128::from(span)) >> 64) as i64
    }
}
