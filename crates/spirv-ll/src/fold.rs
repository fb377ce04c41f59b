//! `OpSpecConstantOp`: operations on constants are folded here, because LLVM has constant
//! expressions for addresses only.

use crate::constants::{Constant, mask, signed};
use crate::memory::Chain;
use crate::module::Tables;
use crate::types::Type;
use muxcl_spirv::numbers::Op;
use muxcl_spirv::{Error, Instruction};

impl<'m> Tables<'m> {
    /// The value of an `OpSpecConstantOp`.
    pub(crate) fn fold(&self, i: Instruction<'m>) -> Result<Constant, Error> {
        let ty = i.operand(0)?;
        let op = Op::from_u32(i.operand(2)?);
        let op = op.ok_or_else(|| i.error("OpSpecConstantOp has an unknown operation"))?;
        let args = i.rest(3);
        if Chain::is(op) {
            return self.address_expression(i, op, args);
        }
        let first =
            *args.first().ok_or_else(|| i.error(format_args!("Op{op:?} has no operands")))?;
        for &arg in if matches!(op, Op::CompositeExtract) { &args[..1] } else { args } {
            if !matches!(op, Op::VectorShuffle | Op::CompositeInsert) {
                self.type_of(i, arg)?;
            }
        }
        match op {
            Op::CompositeExtract => return self.extract(i, first, args.get(1..).unwrap_or(&[])),
            Op::CompositeInsert | Op::VectorShuffle => return self.rearrange(i, op, ty, args),
            Op::Select if self.types.lanes(ty).1 == 1 && !self.is_number(ty) => {
                let condition = self.bits(first).ok_or_else(|| unknown(i, op))?;
                let chosen =
                    args.get(if condition != 0 { 1 } else { 2 }).ok_or_else(|| unknown(i, op))?;
                return self
                    .constants
                    .get(chosen)
                    .cloned()
                    .map_or_else(|| self.address(i, *chosen).map(Constant::Expression), Ok);
            }
            Op::PtrCastToGeneric | Op::GenericCastToPtr | Op::ConvertPtrToU | Op::ConvertUToPtr => {
                return self.expression(i, op, ty, args);
            }
            Op::Bitcast if !self.is_number(ty) || !self.is_number(self.type_of(i, first)?) => {
                return self.expression(i, op, ty, args);
            }
            Op::CopyObject => {
                return self.constants.get(&first).cloned().ok_or_else(|| unknown(i, op));
            }
            _ => {}
        }
        self.fold_lanes(i, op, ty, args)
    }

    fn is_number(&self, ty: u32) -> bool {
        matches!(self.types.scalar(ty), Some(Type::Bool | Type::Int(_) | Type::Float(_)))
    }

    /// Folds an operation lane by lane.
    fn fold_lanes(
        &self,
        i: Instruction<'_>,
        op: Op,
        ty: u32,
        args: &[u32],
    ) -> Result<Constant, Error> {
        let lanes = self.types.lanes(ty).1;
        let mut columns = Vec::new();
        for &arg in args {
            let mut values = self.lane_bits(arg).ok_or_else(|| unknown(i, op))?;
            if values.len() == 1 && lanes > 1 {
                // A select of vectors has a scalar condition.
                values = vec![values[0]; lanes as usize];
            }
            if values.len() != lanes as usize {
                return Err(unknown(i, op));
            }
            columns.push(values);
        }
        let result = self.types.scalar(ty).ok_or_else(|| unknown(i, op))?;
        let operand = self.types.scalar(self.type_of(i, args[0])?).ok_or_else(|| unknown(i, op))?;
        // The operands of a select follow its condition.
        let operand = if op == Op::Select { result } else { operand };
        let amount =
            args.get(1).map(|a| self.type_of(i, *a)).transpose()?.and_then(|t| self.types.width(t));
        let mut values = Vec::new();
        for lane in 0..lanes as usize {
            let row: Vec<u64> = columns.iter().map(|c| c[lane]).collect();
            let value = scalar(op, result, operand, amount.unwrap_or(64), &row)
                .ok_or_else(|| unknown(i, op))?;
            values.push(value & width_mask(result));
        }
        Ok(if lanes == 1 { Constant::Bits(values[0]) } else { Constant::Lanes(values) })
    }

