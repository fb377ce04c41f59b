//! The programs that a client can read: the list of libraries, from which gdb learns the name and
//! the address of each ELF file, and the files themselves (`vFile`). Invariant: a client reads no
//! file of the host.

use muxcl_hal::elf::RiscvElf;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

/// A program of the device.
pub(super) struct Listed {
    /// The address of its first segment.
    pub(super) address: u64,
    pub(super) file: Arc<[u8]>,
    /// The kernels found so far, by address.
    pub(super) kernels: BTreeMap<u64, String>,
}

/// The files of a device.
pub(super) struct Programs {
    /// The ELF file of the ROM's loader. gdb is told that it is the program that runs, and that the
    /// kernels' programs are its shared libraries.
    loader: Arc<[u8]>,
    /// The loaded programs by number.
    pub(super) loaded: BTreeMap<u64, Listed>,
}

/// The name of the loader's file.
pub(super) const LOADER: &str = "/refsi/loader.elf";
/// The folder of the programs' names.
const FOLDER: &str = "/refsi/";

/// The name that gdb opens.
pub(super) fn name(number: u64) -> String {
    format!("{FOLDER}program-{number}.elf")
}

impl Programs {
    pub(super) fn new(loader: Vec<u8>) -> Self {
        Self { loader: loader.into(), loaded: BTreeMap::new() }
    }

    /// Adds a loaded program.
    pub(super) fn add(&mut self, number: u64, file: &[u8], bias: u64) {
        let first = RiscvElf::parse(file).ok().and_then(|e| e.segments.first().map(|s| s.address));
        let address = first.unwrap_or(0).wrapping_add(bias);
        self.loaded.insert(number, Listed { address, file: file.into(), kernels: BTreeMap::new() });
    }

    /// Removes a program.
    pub(super) fn remove(&mut self, number: u64) {
        self.loaded.remove(&number);
    }

    /// Adds a kernel of a program.
    pub(super) fn add_kernel(&mut self, number: u64, name: &str, address: u64) {
        if let Some(program) = self.loaded.get_mut(&number) {
            program.kernels.insert(address, name.to_owned());
        }
    }

    /// The file with a name.
    pub(super) fn open(&self, path: &[u8]) -> Option<Arc<[u8]>> {
        let path = std::str::from_utf8(path).ok()?;
        if path == LOADER {
            return Some(self.loader.clone());
        }
        let number = path.strip_prefix(FOLDER)?;
        let number = number.strip_prefix("program-")?.strip_suffix(".elf")?.parse().ok()?;
        self.loaded.get(&number).map(|p| p.file.clone())
    }

    /// The list for gdb.
    pub(super) fn libraries(&self) -> String {
        let mut xml = "<library-list>".to_owned();
        for (number, program) in &self.loaded {
            // Writing into a String cannot fail.
            let _ = write!(
                xml,
                "<library name=\"{}\"><segment address=\"{:#x}\"/></library>",
                name(*number),
                program.address
            );
        }
        xml + "</library-list>"
    }
}
