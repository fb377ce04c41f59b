//! The plan of a command buffer: its commands as segments, each for one queue.
//!
//! A segment waits for other segments only before its first command, and other queues wait for a
//! segment only as a whole. It therefore ends at a command for which another queue waits, and a new
//! one begins at a command that waits for another queue. A command buffer with one queue has one
//! segment.
//!
//! Invariant: a segment waits only for segments before it, so no order of recorded commands can
//! deadlock. Not here: how segments are enqueued (`spread`).

use muxcl_cl_sys::cl_sync_point_khr;
use muxcl_mux as mux;

use super::Recorded;
use crate::core::queue::{Queue, error_of};
use crate::error::{ClError, ClResult};
use std::sync::Arc;

/// Commands that one queue runs in their order.
#[derive(Debug)]
pub struct Segment {
    /// Index of the queue in the command buffer's list.
    pub queue: usize,
    /// The finalised commands.
    pub commands: mux::CommandBuffer,
    /// The segments of other queues for which this one waits.
    pub after: Vec<usize>,
    /// The segment before it on the same queue.
    pub previous: Option<usize>,
}

/// All segments of a command buffer.
#[derive(Debug)]
pub struct Plan {
    /// In an order in which they may be enqueued.
    pub segments: Vec<Segment>,
}

/// The segment of a command: its number, and whether it begins there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    segment: usize,
    begins: bool,
}

/// Index of the command with a sync point.
fn index(point: cl_sync_point_khr) -> usize {
    (point as usize).saturating_sub(1)
}

/// Divides commands, each with its queue and the sync points for which it waits, into segments.
fn divide(commands: &[(usize, &[cl_sync_point_khr])], queues: usize) -> Vec<Place> {
    let foreign = |queue: usize, point: &cl_sync_point_khr| commands[index(*point)].0 != queue;
    let mut ends = vec![false; commands.len()];
    for (queue, waits) in commands {
        for point in waits.iter().filter(|point| foreign(*queue, point)) {
            ends[index(*point)] = true;
        }
    }
    // The open segment of each queue.
    let mut open: Vec<Option<usize>> = vec![None; queues];
    let mut count = 0;
    let mut places = Vec::with_capacity(commands.len());
    for ((queue, waits), ends) in commands.iter().zip(ends) {
        let waits = waits.iter().any(|point| foreign(*queue, point));
        let place = match open[*queue].filter(|_| !waits) {
            Some(segment) => Place { segment, begins: false },
            None => {
                count += 1;
                Place { segment: count - 1, begins: true }
            }
        };
        open[*queue] = (!ends).then_some(place.segment);
        places.push(place);
    }
    places
}

impl Plan {
    /// The plan of these commands.
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION` if a kernel launch lacks arguments, `CL_OUT_OF_HOST_MEMORY`.
    pub(super) fn of(queues: &[Arc<Queue>], commands: &[Recorded]) -> ClResult<Self> {
        let list: Vec<_> = commands.iter().map(|c| (c.queue, c.waits.as_slice())).collect();
        let places = divide(&list, queues.len());
        let mut segments: Vec<Segment> = Vec::new();
        let mut last: Vec<Option<usize>> = vec![None; queues.len()];
        for (recorded, place) in commands.iter().zip(&places) {
            let queue = recorded.queue;
            if place.begins {
                let foreign = recorded.waits.iter().map(|point| index(*point));
                let foreign = foreign.filter(|at| commands[*at].queue != queue);
                let mut after: Vec<usize> = foreign.map(|at| places[at].segment).collect();
                after.sort_unstable();
                after.dedup();
                let commands = queues[queue].device().mux().create_command_buffer();
                segments.try_reserve(1)?;
                segments.push(Segment { queue, commands, after, previous: last[queue] });
                last[queue] = Some(place.segment);
            }
            let one = recorded.commands.as_ref().ok_or(ClError::INVALID_OPERATION)?;
            let segment = &mut segments[place.segment];
            segment.commands.append(one).map_err(|error| error_of(&error))?;
        }
        if segments.is_empty() {
            let commands = queues[0].device().mux().create_command_buffer();
            segments.push(Segment { queue: 0, commands, after: Vec::new(), previous: None });
        }
        for segment in &mut segments {
            segment.commands.finalise().map_err(|error| error_of(&error))?;
        }
        Ok(Self { segments })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segments(commands: &[(usize, &[u32])]) -> Vec<usize> {
        divide(commands, 3).into_iter().map(|place| place.segment).collect()
    }

    #[test]
    fn a_segment_ends_where_queues_meet() {
        assert!(segments(&[]).is_empty());
        // One queue, whatever waits for what.
        assert_eq!(segments(&[(0, &[]), (0, &[1]), (0, &[1, 2])]), [0, 0, 0]);
        // Independent queues have one segment each.
        assert_eq!(segments(&[(0, &[]), (1, &[]), (0, &[]), (2, &[]), (1, &[2])]), [0, 1, 0, 2, 1]);
        // Queue 1 waits for the first command of queue 0 only, and queue 0 goes on meanwhile.
        assert_eq!(segments(&[(0, &[]), (0, &[]), (1, &[1]), (0, &[])]), [0, 1, 2, 1]);
        // There and back.
        assert_eq!(segments(&[(0, &[]), (1, &[1]), (0, &[2]), (0, &[])]), [0, 1, 2, 2]);
        // The commands before a wait do not wait.
        assert_eq!(segments(&[(1, &[]), (0, &[]), (1, &[2])]), [0, 1, 2]);
    }
}
