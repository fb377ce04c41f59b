//! `lower-blocks`: rewrites clang's code for blocks and `enqueue_kernel` to the form that the
//! host's runtime expects.
//!
//! For `enqueue_kernel(queue, flags, range, ^{ ... })`, clang emits a structure with the values
//! that the block captures, the *block literal*; a function with the block's body,
//! `__f_block_invoke(literal, local pointers...)`; a kernel `..._kernel` that calls the function;
//! and a call of `__enqueue_kernel_basic` or a variant of it, with the addresses of the kernel and
//! the block literal. This pass makes three changes:
//!
//! * The kernel gets a mark that hides it from the application. In the call, the address of a
//!   constant, `muxcl.child.<kernel>`, replaces the kernel's address. The constant describes how to
//!   run the kernel (`types::enqueue::ChildKernel`); `codegen::specialise` fills it in when the
//!   kernel is compiled, in each object that refers to it. So no code takes a kernel's address, and
//!   no function is recursive through a kernel it enqueues.
//! * The block literal loses the address of the body. clang calls blocks by name, because OpenCL C
//!   forbids every use that would need the address.
//! * In a module without debug information (`-g`), all errors of the enqueue functions become
//!   `CLK_ENQUEUE_FAILURE`.
//!
//! The builtin library defines the functions (`builtins/gen/enqueue.rs`); they call the runtime
//! (`mux-host`).

use muxcl_llvm::{Builder, Cx, Function, IntPredicate, Linkage, Module, Opcode, Type, Value};
use muxcl_types::enqueue::{CHILD_ENQUEUES, CHILD_FLUSH, CHILD_SYMBOL, CHILD_UNIFORM, status};
use muxcl_types::variant::Variant;

use crate::prepare::SPIR_KERNEL;
use crate::{BLOCK_ATTRIBUTE, PassError, constructors, prepare};

/// True for a kernel that clang made for a block: it lacks the argument metadata of kernels that
/// the source defines.
pub fn is_block_kernel(f: Function<'_>) -> bool {
    f.convention() == SPIR_KERNEL
        && !f.is_declaration()
        && f.metadata("kernel_arg_addr_space").is_none()
        && !constructors::is_constructors(f)
}

/// True for a kernel that `prepare` marked as made for a block.
pub fn is_block(f: Function<'_>) -> bool {
    f.string_attribute(BLOCK_ATTRIBUTE).is_some()
}

/// Runs on clang's output. Makes the kernels of blocks internal: their names derive from static
/// functions too, so two linked programs could both define a name. Comparisons of queues and events
/// become comparisons of their numbers, because LLVM cannot compare opaque types.
pub fn tidy(module: &Module<'_>) {
    let mut opaque = false;
    for f in module.functions() {
        let ty = f.ty();
        opaque |= ty.params().into_iter().chain([ty.ret()]).any(|t| number_of(t).is_some());
    }
    if opaque {
        compare_numbers(module);
    }
    for f in module.definitions().into_iter().filter(|f| is_block_kernel(*f)) {
        f.value().set_linkage(Linkage::Internal);
    }
}

