//! A debugger for kernels: gdb's remote protocol on a TCP port of the loopback interface
//! (`HAL_REFSI_GDB`, docs/howto/debug-refsi.md). Harts are gdb's threads. This file has the state
//! that the launching thread and the debugger's thread share.
//!
//! Invariants: while a client is connected, the launching thread drives all harts, one after the
//! other. A hart that does not execute lies in its slot, where the debugger's thread reads and
//! writes its registers. Harts execute only while `running` is true; otherwise the launching thread
//! waits in [`Debugger::gate`]. When the client is gone, for any reason, execution goes on.
//!
//! Not here: the protocol itself (crate `gdbstub`), how harts execute (`machine/debugged.rs`).

mod description;
mod link;
mod loader;
mod monitor;
mod programs;
mod server;
mod target;

pub(crate) use server::Server;

use crate::options::Options;
use crate::trace;
use gdbstub::common::Signal;
use muxcl_lock::{Condvar, Mutex, Rank};
use muxcl_os::Wake;
use programs::Programs;
use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a hart does when the client resumes execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    /// Runs.
    Continue,
    /// Executes one instruction.
    Step,
    /// Executes instructions while the pc is in a range; first address, and one past the last.
    Range(u64, u64),
    /// Keeps still.
    Hold,
}

fn steps(action: &Action) -> bool {
    matches!(action, Action::Step | Action::Range(..))
}

/// Bytes that a client watches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Watchpoint {
    /// First address, as seen by the hart that writes.
    pub(crate) address: u64,
    /// Size in bytes.
    pub(crate) size: usize,
}

/// Why execution stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    /// A hart is in front of a breakpoint.
    Breakpoint(u32),
    /// A hart has executed what its action asks for.
    Stepped(u32),
    /// A hart has changed watched bytes at this address.
    Watch(u32, u64),
    /// A hart has failed, or the client interrupts it.
    Signal(u32, Signal),
    /// The list of programs has changed.
    Programs,
}

/// What a hart may do next.
pub(crate) struct Plan {
    pub(crate) action: Action,
    pub(crate) breakpoints: Arc<BTreeSet<u64>>,
    pub(crate) watchpoints: Arc<BTreeSet<Watchpoint>>,
}

struct Control {
    /// The first launch waits for a client.
    awaited: bool,
    /// The message that a launch waits for a client has been printed.
    told: bool,
    client: bool,
    running: bool,
    /// The debugger's thread has ended.
    ended: bool,
    /// A hart executes.
    in_slice: bool,
    /// A hart has executed in this round.
    progress: bool,
    /// Harts execute on several threads, without a client.
    fast: bool,
    /// The hart that executed last.
    current: u32,
    /// Harts with an instance in progress.
    active: Vec<bool>,
    actions: Vec<Action>,
    /// Harts that the client resumes by their number.
    chosen: Vec<usize>,
    /// Number of rounds left in which only harts that step may execute.
    steps_first: u32,
    event: Option<Event>,
    breakpoints: Arc<BTreeSet<u64>>,
    watchpoints: Arc<BTreeSet<Watchpoint>>,
}

/// The state that a device's threads share with the debugger's thread.
pub(crate) struct Debugger {
    pub(crate) options: Options,
    /// The address of the port.
    pub(crate) address: SocketAddr,
    programs: Mutex<Programs>,
    control: Mutex<Control>,
    changed: Condvar,
    /// A copy of `Control::client`.
    client: AtomicBool,
    /// Wakes the debugger's thread.
    wake: Wake,
    /// Tells the debugger's thread to end.
    closing: AtomicBool,
}

