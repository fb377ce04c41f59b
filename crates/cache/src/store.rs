//! The directory: 16 shards of entry files. Each shard has its own bound and drops its oldest
//! entries first.

use crate::entry::Entry;
use crate::key::Key;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// A cache directory and its bound. Holds no file open.
#[derive(Debug, Clone)]
pub struct Cache {
    dir: Option<PathBuf>,
    limit: u64,
}

impl Cache {
    /// The cache that the environment describes (`MUXCL_CACHE`, `MUXCL_CACHE_DIR`,
    /// `MUXCL_CACHE_MB`). Off, with a warning in the log, if another user may write to its folder:
    /// that user could put code there.
    #[must_use]
    pub fn from_env() -> Self {
        if !muxcl_config::MUXCL_CACHE.flag(true) {
            return Self::off();
        }
        let dir = muxcl_config::MUXCL_CACHE_DIR
            .get_os()
            .map(PathBuf::from)
            .or_else(|| Some(muxcl_config::user_cache_dir()?.join("muxcl")));
        let limit =
            muxcl_config::MUXCL_CACHE_MB.parse().unwrap_or(DEFAULT_MB).saturating_mul(1 << 20);
        Self::private(dir, limit)
    }

    /// The cache in `dir`, if only this user may write there.
    fn private(dir: Option<PathBuf>, limit: u64) -> Self {
        let Some(dir) = dir else { return Self::off() };
        if let Some(why) = shared(&dir) {
            tracing::warn!(target: "cache", "{why}; the disk cache is off");
            return Self::off();
        }
        Self { dir: Some(dir), limit }
    }

    /// A cache in `dir` of at most `limit` bytes.
    #[must_use]
    pub fn at(dir: &Path, limit: u64) -> Self {
        Self { dir: Some(dir.to_owned()), limit }
    }

    /// No cache: every look-up misses.
    #[must_use]
    pub fn off() -> Self {
        Self { dir: None, limit: 0 }
    }

    /// True if the cache is on. If it is off, callers need not compute keys.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.dir.is_some()
    }

    /// True if the cache is off or has never stored anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.dir.as_ref().is_none_or(|dir| !dir.join(FORMAT).exists())
    }

    /// The entry of `key`, if it exists, its checksum is right and none of its files has changed.
    #[must_use]
    pub fn get(&self, key: &Key) -> Option<Entry> {
        let path = self.path(key)?;
        let mut file = open_entry(&path)?;
        let meta = file.metadata().ok()?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(usize::try_from(meta.len()).ok()?).ok()?;
        file.read_to_end(&mut bytes).ok()?;
        let entry = Entry::from_bytes(&bytes, key).filter(Entry::dependencies_hold)?;
        // Entries in use must not become the oldest; a renewal once an hour is enough. A failure (a
        // read-only folder) is no error.
        if meta.modified().ok().and_then(|t| t.elapsed().ok()).is_some_and(|age| age > RENEW) {
            let _ = file.set_modified(SystemTime::now());
        }
        Some(entry)
    }

    /// Stores `entry`, or does nothing if that is impossible.
    pub fn put(&self, key: &Key, entry: &Entry) {
        let (Some(path), Some(bytes)) = (self.path(key), entry.to_bytes(key)) else { return };
        let Some(shard) = path.parent() else { return };
        if bytes.len() as u64 > self.limit / SHARDS || create_private(shard).is_err() {
            return;
        }
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let temporary = shard.join(format!("{TEMPORARY}{}-{number}", std::process::id()));
        let written = write_new(&temporary, &bytes).and_then(|()| fs::rename(&temporary, &path));
        if written.is_err() {
            let _ = fs::remove_file(&temporary);
        }
        // One write in four checks its shard's size, so the bound may be exceeded by a few entries.
        if key.0[31].is_multiple_of(4) {
            trim(shard, self.limit / SHARDS);
        }
    }

    /// Removes the oldest entries of every shard that is above its bound.
    pub fn trim(&self) {
        let Some(dir) = &self.dir else { return };
        for shard in fs::read_dir(dir.join(FORMAT)).into_iter().flatten().flatten() {
            trim(&shard.path(), self.limit / SHARDS);
        }
    }

    fn path(&self, key: &Key) -> Option<PathBuf> {
        let hex = key.hex();
        let (shard, name) = hex.split_at_checked(1)?;
        Some(self.dir.as_ref()?.join(FORMAT).join(shard).join(name))
    }
}

// Only the user may write entries, because they hold code that is run.
fn create_private(dir: &Path) -> std::io::Result<()> {
    if dir.is_dir() {
        return Ok(());
    }
    fs::DirBuilder::new().recursive(true).mode(0o700).create(dir)
}

fn write_new(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?.write_all(bytes)
}

