//! Order, events, failure, callbacks and profiling of command queues, on the null device and on the
//! host.

#![expect(
    clippy::unwrap_used,
    clippy::multiple_unsafe_ops_per_block,
    clippy::macro_metavars_in_unsafe,
    reason = "a test may fail anywhere, and its arguments are its own"
)]

mod common;

use common::*;
use muxcl_cl_sys::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const OUT_OF_ORDER: cl_command_queue_properties = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

/// Adds one to a counter.
unsafe extern "C" fn bump(args: *mut c_void) {
    // SAFETY: the tests pass the address of a live counter.
    let counter = unsafe { &**args.cast::<*const AtomicUsize>() };
    counter.fetch_add(1, Ordering::SeqCst);
}

fn until(what: impl Fn() -> bool) {
    let start = Instant::now();
    while !what() {
        assert!(start.elapsed() < Duration::from_secs(20), "waited too long");
        std::thread::yield_now();
    }
}

#[test]
fn commands_wait_for_user_events_and_flush_does_not_lose_them() {
    for (context, device) in contexts() {
        for properties in [0, OUT_OF_ORDER] {
            let queue = queue(context, device, properties);
            let ran = AtomicUsize::new(0);
            let gate = user_event(context);
            let event = native(queue, bump, &raw const ran, &[gate], true);
            assert_eq!(cl!(clFlush(queue)), CL_SUCCESS);
            std::thread::sleep(Duration::from_millis(20));
            assert_eq!(ran.load(Ordering::SeqCst), 0);
            assert_eq!(status(event), CL_SUBMITTED);
            assert_eq!(cl!(clSetUserEventStatus(gate, CL_COMPLETE)), CL_SUCCESS);
            assert_eq!(cl!(clSetUserEventStatus(gate, CL_COMPLETE)), CL_INVALID_OPERATION);
            assert_eq!(wait(event), CL_SUCCESS);
            assert_eq!((ran.load(Ordering::SeqCst), status(event)), (1, CL_COMPLETE));
            release(event);
            release(gate);
            cl!(clReleaseCommandQueue(queue));
        }
    }
}

#[test]
fn failure_reaches_those_who_wait_and_only_those() {
    for (context, device) in contexts() {
        for properties in [0, OUT_OF_ORDER, CL_QUEUE_PROFILING_ENABLE] {
            let (queue, other) = (queue(context, device, properties), queue(context, device, 0));
            let ran = AtomicUsize::new(0);
            let counter = &raw const ran;
            let gate = user_event(context);
            let a = native(queue, bump, counter, &[gate], true);
            let b = native(queue, bump, counter, &[a], true);
            let c = native(other, bump, counter, &[b], true);
            let free = native(queue, bump, counter, &[], true);
            let d = marker(queue, &[a, free]);
            cl!(clFlush(queue));
            cl!(clFlush(other));
            assert_eq!(cl!(clSetUserEventStatus(gate, -7)), CL_SUCCESS);
            finish(queue);
            finish(other);
            let failed = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
            assert_eq!([a, b, c, d].map(status), [failed; 4]);
            assert_eq!(status(free), CL_COMPLETE);
            assert_eq!(
                ran.load(Ordering::SeqCst),
                1,
                "only the one that waits for nothing has run"
            );
            assert_eq!(wait(b), failed);
            // A blocking command returns the failure itself. A command that is enqueued afterwards
            // does not run either.
            let buffer = buffer(context, 4);
            let mut word = 0_u32;
            let code = cl!(clEnqueueReadBuffer(
                queue,
                buffer,
                CL_TRUE,
                0,
                4,
                (&raw mut word).cast(),
                1,
                &raw const a,
                null_mut()
            ));
            assert_eq!(code, failed);
            let late = native(queue, bump, counter, &[c], true);
            assert_eq!(wait(late), failed);
            assert_eq!(ran.load(Ordering::SeqCst), 1);
            for event in [a, b, c, d, free, gate, late] {
                release(event);
            }
            cl!(clReleaseMemObject(buffer));
        }
    }
}

