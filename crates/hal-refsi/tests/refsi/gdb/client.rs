//! A small client of gdb's remote protocol. It reads replies strictly and panics at anything it
//! does not expect.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// How long a test waits for a reply before it fails.
const PATIENCE: Duration = Duration::from_secs(60);

pub(super) struct Client {
    pub(super) stream: TcpStream,
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

pub(super) fn bytes(hex: &str) -> Vec<u8> {
    assert!(hex.len().is_multiple_of(2) && hex.is_ascii(), "{hex}");
    (0..hex.len())
        .step_by(2)
        .map(|k| u8::from_str_radix(&hex[k..k + 2], 16).unwrap_or_else(|_| panic!("{hex}")))
        .collect()
}

/// A little-endian number.
pub(super) fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b))
}

/// The packet with this content.
pub(super) fn packet(content: &[u8]) -> Vec<u8> {
    let sum = content.iter().fold(0u8, |sum, b| sum.wrapping_add(*b));
    [b"$", content, format!("#{sum:02x}").as_bytes()].concat()
}

impl Client {
    pub(super) fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).expect("the device listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        // An acknowledgement and a packet in two writes would wait for each other.
        stream.set_nodelay(true).expect("an option");
        let mut client = Self { stream };
        let features = client.ask("qSupported:multiprocess+;swbreak+;vContSupported+");
        assert!(features.contains("qXfer:features:read+"), "{features}");
        assert!(features.contains("qXfer:libraries:read+"), "{features}");
        client
    }

    pub(super) fn send(&mut self, content: &str) {
        self.stream.write_all(&packet(content.as_bytes())).expect("sent");
    }

    fn byte(&mut self) -> u8 {
        let mut byte = [0];
        self.stream.read_exact(&mut byte).expect("a reply");
        byte[0]
    }

    /// The content of the next packet, with runs and escapes expanded.
    pub(super) fn reply_bytes(&mut self) -> Vec<u8> {
        while self.byte() != b'$' {}
        let (mut content, mut sum) = (Vec::new(), 0u8);
        loop {
            let byte = self.byte();
            if byte == b'#' {
                break;
            }
            sum = sum.wrapping_add(byte);
            match byte {
                b'}' => {
                    let next = self.byte();
                    sum = sum.wrapping_add(next);
                    content.push(next ^ 0x20);
                }
                b'*' => {
                    let count = self.byte();
                    sum = sum.wrapping_add(count);
                    let last = *content.last().expect("a byte to repeat");
                    content.extend(vec![last; usize::from(count) - 29]);
                }
                _ => content.push(byte),
            }
        }
        let told = [self.byte(), self.byte()];
        assert_eq!(std::str::from_utf8(&told), Ok(format!("{sum:02x}").as_str()));
        self.stream.write_all(b"+").expect("sent");
        content
    }

    pub(super) fn reply(&mut self) -> String {
        String::from_utf8(self.reply_bytes()).expect("text")
    }

    pub(super) fn ask(&mut self, content: &str) -> String {
        self.send(content);
        self.reply()
    }

    /// Sends a packet that the device confirms.
    pub(super) fn order(&mut self, content: &str) {
        assert_eq!(self.ask(content), "OK", "{content}");
    }

    pub(super) fn interrupt(&mut self) {
        self.stream.write_all(&[3]).expect("sent");
    }

    /// A register of the selected hart.
    pub(super) fn register(&mut self, number: usize) -> Vec<u8> {
        bytes(&self.ask(&format!("p{number:x}")))
    }

    pub(super) fn pc(&mut self) -> u64 {
        number(&self.register(32))
    }

    /// Selects a hart's registers.
    pub(super) fn select(&mut self, hart: u32) {
        self.order(&format!("Hgp1.{:x}", hart + 1));
    }

    pub(super) fn memory(&mut self, address: u64, size: usize) -> Vec<u8> {
        bytes(&self.ask(&format!("m{address:x},{size:x}")))
    }

    /// Executes a `monitor` command.
    pub(super) fn monitor(&mut self, command: &str) -> String {
        self.send(&format!("qRcmd,{}", hex(command.as_bytes())));
        let mut text = String::new();
        loop {
            let reply = self.reply();
            match reply.strip_prefix('O') {
                Some("K") => return text,
                Some(part) => text += std::str::from_utf8(&bytes(part)).expect("text"),
                None => panic!("{reply}"),
            }
        }
    }

    /// The address of a kernel, once the application has looked it up.
    pub(super) fn kernel(&mut self, name: &str) -> u64 {
        let begin = Instant::now();
        loop {
            let programs = self.monitor("programs");
            if let Some(line) = programs.lines().find(|l| l.ends_with(&format!(" {name}"))) {
                let (address, _) = line.trim().split_once(' ').expect("an address");
                return u64::from_str_radix(address.trim_start_matches("0x"), 16).expect("hex");
            }
            assert!(begin.elapsed() < PATIENCE, "{name}: {programs}");
        }
    }

    /// An object of `qXfer`, read in pieces.
    pub(super) fn object(&mut self, kind: &str, annex: &str) -> String {
        let mut text = String::new();
        loop {
            let reply = self.ask(&format!("qXfer:{kind}:read:{annex}:{:x},7b", text.len()));
            match reply.as_bytes().first() {
                Some(b'm') => text += &reply[1..],
                Some(b'l') => return text + &reply[1..],
                _ => panic!("{kind}: {reply}"),
            }
        }
    }

    pub(super) fn detach(mut self) {
        self.order("D;1");
    }

    /// True if the device has closed the connection.
    pub(super) fn is_closed(&mut self) -> bool {
        matches!(self.stream.read(&mut [0; 16]), Ok(0) | Err(_))
    }
}
