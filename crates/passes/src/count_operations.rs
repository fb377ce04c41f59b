//! `count-operations`: kernels of the host device count the operations that they execute, for a
//! profile ([`OperationCounts`]).
//!
//! Each function of a kernel that gets the schedule structure (the entry point, and that for one
//! group) adds up the operations of its blocks in values of its own, and adds these to the thread's
//! record when it returns. Other functions of the object are not counted; calls of them make the
//! counts too small. Blocks that kernels enqueue have no record. The pass runs behind all passes
//! that change what is executed. Not here: the record's meaning.

use std::mem::offset_of;

use muxcl_llvm::{Block, Builder, Function, Module, Opcode, TypeKind, Value};
use muxcl_types::operations::OperationCounts;
use muxcl_types::variant::Counted;

use crate::kernel_abi::{self, EXTRA, EXTRA_COUNTS};

/// Offsets in the record.
const OFFSETS: [usize; KINDS] = [
    offset_of!(OperationCounts, single),
    offset_of!(OperationCounts, double),
    offset_of!(OperationCounts, bytes),
];
const KINDS: usize = 3;
const SINGLE: usize = 0;
const DOUBLE: usize = 1;
const BYTES: usize = 2;

/// The operations of one execution.
type Counts = [u64; KINDS];

/// Runs the pass on the kernel with the entry point `symbol`.
pub fn run(module: &Module<'_>, symbol: &str) -> Counted {
    let ours = |f: &Function<'_>| kernel_abi::is_of_kernel(&f.name(), symbol);
    let mut counted = Counted::All;
    for f in module.definitions().into_iter().filter(ours) {
        let mut calls = f.instructions().into_iter().filter(|i| i.is_call());
        let known = |i: Value<'_>| i.callee().is_some_and(|c| c.is_intrinsic() || ours(&c));
        if !calls.all(known) {
            counted = Counted::Some;
        }
        count(module, f);
    }
    counted
}

