//! The Mux contract on the null device: order, completion, failure, waiting.

#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]

use muxcl_mux::{
    AllocationType, CommandBuffer, Device, Dispatch, Fence, FillPattern, HostMut, HostRef,
    MuxError, RectRegion, Semaphore, Wait,
};
use muxcl_mux_null::NullDevice;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

fn finalised(device: &Device, record: impl FnOnce(&mut CommandBuffer)) -> CommandBuffer {
    let mut commands = device.create_command_buffer();
    record(&mut commands);
    commands.finalise().unwrap();
    commands
}

#[test]
fn transfers_move_the_bytes_they_say() {
    let device = NullDevice::create();
    let memory = device.allocate(64, 0, AllocationType::Device).unwrap();
    let buffer = device.create_buffer(&memory, 0, 64).unwrap();
    let input: Vec<u8> = (0..16).collect();
    let mut output = vec![0u8; 64];
    let commands = finalised(&device, |c| {
        c.fill_buffer(&buffer, 0, 64, FillPattern::new(&[0xAA, 0xBB]).unwrap()).unwrap();
        // SAFETY: `input` and `output` live until `wait_all` below.
        let src = unsafe { HostRef::new(input.as_ptr()) };
        // SAFETY: as above.
        let dst = unsafe { HostMut::new(output.as_mut_ptr()) };
        // Copies a 4x2 rectangle from rows of 8 to rows of 16 of the buffer.
        let rect = RectRegion {
            region: [4, 2, 1],
            src_offset: 2,
            src_pitch: [8, 0],
            dst_offset: 1,
            dst_pitch: [16, 0],
        };
        c.write_rect(&buffer, src, rect).unwrap();
        c.copy_buffer(&buffer, 0, &buffer, 32, 4).unwrap();
        c.read_buffer(&buffer, 0, 64, dst).unwrap();
    });
    device.queue().dispatch(&commands, Dispatch::default()).unwrap();
    device.queue().wait_all();
    assert_eq!(output[..6], [0xAA, 2, 3, 4, 5, 0xBB]);
    assert_eq!(output[16..22], [0xAA, 10, 11, 12, 13, 0xBB]);
    assert_eq!(output[32..36], [0xAA, 2, 3, 4]);
}

#[test]
fn recording_checks_bounds_and_state() {
    let device = NullDevice::create();
    let memory = device.allocate(16, 0, AllocationType::Device).unwrap();
    let buffer = device.create_buffer(&memory, 8, 8).unwrap();
    assert!(device.create_buffer(&memory, 9, 8).is_err());
    assert!(device.create_buffer(&memory, u64::MAX, 8).is_err());
    assert!(device.allocate(0, 0, AllocationType::Device).is_err());
    assert!(device.allocate(8, 3, AllocationType::Device).is_err());
    assert_eq!(
        device.allocate(1 << 50, 0, AllocationType::Device).unwrap_err(),
        MuxError::OutOfMemory
    );
    let mut c = device.create_command_buffer();
    assert!(c.copy_buffer(&buffer, 0, &buffer, 4, 5).is_err());
    assert!(c.copy_buffer(&buffer, 0, &buffer, 0, 0).is_err());
    assert!(c.fill_buffer(&buffer, 1, 4, FillPattern::new(&[1, 2]).unwrap()).is_err());
    assert!(FillPattern::new(&[1, 2, 3]).is_err());
    assert!(device.queue().dispatch(&c, Dispatch::default()).is_err(), "not finalised");
    c.finalise().unwrap();
    assert!(c.finalise().is_err());
    assert!(c.copy_buffer(&buffer, 0, &buffer, 4, 4).is_err(), "finalised");
    c.reset();
    c.copy_buffer(&buffer, 0, &buffer, 4, 4).unwrap();
}

#[test]
fn a_dispatch_starts_only_after_all_it_waits_for() {
    let device = NullDevice::create();
    let order = Arc::new(AtomicUsize::new(0));
    let seen = |expected: usize| {
        let order = order.clone();
        finalised(&device, |c| {
            c.user_callback(move |_| assert_eq!(order.fetch_add(1, Ordering::SeqCst), expected))
                .unwrap();
        })
    };
    let (host, first) = (Semaphore::new(), Semaphore::new());
    let on = |s: &Semaphore| Wait { semaphore: s.clone(), propagate_failure: true };
    let queue = device.queue();
    queue
        .dispatch(&seen(1), Dispatch { waits: &[on(&first), on(&host)], ..Dispatch::default() })
        .unwrap();
    queue
        .dispatch(
            &seen(0),
            Dispatch {
                waits: &[on(&host)],
                signals: std::slice::from_ref(&first),
                ..Dispatch::default()
            },
        )
        .unwrap();
    assert_eq!(queue.try_wait(Duration::from_millis(5)), Err(MuxError::NotReady));
    host.signal(true);
    queue.wait_all();
    assert_eq!(order.load(Ordering::SeqCst), 2);
}

#[test]
fn completion_is_callback_then_semaphore_then_fence() {
    let device = NullDevice::create();
    let (semaphore, fence) = (Semaphore::new(), Fence::new());
    let in_callback = (semaphore.clone(), fence.clone());
    let commands = finalised(&device, |_| {});
    let how = Dispatch {
        signals: std::slice::from_ref(&semaphore),
        fence: Some(&fence),
        on_complete: Some(Box::new(move |r| {
            assert_eq!(r, Ok(()));
            assert!(!in_callback.0.is_signalled() && !in_callback.1.is_signalled());
        })),
        ..Dispatch::default()
    };
    device.queue().dispatch(&commands, how).unwrap();
    fence.wait(device.queue(), None).unwrap();
    assert!(semaphore.is_signalled());
}

