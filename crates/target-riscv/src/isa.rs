//! Instruction sets in the notation of HALs (`RV64GCV_Zba_Zbb`) and of LLVM (`+m,+a,...`).

/// The instruction set of a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Isa {
    /// 32 or 64.
    pub xlen: u32,
    /// Extensions in lower case, sorted, without the base.
    extensions: Vec<String>,
}

/// The reason to refuse the description of an instruction set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IsaError {
    /// It does not begin with `RV32` or `RV64`.
    #[error("'{0}' does not begin with RV32 or RV64")]
    Base(String),
    /// Code generation does not support this extension.
    #[error("'{0}' is no extension that this compiler supports")]
    Extension(String),
    /// A calling convention that uses registers the instruction set lacks, or an unknown one.
    #[error("the calling convention '{abi}' does not fit the instruction set '{isa}'")]
    Convention {
        /// By LLVM's name.
        abi: String,
        /// As the HAL names it.
        isa: String,
    },
}

/// Extensions LLVM has under the same name, in lower case.
const KNOWN: &[&str] = &[
    "m", "a", "f", "d", "c", "b", "v", "h", "zicsr", "zifencei", "zba", "zbb", "zbc", "zbs", "zfh",
    "zfhmin", "zfa", "zvfh", "zvfhmin", "zbkb", "zbkc", "zbkx", "zknd", "zkne", "zknh", "zksed",
    "zksh", "zkr", "zkt", "zk", "zkn", "zks", "zicond", "zve32x", "zve32f", "zve64x", "zve64f",
    "zve64d",
];

impl Isa {
    /// Parses the notation of HALs: letters stand alone, longer names follow underscores.
    ///
    /// # Errors
    /// The base or an extension is unknown.
    pub fn parse(text: &str) -> Result<Self, IsaError> {
        let lower = text.to_ascii_lowercase();
        let (xlen, rest) = match lower.get(..4) {
            Some("rv32") => (32, &lower[4..]),
            Some("rv64") => (64, &lower[4..]),
            _ => return Err(IsaError::Base(text.to_owned())),
        };
        let mut parts = rest.split('_');
        let letters = parts.next().unwrap_or_default();
        let mut extensions = Vec::new();
        for letter in letters.chars() {
            match letter {
                'i' => {}
                'g' => {
                    extensions.extend(["m", "a", "f", "d", "zicsr", "zifencei"].map(str::to_owned))
                }
                'e' => return Err(IsaError::Extension("E".into())),
                _ => extensions.push(letter.to_string()),
            }
        }
        extensions.extend(parts.filter(|p| !p.is_empty()).map(str::to_owned));
        if let Some(unknown) = extensions.iter().find(|e| !KNOWN.contains(&e.as_str())) {
            return Err(IsaError::Extension(unknown.clone()));
        }
        if extensions.iter().any(|e| e == "d") {
            extensions.push("f".into());
        }
        extensions.sort();
        extensions.dedup();
        Ok(Self { xlen, extensions })
    }

    /// True if the instruction set has this extension (lower case).
    #[must_use]
    pub fn has(&self, extension: &str) -> bool {
        self.extensions.iter().any(|e| e == extension)
    }

    /// The features for LLVM, with vector registers of `vlen` bits; 0 selects the minimum that the
    /// extensions guarantee.
    #[must_use]
    pub fn features(&self, vlen: u32) -> String {
        let mut list: Vec<String> = self.extensions.iter().map(|e| format!("+{e}")).collect();
        if self.has_vectors() && vlen >= 32 {
            list.push(format!("+zvl{}b", 1u32 << vlen.ilog2()));
        }
        list.join(",")
    }

    /// True if the instruction set has vector registers.
    #[must_use]
    pub fn has_vectors(&self) -> bool {
        self.extensions.iter().any(|e| e == "v" || e.starts_with("zve"))
    }

    /// True if code for this instruction set can use the calling convention, by LLVM's name.
    #[must_use]
    pub fn has_convention(&self, abi: &str) -> bool {
        match (self.xlen, abi) {
            (64, "lp64") | (32, "ilp32") => true,
            (64, "lp64f") | (32, "ilp32f") => self.has("f"),
            (64, "lp64d") | (32, "ilp32d") => self.has("d"),
            _ => false,
        }
    }

    /// The calling convention that uses all floating-point registers of the instruction set.
    #[must_use]
    pub fn default_abi(&self) -> &'static str {
        match (self.xlen, self.has("d"), self.has("f")) {
            (64, true, _) => "lp64d",
            (64, _, true) => "lp64f",
            (64, ..) => "lp64",
            (_, true, _) => "ilp32d",
            (_, _, true) => "ilp32f",
            _ => "ilp32",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_names_are_parsed_and_others_refused() {
        let isa = Isa::parse("RV64GCV_Zba_Zbb").unwrap();
        assert_eq!((isa.xlen, isa.default_abi()), (64, "lp64d"));
        assert_eq!(isa.features(512), "+a,+c,+d,+f,+m,+v,+zba,+zbb,+zicsr,+zifencei,+zvl512b");
        let small = Isa::parse("rv32imac").unwrap();
        assert_eq!((small.default_abi(), small.features(128).as_str()), ("ilp32", "+a,+c,+m"));
        assert!(Isa::parse("RV64IMD").unwrap().has("f"));
        for (isa, fits, misfits) in [
            ("RV64GC", &["lp64", "lp64f", "lp64d"][..], &["ilp32", "lp64q", "", "lp64e"][..]),
            ("RV64IMAFC", &["lp64", "lp64f"], &["lp64d"]),
            ("RV32IMAC", &["ilp32"], &["ilp32f", "ilp32d", "lp64"]),
        ] {
            let isa = Isa::parse(isa).unwrap();
            assert!(fits.iter().all(|abi| isa.has_convention(abi)), "{isa:?}");
            assert!(!misfits.iter().any(|abi| isa.has_convention(abi)), "{isa:?}");
        }
        for bad in ["", "x86", "RV65I", "RV64GCX", "RV64G_Zfoo", "RV32E", "rv6"] {
            assert!(Isa::parse(bad).is_err(), "{bad}");
        }
    }
}
