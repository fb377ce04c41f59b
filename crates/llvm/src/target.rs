//! Target machines, pass pipelines by name, and emission of objects to memory.
//!
//! Invariant: only the back ends asked for are initialised: x86 and RISC-V (AArch64 comes with its
//! target).

use std::cell::Cell;
use std::ffi::c_void;
use std::marker::PhantomData;

use muxcl_lock::{Mutex, Rank};

use crate::ffi::{
    MuxclEmissionDelete, MuxclEmissionNew, MuxclEmit, MuxclHostCpu, MuxclHostFeatureDelta,
    MuxclHostFeatures, MuxclHostTriple, MuxclRunPipeline, MuxclTargetDelete, MuxclTargetLayout,
    MuxclTargetNew, RawTargetOptions, append, collect, cstr, poisoned, text,
};
use crate::{LlvmError, Module};

/// Machines nobody uses: what they know of a CPU takes LLVM a millisecond to find out. Few, and
/// never freed.
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

/// LLVM's objects.
#[derive(Debug)]
struct Machine {
    raw: *mut c_void,
    /// The passes of the next emission of an object, if they are made already; else null.
    emission: Cell<*mut c_void>,
}

// SAFETY: neither has ties to the thread that made it; both are used through one `TargetMachine`,
// or are idle.
unsafe impl Send for Machine {}

impl Machine {
    fn delete(&self) {
        ll!(MuxclEmissionDelete(self.emission.take()));
        ll!(MuxclTargetDelete(self.raw));
    }
}

/// A target machine. May be used by one thread at a time.
#[derive(Debug)]
pub struct TargetMachine {
    machine: Machine,
    options: TargetOptions,
    // `&self` methods run passes: Send, but not Sync.
    _one_thread: PhantomData<Cell<()>>,
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
        if tm.is_null() {
            return Err(LlvmError::Target(text(bytes)));
        }
        Ok(used(Machine { raw: tm, emission: Cell::new(std::ptr::null_mut()) }))
    }

    /// The data layout modules of this target have.
    pub fn layout(&self) -> String {
        text(collect(|sink, ctx| ll!(MuxclTargetLayout(self.machine.raw, sink, ctx))).1)
    }

    /// Makes the passes that write the next object, which takes a tenth of a small kernel's
    /// emission: for who has the time now.
    ///
    /// # Errors
    /// Memory ended.
    pub fn prepare_emission(&self) -> Result<(), LlvmError> {
        if !self.machine.emission.get().is_null() {
            return Ok(());
        }
        let (made, error) = collect(|sink, ctx| ll!(MuxclEmissionNew(self.machine.raw, sink, ctx)));
        self.machine.emission.set(made);
        if error.is_empty() { Ok(()) } else { Err(LlvmError::Target(text(error))) }
    }

    /// Compiles the module to an object file. The module is not usable afterwards but for dropping.
    ///
    /// # Errors
    /// The target cannot write it. Errors of code generation are in the context's diagnostics.
    pub fn emit_object(&self, module: &Module<'_>) -> Result<Vec<u8>, LlvmError> {
        self.emit(module, false, false)
    }

    /// [`TargetMachine::emit_object`] without loop strength reduction, the slowest pass on deep
    /// loop nests.
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

    /// An idle machine with the same options that is prepared.
    fn prepared(&self) -> Option<Self> {
        let mut idle = IDLE.lock();
        let at =
            idle.iter().position(|(o, m)| !m.emission.get().is_null() && *o == self.options)?;
        let (options, machine) = idle.swap_remove(at);
        Some(Self { machine, options, _one_thread: PhantomData })
    }

    fn emit(
        &self,
        module: &Module<'_>,
        assembly: bool,
        no_lsr: bool,
    ) -> Result<Vec<u8>, LlvmError> {
        let other =
            if assembly || !self.machine.emission.get().is_null() { None } else { self.prepared() };
        other.as_ref().unwrap_or(self).emit_here(module, assembly, no_lsr)
    }

    fn emit_here(
        &self,
        module: &Module<'_>,
        assembly: bool,
        no_lsr: bool,
    ) -> Result<Vec<u8>, LlvmError> {
        let mut error: Vec<u8> = Vec::new();
        let error_ctx: *mut Vec<u8> = &raw mut error;
        let prepared = if assembly { std::ptr::null_mut() } else { self.machine.emission.take() };
        let (ok, bytes) = collect(|sink, ctx| {
            ll!(MuxclEmit(
                module.raw_ref(),
                self.machine.raw,
                prepared,
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
        let emission = Cell::new(self.machine.emission.take());
        let machine = Machine { raw: self.machine.raw, emission };
        let mut idle = IDLE.lock();
        if idle.len() < MAX_IDLE {
            idle.push((self.options.clone(), machine));
        } else {
            drop(idle);
            machine.delete();
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

/// Runs a pipeline in `opt -passes=` syntax. The only C functions it may introduce are memcpy,
/// memset and memmove.
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
    let tm = machine.map_or(std::ptr::null_mut(), |m| m.machine.raw);
    let vectorize = u32::from(options.loop_vectorize) | (u32::from(options.slp_vectorize) << 1);
    let (ok, bytes) = collect(|sink, ctx| {
        ll!(MuxclRunPipeline(module.raw_ref(), p.as_ptr(), tm, vectorize, 0, sink, ctx))
    });
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

/// The same, but only where this machine differs from LLVM's model of its CPU: short, and quickly
/// parsed.
pub fn host_feature_delta() -> String {
    text(collect(|sink, ctx| ll!(MuxclHostFeatureDelta(sink, ctx))).1)
}
