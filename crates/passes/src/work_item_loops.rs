//! `work-item-loops`: turns a kernel into the function of one work-group.
//!
//! ```text
//! prologue -> [region 0: for z, y, x: blocks] -> which barrier? -> [region n: for z, y, x: blocks] -> ... -> return
//! ```
//! Each barrier region ([`crate::regions`]) becomes a loop nest over the work-items, x innermost, its blocks cloned. Values and
//! arrays that live across barriers are in scratch memory ([`crate::slots`]). All work-items reach the same barrier (the
//! specification's rule), so the last one's exit chooses the next region. Correct for any control flow.
//!
//! Accesses that cannot touch memory shared by the iterations of a work-item loop through our own doing (private
//! variables) are marked parallel: between barriers, work-items are independent by the specification.
//! Not here: groups, arguments, and the kernel ABI ([`crate::kernel_abi`]).

mod item;

use std::collections::BTreeMap;

use muxcl_llvm::{Block, Builder, Function, IntPredicate, Linkage, Metadata, Module, Opcode, Value, ValueMap};

use crate::names::{BARRIER, GROUP_SCRATCH};
use crate::regions::{self, Exit, Regions};
use crate::slots::{self, Plan};
use crate::work_items::{self, Field, RECORD, Record, Values};
use crate::{PassError, local_memory};
use item::{GroupVariable, Item};

/// What may be assumed of the NDRange.
#[derive(Debug, Clone, Copy, Default)]
pub struct Config {
    /// The local size, if known.
    pub local_size: Option<[u32; 3]>,
    /// Every group is full.
    pub uniform: bool,
    /// Every global id is below 2^31.
    pub small_ids: bool,
}

/// The function of one work-group: the kernel's parameters, then [`GroupParams::TYPES`].
#[derive(Debug, Clone, Copy)]
pub struct GroupFunction {
    /// The function.
    pub function: Function,
    /// How many parameters are the kernel's.
    pub kernel_params: u32,
    /// Scratch bytes per work-item of a full group.
    pub scratch_per_item: u64,
    /// Scratch bytes per group.
    pub scratch_per_group: u64,
    /// Barrier regions.
    pub regions: usize,
}

/// The parameters behind the kernel's own, by number.
#[derive(Debug, Clone, Copy)]
pub struct GroupParams;

impl GroupParams {
    /// Group id, size of this group, size of a full group, number of groups, offset, global size: three words each.
    pub const FIELDS: [Field; 6] =
        [Field::GroupId, Field::LocalSize, Field::Enqueued, Field::NumGroups, Field::Offset, Field::GlobalSize];
    /// Rank of the NDRange.
    pub const RANK: u32 = 18;
    /// Local memory.
    pub const LOCAL: u32 = 19;
    /// Scratch memory.
    pub const SCRATCH: u32 = 20;
    /// `HostExtra`.
    pub const EXTRA: u32 = 21;

    /// The number of a field's parameter.
    pub fn of(field: Field, dimension: u32) -> u32 {
        let n = Self::FIELDS.iter().position(|f| *f == field).unwrap_or(0);
        u32::try_from(3 * n).unwrap_or(0) + dimension
    }
}