#[test]
fn an_abandoned_user_event_fails_its_waiters() {
    for (context, device) in contexts() {
        let queue = queue(context, device, 0);
        let gate = user_event(context);
        let event = marker(queue, &[gate]);
        release(gate);
        assert_eq!(wait(event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        release(event);
    }
}

#[test]
fn an_in_order_queue_is_in_order_and_a_barrier_orders_the_other() {
    static ORDER: AtomicU64 = AtomicU64::new(0);
    #[derive(Clone, Copy)]
    struct Step(u64, u64);
    unsafe extern "C" fn step(args: *mut c_void) {
        // SAFETY: a `Step` was passed.
        let Step(before, after) = unsafe { args.cast::<Step>().read_unaligned() };
        let _ = ORDER.compare_exchange(before, after, Ordering::SeqCst, Ordering::SeqCst);
    }
    for (context, device) in contexts() {
        for properties in [0, OUT_OF_ORDER] {
            let queue = queue(context, device, properties);
            ORDER.store(0, Ordering::SeqCst);
            let gate = user_event(context);
            for i in 0..200 {
                let first: &[cl_event] = if i == 0 { &[gate] } else { &[] };
                release(native(queue, step, Step(i, i + 1), first, true));
                if properties != 0 {
                    if i % 2 == 0 {
                        cl!(clEnqueueBarrier(queue));
                    } else {
                        release(barrier(queue, &[]));
                    }
                }
                if i % 37 == 0 {
                    cl!(clFlush(queue));
                }
            }
            assert_eq!(ORDER.load(Ordering::SeqCst), 0);
            cl!(clSetUserEventStatus(gate, CL_COMPLETE));
            finish(queue);
            assert_eq!(ORDER.load(Ordering::SeqCst), 200);
            release(gate);
        }
    }
}

#[test]
fn markers_on_an_out_of_order_queue() {
    for (context, device) in contexts() {
        let queue = queue(context, device, OUT_OF_ORDER);
        let ran = AtomicUsize::new(0);
        let gate = user_event(context);
        let held = native(queue, bump, &raw const ran, &[gate], true);
        let all = marker(queue, &[]);
        let free = native(queue, bump, &raw const ran, &[], true);
        let some = marker(queue, &[free]);
        // A command behind a marker (not a barrier) overtakes it.
        assert_eq!(wait(some), CL_SUCCESS);
        assert_eq!(ran.load(Ordering::SeqCst), 1);
        assert_eq!(status(all), CL_SUBMITTED);
        // A barrier with a wait list delays later commands, but does not wait for earlier ones.
        let second = user_event(context);
        let wall = barrier(queue, &[second]);
        let behind = native(queue, bump, &raw const ran, &[], true);
        cl!(clFlush(queue));
        std::thread::sleep(Duration::from_millis(10));
        assert_eq!(status(behind), CL_SUBMITTED);
        cl!(clSetUserEventStatus(second, CL_COMPLETE));
        assert_eq!(wait(behind), CL_SUCCESS);
        assert_eq!((ran.load(Ordering::SeqCst), status(wall)), (2, CL_COMPLETE));
        cl!(clSetUserEventStatus(gate, CL_COMPLETE));
        finish(queue);
        assert_eq!([held, all, free, some, wall, behind].map(status), [CL_COMPLETE; 6]);
        assert_eq!(ran.load(Ordering::SeqCst), 3);
        for event in [held, all, free, some, wall, behind, gate, second] {
            release(event);
        }
    }
}

#[test]
fn independent_commands_run_at_the_same_time() {
    static MET: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];
    /// Returns when two threads are inside, or after a timeout.
    unsafe extern "C" fn meet(_: *mut c_void) {
        let turn = MET[0].fetch_add(1, Ordering::SeqCst) / 2;
        let start = Instant::now();
        while MET[0].load(Ordering::SeqCst) < 2 * (turn + 1)
            && start.elapsed() < Duration::from_secs(10)
        {
            std::thread::yield_now();
        }
        MET[1].fetch_add(
            usize::from(MET[0].load(Ordering::SeqCst) >= 2 * (turn + 1)),
            Ordering::SeqCst,
        );
    }
    for (context, device) in contexts() {
        MET.iter().for_each(|m| m.store(0, Ordering::SeqCst));
        let queue = queue(context, device, OUT_OF_ORDER);
        for _ in 0..4 {
            native(queue, meet, 0_u64, &[], false);
        }
        finish(queue);
        assert_eq!(MET[1].load(Ordering::SeqCst), 4);
    }
}

#[test]
fn no_explicit_flush_is_needed_between_queues() {
    for (context, device) in contexts() {
        let queues = [
            queue(context, device, 0),
            queue(context, device, OUT_OF_ORDER),
            queue(context, device, 0),
        ];
        let ran = AtomicUsize::new(0);
        // A chain that alternates between the queues, each command waiting for the one before.
        let mut last: Vec<cl_event> = Vec::new();
        for i in 0..300 {
            let event = native(queues[i % 3], bump, &raw const ran, &last, true);
            last.drain(..).for_each(release);
            last.push(event);
        }
        assert_eq!(wait(last[0]), CL_SUCCESS);
        assert_eq!(ran.load(Ordering::SeqCst), 300);
        // Polling without a wait also completes.
        let event = native(queues[0], bump, &raw const ran, &[], true);
        until(|| status(event) == CL_COMPLETE);
        release(event);
        release(last[0]);
    }
}

static CALLS: [AtomicU32; 4] = [const { AtomicU32::new(0) }; 4];
static WRONG: AtomicI32 = AtomicI32::new(0);

unsafe extern "C" fn called(event: cl_event, status: cl_int, data: *mut c_void) {
    let expected = i32::try_from(data.addr()).unwrap();
    if status != expected || event.is_null() {
        WRONG.fetch_add(1, Ordering::SeqCst);
    }
    // The event is alive in its callback, even if the application has released it.
    let mut kind: cl_command_type = 0;
    let code =
        cl!(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, 4, (&raw mut kind).cast(), null_mut()));
    if code != CL_SUCCESS {
        WRONG.fetch_add(1, Ordering::SeqCst);
    }
    CALLS[usize::try_from(expected).unwrap()].fetch_add(1, Ordering::SeqCst);
}

