//! `known-words`: image formats and samplers become constants in a kernel compiled for them.
//!
//! Functions of the library decode and filter pixels of any format out of line. With a constant
//! format, little of such a function remains, so the kernel inlines it, and lanes can run it.
//!
//! Invariant: a load from a descriptor, or an argument, is replaced only if the key has the word at
//! exactly its offset. Not here: the choice of the words (`cl`), and the proof that a launch has
//! these values (`mux`).

use std::collections::BTreeMap;

use muxcl_llvm::{Function, Linkage, Module, Opcode, TargetMachine, Type, Value, run_on_function};
use muxcl_types::pack;
use muxcl_types::program::{ArgKind, KernelInfo};
use muxcl_types::variant::KnownWords;

use crate::PassError;

/// Functions of the library that depend on the format or the sampler.
const FUNCTIONS: [&str; 3] = ["__muxcl_fetch_", "__muxcl_store_", "__muxcl_linear"];
/// Passes after which constants have removed all code of other formats.
const FOLD: &str = "sccp,simplifycfg,instcombine<no-verify-fixpoint>,simplifycfg";
/// A copy with more instructions is called, and not inlined.
const LARGEST_INLINED: usize = 160;
/// The number of instructions by which a kernel may grow.
const GROWTH: usize = 6000;

/// A parameter's known content.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Known {
    Unknown,
    /// The value of an integer parameter.
    Value(u32),
    /// Words behind a pointer parameter, by their offsets in bytes.
    Words(BTreeMap<i64, u32>),
}

/// Runs the pass on one kernel, whose pointers have `word` bytes.
///
/// # Errors
/// A pass of LLVM fails.
pub fn run<'m>(
    module: &'m Module<'_>,
    kernel: Function<'m>,
    info: &KernelInfo,
    word: u32,
    words: &KnownWords,
    machine: &TargetMachine,
) -> Result<(), PassError> {
    let layout = pack::layout(&info.args, word);
    let known: Vec<Known> = info
        .args
        .iter()
        .zip(&layout.offsets)
        .map(|(arg, at)| {
            let found = |offset: u32| words.value(at.saturating_add(offset));
            match arg.kind {
                ArgKind::Sampler => found(0).map_or(Known::Unknown, Known::Value),
                ArgKind::Image => found(pack::IMAGE_FORMAT).map_or(Known::Unknown, |format| {
                    Known::Words(BTreeMap::from([(i64::from(pack::IMAGE_FORMAT), format)]))
                }),
                _ => Known::Unknown,
            }
        })
        .collect();
    let mut copies = Copies { module, machine, made: BTreeMap::new() };
    if known.iter().any(|k| *k != Known::Unknown) {
        copies.specialise(kernel, &known)?;
    }
    Ok(())
}

/// The copies of library functions for known parameters.
struct Copies<'m, 'a, 'c> {
    module: &'m Module<'c>,
    machine: &'a TargetMachine,
    made: BTreeMap<(String, Vec<Known>), Function<'m>>,
}

impl<'m> Copies<'m, '_, '_> {
    /// Replaces the known parameters of `f`, and the calls of library functions that depend on
    /// them.
    fn specialise(&mut self, f: Function<'m>, known: &[Known]) -> Result<(), PassError> {
        for (parameter, known) in f.params().into_iter().zip(known) {
            match known {
                // The number that represents a sampler has the type of a pointer.
                Known::Value(value) if parameter.ty().is_pointer() => {
                    parameter.replace_all_uses(parameter.ty().address(u64::from(*value)));
                }
                Known::Value(value) if is_int(parameter.ty(), 32) => {
                    parameter.replace_all_uses(self.module.cx().u32(*value));
                }
                Known::Words(words) => replace_loads(self.module, parameter, words),
                Known::Unknown | Known::Value(_) => {}
            }
        }
        // SAFETY: no handle of an instruction or block is kept.
        unsafe { run_on_function(f, FOLD, self.machine) }?;
        let mut budget = GROWTH;
        for call in f.instructions() {
            let Some(callee) = call.callee() else { continue };
            let name = callee.name();
            if !FUNCTIONS.iter().any(|prefix| name.starts_with(prefix)) || callee.is_declaration() {
                continue;
            }
            let arguments: Vec<Known> =
                call.args().into_iter().map(|v| argument(f, known, v)).collect();
            if arguments.iter().all(|k| *k == Known::Unknown) {
                continue;
            }
            let copy = self.copy(callee, &name, &arguments)?;
            call.set_operand(call.operand_count() - 1, copy.value());
            let size = copy.instructions().len();
            if size <= LARGEST_INLINED && size <= budget && call.inline_call() {
                budget -= size;
            }
        }
        Ok(())
    }

    /// The copy of `function` for these parameters.
    fn copy(
        &mut self,
        function: Function<'m>,
        name: &str,
        known: &[Known],
    ) -> Result<Function<'m>, PassError> {
        let key = (name.to_owned(), known.to_vec());
        if let Some(copy) = self.made.get(&key) {
            return Ok(*copy);
        }
        let copy = function.duplicate(&format!("{name}.{}", self.made.len()));
        copy.set_linkage(Linkage::Private);
        self.specialise(copy, known)?;
        self.made.insert(key, copy);
        Ok(copy)
    }
}

/// The known content of an argument of a call in `f`, whose parameters are `known`.
fn argument<'m>(f: Function<'m>, known: &[Known], v: Value<'m>) -> Known {
    if is_int(v.ty(), 32)
        && let Some(value) = v.as_u64().and_then(|value| u32::try_from(value).ok())
    {
        return Known::Value(value);
    }
    let of_pointer = |(parameter, known): (Value<'m>, &Known)| {
        (parameter == v && matches!(known, Known::Words(_))).then(|| known.clone())
    };
    f.params().into_iter().zip(known).find_map(of_pointer).unwrap_or(Known::Unknown)
}

/// Replaces loads of known words behind `pointer`.
fn replace_loads<'m>(module: &'m Module<'_>, pointer: Value<'m>, words: &BTreeMap<i64, u32>) {
    for user in pointer.users() {
        let offset = match user.opcode() {
            Opcode::GetElementPtr
                if user.operand(0) == pointer
                    && user.operand_count() == 2
                    && is_int(user.gep_type(), 8) =>
            {
                user.operand(1).as_i64()
            }
            _ => None,
        };
        let Some(word) = offset.and_then(|at| words.get(&at)) else { continue };
        for load in user.users() {
            let whole = load.opcode() == Opcode::Load && is_int(load.ty(), 32);
            if whole && !load.is_volatile() && !load.is_atomic() {
                load.replace_all_uses(module.cx().u32(*word));
                load.erase();
            }
        }
    }
}

fn is_int(ty: Type<'_>, bits: u32) -> bool {
    ty.is_int() && ty.int_width() == bits
}
