//! Measures launches and memory-bound kernels at the Mux level: `cargo run --release -p
//! muxcl-mux-host --example launch`.
#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a measuring program")]
#![expect(clippy::cast_precision_loss, reason = "times for people to read")]

#[path = "../tests/common/mod.rs"]
#[expect(dead_code, reason = "this program uses only some helpers of the tests")]
mod common;

use common::{Arg, args, buffer, commands, kernel, load, range, single};
use muxcl_mux::{CommandBuffer, Device, Dispatch, Fence, SubmitHint};
use muxcl_mux_host::HostDevice;
use std::time::Instant;

fn once(device: &Device, work: &CommandBuffer, fence: &Fence, hint: SubmitHint) {
    let how = Dispatch { fence: Some(fence), hint, ..Dispatch::default() };
    device.queue().dispatch(work, how).unwrap();
    fence.wait(device.queue(), None).unwrap();
}

/// Median time of one run, in ns.
fn median(rounds: usize, mut body: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..rounds)
        .map(|_| {
            let start = Instant::now();
            body();
            start.elapsed().as_nanos() as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    let device = HostDevice::create();
    let source = r"
    KERNEL(empty) {}
    KERNEL(triad) {
      float *restrict a = ((float **)args)[0];
      float *b = ((float **)args)[1], *c = ((float **)args)[2];
      u64 first = s->group_id_start[0] * s->local[0], last = first + s->per_call[0] * s->local[0];
      for (u64 i = first; i < last; i++) a[i] = b[i] + 3.0f * c[i]; }";
    let program = load(&device, source, &["empty", "triad"]);
    let (empty, triad) = (kernel(&program, "empty"), kernel(&program, "triad"));
    let block = args(&[]);
    let fence = Fence::new();
    for hint in [SubmitHint::CallerWaits, SubmitHint::Background] {
        for (name, global) in
            [("1 group", [64, 1, 1]), ("64 groups", [4096, 1, 1]), ("4096 groups", [1 << 18, 1, 1])]
        {
            let one = single(&device, |c| c.nd_range(range(&empty, &block, global, [64, 1, 1])));
            let time = median(20_000, || once(&device, &one, &fence, hint));
            println!("{hint:?}: dispatch + wait, one empty kernel of {name}: {:.0} ns", time);
        }
    }
    let nothing = commands(&device, |_| {});
    println!(
        "dispatch + wait, no command: {:.0} ns",
        median(20_000, || once(&device, &nothing, &fence, SubmitHint::CallerWaits))
    );
    let many = commands(&device, |c| {
        for _ in 0..1000 {
            c.nd_range(range(&empty, &block, [64, 1, 1], [64, 1, 1])).unwrap();
        }
    });
    let time = median(300, || once(&device, &many, &fence, SubmitHint::CallerWaits));
    println!("1000 empty kernels, each: {:.0} ns", time / 1000.0);
    for count in [1u64 << 10, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 8 << 20] {
        let bytes = count * 4;
        let buffers = [0; 3].map(|_| buffer(&device, bytes));
        let block =
            args(&[Arg::Buffer(&buffers[0]), Arg::Buffer(&buffers[1]), Arg::Buffer(&buffers[2])]);
        let work =
            single(&device, |c| c.nd_range(range(&triad, &block, [count, 1, 1], [64, 1, 1])));
        let copy = single(&device, |c| c.copy_buffer(&buffers[0], 0, &buffers[1], 0, bytes));
        let rounds = usize::try_from((1 << 30) / bytes).unwrap_or(1).clamp(20, 5000);
        let time = median(rounds, || once(&device, &work, &fence, SubmitHint::CallerWaits));
        let copied = median(rounds, || once(&device, &copy, &fence, SubmitHint::CallerWaits));
        let plain = median(rounds, || {
            // SAFETY: two buffers of that size; no command is running.
            unsafe {
                std::ptr::copy_nonoverlapping(
                    buffers[0].host_ptr().unwrap(),
                    buffers[1].host_ptr().unwrap(),
                    usize::try_from(bytes).unwrap(),
                )
            };
        });
        println!(
            "{count:8} floats: triad {:.2} us ({:.1} GB/s), copy {:.2} us ({:.1} GB/s), \
             memcpy on one thread {:.2} us",
            time / 1e3,
            bytes as f64 * 3.0 / time,
            copied / 1e3,
            bytes as f64 * 2.0 / copied,
            plain / 1e3
        );
    }
}