#[test]
fn callbacks_come_exactly_once_each_and_never_on_an_executing_thread() {
    for (context, device) in contexts() {
        CALLS.iter().for_each(|c| c.store(0, Ordering::SeqCst));
        let queues = [queue(context, device, 0), queue(context, device, OUT_OF_ORDER)];
        let gate = user_event(context);
        let n = 500;
        for i in 0..n {
            let event =
                marker(queues[i % 2], if i < 2 { std::slice::from_ref(&gate) } else { &[] });
            for at in [CL_COMPLETE, CL_SUBMITTED, CL_RUNNING, CL_COMPLETE] {
                let data = std::ptr::without_provenance_mut(usize::try_from(at).unwrap());
                assert_eq!(cl!(clSetEventCallback(event, at, Some(called), data)), CL_SUCCESS);
            }
            release(event);
            if i % 50 == 7 {
                cl!(clFlush(queues[i % 2]));
            }
        }
        cl!(clSetUserEventStatus(gate, CL_COMPLETE));
        for queue in queues {
            finish(queue);
        }
        let n = u32::try_from(n).unwrap();
        until(|| CALLS[0].load(Ordering::SeqCst) == 2 * n);
        until(|| CALLS[1].load(Ordering::SeqCst) == n && CALLS[2].load(Ordering::SeqCst) == n);
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(CALLS[0].load(Ordering::SeqCst), 2 * n);
        assert_eq!(WRONG.load(Ordering::SeqCst), 0);
        release(gate);
    }
}

