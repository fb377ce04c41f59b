//! The entry point of a kernel behind a HAL: `void k(const void *packed, const
//! hal_sched_info_{32,64}_t *sched)`.
//!
//! ```text
//! stack, downwards:  SchedInfo64 | HostExtra | local memory | scratch | <- sp |
//!                    frames of the host-shaped wrapper and below
//! ```
//! Only private memory lies below `sp`. So the host's range checks of generic pointers hold here
//! too. `hal_extra` belongs to the HAL; the entry point never reads it.
//!
//! 64-bit HALs of the oneAPI Construction Kit pass an older structure, `wg_info_t`, instead of
//! `hal_sched_info_64_t`:
//!
//! | offset | `hal_sched_info_64_t` | `wg_info_t` |
//! |---|---|---|
//! | 0 | `u64` first group, number of groups, offset: `[3]` each | the same |
//! | 72 | `u32 local_size[3]` | `u64 local_size[3]` |
//! | 84, 96 | `u32 num_dim` | `u32 num_dim` |
//! | 88, 104 | `u64 num_groups_per_call[3]` | `u64 num_groups_per_call[3]`, 0 for one group |
//!
//! The word at offset 76 tells them apart: it is `local_size[1]`, at least 1, in the specified
//! structure, and the upper half of `local_size[0]`, hence 0, in the older one. With 32-bit words
//! both structures have the same layout.

use muxcl_llvm::{Builder, Function, IntPredicate, Linkage, Module, Value};
use muxcl_types::pack;
use muxcl_types::program::{ArgKind, KernelInfo};
use muxcl_types::sched::LOCAL_ALIGN;

use super::{
    Assume, EXTRA, EXTRA_GLOBAL_SIZE, EXTRA_LOCAL_MEM, EXTRA_SCRATCH, GROUP_START, LOCAL_SIZE,
    NUM_DIM, NUM_GROUPS, OFFSET, PER_CALL, entry_function, load, rounded, size_word,
};
use crate::work_item_loops::GroupFunction;

const SCHED_BYTES: u64 = 120;
const HOST_EXTRA_BYTES: u64 = 88;
const EXTRA_STACK: u64 = 56;
const EXTRA_PRINTF: u64 = 72;
const EXTRA_LAUNCH: u64 = 80;
/// The largest distance below the wrapper's frame, in bytes, at which an address counts as private.
/// HALs give each hart a stack of four times this size.
const STACK_REACH: u64 = 1 << 20;

// Offsets in `SchedInfo32`.
const GROUP_START_32: u64 = 0;
const NUM_GROUPS_32: u64 = 12;
const OFFSET_32: u64 = 24;
const LOCAL_SIZE_32: u64 = 36;
const PER_CALL_32: u64 = 52;

// Offsets of the older 64-bit structure, `wg_info_t`.
const PER_CALL_OLDER: u64 = 104;
/// Upper half of `local_size[0]` in the older structure, `local_size[1]` in the specified one.
const LAYOUT_WORD: u64 = 76;

/// A schedule structure from the HAL, and the parts of its layout that vary.
struct Schedule<'m> {
    sched: Value<'m>,
    /// Bytes of a pointer on the device.
    word: u32,
    /// Distance between elements of `local_size`, in bytes.
    local_stride: Value<'m>,
    /// Offset of `num_groups_per_call`.
    per_call: Value<'m>,
}

impl<'m> Schedule<'m> {
    fn new(b: &Builder<'m>, sched: Value<'m>, word: u32) -> Self {
        let cx = sched.cx();
        if word != 8 {
            let (local_stride, per_call) = (cx.u64(4), cx.u64(PER_CALL_32));
            return Self { sched, word, local_stride, per_call };
        }
        let layout = load(b, cx.i32(), sched, LAYOUT_WORD, 4);
        let older = b.icmp(IntPredicate::Eq, layout, cx.u32(0));
        let local_stride = b.select(older, cx.u64(8), cx.u64(4));
        let per_call = b.select(older, cx.u64(PER_CALL_OLDER), cx.u64(PER_CALL));
        Self { sched, word, local_stride, per_call }
    }

