//! `check`: makes kernels check their accesses while they run (`MUXCL_CHECK`).
//!
//! [`prepare()`] asks for inlining, so that a kernel's own body has all its accesses to the
//! application's memory. [`run`] gives each kernel one more argument, the address of a
//! [`State`](muxcl_types::check::State), and puts a call of the library's check (`check.cl`) in
//! front of each access. A check gets the *region* that the access must stay in: that of the
//! argument, or of the allocation in which the pointer lies. Local and private memory is the
//! kernel's own (`variables`). Each access is a *site* with a number; the program's metadata has
//! the table. `barriers` checks that all work-items of a group reach the same barriers.
//!
//! Not checked: kernels of blocks, kernels that other kernels call, and images. Races are not
//! checked in kernels with a fence or an atomic operation that orders other accesses, or with both
//! work-group and sub-group barriers, because the pass does not follow such an order. Not here: the
//! texts of reports (`cl::core::check`).

mod barriers;
mod variables;

use std::collections::{BTreeMap, BTreeSet};
use std::mem::offset_of;

use muxcl_llvm::{Builder, Context, Function, Module, Opcode, Type, Value};
use muxcl_types::check::{ANYWHERE, Checks, EPOCHS, FIRST_ARGUMENT, Layout, Region, Site, how};
use muxcl_types::device::ContextRequirements;
use muxcl_types::program::{AddressQualifier, ArgInfo, ArgKind, ProgramInfo};

use crate::link_builtins::{self, BuiltinLibrary};
use crate::{PassError, local_memory, names, prepare};
use variables::{GroupMemory, Variable};

const GLOBAL: &str = "__muxcl_check_global";
const OWN: &str = "__muxcl_check_own";
const FIND: &str = "__muxcl_check_find";

/// The address spaces of the application's memory.
const SPACES: [u32; 3] = [GLOBAL_SPACE, local_memory::SPACE, GENERIC_SPACE];
const GLOBAL_SPACE: u32 = 1;
const CONSTANT_SPACE: u32 = 2;
/// Size in bytes of the memory that accesses out of bounds use instead: that of the largest type, a
/// vector of 16 numbers of 64 bits.
const SCRAP_BYTES: u64 = 128;
const GENERIC_SPACE: u32 = 4;

/// Asks for inlining of the application's functions, and of those of the library that access the
/// application's memory. Runs before the clean-up.
pub fn prepare(module: &Module<'_>, own: &BTreeSet<String>) {
    for f in module.definitions() {
        let reaches = f
            .ty()
            .params()
            .iter()
            .any(|ty| ty.is_pointer() && SPACES.contains(&ty.address_space()));
        let kernel = f.string_attribute(crate::KERNEL_ATTRIBUTE).is_some();
        if !kernel && (reaches || own.contains(&f.name())) {
            f.remove_attribute("noinline");
            f.add_attribute("alwaysinline");
        }
    }
}

/// Runs the pass. `word` is the size of a pointer in bytes.
///
/// # Errors
/// The library is damaged.
pub fn run<'c>(
    context: &'c Context,
    module: &mut Module<'c>,
    library: &dyn BuiltinLibrary,
    requirements: ContextRequirements,
    word: u32,
    info: &mut ProgramInfo,
) -> Result<(), PassError> {
    instrument(module, requirements, word, info);
    link_builtins::link(context, module, library)
}

