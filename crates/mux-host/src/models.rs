//! Loom models of the pool, its jobs and parked commands. `cargo xtask models` runs them.
//!
//! The models run the real code: a device whose pool lives for one execution, and commands
//! dispatched to it. Only the units of a job belong to the model ([`ModelWork`]), because loom
//! cannot observe compiled kernels. Loom reports a lost wake-up as a deadlock.

use crate::arena::Arena;
use crate::device::HostDevice;
use crate::enqueue::child::{After, EnqueueRequest, GroupContext, KernelInstance, completed};
use crate::enqueue::event::{self, Event};
use crate::enqueue::queue::DeviceQueue;
use crate::executable::CancellationFlag;
use crate::info;
use crate::job::Job;
use crate::pool::{Idle, Pool};
use crate::pools::{Pools, SUB_DEVICE_IDLE};
use crate::task::{Task, Worker, participate};
use crate::work::Work;
use muxcl_lock::sync::atomic::{AtomicUsize, Ordering};
use muxcl_lock::sync::{cell::UnsafeCell, model, thread};
use muxcl_mux::sync::Completion;
use muxcl_mux::{
    Callback, CallbackInfo, CommandBuffer, Device, DeviceInfo, Dispatch, MuxError, Semaphore,
    SubmitHint, Wait,
};
use muxcl_types::enqueue::state::COMPLETE;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Work whose units call the model.
#[derive(Clone, Copy)]
pub(crate) struct ModelWork {
    pub(crate) units: u64,
    pub(crate) run: &'static (dyn Fn(Range<u64>) + Send + Sync),
}

impl fmt::Debug for ModelWork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelWork").field("units", &self.units).finish_non_exhaustive()
    }
}

/// The state that a model checks after each execution.
#[derive(Debug)]
struct Observed {
    /// Number of completions of the command.
    completions: AtomicUsize,
    /// Completed together with the command.
    done: Completion,
}

/// A separate device with a pool that has no threads yet.
fn device(cpus: &'static [u32], limit: usize, idle: Idle) -> (Device, &'static Pool) {
    static INFO: OnceLock<DeviceInfo> = OnceLock::new();
    let info = INFO.get_or_init(info::read).clone();
    let generation = muxcl_os::fork_generation();
    let pool: &'static Pool = Box::leak(Box::new(Pool::new(generation, cpus, limit, idle)));
    (HostDevice::with_pools(info, vec![0], SUB_DEVICE_IDLE, Pools::of_pool(pool)), pool)
}

/// Dispatches a command buffer without commands.
fn dispatch(device: &Device, hint: SubmitHint) -> Arc<Observed> {
    dispatch_after(device, &[], hint)
}

/// As [`dispatch`], for a command buffer that waits for semaphores.
fn dispatch_after(device: &Device, waits: &[Wait], hint: SubmitHint) -> Arc<Observed> {
    dispatch_commands(device, device.create_command_buffer(), waits, hint)
}

/// Dispatches the command buffer `commands`, which starts after the semaphores `waits`.
fn dispatch_commands(
    device: &Device,
    mut commands: CommandBuffer,
    waits: &[Wait],
    hint: SubmitHint,
) -> Arc<Observed> {
    let observed = Arc::new(Observed { completions: AtomicUsize::new(0), done: Completion::new() });
    let told = Arc::clone(&observed);
    commands.finalise().unwrap();
    let on_complete = Box::new(move |result: Result<(), MuxError>| {
        told.completions.fetch_add(1, Ordering::SeqCst);
        told.done.complete(if result.is_ok() { 0 } else { -1 });
    });
    let how = Dispatch { waits, on_complete: Some(on_complete), hint, ..Dispatch::default() };
    device.queue().dispatch_once(commands, how).unwrap();
    observed
}

/// The task of a command buffer that no thread runs yet.
fn task(device: &Device, pool: &Pool) -> (Task, Arc<Observed>) {
    let observed = dispatch(device, SubmitHint::CallerWaits);
    (pool.pop().unwrap(), observed)
}

