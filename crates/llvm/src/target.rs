//! Target machines, pass pipelines by name, and emission of objects to memory.
//!
//! Invariant: only the back ends asked for are initialised: x86 and RISC-V (AArch64 comes with its target).

use std::ffi::c_void;
use std::marker::PhantomData;

use muxcl_lock::{Mutex, Rank};

use crate::ffi::{
    MuxclEmit, MuxclHostCpu, MuxclHostFeatureDelta, MuxclHostFeatures, MuxclHostTriple, MuxclRunPipeline,
    MuxclTargetDelete, MuxclTargetLayout, MuxclTargetNew, RawTargetOptions, append, collect, cstr, poisoned, text,
};
use crate::{LlvmError, Module};

/// Machines nobody uses: what they know of a CPU takes LLVM a millisecond to find out. Few, and never freed.
static IDLE: Mutex<Vec<(TargetOptions, Machine)>> = Mutex::new(Rank::Leaf, Vec::new());
const MAX_IDLE: usize = 8;

/// How much work code generation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptLevel {
    /// Fast instruction selection.
    None,
    /// A little.
    Less,
    /// The usual.
    Default,
    /// All.
    Aggressive,
}

/// What to make a target machine for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetOptions {
    /// The triple.
    pub triple: String,
    /// The CPU by LLVM's name.
    pub cpu: String,
    /// Features, `+x,-y`.
    pub features: String,
    /// Effort of code generation.
    pub level: OptLevel,
    /// Whether any multiply and add may fuse (else only `llvm.fmuladd`).
    pub fast_fusion: bool,
    /// Position-independent code.
    pub pic: bool,
    /// The calling convention by the target's name; empty: its default.
    pub abi: String,
    /// Code and data lie anywhere, within 2 GiB of each other (RISC-V: `medany`).
    pub medium: bool,
}

/// LLVM's object.
#[derive(Debug, Clone, Copy)]
struct Machine(*mut c_void);

// SAFETY: a machine has no ties to the thread that made it; it is used through one `TargetMachine`, or is idle.
unsafe impl Send for Machine {}

/// A target machine. May be used by one thread at a time.
#[derive(Debug)]
pub struct TargetMachine {
    machine: Machine,
    options: TargetOptions,
    // `&self` methods run passes: Send, but not Sync.
    _one_thread: PhantomData<std::cell::Cell<()>>,
}

impl TargetMachine {
    /// A machine for these options.
    ///
    /// # Errors
    /// The back end is not built in or does not know the triple.
    pub fn new(options: &TargetOptions) -> Result<Self, LlvmError> {
        let used = |machine| Self { machine, options: options.clone(), _one_thread: PhantomData };
        {
            let mut idle = IDLE.lock();
            if let Some(at) = idle.iter().position(|(o, _)| o == options) {
                return Ok(used(idle.swap_remove(at).1));
            }
        }
        let triple = cstr(&options.triple);
        let cpu = cstr(&options.cpu);
        let features = cstr(&options.features);
        let abi = cstr(&options.abi);
        let raw = RawTargetOptions {
            triple: triple.as_ptr(),
            cpu: cpu.as_ptr(),
            features: features.as_ptr(),
            opt_level: match options.level {
                OptLevel::None => 0,
                OptLevel::Less => 1,
                OptLevel::Default => 2,
                OptLevel::Aggressive => 3,
            },
            fast_fusion: options.fast_fusion.into(),
            pic: options.pic.into(),
            abi: abi.as_ptr(),
            medium: options.medium.into(),
        };
        let (tm, bytes) = collect(|sink, ctx| ll!(MuxclTargetNew(&raw const raw, sink, ctx)));
        if tm.is_null() { Err(LlvmError::Target(text(bytes))) } else { Ok(used(Machine(tm))) }
    }

