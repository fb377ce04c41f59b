//! Which variants of a case run. A variant is one way to compile the case: the device, optimised or
//! not, the number of lanes, and the specialization key. A plain test run leaves out some
//! variants, because all of them take ten minutes. `FILETESTS_FULL=1` runs all.
//!
//! Invariant: a plain run still has every number of lanes, scalar code with and without
//! optimisation, and the most special key, on the host and on the first RISC-V device. It always
//! leaves out the same variants, so that a failure can be repeated.

/// Which variants of a case run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Those of a plain test run.
    Usual,
    /// All.
    Full,
}

/// In a plain run, each case runs on the first RISC-V device and on this many of the others.
const OTHER_DEVICES: usize = 2;

impl Extent {
    /// All variants if the environment variable `FILETESTS_FULL` is set.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "a variable of a test, not of the driver")]
    pub fn chosen() -> Self {
        if std::env::var_os("FILETESTS_FULL").is_some() { Self::Full } else { Self::Usual }
    }

    /// The specialization keys that run with the lanes of number `n` in the list of lanes. In a
    /// plain run these are the last key, which is the most special, and one of the others, which
    /// changes with `n`.
    pub(crate) fn keys<T: Clone>(self, keys: &[T], n: usize) -> Vec<T> {
        match keys {
            [others @ .., last] if self == Self::Usual && !others.is_empty() => {
                vec![others[n % others.len()].clone(), last.clone()]
            }
            _ => keys.to_vec(),
        }
    }

    /// The specialization keys of scalar code. In a plain run this is only the last key, which is
    /// the most special.
    pub(crate) fn last<T>(self, keys: &[T]) -> &[T] {
        match self {
            Self::Usual => &keys[keys.len().saturating_sub(1)..],
            Self::Full => keys,
        }
    }

    /// True if the case runs on the RISC-V device of number `n` in a list of `count`. Every case
    /// runs on device 0. In a plain run, the case's name selects the other devices.
    #[must_use]
    pub fn runs_on(self, name: &str, n: usize, count: usize) -> bool {
        let others = count.saturating_sub(1);
        if self == Self::Full || n == 0 || others <= OTHER_DEVICES {
            return true;
        }
        let first = name.bytes().map(usize::from).sum::<usize>() % others;
        (n - 1 + others - first) % others < OTHER_DEVICES
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
