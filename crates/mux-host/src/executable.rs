//! Loaded programs: an ELF object in memory and the entry points that its note names.
//!
//! Invariant: a kernel keeps its object loaded, and an object keeps the objects that it refers to
//! loaded.

use crate::counts::SharedCounts;
use crate::enqueue::child;
use crate::pace::Pace;
use crate::printf::Sink;
use crate::symbols::host_symbol;
use muxcl_elf_loader::{LoadOptions, LoadedObject, PerfMode, section_of};
use muxcl_mux::MuxError;
use muxcl_mux::target::{Cancellable, TargetExecutable, TargetKernel};
use muxcl_types::operations::OperationCounts;
use muxcl_types::sched::SchedInfo64;
use muxcl_types::variant::{Counted, ElfMeta, NOTE_SECTION, Variant};
use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A kernel's entry point. Its parameters are the packed arguments and the schedule.
pub(crate) type KernelEntry = unsafe extern "C" fn(*const u8, *const SchedInfo64);

/// The symbol of the cancellation flag (pass `cancellation-points`).
const STOP: &str = "muxcl.stop";

/// Address of the word that cancels the kernels of an object, or 0 if they are compiled without
/// cancellation points. Its holder keeps the object loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct CancellationFlag(usize);

impl CancellationFlag {
    /// The cancellation flag of an object.
    fn of(object: &LoadedObject) -> Self {
        let extent = object.symbol_extent(STOP);
        let word = extent
            .filter(|&(at, size)| size == 4 && at.is_multiple_of(4) && object.is_writable(at));
        Self(word.and_then(|(at, _)| usize::try_from(at).ok()).unwrap_or(0))
    }

    fn word(&self) -> Option<&AtomicU32> {
        let word = std::ptr::with_exposed_provenance_mut::<u32>(self.0);
        // SAFETY: `of` checked that the address is that of an aligned word among the object's
        // variables, which stay loaded while the flag is in use. Kernels and the driver access it
        // as a whole word.
        (!word.is_null()).then(|| unsafe { AtomicU32::from_ptr(word) })
    }

    /// True once the kernels are cancelled.
    pub(crate) fn is_set(self) -> bool {
        self.word().is_some_and(|word| word.load(Ordering::SeqCst) != 0)
    }
}

#[derive(Debug)]
pub(crate) struct HostExecutable {
    variants: Vec<Variant>,
    object: Arc<Loaded>,
    sink: Option<Arc<Sink>>,
}

/// An object and the objects that it refers to.
#[derive(Debug)]
struct Loaded {
    object: LoadedObject,
    stop: CancellationFlag,
    _imports: Vec<Arc<Self>>,
}

#[derive(Debug)]
pub(crate) struct HostKernel {
    pub(crate) entry: KernelEntry,
    /// The printf sink of the kernel's object; `None` if its kernels do not print.
    pub(crate) sink: Option<Arc<Sink>>,
    pub(crate) stop: CancellationFlag,
    pub(crate) pace: Pace,
    /// The counted operations of all launches, if the code counts.
    pub(crate) counts: Option<SharedCounts>,
    _object: Arc<Loaded>,
}

impl HostExecutable {
    pub(crate) fn load(
        elf: &[u8],
        imports: &[Arc<dyn TargetExecutable>],
    ) -> Result<Self, MuxError> {
        let invalid = |e: muxcl_elf_loader::LoadError| MuxError::InvalidBinary(e.to_string());
        // An object without a note contains program-scope variables only, and no kernels.
        let meta = match section_of(elf, NOTE_SECTION).map_err(invalid)? {
            Some(note) => ElfMeta::from_note(note).ok_or_else(|| {
                MuxError::InvalidBinary("damaged kernel metadata in the ELF object".into())
            })?,
            None => ElfMeta::default(),
        };
        let imports: Vec<Arc<Loaded>> = imports
            .iter()
            .filter_map(|e| e.as_any().downcast_ref::<Self>())
            .map(|e| Arc::clone(&e.object))
            .collect();
        let resolve = |name: &str| {
            imports.iter().find_map(|i| i.object.symbol(name)).or_else(|| host_symbol(name))
        };
        let options = LoadOptions { perf: perf_mode(), ..LoadOptions::default() };
        let object = LoadedObject::load(elf, &resolve, options).map_err(invalid)?;
        for variant in &meta.variants {
            match object.symbol(&variant.symbol) {
                Some(address) if object.is_code(address) => {}
                _ => {
                    let text = format!(
                        "kernel `{}` has no code (symbol `{}`)",
                        variant.kernel, variant.symbol
                    );
                    return Err(MuxError::InvalidBinary(text));
                }
            }
        }
        let stop = CancellationFlag::of(&object);
        let sink = Sink::new(&meta.printf).map(Arc::new);
        Ok(Self {
            variants: meta.variants,
            object: Arc::new(Loaded { object, stop, _imports: imports }),
            sink,
        })
    }
}

fn perf_mode() -> PerfMode {
    match muxcl_config::MUXCL_PERF.get().as_deref() {
        Some("1" | "map") => PerfMode::Map,
        Some("jitdump") => PerfMode::JitDump,
        _ => PerfMode::Off,
    }
}

impl Cancellable for Loaded {
    fn stop(&self) {
        if let Some(word) = self.stop.word() {
            word.store(1, Ordering::SeqCst);
            child::give_up(self.stop);
        }
    }
}

impl TargetExecutable for HostExecutable {
    fn variants(&self) -> &[Variant] {
        &self.variants
    }

    fn kernel(&self, index: usize) -> Result<Arc<dyn TargetKernel>, MuxError> {
        let missing = || MuxError::MissingKernel(index.to_string());
        let variant = self.variants.get(index).ok_or_else(missing)?;
        let address = self.object.object.symbol(&variant.symbol).ok_or_else(missing)?;
        let address = usize::try_from(address).map_err(|_| missing())?;
        let code = std::ptr::with_exposed_provenance::<()>(address);
        // SAFETY: `load` checked that the symbol is in the object's code; the metadata, which this
        // compiler writes, says that it is an entry point of the kernel ABI.
        let entry = unsafe { std::mem::transmute::<*const (), KernelEntry>(code) };
        let object = Arc::clone(&self.object);
        Ok(Arc::new(HostKernel {
            entry,
            sink: self.sink.clone(),
            stop: object.stop,
            pace: Pace::default(),
            counts: (variant.counts != Counted::None).then(SharedCounts::default),
            _object: object,
        }))
    }

    fn cancellable(&self) -> Option<Arc<dyn Cancellable>> {
        let object: Arc<dyn Cancellable> = self.object.clone();
        self.object.stop.word().map(|_| object)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl TargetKernel for HostKernel {
    fn take_counts(&self) -> OperationCounts {
        self.counts.as_ref().map(SharedCounts::take).unwrap_or_default()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
