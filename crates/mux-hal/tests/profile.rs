//! The profile of a HAL device: a launch is in the report when its command buffer has completed,
//! and a device that is deleted and created again has a part in it for each life. The profile is
//! the process's, so this file has one test.
#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]

mod common;

use common::{FakeHal, elf};
use muxcl_lock::{Mutex, Rank};
use muxcl_mux::{
    AllocationType, ArgBlock, Descriptor, Device, Dispatch, Launch, NdRange, SubmitHint, profile,
};
use muxcl_mux_hal::HalDevice;
use muxcl_types::pack;
use muxcl_types::program::{ArgInfo, ArgKind};
use muxcl_types::variant::SpecializationKey;
use std::sync::Arc;

/// Runs a kernel over seven groups of two work-items, the last one with one, and waits.
fn launch(device: &Device, name: &str) {
    let memory = device.allocate(64, 0, AllocationType::Device).unwrap();
    let buffer = device.create_buffer(&memory, 0, 64).unwrap();
    let program = device.create_executable(&elf(&[name]), &[]).unwrap();
    let pointer = ArgInfo { kind: ArgKind::GlobalPointer, size: 8, ..ArgInfo::default() };
    let mut args = ArgBlock::new(Arc::new(pack::layout(&[pointer], 8)), 8);
    args.set(0, Descriptor::Buffer(buffer, 0)).unwrap();
    let range = NdRange { work_dim: 1, offset: [0; 3], global: [13, 1, 1], local: [2, 1, 1] };
    let mut commands = device.create_command_buffer();
    let kernel = program.create_kernel(name, &SpecializationKey::default()).unwrap();
    let launch = Launch { kernel, args: Arc::new(args), range, default_queue: None };
    commands.nd_range(launch).unwrap();
    commands.finalise().unwrap();
    let how = Dispatch { hint: SubmitHint::CallerWaits, ..Dispatch::default() };
    device.queue().dispatch(&commands, how).unwrap();
    device.queue().wait_all();
}

#[test]
fn reports_are_complete_when_a_launch_has_completed() {
    let report = Arc::new(Mutex::new(Rank::Leaf, String::new()));
    let sink = Arc::clone(&report);
    profile::start(Box::new(move |text, _| text.clone_into(&mut sink.lock())));
    let (hal, _) = FakeHal::create(1);
    let device = HalDevice::new(&hal, 0).unwrap().device();
    let rows = |name: &str| -> Vec<String> {
        let report = report.lock();
        let row = report.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        row.split("  ").map(|cell| cell.trim().to_owned()).filter(|c| !c.is_empty()).collect()
    };
    for life in 1..=2 {
        let keep = device.keep_in_use();
        launch(&device, "inc");
        launch(&device, "inc");
        assert_eq!(
            rows("inc")[2..5],
            [format!("{}", 2 * life), "0".into(), format!("{}", 14 * life)]
        );
        launch(&device, "fault");
        assert_eq!(rows("fault")[2..4], [format!("{life}"), format!("{life}")]);
        for earlier in 1..=life {
            let text = report.lock().clone();
            assert!(
                text.contains(&format!(
                    "
device {earlier}
"
                )),
                "{text}"
            );
        }
        drop(keep);
    }
}
