//! Idle threads of a sub-device end, and new ones start with the next work. A separate program,
//! because it counts the threads of its process.
#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]

#[expect(dead_code, reason = "each test program uses a part")]
mod common;

use common::{Arg, args, buffer, commands, kernel, load, range, words};
use muxcl_mux::{Device, Dispatch, Fence, SubmitHint};
use muxcl_mux_host::HostDevice;
use std::time::{Duration, Instant};

const IDLE: Duration = Duration::from_millis(50);
/// Time after which the test fails, longer than any machine needs.
const AT_MOST: Duration = Duration::from_secs(60);

/// Runs a kernel on a device and checks its output.
fn run(device: &Device) {
    let program =
        load(device, "KERNEL(one) { u32 *out = *(u32 **)args; FOR_GROUPS out[gx] = 1; }", &["one"]);
    let out = buffer(device, 256);
    let block = args(&[Arg::Buffer(&out)]);
    let work = commands(device, |c| {
        c.nd_range(range(&kernel(&program, "one"), &block, [64, 1, 1], [1; 3])).unwrap();
    });
    let fence = Fence::new();
    let hint = SubmitHint::Background;
    let how = Dispatch { fence: Some(&fence), hint, ..Dispatch::default() };
    device.queue().dispatch(&work, how).unwrap();
    assert_eq!(fence.wait(device.queue(), Some(AT_MOST)), Ok(()));
    assert_eq!(words(&out), [1; 64]);
}

/// Number of sub-devices' threads in this process.
fn threads() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let names = tasks.filter_map(|t| std::fs::read_to_string(t.unwrap().path().join("comm")).ok());
    names.filter(|name| name.starts_with("muxcl-sub:")).count()
}

#[test]
fn idle_threads_of_a_sub_device_end_and_come_back() {
    let brief = HostDevice::with_idle_time(IDLE).sub_device(&[0]).unwrap();
    for _ in 0..3 {
        run(&brief);
        let start = Instant::now();
        while threads() != 0 {
            assert!(start.elapsed() < AT_MOST, "an idle thread does not end");
            std::thread::sleep(IDLE / 10);
        }
    }
    // Pauses near the moment at which the thread ends.
    for pause in [49, 50, 50, 51, 52] {
        std::thread::sleep(Duration::from_millis(pause));
        run(&brief);
    }
    // With a long idle time the thread stays.
    let lasting = HostDevice::with_idle_time(Duration::from_secs(3600)).sub_device(&[0]).unwrap();
    run(&lasting);
    std::thread::sleep(IDLE * 10);
    assert_eq!(threads(), 1, "that of the device with a long idle time");
    run(&lasting);
    assert_eq!(threads(), 1, "the same thread did the work");
}
