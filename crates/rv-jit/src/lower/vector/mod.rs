//! Vector instructions on the host's vectors of 128 bits.
//!
//! The vector type must be known ([`crate::region`] finds it), and a register must have a multiple
//! of 16 bytes; otherwise the interpreter executes an instruction. In most regions `vl` is known,
//! too: after `vsetvli` with a register, the code goes on only if `vl` is the largest one of the
//! type, and otherwise the interpreter executes the rest of the block. If that happens often, the
//! region is translated for any `vl`, and results replace only the elements below it. `vstart` is
//! 0: the entry of a region with vector instructions checks it. In a region for any `vl`, the rest
//! of a block after `vsetvli` with a register is translated twice: for the largest `vl`, and for
//! any. Not here: instructions without a [`plan()`].

mod access;
mod call;
mod convert;
mod divide;
mod effects;
mod file;
mod fixed;
mod half;
mod map;
mod mask;
mod permute;
pub(crate) mod plan;
mod reduce;
mod variables;

use super::Lower;
use super::float::UPWARDS;
use crate::host::{HART, Status, offset};
use crate::region::Trap;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder as _, Value, types};
pub(crate) use file::Known;
use muxcl_rv_isa::{Format, Inst, Op};
use muxcl_rv_sim::native::{Offsets, Shape};
pub(crate) use plan::Access;
pub(crate) use plan::{Config, Unit, most_elements};
use plan::{Plan, Planned, plan};
pub(crate) use variables::{Unstored, Variables};

/// Where an instruction may trap, in the code of this module or in the interpreter.
pub(crate) fn trap(i: &Inst, config: Option<Config>, unit: Unit) -> Trap {
    if matches!(i.op, Op::Vsetvli | Op::Vsetivli | Op::Vsetvl) {
        return Trap::Never;
    }
    match plan(i, config, unit).map(|planned| planned.plan) {
        Some(Plan::Access(_)) => Trap::Rarely,
        Some(_) => Trap::Never,
        None => Trap::Always,
    }
}

/// The number of chunks of an instruction with this type, 1 if it is not known.
pub(crate) fn weight(config: Option<Config>, vlenb: u64) -> usize {
    let bytes = config.map_or(1, |c| most_elements(c.shape, vlenb) * c.shape.sew());
    (bytes / plan::CHUNK).max(1) as usize
}

