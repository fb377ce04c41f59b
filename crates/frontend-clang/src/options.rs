//! The build options of the OpenCL specification (sections 5.8.6 and 5.8.7), parsed.
//!
//! Invariant: an unknown option is an error that names it, and never reaches clang. Parsing does
//! not access the file system. Not here: the arguments of clang (`crate::args`).

use std::fmt;

use muxcl_types::options as words;

/// The API call that the options belong to. Each call accepts its own set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// `clBuildProgram`: compiler options.
    Build,
    /// `clCompileProgram`: compiler options.
    Compile,
    /// `clLinkProgram`: linker options.
    Link,
}

/// The language: a version of OpenCL C or of C++ for OpenCL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ClStd {
    /// OpenCL C 1.0
    Cl10,
    /// OpenCL C 1.1
    Cl11,
    /// OpenCL C 1.2, the default.
    #[default]
    Cl12,
    /// OpenCL C 2.0
    Cl20,
    /// OpenCL C 3.0
    Cl30,
    /// OpenCL C 3.1
    Cl31,
    /// C++ for OpenCL 1.0
    Cxx10,
    /// C++ for OpenCL 2021
    Cxx2021,
}

impl ClStd {
    /// The text after `-cl-std=`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cl10 => "CL1.0",
            Self::Cl11 => "CL1.1",
            Self::Cl12 => "CL1.2",
            Self::Cl20 => "CL2.0",
            Self::Cl30 => "CL3.0",
            Self::Cl31 => "CL3.1",
            Self::Cxx10 => "CLC++1.0",
            Self::Cxx2021 => "CLC++2021",
        }
    }

    /// The version of OpenCL C, times 100. For C++ for OpenCL, the version that it is compatible
    /// with.
    #[must_use]
    pub fn c_version(self) -> u32 {
        match self {
            Self::Cl10 => 100,
            Self::Cl11 => 110,
            Self::Cl12 => 120,
            Self::Cl20 | Self::Cxx10 => 200,
            Self::Cl30 | Self::Cxx2021 => 300,
            Self::Cl31 => 310,
        }
    }

    /// True for C++ for OpenCL.
    #[must_use]
    pub fn is_cxx(self) -> bool {
        matches!(self, Self::Cxx10 | Self::Cxx2021)
    }

    fn from_name(name: &str) -> Option<Self> {
        if name == "CLC++" {
            return Some(Self::Cxx10);
        }
        [
            Self::Cl10,
            Self::Cl11,
            Self::Cl12,
            Self::Cl20,
            Self::Cl30,
            Self::Cl31,
            Self::Cxx10,
            Self::Cxx2021,
        ]
        .into_iter()
        .find(|s| s.name() == name)
    }
}

/// Preprocessor options, in the order given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Preprocessor {
    /// `-D name` or `-D name=definition`
    Define(String),
    /// `-U name`, which the specification lacks and other drivers accept.
    Undefine(String),
    /// `-I dir`
    Include(String),
}

/// Options after parsing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an independent switch of the specification"
)]
pub struct BuildOptions {
    /// `-D`, `-U`, `-I`
    pub preprocessor: Vec<Preprocessor>,
    /// `-cl-std=`
    pub std: ClStd,
    /// `-w`
    pub no_warnings: bool,
    /// `-Werror`
    pub warnings_are_errors: bool,
    /// `-cl-single-precision-constant`
    pub single_precision_constant: bool,
    /// `-cl-denorms-are-zero`
    pub denorms_are_zero: bool,
    /// `-cl-fp32-correctly-rounded-divide-sqrt`
    pub correctly_rounded_divide_sqrt: bool,
    /// `-cl-opt-disable`
    pub opt_disable: bool,
    /// `-cl-mad-enable`
    pub mad_enable: bool,
    /// `-cl-no-signed-zeros`
    pub no_signed_zeros: bool,
    /// `-cl-unsafe-math-optimizations`
    pub unsafe_math: bool,
    /// `-cl-finite-math-only`
    pub finite_math: bool,
    /// `-cl-fast-relaxed-math`
    pub fast_relaxed_math: bool,
    /// `-cl-uniform-work-group-size`
    pub uniform_work_group_size: bool,
    /// `-cl-kernel-arg-info`
    pub kernel_arg_info: bool,
    /// `-g`
    pub debug: bool,
    /// `-gline-tables-only`: source lines, without variables and types.
    pub line_tables: bool,
    /// `-create-library` (link)
    pub create_library: bool,
    /// `-enable-link-options` (link)
    pub enable_link_options: bool,
}

