//! The threads that answer requests, and the main thread, which waits for the application's end.
//!
//! One thread waits for tasks at first. When a task arrives and no thread is idle, the main thread
//! starts another, up to a limit; further tasks wait in the channel. A thread whose request cannot
//! go on after a fatal error of LLVM answers and never takes another task.

use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use muxcl_compiler::{NotOpened, Opener, STATUS_UNREADABLE};
use muxcl_compiler_abi::wire::{self, Opened, Reply, Task};
use muxcl_compiler_abi::{FailureKind, Response, STACK_BYTES};
use muxcl_os::{Channel, Message, OsError, Wake};
use muxcl_types::device::DeviceDesc;

use crate::bounds::{Bounds, Timer};
use crate::{crash, memory};

struct Server {
    tasks: Channel,
    bounds: Bounds,
    /// Threads that wait for tasks, or have not started yet.
    idle: AtomicUsize,
    threads: AtomicUsize,
    most_threads: usize,
    /// Wakes the main thread when no thread is idle.
    busy: Wake,
}

static SERVER: OnceLock<Server> = OnceLock::new();
/// Bytes of stack, tried in this order: address space may be limited.
const STACKS: [usize; 3] = [STACK_BYTES, 64 << 20, 16 << 20];
/// Time after which a thread tries again what the system or the limit on threads refused.
const RETRY: Duration = Duration::from_millis(10);
/// A request that allocated more gives memory back to the system at its end, in bytes.
const LARGE: usize = 64 << 20;

/// Serves the application that started this process. `bounds` are those of each request.
pub(crate) fn run(cautious: bool, bounds: Bounds) -> ! {
    crash::install();
    muxcl_compiler::own_process(cautious);
    // SAFETY: the driver started this process with this descriptor, and nothing else uses it.
    let tasks = unsafe { muxcl_os::inherited_descriptor(wire::CHANNEL) };
    // SAFETY: as above.
    let application = unsafe { muxcl_os::inherited_descriptor(wire::APPLICATION) };
    let (Some(tasks), Ok(busy)) = (tasks, Wake::new()) else { muxcl_os::end_process(2) };
    let server = SERVER.get_or_init(|| Server {
        tasks: Channel::from(tasks),
        bounds,
        idle: AtomicUsize::new(0),
        threads: AtomicUsize::new(0),
        busy,
        most_threads: 2 * muxcl_os::cpu_set().len().max(2),
    });
    // The driver now knows that this program runs on this machine.
    if server.tasks.send(&[&wire::header(0, 0)], &[]).is_err() {
        muxcl_os::end_process(0);
    }
    if !server.add_thread() {
        muxcl_os::end_process(2);
    }
    let application = application.as_ref().map(|fd| fd.as_fd());
    loop {
        let starving = server.idle.load(Ordering::Acquire) == 0;
        let ready = server.tasks.wait(starving, [application, Some(server.busy.as_fd())]);
        if ready.closed || ready.others[0] {
            muxcl_os::end_process(0)
        }
        if ready.others[1] {
            server.busy.clear();
        }
        if ready.message && server.idle.load(Ordering::Acquire) == 0 && !server.add_thread() {
            // At the limit. The task waits for a thread.
            std::thread::sleep(RETRY);
        }
    }
}

impl Server {
    /// Starts a thread that waits for tasks; false if the system cannot.
    fn add_thread(&'static self) -> bool {
        if self.threads.fetch_add(1, Ordering::Relaxed) >= self.most_threads {
            self.threads.fetch_sub(1, Ordering::Relaxed);
            return false;
        }
        self.idle.fetch_add(1, Ordering::AcqRel);
        let started = STACKS
            .iter()
            .any(|&stack| muxcl_os::spawn_detached("compile", stack, || self.work()).is_ok());
        if !started {
            self.idle.fetch_sub(1, Ordering::AcqRel);
            self.threads.fetch_sub(1, Ordering::Relaxed);
        }
        started
    }

