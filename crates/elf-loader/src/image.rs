//! Loaded objects: an image in memory with its protections, its symbols, and its registration with
//! debuggers and profilers.
//!
//! Invariant: the image is writable and not executable until it is linked. Then code is
//! read-execute, constants are read-only, variables are read-write. Not here: the content of the
//! image; see `link`.

use crate::layout::Layout;
use crate::link::{Defined, link};
use crate::object::{Machine, Object};
use crate::perf::{self, PerfMode};
use crate::{LoadError, gdb, lines};
use muxcl_os::{Mapping, Protection, page_size};
use std::collections::BTreeMap;
use std::ops::Range;

/// How an object is announced to debuggers and profilers.
#[derive(Debug, Clone, Copy)]
pub struct LoadOptions {
    /// Registers the object with gdb's JIT interface.
    pub debugger: bool,
    /// Reports the object's functions to Linux `perf`.
    pub perf: PerfMode,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self { debugger: true, perf: PerfMode::Off }
    }
}

/// An object in memory, ready to run. Dropping it unmaps the memory, so no code of it may run then.
///
/// # Examples
/// ```
/// use muxcl_elf_loader::{LoadError, LoadOptions, LoadedObject};
///
/// // A resolver gives the addresses of the symbols that objects import.
/// let resolve = |name: &str| (name == "answer").then_some(0x1000);
/// let loaded = LoadedObject::load(b"not an object", &resolve, LoadOptions::default());
/// assert!(matches!(loaded, Err(LoadError::NotAnObject(_))));
/// ```
#[derive(Debug)]
pub struct LoadedObject {
    symbols: BTreeMap<String, Defined>,
    _debugger: Option<gdb::Registration>,
    code: Range<usize>,
    writable: Range<usize>,
    map: Mapping,
}

impl LoadedObject {
    /// Loads the object `bytes`. `resolve` gives the addresses of symbols that the object imports.
    ///
    /// # Errors
    /// One of [`LoadError`]: the object is damaged, of another machine or unsupported, a symbol is
    /// undefined, or the operating system refuses memory.
    pub fn load(
        bytes: &[u8],
        resolve: &dyn Fn(&str) -> Option<u64>,
        options: LoadOptions,
    ) -> Result<Self, LoadError> {
        let object = Object::parse(bytes)?;
        if object.machine != Machine::HOST {
            let (found, wanted) = (object.machine.elf_number(), Machine::HOST.elf_number());
            return Err(LoadError::WrongMachine { found, wanted });
        }
        let page = page_size();
        let layout = Layout::new(&object, page as u64)?;
        let too_large = |_| LoadError::Unsupported("an image larger than memory".into());
        let size = usize::try_from(layout.size()).map_err(too_large)?.max(page);
        let align = usize::try_from(layout.align).map_err(too_large)?;
        let map = Mapping::new(size + (align - page), Protection::ReadWrite)?;
        let start = map.as_ptr().addr().next_multiple_of(align) - map.as_ptr().addr();
        // SAFETY: `start` is at most `align - page`, so the image lies in the mapping.
        let base = unsafe { map.as_ptr().add(start) };
        // SAFETY: the mapping is writable, `size` bytes from `base` are in it, and no
        // other reference to them exists yet.
        let image = unsafe { std::slice::from_raw_parts_mut(base, size) };
        let address = base.addr() as u64;
        let symbols = link(&object, &layout, address, image, resolve)?;

        let range = |r: &Range<u64>| -> Result<Range<usize>, LoadError> {
            let at = |offset: u64| usize::try_from(offset).map(|o| o + start).map_err(too_large);
            Ok(at(r.start)?..at(r.end)?)
        };
        let code = range(&layout.code)?;
        map.protect(code.clone(), Protection::ReadExecute)?;
        map.protect(range(&layout.read_only)?, Protection::Read)?;
        let at = |r: &Range<usize>| map.as_ptr().addr() + r.start..map.as_ptr().addr() + r.end;
        let (code, writable) = (at(&code), at(&range(&layout.writable)?));
        flush_instructions(&code);

        perf::report(options.perf, &symbols, &code, || lines::rows(&object, &layout, address));
        let debugger =
            options.debugger.then(|| gdb::Registration::new(bytes, &object, &layout, address));
        Ok(Self { symbols, _debugger: debugger, code, writable, map })
    }

    /// The address of a global symbol that the object defines.
    #[must_use]
    pub fn symbol(&self, name: &str) -> Option<u64> {
        self.symbols.get(name).map(|s| s.address)
    }

    /// Address and size in bytes of a global symbol that the object defines.
    #[must_use]
    pub fn symbol_extent(&self, name: &str) -> Option<(u64, u64)> {
        self.symbols.get(name).map(|s| (s.address, s.size))
    }

    /// The names of the global symbols that the object defines, sorted.
    pub fn symbol_names(&self) -> impl Iterator<Item = &str> {
        self.symbols.keys().map(String::as_str)
    }

    /// True if `address` lies in the object's code.
    #[must_use]
    pub fn is_code(&self, address: u64) -> bool {
        usize::try_from(address).is_ok_and(|a| self.code.contains(&a))
    }

    /// True if `address` lies in the object's variables.
    #[must_use]
    pub fn is_writable(&self, address: u64) -> bool {
        usize::try_from(address).is_ok_and(|a| self.writable.contains(&a))
    }

    /// Size of the object's mapping in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.map.len()
    }
}

/// x86 keeps instruction caches coherent with stores.
#[cfg(not(target_arch = "aarch64"))]
fn flush_instructions(_code: &Range<usize>) {}

#[cfg(target_arch = "aarch64")]
fn flush_instructions(code: &Range<usize>) {
    // 16 bytes is the smallest cache line that the architecture allows.
    for line in code.clone().step_by(16) {
        // SAFETY: cleans and invalidates cache lines of a mapping this process owns; no data
        // changes.
        unsafe {
            std::arch::asm!(
                "dc cvau, {0}", "dsb ish", "ic ivau, {0}",
                in(reg) line, options(nostack)
            )
        };
    }
    // SAFETY: barriers only.
    unsafe { std::arch::asm!("dsb ish", "isb", options(nostack)) };
}