fn instrument(
    module: &Module<'_>,
    requirements: ContextRequirements,
    word: u32,
    info: &mut ProgramInfo,
) {
    // All uses of a variable then are instructions, from which the accesses are found.
    local_memory::expand_constants(module);
    let mut sites = Vec::new();
    // Constructors are not checked: the driver launches them, without the hidden argument.
    let runs = info.visible_kernels().len();
    for kernel in prepare::kernels(module) {
        let name = kernel.name();
        let Some(entry) = info.kernels[..runs].iter_mut().find(|k| k.name == name) else {
            continue;
        };
        let own = kernel.is_declaration()
            || kernel.has_uses()
            || kernel.string_attribute(crate::BLOCK_ATTRIBUTE).is_some();
        if own {
            continue;
        }
        let kernel = with_state(module, kernel);
        let (count, args) = (entry.args.len(), std::mem::take(&mut entry.args));
        if let Some(first) = kernel.entry().first_insertion_point() {
            Instrumenter::new(module, kernel, first, requirements, &args, &mut sites).run();
        }
        debug_assert_eq!(count + 1, kernel.params().len());
        entry.args = args;
        entry.args.push(ArgInfo {
            kind: ArgKind::GlobalPointer,
            size: word,
            align: word,
            address: AddressQualifier::Global,
            ..ArgInfo::default()
        });
        entry.checked = true;
    }
    info.sites = sites;
}

/// Replaces the kernel by one with the hidden last argument.
fn with_state<'m>(module: &'m Module<'_>, kernel: Function<'m>) -> Function<'m> {
    let cx = module.cx();
    let name = kernel.name();
    let mut params = kernel.ty().params();
    params.push(cx.ptr(GLOBAL_SPACE));
    kernel.value().set_name("");
    let new = module.add_function(&name, cx.function(kernel.ty().ret(), &params));
    new.copy_attributes(kernel);
    // The kernel itself may only read, but its checks write reports.
    new.remove_attribute("memory");
    new.take_body(kernel);
    new.take_subprogram(kernel);
    for n in 0..u32::try_from(params.len()).unwrap_or(0) {
        for attribute in ["readonly", "writeonly", "readnone", "noalias"] {
            new.remove_param_attribute(n, attribute);
        }
    }
    kernel.erase();
    new
}

/// One access of the kernel.
struct Access<'m> {
    at: Value<'m>,
    pointer: Value<'m>,
    /// Bytes, as `i64`.
    bytes: Value<'m>,
    how: u32,
}

/// The memory that an access must stay in.
enum Base<'m> {
    /// The region with this number, as `i32`.
    Region(Value<'m>),
    /// Memory of the kernel.
    Own(Variable<'m>),
}

struct Instrumenter<'i, 'm, 'c> {
    module: &'m Module<'c>,
    kernel: Function<'m>,
    args: &'i [ArgInfo],
    sites: &'i mut Vec<Site>,
    requirements: ContextRequirements,
    checks: Checks,
    state: Value<'m>,
    /// A placeholder at the kernel's start. The pass inserts its code in front of it, and erases it
    /// at the end.
    start: Value<'m>,
    group: GroupMemory<'m>,
    variables: BTreeMap<Value<'m>, Option<Variable<'m>>>,
    /// Address and size in bytes of shadows that work-item 0 clears at the kernel's start.
    clears: Vec<(Value<'m>, Value<'m>)>,
    /// The number of the launch.
    launch: Value<'m>,
    /// The number of barriers that the work-item has passed.
    epoch: Option<Value<'m>>,
    /// The regions of pointers that are no arguments.
    found: BTreeMap<Value<'m>, Value<'m>>,
    /// The fields `low`, `size`, `init` and `race` of regions.
    fields: BTreeMap<Value<'m>, [Value<'m>; 4]>,
}

impl<'i, 'm, 'c> Instrumenter<'i, 'm, 'c> {
    fn new(
        module: &'m Module<'c>,
        kernel: Function<'m>,
        first: Value<'m>,
        requirements: ContextRequirements,
        args: &'i [ArgInfo],
        sites: &'i mut Vec<Site>,
    ) -> Self {
        let checks = requirements.checks;
        let instructions = kernel.instructions();
        let calls =
            |name: &str| instructions.iter().any(|i| i.callee().is_some_and(|f| f.name() == name));
        // The number of barriers that work-items have passed says nothing if they pass barriers of
        // both kinds.
        let both = calls(names::BARRIER) && calls(names::SUB_BARRIER);
        let ordered = both || instructions.iter().any(|i| orders(*i));
        let checks = Checks { race: checks.race && !ordered, ..checks };
        let state = kernel.params().last().copied().unwrap_or(kernel.param(0));
        state.set_name("check");
        let cx = module.cx();
        let b = Builder::before(first);
        let launch = b.load(cx.i32(), state, 4);
        launch.set_invariant_load();
        Self {
            module,
            kernel,
            args,
            sites,
            requirements,
            checks,
            state,
            start: b.alloca(cx.i8(), "start"),
            launch,
            group: GroupMemory::default(),
            variables: BTreeMap::new(),
            clears: Vec::new(),
            epoch: None,
            found: BTreeMap::new(),
            fields: BTreeMap::new(),
        }
    }

