//! [`ProgramInfo`] from the IR: what the API's queries show of programs, kernels and arguments.

use muxcl_llvm::{Function, Metadata, Module, Type, TypeKind, Value};
use muxcl_types::program::{AccessQualifier, AddressQualifier, ArgInfo, ArgKind, KernelInfo, ProgramInfo};
use std::collections::{BTreeMap, BTreeSet};

/// LLVM's number of the `spir_kernel` calling convention.
pub(crate) const SPIR_KERNEL: u32 = 76;

/// The kernels of a module, in source order.
pub(crate) fn kernels(module: &Module<'_>) -> Vec<Function> {
    module.definitions().into_iter().filter(|f| f.convention() == SPIR_KERNEL).collect()
}

/// Collects the metadata of a linked program whose builtins are linked but not lowered yet.
pub(crate) fn collect(module: &Module<'_>, word: u32) -> ProgramInfo {
    let calls = CallGraph::new(module);
    let local = local_variables(module);
    let kernels = kernels(module);
    let attribute = |f: &Function, key: &str, value: &str| f.string_attribute(key).is_some_and(|v| v.contains(value));
    ProgramInfo {
        denorms_are_zero: kernels.iter().any(|k| attribute(k, "denormal-fp-math-f32", "preserve-sign")),
        uniform_work_groups: kernels.iter().all(|k| attribute(k, "uniform-work-group-size", "true")),
        global_variable_bytes: module
            .globals()
            .into_iter()
            .filter(|g| g.ty().address_space() == GLOBAL && !g.is_constant_global() && !g.is_declaration())
            .map(|g| module.size_of(g.global_type()))
            .sum(),
        kernels: kernels.into_iter().map(|k| kernel(module, k, word, &calls.reached_from(&k.name()), &local)).collect(),
    }
}

fn kernel(
    module: &Module<'_>,
    function: Function,
    word: u32,
    reached: &BTreeSet<String>,
    local: &[(u64, BTreeSet<String>)],
) -> KernelInfo {
    let mut attributes = Vec::new();
    let sizes = |kind: &str| {
        let node = function.metadata(kind)?;
        let values: Vec<u32> = node.operands().into_iter().flatten().filter_map(number).collect();
        <[u32; 3]>::try_from(values).ok()
    };
    let mut size_attribute = |kind: &str| {
        let value = sizes(kind);
        if let Some([x, y, z]) = value {
            attributes.push(format!("{kind}({x},{y},{z})"));
        }
        value.unwrap_or_default()
    };
    let reqd_work_group_size = size_attribute("reqd_work_group_size");
    let work_group_size_hint = size_attribute("work_group_size_hint");
    let vec_type_hint = vec_type_hint(function).unwrap_or_default();
    if !vec_type_hint.is_empty() {
        attributes.push(format!("vec_type_hint({vec_type_hint})"));
    }
    KernelInfo {
        name: function.name(),
        args: args(module, function, word),
        has_arg_info: true,
        reqd_work_group_size,
        work_group_size_hint,
        vec_type_hint,
        attributes: attributes.join(" "),
        local_bytes: local
            .iter()
            .filter(|(_, users)| !users.is_disjoint(reached))
            .fold(0, |at: u64, (size, _)| at.next_multiple_of(LOCAL_STEP) + size),
        private_bytes: private_bytes(module, reached),
        has_barrier: reached.iter().any(|name| name.contains("barrier")),
        uses_printf: reached.contains("printf"),
    }
}

fn args(module: &Module<'_>, function: Function, word: u32) -> Vec<ArgInfo> {
    let list = |kind: &str| function.metadata(kind).map(Metadata::operands).unwrap_or_default();
    let text = |list: &[Option<Metadata>], i: usize| {
        list.get(i).copied().flatten().and_then(Metadata::string).unwrap_or_default()
    };
    let spaces = list("kernel_arg_addr_space");
    let access = list("kernel_arg_access_qual");
    let types = list("kernel_arg_type");
    let qualifiers = list("kernel_arg_type_qual");
    let names = list("kernel_arg_name");
    let params = function.params();
    let arg = |(i, param): (usize, &Value)| {
        let index = u32::try_from(i).unwrap_or(u32::MAX);
        let type_name = text(&types, i);
        let shape = shape(module, function, index, param.ty(), &type_name, word);
        ArgInfo {
            kind: shape.kind,
            size: shape.size,
            align: shape.align,
            address: match spaces.get(i).copied().flatten().and_then(number) {
                Some(1) => AddressQualifier::Global,
                Some(2) => AddressQualifier::Constant,
                Some(3) => AddressQualifier::Local,
                _ => AddressQualifier::Private,
            },
            access: match text(&access, i).as_str() {
                "read_only" => AccessQualifier::ReadOnly,
                "write_only" => AccessQualifier::WriteOnly,
                "read_write" => AccessQualifier::ReadWrite,
                _ => AccessQualifier::None,
            },
            type_qualifiers: text(&qualifiers, i).split(' ').fold(0, |bits, word| {
                bits | match word {
                    "const" => 1,
                    "restrict" => 2,
                    "volatile" => 4,
                    "pipe" => 8,
                    _ => 0,
                }
            }),
            type_name,
            name: text(&names, i),
        }
    };
    params.iter().enumerate().map(arg).collect()
}

