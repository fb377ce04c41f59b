//! The host's instruction set, and the fixed pieces of code between Rust and translated code.
//!
//! Translated code uses Cranelift's calling convention for tail calls: the arguments are the hart
//! and the number of instructions that it may still retire, and the result is a [`Status`].
//! Functions of `rv-sim` are called through pieces that preserve all registers, so that rare calls
//! do not slow down the code around them.

use crate::arena::Arena;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{
    AbiParam, Function, InstBuilder as _, MemFlagsData, Signature, Type, UserFuncName, types,
};
use cranelift_codegen::isa::{CallConv, OwnedTargetIsa};
use cranelift_codegen::settings::{self, Configurable as _};
use cranelift_codegen::{Context, ir};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use muxcl_os::reserve::{self, Outcome};
use muxcl_rv_sim::Hart;
use muxcl_rv_sim::native::Offsets;
use std::thread::Builder;

/// Bytes of the stack on which Cranelift runs.
const STACK: usize = 8 << 20;

/// Why the translator cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JitError {
    /// No code can be generated for this processor.
    #[error("no translation for this processor: {0}")]
    Host(String),
    /// Cranelift does not compile a function.
    #[error("a function is not compiled: {0}")]
    Compile(String),
    /// The system has no executable memory.
    #[error("no executable memory: {0}")]
    Memory(#[from] muxcl_os::OsError),
}

/// Why translated code ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub(crate) enum Status {
    /// The pc has no known translation.
    Continue = 0,
    /// No instruction may be retired any more.
    Limit = 1,
    /// The instruction at the pc trapped.
    Fault = 2,
    /// The interpreter executes the block at the pc.
    Interpret = 3,
    /// A floating-point register is not of the format that the region expects.
    Format = 4,
    /// The code at the pc is not known, and the link that was followed can lead to it.
    Unlinked = 5,
    /// `vl` is not the largest one. The interpreter executes the rest of the block.
    Length = 6,
    /// The addresses of several accesses are not all where they are expected. The interpreter
    /// executes the rest of the block.
    Outside = 7,
}

impl Status {
    fn of(value: u64) -> Self {
        match value {
            0 => Self::Continue,
            1 => Self::Limit,
            2 => Self::Fault,
            3 => Self::Interpret,
            4 => Self::Format,
            5 => Self::Unlinked,
            6 => Self::Length,
            _ => Self::Outside,
        }
    }
}

/// Addresses of the fixed pieces of code.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pieces {
    enter: *const u8,
    /// The target of a link that is not known.
    pub(crate) unlinked: *const u8,
    /// Call [`Hart::native_load`], [`Hart::native_store`] and [`Hart::native_execute`].
    pub(crate) functions: [usize; 3],
}

// SAFETY: the pieces are code that no one changes.
unsafe impl Send for Pieces {}
// SAFETY: as above.
unsafe impl Sync for Pieces {}

extern "C" fn load(hart: &mut Hart) {
    // SAFETY: only translated code calls this, which sets the site.
    unsafe { hart.native_load() };
}

extern "C" fn store(hart: &mut Hart) {
    // SAFETY: as above.
    unsafe { hart.native_store() };
}

extern "C" fn execute(hart: &mut Hart) {
    // SAFETY: as above.
    unsafe { hart.native_execute() };
}

/// The functions that translated code calls, in the order of [`Offsets::PIECES`]. Their operands
/// are in the hart, so that a call needs no registers.
const FUNCTIONS: [extern "C" fn(&mut Hart); 3] = [load, store, execute];

/// Flags of an access to the hart.
pub(crate) const HART: MemFlagsData = MemFlagsData::trusted();

/// Flags of an access to a part of the hart that does not change while translated code runs.
pub(crate) const FIXED: MemFlagsData = HART.with_readonly().with_can_move();

/// The signature of translated code.
pub(crate) fn code_signature() -> Signature {
    signature(CallConv::Tail, &[types::I64; 2], true)
}

/// The signature of the pieces that call functions, which preserve all registers.
pub(crate) fn piece_signature() -> Signature {
    signature(CallConv::PreserveAll, &[types::I64], false)
}

fn signature(convention: CallConv, arguments: &[Type], result: bool) -> Signature {
    let mut signature = Signature::new(convention);
    signature.params.extend(arguments.iter().map(|t| AbiParam::new(*t)));
    if result {
        signature.returns.push(AbiParam::new(types::I64));
    }
    signature
}

/// A compiler for this processor.
pub(crate) struct Host {
    isa: OwnedTargetIsa,
    context: Context,
    builder: FunctionBuilderContext,
    /// Whether the processor has fused multiply-add instructions.
    pub(crate) fused: bool,
}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Host").field("isa", &self.isa.triple().to_string()).finish_non_exhaustive()
    }
}

impl Host {
    /// A compiler, which with `verify` checks its input: for tests.
    pub(crate) fn new(verify: bool) -> Result<Self, JitError> {
        let wrong = |e: settings::SetError| JitError::Host(e.to_string());
        let mut flags = settings::builder();
        for (name, value) in [
            ("opt_level", "speed"),
            // A load of guest memory is never merged with an earlier one: another hart may write.
            ("enable_alias_analysis", "false"),
            ("enable_verifier", if verify { "true" } else { "false" }),
            ("preserve_frame_pointers", "true"),
            ("unwind_info", "false"),
        ] {
            flags.set(name, value).map_err(wrong)?;
        }
        let builder = cranelift_native::builder().map_err(|e| JitError::Host(e.to_owned()))?;
        let isa = builder
            .finish(settings::Flags::new(flags))
            .map_err(|e| JitError::Host(e.to_string()))?;
        #[cfg(target_arch = "x86_64")]
        let fused = std::arch::is_x86_feature_detected!("fma");
        #[cfg(not(target_arch = "x86_64"))]
        let fused = true;
        Ok(Self { isa, context: Context::new(), builder: FunctionBuilderContext::new(), fused })
    }

