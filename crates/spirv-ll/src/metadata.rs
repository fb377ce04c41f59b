//! The metadata that clang attaches to kernels: arguments for `clGetKernelArgInfo`, and sizes of
//! work-groups.

use crate::module::{Function, Tables};
use crate::output::{Output, quoted};
use crate::types::Type;
use muxcl_spirv::Error;
use muxcl_spirv::numbers::{BuiltIn, Decoration, ExecutionMode};

/// The metadata attachments of a kernel, each with a space in front.
pub(crate) fn kernel(
    module: &Tables<'_>,
    out: &mut Output,
    function: &Function<'_>,
    name: &str,
) -> Result<String, Error> {
    if is_block(module, function, name) {
        return Ok(String::new());
    }
    let mut text = String::new();
    let mut attach = |out: &mut Output, kind: &str, parts: &[String]| {
        let node = out.node(&format!("!{{{}}}", parts.join(", ")));
        text.push_str(&format!(" !{kind} {node}"));
    };
    arguments(module, out, function, name, &mut attach)?;
    let id = function.id();
    if let Some(mode) = module.mode(id, ExecutionMode::Initializer)
        && !function.parameters.is_empty()
    {
        return Err(mode.error(format_args!("the initializer '{name}' has arguments")));
    }
    let words = |numbers: &[u32]| numbers.iter().map(|n| format!("i32 {n}")).collect::<Vec<_>>();
    if let Some(size) = sizes(module, id, ExecutionMode::LocalSize, ExecutionMode::LocalSizeId)? {
        attach(out, "reqd_work_group_size", &words(&size));
    } else if let Some(size) = builtin_size(module) {
        attach(out, "reqd_work_group_size", &words(&size));
    }
    if let Some(size) =
        sizes(module, id, ExecutionMode::LocalSizeHint, ExecutionMode::LocalSizeHintId)?
    {
        attach(out, "work_group_size_hint", &words(&size));
    }
    if let Some(i) = module.mode(id, ExecutionMode::VecTypeHint)
        && let Some(ty) = vector_type(i.operand(2)?)
    {
        attach(out, "vec_type_hint", &[format!("{ty} poison"), "i32 0".into()]);
    }
    if let Some(i) = module.mode(id, ExecutionMode::SubgroupsPerWorkgroup) {
        attach(out, "muxcl_sub_groups", &words(&[i.operand(2)?]));
    } else if let Some(i) = module.mode(id, ExecutionMode::SubgroupsPerWorkgroupId) {
        let count = module.bits(i.operand(2)?).and_then(|b| u32::try_from(b).ok());
        let count = count.ok_or_else(|| i.error("the number of sub-groups is no constant"))?;
        attach(out, "muxcl_sub_groups", &words(&[count]));
    }
    if let Some(i) = module.mode(id, ExecutionMode::SubgroupSize) {
        attach(out, "intel_reqd_sub_group_size", &words(&[i.operand(2)?]));
    }
    Ok(text)
}

