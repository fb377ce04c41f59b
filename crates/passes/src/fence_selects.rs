//! `fence-selects`: keeps code generation from merging a vector `select` with bit operations.
//!
//! On AVX-512, LLVM 22.1 merges them into one masked `vpternlog`. If an operand comes from memory
//! and LLVM swaps operands, the instruction gets the wrong truth table: `c ? bitselect(x, y, m) :
//! x` gives bits of `m` (llvm-project issue 157929, fixed in July 2026). An `llvm.arithmetic.fence`
//! between the two costs no instruction, and the truth table of the unmasked instruction is right.
//! The pass runs last, for processors with AVX-512. Remove it with the first LLVM that has the fix.

use muxcl_llvm::{Builder, Module, Opcode, Type, TypeKind, Value};

use crate::PassError;

/// Runs the pass.
///
/// # Errors
/// Never fails today; all passes have this signature.
pub fn run(module: &Module<'_>) -> Result<(), PassError> {
    for f in module.definitions() {
        for i in f.instructions() {
            if i.opcode() == Opcode::Select && i.operand(0).ty().is_vector() {
                for side in [1, 2] {
                    let value = i.operand(side);
                    if merges(value) {
                        fence(module, i, side, value);
                    }
                }
            }
        }
    }
    Ok(())
}

/// True if `value` combines three or more values by bit operations.
fn merges(value: Value<'_>) -> bool {
    let value = through_casts(value);
    if named(value, "llvm.copysign.") {
        return true;
    }
    bits(value) && (0..value.operand_count()).any(|n| bits(through_casts(value.operand(n))))
}

/// True if `value` is the result of a bit operation.
fn bits(value: Value<'_>) -> bool {
    value.is_instruction()
        && (matches!(value.opcode(), Opcode::And | Opcode::Or | Opcode::Xor | Opcode::FNeg)
            || named(value, "llvm.copysign.")
            || named(value, "llvm.fabs."))
}

fn named(value: Value<'_>, name: &str) -> bool {
    value.is_instruction()
        && value.opcode() == Opcode::Call
        && value
            .callee()
            .is_some_and(|callee| callee.is_intrinsic() && callee.name().starts_with(name))
}

fn through_casts(mut value: Value<'_>) -> Value<'_> {
    while value.is_instruction() && value.opcode() == Opcode::BitCast {
        value = value.operand(0);
    }
    value
}

/// Inserts a fence between `select` and its operand number `side`, which is `value`.
fn fence<'m>(module: &'m Module<'_>, select: Value<'m>, side: u32, value: Value<'m>) {
    let (ty, cx) = (value.ty(), module.cx());
    // The instruction's masks cover lanes of 32 or 64 bits.
    let (element, suffix) = match ty.element().kind() {
        TypeKind::Float => (cx.float(), "f32"),
        TypeKind::Double => (cx.double(), "f64"),
        TypeKind::Int if ty.element().int_width() == 32 => (cx.float(), "f32"),
        TypeKind::Int if ty.element().int_width() == 64 => (cx.double(), "f64"),
        _ => return,
    };
    let float: Type<'m> = cx.vector(element, ty.vector_len());
    let name = format!("llvm.arithmetic.fence.v{}{suffix}", ty.vector_len());
    let intrinsic = module.get_or_add_function(&name, cx.function(float, &[float]));
    let b = Builder::before(select);
    let fenced = b.call(intrinsic, &[b.bitcast(value, float)]);
    select.set_operand(side, b.bitcast(fenced, ty));
}

#[cfg(test)]
mod tests {
    use muxcl_llvm::{Context, Module};

    fn fences(ir: &str) -> usize {
        let context = Context::new();
        let module = Module::parse_text(&context, ir).unwrap();
        super::run(&module).unwrap();
        module.verify().unwrap();
        module
            .to_string()
            .lines()
            .filter(|line| line.contains("= call ") && line.contains("@llvm.arithmetic.fence."))
            .count()
    }

    #[test]
    fn three_operands_are_fenced_and_two_are_not() {
        let with = |value: &str| {
            format!(
                "define <4 x i32> @f(<4 x i32> %a, <4 x i32> %b, <4 x i32> %m, <4 x i1> %c) {{\n  %n = and <4 x i32> %b, %m\n  \
                 %v = {value}\n  %r = select <4 x i1> %c, <4 x i32> %v, <4 x i32> %a\n  ret <4 x i32> %r\n}}"
            )
        };
        assert_eq!(fences(&with("or <4 x i32> %a, %n")), 1);
        assert_eq!(fences(&with("or <4 x i32> %a, %b")), 0);
        assert_eq!(fences(&with("add <4 x i32> %a, %n")), 0);
        let copysign = "declare <4 x float> @llvm.copysign.v4f32(<4 x float>, <4 x float>)\n\
            define <4 x float> @f(<4 x float> %x, <4 x float> %y, <4 x i1> %c) {\n  \
            %s = call <4 x float> @llvm.copysign.v4f32(<4 x float> %x, <4 x float> %y)\n  \
            %r = select <4 x i1> %c, <4 x float> %x, <4 x float> %s\n  ret <4 x float> %r\n}";
        assert_eq!(fences(copysign), 1);
    }
}
