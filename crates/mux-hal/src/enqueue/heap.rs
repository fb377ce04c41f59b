//! Device memory in which kernels leave enqueue records. Layout: [`EnqueueHeapHeader`], queues,
//! events, records.
//!
//! Invariants: the host accesses this memory only while no kernel of the device runs. Kernels may
//! write any bytes here, so everything read is validated. Not here: the meaning of a record.

use super::queues::{DEVICE_QUEUES, MOST, Queues};
use crate::connection::DeviceConnection;
use muxcl_hal::Device;
use muxcl_mux::MuxError;
use muxcl_types::deferred::{EnqueueHeapHeader, Event, Queue, Record};
use muxcl_types::enqueue::durations;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Number of events that all queues of a device share.
const EVENTS: u32 = DEVICE_QUEUES.max_events;
/// Capacity in bytes for the records of one kernel.
const RECORDS: u64 = 8 << 20;

const QUEUES_AT: u64 = 128;
const EVENTS_AT: u64 = QUEUES_AT + (MOST * size_of::<Queue>()) as u64;
const RECORDS_AT: u64 = EVENTS_AT + EVENTS as u64 * size_of::<Event>() as u64;

/// The device memory of one generation that holds the enqueue records.
#[derive(Debug)]
pub(crate) struct EnqueueHeap {
    connection: Arc<DeviceConnection>,
    address: u64,
    /// Generation of the device in which the memory was allocated.
    generation: u64,
    /// Index at which the search for a free event continues.
    cursor: AtomicU32,
}

/// The records and flags that a kernel has left.
#[derive(Debug, Default)]
pub(crate) struct Left {
    pub(crate) requests: Vec<ParsedRecord>,
    /// True if a kernel has set the status of a user event.
    pub(crate) changes: bool,
    /// True if a kernel has created events.
    pub(crate) events: bool,
}

/// A parsed record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParsedRecord {
    pub(crate) head: Record,
    pub(crate) waits: Vec<u64>,
    pub(crate) sizes: Vec<u64>,
    pub(crate) block: Vec<u8>,
}

impl EnqueueHeap {
    pub(crate) fn allocate(connection: &Arc<DeviceConnection>) -> Result<Self, MuxError> {
        let (address, generation) = connection.allocate_resident(RECORDS_AT + RECORDS, 128)?;
        connection.call(|device| device.fill(address, &[0; 8], RECORDS_AT))?;
        let connection = Arc::clone(connection);
        Ok(Self { connection, address, generation, cursor: AtomicU32::new(0) })
    }

    /// Device address of the heap, which kernels receive.
    pub(crate) fn address(&self) -> u64 {
        self.address
    }

    /// True if the device was deleted, which freed this memory.
    pub(crate) fn is_gone(&self) -> bool {
        self.connection.generation() != self.generation
    }

    /// Initialises the memory for one kernel. `about` holds the values that depend on the device
    /// and the launch.
    pub(crate) fn prepare(
        &self,
        about: &EnqueueHeapHeader,
        queues: &Queues,
    ) -> Result<(), MuxError> {
        let table = queues.copy();
        let base = self.address();
        let header = EnqueueHeapHeader {
            queues: base + QUEUES_AT,
            events: base + EVENTS_AT,
            records: base + RECORDS_AT,
            capacity: RECORDS,
            queue_count: u32::try_from(table.len()).unwrap_or(0),
            event_count: EVENTS,
            reserved: 0,
            cursor: self.cursor.load(Ordering::Relaxed),
            changes: 0,
            ..*about
        };
        self.connection.call(|device| {
            device.write(base, bytemuck::bytes_of(&header))?;
            if table.is_empty() {
                Ok(())
            } else {
                device.write(base + QUEUES_AT, bytemuck::cast_slice(&table))
            }
        })
    }

    /// Reads the records of a kernel, in the order in which it made them.
    pub(crate) fn collect(&self, queues: &Queues) -> Result<Left, MuxError> {
        let base = self.address();
        let (header, table, records) = self.connection.call(|device| {
            let header: EnqueueHeapHeader = read(device, base)?;
            let mut table =
                vec![Queue::default(); usize::try_from(header.queue_count).unwrap_or(0).min(MOST)];
            if !table.is_empty() {
                device.read(base + QUEUES_AT, bytemuck::cast_slice_mut(&mut table))?;
            }
            let mut records = vec![0; usize::try_from(header.reserved.min(RECORDS)).unwrap_or(0)];
            if !records.is_empty() {
                device.read(base + RECORDS_AT, &mut records)?;
            }
            Ok((header, table, records))
        })?;
        queues.update(&table);
        let damaged =
            || MuxError::DeviceFault("a kernel overwrote the data of device-side enqueue".into());
        let mut requests = Vec::new();
        let mut rest = records.as_slice();
        while !rest.is_empty() {
            let request = ParsedRecord::parse(rest).ok_or_else(damaged)?;
            rest = rest.get(request.head.bytes as usize..).ok_or_else(damaged)?;
            requests.push(request);
        }
        let events = self.cursor.swap(header.cursor, Ordering::Relaxed) != header.cursor;
        Ok(Left { requests, changes: header.changes != 0, events })
    }

