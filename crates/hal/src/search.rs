//! Finds HAL libraries. `CA_HAL_DEVICE` lists them by absolute path or by name. Without that
//! variable all libraries in the folder `hal.d` beside the driver's library are loaded, so that
//! each installed package can add one. Without that folder, the build's default device is loaded.
//! If `CA_HAL_LOCK_DEVICE_NAME` was set at build time, only the default device is. A name is
//! searched in the folder of the driver's library, then in `hal.d`, then by the dynamic linker.
//!
//! Invariant: a library that the user names and that cannot be loaded is an error. No other library
//! is loaded in its place.

use crate::{Hal, HalError, load_library};
use std::path::{Path, PathBuf};

/// The folder of installed libraries, in the folder of the driver's library.
const INSTALLED: &str = "hal.d";

/// Inputs of the search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Options {
    /// A name or an absolute path; of [`Options::from_environment`], the whole `CA_HAL_DEVICE`.
    pub device: Option<String>,
    /// Value of `CA_HAL_DEFAULT_DEVICE` in the build.
    pub default_device: Option<String>,
    /// Value of `CA_HAL_LOCK_DEVICE_NAME` in the build.
    pub locked: bool,
    /// Folder of the driver's library.
    pub folder: Option<PathBuf>,
    /// A library of `hal.d`; set by [`Options::each`].
    pub installed: Option<PathBuf>,
}

impl Options {
    /// The device that the user names, unless the build ignores the variable.
    #[must_use]
    pub fn named(&self) -> Option<&str> {
        self.device.as_deref().filter(|d| !self.locked && !d.is_empty())
    }

    /// These options for each library that `CA_HAL_DEVICE` lists, in its order and each once.
    /// Commas separate the items. The name of an existing file may contain commas if it is the
    /// whole value. If the user names none: for each library of `hal.d`, in the order of their
    /// names; just `self` if there is no such folder.
    #[must_use]
    pub fn each(&self) -> Vec<Self> {
        let Some(list) = self.named() else {
            let Some(libraries) = self.installed() else { return vec![self.clone()] };
            let of = |path| Self { installed: Some(path), ..self.clone() };
            return libraries.into_iter().map(of).collect();
        };
        let mut items: Vec<&str> = Vec::new();
        if Path::new(list).is_absolute() && Path::new(list).is_file() {
            items.push(list);
        } else {
            for item in list.split(',').map(str::trim).filter(|item| !item.is_empty()) {
                if !items.contains(&item) {
                    items.push(item);
                }
            }
        }
        let of = |item: &str| Self { device: Some(item.to_owned()), ..self.clone() };
        items.into_iter().map(of).collect()
    }

    /// The libraries in `hal.d`, sorted; `None` if there is no such folder or the HAL is fixed.
    fn installed(&self) -> Option<Vec<PathBuf>> {
        let folder = self.folder.as_deref().filter(|_| !self.locked)?.join(INSTALLED);
        let entries = std::fs::read_dir(folder).ok()?;
        let is_hal = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| name.starts_with("libhal_") && name.ends_with(".so"))
        };
        let mut libraries: Vec<PathBuf> =
            entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_hal).collect();
        libraries.sort();
        Some(libraries)
    }

    /// Reads the environment, the build's values and the folder of the library or program that
    /// holds this code.
    #[must_use]
    pub fn from_environment() -> Self {
        let here = muxcl_os::library_of((Self::from_environment as fn() -> Self) as usize);
        Self {
            device: muxcl_config::CA_HAL_DEVICE.get(),
            default_device: Some(
                option_env!("CA_HAL_DEFAULT_DEVICE").unwrap_or("refsi").to_owned(),
            )
            .filter(|d| !d.is_empty()),
            locked: option_env!("CA_HAL_LOCK_DEVICE_NAME").is_some_and(truth),
            folder: here.and_then(|p| p.parent().map(Path::to_owned)),
            installed: None,
        }
    }
}

/// Interprets a build value as CMake does.
fn truth(value: &str) -> bool {
    matches!(value.to_ascii_uppercase().as_str(), "1" | "ON" | "YES" | "TRUE" | "Y")
}

/// One step of the search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Reason for this step.
    pub origin: &'static str,
    /// Path, or a bare file name for the dynamic linker.
    pub path: PathBuf,
}

/// Lists the files to try, in order.
#[must_use]
pub fn steps(options: &Options) -> Vec<Step> {
    let mut steps = Vec::new();
    let named = |steps: &mut Vec<Step>, origin, device: &str| {
        let file = format!("libhal_{device}.so");
        // The folder of the driver's library takes precedence over the dynamic linker's folders.
        if let Some(folder) = &options.folder {
            steps.push(Step { origin, path: folder.join(&file) });
            steps.push(Step { origin, path: folder.join(INSTALLED).join(&file) });
        }
        steps.push(Step { origin, path: PathBuf::from(file) });
    };
    if let Some(library) = &options.installed {
        return vec![Step { origin: "installed in hal.d", path: library.clone() }];
    }
    match (options.named(), &options.default_device) {
        (Some(device), _) if Path::new(device).is_absolute() => {
            steps.push(Step { origin: "CA_HAL_DEVICE is a path", path: PathBuf::from(device) });
        }
        (Some(device), _) => named(&mut steps, "CA_HAL_DEVICE is a name", device),
        (None, Some(device)) => named(&mut steps, "CA_HAL_DEFAULT_DEVICE", device),
        (None, None) => {}
    }
    steps
}

