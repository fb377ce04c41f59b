//! The files that a source may include. The compiler's process opens no files: it asks for them,
//! and the driver opens those that the request allows.
//!
//! A source may include what is below a folder of `-I`, below the application's current directory,
//! or below one of the two folders above these (`#include "../../common.h"`). Not in the latter:
//! hidden files, and folders that belong to everything (`shared`). The file counts where it lies,
//! and also where links lead to it: whoever put the link there wanted it to be read. A file whose
//! name ends like that of a source may be anywhere, because programs such as hashcat include
//! headers by absolute paths. Files with keys or passwords have other names.
//!
//! Invariant: the answer depends on the request and the file system, not on what the compiler's
//! process says. Not here: how files are asked for (`compiler_abi::wire`).

use std::cell::OnceCell;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Component, Path, PathBuf};

use muxcl_compiler_abi::{Request, Source};
use muxcl_config::MUXCL_COMPILER_FILES;
use muxcl_types::options::include_folders;

/// The number of folders above a folder to which `..` may lead.
const LEVELS: usize = 2;

/// The files that one request may read.
#[derive(Debug)]
pub(super) struct Files<'r> {
    /// The options of the request, if it contains a source that may include files.
    options: Option<&'r str>,
    directory: Option<PathBuf>,
    folders: OnceCell<Vec<Folder>>,
    any: bool,
}

/// A folder whose files may be read.
#[derive(Debug, PartialEq, Eq)]
struct Folder {
    path: PathBuf,
    /// Its hidden files as well.
    hidden: bool,
}

/// Why a file is not opened.
#[derive(Debug)]
pub(super) enum NotOpened {
    /// The source may not include it.
    Refused,
    /// The number of the system's error.
    Error(i32),
}

impl From<io::Error> for NotOpened {
    fn from(error: io::Error) -> Self {
        Self::Error(error.raw_os_error().unwrap_or(EIO))
    }
}

/// `EIO`, the same number on all processors.
const EIO: i32 = 5;
/// `EINVAL`, likewise.
const EINVAL: i32 = 22;

impl<'r> Files<'r> {
    /// Those of `request`, whose relative paths are relative to `directory`.
    pub(super) fn of(request: &'r Request<'_>, directory: Option<&Path>) -> Self {
        let options = match request {
            Request::Build { source: Source::OpenClC { .. }, options, .. }
            | Request::Compile { source: Source::OpenClC { .. }, options, .. } => {
                Some(options.as_str())
            }
            _ => None,
        };
        let any = MUXCL_COMPILER_FILES.get().is_some_and(|value| value == "any");
        let directory = directory.map(Path::to_path_buf);
        Self { options, directory, folders: OnceCell::new(), any }
    }

    /// Opens the file at an absolute path.
    ///
    /// # Errors
    /// If the source may not include it, it is no regular file, or the system refuses.
    pub(super) fn open(&self, path: &[u8]) -> Result<File, NotOpened> {
        let path = Path::new(OsStr::from_bytes(path));
        let options = self.options.filter(|_| path.is_absolute()).ok_or(NotOpened::Refused)?;
        let real = fs::canonicalize(path)?;
        if !self.any {
            let home = muxcl_config::home_dir();
            let folders =
                self.folders.get_or_init(|| folders(options, self.directory.as_deref(), home));
            if !may_read(folders, path, &real) {
                return Err(NotOpened::Refused);
            }
        }
        // The open of a device may have an effect, and no source is one.
        if !fs::metadata(&real)?.is_file() {
            return Err(NotOpened::Error(EINVAL));
        }
        muxcl_os::open_regular(&real).map_err(NotOpened::from)
    }
}

/// True if a file may be read by its path, or by `real`, its path without links.
fn may_read(folders: &[Folder], path: &Path, real: &Path) -> bool {
    let inside = |path: &Path| {
        folders.iter().any(|folder| {
            path.strip_prefix(&folder.path).is_ok_and(|below| folder.hidden || !is_hidden(below))
        })
    };
    if is_source(real) || inside(real) {
        return true;
    }
    // Without `..`, so that the links to follow are those of the folder.
    let plain = normal(path);
    inside(&plain) && fs::canonicalize(&plain).is_ok_and(|target| target == real)
}

