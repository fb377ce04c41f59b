//! The tables of a module: its declarations, and the instructions of each function.

use crate::Options;
use crate::constants::Constant;
use crate::imports;
use crate::types::{Type, Types};
use muxcl_spirv::numbers::{Capability, Decoration, ExecutionMode, Op};
use muxcl_spirv::{Error, Instruction, Module, support};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// The kind of an extended instruction set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Set {
    /// `OpenCL.std`
    OpenCl,
    /// A set for debuggers or without semantics; its instructions are skipped.
    Ignored,
}

/// A function's instructions.
#[derive(Debug)]
pub(crate) struct Function<'m> {
    pub definition: Instruction<'m>,
    pub parameters: Vec<Instruction<'m>>,
    pub body: Vec<Instruction<'m>>,
}

impl Function<'_> {
    /// Its id.
    pub(crate) fn id(&self) -> u32 {
        self.definition.result().unwrap_or(0)
    }
}

/// The declarations and functions of a module.
#[derive(Debug)]
pub(crate) struct Tables<'m> {
    pub options: Options<'m>,
    pub names: BTreeMap<u32, String>,
    pub strings: BTreeSet<String>,
    decorations: BTreeMap<u32, Vec<(u32, Instruction<'m>)>>,
    pub sets: BTreeMap<u32, Set>,
    /// The kernels' names, by the function that is their entry point.
    pub kernel_names: BTreeMap<u32, Vec<String>>,
    /// The names of all kernels.
    pub all_kernels: BTreeSet<String>,
    /// The execution modes of all kernels.
    modes_used: BTreeSet<u32>,
    modes: BTreeMap<u32, Vec<(u32, Instruction<'m>)>>,
    pub types: Types,
    /// The type id of every value.
    pub value_types: BTreeMap<u32, u32>,
    pub constants: BTreeMap<u32, Constant>,
    /// Alias domains, scopes and lists of scopes, by id.
    pub alias_declarations: BTreeMap<u32, Instruction<'m>>,
    /// The module's variables, by id.
    pub variables: BTreeMap<u32, Instruction<'m>>,
    /// The pipes that belong to the module, by id.
    pub pipe_storages: BTreeMap<u32, Instruction<'m>>,
    pub functions: Vec<Function<'m>>,
    /// The index in `functions`, by id.
    pub function_numbers: BTreeMap<u32, usize>,
    /// Size of the text of constants so far, in bytes.
    pub constant_bytes: Cell<usize>,
    /// The functions that are called.
    pub called: BTreeSet<u32>,
}

impl<'m> Tables<'m> {
    /// Reads the tables of a module.
    pub(crate) fn read(module: &'m Module, options: &Options<'m>) -> Result<Self, Error> {
        let mut tables = Self {
            options: *options,
            names: BTreeMap::new(),
            strings: BTreeSet::new(),
            decorations: BTreeMap::new(),
            sets: BTreeMap::new(),
            kernel_names: BTreeMap::new(),
            all_kernels: BTreeSet::new(),
            modes_used: BTreeSet::new(),
            modes: BTreeMap::new(),
            types: Types::new(options.address_bits),
            value_types: BTreeMap::new(),
            constants: BTreeMap::new(),
            alias_declarations: BTreeMap::new(),
            variables: BTreeMap::new(),
            pipe_storages: BTreeMap::new(),
            functions: Vec::new(),
            function_numbers: BTreeMap::new(),
            constant_bytes: Cell::new(0),
            called: BTreeSet::new(),
        };
        let mut in_functions = false;
        for i in module.instructions() {
            if let (Some(id), Some(ty)) = (i.result(), i.result_type()) {
                tables.value_types.insert(id, ty);
            }
            in_functions |= i.op == Op::Function;
            if in_functions {
                tables.function_part(i)?;
            } else {
                tables.declaration(i)?;
            }
        }
        Ok(tables)
    }

    fn declaration(&mut self, i: Instruction<'m>) -> Result<(), Error> {
        match i.op {
            Op::Capability => capability(i)?,
            Op::Extension => extension(i)?,
            Op::ExtInstImport => {
                let name = i.text(1)?.0;
                let set = match name.as_str() {
                    "OpenCL.std" => Set::OpenCl,
                    "OpenCL.DebugInfo.100" | "SPIRV.debug" => Set::Ignored,
                    name if name.starts_with("NonSemantic.") => Set::Ignored,
                    name => {
                        return Err(i.error(format_args!(
                            "the extended instructions '{name}' are not supported"
                        )));
                    }
                };
                self.sets.insert(i.operand(0)?, set);
            }
            Op::MemoryModel => self.check_model(i)?,
            Op::EntryPoint => {
                let name = i.text(2)?.0;
                if !self.all_kernels.insert(name.clone()) {
                    return Err(i.error(format_args!("there are two kernels '{name}'")));
                }
                self.kernel_names.entry(i.operand(1)?).or_default().push(name);
            }
            Op::ExecutionMode | Op::ExecutionModeId => {
                self.modes_used.insert(i.operand(1)?);
                execution_mode(i)?;
                self.modes.entry(i.operand(0)?).or_default().push((i.operand(1)?, i));
            }
            Op::Name => {
                self.names.insert(i.operand(0)?, i.text(1)?.0);
            }
            Op::String => {
                self.strings.insert(i.text(1)?.0);
            }
            Op::Decorate | Op::DecorateId => {
                self.decorations.entry(i.operand(0)?).or_default().push((i.operand(1)?, i));
            }
            Op::GroupDecorate => {
                let group = self.decorations.get(&i.operand(0)?).cloned().unwrap_or_default();
                for &target in i.rest(1) {
                    self.decorations.entry(target).or_default().extend(&group);
                }
            }
            Op::Variable | Op::UntypedVariableKHR => {
                self.variables.insert(i.operand(1)?, i);
            }
            Op::Undef => {
                self.constants.insert(i.operand(1)?, Constant::Undef);
            }
            Op::AliasDomainDeclINTEL | Op::AliasScopeDeclINTEL | Op::AliasScopeListDeclINTEL => {
                self.alias_declarations.insert(i.operand(0)?, i);
            }
            op if (Op::TypeVoid as u32..=Op::TypeForwardPointer as u32).contains(&(op as u32))
                || matches!(
                    op,
                    Op::TypePipeStorage | Op::TypeNamedBarrier | Op::TypeUntypedPointerKHR
                ) =>
            {
                let packed = self.decoration(i.operand(0)?, Decoration::CPacked).is_some();
                let constants = &self.constants;
                let count = |id: u32| match constants.get(&id) {
                    Some(Constant::Bits(bits)) => Some(*bits),
                    _ => None,
                };
                self.types.declare(i, packed, count)?;
            }
            op if (Op::ConstantTrue as u32..=Op::SpecConstantOp as u32).contains(&(op as u32))
                || op == Op::ConstantPipeStorage =>
            {
                let value = self.constant(i)?;
                if op == Op::ConstantPipeStorage {
                    self.pipe_storages.insert(i.operand(1)?, i);
                }
                self.constants.insert(i.operand(1)?, value);
            }
            Op::ExtInst if self.sets.get(&i.operand(2)?) == Some(&Set::Ignored) => {}
            Op::ExtInst | Op::ConstantPipeStorage => {
                return Err(
                    i.error(format_args!("Op{:?} among the declarations is not supported", i.op))
                );
            }
            // Debug information, and decorations of members, which describe the interfaces of
            // graphics.
            _ => {}
        }
        Ok(())
    }

    fn check_model(&self, i: Instruction<'m>) -> Result<(), Error> {
        let bits = match i.operand(0)? {
            1 => 32,
            2 => 64,
            _ => return Err(i.error("the logical addressing model is not OpenCL's")),
        };
        if bits != self.options.address_bits {
            let device = self.options.address_bits;
            return Err(i.error(format_args!(
                "the module has addresses of {bits} bits, the device of {device}"
            )));
        }
        Ok(())
    }

    fn function_part(&mut self, i: Instruction<'m>) -> Result<(), Error> {
        match i.op {
            Op::Function => {
                self.function_numbers.insert(i.operand(1)?, self.functions.len());
                self.functions.push(Function {
                    definition: i,
                    parameters: Vec::new(),
                    body: Vec::new(),
                });
                return Ok(());
            }
            Op::FunctionCall => {
                self.called.insert(i.operand(2)?);
            }
            Op::Undef => {
                self.constants.insert(i.operand(1)?, Constant::Undef);
            }
            _ => {}
        }
        if let Some(function) = self.functions.last_mut() {
            match i.op {
                Op::FunctionParameter => function.parameters.push(i),
                Op::FunctionEnd | Op::Line | Op::NoLine | Op::Nop => {}
                _ => function.body.push(i),
            }
        }
        Ok(())
    }

    /// The first decoration of a kind on an id.
    pub(crate) fn decoration(&self, id: u32, decoration: Decoration) -> Option<Instruction<'m>> {
        self.all(id, decoration).next()
    }

    /// The decorations of a kind on an id.
    pub(crate) fn all(
        &self,
        id: u32,
        decoration: Decoration,
    ) -> impl Iterator<Item = Instruction<'m>> + '_ {
        let list = self.decorations.get(&id).map_or(&[][..], Vec::as_slice);
        list.iter().filter(move |(kind, _)| *kind == decoration as u32).map(|(_, i)| *i)
    }

    /// The first literal of a decoration.
    pub(crate) fn decoration_value(&self, id: u32, decoration: Decoration) -> Option<u32> {
        self.decoration(id, decoration).and_then(|i| i.operand(2).ok())
    }

    /// True if the id has this `FuncParamAttr`.
    pub(crate) fn parameter_attribute(&self, id: u32, attribute: u32) -> bool {
        self.all(id, Decoration::FuncParamAttr).any(|i| i.operand(2) == Ok(attribute))
    }

    /// An execution mode of a kernel.
    pub(crate) fn mode(&self, function: u32, mode: ExecutionMode) -> Option<Instruction<'m>> {
        let list = self.modes.get(&function)?;
        list.iter().find(|(kind, _)| *kind == mode as u32).map(|(_, i)| *i)
    }

    /// The kernels with the mode `Initializer`, by their names in the IR.
    pub(crate) fn initializers(&self) -> Vec<&str> {
        let number = ExecutionMode::Initializer as u32;
        let has = |id: &u32| {
            self.modes.get(id).is_some_and(|list| list.iter().any(|(mode, _)| *mode == number))
        };
        let kernels = self.kernel_names.iter().filter(|(id, _)| has(id));
        kernels.filter_map(|(_, names)| names.first()).map(String::as_str).collect()
    }

    /// True if some kernel has this execution mode. Modes of arithmetic apply to the whole module.
    pub(crate) fn has_mode(&self, mode: ExecutionMode) -> bool {
        self.modes_used.contains(&(mode as u32))
    }

    /// The linkage of an id: name and type (0 export, 1 import, 2 linkonce_odr).
    pub(crate) fn linkage(&self, id: u32) -> Result<Option<(String, u32)>, Error> {
        let Some(i) = self.decoration(id, Decoration::LinkageAttributes) else { return Ok(None) };
        let (name, next) = i.text(2)?;
        let kind = i.operand(next)?;
        if kind != 1 || imports::intrinsic_type(&name).is_none() {
            check_name(i, &name)?;
        }
        Ok(Some((name, kind)))
    }

    /// The type of a value.
    pub(crate) fn type_of(&self, i: Instruction<'_>, id: u32) -> Result<u32, Error> {
        self.value_types
            .get(&id)
            .copied()
            .ok_or_else(|| i.error(format_args!("id {id} is no value")))
    }

    /// The pointee and address space of a pointer. An untyped pointer has no pointee.
    pub(crate) fn pointer(&self, i: Instruction<'_>, id: u32) -> Result<(Option<u32>, u32), Error> {
        match self.types.get(self.type_of(i, id)?) {
            Some(Type::Pointer { space, to }) => Ok((*to, *space)),
            _ => Err(i.error(format_args!("id {id} is no pointer"))),
        }
    }

    /// The pointee and address space of a typed pointer.
    pub(crate) fn pointee(&self, i: Instruction<'_>, id: u32) -> Result<(u32, u32), Error> {
        match self.pointer(i, id)? {
            (Some(to), space) => Ok((to, space)),
            (None, _) => Err(i.error(format_args!(
                "Op{:?} needs a pointer with a type, and id {id} is an untyped pointer",
                i.op
            ))),
        }
    }

    /// True if products and sums of this function may be contracted.
    pub(crate) fn contracts(&self, function: u32) -> bool {
        if self.kernel_names.contains_key(&function) {
            self.mode(function, ExecutionMode::ContractionOff).is_none()
        } else {
            !self.has_mode(ExecutionMode::ContractionOff)
        }
    }

    /// The module's triple, layout and types.
    pub(crate) fn header(&self) -> String {
        let (triple, layout) = if self.options.address_bits == 32 {
            ("spir-unknown-unknown", LAYOUT_32)
        } else {
            ("spir64-unknown-unknown", LAYOUT_64)
        };
        let types = &self.types.definitions;
        format!(
            "target datalayout = \"{layout}\"\ntarget triple = \"{triple}\"\n\
            {types}%ndrange = type {NDRANGE}\n"
        )
    }

    /// The attribute groups of functions: 3 for kernels, 4 for others.
    pub(crate) fn attribute_groups(&self) -> String {
        let math = self.options.math;
        let denormals = if math.denorms_are_zero && !self.has_mode(ExecutionMode::DenormPreserve) {
            " \"denormal-fp-math-f32\"=\"preserve-sign,preserve-sign\""
        } else {
            ""
        };
        // Replaces clang's debug information, which this IR lacks (`passes::blocks`).
        let debug = if math.debug { " \"muxcl-debug\"" } else { "" };
        let uniform = math.uniform_work_groups;
        format!(
            "attributes #3 = {{ convergent norecurse nounwind{denormals}{debug} \"uniform-work-group-size\"=\"{uniform}\" }}\n\
             attributes #4 = {{ convergent nounwind{denormals}{debug} }}\n"
        )
    }
}

