//! Reductions. Integers are combined in any order, which cannot change the result; sums of
//! floating-point numbers in the order of the elements, as in the interpreter.

use super::file::{floats, integers};
use super::plan::{CHUNK, Operation, Source};
use crate::lower::Lower;
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder as _, Value, types};
use muxcl_rv_isa::Inst;

impl Lower<'_, '_> {
    pub(super) fn reduce(
        &mut self,
        i: &Inst,
        operation: Operation,
        a: Source,
        width: u64,
        elements: u64,
    ) {
        if operation.is_float() {
            return self.reduce_floats(i, operation, width, elements);
        }
        let ty = integers(width);
        // The value that inactive elements are replaced by: it does not change the result.
        let lanes_of = |byte: u8, last: u8| {
            move |k: u64| if (k + 1).is_multiple_of(width) { last } else { byte }
        };
        let neutral = match operation {
            Operation::And | Operation::MinUnsigned => self.constant(lanes_of(0xff, 0xff)),
            Operation::Min => self.constant(lanes_of(0xff, 0x7f)),
            Operation::Max => self.constant(lanes_of(0, 0x80)),
            _ => self.constant(lanes_of(0, 0)),
        };
        let mut sum: Option<Value> = None;
        let size = elements * width;
        for chunk in 0..size.div_ceil(CHUNK) {
            let mut value = self.extended(i.rs2, a, width, chunk);
            let inside = size - chunk * CHUNK;
            let mut kept = None;
            if inside < CHUNK {
                kept = Some(self.constant(|k| if k < inside { 0xff } else { 0 }));
            }
            if let Some(changed) = self.changed(!i.unmasked, width, chunk) {
                kept = Some(match kept {
                    None => changed,
                    Some(kept) => {
                        let changed = self.cast(changed, types::I8X16);
                        self.b.ins().band(kept, changed)
                    }
                });
            }
            if let Some(kept) = kept {
                value = self.blend(kept, value, neutral);
            }
            let value = self.cast(value, ty);
            sum = Some(match sum {
                None => value,
                Some(sum) => self.operate(operation, width, sum, value, |_| sum),
            });
        }
        let Some(mut sum) = sum else { return };
        // The upper half is combined with the lower one, until one element is left.
        let mut half = CHUNK / 2;
        while half >= width {
            let upper = self.shuffle(sum, sum, |k| (k + half).min(15) as u8);
            let upper = self.cast(upper, ty);
            sum = self.operate(operation, width, sum, upper, |_| sum);
            half /= 2;
        }
        let at = self.start_of(i.rs1);
        let first = self.chunk(at, ty);
        let result = self.operate(operation, width, first, sum, |_| sum);
        self.put_sum(i, result, width);
    }

    fn reduce_floats(&mut self, i: &Inst, operation: Operation, width: u64, elements: u64) {
        let (ty, lanes) = (floats(width), CHUNK / width);
        let at = self.start_of(i.rs1);
        let first = self.chunk(at, ty);
        let mut sum =
            if operation == Operation::FAdd { self.b.ins().extractlane(first, 0) } else { first };
        // Nonzero if an element is active.
        let mut any: Option<Value> = None;
        for chunk in 0..elements.div_ceil(lanes) {
            let at = self.start_of(i.rs2) + chunk * CHUNK;
            let values = self.chunk(at, ty);
            let changed = self.changed(!i.unmasked, width, chunk);
            let active = changed.map(|changed| self.cast(changed, integers(width)));
            for lane in 0..lanes.min(elements - chunk * lanes) {
                let value = self.b.ins().extractlane(values, lane as u8);
                let new = if operation == Operation::FAdd {
                    self.b.ins().fadd(sum, value)
                } else {
                    let value = self.b.ins().splat(ty, value);
                    let new = self.float_extreme(operation == Operation::FMin, sum, value, width);
                    // Two NaNs give RISC-V's NaN.
                    self.canonical_lanes(new, ty)
                };
                sum = match active {
                    None => new,
                    Some(active) => {
                        let active = self.b.ins().extractlane(active, lane as u8);
                        any = Some(any.map_or(active, |any| self.b.ins().bor(any, active)));
                        self.b.ins().select(active, new, sum)
                    }
                };
            }
        }
        if operation == Operation::FAdd {
            // A sum that is a NaN becomes RISC-V's NaN. If no element is active, the result is the
            // scalar operand, whose bits are not changed.
            let number = self.b.ins().fcmp(FloatCC::Ordered, sum, sum);
            let nan = self.nan(ty.lane_type());
            let canonical = self.b.ins().select(number, sum, nan);
            sum = match any {
                None => canonical,
                Some(any) => self.b.ins().select(any, canonical, sum),
            };
            sum = self.b.ins().scalar_to_vector(ty, sum);
        }
        self.put_sum(i, sum, width);
    }

    /// Stores the result, unless there are no elements.
    fn put_sum(&mut self, i: &Inst, result: Value, width: u64) {
        let at = self.start_of(i.rd);
        let mut result = self.cast(result, types::I8X16);
        if self.known.any_length {
            let (length, old) = (self.length(), self.chunk(at, types::I8X16));
            result = self.b.ins().select(length, result, old);
        }
        self.put(at, result, width);
    }
}
