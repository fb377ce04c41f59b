//! Execution under a debugger: one thread drives all harts, a slice at a time, and a hart that does
//! not execute lies in its slot. Invariant: between two slices, the debugger's thread may read and
//! change every hart. Translated code is not used, because it knows no breakpoints. Not here: what
//! the client wants (`gdb`).

use super::{CHECK_INTERVAL, Failure, HartSlot, Instances, Machine, Stage};
use crate::gdb::{Action, Debugger, Event, Plan, Watchpoint};
use gdbstub::common::Signal;
use muxcl_os::FpState;
use muxcl_rv_sim::{Exit, FaultKind, Hart, Memory};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of instructions of a slice: a fraction of a millisecond, so that an interrupt of the
/// client takes effect at once.
const SLICE: u64 = 1 << 16;
/// Number of instructions of a slice that is executed one by one.
const SLOW_SLICE: u64 = 1 << 10;

/// Why a slice ended.
enum End {
    Exit(Exit),
    Stop(Event),
}

/// The rest of a launch: the number of harts to use, the next instance, the number of instances
/// that are done, and the instances in progress. Each of the latter is a hart, and the number of
/// instructions that it had retired when it began to work for the launch.
type Rest<'a> = (usize, &'a AtomicU64, &'a AtomicU64, Vec<(usize, u64)>);

/// The signal for the client when an instance fails.
fn signal(exit: Exit) -> Signal {
    match exit {
        Exit::Fault(fault) => match fault.kind {
            FaultKind::IllegalInstruction => Signal::SIGILL,
            FaultKind::Misaligned | FaultKind::Device => Signal::SIGBUS,
            _ => Signal::SIGSEGV,
        },
        Exit::Ebreak => Signal::SIGTRAP,
        Exit::Limit => Signal::SIGXCPU,
        _ => Signal::SIGABRT,
    }
}

/// The bytes that are watched.
struct Watched<'a> {
    points: &'a BTreeSet<Watchpoint>,
    bytes: Vec<Vec<u8>>,
}

fn bytes_at(memory: &Memory, hart: u32, point: Watchpoint) -> Vec<u8> {
    let mut bytes = vec![0; point.size];
    // The range was readable when the client set the watchpoint; a window may have changed.
    let _ = memory.read(hart, point.address, &mut bytes);
    bytes
}

impl<'a> Watched<'a> {
    fn new(points: &'a BTreeSet<Watchpoint>, hart: &Hart) -> Self {
        let bytes = points.iter().map(|p| bytes_at(hart.memory(), hart.id(), *p)).collect();
        Self { points, bytes }
    }

    /// The address of a watchpoint with changed bytes.
    fn changed(&self, hart: &Hart) -> Option<u64> {
        let mut points = self.points.iter().zip(&self.bytes);
        let change = points.find(|(p, old)| bytes_at(hart.memory(), hart.id(), **p) != **old);
        change.map(|(p, _)| p.address)
    }
}

impl HartSlot {
    /// Executes one instruction.
    fn step(&mut self) -> Exit {
        let trace = self.trace.as_mut().filter(|trace| trace.is_on());
        let step = |hart: &mut Hart| match trace {
            Some(trace) => trace.step(hart),
            None => hart.step(),
        };
        match &mut self.profile {
            Some(profile) => profile.code.step(&mut self.hart, step),
            None => step(&mut self.hart),
        }
    }

    /// Executes instructions one by one, up to a change of watched bytes, a breakpoint, or the end
    /// of a range of addresses.
    fn slow_slice(&mut self, limit: u64, plan: &Plan, range: Option<(u64, u64)>) -> End {
        let watched = Watched::new(&plan.watchpoints, &self.hart);
        let hart = self.hart.id();
        for k in 0..limit.min(SLOW_SLICE) {
            // A range begins with a step, like a step from a breakpoint.
            if (k > 0 || range.is_none()) && plan.breakpoints.contains(&self.hart.pc()) {
                return End::Stop(Event::Breakpoint(hart));
            }
            let exit = self.step();
            if let Some(address) = watched.changed(&self.hart)
                && exit == Exit::Limit
            {
                return End::Stop(Event::Watch(hart, address));
            }
            if exit != Exit::Limit {
                return End::Exit(exit);
            }
            if range.is_some_and(|(start, end)| !(start..end).contains(&self.hart.pc())) {
                return End::Stop(Event::Stepped(hart));
            }
        }
        End::Exit(Exit::Limit)
    }

    fn slice(&mut self, limit: u64, plan: &Plan) -> End {
        let hart = self.hart.id();
        match plan.action {
            Action::Hold => End::Exit(Exit::Limit),
            Action::Step => match self.step() {
                Exit::Limit => End::Stop(Event::Stepped(hart)),
                exit => End::Exit(exit),
            },
            Action::Range(start, end) => self.slow_slice(limit, plan, Some((start, end))),
            Action::Continue => {
                let traced = self.trace.as_ref().is_some_and(|trace| trace.is_on());
                if traced || !plan.watchpoints.is_empty() {
                    return self.slow_slice(limit, plan, None);
                }
                self.hart.set_breakpoints(&plan.breakpoints);
                let exit = match &mut self.profile {
                    Some(profile) => profile.code.run(&mut self.hart, limit.min(SLICE)),
                    None => self.hart.run(limit.min(SLICE)),
                };
                match exit {
                    Exit::Breakpoint => End::Stop(Event::Breakpoint(hart)),
                    exit => End::Exit(exit),
                }
            }
        }
    }
}