#[test]
fn a_long_chain_fails_without_recursion_and_order_only_waits_go_on() {
    let device = NullDevice::create();
    let queue = device.queue();
    let failed = Arc::new(AtomicUsize::new(0));
    let ran = Arc::new(AtomicUsize::new(0));
    let start = Semaphore::new();
    let mut last = start.clone();
    let count = 200_000;
    let empty = finalised(&device, |_| {});
    for _ in 0..count {
        let (next, failed) = (Semaphore::new(), failed.clone());
        let how = Dispatch {
            waits: &[Wait { semaphore: last.clone(), propagate_failure: true }],
            signals: std::slice::from_ref(&next),
            on_complete: Some(Box::new(move |r| {
                assert_eq!(r, Err(MuxError::DependencyFailed));
                failed.fetch_add(1, Ordering::SeqCst);
            })),
            ..Dispatch::default()
        };
        queue.dispatch(&empty, how).unwrap();
        last = next;
    }
    let after = ran.clone();
    let tail = finalised(&device, |c| {
        c.user_callback(move |_| {
            after.fetch_add(1, Ordering::SeqCst);
        })
        .unwrap();
    });
    queue
        .dispatch(
            &tail,
            Dispatch {
                waits: &[Wait { semaphore: last, propagate_failure: false }],
                ..Dispatch::default()
            },
        )
        .unwrap();
    start.signal(false);
    queue.wait_all();
    assert_eq!(failed.load(Ordering::SeqCst), count);
    assert_eq!(ran.load(Ordering::SeqCst), 1);
}

#[test]
fn queries_time_what_is_between_them() {
    let device = NullDevice::create();
    let pool = device.create_query_pool(1);
    let before = device.timestamp();
    let commands = finalised(&device, |c| {
        c.begin_query(&pool, 0).unwrap();
        c.user_callback(|_| std::thread::sleep(Duration::from_millis(2))).unwrap();
        c.end_query(&pool, 0).unwrap();
        assert!(c.begin_query(&pool, 1).is_err());
    });
    device.queue().dispatch(&commands, Dispatch::default()).unwrap();
    device.queue().wait_all();
    let r = pool.result(0).unwrap();
    assert!(r.start >= before && r.end - r.start >= 2_000_000 && r.end <= device.timestamp());
    assert_eq!(r.complete, r.end, "nothing was enqueued on the device");
}

#[test]
fn eight_threads_share_one_queue() {
    let device = NullDevice::create();
    let total = Arc::new(AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let queue = device.queue().sibling();
                for _ in 0..500 {
                    let total = total.clone();
                    let commands = finalised(&device, |c| {
                        c.user_callback(move |_| {
                            total.fetch_add(1, Ordering::Relaxed);
                        })
                        .unwrap();
                    });
                    queue.dispatch(&commands, Dispatch::default()).unwrap();
                }
                queue.wait_all();
                assert!(queue.is_idle());
            });
        }
    });
    assert_eq!(total.load(Ordering::Relaxed), 4000);
}

#[test]
fn a_guard_skips_what_it_guards_and_the_next_callback_is_told() {
    let device = NullDevice::create();
    let ran = Arc::new(AtomicUsize::new(0));
    let skipped = Arc::new(AtomicUsize::new(0));
    let mut commands = device.create_command_buffer();
    for open in [true, false, true] {
        commands
            .guard(Arc::new(move || if open { Ok(()) } else { Err(MuxError::DependencyFailed) }), 1)
            .unwrap();
        let count = ran.clone();
        commands
            .user_callback(move |_| {
                count.fetch_add(1, Ordering::SeqCst);
            })
            .unwrap();
        let count = skipped.clone();
        commands
            .user_callback(move |info| {
                count.fetch_add(
                    usize::from(info.error == Some(MuxError::DependencyFailed)),
                    Ordering::SeqCst,
                );
            })
            .unwrap();
    }
    commands.finalise().unwrap();
    let done = Semaphore::new();
    let how = Dispatch { signals: std::slice::from_ref(&done), ..Dispatch::default() };
    device.queue().dispatch(&commands, how).unwrap();
    assert!(done.wait(Some(device.queue()), None).is_some());
    assert_eq!((ran.load(Ordering::SeqCst), skipped.load(Ordering::SeqCst)), (2, 1));
}

#[test]
fn a_host_function_leaves_errors_to_the_next_callback() {
    let device = NullDevice::create();
    let seen = Arc::new(AtomicUsize::new(0));
    let mut commands = device.create_command_buffer();
    commands.guard(Arc::new(|| Err(MuxError::DependencyFailed)), 0).unwrap();
    let count = seen.clone();
    commands
        .host_function(move || {
            count.fetch_add(1, Ordering::SeqCst);
        })
        .unwrap();
    let count = seen.clone();
    commands
        .user_callback(move |info| {
            let told = info.error == Some(MuxError::DependencyFailed);
            count.fetch_add(if told { 10 } else { 100 }, Ordering::SeqCst);
        })
        .unwrap();
    commands.finalise().unwrap();
    device.queue().dispatch(&commands, Dispatch::default()).unwrap();
    device.queue().wait_all();
    assert_eq!(seen.load(Ordering::SeqCst), 11);
}

#[test]
fn a_panicking_callback_hurts_nobody_else() {
    let device = NullDevice::create();
    let mut commands = device.create_command_buffer();
    commands.user_callback(|_| panic!("on purpose")).unwrap();
    commands.finalise().unwrap();
    let fence = Fence::new();
    let how = Dispatch { fence: Some(&fence), ..Dispatch::default() };
    device.queue().dispatch(&commands, how).unwrap();
    assert!(fence.wait(device.queue(), Some(Duration::from_secs(10))).is_err());
    device.queue().wait_all();
}
