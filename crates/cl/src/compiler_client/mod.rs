//! The client of the compiler: exchanges requests of `muxcl-compiler-abi` with the compiler's
//! process, or with its library where no process can be started (`MUXCL_COMPILER`).
//!
//! Invariant: a request is sent only if the disk cache cannot answer it. Every failure of the
//! compiler is a [`Failure`] with a log, never a panic. Not here: the effect of the results on
//! programs (`core::program`).

mod cancel;
mod files;
mod library;
mod print_at_end;
mod process;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use muxcl_cache::{Cache, Entry, Key, KeyBuilder, file_identity};
use muxcl_compiler_abi::{
    ABI_VERSION, Dependency, Envelope, FailureKind, Header, Request, Response, Source, Step,
};
use muxcl_config::{MUXCL_COMPILER, MUXCL_COMPILER_PATH, MUXCL_COMPILER_PROGRAM};
use muxcl_types::container::{Binary, BinaryKind};
use muxcl_types::device::DeviceDesc;
use muxcl_types::variant::SpecializationKey;
use once_cell::sync::OnceCell;

pub use self::cancel::Cancel;
use self::files::Files;
use self::library::Library;
pub use self::print_at_end::PrintAtEnd;
use self::process::{Compiler, Trouble};

const LIBRARY: &str = "libmuxcl_compiler.so";
const PROGRAM: &str = "muxcl-compiler";
/// Bytes of stack of the thread that starts the compiler's process.
const STARTER_STACK: usize = 128 << 10;

/// A program container and its build log.
#[derive(Clone, Debug)]
pub struct Module {
    /// The container.
    pub binary: Binary,
    /// Warnings.
    pub log: String,
}

/// The input of a build. Borrowed, because most builds find their result in the disk cache.
#[derive(Clone, Copy, Debug)]
pub enum BuildInput<'a> {
    /// OpenCL C
    OpenClC {
        /// The source text.
        text: &'a [u8],
        /// Headers in memory.
        headers: &'a [Header],
    },
    /// SPIR-V
    SpirV {
        /// The module.
        il: &'a [u8],
        /// Values of specialization constants by their ids, in the order of the ids.
        constants: &'a [(u32, Vec<u8>)],
    },
}

impl BuildInput<'_> {
    fn to_source(self) -> Source {
        match self {
            Self::OpenClC { text, headers } => {
                Source::OpenClC { text: text.to_vec(), headers: headers.to_vec() }
            }
            Self::SpirV { il, constants } => {
                Source::SpirV { il: il.to_vec(), constants: constants.to_vec() }
            }
        }
    }
}

/// The failure of a step.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The kind of failure, which determines the error code.
    pub kind: FailureKind,
    /// The text for the build log.
    pub log: String,
}

impl Failure {
    fn internal(log: impl Into<String>) -> Self {
        Self { kind: FailureKind::Internal, log: log.into() }
    }

    fn unavailable(log: String) -> Self {
        Self { kind: FailureKind::Unavailable, log }
    }

    fn other_version(path: &Path) -> Self {
        Self::internal(format!("{}: another version of the compiler interface", path.display()))
    }
}

/// The folder of `libmuxcl.so`, or of the libraries beside a test program.
fn folder() -> Option<PathBuf> {
    let here = muxcl_os::library_of(folder as fn() -> Option<PathBuf> as usize)?;
    let folder = here.parent()?;
    // Test programs are in a folder `deps` below the libraries.
    if !folder.join(LIBRARY).exists() && folder.file_name().is_some_and(|name| name == "deps") {
        return folder.parent().map(Path::to_path_buf);
    }
    Some(folder.to_path_buf())
}

/// The compiler's program, if it exists.
fn program() -> Option<PathBuf> {
    let named = MUXCL_COMPILER_PROGRAM.get_os().map(PathBuf::from);
    let candidates = named.map_or_else(
        || {
            let folder = folder()?;
            let installed = folder.parent().map(|up| up.join("libexec/muxcl").join(PROGRAM));
            Some(installed.into_iter().chain([folder.join(PROGRAM)]).collect())
        },
        |named| Some(vec![named]),
    );
    candidates?.into_iter().find(|path: &PathBuf| path.exists())
}

/// The compiler's library, whether or not it exists.
fn library() -> Option<PathBuf> {
    let named = MUXCL_COMPILER_PATH.get_os().map(PathBuf::from);
    named.or_else(|| {
        let folder = folder()?;
        // Tools are in `bin`, beside `lib`.
        let beside = folder.parent().map(|up| up.join("lib").join(LIBRARY));
        let here = folder.join(LIBRARY);
        beside.filter(|path| !here.exists() && path.exists()).or(Some(here))
    })
}

