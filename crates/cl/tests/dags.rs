//! Random graphs of commands over several queues of both kinds, against a sequential model; and
//! eight threads at once.

#![expect(
    clippy::unwrap_used,
    clippy::multiple_unsafe_ops_per_block,
    clippy::macro_metavars_in_unsafe,
    reason = "a test may fail anywhere, and its arguments are its own"
)]

#[expect(dead_code, reason = "each test program uses a part")]
mod common;

use common::*;
use muxcl_cl_sys::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::time::{Duration, Instant};

#[derive(Clone, Copy)]
#[repr(C)]
struct Step {
    target: *mut u64,
    source: *const u64,
    factor: u64,
}

/// `target = target * factor + source`, which does not commute.
unsafe extern "C" fn step(args: *mut c_void) {
    // SAFETY: a `Step` was passed, its pointers replaced by those of two live buffers.
    let s = unsafe { args.cast::<Step>().read_unaligned() };
    // SAFETY: as above; commands on the same buffers are ordered.
    let (old, source) = unsafe { (s.target.read_volatile(), s.source.read_volatile()) };
    // SAFETY: as above.
    unsafe { s.target.write_volatile(old.wrapping_mul(s.factor).wrapping_add(source)) };
}

fn enqueue_step(
    queue: cl_command_queue,
    mems: [cl_mem; 2],
    factor: u64,
    waits: &[cl_event],
) -> cl_event {
    let mut args = Step { target: null_mut(), source: null(), factor };
    let base: *mut Step = &raw mut args;
    let mut places: [*const c_void; 2] = [base.cast(), base.cast::<u8>().wrapping_add(8).cast()];
    let mut event = null_mut();
    let code = cl!(clEnqueueNativeKernel(
        queue,
        Some(step),
        base.cast(),
        size_of::<Step>(),
        2,
        mems.as_ptr(),
        places.as_mut_ptr(),
        count(waits),
        list_ptr(waits),
        &raw mut event
    ));
    assert_eq!(code, CL_SUCCESS);
    event
}

/// The last commands that used a buffer, each with its queue and its event.
#[derive(Default, Clone)]
struct Uses {
    write: Option<(usize, cl_event)>,
    reads: Vec<(usize, cl_event)>,
}

fn run(context: cl_context, device: cl_device_id, seed: u64, commands: usize) {
    const BUFFERS: usize = 6;
    let mut random = fastrand::Rng::with_seed(seed);
    let kinds: Vec<cl_command_queue_properties> = (0..1 + random.usize(..4))
        .map(|_| {
            let order =
                if random.u64(..2) == 0 { CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE } else { 0 };
            order | if random.u64(..3) == 0 { CL_QUEUE_PROFILING_ENABLE } else { 0 }
        })
        .collect();
    let in_order: Vec<bool> =
        kinds.iter().map(|k| k & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE == 0).collect();
    let queues: Vec<_> = kinds.iter().map(|k| queue(context, device, *k)).collect();
    let mut model: Vec<u64> = (0..BUFFERS as u64).map(|i| i * 1001 + 1).collect();
    let mems: Vec<_> = model
        .iter()
        .map(|v| {
            let mem = buffer(context, 8);
            write(queues[0], mem, &[*v]);
            mem
        })
        .collect();
    let mut uses = vec![Uses::default(); BUFFERS];
    let mut events = Vec::new();
    let mut gates: Vec<cl_event> = Vec::new();
    for _ in 0..commands {
        let q = random.usize(..queues.len());
        let (target, source) = (random.usize(..BUFFERS), random.usize(..BUFFERS));
        if target == source {
            continue;
        }
        let mut waits: Vec<cl_event> = Vec::new();
        let mut need = |(queue, event): (usize, cl_event)| {
            if (queue != q || !in_order[q]) && !waits.contains(&event) {
                waits.push(event);
            }
        };
        uses[target].write.into_iter().for_each(&mut need);
        uses[target].reads.iter().copied().for_each(&mut need);
        uses[source].write.into_iter().for_each(&mut need);
        match random.u64(..12) {
            0 => {
                let gate = user_event(context);
                gates.push(gate);
                waits.push(gate);
            }
            // A wait list may repeat the order of an in-order queue.
            1 => waits.extend(uses[source].write.map(|w| w.1)),
            _ => {}
        }
        // Sometimes a barrier or a marker waits in place of the command.
        if !waits.is_empty() && random.u64(..8) == 0 {
            events.push(barrier(queues[q], &waits));
            waits.clear();
        } else if !waits.is_empty() && random.u64(..8) == 0 {
            let event = marker(queues[q], &waits);
            events.push(event);
            waits = vec![event];
        }
        let pair = [mems[target], mems[source]];
        let event = match random.u64(..4) {
            0 => {
                let mut event = null_mut();
                let (n, list) = (count(&waits), list_ptr(&waits));
                let code = cl!(clEnqueueCopyBuffer(
                    queues[q],
                    pair[1],
                    pair[0],
                    0,
                    0,
                    8,
                    n,
                    list,
                    &raw mut event
                ));
                assert_eq!(code, CL_SUCCESS);
                model[target] = model[source];
                event
            }
            _ => {
                let factor = random.u64(..1 << 40) | 1;
                model[target] = model[target].wrapping_mul(factor).wrapping_add(model[source]);
                enqueue_step(queues[q], pair, factor, &waits)
            }
        };
        events.push(event);
        uses[target] = Uses { write: Some((q, event)), reads: Vec::new() };
        uses[source].reads.push((q, event));
        match random.u64(..40) {
            0 => assert_eq!(cl!(clFlush(queues[q])), CL_SUCCESS),
            1 => {
                for gate in gates.drain(..) {
                    cl!(clSetUserEventStatus(gate, CL_COMPLETE));
                    release(gate);
                }
            }
            2 if gates.is_empty() => finish(queues[q]),
            3 if gates.is_empty() => {
                assert_eq!(wait(events[random.usize(..events.len())]), CL_SUCCESS)
            }
            _ => {}
        }
    }
    for gate in gates.drain(..) {
        cl!(clSetUserEventStatus(gate, CL_COMPLETE));
        release(gate);
    }
    for queue in &queues {
        finish(*queue);
    }
    for event in &events {
        assert_eq!(status(*event), CL_COMPLETE);
        release(*event);
    }
    for (mem, expected) in mems.iter().zip(&model) {
        assert_eq!(read::<u64>(queues[0], *mem, 1), [*expected], "seed {seed}");
        assert_eq!(cl!(clReleaseMemObject(*mem)), CL_SUCCESS);
    }
    for queue in queues {
        assert_eq!(cl!(clReleaseCommandQueue(queue)), CL_SUCCESS);
    }
}