/// An error in an option string.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionsError {
    /// The stage does not have this option.
    #[error("unknown {stage} option '{option}'")]
    Unknown {
        /// The option in the application's text.
        option: String,
        /// The stage.
        stage: Stage,
    },
    /// `-D`, `-U` or `-I` without a value.
    #[error("option '{0}' needs a value")]
    MissingValue(String),
    /// `-cl-std=` with an unknown version.
    #[error("option '{0}': no such version of OpenCL C or C++ for OpenCL")]
    BadStd(String),
    /// `-enable-link-options` without `-create-library`.
    #[error("option '-enable-link-options' needs '-create-library'")]
    LinkOptionsWithoutLibrary,
    /// An unterminated quote.
    #[error("unterminated quote in options: {0}")]
    Quote(String),
    /// A NUL character.
    #[error("options contain a NUL character")]
    Nul,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Build => "build",
            Self::Compile => "compile",
            Self::Link => "link",
        })
    }
}

impl BuildOptions {
    /// Parses `text` as given to the call of `stage`.
    ///
    /// # Errors
    /// The first option that is wrong.
    pub fn parse(text: &str, stage: Stage) -> Result<Self, OptionsError> {
        Self::parse_words(words(text)?, stage)
    }

    /// Parses the options of a program in an intermediate language. `-cl-std=` is ignored, with any
    /// value. Options of the preprocessor and of warnings are parsed and have no effect.
    ///
    /// # Errors
    /// The first option that is wrong.
    pub fn parse_for_il(text: &str, stage: Stage) -> Result<Self, OptionsError> {
        let mut words = words(text)?;
        words.retain(|word| !word.starts_with("-cl-std="));
        Self::parse_words(words, stage)
    }

    fn parse_words(words: Vec<String>, stage: Stage) -> Result<Self, OptionsError> {
        let mut options = Self::default();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let known = options.math_option(&word)
                || match stage {
                    Stage::Link => options.link_option(&word),
                    Stage::Build | Stage::Compile => {
                        options.switch(&word) || options.with_value(&word, &mut words)?
                    }
                };
            if !known {
                return Err(OptionsError::Unknown { option: word, stage });
            }
        }
        if options.enable_link_options && !options.create_library {
            return Err(OptionsError::LinkOptionsWithoutLibrary);
        }
        Ok(options)
    }

    /// The options for finalising a linked program: those of the link, and the guarantees that all
    /// objects have in common.
    #[must_use]
    pub fn merge_objects<'a>(mut self, objects: impl Iterator<Item = &'a Self>) -> Self {
        let mut any = false;
        let mut uniform = true;
        let mut arg_info = true;
        let mut no_opt = false;
        let (mut debug, mut line_tables) = (false, false);
        let mut exact = false;
        let mut std = ClStd::Cl10;
        for object in objects {
            any = true;
            uniform &= object.uniform_work_group_size || object.std.c_version() < 200;
            arg_info &= object.kernel_arg_info;
            no_opt |= object.opt_disable;
            debug |= object.debug;
            line_tables |= object.line_tables;
            exact |= object.correctly_rounded_divide_sqrt;
            if object.std.c_version() > std.c_version() {
                std = object.std;
            }
            self.denorms_are_zero |= object.denorms_are_zero;
        }
        if any {
            self.uniform_work_group_size = uniform;
            self.kernel_arg_info = arg_info;
            self.opt_disable = no_opt;
            self.debug = debug;
            self.line_tables = line_tables;
            self.correctly_rounded_divide_sqrt = exact;
            self.std = std;
        }
        self
    }

    // Valid for compiler and linker alike (5.8.7.2).
    fn math_option(&mut self, word: &str) -> bool {
        match word {
            "-cl-denorms-are-zero" => self.denorms_are_zero = true,
            "-cl-no-signed-zeros" => self.no_signed_zeros = true,
            "-cl-unsafe-math-optimizations" => self.unsafe_math = true,
            "-cl-finite-math-only" => self.finite_math = true,
            "-cl-fast-relaxed-math" => self.fast_relaxed_math = true,
            "-cl-no-subgroup-ifp" => {}
            _ => return false,
        }
        true
    }

    fn link_option(&mut self, word: &str) -> bool {
        match word {
            "-create-library" => self.create_library = true,
            "-enable-link-options" => self.enable_link_options = true,
            _ => return false,
        }
        true
    }

    fn switch(&mut self, word: &str) -> bool {
        match word {
            "-w" => self.no_warnings = true,
            "-Werror" => self.warnings_are_errors = true,
            "-cl-single-precision-constant" => self.single_precision_constant = true,
            "-cl-fp32-correctly-rounded-divide-sqrt" => self.correctly_rounded_divide_sqrt = true,
            "-cl-opt-disable" => self.opt_disable = true,
            "-cl-mad-enable" => self.mad_enable = true,
            "-cl-uniform-work-group-size" => self.uniform_work_group_size = true,
            "-cl-kernel-arg-info" => self.kernel_arg_info = true,
            "-g" => self.debug = true,
            "-gline-tables-only" => self.line_tables = true,
            // An option of OpenCL 1.0 without effect: the language requires strict aliasing anyway.
            "-cl-strict-aliasing" => {}
            _ => return false,
        }
        true
    }

    fn with_value(
        &mut self,
        word: &str,
        rest: &mut impl Iterator<Item = String>,
    ) -> Result<bool, OptionsError> {
        if let Some(std) = word.strip_prefix("-cl-std=") {
            self.std =
                ClStd::from_name(std).ok_or_else(|| OptionsError::BadStd(word.to_owned()))?;
            return Ok(true);
        }
        let Some((letter, value)) = words::preprocessor(word) else { return Ok(false) };
        let make: fn(String) -> Preprocessor = match letter {
            'D' => Preprocessor::Define,
            'U' => Preprocessor::Undefine,
            _ => Preprocessor::Include,
        };
        let value = match value {
            "" => rest.next().ok_or_else(|| OptionsError::MissingValue(word.to_owned()))?,
            value => value.to_owned(),
        };
        if value.is_empty() {
            return Err(OptionsError::MissingValue(word.to_owned()));
        }
        self.preprocessor.push(make(value));
        Ok(true)
    }
}

