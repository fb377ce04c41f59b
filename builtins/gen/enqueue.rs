//! Device-side enqueue: NDRanges, events, and the functions that clang calls for `enqueue_kernel`.
//! All pass their requests to the runtime.
//!
//! The structure is `muxcl_types::enqueue::Request`. The runtime identifies queues and events by
//! handles. Functions return exact errors; pass `lower-blocks` replaces them by one in programs
//! compiled without `-g`. Not here: the runtime (`mux-host`; behind a HAL `gen/deferred.rs` and
//! `mux-hal`).

use super::prologue;
use std::fmt::Write as _;

/// Declarations of the runtime's functions.
pub(crate) const SHARED: &str = "\
__attribute__((const)) ulong __muxcl_launch(void);
ulong __muxcl_queue_number(queue_t);
queue_t __muxcl_queue_of(ulong);
ulong __muxcl_clk_event_number(clk_event_t);
clk_event_t __muxcl_clk_event_of(ulong);
typedef struct {
  ulong launch, queue, range, waits, event, kernel_, block, sizes;
  uint flags, wait_count, size_count, pad;
} Request;
int muxcl_enqueue_kernel(__private Request *);
int muxcl_enqueue_marker(ulong launch, ulong queue, uint wait_count, ulong waits, ulong event);
ulong muxcl_default_queue(ulong launch);
ulong muxcl_create_user_event(ulong launch);
void muxcl_set_user_event_status(ulong launch, ulong event, int status);
void muxcl_retain_event(ulong launch, ulong event);
void muxcl_release_event(ulong launch, ulong event);
int muxcl_is_valid_event(ulong launch, ulong event);
void muxcl_capture_event_profiling_info(ulong launch, ulong event, int name, ulong to);
uint muxcl_block_work_group_size(ulong launch, ulong kernel_);
uint muxcl_block_work_group_multiple(ulong launch, ulong kernel_);
uint muxcl_block_sub_group_size(ulong launch, ulong range);
uint muxcl_block_sub_group_count(ulong launch, ulong range);
";

const KERNELS: &str = "
HELPER int enqueue(queue_t queue, int flags, __private ndrange_t *range, uint wait_count, ulong waits, ulong event,
                   ulong kernel_, ulong block, uint size_count, ulong sizes) {
  Request r;
  r.launch = __muxcl_launch();
  r.queue = __muxcl_queue_number(queue);
  r.range = (ulong)range;
  r.waits = waits;
  r.event = event;
  r.kernel_ = kernel_;
  r.block = block;
  r.sizes = sizes;
  r.flags = (uint)flags;
  r.wait_count = wait_count;
  r.size_count = size_count;
  r.pad = 0;
  return muxcl_enqueue_kernel(&r);
}
int __enqueue_kernel_basic(queue_t q, int flags, __private ndrange_t *range, __generic void *k, __generic void *block) {
  return enqueue(q, flags, range, 0, 0, 0, (ulong)k, (ulong)block, 0, 0);
}
int __enqueue_kernel_varargs(queue_t q, int flags, __private ndrange_t *range, __generic void *k, __generic void *block,
                             uint count, __private size_t *sizes) {
  return enqueue(q, flags, range, 0, 0, 0, (ulong)k, (ulong)block, count, (ulong)sizes);
}
int __enqueue_kernel_basic_events(queue_t q, int flags, __private ndrange_t *range, uint wait_count,
                                  __generic void *waits, __generic void *event, __generic void *k,
                                  __generic void *block) {
  return enqueue(q, flags, range, wait_count, (ulong)waits, (ulong)event, (ulong)k, (ulong)block, 0, 0);
}
int __enqueue_kernel_events_varargs(queue_t q, int flags, __private ndrange_t *range, uint wait_count,
                                    __generic void *waits, __generic void *event, __generic void *k,
                                    __generic void *block, uint count, __private size_t *sizes) {
  return enqueue(q, flags, range, wait_count, (ulong)waits, (ulong)event, (ulong)k, (ulong)block, count, (ulong)sizes);
}
uint __get_kernel_work_group_size_impl(__generic void *k, __generic void *block) {
  return muxcl_block_work_group_size(__muxcl_launch(), (ulong)k);
}
uint __get_kernel_preferred_work_group_size_multiple_impl(__generic void *k, __generic void *block) {
  return muxcl_block_work_group_multiple(__muxcl_launch(), (ulong)k);
}
uint __get_kernel_max_sub_group_size_for_ndrange_impl(__private ndrange_t *range, __generic void *k,
                                                      __generic void *block) {
  return muxcl_block_sub_group_size(__muxcl_launch(), (ulong)range);
}
uint __get_kernel_sub_group_count_for_ndrange_impl(__private ndrange_t *range, __generic void *k, __generic void *block) {
  return muxcl_block_sub_group_count(__muxcl_launch(), (ulong)range);
}
";

