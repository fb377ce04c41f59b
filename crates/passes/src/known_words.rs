//! `known-words`: image formats and samplers become constants in a kernel compiled for them.
//!
//! The library's functions for images are not inlined, because they decode every format and apply
//! every filter. If the format is a constant, little code of such a function remains. The kernel
//! inlines it then, and vectors of work-items can run it.
//!
//! Invariant: an argument, or a load from an image descriptor, becomes a constant only if the
//! specialization key has a word at exactly its offset. Not here: the choice of the words (`cl`),
//! and the check that the arguments of a launch have these values (`mux`).

use std::collections::BTreeMap;

use muxcl_llvm::{Function, Linkage, Module, Opcode, TargetMachine, Type, Value, run_on_function};
use muxcl_types::pack;
use muxcl_types::program::{ArgKind, KernelInfo};
use muxcl_types::variant::KnownWords;

use crate::PassError;

/// Prefixes of the library's functions that depend on the image format or the sampler.
const FUNCTIONS: [&str; 3] = ["__muxcl_fetch_", "__muxcl_store_", "__muxcl_linear"];
/// LLVM passes that fold the constants and remove the code for other formats.
const FOLD: &str = "sccp,simplifycfg,instcombine<no-verify-fixpoint>,simplifycfg";
/// The largest number of instructions of a specialised function that is inlined.
const LARGEST_INLINED: usize = 160;
/// The number of instructions that inlining may add to a function.
const GROWTH: usize = 6000;

/// The compile-time knowledge about a parameter of a function.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Known {
    /// Neither its value nor its memory is known.
    Unknown,
    /// The parameter is a sampler or an integer with this value.
    Value(u32),
    /// The parameter is a pointer to an image descriptor that contains these words, by their
    /// offsets in bytes.
    Words(BTreeMap<i64, u32>),
}

/// Makes the image formats and samplers in `words` constants in `kernel`. `info` describes the
/// kernel's arguments, `word` is the size of a pointer in bytes.
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

/// The copies of library functions that are specialised for known parameters.
struct Copies<'m, 'a, 'c> {
    module: &'m Module<'c>,
    machine: &'a TargetMachine,
    /// The copies made so far, by the name of the function and the knowledge of its parameters.
    made: BTreeMap<(String, Vec<Known>), Function<'m>>,
}

impl<'m> Copies<'m, '_, '_> {
    /// Makes the known parameters of `f` constants. Calls of library functions that get such a
    /// constant or descriptor then call a specialised copy.
    fn specialise(&mut self, f: Function<'m>, known: &[Known]) -> Result<(), PassError> {
        for (parameter, known) in f.params().into_iter().zip(known) {
            match known {
                // A sampler is a number, but its LLVM type may be a pointer.
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

    /// The copy of the library function `function`, called `name`, that is specialised for the
    /// parameters `known`. Makes it at the first request.
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

/// The compile-time knowledge about `v`, an argument of a call in the body of `f`. It is known if
/// it is a 32-bit constant, or if `f` passes on its own pointer to an image descriptor. `known` is
/// the knowledge about the parameters of `f`.
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

/// Replaces the 32-bit loads of known words of the image descriptor at `pointer` by constants.
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
