//! What the API asks of a module.

use crate::{Error, Instruction, Module};
use spirv::{Decoration, ExecutionModel, MemoryModel, Op};
use std::collections::{BTreeMap, BTreeSet};

/// What a module says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// SPIR-V's version, as `(1, 2)`.
    pub version: (u8, u8),
    /// The numbers of the capabilities it declares, sorted, each once.
    pub capabilities: Vec<u32>,
    /// The extensions it declares, `SPV_...`.
    pub extensions: Vec<String>,
    /// The extended instruction sets it imports: `OpenCL.std`.
    pub imports: Vec<String>,
    /// The names of its kernels, in order.
    pub kernels: Vec<String>,
    /// Its specialization constants, sorted by number.
    pub constants: Vec<SpecConstant>,
    /// The width of its addresses: 32 or 64; 0 with the logical addressing model.
    pub address_bits: u32,
}

/// A specialization constant that can be set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpecConstant {
    /// The number `clSetProgramSpecializationConstant` names it by: decoration `SpecId`.
    pub id: u32,
    /// How many bytes its value has; a bool has one.
    pub bytes: u32,
}

/// Reads a module, checks its structure and tells what it says of itself. What its instructions do
/// is not looked at.
///
/// # Errors
/// The bytes are no SPIR-V module for OpenCL; the sentence says why and where.
pub fn facts(il: &[u8]) -> Result<Facts, Error> {
    let module = Module::parse(il)?;
    module.check_layout()?;
    let mut facts = Facts {
        version: module.version(),
        capabilities: Vec::new(),
        extensions: Vec::new(),
        imports: Vec::new(),
        kernels: Vec::new(),
        constants: Vec::new(),
        address_bits: 0,
    };
    let mut ids = BTreeMap::new(); // of constants: their SpecId
    let mut widths = BTreeMap::new(); // of scalar types, in bytes
    let mut constants = BTreeMap::new();
    let (mut entries, mut functions) = (Vec::new(), BTreeSet::new());
    for i in module.instructions() {
        match i.op {
            Op::Capability => facts.capabilities.push(i.operand(0)?),
            Op::Extension => facts.extensions.push(i.text(0)?.0),
            Op::ExtInstImport => facts.imports.push(i.text(1)?.0),
            Op::MemoryModel => facts.address_bits = address_bits(i)?,
            Op::EntryPoint => {
                let model = i.operand(0)?;
                if model != ExecutionModel::Kernel as u32 {
                    return Err(
                        i.error(format_args!("execution model {model} is not OpenCL's Kernel"))
                    );
                }
                facts.kernels.push(i.text(2)?.0);
                entries.push((i, i.operand(1)?));
            }
            Op::Decorate if i.operand(1)? == Decoration::SpecId as u32 => {
                ids.insert(i.operand(0)?, i.operand(2)?);
            }
            Op::TypeBool => {
                widths.insert(i.operand(0)?, 1);
            }
            Op::TypeInt | Op::TypeFloat => {
                widths.insert(i.operand(0)?, i.operand(1)?.div_ceil(8));
            }
            Op::SpecConstantTrue | Op::SpecConstantFalse | Op::SpecConstant => {
                let Some(&number) = ids.get(&i.operand(1)?) else { continue };
                let Some(&bytes) = widths.get(&i.operand(0)?) else {
                    return Err(i.error(
                        "the type of a specialization constant is no bool, integer or float",
                    ));
                };
                if *constants.entry(number).or_insert(bytes) != bytes {
                    let text = format!(
                        "two specialization constants with number {number} have different sizes"
                    );
                    return Err(i.error(text));
                }
            }
            Op::Function => {
                functions.insert(i.operand(1)?);
            }
            _ => {}
        }
    }
    if let Some((i, function)) = entries.iter().find(|(_, function)| !functions.contains(function))
    {
        return Err(
            i.error(format_args!("there is no function {function}, which OpEntryPoint names"))
        );
    }
    facts.capabilities.sort_unstable();
    facts.capabilities.dedup();
    facts.constants = constants.into_iter().map(|(id, bytes)| SpecConstant { id, bytes }).collect();
    Ok(facts)
}

fn address_bits(i: Instruction<'_>) -> Result<u32, Error> {
    let (addressing, memory) = (i.operand(0)?, i.operand(1)?);
    if memory != MemoryModel::OpenCL as u32 {
        return Err(i.error(format_args!("memory model {memory} is not OpenCL's")));
    }
    match addressing {
        0 => Ok(0),
        1 => Ok(32),
        2 => Ok(64),
        other => Err(i.error(format_args!("addressing model {other} is not one of OpenCL's"))),
    }
}
