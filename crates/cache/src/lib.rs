//! The content-addressed disk cache of compile results.
//!
//! A key is a hash of everything a result depends on; an entry is the result's bytes with the list
//! of files the compilation looked at. An entry counts only while each of those files still has the
//! same content (or is still absent).
//!
//! Invariant: never an error. A cache that cannot be read is a miss, one that cannot be written is
//! silently off; entries are checksummed and appear by atomic rename, so any number of processes
//! may share a directory and be killed at will. Not here: what is cached, and what belongs into its
//! key (`cl::program`).

mod entry;
mod key;
mod store;

pub use entry::{Dependency, Entry};
pub use key::{Key, KeyBuilder, file_identity};
pub use store::Cache;
