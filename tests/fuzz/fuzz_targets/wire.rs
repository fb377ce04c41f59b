//! Any bytes as a message between the driver and the compiler's process: read or refused, with
//! memory in proportion to the message. The first byte selects how: as a whole message, or as the
//! body of one kind.
#![no_main]

use libfuzzer_sys::fuzz_target;
use muxcl_compiler_abi::wire::{self, Opened, Reply, Task};
use muxcl_compiler_abi::{Envelope, Response};
use muxcl_types::device::DeviceDesc;

/// Reads a body. What has been read is written and read again.
macro_rules! body {
    ($type:ty, $bytes:expr) => {{
        let bytes: &[u8] = $bytes;
        let (value, taken) = muxcl_fuzz::peak(|| postcard::from_bytes::<$type>(bytes));
        // serde reserves up to 1 MiB for a list before it reads the elements, at each level of
        // nesting. An element takes at least one byte of the message.
        assert!(taken <= (4 << 20) + 256 * bytes.len(), "{taken} bytes for {}", bytes.len());
        if let Ok(value) = value {
            let written = postcard::to_stdvec(&value).unwrap();
            let again: $type = postcard::from_bytes(&written).unwrap();
            assert_eq!(postcard::to_stdvec(&again).unwrap(), written);
        }
    }};
}

fn request(bytes: &[u8]) {
    body!(Envelope<'_>, bytes);
}

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    match choice % 4 {
        0 => request(bytes),
        1 => body!(Response, bytes),
        2 => body!(DeviceDesc, bytes),
        _ => {
            let Some((kind, length, rest)) = wire::split(bytes) else { return };
            assert_eq!(wire::header(kind, length), bytes[..wire::HEADER_BYTES]);
            match Task::from_byte(kind) {
                Some(Task::Request) => request(rest),
                Some(Task::Prepare) => body!(DeviceDesc, rest),
                None => {}
            }
            match Reply::from_byte(kind) {
                Some(Reply::Answer) => body!(Response, rest),
                // Text, or a path.
                Some(Reply::Unreadable | Reply::Crash | Reply::Bound | Reply::Open) | None => {}
            }
            assert!(Opened::from_byte(kind).is_none_or(|answer| answer as u8 == kind));
        }
    }
});
