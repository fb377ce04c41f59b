//! Calls beside a running kernel: they overlap if the HAL allows it, and never otherwise.
#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]

mod common;

use common::{FakeHal, Knobs, elf};
use muxcl_lock::{Mutex, Rank};
use muxcl_mux::{
    AllocationType, ArgBlock, Buffer, CommandBuffer, Descriptor, Device, Dispatch, Executable,
    HostMut, HostRef, Launch, MuxError, NdRange, Semaphore, SubmitHint,
};
use muxcl_mux_hal::HalDevice;
use muxcl_types::pack;
use muxcl_types::program::{ArgInfo, ArgKind};
use muxcl_types::variant::SpecializationKey;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Bound on a wait for something that happens at once, on a machine with much other work.
const SOON: Duration = Duration::from_secs(30);

fn device(concurrent: bool) -> (Device, Arc<Knobs>) {
    let (hal, knobs) = FakeHal::create(1);
    knobs.concurrent.store(concurrent, Ordering::SeqCst);
    (HalDevice::new(&hal, 0).unwrap().device(), knobs)
}

fn buffer(device: &Device, size: u64) -> Buffer {
    let memory = device.allocate(size, 0, AllocationType::Device).unwrap();
    device.create_buffer(&memory, 0, size).unwrap()
}

/// A dispatched command buffer.
struct Pending {
    done: Semaphore,
    result: Arc<Mutex<Option<Result<(), MuxError>>>>,
}

impl Pending {
    /// Dispatches commands that the device's threads run.
    fn start(device: &Device, mut commands: CommandBuffer, hint: SubmitHint) -> Self {
        commands.finalise().unwrap();
        let result = Arc::new(Mutex::new(Rank::Leaf, None));
        let (slot, done) = (result.clone(), Semaphore::new());
        let how = Dispatch {
            signals: std::slice::from_ref(&done),
            on_complete: Some(Box::new(move |r| *slot.lock() = Some(r))),
            hint,
            ..Dispatch::default()
        };
        device.queue().dispatch(&commands, how).unwrap();
        Self { done, result }
    }

    /// Waits for the end. With a device, this thread helps.
    fn end(self, helped: Option<&Device>) {
        self.done.wait(helped.map(Device::queue), Some(SOON)).expect("in time");
        self.result.lock().take().expect("a result").unwrap();
    }
}

fn kernel(device: &Device, program: &Executable, name: &str, on: &Buffer) -> CommandBuffer {
    let pointer = ArgInfo { kind: ArgKind::GlobalPointer, size: 8, ..ArgInfo::default() };
    let mut args = ArgBlock::new(Arc::new(pack::layout(&[pointer], 8)), 8);
    args.set(0, Descriptor::Buffer(on.clone(), 0)).unwrap();
    let mut commands = device.create_command_buffer();
    commands
        .nd_range(Launch {
            kernel: program.create_kernel(name, &SpecializationKey::default()).unwrap(),
            args: Arc::new(args),
            range: NdRange { work_dim: 1, offset: [0; 3], global: [1; 3], local: [1; 3] },
            default_queue: None,
        })
        .unwrap();
    commands
}

fn write(device: &Device, to: &Buffer, word: &'static [u8; 4]) -> CommandBuffer {
    let mut commands = device.create_command_buffer();
    // SAFETY: the bytes live for ever.
    let from = unsafe { HostRef::new(word.as_ptr()) };
    commands.write_buffer(to, 0, 4, from).unwrap();
    commands
}

fn read(device: &Device, from: &Buffer) -> u32 {
    let mut word = 0u32;
    let mut commands = device.create_command_buffer();
    // SAFETY: `word` lives until the commands have run.
    let into = unsafe { HostMut::new((&raw mut word).cast()) };
    commands.read_buffer(from, 0, 4, into).unwrap();
    Pending::start(device, commands, SubmitHint::CallerWaits).end(Some(device));
    word
}

/// Starts the kernel `gate`, and returns when it runs on the device's thread.
fn close_gate(device: &Device, knobs: &Knobs, on: &Buffer) -> Pending {
    let program = device.create_executable(&elf(&["gate"]), &[]).unwrap();
    let kernel = kernel(device, &program, "gate", on);
    let pending = Pending::start(device, kernel, SubmitHint::Background);
    while !knobs.begun.load(Ordering::SeqCst) {
        std::thread::sleep(Duration::from_millis(1));
    }
    pending
}

