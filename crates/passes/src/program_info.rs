//! `program-info`: collects the kernel metadata that the API reports, from clang's metadata.
//!
//! Runs on a prepared module, before the replacement of opaque types: argument kinds derive from
//! the types.

use std::collections::BTreeSet;

use muxcl_llvm::{Function, Module, Type, TypeKind};
use muxcl_types::program::{
    AccessQualifier, AddressQualifier, ArgInfo, ArgKind, KernelInfo, ProgramInfo,
};
use muxcl_types::sub_group;

use crate::{
    PassError, blocks, constructors, join_groups, local_memory, names, prepare, work_item_loops,
};

/// Collects the metadata of every kernel; the kernel that `constructors` adds is the module's last
/// one. [`measure`] fills in what depends on the linked code.
pub fn collect(module: &Module<'_>) -> ProgramInfo {
    let mut info = ProgramInfo::default();
    for f in prepare::kernels(module) {
        if f.is_declaration() {
            continue;
        }
        let list = if blocks::is_block(f) { &mut info.blocks } else { &mut info.kernels };
        list.push(kernel(module, f));
        info.has_constructors |= constructors::is_constructors(f);
    }
    info
}

/// Largest size of a kernel's by-value arguments, in bytes: their offsets have 32 bits, and the API
/// copies them at each enqueue. Devices report less (`CL_DEVICE_MAX_PARAMETER_SIZE`).
const MAX_ARGUMENT_BYTES: u64 = 1 << 20;
/// Largest size of a work-item's private variables, in bytes: offsets from the stack pointer have
/// 31 bits on RISC-V, and other objects share the stack.
const MAX_PRIVATE_BYTES: u64 = 1 << 30;

/// Refuses kernels whose requirements no device meets.
///
/// # Errors
/// A required sub-group size that no device has, or arguments larger than 1 MiB.
pub fn check(info: &ProgramInfo) -> Result<(), PassError> {
    for k in info.kernels.iter().chain(&info.blocks) {
        let bytes: u64 = k.args.iter().map(|a| u64::from(a.size)).sum();
        if bytes > MAX_ARGUMENT_BYTES {
            return Err(PassError::Unsupported(format!(
                "kernel '{}' has {bytes} bytes of arguments; the maximum is {MAX_ARGUMENT_BYTES}",
                k.name
            )));
        }
        let size = k.reqd_sub_group_size;
        if size != 0 && !sub_group::SIZES.contains(&size) {
            let sizes = sub_group::SIZES.map(|n| n.to_string()).join(", ");
            return Err(PassError::Unsupported(format!(
                "kernel '{}' requires sub-groups of {size} work-items; the sizes are {sizes}",
                k.name
            )));
        }
    }
    Ok(())
}

/// Refuses kernels whose private variables fit no stack. [`measure`] comes first.
///
/// # Errors
/// More than 1 GiB of private variables for a work-item.
pub fn check_private(info: &ProgramInfo) -> Result<(), PassError> {
    let mut kernels = info.kernels.iter().chain(&info.blocks);
    match kernels.find(|k| k.private_bytes > MAX_PRIVATE_BYTES) {
        None => Ok(()),
        Some(k) => Err(PassError::Unsupported(format!(
            "kernel '{}' has {} bytes of private variables for each work-item; the maximum is {}",
            k.name, k.private_bytes, MAX_PRIVATE_BYTES
        ))),
    }
}