/// Runs the pass on one kernel. `locals` are the local variables and their offsets.
///
/// # Errors
/// Variable-length private arrays; IR that earlier passes should not have left.
pub fn run(
    module: &Module<'_>,
    kernel: Function,
    locals: &[Value],
    offsets: &[u64],
    config: Config,
) -> Result<GroupFunction, PassError> {
    let cx = module.cx();
    let mut params = kernel.ty().params();
    let kernel_params = u32::try_from(params.len()).unwrap_or(0);
    params.extend([cx.i64(); 18]);
    params.extend([cx.i32(), cx.ptr(3), cx.ptr(0), cx.ptr(0)]);
    let f = module.add_function(&format!("{}.group", kernel.name()), cx.function(cx.void(), &params));
    f.copy_attributes(kernel);
    f.take_body(kernel);
    f.0.set_linkage(Linkage::Internal);
    for name in ["memory", "noinline", "optnone"] {
        f.remove_attribute(name);
    }
    for (n, name) in (0u32..).zip(["group", "size", "full", "groups", "offset", "global"]) {
        for (d, axis) in (0u32..).zip(["x", "y", "z"]) {
            f.param(kernel_params + 3 * n + d).set_name(&format!("{name}.{axis}"));
        }
    }
    f.param(kernel_params + GroupParams::RANK).set_name("rank");
    for (n, name) in [(GroupParams::LOCAL, "local"), (GroupParams::SCRATCH, "scratch"), (GroupParams::EXTRA, "extra")] {
        f.param(kernel_params + n).set_name(name);
    }
    f.add_param_attribute(kernel_params + GroupParams::SCRATCH, "noalias", 0);

    let group = GroupValues { f, kernel_params };
    let large = f.instructions().len() > LARGEST_VECTORIZED;
    let mut work = Work { module, f, group, config, prologue: prologue_of(f), record: None, access: None, large };
    work.normalise()?;
    let local_base = f.param(kernel_params + GroupParams::LOCAL);
    local_memory::replace(f, locals, offsets, local_base, work.prologue_end()?);
    work.make_record(module);

    let body = work.body_entry()?;
    let barriers = regions::split(f, module.function(BARRIER));
    let found = regions::find(f, body, &barriers);
    let allocas: Vec<Value> = work
        .prologue
        .instructions()
        .into_iter()
        .filter(|i| i.is_alloca() && Some(*i) != work.record) // the record is filled anew for each work-item
        .collect();
    work.access = Some(Metadata::new_access_group(cx));
    let generic_is_parallel = !allocas.iter().any(|a| slots::escapes(*a));

    let mut plan = Plan::default();
    if barriers.is_empty() {
        work.single(body, &found, generic_is_parallel)?;
    } else {
        plan = slots::plan(module, &found, &allocas);
        work.regions(&found, &plan, generic_is_parallel)?;
    }
    let mut result = GroupFunction {
        function: f,
        kernel_params,
        scratch_per_item: plan.bytes,
        scratch_per_group: 0,
        regions: found.regions.len(),
    };
    work.group_scratch(&mut result)?;
    f.remove_unreachable();
    for a in f.entry().instructions() {
        if a.is_alloca() && !a.has_uses() {
            a.erase();
        }
    }
    Ok(result)
}

fn prologue_of(f: Function) -> Block {
    f.remove_unreachable();
    f.append_block("prologue")
}

/// Instructions of a kernel whose work-item loops LLVM's loop vectorizer still sees. Its time grows with the square of a loop's
/// body: two seconds for 3000 instructions, a minute for 12000, and such a body seldom gains from it.
const LARGEST_VECTORIZED: usize = 2000;

/// The uniform values of the group function.
#[derive(Clone, Copy)]
struct GroupValues {
    f: Function,
    kernel_params: u32,
}

impl GroupValues {
    fn param(self, n: u32) -> Value {
        self.f.param(self.kernel_params + n)
    }
}

impl Values for GroupValues {
    fn get(&self, b: &Builder, field: Field, dimension: u32) -> Value {
        if field == Field::LocalId {
            return b.block().function().cx().u64(0); // the record's ids are filled per item
        }
        self.param(GroupParams::of(field, dimension))
    }
    fn work_dim(&self, _b: &Builder) -> Value {
        self.param(GroupParams::RANK)
    }
    fn extra(&self, _b: &Builder) -> Value {
        self.param(GroupParams::EXTRA)
    }
    fn local_base(&self, _b: &Builder) -> Value {
        self.param(GroupParams::LOCAL)
    }
}

/// The values of a work-item in a loop nest.
struct ItemValues {
    group: GroupValues,
    local: [Value; 3],
    global: [Value; 3],
}

impl Values for ItemValues {
    fn get(&self, b: &Builder, field: Field, dimension: u32) -> Value {
        match field {
            Field::LocalId => self.local[dimension as usize],
            _ => self.group.get(b, field, dimension),
        }
    }
    fn global_id(&self, _b: &Builder, dimension: u32) -> Value {
        self.global[dimension as usize]
    }
    fn work_dim(&self, b: &Builder) -> Value {
        self.group.work_dim(b)
    }
    fn extra(&self, b: &Builder) -> Value {
        self.group.extra(b)
    }
    fn local_base(&self, b: &Builder) -> Value {
        self.group.local_base(b)
    }
}

/// A loop nest over the work-items.
struct Nest {
    /// Where to branch to run it.
    first: Block,
    /// Runs once per work-item before its blocks; has no terminator yet.
    item: Block,
    /// Where a work-item ends; has its terminator.
    latch: Block,
    /// Runs after the last work-item; has no terminator yet.
    after: Block,
    local: [Value; 3],
}