/// The compiler of this process.
#[derive(Debug)]
pub struct Client {
    /// Identifies the compiler in the keys of the cache.
    identity: [u8; 32],
    cache: Cache,
    process: Option<Compiler>,
    library: Option<Library>,
    /// [`Client::expect_build`] has started the process.
    expected: AtomicBool,
}

static CLIENT: OnceCell<Option<Client>> = OnceCell::new();

/// The compiler, if it is installed. Does not start or load it.
#[must_use]
pub fn client() -> Option<&'static Client> {
    CLIENT
        .get_or_init(|| {
            let inline = match MUXCL_COMPILER.get().as_deref() {
                Some("process") => false,
                Some("inline") => true,
                _ => MUXCL_COMPILER_PATH.get_os().is_some(),
            };
            let process = if inline { None } else { program().map(Compiler::new) };
            let library = library().filter(|path| path.exists()).map(Library::new);
            let path =
                process.as_ref().map(Compiler::path).or(library.as_ref().map(Library::path))?;
            let identity = file_identity(path)?;
            let expected = AtomicBool::new(false);
            Some(Client { identity, cache: Cache::from_env(), process, library, expected })
        })
        .as_ref()
}

/// True if the compiler is installed, so that programs can be built from source. Does not start or
/// load it.
#[must_use]
pub fn available() -> bool {
    client().is_some()
}

fn past_slice<'a>(step: &'a Step<'_>) -> muxcl_trace::PastSlice<'a> {
    muxcl_trace::PastSlice { name: &step.name, begin: step.begin, end: step.end }
}

/// A response from its bytes. The steps that may follow it go into the trace.
fn decoded(answer: &[u8]) -> Result<Response, Failure> {
    let Ok((response, rest)) = postcard::take_from_bytes(answer) else {
        return Err(Failure::internal("the compiler did not answer"));
    };
    if let (false, Ok(steps)) = (rest.is_empty(), postcard::from_bytes::<Vec<Step<'_>>>(rest)) {
        muxcl_trace::past_slices("compile", steps.iter().map(past_slice));
    }
    match response {
        Response::Failure { kind, log } => Err(Failure { kind, log }),
        response => Ok(response),
    }
}

/// The bytes of a request. The allocation may fail, because the application determines the size of
/// its sources and binaries.
fn encoded(envelope: &Envelope<'_>) -> postcard::Result<Vec<u8>> {
    let size = postcard::experimental::serialized_size(envelope)?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(size).map_err(|_| postcard::Error::SerializeBufferFull)?;
    postcard::to_extend(envelope, bytes)
}

impl Client {
    /// Sends a request to the compiler's process, or to its library. `cancel` may end the wait for
    /// the process, but not one for the library.
    ///
    /// # Errors
    /// The compiler's failure; `Unavailable` if neither can be used, `Internal` if there is no
    /// answer.
    pub fn send(&self, request: Request<'_>, cancel: Option<&Cancel>) -> Result<Response, Failure> {
        if cancel.is_some_and(Cancel::is_over) {
            return Err(cancel::cancelled());
        }
        let _slice = muxcl_trace::slice("compile", "compiler");
        let mut envelope = Envelope::new(request);
        envelope.steps = muxcl_trace::is_on();
        if let Some(process) = &self.process {
            // The process has a current directory of its own.
            let here = std::env::current_dir().ok();
            envelope.directory = here.as_ref().map(|path| path.to_string_lossy().into_owned());
            let bytes = encoded(&envelope).map_err(|e| Failure::internal(e.to_string()))?;
            let files = Files::of(&envelope.request, here.as_deref());
            match process.send(&bytes, &files, cancel) {
                Ok(answer) => return decoded(&answer),
                Err(Trouble::Failed(failure)) => return Err(failure),
                Err(Trouble::NoProcess(why)) if self.library.is_none() => {
                    return Err(Failure::unavailable(why));
                }
                Err(Trouble::NoProcess(why)) => {
                    tracing::warn!(
                        target: "cl::compiler", "{why}; the compiler runs in this process"
                    );
                }
            }
        }
        let Some(library) = &self.library else {
            return Err(Failure::unavailable("no compiler library is installed".to_owned()));
        };
        envelope.directory = None;
        let bytes = encoded(&envelope).map_err(|e| Failure::internal(e.to_string()))?;
        decoded(&library.send(&bytes)?)
    }