/// Fills in the metadata that depends on the linked and optimised bodies.
pub fn measure(module: &Module<'_>, info: &mut ProgramInfo) {
    info.global_variable_bytes = module
        .globals()
        .into_iter()
        .filter(|g| prepare::is_program_variable(*g))
        .map(|g| module.size_of(g.global_type()))
        .fold(0, u64::saturating_add);
    let kernels: Vec<Function<'_>> =
        prepare::kernels(module).into_iter().filter(|f| !f.is_declaration()).collect();
    let layouts = local_memory::layouts(module, &kernels);
    for k in info.kernels.iter_mut().chain(&mut info.blocks) {
        let Some(f) = module.function(&k.name) else { continue };
        let mut private = 0u64;
        k.has_barrier = false;
        let has_local_argument = k.args.iter().any(|a| a.kind == ArgKind::LocalPointer);
        k.sees_groups = has_local_argument;
        for g in reachable(f) {
            let name = g.name();
            k.has_barrier |= names::is_barrier(&name);
            k.sees_groups |= names::depends_on_groups(&name);
            k.uses_printf |= name == names::PRINTF_STREAM;
            k.enqueues |= name == names::LAUNCH;
            for i in g.instructions() {
                if i.is_alloca() {
                    private = private.saturating_add(module.size_of(i.allocated_type()));
                }
            }
        }
        k.private_bytes = private;
        k.joins_groups = join_groups::may_join(f);
        k.computes_halves = computes_halves(f);
        (k.along, k.across) = work_item_loops::long_and_wide(module, f, k.reqd_work_group_size);
        let layout = kernels.iter().position(|kernel| *kernel == f);
        k.local_bytes = layout.map_or(0, |n| layouts.kernels[n].bytes);
        k.sees_groups |= k.local_bytes > 0;
        // Groups that run as one would share their local memory.
        let has_local = has_local_argument || k.local_bytes > 0;
        k.joins_groups &= k.sees_groups && !has_local && !k.enqueues && !k.checked;
    }
}

/// True if most floating-point operations of the kernel have 16 bits.
fn computes_halves(f: Function<'_>) -> bool {
    let (mut halves, mut others) = (0, 0);
    for i in f.instructions() {
        let ty = if i.ty().is_vector() { i.ty().element() } else { i.ty() };
        match ty.kind() {
            TypeKind::Half => halves += 1,
            TypeKind::Float | TypeKind::Double => others += 1,
            _ => {}
        }
    }
    halves > others
}

