//! Instructions that a function of the interpreter does on the hart's registers. An instruction
//! that is legal with the known type cannot trap, so only the registers that it names are stored
//! before the call and loaded after it, and nothing is tested.

use super::plan::{
    compare_of, group, has_format, logic_of, map_of, overlap, overlap_sizes, reduction_of,
};
use crate::lower::Lower;
use muxcl_rv_isa::{Inst, Op, Operand};
use muxcl_rv_sim::native::Shape;

/// Whether an instruction is legal with this vector type. True only for instructions that access no
/// memory. It is assumed that `vstart` is 0 and that the rounding mode is valid. False for
/// instructions of half precision unless the machine has it (`half`).
pub(super) fn legal(i: &Inst, shape: Shape, half: bool) -> bool {
    let (op, s) = (i.op, shape.sew());
    let of = |register: u8, size: u64| group(register, size, shape);
    let has = |o: Operand| op.row().format.operands().contains(&o);
    let destination = |size: u64| of(i.rd, size) && (i.unmasked || i.rd != 0);
    let second = |size: u64| !has(Operand::V1) || of(i.rs1, size);
    if !has_format(op, s, half) {
        return false;
    }
    if let Some(map) = map_of(op, s) {
        let splat = matches!(op, Op::VmvVV | Op::VmvVX | Op::VmvVI | Op::VfmvVF);
        let sizes = [map.d, map.a.size, map.b.size, map.width];
        return sizes.iter().all(|s| (1..=8).contains(s))
            && (if splat { of(i.rd, map.d) } else { destination(map.d) })
            && (!has(Operand::V2) || of(i.rs2, map.a.size))
            && second(map.b.size);
    }
    if compare_of(op).is_some() {
        return of(i.rs2, s) && second(s);
    }
    if reduction_of(op, s).is_some() {
        return of(i.rs2, s);
    }
    let apart = !overlap(i.rd, i.rs2, shape);
    match op {
        _ if logic_of(op).is_some() => true,
        Op::VcpopM | Op::VfirstM | Op::VmvXS | Op::VmvSX => true,
        Op::VfmvFS | Op::VfmvSF => true,
        Op::VmsbfM | Op::VmsifM | Op::VmsofM => i.rd != i.rs2 && (i.unmasked || i.rd != 0),
        Op::ViotaM => destination(s),
        Op::VslidedownVi | Op::VslidedownVx | Op::Vslide1downVx | Op::Vfslide1downVf => {
            destination(s) && of(i.rs2, s)
        }
        Op::VslideupVi | Op::VslideupVx | Op::Vslide1upVx | Op::Vfslide1upVf => {
            destination(s) && of(i.rs2, s) && apart
        }
        Op::VrgatherVi | Op::VrgatherVx => destination(s) && of(i.rs2, s) && apart,
        Op::VrgatherVv | Op::Vrgatherei16Vv => {
            let size = if op == Op::VrgatherVv { s } else { 2 };
            let indices = of(i.rs1, size) && !overlap_sizes((i.rd, s), (i.rs1, size), shape);
            destination(s) && of(i.rs2, s) && apart && indices
        }
        Op::VcompressVm => of(i.rd, s) && of(i.rs2, s) && apart,
        Op::Vfrec7V | Op::Vfrsqrt7V | Op::VfclassV => destination(s) && of(i.rs2, s),
        Op::VfncvtRodFFW => s < 8 && destination(s) && of(i.rs2, 2 * s),
        Op::VfwredusumVs | Op::VfwredosumVs => s < 8 && of(i.rs2, s),
        _ => false,
    }
}

impl Lower<'_, '_> {
    /// Lets the interpreter execute a legal instruction.
    pub(super) fn call_interpreter(&mut self, i: &Inst) {
        let has = |o: Operand| i.op.row().format.operands().contains(&o);
        self.settle();
        self.give(i);
        // No group has more than eight registers.
        let bytes = 8 * self.machine.vlenb;
        let vectors = [(Operand::V2, i.rs2), (Operand::V1, i.rs1), (Operand::Vd, i.rd)];
        for (_, register) in vectors.into_iter().filter(|(o, _)| has(*o)) {
            let at = self.start_of(register);
            self.store_range(at, bytes);
        }
        if has(Operand::V0) || has(Operand::VMask) && !i.unmasked {
            self.store_range(0, self.machine.vlenb);
        }
        self.store_type();
        self.call(2);
        if has(Operand::Vd) {
            let at = self.start_of(i.rd);
            self.forget_range(at, bytes);
            self.reload_chunks(at, bytes);
        }
        self.take(i);
    }
}
