//! Reads test files (header, source, golden output) and rewrites their golden output.

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The keys of the header. Unknown keys are errors.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Pass name, or `run`.
    pub test: String,
    /// Functions to print.
    #[serde(default)]
    pub functions: Vec<String>,
    /// Build options.
    #[serde(default)]
    pub options: String,
    /// Kernel to specialise (default: the only one).
    pub kernel: Option<String>,
    /// The RISC-V instruction set to compile for, instead of x86-64; pass cases only.
    pub isa: Option<String>,
    /// The length of the RISC-V device's vector registers in bits; default: not known.
    #[serde(default)]
    pub vlen: u32,
    /// The x86-64 processor to compile for, by LLVM's name; default `x86-64-v3`. Pass cases only.
    pub cpu: Option<String>,
    /// Work-items in a vector, wherever `vecz` can; default none. Pass cases only.
    pub lanes: Option<u32>,
    /// True if the last work-items, which are too few to fill a vector, run in a vector under a
    /// mask. Pass cases on the host only.
    #[serde(default)]
    pub masked_rest: bool,
    /// True if the cost model chooses the loops that get lanes, and the number of lanes. The kernel
    /// is then compiled for launches whose global size is a multiple of the local size. Pass cases
    /// only.
    #[serde(default)]
    pub cost_model: bool,
    /// Requirements of the context: `zero-private`, `stoppable`; pass cases only.
    #[serde(default)]
    pub requirements: Vec<String>,
    /// Global size.
    #[serde(default)]
    pub global: Vec<u64>,
    /// Local size.
    #[serde(default)]
    pub local: Vec<u32>,
    /// The local size that the kernel sees, if `local` is that of joined groups; pass cases only.
    #[serde(default)]
    pub seen: Vec<u32>,
    /// True if every group has the full local size, as with `-cl-uniform-work-group-size`; pass
    /// cases only.
    #[serde(default)]
    pub uniform: bool,
    /// Global offset.
    #[serde(default)]
    pub offset: Vec<u64>,
    /// Bytes of the local argument.
    #[serde(default)]
    pub local_bytes: u64,
    /// The words of the packed arguments (image formats, samplers) for which the kernel is
    /// compiled: their offsets in bytes and their values. Pass cases only.
    #[serde(default)]
    pub words: Vec<(u32, u32)>,
    /// The test must fail, with a message that contains this text.
    pub error: Option<String>,
}

/// A test file.
#[derive(Debug, Clone)]
pub struct Case {
    /// Its path.
    pub path: PathBuf,
    /// Its header.
    pub header: Header,
    /// The text between header and golden output.
    pub source: String,
    /// The golden output.
    pub expected: String,
    comment: &'static str,
}

const MARK: &str = "---- expected ----";

impl Case {
    /// A case of OpenCL C without a file.
    #[must_use]
    pub fn of_source(header: Header, source: String) -> Self {
        Self { path: PathBuf::new(), header, source, expected: String::new(), comment: "//" }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// The file cannot be read, or its header is wrong.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path)?;
        let comment = if path.extension().is_some_and(|e| e == "ll") { ";" } else { "//" };
        let bang = format!("{comment}!");
        let header: String =
            text.lines().map_while(|l| l.strip_prefix(&bang)).flat_map(|l| [l, "\n"]).collect();
        let header: Header =
            toml::from_str(&header).with_context(|| format!("header of {}", path.display()))?;
        let mark = format!("{comment}{MARK}");
        let (source, golden) = text.split_once(&mark).unwrap_or((&text, ""));
        let expected = golden
            .lines()
            .skip(1)
            .map(|l| l.strip_prefix(comment).map_or(l, |l| l.strip_prefix(' ').unwrap_or(l)))
            .flat_map(|l| [l.trim_end(), "\n"])
            .collect();
        Ok(Self { path: path.to_owned(), header, source: source.to_owned(), expected, comment })
    }

    /// True if the source is LLVM IR, false if it is OpenCL C.
    pub fn is_ir(&self) -> bool {
        self.comment == ";"
    }

    /// Compares `output` with the golden output, or rewrites the golden output if `bless`.
    ///
    /// # Errors
    /// The output differs.
    pub fn check(&self, output: &str, bless: bool) -> Result<()> {
        let clean: String = output.lines().flat_map(|l| [l.trim_end(), "\n"]).collect();
        if clean == self.expected {
            return Ok(());
        }
        if bless {
            let golden: String = clean
                .lines()
                .map(|l| format!("{} {l}", self.comment).trim_end().to_owned() + "\n")
                .collect();
            let text = format!("{}{}{MARK}\n{golden}", self.source, self.comment);
            std::fs::write(&self.path, text)?;
            return Ok(());
        }
        let first = clean.lines().zip(self.expected.lines()).position(|(a, b)| a != b);
        bail!(
            "output differs from the golden one (first at line {}); BLESS=1 rewrites it\n---- output\n{clean}",
            first.map_or(clean.lines().count().min(self.expected.lines().count()), |n| n) + 1
        )
    }
}