    /// Starts the compiler's process in the background if a build is likely: no program is in the
    /// cache. `device` is the device of the first build.
    pub fn expect_build(&'static self, device: &DeviceDesc) {
        let Some(process) = &self.process else { return };
        if !self.cache.is_empty() || self.expected.swap(true, Ordering::Relaxed) {
            return;
        }
        let device = postcard::to_stdvec(device).unwrap_or_default();
        // If no thread can start, the first build starts the process.
        let _ = muxcl_os::spawn_brief("muxcl-compiler", STARTER_STACK, move || {
            process.prepare(&device);
        });
    }

    fn key(&self, what: &str, device: &DeviceDesc) -> KeyBuilder {
        let device = postcard::to_stdvec(device).unwrap_or_default();
        KeyBuilder::new(what)
            .field("compiler", &self.identity)
            .field("abi", &ABI_VERSION.to_le_bytes())
            .field("container", &muxcl_types::container::VERSION.to_le_bytes())
            .field("device", &device)
    }

    fn cached_module(&self, key: &Key) -> Option<Module> {
        let entry = self.cache.get(key)?;
        let (binary, log): (Vec<u8>, String) = postcard::from_bytes(&entry.payload).ok()?;
        Some(Module { binary: Binary::from_bytes(&binary).ok()?, log })
    }

    /// Runs a step that returns a module: takes the module from the cache or sends `request`.
    fn module(
        &self,
        key: Option<Key>,
        cancel: Option<&Cancel>,
        request: impl FnOnce() -> Request<'static>,
    ) -> Result<Module, Failure> {
        let cached = muxcl_trace::slice("compile", "look up in the cache");
        let found = key.as_ref().and_then(|k| self.cached_module(k));
        drop(cached);
        if let Some(found) = found {
            return Ok(found);
        }
        let Response::Module { binary: bytes, log, dependencies } = self.send(request(), cancel)?
        else {
            return Err(Failure::internal("the compiler sent a response to another request"));
        };
        let binary = Binary::from_bytes(&bytes).map_err(|e| Failure::internal(e.to_string()))?;
        if let Some(key) = key {
            let payload = postcard::to_stdvec(&(&bytes, &log)).unwrap_or_default();
            if !payload.is_empty() {
                self.cache.put(
                    &key,
                    &Entry {
                        payload,
                        dependencies: dependencies.into_iter().map(dependency).collect(),
                    },
                );
            }
        }
        Ok(Module { binary, log })
    }

    /// `clBuildProgram`.
    ///
    /// # Errors
    /// The compiler's failure.
    pub fn build(
        &self,
        device: &DeviceDesc,
        code: BuildInput<'_>,
        options: &str,
        cancel: Option<&Cancel>,
    ) -> Result<Module, Failure> {
        let _slice = muxcl_trace::slice("compile", "build a program");
        let options = with_lines(options, code, muxcl_config::MUXCL_VECZ_REPORT.flag(false));
        let key = self.code_key("build", device, code, &options);
        self.module(key, cancel, || Request::Build {
            device: device.clone(),
            source: code.to_source(),
            options: options.into_owned(),
        })
    }

    /// `clCompileProgram`.
    ///
    /// # Errors
    /// The compiler's failure.
    pub fn compile(
        &self,
        device: &DeviceDesc,
        code: BuildInput<'_>,
        options: &str,
        cancel: Option<&Cancel>,
    ) -> Result<Module, Failure> {
        let _slice = muxcl_trace::slice("compile", "compile a program");
        let options = with_lines(options, code, muxcl_config::MUXCL_VECZ_REPORT.flag(false));
        let key = self.code_key("compile", device, code, &options);
        self.module(key, cancel, || Request::Compile {
            device: device.clone(),
            source: code.to_source(),
            options: options.into_owned(),
        })
    }

    /// The cache key of a module made of `code`; `None` without a cache.
    fn code_key(
        &self,
        what: &str,
        device: &DeviceDesc,
        code: BuildInput<'_>,
        options: &str,
    ) -> Option<Key> {
        if !self.cache.is_on() {
            return None;
        }
        let key = self.key(what, device).field("options", options.as_bytes());
        let key = match code {
            BuildInput::OpenClC { text, headers } => {
                headers.iter().fold(key.field("source", text), |key, h| {
                    key.field("name", h.name.as_bytes()).field("text", &h.text)
                })
            }
            BuildInput::SpirV { il, constants } => {
                constants.iter().fold(key.field("il", il), |key, (id, value)| {
                    key.field("id", &id.to_le_bytes()).field("value", value)
                })
            }
        };
        Some(key.finish())
    }

