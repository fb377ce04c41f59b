//! Checks the logical layout of a module (SPIR-V specification, 2.4): the order of sections, the
//! structure of functions, and that each id is defined once.

use crate::operands::operand_layout;
use crate::{Error, Instruction, Module};
use spirv::Op;

/// The sections of a module, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Section {
    Capabilities,
    Extensions,
    Imports,
    MemoryModel,
    EntryPoints,
    ExecutionModes,
    DebugText,
    DebugNames,
    DebugProcessed,
    Annotations,
    Globals,
    Functions,
}

/// The section that an instruction belongs to; `None` if several sections may contain it.
fn section(op: Op, foreign: bool) -> Option<Section> {
    Some(match op {
        Op::Nop | Op::Line | Op::NoLine => return None,
        Op::Capability => Section::Capabilities,
        Op::Extension => Section::Extensions,
        Op::ExtInstImport => Section::Imports,
        Op::MemoryModel => Section::MemoryModel,
        Op::EntryPoint => Section::EntryPoints,
        Op::ExecutionMode | Op::ExecutionModeId => Section::ExecutionModes,
        Op::String | Op::SourceExtension | Op::Source | Op::SourceContinued => Section::DebugText,
        Op::Name | Op::MemberName => Section::DebugNames,
        Op::ModuleProcessed => Section::DebugProcessed,
        Op::Decorate
        | Op::MemberDecorate
        | Op::DecorationGroup
        | Op::GroupDecorate
        | Op::GroupMemberDecorate
        | Op::DecorateId
        | Op::DecorateString
        | Op::MemberDecorateString => Section::Annotations,
        // Among the global declarations and in functions.
        Op::Undef
        | Op::Variable
        | Op::UntypedVariableKHR
        | Op::ExtInst
        | Op::ExtInstWithForwardRefsKHR => return None,
        // llvm-spirv writes them in front of the decorations, other producers among the types.
        Op::AliasDomainDeclINTEL | Op::AliasScopeDeclINTEL | Op::AliasScopeListDeclINTEL => {
            return None;
        }
        op if is_global(op) => Section::Globals,
        // The sections of an unsupported extension's instructions are unknown.
        op if foreign && operand_layout(op).is_none() => return None,
        _ => Section::Functions,
    })
}

/// True if the instruction declares a type or a constant.
fn is_global(op: Op) -> bool {
    let n = op as u32;
    (Op::TypeVoid as u32..=Op::TypeForwardPointer as u32).contains(&n)
        || (Op::ConstantTrue as u32..=Op::SpecConstantOp as u32).contains(&n)
        || matches!(
            op,
            Op::TypePipeStorage
                | Op::ConstantPipeStorage
                | Op::TypeNamedBarrier
                | Op::TypeUntypedPointerKHR
        )
}

impl Module {
    /// Checks the order of sections, the structure of functions, and that each id is defined once.
    ///
    /// # Errors
    /// An instruction outside its section, a module with no `OpMemoryModel` or with two, a function
    /// or block without an end, or an id with two definitions.
    pub fn check_layout(&self) -> Result<(), Error> {
        let mut now = Section::Capabilities;
        let mut models = 0;
        let mut in_function = false;
        let mut open_block = false;
        // One bit for each id below the bound: at most 512 KiB.
        let mut defined = vec![0_u64; self.bound() as usize / 64 + 1];
        let mut last = 0;
        for i in self.instructions() {
            last = i.at;
            if let Some(id) = i.result() {
                let (word, bit) = ((id / 64) as usize, id % 64);
                let Some(word) = defined.get_mut(word) else { continue };
                if *word >> bit & 1 != 0 {
                    return Err(
                        i.error(format_args!("id {id} is defined a second time, by Op{:?}", i.op))
                    );
                }
                *word |= 1 << bit;
            }
            models += u32::from(i.op == Op::MemoryModel);
            if models > 1 {
                return Err(i.error("the module has a second OpMemoryModel"));
            }
            let Some(section) = section(i.op, self.has_foreign_extension()) else { continue };
            if section < now {
                return Err(
                    i.error(format_args!("Op{:?} comes too late: its section has ended", i.op))
                );
            }
            if section > Section::MemoryModel && models == 0 {
                return Err(i.error(format_args!("Op{:?} comes before OpMemoryModel", i.op)));
            }
            now = section;
            if section == Section::Functions {
                check_body(i, &mut in_function, &mut open_block)?;
            }
        }
        if models == 0 {
            return Err(Error::new(last, "the module has no OpMemoryModel"));
        }
        if in_function {
            return Err(Error::new(last, "the last function has no OpFunctionEnd"));
        }
        Ok(())
    }
}

fn check_body(
    i: Instruction<'_>,
    in_function: &mut bool,
    open_block: &mut bool,
) -> Result<(), Error> {
    match i.op {
        Op::Function if *in_function => return Err(i.error("OpFunction is inside a function")),
        Op::Function => *in_function = true,
        _ if !*in_function => {
            return Err(i.error(format_args!("Op{:?} is outside of functions", i.op)));
        }
        Op::FunctionEnd if *open_block => {
            return Err(i.error("the function's last block has no terminator"));
        }
        Op::FunctionEnd => *in_function = false,
        Op::FunctionParameter if *open_block => {
            return Err(i.error("OpFunctionParameter is inside a block"));
        }
        Op::FunctionParameter => {}
        Op::Label if *open_block => {
            return Err(i.error("OpLabel is inside a block, which has no terminator"));
        }
        Op::Label => *open_block = true,
        _ if !*open_block => {
            return Err(i.error(format_args!("Op{:?} is outside of blocks", i.op)));
        }
        Op::Branch
        | Op::BranchConditional
        | Op::Switch
        | Op::Kill
        | Op::Return
        | Op::ReturnValue
        | Op::Unreachable
        | Op::TerminateInvocation => *open_block = false,
        _ => {}
    }
    Ok(())
}
