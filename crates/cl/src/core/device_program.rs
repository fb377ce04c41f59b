//! A program built for one device: its kernels' metadata, its program-scope variables, and its
//! kernels' variants.
//!
//! A kernel is compiled for a [`SpecializationKey`] at the first launch with that key
//! ([`DeviceProgram::specialise`]), and only once even if several threads need it. After `MANY`
//! local sizes the variant for any local size is used. If the compiler is missing or fails, a
//! program from a binary runs the machine code of that binary, which is for any local size.
//!
//! Invariants: program-scope variables are loaded once and all variants share them; constructors
//! of program-scope objects have run before a kernel of the program is launched. Not here: build
//! options and logs (`program`).

use std::collections::BTreeMap;
use std::sync::Arc;

use muxcl_cache::Key;
use muxcl_compiler_abi::FailureKind;
use muxcl_lock::{Mutex, Rank};
use muxcl_mux::{ArgBlock, Dispatch, Executable, Fence, Kernel, Launch, MuxError, NdRange};
use muxcl_types::container::Binary;
use muxcl_types::pack::{self, PackedLayout};
use muxcl_types::program::KernelInfo;
use muxcl_types::variant::{KnownWords, SpecializationKey};
use once_cell::sync::OnceCell;

use super::context::Context;
use super::device::Device;
use crate::compiler_client::{self, Client};
use crate::error::{ClError, ClResult};

/// Maximum number of variants of a kernel for specific local sizes. Each costs compile time and
/// memory.
const MANY: usize = 48;
/// Maximum number of variants of a kernel for specific image formats and samplers. Further launches
/// use a variant for any format and sampler.
const MANY_WORDS: usize = 8;

type VariantCell = Arc<OnceCell<Kernel>>;

/// A program built for one device.
#[derive(Debug)]
pub struct DeviceProgram {
    device: Arc<Device>,
    binary: Arc<Binary>,
    layouts: Vec<Arc<PackedLayout>>,
    /// True if the application passed the container and it has machine code. That code runs if a
    /// variant cannot be compiled.
    has_own_code: bool,
    /// The program's key in the disk cache.
    key: OnceCell<Key>,
    globals: OnceCell<Vec<Executable>>,
    /// The launch that runs the constructors of program-scope objects; `None` without any.
    constructed: OnceCell<Option<Fence>>,
    /// The variants in `binary.elf`.
    generic: OnceCell<Option<Executable>>,
    variants: Mutex<BTreeMap<(usize, SpecializationKey), VariantCell>>,
}

fn load_error(error: &MuxError) -> ClError {
    match error {
        MuxError::OutOfMemory => ClError::OUT_OF_HOST_MEMORY,
        MuxError::InvalidBinary(_) | MuxError::MissingKernel(_) => {
            ClError::INVALID_PROGRAM_EXECUTABLE
        }
        _ => ClError::OUT_OF_RESOURCES,
    }
}

fn failure_error(kind: FailureKind) -> ClError {
    match kind {
        FailureKind::Resources => ClError::OUT_OF_RESOURCES,
        FailureKind::Module => ClError::INVALID_PROGRAM_EXECUTABLE,
        _ => ClError::OUT_OF_HOST_MEMORY,
    }
}

impl DeviceProgram {
    /// Creates the program of a container. Loads no code yet.
    #[must_use]
    pub fn new(device: Arc<Device>, binary: Arc<Binary>, from_binary: bool) -> Self {
        let word = device.info().address_bits / 8;
        let layouts =
            binary.info.kernels.iter().map(|k| Arc::new(pack::layout(&k.args, word))).collect();
        Self {
            has_own_code: from_binary && !binary.elf.is_empty(),
            device,
            layouts,
            binary,
            key: OnceCell::new(),
            globals: OnceCell::new(),
            constructed: OnceCell::new(),
            generic: OnceCell::new(),
            variants: Mutex::new(Rank::Compiler, BTreeMap::new()),
        }
    }

