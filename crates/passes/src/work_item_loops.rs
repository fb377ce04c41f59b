//! `work-item-loops`: turns a kernel into the function of one work-group.
//!
//! ```text
//! prologue -> [region 0: for z, y, x: blocks] -> which barrier?
//!          -> [region n: for z, y, x: blocks] -> ... -> return
//! ```
//! Each barrier region ([`crate::regions`]) becomes a loop nest over the work-items, with a clone
//! of its blocks. The innermost dimension is x, or the one that `dimension` chooses. Scratch memory
//! ([`crate::slots`]) holds values and arrays that live across barriers. The specification requires
//! all work-items to reach the same barrier, so the exit of the last one selects the next region.
//! This holds for any control flow.
//!
//! Memory accesses are marked parallel, except those to memory that the compiler itself makes the
//! iterations share (private variables): the specification makes work-items independent between
//! barriers.
//!
//! A kernel with sub-group barriers goes through the pass twice. The first time gives the function
//! of one sub-group, with loops over its work-items between barriers of either kind. The second
//! time gives the function of the work-group, with loops over sub-groups between work-group
//! barriers (`sub_groups`). A kernel with operations between lanes ([`crate::cross_lane`]) has no
//! sub-group barriers. A loop over the work-items of a sub-group then extends from one work-group
//! barrier to the next, and `vecz` makes one vector of it. Therefore the loop always has the full
//! number of iterations; those without a work-item do nothing. Not here: loops over groups,
//! arguments, and the kernel ABI ([`crate::kernel_abi`]).

mod dimension;
mod forward_progress;
mod item;
mod joins;
mod kept;
mod nest;
mod region;
mod sub_groups;

use muxcl_llvm::{AccessGroup, Block, Builder, Function, Linkage, Module, Opcode, Value};

pub(crate) use dimension::{long_and_wide, order};
pub(crate) use forward_progress::may_wait;

use crate::local_memory::{self, Layout};
use crate::names::{CHECK_BYTES, CHECK_MEMORY, GROUP_SCRATCH, WorkItem};
use crate::regions::{self, Regions};
use crate::slots::{self, Plan};
use crate::uniformity::{self, Uniformity};
use crate::vectorize::Options;
use crate::work_items::{Field, ItemRecord, RECORD, Values};
use crate::{PassError, cross_lane};
use nest::{Level, Nest, SubGroup};

/// Properties of the NDRange that the pass may rely on.
#[derive(Debug, Clone, Copy)]
pub struct Config {
    /// The local size, if it is known.
    pub local_size: Option<[u32; 3]>,
    /// All groups are full.
    pub uniform: bool,
    /// All global ids are below 2^31.
    pub small_ids: bool,
    /// Number of work-items in a full sub-group.
    pub sub_group: u32,
    /// How work-items become lanes, if they may.
    pub lanes: Option<Options>,
}

/// The function of one work-group: the kernel's parameters, then [`GroupParams`].
#[derive(Debug, Clone, Copy)]
pub struct GroupFunction<'m> {
    /// The function.
    pub function: Function<'m>,
    /// Number of parameters that belong to the kernel.
    pub kernel_params: u32,
    /// Scratch memory, in bytes per work-item of a full group.
    pub scratch_per_item: u64,
    /// Scratch memory, in bytes per group.
    pub scratch_per_group: u64,
    /// Number of barrier regions.
    pub regions: usize,
}

/// The parameters after the kernel's own, by number.
#[derive(Debug, Clone, Copy)]
pub struct GroupParams;

impl GroupParams {
    /// Group id, size of this group, size of a full group, number of groups, offset, global size:
    /// three words each.
    pub const FIELDS: [Field; 6] = [
        Field::GroupId,
        Field::LocalSize,
        Field::Enqueued,
        Field::NumGroups,
        Field::Offset,
        Field::GlobalSize,
    ];
    /// Sizes of this group and of a full group.
    pub(crate) const LOCAL_SIZES: [u32; 6] = [3, 4, 5, 6, 7, 8];
    /// Rank of the NDRange.
    pub const RANK: u32 = 18;
    /// Address of the local memory.
    pub const LOCAL: u32 = 19;
    /// Address of the scratch memory.
    pub const SCRATCH: u32 = 20;
    /// Address of `HostExtra`.
    pub const EXTRA: u32 = 21;

