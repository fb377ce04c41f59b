//! One command buffer in execution, or one kernel that a kernel has enqueued.
//!
//! A task moves between threads: into a job when several threads share a command, and back into the
//! pool's list when a borrowed thread (see `pool`) must return. Invariant: exactly one of a thread,
//! the list, a job and a parked launch owns a task, and the task ends exactly once.

use crate::arena::Arena;
use crate::enqueue::child::{ChildCommand, KernelInstance, Running};
use crate::enqueue::queue::DeviceQueue;
use crate::executable::{CancellationFlag, HostKernel};
use crate::job::{Alone, Job, alone};
use crate::pool::Pool;
use crate::printf::Sink;
use crate::transfer::Transfer;
use crate::work::{ExecutionContext, KernelRun, Work};
use muxcl_mux::target::Ready;
use muxcl_mux::{Buffer, Command, MuxError};
use std::collections::VecDeque;
use std::sync::Arc;

/// A command buffer in execution, or a child kernel.
#[derive(Debug)]
pub(crate) struct Task {
    kind: TaskKind,
}

#[derive(Debug)]
enum TaskKind {
    Commands(Commands),
    /// A kernel that a kernel has enqueued.
    Child(Running),
}

/// A command buffer.
#[derive(Debug)]
struct Commands {
    ready: Ready,
    /// The next command, if `advance` has returned it already.
    pending: Option<usize>,
    /// The sink of the last command, which is flushed before the command completes.
    printed: Option<Arc<Sink>>,
    /// Set while a kernel runs that can enqueue.
    instance: Option<Arc<KernelInstance>>,
    /// The index of that kernel's command.
    at: usize,
}

/// A thread that works for a pool: its memory and, for a thread borrowed from the application, the
/// condition on which it must return.
pub(crate) struct Worker<'a> {
    pub(crate) pool: &'static Pool,
    pub(crate) arena: Box<Arena>,
    /// For a borrowed thread: returns true when the thread's own wait has ended.
    pub(crate) stop: Option<&'a dyn Fn() -> bool>,
}

impl Worker<'_> {
    pub(crate) fn should_stop(&self) -> bool {
        self.stop.is_some_and(|stop| stop())
    }
}

impl Task {
    /// The task of a command buffer.
    pub(crate) fn new(ready: Ready) -> Self {
        Self {
            kind: TaskKind::Commands(Commands {
                ready,
                pending: None,
                printed: None,
                instance: None,
                at: 0,
            }),
        }
    }

    /// The task of child kernels without remaining dependencies, which run one after another.
    /// `None` if there are none.
    pub(crate) fn of_children(children: impl Into<VecDeque<Arc<ChildCommand>>>) -> Option<Self> {
        Running::first_of(children).map(|running| Self { kind: TaskKind::Child(running) })
    }

    /// Executes commands until the end, until another thread owns the task, or until the worker
    /// must return.
    pub(crate) fn run(self, worker: &mut Worker<'_>) {
        // A task is large, so it stays in place from command to command.
        let mut task = self;
        let mut fresh = true;
        loop {
            let work = match &mut task.kind {
                TaskKind::Child(child) => Ok(child.work().map(Work::Kernel)),
                TaskKind::Commands(commands) => {
                    let Some(index) = commands.next() else { return task.finish(worker) };
                    if !fresh && worker.should_stop() {
                        commands.pending = Some(index);
                        return worker.pool.requeue(task);
                    }
                    commands.prepare(index, worker.pool)
                }
            };
            fresh = false;
            let result = match work {
                Ok(Some(work)) => match run_here(&work, worker) {
                    Ok(Alone::Share { next, unit_ps }) => {
                        let Some(left) = task.share(work, next, unit_ps, worker) else { return };
                        let result;
                        (task, result) = left;
                        result
                    }
                    outcome => outcome.map(|_| ()),
                },
                Ok(None) => Ok(()),
                Err(error) => Err(error),
            };
            if result.is_ok() && task.is_between_commands() {
                continue;
            }
            let Some(next) = task.ended(result) else { return };
            task = next;
        }
    }

