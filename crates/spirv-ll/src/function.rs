//! Functions: signatures, kernels and blocks. This file dispatches instructions to the other files.

use crate::aliasing::{self, AliasLists};
use crate::body::{BasicBlock, Body};
use crate::metadata;
use crate::module::{Function, Tables, check_name};
use crate::order;
use crate::output::{Output, global_name};
use crate::types::Type;
use crate::{
    arithmetic, atomics, bits, builtin_variables, composite, control, convert, enqueue, ext_inst,
    groups, images, imports, memory, pipes, sub_groups, variables,
};
use muxcl_spirv::numbers::{Decoration, Op};
use muxcl_spirv::{Error, Instruction};

/// Writes all functions.
pub(crate) fn write_all(module: &Tables<'_>, out: &mut Output) -> Result<(), Error> {
    for function in &module.functions {
        for name in module.defined_names(function)? {
            out.defined.insert(name);
        }
    }
    for function in &module.functions {
        write(module, out, function)?;
    }
    Ok(())
}

impl<'m> Tables<'m> {
    /// The names of the kernels that a function is the entry point of.
    fn kernels(&self, id: u32) -> impl Iterator<Item = &str> {
        self.kernel_names.get(&id).into_iter().flatten().map(String::as_str)
    }

    /// True if the kernel needs no separate function for its body: one entry point, and no call.
    fn is_kernel_itself(&self, id: u32) -> bool {
        self.kernels(id).count() == 1 && !self.called.contains(&id)
    }

    /// The name of a function's body.
    pub(crate) fn function_name(&self, id: u32) -> Result<String, Error> {
        if self.is_kernel_itself(id)
            && let Some(name) = self.kernels(id).next()
        {
            return Ok(name.to_owned());
        }
        if self.kernels(id).next().is_some() {
            return Ok(format!("spirv.kernel.{id}"));
        }
        Ok(match self.linkage(id)? {
            Some((name, _)) if !self.is_kernels_own(id, &name) => name,
            _ => format!("spirv.function.{id}"),
        })
    }

    /// True if the function is the body of a kernel and exported by the kernel's name. llvm-spirv
    /// emits kernels this way.
    fn is_kernels_own(&self, id: u32, name: &str) -> bool {
        self.all_kernels.contains(name)
            && self.function_numbers.get(&id).is_some_and(|n| !self.functions[*n].body.is_empty())
    }

    fn defined_names(&self, function: &Function<'_>) -> Result<Vec<String>, Error> {
        let mut names = vec![self.function_name(function.id())?];
        names.extend(self.kernels(function.id()).map(str::to_owned));
        Ok(names)
    }