    /// The parameter number of a field.
    pub fn of(field: Field, dimension: u32) -> u32 {
        let n = Self::FIELDS.iter().position(|f| *f == field).unwrap_or(0);
        u32::try_from(3 * n).unwrap_or(0) + dimension
    }
}

/// True if the function gives different results for different work-items of a group.
pub(crate) fn differs_between_items(what: WorkItem) -> bool {
    Level::Items.differs(what)
}

/// Runs the pass on one kernel. `locals`: the layout of its local memory.
///
/// # Errors
/// The kernel has private arrays of variable length, or IR that earlier passes should have removed.
pub fn run<'m>(
    module: &'m Module<'_>,
    kernel: Function<'m>,
    locals: &Layout<'m>,
    config: Config,
) -> Result<GroupFunction<'m>, PassError> {
    let cx = module.cx();
    let mut params = kernel.ty().params();
    let kernel_params = u32::try_from(params.len()).unwrap_or(0);
    params.extend([cx.i64(); 18]);
    params.extend([cx.i32(), cx.ptr(3), cx.ptr(0), cx.ptr(0)]);
    let f =
        module.add_function(&format!("{}.group", kernel.name()), cx.function(cx.void(), &params));
    f.copy_attributes(kernel);
    f.take_body(kernel);
    f.set_linkage(Linkage::Internal);
    for name in ["memory", "noinline", "optnone"] {
        f.remove_attribute(name);
    }
    for (n, name) in (0u32..).zip(["group", "size", "full", "groups", "offset", "global"]) {
        for (d, axis) in (0u32..).zip(["x", "y", "z"]) {
            f.param(kernel_params + 3 * n + d).set_name(&format!("{name}.{axis}"));
        }
    }
    f.param(kernel_params + GroupParams::RANK).set_name("rank");
    for (n, name) in [
        (GroupParams::LOCAL, "local"),
        (GroupParams::SCRATCH, "scratch"),
        (GroupParams::EXTRA, "extra"),
    ] {
        f.param(kernel_params + n).set_name(name);
    }
    f.add_param_attribute(kernel_params + GroupParams::SCRATCH, "noalias", 0);

    let group = GroupValues { f, kernel_params, width: config.sub_group.max(1) };
    let large = f.instructions().len() > LARGEST_VECTORIZED;
    let known =
        forward_progress::asks_about_sub_groups(module, f) || sub_groups::has_barriers(module, f);
    let spins = known && forward_progress::mark_spin_loops(module, f);
    let lockstep = cross_lane::has_operations(f);
    let by_lanes = spins || lockstep || sub_groups::has_barriers(module, f);
    if by_lanes {
        sub_groups::split_cycles(f);
    }
    let mut work = GroupFunctionBuilder {
        module,
        f,
        group,
        config,
        level: if by_lanes { Level::Lanes } else { Level::Items },
        innermost: 0,
        prologue: prologue_of(f),
        record: None,
        access: None,
        sub_group: None,
        large,
        lockstep,
    };
    work.normalise()?;
    let local_base = f.param(kernel_params + GroupParams::LOCAL);
    local_memory::replace(f, locals, local_base, work.prologue_end()?);
    work.make_record(module);

    let mut regions = 0;
    if by_lanes {
        regions += work.loops()?.1;
        work.sub_group_scratch()?;
        sub_groups::clean(module, f)?;
        work = GroupFunctionBuilder {
            level: Level::SubGroups,
            prologue: prologue_of(f),
            record: None,
            access: None,
            sub_group: None,
            ..work
        };
        work.normalise()?;
    }
    let (plan, count) = work.loops()?;
    regions += count;
    let mut result = GroupFunction {
        function: f,
        kernel_params,
        scratch_per_item: plan.bytes,
        scratch_per_group: 0,
        regions,
    };
    work.group_memory(&mut result)?;
    clean_prologue(f);
    Ok(result)
}

