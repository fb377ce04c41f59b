//! The entry point of a kernel behind a HAL: `void k(const void *packed, const
//! hal_sched_info_{32,64}_t *sched)`.
//!
//! ```text
//! stack, downwards:  SchedInfo64 | HostExtra | local memory | scratch | <- sp |  frames of the host-shaped wrapper and below
//! ```
//! What lies below `sp` is private memory and nothing else, so that the range checks of generic
//! pointers are the host's. `hal_extra` belongs to the HAL and is not looked at.

use muxcl_llvm::{Builder, Function, Linkage, Module, Value};
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
/// So far below the wrapper's frame an address is the stack's. HALs give each hart four times as
/// much.
const STACK_REACH: u64 = 1 << 20;

// Offsets in `SchedInfo32`.
const GROUP_START_32: u64 = 0;
const NUM_GROUPS_32: u64 = 12;
const OFFSET_32: u64 = 24;
const LOCAL_SIZE_32: u64 = 36;
const NUM_DIM_32: u64 = 48;
const PER_CALL_32: u64 = 52;

/// Makes `symbol`, which calls `inner` (the host's wrapper).
#[expect(clippy::too_many_arguments, reason = "the parameters of the pass, and the wrapper")]
pub(super) fn wrap(
    module: &Module<'_>,
    inner: Function,
    group: &GroupFunction,
    info: &KernelInfo,
    local_bytes: u64,
    assume: Assume,
    symbol: &str,
    word: u32,
) {
    let cx = module.cx();
    let f = entry_function(module, symbol, inner, &[], word);
    f.add_param_attribute(1, "align", word.into());
    inner.0.set_linkage(Linkage::Internal);
    inner.add_attribute("noinline");
    let b = Builder::at_end(f.append_block("entry"));
    let (packed, sched) = (f.param(0), f.param(1));
    let bytes = |b: &Builder, n: u64, name: &str| {
        let a = b.alloca(cx.array(cx.i64(), n / 8), name);
        a.set_align(8);
        a
    };
    let host_sched = bytes(&b, SCHED_BYTES, "sched.host");
    let extra = bytes(&b, HOST_EXTRA_BYTES, "extra.host");

    let sizes = match assume.config.local_size {
        Some(size) => size.map(|n| cx.u64(n.into())),
        None => {
            let base = if word == 8 { LOCAL_SIZE } else { LOCAL_SIZE_32 };
            [0u64, 1, 2].map(|d| b.zext(load(&b, cx.i32(), sched, base + 4 * d, 4), cx.i64()))
        }
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
    let take = |size: Value, name: &str| {
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

    let put = |to: Value, at: u64, v: Value| {
        b.store(v, b.byte_offset(to, cx.u64(at)), if at.is_multiple_of(8) { 8 } else { 4 });
    };
    for d in 0..3u64 {
        put(
            extra,
            EXTRA_GLOBAL_SIZE + 8 * d,
            load(&b, cx.i64(), packed, u64::from(hidden) + 8 * d, word),
        );
    }
    let address = |v: Value| b.ptr_to_int(v, cx.i64());
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

    let triples = [
        (GROUP_START, GROUP_START_32),
        (NUM_GROUPS, NUM_GROUPS_32),
        (OFFSET, OFFSET_32),
        (PER_CALL, PER_CALL_32),
    ];
    for (to, from) in triples {
        for d in 0..3u64 {
            let v = if word == 8 {
                load(&b, cx.i64(), sched, to + 8 * d, 8)
            } else {
                b.zext(load(&b, cx.i32(), sched, from + 4 * d, 4), cx.i64())
            };
            put(host_sched, to + 8 * d, v);
        }
    }
    for (d, size) in (0u64..).zip(sizes) {
        put(host_sched, LOCAL_SIZE + 4 * d, b.trunc(size, cx.i32()));
    }
    let rank = load(&b, cx.i32(), sched, if word == 8 { NUM_DIM } else { NUM_DIM_32 }, 4);
    put(host_sched, NUM_DIM, rank);
    put(host_sched, EXTRA, address(extra));
    b.call(inner, &[packed, host_sched]);
    b.ret_void();
}