#[test]
fn random_graphs_match_the_model() {
    for (context, device) in contexts() {
        for seed in 1..=150_u64 {
            run(context, device, seed.wrapping_mul(0x9E37_79B9_7F4A_7C15), 120);
        }
    }
}

#[test]
fn eight_threads_share_a_context() {
    for (context, device) in contexts() {
        let (context, device) = (context.expose_provenance(), device.expose_provenance());
        let seconds = muxcl_config::MUXCL_TEST_SECONDS.parse::<u64>().unwrap_or(2);
        let end = Instant::now() + Duration::from_secs(seconds);
        std::thread::scope(|scope| {
            for thread in 1..=8_u64 {
                scope.spawn(move || {
                    let context = std::ptr::with_exposed_provenance_mut(context);
                    let device = std::ptr::with_exposed_provenance_mut(device);
                    let mut seed = thread << 32;
                    while Instant::now() < end {
                        seed += 1;
                        run(context, device, seed, 60);
                    }
                });
            }
        });
    }
}

#[test]
fn eight_threads_share_one_queue() {
    for (context, device) in contexts() {
        for properties in [0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE] {
            let queue = queue(context, device, properties).expose_provenance();
            let context = context.expose_provenance();
            std::thread::scope(|scope| {
                for thread in 0..8_u64 {
                    scope.spawn(move || {
                        let context = std::ptr::with_exposed_provenance_mut(context);
                        let queue = std::ptr::with_exposed_provenance_mut(queue);
                        let mem = buffer(context, 8);
                        for i in 0..300_u64 {
                            let value = thread << 32 | i;
                            let mut event = null_mut();
                            let at: *const u64 = &raw const value;
                            let code = cl!(clEnqueueWriteBuffer(
                                queue,
                                mem,
                                CL_FALSE,
                                0,
                                8,
                                at.cast(),
                                0,
                                null(),
                                &raw mut event
                            ));
                            assert_eq!(code, CL_SUCCESS);
                            let mut out = 0_u64;
                            let code = cl!(clEnqueueReadBuffer(
                                queue,
                                mem,
                                CL_TRUE,
                                0,
                                8,
                                (&raw mut out).cast(),
                                1,
                                &raw const event,
                                null_mut()
                            ));
                            assert_eq!((code, out), (CL_SUCCESS, value));
                            release(event);
                            if i % 50 == 0 {
                                finish(queue);
                            }
                        }
                        cl!(clReleaseMemObject(mem));
                    });
                }
            });
        }
    }
}