/// True if the file's name ends like that of a source in C, C++, OpenCL C or CUDA.
fn is_source(file: &Path) -> bool {
    const ENDINGS: [&str; 17] = [
        "h", "hh", "hpp", "hxx", "inl", "ipp", "tpp", "cl", "clh", "clc", "ocl", "c", "cc", "cpp",
        "cxx", "cu", "cuh",
    ];
    let ending = file.extension().unwrap_or_default();
    ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
}

/// The folders of a request, each by its path and by its path without links.
fn folders(options: &str, directory: Option<&Path>, home: Option<PathBuf>) -> Vec<Folder> {
    let home = home.map(|home| fs::canonicalize(&home).unwrap_or(home));
    let named: Vec<PathBuf> =
        include_folders(options)
            .into_iter()
            .map(PathBuf::from)
            .filter_map(|folder| {
                if folder.is_absolute() { Some(folder) } else { Some(directory?.join(folder)) }
            })
            .collect();
    let mut found = Vec::new();
    let mut add = |path: PathBuf, hidden| {
        let folder = Folder { path, hidden };
        if !found.contains(&folder) {
            found.push(folder);
        }
    };
    for folder in named.iter().map(PathBuf::as_path).chain(directory) {
        let is_named = named.iter().any(|path| path == folder);
        let paths = [Some(normal(folder)), fs::canonicalize(folder).ok()];
        for path in paths.into_iter().flatten() {
            for above in path.ancestors().skip(1).take(LEVELS) {
                if is_shared(above, home.as_deref()) {
                    break;
                }
                add(above.to_path_buf(), false);
            }
            // Services run in the root folder.
            if is_named || path.parent().is_some() {
                add(path, is_named);
            }
        }
    }
    found
}

/// True for a folder with things that have nothing to do with each other: the root folder and those
/// in it, homes, folders that anyone may write to, and hidden folders (`~/.cache`). In a hidden
/// folder, each program usually has a folder of its own; not so in [`NESTED`].
fn is_shared(folder: &Path, home: Option<&Path>) -> bool {
    const ANYONE: u32 = 0o002;
    let Some(above) = folder.parent() else { return true };
    above.parent().is_none()
        || above == Path::new("/home")
        || home.is_some_and(|home| home.starts_with(folder))
        || is_hidden_name(folder.file_name())
        || NESTED.iter().any(|name| above.ends_with(name))
        || fs::metadata(folder).map_or(true, |meta| meta.mode() & ANYONE != 0)
}

/// Hidden folders with folders that belong to all programs: `~/.local/share`, `~/.var/app`.
const NESTED: [&str; 2] = [".local", ".var"];

/// True if a part of the path is hidden.
fn is_hidden(path: &Path) -> bool {
    path.iter().any(|name| is_hidden_name(Some(name)))
}

/// True for a name that begins with a dot, as those of hidden files and folders do.
fn is_hidden_name(name: Option<&OsStr>) -> bool {
    name.is_some_and(|name| name.as_bytes().starts_with(b".") && name != "..")
}

