//! `kernel-abi`: wraps the function of one group in `void k(const void *packed_args, const
//! SchedInfo64 *sched)`.
//!
//! The wrapper unpacks the arguments, assigns local arguments their part of the worker's local
//! memory, and runs the box of groups `[group_id_start, group_id_start + num_groups_per_call)`. A
//! call covers at least one group in each dimension. `muxcl_types::{sched, pack}` define the
//! layouts.
//!
//! For a device behind a HAL ([`Abi::Hal`]), that wrapper is internal, and `hal_entry` adds the
//! entry point around it. The entry point reads the device's schedule structure and the hidden
//! argument, takes local memory and scratch memory from the stack, and passes on what the host
//! would pass. Not here: code generation.

mod hal_entry;

use muxcl_llvm::{Block, Builder, Function, IntPredicate, Linkage, LoopHints, Module, Type, Value};
use muxcl_types::pack;
use muxcl_types::program::{ArgKind, KernelInfo};
use muxcl_types::sched::LOCAL_ALIGN;

use crate::PassError;
use crate::combine_atomics::Combined;
use crate::work_item_loops::{Config, GroupFunction, order};

/// Properties of the launch that the wrapper may rely on, and one that it must provide.
#[derive(Debug, Clone, Copy)]
pub struct Assume {
    /// Local size and uniformity of the NDRange.
    pub config: Config,
    /// The global offset is zero.
    pub zero_offset: bool,
    /// The wrapper must zero local memory for each group.
    pub zero_local: bool,
    /// The dimension of the innermost loop over groups.
    pub along: u8,
    /// The thread's table combines the atomic operations of the work-items.
    pub combined: Option<Combined>,
}

// Offsets in `SchedInfo64` and `HostExtra`. Tests in `muxcl_types` pin them.
const GROUP_START: u64 = 0;
const NUM_GROUPS: u64 = 24;
const OFFSET: u64 = 48;
const LOCAL_SIZE: u64 = 72;
const NUM_DIM: u64 = 84;
pub(crate) const PER_CALL: u64 = 88;
pub(crate) const EXTRA: u64 = 112;
const EXTRA_GLOBAL_SIZE: u64 = 0;
pub(crate) const EXTRA_LOCAL_MEM: u64 = 24;
pub(crate) const EXTRA_SCRATCH: u64 = 40;
pub(crate) const EXTRA_COMBINED: u64 = 88;
pub(crate) const EXTRA_COUNTS: u64 = 96;

/// The start of the symbol of an entry point, and of the functions that it calls for its groups.
pub(crate) const SYMBOL_PREFIX: &str = "muxcl.kernel.";
/// The end of the name of a function for one work-group.
pub(crate) const GROUP_SUFFIX: &str = ".group";

/// True if `function` is the entry point `symbol`, or one of the functions that it calls for its
/// groups (`.groups`, `.group`).
pub(crate) fn is_of_kernel(function: &str, symbol: &str) -> bool {
    function.strip_prefix(symbol).is_some_and(|rest| rest.is_empty() || rest.starts_with(".group"))
}

/// The kind of caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Abi {
    /// A worker of this process passes `SchedInfo64` with a `HostExtra`.
    Host,
    /// A HAL passes `SchedInfo32` or `SchedInfo64`, and `HalHidden` behind the arguments. Pointers
    /// of the device have `word` bytes (4 or 8).
    Hal {
        /// Size of a pointer, in bytes.
        word: u32,
    },
}

impl Abi {
    pub(crate) fn word(self) -> u32 {
        match self {
            Self::Host => 8,
            Self::Hal { word } => word,
        }
    }
}