struct Work<'m, 'c> {
    module: &'m Module<'c>,
    f: Function,
    group: GroupValues,
    config: Config,
    prologue: Block,
    record: Option<Value>,
    access: Option<Metadata>,
    /// Too large for LLVM's loop vectorizer.
    large: bool,
}

impl Work<'_, '_> {
    fn bug(what: &str) -> PassError {
        PassError::Internal { pass: "work-item-loops", what: what.to_owned() }
    }

    fn prologue_end(&self) -> Result<Value, PassError> {
        self.prologue.terminator().ok_or_else(|| Self::bug("the prologue has no terminator"))
    }

    fn body_entry(&self) -> Result<Block, PassError> {
        self.prologue.successors().first().copied().ok_or_else(|| Self::bug("the prologue leads nowhere"))
    }

    /// All allocas in a prologue of their own.
    fn normalise(&mut self) -> Result<(), PassError> {
        let entry = self.f.entry();
        self.prologue.move_before(entry);
        let end = Builder::at_end(self.prologue).br(entry);
        for i in self.f.instructions() {
            if !i.is_alloca() {
                continue;
            }
            if i.operand(0).as_u64().is_none() {
                return Err(PassError::Unsupported("a private array has a variable length".into()));
            }
            i.move_before(end);
        }
        Ok(())
    }

    /// The item record, if functions outside the kernel want it.
    fn make_record(&mut self, module: &Module<'_>) {
        let Some(placeholder) = module.function(RECORD) else { return };
        let calls: Vec<Value> =
            placeholder.direct_calls().into_iter().filter(|c| c.block().function() == self.f).collect();
        if calls.is_empty() {
            return;
        }
        let Some(end) = self.prologue.terminator() else { return };
        let b = Builder::before(end);
        let record = b.alloca(Record::ty(module.cx()), "item.record");
        Record::fill_group(&b, record, &self.group);
        for c in calls {
            c.replace_all_uses(record);
            c.erase();
        }
        self.record = Some(record);
    }

    /// A size of the full group: a constant where known.
    fn enqueued(&self, d: u32) -> Value {
        match self.config.local_size {
            Some(size) => self.module.cx().u64(size[d as usize].into()),
            None => self.group.param(GroupParams::of(Field::Enqueued, d)),
        }
    }

    /// A size of this group: a constant where known.
    fn size(&self, d: u32) -> Value {
        match self.config.local_size {
            Some(size) if self.config.uniform || size[d as usize] == 1 => self.module.cx().u64(size[d as usize].into()),
            _ => self.group.param(GroupParams::of(Field::LocalSize, d)),
        }
    }

    /// Loops z, y, x. A dimension of the constant size 1 has no loop.
    fn nest(&self, name: &str) -> Nest {
        let cx = self.module.cx();
        let first = self.f.append_block(&format!("{name}.first"));
        let mut local = [cx.u64(0); 3];
        let mut headers: Vec<(u32, Block, Value)> = Vec::new();
        let mut at = first;
        for d in (0..3u32).rev() {
            if self.size(d).as_u64() == Some(1) {
                continue;
            }
            let header = self.f.append_block(&format!("{name}.{}", ["x", "y", "z"][d as usize]));
            Builder::at_end(at).br(header);
            let b = Builder::at_end(header);
            let phi = b.phi(cx.i64(), &format!("local.{}", ["x", "y", "z"][d as usize]));
            phi.add_incoming(cx.u64(0), at);
            local[d as usize] = phi;
            headers.push((d, header, phi));
            at = header;
        }
        let latch = self.f.append_block(&format!("{name}.latch"));
        let mut end = latch;
        let innermost = headers.last().map(|h| h.0);
        for (d, header, phi) in headers.iter().rev() {
            let b = Builder::at_end(end);
            let next = b.add_nuw(*phi, cx.u64(1));
            let more = b.icmp(IntPredicate::Ult, next, self.size(*d));
            phi.add_incoming(next, end);
            let out = self.f.append_block(&format!("{name}.next"));
            let branch = b.cond_br(more, *header, out);
            if Some(*d) == innermost {
                // Unrolled before it is vectorized, a short loop would never be.
                branch.set_work_item_loop(self.access, self.large, true);
            }
            end = out;
        }
        let after = if end == latch {
            let out = self.f.append_block(&format!("{name}.after"));
            Builder::at_end(latch).br(out);
            out
        } else {
            end
        };
        Nest { first, item: at, latch, after, local }
    }

