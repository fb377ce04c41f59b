//! Target machines, pass pipelines by name, and emission of objects to memory.
//!
//! Invariant: only requested back ends are initialised: x86 and RISC-V (AArch64 comes with its
//! target).

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;

use llvm_sys::target_machine::LLVMTargetMachineRef;
use muxcl_lock::{Mutex, Rank};

use crate::ffi::{
    self, Emission, MuxclCpuFeatures, MuxclEmissionDelete, MuxclEmissionNew, MuxclEmit,
    MuxclHostCpu, MuxclHostFeatureDelta, MuxclHostFeatures, MuxclHostTriple, MuxclRunOnFunction,
    MuxclRunPipeline, MuxclTargetNew, MuxclTimings, Text, collect, text,
};
use crate::{Function, LlvmError, Module, fatal};

/// Idle machines, kept for reuse: LLVM takes a millisecond to compute a CPU's properties.
/// Invariant: at most [`MAX_IDLE`].
static IDLE: Mutex<Vec<(TargetOptions, Machine)>> = Mutex::new(Rank::Leaf, Vec::new());
/// Enough for both back ends with every [`OptLevel`] in use; some megabytes in all.
const MAX_IDLE: usize = 8;

/// Optimisation level of code generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptLevel {
    /// Fast instruction selection.
    None,
    /// Little optimisation.
    Less,
    /// The default level.
    Default,
    /// All optimisations.
    Aggressive,
}

/// The properties of a target machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetOptions {
    /// The triple.
    pub triple: String,
    /// The CPU by LLVM's name.
    pub cpu: String,
    /// Features, `+x,-y`.
    pub features: String,
    /// Level of optimisation.
    pub level: OptLevel,
    /// True if any multiply and add may fuse; otherwise only `llvm.fmuladd` may.
    pub fast_fusion: bool,
    /// True for position-independent code.
    pub pic: bool,
    /// The calling convention by the target's name; empty: its default.
    pub abi: String,
    /// True for code and data anywhere in the address space, within 2 GiB of each other (RISC-V:
    /// `medany`).
    pub medium: bool,
}

impl TargetOptions {
    fn raw(&self) -> ffi::TargetOptions<'_> {
        ffi::TargetOptions {
            triple: Text::of(&self.triple),
            cpu: Text::of(&self.cpu),
            features: Text::of(&self.features),
            abi: Text::of(&self.abi),
            opt_level: match self.level {
                OptLevel::None => 0,
                OptLevel::Less => 1,
                OptLevel::Default => 2,
                OptLevel::Aggressive => 3,
            },
            fast_fusion: self.fast_fusion.into(),
            pic: self.pic.into(),
            medium: self.medium.into(),
        }
    }
}

/// How long a processor works on an instruction, in LLVM's scheduling model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// Cycles from the operands to the result.
    pub latency: u32,
    /// Micro-operations.
    pub operations: u32,
}

/// Looks up instructions by LLVM's names, such as `VPMULLDZrr`, in the scheduling model of an x86
/// processor. `None` if the model of the processor has no such instruction.
pub fn timings(options: &TargetOptions, names: &[&str]) -> Vec<Option<Timing>> {
    let texts: Vec<Text<'_>> = names.iter().map(|name| Text::of(name)).collect();
    let mut found = vec![ffi::Timing { latency: 0, operations: 0 }; names.len()];
    let raw = options.raw();
    // SAFETY: `found` has an entry for each name, and the options live through the call.
    unsafe { MuxclTimings(&raw const raw, texts.as_ptr(), found.as_mut_ptr(), found.len()) };
    let known = |t: &ffi::Timing| {
        let (latency, operations) = (t.latency, t.operations);
        (latency > 0 && operations > 0).then_some(Timing { latency, operations })
    };
    found.iter().map(known).collect()
}

/// A machine and the passes of its next emission.
struct Machine {
    /// Deleted after `emission`, which refers to it.
    inner: inkwell::targets::TargetMachine,
    /// Prebuilt passes for the next emission of an object.
    emission: Cell<Option<NonNull<Emission>>>,
}

// SAFETY: a machine and its passes are not tied to the thread that made them. Both are either idle
// or used through one `TargetMachine`.
unsafe impl Send for Machine {}

impl fmt::Debug for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Machine").finish_non_exhaustive()
    }
}

impl Machine {
    fn raw(&self) -> LLVMTargetMachineRef {
        self.inner.as_mut_ptr()
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        if let Some(emission) = self.emission.take() {
            // SAFETY: the passes are this machine's, and no emission has taken them.
            unsafe { MuxclEmissionDelete(emission) };
        }
    }
}

