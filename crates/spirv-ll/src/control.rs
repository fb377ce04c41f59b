//! Control flow: branches, switches, PHIs, loop hints, calls, returns. Control flow need not be
//! structured.

use crate::body::Body;
use crate::function;
use crate::types::Type;
use muxcl_spirv::numbers::Op;
use muxcl_spirv::{Error, Instruction};

/// Writes an instruction of control flow, if it is one.
pub(crate) fn write(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<bool, Error> {
    match i.op {
        Op::Branch => {
            let to = i.operand(0)?;
            edge(body, to);
            let hint = loop_hint(body, to);
            body.line(&format!("br label %b{to}{hint}"));
        }
        Op::BranchConditional => conditional(body, i)?,
        Op::Switch => switch(body, i)?,
        Op::Return => body.line("ret void"),
        Op::ReturnValue => {
            let value = body.typed(i, i.operand(0)?)?;
            body.line(&format!("ret {value}"));
        }
        Op::Unreachable | Op::Kill => body.line("unreachable"),
        Op::FunctionCall => function::call(body, i)?,
        Op::LoopMerge => merge(body, i)?,
        Op::SelectionMerge => {}
        Op::ExpectKHR => {
            let (value, ty) = (i.operand(2)?, body.result_text(i)?);
            if body.type_of(i, value)? != i.operand(0)? || ty.starts_with('<') {
                // `llvm.expect` takes scalars only. A vector passes through unchanged.
                let value = body.value(i, value)?;
                body.set(i, value);
                return Ok(true);
            }
            let (value, expected) = (body.value(i, value)?, body.value(i, i.operand(3)?)?);
            let result = body.intrinsic(
                &format!("llvm.expect.{ty}"),
                &ty,
                &[(&ty, &value), (&ty, &expected)],
            );
            body.set(i, result);
        }
        Op::AssumeTrueKHR => {
            let condition = body.value(i, i.operand(0)?)?;
            body.intrinsic("llvm.assume", "void", &[("i1", &condition)]);
        }
        Op::Undef => {} // a constant
        _ => return Ok(false),
    }
    Ok(true)
}

/// Counts an edge from the current block to another.
fn edge(body: &mut Body<'_, '_>, to: u32) {
    let from = body.blocks.last().map_or(0, |b| b.label);
    *body.edges.entry((from, to)).or_default() += 1;
}

fn conditional(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let (then, otherwise) = (i.operand(1)?, i.operand(2)?);
    edge(body, then);
    edge(body, otherwise);
    let mut hint = loop_hint(body, then);
    if hint.is_empty() {
        hint = loop_hint(body, otherwise);
    }
    if let [a, b] = *i.rest(3)
        && (a != 0 || b != 0)
    {
        let node = body.out.node(&format!("!{{!\"branch_weights\", i32 {a}, i32 {b}}}"));
        hint.push_str(&format!(", !prof {node}"));
    }
    let condition = body.value(i, i.operand(0)?)?;
    body.line(&format!("br i1 {condition}, label %b{then}, label %b{otherwise}{hint}"));
    Ok(())
}

fn switch(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let selector = i.operand(0)?;
    let Some(Type::Int(bits)) = body.module.types.get(body.type_of(i, selector)?) else {
        return Err(i.error("the selector of OpSwitch is no integer"));
    };
    let bits = *bits;
    let default = i.operand(1)?;
    edge(body, default);
    let words = if bits == 64 { 3 } else { 2 };
    let mut cases = String::new();
    let mut seen = std::collections::BTreeSet::new();
    for case in i.rest(2).chunks(words) {
        let (value, label) = match *case {
            [low, high, label] => (u64::from(low) | u64::from(high) << 32, label),
            [low, label] if bits < 64 => (u64::from(low) & crate::constants::mask(bits), label),
            _ => return Err(i.error("the last case of OpSwitch is incomplete")),
        };
        if !seen.insert(value) {
            return Err(i.error(format_args!("OpSwitch has case {value} twice")));
        }
        edge(body, label);
        cases.push_str(&format!(
            " i{bits} {}, label %b{label}",
            crate::constants::signed(value, bits)
        ));
    }
    let value = body.value(i, selector)?;
    body.line(&format!("switch i{bits} {value}, label %b{default} [{cases} ]"));
    Ok(())
}

/// The text of a PHI. LLVM requires an entry for each edge.
pub(crate) fn phi(body: &Body<'_, '_>, i: Instruction<'_>, block: u32) -> Result<String, Error> {
    let mut parts = Vec::new();
    for pair in i.rest(2).chunks(2) {
        let &[value, parent] = pair else {
            return Err(i.error("the last entry of OpPhi is incomplete"));
        };
        let text = format!("[ {}, %b{parent} ]", body.value(i, value)?);
        let edges = body.edges.get(&(parent, block)).copied().unwrap_or(0);
        if edges == 0 {
            return Err(i.error(format_args!(
                "OpPhi has an entry for block {parent}, which does not lead to it"
            )));
        }
        parts.extend(std::iter::repeat_n(text, edges as usize));
    }
    let ty = body.result_text(i)?;
    if parts.is_empty() {
        return Err(i.error("OpPhi has no entries"));
    }
    Ok(format!("  %v{} = phi {ty} {}\n", i.operand(1)?, parts.join(", ")))
}

/// Writes a loop's hints as metadata for the branch back to its header.
fn merge(body: &mut Body<'_, '_>, i: Instruction<'_>) -> Result<(), Error> {
    let control = i.operand(2)?;
    let mut hints = Vec::new();
    let mut next = 3;
    for bit in 0..9 {
        if control >> bit & 1 == 0 {
            continue;
        }
        // Bits from 3 on have a literal operand each.
        let number = if bit >= 3 {
            next += 1;
            i.operand(next - 1)?
        } else {
            0
        };
        match bit {
            0 => hints.push("!{!\"llvm.loop.unroll.enable\"}".to_owned()),
            1 => hints.push("!{!\"llvm.loop.unroll.disable\"}".to_owned()),
            8 if number > 1 => {
                hints.push(format!("!{{!\"llvm.loop.unroll.count\", i32 {}}}", number.min(1 << 16)))
            }
            _ => {}
        }
    }
    if hints.is_empty() {
        return Ok(());
    }
    let nodes: Vec<String> = hints.iter().map(|h| body.out.node(h)).collect();
    let own = body.out.next_node();
    let node = body.out.node(&format!("distinct !{{!{own}, {}}}", nodes.join(", ")));
    let header = body.blocks.last().map_or(0, |b| b.label);
    body.loops.insert(i.operand(1)?, (header, node));
    Ok(())
}

/// The metadata of the loop that the current block continues, if `to` is its header.
fn loop_hint(body: &Body<'_, '_>, to: u32) -> String {
    let from = body.blocks.last().map_or(0, |b| b.label);
    match body.loops.get(&from) {
        Some((header, node)) if *header == to => format!(", !llvm.loop {node}"),
        _ => String::new(),
    }
}
