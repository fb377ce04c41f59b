//! A text in memory that outlives this process, for another process that has a descriptor of it.
//!
//! Invariant: if this process is killed at any time, the other one finds a whole text. Not here:
//! who reads it, and when.

use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt as _;

use crate::{OsError, share_bytes};

/// Bytes before the texts: the offset and the length of the current one.
const HEADER: usize = 16;

/// A text in shared memory that is replaced as a whole.
#[derive(Debug)]
pub struct KeptText {
    memory: File,
    /// Offset and length of the current text, in bytes.
    current: (usize, usize),
}

fn header((offset, length): (usize, usize)) -> [u8; HEADER] {
    let mut bytes = [0; HEADER];
    bytes[..8].copy_from_slice(&(offset as u64).to_le_bytes());
    bytes[8..].copy_from_slice(&(length as u64).to_le_bytes());
    bytes
}

impl KeptText {
    /// An empty text.
    ///
    /// # Errors
    /// If the system has no memory or no descriptors left.
    pub fn new() -> Result<Self, OsError> {
        let current = (HEADER, 0);
        let memory = File::from(share_bytes(&[&header(current)])?);
        Ok(Self { memory, current })
    }

    /// Replaces the text.
    ///
    /// # Errors
    /// If the system has no memory left. The old text remains.
    pub fn set(&mut self, text: &str) -> Result<(), OsError> {
        let (offset, length) = self.current;
        // The new text lies beside the old one. One write of a few bytes, which a signal does not
        // divide, makes it the current one.
        let at = if HEADER + text.len() <= offset { HEADER } else { offset + length };
        let next = (at, text.len());
        self.memory
            .write_all_at(text.as_bytes(), at as u64)
            .and_then(|()| self.memory.write_all_at(&header(next), 0))
            .map_err(|e| OsError::new("pwrite", e.to_string()))?;
        self.current = next;
        Ok(())
    }

    /// The text that the process at the other end of `memory` has set last.
    ///
    /// # Errors
    /// If the memory is not that of a [`KeptText`].
    pub fn read(memory: OwnedFd) -> Result<Vec<u8>, OsError> {
        let failed = |e: std::io::Error| OsError::new("pread", e.to_string());
        let memory = File::from(memory);
        let mut word = [0; 8];
        let mut number =
            |at| memory.read_exact_at(&mut word, at).map(|()| u64::from_le_bytes(word));
        let (offset, length) = (number(0).map_err(failed)?, number(8).map_err(failed)?);
        let there = memory.metadata().map_err(failed)?.len();
        if offset.checked_add(length).is_none_or(|end| end > there) {
            return Err(OsError::new("pread", "the shared memory holds no text"));
        }
        let mut text = vec![0; usize::try_from(length).unwrap_or(0)];
        memory.read_exact_at(&mut text, offset).map_err(failed)?;
        Ok(text)
    }
}

impl AsFd for KeptText {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.memory.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_text_is_read_and_the_memory_stays_small() {
        let mut kept = KeptText::new().unwrap();
        let read = |kept: &KeptText| {
            let copy = kept.as_fd().try_clone_to_owned().unwrap();
            String::from_utf8(KeptText::read(copy).unwrap()).unwrap()
        };
        assert_eq!(read(&kept), "");
        for length in (0..2000).chain([0, 5]) {
            let text = "x".repeat(length);
            kept.set(&text).unwrap();
            assert_eq!(read(&kept), text);
        }
        assert!(kept.memory.metadata().unwrap().len() < 8000);
    }

    #[test]
    fn a_text_beyond_the_memory_is_refused() {
        let memory = share_bytes(&[&header((1 << 40, 5))]).unwrap();
        assert!(KeptText::read(memory).is_err());
        assert!(KeptText::read(share_bytes(&[b"short"]).unwrap()).is_err());
    }
}
