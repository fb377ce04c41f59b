//! A trace of the process: what its threads and command queues do, in a file that Perfetto reads
//! (`MUXCL_TRACE`). The file is a sequence of `TracePacket`s in Perfetto's protobuf format.
//!
//! Each event is written by one call of the system at the time of the event, behind the end of the
//! file. So the trace needs no memory, a process that is killed leaves a whole trace, and a child
//! of `fork` adds its own events to the file of its parent.
//!
//! Invariants: until [`start`], a function here costs one load and one branch. A file that cannot
//! be written is no error. Nothing happens at the end of the process. Not here: what is traced.

mod packet;
mod queue;

use std::cell::Cell;
use std::fs::File;
use std::io::Write as _;
use std::marker::PhantomData;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use packet::{Kind, Packets};
pub use queue::{CommandTimes, QueueTrack};

static ON: AtomicBool = AtomicBool::new(false);
static FILE: OnceLock<File> = OnceLock::new();
/// The process whose track is in the file.
static PROCESS: AtomicU32 = AtomicU32::new(0);
/// Number of the last flow.
static FLOWS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// The process in which this thread has its track in the file; 0 before its first event.
    static THREAD: Cell<u32> = const { Cell::new(0) };
}

/// Starts the trace. `file` must append each write to its end. Only the first call has an effect.
pub fn start(file: File) {
    if FILE.set(file).is_ok() {
        // The description of the process, which has the clocks, precedes all events.
        let process = std::process::id();
        write(process, &Packets::new(process));
        ON.store(true, Ordering::Release);
    }
}

/// True while the process is traced.
#[inline]
#[must_use]
pub fn is_on() -> bool {
    ON.load(Ordering::Relaxed)
}

fn process_track(process: u32) -> u64 {
    u64::from(process) << 32
}

/// Writes packets, preceded by the description of the process's track if it is not in the file yet.
fn write(process: u32, packets: &Packets) {
    let Some(mut file) = FILE.get() else { return };
    // In a child of `fork`, another thread that sees the new number may write its packets first.
    // Perfetto reads descriptions of tracks in any order, and the parent has described the clocks.
    if PROCESS.swap(process, Ordering::Relaxed) != process {
        let mut first = Packets::new(process);
        first.clocks(muxcl_os::now_ns(), muxcl_os::boot_ns());
        first.process(process_track(process), process);
        let _ = file.write_all(first.bytes());
    }
    let _ = file.write_all(packets.bytes());
}

/// The track of the calling thread. Adds its description to `packets` at the thread's first event.
fn thread_track(process: u32, packets: &mut Packets) -> u64 {
    let thread = muxcl_os::thread_id();
    let track = process_track(process) | u64::from(thread);
    // A thread that ends has no thread-local storage any more. A second description does no harm.
    if THREAD.try_with(|seen| seen.replace(process)) != Ok(process) {
        packets.thread(track, process_track(process), process, thread, &muxcl_os::thread_name());
    }
    track
}

/// A slice of the calling thread's track, from [`slice()`] to its drop. Slices nest.
#[derive(Debug)]
pub struct Slice {
    result: Option<&'static str>,
    /// The end belongs to the thread of the begin.
    thread: PhantomData<*const ()>,
}

/// Begins a slice of the calling thread; `None` without a trace. `category` says what kind of work
/// it is: `api`, `compile` or `worker`.
#[inline]
#[must_use]
pub fn slice(category: &str, name: &str) -> Option<Slice> {
    if is_on() { Some(Slice::begin(category, name)) } else { None }
}

impl Slice {
    #[cold]
    fn begin(category: &str, name: &str) -> Self {
        let process = std::process::id();
        let mut packets = Packets::new(process);
        let track = thread_track(process, &mut packets);
        packets.event(track, muxcl_os::now_ns(), Kind::Begin, |event| {
            event.category(category);
            event.name(name);
        });
        write(process, &packets);
        Self { result: None, thread: PhantomData }
    }

    /// Adds the result, which the end of the slice shows.
    pub fn set_result(&mut self, result: &'static str) {
        self.result = Some(result);
    }
}

impl Drop for Slice {
    fn drop(&mut self) {
        let process = std::process::id();
        let mut packets = Packets::new(process);
        let track = thread_track(process, &mut packets);
        packets.event(track, muxcl_os::now_ns(), Kind::End, |event| {
            if let Some(result) = self.result {
                event.text("result", result);
            }
        });
        write(process, &packets);
    }
}

/// A slice that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PastSlice<'a> {
    /// The name.
    pub name: &'a str,
    /// The begin, in ns of [`muxcl_os::now_ns`].
    pub begin: u64,
    /// The end, in ns of the same clock.
    pub end: u64,
}

/// Adds slices to the calling thread's track. They are sorted by their begins, and lie inside the
/// slice that is open. A slice that begins before the end of the one before is inside that one.
pub fn past_slices<'a>(category: &str, slices: impl IntoIterator<Item = PastSlice<'a>>) {
    if !is_on() {
        return;
    }
    let process = std::process::id();
    let mut packets = Packets::new(process);
    let track = thread_track(process, &mut packets);
    let mut open: Vec<u64> = Vec::new();
    for slice in slices {
        while let Some(end) = open.pop_if(|end| *end <= slice.begin) {
            packets.event(track, end, Kind::End, |_| ());
        }
        packets.event(track, slice.begin, Kind::Begin, |event| {
            event.category(category);
            event.name(slice.name);
        });
        let limit = open.last().copied().unwrap_or(u64::MAX);
        open.push(slice.end.clamp(slice.begin, limit));
    }
    while let Some(end) = open.pop() {
        packets.event(track, end, Kind::End, |_| ());
    }
    write(process, &packets);
}

/// Marks the calling thread's slice as the origin of a command. Returns the number of the arrow to
/// the command, for [`QueueTrack::command`].
#[must_use]
pub fn origin() -> u64 {
    let process = std::process::id();
    let flow = process_track(process) | FLOWS.fetch_add(1, Ordering::Relaxed) & u64::from(u32::MAX);
    let mut packets = Packets::new(process);
    let track = thread_track(process, &mut packets);
    packets.event(track, muxcl_os::now_ns(), Kind::Instant, |event| {
        event.category("api");
        event.name("enqueue");
        event.flow(flow, false);
    });
    write(process, &packets);
    flow
}
