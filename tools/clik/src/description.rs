//! `clik.toml`: what clik must know to build kernels for a HAL. Every key may be left out; a RISC-V
//! HAL that says in its device description what it is, and whose kernels have the plain entry,
//! needs no file at all. Invariant: an unknown key is an error.

use anyhow::{Context as _, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The file.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Description {
    /// The C compiler; default LLVM 22's clang.
    pub(crate) compiler: Option<String>,
    /// Target triple, or `native`; default RISC-V as the device says.
    pub(crate) target: Option<String>,
    /// More options for the compiler.
    pub(crate) cflags: Vec<String>,
    /// More options for linking.
    pub(crate) ldflags: Vec<String>,
    /// Instead of the device's own linker script.
    pub(crate) linker_script: Option<PathBuf>,
    /// A header with the HAL's part of the device side (see `device/clik_rt.c`).
    pub(crate) header: Option<PathBuf>,
    /// A folder with `device_NAME_entry.c` files instead of clik's; an example without one is not
    /// supported.
    pub(crate) entries: Option<PathBuf>,
    /// Folders for `#include`, before clik's: a `kernel_if.h` there replaces clik's.
    pub(crate) include: Vec<PathBuf>,
    /// Examples this HAL does not support, and why.
    pub(crate) unsupported: BTreeMap<String, String>,
    /// Ways to run the device; without any there is one, without a name.
    pub(crate) modes: BTreeMap<String, Mode>,
}

/// One way to run the device; what it says is added to the rest.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Mode {
    /// Environment variables for the HAL.
    pub(crate) env: BTreeMap<String, String>,
    /// More options for the compiler.
    pub(crate) cflags: Vec<String>,
    /// Instead of the description's.
    pub(crate) header: Option<PathBuf>,
    /// Examples not supported in this mode, and why.
    pub(crate) unsupported: BTreeMap<String, String>,
}

impl Description {
    /// Shared objects of this machine.
    pub(crate) fn native() -> Self {
        Self {
            target: Some("native".to_owned()),
            cflags: vec!["-fPIC".to_owned()],
            ldflags: vec!["-shared".to_owned()],
            ..Self::default()
        }
    }

    /// Reads a file; paths in it are relative to it.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let mut read: Self = toml::from_str(&text).with_context(|| path.display().to_string())?;
        let folder = path.parent().unwrap_or(Path::new(".")).to_owned();
        let headers = read.modes.values_mut().map(|m| &mut m.header);
        for place in
            headers.chain([&mut read.linker_script, &mut read.header, &mut read.entries]).flatten()
        {
            *place = std::path::absolute(folder.join(&place))?;
        }
        for place in &mut read.include {
            *place = std::path::absolute(folder.join(&place))?;
        }
        Ok(read)
    }

    /// The file of the HAL called `name`: beside its library, and for a library of our own
    /// installation or build tree also installed, or in the source tree. A library elsewhere may
    /// have the same file name as one of ours and be another HAL.
    pub(crate) fn find(name: &str, library: Option<&Path>) -> Option<PathBuf> {
        let beside = library.map(|l| l.with_extension("clik.toml"));
        if let Some(found) = beside.filter(|path| path.is_file()) {
            return Some(found);
        }
        let exe = std::env::current_exe().ok()?.canonicalize().ok()?;
        let (bin, folder) = (exe.parent()?, library?.canonicalize().ok()?.parent()?.to_owned());
        let ours = [bin.to_owned(), bin.join("deps"), bin.join("../lib")];
        if !ours.iter().filter_map(|path| path.canonicalize().ok()).any(|path| path == folder) {
            return None;
        }
        let installed = bin.join("../share/muxcl/clik").join(name).join("clik.toml");
        let source = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(format!("../../crates/hal-{name}/clik.toml"));
        [installed, source].into_iter().find(|path| path.is_file())
    }

    /// With a mode's part put in.
    pub(crate) fn in_mode(mut self, name: Option<&str>) -> Result<Self> {
        let Some(name) = name else { return Ok(self) };
        let known = || self.modes.keys().cloned().collect::<Vec<_>>().join(", ");
        let mode = self
            .modes
            .get(name)
            .cloned()
            .with_context(|| format!("no mode `{name}`; there are: {}", known()))?;
        self.cflags.extend(mode.cflags);
        self.unsupported.extend(mode.unsupported);
        self.header = mode.header.or(self.header);
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_add_to_the_rest() {
        let text = "cflags = ['-a']\n[unsupported]\nblur = 'x'\n[modes.m]\ncflags = ['-b']\nheader = 'h.h'\n[modes.m.unsupported]\nhello = 'y'\n";
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path();
        let path = folder.join("clik.toml");
        std::fs::write(&path, text).unwrap();
        let read = Description::read(&path).unwrap();
        std::fs::write(&path, "cflag = 1\n").unwrap();
        assert!(Description::read(&path).is_err(), "a typing error is found");
        assert!(read.clone().in_mode(Some("n")).is_err());
        let m = read.in_mode(Some("m")).unwrap();
        assert_eq!(
            (m.cflags.len(), m.unsupported.len(), m.header),
            (2, 2, Some(folder.join("h.h")))
        );
    }
}
