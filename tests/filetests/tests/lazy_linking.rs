//! The OpenCL C library links lazily: the linker reads and links only the members and functions
//! that a program uses.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::cell::RefCell;
use std::collections::BTreeSet;

use muxcl_compiler::Library;
use muxcl_filetests::compile;
use muxcl_llvm::{Context, Function, Module};
use muxcl_passes::link_builtins::{self, BuiltinLibrary};

/// A library that records its requests.
struct Counted {
    library: Library,
    asked: RefCell<Vec<String>>,
    read: RefCell<Vec<usize>>,
}

impl BuiltinLibrary for Counted {
    fn find(&self, symbol: &str) -> Option<usize> {
        self.asked.borrow_mut().push(symbol.to_owned());
        self.library.find(symbol)
    }

    fn bitcode(&self, member: usize) -> &'static [u8] {
        self.read.borrow_mut().push(member);
        self.library.bitcode(member)
    }
}

/// The cost of linking `source`.
struct Linked {
    /// Symbols looked up.
    asked: usize,
    /// Names of the members read.
    read: BTreeSet<&'static str>,
    /// Functions that get a body by linking.
    cloned: BTreeSet<String>,
}

fn link(source: &str) -> Linked {
    let context = Context::new();
    let device = compile::device();
    let mut module = compile::source(&context, source, "-cl-std=CL3.0", &device).unwrap();
    muxcl_passes::prepare::run(&module).unwrap();
    let defined = |module: &Module<'_>| -> BTreeSet<String> {
        module.definitions().into_iter().map(Function::name).collect()
    };
    let before = defined(&module);
    let counted = Counted {
        library: compile::library(&device),
        asked: RefCell::default(),
        read: RefCell::default(),
    };
    link_builtins::run(&context, &mut module, &counted).unwrap();
    let (asked, read) = (counted.asked.into_inner(), counted.read.into_inner());
    let distinct: BTreeSet<usize> = read.iter().copied().collect();
    assert_eq!(distinct.len(), read.len(), "a member is read once");
    let name = |member: &usize| {
        muxcl_builtins::member_name(muxcl_builtins::MemberId::from_index(*member).unwrap())
    };
    Linked {
        asked: asked.len(),
        read: read.iter().map(name).collect(),
        cloned: defined(&module).difference(&before).cloned().collect(),
    }
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn a_kernel_without_builtins_reads_nothing() {
    let linked = link("kernel void k(global int *out) { out[0] = 42; }");
    assert_eq!(linked.asked, 0);
    assert!(
        linked.read.is_empty() && linked.cloned.is_empty(),
        "{:?} {:?}",
        linked.read,
        linked.cloned
    );
}

#[test]
fn a_work_item_function_reads_nothing() {
    let linked = link("kernel void k(global int *out) { out[get_global_id(0)] = 42; }");
    assert_eq!(linked.asked, 1);
    assert!(
        linked.read.is_empty() && linked.cloned.is_empty(),
        "{:?} {:?}",
        linked.read,
        linked.cloned
    );
}

#[test]
fn one_form_of_one_function_is_one_clone() {
    let linked = link("kernel void k(global float16 *a) { a[0] = exp(a[0]); }");
    assert_eq!(linked.read, BTreeSet::from(["exp_f32"]));
    assert_eq!(linked.cloned, set(&["_Z3expDv16_f"]));
}

#[test]
fn what_a_function_calls_comes_with_it() {
    let linked = link("kernel void k(global double8 *a) { a[0] = sin(a[0]); }");
    assert_eq!(linked.read, BTreeSet::from(["sin_f64", "reduce_double"]));
    let reduction = linked.cloned.iter().any(|name| name.contains("__muxcl_reduce_double"));
    assert!(
        reduction && linked.cloned.contains("_Z3sinDv8_d") && linked.cloned.len() == 2,
        "{:?}",
        linked.cloned
    );
}

#[test]
fn a_large_program_reads_what_it_names() {
    let linked = link(
        "kernel void k(global float *a, global float4 *b) { a[0] = sin(a[1]) + cos(a[2]) * clamp(a[3], 0.0f, 1.0f); \
         b[0] = sin(b[1]); }",
    );
    assert_eq!(linked.read, BTreeSet::from(["sin_f32", "cos_f32", "clamp_fp_f32"]));
    assert_eq!(linked.cloned, set(&["_Z3sinf", "_Z3sinDv4_f", "_Z3cosf", "_Z5clampfff"]));
}
