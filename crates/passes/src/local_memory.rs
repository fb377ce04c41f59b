//! `local-memory`: static `__local` variables become offsets from the group's local memory.
//!
//! Not here: local pointer arguments, which `kernel-abi` places behind the static variables.

use std::collections::BTreeSet;

use muxcl_llvm::{Builder, Function, Module, Value};
use muxcl_types::sched::LOCAL_ALIGN;

use crate::program_info;

/// The address space of local memory.
pub(crate) const SPACE: u32 = 3;

/// The layout of one kernel's local memory.
#[derive(Debug, Default)]
pub struct Layout<'m> {
    /// The variables, at rising offsets.
    pub variables: Vec<Value<'m>>,
    /// The variables' offsets in bytes.
    pub offsets: Vec<u64>,
    /// The total size in bytes, a multiple of [`LOCAL_ALIGN`] or 0; `u64::MAX` if the true size
    /// is larger than that.
    pub bytes: u64,
}

impl<'m> Layout<'m> {
    /// Adds a variable at an offset. Until [`Self::finish`], `bytes` is the end of the last one.
    fn place(&mut self, module: &Module<'_>, v: Value<'m>, offset: u64) {
        self.variables.push(v);
        self.offsets.push(offset);
        self.bytes = offset.saturating_add(module.size_of(v.global_type()));
    }

    fn append(&mut self, module: &Module<'_>, v: Value<'m>) {
        let align = module.align_of(v.global_type()).max(u64::from(v.align()));
        self.place(module, v, rounded(self.bytes, align.clamp(1, LOCAL_ALIGN)));
    }

    fn finish(self) -> Self {
        Self { bytes: rounded(self.bytes, LOCAL_ALIGN), ..self }
    }
}

fn rounded(bytes: u64, align: u64) -> u64 {
    bytes.checked_next_multiple_of(align).unwrap_or(u64::MAX)
}

/// The layouts of a module's local memory.
#[derive(Debug)]
pub struct Layouts<'m> {
    /// The variables that functions outside the kernels use. Each has the same offset in the
    /// layouts of all kernels that call such a function.
    pub shared: Layout<'m>,
    /// One layout for each kernel, in the order of the kernels.
    pub kernels: Vec<Layout<'m>>,
}

/// Lays out the static local variables of `kernels`. All other functions count as not inlined.
///
/// The variables of functions that a kernel calls have the same offset in every kernel's layout.
/// They come first; the variables that only the kernel itself uses follow them. Each further kernel
/// in the module can add shared variables, so a kernel's local memory never shrinks when the module
/// gets more kernels.
pub fn layouts<'m>(module: &'m Module<'_>, kernels: &[Function<'m>]) -> Layouts<'m> {
    let all: Vec<Value<'m>> =
        module.globals().into_iter().filter(|g| g.ty().address_space() == SPACE).collect();
    if all.is_empty() {
        let kernels = kernels.iter().map(|_| Layout::default()).collect();
        return Layouts { shared: Layout::default(), kernels };
    }
    // The variables are in module order, so that the offsets are independent of addresses.
    let others: BTreeSet<Function<'m>> =
        module.definitions().into_iter().filter(|f| !kernels.contains(f)).collect();
    let used = used_by(others.iter().copied());
    let mut shared = Layout::default();
    for v in all.iter().filter(|v| used.contains(v)) {
        shared.append(module, *v);
    }
    let of_kernel = |kernel: &Function<'m>| {
        let mut layout = Layout::default();
        let reached = program_info::reachable(*kernel);
        let called = used_by(reached.into_iter().filter(|f| others.contains(f)));
        let own = used_by([*kernel]);
        for (v, offset) in shared.variables.iter().zip(&shared.offsets) {
            if called.contains(v) {
                layout.place(module, *v, *offset);
            }
        }
        for v in all.iter().filter(|v| own.contains(v) && !called.contains(v)) {
            layout.append(module, *v);
        }
        layout.finish()
    };
    let kernels = kernels.iter().map(of_kernel).collect();
    Layouts { kernels, shared: shared.finish() }
}

/// The local variables that these functions use.
fn used_by<'m>(functions: impl IntoIterator<Item = Function<'m>>) -> BTreeSet<Value<'m>> {
    let mut used = BTreeSet::new();
    for i in functions.into_iter().flat_map(Function::instructions) {
        for o in i.operands() {
            collect(o, &mut used);
        }
    }
    used
}

/// Adds the local variables that an operand refers to.
fn collect<'m>(v: Value<'m>, out: &mut BTreeSet<Value<'m>>) {
    if v.is_global_variable() {
        if v.ty().address_space() == SPACE {
            out.insert(v);
        }
    } else if v.is_constant_expr() {
        for o in v.operands() {
            collect(o, out);
        }
    }
}

/// Expands the constant expressions of local variables to instructions, for [`replace`].
pub fn expand_constants(module: &Module<'_>) {
    for v in module.globals().into_iter().filter(|g| g.ty().address_space() == SPACE) {
        // SAFETY: this pass keeps no handle of a constant derived from a variable's address.
        unsafe { v.expand_constant_users() };
    }
}

/// Replaces, in one function, every use of the variables by an address relative to `base`, computed
/// at `at`. [`expand_constants`] comes first.
pub fn replace<'m>(f: Function<'m>, locals: &Layout<'m>, base: Value<'m>, at: Value<'m>) {
    let cx = f.cx();
    for (v, offset) in locals.variables.iter().zip(&locals.offsets) {
        let mut address = None;
        for user in v.users() {
            if user.is_instruction() && user.block().function() == f {
                let a = *address
                    .get_or_insert_with(|| Builder::before(at).byte_offset(base, cx.u64(*offset)));
                if user.opcode() == muxcl_llvm::Opcode::Phi {
                    for (n, (value, _)) in (0u32..).zip(user.incoming()) {
                        if value == *v {
                            user.set_incoming(n, a);
                        }
                    }
                } else {
                    user.replace_operand(*v, a);
                }
            }
        }
    }
}