#[test]
fn a_slow_callback_stops_nobody_and_a_failed_event_tells_its_status() {
    static SEEN: AtomicI32 = AtomicI32::new(1);
    static GO: AtomicU32 = AtomicU32::new(0);
    unsafe extern "C" fn slow(_: cl_event, _: cl_int, _: *mut c_void) {
        while GO.load(Ordering::SeqCst) == 0 {
            std::thread::yield_now();
        }
    }
    unsafe extern "C" fn note(_: cl_event, status: cl_int, _: *mut c_void) {
        SEEN.store(status, Ordering::SeqCst);
    }
    for (context, device) in contexts() {
        let queue = queue(context, device, 0);
        GO.store(0, Ordering::SeqCst);
        let event = marker(queue, &[]);
        cl!(clSetEventCallback(event, CL_COMPLETE, Some(slow), null_mut()));
        finish(queue);
        let next = marker(queue, &[]);
        assert_eq!(wait(next), CL_SUCCESS);
        GO.store(1, Ordering::SeqCst);
        let gate = user_event(context);
        cl!(clSetEventCallback(gate, CL_COMPLETE, Some(note), null_mut()));
        cl!(clSetUserEventStatus(gate, -9));
        until(|| SEEN.load(Ordering::SeqCst) == -9);
        // The callback of an event that is already complete comes at once.
        SEEN.store(1, Ordering::SeqCst);
        cl!(clSetEventCallback(gate, CL_RUNNING, Some(note), null_mut()));
        until(|| SEEN.load(Ordering::SeqCst) == -9);
        [event, next, gate].into_iter().for_each(release);
    }
}

fn times(event: cl_event) -> Result<[u64; 5], cl_int> {
    let mut out = [0; 5];
    let names = [
        CL_PROFILING_COMMAND_QUEUED,
        CL_PROFILING_COMMAND_SUBMIT,
        CL_PROFILING_COMMAND_START,
        CL_PROFILING_COMMAND_END,
        CL_PROFILING_COMMAND_COMPLETE,
    ];
    for (slot, name) in out.iter_mut().zip(names) {
        let code = cl!(clGetEventProfilingInfo(
            event,
            name,
            8,
            std::ptr::from_mut(slot).cast(),
            null_mut()
        ));
        if code != CL_SUCCESS {
            return Err(code);
        }
    }
    Ok(out)
}

#[test]
fn profiling_times_rise_and_commands_of_a_queue_do_not_overlap() {
    unsafe extern "C" fn nap(_: *mut c_void) {
        std::thread::sleep(Duration::from_millis(2));
    }
    for (context, device) in contexts() {
        for order in [0, OUT_OF_ORDER] {
            let queue = queue(context, device, order | CL_QUEUE_PROFILING_ENABLE);
            let events: Vec<_> = (0..5).map(|_| native(queue, nap, 0_u64, &[], true)).collect();
            assert_eq!(times(events[0]), Err(CL_PROFILING_INFO_NOT_AVAILABLE));
            finish(queue);
            let all: Vec<_> = events.iter().map(|e| times(*e).unwrap()).collect();
            for t in &all {
                assert!(t.windows(2).all(|w| w[0] <= w[1]), "{t:?}");
                assert!(t[3] - t[2] >= 2_000_000, "{t:?}");
            }
            if order == 0 {
                assert!(all.windows(2).all(|w| w[0][3] <= w[1][2]));
            }
            // A blocking transfer on this thread is timed too.
            let buffer = buffer(context, 1 << 16);
            let mut data = vec![0_u8; 1 << 16];
            let mut event = null_mut();
            cl!(clEnqueueReadBuffer(
                queue,
                buffer,
                CL_TRUE,
                0,
                1 << 16,
                data.as_mut_ptr().cast(),
                0,
                null(),
                &raw mut event
            ));
            let t = times(event).unwrap();
            assert!(t.windows(2).all(|w| w[0] <= w[1]) && t[0] >= all[4][3], "{t:?}");
            events.into_iter().chain([event]).for_each(release);
        }
        let plain = queue(context, device, 0);
        let event = marker(plain, &[]);
        finish(plain);
        assert_eq!(times(event), Err(CL_PROFILING_INFO_NOT_AVAILABLE));
        let user = user_event(context);
        assert_eq!(times(user), Err(CL_PROFILING_INFO_NOT_AVAILABLE));
        [event, user].into_iter().for_each(release);
    }
}

