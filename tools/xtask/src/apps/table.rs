//! `conformance/apps/apps.toml`: the applications, their packages and their tests.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, bail};

use crate::outcome;

/// The file's content.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    pub(super) app: Vec<App>,
    /// Other drivers for `--vs`, by name.
    #[serde(default)]
    pub(super) vs: BTreeMap<String, Peer>,
}

/// An application.
#[derive(serde::Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(super) struct App {
    pub(super) name: String,
    /// What pip installs, `NAME==VERSION`; the first is the application.
    pub(super) packages: Vec<String>,
    /// The virtual environment. Applications with the same packages may share one.
    venv: Option<String>,
    /// The version of Python, such as `3.7`, if the application needs an old one.
    pub(super) python: Option<String>,
    /// Where the tests are.
    #[serde(default)]
    pub(super) from: Source,
    /// Files with tests, relative to the source; `*` stands for text without `/`, and `**` for
    /// any folders.
    pub(super) tests: Vec<String>,
    /// Files of `tests` that are left out; `reason` says why.
    #[serde(default)]
    pub(super) without: Vec<LeftOut>,
    /// More arguments for pytest.
    #[serde(default)]
    pub(super) args: Vec<String>,
    /// A regular expression of Python for the device's name in the names of tests.
    pub(super) device_name: Option<String>,
    /// Files that the tests would download from elsewhere; `APPS_DATA` is their folder.
    pub(super) data: Option<Data>,
    /// A plugin of pytest in `conformance/apps`, without `.py`.
    pub(super) plugin: Option<String>,
    /// Environment variables of the tests.
    #[serde(default)]
    pub(super) env: BTreeMap<String, String>,
    /// True if the tests need the libraries of the virtual environment's `lib` folder.
    #[serde(default)]
    pub(super) needs_lib: bool,
    /// Maximum duration of a test, in seconds.
    #[serde(default = "default_timeout")]
    pub(super) timeout: u64,
    /// False if the application leaves the host, a CPU, out.
    #[serde(default = "yes")]
    pub(super) host: bool,
    /// How the tests run on RefSi; without it they do not run there.
    pub(super) refsi: Option<OnRefsi>,
    /// A sentence for the page, about what is tested.
    #[serde(default)]
    pub(super) about: String,
}

/// Where an application's tests are.
#[derive(serde::Deserialize, Clone, Default)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Source {
    /// The application's package installs its tests.
    #[default]
    Package,
    /// Only the package's source distribution (sdist) on PyPI has the tests, in these folders.
    Sdist { package: String, folders: Vec<String> },
    /// The tests are ours, in this folder of `conformance/apps`.
    Tree(String),
}

/// Files in a package on PyPI, which is not installed.
#[derive(serde::Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(super) struct Data {
    pub(super) package: String,
    pub(super) files: Vec<String>,
}

/// Files that are left out.
#[derive(serde::Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(super) struct LeftOut {
    pub(super) files: String,
    pub(super) reason: String,
}

/// What differs on RefSi.
#[derive(serde::Deserialize, Clone, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct OnRefsi {
    /// Only these files, if there are any.
    #[serde(default)]
    pub(super) tests: Vec<String>,
    /// More arguments for pytest.
    #[serde(default)]
    pub(super) args: Vec<String>,
    /// Maximum duration of a test, in seconds.
    pub(super) timeout: u64,
}

/// Another driver on PyPI.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Peer {
    /// Its name on the page.
    pub(super) title: String,
    pub(super) packages: Vec<String>,
    /// The driver, relative to the virtual environment. Its folder is put on `LD_LIBRARY_PATH`.
    pub(super) library: String,
}

fn yes() -> bool {
    true
}

fn default_timeout() -> u64 {
    300
}

impl Table {
    /// Reads and checks the table.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let table: Self = outcome::read_toml(path)?;
        table.check().map_err(|error| error.context(path.display().to_string()))?;
        Ok(table)
    }

    fn check(&self) -> Result<()> {
        let mut environments: BTreeMap<&str, &App> = BTreeMap::new();
        for app in &self.app {
            if app.tests.is_empty() {
                bail!("{}: no tests", app.name);
            }
            if self.app.iter().filter(|other| other.name == app.name).count() > 1 {
                bail!("{}: two applications have this name", app.name);
            }
            let peers = self.vs.values().flat_map(|peer| &peer.packages);
            if let Some(package) =
                app.packages.iter().chain(peers).find(|package| !package.contains("=="))
            {
                bail!("{}: `{package}` has no version, `NAME==VERSION`", app.name);
            }
            if app.packages.is_empty() {
                bail!("{}: no packages", app.name);
            }
            if let Some(without) = app.without.iter().find(|one| one.reason.trim().is_empty()) {
                bail!("{}: `{}` is left out without a reason", app.name, without.files);
            }
            let first = environments.entry(app.venv()).or_insert(app);
            let sorted = |app: &App| {
                let mut packages = app.packages.clone();
                packages.sort();
                (packages, app.python.clone())
            };
            if sorted(first) != sorted(app) {
                bail!(
                    "{} and {} share the environment `{}` but have other packages",
                    first.name,
                    app.name,
                    app.venv()
                );
            }
        }
        Ok(())
    }
}

impl App {
    /// The name of its virtual environment.
    pub(super) fn venv(&self) -> &str {
        self.venv.as_deref().unwrap_or(&self.name)
    }

    /// The application's package and its version.
    pub(super) fn version(&self) -> (&str, &str) {
        let package = self.packages.first().map_or("", String::as_str);
        package.split_once("==").unwrap_or((package, ""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_the_tree_is_right() {
        let path = crate::run::root().join("conformance/apps/apps.toml");
        let table = Table::read(&path).unwrap();
        assert!(table.app.iter().any(|app| app.name == "pyopencl"));
        for app in &table.app {
            let expectations = path.with_file_name(format!("{}.expect", app.name));
            if expectations.exists() {
                crate::expect::Expectations::read(&expectations).unwrap();
            }
        }
    }

    #[test]
    fn a_wrong_table_is_refused() {
        let app = |more: &str| format!("[[app]]\nname = 'a'\n{more}\n");
        let good = "packages = ['p==1']\ntests = ['t.py']";
        for (text, expected) in [
            (app("packages = ['p']\ntests = ['t.py']"), "`p` has no version"),
            (app("packages = ['p==1']\ntests = []"), "no tests"),
            (app("packages = []\ntests = ['t']"), "no packages"),
            (app(good) + &app(good), "two applications"),
            (
                app(&format!("{good}\nwithout = [{{ files = 'x', reason = '' }}]")),
                "without a reason",
            ),
            (
                app(good) + "[[app]]\nname = 'b'\nvenv = 'a'\npackages = ['p==2']\ntests = ['t']\n",
                "a and b share the environment `a`",
            ),
        ] {
            let error = toml::from_str::<Table>(&text).unwrap().check().unwrap_err();
            assert!(error.to_string().contains(expected), "{text}: {error}");
        }
        assert!(toml::from_str::<Table>(&app(&format!("{good}\nsdist = 'x'"))).is_err());
        let table: Table = toml::from_str(&app(good)).unwrap();
        assert_eq!(table.app[0].version(), ("p", "1"));
        assert!(matches!(table.app[0].from, Source::Package));
    }
}