/// A target machine. One thread at a time may use it.
#[derive(Debug)]
pub struct TargetMachine {
    // `None` only after `drop` has returned the machine.
    machine: Option<Machine>,
    options: TargetOptions,
    // `&self` methods run passes: Send, but not Sync.
    _one_thread: PhantomData<Cell<()>>,
}

impl TargetMachine {
    /// Creates a machine with these options.
    ///
    /// # Errors
    /// The back end is not built in or does not know the triple.
    pub fn new(options: &TargetOptions) -> Result<Self, LlvmError> {
        fatal::install();
        let used = |machine| Self {
            machine: Some(machine),
            options: options.clone(),
            _one_thread: PhantomData,
        };
        {
            let mut idle = IDLE.lock();
            if let Some(at) = idle.iter().position(|(o, _)| o == options) {
                return Ok(used(idle.swap_remove(at).1));
            }
        }
        let raw = options.raw();
        // SAFETY: the options live through the call.
        let (machine, why) = collect(|sink| unsafe { MuxclTargetNew(&raw const raw, sink) });
        if machine.is_null() {
            return Err(LlvmError::Target(text(why)));
        }
        // SAFETY: the shim made the machine for this caller.
        let inner = unsafe { inkwell::targets::TargetMachine::new(machine) };
        Ok(used(Machine { inner, emission: Cell::new(None) }))
    }

    fn machine(&self) -> &Machine {
        match &self.machine {
            Some(machine) => machine,
            None => unreachable!("the machine is dropped"),
        }
    }

    /// The data layout of this target's modules.
    pub fn layout(&self) -> String {
        let data = self.machine().inner.get_target_data();
        data.get_data_layout().as_str().to_string_lossy().into_owned()
    }

    /// Builds the emission pass pipeline ahead of time (about 10% of emitting a small kernel).
    pub fn prepare_emission(&self) {
        let machine = self.machine();
        if machine.emission.get().is_none() {
            // SAFETY: the machine is alive, and outlives the passes.
            machine.emission.set(unsafe { MuxclEmissionNew(machine.raw()) });
        }
    }

    /// Compiles the module to an object file. Afterwards, the module may only be dropped.
    ///
    /// # Errors
    /// The target cannot write objects. Errors of code generation are in the context's diagnostics.
    pub fn emit_object(&self, module: &mut Module<'_>) -> Result<Vec<u8>, LlvmError> {
        self.emit(module, false, false)
    }

    /// [`TargetMachine::emit_object`] without loop strength reduction, the slowest pass on deep
    /// loop nests.
    ///
    /// # Errors
    /// As [`TargetMachine::emit_object`].
    pub fn emit_object_quickly(&self, module: &mut Module<'_>) -> Result<Vec<u8>, LlvmError> {
        self.emit(module, false, true)
    }

    /// Compiles the module to assembly text.
    ///
    /// # Errors
    /// As [`TargetMachine::emit_object`].
    pub fn emit_assembly(&self, module: &mut Module<'_>) -> Result<String, LlvmError> {
        Ok(text(self.emit(module, true, false)?))
    }

    /// Takes an idle, prepared machine with the same options.
    fn prepared(&self) -> Option<Self> {
        let mut idle = IDLE.lock();
        let at = idle.iter().position(|(o, m)| m.emission.get().is_some() && *o == self.options)?;
        let (options, machine) = idle.swap_remove(at);
        Some(Self { machine: Some(machine), options, _one_thread: PhantomData })
    }

    fn emit(
        &self,
        module: &mut Module<'_>,
        assembly: bool,
        no_lsr: bool,
    ) -> Result<Vec<u8>, LlvmError> {
        let ready = assembly || self.machine().emission.get().is_some();
        let other = if ready { None } else { self.prepared() };
        other.as_ref().unwrap_or(self).emit_here(module, assembly, no_lsr)
    }

    fn emit_here(
        &self,
        module: &mut Module<'_>,
        assembly: bool,
        no_lsr: bool,
    ) -> Result<Vec<u8>, LlvmError> {
        let machine = self.machine();
        let prepared = if assembly { None } else { machine.emission.take() };
        let (raw, module) = (machine.raw(), module.raw_ref());
        // SAFETY: module and machine are alive and used by this thread only, no handle of the
        // module is left, and the passes are this machine's, which the call takes.
        let (ok, bytes) = collect(|sink| unsafe {
            MuxclEmit(module, raw, prepared, assembly.into(), no_lsr.into(), sink)
        });
        if ok != 0 {
            Ok(bytes)
        } else {
            Err(LlvmError::Target("the target cannot write this kind of file".into()))
        }
    }
}