    fn run(&mut self) {
        let instructions = self.kernel.instructions();
        // The checks of accesses would hide what is uniform.
        let may_diverge = self.checks.divergence && self.may_diverge();
        if self.checks.race {
            self.count_barriers(&instructions);
        }
        if self.checks.memory || self.checks.race {
            let accesses: Vec<Access<'m>> =
                instructions.iter().flat_map(|i| self.accesses(*i)).collect();
            for access in accesses {
                self.check(&access);
            }
        }
        if may_diverge {
            self.check_barriers(&instructions);
        }
        self.clear_shadows();
        self.start.erase();
    }

    /// Keeps the number of barriers that the work-item has passed.
    fn count_barriers(&mut self, instructions: &[Value<'m>]) {
        let cx = self.module.cx();
        let b = self.at_start();
        let epoch = b.alloca(cx.i32(), "epoch");
        b.store(cx.u32(0), epoch, 4);
        self.epoch = Some(epoch);
        let barrier = |i: &&Value<'m>| {
            i.is_call() && i.callee().is_some_and(|f| names::is_barrier(&f.name()))
        };
        for call in instructions.iter().filter(barrier) {
            let b = Builder::before(*call);
            let next = b.add(b.load(cx.i32(), epoch, 4), cx.u32(1));
            b.store(b.umin(next, cx.u32(EPOCHS)), epoch, 4);
        }
    }