/// Opens an entry for reading: a regular file of this user that nobody else may write, not a link.
/// Whatever else lies there (a FIFO, a device) has no effect.
fn open_entry(path: &Path) -> Option<File> {
    let file = muxcl_os::open_regular(path).ok()?;
    is_own(&file.metadata().ok()?).then_some(file)
}

/// True if this user owns the file or folder, and nobody else may write it.
fn is_own(meta: &fs::Metadata) -> bool {
    meta.uid() == rustix::process::geteuid().as_raw() && meta.mode() & 0o022 == 0
}

/// Why other users may put files into `dir`, or replace it; `None` if they cannot. Folders that do
/// not exist will be created for this user only.
fn shared(dir: &Path) -> Option<String> {
    const STICKY: u32 = 0o1000;
    const ANYONE: u32 = 0o002;
    let dir = std::path::absolute(dir).ok()?;
    for folder in dir.ancestors() {
        let Ok(meta) = fs::metadata(folder) else { continue };
        if folder.starts_with(&dir) && !is_own(&meta) {
            return Some(format!("{}: other users may write to it", folder.display()));
        }
        // Others may rename what is in a folder that they may write, unless it is sticky as `/tmp`.
        // The user's own group may: on some systems each user has one.
        let others = meta.uid() != 0 && meta.uid() != rustix::process::geteuid().as_raw();
        if others || meta.mode() & (ANYONE | STICKY) == ANYONE {
            return Some(format!("{}: other users may replace its folders", folder.display()));
        }
    }
    None
}

fn trim(shard: &Path, limit: u64) {
    let mut files: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
    let mut total = 0u64;
    for item in fs::read_dir(shard).into_iter().flatten().flatten() {
        let Ok(meta) = item.metadata() else { continue };
        let time = meta.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        let temporary = item.file_name().to_str().is_some_and(|n| n.starts_with(TEMPORARY));
        if temporary {
            // Left by a process that was killed during the write.
            if time.elapsed().is_ok_and(|age| age > RENEW) {
                let _ = fs::remove_file(item.path());
            }
            continue;
        }
        total += meta.len();
        files.push((time, meta.len(), item.path()));
    }
    if total <= limit {
        return;
    }
    files.sort();
    // Trim to three quarters, so that a full cache is not trimmed at every write.
    for (_, len, path) in files {
        if total <= limit / 4 * 3 {
            break;
        }
        if fs::remove_file(&path).is_ok() {
            total -= len;
        }
    }
}