impl Debugger {
    fn new(options: &Options, loader: Vec<u8>, address: SocketAddr, wake: Wake) -> Self {
        let harts = options.harts as usize;
        let control = Control {
            awaited: true,
            told: false,
            client: false,
            running: true,
            ended: false,
            in_slice: false,
            progress: false,
            fast: false,
            current: 0,
            active: vec![false; harts],
            actions: vec![Action::Continue; harts],
            chosen: Vec::new(),
            steps_first: 0,
            event: None,
            breakpoints: Arc::default(),
            watchpoints: Arc::default(),
        };
        Self {
            options: options.clone(),
            address,
            programs: Mutex::new(Rank::Leaf, Programs::new(loader)),
            control: Mutex::new(Rank::Leaf, control),
            changed: Condvar::new(),
            client: AtomicBool::new(false),
            wake,
            closing: AtomicBool::new(false),
        }
    }

    fn say(&self, text: &str) {
        trace::line("gdb", &format!("{}: {text}", self.options.name()));
    }

    /// A client is connected.
    pub(crate) fn has_client(&self) -> bool {
        self.client.load(Ordering::Relaxed)
    }
}

/// For the threads that launch kernels and load programs.
impl Debugger {
    /// Asks for harts on several threads. Returns false if a client is connected or awaited.
    pub(crate) fn begin_fast(&self) -> bool {
        let mut control = self.control.lock();
        let free = !control.client && (!control.awaited || control.ended);
        control.fast = free;
        free
    }

    /// The threads of [`Self::begin_fast`] have stopped.
    pub(crate) fn end_fast(&self) {
        self.control.lock().fast = false;
        self.changed.notify_all();
    }

    /// Says whether a hart has an instance in progress.
    pub(crate) fn set_active(&self, hart: u32, active: bool) {
        if let Some(place) = self.control.lock().active.get_mut(hart as usize) {
            *place = active;
        }
    }

    /// No hart has an instance in progress any more.
    pub(crate) fn end_launch(&self) {
        self.control.lock().active.fill(false);
    }

    /// Waits until the hart may execute. [`Self::leave`] follows unless the action is
    /// [`Action::Hold`].
    pub(crate) fn gate(&self, hart: u32) -> Plan {
        let mut control = self.control.lock();
        while !control.ended && (control.awaited || !control.running) {
            if control.awaited && !control.told {
                control.told = true;
                drop(control);
                self.say(&format!(
                    "the first launch waits for gdb-multiarch -ex 'target remote {}'",
                    self.address
                ));
                control = self.control.lock();
                continue;
            }
            self.changed.wait(&mut control);
        }
        let mut action = control.actions.get(hart as usize).copied().unwrap_or(Action::Continue);
        if steps(&action) {
            control.steps_first = 0;
        } else if control.steps_first > 0 {
            (action, control.progress) = (Action::Hold, true);
        }
        if action != Action::Hold {
            (control.in_slice, control.progress) = (true, true);
            control.current = hart;
        }
        Plan {
            action,
            breakpoints: control.breakpoints.clone(),
            watchpoints: control.watchpoints.clone(),
        }
    }

    /// The hart does not execute any more, and lies in its slot.
    pub(crate) fn leave(&self) {
        self.control.lock().in_slice = false;
        self.changed.notify_all();
    }

    /// Stops execution and tells the client why. Does nothing without a client.
    pub(crate) fn stop(&self, event: Event) {
        self.stop_with(&mut self.control.lock(), event);
    }

    /// [`Self::stop`]. An event after an interrupt of the client is dropped, unless the interrupt
    /// still waits for the end of this hart's execution.
    fn stop_with(&self, control: &mut Control, event: Event) {
        let told = control.running || control.in_slice;
        if control.client && told && control.event.is_none() {
            (control.running, control.event) = (false, Some(event));
            self.wake.wake();
        }
    }

    /// Waits until the client resumes execution.
    pub(crate) fn wait_until_running(&self) {
        let mut control = self.control.lock();
        while control.client && !control.running && !control.ended {
            self.changed.wait(&mut control);
        }
    }

    /// Ends the step of a hart whose instruction was no ordinary one.
    pub(crate) fn stop_stepping(&self, hart: u32, action: Action) {
        if steps(&action) {
            self.stop(Event::Stepped(hart));
        }
    }

