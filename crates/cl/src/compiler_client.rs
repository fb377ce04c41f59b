//! The client of the compiler library: finds it, loads it at the first request that the disk cache
//! cannot answer, and exchanges requests of `muxcl-compiler-abi` with it.
//!
//! Invariant: only [`Client::send`] loads LLVM into the process; a cache hit does not. Every
//! failure of the compiler is a [`Failure`] with a log, never a panic. Not here: the effect of the
//! results on programs (`core::program`).

use std::borrow::Cow;
use std::ffi::{CString, c_void};
use std::path::PathBuf;

use muxcl_cache::{Cache, Entry, Key, KeyBuilder, file_identity};
use muxcl_compiler_abi::{
    ABI_VERSION, Dependency, ENTRY_SYMBOL, Envelope, FailureKind, Header, Request, RequestFn,
    Response, SinkFn, Source,
};
use muxcl_config::MUXCL_COMPILER_PATH;
use muxcl_types::container::Binary;
use muxcl_types::device::DeviceDesc;
use muxcl_types::variant::SpecializationKey;
use once_cell::sync::OnceCell;

const LIBRARY: &str = "libmuxcl_compiler.so";

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
}

/// The compiler library's file, whether or not it exists.
fn library_path() -> Option<PathBuf> {
    if let Some(path) = MUXCL_COMPILER_PATH.get_os() {
        return Some(PathBuf::from(path));
    }
    let here = muxcl_os::library_of(library_path as fn() -> Option<PathBuf> as usize)?;
    let folder = here.parent()?;
    let beside = folder.join(LIBRARY);
    // Test programs are in a folder `deps` below the libraries.
    if !beside.exists() && folder.file_name().is_some_and(|name| name == "deps") {
        return folder.parent().map(|up| up.join(LIBRARY));
    }
    Some(beside)
}

/// The compiler of this process.
#[derive(Debug)]
pub struct Client {
    path: PathBuf,
    identity: [u8; 32],
    cache: Cache,
    loaded: OnceCell<RequestFn>,
}

static CLIENT: OnceCell<Option<Client>> = OnceCell::new();

/// The compiler, if its library exists. Does not load it.
#[must_use]
pub fn client() -> Option<&'static Client> {
    CLIENT
        .get_or_init(|| {
            let path = library_path()?;
            let identity = file_identity(&path)?;
            Some(Client { path, identity, cache: Cache::from_env(), loaded: OnceCell::new() })
        })
        .as_ref()
}

/// True if the compiler library exists, so that programs can be built from source. Does not load
/// it.
#[must_use]
pub fn available() -> bool {
    client().is_some()
}

/// The thread on which the compiler runs.
#[derive(Clone, Copy)]
pub enum Place<'a> {
    /// A thread of the compiler's own, with a large stack. The calling thread waits.
    OwnThread,
    /// The calling thread, whose stack has [`muxcl_compiler_abi::STACK_BYTES`].
    ///
    /// If the compiler cannot continue, it calls the function on this thread and never returns. The
    /// function does everything that the caller would do after the failure.
    Here(&'a dyn Fn(Failure)),
}

impl std::fmt::Debug for Place<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::OwnThread => "OwnThread",
            Self::Here(_) => "Here",
        })
    }
}

/// The context of the callbacks of a request.
struct Pending<'a> {
    answer: Vec<u8>,
    place: Place<'a>,
}

