//! Translates a region to a function of the host, and one more for each loop that has a second copy
//! (`ranges.rs`). Guest registers are a function's variables: the entry loads them from the hart,
//! and each exit stores what may have been written.
//!
//! Invariants: whenever code leaves the function or calls a function that reads a register, the
//! hart holds the register's value; the number of retired instructions is exact at each exit. Not
//! here: which blocks belong together (`region.rs`).

pub(crate) mod counting;
mod float;
mod half;
mod integer;
mod memory;
mod ranges;
pub(crate) mod vector;

use crate::halves;
use crate::host::piece_signature;
use crate::host::{HART, Host, JitError, Pieces, Status, address, code_signature, offset};
use crate::ranges::size;
use crate::region::{
    Block, End, Kept, MOST_RETURNS, Pending, Region, Trap, csr_number, is_return, registers,
    rounding_after, trap,
};
use counting::Counting;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, BlockArg, InstBuilder as _, SigRef, Type, Value, types};
use cranelift_frontend::{FunctionBuilder, Variable};
use muxcl_rv_isa::{Extension, Inst, Op, csr};
use muxcl_rv_sim::native::{Elsewhere, Offsets, Site};
use ranges::Copied;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicUsize;
use vector::{Config, Known, Unit, Unstored, Variables};

/// Number of entries in a hart's table of jump targets. An entry is a pc and the address of code.
pub(crate) const JUMPS: usize = 1024;

/// The properties of the machine that translated code depends on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Machine {
    pub(crate) rv64: bool,
    /// Misaligned accesses fault.
    pub(crate) strict: bool,
    /// Bytes of a vector register.
    pub(crate) vlenb: u64,
    /// Elements of vectors may be half-precision numbers.
    pub(crate) half: bool,
    /// Programs may read the floating-point flags.
    pub(crate) flags: bool,
}

impl Machine {
    fn unit(self) -> Unit {
        Unit { vlenb: self.vlenb, half: self.half, host_half: halves::available() }
    }
}

/// What translated code refers to. It must outlive the code.
#[derive(Debug)]
pub(crate) struct Data {
    /// The target of each jump out of the region, by its number.
    pub(crate) links: Box<[AtomicUsize]>,
    /// The code of each loop's second copy.
    pub(crate) copies: Box<[AtomicUsize]>,
    /// All instructions.
    pub(crate) sites: Box<[Site]>,
}

/// The functions of a region.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) code: Vec<u8>,
    /// The second copies of loops, for [`Data::copies`].
    pub(crate) copies: Vec<Vec<u8>>,
    pub(crate) data: Data,
}

/// Compiles a region. With `counting`, its code counts what it executes.
pub(crate) fn compile(
    region: &Region,
    host: &mut Host,
    pieces: &Pieces,
    machine: Machine,
    mut counting: Option<&mut Counting>,
) -> Result<Compiled, JitError> {
    let exits = region.loops.iter().map(|one| one.blocks.len()).sum::<usize>();
    // Twice, since the end of a block may be translated twice.
    let links = (0..2 * (2 + MOST_RETURNS) * (region.blocks.len() + exits))
        .map(|_| AtomicUsize::new(pieces.unlinked.addr()))
        .collect();
    let sites_of = |block: &Block| {
        let start = block.pc;
        let site = move |(before, (pc, inst)): (u64, (u64, Inst))| Site {
            inst,
            pc,
            before,
            block: start,
            size: size(inst.op),
            expected: region.areas.area(pc, inst.rs1),
            elsewhere: Elsewhere::default(),
        };
        (0..).zip(block.insts.clone()).map(site)
    };
    let sites = region.blocks.iter().flat_map(sites_of).collect();
    let copies = region.loops.iter().map(|_| AtomicUsize::new(0)).collect();
    let data = Data { links, copies, sites };
    let fused = host.fused;
    let (code, copies) = host.on_thread(|host| {
        let mut copies = Vec::new();
        let mut exits: Vec<Vec<u64>> = Vec::new();
        for number in 0..region.loops.len() {
            let mut found = Vec::new();
            copies.push(host.compile(code_signature(), |b| {
                let mut lower =
                    Lower::new(region, machine, fused, &data, counting.as_deref_mut(), b);
                lower.second_copy(number);
                found = lower.exits.concat();
            })?);
            exits.push(found);
        }
        let code = host.compile(code_signature(), |b| {
            let mut lower = Lower::new(region, machine, fused, &data, counting, b);
            lower.exits = exits;
            lower.region();
        })?;
        Ok((code, copies))
    })?;
    Ok(Compiled { code, copies, data })
}

