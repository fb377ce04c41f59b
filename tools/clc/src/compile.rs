//! Inputs to output: requests to the driver's compiler.

use std::borrow::Cow;

use anyhow::{Context as _, Result, bail};
use muxcl_cl::compiler_client::{self, Client};
use muxcl_compiler_abi::{FailureKind, Request, Response, TextForm};
use muxcl_types::container::{Binary, BinaryKind};
use muxcl_types::device::DeviceDesc;
use muxcl_types::options;
use muxcl_types::variant::SpecializationKey;

use crate::command_line::Emit;
use crate::diagnostics;
use crate::input::{Content, Input};

/// Options of the linker only.
const LINK_ONLY: [&str; 2] = ["-create-library", "-enable-link-options"];
/// Options of compiler and linker (OpenCL, section 5.8.7.2).
const BOTH: [&str; 6] = [
    "-cl-denorms-are-zero",
    "-cl-no-signed-zeros",
    "-cl-unsafe-math-optimizations",
    "-cl-finite-math-only",
    "-cl-fast-relaxed-math",
    "-cl-no-subgroup-ifp",
];

/// The kernel of `--kernel`, and the local size of `--local` if it is given.
pub type Kernel<'k> = Option<(&'k str, Option<[u32; 3]>)>;

/// The result of compiling and linking, or of compiling only.
#[derive(Debug)]
pub struct Compiled {
    /// The object, library or executable.
    pub binary: Binary,
    /// The files besides the inputs that were read.
    pub files: Vec<String>,
}

/// Why there is no output.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The program is wrong; the reasons are in [`Job::log`].
    #[error("the program does not compile")]
    Program,
    /// Anything else.
    #[error(transparent)]
    Other(#[from] anyhow::Error),
}

/// Compilations for one device.
#[derive(Debug)]
pub struct Job<'j> {
    client: &'static Client,
    device: &'j DeviceDesc,
    options: &'j [String],
    /// Errors and warnings so far, with the names of the inputs.
    pub log: String,
}

impl<'j> Job<'j> {
    /// A job for `device` with the words of build options.
    ///
    /// # Errors
    /// The compiler is not installed.
    pub fn new(device: &'j DeviceDesc, options: &'j [String]) -> Result<Self> {
        let client = compiler_client::client().context(
            "the compiler is not installed: neither muxcl-compiler nor libmuxcl_compiler.so is \
             beside clc or where MUXCL_COMPILER_PROGRAM and MUXCL_COMPILER_PATH say",
        )?;
        Ok(Self { client, device, options, log: String::new() })
    }

    /// Sends a request whose answer is a program. `name` is that of the source.
    fn module(&mut self, request: Request<'_>, name: Option<&str>) -> Result<Compiled, Failure> {
        match self.client.send(request, None) {
            Ok(Response::Module { binary, log, dependencies }) => {
                self.add(&log, name);
                let binary = Binary::from_bytes(&binary).context("the compiler's answer")?;
                let read = dependencies.into_iter().filter(|d| d.hash.is_some());
                Ok(Compiled { binary, files: read.map(|d| d.path).collect() })
            }
            Ok(_) => Err(other_answer().into()),
            Err(failure) => Err(self.failed(failure, name)),
        }
    }

    /// Appends what the compiler says about the source `name`, or about the linked program.
    fn add(&mut self, log: &str, name: Option<&str>) {
        self.log.push_str(&diagnostics::named(log, name));
    }

    /// What a failure of the compiler means: the program is wrong, or something else.
    fn failed(&mut self, failure: compiler_client::Failure, name: Option<&str>) -> Failure {
        match failure.kind {
            FailureKind::Source
            | FailureKind::Link
            | FailureKind::Module
            | FailureKind::Resources => {
                self.add(&failure.log, name);
                Failure::Program
            }
            FailureKind::Options | FailureKind::Internal | FailureKind::Unavailable => {
                let text = failure.log.trim();
                let text = text.strip_prefix("error: ").unwrap_or(text);
                anyhow::Error::msg(text.to_owned()).into()
            }
        }
    }

    /// The build options for compiling `input`. A source that includes files finds those in its own
    /// folder, too.
    fn compile_options(&self, input: &Input) -> String {
        let own = self.options.iter().map(String::as_str);
        let own = own.filter(|word| !LINK_ONLY.contains(word));
        let folder = input.folder.as_ref().filter(|_| input.includes_files());
        let folder = folder.map(|folder| format!("-I{}", folder.display()));
        options::text(own.chain(folder.as_deref()))
    }

    /// The options of the link. If no input is a source, they are all options, so that the linker
    /// refuses those of the compiler.
    fn link_options(&self, inputs: &[Input]) -> String {
        let sources = inputs.iter().any(|input| matches!(input.content, Content::Source(_)));
        let of_link = |word: &&str| !sources || LINK_ONLY.contains(word) || BOTH.contains(word);
        options::text(self.options.iter().map(String::as_str).filter(of_link))
    }

