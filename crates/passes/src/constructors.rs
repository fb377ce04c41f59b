//! `constructors`: makes one kernel of the constructors of program-scope objects (C++ for OpenCL).
//!
//! clang writes one kernel, `_GLOBAL__sub_I_...`, for all objects of a source whose initialisation
//! needs code, and lists it in `llvm.global_ctors`. Linking joins the lists. The pass adds a kernel
//! that calls the functions of the list, by priority and then in the order of the list. The runtime
//! runs this kernel with one work-item before the program's other kernels.
//!
//! clang registers destructors with `__cxa_atexit`, but without the object's address if it is in
//! global memory. So destructors of such objects never run, and the pass removes the registration.
//! C++ for OpenCL permits this: `__opencl_cpp_global_destructor` is not defined.

use muxcl_llvm::{Builder, Function, Linkage, Module, Value};

use crate::PassError;
use crate::prepare::SPIR_KERNEL;

const LIST: &str = "llvm.global_ctors";
/// The name of the new kernel. No identifier of a source contains a dot.
const KERNEL: &str = "muxcl.constructors";
/// Marks the new kernel.
const ATTRIBUTE: &str = "muxcl-constructors";
// LLVM's number for the `spir_func` calling convention.
const SPIR_FUNC: u32 = 75;

/// True for the kernel that the pass adds.
pub fn is_constructors(f: Function<'_>) -> bool {
    f.string_attribute(ATTRIBUTE).is_some()
}

/// Runs on clang's output. Makes the kernels of the list ordinary functions, which the application
/// does not see and which do not clash with those of another object.
pub fn tidy(module: &Module<'_>) {
    for (_, f) in entries(module) {
        f.set_convention(SPIR_FUNC);
        f.set_linkage(Linkage::Internal);
    }
}

/// Runs the pass.
///
/// # Errors
/// Never fails today; all passes have this signature.
pub fn run(module: &Module<'_>) -> Result<(), PassError> {
    forget_destructors(module);
    let mut list = entries(module);
    if let Some(global) = module.global(LIST) {
        // An unused variable of another name, which a later pass removes.
        global.set_name("muxcl.constructor.list");
        global.set_linkage(Linkage::Private);
        global.set_initializer(Some(global.global_type().null()));
    }
    if list.is_empty() {
        return Ok(());
    }
    list.sort_by_key(|(priority, _)| *priority);
    let cx = module.cx();
    let kernel = module.add_function(KERNEL, cx.function(cx.void(), &[]));
    kernel.set_convention(SPIR_KERNEL);
    kernel.add_string_attribute(ATTRIBUTE, "");
    let b = Builder::at_end(kernel.append_block("entry"));
    for (_, f) in list {
        b.call(f, &[]).set_call_convention(f.convention());
    }
    b.ret_void();
    Ok(())
}

/// The entries of the list: priorities and functions.
fn entries<'m>(module: &'m Module<'_>) -> Vec<(u64, Function<'m>)> {
    let list = module.global(LIST).and_then(Value::initializer);
    let entry = |entry: Value<'m>| match entry.operands()[..] {
        [priority, f, ..] => {
            let f = f.as_function().filter(|f| f.params().is_empty())?;
            Some((priority.as_u64()?, f))
        }
        _ => None,
    };
    list.map_or_else(Vec::new, |list| list.operands().into_iter().filter_map(entry).collect())
}

fn forget_destructors(module: &Module<'_>) {
    let Some(register) = module.function("__cxa_atexit").filter(|f| f.is_declaration()) else {
        return;
    };
    for call in register.direct_calls() {
        call.replace_all_uses(call.ty().null());
        call.erase();
    }
    if !register.has_uses() {
        register.erase();
    }
}
