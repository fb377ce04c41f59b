//! Memory for translated code. Invariant: a page is writable or executable, never both: code is
//! written to fresh pages, which then become executable and never writable again. Not here: when
//! code is discarded (`cache.rs`).

use muxcl_os::{Mapping, OsError, Protection, page_size};

/// Size of a mapping in bytes. A function that needs more has a mapping of its own.
const CHUNK: usize = 1 << 20;

/// A growing set of executable pages.
#[derive(Debug, Default)]
pub(crate) struct Arena {
    chunks: Vec<Mapping>,
    /// Number of used bytes of the last chunk, whole pages.
    used: usize,
    /// Number of used bytes of all chunks.
    total: usize,
}

impl Arena {
    /// The number of bytes in use, whole pages.
    pub(crate) fn size(&self) -> usize {
        self.total
    }

    /// Copies code to executable pages, and returns its address. The address is valid until the
    /// arena is dropped.
    ///
    /// # Errors
    /// The system has no memory, or allows no executable pages.
    pub(crate) fn add(&mut self, code: &[u8]) -> Result<*const u8, OsError> {
        let size = code.len().next_multiple_of(page_size());
        if self.chunks.last().is_none_or(|chunk| chunk.len() - self.used < size) {
            self.chunks.push(Mapping::new(size.max(CHUNK), Protection::ReadWrite)?);
            self.used = 0;
        }
        let Some(chunk) = self.chunks.last() else { unreachable!("a chunk was added") };
        // SAFETY: the chunk has `size` bytes from here on.
        let at = unsafe { chunk.as_ptr().add(self.used) };
        // SAFETY: writable pages of this arena, which nobody uses yet.
        unsafe { at.copy_from_nonoverlapping(code.as_ptr(), code.len()) };
        chunk.protect(self.used..self.used + size, Protection::ReadExecute)?;
        self.used += size;
        self.total += size;
        Ok(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_where_the_arena_says() {
        let mut arena = Arena::default();
        let many: Vec<u8> = (0..3 * CHUNK).map(|k| k as u8).collect();
        let parts = [&many[..1], &many[..5000], &many[..CHUNK], &many[..], &many[3..9]];
        let places: Vec<*const u8> = parts.iter().map(|p| arena.add(p).unwrap()).collect();
        for (part, at) in parts.iter().zip(places) {
            // SAFETY: the arena holds a copy of the part there.
            assert_eq!(unsafe { std::slice::from_raw_parts(at, part.len()) }, *part);
        }
        assert!(arena.size() >= 4 * CHUNK);
    }
}
