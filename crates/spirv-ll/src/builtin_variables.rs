//! Builtin variables. A function that mentions one gets a private copy, which calls of OpenCL C's
//! functions fill in its entry block. Optimisation removes unused copies.

use crate::body::{BasicBlock, Body};
use crate::mangle::{C, UINT, pointer_text};
use crate::module::Function;
use crate::output::Effects;
use crate::types::Type;
use crate::variables::Variable;
use muxcl_spirv::numbers::{BuiltIn, Decoration};
use muxcl_spirv::{Error, Instruction};
use std::collections::BTreeSet;

/// The OpenCL C function that gives a builtin variable its value.
enum Source {
    /// `size_t f(uint dimension)`
    Dimensions(&'static str),
    /// `size_t f(void)`
    Size(&'static str),
    /// `uint f(void)`
    Number(&'static str),
    /// `uint4 f(void)`
    Mask(&'static str),
}

fn source(builtin: u32) -> Option<Source> {
    Some(match BuiltIn::from_u32(builtin)? {
        BuiltIn::GlobalInvocationId => Source::Dimensions("get_global_id"),
        BuiltIn::LocalInvocationId => Source::Dimensions("get_local_id"),
        BuiltIn::WorkgroupId => Source::Dimensions("get_group_id"),
        BuiltIn::NumWorkgroups => Source::Dimensions("get_num_groups"),
        BuiltIn::WorkgroupSize => Source::Dimensions("get_local_size"),
        BuiltIn::EnqueuedWorkgroupSize => Source::Dimensions("get_enqueued_local_size"),
        BuiltIn::GlobalSize => Source::Dimensions("get_global_size"),
        BuiltIn::GlobalOffset => Source::Dimensions("get_global_offset"),
        BuiltIn::GlobalLinearId => Source::Size("get_global_linear_id"),
        BuiltIn::LocalInvocationIndex => Source::Size("get_local_linear_id"),
        BuiltIn::WorkDim => Source::Number("get_work_dim"),
        BuiltIn::SubgroupSize => Source::Number("get_sub_group_size"),
        BuiltIn::SubgroupMaxSize => Source::Number("get_max_sub_group_size"),
        BuiltIn::NumSubgroups => Source::Number("get_num_sub_groups"),
        BuiltIn::NumEnqueuedSubgroups => Source::Number("get_enqueued_num_sub_groups"),
        BuiltIn::SubgroupId => Source::Number("get_sub_group_id"),
        BuiltIn::SubgroupLocalInvocationId => Source::Number("get_sub_group_local_id"),
        BuiltIn::SubgroupEqMask => Source::Mask("get_sub_group_eq_mask"),
        BuiltIn::SubgroupGeMask => Source::Mask("get_sub_group_ge_mask"),
        BuiltIn::SubgroupGtMask => Source::Mask("get_sub_group_gt_mask"),
        BuiltIn::SubgroupLeMask => Source::Mask("get_sub_group_le_mask"),
        BuiltIn::SubgroupLtMask => Source::Mask("get_sub_group_lt_mask"),
        _ => return None,
    })
}

/// Fills the copies of the builtin variables that a function mentions.
pub(crate) fn write(body: &mut Body<'_, '_>, function: &Function<'_>) -> Result<(), Error> {
    let module = body.module;
    let mut mentioned = BTreeSet::new();
    for i in &function.body {
        // A literal operand may equal a variable's id. Then an unused copy is filled.
        mentioned.extend(i.operands.iter().copied().filter(|id| module.variables.contains_key(id)));
    }
    let builtins = mentioned.iter().filter_map(|id| module.variables.get(id));
    for &variable in builtins {
        let id = variable.operand(1)?;
        if let Some(builtin) = module.decoration_value(id, Decoration::BuiltIn) {
            // A temporary block collects the instructions, which then move to the entry block.
            body.blocks.push(BasicBlock { label: 0, phis: Vec::new(), text: String::new() });
            let filled = fill(body, variable, id, builtin);
            let text = body.blocks.pop().map(|b| b.text).unwrap_or_default();
            filled?;
            body.entry.push_str(&text);
        }
    }
    Ok(())
}

fn fill(body: &mut Body<'_, '_>, i: Instruction<'_>, id: u32, builtin: u32) -> Result<(), Error> {
    // The specification asks for Input. Early translators use UniformConstant, dpctl's modules
    // CrossWorkgroup.
    let Variable { space, to, .. } = Variable::read(body.module, i)?;
    if space > 2 {
        return Err(i.error("a builtin variable is not in storage class Input"));
    }
    let Some(source) = source(builtin) else {
        return Err(i.error(format_args!("builtin variable {builtin} is not one of OpenCL's")));
    };
    let (element, lanes) = body.module.types.lanes(to);
    let Some(Type::Int(bits)) = body.module.types.get(element) else {
        return Err(i.error("a builtin variable is not of integers"));
    };
    let bits = *bits;
    let ty = body.text(i, to)?;
    let name = format!("%v{id}");
    body.line(&format!("{name} = alloca {ty}, align {}", body.module.types.align(to)));
    let size = body.size_t();
    let value = match source {
        Source::Dimensions(f) => {
            let mut vector = "poison".to_owned();
            for lane in 0..lanes {
                let word = body.call(f, &size, &[(UINT, lane.to_string())], Effects::Nothing);
                let word = body.resize(&word, body.module.options.address_bits, bits, false);
                if lanes == 1 {
                    vector = word;
                } else {
                    vector = body
                        .temp(&format!("insertelement {ty} {vector}, i{bits} {word}, i32 {lane}"));
                }
            }
            vector
        }
        Source::Mask(f) => {
            if lanes != 4 || bits != 32 {
                return Err(i.error("a mask of a sub-group is a vector of 4 integers of 32 bits"));
            }
            body.call(f, &UINT.times(4), &[], Effects::Nothing)
        }
        Source::Size(_) | Source::Number(_) if lanes != 1 => {
            return Err(i.error("a builtin variable is a vector, but its value is a number"));
        }
        Source::Size(f) => {
            let value = body.call(f, &size, &[], Effects::Nothing);
            body.resize(&value, body.module.options.address_bits, bits, false)
        }
        Source::Number(f) => {
            let value = body.call(f, &C::Int(32, false), &[], Effects::Nothing);
            body.resize(&value, 32, bits, false)
        }
    };
    body.line(&format!("store {ty} {value}, ptr {name}"));
    let name = match space {
        0 => name,
        _ => body.temp(&format!("addrspacecast ptr {name} to {}", pointer_text(space))),
    };
    body.set_id(id, name);
    Ok(())
}