/// Waits without helping, and checks the result.
fn wait(observed: &Observed) {
    assert_eq!(observed.done.wait(None, None), Some(0));
    assert_eq!(observed.completions.load(Ordering::SeqCst), 1);
}

/// One cell for each unit. Loom reports unordered accesses to the same cell.
#[derive(Debug)]
struct Cells(Vec<UnsafeCell<u32>>);

// SAFETY: loom checks every access.
unsafe impl Sync for Cells {}
// SAFETY: as above.
unsafe impl Send for Cells {}

/// A job of `units` units. Unit `k` increments cell `k`.
fn job(
    units: usize,
    pool: &'static Pool,
    device: &Device,
) -> (Arc<Job>, Arc<Observed>, Arc<Cells>) {
    let (task, observed) = task(device, pool);
    let cells = Arc::new(Cells((0..units).map(|_| UnsafeCell::new(0)).collect()));
    let (counted, seen) = (Arc::clone(&cells), Arc::clone(&observed));
    let run = move |range: Range<u64>| {
        for unit in range {
            let complete = || seen.completions.load(Ordering::SeqCst);
            assert_eq!(complete(), 0, "a unit starts after its command has completed");
            // The unit takes time, so other threads run meanwhile.
            thread::yield_now();
            // SAFETY: loom checks the access.
            counted.0[usize::try_from(unit).unwrap()].with_mut(|count| unsafe { *count += 1 });
            assert_eq!(complete(), 0, "a unit runs while its command has completed");
        }
    };
    let work = ModelWork { units: units as u64, run: Box::leak(Box::new(run)) };
    // A unit takes so long that every chunk has one unit.
    let job = Arc::new(Job::new(Work::Model(work), 0, 1_000_000_000, 2, task));
    pool.publish(&job, 0);
    (job, observed, cells)
}

fn check_cells(cells: &Cells) {
    for cell in &cells.0 {
        // SAFETY: loom checks the access: every unit happens before the command's completion.
        assert_eq!(cell.with(|count| unsafe { *count }), 1, "every unit runs once");
    }
}

/// A borrowed thread leaves the job early while a pool thread joins it and claims the
/// last unit.
#[test]
fn a_command_completes_once_and_after_all_its_units() {
    model(|| {
        let (device, pool) = device(&[], 1, Idle::Stay);
        let (job, observed, cells) = job(2, pool, &device);
        let looks = std::cell::Cell::new(0);
        let stop = || looks.replace(looks.get() + 1) != 0;
        let mut worker = Worker { pool, arena: Arena::take(), stop: Some(&stop) };
        if let Some((task, result)) = participate(&job, &mut worker) {
            task.resume(result, &mut worker);
        }
        wait(&observed);
        check_cells(&cells);
        pool.end();
    });
}

/// Both threads stay to the end.
#[test]
fn the_last_participant_completes_the_command() {
    model(|| {
        let (device, pool) = device(&[], 1, Idle::Stay);
        let (job, observed, cells) = job(3, pool, &device);
        pool.ask(&job, 1);
        let mut worker = Worker { pool, arena: Arena::take(), stop: None };
        if let Some((task, result)) = participate(&job, &mut worker) {
            task.resume(result, &mut worker);
        }
        wait(&observed);
        check_cells(&cells);
        pool.end();
    });
}

/// The threads go on to the second part of a job.
#[test]
fn the_units_of_all_parts_run_once() {
    model(|| {
        let (device, pool) = device(&[], 1, Idle::Stay);
        let (job, observed, cells) = job(6, pool, &device);
        assert_eq!(job.parts(), 2);
        pool.ask(&job, 1);
        let mut worker = Worker { pool, arena: Arena::take(), stop: None };
        if let Some((task, result)) = participate(&job, &mut worker) {
            task.resume(result, &mut worker);
        }
        wait(&observed);
        check_cells(&cells);
        pool.end();
    });
}

/// A pool thread falls asleep while work arrives.
#[test]
fn a_sleeping_thread_hears_of_work() {
    model(|| {
        let (device, pool) = device(&[], 1, Idle::Stay);
        let first = dispatch(&device, SubmitHint::Background);
        let second = dispatch(&device, SubmitHint::Background);
        wait(&first);
        wait(&second);
        pool.end();
    });
}