fn words(text: &str) -> Result<Vec<String>, OptionsError> {
    if text.contains('\0') {
        return Err(OptionsError::Nul);
    }
    words::words(text).ok_or_else(|| OptionsError::Quote(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(text: &str) -> BuildOptions {
        BuildOptions::parse(text, Stage::Build).unwrap()
    }

    fn refuse(text: &str, stage: Stage) -> OptionsError {
        BuildOptions::parse(text, stage).unwrap_err()
    }

    #[test]
    fn nothing_is_opencl_c_12() {
        assert_eq!(build(""), BuildOptions::default());
        assert_eq!(build("  \t\n ").std, ClStd::Cl12);
    }

    #[test]
    fn defines_and_includes_take_their_value_in_both_forms() {
        let define = |s: &str| Preprocessor::Define(s.into());
        let include = |s: &str| Preprocessor::Include(s.into());
        assert_eq!(
            build("-DA -D B -DC=1 -D D=2 -I/x -I y -U Z -DE=").preprocessor,
            [
                define("A"),
                define("B"),
                define("C=1"),
                define("D=2"),
                include("/x"),
                include("y"),
                Preprocessor::Undefine("Z".into()),
                define("E="),
            ]
        );
    }

    #[test]
    fn quotes_group_and_backslashes_protect() {
        let one = |s: &str| match build(s).preprocessor.as_slice() {
            [Preprocessor::Define(v) | Preprocessor::Include(v)] => v.clone(),
            other => panic!("{s}: {other:?}"),
        };
        assert_eq!(one(r#"-I "a b/c""#), "a b/c");
        assert_eq!(one(r#"-I"a b/c""#), "a b/c");
        assert_eq!(one(r#""-Ia b/c""#), "a b/c");
        assert_eq!(one("-I 'a b'"), "a b");
        assert_eq!(one(r"-I a\ b"), "a b");
        assert_eq!(one(r#"-DS=\"x\""#), r#"S="x""#);
        assert_eq!(one(r#"-DS="\"x y\"""#), r#"S="x y""#);
        assert_eq!(one(r"-I C:\dir\n"), r"C:\dir\n");
        assert_eq!(one("-D 'F(x)=(x) + 1'"), "F(x)=(x) + 1");
        assert!(matches!(refuse("-I \"x", Stage::Build), OptionsError::Quote(_)));
    }

    #[test]
    fn every_switch_sets_its_field_and_no_other() {
        type Field = fn(&mut BuildOptions) -> &mut bool;
        let table: &[(&str, Field)] = &[
            ("-w", |o| &mut o.no_warnings),
            ("-Werror", |o| &mut o.warnings_are_errors),
            ("-cl-single-precision-constant", |o| &mut o.single_precision_constant),
            ("-cl-denorms-are-zero", |o| &mut o.denorms_are_zero),
            ("-cl-fp32-correctly-rounded-divide-sqrt", |o| &mut o.correctly_rounded_divide_sqrt),
            ("-cl-opt-disable", |o| &mut o.opt_disable),
            ("-cl-mad-enable", |o| &mut o.mad_enable),
            ("-cl-no-signed-zeros", |o| &mut o.no_signed_zeros),
            ("-cl-unsafe-math-optimizations", |o| &mut o.unsafe_math),
            ("-cl-finite-math-only", |o| &mut o.finite_math),
            ("-cl-fast-relaxed-math", |o| &mut o.fast_relaxed_math),
            ("-cl-uniform-work-group-size", |o| &mut o.uniform_work_group_size),
            ("-cl-kernel-arg-info", |o| &mut o.kernel_arg_info),
            ("-g", |o| &mut o.debug),
            ("-gline-tables-only", |o| &mut o.line_tables),
        ];
        for (text, field) in table {
            let mut options = build(text);
            assert!(*field(&mut options), "{text}");
            *field(&mut options) = false;
            assert_eq!(options, BuildOptions::default(), "{text}");
            assert_eq!(
                BuildOptions::parse(text, Stage::Compile),
                BuildOptions::parse(text, Stage::Build)
            );
        }
        assert_eq!(build("-cl-strict-aliasing -cl-no-subgroup-ifp"), BuildOptions::default());
    }

    #[test]
    fn versions() {
        for (text, std) in [
            ("1.0", ClStd::Cl10),
            ("1.1", ClStd::Cl11),
            ("1.2", ClStd::Cl12),
            ("2.0", ClStd::Cl20),
            ("3.0", ClStd::Cl30),
            ("3.1", ClStd::Cl31),
            ("C++", ClStd::Cxx10),
            ("C++1.0", ClStd::Cxx10),
            ("C++2021", ClStd::Cxx2021),
        ] {
            assert_eq!(build(&format!("-cl-std=CL{text}")).std, std);
        }
        for bad in ["-cl-std=CL3.2", "-cl-std=CL4.0", "-cl-std=", "-cl-std=CL2", "-cl-std=CLC++11"]
        {
            assert_eq!(refuse(bad, Stage::Build), OptionsError::BadStd(bad.into()));
            assert_eq!(BuildOptions::parse_for_il(bad, Stage::Build), Ok(BuildOptions::default()));
        }
    }

    #[test]
    fn unknown_options_are_named() {
        for (text, bad) in [
            ("-cl-std", "-cl-std"),
            ("-w -foo", "-foo"),
            ("foo", "foo"),
            ("-create-library", "-create-library"),
            ("-emit-llvm", "-emit-llvm"),
            ("-mllvm", "-mllvm"),
            ("-", "-"),
            ("\"\"", ""),
            ("-é", "-é"),
        ] {
            let error = refuse(text, Stage::Build);
            assert_eq!(error, OptionsError::Unknown { option: bad.into(), stage: Stage::Build });
            assert!(error.to_string().contains(bad));
        }
        assert_eq!(refuse("-D", Stage::Build), OptionsError::MissingValue("-D".into()));
        assert_eq!(refuse("-I \"\"", Stage::Build), OptionsError::MissingValue("-I".into()));
        assert_eq!(refuse("-w\0", Stage::Build), OptionsError::Nul);
    }

    #[test]
    fn link_has_its_own_set() {
        let options = BuildOptions::parse(
            "-create-library -enable-link-options -cl-fast-relaxed-math",
            Stage::Link,
        )
        .unwrap();
        assert!(options.create_library && options.enable_link_options && options.fast_relaxed_math);
        assert_eq!(
            refuse("-enable-link-options", Stage::Link),
            OptionsError::LinkOptionsWithoutLibrary
        );
        for bad in ["-w", "-DX", "-I x", "-cl-std=CL1.2", "-cl-opt-disable"] {
            assert!(
                matches!(
                    refuse(bad, Stage::Link),
                    OptionsError::Unknown { stage: Stage::Link, .. }
                ),
                "{bad}"
            );
        }
    }
}
