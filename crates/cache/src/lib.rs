//! The content-addressed disk cache of compile results.
//!
//! A key is a hash of all inputs of a result; an entry is the result's bytes with the list of files
//! that the compilation read or looked for. An entry is valid while each of these files has the
//! same content, or is still absent.
//!
//! Invariant: never an error. A cache that cannot be read misses, and one that cannot be written
//! stores nothing. Entries have checksums and appear by atomic rename, so any number of processes
//! may share a directory and be killed at any time. Entries are code that is run, so only files and
//! folders that nobody but the user may write are used ([`Cache::from_env`]). Not here: which
//! results are cached, and which inputs their keys have (`cl::compiler_client`).
//!
//! # Examples
//! ```
//! use muxcl_cache::{Cache, Entry, KeyBuilder};
//!
//! let folder = tempfile::tempdir()?;
//! let cache = Cache::at(folder.path(), 1 << 20);
//! let key = KeyBuilder::new("program").field("source", b"kernel void k() {}").finish();
//! assert!(cache.get(&key).is_none());
//! cache.put(&key, &Entry { payload: b"compiled".to_vec(), ..Entry::default() });
//! assert_eq!(cache.get(&key).unwrap().payload, b"compiled");
//! # Ok::<(), std::io::Error>(())
//! ```

mod entry;
mod key;
mod store;

pub use entry::{Dependency, Entry};
pub use key::{Key, KeyBuilder, file_identity};
pub use store::Cache;