/// Runs the pass: creates the entry point `symbol` and inlines the group function into it. Returns
/// the size of the packed arguments in bytes.
///
/// # Errors
/// The kernel's metadata does not match its function, or LLVM cannot inline.
pub fn run(
    module: &Module<'_>,
    group: GroupFunction<'_>,
    info: &KernelInfo,
    local_bytes: u64,
    assume: Assume,
    symbol: &str,
    abi: Abi,
) -> Result<u32, PassError> {
    match abi {
        Abi::Host => host_entry(module, group, info, local_bytes, assume, symbol, 8).map(|_| ())?,
        Abi::Hal { word } => {
            let name = format!("{symbol}.groups");
            let inner = host_entry(module, group, info, local_bytes, assume, &name, word)?;
            hal_entry::wrap(module, inner, &group, info, local_bytes, assume, symbol, word);
        }
    }
    Ok(match abi {
        Abi::Host => pack::layout(&info.args, abi.word()).size,
        Abi::Hal { word } => pack::hal_layout(&info.args, info.enqueues, word).0.size,
    })
}

fn host_entry<'m>(
    module: &'m Module<'_>,
    group: GroupFunction<'m>,
    info: &KernelInfo,
    local_bytes: u64,
    assume: Assume,
    symbol: &str,
    word: u32,
) -> Result<Function<'m>, PassError> {
    let cx = module.cx();
    let bug = |what: &str| PassError::Internal { pass: "kernel-abi", what: what.to_owned() };
    if info.args.len() != group.kernel_params as usize {
        return Err(bug("the metadata has another number of arguments"));
    }
    let f = entry_function(module, symbol, group.function, &[], word);
    let entry = f.append_block("entry");
    let b = Builder::at_end(entry);
    let start = three(&b, f.param(1), GROUP_START);
    let count = three(&b, f.param(1), PER_CALL);
    // With a large group function, the loops over groups call a separate function for one group,
    // because LLVM's loop passes are fast on shallow loop nests only. Otherwise the entry block
    // loads the values that all groups share, once.
    let table = assume.combined.map(|combined| combined.start(module, &b, f));
    let outline = group.regions > 1 || group.function.instructions().len() > OUTLINE_ABOVE;
    let body = outline.then(|| {
        let mut more = vec![cx.i64(); 3];
        more.extend(table.map(Value::ty));
        let name = format!("{symbol}{GROUP_SUFFIX}");
        let body = entry_function(module, &name, group.function, &more, word);
        body.set_linkage(Linkage::Internal);
        body.add_attribute("noinline");
        body
    });
    let shared = match body {
        Some(body) => CallValues::load(
            &Builder::at_end(body.append_block("entry")),
            body,
            group,
            info,
            local_bytes,
            assume,
            word,
        ),
        None => CallValues::load(&b, f, group, info, local_bytes, assume, word),
    };

    let exit = f.append_block("exit");
    let mut at = entry;
    let mut ids = [cx.u64(0); 3];
    let mut loops: Vec<(usize, Block<'m>, Value<'m>)> = Vec::new();
    let order = order(assume.along.into()).map(|d| d as usize);
    for d in order {
        let header = f.append_block(["group.x", "group.y", "group.z"][d]);
        Builder::at_end(at).br(header);
        let phi = Builder::at_end(header).phi(cx.i64(), ["gx", "gy", "gz"][d]);
        phi.add_incoming(start[d], at);
        ids[d] = phi;
        loops.push((d, header, phi));
        at = header;
    }
    let call = match body {
        None => shared.call(&Builder::at_end(at), group.function, ids, assume),
        Some(body) => {
            let mut args = vec![f.param(0), f.param(1), ids[0], ids[1], ids[2]];
            args.extend(table);
            Builder::at_end(at).call(body, &args);
            let b = Builder::at_end(body.entry());
            let call = shared.call(&b, group.function, [2, 3, 4].map(|n| body.param(n)), assume);
            b.ret_void();
            call
        }
    };
    let mut end = at;
    for (d, header, phi) in loops.into_iter().rev() {
        let b = Builder::at_end(end);
        let next = b.add_nuw(phi, cx.u64(1));
        // Computed in each iteration from the entry block's values: `start + count` is cheap, and
        // LLVM hoists it.
        let limit = b.add_nuw(start[d], count[d]);
        let more = b.icmp(IntPredicate::Ult, next, limit);
        phi.add_incoming(next, end);
        let out = if d == order[0] { exit } else { f.append_block("group.next") };
        b.cond_br(more, header, out).set_work_item_loop(LoopHints::default());
        end = out;
    }
    Builder::at_end(exit).ret_void();
    if !call.inline_call() {
        return Err(bug("the group function cannot be inlined"));
    }
    // The debug locations of the inlined code refer to the source function.
    body.unwrap_or(f).take_subprogram(group.function);
    group.function.erase();
    Ok(f)
}