/// True for clang's kernel of a block, which translators write like other kernels. Passes recognise
/// such kernels by their lack of metadata.
fn is_block(module: &Tables<'_>, function: &Function<'_>, name: &str) -> bool {
    let rest = name
        .strip_suffix("_kernel")
        .map(|n| n.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_'));
    let first = function.parameters.first().and_then(|p| module.types.get(p.operands[0]));
    rest.is_some_and(|n| n.starts_with("__") && n.ends_with("_block_invoke"))
        && matches!(first, Some(Type::Pointer { space: 4, .. }))
}

/// The sizes of an execution mode, given as literals or as constants.
fn sizes(
    module: &Tables<'_>,
    function: u32,
    plain: ExecutionMode,
    by_id: ExecutionMode,
) -> Result<Option<[u32; 3]>, Error> {
    if let Some(i) = module.mode(function, plain) {
        return Ok(Some([i.operand(2)?, i.operand(3)?, i.operand(4)?]));
    }
    let Some(i) = module.mode(function, by_id) else { return Ok(None) };
    let mut size = [0; 3];
    for (n, place) in size.iter_mut().enumerate() {
        let bits = module.bits(i.operand(2 + n)?).and_then(|b| u32::try_from(b).ok());
        *place = bits.ok_or_else(|| i.error("a size of the work-group is no constant"))?;
    }
    Ok(Some(size))
}

/// The value of the constant with the decoration `BuiltIn WorkgroupSize`.
fn builtin_size(module: &Tables<'_>) -> Option<[u32; 3]> {
    let is_size = |id: u32| {
        module.decoration_value(id, Decoration::BuiltIn) == Some(BuiltIn::WorkgroupSize as u32)
    };
    let id = module.constants.keys().copied().find(|id| is_size(*id))?;
    let lanes = module.lane_bits(id)?;
    let at = |n: usize| lanes.get(n).and_then(|b| u32::try_from(*b).ok());
    Some([at(0)?, at(1)?, at(2)?])
}

/// The type of a `VecTypeHint`: the number of lanes in the upper half, the number of a type in the
/// lower.
fn vector_type(hint: u32) -> Option<String> {
    let element = match hint & 0xffff {
        0 => "i8",
        1 => "i16",
        2 => "i32",
        3 => "i64",
        4 => "half",
        5 => "float",
        6 => "double",
        _ => return None,
    };
    match hint >> 16 {
        0 | 1 => Some(element.to_owned()),
        n @ (2 | 3 | 4 | 8 | 16) => Some(format!("<{n} x {element}>")),
        _ => None,
    }
}

fn arguments(
    module: &Tables<'_>,
    out: &mut Output,
    function: &Function<'_>,
    name: &str,
    attach: &mut impl FnMut(&mut Output, &str, &[String]),
) -> Result<(), Error> {
    let count = function.parameters.len();
    let types = listed(module, "kernel_arg_type", name, count);
    let qualifiers = listed(module, "kernel_arg_type_qual", name, count);
    let string = |text: &str| format!("!{}", quoted(text));
    let (mut spaces, mut access, mut names) = (Vec::new(), Vec::new(), Vec::new());
    let (mut type_names, mut type_qualifiers) = (Vec::new(), Vec::new());
    let mut all_named = true;
    for (n, parameter) in function.parameters.iter().enumerate() {
        let (ty, id) = (parameter.operand(0)?, parameter.operand(1)?);
        spaces.push(format!("i32 {}", space(module, ty, id)));
        access.push(string(match module.types.get(ty) {
            Some(Type::Image(image)) => {
                ["read_only", "write_only", "read_write"][image.access.min(2) as usize]
            }
            Some(Type::Pipe { write: true }) => "write_only",
            Some(Type::Pipe { write: false }) => "read_only",
            _ => "none",
        }));
        let given = types.as_ref().and_then(|t| t.get(n));
        type_names.push(string(&given.cloned().unwrap_or_else(|| type_name(module, ty, id))));
        let given = qualifiers.as_ref().and_then(|t| t.get(n));
        type_qualifiers.push(string(&given.cloned().unwrap_or_else(|| qualifier(module, ty, id))));
        all_named &= module.names.contains_key(&id);
        names.push(string(module.names.get(&id).map_or("", String::as_str)));
    }
    attach(out, "kernel_arg_addr_space", &spaces);
    attach(out, "kernel_arg_access_qual", &access);
    attach(out, "kernel_arg_type", &type_names);
    attach(out, "kernel_arg_base_type", &type_names);
    attach(out, "kernel_arg_type_qual", &type_qualifiers);
    // The names count only with the types that the front end kept. Instructions have neither the
    // signs of integers nor names of types, and names may be there for debugging only.
    if all_named && types.is_some() {
        attach(out, "kernel_arg_name", &names);
    }
    Ok(())
}

/// The list that a front end keeps in an `OpString`: `kernel_arg_type.<kernel>.int,float*,`.
fn listed(module: &Tables<'_>, what: &str, kernel: &str, count: usize) -> Option<Vec<String>> {
    let begin = format!("{what}.{kernel}.");
    let list = module.strings.range(begin.clone()..).next().and_then(|s| s.strip_prefix(&begin))?;
    let parts: Vec<String> =
        list.strip_suffix(',').unwrap_or(list).split(',').map(str::to_owned).collect();
    (parts.len() == count).then_some(parts)
}

fn space(module: &Tables<'_>, ty: u32, id: u32) -> u32 {
    match module.types.get(ty) {
        Some(Type::Pointer { space: 0, .. }) if module.parameter_attribute(id, 2) => 0,
        Some(Type::Pointer { space, .. }) => *space,
        Some(Type::Image(_) | Type::Pipe { .. }) => 1,
        _ => 0,
    }
}

/// A type's name in OpenCL C. SPIR-V's integers have no sign, so it may differ from the source.
fn type_name(module: &Tables<'_>, ty: u32, id: u32) -> String {
    match module.types.get(ty) {
        Some(Type::Pointer { space: 0, to: Some(to) }) if module.parameter_attribute(id, 2) => {
            type_name(module, *to, 0)
        }
        Some(Type::Pointer { to: None, .. }) => "void*".into(),
        Some(Type::Pointer { to: Some(to), .. }) => match module.types.get(*to) {
            // Pointers may refer to each other in a circle, so the name stops here.
            Some(Type::Pointer { .. }) => "void**".into(),
            _ => format!("{}*", type_name(module, *to, 0)),
        },
        Some(Type::Image(image)) => image.c_name(),
        Some(Type::Sampler) => "sampler_t".into(),
        Some(Type::Queue) => "queue_t".into(),
        Some(Type::Event) => "event_t".into(),
        Some(Type::Struct { .. }) => {
            let name = module.names.get(&ty).map_or("struct", String::as_str);
            name.strip_prefix("struct.").or(name.strip_prefix("class.")).unwrap_or(name).to_owned()
        }
        Some(Type::Array { .. } | Type::Opaque) => "void".into(),
        _ => module.types.c(ty, true).map_or_else(|| "void".into(), |c| c.name()),
    }
}

fn qualifier(module: &Tables<'_>, ty: u32, id: u32) -> String {
    let Some(Type::Pointer { space, .. }) = module.types.get(ty) else {
        return if matches!(module.types.get(ty), Some(Type::Pipe { .. })) {
            "pipe".into()
        } else {
            String::new()
        };
    };
    if *space == 0 {
        return String::new();
    }
    let mut words = Vec::new();
    let has = |d| module.decoration(id, d).is_some();
    if module.parameter_attribute(id, 4) || has(Decoration::Restrict) {
        words.push("restrict");
    }
    if *space == 2 || has(Decoration::Constant) || has(Decoration::NonWritable) {
        words.push("const");
    }
    if has(Decoration::Volatile) {
        words.push("volatile");
    }
    words.join(" ")
}
