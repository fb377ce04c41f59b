//! Dynamic libraries. Invariant: a loaded library stays mapped for the life of the process, so its
//! symbols never dangle. Not here: the search for a library; callers pass full paths.

use crate::OsError;
use std::ffi::{CStr, CString, OsStr, c_void};
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};

/// A library opened with `dlopen` and never closed: its code may be on any thread's stack, and C++
/// libraries with thread-local destructors cannot be unloaded safely.
#[derive(Debug)]
pub struct Library {
    inner: ManuallyDrop<libloading::Library>,
    path: PathBuf,
}

impl Library {
    /// Opens the library at `path`. Binds all symbols now and makes none global.
    ///
    /// # Errors
    /// The dynamic linker's message if the file is missing or cannot be loaded.
    ///
    /// # Safety
    /// Opening runs the library's constructors: the caller guarantees that they are harmless.
    pub unsafe fn open(path: &Path) -> Result<Self, OsError> {
        let flags = libloading::os::unix::RTLD_NOW | libloading::os::unix::RTLD_LOCAL;
        // SAFETY: the caller's promise about the library's constructors.
        let inner = unsafe { libloading::os::unix::Library::open(Some(path), flags) };
        match inner {
            Ok(inner) => Ok(Self { inner: ManuallyDrop::new(inner.into()), path: path.to_owned() }),
            Err(error) => Err(OsError::new("dlopen", error_text(&error))),
        }
    }

    /// The path that was opened.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The address of `name`; `None` if the library has no such symbol. The address stays valid for
    /// ever.
    #[must_use]
    pub fn symbol(&self, name: &CStr) -> Option<*const c_void> {
        // SAFETY: only the address is taken; it is read as a plain pointer, never dereferenced
        // here.
        let symbol = unsafe { self.inner.get::<*const c_void>(name.to_bytes_with_nul()) };
        symbol.ok().map(|s| (*s).cast()).filter(|p: &*const c_void| !p.is_null())
    }
}

/// A shared object loaded from memory and unloaded on drop. Its code must have no constructors and
/// start no threads.
#[derive(Debug)]
pub struct MemoryLibrary {
    inner: ManuallyDrop<libloading::os::unix::Library>,
    // Open as long as the library is loaded, because the dynamic linker identifies the library by a
    // path below /proc that names this descriptor.
    _file: std::fs::File,
}

impl MemoryLibrary {
    /// Loads `bytes`, a shared object for this processor. Binds all symbols now and makes none
    /// global.
    ///
    /// # Errors
    /// If the header is not that of a shared object for this processor, the system has no memory,
    /// or the dynamic linker refuses the bytes.
    ///
    /// # Safety
    /// The dynamic linker trusts the bytes. The caller guarantees that they are harmless, and uses
    /// no symbol of the library after its drop.
    pub unsafe fn load(name: &CStr, bytes: &[u8]) -> Result<Self, OsError> {
        use std::io::Write as _;
        use std::os::fd::{AsRawFd as _, FromRawFd as _};
        if !is_shared_object(bytes) {
            return Err(OsError::new("dlopen", "not a shared object for this processor"));
        }
        // SAFETY: the name ends with 0.
        let descriptor = unsafe { libc::memfd_create(name.as_ptr(), libc::MFD_CLOEXEC) };
        if descriptor < 0 {
            return Err(OsError::last("memfd_create"));
        }
        // SAFETY: a new descriptor that no other code owns.
        let mut file = unsafe { std::fs::File::from_raw_fd(descriptor) };
        file.write_all(bytes).map_err(|e| OsError::new("write", e.to_string()))?;
        let path = format!("/proc/self/fd/{}", file.as_raw_fd());
        let flags = libloading::os::unix::RTLD_NOW | libloading::os::unix::RTLD_LOCAL;
        // SAFETY: the caller's promise about the bytes.
        let inner = unsafe { libloading::os::unix::Library::open(Some(path), flags) };
        let inner = inner.map_err(|e| OsError::new("dlopen", error_text(&e)))?;
        Ok(Self { inner: ManuallyDrop::new(inner), _file: file })
    }

    /// The address of `name`; valid as long as the library.
    #[must_use]
    pub fn symbol(&self, name: &CStr) -> Option<*const c_void> {
        // SAFETY: only the address is taken.
        let symbol = unsafe { self.inner.get::<*const c_void>(name.to_bytes_with_nul()) };
        symbol.ok().map(|s| (*s).cast()).filter(|p: &*const c_void| !p.is_null())
    }
}

