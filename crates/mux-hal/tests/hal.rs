//! The target on a HAL inside the test: transfers, launches, failures and the release of all
//! resources.
#![expect(
    clippy::unwrap_used,
    clippy::multiple_unsafe_ops_per_block,
    reason = "a test may fail anywhere"
)]

mod common;

use common::{FakeHal, Knobs, elf, elf_with};
use muxcl_lock::{Mutex, Rank};
use muxcl_mux::{
    AllocationType, ArgBlock, Buffer, Callback, CallbackInfo, CommandBuffer, Condition, Descriptor,
    Device, Dispatch, Executable, FillPattern, HostMut, HostRef, Launch, MuxError, NdRange,
    RectRegion, Semaphore, SubmitHint,
};
use muxcl_mux_hal::HalDevice;
use muxcl_types::pack;
use muxcl_types::program::{ArgInfo, ArgKind};
use muxcl_types::variant::{SpecializationKey, Variant};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, mpsc};
use std::time::{Duration, Instant};

fn device() -> (HalDevice, Device, Arc<Knobs>) {
    let (hal, knobs) = FakeHal::create(1);
    let made = HalDevice::new(&hal, 0).unwrap();
    let device = made.device();
    (made, device, knobs)
}

fn buffer(device: &Device, size: u64) -> Buffer {
    let memory = device.allocate(size, 0, AllocationType::Device).unwrap();
    device.create_buffer(&memory, 0, size).unwrap()
}

fn words(n: u32) -> Vec<u8> {
    (0..n).flat_map(u32::to_le_bytes).collect()
}

/// Dispatches the commands, waits for them, and returns the result. With `help`, this thread runs
/// them; otherwise it sleeps while the device's thread runs them.
fn run(device: &Device, mut commands: CommandBuffer, help: bool) -> Result<(), MuxError> {
    commands.finalise().unwrap();
    let result = Arc::new(Mutex::new(Rank::Leaf, None));
    let slot = result.clone();
    let done = Semaphore::new();
    let how = Dispatch {
        signals: std::slice::from_ref(&done),
        on_complete: Some(Box::new(move |r| *slot.lock() = Some(r))),
        hint: if help { SubmitHint::CallerWaits } else { SubmitHint::Background },
        ..Dispatch::default()
    };
    device.queue().dispatch(&commands, how).unwrap();
    done.wait(help.then(|| device.queue()), Some(Duration::from_secs(10))).expect("in time");
    let taken = result.lock().take();
    taken.expect("a result")
}

fn read(device: &Device, from: &Buffer, offset: u64, size: usize) -> Vec<u8> {
    let mut bytes = vec![0; size];
    let mut commands = device.create_command_buffer();
    // SAFETY: `bytes` lives until the commands have run.
    let dst = unsafe { HostMut::new(bytes.as_mut_ptr()) };
    commands.read_buffer(from, offset, size as u64, dst).unwrap();
    run(device, commands, true).unwrap();
    bytes
}

fn args(kinds: &[ArgInfo]) -> ArgBlock {
    ArgBlock::new(Arc::new(pack::layout(kinds, 8)), 8)
}

fn arg(kind: ArgKind, size: u32) -> ArgInfo {
    ArgInfo { kind, size, ..ArgInfo::default() }
}

fn launch(
    device: &Device,
    program: &Executable,
    name: &str,
    args: ArgBlock,
    global: [u64; 3],
    local: [u64; 3],
    help: bool,
) -> Result<(), MuxError> {
    let mut commands = device.create_command_buffer();
    commands.nd_range(Launch {
        kernel: program.create_kernel(name, &SpecializationKey::default())?,
        args: Arc::new(args),
        range: NdRange { work_dim: 3, offset: [0; 3], global, local },
        default_queue: None,
    })?;
    run(device, commands, help)
}