    fn place(&self, number: u64) -> Option<u64> {
        let index = (number & 0xffff_ffff).checked_sub(1).filter(|n| *n < u64::from(EVENTS))?;
        Some(self.address() + EVENTS_AT + index * size_of::<Event>() as u64)
    }

    /// Reads an event by its number, ignoring the application's reference count.
    pub(crate) fn event(&self, number: u64) -> Result<Option<Event>, MuxError> {
        let Some(at) = self.place(number) else { return Ok(None) };
        let event: Event = self.connection.call(|device| read(device, at))?;
        Ok((event.word >> 32 == number >> 32).then_some(event))
    }

    /// Writes back an event that was read by [`Self::event`] and modified.
    pub(crate) fn put_event(&self, number: u64, event: &Event) -> Result<(), MuxError> {
        let Some(at) = self.place(number) else { return Ok(()) };
        self.connection.call(|device| device.write(at, bytemuck::bytes_of(event)))
    }

    /// Applies `change` to every event and writes back those for which it returns true.
    pub(crate) fn change_events(
        &self,
        mut change: impl FnMut(&mut Event) -> bool,
    ) -> Result<(), MuxError> {
        let at = self.address() + EVENTS_AT;
        let mut events = vec![Event::default(); EVENTS as usize];
        self.connection.call(|device| device.read(at, bytemuck::cast_slice_mut(&mut events)))?;
        for (at, event) in (at..).step_by(size_of::<Event>()).zip(&mut events) {
            if change(event) {
                self.connection.call(|device| device.write(at, bytemuck::bytes_of(event)))?;
            }
        }
        Ok(())
    }

    /// Writes a command's profiling times to the address that a kernel gave.
    pub(crate) fn put_times(&self, to: u64, times: [u64; 3]) -> Result<(), MuxError> {
        let words = durations(times);
        self.connection.call(|device| device.write(to, bytemuck::cast_slice(&words)))
    }
}

fn read<T: bytemuck::Pod>(device: &dyn Device, at: u64) -> Result<T, muxcl_hal::HalError> {
    let mut value = T::zeroed();
    device.read(at, bytemuck::bytes_of_mut(&mut value))?;
    Ok(value)
}

impl ParsedRecord {
    /// Parses the first of several records. `None` if it is invalid.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let head: Record = bytemuck::pod_read_unaligned(bytes.get(..size_of::<Record>())?);
        let all = bytes.get(size_of::<Record>()..head.bytes as usize)?;
        if !head.bytes.is_multiple_of(8) {
            return None;
        }
        let words = |from: usize, count: u32| -> Option<(Vec<u64>, usize)> {
            let to = from.checked_add((count as usize).checked_mul(8)?)?;
            let list = all.get(from..to)?.chunks_exact(8).map(bytemuck::pod_read_unaligned);
            Some((list.collect(), to))
        };
        let (waits, at) = words(0, head.wait_count)?;
        let (sizes, at) = words(at, head.size_count)?;
        let block = all.get(at..at.checked_add(head.block_bytes as usize)?)?.to_vec();
        Some(Self { head, waits, sizes, block })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(head: Record, waits: &[u64], sizes: &[u64], block: &[u8]) -> Vec<u8> {
        let mut out = bytemuck::bytes_of(&head).to_vec();
        out.extend(bytemuck::cast_slice::<u64, u8>(waits));
        out.extend(bytemuck::cast_slice::<u64, u8>(sizes));
        out.extend(block);
        out.resize(out.len().next_multiple_of(8), 0);
        out
    }

    #[test]
    fn records_are_read_or_refused() {
        let head = Record {
            bytes: 168,
            wait_count: 2,
            size_count: 1,
            block_bytes: 20,
            ..Record::default()
        };
        let good = bytes(head, &[3, 4], &[64], &[7; 20]);
        assert_eq!(good.len(), 168);
        let read = ParsedRecord::parse(&good).unwrap();
        assert_eq!((read.waits, read.sizes, read.block), (vec![3, 4], vec![64], vec![7; 20]));
        for cut in 0..168 {
            assert_eq!(ParsedRecord::parse(&good[..cut]), None, "{cut} bytes");
        }
        for wrong in [
            Record { bytes: 0, ..head },
            Record { bytes: 119, ..head },
            Record { bytes: 167, ..head },
            Record { bytes: 176, ..head },
            Record { wait_count: u32::MAX, ..head },
            Record { size_count: 9, ..head },
            Record { block_bytes: 25, ..head },
        ] {
            assert_eq!(
                ParsedRecord::parse(&bytes(wrong, &[3, 4], &[64], &[7; 20])),
                None,
                "{wrong:?}"
            );
        }
    }
}
