//! The debugger's thread: accepts clients on the loopback interface, one at a time, and runs their
//! sessions. Invariants: a session ends with its connection, whatever the client sends; a panic in
//! it ends it, too; then execution goes on. The thread ends with the device.

use super::link::Link;
use super::loader;
use super::target::{RefsiTarget, thread};
use super::{Debugger, Event};
use crate::machine::Machine;
use crate::options::Options;
use crate::rom::Rom;
use gdbstub::common::{Signal, Tid};
use gdbstub::stub::state_machine::GdbStubStateMachine;
use gdbstub::stub::{GdbStubBuilder, MultiThreadStopReason};
use gdbstub::target::ext::breakpoints::WatchKind;
use muxcl_hal::HalError;
use muxcl_os::{Wake, wait_readable};
use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::fd::AsFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::Duration;

/// Size in bytes of the longest packet. A vector register of 4096 bits has 1024 digits; longer
/// packets make reading files fast.
const PACKET: usize = 1 << 16;
/// Size in bytes of the thread's stack. gdbstub needs a few kilobytes.
const STACK: usize = 512 << 10;
/// How long the thread waits after a failed `accept`.
const RETRY: Duration = Duration::from_millis(50);
/// The bytes with which a client of gdb's protocol begins: an acknowledgement, a packet, or an
/// interrupt. A browser that is made to connect begins with a letter.
const FIRST: [u8; 3] = [b'+', b'$', 3];

fn failed(call: &str, port: u16, error: impl std::fmt::Display) -> HalError {
    HalError::Nonsense(format!("HAL_REFSI_GDB: {call} for port {port}: {error}"))
}

/// A port that waits for its device.
pub(crate) struct Port {
    listener: TcpListener,
    pub(crate) debugger: Arc<Debugger>,
}

/// The debugger's thread. Ends when this value is dropped.
pub(crate) struct Server {
    debugger: Arc<Debugger>,
    thread: Option<JoinHandle<()>>,
    /// The process that has the thread.
    generation: u32,
}

impl Server {
    /// Opens the port of a device with this loader, at this address; port 0 is any free one.
    ///
    /// # Errors
    /// The port is not free.
    pub(crate) fn listen(
        options: &Options,
        port: u16,
        rom: &Rom,
        base: u64,
    ) -> Result<Port, HalError> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
            .map_err(|e| failed("listening", port, e))?;
        listener.set_nonblocking(true).map_err(|e| failed("listening", port, e))?;
        let address = listener.local_addr().map_err(|e| failed("listening", port, e))?;
        let wake = Wake::new().map_err(|e| failed("listening", port, e))?;
        let loader = loader::elf(rom, base, options.word_size(), options.target.abi().name());
        Ok(Port { listener, debugger: Arc::new(Debugger::new(options, loader, address, wake)) })
    }

    /// Starts the thread.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub(crate) fn start(port: Port, machine: Arc<Machine>) -> Result<Self, HalError> {
        let Port { listener, debugger } = port;
        debugger.say(&format!("listening on {}", debugger.address));
        let (own, number) = (debugger.clone(), debugger.address.port());
        let body = move || serve(&listener, &machine, &own);
        let thread = muxcl_os::spawn_joined("refsi-gdb", STACK, body)
            .map_err(|e| failed("a thread", number, e))?;
        let generation = muxcl_os::fork_generation();
        Ok(Self { debugger, thread: Some(thread), generation })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The child of a fork has no such thread.
        if self.generation != muxcl_os::fork_generation() {
            return;
        }
        self.debugger.closing.store(true, Ordering::Relaxed);
        self.debugger.wake.wake();
        if let Some(thread) = self.thread.take() {
            // Sessions catch panics, so no other panic can end the thread.
            let _ = thread.join();
        }
    }
}