#[test]
fn every_transfer() {
    let (_, device, knobs) = device();
    assert_eq!(knobs.created.load(Ordering::SeqCst), 0, "not in use yet");
    let (a, b) = (buffer(&device, 4096), buffer(&device, 4096));
    assert!(a.host_ptr().is_none());
    let data: Vec<u8> = (0..4096u32).map(|i| u8::try_from(i * 7 % 251).unwrap()).collect();
    for help in [false, true] {
        let mut back = vec![0u8; 4096];
        let mut box_read = vec![0u8; 64];
        let mut commands = device.create_command_buffer();
        // SAFETY: all three values live until the commands have run.
        let (src, dst, boxed) = unsafe {
            (
                HostRef::new(data.as_ptr()),
                HostMut::new(back.as_mut_ptr()),
                HostMut::new(box_read.as_mut_ptr()),
            )
        };
        commands.write_buffer(&a, 0, 4096, src).unwrap();
        commands.copy_buffer(&a, 100, &b, 0, 3000).unwrap();
        commands.fill_buffer(&b, 3000, 96, FillPattern::new(&[1, 2, 3, 4]).unwrap()).unwrap();
        let rect = RectRegion {
            region: [4, 3, 2],
            src_offset: 10,
            src_pitch: [64, 512],
            dst_offset: 5,
            dst_pitch: [8, 24],
        };
        commands.read_rect(&a, boxed, rect).unwrap();
        let rect = RectRegion {
            region: [4, 2, 2],
            src_offset: 3,
            src_pitch: [16, 64],
            dst_offset: 3200,
            dst_pitch: [8, 32],
        };
        commands.write_rect(&b, src, rect).unwrap();
        let rect = RectRegion {
            region: [4, 2, 1],
            src_offset: 0,
            src_pitch: [16, 64],
            dst_offset: 3400,
            dst_pitch: [8, 32],
        };
        commands.copy_rect(&a, &b, rect).unwrap();
        commands.flush_from_device(&b, 0, 4096).unwrap();
        commands.read_buffer(&b, 0, 4096, dst).unwrap();
        run(&device, commands, help).unwrap();
        assert_eq!(back[..3000], data[100..3100]);
        assert!(back[3000..3096].chunks(4).all(|c| c == [1, 2, 3, 4]));
        for (z, y) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 2)] {
            let (from, to) = (10 + z * 512 + y * 64, 5 + z * 24 + y * 8);
            assert_eq!(box_read[to..to + 4], data[from..from + 4]);
        }
        assert_eq!(back[3200 + 32 + 8..3200 + 32 + 12], data[3 + 64 + 16..3 + 64 + 20]);
        assert_eq!(back[3408..3412], data[16..20]);
    }
    assert_eq!(read(&device, &a.sub_buffer(128, 256).unwrap(), 4, 8), data[132..140]);
    assert_eq!(knobs.created.load(Ordering::SeqCst), 1);
}

