//! Encodes Perfetto's `TracePacket`s (perfetto/protos/perfetto/trace in Perfetto's repository).
//!
//! Invariant: [`Packets::bytes`] is a sequence of whole packets, so files are concatenations of
//! them. Not here: when events are written.

/// Numbers of the fields that this crate writes. A name has the message, then the field.
mod field {
    pub(super) const TRACE_PACKET: u32 = 1;
    pub(super) const PACKET_CLOCK_SNAPSHOT: u32 = 6;
    pub(super) const PACKET_TIMESTAMP: u32 = 8;
    pub(super) const PACKET_SEQUENCE: u32 = 10;
    pub(super) const PACKET_TRACK_EVENT: u32 = 11;
    pub(super) const PACKET_SEQUENCE_FLAGS: u32 = 13;
    pub(super) const PACKET_TIMESTAMP_CLOCK: u32 = 58;
    pub(super) const PACKET_TRACK_DESCRIPTOR: u32 = 60;
    pub(super) const SNAPSHOT_CLOCK: u32 = 1;
    pub(super) const CLOCK_ID: u32 = 1;
    pub(super) const CLOCK_TIMESTAMP: u32 = 2;
    pub(super) const TRACK_UUID: u32 = 1;
    pub(super) const TRACK_NAME: u32 = 2;
    pub(super) const TRACK_PROCESS: u32 = 3;
    pub(super) const TRACK_THREAD: u32 = 4;
    pub(super) const TRACK_PARENT: u32 = 5;
    pub(super) const PROCESS_PID: u32 = 1;
    pub(super) const PROCESS_NAME: u32 = 6;
    pub(super) const THREAD_PID: u32 = 1;
    pub(super) const THREAD_TID: u32 = 2;
    pub(super) const THREAD_NAME: u32 = 5;
    pub(super) const EVENT_ANNOTATION: u32 = 4;
    pub(super) const EVENT_TYPE: u32 = 9;
    pub(super) const EVENT_TRACK: u32 = 11;
    pub(super) const EVENT_CATEGORY: u32 = 22;
    pub(super) const EVENT_NAME: u32 = 23;
    pub(super) const EVENT_FLOW: u32 = 47;
    pub(super) const EVENT_LAST_FLOW: u32 = 48;
    pub(super) const ANNOTATION_UNSIGNED: u32 = 3;
    pub(super) const ANNOTATION_TEXT: u32 = 6;
    pub(super) const ANNOTATION_NAME: u32 = 10;
}

/// `BUILTIN_CLOCK_MONOTONIC`
const MONOTONIC: u64 = 3;
/// `BUILTIN_CLOCK_BOOTTIME`, the clock of Perfetto's own traces
const BOOTTIME: u64 = 6;
/// `SEQ_INCREMENTAL_STATE_CLEARED`: the sequence of packets begins. Perfetto ignores events of a
/// sequence without such a packet.
const CLEARED: u64 = 1;

const VARINT: u32 = 0;
const FIXED64: u32 = 1;
const LENGTH: u32 = 2;

/// The type of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Begin = 1,
    End = 2,
    Instant = 3,
}

/// A message that is being encoded.
#[derive(Debug, Default)]
pub(crate) struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value.to_le_bytes()[0] | 0x80);
            value >>= 7;
        }
        self.0.push(value.to_le_bytes()[0]);
    }

    fn key(&mut self, field: u32, wire: u32) {
        self.varint(u64::from(field << 3 | wire));
    }

    fn number(&mut self, field: u32, value: u64) {
        self.key(field, VARINT);
        self.varint(value);
    }

    fn fixed(&mut self, field: u32, value: u64) {
        self.key(field, FIXED64);
        self.0.extend(value.to_le_bytes());
    }

    fn data(&mut self, field: u32, bytes: &[u8]) {
        self.key(field, LENGTH);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
    }

    fn message(&mut self, field: u32, fill: impl FnOnce(&mut Self)) {
        let mut inner = Self::default();
        fill(&mut inner);
        self.data(field, &inner.0);
    }

    /// The category of an event.
    pub(crate) fn category(&mut self, category: &str) {
        self.data(field::EVENT_CATEGORY, category.as_bytes());
    }

    /// The name of an event.
    pub(crate) fn name(&mut self, name: &str) {
        self.data(field::EVENT_NAME, name.as_bytes());
    }

    /// An arrow from or to an event.
    pub(crate) fn flow(&mut self, flow: u64, ends: bool) {
        self.fixed(if ends { field::EVENT_LAST_FLOW } else { field::EVENT_FLOW }, flow);
    }

    /// A detail of an event.
    pub(crate) fn text(&mut self, name: &str, value: &str) {
        self.message(field::EVENT_ANNOTATION, |annotation| {
            annotation.data(field::ANNOTATION_NAME, name.as_bytes());
            annotation.data(field::ANNOTATION_TEXT, value.as_bytes());
        });
    }

    /// A detail of an event.
    pub(crate) fn unsigned(&mut self, name: &str, value: u64) {
        self.message(field::EVENT_ANNOTATION, |annotation| {
            annotation.data(field::ANNOTATION_NAME, name.as_bytes());
            annotation.number(field::ANNOTATION_UNSIGNED, value);
        });
    }
}