fn clean_prologue(f: Function<'_>) {
    f.remove_unreachable();
    for a in f.entry().instructions() {
        if a.is_alloca() && !a.has_uses() {
            a.erase();
        }
    }
}

fn prologue_of(f: Function<'_>) -> Block<'_> {
    f.remove_unreachable();
    f.append_block("prologue")
}

/// Largest kernel, in instructions, whose work-item loops LLVM's loop vectorizer processes. The
/// vectorizer's time grows with the square of the loop body: two seconds for 3000 instructions, a
/// minute for 12000. Such bodies seldom gain from it.
const LARGEST_VECTORIZED: usize = 2000;

/// The uniform values of the group function.
#[derive(Clone, Copy)]
struct GroupValues<'m> {
    f: Function<'m>,
    kernel_params: u32,
    width: u32,
}

impl<'m> GroupValues<'m> {
    fn param(self, n: u32) -> Value<'m> {
        self.f.param(self.kernel_params + n)
    }
}

impl<'m> Values<'m> for GroupValues<'m> {
    fn get(&self, b: &Builder<'m>, field: Field, dimension: u32) -> Value<'m> {
        if field == Field::LocalId {
            // each work-item fills in the record's local ids
            return b.block().function().cx().u64(0);
        }
        self.param(GroupParams::of(field, dimension))
    }
    fn work_dim(&self, _b: &Builder<'m>) -> Value<'m> {
        self.param(GroupParams::RANK)
    }
    fn extra(&self, _b: &Builder<'m>) -> Value<'m> {
        self.param(GroupParams::EXTRA)
    }
    fn local_base(&self, _b: &Builder<'m>) -> Value<'m> {
        self.param(GroupParams::LOCAL)
    }
    fn width(&self) -> u32 {
        self.width
    }
}

/// The group function under construction, and the state that its parts share.
struct GroupFunctionBuilder<'m, 'c> {
    module: &'m Module<'c>,
    f: Function<'m>,
    group: GroupValues<'m>,
    config: Config,
    level: Level,
    /// The dimension of the innermost loop, at level [`Level::Items`].
    innermost: u32,
    prologue: Block<'m>,
    record: Option<Value<'m>>,
    access: Option<AccessGroup<'m>>,
    /// The values of the sub-group at level [`Level::Lanes`], once they are computed.
    sub_group: Option<SubGroup<'m>>,
    /// True if the kernel is too large for LLVM's loop vectorizer.
    large: bool,
    /// True if the kernel has operations between lanes, so that `vecz` must make one vector of the
    /// work-items of a sub-group.
    lockstep: bool,
}

impl<'m> GroupFunctionBuilder<'m, '_> {
    fn bug(what: &str) -> PassError {
        PassError::Internal { pass: "work-item-loops", what: what.to_owned() }
    }

    fn prologue_end(&self) -> Result<Value<'m>, PassError> {
        self.prologue.terminator().ok_or_else(|| Self::bug("the prologue has no terminator"))
    }

    fn body_entry(&self) -> Result<Block<'m>, PassError> {
        self.prologue
            .successors()
            .first()
            .copied()
            .ok_or_else(|| Self::bug("the prologue has no successor"))
    }

    /// Moves all allocas to a prologue.
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
            if self.level != Level::SubGroups {
                i.mark(muxcl_vecz::PRIVATE);
            }
        }
        Ok(())
    }

    /// Creates the item record, if a function outside the kernel needs it.
    fn make_record(&mut self, module: &'m Module<'_>) {
        let Some(placeholder) = module.function(RECORD) else { return };
        let calls: Vec<Value<'m>> = placeholder
            .direct_calls()
            .into_iter()
            .filter(|c| c.block().function() == self.f)
            .collect();
        if calls.is_empty() {
            return;
        }
        let Some(end) = self.prologue.terminator() else { return };
        let b = Builder::before(end);
        let record = b.alloca(ItemRecord::ty(module.cx()), "item.record");
        ItemRecord::fill_group(&b, record, &self.group);
        for c in calls {
            c.replace_all_uses(record);
            c.erase();
        }
        self.record = Some(record);
    }

    /// Makes the loops of this level. Returns the plan of the values and the number of regions.
    fn loops(&mut self) -> Result<(Plan<'m>, usize), PassError> {
        let body = self.body_entry()?;
        let level = self.level;
        let split = |known: &[Block<'m>]| {
            regions::split(self.f, &sub_groups::barriers(self.module, level), known)
        };
        let mut barriers = split(&[]);
        let mut found = regions::find(self.f, body, &barriers);
        let analyse = |found: &Regions<'m>| uniformity::analyse(found, &|what| level.differs(what));
        let mut uniform = if barriers.is_empty() { Uniformity::default() } else { analyse(&found) };
        // The last iteration normally selects the next region, and leaves the values that are kept
        // once per group. If it may have no work-item, it can do neither.
        let missing = self.last_may_be_missing();
        let several = |found: &Regions<'m>| found.regions.iter().any(|r| r.exits.len() > 1);
        let divergent = level == Level::Lanes
            && (sub_groups::diverge(&found, &uniform) || missing && several(&found));
        if divergent {
            sub_groups::add_reconvergence_points(self.module, self.f);
            barriers = split(&barriers);
            found = regions::find(self.f, body, &barriers);
        }
        let may_join = |block| divergent || uniform.all_reach(block);
        let joins = !sub_groups::yields(&found) && joins::add(self.module, &found, may_join);
        if joins {
            barriers = split(&barriers);
            found = regions::find(self.f, body, &barriers);
        }
        if divergent || joins {
            uniform = analyse(&found);
        }
        if level == Level::Items && self.record.is_none() {
            self.innermost = dimension::choose(self.module, self.f, self.config);
        }
        let allocas: Vec<Value<'m>> = self
            .prologue
            .instructions()
            .into_iter()
            // the loop fills the record again for each work-item
            .filter(|i| i.is_alloca() && Some(*i) != self.record)
            .collect();
        if self.level != Level::SubGroups {
            self.access = Some(AccessGroup::new(self.module.cx()));
        }
        let generic_is_parallel = !allocas.iter().any(|a| slots::escapes(*a));
        let mut plan = Plan::default();
        if barriers.is_empty() {
            if self.level == Level::Lanes {
                self.make_sub_group()?;
            }
            self.single(body, &found, generic_is_parallel)?;
        } else {
            let largest =
                if level == Level::SubGroups { sub_groups::LARGEST_ON_STACK } else { u64::MAX };
            let in_progress_loop = level == Level::SubGroups && sub_groups::yields(&found);
            plan = slots::plan(
                self.module,
                &found,
                &allocas,
                Some(&uniform).filter(|_| !divergent && !in_progress_loop && !missing),
                largest,
            );
            if level == Level::Lanes {
                self.make_sub_group()?;
            }
            let paths = if divergent {
                Some(self.paths(&found)?)
            } else if in_progress_loop {
                plan.bytes += 8;
                Some(self.progress_paths(&found, plan.bytes - 8)?)
            } else {
                None
            };
            self.regions(&found, &plan, generic_is_parallel, paths.as_ref())?;
        }
        self.f.remove_unreachable();
        Ok((plan, found.regions.len()))
    }

    fn fill_record(&self, nest: &Nest<'m>) {
        if let Some(record) = self.record {
            ItemRecord::fill_item(&Builder::at_end(nest.item), record, nest.local);
        }
    }

    /// A kernel without barriers keeps its blocks in place.
    fn single(&self, body: Block<'m>, found: &Regions<'m>, generic: bool) -> Result<(), PassError> {
        let nest = self.nest("items", false);
        for b in &found.blocks {
            if let Some(t) = b.terminator().filter(|t| t.opcode() == Opcode::Ret) {
                t.erase();
                Builder::at_end(*b).br(nest.latch);
            }
        }
        self.fill_record(&nest);
        self.begin(&nest, body);
        self.prologue_end()?.set_successor(0, nest.first);
        Builder::at_end(nest.after).ret_void();
        let blocks: Vec<Block<'m>> =
            found.blocks.iter().copied().filter(|b| *b != self.prologue).collect();
        self.mark_parallel(&blocks, generic, &[]);
        self.lower_items(&nest, &blocks)
    }

    fn mark_parallel(&self, blocks: &[Block<'m>], generic: bool, slots: &[Value<'m>]) {
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
                _ => {
                    let object = pointer.underlying_object();
                    object == self.group.param(GroupParams::SCRATCH) || slots.contains(&object)
                }
            };
            if ours && !i.is_volatile() {
                i.add_access_group(group);
            }
        }
    }

    /// Memory of the group behind all slots: that of the checks ([`CHECK_MEMORY`]), then the
    /// scratch memory for collectives, which is one word per work-item, and eight words.
    fn group_memory(&self, result: &mut GroupFunction<'m>) -> Result<(), PassError> {
        let (check, scratch) = (self.queries(CHECK_MEMORY), self.queries(GROUP_SCRATCH));
        if check.is_empty() && scratch.is_empty() {
            self.count_by_item(result);
            return Ok(());
        }
        let b = Builder::before(self.prologue_end()?);
        let mut base = self.slot_base(&b, result.scratch_per_item);
        self.count_by_item(result);
        let answer = |queries: Vec<Value<'m>>, base: Value<'m>| {
            for query in queries {
                let p = Builder::before(query).address_space_cast(base, query.ty());
                query.replace_all_uses(p);
                query.erase();
            }
        };
        if !check.is_empty() {
            let bytes = self.f.string_attribute(CHECK_BYTES).and_then(|text| text.parse().ok());
            let bytes: u64 = bytes.ok_or_else(|| Self::bug("checks without the size of memory"))?;
            answer(check, base);
            base = b.byte_offset(base, self.module.cx().u64(bytes));
            result.scratch_per_group += bytes;
        }
        if !scratch.is_empty() {
            answer(scratch, base);
            result.scratch_per_item += 8;
            result.scratch_per_group += 64;
        }
        Ok(())
    }

    /// The calls of the function `name` in this function.
    fn queries(&self, name: &str) -> Vec<Value<'m>> {
        let calls = self.module.function(name).map_or_else(Vec::new, Function::direct_calls);
        calls.into_iter().filter(|c| c.block().function() == self.f).collect()
    }

    /// The address of a slot, for all iterations of the loops.
    fn slot_base(&self, b: &Builder<'m>, offset: u64) -> Value<'m> {
        let cx = self.module.cx();
        b.byte_offset(
            self.group.param(GroupParams::SCRATCH),
            b.mul_nuw(self.count_of_full(b), cx.u64(offset)),
        )
    }

    /// The addresses of a plan's slots. For the work-items of one sub-group, slots are local
    /// variables.
    fn slot_bases(&self, plan: &Plan<'m>) -> Result<Vec<Value<'m>>, PassError> {
        let b = Builder::before(self.prologue_end()?);
        Ok(plan
            .slots
            .iter()
            .map(|s| {
                if self.level != Level::Lanes {
                    return self.slot_base(&b, s.offset);
                }
                let cx = self.module.cx();
                let bytes = cx.array(cx.i8(), s.stride * u64::from(self.group.width));
                let slot = b.alloca(bytes, "slot");
                slot.set_align(u32::try_from(s.align).unwrap_or(1));
                slot
            })
            .collect())
    }
}