    /// Compiles one source, as `clCompileProgram` does.
    ///
    /// # Errors
    /// Errors in the source, or an input that is compiled already.
    pub fn object(&mut self, input: &Input) -> Result<Compiled, Failure> {
        let options = self.compile_options(input);
        let Content::Source(source) = input.content.clone() else {
            let text = format!("{} is compiled already; -c takes sources", input.name);
            return Err(anyhow::Error::msg(text).into());
        };
        let request = Request::Compile { device: self.device.clone(), source, options };
        self.module(request, Some(&input.name))
    }

    /// Compiles and links the inputs. A single source is built as `clBuildProgram` does.
    ///
    /// # Errors
    /// Errors in the sources or of the linker.
    pub fn program(&mut self, inputs: &[Input]) -> Result<Compiled, Failure> {
        let library = self.options.iter().any(|word| LINK_ONLY.contains(&word.as_str()));
        if let ([input], false) = (inputs, library)
            && let Content::Source(source) = input.content.clone()
        {
            let options = self.compile_options(input);
            let request = Request::Build { device: self.device.clone(), source, options };
            return self.module(request, Some(&input.name));
        }
        let (mut modules, mut files) = (Vec::new(), Vec::new());
        for input in inputs {
            match &input.content {
                Content::Binary(bytes) => modules.push(bytes.clone()),
                Content::Source(_) => {
                    let compiled = self.object(input)?;
                    modules.push(compiled.binary.to_bytes());
                    files.extend(compiled.files);
                }
            }
        }
        let options = self.link_options(inputs);
        let request = Request::Link { device: self.device.clone(), modules, options };
        let linked = self.module(request, None)?;
        Ok(Compiled { files, ..linked })
    }

    /// The bytes of an output.
    ///
    /// # Errors
    /// No kernel of this name, an output that an object or a library cannot have, or code
    /// generation fails.
    pub fn output(
        &mut self,
        binary: Binary,
        emit: Emit,
        kernel: Kernel<'_>,
    ) -> Result<Vec<u8>, Failure> {
        match emit {
            Emit::Elf | Emit::Asm | Emit::KernelLlvm => check(&binary, kernel)?,
            Emit::Binary | Emit::Llvm | Emit::Bitcode if kernel.is_some() => {
                let text = "--kernel goes with --emit=elf, asm or kernel-llvm";
                return Err(anyhow::Error::msg(text).into());
            }
            Emit::Binary | Emit::Llvm | Emit::Bitcode => {}
        }
        let made = match (emit, kernel) {
            (Emit::Bitcode, _) => return Ok(binary.bitcode),
            (Emit::Binary, _) => {
                self.client.with_code(self.device, binary).map(|full| full.to_bytes())
            }
            (Emit::Elf, None) => self.client.with_code(self.device, binary).map(|full| full.elf),
            (Emit::Elf, Some((name, local_size))) => {
                let program = self.client.program_key(&binary);
                let key = key(local_size);
                self.client.specialise(self.device, &binary, &program, name, &key)
            }
            (Emit::Asm, _) => return self.text(&binary, kernel, TextForm::Assembly),
            (Emit::KernelLlvm, _) => return self.text(&binary, kernel, TextForm::Kernels),
            (Emit::Llvm, _) => return self.text(&binary, None, TextForm::Program),
        };
        made.map_err(|failure| self.failed(failure, None))
    }

    fn text(
        &mut self,
        binary: &Binary,
        kernel: Kernel<'_>,
        form: TextForm,
    ) -> Result<Vec<u8>, Failure> {
        let request = Request::Text {
            device: self.device.clone(),
            bitcode: Cow::Borrowed(&binary.bitcode),
            info: binary.info.clone(),
            options: binary.options.clone(),
            kernel: kernel.map(|(name, local_size)| (name.to_owned(), key(local_size))),
            form,
        };
        match self.client.send(request, None) {
            Ok(Response::Text { text }) => Ok(text.into_bytes()),
            Ok(_) => Err(other_answer().into()),
            Err(failure) => Err(self.failed(failure, None)),
        }
    }
}

fn key(local_size: Option<[u32; 3]>) -> SpecializationKey {
    SpecializationKey { local_size, ..SpecializationKey::default() }
}

fn other_answer() -> anyhow::Error {
    anyhow::Error::msg("the compiler answered another request")
}

/// Fails unless `binary` has machine code with this kernel.
fn check(binary: &Binary, kernel: Kernel<'_>) -> Result<()> {
    if binary.kind != BinaryKind::Executable {
        bail!("objects and libraries have no machine code; --emit=binary, llvm or bitcode");
    }
    if let Some((name, _)) = kernel
        && binary.info.kernel(name).is_none()
    {
        let names: Vec<&str> = binary.info.kernels.iter().map(|k| k.name.as_str()).collect();
        bail!("no kernel is named `{name}`; the program has {}", names.join(", "));
    }
    Ok(())
}