/// The functions that a kernel can call, including itself.
pub fn reachable(kernel: Function<'_>) -> Vec<Function<'_>> {
    let mut seen = BTreeSet::from([kernel]);
    let mut out = vec![kernel];
    let mut at = 0;
    while at < out.len() {
        let f = out[at];
        at += 1;
        for i in f.instructions() {
            for o in i.operands() {
                if let Some(g) = o.as_function()
                    && seen.insert(g)
                {
                    out.push(g);
                }
            }
        }
    }
    out
}

fn kernel(module: &Module<'_>, f: Function<'_>) -> KernelInfo {
    let numbers = |kind: &str| -> Vec<u64> {
        f.metadata(kind).map_or_else(Vec::new, |n| {
            n.operands()
                .into_iter()
                .map(|o| o.and_then(|o| o.constant()).and_then(|c| c.as_u64()).unwrap_or(0))
                .collect()
        })
    };
    let strings = |kind: &str| -> Option<Vec<String>> {
        f.metadata(kind).map(|n| {
            n.operands()
                .into_iter()
                .map(|o| o.and_then(|o| o.string()).unwrap_or_default())
                .collect()
        })
    };
    let spaces = numbers("kernel_arg_addr_space");
    let access = strings("kernel_arg_access_qual").unwrap_or_default();
    let types = strings("kernel_arg_type").unwrap_or_default();
    let qualifiers = strings("kernel_arg_type_qual").unwrap_or_default();
    let arg_names = strings("kernel_arg_name");
    let mut args = Vec::new();
    for (n, param) in f.params().into_iter().enumerate() {
        let text = |list: &[String]| list.get(n).cloned().unwrap_or_default();
        let type_name = text(&types);
        let (kind, size, align) = classify(module, f, n, param.ty(), &type_name);
        let space = spaces.get(n).copied().unwrap_or(0);
        args.push(ArgInfo {
            kind,
            size,
            align,
            address: match space {
                1 => AddressQualifier::Global,
                2 => AddressQualifier::Constant,
                3 => AddressQualifier::Local,
                _ => AddressQualifier::Private,
            },
            access: match text(&access).as_str() {
                "read_only" => AccessQualifier::ReadOnly,
                "write_only" => AccessQualifier::WriteOnly,
                "read_write" => AccessQualifier::ReadWrite,
                _ => AccessQualifier::None,
            },
            type_qualifiers: text(&qualifiers)
                .split_whitespace()
                .map(|q| match q {
                    "const" => 1,
                    "restrict" => 2,
                    "volatile" => 4,
                    "pipe" => 8,
                    _ => 0,
                })
                .sum(),
            type_name,
            name: arg_names.as_deref().map(text).unwrap_or_default(),
        });
    }
    let size3 = |kind: &str| -> [u32; 3] {
        let v = numbers(kind);
        let at = |i: usize| v.get(i).and_then(|n| u32::try_from(*n).ok()).unwrap_or(0);
        [at(0), at(1), at(2)]
    };
    let reqd = size3("reqd_work_group_size");
    let hint = size3("work_group_size_hint");
    let sub_group = numbers("intel_reqd_sub_group_size")
        .first()
        .and_then(|n| u32::try_from(*n).ok())
        .unwrap_or(0);
    let sub_groups =
        numbers("muxcl_sub_groups").first().and_then(|n| u32::try_from(*n).ok()).unwrap_or(0);
    let vec_type = vec_type_hint(f);
    let mut attributes = Vec::new();
    if !vec_type.is_empty() {
        attributes.push(format!("vec_type_hint({vec_type})"));
    }
    if reqd != [0; 3] {
        attributes.push(format!("reqd_work_group_size({},{},{})", reqd[0], reqd[1], reqd[2]));
    }
    if hint != [0; 3] {
        attributes.push(format!("work_group_size_hint({},{},{})", hint[0], hint[1], hint[2]));
    }
    if sub_group != 0 {
        attributes.push(format!("intel_reqd_sub_group_size({sub_group})"));
    }
    KernelInfo {
        name: f.name(),
        args,
        has_arg_info: arg_names.is_some(),
        reqd_work_group_size: reqd,
        work_group_size_hint: hint,
        reqd_sub_group_size: sub_group,
        reqd_sub_groups: sub_groups,
        vec_type_hint: vec_type,
        attributes: attributes.join(" "),
        ..KernelInfo::default()
    }
}

fn classify<'m>(
    module: &'m Module<'_>,
    f: Function<'m>,
    n: usize,
    ty: Type<'m>,
    name: &str,
) -> (ArgKind, u32, u32) {
    let n = u32::try_from(n).unwrap_or(0);
    let small = |v: u64| u32::try_from(v).unwrap_or(u32::MAX);
    if let Some(size) = f.string_attribute(&format!("muxcl-byval-{n}")) {
        let align = f.param_attribute_value(n, "align").unwrap_or(8);
        return (ArgKind::Value, size.parse().unwrap_or(u32::MAX), small(align));
    }
    match ty.kind() {
        TypeKind::Pointer => {
            let align = f.param_attribute_value(n, "align").map_or(1, small);
            let kind = match ty.address_space() {
                1 => ArgKind::GlobalPointer,
                2 => ArgKind::ConstantPointer,
                3 => ArgKind::LocalPointer,
                _ => ArgKind::Opaque,
            };
            (kind, small(module.size_of(ty)), align)
        }
        TypeKind::TargetExt => {
            let ext = ty.target_ext_name().unwrap_or_default();
            let kind = if ext.contains("Image") {
                ArgKind::Image
            } else if ext.contains("Sampler") || name == "sampler_t" {
                ArgKind::Sampler
            } else if ext == "spirv.Pipe" {
                ArgKind::Pipe
            } else {
                ArgKind::Opaque
            };
            let word = small(module.size_of(module.cx().ptr(1)));
            (kind, word, word)
        }
        _ => (ArgKind::Value, small(module.size_of(ty)), small(module.align_of(ty))),
    }
}

fn vec_type_hint(f: Function<'_>) -> String {
    let Some(node) = f.metadata("vec_type_hint") else {
        return String::new();
    };
    let parts = node.operands();
    let ty = parts.first().copied().flatten().and_then(|m| m.constant()).map(|v| v.ty());
    let signed =
        parts.get(1).copied().flatten().and_then(|m| m.constant()).and_then(|v| v.as_u64())
            == Some(1);
    let Some(ty) = ty else { return String::new() };
    let (element, width) = if ty.is_vector() { (ty.element(), ty.vector_len()) } else { (ty, 1) };
    let base = match element.kind() {
        TypeKind::Half => "half".to_owned(),
        TypeKind::Float => "float".to_owned(),
        TypeKind::Double => "double".to_owned(),
        TypeKind::Int => {
            let base = match element.int_width() {
                8 => "char",
                16 => "short",
                32 => "int",
                _ => "long",
            };
            if signed { base.to_owned() } else { format!("u{base}") }
        }
        _ => return String::new(),
    };
    if width > 1 { format!("{base}{width}") } else { base }
}