    /// The launching thread begins to look at each hart.
    pub(crate) fn begin_round(&self) {
        let mut control = self.control.lock();
        control.progress = false;
        control.steps_first = control.steps_first.saturating_sub(1);
    }

    /// The launching thread has looked at each hart. If none may execute, because each keeps still
    /// or waits, a step that the client asked for cannot be taken, and is over.
    pub(crate) fn end_round(&self) {
        let mut control = self.control.lock();
        if !control.progress {
            let hart = control.actions.iter().position(steps);
            let hart = hart.and_then(|h| u32::try_from(h).ok()).unwrap_or(control.current);
            self.stop_with(&mut control, Event::Stepped(hart));
        }
    }

    /// A program has been loaded.
    pub(crate) fn program_loaded(&self, number: u64, file: &[u8], bias: u64) {
        self.programs.lock().add(number, file, bias);
        self.programs_changed();
    }

    /// A program has been unloaded.
    pub(crate) fn program_unloaded(&self, number: u64) {
        self.programs.lock().remove(number);
        self.programs_changed();
    }

    /// The address of a kernel is known.
    pub(crate) fn kernel_found(&self, program: u64, name: &str, address: u64) {
        self.programs.lock().add_kernel(program, name, address);
    }

    /// The client, if there is one, reads the list of programs again, and inserts or removes
    /// breakpoints, before this function returns.
    fn programs_changed(&self) {
        let mut control = self.control.lock();
        let mut told = false;
        while control.client && !control.ended {
            if !control.running {
                self.changed.wait(&mut control);
            } else if told {
                break;
            } else {
                told = true;
                self.stop_with(&mut control, Event::Programs);
            }
        }
    }
}

/// For the debugger's thread.
impl Debugger {
    /// A client has connected: stops execution, and waits until no hart executes.
    fn attach(&self) {
        let mut control = self.control.lock();
        (control.client, control.running, control.event) = (true, false, None);
        control.awaited = false;
        self.client.store(true, Ordering::Relaxed);
        self.changed.notify_all();
        while control.in_slice || control.fast {
            self.changed.wait(&mut control);
        }
    }

    /// The client is gone: execution goes on without breakpoints.
    fn detach(&self) {
        let mut control = self.control.lock();
        (control.client, control.running, control.event) = (false, true, None);
        control.breakpoints = Arc::default();
        control.watchpoints = Arc::default();
        control.actions.fill(Action::Continue);
        self.client.store(false, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// The thread ends: no launch waits for a client any more.
    fn end(&self) {
        self.detach();
        self.control.lock().ended = true;
        self.changed.notify_all();
    }

    /// Changes what the client controls. Execution is stopped.
    fn change<R>(&self, change: impl FnOnce(&mut Control) -> R) -> R {
        change(&mut self.control.lock())
    }

    /// Resumes execution. A step of a hart without an instance is over at once.
    fn resume(&self) {
        let mut control = self.control.lock();
        control.event = None;
        let idle = control.actions.iter().zip(&control.active).position(|(a, on)| steps(a) && !on);
        match idle {
            Some(hart) => {
                control.event = Some(Event::Stepped(u32::try_from(hart).unwrap_or(0)));
                self.wake.wake();
            }
            None => control.running = true,
        }
        // The rest of the current round, and one more. In WI mode a hart may need others to go on.
        control.steps_first = if control.actions.iter().any(steps) { 2 } else { 0 };
        self.changed.notify_all();
    }

    /// Stops execution for the client's interrupt. Returns the reason of the stop, which may be
    /// another one that came first; `None` if execution has stopped already.
    fn interrupt(&self) -> Option<Event> {
        let mut control = self.control.lock();
        let running = std::mem::take(&mut control.running);
        while control.in_slice {
            self.changed.wait(&mut control);
        }
        let asked = Event::Signal(control.current, Signal::SIGINT);
        control.event.take().or(running.then_some(asked))
    }

    fn take_event(&self) -> Option<Event> {
        self.control.lock().event.take()
    }
}
