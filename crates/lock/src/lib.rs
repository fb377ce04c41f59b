//! Ranked locks: a lock order violation panics in debug builds, costs nothing in release.
