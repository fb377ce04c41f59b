//! `OpVariable` and `OpUntypedVariableKHR` of modules and of functions.

use crate::body::Body;
use crate::constants::Constant;
use crate::module::{Tables, check_name};
use crate::output::{Output, global_name};
use crate::pipes;
use crate::types::{Type, space};
use muxcl_spirv::numbers::{Decoration, Op};
use muxcl_spirv::{Error, Instruction};

/// Writes the module's variables.
pub(crate) fn write(module: &Tables<'_>, out: &mut Output) -> Result<(), Error> {
    for &i in module.variables.values() {
        if module.decoration(i.operand(1)?, Decoration::BuiltIn).is_none() {
            variable(module, out, i)?;
        }
    }
    for &i in module.pipe_storages.values() {
        out.globals.push_str(&pipes::storage(i)?);
    }
    Ok(())
}

fn variable(module: &Tables<'_>, out: &mut Output, i: Instruction<'_>) -> Result<(), Error> {
    let id = i.operand(1)?;
    let Variable { space: of_type, to, initializer } = Variable::read(module, i)?;
    let space = space(i, i.operand(2)?)?;
    if space != of_type || !matches!(space, 1..=3) {
        return Err(i.error("a variable of the program has a storage class that is not possible"));
    }
    let ty = module.types.text(i, to)?;
    let linkage = module.linkage(id)?;
    if let Some((name, _)) = &linkage {
        check_name(i, name)?;
        out.defined.insert(name.clone());
    }
    let name = module.variable_name(id)?;
    let constant = space == 2 || module.decoration(id, Decoration::Constant).is_some();
    let kind = if constant { "constant" } else { "global" };
    let align = match module.decoration_value(id, Decoration::Alignment) {
        Some(align) if align.is_power_of_two() && align <= 1 << 29 => u64::from(align),
        Some(_) => return Err(i.error("an alignment is no power of two")),
        None => module.types.align(to),
    };
    let quoted = global_name(&name);
    let place = format!("addrspace({space})");
    if matches!(linkage, Some((_, 1))) {
        if initializer.is_some() {
            return Err(
                i.error(format_args!("variable '{name}' is imported, but has an initializer"))
            );
        }
        out.globals.push_str(&format!("{quoted} = external {place} {kind} {ty}, align {align}\n"));
        return Ok(());
    }
    let value = match initializer {
        // The variable that it points to may be declared later, so its name suffices.
        Some(initializer) if space != 3 => match module.constant_text(i, initializer)? {
            Some(text) => text,
            None => module.address(i, initializer)?,
        },
        _ if space == 3 => "undef".into(),
        _ => "zeroinitializer".into(),
    };
    let linkage = match linkage {
        Some((_, 0)) => "",
        Some(_) => "linkonce_odr ",
        None => "internal ",
    };
    out.globals
        .push_str(&format!("{quoted} = {linkage}{place} {kind} {ty} {value}, align {align}\n"));
    Ok(())
}

/// What a declaration of a variable says.
pub(crate) struct Variable {
    /// The address space of its pointer.
    pub space: u32,
    /// The type of its value.
    pub to: u32,
    /// The id of its initial value.
    initializer: Option<u32>,
}

impl Variable {
    /// Reads `OpVariable` or `OpUntypedVariableKHR`.
    ///
    /// # Errors
    /// The result is no pointer of the instruction's kind, or an untyped variable has no type.
    pub(crate) fn read(module: &Tables<'_>, i: Instruction<'_>) -> Result<Self, Error> {
        match (i.op, module.types.get(i.operand(0)?)) {
            (Op::Variable, Some(&Type::Pointer { space, to: Some(to) })) => {
                Ok(Self { space, to, initializer: i.operands.get(3).copied() })
            }
            (Op::UntypedVariableKHR, Some(&Type::Pointer { space, to: None })) => {
                let Some(&to) = i.operands.get(3) else {
                    return Err(i.error("a variable has no type, so its size is unknown"));
                };
                module.types.may_stay(i, to)?;
                Ok(Self { space, to, initializer: i.operands.get(4).copied() })
            }
            (Op::Variable, Some(Type::Pointer { .. })) => {
                Err(i.error("the type of an OpVariable is an untyped pointer"))
            }
            (_, Some(Type::Pointer { .. })) => {
                Err(i.error("the type of an OpUntypedVariableKHR is a typed pointer"))
            }
            _ => Err(i.error("the type of a variable is no pointer")),
        }
    }
}

impl Tables<'_> {
    /// The name of a module's variable.
    fn variable_name(&self, id: u32) -> Result<String, Error> {
        Ok(self.linkage(id)?.map_or_else(|| format!("spirv.variable.{id}"), |(name, _)| name))
    }

    /// The LLVM text of the address of a module's variable or function.
    pub(crate) fn address_of(&self, id: u32) -> Option<String> {
        let name = if self.variables.contains_key(&id) {
            self.variable_name(id)
        } else if self.function_numbers.contains_key(&id) {
            self.function_name(id)
        } else {
            return None;
        };
        name.ok().map(|name| global_name(&name))
    }

    /// As [`Self::address_of`], with an error instead of `None`.
    pub(crate) fn address(&self, i: Instruction<'_>, id: u32) -> Result<String, Error> {
        self.address_of(id)
            .ok_or_else(|| i.error(format_args!("id {id} is no constant and no variable")))
    }
}

/// Writes a function's variable.
pub(crate) fn write_local(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<bool, Error> {
    if !matches!(i.op, Op::Variable | Op::UntypedVariableKHR) {
        return Ok(false);
    }
    let (id, class) = (i.operand(1)?, i.operand(2)?);
    let Variable { space, to, initializer } = Variable::read(body.module, i)?;
    if space != 0 {
        return Err(i.error("a function's variable is not private"));
    }
    if class != 7 {
        return Err(i.error("a function's variable is not in storage class Function"));
    }
    let ty = body.text(i, to)?;
    let align = match body.module.decoration_value(id, Decoration::Alignment) {
        Some(align) if align.is_power_of_two() && align <= 1 << 29 => u64::from(align),
        _ => body.module.types.align(to),
    };
    let name = format!("%v{id}");
    body.entry.push_str(&format!("  {name} = alloca {ty}, align {align}\n"));
    body.allocas.insert(name.clone());
    body.set_id(id, name.clone());
    if let Some(initializer) = initializer
        && body.module.constants.get(&initializer) != Some(&Constant::Undef)
    {
        let value = body.typed(i, initializer)?;
        body.line(&format!("store {value}, ptr {name}, align {align}"));
    }
    Ok(true)
}
