//! Sub-devices of the host compute on their own CPUs, and on no others.
#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]

#[expect(dead_code, reason = "each test program uses a part")]
mod common;

use common::{Arg, args, buffer, commands, kernel, load, range, words};
use muxcl_mux::{AffinityDomain, Dispatch, Fence, SubmitHint};
use muxcl_mux_host::HostDevice;
use std::collections::BTreeSet;
use std::time::Duration;

const FOREVER: Option<Duration> = Some(Duration::from_secs(60));

/// Each group stores its CPU and its thread, and takes about 20 microseconds.
const WHERE: &str = r#"
KERNEL(where) {
  u32 *out = *(u32 **)args; int here;
  FOR_GROUPS {
    for (u64 n = 0; n < 40000; n++) __asm__ volatile ("");
    u32 cpu = 0;
    long result = 309; /* getcpu */
    __asm__ volatile ("syscall" : "+a"(result) : "D"(&cpu), "S"(0L), "d"(0L) : "rcx", "r11", "memory");
    out[2 * gx] = cpu; out[2 * gx + 1] = (u32)((u64)EXTRA->stack_high >> 12);
  }
}
"#;

/// The CPUs and threads that a launch on a device used.
fn used(device: &muxcl_mux::Device, hint: SubmitHint) -> (BTreeSet<u32>, BTreeSet<u32>) {
    const GROUPS: u64 = 2000;
    let program = load(device, WHERE, &["where"]);
    let out = buffer(device, GROUPS * 8);
    let block = args(&[Arg::Buffer(&out)]);
    let work = commands(device, |c| {
        c.nd_range(range(&kernel(&program, "where"), &block, [GROUPS, 1, 1], [1; 3])).unwrap();
    });
    let fence = Fence::new();
    device
        .queue()
        .dispatch(&work, Dispatch { fence: Some(&fence), hint, ..Dispatch::default() })
        .unwrap();
    assert_eq!(fence.wait(device.queue(), FOREVER), Ok(()));
    let seen = words(&out);
    (seen.iter().step_by(2).copied().collect(), seen.iter().skip(1).step_by(2).copied().collect())
}

#[test]
#[cfg(target_arch = "x86_64")]
fn work_stays_on_the_cpus_of_a_part() {
    let device = HostDevice::create();
    let cpus = muxcl_os::cpu_set();
    let units = device.info().compute_units;
    for unit in 0..units {
        let part = device.sub_device(&[unit]).unwrap();
        assert_eq!(part.info().compute_units, 1);
        let cpu = cpus[unit as usize % cpus.len()];
        for hint in [SubmitHint::CallerWaits, SubmitHint::Background] {
            let (on, threads) = used(&part, hint);
            assert_eq!(on, [cpu].into());
            assert_eq!(threads.len(), 1, "and on one thread");
        }
        // A sub-device of the same CPUs uses the same pool, which does not grow.
        let (on, _) = used(&device.sub_device(&[unit]).unwrap(), SubmitHint::CallerWaits);
        assert_eq!(on, [cpu].into());
    }
    let all: Vec<u32> = (0..units).collect();
    let whole = device.sub_device(&all).unwrap();
    let (on, threads) = used(&whole, SubmitHint::CallerWaits);
    assert!(on.iter().all(|c| cpus.contains(c)) && threads.len() <= units as usize);
    assert_eq!(whole.sub_device(&[units - 1]).unwrap().info().compute_units, 1, "a part of a part");
}

#[test]
fn what_is_no_part() {
    let device = HostDevice::create();
    let units = device.info().compute_units;
    assert!(
        device.sub_device(&[]).is_err()
            && device.sub_device(&[units]).is_err()
            && device.sub_device(&[0, 0]).is_err()
    );
    for domain in [
        AffinityDomain::Numa,
        AffinityDomain::L4,
        AffinityDomain::L3,
        AffinityDomain::L2,
        AffinityDomain::L1,
    ] {
        let mut all = device.affinity(domain).concat();
        all.sort_unstable();
        assert!(
            all.is_empty() || all == (0..units).collect::<Vec<_>>(),
            "{domain:?}: each unit is in one group"
        );
    }
}