    fn extract(
        &self,
        i: Instruction<'_>,
        composite: u32,
        indices: &[u32],
    ) -> Result<Constant, Error> {
        let mut at = composite;
        for (n, &index) in indices.iter().enumerate() {
            match self.constants.get(&at) {
                Some(Constant::Composite(parts)) => {
                    at = *parts
                        .get(index as usize)
                        .ok_or_else(|| unknown(i, Op::CompositeExtract))?;
                }
                Some(Constant::Null) => return Ok(Constant::Null),
                Some(Constant::Undef) => return Ok(Constant::Undef),
                Some(Constant::Lanes(lanes)) if n + 1 == indices.len() => {
                    let bits = lanes
                        .get(index as usize)
                        .ok_or_else(|| unknown(i, Op::CompositeExtract))?;
                    return Ok(Constant::Bits(*bits));
                }
                _ => return Err(unknown(i, Op::CompositeExtract)),
            }
        }
        self.constants.get(&at).cloned().ok_or_else(|| unknown(i, Op::CompositeExtract))
    }

    /// Folds shuffles of vectors, and composites with one member replaced.
    fn rearrange(
        &self,
        i: Instruction<'_>,
        op: Op,
        ty: u32,
        args: &[u32],
    ) -> Result<Constant, Error> {
        let &[a, b, ref rest @ ..] = args else { return Err(unknown(i, op)) };
        if op == Op::VectorShuffle {
            let mut lanes = self.lane_bits(a).ok_or_else(|| unknown(i, op))?;
            lanes.extend(self.lane_bits(b).ok_or_else(|| unknown(i, op))?);
            let picked: Option<Vec<u64>> = rest
                .iter()
                .map(|&n| if n == u32::MAX { Some(0) } else { lanes.get(n as usize).copied() })
                .collect();
            return match picked {
                Some(picked) if picked.len() == self.types.lanes(ty).1 as usize => {
                    Ok(Constant::Lanes(picked))
                }
                _ => Err(unknown(i, op)),
            };
        }
        let &[index] = rest else {
            return Err(
                i.error("a constant OpCompositeInsert with several indices is not supported")
            );
        };
        if let (Some(mut lanes), Some(bits)) = (self.lane_bits(b), self.bits(a)) {
            *lanes.get_mut(index as usize).ok_or_else(|| unknown(i, op))? = bits;
            return Ok(Constant::Lanes(lanes));
        }
        match self.constants.get(&b) {
            Some(Constant::Composite(parts)) if self.constants.contains_key(&a) => {
                let mut parts = parts.clone();
                *parts.get_mut(index as usize).ok_or_else(|| unknown(i, op))? = a;
                Ok(Constant::Composite(parts))
            }
            _ => Err(unknown(i, op)),
        }
    }

    /// An LLVM constant expression that converts an address.
    fn expression(
        &self,
        i: Instruction<'_>,
        op: Op,
        ty: u32,
        args: &[u32],
    ) -> Result<Constant, Error> {
        let value = |id: u32| self.typed_text(i, id);
        let first = args[0];
        let result = self.types.text(i, ty)?;
        let from = self.types.text(i, self.type_of(i, first)?)?;
        let cast = |name: &str| -> Result<Constant, Error> {
            Ok(Constant::Expression(format!("{name} ({} to {result})", value(first)?)))
        };
        let is_pointer = |text: &str| text.starts_with("ptr");
        match op {
            Op::PtrCastToGeneric | Op::GenericCastToPtr if from != result => cast("addrspacecast"),
            Op::ConvertPtrToU => cast("ptrtoint"),
            Op::ConvertUToPtr => cast("inttoptr"),
            Op::Bitcast if is_pointer(from) && !is_pointer(result) => cast("ptrtoint"),
            Op::Bitcast if !is_pointer(from) && is_pointer(result) => cast("inttoptr"),
            Op::Bitcast | Op::PtrCastToGeneric | Op::GenericCastToPtr => {
                let text = value(first)?;
                Ok(Constant::Expression(
                    text.strip_prefix(from).unwrap_or(&text).trim_start().to_owned(),
                ))
            }
            _ => Err(unknown(i, op)),
        }
    }