    /// Lowers the calls in a nest's blocks, once everything else is in place.
    fn lower_items(&self, nest: &Nest, blocks: &[Block]) -> Result<(), PassError> {
        let calls: Vec<Value> = blocks
            .iter()
            .chain([&nest.item])
            .flat_map(|b| b.instructions())
            .filter(|i| work_items::is_lowerable(*i))
            .collect();
        if calls.is_empty() {
            return Ok(());
        }
        let at = nest.item.first_insertion_point().ok_or_else(|| Self::bug("an empty item block"))?;
        let before = Builder::before(self.prologue_end()?);
        let inside = Builder::before(at);
        let mut global = [self.module.cx().u64(0); 3];
        let asked =
            |d: u32| calls.iter().any(|c| c.args().first().and_then(|a| a.as_u64()).is_none_or(|n| n == d.into()));
        for d in (0..3u32).filter(|d| asked(*d)) {
            let group = self.group.param(GroupParams::of(Field::GroupId, d));
            let offset = self.group.param(GroupParams::of(Field::Offset, d));
            let base = before.add_nuw(before.mul_nuw(group, self.enqueued(d)), offset);
            global[d as usize] = self.global_id(&before, &inside, base, nest.local[d as usize]);
        }
        let values = ItemValues { group: self.group, local: nest.local, global };
        for call in calls {
            work_items::lower(call, &values);
        }
        Ok(())
    }

    fn global_id(&self, before: &Builder, inside: &Builder, base: Value, local: Value) -> Value {
        let cx = self.module.cx();
        if !self.config.small_ids {
            return inside.add_nuw_nsw(base, local);
        }
        // Below 2^31 the sum is made in 32 bits, so that `(int)get_global_id(0)` and its sign extension fold away.
        let base = before.trunc(base, cx.i32());
        let sum = inside.add_nuw_nsw(base, inside.trunc(local, cx.i32()));
        inside.zext(sum, cx.i64())
    }

    fn fill_record(&self, nest: &Nest) {
        if let Some(record) = self.record {
            Record::fill_item(&Builder::at_end(nest.item), record, nest.local);
        }
    }

    /// A kernel without barriers: its blocks stay where they are.
    fn single(&self, body: Block, found: &Regions, generic: bool) -> Result<(), PassError> {
        let nest = self.nest("items");
        for b in &found.blocks {
            if let Some(t) = b.terminator().filter(|t| t.opcode() == Opcode::Ret) {
                t.erase();
                Builder::at_end(*b).br(nest.latch);
            }
        }
        self.fill_record(&nest);
        Builder::at_end(nest.item).br(body);
        self.prologue_end()?.set_successor(0, nest.first);
        Builder::at_end(nest.after).ret_void();
        let blocks: Vec<Block> = found.blocks.iter().copied().filter(|b| *b != self.prologue).collect();
        self.mark_parallel(&blocks, generic);
        self.lower_items(&nest, &blocks)
    }

    fn mark_parallel(&self, blocks: &[Block], generic: bool) {
        let Some(group) = self.access else { return };
        for i in blocks.iter().flat_map(|b| b.instructions()) {
            let pointer = match i.opcode() {
                Opcode::Load => i.operand(0),
                Opcode::Store => i.operand(1),
                _ => continue,
            };
            let ours = match pointer.ty().address_space() {
                1..=3 => true,
                4 => generic,
                _ => pointer.underlying_object() == self.group.param(GroupParams::SCRATCH),
            };
            if ours && !i.is_volatile() {
                i.add_access_group(group);
            }
        }
    }

    /// The group's scratch for collectives: a slot of one word per work-item behind all others, and eight words.
    fn group_scratch(&self, result: &mut GroupFunction) -> Result<(), PassError> {
        let Some(f) = self.module.function(GROUP_SCRATCH) else { return Ok(()) };
        let calls: Vec<Value> = f.direct_calls().into_iter().filter(|c| c.block().function() == self.f).collect();
        if calls.is_empty() {
            return Ok(());
        }
        let b = Builder::before(self.prologue_end()?);
        let base = self.slot_base(&b, result.scratch_per_item);
        result.scratch_per_item += 8;
        result.scratch_per_group += 64;
        for c in calls {
            let p = Builder::before(c).address_space_cast(base, c.ty());
            c.replace_all_uses(p);
            c.erase();
        }
        Ok(())
    }