fn count<'m>(module: &'m Module<'_>, f: Function<'m>) {
    let blocks: Vec<(Block<'m>, Counts)> =
        f.blocks().into_iter().map(|b| (b, of_block(module, b))).collect();
    let cx = module.cx();
    let Some(first) = f.entry().first_insertion_point() else { return };
    let used: Vec<usize> =
        (0..KINDS).filter(|&k| blocks.iter().any(|(_, counts)| counts[k] != 0)).collect();
    if used.is_empty() {
        return;
    }
    let b = Builder::before(first);
    let sums: Vec<(usize, Value<'m>)> = used
        .into_iter()
        .map(|kind| {
            let sum = b.alloca(cx.i64(), "");
            b.store(cx.u64(0), sum, 8);
            (kind, sum)
        })
        .collect();
    for (block, counts) in blocks {
        let Some(end) = block.terminator() else { continue };
        let b = Builder::before(end);
        for &(kind, sum) in sums.iter().filter(|(kind, _)| counts[*kind] != 0) {
            let old = b.load(cx.i64(), sum, 8);
            b.store(b.add_nuw(old, cx.u64(counts[kind])), sum, 8);
        }
        if end.opcode() != Opcode::Ret {
            continue;
        }
        let word = |p, at: u64| b.load(cx.ptr(0), b.byte_offset(p, cx.u64(at)), 8);
        let record = word(word(f.param(1), EXTRA), EXTRA_COUNTS);
        for &(kind, sum) in &sums {
            let at = b.byte_offset(record, cx.u64(OFFSETS[kind] as u64));
            let old = b.load(cx.i64(), at, 8);
            b.store(b.add_nuw(old, b.load(cx.i64(), sum, 8)), at, 8);
        }
    }
    // What LLVM has found out about the function's memory accesses no longer holds.
    f.remove_attribute("memory");
    // SAFETY: no handle of an instruction is kept.
    unsafe { f.promote_allocas() };
}

fn of_block(module: &Module<'_>, block: Block<'_>) -> Counts {
    let mut sum = [0; KINDS];
    for i in block.instructions() {
        for (sum, n) in sum.iter_mut().zip(of_instruction(module, i)) {
            *sum += n;
        }
    }
    sum
}

fn of_instruction(module: &Module<'_>, i: Value<'_>) -> Counts {
    match i.opcode() {
        Opcode::FAdd | Opcode::FSub | Opcode::FMul | Opcode::FDiv | Opcode::FRem => {
            arithmetic(i, 1)
        }
        Opcode::Load => accesses(module, i, i.operand(0), 1),
        Opcode::Store => accesses(module, i.operand(0), i.operand(1), 1),
        Opcode::AtomicRmw => accesses(module, i, i.operand(0), 2),
        Opcode::AtomicCmpXchg => accesses(module, i.operand(1), i.operand(0), 2),
        _ if i.is_call() => of_call(module, i),
        _ => [0; KINDS],
    }
}

/// The operations of a call of an intrinsic function. Roundings and conversions count as none, as
/// in the counters of processors.
fn of_call(module: &Module<'_>, i: Value<'_>) -> Counts {
    let Some(callee) = i.callee().filter(|callee| callee.is_intrinsic()) else { return [0; KINDS] };
    let name = callee.name();
    let Some(name) = name.strip_prefix("llvm.") else { return [0; KINDS] };
    let is = |start: &str| name.strip_prefix(start).is_some_and(|rest| rest.starts_with('.'));
    let args = i.args();
    if is("fma") || is("fmuladd") {
        return arithmetic(i, 2);
    }
    let once = ["sqrt", "minnum", "maxnum", "minimum", "maximum", "minimumnum", "maximumnum"];
    if once.into_iter().any(is) {
        return arithmetic(i, 1);
    }
    let reductions =
        ["vector.reduce.fadd", "vector.reduce.fmul", "vector.reduce.fmin", "vector.reduce.fmax"];
    if reductions.into_iter().any(is) {
        return args.last().map_or([0; KINDS], |vector| arithmetic(*vector, 1));
    }
    match args.as_slice() {
        [p, ..] if is("masked.load") || is("masked.gather") => accesses(module, i, *p, 1),
        [v, p, ..] if is("masked.store") || is("masked.scatter") => accesses(module, *v, *p, 1),
        [to, from, size, ..] if is("memcpy") || is("memmove") => {
            let bytes = size.as_u64().unwrap_or(0);
            [0, 0, u64::from(!on_stack(*to)) * bytes + u64::from(!on_stack(*from)) * bytes]
        }
        [to, _, size, ..] if is("memset") => {
            [0, 0, u64::from(!on_stack(*to)) * size.as_u64().unwrap_or(0)]
        }
        _ => [0; KINDS],
    }
}

/// `each` operations in each lane of `v`.
fn arithmetic(v: Value<'_>, each: u64) -> Counts {
    let ty = v.ty();
    let (element, lanes) =
        if ty.is_vector() { (ty.element(), u64::from(ty.vector_len())) } else { (ty, 1) };
    let mut counts = [0; KINDS];
    counts[if element.kind() == TypeKind::Double { DOUBLE } else { SINGLE }] = lanes * each;
    counts
}

/// `each` accesses of a value of the type of `v` at `p`.
fn accesses(module: &Module<'_>, v: Value<'_>, p: Value<'_>, each: u64) -> Counts {
    let mut counts = [0; KINDS];
    if !on_stack(p) {
        counts[BYTES] = each * module.size_of(v.ty());
    }
    counts
}

fn on_stack(p: Value<'_>) -> bool {
    p.ty().is_pointer() && p.underlying_object().is_alloca()
}

#[cfg(test)]
mod tests {
    use super::*;
    use muxcl_llvm::Context;

    fn counted(body: &str) -> (String, bool) {
        let ir = format!(
            "declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)\n\
             declare void @llvm.masked.store.v4f64.p0(<4 x double>, ptr, <4 x i1>)\n\
             declare void @outside()\n\
             define void @muxcl.kernel.k(ptr %packed, ptr %sched) {{\n{body}\nret void\n}}\n"
        );
        let context = Context::new();
        let module = Module::parse_text(&context, &ir).unwrap();
        let complete = run(&module, "muxcl.kernel.k") == Counted::All;
        module.verify().unwrap();
        (module.to_string(), complete)
    }

    /// The constants that are added in order, without those that the record's words get.
    fn added(ir: &str) -> Vec<u64> {
        let adds = ir.lines().filter(|line| line.contains("add nuw i64"));
        adds.filter_map(|line| line.rsplit(' ').next()?.parse().ok()).collect()
    }

    #[test]
    fn lanes_and_bytes_are_counted_where_they_are_executed() {
        let (ir, complete) = counted(
            "%stack = alloca <8 x float>\n\
             br label %loop\n\
             loop:\n\
             %n = phi i32 [ 0, %0 ], [ %next, %loop ]\n\
             %v = load <8 x float>, ptr %packed\n\
             %w = call <8 x float> @llvm.fma.v8f32(<8 x float> %v, <8 x float> %v, <8 x float> %v)\n\
             store <8 x float> %w, ptr %stack\n\
             %next = add i32 %n, 1\n\
             %more = icmp ult i32 %next, 10\n\
             br i1 %more, label %loop, label %done\n\
             done:\n\
             %d = load <4 x double>, ptr %packed\n\
             %e = fadd <4 x double> %d, %d\n\
             call void @llvm.masked.store.v4f64.p0(<4 x double> %e, ptr %packed, \
             <4 x i1> splat (i1 true))",
        );
        // In the loop 16 operations of a fused multiply-add and 32 bytes; the variable on the stack
        // counts nothing. Behind it 4 operations on `double` and 64 bytes.
        assert_eq!(added(&ir), [16, 32, 4, 64], "{ir}");
        assert!(complete && !ir.contains("alloca i64"), "{ir}");
    }

    #[test]
    fn a_call_of_another_function_makes_the_counts_incomplete() {
        let (ir, complete) = counted("call void @outside()");
        assert!(!complete && added(&ir).is_empty(), "{ir}");
    }
}
