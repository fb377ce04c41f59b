//! Frequent vector instructions on the host's vectors of 128 bits.
//!
//! The vector type must be known ([`crate::region`] finds it), and the registers' bytes be whole
//! chunks of 16. If `vl` is the number of elements of the group, which the code checks, an
//! instruction is a sequence of operations on chunks of the registers in the hart; otherwise the
//! interpreter executes it. `vstart` is 0: an entry of a region with vector instructions checks it.
//! Not here: masked instructions and all others, which are the interpreter's.

use super::Lower;
use crate::host::{FIXED, HART, Status, offset};
use crate::region::Trap;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder as _, MemFlagsData, Type, Value, types};
use muxcl_rv_isa::{Format, Inst, Op, Operand};
use muxcl_rv_sim::native::{LONGEST_ACCESS, Offsets, Shape};

/// Bytes of a chunk.
const CHUNK: u64 = 16;
/// The most chunks of an instruction; the interpreter is as fast for longer groups.
const MOST_CHUNKS: u64 = 16;

/// Flags of an access to guest memory, at any alignment.
const GUEST: MemFlagsData = MemFlagsData::new().with_notrap();

/// An operation on each element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operation {
    Load,
    Store,
    /// The second operand.
    Move,
    Add,
    Sub,
    /// The second operand minus the first.
    SubFrom,
    And,
    Or,
    Xor,
    /// Shifts by a scalar.
    Shl,
    Shr,
    Sar,
    Mul,
    /// `vd + vs2 * b`.
    MulAdd,
    Min,
    MinUnsigned,
    Max,
    MaxUnsigned,
    FAdd,
    FSub,
    FSubFrom,
    FMul,
    FDiv,
    /// `a * b + c` of: a register, the second operand, a register. `vd` is the addend (`true`) or a
    /// factor; product and addend may be negated.
    Fused {
        accumulate: bool,
        product: bool,
        addend: bool,
    },
}

/// The operation of an instruction that this module knows.
fn operation(op: Op) -> Option<Operation> {
    use Operation::Fused;
    let fused = |accumulate, product, addend| Fused { accumulate, product, addend };
    Some(match op {
        Op::Vle8V | Op::Vle16V | Op::Vle32V | Op::Vle64V => Operation::Load,
        Op::Vse8V | Op::Vse16V | Op::Vse32V | Op::Vse64V => Operation::Store,
        Op::VmvVV | Op::VmvVX | Op::VmvVI | Op::VfmvVF => Operation::Move,
        Op::VaddVv | Op::VaddVx | Op::VaddVi => Operation::Add,
        Op::VsubVv | Op::VsubVx => Operation::Sub,
        Op::VrsubVx | Op::VrsubVi => Operation::SubFrom,
        Op::VandVv | Op::VandVx | Op::VandVi => Operation::And,
        Op::VorVv | Op::VorVx | Op::VorVi => Operation::Or,
        Op::VxorVv | Op::VxorVx | Op::VxorVi => Operation::Xor,
        Op::VsllVx | Op::VsllVi => Operation::Shl,
        Op::VsrlVx | Op::VsrlVi => Operation::Shr,
        Op::VsraVx | Op::VsraVi => Operation::Sar,
        Op::VmulVv | Op::VmulVx => Operation::Mul,
        Op::VmaccVv | Op::VmaccVx => Operation::MulAdd,
        Op::VminVv | Op::VminVx => Operation::Min,
        Op::VminuVv | Op::VminuVx => Operation::MinUnsigned,
        Op::VmaxVv | Op::VmaxVx => Operation::Max,
        Op::VmaxuVv | Op::VmaxuVx => Operation::MaxUnsigned,
        Op::VfaddVv | Op::VfaddVf => Operation::FAdd,
        Op::VfsubVv | Op::VfsubVf => Operation::FSub,
        Op::VfrsubVf => Operation::FSubFrom,
        Op::VfmulVv | Op::VfmulVf => Operation::FMul,
        Op::VfdivVv | Op::VfdivVf => Operation::FDiv,
        Op::VfmaccVv | Op::VfmaccVf => fused(true, false, false),
        Op::VfnmaccVv | Op::VfnmaccVf => fused(true, true, true),
        Op::VfmsacVv | Op::VfmsacVf => fused(true, false, true),
        Op::VfnmsacVv | Op::VfnmsacVf => fused(true, true, false),
        Op::VfmaddVv | Op::VfmaddVf => fused(false, false, false),
        Op::VfnmaddVv | Op::VfnmaddVf => fused(false, true, true),
        Op::VfmsubVv | Op::VfmsubVf => fused(false, false, true),
        Op::VfnmsubVv | Op::VfnmsubVf => fused(false, true, false),
        _ => return None,
    })
}