impl Drop for TargetMachine {
    fn drop(&mut self) {
        let Some(machine) = self.machine.take() else { return };
        let mut idle = IDLE.lock();
        if idle.len() < MAX_IDLE {
            idle.push((self.options.clone(), machine));
        } else {
            drop(idle);
            drop(machine);
        }
    }
}

/// Optimisations that a pipeline may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PipelineOptions {
    /// The loop vectorizer, and interleaving.
    pub loop_vectorize: bool,
    /// The SLP vectorizer.
    pub slp_vectorize: bool,
}

impl Default for PipelineOptions {
    fn default() -> Self {
        Self { loop_vectorize: true, slp_vectorize: true }
    }
}

/// Runs a pipeline in `opt -passes=` syntax. The only C functions it may introduce are memcpy,
/// memset and memmove.
///
/// # Errors
/// The pipeline text is wrong (a bug of the caller).
pub fn run_pipeline(
    module: &mut Module<'_>,
    pipeline: &str,
    machine: Option<&TargetMachine>,
    options: PipelineOptions,
) -> Result<(), LlvmError> {
    let machine = machine.map_or(std::ptr::null_mut(), |m| m.machine().raw());
    let vectorize = u32::from(options.loop_vectorize) | (u32::from(options.slp_vectorize) << 1);
    let raw = module.raw_ref();
    // SAFETY: module and machine are alive and used by this thread only, and no handle of the
    // module is left.
    let (ok, why) = collect(|sink| unsafe {
        MuxclRunPipeline(raw, Text::of(pipeline), machine, vectorize, sink)
    });
    if ok != 0 { Ok(()) } else { Err(LlvmError::Target(text(why))) }
}

/// Runs function passes, such as `sroa,simplifycfg`, on every function while handles exist.
///
/// # Errors
/// The pipeline text is wrong (a bug of the caller).
///
/// # Safety
/// The passes may delete any instruction, block or constant: the caller must not use handles of
/// these afterwards. Functions, their parameters and variables stay.
pub unsafe fn run_function_passes(module: &Module<'_>, passes: &str) -> Result<(), LlvmError> {
    let pipeline = format!("function({passes})");
    let raw = module.raw_ref();
    // SAFETY: the module is alive and used by this thread only; the caller answers for the handles.
    let (ok, why) = collect(|sink| unsafe {
        MuxclRunPipeline(raw, Text::of(&pipeline), std::ptr::null_mut(), 0, sink)
    });
    if ok != 0 { Ok(()) } else { Err(LlvmError::Target(text(why))) }
}

/// Runs function passes, such as `sroa,simplifycfg`, on one function while handles exist.
///
/// # Errors
/// The pipeline text is wrong (a bug of the caller).
///
/// # Safety
/// As [`run_function_passes`].
pub unsafe fn run_on_function(
    f: Function<'_>,
    passes: &str,
    machine: &TargetMachine,
) -> Result<(), LlvmError> {
    // SAFETY: the function is defined in a module, which is alive and used by this thread only, as
    // is the machine; the caller answers for the handles.
    let (ok, why) = collect(|sink| unsafe {
        MuxclRunOnFunction(f, Text::of(passes), machine.machine().raw(), sink)
    });
    if ok != 0 { Ok(()) } else { Err(LlvmError::Target(text(why))) }
}

/// LLVM's name of this machine's CPU.
pub fn host_cpu() -> String {
    text(collect(|sink| MuxclHostCpu(sink)).1)
}

/// LLVM's triple of this process.
pub fn host_triple() -> String {
    text(collect(|sink| MuxclHostTriple(sink)).1)
}

/// This machine's features, `+x,-y`, sorted.
pub fn host_features() -> String {
    text(collect(|sink| MuxclHostFeatures(sink)).1)
}

/// The features of a processor by LLVM's name, `+x`, sorted; `None` if `triple` has no such
/// processor.
pub fn cpu_features(triple: &str, cpu: &str) -> Option<String> {
    let list = collect(|sink| MuxclCpuFeatures(Text::of(triple), Text::of(cpu), sink)).1;
    (!list.is_empty()).then(|| text(list))
}

/// This machine's features that differ from LLVM's model of its CPU: a short list, quick to parse.
pub fn host_feature_delta() -> String {
    text(collect(|sink| MuxclHostFeatureDelta(sink)).1)
}
