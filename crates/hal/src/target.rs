//! Parses and formats RISC-V targets: `RV64GCV_Zba_Zbb` gives width, extension bits and calling
//! convention. Invariant: the text that [`Target`]'s `Display` writes parses to the same target.

use std::fmt;
use std::str::FromStr;

mod bits {
    #![expect(missing_docs, reason = "the names are the specification's")]

    bitflags::bitflags! {
        /// Extensions, with the bit values of the interface.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub struct Extensions: u64 {
            const M = 1 << 0;
            const A = 1 << 1;
            const F = 1 << 2;
            const D = 1 << 3;
            const Q = 1 << 5;
            const L = 1 << 6;
            const C = 1 << 7;
            const B = 1 << 8;
            const J = 1 << 9;
            const T = 1 << 10;
            const P = 1 << 11;
            const V = 1 << 12;
            const N = 1 << 13;
            const H = 1 << 14;
            const E = 1 << 15;
            const ZBA = 1 << 16;
            const ZBB = 1 << 17;
            const ZBC = 1 << 18;
            const ZBS = 1 << 19;
            const ZFH = 1 << 20;
            const ZBKB = 1 << 21;
            const ZBKC = 1 << 22;
            const ZBKX = 1 << 23;
            const ZKND = 1 << 24;
            const ZKNE = 1 << 25;
            const ZKNH = 1 << 26;
            const ZKSED = 1 << 27;
            const ZKSH = 1 << 28;
            const ZKR = 1 << 29;
            const ZKT = 1 << 30;
            // muxcl's own; the interface of version 6 ends with the bit before.
            const ZVFH = 1 << 31;
            const G = Self::M.bits() | Self::A.bits() | Self::F.bits() | Self::D.bits();
            const ZKN = Self::ZBKB.bits() | Self::ZBKC.bits() | Self::ZBKX.bits() |
                Self::ZKND.bits() | Self::ZKNE.bits() | Self::ZKNH.bits();
            const ZKS = Self::ZBKB.bits() | Self::ZBKC.bits() | Self::ZBKX.bits() |
                Self::ZKSED.bits() | Self::ZKSH.bits();
            const ZK = Self::ZKN.bits() | Self::ZKR.bits() | Self::ZKT.bits();
        }
    }
}

pub use bits::Extensions;

/// Single-letter extensions in canonical order.
const LETTERS: [(char, Extensions); 16] = [
    ('E', Extensions::E),
    ('G', Extensions::G),
    ('M', Extensions::M),
    ('A', Extensions::A),
    ('F', Extensions::F),
    ('D', Extensions::D),
    ('Q', Extensions::Q),
    ('L', Extensions::L),
    ('C', Extensions::C),
    ('B', Extensions::B),
    ('J', Extensions::J),
    ('T', Extensions::T),
    ('P', Extensions::P),
    ('V', Extensions::V),
    ('N', Extensions::N),
    ('H', Extensions::H),
];

/// Multi-letter extensions, combined ones first.
const NAMES: [(&str, Extensions); 19] = [
    ("Zk", Extensions::ZK),
    ("Zkn", Extensions::ZKN),
    ("Zks", Extensions::ZKS),
    ("Zba", Extensions::ZBA),
    ("Zbb", Extensions::ZBB),
    ("Zbc", Extensions::ZBC),
    ("Zbs", Extensions::ZBS),
    ("Zfh", Extensions::ZFH),
    ("Zbkb", Extensions::ZBKB),
    ("Zbkc", Extensions::ZBKC),
    ("Zbkx", Extensions::ZBKX),
    ("Zknd", Extensions::ZKND),
    ("Zkne", Extensions::ZKNE),
    ("Zknh", Extensions::ZKNH),
    ("Zksed", Extensions::ZKSED),
    ("Zksh", Extensions::ZKSH),
    ("Zkr", Extensions::ZKR),
    ("Zkt", Extensions::ZKT),
    ("Zvfh", Extensions::ZVFH),
];

/// Calling conventions, with the numbers of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
#[expect(missing_docs, reason = "the names are the specification's")]
pub enum Abi {
    Ilp32,
    Ilp32F,
    Ilp32D,
    Ilp32E,
    Lp64,
    Lp64F,
    Lp64D,
    Lp64Q,
}

impl Abi {
    const ALL: [Self; 8] = [
        Self::Ilp32,
        Self::Ilp32F,
        Self::Ilp32D,
        Self::Ilp32E,
        Self::Lp64,
        Self::Lp64F,
        Self::Lp64D,
        Self::Lp64Q,
    ];

    /// Converts the interface's number.
    #[must_use]
    pub fn from_raw(raw: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|abi| *abi as u32 == raw)
    }

    /// Name of the convention as compilers spell it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ilp32 => "ilp32",
            Self::Ilp32F => "ilp32f",
            Self::Ilp32D => "ilp32d",
            Self::Ilp32E => "ilp32e",
            Self::Lp64 => "lp64",
            Self::Lp64F => "lp64f",
            Self::Lp64D => "lp64d",
            Self::Lp64Q => "lp64q",
        }
    }
}

/// Reason why a text is not a target.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// The text does not begin with `RV32` or `RV64` and a base.
    #[error("`{0}` does not begin with RV32 or RV64")]
    Base(String),
    /// An unknown extension.
    #[error("`{0}` is no known extension of RISC-V")]
    Extension(String),
}