struct Shape {
    kind: ArgKind,
    size: u32,
    align: u32,
}

fn shape(module: &Module<'_>, function: Function, index: u32, ty: Type, type_name: &str, word: u32) -> Shape {
    let narrow = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
    let value =
        |ty: Type| Shape { kind: ArgKind::Value, size: narrow(module.size_of(ty)), align: narrow(module.align_of(ty)) };
    let pointee_align = function.param_attribute_value(index, "align").map_or(1, narrow);
    let pointer = |kind| Shape { kind, size: word, align: pointee_align };
    let handle = |kind| Shape { kind, size: word, align: word };
    match ty.kind() {
        TypeKind::Pointer => match ty.address_space() {
            GLOBAL => pointer(ArgKind::GlobalPointer),
            CONSTANT => pointer(ArgKind::ConstantPointer),
            LOCAL => pointer(ArgKind::LocalPointer),
            _ => match function.param_attribute_type(index, "byval") {
                Some(inner) => Shape { align: pointee_align.max(value(inner).align), ..value(inner) },
                None => handle(ArgKind::Opaque),
            },
        },
        TypeKind::TargetExt if type_name.starts_with("image") => handle(ArgKind::Image),
        TypeKind::TargetExt if type_name == "sampler_t" => handle(ArgKind::Sampler),
        TypeKind::TargetExt => handle(ArgKind::Opaque),
        _ => value(ty),
    }
}

fn number(node: Metadata) -> Option<u32> {
    u32::try_from(node.constant()?.as_u64()?).ok()
}

// The node holds an undefined value of the type, and whether it is signed.
fn vec_type_hint(function: Function) -> Option<String> {
    let operands = function.metadata("vec_type_hint")?.operands();
    let ty = operands.first().copied().flatten()?.constant()?.ty();
    let signed = operands.get(1).copied().flatten().and_then(number) == Some(1);
    let (element, lanes) =
        if ty.is_vector() { (ty.element(), ty.vector_len().to_string()) } else { (ty, String::new()) };
    let name = match element.kind() {
        TypeKind::Half => "half",
        TypeKind::Float => "float",
        TypeKind::Double => "double",
        TypeKind::Int => match element.int_width() {
            8 => "char",
            16 => "short",
            32 => "int",
            _ => "long",
        },
        _ => return None,
    };
    let unsigned = if element.is_int() && !signed { "u" } else { "" };
    Some(format!("{unsigned}{name}{lanes}"))
}

// Size of each variable in local memory, with the functions that use it.
fn local_variables(module: &Module<'_>) -> Vec<(u64, BTreeSet<String>)> {
    let locals = module.globals().into_iter().filter(|g| g.ty().address_space() == LOCAL);
    locals
        .map(|variable| {
            let mut users = BTreeSet::new();
            let mut seen = BTreeSet::new();
            let mut todo = vec![variable];
            while let Some(value) = todo.pop() {
                for user in value.users() {
                    if user.is_instruction() {
                        users.insert(user.block().function().name());
                    } else if seen.insert(format!("{user:?}")) {
                        todo.push(user);
                    }
                }
            }
            (module.size_of(variable.global_type()), users)
        })
        .collect()
}

fn private_bytes(module: &Module<'_>, reached: &BTreeSet<String>) -> u64 {
    let functions = reached.iter().filter_map(|name| module.function(name)).filter(|f| !f.is_declaration());
    let allocas = functions.flat_map(|f| f.entry().instructions()).filter(|i| i.is_alloca());
    allocas.map(|i| module.size_of(i.allocated_type())).sum()
}

// Who calls whom, by name.
struct CallGraph(BTreeMap<String, BTreeSet<String>>);

impl CallGraph {
    fn new(module: &Module<'_>) -> Self {
        let callees = |f: &Function| {
            let calls = f.instructions().into_iter().filter(|i| i.is_call());
            calls.filter_map(Value::callee).filter(|c| !c.is_intrinsic()).map(Function::name).collect()
        };
        Self(module.definitions().iter().map(|f| (f.name(), callees(f))).collect())
    }

    fn reached_from(&self, name: &str) -> BTreeSet<String> {
        let mut reached = BTreeSet::from([name.to_owned()]);
        let mut todo = vec![name];
        while let Some(next) = todo.pop() {
            for callee in self.0.get(next).into_iter().flatten() {
                if reached.insert(callee.clone()) {
                    todo.push(callee);
                }
            }
        }
        reached
    }
}

const GLOBAL: u32 = 1;
const CONSTANT: u32 = 2;
const LOCAL: u32 = 3;
// Local variables are laid out one after the other at this alignment.
const LOCAL_STEP: u64 = 16;
