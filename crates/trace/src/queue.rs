//! The tracks of a command queue: when its commands ran, and what each waited for before.
//!
//! Commands of a queue may overlap, and slices of one track may not. So a queue has several tracks
//! of the same name, its lanes, which Perfetto shows as one. A command takes the first lane that is
//! free at its begin.
//!
//! Invariant: the lanes are the only state, and their number is bounded. Not here: the clock of the
//! times, which is [`muxcl_os::now_ns`].

use std::sync::atomic::{AtomicU32, Ordering};

use muxcl_lock::{Mutex, Rank};

use crate::packet::{Kind, Packets};
use crate::{process_track, write};

/// Maximum number of lanes. Commands beyond it have details, but no slice of their wait.
const MOST_LANES: usize = 64;
/// Bit of the identifiers of queues' tracks. Other tracks contain numbers of processes, which have
/// 22 bits.
const QUEUE_BIT: u64 = 1 << 63;

static NUMBERS: AtomicU32 = AtomicU32::new(0);

/// The tracks of a command queue.
#[derive(Debug)]
pub struct QueueTrack {
    name: String,
    number: u64,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The process to which the lanes belong.
    process: u32,
    running: Vec<u64>,
    waiting: Vec<u64>,
}

/// The times of a command, in ns of [`muxcl_os::now_ns`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandTimes {
    /// The enqueue.
    pub queued: u64,
    /// The submission to the device.
    pub submitted: u64,
    /// The begin of the execution.
    pub begin: u64,
    /// The end of the execution.
    pub end: u64,
}

/// The first lane that is free at `begin`, which is in use until `end`. True if the lane is new.
fn lane(lanes: &mut Vec<u64>, begin: u64, end: u64) -> Option<(usize, bool)> {
    if let Some(free) = lanes.iter().position(|&until| until <= begin) {
        lanes[free] = end;
        return Some((free, false));
    }
    if lanes.len() == MOST_LANES {
        return None;
    }
    lanes.push(end);
    Some((lanes.len() - 1, true))
}

impl QueueTrack {
    /// Tracks for a queue of the device `device`.
    #[must_use]
    pub fn new(device: &str) -> Self {
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed) + 1;
        let state = Mutex::new(Rank::Leaf, State::default());
        Self { name: format!("queue {number}, {device}"), number: number.into(), state }
    }

    /// The identifier of a lane. `waits`: of the waits, not of the executions.
    fn track(&self, process: u32, waits: bool, lane: usize) -> u64 {
        let low = (self.number & 0xf_ffff) << 8 | u64::from(waits) << 7 | lane as u64;
        QUEUE_BIT | process_track(process) | low
    }

    /// Adds a command that has ended. `flow` is the arrow from the call that enqueued it.
    pub fn command(&self, name: &str, times: CommandTimes, flow: Option<u64>) {
        let process = std::process::id();
        let mut packets = Packets::new(process);
        let mut state = self.state.lock();
        if state.process != process {
            *state = State { process, ..State::default() };
        }
        let wait = lane(&mut state.waiting, times.queued, times.begin);
        let run = lane(&mut state.running, times.begin, times.end);
        drop(state);
        if let Some((lane, new)) = wait.filter(|_| times.queued < times.begin) {
            let track = self.track(process, true, lane);
            if new {
                packets.named(track, process_track(process), &format!("{}: waiting", self.name));
            }
            for (what, begin, end) in [
                ("queued", times.queued, times.submitted),
                ("submitted", times.submitted, times.begin),
            ] {
                packets.event(track, begin, Kind::Begin, |event| {
                    event.category("wait");
                    event.name(what);
                    event.text("command", name);
                });
                packets.event(track, end.max(begin), Kind::End, |_| ());
            }
        }
        let Some((lane, new)) = run else { return write(process, &packets) };
        let track = self.track(process, false, lane);
        if new {
            packets.named(track, process_track(process), &self.name);
        }
        packets.event(track, times.begin, Kind::Begin, |event| {
            event.category("command");
            event.name(name);
            event.unsigned("queued ns", times.queued);
            event.unsigned("submitted ns", times.submitted);
            if let Some(flow) = flow {
                event.flow(flow, true);
            }
        });
        packets.event(track, times.end, Kind::End, |_| ());
        write(process, &packets);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_commands_have_lanes_of_their_own() {
        let mut lanes = Vec::new();
        assert_eq!(lane(&mut lanes, 0, 10), Some((0, true)));
        assert_eq!(lane(&mut lanes, 5, 8), Some((1, true)));
        assert_eq!(lane(&mut lanes, 8, 9), Some((1, false)));
        assert_eq!(lane(&mut lanes, 10, 12), Some((0, false)));
        for _ in 2..MOST_LANES {
            assert!(lane(&mut lanes, 0, 20).is_some_and(|(_, new)| new));
        }
        assert_eq!(lane(&mut lanes, 0, 20), None);
    }
}
