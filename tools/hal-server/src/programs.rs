//! The ELF files that clients have sent. Invariants: a file is found by its hash only, which proves
//! that a client knows the file. The files have at most [`MOST`] bytes in total, except that one
//! file is always kept; those used least recently leave first.

use muxcl_lock::{Mutex, Rank};
use std::sync::Arc;

/// Size of all files in bytes.
const MOST: usize = 256 << 20;

/// A BLAKE3 hash.
pub(crate) type Hash = [u8; 32];

/// The files, those used most recently last.
#[derive(Debug)]
pub(crate) struct Programs(Mutex<Vec<(Hash, Arc<[u8]>)>>);

impl Programs {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Rank::Leaf, Vec::new()))
    }

    /// The file with this hash.
    pub(crate) fn find(&self, hash: &Hash) -> Option<Arc<[u8]>> {
        let mut files = self.0.lock();
        let at = files.iter().position(|(other, _)| other == hash)?;
        let found = files.remove(at);
        let file = Arc::clone(&found.1);
        files.push(found);
        Some(file)
    }

    /// Keeps a file.
    pub(crate) fn keep(&self, hash: Hash, file: Arc<[u8]>) {
        let mut files = self.0.lock();
        files.retain(|(other, _)| *other != hash);
        files.push((hash, file));
        let mut size: usize = files.iter().map(|(_, file)| file.len()).sum();
        while size > MOST && files.len() > 1 {
            size -= files.remove(0).1.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_least_recently_leaves_first() {
        let programs = Programs::new();
        let file = |size: usize| Arc::from(vec![0_u8; size]);
        for number in 0..4 {
            programs.keep([number; 32], file(MOST / 4));
        }
        assert!(programs.find(&[0; 32]).is_some());
        programs.keep([4; 32], file(MOST / 4));
        let kept: Vec<bool> = (0..5).map(|n| programs.find(&[n; 32]).is_some()).collect();
        assert_eq!(kept, [true, false, true, true, true]);
        programs.keep([5; 32], file(MOST + 1));
        assert!(programs.find(&[5; 32]).is_some() && programs.find(&[4; 32]).is_none());
    }
}