/// Loads the HAL library that `options` name: the first of [`steps`] that can be loaded. For a list
/// of libraries, call it for [`Options::each`].
///
/// # Errors
/// If none can be loaded. The text lists every step with its reason.
///
/// # Safety
/// The code of the libraries that the options name runs while they load; the caller guarantees that
/// they are HAL libraries.
pub unsafe fn load(options: &Options) -> Result<Box<dyn Hal>, HalError> {
    let mut reasons = Vec::new();
    if options.locked && options.device.is_some() {
        tracing::info!(target: "hal", "CA_HAL_DEVICE is ignored: this build's HAL is fixed");
    }
    for step in steps(options) {
        // SAFETY: the caller's promise.
        match unsafe { load_library(&step.path) } {
            Ok(hal) => {
                tracing::info!(target: "hal", "HAL `{}` from {} ({})", hal.name(), step.path.display(), step.origin);
                return Ok(hal);
            }
            Err(error) => {
                tracing::warn!(target: "hal", "{}: {error}", step.origin);
                reasons.push(format!("{}: {error}", step.origin));
            }
        }
    }
    if reasons.is_empty() {
        reasons.push("no device is named".to_owned());
    }
    Err(HalError::NotFound(reasons.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(options: &Options) -> Vec<String> {
        steps(options).into_iter().map(|s| s.path.display().to_string()).collect()
    }

    #[test]
    fn a_named_device_is_looked_for_alone() {
        let options = |device: Option<&str>, default: Option<&str>, locked| Options {
            device: device.map(str::to_owned),
            default_device: default.map(str::to_owned),
            locked,
            ..Options::default()
        };
        assert_eq!(paths(&options(Some("/a/b.so"), Some("x"), false)), ["/a/b.so"]);
        assert_eq!(paths(&options(Some("cpu"), Some("x"), false)), ["libhal_cpu.so"]);
        assert_eq!(paths(&options(Some(""), Some("x"), false)), ["libhal_x.so"]);
        assert_eq!(paths(&options(Some("/a/b.so"), Some("x"), true)), ["libhal_x.so"]);
        assert_eq!(paths(&options(None, Some("x"), false)), ["libhal_x.so"]);
        assert!(paths(&options(None, None, false)).is_empty());
        let beside =
            Options { folder: Some(PathBuf::from("/lib")), ..options(Some("cpu"), None, false) };
        assert_eq!(
            paths(&beside),
            ["/lib/libhal_cpu.so", "/lib/hal.d/libhal_cpu.so", "libhal_cpu.so"]
        );
    }

    #[test]
    fn packages_install_libraries_in_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let installed = folder.path().join("hal.d");
        let options = Options {
            default_device: Some("x".to_owned()),
            folder: Some(folder.path().to_owned()),
            ..Options::default()
        };
        let found = |options: &Options| -> Vec<String> {
            options.each().iter().map(|options| paths(options)[0].clone()).collect()
        };
        let in_folder = |name: &str| folder.path().join(name).display().to_string();
        // Without the folder: the build's default. An empty folder: no device.
        assert_eq!(found(&options), [in_folder("libhal_x.so")]);
        std::fs::create_dir(&installed).unwrap();
        assert!(found(&options).is_empty());
        for name in ["libhal_b.so", "libhal_a.so", "README", "libhal_c.so.dpkg-new", "c.so"] {
            std::fs::write(installed.join(name), "").unwrap();
        }
        let both = [in_folder("hal.d/libhal_a.so"), in_folder("hal.d/libhal_b.so")];
        assert_eq!(found(&options), both);
        // What the user names, and what the build fixes, come first.
        let named = Options { device: Some("b".to_owned()), ..options.clone() };
        assert_eq!(found(&named), [in_folder("libhal_b.so")]);
        assert!(paths(&named).contains(&both[1]));
        assert_eq!(found(&Options { locked: true, ..options }), [in_folder("libhal_x.so")]);
    }

    #[test]
    fn several_devices_are_a_list() {
        let names = |value: Option<&str>, locked| -> Vec<Option<String>> {
            let device = value.map(str::to_owned);
            let options = Options { device, locked, ..Options::default() };
            options.each().into_iter().map(|options| options.device).collect()
        };
        let all = |items: &[&str]| items.iter().map(|i| Some((*i).to_owned())).collect::<Vec<_>>();
        assert_eq!(names(Some("refsi"), false), all(&["refsi"]));
        assert_eq!(names(Some(" a,/b/c.so, a ,,d,"), false), all(&["a", "/b/c.so", "d"]));
        assert!(names(Some(" , "), false).is_empty());
        assert_eq!(names(None, false), [None]);
        // The fixed device of the build is loaded once.
        assert_eq!(names(Some("a,b"), true), all(&["a,b"]));
        let folder = tempfile::tempdir().unwrap();
        let odd = folder.path().join("libhal_a,b.so");
        let odd = odd.to_str().unwrap();
        assert_eq!(names(Some(odd), false).len(), 2);
        std::fs::write(odd, "").unwrap();
        assert_eq!(names(Some(odd), false), all(&[odd]));
    }

    #[test]
    fn truths_are_cmakes() {
        assert!(
            truth("TRUE")
                && truth("on")
                && truth("1")
                && !truth("FALSE")
                && !truth("0")
                && !truth("")
        );
    }
}
