//! A small SPIR-V assembler for tests: one instruction per line, `%name = OpSomething ...` as in
//! SPIR-V's assembly. Enumerants are numbers, or names of capabilities.

use muxcl_spirv::numbers::{Capability, Op};
use std::collections::BTreeMap;

/// The bytes of a module. Ids are numbered in the order of their appearance.
pub(crate) fn assemble(text: &str) -> Vec<u8> {
    let ops: BTreeMap<String, Op> =
        (0..7000).filter_map(Op::from_u32).map(|op| (format!("Op{op:?}"), op)).collect();
    let mut ids: BTreeMap<String, u32> = BTreeMap::new();
    let mut id = |name: &str| {
        let next = u32::try_from(ids.len()).unwrap() + 1;
        *ids.entry(name.to_owned()).or_insert(next)
    };
    let mut words = Vec::new();
    for line in
        text.lines().map(|l| l.split(';').next().unwrap_or("").trim()).filter(|l| !l.is_empty())
    {
        let (result, rest) = match line.split_once(" = ") {
            Some((result, rest)) => (Some(id(result)), rest),
            None => (None, line),
        };
        let mut tokens = rest.split_whitespace();
        let name = tokens.next().unwrap();
        let op = *ops.get(name).unwrap_or_else(|| panic!("{name}"));
        let mut operands = Vec::new();
        let typed = muxcl_spirv::operand_layout(op).is_some_and(|l| l.typed);
        if let (Some(result), false) = (result, typed) {
            operands.push(result);
        }
        for token in tokens {
            operands.extend(operand(token, &mut id));
            if let (Some(result), true, 1) = (result, typed, operands.len()) {
                operands.push(result);
            }
        }
        words.push(u32::try_from(operands.len() + 1).unwrap() << 16 | op as u32);
        words.extend(operands);
    }
    let bound = u32::try_from(ids.len()).unwrap() + 1;
    let header = [muxcl_spirv::numbers::MAGIC_NUMBER, 0x0001_0400, 0, bound, 0];
    header.into_iter().chain(words).flat_map(u32::to_le_bytes).collect()
}

fn operand(token: &str, id: &mut impl FnMut(&str) -> u32) -> Vec<u32> {
    if token.starts_with('%') {
        vec![id(token)]
    } else if let Some(text) = token.strip_prefix('"') {
        let mut bytes = text.trim_end_matches('"').as_bytes().to_vec();
        bytes.resize(bytes.len() / 4 * 4 + 4, 0);
        bytes.as_chunks::<4>().0.iter().map(|c| u32::from_le_bytes(*c)).collect()
    } else if let Ok(capability) = token.parse::<Capability>() {
        vec![capability as u32]
    } else if let Some(hex) = token.strip_prefix("0x") {
        vec![u32::from_str_radix(hex, 16).unwrap()]
    } else {
        vec![token.parse().unwrap_or_else(|_| panic!("{token}"))]
    }
}