/// How an instruction is done in chunks.
#[derive(Debug, Clone, Copy)]
struct Plan {
    operation: Operation,
    /// The type of a chunk.
    ty: Type,
    chunks: u64,
    /// The number of elements of a whole group.
    elements: u64,
}

/// The plan for an instruction; `None` if the interpreter executes it.
fn plan(i: &Inst, shape: Option<Shape>, vlenb: u64) -> Option<Plan> {
    let (operation, shape) = (operation(i.op)?, shape?);
    let row = i.op.row();
    let has = |o: Operand| row.format.operands().contains(&o);
    if has(Operand::VMask) && !i.unmasked {
        return None;
    }
    let bytes = if shape.lmul() < 0 { vlenb >> -shape.lmul() } else { vlenb << shape.lmul() };
    let chunks = bytes / CHUNK;
    if bytes % CHUNK != 0 || !(1..=MOST_CHUNKS).contains(&chunks) {
        return None;
    }
    // Other register groups are illegal.
    let group = (1_u8 << shape.lmul().max(0)) - 1;
    let aligned = |r: u8| r & group == 0;
    let legal = (!has(Operand::Vd) || aligned(i.rd))
        && (!has(Operand::V2) || aligned(i.rs2))
        && (!has(Operand::V1) || aligned(i.rs1));
    let (ints, floats) = match shape.sew() {
        1 => (types::I8X16, None),
        2 => (types::I16X8, None),
        4 => (types::I32X4, Some(types::F32X4)),
        _ => (types::I64X2, Some(types::F64X2)),
    };
    let ty = match operation {
        Operation::FAdd
        | Operation::FSub
        | Operation::FSubFrom
        | Operation::FMul
        | Operation::FDiv
        | Operation::Fused { .. } => floats?,
        Operation::Move if i.op == Op::VfmvVF => floats?,
        // The host has no instruction for these.
        Operation::Mul | Operation::MulAdd if ints == types::I8X16 => return None,
        Operation::Sar | Operation::Shl | Operation::Shr if ints == types::I8X16 => return None,
        Operation::Min | Operation::Max | Operation::MinUnsigned | Operation::MaxUnsigned
            if ints == types::I64X2 =>
        {
            return None;
        }
        _ => ints,
    };
    let access = match i.op {
        Op::Vle8V | Op::Vse8V => Some(1),
        Op::Vle16V | Op::Vse16V => Some(2),
        Op::Vle32V | Op::Vse32V => Some(4),
        Op::Vle64V | Op::Vse64V => Some(8),
        _ => None,
    };
    let whole = access.is_none_or(|size| size == shape.sew());
    (legal && whole && bytes <= LONGEST_ACCESS).then_some(Plan {
        operation,
        ty,
        chunks,
        elements: bytes / shape.sew(),
    })
}

/// Where an instruction may trap, in the code of this module or in the interpreter.
pub(crate) fn trap(i: &Inst, shape: Option<Shape>, vlenb: u64) -> Trap {
    if matches!(i.op, Op::Vsetvli | Op::Vsetivli | Op::Vsetvl) {
        return Trap::Never;
    }
    match plan(i, shape, vlenb).map(|plan| plan.operation) {
        Some(Operation::Load | Operation::Store) => Trap::Rarely,
        Some(_) => Trap::Never,
        None => Trap::Always,
    }
}

impl Lower<'_, '_> {
    /// Leaves the region if the state of the vector unit is not what its code expects.
    pub(super) fn check_vectors(&mut self) {
        if !self.region.vectors {
            return;
        }
        let start = self.b.ins().load(types::I64, HART, self.hart, offset(Offsets::VSTART));
        let mut fine = self.b.ins().icmp_imm_s(IntCC::Equal, start, 0);
        if let Some(shape) = self.region.shape {
            let [raw, illegal, ..] = Offsets::VTYPE;
            let raw = self.b.ins().load(types::I64, HART, self.hart, offset(raw));
            let same = self.b.ins().icmp_imm_s(IntCC::Equal, raw, shape.raw().cast_signed());
            let illegal = self.b.ins().load(types::I8, HART, self.hart, offset(illegal));
            let legal = self.b.ins().icmp_imm_s(IntCC::Equal, illegal, 0);
            let both = self.b.ins().band(same, legal);
            fine = self.b.ins().band(fine, both);
        }
        self.unless(fine, |lower| {
            let pc = lower.state.pc;
            lower.leave(pc, Status::Format);
        });
    }

