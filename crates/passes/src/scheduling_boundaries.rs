//! `scheduling-boundaries`: parts blocks with thousands of memory accesses for LLVM's schedulers.
//!
//! The schedulers compare each access of a block with the ones before it, which takes quadratic
//! time: a kernel that stores to 2,000 arrays in local memory took four seconds. Between two
//! boundaries they see at most `PART` accesses, which is far more than they could reorder with
//! profit. The pass runs last. Not here: blocks with thousands of instructions without memory,
//! which are scheduled in linear time.

use muxcl_llvm::{Block, Function, Module, Value};

/// Accesses between two boundaries.
const PART: usize = 512;
/// A block with fewer accesses stays whole.
const FEWEST: usize = 2 * PART;

/// Runs the pass.
pub fn run(module: &Module<'_>) {
    for block in module.definitions().into_iter().flat_map(Function::blocks) {
        let accesses = accesses(block);
        if accesses.len() < FEWEST {
            continue;
        }
        for access in accesses.into_iter().step_by(PART).skip(1) {
            access.add_scheduling_boundary();
        }
    }
}

fn accesses(block: Block<'_>) -> Vec<Value<'_>> {
    let touches = |i: &Value<'_>| (i.may_read() || i.has_side_effects()) && !i.is_terminator();
    block.instructions().into_iter().filter(touches).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use muxcl_llvm::Context;
    use std::fmt::Write as _;

    fn boundaries(stores: usize) -> usize {
        let mut ir = "define void @f(ptr %p, i32 %v) {\n".to_owned();
        for n in 0..stores {
            let at = n * 64;
            write!(ir, "%a{n} = getelementptr i8, ptr %p, i64 {at}\nstore i32 %v, ptr %a{n}\n")
                .unwrap();
        }
        ir.push_str("ret void\n}\n");
        let context = Context::new();
        let module = Module::parse_text(&context, &ir).unwrap();
        run(&module);
        module.verify().unwrap();
        module.to_string().matches("call void @llvm.codeview.annotation").count()
    }

    #[test]
    fn only_long_blocks_are_parted() {
        assert_eq!(boundaries(FEWEST - 1), 0);
        assert_eq!(boundaries(FEWEST), 1);
        assert_eq!(boundaries(10 * PART + 1), 10);
    }
}