struct Signatures {
    code: SigRef,
    /// Of the pieces that call functions.
    piece: SigRef,
}

/// The point of the region that is being translated.
#[derive(Debug, Clone, Copy, Default)]
struct State {
    pending: Pending,
    /// Floating-point registers that may hold a NaN of the host's. RISC-V has one NaN as a result.
    nan: u32,
    /// Address of the instruction.
    pc: u64,
    /// Address of its block.
    block: u64,
    /// Number of instructions of the block before it.
    before: u64,
    /// The dynamic rounding mode (`frm`). A block begins and ends with 0, to nearest even.
    rounding: u8,
    /// What is known of the vector unit.
    config: Option<Config>,
    /// What the hart lacks of the vector unit.
    unstored: Unstored,
}

/// The translation of one region.
struct Lower<'a, 'f> {
    region: &'a Region,
    machine: Machine,
    fused: bool,
    signatures: Signatures,
    hart: Value,
    budget: Variable,
    x: [Option<Variable>; 32],
    f: [Option<Variable>; 32],
    /// The host's block of each block.
    blocks: Vec<ir::Block>,
    data: &'a Data,
    next_link: usize,
    /// The number of the first site of each block.
    first_sites: Vec<usize>,
    /// The number of the block and of the instruction.
    at: (usize, usize),
    /// The host's blocks that check the addresses of loops.
    checks: Vec<ir::Block>,
    /// The second copy of a loop that the code is.
    copy: Option<Copied>,
    /// The addresses at which the second copies of loops end.
    exits: Vec<Vec<u64>>,
    /// The host addresses of the block's groups of accesses that have been checked.
    groups: BTreeMap<usize, Value>,
    /// Where functions of [`halves`] put their results.
    half_result: Option<ir::StackSlot>,
    /// Ends the function after a trap.
    trap: Option<ir::Block>,
    state: State,
    known: Known,
    /// The chunks of vector registers that are variables.
    chunks: Variables,
    /// Whether the code is part of a rare path.
    cold: bool,
    /// What the code counts, if it does.
    counting: Option<&'a mut Counting>,
    b: &'a mut FunctionBuilder<'f>,
}

impl<'a, 'f> Lower<'a, 'f> {
    fn new(
        region: &'a Region,
        machine: Machine,
        fused: bool,
        data: &'a Data,
        counting: Option<&'a mut Counting>,
        b: &'a mut FunctionBuilder<'f>,
    ) -> Self {
        let entry = b.current_block().unwrap_or(ir::Block::from_u32(0));
        let [hart, budget] = [b.block_params(entry)[0], b.block_params(entry)[1]];
        let signatures = Signatures {
            code: b.import_signature(code_signature()),
            piece: b.import_signature(piece_signature()),
        };
        let budget_variable = b.declare_var(types::I64);
        b.def_var(budget_variable, budget);
        let first_sites = region.blocks.iter().scan(0, |count, b| {
            let first = *count;
            *count += b.insts.len();
            Some(first)
        });
        Self {
            region,
            machine,
            fused,
            signatures,
            hart,
            budget: budget_variable,
            x: [None; 32],
            f: [None; 32],
            blocks: Vec::new(),
            data,
            next_link: 0,
            first_sites: first_sites.collect(),
            at: (0, 0),
            checks: Vec::new(),
            copy: None,
            exits: Vec::new(),
            groups: BTreeMap::new(),
            half_result: None,
            trap: None,
            state: State::default(),
            known: Known::default(),
            chunks: Variables::of(region, machine.unit()),
            cold: false,
            counting,
            b,
        }
    }
}