    /// The device of the program.
    #[must_use]
    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }

    /// The container.
    #[must_use]
    pub fn binary(&self) -> &Arc<Binary> {
        &self.binary
    }

    /// The kernels in source order, without the one that runs the constructors.
    #[must_use]
    pub fn kernels(&self) -> &[KernelInfo] {
        self.binary.info.visible_kernels()
    }

    /// The layout of kernel `index`'s arguments.
    #[must_use]
    pub fn layout(&self, index: usize) -> Option<&Arc<PackedLayout>> {
        self.layouts.get(index)
    }

    fn key(&self, client: &Client) -> &Key {
        self.key.get_or_init(|| client.program_key(&self.binary))
    }

    /// Executables with the program-scope variables that the kernels use.
    fn globals(&self, context: &Context) -> ClResult<&Vec<Executable>> {
        self.globals.get_or_try_init(|| {
            // On a HAL device every ELF is self-contained.
            if self.binary.globals_elf.is_empty() || self.device.desc().hal.is_some() {
                return Ok(Vec::new());
            }
            let loaded = self.device.mux().create_executable(&self.binary.globals_elf, &[]);
            loaded.map(|e| vec![e]).map_err(|e| {
                context.report(&format!("program-scope variables: {e}"));
                load_error(&e)
            })
        })
    }

    fn load(&self, context: &Context, elf: &[u8]) -> ClResult<Executable> {
        let executable =
            self.device.mux().create_executable(elf, self.globals(context)?).map_err(|e| {
                context.report(&format!("loading a kernel: {e}"));
                load_error(&e)
            })?;
        if let Some(termination) = context.termination() {
            termination.loaded(&executable)?;
        }
        Ok(executable)
    }

    /// True on a HAL device if the program has program-scope variables: every ELF there is
    /// self-contained, so one ELF holds all kernels.
    fn shares_variables(&self) -> bool {
        self.device.desc().hal.is_some() && self.binary.info.global_variable_bytes != 0
    }

    /// The variant of kernel `index` for `key`. Compiles it if it does not exist yet. The
    /// program's constructors have run.
    ///
    /// # Errors
    /// `CL_OUT_OF_RESOURCES` if the kernel needs more than the device has, `CL_OUT_OF_HOST_MEMORY`,
    /// `CL_INVALID_PROGRAM_EXECUTABLE` if no variant can be found or compiled.
    pub fn specialise(
        &self,
        context: &Context,
        index: usize,
        key: SpecializationKey,
    ) -> ClResult<Kernel> {
        self.construct(context)?;
        self.variant(context, index, key)
    }

    /// Runs the constructors of program-scope objects, once, and waits for their end.
    ///
    /// The wait is outside of the cell's initialisation: it may run commands whose destructor
    /// callbacks launch a kernel of this program.
    fn construct(&self, context: &Context) -> ClResult<()> {
        if !self.binary.info.has_constructors {
            return Ok(());
        }
        let fence = self.constructed.get_or_try_init(|| self.begin_constructors(context))?;
        let Some(fence) = fence.as_ref().filter(|fence| !fence.is_signalled()) else {
            return Ok(());
        };
        fence.wait(self.device.mux().queue(), None).map_err(|error| {
            context.report(&format!("constructors of program-scope objects: {error}"));
            ClError::OUT_OF_RESOURCES
        })
    }

    fn begin_constructors(&self, context: &Context) -> ClResult<Option<Fence>> {
        let Some(index) = self.binary.info.kernels.len().checked_sub(1) else { return Ok(None) };
        let layout = self.layout(index).ok_or(ClError::INVALID_PROGRAM_EXECUTABLE)?;
        let key = SpecializationKey {
            local_size: Some([1; 3]),
            zero_offset: true,
            uniform: true,
            ..SpecializationKey::default()
        };
        let kernel = self.variant(context, index, key)?;
        let word = usize::try_from(self.device.info().address_bits / 8).unwrap_or(8);
        let launch = Launch {
            kernel,
            args: Arc::new(ArgBlock::new(Arc::clone(layout), word)),
            range: NdRange { work_dim: 1, offset: [0; 3], global: [1; 3], local: [1; 3] },
            default_queue: None,
        };
        let fence = Fence::new();
        let mux = self.device.mux();
        let mut commands = mux.create_command_buffer();
        commands
            .nd_range(launch)
            .and_then(|_| commands.finalise())
            .and_then(|()| {
                let dispatch = Dispatch { fence: Some(&fence), ..Dispatch::default() };
                mux.queue().dispatch(&commands, dispatch)
            })
            .map_err(|error| load_error(&error))?;
        Ok(Some(fence))
    }

    fn variant(
        &self,
        context: &Context,
        index: usize,
        mut key: SpecializationKey,
    ) -> ClResult<Kernel> {
        let (slot, key) = {
            let mut variants = self.variants.lock();
            if !variants.contains_key(&(index, key)) {
                let known = || {
                    let all = variants.range((index, SpecializationKey::default())..);
                    all.map(|(key, _)| key).take_while(|k| k.0 == index)
                };
                if known().count() >= MANY {
                    key.local_size = None;
                }
                if known().filter(|k| !k.1.words.is_empty()).count() >= MANY_WORDS {
                    key.words = KnownWords::NONE;
                }
            }
            (Arc::clone(variants.entry((index, key)).or_default()), key)
        };
        slot.get_or_try_init(|| self.make(context, index, key)).cloned()
    }

    fn make(&self, context: &Context, index: usize, key: SpecializationKey) -> ClResult<Kernel> {
        let info = self.binary.info.kernels.get(index).ok_or(ClError::INVALID_KERNEL)?;
        let client = compiler_client::client();
        let desc = &*context.desc(&self.device);
        if self.shares_variables() {
            return self
                .in_elf(context, &info.name, &key)?
                .ok_or(ClError::INVALID_PROGRAM_EXECUTABLE);
        }
        let failure = match client.filter(|_| !self.binary.bitcode.is_empty()) {
            Some(client) => {
                match client.specialise(desc, &self.binary, self.key(client), &info.name, &key) {
                    Ok(elf) => {
                        let kernel = self.load(context, &elf)?.create_kernel(&info.name, &key);
                        return kernel.map_err(|e| load_error(&e));
                    }
                    Err(failure) => Some(failure),
                }
            }
            None => None,
        };
        if (self.has_own_code || failure.is_none())
            && let Some(kernel) = self.in_elf(context, &info.name, &key)?
        {
            return Ok(kernel);
        }
        let failure = failure.ok_or(ClError::INVALID_PROGRAM_EXECUTABLE)?;
        context.report(&format!("kernel {}: {}", info.name, failure.log));
        Err(failure_error(failure.kind))
    }

    /// The variant of kernel `name` in the code for all kernels. This is the container's code if it
    /// meets the context's requirements; else it is compiled if the kernels share program-scope
    /// variables. `None` without such code.
    fn in_elf(
        &self,
        context: &Context,
        name: &str,
        key: &SpecializationKey,
    ) -> ClResult<Option<Kernel>> {
        let generic = self.generic.get_or_try_init(|| {
            // Code from another context may lack features that this context requires.
            if !self.binary.elf.is_empty()
                && self.binary.info.requirements.meet(context.requirements())
            {
                return self.load(context, &self.binary.elf).map(Some);
            }
            match compiler_client::client() {
                Some(client) if self.shares_variables() => {
                    let elf = client.generic(&context.desc(&self.device), &self.binary).map_err(
                        |failure| {
                            context.report(&format!("the program's kernels: {}", failure.log));
                            failure_error(failure.kind)
                        },
                    )?;
                    self.load(context, &elf).map(Some)
                }
                _ => Ok(None),
            }
        })?;
        match generic {
            Some(executable) => {
                executable.create_kernel(name, key).map(Some).map_err(|e| load_error(&e))
            }
            None => Ok(None),
        }
    }
}