/// A hart is in a slice, until this is dropped.
struct InSlice<'a>(&'a Debugger);

impl Drop for InSlice<'_> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

impl Machine {
    /// A client of the debugger is connected.
    pub(super) fn is_debugged(&self) -> bool {
        self.debugger.as_ref().is_some_and(|d| d.has_client())
    }

    /// Asks for execution on several threads, without a debugger's client.
    pub(super) fn begin_fast(&self) -> bool {
        self.debugger.as_ref().is_none_or(|d| d.begin_fast())
    }

    pub(super) fn end_fast(&self) {
        if let Some(debugger) = &self.debugger {
            debugger.end_fast();
        }
    }

    pub(super) fn end_launch(&self) {
        if let Some(debugger) = &self.debugger {
            debugger.end_launch();
        }
    }

    /// Calls `act` with a hart that does not execute.
    pub(crate) fn with_hart<R>(&self, hart: usize, act: impl FnOnce(&mut Hart) -> R) -> Option<R> {
        let mut slot = self.hart_slots.get(hart)?.lock();
        slot.as_mut().map(|slot| act(&mut slot.hart))
    }

    /// Reports a change of memory that may be code, also to harts in the middle of an instance.
    pub(crate) fn forget_code(&self) {
        self.code_changed();
        for hart in 0..self.hart_slots.len() {
            self.with_hart(hart, Hart::flush_code);
        }
    }

    /// Runs the rest of a launch's instances on this thread.
    ///
    /// # Errors
    /// An instance failed.
    pub(super) fn run_debugged(
        &self,
        debugger: &Debugger,
        job: &Instances<'_>,
        (useful, next, done, unfinished): Rest<'_>,
    ) -> Result<(), Failure> {
        let _state = FpState::enter(false);
        let mut starts = vec![None; useful];
        // The number of instructions that each hart had retired before the launch.
        let mut first = vec![None; useful];
        for (hart, start) in unfinished {
            (starts[hart], first[hart]) = (Some(start), Some(start));
        }
        loop {
            // All harts begin before the first one executes, so that a client that was waited for
            // finds them at the entry.
            for (hart, start) in starts.iter_mut().enumerate().filter(|(_, s)| s.is_none()) {
                let instance = next.fetch_add(1, Ordering::Relaxed);
                if instance >= job.count {
                    break;
                }
                let mut slot = self.take_hart(hart).ok_or_else(lost)?;
                *start = Some(*first[hart].get_or_insert_with(|| slot.hart.retired()));
                self.begin(&mut slot.hart, job, instance);
                self.put_back(hart, slot);
            }
            if starts.iter().all(Option::is_none) {
                return Ok(());
            }
            debugger.begin_round();
            for (hart, place) in starts.iter_mut().enumerate() {
                let Some(start) = *place else { continue };
                if self.advance_debugged(debugger, hart, start)? == Stage::Done {
                    *place = None;
                    done.fetch_add(1, Ordering::Relaxed);
                }
            }
            debugger.end_round();
        }
    }

    /// Runs a slice of the hart, as soon as the client allows it.
    ///
    /// # Errors
    /// The instance failed; the client has seen the hart where it failed.
    pub(super) fn advance_debugged(
        &self,
        debugger: &Debugger,
        number: usize,
        start: u64,
    ) -> Result<Stage, Failure> {
        let hart = u32::try_from(number).unwrap_or(0);
        let plan = debugger.gate(hart);
        if plan.action == Action::Hold {
            return Ok(Stage::Running);
        }
        let slice = InSlice(debugger);
        let slot = self.hart_slots.get(number).and_then(|s| s.lock().take());
        let mut slot = slot.ok_or_else(lost)?;
        let (end, settled) = match self.left(&slot.hart, start) {
            Err(failure) => (End::Exit(Exit::Limit), Err(failure)),
            Ok(left) => {
                let end = slot.slice(left.min(CHECK_INTERVAL), &plan);
                let settled = match end {
                    End::Exit(exit) => self.settle(&mut slot, exit),
                    End::Stop(_) => Ok(None),
                };
                (end, settled)
            }
        };
        self.put_back(number, slot);
        match (end, &settled) {
            (End::Stop(event), _) => debugger.stop(event),
            (End::Exit(exit), Err(_)) => debugger.stop(Event::Signal(hart, signal(exit))),
            // The instruction of a step has called the host, or has ended the instance.
            (End::Exit(_), Ok(stage)) => {
                if *stage == Some(Stage::Done) {
                    debugger.set_active(hart, false);
                }
                if plan.action == Action::Step || *stage == Some(Stage::Done) {
                    debugger.stop_stepping(hart, plan.action);
                }
            }
        }
        drop(slice);
        let stage = settled.inspect_err(|_| debugger.wait_until_running())?;
        Ok(stage.unwrap_or(Stage::Running))
    }
}

pub(super) fn lost() -> Failure {
    Failure { hart: u32::MAX, pc: 0, text: "the simulator has lost a hart".to_owned() }
}