#[test]
fn kernels_get_their_arguments_and_the_true_size() {
    let (hal, device, knobs) = device();
    let program = device.create_executable(&elf(&["inc", "scale", "hidden", "sum"]), &[]).unwrap();
    assert_eq!(program.variants().len(), 4);
    let (a, b) = (buffer(&device, 1024), buffer(&device, 1024));
    let data = words(256);
    for to in [&a, &b] {
        let mut commands = device.create_command_buffer();
        // SAFETY: `data` lives until the commands have run.
        commands.write_buffer(to, 0, 1024, unsafe { HostRef::new(data.as_ptr()) }).unwrap();
        run(&device, commands, true).unwrap();
    }
    for help in [true, false] {
        let mut block = args(&[arg(ArgKind::GlobalPointer, 8)]);
        block.set(0, Descriptor::Buffer(a.clone(), 0)).unwrap();
        launch(&device, &program, "inc", block, [100, 1, 1], [32, 1, 1], help).unwrap();
    }
    let got = read(&device, &a, 0, 1024);
    let word =
        |bytes: &[u8], i: usize| u32::from_le_bytes(bytes[4 * i..4 * i + 4].try_into().unwrap());
    assert_eq!((word(&got, 99), word(&got, 100)), (101, 100), "100 work-items, not 128");
    let mut block = args(&[arg(ArgKind::GlobalPointer, 8), arg(ArgKind::Value, 4)]);
    block.set(0, Descriptor::Buffer(a.clone(), 4)).unwrap();
    block.set_data(1, &3u32.to_le_bytes()).unwrap();
    launch(&device, &program, "scale", block, [2, 1, 1], [1, 1, 1], true).unwrap();
    let mut block = args(&[arg(ArgKind::GlobalPointer, 8), arg(ArgKind::ConstantPointer, 8)]);
    block.set(0, Descriptor::Buffer(a.clone(), 0)).unwrap();
    block.set(1, Descriptor::Buffer(b.clone(), 0)).unwrap();
    launch(&device, &program, "sum", block, [4, 1, 1], [4, 1, 1], true).unwrap();
    let got = read(&device, &a, 0, 16);
    assert_eq!([0, 1, 2, 3].map(|i| word(&got, i)), [2, 3 * 3 + 1, 4 * 3 + 2, 5 + 3]);
    let mut block = args(&[arg(ArgKind::GlobalPointer, 8), arg(ArgKind::LocalPointer, 8)]);
    block.set(0, Descriptor::Buffer(a.clone(), 0)).unwrap();
    block.set(1, Descriptor::LocalBuffer(100)).unwrap();
    launch(&device, &program, "hidden", block, [10, 5, 2], [4, 4, 1], true).unwrap();
    let got = read(&device, &a, 0, 12);
    assert_eq!([0, 1, 2].map(|i| word(&got, i)), [100, 12 * 8 * 2, 100]);
    assert_eq!(hal.statistics().programs, 1, "uploaded once");
    assert_eq!(hal.statistics().launches, 5);
    drop(program);
    drop((a, b));
    assert_eq!(
        (knobs.programs.load(Ordering::SeqCst), knobs.allocations.load(Ordering::SeqCst)),
        (0, 0),
        "all given back"
    );
    assert_eq!(knobs.overlaps.load(Ordering::SeqCst), 0);
}

#[test]
fn a_failure_is_the_commands_and_the_device_goes_on() {
    let (_, device, knobs) = device();
    let program = device.create_executable(&elf(&["inc", "fault", "panic"]), &[]).unwrap();
    let a = buffer(&device, 64);
    let block = || {
        let mut block = args(&[arg(ArgKind::GlobalPointer, 8)]);
        block.set(0, Descriptor::Buffer(a.clone(), 0)).unwrap();
        block
    };
    for help in [true, false] {
        let error =
            launch(&device, &program, "fault", block(), [4, 1, 1], [1, 1, 1], help).unwrap_err();
        assert!(
            matches!(&error, MuxError::DeviceFault(text) if text.contains("0xdead")),
            "{error}"
        );
        let error =
            launch(&device, &program, "panic", block(), [4, 1, 1], [1, 1, 1], help).unwrap_err();
        assert!(matches!(error, MuxError::Internal(_)), "{error}");
        launch(&device, &program, "inc", block(), [4, 1, 1], [1, 1, 1], help).unwrap();
    }
    knobs.broken.store(true, Ordering::SeqCst);
    let mut byte = 0u8;
    let mut commands = device.create_command_buffer();
    // SAFETY: `byte` lives until the commands have run.
    commands.read_buffer(&a, 0, 1, unsafe { HostMut::new(&raw mut byte) }).unwrap();
    assert!(matches!(run(&device, commands, false), Err(MuxError::DeviceFault(_))));
    knobs.broken.store(false, Ordering::SeqCst);
    assert_eq!(read(&device, &a, 0, 4).len(), 4);
    assert_eq!(
        device.allocate(1 << 40, 0, AllocationType::Device).unwrap_err(),
        MuxError::OutOfMemory
    );
    let most = device.info().max_allocation;
    let held = device.allocate(most, 0, AllocationType::Device).unwrap();
    assert_eq!(
        device.allocate(most, 0, AllocationType::Device).unwrap_err(),
        MuxError::OutOfMemory
    );
    drop(held);
    device.allocate(most, 0, AllocationType::Device).unwrap();
}

