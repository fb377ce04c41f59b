//! Images: sampling, reading, writing and queries, as calls of OpenCL C's functions.

use crate::body::Body;
use crate::composite::widened;
use crate::mangle::{C, INT};
use crate::output::Effects;
use crate::types::{Image, Type};
use muxcl_spirv::numbers::Op;
use muxcl_spirv::{Error, Instruction};

/// Writes an instruction on images, if it is one.
pub(crate) fn write(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<bool, Error> {
    match i.op {
        Op::SampledImage => {
            let pair = (i.operand(2)?, i.operand(3)?);
            body.sampled.insert(i.operand(1)?, pair);
        }
        Op::Image => {
            let (image, _) = sampled(body, i, i.operand(2)?)?;
            let value = body.value(i, image)?;
            body.set(i, value);
        }
        Op::ImageSampleExplicitLod | Op::ImageSampleImplicitLod => {
            let (image, sampler) = sampled(body, i, i.operand(2)?)?;
            let sampler = (body.c(i, sampler, true)?, body.operand(i, sampler)?);
            read(body, i, image, Some(sampler))?;
        }
        Op::ImageFetch | Op::ImageRead => read(body, i, i.operand(2)?, None)?,
        Op::ImageWrite => store(body, i)?,
        Op::ImageQuerySize | Op::ImageQuerySizeLod => size(body, i)?,
        // SPIR-V counts channel types and orders from 0, OpenCL from CL_SNORM_INT8 and CL_R.
        Op::ImageQueryFormat => {
            let value = query(body, i, "get_image_channel_data_type")?;
            body.define(i, &format!("sub i32 {value}, {}", 0x10d0));
        }
        Op::ImageQueryOrder => {
            let value = query(body, i, "get_image_channel_order")?;
            body.define(i, &format!("sub i32 {value}, {}", 0x10b0));
        }
        Op::ImageQueryLevels => {
            let value = query(body, i, "get_image_num_mip_levels")?;
            body.set(i, value);
        }
        Op::ImageQuerySamples => {
            let value = query(body, i, "get_image_num_samples")?;
            body.set(i, value);
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn sampled(body: &Body<'_, '_>, i: Instruction<'_>, id: u32) -> Result<(u32, u32), Error> {
    let pair = body.sampled.get(&id).copied();
    pair.ok_or_else(|| {
        i.error("a sampled image does not come from OpSampledImage in the same function")
    })
}

fn image(body: &Body<'_, '_>, i: Instruction<'_>, id: u32) -> Result<Image, Error> {
    match body.module.types.get(body.type_of(i, id)?) {
        Some(Type::Image(image)) => Ok(*image),
        _ => Err(i.error(format_args!("the operand of Op{:?} is no image", i.op))),
    }
}

/// The number of lanes of a coordinate in OpenCL C.
fn lanes(image: Image) -> u32 {
    match (image.dim, image.arrayed) {
        (0 | 5, false) => 1,
        (0, true) | (1, false) => 2,
        _ => 4,
    }
}

/// A coordinate, widened to the lanes that OpenCL C's function takes.
fn coordinate(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    image: Image,
    id: u32,
) -> Result<(C, String), Error> {
    let ty = body.c(i, id, true)?;
    let (has, wants) = (ty.lanes(), lanes(image));
    if has == wants {
        return Ok((ty, body.value(i, id)?));
    }
    let element = ty.element().clone();
    if has < 2 || wants < 2 || (has == 2 && wants == 4) {
        return Err(
            i.error(format_args!("a coordinate of {has} components does not fit the image"))
        );
    }
    let text = element.llvm();
    if has < wants {
        let value = widened(body, i, id, &text, has, wants)?;
        let value = value.rsplit_once(' ').map_or(value.clone(), |(_, v)| v.to_owned());
        return Ok((element.times(wants), value));
    }
    let value = body.typed(i, id)?;
    let mask: Vec<String> = (0..wants).map(|n| format!("i32 {n}")).collect();
    let mask = mask.join(", ");
    let value = body
        .temp(&format!("shufflevector {value}, <{has} x {text}> poison, <{wants} x i32> <{mask}>"));
    Ok((element.times(wants), value))
}

/// The parsed `ImageOperands`.
#[derive(Default)]
struct Operands {
    lod: Option<u32>,
    gradient: Option<(u32, u32)>,
    sample: Option<u32>,
    unsigned: bool,
}

fn operands(i: Instruction<'_>, n: usize) -> Result<Operands, Error> {
    let mut operands = Operands::default();
    let Some(&mask) = i.operands.get(n) else { return Ok(operands) };
    let mut next = n + 1;
    let mut take = || {
        next += 1;
        i.operand(next - 1)
    };
    if mask & !(0x2 | 0x4 | 0x40 | 0x1000 | 0x2000 | 0x4000) != 0 {
        return Err(i.error(format_args!("image operands {mask:#x} are not OpenCL's")));
    }
    if mask & 0x2 != 0 {
        operands.lod = Some(take()?);
    }
    if mask & 0x4 != 0 {
        operands.gradient = Some((take()?, take()?));
    }
    if mask & 0x40 != 0 {
        operands.sample = Some(take()?);
    }
    operands.unsigned = mask & 0x2000 != 0;
    Ok(operands)
}

/// The suffix of the function's name for a type of pixels.
fn letters(i: Instruction<'_>, pixel: &C, unsigned: bool) -> Result<&'static str, Error> {
    match pixel.element() {
        C::Float(16) => Ok("h"),
        C::Float(32) => Ok("f"),
        C::Int(32, _) if unsigned => Ok("ui"),
        C::Int(32, _) => Ok("i"),
        _ => Err(i.error(format_args!("pixels cannot be {}", pixel.llvm()))),
    }
}

fn read(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    id: u32,
    sampler: Option<(C, String)>,
) -> Result<(), Error> {
    let image = image(body, i, id)?;
    let coordinates = i.operand(3)?;
    let operands = operands(i, 4)?;
    let result = body.c_result(i, !operands.unsigned)?;
    let letters = letters(i, &result, operands.unsigned)?;
    let is_sampled = sampler.is_some();
    let mut args = vec![(body.c(i, id, true)?, body.value(i, id)?)];
    args.extend(sampler);
    args.push(coordinate(body, i, image, coordinates)?);
    if let Some((x, y)) = operands.gradient {
        args.push(gradient(body, i, image, x)?);
        args.push(gradient(body, i, image, y)?);
    } else if let Some(lod) = operands.lod {
        // Every sampling names a level. Only mipmapped images have levels other than 0.
        let is_zero = body.module.bits(lod) == Some(0);
        if is_sampled && !is_zero {
            args.push((body.c(i, lod, true)?, body.value(i, lod)?));
        } else if !is_zero {
            return Err(
                i.error(format_args!("Op{:?} of a level other than 0 is not possible", i.op))
            );
        }
    }
    if let Some(sample) = operands.sample {
        args.push((INT, body.int_as(i, sample, 32, true)?));
    }
    // A depth image has one channel; SPIR-V's result may be a vector.
    let ret =
        if image.depth { result.element().clone() } else { result.element().clone().times(4) };
    if !image.depth && result.lanes() != 4 {
        return Err(i.error(format_args!("a pixel is a vector of 4, not {}", result.llvm())));
    }
    let effects = if image.access == 0 { Effects::Reads } else { Effects::Any };
    let value = body.call(&format!("read_image{letters}"), &ret, &args, effects);
    if image.depth && result.lanes() > 1 {
        let text = result.llvm();
        body.define(
            i,
            &format!("insertelement {text} zeroinitializer, {} {value}, i32 0", ret.llvm()),
        );
    } else {
        body.set(i, value);
    }
    Ok(())
}

/// A gradient operand. For 3D images OpenCL C's has 4 lanes.
fn gradient(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    image: Image,
    id: u32,
) -> Result<(C, String), Error> {
    coordinate(body, i, Image { arrayed: false, ..image }, id)
}

fn store(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let (id, coordinates, texel) = (i.operand(0)?, i.operand(1)?, i.operand(2)?);
    let image = image(body, i, id)?;
    let operands = operands(i, 3)?;
    let pixel = body.c(i, texel, !operands.unsigned)?;
    let letters = letters(i, &pixel, operands.unsigned)?;
    let mut args =
        vec![(body.c(i, id, true)?, body.value(i, id)?), coordinate(body, i, image, coordinates)?];
    if let Some(lod) = operands.lod
        && body.module.bits(lod) != Some(0)
    {
        args.push((INT, body.int_as(i, lod, 32, true)?));
    }
    let mut value = body.value(i, texel)?;
    let mut pixel = pixel;
    if image.depth && pixel.lanes() > 1 {
        value = body.temp(&format!("extractelement {} {value}, i32 0", pixel.llvm()));
        pixel = pixel.element().clone();
    }
    args.push((pixel, value));
    body.call(&format!("write_image{letters}"), &C::Void, &args, Effects::Any);
    Ok(())
}

fn query(body: &mut Body<'_, '_>, i: Instruction<'_>, name: &str) -> Result<String, Error> {
    let id = i.operand(2)?;
    image(body, i, id)?;
    if body.result_text(i)? != "i32" {
        return Err(i.error(format_args!("the result of Op{:?} is no integer of 32 bits", i.op)));
    }
    let args = [(body.c(i, id, true)?, body.value(i, id)?)];
    Ok(body.call(name, &INT, &args, Effects::Nothing))
}

fn size(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let id = i.operand(2)?;
    let image = image(body, i, id)?;
    let result = body.c_result(i, false)?;
    let C::Int(bits, _) = *result.element() else {
        return Err(i.error("sizes of images are integers"));
    };
    let mut names = vec!["get_image_width"];
    if matches!(image.dim, 1 | 2) {
        names.push("get_image_height");
    }
    if image.dim == 2 {
        names.push("get_image_depth");
    }
    if image.arrayed {
        names.push("get_image_array_size");
    }
    let count = u32::try_from(names.len()).unwrap_or(4);
    if count > result.lanes() {
        return Err(i.error(format_args!("an image has {count} sizes, not {}", result.lanes())));
    }
    let value = body.value(i, id)?;
    let ty = body.c(i, id, true)?;
    let mut vector = if count < result.lanes() { "zeroinitializer" } else { "poison" }.to_owned();
    let text = result.llvm();
    for (lane, name) in names.into_iter().enumerate() {
        let is_size = name == "get_image_array_size";
        let ret = if is_size { body.size_t() } else { INT };
        let from = if is_size { body.module.options.address_bits } else { 32 };
        let one = body.call(name, &ret, &[(ty.clone(), value.clone())], Effects::Nothing);
        let one = body.resize(&one, from, bits, false);
        vector = if result.lanes() == 1 {
            one
        } else {
            body.temp(&format!("insertelement {text} {vector}, i{bits} {one}, i32 {lane}"))
        };
    }
    body.set(i, vector);
    Ok(())
}