    /// Work-items of a group in dimension `d`, as `i64`.
    fn local_size(&self, b: &Builder<'m>, d: u64) -> Value<'m> {
        b.zext(self.after_local_sizes(b, d), self.sched.cx().i64())
    }

    fn num_dim(&self, b: &Builder<'m>) -> Value<'m> {
        self.after_local_sizes(b, 3)
    }

    /// The 32-bit word at the position of element `n` of `local_size`. `num_dim` follows the three
    /// elements, so `n` = 3 gives `num_dim` in every layout.
    fn after_local_sizes(&self, b: &Builder<'m>, n: u64) -> Value<'m> {
        let cx = self.sched.cx();
        let base = if self.word == 8 { LOCAL_SIZE } else { LOCAL_SIZE_32 };
        let from = match n {
            0 => self.sched,
            _ => b.byte_offset(self.sched, b.mul_nuw(self.local_stride, cx.u64(n))),
        };
        load(b, cx.i32(), from, base, 4)
    }

    /// Element `d` of an array of words at `offset`, as `i64`.
    fn element(&self, b: &Builder<'m>, offset: Value<'m>, d: u64) -> Value<'m> {
        let cx = self.sched.cx();
        let from = b.byte_offset(self.sched, offset);
        if self.word == 8 {
            load(b, cx.i64(), from, 8 * d, 8)
        } else {
            b.zext(load(b, cx.i32(), from, 4 * d, 4), cx.i64())
        }
    }
}

/// Makes the entry point `symbol`, which calls `inner` (the host's wrapper).
#[expect(clippy::too_many_arguments, reason = "the parameters of the pass and of the wrapper")]
pub(super) fn wrap<'m>(
    module: &'m Module<'_>,
    inner: Function<'m>,
    group: &GroupFunction<'m>,
    info: &KernelInfo,
    local_bytes: u64,
    assume: Assume,
    symbol: &str,
    word: u32,
) {
    let cx = module.cx();
    let f = entry_function(module, symbol, inner, &[], word);
    f.add_param_attribute(1, "align", word.into());
    inner.set_linkage(Linkage::Internal);
    inner.add_attribute("noinline");
    let b = Builder::at_end(f.append_block("entry"));
    let (packed, sched) = (f.param(0), f.param(1));
    let bytes = |b: &Builder<'m>, n: u64, name: &str| {
        let a = b.alloca(cx.array(cx.i64(), n / 8), name);
        a.set_align(8);
        a
    };
    let host_sched = bytes(&b, SCHED_BYTES, "sched.host");
    let extra = bytes(&b, HOST_EXTRA_BYTES, "extra.host");

    let schedule = Schedule::new(&b, sched, word);
    let sizes = match assume.config.local_size {
        Some(size) => size.map(|n| cx.u64(n.into())),
        None => [0u64, 1, 2].map(|d| schedule.local_size(&b, d)),
    };
    let items = b.mul_nuw(b.mul_nuw(sizes[0], sizes[1]), sizes[2]);
    let (layout, hidden) = pack::hal_layout(&info.args, info.enqueues, word);
    let mut local_size = cx.u64(local_bytes.next_multiple_of(LOCAL_ALIGN));
    for (_, at) in
        info.args.iter().zip(&layout.offsets).filter(|(a, _)| a.kind == ArgKind::LocalPointer)
    {
        local_size = b.add(local_size, rounded(&b, size_word(&b, packed, u64::from(*at), word)));
    }
    let scratch_size = match (group.scratch_per_item, group.scratch_per_group) {
        (0, per_group) => cx.u64(per_group),
        (per_item, per_group) => b.add(b.mul(items, cx.u64(per_item)), cx.u64(per_group)),
    };
    let take = |size: Value<'m>, name: &str| {
        if size.as_u64() == Some(0) {
            return cx.ptr(0).null();
        }
        let a = b.alloca_bytes(size, name);
        a.set_align(u32::try_from(LOCAL_ALIGN).unwrap_or(128));
        a
    };
    let local = take(local_size, "local");
    let scratch = take(scratch_size, "scratch");
    let high = b.ptr_to_int(b.stack_pointer(module), cx.i64());
    let low = b.sub(high, b.umin(high, cx.u64(STACK_REACH)));

    let put = |to: Value<'m>, at: u64, v: Value<'m>| {
        b.store(v, b.byte_offset(to, cx.u64(at)), if at.is_multiple_of(8) { 8 } else { 4 });
    };
    for d in 0..3u64 {
        put(
            extra,
            EXTRA_GLOBAL_SIZE + 8 * d,
            load(&b, cx.i64(), packed, u64::from(hidden) + 8 * d, word),
        );
    }
    let address = |v: Value<'m>| b.ptr_to_int(v, cx.i64());
    put(extra, EXTRA_LOCAL_MEM, address(local));
    put(extra, EXTRA_LOCAL_MEM + 8, local_size);
    put(extra, EXTRA_SCRATCH, address(scratch));
    put(extra, EXTRA_SCRATCH + 8, scratch_size);
    put(extra, EXTRA_STACK, low);
    put(extra, EXTRA_STACK + 8, high);
    put(extra, EXTRA_PRINTF, load(&b, cx.i64(), packed, u64::from(hidden) + 24, word));
    if info.enqueues {
        put(extra, EXTRA_LAUNCH, load(&b, cx.i64(), packed, u64::from(hidden) + 32, word));
    }

    let at = |wide: u64, narrow: u64| cx.u64(if word == 8 { wide } else { narrow });
    let triples = [
        (GROUP_START, at(GROUP_START, GROUP_START_32)),
        (NUM_GROUPS, at(NUM_GROUPS, NUM_GROUPS_32)),
        (OFFSET, at(OFFSET, OFFSET_32)),
        (PER_CALL, schedule.per_call),
    ];
    for (to, from) in triples {
        for d in 0..3u64 {
            put(host_sched, to + 8 * d, schedule.element(&b, from, d));
        }
    }
    for (d, size) in (0u64..).zip(sizes) {
        put(host_sched, LOCAL_SIZE + 4 * d, b.trunc(size, cx.i32()));
    }
    put(host_sched, NUM_DIM, schedule.num_dim(&b));
    put(host_sched, EXTRA, address(extra));
    b.call(inner, &[packed, host_sched]);
    b.ret_void();
}
