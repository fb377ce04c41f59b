//! SPIR-V's types, their LLVM text, sizes and alignments.

use crate::mangle::{C, pointer_text};
use muxcl_spirv::{Error, Instruction};
use std::collections::BTreeMap;

/// A type. Other types are referred to by id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Type {
    Void,
    Bool,
    Int(u32),
    Float(u32),
    Vector {
        of: u32,
        count: u32,
    },
    Array {
        of: u32,
        count: u64,
    },
    Struct {
        members: Vec<u32>,
        packed: bool,
    },
    Opaque,
    Pointer {
        space: u32,
        /// `None` for `OpTypeUntypedPointerKHR`.
        to: Option<u32>,
    },
    Function {
        ret: u32,
        parameters: Vec<u32>,
    },
    Image(Image),
    SampledImage,
    Sampler,
    Event,
    DeviceEvent,
    ReserveId,
    Queue,
    Pipe {
        write: bool,
    },
    /// The address of a pipe's memory, which belongs to the module.
    PipeStorage,
    /// The address of a named barrier in local memory.
    NamedBarrier,
}

/// The kind of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Image {
    /// 0 to 2: 1D, 2D, 3D; 5: in a buffer.
    pub dim: u32,
    pub depth: bool,
    pub arrayed: bool,
    pub multisampled: bool,
    /// 0: read only; 1: write only; 2: read and write.
    pub access: u32,
}

#[derive(Debug, Clone)]
struct TypeEntry {
    ty: Type,
    text: String,
    /// The nesting depth, which is limited because LLVM recurses over types.
    depth: u32,
    size: u64,
    align: u64,
}

/// All types of a module.
#[derive(Debug, Default)]
pub(crate) struct Types {
    entries: BTreeMap<u32, TypeEntry>,
    /// Definitions of named structures.
    pub definitions: String,
    pub address_bits: u32,
}

const MAX_DEPTH: u32 = 64;
const MAX_BYTES: u64 = 1 << 40;

impl Types {
    /// An empty table.
    pub(crate) fn new(address_bits: u32) -> Self {
        Self { address_bits, ..Self::default() }
    }

    /// The type of an id.
    pub(crate) fn get(&self, id: u32) -> Option<&Type> {
        self.entries.get(&id).map(|e| &e.ty)
    }

    /// The type of an id, or an error if the id is not a type's.
    pub(crate) fn find(&self, i: Instruction<'_>, id: u32) -> Result<&Type, Error> {
        self.get(id)
            .ok_or_else(|| i.error(format_args!("id {id} is no type that was declared before")))
    }

    /// The LLVM text of a type.
    pub(crate) fn text(&self, i: Instruction<'_>, id: u32) -> Result<&str, Error> {
        let entry =
            self.entries.get(&id).ok_or_else(|| i.error(format_args!("id {id} is no type")))?;
        if entry.text.is_empty() {
            return Err(
                i.error(format_args!("a value of type {:?} is not possible here", entry.ty))
            );
        }
        Ok(&entry.text)
    }

    /// Size in bytes, with padding.
    pub(crate) fn size(&self, id: u32) -> u64 {
        self.entries.get(&id).map_or(0, |e| e.size)
    }

    /// Natural alignment in bytes.
    pub(crate) fn align(&self, id: u32) -> u64 {
        self.entries.get(&id).map_or(1, |e| e.align).max(1)
    }

    /// The element type and the number of lanes; a scalar has one lane.
    pub(crate) fn lanes(&self, id: u32) -> (u32, u32) {
        match self.get(id) {
            Some(Type::Vector { of, count }) => (*of, *count),
            _ => (id, 1),
        }
    }

    /// The element type of a vector, or the scalar itself.
    pub(crate) fn scalar(&self, id: u32) -> Option<&Type> {
        self.get(self.lanes(id).0)
    }