/// The path without `.` and `..`, as if no folder in it were a link.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_becomes_normal() {
        for (path, expected) in
            [("/a/./b/../c", "/a/c"), ("/../a//b/", "/a/b"), ("/a/../..", "/"), ("/", "/")]
        {
            assert_eq!(normal(Path::new(path)), Path::new(expected), "{path}");
        }
    }

    #[test]
    fn folders_above_are_read_unless_they_are_shared() {
        let top = tempfile::Builder::new().prefix("files").tempdir().unwrap();
        let top = fs::canonicalize(top.path()).unwrap();
        let at = |path: &str| top.join(path);
        fs::create_dir_all(at("home/project/a/b/c")).unwrap();
        fs::create_dir_all(at("home/.local/share/app/cl")).unwrap();
        fs::create_dir_all(at("home/.cache/app/cl")).unwrap();
        let home = Some(at("home"));
        let found = |options: &str, directory: &str| {
            let directory = at(directory);
            folders(options, Some(&directory), home.clone())
        };
        let visible = |path: &str| Folder { path: at(path), hidden: false };
        let whole = |path: &str| Folder { path: at(path), hidden: true };
        let project = "home/project";
        assert_eq!(found("", project), [visible(project)]);
        assert_eq!(found("", "home"), [visible("home")]);
        assert_eq!(
            found("", "home/project/a/b/c"),
            [visible("home/project/a/b"), visible("home/project/a"), visible("home/project/a/b/c")]
        );
        for app in ["home/.cache/app", "home/.local/share/app"] {
            assert_eq!(found("", app), [visible(app)]);
            let cl = format!("{app}/cl");
            assert_eq!(found("", &cl), [visible(app), visible(&cl)]);
        }
        assert_eq!(
            found("-I ../.local/share/app", project),
            [whole("home/.local/share/app"), visible(project)]
        );
        assert_eq!(
            found("-D -I/etc -I a/b", project),
            [visible("home/project/a"), visible(project), whole("home/project/a/b"),]
        );
        assert_eq!(folders("", Some(Path::new("/")), home.clone()), []);
        assert_eq!(folders("-I x", None, home.clone()), []);
        for (shared, folder) in [(true, "/home/user"), (true, "/usr"), (true, "/var/tmp")] {
            assert_eq!(is_shared(Path::new(folder), None), shared, "{folder}");
        }
    }

    #[test]
    fn links_hidden_files_and_devices() {
        let top = tempfile::Builder::new().prefix("files").tempdir().unwrap();
        let top = fs::canonicalize(top.path()).unwrap();
        let at = |path: &str| top.join(path);
        let link = |to: &str, from: &str| std::os::unix::fs::symlink(at(to), at(from)).unwrap();
        for folder in ["home/project/sub/.git", "home/other/deep", "home/.ssh"] {
            fs::create_dir_all(at(folder)).unwrap();
        }
        let files = ["home/project/a", "home/other/b", "home/.ssh/key", "home/secret"];
        fs::write(at("home/other/source.CL"), "").unwrap();
        for file in files.iter().chain(&["home/project/sub/.git/config", "home/other/deep/c"]) {
            fs::write(at(file), "").unwrap();
        }
        link("home/other/b", "home/project/linked");
        link("home/other/deep", "home/project/deep");
        link("home/project", "home/alias");
        let may = |options: &str, directory: &str, path: &str| {
            let folders = folders(options, Some(&at(directory)), Some(at("home")));
            let path = at(path);
            may_read(&folders, &path, &fs::canonicalize(&path).unwrap())
        };
        for (expected, directory, path) in [
            (true, "home/project", "home/project/a"),
            (true, "home/project", "home/project/sub/../a"),
            (true, "home/project/sub", "home/project/sub/../a"),
            (true, "home/alias", "home/alias/a"),
            (true, "home/alias", "home/project/a"),
            (false, "home/project", "home/project/../other/b"),
            (false, "home/project", "home/secret"),
            (true, "home/project", "home/project/linked"),
            (true, "home/project", "home/project/deep/c"),
            // The folder above the link's target, which only `..` reaches.
            (false, "home/project", "home/project/deep/../b"),
            (false, "home/project", "home/project/sub/.git/config"),
            (false, "home", "home/.ssh/key"),
            (true, "home/project", "home/other/source.CL"),
            (true, "home", "home/secret"),
        ] {
            assert_eq!(may("", directory, path), expected, "{directory} {path}");
        }
        assert!(may("-I../other", "home/project", "home/other/deep/c"));
        assert!(may("-I sub/.git", "home/project", "home/project/sub/.git/config"));

        let source = Source::of_c("");
        let device = muxcl_mux_null::NullDevice::create();
        let device = crate::core::device::Device::new(device).unwrap().desc().clone();
        let request = |options: &str| Request::Build {
            device: device.clone(),
            source: source.clone(),
            options: options.to_owned(),
        };
        let open = |request: &Request<'_>, path: &Path| {
            Files::of(request, Some(&at("home/project"))).open(path.as_os_str().as_bytes())
        };
        let all = request("-I /dev -I .");
        assert!(open(&all, &at("home/project/a")).is_ok());
        assert!(matches!(open(&all, Path::new("/etc/passwd")), Err(NotOpened::Refused)));
        assert!(matches!(open(&all, Path::new("a")), Err(NotOpened::Refused)));
        assert!(matches!(open(&all, Path::new("/dev/zero")), Err(NotOpened::Error(_))));
        assert!(matches!(open(&all, &at("home/none.h")), Err(NotOpened::Error(2))));
        assert!(matches!(open(&Request::About, &at("home/project/a")), Err(NotOpened::Refused)));
    }
}