    /// Runs `work` on a thread of its own: the caller's may be one of the application's, with a
    /// small stack.
    pub(crate) fn on_thread<R: Send>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<R, JitError> + Send,
    ) -> Result<R, JitError> {
        let thread = Builder::new().name("refsi-jit".to_owned()).stack_size(STACK);
        let failed = |text: &str| JitError::Compile(text.to_owned());
        match reserve::on_thread(thread, || work(self)) {
            Ok(Outcome::Returned(result)) => result,
            Ok(Outcome::Panicked(_)) => {
                (self.context, self.builder) = (Context::new(), FunctionBuilderContext::new());
                Err(failed("Cranelift panicked"))
            }
            Ok(Outcome::Abandoned(reason)) => {
                // The thread has stopped in the middle of something.
                std::mem::forget(std::mem::replace(&mut self.context, Context::new()));
                let new = FunctionBuilderContext::new();
                std::mem::forget(std::mem::replace(&mut self.builder, new));
                Err(failed(&reason))
            }
            Err(error) => Err(failed(&error.to_string())),
        }
    }

    /// Compiles the function that `build` makes.
    pub(crate) fn compile(
        &mut self,
        signature: Signature,
        build: impl FnOnce(&mut FunctionBuilder<'_>),
    ) -> Result<Vec<u8>, JitError> {
        self.context.clear();
        self.context.func = Function::with_name_signature(UserFuncName::default(), signature);
        let mut b = FunctionBuilder::new(&mut self.context.func, &mut self.builder);
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        build(&mut b);
        b.seal_all_blocks();
        b.finalize(self.isa.frontend_config());
        let code = self
            .context
            .compile(&*self.isa, &mut ControlPlane::default())
            .map_err(|e| JitError::Compile(format!("{:?}", e.inner)))?;
        if code.buffer.relocs().is_empty() {
            Ok(code.buffer.data().to_vec())
        } else {
            Err(JitError::Compile("it calls a library function".to_owned()))
        }
    }

    /// Compiles the fixed pieces.
    pub(crate) fn pieces(&mut self, arena: &mut Arena) -> Result<Pieces, JitError> {
        self.on_thread(|host| host.pieces_here(arena))
    }

    fn pieces_here(&mut self, arena: &mut Arena) -> Result<Pieces, JitError> {
        // (hart, code, budget) -> status
        let code = self.compile(signature(CallConv::SystemV, &[types::I64; 3], true), |b| {
            let entry = parameters(b);
            let callee = b.import_signature(code_signature());
            let call = b.ins().call_indirect(callee, entry[1], &[entry[0], entry[2]]);
            let status = b.inst_results(call)[0];
            b.ins().return_(&[status]);
        })?;
        let enter = arena.add(&code)?;
        let code = self.compile(code_signature(), |b| {
            let entry = parameters(b);
            b.ins().store(HART, entry[1], entry[0], offset(Offsets::BUDGET));
            let status = b.ins().iconst(types::I64, Status::Unlinked as i64);
            b.ins().return_(&[status]);
        })?;
        let unlinked = arena.add(&code)?;
        let mut functions = [0; 3];
        for (k, function) in FUNCTIONS.into_iter().enumerate() {
            let code = self.compile(piece_signature(), |b| {
                let entry = parameters(b);
                let wanted = signature(CallConv::SystemV, &[types::I64], false);
                let callee = b.import_signature(wanted);
                let function = address(b, function as usize);
                b.ins().call_indirect(callee, function, &entry);
                b.ins().return_(&[]);
            })?;
            functions[k] = arena.add(&code)?.addr();
        }
        Ok(Pieces { enter, unlinked, functions })
    }
}

impl Pieces {
    /// Runs translated code until it ends.
    ///
    /// # Safety
    /// `code` is translated code for harts of this kind, which stays mapped during the call, and
    /// `budget` is a positive number of 63 bits.
    pub(crate) unsafe fn enter(&self, hart: &mut Hart, code: *const u8, budget: u64) -> Status {
        type Enter = extern "C" fn(&mut Hart, *const u8, i64) -> u64;
        // SAFETY: the piece was compiled with this signature.
        let enter = unsafe { std::mem::transmute::<*const u8, Enter>(self.enter) };
        Status::of(enter(hart, code, budget.cast_signed()))
    }
}

fn parameters(b: &FunctionBuilder<'_>) -> Vec<ir::Value> {
    let entry = b.current_block().unwrap_or(ir::Block::from_u32(0));
    b.block_params(entry).to_vec()
}

/// An offset in a hart as Cranelift wants it.
pub(crate) fn offset(bytes: usize) -> i32 {
    i32::try_from(bytes).unwrap_or(i32::MAX)
}

/// A constant address.
pub(crate) fn address(b: &mut FunctionBuilder<'_>, address: usize) -> ir::Value {
    b.ins().iconst(types::I64, address as i64)
}