impl Drop for MemoryLibrary {
    fn drop(&mut self) {
        // SAFETY: the library is taken only once, here; the descriptor is closed after it.
        let library = unsafe { ManuallyDrop::take(&mut self.inner) };
        // A failure to unload leaves the library mapped, which is harmless.
        let _ = library.close();
    }
}

/// True if the ELF header is that of a shared object for this processor. The dynamic linker does
/// not check the header fully.
fn is_shared_object(bytes: &[u8]) -> bool {
    const DYN: u16 = 3;
    let machine: u16 = match std::env::consts::ARCH {
        "x86_64" => 62,
        "aarch64" => 183,
        "riscv64" => 243,
        _ => return false,
    };
    let half = |at: usize| bytes.get(at..at + 2).map(|b| u16::from_le_bytes([b[0], b[1]]));
    bytes.starts_with(b"\x7fELF\x02\x01") && half(16) == Some(DYN) && half(18) == Some(machine)
}

/// The text of an error and of its causes. libloading reports the cause only as the source error.
fn error_text(error: &libloading::Error) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    text
}

/// The file of the library or program that contains `address`, with symbolic links resolved.
#[must_use]
pub fn library_of(address: usize) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    let mut info = libc::Dl_info {
        dli_fname: std::ptr::null(),
        dli_fbase: std::ptr::null_mut(),
        dli_sname: std::ptr::null(),
        dli_saddr: std::ptr::null_mut(),
    };
    // SAFETY: `info` is writable; every address is allowed.
    let found = unsafe { libc::dladdr(std::ptr::without_provenance(address), &raw mut info) };
    if found == 0 || info.dli_fname.is_null() {
        return None;
    }
    // SAFETY: dladdr succeeded, so dli_fname is a NUL-terminated string owned by the dynamic
    // linker.
    let name: CString = unsafe { CStr::from_ptr(info.dli_fname) }.to_owned();
    let path = PathBuf::from(OsStr::from_bytes(name.as_bytes()));
    if path.is_absolute() {
        return Some(path.canonicalize().unwrap_or(path));
    }
    // The main program's name may be relative to the folder in which it was started.
    std::fs::canonicalize("/proc/self/exe").ok().or(Some(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opens_finds_and_refuses() {
        // SAFETY: the C mathematics library has no constructors of interest.
        let lib = unsafe { Library::open(Path::new("libm.so.6")) }.unwrap();
        assert!(lib.symbol(c"cosf").is_some());
        assert!(lib.symbol(c"no_such_symbol_here").is_none());
        // SAFETY: there is no such file.
        let error = unsafe { Library::open(Path::new("/nonexistent/lib.so")) }.unwrap_err();
        assert!(error.to_string().contains("/nonexistent/lib.so"), "{error}");
    }

    #[test]
    fn loads_from_memory_and_forgets() {
        let load = |bytes: &[u8]| {
            // SAFETY: a library of the system, and bytes that are refused.
            unsafe { MemoryLibrary::load(c"test", bytes) }
        };
        assert!(load(b"").is_err() && load(b"\x7fELF\x02\x01").is_err() && load(&[0; 64]).is_err());
        let path =
            library_of(libc::getpid as unsafe extern "C" fn() -> libc::pid_t as usize).unwrap();
        let path = path.with_file_name("libm.so.6");
        let Ok(bytes) = std::fs::read(path) else { return };
        for _ in 0..3 {
            let library = load(&bytes).unwrap();
            assert!(
                library.symbol(c"cosf").is_some()
                    && library.symbol(c"no_such_symbol_here").is_none()
            );
        }
        // Another machine's file.
        let mut other = bytes;
        other[18] ^= 1;
        assert!(load(&other).is_err());
    }

    #[test]
    fn knows_the_library_of_an_address() {
        let here = library_of(library_of as fn(usize) -> Option<PathBuf> as usize).unwrap();
        assert_eq!(here, std::env::current_exe().unwrap().canonicalize().unwrap());
        let libc_path = library_of(libc::getpid as unsafe extern "C" fn() -> libc::pid_t as usize);
        assert!(libc_path.is_some());
        assert_eq!(library_of(16), None);
    }
}
