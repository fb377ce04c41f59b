//! `clik.toml`: the settings that clik needs to build kernels for a HAL. Every key is optional. A
//! RISC-V HAL with a complete device description and the plain kernel entry needs no file.
//! Invariant: an unknown key is an error.

use anyhow::{Context as _, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The contents of `clik.toml`.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Description {
    /// The C compiler; default: LLVM 22's clang.
    pub(crate) compiler: Option<String>,
    /// Target triple, or `native`; default: RISC-V as the device describes it.
    pub(crate) target: Option<String>,
    /// Additional compiler options.
    pub(crate) cflags: Vec<String>,
    /// Additional linker options.
    pub(crate) ldflags: Vec<String>,
    /// Replaces the device's linker script.
    pub(crate) linker_script: Option<PathBuf>,
    /// A header with the HAL's part of the device side (see `device/clik_rt.c`).
    pub(crate) header: Option<PathBuf>,
    /// A folder with `device_NAME_entry.c` files that replace clik's. Examples without such a file
    /// are unsupported.
    pub(crate) entries: Option<PathBuf>,
    /// Folders for `#include`, searched before clik's: a `kernel_if.h` there replaces clik's.
    pub(crate) include: Vec<PathBuf>,
    /// Unsupported examples, with the reason.
    pub(crate) unsupported: BTreeMap<String, String>,
    /// The modes of the device; by default one without a name.
    pub(crate) modes: BTreeMap<String, Mode>,
}

/// A mode of the device. Its settings extend the description's.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Mode {
    /// Environment variables for the HAL.
    pub(crate) env: BTreeMap<String, String>,
    /// Additional compiler options.
    pub(crate) cflags: Vec<String>,
    /// Replaces the description's value.
    pub(crate) header: Option<PathBuf>,
    /// Examples unsupported in this mode, with the reason.
    pub(crate) unsupported: BTreeMap<String, String>,
}

impl Description {
    /// Programs are native shared objects.
    pub(crate) fn native() -> Self {
        Self {
            target: Some("native".to_owned()),
            cflags: vec!["-fPIC".to_owned()],
            ldflags: vec!["-shared".to_owned()],
            ..Self::default()
        }
    }

    /// Reads a file. Paths in it are relative to the file.
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

    /// Finds the file of the HAL called `name` in the folder of its library. For a library of this
    /// installation or build tree, also searches the installed files and the source tree. A library
    /// elsewhere may be a different HAL with the same file name.
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

    /// Merges a mode's settings into the description.
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