    /// Width in bits of an integer, a float, or a vector's elements.
    pub(crate) fn width(&self, id: u32) -> Option<u32> {
        match self.scalar(id) {
            Some(Type::Int(bits) | Type::Float(bits)) => Some(*bits),
            Some(Type::Bool) => Some(1),
            _ => None,
        }
    }

    /// The OpenCL C type, with signed or unsigned integers.
    pub(crate) fn c(&self, id: u32, signed: bool) -> Option<C> {
        Some(match self.get(id)? {
            Type::Void => C::Void,
            Type::Bool => C::Bool,
            Type::Int(bits) => C::Int(*bits, signed),
            Type::Float(bits) => C::Float(*bits),
            Type::Vector { of, count } => self.c(*of, signed)?.times(*count),
            // Pointers may refer to each other in a circle. No builtin takes pointers to pointers.
            Type::Pointer { to: Some(to), .. }
                if matches!(self.get(*to), Some(Type::Pointer { .. })) =>
            {
                return None;
            }
            Type::Pointer { space, to: Some(to) } => self.c(*to, signed)?.pointer(*space),
            Type::Pointer { space, to: None } => C::Void.pointer(*space),
            Type::Image(image) => C::opaque(&image.name(), &image.llvm()),
            Type::Sampler => C::opaque("sampler", SAMPLER),
            Type::Event => C::opaque("event", "target(\"spirv.Event\")"),
            Type::DeviceEvent => C::opaque("clkevent", "target(\"spirv.DeviceEvent\")"),
            Type::ReserveId => C::opaque("reserveid", "target(\"spirv.ReserveId\")"),
            Type::Queue => C::opaque("queue", "target(\"spirv.Queue\")"),
            _ => return None,
        })
    }

