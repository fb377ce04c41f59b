//! WI mode of G1: one hart for each work-item, and barriers between them.

use crate::common::{Linking, buffer, build, global, range, run, words};
use hal_refsi::{Options, RefsiDevice, RefsiHal, Soc, ThreadMode};
use muxcl_hal::{Argument, Device, Hal, HalError, NdRange, Program};

fn device(harts: u32) -> (RefsiDevice, Program) {
    let options = Options {
        mode: ThreadMode::WorkItem,
        harts,
        max_instructions: 100_000_000,
        ..Options::new(Soc::G1)
    };
    let d = RefsiDevice::new(&options).expect("a device");
    let program = d.load(&build("items.c", 64, Linking::Pie)).expect("a program");
    (d, program)
}

#[test]
fn every_work_item_has_its_number() {
    let (d, program) = device(24);
    let out = buffer(&d, 24 * 6 * 2);
    let kernel = d.find(program, c"ids").expect("a kernel");
    let r = NdRange { offset: [0; 3], global: [4 * 3, 3 * 2, 2], local: [4, 3, 2] };
    d.execute(program, kernel, &r, &[global(out)], 3).expect("it runs");
    for (n, pair) in words(&d, out, 24 * 6 * 2).chunks(2).enumerate() {
        let item = n as u64 % 24;
        let ids = [pair[0] & 0xffff_ffff, pair[0] >> 32, pair[1] & 0xffff_ffff, pair[1] >> 32];
        assert_eq!(ids, [item % 4, item / 4 % 3, item / 12, item]);
    }
    assert!(
        d.execute(program, kernel, &range(25, 25), &[global(out)], 1).is_err(),
        "more than there are harts"
    );
    let options = Options { mode: ThreadMode::WorkItem, harts: 24, ..Options::new(Soc::G1) };
    assert_eq!(
        RefsiHal::new(vec![options]).device_info(0).expect("a description").max_workgroup_size,
        24
    );
}

#[test]
fn work_items_meet_at_barriers() {
    for (harts, local) in [(64, 64u64), (5, 5), (7, 3)] {
        let (d, program) = device(harts);
        let out = buffer(&d, 10);
        let rounds = 50u32.to_le_bytes();
        let args = [global(out), Argument::Local { size: 4 * local }, Argument::Value(&rounds)];
        run(&d, program, "sum", &range(10 * local, local), &args).expect("it runs");
        let expected = 50 * local * (local - 1) / 2 + local * 50 * 49 / 2;
        assert_eq!(words(&d, out, 10), [expected; 10]);
        let too_much = [global(out), Argument::Local { size: 4 << 20 }, Argument::Value(&rounds)];
        assert!(run(&d, program, "sum", &range(local, local), &too_much).is_err());
    }
}

#[test]
fn work_items_may_wait_for_one_another() {
    let (d, program) = device(16);
    let flag = buffer(&d, 1);
    run(&d, program, "flag", &range(16, 16), &[global(flag)]).expect("it runs");
    assert_eq!(words(&d, flag, 1), [2]);
}

#[test]
fn a_barrier_not_all_reach_and_a_fault_end_the_launch() {
    let (d, program) = device(8);
    let Err(HalError::Fault(text)) = run(&d, program, "odd", &range(16, 8), &[]) else {
        panic!("it should not")
    };
    assert!(
        text.contains("barrier that not all") && text.contains("work-group (0, 0, 0)"),
        "{text}"
    );
    let nowhere = 0x77u64.to_le_bytes();
    let args = [Argument::Value(&nowhere)];
    let Err(HalError::Fault(text)) = run(&d, program, "wild", &range(8, 8), &args) else {
        panic!("it should not")
    };
    assert!(text.contains("work-item 3: hart 3: store to 0x77 "), "{text}");
    let out = buffer(&d, 1);
    let rounds = 1u32.to_le_bytes();
    let args = [global(out), Argument::Local { size: 32 }, Argument::Value(&rounds)];
    run(&d, program, "sum", &range(8, 8), &args).expect("it runs");
    assert_eq!(words(&d, out, 1), [28]);
}