    /// The LLVM constant expression of an address computation.
    fn address_expression(
        &self,
        i: Instruction<'_>,
        op: Op,
        args: &[u32],
    ) -> Result<Constant, Error> {
        let Chain { from_element, bounds, base, to, indices, .. } = Chain::of(self, i, op, args)?;
        let element = self.types.text(i, to)?;
        let mut text = self.typed_text(i, base)?;
        if !from_element {
            text.push_str(", i32 0");
        }
        for &index in indices {
            let bits = self.bits(index).ok_or_else(|| unknown(i, op))?;
            let width = self.types.width(self.type_of(i, index)?).unwrap_or(32);
            text.push_str(&format!(", i{width} {}", signed(bits, width)));
        }
        Ok(Constant::Expression(format!("getelementptr {bounds}({element}, {text})")))
    }

    /// The LLVM type and text of a constant, or of a variable's or function's address.
    fn typed_text(&self, i: Instruction<'_>, id: u32) -> Result<String, Error> {
        let text = match self.constant_text(i, id)? {
            Some(text) => text,
            None => self.address(i, id)?,
        };
        Ok(format!("{} {text}", self.types.text(i, self.type_of(i, id)?)?))
    }
}

fn unknown(i: Instruction<'_>, op: Op) -> Error {
    i.error(format_args!("Op{op:?} cannot be done with these constants"))
}

fn width_mask(ty: &Type) -> u64 {
    match ty {
        Type::Bool => 1,
        Type::Int(bits) | Type::Float(bits) => mask(*bits),
        _ => u64::MAX,
    }
}

/// Folds an operation on scalars.
fn scalar(op: Op, result: &Type, operand: &Type, amount: u32, row: &[u64]) -> Option<u64> {
    let a = *row.first()?;
    let b = row.get(1).copied();
    if let Type::Float(bits) = operand {
        return float(op, result, *bits, a, b, row);
    }
    let bits = match operand {
        Type::Int(bits) => *bits,
        _ => 1,
    };
    let (sa, sb) = (signed(a, bits), b.map(|b| signed(b, bits)));
    let truth = |v: bool| Some(u64::from(v));
    Some(match op {
        Op::UConvert => a,
        Op::SConvert => sa.cast_unsigned(),
        Op::SNegate => sa.wrapping_neg().cast_unsigned(),
        Op::Not => !a,
        Op::LogicalNot => u64::from(a == 0),
        Op::IAdd => a.wrapping_add(b?),
        Op::ISub => a.wrapping_sub(b?),
        Op::IMul => a.wrapping_mul(b?),
        Op::UDiv => a.checked_div(b?).unwrap_or(0),
        Op::SDiv => sa.checked_div(sb?).unwrap_or(0).cast_unsigned(),
        Op::UMod => a.checked_rem(b?).unwrap_or(0),
        Op::SRem => sa.checked_rem(sb?).unwrap_or(0).cast_unsigned(),
        Op::SMod => {
            let (sb, rest) = (sb?, sa.checked_rem(sb?).unwrap_or(0));
            (if rest != 0 && (rest < 0) != (sb < 0) { rest.wrapping_add(sb) } else { rest })
                .cast_unsigned()
        }
        Op::ShiftLeftLogical => a.checked_shl(shift(b?, amount, bits)).unwrap_or(0),
        Op::ShiftRightLogical => a.checked_shr(shift(b?, amount, bits)).unwrap_or(0),
        Op::ShiftRightArithmetic => {
            sa.checked_shr(shift(b?, amount, bits)).unwrap_or(0).cast_unsigned()
        }
        Op::BitwiseOr | Op::LogicalOr => a | b?,
        Op::BitwiseXor | Op::LogicalNotEqual => a ^ b?,
        Op::BitwiseAnd | Op::LogicalAnd => a & b?,
        Op::IEqual | Op::LogicalEqual => return truth(a == b?),
        Op::INotEqual => return truth(a != b?),
        Op::ULessThan => return truth(a < b?),
        Op::SLessThan => return truth(sa < sb?),
        Op::UGreaterThan => return truth(a > b?),
        Op::SGreaterThan => return truth(sa > sb?),
        Op::ULessThanEqual => return truth(a <= b?),
        Op::SLessThanEqual => return truth(sa <= sb?),
        Op::UGreaterThanEqual => return truth(a >= b?),
        Op::SGreaterThanEqual => return truth(sa >= sb?),
        Op::Select => {
            if a != 0 {
                b?
            } else {
                *row.get(2)?
            }
        }
        Op::Bitcast => a,
        #[expect(
            clippy::cast_precision_loss,
            reason = "the conversion rounds, as it does in the kernel"
        )]
        Op::ConvertSToF => match result {
            Type::Float(32) => u64::from((sa as f32).to_bits()),
            Type::Float(64) => (sa as f64).to_bits(),
            _ => return None,
        },
        #[expect(
            clippy::cast_precision_loss,
            reason = "the conversion rounds, as it does in the kernel"
        )]
        Op::ConvertUToF => match result {
            Type::Float(32) => u64::from((a as f32).to_bits()),
            Type::Float(64) => (a as f64).to_bits(),
            _ => return None,
        },
        _ => return None,
    })
}