    /// Adds a declaration. `count` returns the value of an array's length.
    pub(crate) fn declare(
        &mut self,
        i: Instruction<'_>,
        packed: bool,
        count: impl Fn(u32) -> Option<u64>,
    ) -> Result<(), Error> {
        use muxcl_spirv::numbers::Op;
        let id = i.operand(0)?;
        let pointer = u64::from(self.address_bits / 8);
        let simple = |ty: Type, text: &str, size: u64| TypeEntry {
            ty,
            text: text.into(),
            depth: 0,
            size,
            align: size,
        };
        let opaque =
            |ty: Type, name: &str| simple(ty, &format!("target(\"spirv.{name}\")"), pointer);
        let entry = match i.op {
            Op::TypeVoid => simple(Type::Void, "void", 0),
            Op::TypeBool => simple(Type::Bool, "i1", 1),
            Op::TypeInt => match i.operand(1)? {
                bits @ (8 | 16 | 32 | 64) => {
                    simple(Type::Int(bits), &format!("i{bits}"), u64::from(bits / 8))
                }
                bits => {
                    return Err(i.error(format_args!("integers of {bits} bits are not OpenCL's")));
                }
            },
            Op::TypeFloat if i.operands.len() > 2 => {
                return Err(i.error("floating point other than IEEE 754's is not supported"));
            }
            Op::TypeFloat => match i.operand(1)? {
                16 => simple(Type::Float(16), "half", 2),
                32 => simple(Type::Float(32), "float", 4),
                64 => simple(Type::Float(64), "double", 8),
                bits => {
                    return Err(
                        i.error(format_args!("floating point of {bits} bits is not OpenCL's"))
                    );
                }
            },
            Op::TypeVector => self.vector(i)?,
            Op::TypeArray => {
                self.may_stay(i, i.operand(1)?)?;
                let of = self.element(i, i.operand(1)?)?;
                let Some(count) = count(i.operand(2)?).filter(|n| *n > 0) else {
                    return Err(i.error("the length of an array is no positive integer constant"));
                };
                TypeEntry {
                    ty: Type::Array { of: i.operand(1)?, count },
                    text: format!("[{count} x {}]", of.text),
                    depth: of.depth + 1,
                    size: of.size.saturating_mul(count),
                    align: of.align,
                }
            }
            Op::TypeStruct => self.structure(i, packed)?,
            Op::TypeOpaque => {
                TypeEntry { ty: Type::Opaque, text: String::new(), depth: 0, size: 0, align: 1 }
            }
            Op::TypePointer => {
                let space = space(i, i.operand(1)?)?;
                self.may_stay(i, i.operand(2)?)?;
                let to = Some(i.operand(2)?);
                simple(Type::Pointer { space, to }, &pointer_text(space), pointer)
            }
            Op::TypeUntypedPointerKHR => {
                let space = space(i, i.operand(1)?)?;
                simple(Type::Pointer { space, to: None }, &pointer_text(space), pointer)
            }
            Op::TypeFunction => {
                let parameters = i.rest(2).to_vec();
                for &ty in &parameters {
                    self.element(i, ty)?;
                }
                self.find(i, i.operand(1)?)?;
                self.may_stay(i, i.operand(1)?)?;
                simple(Type::Function { ret: i.operand(1)?, parameters }, "", 0)
            }
            Op::TypeImage => {
                let image = Image::read(i)?;
                simple(Type::Image(image), &image.llvm(), pointer)
            }
            Op::TypeSampledImage => simple(Type::SampledImage, "", 0),
            Op::TypeSampler => simple(Type::Sampler, SAMPLER, pointer),
            Op::TypeEvent => opaque(Type::Event, "Event"),
            Op::TypeDeviceEvent => opaque(Type::DeviceEvent, "DeviceEvent"),
            Op::TypeReserveId => opaque(Type::ReserveId, "ReserveId"),
            Op::TypeQueue => opaque(Type::Queue, "Queue"),
            Op::TypePipe => {
                let access = i.operand(1)?;
                simple(
                    Type::Pipe { write: access == 1 },
                    &format!("target(\"spirv.Pipe\", {})", access & 1),
                    pointer,
                )
            }
            Op::TypePipeStorage => simple(Type::PipeStorage, &pointer_text(1), pointer),
            Op::TypeNamedBarrier => simple(Type::NamedBarrier, &pointer_text(3), pointer),
            // LLVM's pointers have no pointee type.
            Op::TypeForwardPointer => return Ok(()),
            op => return Err(i.error(format_args!("Op{op:?} is not supported"))),
        };
        if entry.depth > MAX_DEPTH {
            return Err(i.error(format_args!("types are nested more than {MAX_DEPTH} deep")));
        }
        if entry.size > MAX_BYTES {
            return Err(i.error(format_args!("a type of {} bytes is too large", entry.size)));
        }
        self.entries.insert(id, entry);
        Ok(())
    }

    /// Checks a type that is part of another.
    fn element(&self, i: Instruction<'_>, id: u32) -> Result<&TypeEntry, Error> {
        match self.entries.get(&id) {
            None => Err(i.error(format_args!("type {id} is not declared before it is used"))),
            Some(e) if matches!(e.ty, Type::Void) || e.text.is_empty() => {
                Err(i.error(format_args!("a type cannot be made of {:?}", e.ty)))
            }
            Some(e) => Ok(e),
        }
    }

    /// Refuses a named barrier where it could stay beyond the next execution of the instruction
    /// that makes it: each `OpNamedBarrierInitialize` has memory for one barrier.
    pub(crate) fn may_stay(&self, i: Instruction<'_>, id: u32) -> Result<(), Error> {
        if self.get(id) == Some(&Type::NamedBarrier) {
            return Err(i.error(
                "a named barrier cannot be returned, stored, or chosen by an OpPhi: each \
                 OpNamedBarrierInitialize has memory for one barrier",
            ));
        }
        Ok(())
    }