/// A device that accepts calls before earlier ones have ended, a buffer of 64 bytes, and launches
/// of its kernels `inc` and `fault` on this buffer.
fn accepting_calls_in_flight() -> (Arc<Knobs>, Device, Buffer, impl Fn(&str) -> Launch) {
    let (hal, knobs) = FakeHal::create(1);
    knobs.in_flight.store(true, Ordering::SeqCst);
    knobs.concurrent.store(true, Ordering::SeqCst);
    let device = HalDevice::new(&hal, 0).unwrap().device();
    let program = device.create_executable(&elf(&["inc", "fault"]), &[]).unwrap();
    let a = buffer(&device, 64);
    let mut block = args(&[arg(ArgKind::GlobalPointer, 8)]);
    block.set(0, Descriptor::Buffer(a.clone(), 0)).unwrap();
    let block = Arc::new(block);
    let launch = move |name: &str| Launch {
        kernel: program.create_kernel(name, &SpecializationKey::default()).unwrap(),
        args: Arc::clone(&block),
        range: NdRange { work_dim: 1, offset: [0; 3], global: [4, 1, 1], local: [1; 3] },
        default_queue: None,
    };
    (knobs, device, a, launch)
}

/// Commands without anything for the host in between go to the device as lists. A read ends a list,
/// because a later command may use what it reads. Each failure is that of its own command.
#[test]
fn commands_are_listed_for_devices_that_accept_them() {
    let (knobs, device, a, kernel) = accepting_calls_in_flight();
    let mut host = words(16);
    // SAFETY: `host` lives until the commands have run.
    let (src, dst) = unsafe { (HostRef::new(host.as_ptr()), HostMut::new(host.as_mut_ptr())) };
    let failures = Arc::new(Mutex::new(Rank::Leaf, Vec::new()));
    let mut commands = device.create_command_buffer();
    commands.write_buffer(&a, 0, 64, src).unwrap();
    for name in ["inc", "fault", "inc"] {
        commands.nd_range(kernel(name)).unwrap();
    }
    let seen = Arc::clone(&failures);
    commands.user_callback(move |info| seen.lock().push(info.error.is_some())).unwrap();
    commands.nd_range(kernel("inc")).unwrap();
    // The read goes where the write took its bytes: it is no part of the write's list.
    commands.write_buffer(&a, 32, 32, src).unwrap();
    commands.read_buffer(&a, 0, 64, dst).unwrap();
    commands.nd_range(kernel("inc")).unwrap();
    commands.nd_range(kernel("inc")).unwrap();
    let seen = Arc::clone(&failures);
    commands.user_callback(move |info| seen.lock().push(info.error.is_some())).unwrap();
    let result = run(&device, commands, true);
    assert!(matches!(result, Err(MuxError::DeviceFault(text)) if text.contains("`fault`")));
    assert_eq!(*failures.lock(), [true, false]);
    // Four, two, the read with the two kernels behind it apart, and two.
    assert_eq!(*knobs.lists.0.lock(), [4, 2, 2]);
    let expected: Vec<u8> = (3..7_u32).chain(4..8).chain(0..8).flat_map(u32::to_le_bytes).collect();
    assert_eq!(host, expected);
    assert_eq!(read(&device, &a, 0, 4), 5_u32.to_le_bytes());
}

