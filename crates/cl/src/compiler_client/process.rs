//! The compiler as a process of its own, which the application does not notice.
//!
//! One process serves all builds of the application. A build that crashes it is repeated once, in a
//! process of its own; after a second crash it has failed, and the same request is not tried again.
//! Builds that were in progress beside it are repeated in a new process. A build may be cancelled:
//! its process then gets no further requests, and ends with the last one that it has.
//!
//! Invariant: whatever happens to the process, [`Compiler::send`] returns. Not here: the messages
//! (`compiler_abi::wire`), the start of a process (`muxcl_os::Helper`).

use std::ffi::{CStr, CString};
use std::fs::File;
use std::os::fd::AsFd as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use muxcl_cache::{Key, KeyBuilder};
use muxcl_compiler_abi::wire::{self, Opened, Reply, Task};
use muxcl_compiler_abi::{ABI_VERSION, FailureKind};
use muxcl_config::{
    MUXCL_BUILD_MB, MUXCL_BUILD_SECONDS, MUXCL_CRASH_DIR, MUXCL_DUMP, MUXCL_TIME_PASSES,
    MUXCL_VECZ_REPORT, Var,
};
use muxcl_lock::{Mutex, Rank};
use muxcl_os::{Channel, Helper, OsError, PerProcess};

use super::Failure;
use super::cancel::{Cancel, cancelled};
use super::files::{Files, NotOpened};

/// The environment of the process.
const ENVIRONMENT: [&Var; 5] =
    [&MUXCL_BUILD_MB, &MUXCL_BUILD_SECONDS, &MUXCL_DUMP, &MUXCL_TIME_PASSES, &MUXCL_VECZ_REPORT];
/// Settings of the process's C library: a thread's heap begins with two huge pages. A build touches
/// a few MiB, and a page fault for each 4 KiB of them takes longer than clearing them.
const HEAPS: &CStr = c"GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.top_pad=4194304:\
    glibc.malloc.mmap_threshold=33554432";
/// Variables that make the process write to standard error.
const REPORTS: [&Var; 3] = [&MUXCL_DUMP, &MUXCL_TIME_PASSES, &MUXCL_VECZ_REPORT];
/// How often a request is repeated because the process ended without a reply to it.
const LOSSES: u32 = 4;
/// Requests that crashed the compiler twice, of which the results are kept.
const CRASHES: usize = 64;

/// The compiler's program, and the processes that run it.
#[derive(Debug)]
pub(super) struct Compiler {
    path: PathBuf,
    application: PerProcess<Application>,
}

/// What belongs to this process and not to its parent before a `fork`.
#[derive(Debug)]
struct Application {
    process: Mutex<Option<Arc<Process>>>,
    crashes: Mutex<Vec<(Key, Failure)>>,
}

/// A running compiler. It ends when its channel is closed.
#[derive(Debug)]
struct Process {
    channel: Channel,
    greeted: AtomicBool,
}

/// Why there is no answer.
pub(super) enum Trouble {
    /// No process can be started, or the program cannot run on this machine.
    NoProcess(String),
    /// The request has failed.
    Failed(Failure),
}

/// What came back for a request.
enum Outcome {
    Answer(Vec<u8>),
    Crash(String),
    Bound(String),
    Unreadable,
    /// Nobody waits for the reply any more.
    Cancelled,
    /// The process ended without a reply.
    Lost,
}

impl Process {
    fn start(path: &Path, cautious: bool) -> Result<Self, OsError> {
        let (channel, theirs) = Channel::pair()?;
        let text = |text: &str| CString::new(text).unwrap_or_default();
        let program = CString::new(path.as_os_str().as_bytes()).unwrap_or_default();
        let mut arguments =
            vec![program.clone(), text(wire::SERVE), text(&ABI_VERSION.to_string())];
        if cautious {
            arguments.push(text(wire::CAUTIOUS));
        }
        let variables: Vec<CString> = ENVIRONMENT
            .iter()
            .filter_map(|var| Some(text(&format!("{}={}", var.name, var.get()?))))
            .collect();
        let environment: Vec<&CStr> =
            variables.iter().map(CString::as_c_str).chain([HEAPS]).collect();
        // Without it, a process ends only when all copies of the channel are closed.
        let own = muxcl_os::process_descriptor();
        let descriptors: Vec<_> =
            std::iter::once(theirs.as_fd()).chain(own.as_ref().map(|own| own.as_fd())).collect();
        Helper {
            program: &program,
            arguments: &arguments.iter().map(CString::as_c_str).collect::<Vec<_>>(),
            environment: &environment,
            descriptors: &descriptors,
            stderr: REPORTS.iter().any(|var| var.get_os().is_some()),
        }
        .start()?;
        tracing::debug!(target: "cl::compiler", program = %path.display(), "process started");
        Ok(Self { channel, greeted: AtomicBool::new(false) })
    }