/// clang's data layouts for the same triples.
const LAYOUT_64: &str =
    "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1";
const LAYOUT_32: &str =
    "e-p:32:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1";
const NDRANGE: &str = "{ i32, [3 x i64], [3 x i64], [3 x i64] }";

/// Refuses names that LLVM reserves.
pub(crate) fn check_name(i: Instruction<'_>, name: &str) -> Result<(), Error> {
    if name.is_empty() || name.starts_with("llvm.") || name.contains('\0') {
        return Err(i.error(format_args!("'{name}' cannot be the name of a function or variable")));
    }
    Ok(())
}

/// Accepts the capabilities of any device. `muxcl_spirv::support::check` tests those of one device.
fn capability(i: Instruction<'_>) -> Result<(), Error> {
    let number = i.operand(0)?;
    if support::CAPABILITIES.iter().any(|c| c.number as u32 == number) {
        return Ok(());
    }
    let name =
        Capability::from_u32(number).map_or_else(|| number.to_string(), |c| format!("{c:?}"));
    Err(i.error(format_args!("capability {name} is not supported")))
}

/// Accepts the execution modes that kernels can have here.
fn execution_mode(i: Instruction<'_>) -> Result<(), Error> {
    use ExecutionMode as M;
    let number = i.operand(1)?;
    let Some(mode) = M::from_u32(number) else {
        return Err(i.error(format_args!("execution mode {number} is unknown")));
    };
    let possible = match mode {
        M::Initializer
        | M::SubgroupsPerWorkgroup
        | M::SubgroupsPerWorkgroupId
        | M::LocalSize
        | M::LocalSizeHint
        | M::VecTypeHint
        | M::ContractionOff
        | M::LocalSizeId
        | M::LocalSizeHintId => true,
        // The driver always rounds to nearest even, and supports subnormals unless a build option
        // flushes them.
        M::SubgroupSize | M::DenormPreserve | M::SignedZeroInfNanPreserve | M::RoundingModeRTE => {
            true
        }
        _ => false,
    };
    if possible {
        Ok(())
    } else {
        Err(i.error(format_args!("execution mode {mode:?} is not supported")))
    }
}

/// Accepts the extensions of any device.
fn extension(i: Instruction<'_>) -> Result<(), Error> {
    let name = i.text(0)?.0;
    if support::is_extension_known(&name) {
        return Ok(());
    }
    Err(i.error(format_args!("the extension {name} is not supported")))
}