    /// Translates a vector instruction; false if the interpreter executes it.
    pub(super) fn vector(&mut self, i: &Inst) -> bool {
        if matches!(i.op, Op::Vsetvli | Op::Vsetivli) {
            return self.set_vector_length(i);
        }
        let floats = |p: &Plan| p.ty == types::F32X4 || p.ty == types::F64X2;
        let Some(plan) = plan(i, self.state.shape, self.machine.vlenb)
            .filter(|p| !floats(p) || p.operation == Operation::Move || !self.machine.flags)
            .filter(|p| !matches!(p.operation, Operation::Fused { .. }) || self.fused)
        else {
            return false;
        };
        // The scalar operand and the address are needed on both paths.
        self.settle();
        let vl = self.b.ins().load(types::I64, HART, self.hart, offset(Offsets::VL));
        let mut fine = self.b.ins().icmp_imm_s(IntCC::Equal, vl, plan.elements.cast_signed());
        let host = match plan.operation {
            Operation::Load | Operation::Store => {
                let (inside, host) = self.long_place(i, plan.operation == Operation::Store);
                fine = self.b.ins().band(fine, inside);
                Some(host)
            }
            _ => None,
        };
        let second = self.second_operand(i, plan.ty);
        let traps = host.is_some();
        self.choose(
            fine,
            None,
            traps,
            |lower| {
                lower.chunks(i, plan, host, second);
                None
            },
            |lower| {
                if traps {
                    lower.store_pending();
                } else {
                    lower.give(i);
                }
                lower.call(2);
                None
            },
        );
        true
    }

    /// `vsetvli` and `vsetivli` with a legal type.
    fn set_vector_length(&mut self, i: &Inst) -> bool {
        let Some(shape) = Shape::new(i64::from(i.imm).cast_unsigned()) else { return false };
        let vlenb = self.machine.vlenb;
        let bytes = if shape.lmul() < 0 { vlenb >> -shape.lmul() } else { vlenb << shape.lmul() };
        let most = self.int(bytes / shape.sew());
        let vl = if i.op == Op::Vsetivli {
            self.int(u64::from(i.rs1).min(bytes / shape.sew()))
        } else if i.rs1 != 0 {
            let wanted = self.x(i.rs1);
            let wanted = self.wrap(wanted);
            self.b.ins().umin(wanted, most)
        } else if i.rd != 0 {
            most
        } else {
            return false;
        };
        self.b.ins().store(HART, vl, self.hart, offset(Offsets::VL));
        if self.state.shape != Some(shape) {
            let [raw, illegal, sew, lmul] = Offsets::VTYPE;
            let value = self.int(shape.raw());
            self.b.ins().store(HART, value, self.hart, offset(raw));
            let value = self.b.ins().iconst(types::I8, 0);
            self.b.ins().store(HART, value, self.hart, offset(illegal));
            let value = self.int(shape.sew());
            self.b.ins().store(HART, value, self.hart, offset(sew));
            let value = self.b.ins().iconst(types::I32, i64::from(shape.lmul()) & 0xffff_ffff);
            self.b.ins().store(HART, value, self.hart, offset(lmul));
        }
        self.set_x(i.rd, vl);
        true
    }

    /// Whether a unit-stride access lies in a region of the hart, and its host address if so.
    fn long_place(&mut self, i: &Inst, store: bool) -> (Value, Value) {
        let region = if store { Offsets::OPEN } else { Offsets::MAIN };
        let base = self.x(i.rs1);
        let address = self.wrap(base);
        let start = self.b.ins().load(types::I64, FIXED, self.hart, offset(region.base));
        let at = self.b.ins().isub(address, start);
        let places = self.b.ins().load(types::I64, FIXED, self.hart, offset(region.long_places));
        let inside = self.b.ins().icmp(IntCC::UnsignedLessThan, at, places);
        let host = self.b.ins().load(types::I64, FIXED, self.hart, offset(region.host));
        (inside, self.b.ins().iadd(host, at))
    }

