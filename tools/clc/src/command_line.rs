//! The command line of `clc`. Build options of the API keep the form that they have in
//! `clBuildProgram`, so they are set aside before clap parses the rest.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Parser, ValueEnum};
use muxcl_types::options::{preprocessor, work_size};

/// What `clc` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Emit {
    /// A program binary, for clCreateProgramWithBinary.
    Binary,
    /// The machine code of a program binary: an object on the host, an image on a HAL device.
    Elf,
    /// The machine code as assembly.
    Asm,
    /// The program's LLVM IR as text, before kernels are compiled for a launch.
    Llvm,
    /// The same as bitcode.
    Bitcode,
    /// The kernels' LLVM IR as it reaches code generation.
    KernelLlvm,
}

impl Emit {
    /// The ending of a file of this kind.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Binary => "bin",
            Self::Elf => "elf",
            Self::Asm => "s",
            Self::Llvm | Self::KernelLlvm => "ll",
            Self::Bitcode => "bc",
        }
    }

    /// True for what a terminal can show.
    #[must_use]
    pub fn is_text(self) -> bool {
        matches!(self, Self::Asm | Self::Llvm | Self::KernelLlvm)
    }
}

/// When diagnostics have colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Color {
    /// If standard error is a terminal.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The words of a command line that clap parses.
#[derive(Debug, Parser)]
#[command(
    name = "clc",
    about = "The offline compiler of muxcl: OpenCL C or SPIR-V to program binaries, ELF, assembly \
             or LLVM IR",
    after_help = "Build options of clBuildProgram are passed on as they are: -D NAME[=VALUE], \
                  -U NAME, -I FOLDER, -w, -Werror, -g, -cl-std=CL3.0 and all other -cl-... \
                  options, -create-library, -enable-link-options.\n\n\
                  Status: 0 if the output is written, 1 if the program is wrong, 2 for other \
                  errors.\n\n\
                  Examples:\n  \
                  clc kernel.cl -o kernel.bin        a program binary for this machine\n  \
                  clc -d refsi-m1 -S kernel.cl -o -  assembly for a RefSi M1\n  \
                  clc --cpu x86-64-v4 a.cl b.cl      two sources, linked, for any AVX-512 CPU"
)]
pub struct Cli {
    /// OpenCL C, SPIR-V, or objects and libraries that `clc -c` wrote; `-` is standard input.
    /// Several inputs are linked.
    #[arg(required_unless_present = "list_devices")]
    pub inputs: Vec<PathBuf>,
    /// The output file, `-` for standard output. Default: the first input's name with the ending of
    /// the output's kind, in the current folder.
    #[arg(short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// What to write.
    #[arg(long, value_enum, default_value_t = Emit::Binary)]
    pub emit: Emit,
    /// The same as --emit=asm.
    #[arg(short = 'S', conflicts_with = "emit")]
    pub assembly: bool,
    /// Compile only, as clCompileProgram does: an object for each input, to be linked later.
    #[arg(short = 'c', conflicts_with = "strip_binary_header")]
    pub compile_only: bool,
    /// Only the ELF of a program binary, without the header (the same as --emit=elf).
    #[arg(long, conflicts_with = "emit")]
    pub strip_binary_header: bool,
    /// The device: a name of --list-devices. The device need not be on this machine.
    #[arg(short, long, value_name = "NAME", default_value = "host")]
    pub device: String,
    /// List the devices.
    #[arg(long, conflicts_with_all = ["inputs", "cpu", "isa", "vlen"])]
    pub list_devices: bool,
    /// A HAL library, by path or by name (`refsi` is libhal_refsi.so), whose devices can be chosen,
    /// too.
    #[arg(long, value_name = "LIBRARY")]
    pub hal: Option<String>,
    /// A processor by LLVM's name, such as x86-64-v3 or znver4, instead of this machine's.
    #[arg(long, value_name = "NAME")]
    pub cpu: Option<String>,
    /// Features in addition to the processor's, such as `+avx512fp16,-avx512vp2intersect`.
    #[arg(long, value_name = "LIST", requires = "cpu", allow_hyphen_values = true)]
    pub features: Option<String>,
    /// The instruction set of a RefSi device, such as RV64GCV_Zba, instead of its standard one.
    #[arg(long, value_name = "ISA")]
    pub isa: Option<String>,
    /// The bits of a vector register of a RefSi device.
    #[arg(long, value_name = "BITS")]
    pub vlen: Option<u32>,
    /// Only this kernel (elf, asm, kernel-llvm).
    #[arg(long, value_name = "NAME")]
    pub kernel: Option<String>,
    /// The local size for which the kernel is compiled, such as 64 or 16,16; default: any.
    #[arg(long, value_name = "SIZE", requires = "kernel", value_parser = work_size)]
    pub local: Option<[u32; 3]>,
    /// Build options as one text, before those on the command line.
    #[arg(long, value_name = "TEXT", default_value = "", allow_hyphen_values = true)]
    pub options: String,
    /// Write the files that the output depends on as a rule of a makefile, beside the output
    /// (also -MD and -MMD).
    #[arg(long)]
    pub write_dependencies: bool,
    /// Write that rule to this file (also -MF FILE).
    #[arg(long, value_name = "FILE")]
    pub dependency_file: Option<PathBuf>,
    /// The rule's target, if it is not the output (also -MT NAME).
    #[arg(long, value_name = "NAME")]
    pub dependency_target: Option<String>,
    /// Colours in diagnostics.
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub color: Color,
}