    fn vector(&self, i: Instruction<'_>) -> Result<TypeEntry, Error> {
        let (of, count) = (i.operand(1)?, i.operand(2)?);
        let element = self.element(i, of)?;
        if !matches!(element.ty, Type::Bool | Type::Int(_) | Type::Float(_))
            || !matches!(count, 2 | 3 | 4 | 8 | 16)
        {
            return Err(i.error(format_args!(
                "a vector of {count} times {:?} is not OpenCL's",
                element.ty
            )));
        }
        let size = element.size * u64::from(if count == 3 { 4 } else { count });
        let text = format!("<{count} x {}>", element.text);
        Ok(TypeEntry { ty: Type::Vector { of, count }, text, depth: 1, size, align: size })
    }

    fn structure(&mut self, i: Instruction<'_>, packed: bool) -> Result<TypeEntry, Error> {
        let (mut texts, mut size, mut align, mut depth) = (Vec::new(), 0_u64, 1_u64, 0);
        for &member in i.rest(1) {
            self.may_stay(i, member)?;
            let part = self.element(i, member)?;
            let part_align = if packed { 1 } else { part.align.max(1) };
            size = size.next_multiple_of(part_align).saturating_add(part.size);
            if size > MAX_BYTES {
                return Err(i.error("a structure is too large"));
            }
            align = align.max(part_align);
            depth = depth.max(part.depth);
            texts.push(part.text.clone());
        }
        let body = texts.join(", ");
        let text = format!("%s{}", i.operand(0)?);
        let (open, close) = if packed { ("<{", "}>") } else { ("{", "}") };
        self.definitions.push_str(&format!("{text} = type {open} {body} {close}\n"));
        let ty = Type::Struct { members: i.rest(1).to_vec(), packed };
        Ok(TypeEntry { ty, text, depth: depth + 1, size: size.next_multiple_of(align), align })
    }
}

pub(crate) const SAMPLER: &str = "target(\"spirv.Sampler\")";

/// The address space of a storage class.
pub(crate) fn space(i: Instruction<'_>, class: u32) -> Result<u32, Error> {
    match class {
        0 => Ok(2),         // UniformConstant
        1 | 6 | 7 => Ok(0), // Input, Private, Function
        4 => Ok(3),         // Workgroup
        5 | 11 => Ok(1),    // CrossWorkgroup, Image
        8 => Ok(4),         // Generic
        _ => Err(i.error(format_args!("storage class {class} is not one of OpenCL's"))),
    }
}

impl Image {
    fn read(i: Instruction<'_>) -> Result<Self, Error> {
        let image = Self {
            dim: i.operand(2)?,
            depth: i.operand(3)? == 1,
            arrayed: i.operand(4)? == 1,
            multisampled: i.operand(5)? == 1,
            access: i.operands.get(8).copied().unwrap_or(0),
        };
        if !matches!(image.dim, 0 | 1 | 2 | 5)
            || image.access > 2
            || (image.arrayed && image.dim > 1)
        {
            return Err(i.error("images of this kind are not OpenCL's"));
        }
        Ok(image)
    }

    /// `image2d_array_depth_ro`
    fn name(self) -> String {
        format!(
            "{}_{}",
            self.c_name().trim_end_matches("_t"),
            match self.access {
                0 => "ro",
                1 => "wo",
                _ => "rw",
            }
        )
    }

    /// `image2d_array_depth_t`
    pub(crate) fn c_name(self) -> String {
        let dim = match self.dim {
            0 => "1d",
            1 => "2d",
            2 => "3d",
            _ => "1d_buffer",
        };
        let mut name = format!("image{dim}");
        for (set, part) in
            [(self.arrayed, "_array"), (self.multisampled, "_msaa"), (self.depth, "_depth")]
        {
            if set {
                name.push_str(part);
            }
        }
        name + "_t"
    }

    fn llvm(self) -> String {
        let (depth, arrayed, ms) =
            (u32::from(self.depth), u32::from(self.arrayed), u32::from(self.multisampled));
        format!(
            "target(\"spirv.Image\", void, {}, {depth}, {arrayed}, {ms}, 0, 0, {})",
            self.dim, self.access
        )
    }
}