/// Guards that pass early and notifications do not end a list. A callback between two commands is
/// called before the result of the second one arrives.
#[test]
fn lists_pass_guards_and_notifications() {
    struct Guard(bool, Arc<AtomicUsize>);
    impl Condition for Guard {
        fn check(&self) -> Result<(), MuxError> {
            self.1.fetch_add(1, Ordering::SeqCst);
            Ok(())
        }
        fn check_early(&self) -> bool {
            self.0
        }
    }
    struct Notification(Arc<Mutex<Vec<bool>>>);
    impl Callback for Notification {
        fn call(&self, info: &CallbackInfo) {
            self.0.lock().push(info.error.is_some());
        }
        fn is_notification(&self) -> bool {
            true
        }
    }
    let (knobs, device, a, kernel) = accepting_calls_in_flight();
    let (checks, told) = (Arc::default(), Arc::new(Mutex::new(Rank::Event, Vec::new())));
    let mut commands = device.create_command_buffer();
    commands.fill_buffer(&a, 0, 64, FillPattern::new(&[0]).unwrap()).unwrap();
    for (early, name) in [(true, "inc"), (true, "fault"), (false, "inc"), (true, "inc")] {
        commands.guard(Arc::new(Guard(early, Arc::clone(&checks))), 1).unwrap();
        commands.nd_range(kernel(name)).unwrap();
        commands.shared_callback(Arc::new(Notification(Arc::clone(&told)))).unwrap();
    }
    assert!(run(&device, commands, true).is_err());
    assert_eq!(*knobs.lists.0.lock(), [3, 2]);
    assert_eq!(checks.load(Ordering::SeqCst), 1, "an early check is not repeated");
    assert_eq!(*told.lock(), [false, true, false, false]);
    assert_eq!(read(&device, &a, 0, 4), 3_u32.to_le_bytes());
}

/// Found by the fuzz target `hal_reply`: the address of a byte near the end of such an allocation
/// overflowed.
#[test]
fn allocations_that_wrap_around_are_refused() {
    let (_, device, knobs) = device();
    for address in [u64::MAX - 127, 0u64.wrapping_sub(1 << 20), (1 << 63) + 1] {
        knobs.address.store(address, Ordering::SeqCst);
        let error = device.allocate(1 << 20, 128, AllocationType::Device).unwrap_err();
        let refused = matches!(&error, MuxError::DeviceFault(text) if text.contains("memory at"));
        assert!(refused, "{error}");
    }
    knobs.address.store(0u64.wrapping_sub(1 << 21), Ordering::SeqCst);
    let memory = device.allocate(1 << 20, 128, AllocationType::Device).unwrap();
    assert!(memory.read((1 << 20) - 1, &mut [0]).is_err(), "no memory of the fake device");
    drop(memory);
    knobs.address.store(0, Ordering::SeqCst);
    assert!(device.allocate(1 << 20, 128, AllocationType::Device).is_ok());
}

/// Found by the fuzz target `hal_reply`: the size overflowed when it was aligned.
#[test]
fn local_memory_without_bound_is_refused() {
    let (_, device, _) = device();
    let program = device.create_executable(&elf(&["hidden"]), &[]).unwrap();
    for size in [u64::MAX, u64::MAX - 126, 1 << 63] {
        let mut block = args(&[arg(ArgKind::LocalPointer, 8), arg(ArgKind::LocalPointer, 8)]);
        block.set(0, Descriptor::LocalBuffer(size)).unwrap();
        block.set(1, Descriptor::LocalBuffer(size)).unwrap();
        let error = launch(&device, &program, "hidden", block, [1; 3], [1; 3], true).unwrap_err();
        assert!(matches!(error, MuxError::OutOfResources(_)), "{error}");
    }
}

