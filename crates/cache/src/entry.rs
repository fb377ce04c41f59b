//! The format of a cache file.
//!
//! ```text
//! "MUXCACHE"  u32 version  [u8; 32] BLAKE3 of the rest
//! [u8; 32] key  u32 n  n dependencies  payload
//! dependency: u32 length, path bytes, u8 present, [u8; 32] hash if present
//! ```
//! Reading never panics: any process of the user may have changed the file.

use crate::key::Key;
use std::path::Path;

const MAGIC: &[u8; 8] = b"MUXCACHE";
const VERSION: u32 = 1;

/// A file that the result depends on. A relative path is relative to the current directory at the
/// time of the check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependency {
    /// The path that the compiler opened.
    pub path: String,
    /// BLAKE3 of the content, or `None` if the compiler looked for the file and there was none.
    pub hash: Option<[u8; 32]>,
}

impl Dependency {
    fn holds(&self) -> bool {
        let path = Path::new(&self.path);
        match &self.hash {
            // The metadata first: the open of a FIFO would wait for a writer.
            Some(hash) => {
                std::fs::metadata(path).is_ok_and(|meta| meta.is_file())
                    && std::fs::read(path).is_ok_and(|data| blake3::hash(&data).as_bytes() == hash)
            }
            None => std::fs::metadata(path).is_err(),
        }
    }
}

/// A cached result.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Entry {
    /// The result.
    pub payload: Vec<u8>,
    /// The files whose content must still be the same.
    pub dependencies: Vec<Dependency>,
}

impl Entry {
    pub(crate) fn dependencies_hold(&self) -> bool {
        self.dependencies.iter().all(Dependency::holds)
    }

    /// The file that holds the entry of `key`; `None` if the entry is too large for the format.
    #[must_use]
    pub fn to_bytes(&self, key: &Key) -> Option<Vec<u8>> {
        let mut out = Vec::with_capacity(self.payload.len() + 128 + 128 * self.dependencies.len());
        out.extend(MAGIC);
        out.extend(VERSION.to_le_bytes());
        out.extend([0; 32]);
        out.extend(key.0);
        out.extend(u32::try_from(self.dependencies.len()).ok()?.to_le_bytes());
        for dependency in &self.dependencies {
            out.extend(u32::try_from(dependency.path.len()).ok()?.to_le_bytes());
            out.extend(dependency.path.as_bytes());
            out.push(u8::from(dependency.hash.is_some()));
            out.extend(dependency.hash.iter().flatten());
        }
        out.extend(&self.payload);
        let sum = blake3::hash(out.get(SUMMED..)?);
        out.get_mut(SUMMED - 32..SUMMED)?.copy_from_slice(sum.as_bytes());
        Some(out)
    }

    /// The entry of `key` in a file; `None` if the file is damaged or holds another entry. Does not
    /// check the dependencies.
    #[must_use]
    pub fn from_bytes(bytes: &[u8], key: &Key) -> Option<Self> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let (version, rest) = rest.split_first_chunk::<4>()?;
        let (sum, body) = rest.split_first_chunk::<32>()?;
        if u32::from_le_bytes(*version) != VERSION || blake3::hash(body).as_bytes() != sum {
            return None;
        }
        let (stored_key, rest) = body.split_first_chunk::<32>()?;
        if stored_key != &key.0 {
            return None;
        }
        let (count, mut rest) = rest.split_first_chunk::<4>()?;
        let mut dependencies = Vec::new();
        for _ in 0..u32::from_le_bytes(*count) {
            let (len, after) = rest.split_first_chunk::<4>()?;
            let len = usize::try_from(u32::from_le_bytes(*len)).ok()?;
            let (path, after) = after.split_at_checked(len)?;
            let (&present, after) = after.split_first()?;
            let path = String::from_utf8(path.to_vec()).ok()?;
            let hash;
            (hash, rest) = if present == 0 {
                (None, after)
            } else {
                let (hash, after) = after.split_first_chunk::<32>()?;
                (Some(*hash), after)
            };
            dependencies.push(Dependency { path, hash });
        }
        Some(Self { payload: rest.to_vec(), dependencies })
    }
}

// Offset in bytes from which the checksum covers the file.
const SUMMED: usize = MAGIC.len() + 4 + 32;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KeyBuilder;

    #[test]
    fn every_damage_is_a_miss() {
        let key = KeyBuilder::new("t").field("a", b"b").finish();
        let entry = Entry {
            payload: vec![7; 20],
            dependencies: vec![
                Dependency { path: "/x/y".into(), hash: Some([3; 32]) },
                Dependency { path: "z".into(), hash: None },
            ],
        };
        let bytes = entry.to_bytes(&key).unwrap();
        assert_eq!(Entry::from_bytes(&bytes, &key), Some(entry));
        assert_eq!(
            Entry::from_bytes(&bytes, &KeyBuilder::new("t").field("a", b"c").finish()),
            None
        );
        for i in 0..bytes.len() {
            let mut bad = bytes.clone();
            bad[i] ^= 0x10;
            assert_eq!(Entry::from_bytes(&bad, &key), None, "byte {i}");
            assert_eq!(Entry::from_bytes(&bytes[..i], &key), None, "cut {i}");
        }
    }

    #[test]
    fn fields_do_not_run_together() {
        let key = |a: &[u8], b: &[u8]| KeyBuilder::new("t").field("a", a).field("b", b).finish();
        assert_ne!(key(b"xy", b"z"), key(b"x", b"yz"));
        assert_eq!(key(b"xy", b"z"), key(b"xy", b"z"));
        assert_ne!(KeyBuilder::new("t").finish(), KeyBuilder::new("t").field("", b"").finish());
    }
}
