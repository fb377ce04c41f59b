//! Constants: their values with specialization applied, and their LLVM text.

use crate::module::Tables;
use crate::pipes;
use crate::types::Type;
use muxcl_spirv::numbers::{Decoration, Op};
use muxcl_spirv::{Error, Instruction};

/// A constant's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Constant {
    /// The bits of a bool, integer or float, in the low bits.
    Bits(u64),
    /// Zero of any type.
    Null,
    Undef,
    /// The ids of a composite's parts.
    Composite(Vec<u32>),
    /// The lanes of a folded vector, as bits.
    Lanes(Vec<u64>),
    /// An LLVM constant expression of addresses.
    Expression(String),
    /// A sampler's number in OpenCL C.
    Sampler(u32),
}

/// The largest text of one constant in bytes. Constants share parts, so text can grow
/// exponentially.
const MAX_TEXT: usize = 64 << 20;
/// The largest text of all constants in bytes: each use of a constant writes its text again.
const MAX_TEXTS: usize = 512 << 20;

impl<'m> Tables<'m> {
    /// The value of a constant's declaration.
    pub(crate) fn constant(&self, i: Instruction<'m>) -> Result<Constant, Error> {
        let (ty, id) = (i.operand(0)?, i.operand(1)?);
        self.types.find(i, ty)?;
        Ok(match i.op {
            Op::ConstantTrue => Constant::Bits(1),
            Op::ConstantFalse => Constant::Bits(0),
            Op::ConstantNull => Constant::Null,
            Op::Constant => Constant::Bits(self.literal(i)?),
            Op::SpecConstantTrue => Constant::Bits(self.specialised(id, i, 1)?),
            Op::SpecConstantFalse => Constant::Bits(self.specialised(id, i, 0)?),
            Op::SpecConstant => Constant::Bits(self.specialised(id, i, self.literal(i)?)?),
            Op::ConstantComposite | Op::SpecConstantComposite => {
                let parts = i.rest(2).to_vec();
                self.check_parts(i, ty, &parts)?;
                Constant::Composite(parts)
            }
            Op::ConstantSampler => {
                let (addressing, normalized, filter) =
                    (i.operand(2)?, i.operand(3)?, i.operand(4)?);
                if addressing > 4 || normalized > 1 || filter > 1 {
                    return Err(i.error("a sampler has an unknown mode"));
                }
                // Addressing mode, normalized coordinates and filter, as OpenCL C's `CLK_`
                // constants.
                Constant::Sampler(addressing << 1 | normalized | 0x10 << filter)
            }
            Op::ConstantPipeStorage => {
                if self.types.get(ty) != Some(&Type::PipeStorage) {
                    return Err(i.error("the type is no OpTypePipeStorage"));
                }
                Constant::Expression(pipes::storage_name(id))
            }
            Op::SpecConstantOp => self.fold(i)?,
            op => return Err(i.error(format_args!("Op{op:?} is not supported"))),
        })
    }

    /// The parts of a composite. Their types are checked and their declarations precede it, so that
    /// constants nest no deeper than types.
    fn check_parts(&self, i: Instruction<'_>, ty: u32, parts: &[u32]) -> Result<(), Error> {
        let (count, member): (u64, Box<dyn Fn(usize) -> Option<u32>>) =
            match self.types.find(i, ty)? {
                Type::Vector { of, count } => (u64::from(*count), Box::new(|_| Some(*of))),
                Type::Array { of, count } => (*count, Box::new(|_| Some(*of))),
                Type::Struct { members, .. } => {
                    (members.len() as u64, Box::new(|n| members.get(n).copied()))
                }
                _ => return Err(i.error("the type of a composite constant has no members")),
            };
        if parts.len() as u64 != count {
            return Err(i.error("a composite constant has another number of members than its type"));
        }
        for (n, &part) in parts.iter().enumerate() {
            let known = self.constants.contains_key(&part) || self.variables.contains_key(&part);
            if !known || i.result() == Some(part) {
                return Err(i.error(format_args!(
                    "part {part} of a composite constant is no constant declared before"
                )));
            }
            let has = self.type_of(i, part)?;
            let wants = member(n).unwrap_or(0);
            if has != wants && self.types.text(i, has)? != self.types.text(i, wants)? {
                return Err(i.error(format_args!(
                    "part {part} of a composite constant is not of the type of that part"
                )));
            }
        }
        Ok(())
    }

    fn literal(&self, i: Instruction<'_>) -> Result<u64, Error> {
        let low = u64::from(i.operand(2)?);
        match self.types.find(i, i.operand(0)?)? {
            Type::Int(bits) | Type::Float(bits) if *bits < 64 => Ok(low & mask(*bits)),
            Type::Int(_) | Type::Float(_) => Ok(low | u64::from(i.operand(3)?) << 32),
            _ => Err(i.error("the type of a literal is no number")),
        }
    }

    /// The bits of a specialization constant: the application's value, or the module's.
    fn specialised(&self, id: u32, i: Instruction<'_>, own: u64) -> Result<u64, Error> {
        let Some(number) = self.decoration_value(id, Decoration::SpecId) else { return Ok(own) };
        let Some((_, bytes)) = self.options.constants.iter().rev().find(|(n, _)| *n == number)
        else {
            return Ok(own);
        };
        let size = self.types.size(i.operand(0)?);
        if bytes.len() as u64 != size || bytes.len() > 8 {
            let given = bytes.len();
            return Err(i.error(format_args!(
                "specialization constant {number} has {size} bytes, not {given}"
            )));
        }
        let mut value = [0; 8];
        value.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        let bits = u64::from_le_bytes(value);
        let is_bool = self.types.get(i.operand(0)?) == Some(&Type::Bool);
        Ok(if is_bool { u64::from(bits != 0) } else { bits })
    }