    /// True if the program has run on this machine: it has sent its greeting. For a process that
    /// has ended.
    fn has_greeted(&self) -> bool {
        // The first call may report that the process did not read everything.
        if (0..2).any(|_| matches!(self.channel.receive_now(), Ok(Some(_)))) {
            self.greeted.store(true, Ordering::Relaxed);
        }
        self.greeted.load(Ordering::Relaxed)
    }

    /// Sends a request, and the files that it needs, until there is a reply.
    fn exchange(
        &self,
        request: &[u8],
        files: &Files<'_>,
        cancel: Option<&Cancel>,
    ) -> Result<Outcome, OsError> {
        let (reply, theirs) = Channel::pair()?;
        let reply = Arc::new(reply);
        let waiting = cancel.map(|cancel| cancel.wait_on(&reply));
        if matches!(waiting, Some(None)) {
            return Ok(Outcome::Cancelled);
        }
        let header = wire::header(Task::Request as u8, request.len());
        let sent = if request.len() <= wire::INLINE_BYTES {
            self.channel.send(&[&header, request], &[theirs.as_fd()])
        } else {
            let shared = muxcl_os::share_bytes(&[request])?;
            self.channel.send(&[&header], &[theirs.as_fd(), shared.as_fd()])
        };
        drop(theirs);
        if sent.is_err() {
            return Ok(Outcome::Lost);
        }
        loop {
            let Some(message) = reply.receive()? else {
                let is_over = cancel.is_some_and(Cancel::is_over);
                return Ok(if is_over { Outcome::Cancelled } else { Outcome::Lost });
            };
            let Some((kind, length, rest)) = wire::split(&message.bytes) else {
                return Ok(Outcome::Lost);
            };
            let body = match message.descriptors.into_iter().next() {
                Some(shared) => muxcl_os::shared_bytes(shared, length)?,
                None => rest.to_vec(),
            };
            let text = |body: Vec<u8>| String::from_utf8_lossy(&body).into_owned();
            return Ok(match Reply::from_byte(kind) {
                Some(Reply::Open) => {
                    // If the process has ended, the next receive says so.
                    let _ = give_file(&reply, files.open(&body));
                    continue;
                }
                Some(Reply::Answer) => Outcome::Answer(body),
                Some(Reply::Crash) => Outcome::Crash(text(body)),
                Some(Reply::Bound) => Outcome::Bound(text(body)),
                Some(Reply::Unreadable) => Outcome::Unreadable,
                None => Outcome::Lost,
            });
        }
    }
}

/// Answers a request for a file.
fn give_file(to: &Channel, file: Result<File, NotOpened>) -> Result<(), OsError> {
    let number;
    let (kind, body): (Opened, &[u8]) = match &file {
        Ok(_) => (Opened::File, &[]),
        Err(NotOpened::Refused) => (Opened::Refused, &[]),
        Err(NotOpened::Error(error)) => {
            number = error.to_le_bytes();
            (Opened::Error, &number)
        }
    };
    let descriptors: Vec<_> = file.iter().map(|file| file.as_fd()).collect();
    to.send(&[&wire::header(kind as u8, body.len()), body], &descriptors)
}

fn crash_key(request: &[u8]) -> Key {
    KeyBuilder::new("crash").field("request", request).finish()
}

impl Default for Application {
    fn default() -> Self {
        Self {
            process: Mutex::new(Rank::Compiler, None),
            crashes: Mutex::new(Rank::Compiler, Vec::new()),
        }
    }
}

impl Application {
    /// The running process; starts one if there is none. A new process gets `device`, the encoded
    /// description of a device for which requests will come.
    fn process(&self, path: &Path, device: Option<&[u8]>) -> Result<Arc<Process>, OsError> {
        let mut process = self.process.lock();
        if let Some(running) = &*process {
            return Ok(Arc::clone(running));
        }
        let started = Arc::new(Process::start(path, false)?);
        if let Some(device) = device.filter(|device| device.len() <= wire::INLINE_BYTES) {
            let header = wire::header(Task::Prepare as u8, device.len());
            // A process that has ended shows at the first request.
            let _ = started.channel.send(&[&header, device], &[]);
        }
        *process = Some(Arc::clone(&started));
        Ok(started)
    }