    /// Completes a command buffer whose commands have all run.
    fn finish(self, worker: &Worker<'_>) {
        if let TaskKind::Commands(mut commands) = self.kind {
            // Before `finishing`: the drop may call the application's destructor callbacks. Other
            // threads must run what these submit, because a callback may wait for it.
            commands.ready.drop_commands();
            worker.pool.finishing(|| commands.ready.done());
        }
    }

    /// True for a command buffer whose current command is not a kernel that can enqueue. If such a
    /// command succeeds, nothing remains to be done at its end.
    fn is_between_commands(&self) -> bool {
        matches!(&self.kind, TaskKind::Commands(commands) if commands.instance.is_none())
    }

    /// Shares the units of `work` from `next` on with other threads. `None` if another thread
    /// continues the task.
    fn share(
        self,
        work: Work,
        next: u64,
        unit_ps: u64,
        worker: &mut Worker<'_>,
    ) -> Option<(Self, Result<(), MuxError>)> {
        let threads = worker.pool.threads();
        let job = Arc::new(Job::new(work, next, unit_ps, threads, self));
        worker.pool.publish(&job, job.more_wanted(unit_ps, threads));
        participate(&job, worker)
    }

    /// Ends the current command. Returns the task to continue with, or `None` while children of the
    /// kernel still run.
    fn ended(mut self, result: Result<(), MuxError>) -> Option<Self> {
        if let TaskKind::Child(child) = self.kind {
            return child.ended(result);
        }
        if let Err(error) = result {
            self.failed(error);
        }
        let TaskKind::Commands(commands) = &mut self.kind else { return None };
        match commands.instance.take() {
            Some(instance) => {
                commands.ready.own_end(commands.at, muxcl_os::now_ns());
                instance.park(self)
            }
            None => Some(self),
        }
    }

    /// Records the failure of the current command.
    pub(crate) fn failed(&mut self, error: MuxError) {
        if let TaskKind::Commands(commands) = &mut self.kind {
            commands.ready.failed(error);
        }
    }

    /// Continues after a shared command.
    pub(crate) fn resume(self, result: Result<(), MuxError>, worker: &mut Worker<'_>) {
        if let Some(task) = self.ended(result) {
            task.run(worker);
        }
    }
}

impl Commands {
    /// The next command for the device. First flushes the output of the last command and calls the
    /// callbacks in between.
    fn next(&mut self) -> Option<usize> {
        if let Some(sink) = self.printed.take() {
            sink.flush();
        }
        self.pending.take().or_else(|| self.ready.advance(&muxcl_os::now_ns))
    }

    /// The work of a command; `None` if it has none.
    fn prepare(&mut self, index: usize, pool: &'static Pool) -> Result<Option<Work>, MuxError> {
        let Some(command) = self.ready.commands().get(index) else { return Ok(None) };
        let Command::NdRange(launch) = command else { return work_of(command) };
        let kernel = launch.kernel.target().as_any().downcast_ref::<HostKernel>();
        self.printed = kernel.and_then(|k| k.sink.clone());
        let Some(run) = KernelRun::new(launch)? else { return Ok(None) };
        if !launch.kernel.variant().enqueues {
            return Ok(Some(Work::Kernel(run)));
        }
        let default_queue =
            launch.default_queue.as_ref().and_then(|q| DeviceQueue::find(q.handle()));
        let printf = self.printed.as_ref().map_or(0, |sink| sink.address());
        let stop = kernel.map_or(CancellationFlag::default(), |k| k.stop);
        self.at = index;
        let instance =
            self.instance.insert(KernelInstance::of_launch(pool, default_queue, printf, stop));
        Ok(Some(Work::Kernel(run.with_instance(Arc::as_ptr(instance)))))
    }
}