#[test]
fn a_million_chained_events() {
    for (context, device) in contexts() {
        let n = if cfg!(debug_assertions) { 60_000 } else { 1_000_000 };
        for properties in [0, OUT_OF_ORDER] {
            let queue = queue(context, device, properties);
            // All commands wait for one gate, so all batches are pending at once.
            let gate = user_event(context);
            let mut last = marker(queue, &[gate]);
            for _ in 0..n {
                let next = marker(queue, &[last]);
                release(last);
                last = next;
            }
            cl!(clSetUserEventStatus(gate, CL_COMPLETE));
            assert_eq!(wait(last), CL_SUCCESS);
            finish(queue);
            release(last);
            release(gate);
            // A failure also passes along the whole chain.
            let gate = user_event(context);
            let mut last = marker(queue, &[gate]);
            for _ in 0..n {
                let next = marker(queue, &[last]);
                release(last);
                last = next;
            }
            cl!(clFlush(queue));
            cl!(clSetUserEventStatus(gate, -1));
            assert_eq!(wait(last), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
            release(last);
            release(gate);
            cl!(clReleaseCommandQueue(queue));
        }
    }
}

#[test]
fn objects_may_be_released_while_commands_are_pending() {
    for (context, device) in contexts() {
        for properties in [0, OUT_OF_ORDER] {
            let queue = queue(context, device, properties);
            let gate = user_event(context);
            let ran = AtomicUsize::new(0);
            let source = buffer(context, 64);
            let target = buffer(context, 64);
            write(queue, source, &[7_u8; 64]);
            let mut out = [0_u8; 64];
            let mut event = null_mut();
            let code = cl!(clEnqueueCopyBuffer(
                queue,
                source,
                target,
                0,
                0,
                64,
                1,
                &raw const gate,
                &raw mut event
            ));
            assert_eq!(code, CL_SUCCESS);
            let mut done = null_mut();
            let code = cl!(clEnqueueReadBuffer(
                queue,
                target,
                CL_FALSE,
                0,
                64,
                out.as_mut_ptr().cast(),
                1,
                &raw const event,
                &raw mut done
            ));
            assert_eq!(code, CL_SUCCESS);
            release(native(queue, bump, &raw const ran, &[done], true));
            cl!(clReleaseMemObject(source));
            cl!(clReleaseMemObject(target));
            release(event);
            cl!(clReleaseCommandQueue(queue));
            cl!(clSetUserEventStatus(gate, CL_COMPLETE));
            assert_eq!(wait(done), CL_SUCCESS);
            assert_eq!(out, [7; 64]);
            until(|| ran.load(Ordering::SeqCst) == 1);
            release(done);
            release(gate);
        }
    }
}

#[test]
fn a_memory_object_is_gone_only_after_its_commands() {
    unsafe extern "C" fn gone(_: cl_mem, data: *mut c_void) {
        // SAFETY: the test passes a live counter.
        unsafe { &*data.cast::<AtomicUsize>() }.fetch_add(1, Ordering::SeqCst);
    }
    for (context, device) in contexts() {
        let queue = queue(context, device, 0);
        let mut host = vec![0_u32; 32];
        let mut code = 1;
        let flags = CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR;
        let buffer =
            cl!(clCreateBuffer(context, flags, 128, host.as_mut_ptr().cast(), &raw mut code));
        assert_eq!(code, CL_SUCCESS);
        let count = AtomicUsize::new(0);
        let data = std::ptr::from_ref(&count).cast_mut().cast();
        assert_eq!(cl!(clSetMemObjectDestructorCallback(buffer, Some(gone), data)), CL_SUCCESS);
        let gate = user_event(context);
        let pattern = 6_u32;
        let at = (&raw const pattern).cast();
        let code =
            cl!(clEnqueueFillBuffer(queue, buffer, at, 4, 0, 128, 1, &raw const gate, null_mut()));
        assert_eq!(code, CL_SUCCESS);
        cl!(clFlush(queue));
        assert_eq!(cl!(clReleaseMemObject(buffer)), CL_SUCCESS);
        assert_eq!(count.load(Ordering::SeqCst), 0);
        cl!(clSetUserEventStatus(gate, CL_COMPLETE));
        finish(queue);
        until(|| count.load(Ordering::SeqCst) == 1);
        assert_eq!(host, [6; 32]);
        release(gate);
    }
}

#[test]
fn event_and_queue_queries() {
    for (context, device) in contexts() {
        let queue = queue(context, device, OUT_OF_ORDER);
        let event = marker(queue, &[]);
        let mut handle: *mut c_void = null_mut();
        let ask = |name, handle: &mut *mut c_void| {
            cl!(clGetEventInfo(event, name, 8, std::ptr::from_mut(handle).cast(), null_mut()))
        };
        assert_eq!(ask(CL_EVENT_COMMAND_QUEUE, &mut handle), CL_SUCCESS);
        assert_eq!(handle.cast(), queue);
        assert_eq!(ask(CL_EVENT_CONTEXT, &mut handle), CL_SUCCESS);
        assert_eq!(handle.cast(), context);
        let mut references: cl_uint = 0;
        let at = (&raw mut references).cast();
        cl!(clRetainEvent(event));
        cl!(clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, 4, at, null_mut()));
        assert_eq!(references, 2);
        cl!(clReleaseEvent(event));
        assert_eq!(cl!(clGetEventInfo(event, 0x1234, 4, at, null_mut())), CL_INVALID_VALUE);
        assert_eq!(
            cl!(clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, 3, at, null_mut())),
            CL_INVALID_VALUE
        );
        finish(queue);
        release(event);
        assert_eq!(cl!(clReleaseEvent(event)), CL_INVALID_EVENT);
        let mut properties: cl_command_queue_properties = 0;
        cl!(clGetCommandQueueInfo(
            queue,
            CL_QUEUE_PROPERTIES,
            8,
            (&raw mut properties).cast(),
            null_mut()
        ));
        assert_eq!(properties, OUT_OF_ORDER);
        let mut size = 1;
        cl!(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, 0, null_mut(), &raw mut size));
        assert_eq!(size, 0);
        let code = cl!(clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, 4, at, null_mut()));
        assert_eq!(code, CL_INVALID_COMMAND_QUEUE);
        let list = [u64::from(CL_QUEUE_PROPERTIES), CL_QUEUE_PROFILING_ENABLE, 0];
        let mut code = 1;
        let other =
            cl!(clCreateCommandQueueWithProperties(context, device, list.as_ptr(), &raw mut code));
        assert_eq!(code, CL_SUCCESS);
        let mut back = [9; 3];
        cl!(clGetCommandQueueInfo(
            other,
            CL_QUEUE_PROPERTIES_ARRAY,
            24,
            back.as_mut_ptr().cast(),
            null_mut()
        ));
        assert_eq!(back, list);
    }
}