    /// The address of a slot of all work-items.
    fn slot_base(&self, b: &Builder, offset: u64) -> Value {
        let cx = self.module.cx();
        let items = b.mul_nuw(b.mul_nuw(self.enqueued(0), self.enqueued(1)), self.enqueued(2));
        b.byte_offset(self.group.param(GroupParams::SCRATCH), b.mul_nuw(items, cx.u64(offset)))
    }

    /// A kernel with barriers: clones each region into its nest.
    fn regions(&self, found: &Regions, plan: &Plan, generic: bool) -> Result<(), PassError> {
        for a in &plan.arrays {
            for u in a.users() {
                if u.is_instruction() && u.is_lifetime() {
                    u.erase();
                }
            }
        }
        let live = found.live();
        let b = Builder::before(self.prologue_end()?);
        let bases: Vec<Value> = plan.slots.iter().map(|s| self.slot_base(&b, s.offset)).collect();
        let variables: BTreeMap<Value, GroupVariable> = plan
            .group
            .iter()
            .map(|v| {
                let ty = v.ty();
                (*v, GroupVariable { between: b.alloca(ty, "group"), within: b.alloca(ty, "group.item") })
            })
            .collect();
        let nests: Vec<Option<Nest>> =
            live.iter().enumerate().map(|(n, live)| live.then(|| self.nest(&format!("region{n}")))).collect();
        let done = self.f.append_block("done");
        Builder::at_end(done).ret_void();
        for (n, nest) in nests.iter().enumerate() {
            let Some(nest) = nest else { continue };
            let item = Item {
                work: self,
                plan,
                bases: &bases,
                variables: &variables,
                entry: BTreeMap::new(),
                nest,
                index: None,
                addresses: BTreeMap::new(),
                outers: BTreeMap::new(),
            };
            self.region(found, plan, n, nest, item, &nests, done, generic)?;
        }
        if let Some(Some(nest)) = nests.first() {
            self.prologue_end()?.set_successor(0, nest.first);
        }
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "one step of `regions`, cut out for length")]
    fn region(
        &self,
        found: &Regions,
        plan: &Plan,
        n: usize,
        nest: &Nest,
        mut item: Item<'_, '_, '_>,
        nests: &[Option<Nest>],
        done: Block,
        generic: bool,
    ) -> Result<(), PassError> {
        let cx = self.module.cx();
        let region = &found.regions[n];
        let map = ValueMap::new();
        self.fill_record(nest);
        for (v, variable) in item.variables {
            if found.block_of(*v).is_some_and(|b| region.contains(b)) {
                let now = item.entry(*v, *variable);
                Builder::at_end(nest.item).store(now, variable.within, 0);
            }
        }
        for (slot, base) in plan.slots.iter().zip(&item.bases.to_vec()) {
            if slot.value.is_alloca() {
                let address = item.array(*slot, *base);
                map.set(slot.value, address);
            }
        }

        // Exits: one goes straight to the latch, several through stubs that say which.
        let state = (region.exits.len() > 1).then(|| {
            let b = match nest.latch.first() {
                Some(i) => Builder::before(i),
                None => Builder::at_end(nest.latch),
            };
            b.phi(cx.i32(), "next")
        });
        let mut targets: BTreeMap<Exit, Block> = BTreeMap::new();
        for (number, exit) in (0u32..).zip(&region.exits) {
            let target = match state {
                None => nest.latch,
                Some(phi) => {
                    let stub = self.f.append_block("exit");
                    Builder::at_end(stub).br(nest.latch);
                    phi.add_incoming(cx.u32(number), stub);
                    stub
                }
            };
            targets.insert(*exit, target);
        }
        for (barrier, next) in &found.barriers {
            if let Some(target) = targets.get(&Exit::Barrier(*next)) {
                map.set(barrier.value(), target.value());
            }
        }

        let suffix = format!(".r{n}");
        let mut clones = Vec::with_capacity(region.blocks.len());
        for b in &region.blocks {
            clones.push(map.clone_block(found.blocks[*b], &suffix, self.f));
        }
        for c in &clones {
            map.remap(*c);
        }
        for (b, clone) in region.blocks.iter().zip(&clones) {
            if let Some(t) = clone.terminator().filter(|t| t.opcode() == Opcode::Ret) {
                t.erase();
                let target = targets.get(&Exit::Return).copied().ok_or_else(|| Self::bug("a return nobody saw"))?;
                Builder::at_end(*clone).br(target);
            }
            // Edges from outside the region are gone.
            if let Some(phi) = found.blocks[*b].phis().first() {
                for (_, from) in phi.incoming() {
                    if !found.index.get(&from).is_some_and(|f| region.contains(*f)) {
                        clone.remove_predecessor(from);
                    }
                }
            }
        }

        // Values that come from elsewhere.
        for need in &plan.needs[n] {
            let Some(user) = map.get(need.user) else { continue };
            let phi = user.opcode() == Opcode::Phi;
            let again = plan.again.contains(&need.value);
            let incoming = if phi { self.incoming_of(need.user, need.operand, user, &map) } else { None };
            let value = if again || !need.inside {
                item.outer(need.value, &map)?
            } else {
                let at = match incoming {
                    Some((_, block)) => block.terminator(),
                    None => Some(user),
                };
                let b = Builder::before(at.ok_or_else(|| Self::bug("a block without terminator"))?);
                match item.variables.get(&need.value) {
                    Some(variable) => b.load(need.value.ty(), variable.within, 0),
                    None => item.load(need.value, &b)?,
                }
            };
            if phi {
                if let Some((operand, _)) = incoming {
                    user.set_incoming(operand, value);
                }
            } else {
                user.set_operand(need.operand, value);
            }
        }
        // Values others need.
        for slot in plan.slots.iter().filter(|s| !s.value.is_alloca()) {
            if !found.block_of(slot.value).is_some_and(|b| region.contains(b)) {
                continue;
            }
            let Some(value) = map.get(slot.value) else { continue };
            let at = if value.opcode() == Opcode::Phi { value.block().first_insertion_point() } else { value.next() };
            let b = Builder::before(at.ok_or_else(|| Self::bug("a value at the end of its block"))?);
            item.store(slot.value, value, &b)?;
        }
        let leave = Builder::at_end(nest.after);
        for (v, variable) in item.variables {
            if !found.block_of(*v).is_some_and(|b| region.contains(b)) {
                continue;
            }
            let Some(value) = map.get(*v) else { continue };
            let at = if value.opcode() == Opcode::Phi { value.block().first_insertion_point() } else { value.next() };
            Builder::before(at.ok_or_else(|| Self::bug("a value at the end of its block"))?).store(
                value,
                variable.within,
                0,
            );
            leave.store(leave.load(v.ty(), variable.within, 0), variable.between, 0);
        }
        let start = clones.first().copied().ok_or_else(|| Self::bug("an empty region"))?;
        Builder::at_end(nest.item).br(start);
        clones.push(nest.item);
        self.mark_parallel(&clones, generic);
        clones.pop();
        self.lower_items(nest, &clones)?;

        // Where to go when all are through.
        let block_of = |exit: &Exit| match exit {
            Exit::Return => done,
            Exit::Barrier(next) => nests.get(*next).and_then(Option::as_ref).map_or(done, |n| n.first),
        };
        let b = Builder::at_end(nest.after);
        match (state, region.exits.as_slice()) {
            (Some(state), [first, rest @ ..]) => {
                let cases: Vec<(Value, Block)> = (1u32..).zip(rest).map(|(n, e)| (cx.u32(n), block_of(e))).collect();
                b.switch(state, block_of(first), &cases);
            }
            (_, [only]) => {
                b.br(block_of(only));
            }
            _ => {
                b.unreachable();
            }
        }
        Ok(())
    }

    /// The incoming pair of the cloned PHI that stands for pair `operand` of the original.
    fn incoming_of(&self, original: Value, operand: u32, clone: Value, map: &ValueMap) -> Option<(u32, Block)> {
        let pairs = original.incoming();
        let from = pairs.get(operand as usize)?.1;
        let block = map.get(from.value())?;
        // Several edges from one block (a switch) carry the same value.
        let nth = pairs[..operand as usize].iter().filter(|p| p.1 == from).count();
        (0u32..).zip(clone.incoming()).filter(|(_, p)| p.1.value() == block).nth(nth).map(|(n, p)| (n, p.1))
    }
}