/// A parsed command line.
#[derive(Debug)]
pub struct Settings {
    /// What clap parsed.
    pub cli: Cli,
    /// Words of build options.
    pub options: Vec<String>,
}

/// Build options of one word that do not begin with `-cl-`.
const SINGLE: [&str; 6] =
    ["-w", "-Werror", "-g", "-gline-tables-only", "-create-library", "-enable-link-options"];

/// Separates the words of build options from the others, and replaces clang's names of options by
/// ours. The first word is the program's name.
#[must_use]
pub fn split(words: impl IntoIterator<Item = String>) -> (Vec<String>, Vec<String>) {
    let (mut ours, mut options) = (Vec::new(), Vec::new());
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        if word == "--options" {
            // Its value looks like a build option.
            ours.push(word);
            ours.extend(words.next());
        } else if word.starts_with("-cl-") || SINGLE.contains(&word.as_str()) {
            options.push(word);
        } else if let Some((_, value)) = preprocessor(&word) {
            let next = if value.is_empty() { words.next() } else { None };
            options.push(word);
            options.extend(next);
        } else {
            ours.push(match word.as_str() {
                "-MD" | "-MMD" => "--write-dependencies".to_owned(),
                "-MF" => "--dependency-file".to_owned(),
                "-MT" => "--dependency-target".to_owned(),
                _ => word,
            });
        }
    }
    (ours, options)
}

impl Settings {
    /// Parses a command line. The first word is the program's name.
    ///
    /// # Errors
    /// clap's, also for `--help`; a word that is not UTF-8.
    pub fn parse(
        words: impl IntoIterator<Item = impl Into<OsString>>,
    ) -> Result<Self, clap::Error> {
        let utf8 = |word: OsString| {
            word.into_string().map_err(|word| {
                let text = format!("`{}` is not UTF-8\n", word.display());
                clap::Error::raw(ErrorKind::InvalidUtf8, text)
            })
        };
        let words: Vec<String> =
            words.into_iter().map(Into::into).map(utf8).collect::<Result<_, _>>()?;
        let (ours, options) = split(words);
        let mut cli = Cli::try_parse_from(ours)?;
        if cli.assembly {
            cli.emit = Emit::Asm;
        }
        if cli.strip_binary_header {
            cli.emit = Emit::Elf;
        }
        let mut all = muxcl_types::options::words(&cli.options).ok_or_else(|| {
            let text = "--options has a quote without an end\n";
            clap::Error::raw(ErrorKind::ValueValidation, text)
        })?;
        all.extend(options);
        Ok(Self { cli, options: all })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn build_options_are_set_aside_in_their_order() {
        let line = "clc -DN=3 -c -I folder a.cl -cl-std=CL3.0 -w -D M -o -DX.bin -U N";
        let (ours, options) = split(words(line));
        assert_eq!(ours, words("clc -c a.cl -o"));
        assert_eq!(options, words("-DN=3 -I folder -cl-std=CL3.0 -w -D M -DX.bin -U N"));
        let (ours, _) = split(words("clc -MD -MF deps a.cl"));
        assert_eq!(ours, words("clc --write-dependencies --dependency-file deps a.cl"));
    }

    #[test]
    fn words_that_are_not_utf8_are_an_error() {
        use std::os::unix::ffi::OsStringExt as _;
        let word = OsString::from_vec(b"a\xff.cl".to_vec());
        let error = Settings::parse([OsString::from("clc"), word]).unwrap_err();
        assert!(error.to_string().contains("is not UTF-8"), "{error}");
    }

    #[test]
    fn a_text_of_options_comes_first() {
        let line = ["clc", "a.cl", "-DB", "--options", "-DA='b c' -w"];
        let settings = Settings::parse(line).unwrap();
        assert_eq!(settings.options, ["-DA=b c", "-w", "-DB"]);
        let wrong = ["clc", "a.cl", "--options", "'"];
        assert!(Settings::parse(wrong).unwrap_err().to_string().contains("quote"));
    }

    #[test]
    fn short_forms_choose_the_output() {
        let emit = |line: &str| Settings::parse(words(line)).unwrap().cli.emit;
        assert_eq!(emit("clc a.cl"), Emit::Binary);
        assert_eq!(emit("clc -S a.cl"), Emit::Asm);
        assert_eq!(emit("clc --strip-binary-header a.cl"), Emit::Elf);
        assert_eq!(emit("clc --emit=kernel-llvm a.cl"), Emit::KernelLlvm);
        assert!(Settings::parse(words("clc")).is_err(), "no input");
        assert!(Settings::parse(words("clc --list-devices")).is_ok());
        assert!(Settings::parse(words("clc --list-devices a.cl")).is_err());
        assert!(Settings::parse(words("clc --local 4 a.cl")).is_err(), "of which kernel?");
    }
}
