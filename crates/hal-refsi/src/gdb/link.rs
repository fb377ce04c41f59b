//! The connection to a client: a buffered TCP stream. Invariant: a client that does not read ends
//! its session after a time, and blocks nothing else.

use gdbstub::conn::Connection;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

/// How long a write waits for a client that does not read.
const PATIENCE: Duration = Duration::from_secs(10);

pub(super) struct Link {
    stream: TcpStream,
    received: Vec<u8>,
    next: usize,
    to_send: Vec<u8>,
}

impl Link {
    pub(super) fn new(stream: TcpStream) -> io::Result<Self> {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(Self { stream, received: vec![0; 4096], next: 4096, to_send: Vec::new() })
    }

    /// A byte that has been received already.
    pub(super) fn buffered(&mut self) -> Option<u8> {
        let byte = self.received.get(self.next).copied();
        self.next += usize::from(byte.is_some());
        byte
    }

    /// Receives bytes, which the stream has. Returns false at the end of the stream.
    pub(super) fn receive(&mut self) -> io::Result<bool> {
        self.received.resize(4096, 0);
        let n = self.stream.read(&mut self.received)?;
        self.received.truncate(n);
        self.next = 0;
        Ok(n != 0)
    }
}

impl AsFd for Link {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}

impl Connection for Link {
    type Error = io::Error;

    fn write(&mut self, byte: u8) -> io::Result<()> {
        self.to_send.push(byte);
        Ok(())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.to_send.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        let sent = Write::write_all(&mut self.stream, &self.to_send);
        self.to_send.clear();
        sent
    }
}