/// Kernels with more instructions than this get a separate function for one group.
const OUTLINE_ABOVE: usize = 200;

/// Creates `void (const void *packed, const SchedInfo64 *sched, more...)` with the kernel's
/// attributes.
fn entry_function<'m>(
    module: &'m Module<'_>,
    name: &str,
    like: Function<'m>,
    more: &[Type<'m>],
    align: u32,
) -> Function<'m> {
    let cx = module.cx();
    let mut params = vec![cx.ptr(0), cx.ptr(0)];
    params.extend(more);
    let f = module.add_function(name, cx.function(cx.void(), &params));
    f.copy_function_attributes(like);
    for p in 0..2 {
        for name in ["noalias", "readonly", "nonnull", "noundef"] {
            f.add_param_attribute(p, name, 0);
        }
        f.add_param_attribute(p, "align", if p == 0 { align.into() } else { 8 });
    }
    f.param(0).set_name("packed");
    f.param(1).set_name("sched");
    f
}

fn three<'m>(b: &Builder<'m>, p: Value<'m>, at: u64) -> [Value<'m>; 3] {
    [0u64, 1, 2].map(|d| word(b, p, at + 8 * d))
}

fn word<'m>(b: &Builder<'m>, p: Value<'m>, at: u64) -> Value<'m> {
    load(b, p.cx().i64(), p, at, 8)
}