/// Packets of one process.
#[derive(Debug)]
pub(crate) struct Packets {
    process: u32,
    trace: Message,
}

impl Packets {
    /// No packet. The sequence of the packets has the number of the process.
    pub(crate) fn new(process: u32) -> Self {
        Self { process, trace: Message(Vec::with_capacity(256)) }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.trace.0
    }

    fn packet(&mut self, flags: u64, fill: impl FnOnce(&mut Message)) {
        let process = u64::from(self.process);
        self.trace.message(field::TRACE_PACKET, |packet| {
            packet.number(field::PACKET_SEQUENCE, process);
            if flags != 0 {
                packet.number(field::PACKET_SEQUENCE_FLAGS, flags);
            }
            fill(packet);
        });
    }

    /// Two clocks at the same time, in ns.
    pub(crate) fn clocks(&mut self, monotonic: u64, boot: u64) {
        self.packet(CLEARED, |packet| {
            packet.message(field::PACKET_CLOCK_SNAPSHOT, |snapshot| {
                for (clock, time) in [(MONOTONIC, monotonic), (BOOTTIME, boot)] {
                    snapshot.message(field::SNAPSHOT_CLOCK, |message| {
                        message.number(field::CLOCK_ID, clock);
                        message.number(field::CLOCK_TIMESTAMP, time);
                    });
                }
            });
        });
    }

    fn track(&mut self, track: u64, fill: impl FnOnce(&mut Message)) {
        self.packet(CLEARED, |packet| {
            packet.message(field::PACKET_TRACK_DESCRIPTOR, |descriptor| {
                descriptor.number(field::TRACK_UUID, track);
                fill(descriptor);
            });
        });
    }

    /// Describes the track of a process.
    pub(crate) fn process(&mut self, track: u64, process: u32) {
        let path = std::env::current_exe().ok();
        let name = path.as_deref().and_then(std::path::Path::file_name);
        self.track(track, |descriptor| {
            descriptor.message(field::TRACK_PROCESS, |message| {
                message.number(field::PROCESS_PID, process.into());
                if let Some(name) = name {
                    message.data(field::PROCESS_NAME, name.to_string_lossy().as_bytes());
                }
            });
        });
    }

    /// Describes the track of a thread.
    pub(crate) fn thread(
        &mut self,
        track: u64,
        parent: u64,
        process: u32,
        thread: u32,
        name: &str,
    ) {
        self.track(track, |descriptor| {
            descriptor.number(field::TRACK_PARENT, parent);
            descriptor.message(field::TRACK_THREAD, |message| {
                message.number(field::THREAD_PID, process.into());
                message.number(field::THREAD_TID, thread.into());
                message.data(field::THREAD_NAME, name.as_bytes());
            });
        });
    }

    /// Describes a track with a name. Perfetto shows tracks of one parent and name as one.
    pub(crate) fn named(&mut self, track: u64, parent: u64, name: &str) {
        self.track(track, |descriptor| {
            descriptor.number(field::TRACK_PARENT, parent);
            descriptor.data(field::TRACK_NAME, name.as_bytes());
        });
    }

    /// An event at `time`, in ns of the monotonic clock.
    pub(crate) fn event(
        &mut self,
        track: u64,
        time: u64,
        kind: Kind,
        fill: impl FnOnce(&mut Message),
    ) {
        self.packet(0, |packet| {
            packet.number(field::PACKET_TIMESTAMP, time);
            packet.number(field::PACKET_TIMESTAMP_CLOCK, MONOTONIC);
            packet.message(field::PACKET_TRACK_EVENT, |event| {
                event.number(field::EVENT_TYPE, kind as u64);
                event.number(field::EVENT_TRACK, track);
                fill(event);
            });
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_have_the_bytes_of_the_format() {
        let mut packets = Packets::new(5);
        packets.event(300, 7, Kind::Begin, |event| {
            event.name("ab");
            event.flow(1, false);
        });
        let expected: &[u8] = &[
            0x0a, 29, // packet of 29 bytes
            0x50, 5, // sequence 5
            0x40, 7, // timestamp 7
            0xd0, 0x03, 3, // clock 3
            0x5a, 20, // track event of 20 bytes
            0x48, 1, // slice begins
            0x58, 0xac, 0x02, // track 300
            0xba, 0x01, 2, b'a', b'b', // name
            0xf9, 0x02, 1, 0, 0, 0, 0, 0, 0, 0, // flow 1
        ];
        assert_eq!(packets.bytes(), expected);
    }
}
