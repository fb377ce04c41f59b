//! How many of a case's variants run: a plain test run leaves some out, `FILETESTS_FULL=1` none.
//!
//! Invariant: a plain run compiles every case as scalar code, without optimisation, and with each
//! number of lanes, on the host and on RISC-V. It leaves out combinations of these with
//! specialization keys and instruction sets; which ones depends on the case's name only.

/// The set of variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// The variants of a plain test run.
    Usual,
    /// Every combination.
    Full,
}

/// Devices of [`crate::riscv::DEVICES`] besides the first one on which a case usually runs.
const DEVICES: usize = 2;

impl Extent {
    /// The set that the environment selects.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "a variable of a test, not of the driver")]
    pub fn chosen() -> Self {
        if std::env::var_os("FILETESTS_FULL").is_some() { Self::Full } else { Self::Usual }
    }

    /// The keys to combine with choice number `n` of another property: usually the last one, which
    /// is the most special, and one of the others.
    pub(crate) fn keys<T: Clone>(self, keys: &[T], n: usize) -> Vec<T> {
        match keys {
            [others @ .., last] if self == Self::Usual && !others.is_empty() => {
                vec![others[n % others.len()].clone(), last.clone()]
            }
            _ => keys.to_vec(),
        }
    }

    /// The last key, or all.
    pub(crate) fn last<T>(self, keys: &[T]) -> &[T] {
        match self {
            Self::Usual => &keys[keys.len().saturating_sub(1)..],
            Self::Full => keys,
        }
    }

    /// True if the case of this name runs on device number `n`, of `count` devices. The first one
    /// runs every case.
    #[must_use]
    pub fn runs_on(self, name: &str, n: usize, count: usize) -> bool {
        let others = count.saturating_sub(1);
        if self == Self::Full || n == 0 || others <= DEVICES {
            return true;
        }
        let first = name.bytes().map(usize::from).sum::<usize>() % others;
        (n - 1 + others - first) % others < DEVICES
    }
}

#[cfg(test)]
mod tests {
    use super::Extent::{Full, Usual};

    #[test]
    fn every_case_runs_on_the_first_device_and_two_more() {
        for name in ["a", "b", "run/c.cl", "d", "e"] {
            let devices: Vec<_> = (0..6).filter(|n| Usual.runs_on(name, *n, 6)).collect();
            assert_eq!((devices.len(), devices[0]), (3, 0), "{name}");
            assert!((0..6).all(|n| Full.runs_on(name, n, 6)));
        }
        let names = ["a", "b", "c", "d", "e"];
        assert!((0..6).all(|n| names.iter().any(|name| Usual.runs_on(name, n, 6))));
    }

    #[test]
    fn the_most_special_key_always_runs() {
        let keys = ["any", "local", "offset", "uniform"];
        assert_eq!(Usual.keys(&keys, 0), ["any", "uniform"]);
        assert_eq!(Usual.keys(&keys, 4), ["local", "uniform"]);
        assert_eq!(Usual.keys(&keys[..1], 1), ["any"]);
        assert_eq!(Usual.last(&keys), ["uniform"]);
        assert_eq!(Full.keys(&keys, 1), keys);
        assert_eq!(Full.last(&keys), keys);
    }
}