#[test]
fn every_call_but_a_kernel_runs_beside_a_kernel() {
    let (device, knobs) = device(true);
    let a = buffer(&device, 64);
    let gate = close_gate(&device, &knobs, &a);
    let held = knobs.allocations.load(Ordering::SeqCst);

    // Each of these calls would wait for the kernel, which waits for this thread.
    let b = buffer(&device, 64);
    Pending::start(&device, write(&device, &b, &[7, 0, 0, 0]), SubmitHint::CallerWaits)
        .end(Some(&device));
    assert_eq!(read(&device, &b), 7);
    // A thread of the device runs this one: the first one is busy with the kernel.
    Pending::start(&device, write(&device, &b, &[8, 0, 0, 0]), SubmitHint::Background).end(None);
    assert_eq!(read(&device, &b), 8);
    let program = device.create_executable(&elf(&["inc"]), &[]).unwrap();
    assert_eq!(knobs.programs.load(Ordering::SeqCst), 2);
    let inc = Pending::start(&device, kernel(&device, &program, "inc", &b), SubmitHint::Background);
    drop(program);
    let c = buffer(&device, 64);
    assert_eq!(knobs.allocations.load(Ordering::SeqCst), held + 2);
    drop(c);
    assert_eq!(knobs.allocations.load(Ordering::SeqCst), held + 1, "freed at once");
    assert!(knobs.overlaps.load(Ordering::SeqCst) > 5);
    assert_eq!(read(&device, &b), 8, "kernels run one at a time");

    knobs.open.store(true, Ordering::SeqCst);
    gate.end(None);
    inc.end(Some(&device));
    assert_eq!((read(&device, &b), knobs.kernel_overlaps.load(Ordering::SeqCst)), (9, 0));
    drop((a, b));
    let left = (&knobs.allocations, &knobs.programs, &knobs.deleted_in_use);
    assert_eq!(
        (left.0.load(Ordering::SeqCst), left.1.load(Ordering::SeqCst)),
        (0, 0),
        "all given back"
    );
    assert_eq!((knobs.deleted.load(Ordering::SeqCst), left.2.load(Ordering::SeqCst)), (1, 0));
}

#[test]
fn no_call_runs_beside_a_kernel_if_the_hal_does_not_allow_it() {
    let (device, knobs) = device(false);
    let a = buffer(&device, 64);
    let gate = close_gate(&device, &knobs, &a);
    let late = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let b = buffer(&device, 64);
            assert!(knobs.open.load(Ordering::SeqCst), "the allocation waits for the kernel");
            late.store(true, Ordering::SeqCst);
            assert!(b.host_ptr().is_none());
        });
        std::thread::sleep(Duration::from_millis(50));
        assert!(!late.load(Ordering::SeqCst));
        knobs.open.store(true, Ordering::SeqCst);
    });
    gate.end(Some(&device));
    assert_eq!(knobs.overlaps.load(Ordering::SeqCst), 0);
}

/// Threads allocate, transfer, load, launch and release everything again and again, so that the
/// device is also created and deleted meanwhile.
fn stress(concurrent: bool) -> Arc<Knobs> {
    let (device, knobs) = device(concurrent);
    std::thread::scope(|scope| {
        for thread in 0..4u32 {
            let device = &device;
            scope.spawn(move || {
                for round in 0..150u32 {
                    let (hint, helped) = if (round + thread) % 3 == 0 {
                        (SubmitHint::Background, None)
                    } else {
                        (SubmitHint::CallerWaits, Some(device))
                    };
                    let a = buffer(device, 64 << (round % 4));
                    Pending::start(device, write(device, &a, &[5, 0, 0, 0]), hint).end(helped);
                    let program = device.create_executable(&elf(&["inc"]), &[]).unwrap();
                    for _ in 0..3 {
                        let inc = kernel(device, &program, "inc", &a);
                        Pending::start(device, inc, hint).end(helped);
                    }
                    assert_eq!(read(device, &a), 8);
                }
            });
        }
    });
    let count = |counter: &std::sync::atomic::AtomicUsize| counter.load(Ordering::SeqCst);
    assert_eq!((count(&knobs.allocations), count(&knobs.programs)), (0, 0), "all given back");
    assert_eq!(count(&knobs.created), count(&knobs.deleted));
    assert_eq!((count(&knobs.deleted_in_use), count(&knobs.kernel_overlaps)), (0, 0));
    knobs
}

#[test]
fn calls_of_many_threads() {
    assert_eq!(stress(false).overlaps.load(Ordering::SeqCst), 0);
    stress(true);
}