/// The instruction set of a RISC-V device. [`str::parse`] reads the notation `RV64GCV_Zba`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// Width of a register in bits: 32 or 64.
    pub xlen: u32,
    /// Extensions to the base instruction set.
    pub extensions: Extensions,
}

impl Target {
    /// The calling convention that uses all floating-point registers of the target.
    #[must_use]
    pub const fn abi(self) -> Abi {
        let e = self.extensions;
        match self.xlen {
            32 if e.contains(Extensions::E) => Abi::Ilp32E,
            32 if e.contains(Extensions::D) => Abi::Ilp32D,
            32 if e.contains(Extensions::F) => Abi::Ilp32F,
            32 => Abi::Ilp32,
            _ if e.contains(Extensions::Q) => Abi::Lp64Q,
            _ if e.contains(Extensions::D) => Abi::Lp64D,
            _ if e.contains(Extensions::F) => Abi::Lp64F,
            _ => Abi::Lp64,
        }
    }
}

impl FromStr for Target {
    type Err = TargetError;

    fn from_str(text: &str) -> Result<Self, TargetError> {
        let base = || TargetError::Base(text.to_owned());
        let upper = text.to_ascii_uppercase();
        let (xlen, rest) = match (upper.strip_prefix("RV32"), upper.strip_prefix("RV64")) {
            (Some(rest), _) => (32, rest),
            (_, Some(rest)) => (64, rest),
            _ => return Err(base()),
        };
        let mut extensions = Extensions::empty();
        let mut parts = rest.split('_');
        let letters = parts.next().unwrap_or_default();
        // A multi-letter name may follow the letters without an underscore.
        let (letters, first) = letters.find('Z').map_or((letters, ""), |at| letters.split_at(at));
        if !letters.starts_with(['I', 'G', 'E']) {
            return Err(base());
        }
        for letter in letters.chars().filter(|l| *l != 'I') {
            let known = LETTERS.iter().find(|(l, _)| *l == letter);
            extensions |= known.ok_or_else(|| TargetError::Extension(letter.to_string()))?.1;
        }
        for name in std::iter::once(first).filter(|n| !n.is_empty()).chain(parts) {
            let long = NAMES.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, e)| *e);
            let short = || {
                LETTERS
                    .iter()
                    .find(|(l, _)| name.len() == 1 && name.starts_with(*l))
                    .map(|(_, e)| *e)
            };
            extensions |=
                long.or_else(short).ok_or_else(|| TargetError::Extension(name.to_owned()))?;
        }
        // Double precision implies single precision, and quad implies double.
        if extensions.contains(Extensions::Q) {
            extensions |= Extensions::D;
        }
        if extensions.contains(Extensions::D) {
            extensions |= Extensions::F;
        }
        Ok(Self { xlen, extensions })
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RV{}", self.xlen)?;
        let mut left = self.extensions;
        if !left.intersects(Extensions::E) && !left.contains(Extensions::G) {
            f.write_str("I")?;
        }
        for (letter, set) in LETTERS {
            if left.contains(set) {
                write!(f, "{letter}")?;
                left.remove(set);
            }
        }
        for (name, set) in NAMES {
            // If all members of a combined set are present, its name stands for them: the name
            // parses to the same bits.
            if !left.is_empty() && left.contains(set) {
                write!(f, "_{name}")?;
                left.remove(set);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Target {
        text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    #[test]
    fn targets_are_read() {
        let t = parse("RV64GCV_Zba_Zbb");
        assert_eq!(t.xlen, 64);
        assert_eq!(
            t.extensions,
            Extensions::G | Extensions::C | Extensions::V | Extensions::ZBA | Extensions::ZBB
        );
        assert_eq!(
            (t.abi(), parse("rv32imac").abi(), parse("RV32EM").abi()),
            (Abi::Lp64D, Abi::Ilp32, Abi::Ilp32E)
        );
        assert_eq!(
            parse("RV64GCVZbc").extensions,
            Extensions::G | Extensions::C | Extensions::V | Extensions::ZBC
        );
        assert_eq!(parse("RV32ID").extensions, Extensions::D | Extensions::F);
        assert_eq!(parse("RV64I_M_Zk").extensions, Extensions::M | Extensions::ZK);
        assert_eq!(Extensions::ZKT.bits(), 1 << 30);
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "RV", "RV16I", "RV64", "RV64M", "RV64GX", "RV64G_Zxyz", "RV64G_", "x86"] {
            assert!(text.parse::<Target>().is_err(), "{text}");
        }
    }

    #[test]
    fn writing_and_reading_back_is_nothing() {
        let mut random = fastrand::Rng::with_seed(1);
        for k in 0..2000 {
            let mut extensions = Extensions::from_bits_truncate(random.u64(..));
            if extensions.contains(Extensions::Q) {
                extensions |= Extensions::D;
            }
            if extensions.contains(Extensions::D) {
                extensions |= Extensions::F;
            }
            let target = Target { xlen: if k % 2 == 0 { 32 } else { 64 }, extensions };
            assert_eq!(parse(&target.to_string()), target, "{target}");
        }
    }

    #[test]
    fn any_text_is_understood_or_refused() {
        let pieces = [
            "RV32", "rv64", "I", "G", "e", "_", "Z", "Zba", "_Zkn", "C", "v", "Q", "D", "é", "1p0",
            "", "x",
        ];
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..random.u32(1..=8) {
                text.push_str(pieces[random.usize(..pieces.len())]);
            }
            if let Ok(target) = text.parse::<Target>() {
                assert_eq!(target.to_string().parse(), Ok(target), "{text}");
            }
        }
    }
}