/// The values that all groups of a call share.
struct CallValues<'m> {
    args: Vec<Value<'m>>,
    num_groups: [Value<'m>; 3],
    offset: [Value<'m>; 3],
    enqueued: [Value<'m>; 3],
    global_size: [Value<'m>; 3],
    rest: [Value<'m>; 4],
    /// Size of the local memory, in bytes.
    local_size: Value<'m>,
}

impl<'m> CallValues<'m> {
    fn load(
        b: &Builder<'m>,
        f: Function<'m>,
        group: GroupFunction<'m>,
        info: &KernelInfo,
        local_bytes: u64,
        assume: Assume,
        pointer: u32,
    ) -> Self {
        let cx = f.cx();
        let (packed, sched) = (f.param(0), f.param(1));
        let num_groups = three(b, sched, NUM_GROUPS);
        let offset = if assume.zero_offset { [cx.u64(0); 3] } else { three(b, sched, OFFSET) };
        let enqueued = match assume.config.local_size {
            Some(size) => size.map(|n| cx.u64(n.into())),
            None => [0u64, 1, 2]
                .map(|d| b.zext(load(b, cx.i32(), sched, LOCAL_SIZE + 4 * d, 4), cx.i64())),
        };
        let rank = load(b, cx.i32(), sched, NUM_DIM, 4);
        let extra = load(b, cx.ptr(0), sched, EXTRA, 8);
        let global_size = if assume.config.uniform {
            [0, 1, 2].map(|d| b.mul_nuw(num_groups[d], enqueued[d]))
        } else {
            three(b, extra, EXTRA_GLOBAL_SIZE)
        };
        let local = load(b, cx.ptr(3), extra, EXTRA_LOCAL_MEM, 8);
        let scratch = load(b, cx.ptr(0), extra, EXTRA_SCRATCH, 8);
        let (args, local_size) = arguments(b, packed, local, group, info, local_bytes, pointer);
        Self {
            args,
            num_groups,
            offset,
            enqueued,
            global_size,
            rest: [rank, local, scratch, extra],
            local_size,
        }
    }

    /// Emits a call of the group function for one group.
    fn call(
        &self,
        b: &Builder<'m>,
        group: Function<'m>,
        ids: [Value<'m>; 3],
        assume: Assume,
    ) -> Value<'m> {
        let size = [0, 1, 2].map(|d| {
            if assume.config.uniform {
                return self.enqueued[d];
            }
            let rest = b.sub(self.global_size[d], b.mul_nuw(ids[d], self.enqueued[d]));
            b.umin(rest, self.enqueued[d])
        });
        if assume.zero_local && self.local_size.as_u64() != Some(0) {
            b.memset(self.rest[1], 0, self.local_size, u32::try_from(LOCAL_ALIGN).unwrap_or(1));
        }
        let mut args = self.args.clone();
        for list in [ids, size, self.enqueued, self.num_groups, self.offset, self.global_size] {
            args.extend(list);
        }
        args.extend(self.rest);
        b.call(group, &args)
    }
}

/// Unpacks the kernel's arguments and assigns local arguments their part of local memory. The
/// second result is the size of that memory.
fn arguments<'m>(
    b: &Builder<'m>,
    packed: Value<'m>,
    local: Value<'m>,
    group: GroupFunction<'m>,
    info: &KernelInfo,
    local_bytes: u64,
    pointer: u32,
) -> (Vec<Value<'m>>, Value<'m>) {
    let cx = packed.cx();
    let layout = pack::layout(&info.args, pointer);
    let mut args = Vec::new();
    let mut local_at = cx.u64(local_bytes.next_multiple_of(LOCAL_ALIGN));
    for (n, (arg, at)) in info.args.iter().zip(&layout.offsets).enumerate() {
        let number = u32::try_from(n).unwrap_or(0);
        let ty = group.function.param(number).ty();
        let at = u64::from(*at);
        if arg.kind == ArgKind::LocalPointer {
            args.push(b.byte_offset(local, local_at));
            let size = size_word(b, packed, at, pointer);
            local_at = b.add(local_at, rounded(b, size));
        } else if arg.kind == ArgKind::Value && ty.is_pointer() {
            // A structure passed by value: the kernel makes its own copy.
            args.push(b.byte_offset(packed, cx.u64(at)));
        } else if arg.kind == ArgKind::Image {
            // The packed arguments contain the descriptor itself.
            args.push(b.byte_offset(packed, cx.u64(at)));
        } else {
            let align = (1u32 << at.trailing_zeros().min(3)).min(pointer);
            args.push(load(b, ty, packed, at, align));
        }
    }
    (args, local_at)
}

/// The size of a local argument, in bytes.
fn size_word<'m>(b: &Builder<'m>, packed: Value<'m>, at: u64, pointer: u32) -> Value<'m> {
    let cx = packed.cx();
    if pointer == 8 {
        word(b, packed, at)
    } else {
        b.zext(load(b, cx.i32(), packed, at, 4), cx.i64())
    }
}

/// Rounds up to whole units of local memory.
fn rounded<'m>(b: &Builder<'m>, size: Value<'m>) -> Value<'m> {
    let cx = size.cx();
    b.and(b.add(size, cx.u64(LOCAL_ALIGN - 1)), cx.u64(!(LOCAL_ALIGN - 1)))
}

fn load<'m>(b: &Builder<'m>, ty: Type<'m>, p: Value<'m>, at: u64, align: u32) -> Value<'m> {
    let v = b.load(ty, b.byte_offset(p, ty.cx().u64(at)), align);
    v.set_invariant_load();
    v
}

/// Deletes the original kernel after [`run`], unless other code still refers to it.
pub fn erase_original(kernel: Function<'_>) {
    if !kernel.has_uses() {
        kernel.erase();
    }
}