    /// The bits of a scalar constant.
    pub(crate) fn bits(&self, id: u32) -> Option<u64> {
        match self.constants.get(&id)? {
            Constant::Bits(bits) => Some(*bits),
            Constant::Null => self.types.width(*self.value_types.get(&id)?).map(|_| 0),
            _ => None,
        }
    }

    /// The bits of a vector constant's lanes; one lane for a scalar.
    pub(crate) fn lane_bits(&self, id: u32) -> Option<Vec<u64>> {
        let lanes = self.types.lanes(*self.value_types.get(&id)?).1;
        match self.constants.get(&id)? {
            Constant::Bits(bits) => Some(vec![*bits]),
            Constant::Null | Constant::Undef => Some(vec![0; lanes as usize]),
            Constant::Composite(parts) => parts.iter().map(|p| self.bits(*p)).collect(),
            Constant::Lanes(lanes) => Some(lanes.clone()),
            Constant::Expression(_) | Constant::Sampler(_) => None,
        }
    }

    /// The LLVM text of a constant, without its type; `None` if the id is no constant.
    pub(crate) fn constant_text(
        &self,
        i: Instruction<'_>,
        id: u32,
    ) -> Result<Option<String>, Error> {
        if !self.constants.contains_key(&id) {
            return Ok(None);
        }
        let mut text = String::new();
        self.write_constant(i, id, &mut text)?;
        self.constant_bytes.set(self.constant_bytes.get() + text.len());
        if self.constant_bytes.get() > MAX_TEXTS {
            return Err(i.error("the constants of the module are too large"));
        }
        Ok(Some(text))
    }

    fn write_constant(&self, i: Instruction<'_>, id: u32, out: &mut String) -> Result<(), Error> {
        if out.len() > MAX_TEXT {
            return Err(i.error("a constant is too large"));
        }
        let ty = self.type_of(i, id)?;
        let kind = self.types.find(i, ty)?;
        match self.constants.get(&id) {
            Some(Constant::Bits(bits)) => out.push_str(&scalar_text(kind, *bits)),
            Some(Constant::Null) => out.push_str(&match kind {
                Type::Bool | Type::Int(_) | Type::Float(_) => scalar_text(kind, 0),
                Type::Pointer { .. } => "null".into(),
                _ => "zeroinitializer".to_owned(),
            }),
            Some(Constant::Undef) => out.push_str("undef"),
            Some(Constant::Expression(text)) => out.push_str(text),
            Some(Constant::Lanes(lanes)) => {
                let element = self.types.scalar(ty).unwrap_or(kind);
                let name = self.types.text(i, self.types.lanes(ty).0)?;
                let parts: Vec<String> = lanes
                    .iter()
                    .map(|bits| format!("{name} {}", scalar_text(element, *bits)))
                    .collect();
                out.push_str(&format!("<{}>", parts.join(", ")));
            }
            Some(Constant::Composite(parts)) => {
                let (open, close) = match kind {
                    Type::Vector { .. } => ("<", ">"),
                    Type::Array { .. } => ("[", "]"),
                    Type::Struct { packed: true, .. } => ("<{", "}>"),
                    _ => ("{", "}"),
                };
                out.push_str(open);
                for (n, &part) in parts.iter().enumerate() {
                    if n > 0 {
                        out.push_str(", ");
                    }
                    out.push_str(self.types.text(i, self.type_of(i, part)?)?);
                    out.push(' ');
                    if self.constants.contains_key(&part) {
                        self.write_constant(i, part, out)?;
                    } else {
                        out.push_str(&self.address(i, part)?);
                    }
                }
                out.push_str(close);
            }
            Some(Constant::Sampler(_)) => {
                return Err(i.error("a constant sampler is not possible here"));
            }
            None => return Err(i.error(format_args!("id {id} is no constant"))),
        }
        Ok(())
    }
}

/// A mask of the low `bits` bits.
pub(crate) fn mask(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// Sign-extends the low `bits` bits.
pub(crate) fn signed(value: u64, bits: u32) -> i64 {
    let shift = 64 - bits.clamp(1, 64);
    (value << shift).cast_signed() >> shift
}

/// The LLVM text of a bool, integer or float.
pub(crate) fn scalar_text(ty: &Type, bits: u64) -> String {
    match ty {
        Type::Bool => if bits != 0 { "true" } else { "false" }.into(),
        Type::Int(width) => signed(bits, *width).to_string(),
        Type::Float(16) => format!("0xH{:04X}", bits & 0xffff),
        Type::Float(32) => format!("0x{:016X}", widened(bits & 0xffff_ffff)),
        _ => format!("0x{bits:016X}"),
    }
}

/// The bits of the double with a float's value. LLVM writes both types as doubles.
fn widened(bits: u64) -> u64 {
    let (sign, exponent, fraction) = (bits >> 31, bits >> 23 & 0xff, bits & 0x7f_ffff);
    if exponent == 0xff {
        // A signalling NaN stays one.
        return sign << 63 | 0x7ff << 52 | fraction << 29;
    }
    let value = f32::from_bits(u32::try_from(bits).unwrap_or(0));
    f64::from(value).to_bits()
}
