//! Pseudo-random numbers, the same in every run.

/// The random arguments of one function.
#[derive(Clone, Debug)]
pub struct Random(fastrand::Rng);

impl Random {
    /// The generator of one function and type, seeded by `name`.
    #[must_use]
    pub fn of(name: &str) -> Self {
        // FNV-1a, so that rows do not share their arguments.
        let seed = name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self(fastrand::Rng::with_seed(seed))
    }

    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.u64(..)
    }

    /// A number in `[from, to)`.
    pub fn between(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * self.0.f64()
    }

    /// A whole number in `[from, to]`.
    pub fn whole(&mut self, from: i64, to: i64) -> i64 {
        self.0.i64(from..=to)
    }
}