    /// A function by its id.
    pub(crate) fn function(&self, i: Instruction<'_>, id: u32) -> Result<&Function<'m>, Error> {
        let found = self.function_numbers.get(&id).and_then(|n| self.functions.get(*n));
        found.ok_or_else(|| i.error(format_args!("id {id} is no function")))
    }

    /// The attributes of a parameter, each with a space after it.
    pub(crate) fn parameter_attributes(
        &self,
        i: Instruction<'_>,
        id: u32,
        kernel: bool,
    ) -> Result<String, Error> {
        let ty = self.type_of(i, id)?;
        let mut text = String::new();
        let mut align = self
            .decoration_value(id, Decoration::Alignment)
            .map(u64::from)
            .filter(|a| a.is_power_of_two());
        if let Some(Type::Pointer { to, space }) = self.types.get(ty) {
            let by_value = *space == 0 && self.parameter_attribute(id, BY_VALUE);
            let returned = *space == 0 && self.parameter_attribute(id, RETURNED);
            match to {
                Some(to) if by_value => {
                    text.push_str(&format!("byval({}) ", self.types.text(i, *to)?));
                    align = align.or(Some(self.types.align(*to)));
                }
                Some(to) if returned => {
                    text.push_str(&format!("sret({}) ", self.types.text(i, *to)?));
                }
                Some(to) if kernel => align = align.or(Some(self.types.align(*to))),
                None if by_value || returned => {
                    return Err(i.error(
                        "a parameter with the attribute ByVal or Sret is an untyped pointer, so \
                         its size is unknown",
                    ));
                }
                _ => {}
            }
            if self.parameter_attribute(id, NO_ALIAS)
                || self.decoration(id, Decoration::Restrict).is_some()
            {
                text.push_str("noalias ");
            }
            if let Some(align) = align.filter(|a| *a <= 1 << 29) {
                text.push_str(&format!("align {align} "));
            }
        } else if matches!(self.types.get(ty), Some(Type::Int(8 | 16) | Type::Bool)) {
            if self.parameter_attribute(id, 0) {
                text.push_str("zeroext ");
            } else if self.parameter_attribute(id, 1) {
                text.push_str("signext ");
            }
        }
        Ok(text)
    }
}

const BY_VALUE: u32 = 2;
const RETURNED: u32 = 3;
const NO_ALIAS: u32 = 4;

fn write(module: &Tables<'_>, out: &mut Output, function: &Function<'_>) -> Result<(), Error> {
    let i = function.definition;
    let (id, signature) = (function.id(), i.operand(3)?);
    let Type::Function { ret, parameters } = module.types.find(i, signature)? else {
        return Err(i.error("the type of a function is no function type"));
    };
    if parameters.len() != function.parameters.len() || *ret != i.operand(0)? {
        return Err(i.error("the parameters or the result of a function differ from its type"));
    }
    for (parameter, ty) in function.parameters.iter().zip(parameters) {
        if parameter.operand(0)? != *ty {
            return Err(parameter.error("a parameter's type differs from the function's type"));
        }
    }
    let itself = module.is_kernel_itself(id);
    if itself && module.types.get(*ret) != Some(&Type::Void) {
        return Err(i.error("a kernel returns a value"));
    }
    let name = module.function_name(id)?;
    let linkage = module.linkage(id)?;
    let is_import = matches!(linkage, Some((_, 1)));
    let is_intrinsic = is_import && imports::intrinsic_type(&name).is_some();
    if !is_intrinsic {
        check_name(i, &name)?;
    }
    let types: Result<Vec<&str>, Error> =
        parameters.iter().map(|ty| module.types.text(i, *ty)).collect();
    let (types, result) = (types?, module.types.text(i, *ret)?);
    for name in module.kernels(id).chain([name.as_str()]) {
        imports::check(i, name, result, &types, module.options.address_bits)?;
    }
    if function.body.is_empty() {
        if !is_import {
            return Err(i.error(format_args!("function '{name}' has no body, and is not imported")));
        }
        if is_intrinsic {
            // The first call declares it.
            return Ok(());
        }
        let name = global_name(&name);
        let parameters = signature_text(module, function, false, false)?;
        out.globals.push_str(&format!("declare spir_func {result} {name}({parameters}) #0\n"));
        return Ok(());
    }
    if is_import {
        return Err(i.error(format_args!("function '{name}' is imported, but has a body")));
    }

    let mut body = Body::new(module, out, id);
    write_blocks(&mut body, function)?;
    let entry = take_entry(&mut body, function, itself)?;
    let text = finish_blocks(&mut body, i, &entry)?;

    if itself {
        let metadata = metadata::kernel(module, out, function, &name)?;
        let head = signature_text(module, function, true, true)?;
        out.functions.push_str(&format!(
            "define dso_local spir_kernel void {}({head}) #3{metadata} {{\n{text}}}\n",
            global_name(&name)
        ));
        return Ok(());
    }
    let is_kernel = module.kernels(id).next().is_some();
    let linkage = match linkage {
        Some((own, _)) if is_kernel || own != name => "internal ",
        Some((_, 0)) => "dso_local ",
        Some((_, 2)) => "linkonce_odr ",
        _ => "internal ",
    };
    let control = i.operand(2)?;
    let inline = if control & 1 != 0 {
        "alwaysinline "
    } else if control & 2 != 0 {
        "noinline "
    } else {
        ""
    };
    let head = signature_text(module, function, false, true)?;
    let (result, quoted) = (module.types.text(i, *ret)?, global_name(&name));
    out.functions.push_str(&format!(
        "define {linkage}spir_func {result} {quoted}({head}) {inline}#4 {{\n{text}}}\n"
    ));
    let kernels: Vec<String> = module.kernels(id).map(str::to_owned).collect();
    for kernel in kernels {
        check_name(i, &kernel)?;
        write_wrapper(module, out, function, &kernel, &quoted)?;
    }
    Ok(())
}

/// Writes a kernel that calls its body. The body is a function of its own because other code calls
/// it, or another kernel shares it.
fn write_wrapper(
    module: &Tables<'_>,
    out: &mut Output,
    function: &Function<'_>,
    kernel: &str,
    body: &str,
) -> Result<(), Error> {
    let i = function.definition;
    let metadata = metadata::kernel(module, out, function, kernel)?;
    let head = signature_text(module, function, true, true)?;
    let mut text = String::from("b0:\n");
    let mut arguments = Vec::new();
    for parameter in &function.parameters {
        let id = parameter.operand(1)?;
        let ty = module.types.text(i, parameter.operand(0)?)?;
        if passed_in_memory(module, parameter)? {
            text.push_str(&format!("  %v{id} = load {ty}, ptr %p{id}\n"));
        }
        arguments.push(format!("{ty} {}%v{id}", module.parameter_attributes(i, id, false)?));
    }
    text.push_str(&format!("  call spir_func void {body}({})\n  ret void\n", arguments.join(", ")));
    out.functions.push_str(&format!(
        "define dso_local spir_kernel void {}({head}) #3{metadata} {{\n{text}}}\n",
        global_name(kernel)
    ));
    Ok(())
}

/// True if clang passes the kernel's argument `byval`: a structure or an array.
fn passed_in_memory(module: &Tables<'_>, parameter: &Instruction<'_>) -> Result<bool, Error> {
    let ty = module.types.get(parameter.operand(0)?);
    Ok(matches!(ty, Some(Type::Struct { .. } | Type::Array { .. })))
}

fn signature_text(
    module: &Tables<'_>,
    function: &Function<'_>,
    kernel: bool,
    named: bool,
) -> Result<String, Error> {
    let mut parts = Vec::new();
    for parameter in &function.parameters {
        let id = parameter.operand(1)?;
        let ty = parameter.operand(0)?;
        let text = module.types.text(*parameter, ty)?;
        let mut part = if kernel && passed_in_memory(module, parameter)? {
            format!("ptr byval({text}) align {} %p{id}", module.types.align(ty))
        } else {
            format!("{text} {}%v{id}", module.parameter_attributes(*parameter, id, kernel)?)
        };
        if !named && let Some((unnamed, _)) = part.rsplit_once('%') {
            part = unnamed.trim_end().to_owned();
        }
        parts.push(part);
    }
    Ok(parts.join(", "))
}

/// The beginning of the entry block: loads of arguments passed `byval`, stack memory, builtin
/// variables.
fn take_entry(
    body: &mut Body<'_, '_>,
    function: &Function<'_>,
    kernel: bool,
) -> Result<String, Error> {
    let mut entry = std::mem::take(&mut body.entry);
    for parameter in function.parameters.iter().filter(|_| kernel) {
        if passed_in_memory(body.module, parameter)? {
            let (ty, id) = (body.result_text(*parameter)?, parameter.operand(1)?);
            entry.push_str(&format!("  %v{id} = load {ty}, ptr %p{id}\n"));
        }
    }
    Ok(entry)
}

fn write_blocks<'m>(body: &mut Body<'_, 'm>, function: &Function<'m>) -> Result<(), Error> {
    for parameter in &function.parameters {
        let id = parameter.operand(1)?;
        body.set_id(id, format!("%v{id}"));
    }
    builtin_variables::write(body, function)?;
    for block in order::blocks(body.module, function)? {
        for i in block {
            match i.op {
                Op::Label => {
                    body.blocks.push(BasicBlock {
                        label: i.operand(0)?,
                        phis: Vec::new(),
                        text: String::new(),
                    });
                }
                Op::Phi => {
                    body.module.types.may_stay(*i, i.operand(0)?)?;
                    let id = i.operand(1)?;
                    if let Some(block) = body.blocks.last_mut() {
                        block.phis.push(*i);
                    }
                    body.set_id(id, format!("%v{id}"));
                }
                _ => instruction(body, *i)?,
            }
        }
    }
    Ok(())
}

