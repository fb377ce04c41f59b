//! `link-builtins`: links exactly the members of the builtin library that the program needs.
//!
//! Afterwards, the only undefined functions are those that later passes lower and those that the
//! loader provides.

use std::collections::BTreeSet;

use muxcl_llvm::{Context, Function, LinkMode, Module};

use crate::{PassError, names};

/// A library of bitcode members indexed by symbol (see `muxcl-builtins`).
pub trait BuiltinLibrary {
    /// The number of the member that defines `symbol`.
    fn find(&self, symbol: &str) -> Option<usize>;
    /// The bitcode of a member.
    fn bitcode(&self, member: usize) -> &'static [u8];
    /// The scalar function that `symbol` computes in each lane, and the largest number of lanes of
    /// its vector variants. Variants also exist for each smaller power of two, except 1.
    ///
    /// `symbol` is a scalar function or one on OpenCL vectors: the result is `_Z3sinf` both for
    /// `_Z3sinf` and for `_Z3sinDv4_f`. `None` if the function has no vector variants.
    fn lanes(&self, _symbol: &str) -> Option<(String, u32)> {
        None
    }
    /// The library's symbol of a vector variant. `_name` is the name that `muxcl-vecz` gives it
    /// ([`muxcl_vecz::variant_name`]). `None` if the library has no such variant.
    fn variant(&self, _name: &str) -> Option<String> {
        None
    }
    /// The source of the scalable vector variant with this name.
    fn scalable_variant(&self, _symbol: &str) -> Option<VariantSource> {
        None
    }
}

/// The source of a scalable vector variant (see `scalable-variants`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariantSource {
    /// The fixed-length variant.
    pub symbol: String,
    /// The library member that defines it.
    pub member: usize,
    /// Lanes of the fixed-length variant.
    pub lanes: u32,
    /// The minimum number of lanes of the scalable variant: the factor of `vscale`.
    pub count: u32,
}

/// An empty library, for tests.
#[derive(Debug, Clone, Copy)]
pub struct NoLibrary;

impl BuiltinLibrary for NoLibrary {
    fn find(&self, _symbol: &str) -> Option<usize> {
        None
    }
    fn bitcode(&self, _member: usize) -> &'static [u8] {
        &[]
    }
}

/// C functions that the loader provides.
pub const LIBCALLS: &[&str] = &["memcpy", "memset", "memmove"];

/// Runs the pass.
///
/// # Errors
/// [`PassError::Unresolved`] naming every undefined function.
pub fn run<'c>(
    context: &'c Context,
    module: &mut Module<'c>,
    library: &dyn BuiltinLibrary,
) -> Result<(), PassError> {
    link(context, module, library)?;
    let missing: Vec<String> = undefined(module)
        .into_iter()
        .filter(|n| !names::is_lowered(n) && !LIBCALLS.contains(&n.as_str()))
        .map(|n| format!("undefined symbol '{}'", names::readable(&n)))
        .collect();
    if missing.is_empty() { Ok(()) } else { Err(PassError::Unresolved(missing.join("\n"))) }
}

/// Links the functions that the module and the linked members call. Functions that the library
/// lacks stay undefined.
///
/// # Errors
/// The library is damaged.
pub fn link<'c>(
    context: &'c Context,
    module: &mut Module<'c>,
    library: &dyn BuiltinLibrary,
) -> Result<(), PassError> {
    let mut looked_up = BTreeSet::new();
    loop {
        let mut members = BTreeSet::new();
        for name in undefined(module) {
            if looked_up.insert(name.clone()) {
                members.extend(library.find(&name));
            }
        }
        if members.is_empty() {
            return Ok(());
        }
        for member in members {
            let part = Module::parse_lazy(context, library.bitcode(member))?;
            // Members of the library have no target triple and data layout. After `retarget` the
            // module has them, and LLVM's linker warns about modules with different ones.
            part.set_triple(&module.triple());
            part.set_layout(&module.layout());
            if let Err(e) = module.link(part, LinkMode::OnlyNeeded) {
                let why: Vec<String> =
                    context.take_diagnostics().into_iter().map(|d| d.text).collect();
                return Err(PassError::Internal {
                    pass: "link-builtins",
                    what: format!("{e}: {}", why.join("; ")),
                });
            }
        }
    }
}

fn undefined(module: &Module<'_>) -> Vec<String> {
    let functions =
        module.functions().into_iter().filter(|f| !f.is_intrinsic()).map(Function::value);
    functions
        .chain(module.globals())
        .filter(|v| v.is_declaration() && v.has_uses())
        .map(|v| v.name())
        .collect()
}