/// Runs work on this thread while the remainder is not worth sharing.
fn run_here(work: &Work, worker: &mut Worker<'_>) -> Result<Alone, MuxError> {
    let mut context = ExecutionContext::new(work, &mut worker.arena)?;
    Ok(alone(work, &mut context, worker.pool))
}

/// Participates in a job that the thread has joined. The last participant continues the task.
pub(crate) fn participate(
    job: &Job,
    worker: &mut Worker<'_>,
) -> Option<(Task, Result<(), MuxError>)> {
    let borrowed = worker.stop.is_some();
    let mut part = job.first_part();
    match ExecutionContext::new(job.work(), &mut worker.arena) {
        Ok(mut context) => loop {
            if worker.stop.is_some_and(|stop| stop()) {
                break;
            }
            let Some(units) = job.claim(&mut part, borrowed) else {
                worker.pool.close(job);
                break;
            };
            // The last chunk is claimed, so no other thread can find work in this job.
            if job.exhausted() {
                worker.pool.close(job);
            }
            let (count, before) = (units.end - units.start, muxcl_os::now_ns());
            context.run(units);
            // The units may take longer than the first ones did. Loom models have no clock.
            if cfg!(loom) {
                continue;
            }
            let time = muxcl_os::now_ns().saturating_sub(before);
            let unit_ps = time.saturating_mul(1000) / count.max(1);
            job.work().measured(unit_ps);
            if !job.exhausted() {
                worker.pool.ask(job, job.more_wanted(unit_ps, worker.pool.threads()));
            }
        },
        Err(error) => job.fail(error),
    }
    if job.exhausted() {
        worker.pool.close(job);
    } else {
        // A borrowed thread returns early, so another thread must do the rest.
        worker.pool.ask(job, 1);
    }
    job.leave()
}

/// The work of a command; `None` if it has none.
fn work_of(command: &Command) -> Result<Option<Work>, MuxError> {
    let transfer = match command {
        Command::ReadBuffer { buffer, offset, size, dst } => {
            Transfer::Copy { src: at(buffer, *offset)?, dst: dst.ptr(), bytes: bytes(*size)? }
        }
        Command::WriteBuffer { buffer, offset, size, src } => {
            Transfer::Copy { src: src.ptr(), dst: at(buffer, *offset)?, bytes: bytes(*size)? }
        }
        Command::CopyBuffer { src, src_offset, dst, dst_offset, size } => Transfer::Copy {
            src: at(src, *src_offset)?,
            dst: at(dst, *dst_offset)?,
            bytes: bytes(*size)?,
        },
        Command::FillBuffer { buffer, offset, size, pattern } => {
            let (pattern, step) = (pattern.bytes().as_ptr(), pattern.bytes().len());
            Transfer::Fill { dst: at(buffer, *offset)?, bytes: bytes(*size)?, pattern, step }
        }
        Command::ReadRect { buffer, dst, rect } => {
            Transfer::Rect { src: at(buffer, 0)?, dst: dst.ptr(), rect: &raw const **rect }
        }
        Command::WriteRect { buffer, src, rect } => {
            Transfer::Rect { src: src.ptr(), dst: at(buffer, 0)?, rect: &raw const **rect }
        }
        Command::CopyRect { src, dst, rect } => {
            Transfer::Rect { src: at(src, 0)?, dst: at(dst, 0)?, rect: &raw const **rect }
        }
        // Device memory is host memory, so flushing is a no-op. `Ready::advance` executes all other
        // commands.
        _ => return Ok(None),
    };
    Ok(Some(Work::Transfer(transfer)))
}

fn at(buffer: &Buffer, offset: u64) -> Result<*mut u8, MuxError> {
    let base =
        buffer.host_ptr().ok_or(MuxError::InvalidValue("a buffer that the host cannot access"))?;
    Ok(base.wrapping_add(bytes(offset)?))
}

fn bytes(size: u64) -> Result<usize, MuxError> {
    usize::try_from(size).map_err(|_| MuxError::InvalidValue("size"))
}