/// The function that converts a queue or an event to its number.
fn number_of(ty: Type<'_>) -> Option<&'static str> {
    match ty.target_ext_name()?.as_str() {
        "spirv.Queue" => Some("__muxcl_queue_number"),
        "spirv.DeviceEvent" => Some("__muxcl_clk_event_number"),
        _ => None,
    }
}

fn compare_numbers(module: &Module<'_>) {
    let cx = module.cx();
    for i in module.definitions().into_iter().flat_map(Function::instructions) {
        if i.opcode() != Opcode::ICmp {
            continue;
        }
        let ty = i.operand(0).ty();
        let Some(name) = number_of(ty) else { continue };
        let number = module.get_or_add_function(name, cx.function(cx.i64(), &[ty]));
        let b = Builder::before(i);
        let [left, right] = [0, 1].map(|n| b.call(number, &[i.operand(n)]));
        let same = b.icmp(i.int_predicate(), left, right);
        same.set_name(&i.name());
        i.replace_all_uses(same);
        i.erase();
    }
}

/// Runs the pass. `prepare` comes first.
///
/// # Errors
/// Never fails today; all passes have this signature.
pub fn run(module: &Module<'_>) -> Result<(), PassError> {
    for kernel in prepare::kernels(module).into_iter().filter(|f| is_block(*f)) {
        let child = module.add_global(
            &format!("{CHILD_SYMBOL}{}", kernel.name()),
            child_type(module.cx()),
            0,
        );
        child.set_constant_global(true);
        // SAFETY: this pass keeps no handle of a constant derived from a kernel's address.
        unsafe { kernel.value().replace_constant_uses(child) };
    }
    for f in module.definitions() {
        for address in f.value().users().into_iter().filter(|u| u.is_constant_expr()) {
            // SAFETY: the other constants of the list derive from the function itself.
            unsafe { address.replace_constant_uses(address.ty().null()) };
        }
        // SAFETY: this pass keeps no handle of a constant derived from a function's address.
        unsafe { f.value().remove_dead_users() };
    }
    for f in module
        .functions()
        .into_iter()
        .filter(|f| f.is_declaration() && returns_error_codes(&f.name()))
    {
        for call in f.direct_calls().into_iter().filter(|c| !was_debugged(c.block().function())) {
            replace_error_codes(call);
        }
    }
    Ok(())
}

/// True if the module was compiled with `-g`: clang leaves debug information, `spirv-ll` an
/// attribute.
fn was_debugged(f: Function<'_>) -> bool {
    f.has_subprogram() || f.string_attribute("muxcl-debug").is_some()
}

/// True if the function returns one of several error codes.
fn returns_error_codes(name: &str) -> bool {
    name.starts_with("__enqueue_kernel_") || name.starts_with("_Z14enqueue_marker")
}

/// Replaces every error code of the call by `CLK_ENQUEUE_FAILURE`, which the specification requires
/// of builds without `-g`.
fn replace_error_codes(call: Value<'_>) {
    let Some(next) = call.next() else { return };
    let users = call.users();
    let (b, ty) = (Builder::before(next), call.ty());
    let fine = b.icmp(IntPredicate::Eq, call, ty.null());
    let failure = ty.constant(status::ENQUEUE_FAILURE.cast_unsigned().into());
    let result = b.select(fine, ty.null(), failure);
    for user in users {
        user.replace_operand(call, result);
    }
}

/// The LLVM type of a `ChildKernel`.
fn child_type(cx: Cx<'_>) -> Type<'_> {
    let mut parts = vec![cx.i64(); 7];
    parts[0] = cx.ptr(0);
    cx.structure(&parts, false)
}

/// The names of the kernels whose constants `f` refers to.
pub(crate) fn children(f: Function<'_>) -> Vec<String> {
    let mut names = Vec::new();
    for i in f.instructions() {
        for o in i.operands() {
            collect(o, &mut names);
        }
    }
    names.sort_unstable();
    names.dedup();
    names
}

fn collect(v: Value<'_>, names: &mut Vec<String>) {
    if v.is_global_variable() {
        names.extend(v.name().strip_prefix(CHILD_SYMBOL).map(str::to_owned));
    } else if v.is_constant_expr() {
        for o in v.operands() {
            collect(o, names);
        }
    }
}

/// Fills in the constant of a compiled kernel, if the module refers to it. On a device behind a
/// HAL, the constant holds the number `place` instead of the kernel's address.
///
/// # Errors
/// The kernel has no entry point, which is a bug of the compiler.
pub(crate) fn define(
    module: &Module<'_>,
    child: &Variant,
    place: Option<u64>,
) -> Result<(), PassError> {
    let name = format!("{CHILD_SYMBOL}{}", child.kernel);
    let Some(constant) = module.globals().into_iter().find(|g| g.name() == name) else {
        return Ok(());
    };
    let bug = |what: String| PassError::Internal { pass: "lower-blocks", what };
    let entry = module
        .function(&child.symbol)
        .ok_or_else(|| bug(format!("no entry point `{}`", child.symbol)))?;
    let flag = |on: bool, bit: u64| if on { bit } else { 0 };
    let flags = flag(child.key.uniform, CHILD_UNIFORM)
        | flag(child.flush_denormals, CHILD_FLUSH)
        | flag(child.enqueues, CHILD_ENQUEUES);
    let cx = module.cx();
    let words = [
        child.local_bytes,
        child.scratch_bytes_per_item,
        child.scratch_bytes_per_group,
        child.stack_bytes,
        child.packed_bytes.into(),
        flags,
    ];
    let mut parts = vec![place.map_or_else(|| entry.value(), |n| cx.ptr(0).address(n))];
    parts.extend(words.map(|w| cx.u64(w)));
    constant.set_initializer(Some(cx.constant_structure(&parts, false)));
    constant.set_linkage(Linkage::Internal);
    Ok(())
}