    fn work(&'static self) {
        crash::prepare_thread();
        let timer = Timer::new();
        loop {
            let message = match self.tasks.receive() {
                Ok(Some(message)) => message,
                Ok(None) => return, // the main thread ends the process
                // No descriptors or no memory left: the sender sees its channel close, or waits.
                Err(_) => {
                    std::thread::sleep(RETRY);
                    continue;
                }
            };
            if self.idle.fetch_sub(1, Ordering::AcqRel) == 1 {
                self.busy.wake();
            }
            self.take(message, &timer);
            self.idle.fetch_add(1, Ordering::AcqRel);
        }
    }

    fn take(&self, message: Message, timer: &Timer) {
        let Some((kind, length, rest)) = wire::split(&message.bytes) else { return };
        match Task::from_byte(kind) {
            Some(Task::Request) => {
                let mut descriptors = message.descriptors.into_iter();
                let Some(reply) = descriptors.next() else { return };
                let reply = Channel::from(reply);
                let shared;
                let request = match descriptors.next() {
                    None => rest,
                    Some(memory) => match muxcl_os::shared_bytes(memory, length) {
                        Ok(bytes) => {
                            shared = bytes;
                            &shared[..]
                        }
                        Err(error) => return send_failure(&reply, &error),
                    },
                };
                self.answer(request, &reply, timer);
            }
            Some(Task::Prepare) => {
                if let Ok(device) = postcard::from_bytes::<DeviceDesc>(rest) {
                    muxcl_compiler::expect(&device);
                }
            }
            None => {}
        }
    }

    fn answer(&self, request: &[u8], reply: &Channel, timer: &Timer) {
        let finish = || {
            timer.set(0);
            memory::stop();
            crash::answer_on(-1);
        };
        crash::answer_on(reply.as_fd().as_raw_fd());
        memory::start(self.bounds.bytes);
        timer.set(self.bounds.seconds);
        let opener = |path: &[u8]| open(reply, path);
        let opener = Some(Opener(&opener));
        let (status, response) = muxcl_compiler::handle_in_place(request, opener, &|response| {
            finish();
            // This thread takes no more tasks.
            send(reply, Reply::Answer, response);
            self.threads.fetch_sub(1, Ordering::Relaxed);
        });
        finish();
        send(reply, kind(status), &response);
        if memory::most() > LARGE {
            memory::give_back();
        }
    }
}

/// Asks the driver for a file that a source includes.
fn open(reply: &Channel, path: &[u8]) -> Result<OwnedFd, NotOpened> {
    let failed = NotOpened::Error(libc::EIO);
    if path.len() > wire::INLINE_BYTES {
        return Err(NotOpened::Error(libc::ENAMETOOLONG));
    }
    let header = wire::header(Reply::Open as u8, path.len());
    reply.send(&[&header, path], &[]).map_err(|_| failed)?;
    // The driver closes the channel if it has given up.
    let message = reply.receive().map_err(|_| NotOpened::Error(libc::EMFILE))?.ok_or(failed)?;
    let (kind, _, body) = wire::split(&message.bytes).ok_or(failed)?;
    match Opened::from_byte(kind) {
        Some(Opened::File) => message.descriptors.into_iter().next().ok_or(failed),
        Some(Opened::Refused) => Err(NotOpened::Refused),
        Some(Opened::Error) => {
            let number = body.first_chunk().map(|bytes| i32::from_le_bytes(*bytes));
            Err(number.map_or(failed, NotOpened::Error))
        }
        None => Err(failed),
    }
}

fn kind(status: i32) -> Reply {
    if status == STATUS_UNREADABLE { Reply::Unreadable } else { Reply::Answer }
}

/// Sends a reply. If that fails, the application has given up, or sees its channel close.
fn send(reply: &Channel, kind: Reply, body: &[u8]) {
    let header = wire::header(kind as u8, body.len());
    if body.len() <= wire::INLINE_BYTES {
        let _ = reply.send(&[&header, body], &[]);
    } else {
        match muxcl_os::share_bytes(&[body]) {
            Ok(memory) => {
                let _ = reply.send(&[&header], &[memory.as_fd()]);
            }
            Err(error) => send_failure(reply, &error),
        }
    }
}

fn send_failure(reply: &Channel, error: &OsError) {
    let response =
        Response::Failure { kind: FailureKind::Internal, log: format!("the compiler: {error}") };
    send(reply, Reply::Answer, &postcard::to_stdvec(&response).unwrap_or_default());
}