#[test]
fn maps_give_the_buffer_itself() {
    for (context, device) in contexts() {
        let queue = queue(context, device, 0);
        let mut host = vec![3_u32; 32];
        let mut code = 1;
        let flags = CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR;
        let buffer =
            cl!(clCreateBuffer(context, flags, 128, host.as_mut_ptr().cast(), &raw mut code));
        assert_eq!(code, CL_SUCCESS);
        let map = |flags, offset| {
            let mut code = 1;
            let p = cl!(clEnqueueMapBuffer(
                queue,
                buffer,
                CL_TRUE,
                flags,
                offset,
                16,
                0,
                null(),
                null_mut(),
                &raw mut code
            ));
            assert_eq!(code, CL_SUCCESS);
            p
        };
        let p = map(CL_MAP_WRITE, 64);
        assert_eq!(p.addr(), host.as_ptr().addr() + 64);
        let again = map(CL_MAP_READ, 64);
        assert_eq!(p, again);
        let mut maps: cl_uint = 0;
        cl!(clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, 4, (&raw mut maps).cast(), null_mut()));
        assert_eq!(maps, 2);
        // SAFETY: a mapped region of 16 bytes.
        unsafe { p.cast::<u32>().write(99) };
        let unmap = |p| cl!(clEnqueueUnmapMemObject(queue, buffer, p, 0, null(), null_mut()));
        assert_eq!((unmap(p), unmap(p), unmap(p)), (CL_SUCCESS, CL_SUCCESS, CL_INVALID_VALUE));
        finish(queue);
        assert_eq!(read::<u32>(queue, buffer, 32)[16], 99);
        let pattern = 5_u32;
        let code = cl!(clEnqueueFillBuffer(
            queue,
            buffer,
            (&raw const pattern).cast(),
            4,
            0,
            8,
            0,
            null(),
            null_mut()
        ));
        assert_eq!(code, CL_SUCCESS);
        let p = map(CL_MAP_WRITE_INVALIDATE_REGION, 0);
        assert_eq!(p.addr(), host.as_ptr().addr());
        assert_eq!(unmap(p), CL_SUCCESS);
        finish(queue);
        cl!(clReleaseMemObject(buffer));
        assert_eq!(host[..3], [5, 5, 3]);
    }
}