/// What is known after an instruction. With `any_length`, `vl` is not known after `vsetvli` with a
/// register.
pub(crate) fn after(
    i: &Inst,
    config: Option<Config>,
    vlenb: u64,
    any_length: bool,
) -> Option<Config> {
    let shape = || Shape::new(i64::from(i.imm).cast_unsigned());
    match i.op {
        Op::Vsetvli => {
            let shape = shape()?;
            let most = most_elements(shape, vlenb);
            let elements = match (i.rs1, i.rd) {
                // It keeps `vl`.
                (0, 0) => {
                    let same = |c: &Config| most_elements(c.shape, vlenb) == most;
                    config.filter(same).and_then(|c| c.elements)
                }
                (0, _) => Some(most),
                _ if any_length => None,
                _ => Some(most),
            };
            Some(Config { shape, elements })
        }
        Op::Vsetivli => {
            let shape = shape()?;
            let elements = most_elements(shape, vlenb).min(u64::from(i.rs1));
            Some(Config { shape, elements: Some(elements) })
        }
        Op::Vsetvl => None,
        // A fault after the first element changes `vl`.
        _ if i.op.row().mnemonic.ends_with("ff.v") => {
            config.map(|c| Config { elements: None, ..c })
        }
        _ => config,
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
        if let Some(config) = self.region.config {
            let [raw, illegal, ..] = Offsets::VTYPE;
            let raw = self.b.ins().load(types::I64, HART, self.hart, offset(raw));
            let expected = config.shape.raw().cast_signed();
            let same = self.b.ins().icmp_imm_s(IntCC::Equal, raw, expected);
            let illegal = self.b.ins().load(types::I8, HART, self.hart, offset(illegal));
            let legal = self.b.ins().icmp_imm_s(IntCC::Equal, illegal, 0);
            let both = self.b.ins().band(same, legal);
            fine = self.b.ins().band(fine, both);
            if let Some(elements) = config.elements {
                let vl = self.b.ins().load(types::I64, HART, self.hart, offset(Offsets::VL));
                let same = self.b.ins().icmp_imm_s(IntCC::Equal, vl, elements.cast_signed());
                fine = self.b.ins().band(fine, same);
            }
        }
        self.unless(fine, |lower| {
            let pc = lower.state.pc;
            lower.leave(pc, Status::Format);
        });
    }

    /// Translates a vector instruction; false if the interpreter executes it.
    pub(super) fn vector(&mut self, i: &Inst) -> bool {
        if matches!(i.op, Op::Vsetvli | Op::Vsetivli) {
            return self.set_vector_length(i, None);
        }
        let Some(planned) = plan(i, self.state.config, self.machine.unit()) else { return false };
        let Planned { plan, elements, any_length, .. } = planned;
        self.known.any_length = any_length;
        // The interpreter does floating-point arithmetic if the program may read the flags or has
        // changed the rounding mode, and fused operations if the host has none.
        let mode = self.state.rounding;
        let allowed = |operation: plan::Operation| {
            let fused = matches!(operation, plan::Operation::Fused { .. });
            let whole = matches!(operation, plan::Operation::ToInt { .. }) && mode <= UPWARDS;
            !(operation.is_float() && self.machine.flags)
                && (!fused || self.fused)
                && (mode == 0 || whole || !operation.rounds())
        };
        match plan {
            Plan::Map(map) if allowed(map.operation) => self.map(i, map, elements),
            Plan::Compare { compare: plan::Compare::Float(_), .. } if self.machine.flags => {
                return false;
            }
            Plan::Compare { compare, size } => self.compare_vectors(i, compare, size, elements),
            Plan::Logic(logic) => self.mask_logic(i, logic, elements),
            Plan::Count => self.count_mask(i, elements),
            Plan::MarkFirst => self.mark_first(i, elements),
            Plan::FindFirst => self.find_first(i, elements),
            Plan::Reduce { operation, a, width } if allowed(operation) => {
                self.reduce(i, operation, a, width, elements);
            }
            Plan::Map(_) | Plan::Reduce { .. } => return false,
            Plan::Copy { bytes } => self.copy_registers(i, bytes),
            Plan::Read => self.read_element(i, planned.sew),
            Plan::Write => self.write_element(i, planned.sew),
            Plan::Slide { up, by, scalar } => self.slide(i, planned, up, by, scalar),
            Plan::SlideAny { up } => self.slide_any(i, planned, up),
            Plan::CountBefore => self.count_before(i, planned),
            Plan::Broadcast => self.broadcast(i, planned),
            Plan::Gather => self.gather(i, planned),
            Plan::Compress => self.compress(i, planned),
            Plan::Access(access) => return self.access(i, access),
            Plan::Call => self.call_interpreter(i),
        }
        true
    }

    /// Whether the code after an instruction is translated for the largest `vl` and for any.
    pub(super) fn splits(&self, i: &Inst) -> bool {
        let legal = || Shape::new(i64::from(i.imm).cast_unsigned()).is_some();
        self.region.any_length && i.op == Op::Vsetvli && i.rs1 != 0 && legal()
    }

    /// Translates such an instruction, and `rest` after it, which is given what is then known.
    pub(super) fn split(&mut self, i: &Inst, rest: impl Fn(&mut Self, Option<Config>)) {
        let Some(shape) = Shape::new(i64::from(i.imm).cast_unsigned()) else { return };
        let most = most_elements(shape, self.machine.vlenb);
        let wanted = self.x(i.rs1);
        let wanted = self.wrap(wanted);
        let whole =
            self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, wanted, most.cast_signed());
        let [full, part] = [(); 2].map(|()| self.b.create_block());
        self.b.ins().brif(whole, full, &[], part, &[]);
        let (state, known, at) = (self.state, self.known.clone(), self.at);
        let groups = self.groups.clone();
        for (edge, elements) in [(full, Some(most)), (part, None)] {
            self.b.switch_to_block(edge);
            self.b.seal_block(edge);
            (self.state, self.known, self.at) = (state, known.clone(), at);
            self.groups.clone_from(&groups);
            let vl = elements.map_or(wanted, |most| self.int(most));
            self.set_vector_length(i, Some(vl));
            self.state.before += 1;
            rest(self, Some(Config { shape, elements }));
        }
    }

    /// `vsetvli` and `vsetivli` with a legal type. `new` is the new `vl`, if that is known.
    fn set_vector_length(&mut self, i: &Inst, new: Option<Value>) -> bool {
        let Some(shape) = Shape::new(i64::from(i.imm).cast_unsigned()) else { return false };
        let elements = most_elements(shape, self.machine.vlenb);
        let most = self.int(elements);
        let mut guarded = None;
        let vl = if new.is_some() {
            new
        } else if i.op == Op::Vsetivli {
            Some(self.int(u64::from(i.rs1).min(elements)))
        } else if i.rs1 != 0 {
            let wanted = self.x(i.rs1);
            let wanted = self.wrap(wanted);
            if !self.region.any_length {
                let whole = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, wanted, most);
                guarded = Some((whole, wanted));
            }
            if guarded.is_some() { Some(most) } else { Some(self.b.ins().umin(wanted, most)) }
        } else if i.rd != 0 {
            Some(most)
        } else {
            let same = |c: Config| most_elements(c.shape, self.machine.vlenb) == elements;
            match self.state.config {
                Some(config) if same(config) => {}
                Some(_) => return false,
                None => self.check_ratio(shape),
            }
            None
        };
        if self.state.config.map(|c| c.shape) != Some(shape) {
            self.set_type(shape);
        }
        if let Some((whole, wanted)) = guarded {
            self.unless(whole, |lower| {
                lower.b.ins().store(HART, wanted, lower.hart, offset(Offsets::VL));
                lower.set_x(i.rd, wanted);
                // The executor learns which region it is, to translate it again for any `vl`.
                let begin = lower.int(lower.region.blocks[0].pc);
                lower.b.ins().store(HART, begin, lower.hart, offset(Offsets::ADDRESS));
                lower.state.before += 1;
                // The instruction has 4 bytes.
                let next = lower.state.pc.wrapping_add(4);
                lower.leave(next, Status::Length);
            });
        }
        if let Some(vl) = vl {
            let known = self.state.config.and_then(|c| c.elements) == Some(elements);
            if !(known && guarded.is_some()) {
                self.b.ins().store(HART, vl, self.hart, offset(Offsets::VL));
            }
            self.set_x(i.rd, vl);
            self.set_length(vl);
        }
        true
    }

    /// For a `vsetvli` that keeps `vl` where the compiler does not know the current vector type:
    /// tests that this type is legal and has the same largest `vl` as `shape`. If not, the
    /// interpreter executes the rest of the block.
    fn check_ratio(&mut self, shape: Shape) {
        self.store_type();
        let [_, illegal, sew, lmul] = Offsets::VTYPE;
        let illegal = self.b.ins().load(types::I8, HART, self.hart, offset(illegal));
        let legal = self.b.ins().icmp_imm_s(IntCC::Equal, illegal, 0);
        let sew = self.b.ins().load(types::I64, HART, self.hart, offset(sew));
        let lmul = self.b.ins().load(types::I32, HART, self.hart, offset(lmul));
        // The logarithm of LMUL is from -3 to 3.
        let most = self.b.ins().iconst(types::I32, 3);
        let by = self.b.ins().isub(most, lmul);
        let ratio = self.b.ins().ishl(sew, by);
        let wanted = shape.sew() << (3 - shape.lmul());
        let same = self.b.ins().icmp_imm_s(IntCC::Equal, ratio, wanted.cast_signed());
        let fine = self.b.ins().band(legal, same);
        self.unless(fine, |lower| {
            let pc = lower.state.pc;
            lower.leave(pc, Status::Interpret);
        });
    }

    /// The second operand, if it is the same for all elements: a scalar integer or floating-point
    /// number. A half-precision number is an integer of 16 bits.
    fn second_scalar(&mut self, i: &Inst, size: u64) -> Option<Value> {
        match i.op.row().format {
            Format::VVX | Format::VVXC | Format::VVXN | Format::VAccX | Format::VMvX => {
                Some(self.x(i.rs1))
            }
            Format::VVI | Format::VVU | Format::VVIC | Format::VVIN | Format::VMvI => {
                Some(self.int(i64::from(i.imm).cast_unsigned()))
            }
            Format::VVF | Format::VVFC | Format::VAccF | Format::VMvF => Some(if size == 2 {
                self.half_lane(i.rs1)
            } else {
                self.clean(i.rs1, file::floats(size).lane_type())
            }),
            _ => None,
        }
    }
}