/// Two threads submit; one of them helps and then returns.
#[test]
fn a_helping_thread_leaves_no_work_behind() {
    model(|| {
        let (device, pool) = device(&[], 1, Idle::Stay);
        let other = {
            let device = device.clone();
            thread::spawn(move || wait(&dispatch(&device, SubmitHint::Background)))
        };
        let mine = dispatch(&device, SubmitHint::CallerWaits);
        assert_eq!(mine.done.wait(Some(device.queue()), None), Some(0));
        other.join().unwrap();
        pool.end();
    });
}

/// A command buffer becomes ready while its waiter finds no work, and the pool has no thread.
#[test]
fn a_waiting_thread_does_the_work_of_a_pool_without_threads() {
    model(|| {
        let (device, _) = device(&[], 0, Idle::Stay);
        let gate = Semaphore::new();
        let wait = Wait { semaphore: gate.clone(), propagate_failure: true };
        let observed = dispatch_after(&device, &[wait], SubmitHint::Background);
        let waiter = thread::spawn(move || {
            assert_eq!(observed.done.wait(Some(device.queue()), None), Some(0));
        });
        gate.signal(true);
        waiter.join().unwrap();
    });
}

/// The idle thread of a sub-device ends while work arrives.
#[test]
fn an_idle_thread_that_ends_takes_no_work_with_it() {
    model(|| {
        let (device, _) = device(&[0], 1, Idle::EndAfter(SUB_DEVICE_IDLE));
        wait(&dispatch(&device, SubmitHint::Background));
        wait(&dispatch(&device, SubmitHint::Background));
    });
}

/// The drop of a command submits another command and waits for it, as a destructor callback of the
/// application may do.
#[test]
fn a_command_runs_while_the_drop_of_another_one_waits_for_it() {
    struct WaitsInDrop(Device);
    impl Callback for WaitsInDrop {
        fn call(&self, _info: &CallbackInfo) {}
    }
    impl Drop for WaitsInDrop {
        fn drop(&mut self) {
            wait(&dispatch(&self.0, SubmitHint::Background));
        }
    }
    model(|| {
        let (device, pool) = device(&[], 2, Idle::Stay);
        let mut commands = device.create_command_buffer();
        commands.shared_callback(Arc::new(WaitsInDrop(device.clone()))).unwrap();
        wait(&dispatch_commands(&device, commands, &[], SubmitHint::Background));
        pool.end();
    });
}

/// A host command is parked while the event that its kernel's marker waits for completes.
#[test]
fn a_parked_command_resumes_once_and_after_its_children() {
    model(|| {
        let (device, pool) = device(&[], 1, Idle::Stay);
        let (task, observed) = task(&device, pool);
        let queue = DeviceQueue::create(64).unwrap();
        let instance = KernelInstance::of_launch(pool, None, 0, CancellationFlag::default());
        let group = GroupContext::new(Arc::as_ptr(&instance), false);
        let (user_number, user) = Event::create(true, &queue).unwrap();
        let (marker_number, marker) = Event::create(false, &queue).unwrap();
        let command = EnqueueRequest {
            queue: Arc::clone(&queue),
            bytes: 0,
            run: None,
            enqueues: false,
            memory: Vec::new(),
            waits: vec![Arc::clone(&user)],
            event: Some(Arc::clone(&marker)),
            after: After::Kernel,
        };
        assert!(group.enqueue(command));
        let setter = thread::spawn(move || {
            completed(user.set_status(COMPLETE), COMPLETE).submit(false);
        });
        let mut worker = Worker { pool, arena: Arena::take(), stop: None };
        if let Some(task) = instance.park(task) {
            task.run(&mut worker);
        }
        wait(&observed);
        assert_eq!(marker.status(), Some(COMPLETE), "the command completes after its children");
        setter.join().unwrap();
        completed(event::release(user_number), COMPLETE).submit(false);
        completed(event::release(marker_number), COMPLETE).submit(false);
        pool.end();
    });
}