#[test]
fn rectangles_and_fills_match_a_model() {
    for (context, device) in contexts() {
        let mut random = fastrand::Rng::with_seed(0x1234_5678_9abc_def1);
        let size = 600;
        for properties in [0, OUT_OF_ORDER] {
            let queue = queue(context, device, properties);
            let buffers = [buffer(context, size), buffer(context, size)];
            let mut model = [vec![0_u8; size], vec![0_u8; size]];
            for b in 0..2 {
                write(queue, buffers[b], &model[b]);
            }
            for round in 0..400 {
                let region = [1 + random.usize(..7), 1 + random.usize(..5), 1 + random.usize(..4)];
                let mut side = || {
                    let row = region[0] + random.usize(..4);
                    let slice = row * (region[1] + random.usize(..3));
                    let start = random.usize(..size);
                    ([start, 0, 0], row, slice)
                };
                let ((a, arow, aslice), (b, brow, bslice)) = (side(), side());
                let end = |at: usize, row, slice| {
                    at + (region[2] - 1) * slice + (region[1] - 1) * row + region[0]
                };
                let (i, kind) = (random.usize(..2), random.u64(..3));
                let fits_a = end(a[0], arow, aslice) <= size;
                let fits_b = end(b[0], brow, bslice) <= size;
                let mut host: Vec<u8> =
                    (0..size).map(|k| u8::try_from((k * 7 + round) % 251).unwrap()).collect();
                let code = match kind {
                    0 => cl!(clEnqueueReadBufferRect(
                        queue,
                        buffers[i],
                        CL_TRUE,
                        a.as_ptr(),
                        b.as_ptr(),
                        region.as_ptr(),
                        arow,
                        aslice,
                        brow,
                        bslice,
                        if fits_b { host.as_mut_ptr().cast() } else { null_mut() },
                        0,
                        null(),
                        null_mut()
                    )),
                    1 => cl!(clEnqueueWriteBufferRect(
                        queue,
                        buffers[i],
                        CL_TRUE,
                        a.as_ptr(),
                        b.as_ptr(),
                        region.as_ptr(),
                        arow,
                        aslice,
                        brow,
                        bslice,
                        if fits_b { host.as_ptr().cast() } else { null() },
                        0,
                        null(),
                        null_mut()
                    )),
                    _ => cl!(clEnqueueCopyBufferRect(
                        queue,
                        buffers[i],
                        buffers[1 - i],
                        a.as_ptr(),
                        b.as_ptr(),
                        region.as_ptr(),
                        arow,
                        aslice,
                        brow,
                        bslice,
                        0,
                        null(),
                        null_mut()
                    )),
                };
                if !(fits_a && fits_b) {
                    assert_eq!(code, CL_INVALID_VALUE);
                    continue;
                }
                assert_eq!(code, CL_SUCCESS);
                finish(queue);
                let mut expected = host.clone();
                for z in 0..region[2] {
                    for y in 0..region[1] {
                        for x in 0..region[0] {
                            let p = a[0] + z * aslice + y * arow + x;
                            let q = b[0] + z * bslice + y * brow + x;
                            match kind {
                                0 => expected[q] = model[i][p],
                                1 => model[i][p] = expected[q],
                                _ => model[1 - i][q] = model[i][p],
                            }
                        }
                    }
                }
                if kind == 0 {
                    assert_eq!(host, expected);
                }
            }
            for b in 0..2 {
                assert_eq!(read::<u8>(queue, buffers[b], size), model[b]);
            }
        }
    }
}
