//! The table of instructions: whether each has a result type and a result, and its minimum number
//! of operands.
//!
//! The table holds the instructions of OpenCL modules. The translator refuses all others.

use spirv::Op;

/// How an instruction's operands begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperandLayout {
    /// The first operand is the id of a result type.
    pub typed: bool,
    /// The next operand is the id of the result.
    pub result: bool,
    /// The minimum number of operands, with result type and result.
    pub least: usize,
}

/// The layout of an instruction's operands; `None` if OpenCL modules have no such instruction.
#[must_use]
pub fn operand_layout(op: Op) -> Option<OperandLayout> {
    let (typed, result, least) = match op {
        Op::Nop | Op::NoLine | Op::FunctionEnd | Op::Return | Op::Unreachable | Op::Kill => {
            (false, false, 0)
        }
        Op::SourceContinued
        | Op::SourceExtension
        | Op::Extension
        | Op::Capability
        | Op::ModuleProcessed
        | Op::Branch
        | Op::ReturnValue
        | Op::RetainEvent
        | Op::ReleaseEvent
        | Op::TypeForwardPointer
        | Op::AssumeTrueKHR
        | Op::GroupDecorate
        | Op::GroupMemberDecorate => (false, false, 1),
        Op::Source
        | Op::Name
        | Op::MemoryModel
        | Op::ExecutionMode
        | Op::ExecutionModeId
        | Op::Decorate
        | Op::DecorateId
        | Op::Store
        | Op::CopyMemory
        | Op::MemoryBarrier
        | Op::LoopMerge
        | Op::SelectionMerge
        | Op::Switch
        | Op::LifetimeStart
        | Op::LifetimeStop
        | Op::SetUserEventStatus
        | Op::UntypedPrefetchKHR
        | Op::SubgroupBlockWriteINTEL => (false, false, 2),
        Op::MemberName
        | Op::Line
        | Op::EntryPoint
        | Op::MemberDecorate
        | Op::DecorateString
        | Op::MemberDecorateString
        | Op::CopyMemorySized
        | Op::ImageWrite
        | Op::ControlBarrier
        | Op::BranchConditional
        | Op::GroupWaitEvents
        | Op::AtomicFlagClear
        | Op::MemoryNamedBarrier
        | Op::SubgroupImageBlockWriteINTEL
        | Op::CaptureEventProfilingInfo => (false, false, 3),
        Op::AtomicStore | Op::CommitReadPipe | Op::CommitWritePipe => (false, false, 4),
        Op::GroupCommitReadPipe | Op::GroupCommitWritePipe => (false, false, 5),

        Op::Label
        | Op::DecorationGroup
        | Op::TypeVoid
        | Op::TypeBool
        | Op::TypeSampler
        | Op::TypeEvent
        | Op::TypeDeviceEvent
        | Op::TypeReserveId
        | Op::TypeQueue
        | Op::TypeStruct
        | Op::TypePipeStorage
        | Op::TypeNamedBarrier
        | Op::AliasDomainDeclINTEL
        | Op::AliasScopeListDeclINTEL => (false, true, 1),
        Op::String
        | Op::ExtInstImport
        | Op::TypeFloat
        | Op::TypeSampledImage
        | Op::TypeRuntimeArray
        | Op::TypeOpaque
        | Op::TypePipe
        | Op::TypeUntypedPointerKHR
        | Op::TypeFunction
        | Op::AliasScopeDeclINTEL => (false, true, 2),
        Op::TypeInt | Op::TypeVector | Op::TypeMatrix | Op::TypeArray | Op::TypePointer => {
            (false, true, 3)
        }
        Op::TypeImage => (false, true, 8),

        Op::Undef
        | Op::ConstantTrue
        | Op::ConstantFalse
        | Op::ConstantComposite
        | Op::ConstantNull
        | Op::SpecConstantTrue
        | Op::SpecConstantFalse
        | Op::SpecConstantComposite
        | Op::CompositeConstruct
        | Op::FunctionParameter
        | Op::CreateUserEvent
        | Op::GetDefaultQueue
        | Op::Phi => (true, true, 2),
        Op::Constant
        | Op::SpecConstant
        | Op::SpecConstantOp
        | Op::FunctionCall
        | Op::Variable
        | Op::UntypedVariableKHR
        | Op::Load
        | Op::AccessChain
        | Op::InBoundsAccessChain
        | Op::CompositeExtract
        | Op::SubgroupBlockReadINTEL
        | Op::ReadClockKHR => (true, true, 3),
        Op::ExtInst
        | Op::Function
        | Op::PtrAccessChain
        | Op::InBoundsPtrAccessChain
        | Op::UntypedAccessChainKHR
        | Op::UntypedInBoundsAccessChainKHR
        | Op::VectorShuffle
        | Op::CompositeInsert
        | Op::SubgroupShuffleINTEL
        | Op::SubgroupShuffleXorINTEL
        | Op::SubgroupImageBlockReadINTEL => (true, true, 4),
        Op::ConstantSampler
        | Op::Select
        | Op::VectorInsertDynamic
        | Op::SubgroupShuffleDownINTEL
        | Op::SubgroupShuffleUpINTEL
        | Op::UntypedPtrAccessChainKHR
        | Op::UntypedInBoundsPtrAccessChainKHR => (true, true, 5),
        Op::AtomicLoad => (true, true, 5),
        Op::AtomicExchange => (true, true, 6),
        Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak => (true, true, 8),
        Op::UntypedGroupAsyncCopyKHR => (true, true, 9),

        // All others have a result type, a result and often more operands, each of which is checked
        // when it is read.
        op if (Op::ImageTexelPointer as u32..=Op::GenericPtrMemSemantics as u32)
            .contains(&(op as u32))
            || (Op::VectorExtractDynamic as u32..=Op::SMulExtended as u32)
                .contains(&(op as u32))
            || (Op::Any as u32..=Op::BitCount as u32).contains(&(op as u32))
            || (Op::AtomicIIncrement as u32..=Op::AtomicXor as u32).contains(&(op as u32))
            || (Op::GroupAsyncCopy as u32..=Op::GroupSMax as u32).contains(&(op as u32))
            || (Op::ReadPipe as u32..=Op::GroupReserveWritePipePackets as u32)
                .contains(&(op as u32))
            || (Op::EnqueueMarker as u32..=Op::BuildNDRange as u32).contains(&(op as u32))
            || (Op::AtomicFlagTestAndSet as u32..=Op::NamedBarrierInitialize as u32)
                .contains(&(op as u32))
            || (Op::GroupNonUniformElect as u32..=Op::PtrDiff as u32).contains(&(op as u32))
            || matches!(
                op,
                Op::SDot | Op::UDot | Op::SUDot | Op::SDotAccSat | Op::UDotAccSat | Op::SUDotAccSat
            )
            || matches!(op, Op::GroupNonUniformRotateKHR | Op::ExpectKHR)
            || matches!(op, Op::AtomicFAddEXT | Op::AtomicFMinEXT | Op::AtomicFMaxEXT)
            || matches!(
                op,
                Op::GroupIMulKHR
                    | Op::GroupFMulKHR
                    | Op::GroupBitwiseAndKHR
                    | Op::GroupBitwiseOrKHR
            )
            || matches!(op, Op::GroupBitwiseXorKHR | Op::GroupLogicalAndKHR)
            || matches!(op, Op::GroupLogicalOrKHR | Op::GroupLogicalXorKHR)
            || matches!(op, Op::ExtInstWithForwardRefsKHR) =>
        {
            (true, true, if op == Op::GroupNonUniformElect { 3 } else { 2 })
        }
        _ => return None,
    };
    Some(OperandLayout { typed, result, least })
}
