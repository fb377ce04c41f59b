//! An argument must fit the parameter of the kernel, as far as the program describes it.

use anyhow::{Context as _, Result, bail, ensure};
use muxcl_client::{Parameter, sys};
use muxcl_values::{Expression, Scope};

use crate::argument::Argument;
use crate::kind::{Kind, fits};

/// What a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A buffer; the type of its elements, unless it is a struct.
    Buffer(Option<Kind>),
    /// Local memory.
    Local,
    /// An image.
    Image,
    /// A sampler.
    Sampler,
    /// A number or vector, or a struct.
    Value(Option<Kind>),
}

impl Role {
    /// The role of a parameter.
    pub(crate) fn of(parameter: &Parameter) -> Result<Self> {
        let kind = parameter.kind.as_str();
        if kind.starts_with("image") {
            return Ok(Self::Image);
        }
        match kind {
            "sampler_t" => return Ok(Self::Sampler),
            "queue_t" | "event_t" | "clk_event_t" | "reserve_id_t" => {
                bail!("oclrun has no arguments of the type {kind}")
            }
            _ => {}
        }
        let pointee = || Kind::of_opencl(kind.trim_end_matches('*').trim());
        Ok(match parameter.address {
            sys::CL_KERNEL_ARG_ADDRESS_GLOBAL | sys::CL_KERNEL_ARG_ADDRESS_CONSTANT => {
                Self::Buffer(pointee())
            }
            sys::CL_KERNEL_ARG_ADDRESS_LOCAL => Self::Local,
            _ => Self::Value(Kind::of_opencl(kind)),
        })
    }

    /// Fails with what the parameter takes instead.
    pub(crate) fn takes(self, argument: &Argument) -> Result<()> {
        match (self, argument) {
            (Self::Buffer(_), Argument::Buffer { .. } | Argument::Null | Argument::Same(_))
            | (Self::Local, Argument::Local(_))
            | (Self::Image, Argument::Image { .. } | Argument::Same(_))
            | (Self::Sampler, Argument::Sampler { .. })
            | (Self::Value(_), Argument::Value(..) | Argument::Bytes(_)) => Ok(()),
            (Self::Buffer(_), _) => bail!("it takes a buffer, such as buf:zero, or null"),
            (Self::Local, _) => bail!("it takes local memory, such as local:256"),
            (Self::Image, _) => bail!("it takes an image, such as image:zero:rgba:f32"),
            (Self::Sampler, _) => bail!("it takes a sampler, such as sampler:nearest"),
            (Self::Value(Some(kind)), _) if kind.lanes > 1 => {
                bail!("it takes {} numbers with commas between them", kind.lanes)
            }
            (Self::Value(Some(_)), _) => bail!("it takes a number"),
            (Self::Value(None), _) => bail!("it takes the bytes of a value, such as hex:01020304"),
        }
    }

    /// The type of the elements of a buffer, or of a value: the given one, else the parameter's.
    pub(crate) fn kind(role: Option<Self>, given: Option<Kind>) -> Result<Kind> {
        match (role, given) {
            (Some(Self::Value(Some(wanted))), Some(given)) => {
                ensure!(wanted == given, "the parameter is {wanted}, not {given}");
                Ok(wanted)
            }
            (_, Some(given)) => Ok(given),
            (Some(Self::Value(Some(kind)) | Self::Buffer(Some(kind))), None) => Ok(kind),
            (Some(Self::Value(None)), None) => {
                bail!("its type is no number: write the bytes of the value, such as hex:01020304")
            }
            (Some(_), None) => {
                bail!("its elements are no numbers: write a type, as in buf:zero:u8")
            }
            (None, None) => bail!(
                "the program does not tell the parameter's type: write it, as in i32:3 or \
                 buf:zero:f32"
            ),
        }
    }
}

/// The bytes of a number or vector.
pub(crate) fn value(kind: Kind, values: &[Expression], scope: &mut Scope) -> Result<Vec<u8>> {
    ensure!(
        values.len() == kind.lanes || values.len() == 1,
        "{kind} has {} component(s), and {} numbers are given",
        kind.lanes,
        values.len()
    );
    let mut bytes = Vec::new();
    for lane in 0..kind.lanes {
        let value = values.get(lane).or_else(|| values.first()).context("a number")?;
        let value = value.value(scope)?;
        fits(kind.element, value)?;
        kind.element.put(value, &mut bytes);
    }
    bytes.resize(kind.size(), 0);
    Ok(bytes)
}

/// A parameter as a source writes it.
pub(crate) fn describe(parameter: &Parameter) -> String {
    let space = match parameter.address {
        sys::CL_KERNEL_ARG_ADDRESS_GLOBAL if parameter.kind.ends_with('*') => "global ",
        sys::CL_KERNEL_ARG_ADDRESS_CONSTANT => "constant ",
        sys::CL_KERNEL_ARG_ADDRESS_LOCAL => "local ",
        _ => "",
    };
    format!("{space}{} {}", parameter.kind, parameter.name).trim_end().to_owned()
}