    /// The data layout modules of this target have.
    pub fn layout(&self) -> String {
        text(collect(|sink, ctx| ll!(MuxclTargetLayout(self.machine.0, sink, ctx))).1)
    }

    /// Compiles the module to an object file. The module is not usable afterwards but for dropping.
    ///
    /// # Errors
    /// The target cannot write it. Errors of code generation are in the context's diagnostics.
    pub fn emit_object(&self, module: &Module<'_>) -> Result<Vec<u8>, LlvmError> {
        self.emit(module, false, false)
    }

    /// [`TargetMachine::emit_object`] without loop strength reduction, the slowest pass on deep loop nests.
    ///
    /// # Errors
    /// As [`TargetMachine::emit_object`].
    pub fn emit_object_quickly(&self, module: &Module<'_>) -> Result<Vec<u8>, LlvmError> {
        self.emit(module, false, true)
    }

    /// Compiles the module to assembly text.
    ///
    /// # Errors
    /// As [`TargetMachine::emit_object`].
    pub fn emit_assembly(&self, module: &Module<'_>) -> Result<String, LlvmError> {
        Ok(text(self.emit(module, true, false)?))
    }

    fn emit(&self, module: &Module<'_>, assembly: bool, no_lsr: bool) -> Result<Vec<u8>, LlvmError> {
        let mut error: Vec<u8> = Vec::new();
        let error_ctx: *mut Vec<u8> = &raw mut error;
        let (ok, bytes) = collect(|sink, ctx| {
            ll!(MuxclEmit(
                module.raw_ref(),
                self.machine.0,
                assembly.into(),
                no_lsr.into(),
                sink,
                ctx,
                append,
                error_ctx.cast()
            ))
        });
        if ok != 0 { Ok(bytes) } else { Err(LlvmError::Target(text(error))) }
    }
}

impl Drop for TargetMachine {
    fn drop(&mut self) {
        if poisoned() {
            return; // in no known state: leaked
        }
        let mut idle = IDLE.lock();
        if idle.len() < MAX_IDLE {
            idle.push((self.options.clone(), self.machine));
        } else {
            drop(idle);
            ll!(MuxclTargetDelete(self.machine.0));
        }
    }
}

/// What a pipeline may do.
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

/// Runs a pipeline in `opt -passes=` syntax. The only C functions it may introduce are memcpy, memset and memmove.
///
/// # Errors
/// The pipeline text is wrong (a bug of the caller).
pub fn run_pipeline(
    module: &Module<'_>,
    pipeline: &str,
    machine: Option<&TargetMachine>,
    options: PipelineOptions,
) -> Result<(), LlvmError> {
    let p = cstr(pipeline);
    let tm = machine.map_or(std::ptr::null_mut(), |m| m.machine.0);
    let vectorize = u32::from(options.loop_vectorize) | (u32::from(options.slp_vectorize) << 1);
    let (ok, bytes) =
        collect(|sink, ctx| ll!(MuxclRunPipeline(module.raw_ref(), p.as_ptr(), tm, vectorize, 0, sink, ctx)));
    if ok != 0 { Ok(()) } else { Err(LlvmError::Target(text(bytes))) }
}

/// LLVM's name of this machine's CPU.
pub fn host_cpu() -> String {
    text(collect(|sink, ctx| ll!(MuxclHostCpu(sink, ctx))).1)
}

/// LLVM's triple of this process.
pub fn host_triple() -> String {
    text(collect(|sink, ctx| ll!(MuxclHostTriple(sink, ctx))).1)
}

/// This machine's features, `+x,-y`, sorted.
pub fn host_features() -> String {
    text(collect(|sink, ctx| ll!(MuxclHostFeatures(sink, ctx))).1)
}

/// The same, but only where this machine differs from LLVM's model of its CPU: short, and quickly parsed.
pub fn host_feature_delta() -> String {
    text(collect(|sink, ctx| ll!(MuxclHostFeatureDelta(sink, ctx))).1)
}