/// The text of all blocks. PHIs are written last, when the names of all values are known.
fn finish_blocks(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    entry: &str,
) -> Result<String, Error> {
    let mut text = String::new();
    let blocks = std::mem::take(&mut body.blocks);
    if blocks.first().is_some_and(|b| !b.phis.is_empty()) {
        return Err(i.error("the first block of a function has an OpPhi"));
    }
    for (n, block) in blocks.iter().enumerate() {
        text.push_str(&format!("b{}:\n", block.label));
        if n == 0 {
            text.push_str(entry);
        }
        for phi in &block.phis {
            text.push_str(&control::phi(body, *phi, block.label)?);
        }
        text.push_str(&block.text);
        if text.len() > MAX_TEXT {
            return Err(i.error("a function is too large"));
        }
    }
    Ok(text)
}

/// The largest text of a function in bytes. A block may have a PHI for each value, each with an
/// entry for every case of a switch, so the text can grow quadratically.
const MAX_TEXT: usize = 256 << 20;

/// Writes one instruction.
fn instruction(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    if !(control::write(body, i)?
        || memory::write(body, i)?
        || arithmetic::write(body, i)?
        || bits::write(body, i)?
        || convert::write(body, i)?
        || composite::write(body, i)?
        || ext_inst::write(body, i)?
        || atomics::write(body, i)?
        || groups::write(body, i)?
        || sub_groups::write(body, i)?
        || images::write(body, i)?
        || pipes::write(body, i)?
        || enqueue::write(body, i)?
        || variables::write_local(body, i)?)
    {
        return Err(i.error(format_args!("Op{:?} is not supported", i.op)));
    }
    Ok(())
}

