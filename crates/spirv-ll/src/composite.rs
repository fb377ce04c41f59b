//! Vectors, arrays and structures: construction, and access to members.

use crate::body::Body;
use crate::types::Type;
use muxcl_spirv::numbers::Op;
use muxcl_spirv::{Error, Instruction};

/// Writes an instruction on composites, if it is one.
pub(crate) fn write(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<bool, Error> {
    match i.op {
        Op::CompositeExtract => extract(body, i)?,
        Op::CompositeInsert => insert(body, i)?,
        Op::CompositeConstruct => construct(body, i)?,
        Op::VectorShuffle => shuffle(body, i)?,
        Op::VectorExtractDynamic => {
            let (vector, index) = (body.typed(i, i.operand(2)?)?, body.typed(i, i.operand(3)?)?);
            body.define(i, &format!("extractelement {vector}, {index}"));
        }
        Op::VectorInsertDynamic => {
            let (vector, value) = (body.typed(i, i.operand(2)?)?, body.typed(i, i.operand(3)?)?);
            let index = body.typed(i, i.operand(4)?)?;
            body.define(i, &format!("insertelement {vector}, {value}, {index}"));
        }
        Op::CopyLogical => {
            let operand = i.operand(2)?;
            let value = body.value(i, operand)?;
            let value = logical(body, i, body.type_of(i, operand)?, i.operand(0)?, value)?;
            body.set(i, value);
        }
        Op::CopyObject => {
            let operand = i.operand(2)?;
            if body.value_text(i, operand)? != body.result_text(i)? {
                return Err(i.error(format_args!("Op{:?} changes the type", i.op)));
            }
            if let (Some(&pair), Some(id)) = (body.sampled.get(&operand), i.result()) {
                body.sampled.insert(id, pair);
            }
            let value = body.operand(i, operand)?;
            body.set(i, value);
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Copies a composite to another type whose parts differ only in decorations.
fn logical(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    from: u32,
    to: u32,
    value: String,
) -> Result<String, Error> {
    const MOST: u64 = 1 << 12;
    let differ = || i.error("OpCopyLogical is between types that do not match");
    let (source, target) = (body.text(i, from)?, body.text(i, to)?);
    if source == target {
        return Ok(value);
    }
    let parts: Vec<(u32, u32)> =
        match (body.module.types.find(i, from)?, body.module.types.find(i, to)?) {
            (Type::Struct { members: a, .. }, Type::Struct { members: b, .. })
                if a.len() == b.len() =>
            {
                a.iter().copied().zip(b.iter().copied()).collect()
            }
            (Type::Array { of: a, count }, Type::Array { of: b, count: other })
                if count == other && *count <= MOST =>
            {
                (0..*count).map(|_| (*a, *b)).collect()
            }
            _ => return Err(differ()),
        };
    let mut copy = "poison".to_owned();
    for (n, (a, b)) in parts.into_iter().enumerate() {
        let part = body.temp(&format!("extractvalue {source} {value}, {n}"));
        let part = logical(body, i, a, b, part)?;
        let ty = body.text(i, b)?;
        copy = body.temp(&format!("insertvalue {target} {copy}, {ty} {part}, {n}"));
    }
    Ok(copy)
}

/// The path of composite indices: indices of structures and arrays, then at most one of a vector.
struct Path {
    outer: Vec<u32>,
    lane: Option<u32>,
    /// The type after the last of `outer`.
    aggregate: u32,
    /// The type after all indices.
    part: u32,
}

fn path(body: &Body<'_, '_>, i: Instruction<'_>, ty: u32, indices: &[u32]) -> Result<Path, Error> {
    let mut path = Path { outer: Vec::new(), lane: None, aggregate: ty, part: ty };
    for &index in indices {
        let outside = || i.error(format_args!("a composite has no member {index}"));
        match body.module.types.find(i, path.part)? {
            Type::Struct { members, .. } => {
                path.part = *members.get(index as usize).ok_or_else(outside)?;
                path.outer.push(index);
                path.aggregate = path.part;
            }
            Type::Array { of, count } => {
                if u64::from(index) >= *count {
                    return Err(outside());
                }
                path.part = *of;
                path.outer.push(index);
                path.aggregate = path.part;
            }
            Type::Vector { of, count } => {
                if index >= *count {
                    return Err(outside());
                }
                path.part = *of;
                path.lane = Some(index);
            }
            other => {
                return Err(i.error(format_args!("an index into {other:?}, which has no parts")));
            }
        }
    }
    Ok(path)
}

fn list(indices: &[u32]) -> String {
    indices.iter().map(|n| format!(", {n}")).collect()
}

fn extract(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let composite = i.operand(2)?;
    let path = path(body, i, body.type_of(i, composite)?, i.rest(3))?;
    if path.part != i.operand(0)? && body.text(i, path.part)? != body.result_text(i)? {
        return Err(i.error("the member of OpCompositeExtract is not of the result's type"));
    }
    let mut value = body.value(i, composite)?;
    if !path.outer.is_empty() {
        let ty = body.value_text(i, composite)?;
        value = body.temp(&format!("extractvalue {ty} {value}{}", list(&path.outer)));
    }
    if let Some(lane) = path.lane {
        let ty = body.text(i, path.aggregate)?;
        value = body.temp(&format!("extractelement {ty} {value}, i32 {lane}"));
    }
    body.set(i, value);
    Ok(())
}

fn insert(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let (object, composite) = (i.operand(2)?, i.operand(3)?);
    let path = path(body, i, i.operand(0)?, i.rest(4))?;
    let whole = body.typed(i, composite)?;
    let part = body.typed(i, object)?;
    let (ty, outer) = (body.result_text(i)?, list(&path.outer));
    if let Some(lane) = path.lane {
        if path.outer.is_empty() {
            body.define(i, &format!("insertelement {whole}, {part}, i32 {lane}"));
            return Ok(());
        }
        let vector = body.text(i, path.aggregate)?;
        let old = body.temp(&format!("extractvalue {whole}{outer}"));
        let new = body.temp(&format!("insertelement {vector} {old}, {part}, i32 {lane}"));
        body.define(i, &format!("insertvalue {whole}, {vector} {new}{outer}"));
    } else if path.outer.is_empty() {
        let value = body.value(i, object)?;
        if body.value_text(i, object)? != ty {
            return Err(i.error("OpCompositeInsert without indices changes the type"));
        }
        body.set(i, value);
    } else {
        body.define(i, &format!("insertvalue {whole}, {part}{outer}"));
    }
    Ok(())
}

fn construct(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let ty = i.operand(0)?;
    let text = body.result_text(i)?;
    let mut value = "poison".to_owned();
    if let Some(Type::Vector { of, count }) = body.module.types.get(ty) {
        let (of, count) = (*of, *count);
        let mut lane = 0;
        for &part in i.rest(2) {
            let (element, lanes) = body.module.types.lanes(body.type_of(i, part)?);
            if element != of {
                return Err(
                    i.error("OpCompositeConstruct makes a vector from members of another type")
                );
            }
            for n in 0..lanes {
                let scalar = if lanes == 1 {
                    body.typed(i, part)?
                } else {
                    let vector = body.typed(i, part)?;
                    let scalar = body.temp(&format!("extractelement {vector}, i32 {n}"));
                    format!("{} {scalar}", body.text(i, of)?)
                };
                value = body.temp(&format!("insertelement {text} {value}, {scalar}, i32 {lane}"));
                lane += 1;
            }
        }
        if lane != count {
            return Err(i.error(format_args!(
                "OpCompositeConstruct has {lane} parts for a vector of {count}"
            )));
        }
    } else {
        let count = match body.module.types.find(i, ty)? {
            Type::Struct { members, .. } => members.len() as u64,
            Type::Array { count, .. } => *count,
            other => return Err(i.error(format_args!("OpCompositeConstruct makes {other:?}"))),
        };
        if count != i.rest(2).len() as u64 {
            return Err(i.error("OpCompositeConstruct has another number of members than its type"));
        }
        for (n, &part) in i.rest(2).iter().enumerate() {
            let part = body.typed(i, part)?;
            value = body.temp(&format!("insertvalue {text} {value}, {part}, {n}"));
        }
    }
    body.set(i, value);
    Ok(())
}

fn shuffle(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let (a, b) = (i.operand(2)?, i.operand(3)?);
    let (element, first) = body.module.types.lanes(body.type_of(i, a)?);
    let (other, second) = body.module.types.lanes(body.type_of(i, b)?);
    let (result, lanes) = body.module.types.lanes(i.operand(0)?);
    if element != other
        || element != result
        || first < 2
        || second < 2
        || lanes as usize != i.rest(4).len()
    {
        return Err(i.error("OpVectorShuffle has operands of wrong types"));
    }
    let element = body.text(i, element)?;
    let wide = first.max(second);
    let a = widened(body, i, a, &element, first, wide)?;
    let b = widened(body, i, b, &element, second, wide)?;
    let mut mask = Vec::new();
    for &lane in i.rest(4) {
        mask.push(match lane {
            u32::MAX => "i32 poison".to_owned(),
            lane if lane < first => format!("i32 {lane}"),
            lane if lane < first + second => format!("i32 {}", lane - first + wide),
            lane => {
                return Err(i.error(format_args!(
                    "OpVectorShuffle takes component {lane}, which there is not"
                )));
            }
        });
    }
    let mask = mask.join(", ");
    body.define(i, &format!("shufflevector {a}, {b}, <{lanes} x i32> <{mask}>"));
    Ok(())
}

/// Widens a vector by poison lanes.
pub(crate) fn widened(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    id: u32,
    element: &str,
    lanes: u32,
    wide: u32,
) -> Result<String, Error> {
    let value = body.typed(i, id)?;
    if lanes == wide {
        return Ok(value);
    }
    let mask: Vec<String> = (0..wide)
        .map(|n| if n < lanes { format!("i32 {n}") } else { "i32 poison".to_owned() })
        .collect();
    let mask = mask.join(", ");
    let wider = body.temp(&format!(
        "shufflevector {value}, <{lanes} x {element}> poison, <{wide} x i32> <{mask}>"
    ));
    Ok(format!("<{wide} x {element}> {wider}"))
}
