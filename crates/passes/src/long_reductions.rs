//! Keeps the SLP vectorizer from reductions wider than a device's vector registers.
//!
//! For a sum of many values, the vectorizer makes one vector with a lane per value, several
//! registers wide, and fills it by a chain of shuffles with poison lanes. On RISC-V, the register
//! coalescer of LLVM 22 crashes on such chains (LLVM issue 171994, fixed in later versions). A
//! function with a longer reduction stays scalar. Not here: loops, which the loop vectorizer
//! handles.

use std::collections::BTreeMap;

use muxcl_llvm::{Function, Module, Opcode, TypeKind, Value};

/// LLVM's attribute that disables the SLP vectorizer for a function.
const ATTRIBUTE: &str = "noimplicitfloat";

/// Marks the functions with a reduction of more values than a vector of `bits` has lanes, and
/// returns their names. The SLP vectorizer skips them until [`release`].
#[must_use]
pub fn keep_scalar(module: &Module<'_>, bits: u32) -> Vec<String> {
    let long = |f: &Function<'_>| !f.has_attribute(ATTRIBUTE) && has_long_reduction(*f, bits);
    let mut kept = Vec::new();
    for f in module.definitions().into_iter().filter(long) {
        f.add_attribute(ATTRIBUTE);
        kept.push(f.name());
    }
    kept
}

/// Removes the marks: code generation would read them as a ban of vector registers.
pub fn release(module: &Module<'_>, kept: &[String]) {
    for f in kept.iter().filter_map(|name| module.function(name)) {
        f.remove_attribute(ATTRIBUTE);
    }
}

fn has_long_reduction(f: Function<'_>, bits: u32) -> bool {
    f.blocks().into_iter().any(|block| {
        // The number of values that the tree below an operation combines. Operands precede users.
        let mut leaves: BTreeMap<Value<'_>, u32> = BTreeMap::new();
        block.instructions().into_iter().any(|i| {
            let Some(operation) = operation(i) else { return false };
            let below = |operand: Value<'_>| {
                let counted = leaves.get(&operand).copied();
                counted.filter(|_| self::operation(operand) == Some(operation)).unwrap_or(1)
            };
            let count = below(i.operand(0)).saturating_add(below(i.operand(1)));
            leaves.insert(i, count);
            count > lanes(i, bits)
        })
    })
}

/// The repeated step of a reduction: an operation, or a call of one intrinsic with two arguments.
fn operation(i: Value<'_>) -> Option<(Opcode, Option<Function<'_>>)> {
    let opcode = i.opcode();
    if matches!(
        opcode,
        Opcode::Add
            | Opcode::Mul
            | Opcode::And
            | Opcode::Or
            | Opcode::Xor
            | Opcode::FAdd
            | Opcode::FMul
    ) {
        return Some((opcode, None));
    }
    let callee = i.is_call().then(|| i.callee()).flatten()?;
    let name = if callee.is_intrinsic() { callee.name() } else { return None };
    EXTREMES.iter().any(|start| name.starts_with(start)).then_some((opcode, Some(callee)))
}

const EXTREMES: [&str; 8] = [
    "llvm.smax.",
    "llvm.smin.",
    "llvm.umax.",
    "llvm.umin.",
    "llvm.maxnum.",
    "llvm.minnum.",
    "llvm.maximum.",
    "llvm.minimum.",
];

/// The number of lanes of the operation's type in `bits`.
fn lanes(i: Value<'_>, bits: u32) -> u32 {
    let ty = i.ty();
    match ty.kind() {
        TypeKind::Int => bits / ty.int_width().max(8),
        TypeKind::Half | TypeKind::BFloat => bits / 16,
        TypeKind::Float => bits / 32,
        TypeKind::Double => bits / 64,
        // Vectors: the SLP vectorizer does not process them.
        _ => u32::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muxcl_llvm::Context;

    /// A function that combines `count` arguments by repeating `line`, a template with `{from}`,
    /// `{arg}` and `{to}`.
    fn kept(ty: &str, count: usize, line: &str, bits: u32) -> bool {
        let context = Context::new();
        let args: Vec<String> = (0..count).map(|n| format!("{ty} %a{n}")).collect();
        let mut ir = format!(
            "declare i32 @llvm.smax.i32(i32, i32)\ndefine {ty} @f({}) {{\n",
            args.join(", ")
        );
        for n in 1..count {
            let from = if n == 1 { "%a0".to_owned() } else { format!("%s{}", n - 1) };
            let line = line.replace("{from}", &from).replace("{arg}", &format!("%a{n}"));
            ir += &format!("  {}\n", line.replace("{to}", &format!("%s{n}")));
        }
        ir += &format!("  ret {ty} %s{}\n}}", count - 1);
        let module = Module::parse_text(&context, &ir).unwrap();
        let kept = keep_scalar(&module, bits);
        let marked = module.to_string().contains(ATTRIBUTE);
        assert_eq!(marked, !kept.is_empty());
        release(&module, &kept);
        assert!(!module.to_string().contains(ATTRIBUTE));
        marked
    }

    #[test]
    fn reductions_wider_than_the_registers_stay_scalar() {
        let add = "{to} = add i64 {from}, {arg}";
        assert!(!kept("i64", 8, add, 512) && kept("i64", 9, add, 512));
        let float = "{to} = fadd fast float {from}, {arg}";
        assert!(!kept("float", 16, float, 512) && kept("float", 17, float, 512));
        let max = "{to} = call i32 @llvm.smax.i32(i32 {from}, i32 {arg})";
        assert!(!kept("i32", 16, max, 512) && kept("i32", 17, max, 512));
        assert!(!kept("i64", 100, "{to} = sub i64 {from}, {arg}", 512), "no reduction");
    }
}