    /// The accesses that an instruction makes.
    fn accesses(&self, i: Value<'m>) -> Vec<Access<'m>> {
        let sized = |pointer: Value<'m>, value: Value<'m>, how: u32, align: u32| {
            let bytes = self.module.cx().u64(self.module.size_of(value.ty()));
            // Volatile counts as atomic: older programs synchronise by spinning on such variables.
            let atomic = if i.is_volatile() || i.is_atomic() { how::ATOMIC } else { 0 };
            let log = align.max(1).trailing_zeros() << how::ALIGN_SHIFT;
            vec![Access { at: i, pointer, bytes, how: how | atomic | log }]
        };
        match i.opcode() {
            Opcode::Load => {
                let used = if is_used(i) { how::USED } else { 0 };
                sized(i.operand(0), i, used, i.align())
            }
            Opcode::Store => sized(i.operand(1), i.operand(0), how::WRITE, i.align()),
            Opcode::AtomicRmw | Opcode::AtomicCmpXchg => {
                sized(i.operand(0), i.operand(1), how::WRITE | how::USED, 1)
            }
            Opcode::Call => self.transfers(i),
            _ => Vec::new(),
        }
    }

    /// The accesses of `memcpy` and the like.
    fn transfers(&self, call: Value<'m>) -> Vec<Access<'m>> {
        let Some(name) = call.callee().map(Function::name) else { return Vec::new() };
        let copies = name.starts_with("llvm.memcpy.") || name.starts_with("llvm.memmove.");
        if !copies && !name.starts_with("llvm.memset.") {
            return Vec::new();
        }
        let args = call.args();
        let bytes = Builder::before(call).zext_or_trunc(args[2], self.module.cx().i64());
        let of = |pointer, how| Access { at: call, pointer, bytes, how };
        let mut out = vec![of(args[0], how::WRITE)];
        if copies {
            out.push(of(args[1], 0));
        }
        out
    }

    /// Adds the check of an access; `None` if it needs none.
    fn check(&mut self, access: &Access<'m>) -> Option<()> {
        let cx = self.module.cx();
        let b = Builder::before(access.at);
        b.set_location(access.at);
        let (base, object) = self.base(access)?;
        let mut how = access.how;
        how |= if self.checks.memory { how::MEMORY } else { 0 };
        // Nothing writes constant memory.
        let race = self.checks.race && access.pointer.ty().address_space() != CONSTANT_SPACE;
        how |= if race { how::RACE } else { 0 };
        let site = cx.u32(site(self.sites, access.at, object));
        let address = b.ptr_to_int(access.pointer, cx.i64());
        let epoch = match self.epoch {
            Some(epoch) => b.load(cx.i32(), epoch, 4),
            None => cx.u32(0),
        };
        match base {
            Base::Region(region) => {
                let [low, size, init, race] = self.fields(region)?;
                let rest = [address, access.bytes, cx.u32(how), site, epoch, self.launch];
                let args = [&[self.state, region, low, size, init, race][..], &rest].concat();
                let inside = b.call(self.typed(GLOBAL, cx.i1(), &args), &args);
                self.divert(&b, access, inside);
            }
            Base::Own(Variable { start, size, init, race }) => {
                let low = b.ptr_to_int(start, cx.i64());
                let rest = [address, access.bytes, cx.u32(how), site, epoch, self.launch];
                let args = [&[self.state, low, size, init, race][..], &rest].concat();
                let inside = b.call(self.typed(OWN, cx.i1(), &args), &args);
                self.divert(&b, access, inside);
            }
        }
        Some(())
    }

    /// The fields of a region, loaded where its number becomes known: they do not change while the
    /// kernel runs.
    fn fields(&mut self, region: Value<'m>) -> Option<[Value<'m>; 4]> {
        if let Some(known) = self.fields.get(&region) {
            return Some(*known);
        }
        let cx = self.module.cx();
        let at = if region.is_instruction() { region.next()? } else { self.start };
        let b = Builder::before(at);
        let number = b.zext_or_trunc(region, cx.i64());
        let start = b.mul(number, cx.u64(size_of::<Region>() as u64));
        let table = b.byte_offset(self.state, cx.u64(Layout::REGIONS_AT as u64));
        let entry = b.byte_offset(table, start);
        let load = |offset: usize| {
            let field = b.load(cx.i64(), b.byte_offset(entry, cx.u64(offset as u64)), 8);
            field.set_invariant_load();
            field
        };
        let fields = [
            load(offset_of!(Region, low)),
            load(offset_of!(Region, size)),
            load(offset_of!(Region, init)),
            load(offset_of!(Region, race)),
        ];
        self.fields.insert(region, fields);
        Some(fields)
    }

    /// Lets an access that is not inside its region use other memory instead, so that it harms
    /// nothing and the kernel lives to report it.
    fn divert(&self, b: &Builder<'m>, access: &Access<'m>, inside: Value<'m>) {
        let fits = access.bytes.as_u64().is_some_and(|n| n <= SCRAP_BYTES);
        if access.at.is_call() || !fits || access.pointer.ty().address_space() == GENERIC_SPACE {
            return;
        }
        let scrap = b.byte_offset(self.state, self.module.cx().u64(Layout::SCRAP_AT as u64));
        let scrap = match access.pointer.ty() {
            ty if ty.address_space() == GLOBAL_SPACE => scrap,
            ty => b.address_space_cast(scrap, ty),
        };
        let operand = if access.at.opcode() == Opcode::Store { 1 } else { 0 };
        access.at.set_operand(operand, b.select(inside, access.pointer, scrap));
    }

    /// The memory in which an access must stay, and its name; `None` if it needs no check.
    fn base(&mut self, access: &Access<'m>) -> Option<(Base<'m>, String)> {
        let cx = self.module.cx();
        let object = access.pointer.underlying_object();
        let space = object.ty().address_space();
        let argument = self.kernel.params().iter().position(|p| *p == object);
        if let Some(n) = argument {
            let arg = self.args.get(n)?;
            let region = cx.u32(FIRST_ARGUMENT + u32::try_from(n).ok()?);
            return match arg.kind {
                ArgKind::GlobalPointer | ArgKind::ConstantPointer => {
                    Some((Base::Region(region), arg.name.clone()))
                }
                ArgKind::LocalPointer => {
                    Some((Base::Own(self.variable(object)?), arg.name.clone()))
                }
                _ => None,
            };
        }
        if let Some(variable) = self.variable(object) {
            let traced = [variable.init, variable.race].iter().any(|v| v.as_u64() != Some(0));
            if !traced && self.is_inside(access, object, variable.size) {
                return None;
            }
            return Some((Base::Own(variable), object.name()));
        }
        if object.is_alloca() || object.is_global_variable() {
            return None;
        }
        if !matches!(space, GLOBAL_SPACE | CONSTANT_SPACE | GENERIC_SPACE) || object.is_constant() {
            return None;
        }
        let region = match self.found.get(&object) {
            Some(region) => *region,
            None => {
                let region = self.find(object)?;
                self.found.insert(object, region);
                region
            }
        };
        Some((Base::Region(region), String::new()))
    }

    /// True if an access is known to lie inside `object`, which has `size` bytes.
    fn is_inside(&self, access: &Access<'m>, object: Value<'m>, size: Value<'m>) -> bool {
        let (base, distance) = access.pointer.base_in(self.kernel);
        let end = |at: u64| at.checked_add(access.bytes.as_u64()?);
        let end = u64::try_from(distance).ok().and_then(end);
        base == object && end.zip(size.as_u64()).is_some_and(|(end, size)| end <= size)
    }

    /// Searches the region of a pointer where the pointer is computed.
    fn find(&self, pointer: Value<'m>) -> Option<Value<'m>> {
        let cx = self.module.cx();
        if !pointer.is_instruction() {
            return Some(cx.u32(ANYWHERE));
        }
        let at = match pointer.opcode() {
            Opcode::Phi => pointer.block().first_insertion_point()?,
            _ => pointer.next()?,
        };
        let b = Builder::before(at);
        b.set_location(at);
        let args = [self.state, b.ptr_to_int(pointer, cx.i64())];
        Some(b.call(self.typed(FIND, cx.i32(), &args), &args))
    }

    fn typed(&self, name: &str, result: Type<'m>, args: &[Value<'m>]) -> Function<'m> {
        typed(self.module, name, result, args)
    }
}

/// The function of the library with this name, result, and types of arguments.
fn typed<'m>(
    module: &'m Module<'_>,
    name: &str,
    result: Type<'m>,
    args: &[Value<'m>],
) -> Function<'m> {
    let types: Vec<_> = args.iter().map(|v| v.ty()).collect();
    let f = module.get_or_add_function(name, module.cx().function(result, &types));
    f.add_attribute("nounwind");
    f
}