#[test]
fn bad_programs_are_refused_and_nothing_stays() {
    let (_, device, knobs) = device();
    let good = elf(&["inc"]);
    for bad in [&b""[..], b"not an ELF file", &good[..good.len() - 10], &elf(&["inc", "nobody"])] {
        assert!(matches!(device.create_executable(bad, &[]), Err(MuxError::InvalidBinary(_))));
    }
    let greedy = Variant {
        kernel: "inc".into(),
        symbol: "inc.any".into(),
        local_bytes: 1 << 20,
        ..Variant::default()
    };
    let deep = Variant {
        kernel: "sum".into(),
        symbol: "sum.any".into(),
        scratch_bytes_per_item: 1 << 16,
        ..Variant::default()
    };
    let program = device.create_executable(&elf_with([greedy, deep].into_iter()), &[]).unwrap();
    for name in ["inc", "sum"] {
        let error =
            launch(&device, &program, name, args(&[]), [256, 1, 1], [256, 1, 1], true).unwrap_err();
        assert!(matches!(error, MuxError::OutOfResources(_)), "{error}");
    }
    drop(program);
    assert_eq!(knobs.programs.load(Ordering::SeqCst), 0);
}

#[test]
fn dropping_never_waits_for_a_kernel() {
    let (_, device, knobs) = device();
    let program = device.create_executable(&elf(&["slow"]), &[]).unwrap();
    let (a, other) = (buffer(&device, 64), buffer(&device, 64));
    let mut block = args(&[arg(ArgKind::GlobalPointer, 8)]);
    block.set(0, Descriptor::Buffer(a.clone(), 0)).unwrap();
    let mut commands = device.create_command_buffer();
    let kernel = program.create_kernel("slow", &SpecializationKey::default()).unwrap();
    let launch = Launch {
        kernel,
        args: Arc::new(block),
        range: NdRange { work_dim: 1, offset: [0; 3], global: [1; 3], local: [1; 3] },
        default_queue: None,
    };
    commands.nd_range(launch).unwrap();
    commands.finalise().unwrap();
    device.queue().dispatch_once(commands, Dispatch::default()).unwrap();
    while knobs.inside.load(Ordering::SeqCst) == 0 {
        std::thread::yield_now();
    }
    let start = Instant::now();
    drop(other);
    drop(program);
    assert!(start.elapsed() < Duration::from_millis(50));
    device.queue().wait_all();
    drop(a);
    assert_eq!(knobs.allocations.load(Ordering::SeqCst), 0, "given back by whoever came next");
    assert_eq!(knobs.programs.load(Ordering::SeqCst), 0);
}

#[test]
fn many_threads_dispatch_and_wait() {
    let (_, device, knobs) = device();
    let program = device.create_executable(&elf(&["inc"]), &[]).unwrap();
    let a = buffer(&device, 64);
    device.queue().wait_all();
    a.memory().write(0, &[0; 64]).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (device, program, a) = (&device, &program, &a);
            scope.spawn(move || {
                for i in 0..250 {
                    let mut block = args(&[arg(ArgKind::GlobalPointer, 8)]);
                    block.set(0, Descriptor::Buffer(a.clone(), 0)).unwrap();
                    launch(
                        device,
                        program,
                        "inc",
                        block,
                        [2, 1, 1],
                        [1, 1, 1],
                        (i + thread) % 3 != 0,
                    )
                    .unwrap();
                }
            });
        }
    });
    let mut word = [0; 4];
    a.memory().read(4, &mut word).unwrap();
    assert_eq!(u32::from_le_bytes(word), 1000);
    assert_eq!(knobs.overlaps.load(Ordering::SeqCst), 0);
}

/// H5: the device was never deleted.
#[test]
fn a_device_without_objects_is_deleted_and_created_anew() {
    let (hal, device, knobs) = device();
    let counts = || (knobs.created.load(Ordering::SeqCst), knobs.deleted.load(Ordering::SeqCst));
    for round in 0..3 {
        let (a, b) = (buffer(&device, 64), buffer(&device, 64));
        let program = device.create_executable(&elf(&["inc"]), &[]).unwrap();
        let mut block = args(&[arg(ArgKind::GlobalPointer, 8)]);
        block.set(0, Descriptor::Buffer(a.clone(), 0)).unwrap();
        launch(&device, &program, "inc", block, [4, 1, 1], [4, 1, 1], true).unwrap();
        drop(program);
        drop(a);
        assert_eq!(counts(), (round + 1, round), "an object is left");
        drop(b);
        assert_eq!(counts(), (round + 1, round + 1), "none is left");
    }
    let kept = device.keep_in_use();
    for _ in 0..3 {
        drop(buffer(&device, 64));
        assert_eq!(counts(), (4, 3), "kept without objects");
    }
    drop(kept);
    assert_eq!(counts(), (4, 4));
    drop((hal, device));
    assert_eq!(counts(), (4, 4));
    let left = [&knobs.programs, &knobs.allocations].map(|n| n.load(Ordering::SeqCst));
    assert_eq!(left, [0, 0]);
}