    /// The second operand, if it is the same for all chunks: a vector of it, or the amount of a
    /// shift.
    fn second_operand(&mut self, i: &Inst, ty: Type) -> Option<Value> {
        let value = match i.op.row().format {
            Format::VVX | Format::VAccX | Format::VMvX => self.x(i.rs1),
            Format::VVI | Format::VVU | Format::VMvI => self.int(i64::from(i.imm).cast_unsigned()),
            Format::VVF | Format::VAccF | Format::VMvF => {
                let lane = ty.lane_type();
                let value = self.f(i.rs1, lane);
                return Some(self.b.ins().splat(ty, value));
            }
            _ => return None,
        };
        if matches!(operation(i.op), Some(Operation::Shl | Operation::Shr | Operation::Sar)) {
            return Some(value);
        }
        let lane = ty.lane_type();
        let value = if lane == types::I64 { value } else { self.b.ins().ireduce(lane, value) };
        Some(self.b.ins().splat(ty, value))
    }

    /// The address of the first chunk of a register, and its offset there.
    fn file(&mut self, register: u8) -> (Value, u64) {
        let file = self.b.ins().load(types::I64, FIXED, self.hart, offset(Offsets::VECTORS));
        (file, u64::from(register) * self.machine.vlenb)
    }

    fn chunks(&mut self, i: &Inst, plan: Plan, host: Option<Value>, second: Option<Value>) {
        let (file, d) = self.file(i.rd);
        let (_, a) = self.file(i.rs2);
        let (_, b) = self.file(i.rs1);
        let ty = plan.ty;
        for chunk in 0..plan.chunks {
            let at = |from: u64| offset((from + chunk * CHUNK) as usize);
            let load = |lower: &mut Self, from: u64| lower.b.ins().load(ty, HART, file, at(from));
            let value = match (plan.operation, host) {
                (Operation::Load, Some(host)) => {
                    let value = self.b.ins().load(ty, GUEST, host, at(0));
                    self.b.ins().store(HART, value, file, at(d));
                    continue;
                }
                (Operation::Store, Some(host)) => {
                    let value = load(self, d);
                    self.b.ins().store(GUEST, value, host, at(0));
                    continue;
                }
                (Operation::Move, _) => second.unwrap_or_else(|| load(self, b)),
                _ => {
                    let first = load(self, a);
                    let second = match second {
                        Some(second) => second,
                        None => load(self, b),
                    };
                    self.element(plan, first, second, |lower| load(lower, d))
                }
            };
            self.b.ins().store(HART, value, file, at(d));
        }
    }

    /// The result for one chunk of `vs2`, the second operand and `vd`.
    fn element(
        &mut self,
        plan: Plan,
        a: Value,
        b: Value,
        d: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        let ty = plan.ty;
        let result = match plan.operation {
            Operation::Load | Operation::Store | Operation::Move => return b,
            Operation::Add => return self.b.ins().iadd(a, b),
            Operation::Sub => return self.b.ins().isub(a, b),
            Operation::SubFrom => return self.b.ins().isub(b, a),
            Operation::And => return self.b.ins().band(a, b),
            Operation::Or => return self.b.ins().bor(a, b),
            Operation::Xor => return self.b.ins().bxor(a, b),
            Operation::Shl => return self.b.ins().ishl(a, b),
            Operation::Shr => return self.b.ins().ushr(a, b),
            Operation::Sar => return self.b.ins().sshr(a, b),
            Operation::Mul => return self.b.ins().imul(a, b),
            Operation::MulAdd => {
                let (d, product) = (d(self), self.b.ins().imul(a, b));
                return self.b.ins().iadd(d, product);
            }
            Operation::Min => return self.b.ins().smin(a, b),
            Operation::MinUnsigned => return self.b.ins().umin(a, b),
            Operation::Max => return self.b.ins().smax(a, b),
            Operation::MaxUnsigned => return self.b.ins().umax(a, b),
            Operation::FAdd => self.b.ins().fadd(a, b),
            Operation::FSub => self.b.ins().fsub(a, b),
            Operation::FSubFrom => self.b.ins().fsub(b, a),
            Operation::FMul => self.b.ins().fmul(a, b),
            Operation::FDiv => self.b.ins().fdiv(a, b),
            Operation::Fused { accumulate, product, addend } => {
                let d = d(self);
                let (mut x, mut z) = if accumulate { (a, d) } else { (d, a) };
                if product {
                    x = self.b.ins().fneg(x);
                }
                if addend {
                    z = self.b.ins().fneg(z);
                }
                self.b.ins().fma(x, b, z)
            }
        };
        // RISC-V's NaN.
        let nan = self.nan(ty.lane_type());
        let nan = self.b.ins().splat(ty, nan);
        let number = self.b.ins().fcmp(FloatCC::Ordered, result, result);
        let number = self.b.ins().bitcast(ty, MemFlagsData::new(), number);
        self.b.ins().bitselect(number, result, nan)
    }
}
