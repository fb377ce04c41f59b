//! `local-registers`: keeps local memory and the scratch memory of a work-group in registers, in
//! kernels with barriers whose control flow is known at compile time.
//!
//! With a known local size, the loops over vectors of work-items have constant numbers of
//! iterations, and so have many loops around barriers (the steps of a scan or a reduction). The
//! pass writes down the instructions of a work-group in the order of their execution, and computes
//! every condition and address that does not depend on data. Then most loads from local memory
//! read values whose stores the pass has seen (`memory`). Such a load becomes the stored value,
//! or a shuffle of two stored vectors. Local memory and scratch memory are dead at the end of a
//! group. So a store disappears if no remaining load reads from it.
//!
//! A function stays as it is if a branch depends on data, if it would execute too many
//! instructions, or if the pass would only replace loads by shuffles. Not here: local memory that
//! lanes of one vector exchange within a region.

mod memory;

use std::collections::BTreeSet;

use muxcl_llvm::{Block, Builder, Function, Module, Opcode, Value, ValueMap};

use crate::kernel_abi::{GROUP_SUFFIX, SYMBOL_PREFIX};
use memory::Memory;

/// The largest number of instructions that a group may execute. It bounds the time for compiling
/// one function, also if the pass gives up. A scan over 256 work-items executes 6200 in vectors of
/// eight lanes.
const LONGEST: usize = 8000;
/// The largest number of instructions that a function may have afterwards. Code generation takes
/// long for more of them in one block.
const LARGEST: usize = 3000;
/// The largest number of remaining instructions for each access that disappears. The code of a
/// whole work-group takes more space in the instruction cache than its loops.
const REMAINING: usize = 4;

/// True if the module has a function that the pass may change.
pub fn any(module: &Module<'_>) -> bool {
    module.definitions().into_iter().any(is_group)
}

/// Runs the pass.
pub fn run(module: &Module<'_>) {
    for f in module.definitions().into_iter().filter(|f| is_group(*f)) {
        straighten(module, f);
    }
}

/// True for a function for one work-group (`kernel-abi`) that has a loop.
fn is_group(f: Function<'_>) -> bool {
    let name = f.name();
    // The parameters: the packed arguments, the launch, the three ids of the group, and perhaps the
    // table of `combine-atomics`.
    let form = name.starts_with(SYMBOL_PREFIX) && matches!(f.params().len(), 5 | 6);
    form && name.ends_with(GROUP_SUFFIX) && has_loop(f)
}

/// True if a block has a successor that comes before it, or is itself.
fn has_loop(f: Function<'_>) -> bool {
    let mut seen = BTreeSet::new();
    f.blocks().into_iter().any(|b| {
        seen.insert(b);
        b.successors().iter().any(|s| seen.contains(s))
    })
}

/// Replaces the body of `f` by one block, if this is possible and removes accesses to memory.
fn straighten<'m, 'c>(module: &'m Module<'c>, f: Function<'m>) {
    let entry = f.entry();
    let block = f.append_block("straight");
    let mut execution = Execution {
        map: ValueMap::default(),
        memory: Memory::new(module, f, block),
        entry,
        block,
        executed: 0,
        scopes: BTreeSet::new(),
    };
    if let (true, Some(saved)) = (execution.run(), execution.memory.saved()) {
        execution.memory.erase_dead_stores();
        erase_unused(block);
        if block.instructions().len() <= LARGEST.min(REMAINING * saved) {
            block.move_before(entry);
        }
    }
    if block.terminator().is_none() {
        Builder::at_end(block).unreachable();
    }
    // Either the copy is the entry now, or no block leads to it.
    f.remove_unreachable();
}

/// Erases the instructions of the block whose results have no use.
fn erase_unused(block: Block<'_>) {
    for i in block.instructions().into_iter().rev() {
        if !i.has_uses() && !i.has_side_effects() && !i.is_terminator() {
            i.erase();
        }
    }
}

/// A copy of the instructions that a work-group executes, in one block.
struct Execution<'m, 'c> {
    /// The last copy of each instruction, or what it equals.
    map: ValueMap<'m>,
    memory: Memory<'m, 'c>,
    /// The entry of the function.
    entry: Block<'m>,
    /// The block of the copies.
    block: Block<'m>,
    /// Number of instructions so far.
    executed: usize,
    /// The declarations of alias scopes that have been executed.
    scopes: BTreeSet<Value<'m>>,
}

impl<'m> Execution<'m, '_> {
    /// Copies the instructions up to the return. False if their order is unknown.
    fn run(&mut self) -> bool {
        let mut from = self.entry;
        let mut at = Some(self.entry);
        while let Some(block) = at {
            let instructions = block.instructions();
            self.executed += instructions.len();
            if self.executed > LONGEST {
                return false;
            }
            // A PHI may refer to the previous value of another PHI of the block.
            let phis = block.phis();
            let values: Option<Vec<_>> = phis.iter().map(|phi| self.incoming(*phi, from)).collect();
            let Some(values) = values else { return false };
            for (phi, value) in phis.iter().zip(values) {
                self.map.set(*phi, value);
            }
            for i in &instructions[phis.len()..] {
                if !i.is_terminator() && !self.copy(*i) {
                    return false;
                }
            }
            let Some(end) = instructions.last().copied() else { return false };
            if end.opcode() == Opcode::Ret {
                self.map.clone_folded(end, self.block);
                return true;
            }
            from = block;
            at = self.successor(end);
        }
        false
    }

    /// The present value of an operand.
    fn value(&self, v: Value<'m>) -> Value<'m> {
        match v.is_instruction() {
            true => self.map.get(v).unwrap_or(v),
            false => v,
        }
    }

    fn incoming(&self, phi: Value<'m>, from: Block<'m>) -> Option<Value<'m>> {
        let (v, _) = phi.incoming().into_iter().find(|(_, b)| *b == from)?;
        Some(self.value(v))
    }

    /// The block behind a terminator; `None` if it depends on data.
    fn successor(&self, end: Value<'m>) -> Option<Block<'m>> {
        let successors = end.successors();
        match end.opcode() {
            Opcode::Br if successors.len() == 1 => Some(successors[0]),
            Opcode::Br => {
                let condition = self.value(end.operand(0)).as_u64()?;
                Some(successors[usize::from(condition == 0)])
            }
            _ => None,
        }
    }

    /// Copies an instruction that is no terminator. False if it may run only once, or its effect on
    /// memory is unknown.
    fn copy(&mut self, i: Value<'m>) -> bool {
        if i.is_alloca() && i.block() != self.entry {
            return false;
        }
        if i.is_call() && i.callee().is_some_and(|f| f.name() == NOALIAS_SCOPE) {
            // Each iteration of a loop has scopes of its own, which all copies would share.
            if !self.scopes.insert(i) {
                return false;
            }
        }
        let copy = self.map.clone_folded(i, self.block);
        let accesses = i.may_read() || i.has_side_effects();
        if accesses
            && copy.is_instruction()
            && let Some(value) = self.memory.access(copy)
        {
            self.map.set(i, value);
        }
        true
    }
}

/// The intrinsic that declares a scope of aliasing.
const NOALIAS_SCOPE: &str = "llvm.experimental.noalias.scope.decl";