impl Lower<'_, '_> {
    fn region(&mut self) {
        let region = self.region;
        let none = self.int(0);
        let budget = self.b.use_var(self.budget);
        self.state.pc = region.blocks[0].pc;
        let fine = self.b.ins().icmp(IntCC::SignedGreaterThan, budget, none);
        self.unless(fine, |lower| {
            let pc = lower.state.pc;
            lower.leave(pc, Status::Limit);
        });
        self.check_vectors();
        let r = region.touched;
        let touched = Pending { x: r.x_read | r.x_written, f: r.f_read | r.f_written };
        self.load_registers(touched, region.needed);
        self.blocks = region.blocks.iter().map(|_| self.b.create_block()).collect();
        self.checks = region.loops.iter().map(|_| self.b.create_block()).collect();
        let first = self.blocks[0];
        self.b.ins().jump(first, &[]);
        for k in 0..region.blocks.len() {
            self.block(self.blocks[k], k);
        }
        self.check_loops();
        self.end_of_traps();
    }

    /// Ends the function after traps, if there are any.
    fn end_of_traps(&mut self) {
        if let Some(trap) = self.trap {
            self.b.switch_to_block(trap);
            self.state.before = 0;
            self.end(Status::Fault);
        }
    }

    /// Declares the variables of these registers, and loads those that are needed.
    fn load_registers(&mut self, touched: Pending, needed: Pending) {
        for k in 1..32 {
            if touched.x >> k & 1 == 1 {
                let variable = self.b.declare_var(types::I64);
                if needed.x >> k & 1 == 1 {
                    let at = offset(Offsets::X + 8 * k);
                    let value = self.b.ins().load(types::I64, HART, self.hart, at);
                    self.b.def_var(variable, value);
                }
                self.x[k] = Some(variable);
            }
        }
        for k in 0..32 {
            let kept = self.region.kept[k];
            if touched.f >> k & 1 == 0 || kept == Kept::Memory {
                continue;
            }
            let at = offset(Offsets::F + 8 * k);
            let needed = needed.f >> k & 1 == 1;
            let ty = match kept {
                Kept::Half => types::I16X8,
                Kept::Single => types::F32,
                Kept::Double | Kept::Memory => types::F64,
            };
            let variable = self.b.declare_var(ty);
            let least = match kept {
                Kept::Half => Some(half::BOX),
                Kept::Single => Some(float::BOX),
                Kept::Double | Kept::Memory => None,
            };
            if let Some(least) = least.filter(|_| needed && self.copy.is_none()) {
                let bits = self.b.ins().load(types::I64, HART, self.hart, at);
                let least = self.int(least);
                let boxed = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, bits, least);
                self.unless(boxed, |lower| {
                    let pc = lower.state.pc;
                    lower.leave(pc, Status::Format);
                });
            }
            if needed {
                let value = self.load_f(k as u8);
                self.b.def_var(variable, value);
            }
            self.f[k] = Some(variable);
        }
        self.load_chunks();
    }

    /// Translates block number `number` to the host's block `to`.
    fn block(&mut self, to: ir::Block, number: usize) {
        let block = &self.region.blocks[number];
        self.b.switch_to_block(to);
        let pending = self.pending(number);
        self.state = State {
            pending,
            pc: block.pc,
            block: block.pc,
            unstored: self.chunks.before(number),
            ..State::default()
        };
        self.forget_vectors();
        self.groups.clear();
        self.rest_of_block(number, 0, None);
    }

    /// Translates a block from instruction number `first` on. What is known of the vector unit is
    /// `config`, or what the region says.
    fn rest_of_block(&mut self, number: usize, first: usize, mut config: Option<Option<Config>>) {
        let region = self.region;
        let block = &region.blocks[number];
        for (k, (pc, inst)) in block.insts.iter().enumerate().skip(first) {
            self.at = (number, k);
            self.state.pc = *pc;
            self.state.config = config.unwrap_or_else(|| block.configs.get(k).copied().flatten());
            if config.is_none() && self.splits(inst) {
                self.split(inst, |lower, config| lower.rest_of_block(number, k + 1, Some(config)));
                return;
            }
            self.instruction(inst);
            let now = self.state.config;
            config = config.map(|_| vector::after(inst, now, self.machine.vlenb, true));
            self.state.before += 1;
        }
        self.state.pc = block.past;
        match block.end {
            End::Interpret { at } => {
                self.leave(at, Status::Interpret);
            }
            End::Branch { inst, taken, next } => {
                self.finish(block.retires);
                let holds = self.condition(&inst);
                let (yes, no) = (self.b.create_block(), self.b.create_block());
                self.b.ins().brif(holds, yes, &[], no, &[]);
                let state = self.state;
                for (edge, target) in [(yes, taken), (no, next)] {
                    self.b.switch_to_block(edge);
                    self.b.seal_block(edge);
                    self.state = state;
                    self.go(number, target);
                }
            }
            End::Jump { rd, value, target } => {
                self.finish(block.retires);
                let value = self.int(value);
                self.set_x(rd, value);
                self.go(number, target);
            }
            End::Next { target } => {
                self.finish(block.retires);
                self.go(number, target);
            }
            End::Indirect { inst, value } => {
                self.finish(block.retires);
                let base = self.x(inst.rs1);
                let sum = self.b.ins().iadd_imm_s(base, i64::from(inst.imm));
                let target = self.b.ins().band_imm_s(sum, -2);
                let target = self.wrap(target);
                let value = self.int(value);
                self.set_x(inst.rd, value);
                let returns = is_return(&inst).then_some(&self.region.returns);
                for to in returns.into_iter().flatten() {
                    let here = self.int(*to);
                    let here = self.b.ins().icmp(IntCC::Equal, target, here);
                    let (yes, no) = (self.b.create_block(), self.b.create_block());
                    self.b.ins().brif(here, yes, &[], no, &[]);
                    let state = self.state;
                    self.b.switch_to_block(yes);
                    self.b.seal_block(yes);
                    self.go(number, *to);
                    self.state = state;
                    self.b.switch_to_block(no);
                    self.b.seal_block(no);
                }
                self.indirect(target);
            }
        }
    }

    /// Counts the block's instructions.
    fn finish(&mut self, retires: u64) {
        let budget = self.b.use_var(self.budget);
        let left = self.b.ins().iadd_imm_s(budget, -retires.cast_signed());
        self.b.def_var(self.budget, left);
        self.count(retires);
        self.state.before = 0;
        self.settle();
        self.store_results();
    }

    /// Jumps to the block at `target`, from block number `from`.
    fn go(&mut self, from: usize, target: u64) {
        let block = self.region.index.get(&target).copied();
        if self.leaves_copy(block) {
            self.end_copy(from, target);
            return;
        }
        let Some(k) = block else {
            self.follow(target);
            return;
        };
        // Every loop has a jump to its start, or to an earlier address.
        if let Some(copy) = &self.copy {
            if copy.head == k {
                self.count_iteration();
            }
        } else if target <= self.region.blocks[from].pc {
            let (budget, none) = (self.b.use_var(self.budget), self.int(0));
            let fine = self.b.ins().icmp(IntCC::SignedGreaterThan, budget, none);
            self.unless(fine, |lower| lower.leave(target, Status::Limit));
        }
        let Pending { x, f } = self.pending(k);
        self.flush_but(x, f);
        self.store_vectors_but(self.chunks.before(k));
        let block = self.target(from, k);
        self.b.ins().jump(block, &[]);
    }

    /// Leaves the region to the code at `target`, if it is known.
    fn follow(&mut self, target: u64) {
        self.flush();
        let target = self.int(target);
        self.b.ins().store(HART, target, self.hart, offset(Offsets::PC));
        let link = &raw const self.data.links[self.next_link];
        self.next_link += 1;
        let link = address(self.b, link.addr());
        self.b.ins().store(HART, link, self.hart, offset(Offsets::LINK));
        let code = self.b.ins().load(types::I64, HART, link, 0);
        let budget = self.b.use_var(self.budget);
        self.b.ins().return_call_indirect(self.signatures.code, code, &[self.hart, budget]);
    }

    /// Leaves the region to the address `target`, through the table of jump targets.
    fn indirect(&mut self, target: Value) {
        self.flush();
        self.b.ins().store(HART, target, self.hart, offset(Offsets::PC));
        if self.copy.is_some() {
            // The region has called this code, and other code must not run on its stack: that
            // would grow.
            self.end(Status::Continue);
            return;
        }
        let table = self.b.ins().load(types::I64, HART, self.hart, offset(Offsets::JUMPS));
        let scaled = self.b.ins().ishl_imm_u(target, 3);
        let at = self.b.ins().band_imm_s(scaled, (JUMPS as i64 - 1) << 4);
        let entry = self.b.ins().iadd(table, at);
        let tag = self.b.ins().load(types::I64, HART, entry, 0);
        let known = self.b.ins().icmp(IntCC::Equal, tag, target);
        self.unless(known, |lower| lower.end(Status::Continue));
        let code = self.b.ins().load(types::I64, HART, entry, 8);
        let budget = self.b.use_var(self.budget);
        self.b.ins().return_call_indirect(self.signatures.code, code, &[self.hart, budget]);
    }

    /// Leaves the region: the pc becomes `pc`.
    fn leave(&mut self, pc: u64, status: Status) {
        self.flush();
        let pc = self.int(pc);
        self.b.ins().store(HART, pc, self.hart, offset(Offsets::PC));
        self.end(status);
    }

    /// Returns, after the registers and the pc have been stored.
    fn end(&mut self, status: Status) {
        self.end_with(status as u64);
    }

    fn end_with(&mut self, status: u64) {
        let budget = self.b.use_var(self.budget);
        let left = self.b.ins().iadd_imm_s(budget, -self.state.before.cast_signed());
        self.b.ins().store(HART, left, self.hart, offset(Offsets::BUDGET));
        self.count(self.state.before);
        let status = self.int(status);
        self.b.ins().return_(&[status]);
    }

    /// Continues if `fine`; otherwise leaves the region by `other`.
    fn unless(&mut self, fine: Value, other: impl FnOnce(&mut Self)) {
        let (then, rest) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(rest);
        if self.cold {
            self.b.set_cold_block(then);
        }
        self.b.ins().brif(fine, then, &[], rest, &[]);
        let (state, cold) = (self.state, std::mem::replace(&mut self.cold, true));
        self.b.switch_to_block(rest);
        self.b.seal_block(rest);
        other(self);
        (self.state, self.cold) = (state, cold);
        self.b.switch_to_block(then);
        self.b.seal_block(then);
    }

    /// Makes `fine` the condition of a fast path, and `other` the rare one, whose last function may
    /// have trapped if `traps`. Both give a value of this type.
    fn choose(
        &mut self,
        fine: Value,
        ty: Option<Type>,
        traps: bool,
        fast: impl FnOnce(&mut Self) -> Option<Value>,
        other: impl FnOnce(&mut Self) -> Option<Value>,
    ) -> Option<Value> {
        let [then, rest, join] = [(); 3].map(|()| self.b.create_block());
        self.b.set_cold_block(rest);
        if self.cold {
            self.b.set_cold_block(then);
            self.b.set_cold_block(join);
        }
        let result = ty.map(|ty| self.b.append_block_param(join, ty));
        self.b.ins().brif(fine, then, &[], rest, &[]);
        self.b.switch_to_block(rest);
        self.b.seal_block(rest);
        let (state, cold) = (self.state, std::mem::replace(&mut self.cold, true));
        let value: Vec<BlockArg> = other(self).map(BlockArg::from).into_iter().collect();
        if traps {
            let (trapped, end) = self.trapped();
            self.b.ins().brif(trapped, end, &[], join, &value);
        } else {
            self.b.ins().jump(join, &value);
        }
        (self.state, self.cold) = (state, cold);
        self.b.switch_to_block(then);
        self.b.seal_block(then);
        let value: Vec<BlockArg> = fast(self).map(BlockArg::from).into_iter().collect();
        self.b.ins().jump(join, &value);
        self.b.switch_to_block(join);
        self.b.seal_block(join);
        result
    }

    /// Calls a function of `rv-sim` for the current instruction.
    fn call(&mut self, function: usize) {
        let (block, n) = self.at;
        let site = &raw const self.data.sites[self.first_sites[block] + n];
        let site = address(self.b, site.addr());
        self.b.ins().store(HART, site, self.hart, offset(Offsets::SITE));
        let callee = offset(Offsets::PIECES[function]);
        let callee = self.b.ins().load(types::I64, HART, self.hart, callee);
        self.b.ins().call_indirect(self.signatures.piece, callee, &[self.hart]);
    }

    /// Whether the last function trapped, and the end of the function for that case.
    fn trapped(&mut self) -> (Value, ir::Block) {
        let end = match self.trap {
            Some(end) => end,
            None => {
                let end = self.b.create_block();
                self.b.set_cold_block(end);
                *self.trap.insert(end)
            }
        };
        (self.b.ins().load(types::I64, HART, self.hart, offset(Offsets::TRAPPED)), end)
    }

    /// Stores all registers that the hart may lack.
    fn flush(&mut self) {
        self.flush_but(0, 0);
        self.store_vectors();
    }

    /// Stores all registers that the hart may lack, on a rare path: the frequent one still has them
    /// as its variables.
    fn store_pending(&mut self) {
        let Pending { x, f } = self.state.pending;
        (1..32).filter(|k| x >> k & 1 == 1).for_each(|k| self.store_x(k));
        (0..32).filter(|k| f >> k & 1 == 1).for_each(|k| self.store_f(k));
        self.store_vectors();
    }

    /// Stores all scalar registers that the hart may lack but for these.
    fn flush_but(&mut self, x: u32, f: u32) {
        self.settle();
        let pending = self.state.pending;
        let (stored_x, stored_f) = (pending.x & !x, pending.f & !f);
        (1..32).filter(|k| stored_x >> k & 1 == 1).for_each(|k| self.store_x(k));
        (0..32).filter(|k| stored_f >> k & 1 == 1).for_each(|k| self.store_f(k));
        self.state.pending = Pending { x: pending.x & x, f: pending.f & f };
    }

    fn store_x(&mut self, register: u8) {
        if let Some(variable) = self.x[usize::from(register)] {
            let value = self.b.use_var(variable);
            let at = offset(Offsets::X + 8 * usize::from(register));
            self.b.ins().store(HART, value, self.hart, at);
        }
    }

    fn int(&mut self, value: u64) -> Value {
        self.b.ins().iconst(types::I64, value.cast_signed())
    }

    /// The value of an integer register.
    fn x(&mut self, register: u8) -> Value {
        match self.x[usize::from(register)] {
            Some(variable) => self.b.use_var(variable),
            None => self.int(0),
        }
    }

    fn set_x(&mut self, register: u8, value: Value) {
        if let Some(variable) = self.x[usize::from(register)] {
            self.b.def_var(variable, value);
            self.state.pending.x |= 1 << register;
        }
    }

    /// Truncates an address to the machine's width.
    fn wrap(&mut self, address: Value) -> Value {
        if self.machine.rv64 {
            return address;
        }
        let narrow = self.b.ins().ireduce(types::I32, address);
        self.b.ins().uextend(types::I64, narrow)
    }

    fn trap(&self, i: &Inst) -> Trap {
        trap(i, self.state.config, self.machine.unit())
    }

    fn instruction(&mut self, i: &Inst) {
        if self.trap(i) != Trap::Never {
            if self.region.late {
                self.store_computed();
            } else {
                self.flush();
            }
        }
        let done = match i.op.row().extension {
            Extension::Zicsr => self.rounding_mode(i),
            Extension::F | Extension::D | Extension::Zfh => self.float(i),
            Extension::A => false,
            Extension::V => self.vector(i),
            _ => self.memory(i) || self.integer(i),
        };
        if !done {
            self.execute(i);
        }
    }

    /// Translates an access to the dynamic rounding mode; false if it is one to another CSR. If a
    /// register sets another mode than to nearest even, the interpreter goes on from here.
    fn rounding_mode(&mut self, i: &Inst) -> bool {
        if csr_number(i) != csr::FRM {
            return false;
        }
        let old = self.int(self.state.rounding.into());
        let new = rounding_after(i, self.state.rounding);
        if i.op == Op::Csrrw {
            let wanted = self.x(i.rs1);
            let wanted = self.b.ins().band_imm_s(wanted, 7);
            let nearest = self.b.ins().icmp_imm_s(IntCC::Equal, wanted, 0);
            self.unless(nearest, |lower| {
                let pc = lower.state.pc;
                lower.leave(pc, Status::Interpret);
            });
        }
        if new != self.state.rounding {
            let value = self.b.ins().iconst(types::I8, i64::from(new));
            self.b.ins().store(HART, value, self.hart, offset(Offsets::FRM));
            self.state.rounding = new;
        }
        self.set_x(i.rd, old);
        true
    }

    /// Rounds floating-point numbers to whole numbers, in one of RISC-V's rounding modes: 0 to
    /// nearest even, 1 towards zero, 2 down, 3 up.
    fn round(&mut self, value: Value, mode: u8) -> Value {
        match mode {
            0 => self.b.ins().nearest(value),
            1 => self.b.ins().trunc(value),
            2 => self.b.ins().floor(value),
            _ => self.b.ins().ceil(value),
        }
    }

    /// Lets the interpreter execute an instruction.
    fn execute(&mut self, i: &Inst) {
        // With the rounding modes of translated code, no other instruction traps.
        let traps = self.trap(i) != Trap::Never;
        if traps {
            self.flush();
        }
        self.settle();
        self.give(i);
        let extension = i.op.row().extension;
        let vector = extension == Extension::V;
        if vector || extension == Extension::Zicsr {
            self.store_vectors();
        }
        self.call(2);
        if vector {
            self.forget_vectors();
            self.reload_written(i);
        }
        if traps {
            let (trapped, end) = self.trapped();
            let next = self.b.create_block();
            self.b.ins().brif(trapped, end, &[], next, &[]);
            self.b.switch_to_block(next);
            self.b.seal_block(next);
        }
        self.take(i);
    }

    /// Loads the scalar registers that the interpreter's instruction has written.
    fn take(&mut self, i: &Inst) {
        let r = registers(i);
        for k in (1..32_u8).filter(|k| r.x_written >> k & 1 == 1) {
            let at = offset(Offsets::X + 8 * usize::from(k));
            let value = self.b.ins().load(types::I64, HART, self.hart, at);
            self.set_x(k, value);
        }
        (0..32).filter(|k| r.f_written >> k & 1 == 1).for_each(|k| self.reload_f(k));
    }

    /// Stores the scalar registers that an instruction reads, if the hart may lack them.
    fn give(&mut self, i: &Inst) {
        let (r, Pending { x, f }) = (registers(i), self.state.pending);
        (1..32).filter(|k| (r.x_read & x) >> k & 1 == 1).for_each(|k| self.store_x(k));
        (0..32).filter(|k| (r.f_read & f) >> k & 1 == 1).for_each(|k| self.store_f(k));
    }
}