/// Number of this process's next temporary file.
static NEXT: AtomicU64 = AtomicU64::new(0);
/// Default of `MUXCL_CACHE_MB`, in MiB.
const DEFAULT_MB: u64 = 512;
/// Number of shards: one for each first hexadecimal digit of a key.
const SHARDS: u64 = 16;
/// Version of the directory's layout, the name of a subfolder.
const FORMAT: &str = "1";
/// Prefix of the names of temporary files.
const TEMPORARY: &str = "tmp-";
/// Age at which an entry in use gets a new time, and at which a temporary file is deleted.
const RENEW: Duration = Duration::from_secs(3600);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dependency, KeyBuilder};

    fn key(n: u32) -> Key {
        KeyBuilder::new("test").field("n", &n.to_le_bytes()).finish()
    }

    fn entry(size: usize) -> Entry {
        Entry { payload: vec![1; size], dependencies: Vec::new() }
    }

    #[test]
    fn what_is_put_is_got() {
        let temp = tempfile::tempdir().unwrap();
        let cache = Cache::at(&temp.path().join("a/b"), 1 << 20);
        assert_eq!(cache.get(&key(1)), None);
        cache.put(&key(1), &entry(10));
        assert_eq!(cache.get(&key(1)), Some(entry(10)));
        assert_eq!(cache.get(&key(2)), None);
        cache.put(&key(1), &entry(11));
        assert_eq!(cache.get(&key(1)), Some(entry(11)));
    }

    #[test]
    fn a_changed_missing_or_new_file_invalidates() {
        let temp = tempfile::tempdir().unwrap();
        let cache = Cache::at(temp.path(), 1 << 20);
        let (header, other) = (temp.path().join("h.h"), temp.path().join("earlier.h"));
        fs::write(&header, "one").unwrap();
        let with = Entry {
            payload: vec![1],
            dependencies: vec![
                Dependency {
                    path: header.display().to_string(),
                    hash: Some(*blake3::hash(b"one").as_bytes()),
                },
                Dependency { path: other.display().to_string(), hash: None },
            ],
        };
        cache.put(&key(1), &with);
        assert_eq!(cache.get(&key(1)), Some(with.clone()));
        fs::write(&header, "two").unwrap();
        assert_eq!(cache.get(&key(1)), None);
        fs::remove_file(&header).unwrap();
        assert_eq!(cache.get(&key(1)), None);
        fs::write(&header, "one").unwrap();
        assert_eq!(cache.get(&key(1)), Some(with));
        fs::write(&other, "").unwrap();
        assert_eq!(cache.get(&key(1)), None);
    }

    #[test]
    fn the_oldest_go_when_it_is_full() {
        let temp = tempfile::tempdir().unwrap();
        let limit = 16 * 10_000;
        let cache = Cache::at(temp.path(), limit);
        for n in 0..400 {
            cache.put(&key(n), &entry(1000));
        }
        cache.trim();
        let kept: Vec<u32> = (0..400).filter(|&n| cache.get(&key(n)).is_some()).collect();
        assert!(kept.len() as u64 * 1000 <= limit, "{} kept", kept.len());
        assert!(kept.len() > 60, "{} kept", kept.len());
        assert!(!kept.contains(&0) && kept.contains(&399));
        cache.put(&key(1000), &entry(1 << 20));
        assert_eq!(cache.get(&key(1000)), None, "an entry above the bound is not stored");
    }

    #[test]
    fn an_unusable_directory_is_no_error() {
        let temp = tempfile::tempdir().unwrap();
        let file = temp.path().join("file");
        fs::write(&file, "x").unwrap();
        for cache in [
            Cache::at(&file, 1 << 20),
            Cache::at(Path::new("/proc/nowhere"), 1 << 20),
            Cache::off(),
        ] {
            cache.put(&key(1), &entry(1));
            assert_eq!(cache.get(&key(1)), None);
            cache.trim();
        }
    }

    /// Sets the mode of a file.
    fn mode(path: &Path, mode: u32) {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    fn fifo(path: &Path) {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    }

    #[test]
    fn only_own_regular_files_are_entries() {
        let temp = tempfile::tempdir().unwrap();
        let cache = Cache::at(temp.path(), 1 << 20);
        cache.put(&key(1), &entry(10));
        let path = cache.path(&key(1)).unwrap();
        let kept = temp.path().join("kept");
        fs::rename(&path, &kept).unwrap();
        // A FIFO without a writer, a link to a right entry, a device, a folder.
        fifo(&path);
        assert_eq!(cache.get(&key(1)), None);
        fs::remove_file(&path).unwrap();
        for target in [kept.as_path(), Path::new("/dev/zero")] {
            std::os::unix::fs::symlink(target, &path).unwrap();
            assert_eq!(cache.get(&key(1)), None, "{}", target.display());
            fs::remove_file(&path).unwrap();
        }
        fs::create_dir(&path).unwrap();
        assert_eq!(cache.get(&key(1)), None);
        fs::remove_dir(&path).unwrap();
        fs::rename(&kept, &path).unwrap();
        mode(&path, 0o620);
        assert_eq!(cache.get(&key(1)), None, "the group may write it");
        mode(&path, 0o600);
        assert_eq!(cache.get(&key(1)), Some(entry(10)));
    }

    #[test]
    fn a_header_that_becomes_a_fifo_is_another_header() {
        let temp = tempfile::tempdir().unwrap();
        let cache = Cache::at(temp.path(), 1 << 20);
        let header = temp.path().join("h.h");
        let hash = Some(*blake3::hash(b"").as_bytes());
        let dependencies = vec![Dependency { path: header.display().to_string(), hash }];
        cache.put(&key(1), &Entry { payload: vec![1], dependencies });
        fifo(&header);
        assert_eq!(cache.get(&key(1)), None);
    }

    #[test]
    fn a_folder_that_others_may_write_is_not_used() {
        let temp = tempfile::tempdir().unwrap();
        let is_on = |dir: &Path| Cache::private(Some(dir.to_owned()), 1 << 20).is_on();
        let (folder, below) = (temp.path().join("a"), temp.path().join("a/b/c"));
        assert!(is_on(&below), "it will be created");
        fs::create_dir(&folder).unwrap();
        assert!(is_on(&folder) && is_on(&below));
        for (bits, own, inside) in [
            (0o777, false, false),
            (0o770, false, true),
            (0o1777, false, true),
            (0o755, true, true),
        ] {
            mode(&folder, bits);
            assert_eq!((is_on(&folder), is_on(&below)), (own, inside), "{bits:o}");
        }
        assert!(!Cache::private(None, 1).is_on());
    }

    #[test]
    fn writers_and_readers_never_see_half_an_entry() {
        let temp = tempfile::tempdir().unwrap();
        let cache = Cache::at(temp.path(), 1 << 24);
        std::thread::scope(|scope| {
            for t in 0..4usize {
                let cache = &cache;
                scope.spawn(move || {
                    for i in 0..200usize {
                        cache.put(&key(0), &entry(1000 + t));
                        if let Some(got) = cache.get(&key(0)) {
                            assert!((1000..1004).contains(&got.payload.len()), "{i}");
                        }
                    }
                });
            }
        });
        assert!(cache.get(&key(0)).is_some());
        let left = fs::read_dir(temp.path().join(FORMAT).join(&key(0).hex()[..1])).unwrap().count();
        assert_eq!(left, 1, "no temporary file stays");
    }
}
