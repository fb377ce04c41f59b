//! The content-addressed disk cache of compile results.
//!
//! A key is a hash of all inputs of a result; an entry is the result's bytes with the list of files
//! that the compilation read or looked for. An entry is valid while each of these files has the
//! same content, or is still absent.
//!
//! Invariant: never an error. A cache that cannot be read misses, and one that cannot be written
//! stores nothing. Entries have checksums and appear by atomic rename, so any number of processes
//! may share a directory and be killed at any time. Not here: which results are cached, and which
//! inputs their keys have (`cl::compiler_client`).

mod entry;
mod key;
mod store;

pub use entry::{Dependency, Entry};
pub use key::{Key, KeyBuilder, file_identity};
pub use store::Cache;