/// The number of a new site in the table.
fn site(sites: &mut Vec<Site>, at: Value<'_>, object: String) -> u32 {
    let number = u32::try_from(sites.len()).unwrap_or(u32::MAX);
    sites.push(Site { place: at.source_line(), object });
    number
}

/// True for a fence or an atomic operation that orders other accesses.
fn orders(i: Value<'_>) -> bool {
    i.opcode() == Opcode::Fence || (i.is_atomic() && !i.is_relaxed())
}

/// True if the code computes with the value of a load. Copies of structures and of vectors may
/// contain bytes that nothing has written and nothing reads.
fn is_used(load: Value<'_>) -> bool {
    let mut seen = BTreeSet::from([load]);
    let mut work = vec![load];
    while let Some(value) = work.pop() {
        for user in value.users() {
            match user.opcode() {
                Opcode::Store if user.operand(0) == value => {}
                Opcode::InsertElement
                | Opcode::ShuffleVector
                | Opcode::Phi
                | Opcode::BitCast
                | Opcode::InsertValue
                | Opcode::ExtractValue
                | Opcode::Freeze => {
                    if seen.insert(user) {
                        work.push(user);
                    }
                }
                // They choose one of several values, of which one may have been written.
                Opcode::ExtractElement | Opcode::Select => {}
                _ => return true,
            }
        }
    }
    false
}