fn shift(by: u64, width_of_amount: u32, bits: u32) -> u32 {
    u32::try_from((by & mask(width_of_amount)) % u64::from(bits)).unwrap_or(0)
}

/// Folds an operation on floats of 32 or 64 bits. Sums and products of two floats, computed as
/// doubles, round correctly to floats.
fn float(op: Op, result: &Type, bits: u32, a: u64, b: Option<u64>, row: &[u64]) -> Option<u64> {
    let value = |v: u64| match bits {
        32 => Some(f64::from(f32::from_bits(u32::try_from(v).ok()?))),
        64 => Some(f64::from_bits(v)),
        _ => None,
    };
    #[expect(clippy::cast_possible_truncation, reason = "rounds to the nearest float")]
    let back = |v: f64| match result {
        Type::Float(32) => Some(u64::from((v as f32).to_bits())),
        Type::Float(64) => Some(v.to_bits()),
        _ => None,
    };
    if op == Op::Bitcast {
        return Some(a);
    }
    if op == Op::Select {
        return Some(if a != 0 { b? } else { *row.get(2)? });
    }
    if op == Op::FNegate {
        return Some(a ^ 1 << (bits - 1));
    }
    let x = value(a)?;
    let y = b.map_or(Some(0.0), value)?;
    let truth = |v: bool| Some(u64::from(v));
    let unordered = x.is_nan() || y.is_nan();
    #[expect(clippy::float_cmp, reason = "the program contains these comparisons")]
    match op {
        Op::FAdd => back(x + y),
        Op::FSub => back(x - y),
        Op::FMul => back(x * y),
        Op::FDiv => back(x / y),
        Op::FRem => back(x % y),
        Op::FConvert => back(x),
        #[expect(clippy::cast_possible_truncation, reason = "the conversion truncates like this")]
        Op::ConvertFToS => Some((x as i64).cast_unsigned()),
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the conversion truncates like this"
        )]
        Op::ConvertFToU => Some(x as u64),
        Op::FOrdEqual => truth(x == y),
        Op::FUnordEqual => truth(unordered || x == y),
        Op::FOrdNotEqual => truth(!unordered && x != y),
        Op::FUnordNotEqual => truth(x != y),
        Op::FOrdLessThan => truth(x < y),
        Op::FUnordLessThan => truth(unordered || x < y),
        Op::FOrdGreaterThan => truth(x > y),
        Op::FUnordGreaterThan => truth(unordered || x > y),
        Op::FOrdLessThanEqual => truth(x <= y),
        Op::FUnordLessThanEqual => truth(unordered || x <= y),
        Op::FOrdGreaterThanEqual => truth(x >= y),
        Op::FUnordGreaterThanEqual => truth(unordered || x >= y),
        _ => None,
    }
}