    /// The failure of the same request before, if it crashed the compiler twice.
    fn known_crash(&self, request: &[u8]) -> Option<Failure> {
        let crashes = self.crashes.lock();
        // Most applications know no crash, and a key takes time for a long request.
        if crashes.is_empty() {
            return None;
        }
        let key = crash_key(request);
        crashes.iter().find(|(known, _)| *known == key).map(|(_, failure)| failure.clone())
    }

    fn keep_crash(&self, request: &[u8], failure: Failure) {
        let key = crash_key(request);
        let mut crashes = self.crashes.lock();
        if crashes.len() >= CRASHES {
            crashes.remove(0);
        }
        crashes.push((key, failure));
    }

    /// No new request goes to `ended`.
    fn forget(&self, ended: &Arc<Process>) {
        let mut process = self.process.lock();
        if process.as_ref().is_some_and(|running| Arc::ptr_eq(running, ended)) {
            *process = None;
        }
    }
}

impl Compiler {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, application: PerProcess::new() }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Starts the process and sends it `device`, an encoded `DeviceDesc`, for which requests will
    /// come. A failure shows at the first request.
    pub(super) fn prepare(&self, device: &[u8]) {
        let _ = self.application.get().process(&self.path, Some(device));
    }

    /// The encoded response to a request.
    pub(super) fn send(
        &self,
        request: &[u8],
        files: &Files<'_>,
        cancel: Option<&Cancel>,
    ) -> Result<Vec<u8>, Trouble> {
        let application = self.application.get();
        if let Some(failure) = application.known_crash(request) {
            return Err(Trouble::Failed(failure));
        }
        let no_process =
            |error: OsError| Trouble::NoProcess(format!("{}: {error}", self.path.display()));
        let (mut losses, mut crashed) = (0, false);
        loop {
            // After a crash: a process of its own, which ends at the end of this scope.
            let process = if crashed {
                Arc::new(Process::start(&self.path, true).map_err(no_process)?)
            } else {
                application.process(&self.path, None).map_err(no_process)?
            };
            let outcome = process.exchange(request, files, cancel).map_err(no_process)?;
            if let Outcome::Answer(answer) = outcome {
                return Ok(answer);
            }
            if !crashed {
                application.forget(&process);
            }
            match outcome {
                Outcome::Answer(answer) => return Ok(answer),
                // The process still works on the request. It ends as soon as no other request needs
                // it: each holds the `Arc`, and the last one closes the channel.
                Outcome::Cancelled => return Err(Trouble::Failed(cancelled())),
                Outcome::Unreadable => {
                    return Err(Trouble::Failed(Failure::other_version(&self.path)));
                }
                Outcome::Bound(log) => {
                    return Err(Trouble::Failed(Failure { kind: FailureKind::Resources, log }));
                }
                Outcome::Crash(log) if crashed => {
                    let failure = self.crash(request, log);
                    application.keep_crash(request, failure.clone());
                    return Err(Trouble::Failed(failure));
                }
                Outcome::Crash(log) => {
                    tracing::warn!(target: "cl::compiler", "{log}; the build is repeated");
                    crashed = true;
                }
                Outcome::Lost if !process.has_greeted() => {
                    let log = format!("{}: it does not run here", self.path.display());
                    return Err(Trouble::NoProcess(log));
                }
                Outcome::Lost if losses == LOSSES => {
                    return Err(Trouble::Failed(Failure {
                        kind: FailureKind::Resources,
                        log: format!(
                            "error: the compiler's process ended {} times during this build\n",
                            losses + 1
                        ),
                    }));
                }
                Outcome::Lost => losses += 1,
            }
        }
    }

    /// The failure of a request that crashed the compiler twice. Its input goes to
    /// `MUXCL_CRASH_DIR`.
    fn crash(&self, request: &[u8], mut log: String) -> Failure {
        static NUMBER: AtomicU64 = AtomicU64::new(1);
        tracing::error!(target: "cl::compiler", "{log}");
        if let Some(folder) = MUXCL_CRASH_DIR.get_os().map(PathBuf::from) {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let file = folder.join(format!("crash-{}-{number}.request", std::process::id()));
            let written = std::fs::create_dir_all(&folder)
                .and_then(|()| std::fs::write(&file, request))
                .and_then(|()| std::fs::write(file.with_extension("log"), &log));
            match written {
                Ok(()) => {
                    log += &format!(
                        "to repeat: {} --replay {}\n",
                        self.path.display(),
                        file.display()
                    );
                }
                Err(error) => log += &format!("{}: {error}\n", file.display()),
            }
        }
        Failure { kind: FailureKind::Resources, log }
    }
}
