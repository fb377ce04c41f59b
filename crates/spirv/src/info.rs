//! The parts of a module that API calls need.

use crate::{Error, Instruction, Module};
use spirv::{Decoration, ExecutionModel, MemoryModel, Op};
use std::collections::{BTreeMap, BTreeSet};

/// The declarations of a module that the API and the check of a device's support need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleInfo {
    /// The version of SPIR-V: `(1, 2)` for 1.2.
    pub version: (u8, u8),
    /// The capabilities' numbers, sorted, without duplicates.
    pub capabilities: Vec<u32>,
    /// The names of the declared extensions, such as `SPV_KHR_expect_assume`.
    pub extensions: Vec<String>,
    /// The names of the imported extended instruction sets, such as `OpenCL.std`.
    pub imports: Vec<String>,
    /// The names of the kernels, in the order of their entry points.
    pub kernels: Vec<String>,
    /// The specialization constants, sorted by `SpecId`.
    pub constants: Vec<SpecConstant>,
    /// The width of an address in bits: 32 or 64; 0 for the logical addressing model.
    pub address_bits: u32,
}

/// A specialization constant that `clSetProgramSpecializationConstant` can set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpecConstant {
    /// The decoration `SpecId`, by which the API names the constant.
    pub id: u32,
    /// Size of the value in bytes; a bool has 1.
    pub bytes: u32,
}

/// Reads a module, checks its layout and collects its declarations. The instructions of functions
/// are not interpreted.
///
/// A module that requires more than a device supports is no error here: see
/// [`support::check`](crate::support::check).
///
/// # Errors
/// The bytes are not a SPIR-V module for OpenCL. The error names the reason and the word.
///
/// # Examples
/// ```
/// use muxcl_spirv::{module_info, numbers::Op};
///
/// // A module of SPIR-V 1.2 with capability Kernel, physical addresses of 64 bits, no kernels.
/// let words = [
///     0x0723_0203, 0x0001_0200, 0, 1, 0,
///     2 << 16 | Op::Capability as u32, 6,
///     3 << 16 | Op::MemoryModel as u32, 2, 2,
/// ];
/// let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
/// let info = module_info(&bytes)?;
/// assert_eq!((info.version, info.address_bits), ((1, 2), 64));
/// assert_eq!(info.capabilities, [6]);
/// # Ok::<(), muxcl_spirv::Error>(())
/// ```
pub fn module_info(il: &[u8]) -> Result<ModuleInfo, Error> {
    let module = Module::parse(il)?;
    module.check_layout()?;
    let mut info = ModuleInfo {
        version: module.version(),
        capabilities: Vec::new(),
        extensions: Vec::new(),
        imports: Vec::new(),
        kernels: Vec::new(),
        constants: Vec::new(),
        address_bits: 0,
    };
    let mut spec_ids = BTreeMap::new(); // SpecId by the constant's id
    let mut sizes = BTreeMap::new(); // size in bytes by the scalar type's id
    let mut constants = BTreeMap::new();
    let (mut entries, mut functions) = (Vec::new(), BTreeSet::new());
    for i in module.instructions() {
        match i.op {
            Op::Capability => info.capabilities.push(i.operand(0)?),
            Op::Extension => info.extensions.push(i.text(0)?.0),
            Op::ExtInstImport => info.imports.push(i.text(1)?.0),
            Op::MemoryModel => info.address_bits = address_bits(i)?,
            Op::EntryPoint => {
                let model = i.operand(0)?;
                if model != ExecutionModel::Kernel as u32 {
                    return Err(
                        i.error(format_args!("execution model {model} is not OpenCL's Kernel"))
                    );
                }
                info.kernels.push(i.text(2)?.0);
                entries.push((i, i.operand(1)?));
            }
            Op::Decorate if i.operand(1)? == Decoration::SpecId as u32 => {
                spec_ids.insert(i.operand(0)?, i.operand(2)?);
            }
            Op::TypeBool => {
                sizes.insert(i.operand(0)?, 1);
            }
            Op::TypeInt | Op::TypeFloat => {
                sizes.insert(i.operand(0)?, i.operand(1)?.div_ceil(8));
            }
            Op::SpecConstantTrue | Op::SpecConstantFalse | Op::SpecConstant => {
                let Some(&number) = spec_ids.get(&i.operand(1)?) else { continue };
                let Some(&bytes) = sizes.get(&i.operand(0)?) else {
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
            i.error(format_args!("OpEntryPoint names function {function}, which does not exist"))
        );
    }
    info.capabilities.sort_unstable();
    info.capabilities.dedup();
    info.constants = constants.into_iter().map(|(id, bytes)| SpecConstant { id, bytes }).collect();
    Ok(info)
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