/// Writes a call of a function of the module.
pub(crate) fn call(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let module = body.module;
    let callee = module.function(i, i.operand(2)?)?;
    let arguments = i.rest(3);
    if arguments.len() != callee.parameters.len() {
        return Err(
            i.error("the number of arguments of a call differs from the function's parameters")
        );
    }
    let mut parts = Vec::new();
    for (&argument, parameter) in arguments.iter().zip(&callee.parameters) {
        let (ty, id) = (parameter.operand(0)?, parameter.operand(1)?);
        if body.type_of(i, argument)? != ty {
            let same_space =
                match (module.types.get(body.type_of(i, argument)?), module.types.get(ty)) {
                    (
                        Some(Type::Pointer { space: a, .. }),
                        Some(Type::Pointer { space: b, .. }),
                    ) => a == b,
                    _ => false,
                };
            if !same_space {
                return Err(i.error("an argument of a call is not of its parameter's type"));
            }
        }
        let attributes = module.parameter_attributes(i, id, false)?;
        parts.push(format!("{} {attributes}{}", body.text(i, ty)?, body.operand(i, argument)?));
    }
    let name = module.function_name(callee.id())?;
    let result = body.text(i, callee.definition.operand(0)?)?;
    if let (Some(ty), &[a, b]) = (imports::intrinsic_type(&name), arguments) {
        let (a, b) = (body.value(i, a)?, body.value(i, b)?);
        let value = body.intrinsic(&name, ty, &[(ty, &a), (ty, &b)]);
        body.set(i, value);
        return Ok(());
    }
    let name = global_name(&name);
    let aliases = AliasLists::of_decorations(module, i.result())?;
    let attachments = aliasing::attachments(body, i, aliases)?;
    let text = format!("call spir_func {result} {name}({}) #0{attachments}", parts.join(", "));
    if result == "void" {
        body.line(&text);
    } else {
        body.define(i, &text);
    }
    Ok(())
}