fn serve(listener: &TcpListener, machine: &Machine, debugger: &Debugger) {
    while !debugger.closing.load(Ordering::Relaxed) {
        let _ = wait_readable([listener.as_fd(), debugger.wake.as_fd()]);
        debugger.wake.clear();
        let stream = match listener.accept() {
            Ok((stream, _)) => stream,
            Err(error) => {
                if error.kind() != ErrorKind::WouldBlock {
                    // Perhaps the process has too many descriptors for now.
                    std::thread::sleep(RETRY);
                }
                continue;
            }
        };
        // The device stays usable after any failure of a session.
        let _ = catch_unwind(AssertUnwindSafe(|| {
            let _ = session(stream, listener, machine, debugger);
        }));
        debugger.detach();
    }
    debugger.end();
}

/// A session is over.
struct Ended;

fn stop_reason(event: Event) -> MultiThreadStopReason<u64> {
    let signal =
        |hart, signal| MultiThreadStopReason::SignalWithThread { tid: thread(hart), signal };
    match event {
        Event::Breakpoint(hart) => MultiThreadStopReason::SwBreak(thread(hart)),
        Event::Stepped(hart) => signal(hart, Signal::SIGTRAP),
        Event::Watch(hart, addr) => {
            MultiThreadStopReason::Watch { tid: thread(hart), kind: WatchKind::Write, addr }
        }
        Event::Signal(hart, number) => signal(hart, number),
        Event::Programs => MultiThreadStopReason::Library(Tid::MIN),
    }
}

/// The next byte of the client; `None` if the debugger's thread has been woken instead.
fn next_byte(
    link: &mut Link,
    listener: &TcpListener,
    debugger: &Debugger,
) -> Result<Option<u8>, Ended> {
    if let Some(byte) = link.buffered() {
        return Ok(Some(byte));
    }
    let [received, second, woken] =
        wait_readable([link.as_fd(), listener.as_fd(), debugger.wake.as_fd()]);
    if woken {
        debugger.wake.clear();
        return Ok(None);
    }
    if received {
        if !link.receive().map_err(|_| Ended)? {
            return Err(Ended);
        }
    } else if second {
        // One client at a time: the connection is closed at once.
        drop(listener.accept());
    }
    Ok(link.buffered())
}

fn session(
    stream: TcpStream,
    listener: &TcpListener,
    machine: &Machine,
    debugger: &Debugger,
) -> Result<(), Ended> {
    let closing = || debugger.closing.load(Ordering::Relaxed);
    let mut link = Link::new(stream).map_err(|_| Ended)?;
    let first = loop {
        if closing() {
            return Err(Ended);
        }
        if let Some(byte) = next_byte(&mut link, listener, debugger)? {
            break byte;
        }
    };
    if !FIRST.contains(&first) {
        return Err(Ended);
    }
    debugger.attach();
    let mut target = RefsiTarget::new(machine, debugger);
    let stub = GdbStubBuilder::new(link).packet_buffer_size(PACKET).build().map_err(|_| Ended)?;
    let mut stub = stub.run_state_machine(&mut target).map_err(|_| Ended)?;
    let mut pending = Some(first);
    loop {
        stub = match stub {
            GdbStubStateMachine::Idle(mut idle) => {
                if closing() {
                    return Err(Ended);
                }
                let byte = match pending.take() {
                    Some(byte) => Some(byte),
                    None => next_byte(idle.borrow_conn(), listener, debugger)?,
                };
                match byte {
                    Some(byte) => idle.incoming_data(&mut target, byte).map_err(|_| Ended)?,
                    None => idle.into(),
                }
            }
            GdbStubStateMachine::Running(mut running) => {
                if let Some(event) = debugger.take_event() {
                    running.report_stop(&mut target, stop_reason(event)).map_err(|_| Ended)?
                } else if closing() {
                    let exited = MultiThreadStopReason::Exited(0);
                    running.report_stop(&mut target, exited).map_err(|_| Ended)?
                } else {
                    match next_byte(running.borrow_conn(), listener, debugger)? {
                        Some(byte) => {
                            running.incoming_data(&mut target, byte).map_err(|_| Ended)?
                        }
                        None => running.into(),
                    }
                }
            }
            GdbStubStateMachine::CtrlCInterrupt(interrupted) => {
                let reason = debugger.interrupt().map(stop_reason);
                interrupted.interrupt_handled(&mut target, reason).map_err(|_| Ended)?
            }
            GdbStubStateMachine::Disconnected(_) => return Ok(()),
        }
    }
}