const EVENTS: &str = "
OVL int enqueue_marker(queue_t q, uint wait_count, const __generic clk_event_t *waits, __generic clk_event_t *event) {
  return muxcl_enqueue_marker(__muxcl_launch(), __muxcl_queue_number(q), wait_count, (ulong)waits, (ulong)event);
}
OVL queue_t get_default_queue(void) { return __muxcl_queue_of(muxcl_default_queue(__muxcl_launch())); }
OVL clk_event_t create_user_event(void) { return __muxcl_clk_event_of(muxcl_create_user_event(__muxcl_launch())); }
OVL void set_user_event_status(clk_event_t e, int status) {
  muxcl_set_user_event_status(__muxcl_launch(), __muxcl_clk_event_number(e), status);
}
OVL void retain_event(clk_event_t e) { muxcl_retain_event(__muxcl_launch(), __muxcl_clk_event_number(e)); }
OVL void release_event(clk_event_t e) { muxcl_release_event(__muxcl_launch(), __muxcl_clk_event_number(e)); }
OVL bool is_valid_event(clk_event_t e) { return muxcl_is_valid_event(__muxcl_launch(), __muxcl_clk_event_number(e)) != 0; }
OVL void capture_event_profiling_info(clk_event_t e, clk_profiling_info name, __global void *to) {
  muxcl_capture_event_profiling_info(__muxcl_launch(), __muxcl_clk_event_number(e), name, (ulong)to);
}
";

/// One member each for NDRanges, kernels and events.
pub(crate) fn members(all: &mut Vec<(String, String)>) {
    all.push(("enqueue_ranges".into(), ranges()));
    for (name, functions) in [("enqueue_kernels", KERNELS), ("enqueue_events", EVENTS)] {
        all.push((name.into(), prologue() + SHARED + functions));
    }
}

/// `ndrange_1D` and the like. Absent offsets and local sizes are 0; sizes of absent dimensions are
/// 1.
fn ranges() -> String {
    let mut text = prologue();
    for dimensions in 1..=3 {
        for given in [&["global_"][..], &["global_", "local_"], &["offset", "global_", "local_"]] {
            let kind = if dimensions == 1 { "size_t " } else { "const __private size_t *" };
            let parameters: Vec<String> =
                given.iter().map(|name| format!("{kind}{name}")).collect();
            let list = |name: &str, rest: u32| {
                let value = |d: u32| match (d < dimensions, given.contains(&name), dimensions) {
                    (false, ..) => rest.to_string(),
                    (true, false, _) => "0".to_owned(),
                    (true, true, 1) => name.to_owned(),
                    (true, true, _) => format!("{name}[{d}]"),
                };
                format!("{{{}, {}, {}}}", value(0), value(1), value(2))
            };
            // Writing to a String cannot fail.
            let _ = writeln!(
                text,
                "OVL ndrange_t ndrange_{dimensions}D({}) {{\n  ndrange_t r = {{{dimensions}, {}, {}, {}}};\n  return r;\n}}",
                parameters.join(", "),
                list("offset", 0),
                list("global_", 1),
                list("local_", 1),
            );
        }
    }
    text
}