/// H5: threads that use and drop the device concurrently never use a deleted one.
#[test]
fn objects_of_many_threads_come_and_go() {
    let (_, device, knobs) = device();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for i in 0..300u32 {
                    let a = buffer(&device, 64);
                    a.memory().write(0, &i.to_le_bytes()).unwrap();
                    let mut word = [0; 4];
                    a.memory().read(0, &mut word).unwrap();
                    assert_eq!(u32::from_le_bytes(word), i);
                }
            });
        }
    });
    let count = |n: &AtomicUsize| n.load(Ordering::SeqCst);
    assert!(count(&knobs.created) > 0 && count(&knobs.created) == count(&knobs.deleted));
    assert_eq!(count(&knobs.allocations), 0);
}

/// H9: a HAL that does not report its machine and refuses RISC-V programs is not listed as a
/// device, whatever its name.
#[test]
fn a_hal_that_refuses_riscv_programs_is_no_device() {
    let (hal, knobs) = FakeHal::create(1);
    knobs.silent.store(true, Ordering::SeqCst);
    let Err(MuxError::DeviceFault(text)) = HalDevice::new(&hal, 0) else {
        panic!("a device that takes no RISC-V program")
    };
    assert!(text.contains("`Chip 0`") && text.contains("native code"), "{text}");
    assert_eq!(knobs.created.load(Ordering::SeqCst), knobs.deleted.load(Ordering::SeqCst));
    knobs.silent.store(false, Ordering::SeqCst);
    assert!(HalDevice::new(&hal, 0).is_ok());
}

/// A thread that slept while another thread ran a command buffer used to sleep until the callbacks
/// of that command buffer returned. Here the callback waits for the sleeping thread.
#[test]
fn a_completion_may_wait_for_a_sleeping_thread() {
    let (_, device, _) = device();
    let (runs, ends) = (Arc::new(Barrier::new(2)), Arc::new(Barrier::new(2)));
    let (waiter_returned, waiter) = mpsc::channel();
    let first = {
        let (device, runs, ends) = (device.clone(), Arc::clone(&runs), Arc::clone(&ends));
        std::thread::spawn(move || {
            let mut commands = device.create_command_buffer();
            commands
                .user_callback(move |_| {
                    runs.wait();
                    ends.wait();
                })
                .unwrap();
            commands.finalise().unwrap();
            let (send, returned) = mpsc::channel();
            let on_complete =
                move |_| send.send(waiter.recv_timeout(Duration::from_secs(5))).unwrap();
            let done = Semaphore::new();
            let how = Dispatch {
                signals: std::slice::from_ref(&done),
                on_complete: Some(Box::new(on_complete)),
                hint: SubmitHint::CallerWaits,
                ..Dispatch::default()
            };
            device.queue().dispatch(&commands, how).unwrap();
            done.wait(Some(device.queue()), None).unwrap();
            returned.recv().unwrap()
        })
    };
    runs.wait();
    let second = std::thread::spawn(move || {
        run(&device, device.create_command_buffer(), true).unwrap();
        // The receiver has stopped waiting if the test fails.
        let _ = waiter_returned.send(());
    });
    // The second thread falls asleep.
    std::thread::sleep(Duration::from_millis(100));
    ends.wait();
    assert_eq!(first.join().unwrap(), Ok(()));
    second.join().unwrap();
}