    /// `clLinkProgram`.
    ///
    /// # Errors
    /// The compiler's failure.
    pub fn link(
        &self,
        device: &DeviceDesc,
        modules: Vec<Vec<u8>>,
        options: &str,
        cancel: Option<&Cancel>,
    ) -> Result<Module, Failure> {
        let _slice = muxcl_trace::slice("compile", "link programs");
        let key = self.cache.is_on().then(|| {
            let start = self.key("link", device).field("options", options.as_bytes());
            modules.iter().fold(start, |key, m| key.field("module", m)).finish()
        });
        self.module(key, cancel, || Request::Link {
            device: device.clone(),
            modules,
            options: options.to_owned(),
        })
    }

    fn elf<'a>(
        &self,
        key: Option<Key>,
        request: impl FnOnce() -> Request<'a>,
    ) -> Result<Vec<u8>, Failure> {
        let cached = muxcl_trace::slice("compile", "look up in the cache");
        let entry = key.as_ref().and_then(|k| self.cache.get(k));
        drop(cached);
        if let Some(entry) = entry {
            return Ok(entry.payload);
        }
        let Response::Elf { elf } = self.send(request(), None)? else {
            return Err(Failure::internal("the compiler sent a response to another request"));
        };
        if let Some(key) = key {
            self.cache.put(&key, &Entry { payload: elf.clone(), dependencies: Vec::new() });
        }
        Ok(elf)
    }

    /// The program's part of the cache keys of its kernels. Callers should keep it: computing it
    /// hashes the whole bitcode.
    #[must_use]
    pub fn program_key(&self, binary: &Binary) -> Key {
        KeyBuilder::new("program")
            .field("bitcode", &binary.bitcode)
            .field("info", &postcard::to_stdvec(&binary.info).unwrap_or_default())
            .field("options", binary.options.as_bytes())
            .finish()
    }

    fn specialise_key(
        &self,
        device: &DeviceDesc,
        program: &Key,
        kernel: &str,
        specialization: &SpecializationKey,
    ) -> Key {
        self.key("specialise", device)
            .field("program", program.bytes())
            .field("kernel", kernel.as_bytes())
            .field("facts", &postcard::to_stdvec(specialization).unwrap_or_default())
            .finish()
    }

    /// The ELF of one kernel for a specialization key.
    ///
    /// # Errors
    /// The compiler's failure.
    pub fn specialise(
        &self,
        device: &DeviceDesc,
        binary: &Binary,
        program: &Key,
        kernel: &str,
        specialization: &SpecializationKey,
    ) -> Result<Vec<u8>, Failure> {
        let name = || format!("compile kernel {kernel}");
        let _slice = muxcl_trace::is_on().then(|| muxcl_trace::slice("compile", &name()));
        let key = self
            .cache
            .is_on()
            .then(|| self.specialise_key(device, program, kernel, specialization));
        self.elf(key, || Request::Specialise {
            device: device.clone(),
            bitcode: Cow::Borrowed(&binary.bitcode),
            info: binary.info.clone(),
            options: binary.options.clone(),
            kernel: kernel.to_owned(),
            key: *specialization,
        })
    }

    /// The program binary of `CL_PROGRAM_BINARIES`: an executable gets code for any local size,
    /// unless it has that already.
    ///
    /// # Errors
    /// The compiler's failure.
    pub fn with_code(&self, device: &DeviceDesc, mut binary: Binary) -> Result<Binary, Failure> {
        if binary.kind == BinaryKind::Executable && binary.elf.is_empty() {
            binary.elf = self.generic(device, &binary)?;
        }
        Ok(binary)
    }

    /// The ELF with every kernel for any local size.
    ///
    /// # Errors
    /// The compiler's failure.
    pub fn generic(&self, device: &DeviceDesc, binary: &Binary) -> Result<Vec<u8>, Failure> {
        let _slice = muxcl_trace::slice("compile", "compile all kernels");
        let key = self.cache.is_on().then(|| {
            self.key("generic", device).field("program", self.program_key(binary).bytes()).finish()
        });
        self.elf(key, || Request::Generic {
            device: device.clone(),
            bitcode: Cow::Borrowed(&binary.bitcode),
            info: binary.info.clone(),
            options: binary.options.clone(),
        })
    }
}

/// The options of a build. If `report` is on (`MUXCL_VECZ_REPORT`), OpenCL C gets source lines, so
/// that the report can name them. The option is part of the cache keys.
fn with_lines<'o>(options: &'o str, code: BuildInput<'_>, report: bool) -> Cow<'o, str> {
    match code {
        BuildInput::OpenClC { .. } if report => Cow::Owned(format!("{options} -gline-tables-only")),
        _ => Cow::Borrowed(options),
    }
}

fn dependency(d: Dependency) -> muxcl_cache::Dependency {
    muxcl_cache::Dependency { path: d.path, hash: d.hash }
}