unsafe extern "C" fn sink(ctx: *mut c_void, bytes: *const u8, len: usize) {
    if ctx.is_null() || bytes.is_null() {
        return;
    }
    // SAFETY: `send` passed `ctx`, and no other code uses it during the call.
    let out = unsafe { &mut (*ctx.cast::<Pending<'_>>()).answer };
    // SAFETY: the compiler passes `len` valid bytes at `bytes`.
    let given = unsafe { std::slice::from_raw_parts(bytes, len) };
    if out.try_reserve_exact(len).is_ok() {
        out.extend_from_slice(given);
    }
}

unsafe extern "C" fn give_up(ctx: *mut c_void, bytes: *const u8, len: usize) {
    if ctx.is_null() || bytes.is_null() {
        return;
    }
    // SAFETY: `send` passed `ctx`; the frame of `send` stays valid, because the compiler never
    // returns to it.
    let pending = unsafe { &*ctx.cast::<Pending<'_>>() };
    // SAFETY: the compiler passes `len` valid bytes at `bytes`.
    let given = unsafe { std::slice::from_raw_parts(bytes, len) };
    let failure = match postcard::from_bytes(given) {
        Ok(Response::Failure { kind, log }) => Failure { kind, log },
        _ => Failure::internal("the compiler cannot go on"),
    };
    if let Place::Here(then) = pending.place {
        then(failure);
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
    /// Loads the library. A failure is not final: memory or the file may be available at the next
    /// request.
    fn load(&self) -> Result<&RequestFn, String> {
        self.loaded.get_or_try_init(|| {
            // SAFETY: the library is the compiler that came with the driver, or the one that the
            // user names.
            let library = unsafe { muxcl_os::Library::open(&self.path) }.map_err(|e| {
                tracing::error!(target: "cl::compiler", "{e}");
                e.to_string()
            })?;
            let name = CString::new(ENTRY_SYMBOL).unwrap_or_default();
            let symbol = library
                .symbol(&name)
                .ok_or_else(|| format!("{}: no symbol {ENTRY_SYMBOL}", self.path.display()))?;
            // SAFETY: by the contract of compiler-abi the symbol is a function of this type.
            Ok(unsafe { std::mem::transmute::<*const c_void, RequestFn>(symbol) })
        })
    }

    /// Sends a request; loads the library the first time.
    ///
    /// # Errors
    /// The compiler's failure; `Unavailable` if it cannot be loaded, `Internal` if it does not
    /// answer.
    pub fn send(&self, request: Request<'_>, place: Place<'_>) -> Result<Response, Failure> {
        let unavailable = |log: String| Failure {
            kind: FailureKind::Unavailable,
            log: format!("the compiler library: {log}"),
        };
        let function = self.load().map_err(unavailable)?;
        let bytes = encoded(&Envelope { abi_version: ABI_VERSION, request })
            .map_err(|e| Failure::internal(e.to_string()))?;
        let mut pending = Pending { answer: Vec::new(), place };
        let give_up = matches!(place, Place::Here(_)).then_some(give_up as SinkFn);
        let ctx = (&raw mut pending).cast();
        // SAFETY: the compiler's function, called as compiler-abi says. The callbacks use `pending`
        // one at a time, before the function returns.
        let code = unsafe { function(bytes.as_ptr(), bytes.len(), ctx, sink, give_up) };
        let answer = pending.answer;
        if code == 1 {
            return Err(Failure::internal(format!(
                "{}: another version of the compiler interface",
                self.path.display()
            )));
        }
        match postcard::from_bytes(&answer) {
            Ok(Response::Failure { kind, log }) => Err(Failure { kind, log }),
            Ok(response) if code == 0 => Ok(response),
            _ => Err(Failure::internal(format!("the compiler failed with code {code}"))),
        }
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
        place: Place<'_>,
        request: impl FnOnce() -> Request<'static>,
    ) -> Result<Module, Failure> {
        if let Some(found) = key.as_ref().and_then(|k| self.cached_module(k)) {
            return Ok(found);
        }
        let Response::Module { binary: bytes, log, dependencies } = self.send(request(), place)?
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
        place: Place<'_>,
    ) -> Result<Module, Failure> {
        let options = with_lines(options, code, muxcl_config::MUXCL_VECZ_REPORT.flag(false));
        let key = self.code_key("build", device, code, &options);
        self.module(key, place, || Request::Build {
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
        place: Place<'_>,
    ) -> Result<Module, Failure> {
        let options = with_lines(options, code, muxcl_config::MUXCL_VECZ_REPORT.flag(false));
        let key = self.code_key("compile", device, code, &options);
        self.module(key, place, || Request::Compile {
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
        place: Place<'_>,
    ) -> Result<Module, Failure> {
        let key = self.cache.is_on().then(|| {
            let start = self.key("link", device).field("options", options.as_bytes());
            modules.iter().fold(start, |key, m| key.field("module", m)).finish()
        });
        self.module(key, place, || Request::Link {
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
        if let Some(entry) = key.as_ref().and_then(|k| self.cache.get(k)) {
            return Ok(entry.payload);
        }
        let Response::Elf { elf } = self.send(request(), Place::OwnThread)? else {
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

    /// The ELF with every kernel for any local size.
    ///
    /// # Errors
    /// The compiler's failure.
    pub fn generic(&self, device: &DeviceDesc, binary: &Binary) -> Result<Vec<u8>, Failure> {
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
