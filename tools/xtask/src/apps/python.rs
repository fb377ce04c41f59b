//! Virtual environments and source distributions from PyPI, below a folder such as `target/apps`.
//!
//! Invariant: an environment is complete if its file `muxcl-packages.txt` exists and lists the
//! packages. Not here: running anything in it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use globset::GlobBuilder;

use super::table::{App, Data, Source};
use crate::{dist, run};

/// The file that lists an environment's packages.
const INSTALLED: &str = "muxcl-packages.txt";
/// What pip writes if it cannot reach its index.
const NO_NETWORK: [&str; 4] =
    ["NewConnectionError", "NameResolutionError", "ConnectTimeoutError", "ProxyError"];

/// A virtual environment.
pub(crate) struct Venv {
    pub(super) folder: PathBuf,
}

impl Venv {
    /// The environment `name` with `packages`, which is made if it is missing or has others.
    pub(crate) fn ensure(
        root: &Path,
        name: &str,
        python: Option<&str>,
        packages: &[String],
    ) -> Result<Self> {
        let folder = root.join("venv").join(name);
        let mut wanted = packages.to_vec();
        wanted.sort();
        let wanted = format!("{}\n", wanted.join("\n"));
        if fs::read_to_string(folder.join(INSTALLED)).is_ok_and(|listed| listed == wanted) {
            return Ok(Self { folder });
        }
        if folder.exists() {
            fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
        }
        fs::create_dir_all(root.join("venv"))?;
        println!("installing {}", packages.join(" "));
        let program = format!("python{}", python.unwrap_or("3"));
        let mut make = Command::new(&program);
        make.args(["-m", "venv"]).arg(&folder);
        if let Some(version) = python {
            // Where pyenv manages several versions, `python3.7` runs this one.
            make.env("PYENV_VERSION", version);
        }
        run::output(&mut make)
            .with_context(|| format!("{program} makes no virtual environment for {name}"))?;
        let venv = Self { folder };
        let log = root.join("venv").join(format!("{name}.log"));
        venv.pip(&log, |pip| {
            pip.arg("install").args(packages);
        })?;
        fs::write(venv.folder.join(INSTALLED), wanted)?;
        Ok(venv)
    }

    pub(crate) fn python(&self) -> PathBuf {
        self.folder.join("bin/python")
    }

    /// The folder with the installed packages.
    fn site_packages(&self) -> Result<PathBuf> {
        fs::read_dir(self.folder.join("lib"))?
            .filter_map(Result::ok)
            .map(|entry| entry.path().join("site-packages"))
            .find(|path| path.is_dir())
            .with_context(|| format!("{} has no site-packages", self.folder.display()))
    }

    fn pip(&self, log: &Path, arguments: impl FnOnce(&mut Command)) -> Result<()> {
        let mut pip = Command::new(self.python());
        pip.args(["-m", "pip", "--disable-pip-version-check", "--no-input", "--retries", "2"]);
        arguments(&mut pip);
        let file = File::create(log).with_context(|| log.display().to_string())?;
        pip.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
        let status = pip.status().with_context(|| self.python().display().to_string())?;
        if !status.success() {
            bail!("{} (log: {})", failure(&fs::read_to_string(log)?), log.display());
        }
        Ok(())
    }
}

/// The folder with an application's tests, which is downloaded if it is missing.
pub(super) fn source(root: &Path, tree: &Path, app: &App, venv: &Venv) -> Result<PathBuf> {
    let (package, folders) = match &app.from {
        Source::Package => return venv.site_packages(),
        Source::Tree(folder) => return Ok(tree.join(folder)),
        Source::Sdist { package, folders } => (package, folders),
    };
    let folder = root.join("source").join(package);
    if folder.is_dir() {
        return Ok(folder);
    }
    println!("downloading the sources of {package}");
    let downloads = root.join("sdist");
    fs::create_dir_all(&downloads)?;
    fs::create_dir_all(root.join("source"))?;
    let name = package.split_once("==").map_or(package.as_str(), |(name, _)| name);
    venv.pip(&downloads.join(format!("{package}.log")), |pip| {
        pip.args(["download", "--no-deps", "--no-binary", name, "--dest"])
            .arg(&downloads)
            .arg(package);
    })?;
    let archive = archive(&downloads, package)?;
    let staged = root.join("source").join(format!(".{package}.new"));
    if staged.exists() {
        fs::remove_dir_all(&staged)?;
    }
    fs::create_dir_all(&staged)?;
    let mut tar = Command::new("tar");
    tar.arg("-xzf").arg(&archive).arg("-C").arg(&staged);
    tar.args(["--strip-components=1", "--wildcards", "--no-wildcards-match-slash"]);
    // Only the tests: the package itself must be the installed one.
    run::output(tar.args(folders.iter().map(|folder| format!("*/{folder}"))))?;
    fs::rename(&staged, &folder)?;
    Ok(folder)
}

/// The folder with the data of an application, which is downloaded if it is missing.
pub(super) fn data(root: &Path, data: &Data, venv: &Venv) -> Result<PathBuf> {
    let folder = root.join("data").join(&data.package);
    if folder.is_dir() {
        return Ok(folder);
    }
    println!("downloading data of {}", data.package);
    let downloads = root.join("data").join(format!("{}.wheel", data.package));
    fs::create_dir_all(&downloads)?;
    venv.pip(&downloads.join("pip.log"), |pip| {
        pip.args(["download", "--no-deps", "--only-binary", ":all:", "--dest"])
            .arg(&downloads)
            .arg(&data.package);
    })?;
    let wheel = fs::read_dir(&downloads)?
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .with_context(|| format!("pip has downloaded no wheel of {}", data.package))?;
    let staged = root.join("data").join(format!(".{}.new", data.package));
    let script = "import sys, zipfile\n\
                  wheel, folder, *names = sys.argv[1:]\n\
                  zipfile.ZipFile(wheel).extractall(folder, names)";
    let mut extract = Command::new(venv.python());
    run::output(extract.args(["-c", script]).arg(&wheel).arg(&staged).args(&data.files))?;
    fs::remove_dir_all(&downloads)?;
    fs::rename(&staged, &folder)?;
    Ok(folder)
}

/// The archive of `package`, `NAME==VERSION`, in `folder`.
fn archive(folder: &Path, package: &str) -> Result<PathBuf> {
    let plain = |text: &str| text.to_lowercase().replace(['-', '.'], "_");
    let expected = plain(&format!("{}.tar.gz", package.replace("==", "-")));
    fs::read_dir(folder)?
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .find(|path| path.file_name().is_some_and(|n| plain(&n.to_string_lossy()) == expected))
        .with_context(|| format!("pip has downloaded no archive of {package}"))
}

/// The files of an application's tests, relative to `source`, in order.
pub(super) fn files(source: &Path, app: &App, only: &[String]) -> Result<Vec<String>> {
    let mut all = Vec::new();
    // The fixed part of each pattern limits the search: site-packages has 10,000 files.
    for pattern in &app.tests {
        let fixed = pattern.split(['*', '?', '[', '{']).next().unwrap_or_default();
        let folder = fixed.rfind('/').map_or("", |end| &fixed[..end]);
        dist::walk(&source.join(folder), &mut all)?;
    }
    let mut names: Vec<_> = all
        .iter()
        .filter_map(|path| path.strip_prefix(source).ok())
        .map(|path| path.to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".py") && !name.ends_with("__init__.py"))
        .filter(|name| app.tests.iter().any(|pattern| is_like(pattern, name)))
        .filter(|name| !app.without.iter().any(|without| is_like(&without.files, name)))
        .filter(|name| only.is_empty() || only.iter().any(|one| is_like(one, name)))
        .collect();
    names.sort();
    names.dedup();
    Ok(names)
}

/// True if a path matches a pattern: `*` stands for text without `/`, `**` for any folders.
fn is_like(pattern: &str, path: &str) -> bool {
    GlobBuilder::new(pattern)
        .literal_separator(true)
        .build()
        .is_ok_and(|glob| glob.compile_matcher().is_match(path))
}

/// The reason why pip failed, in one line.
fn failure(log: &str) -> String {
    if NO_NETWORK.iter().any(|word| log.contains(word)) {
        return "no network: pip cannot reach its package index".to_owned();
    }
    let error = log.lines().rev().find_map(|line| line.trim().strip_prefix("ERROR: "));
    format!("pip: {}", error.or_else(|| log.lines().next_back()).unwrap_or("it wrote no error"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pips_failures_are_one_line() {
        let log = "WARNING: Retrying after connection broken by 'NewConnectionError(...)'\n\
                   ERROR: No matching distribution found for a==1";
        assert_eq!(failure(log), "no network: pip cannot reach its package index");
        let log = "Collecting a\n  ERROR: No matching distribution found for a==1\n[notice] pip\n";
        assert_eq!(failure(log), "pip: No matching distribution found for a==1");
        assert_eq!(failure("Killed\n"), "pip: Killed");
        assert_eq!(failure(""), "pip: it wrote no error");
    }

    #[test]
    fn an_archive_is_found_however_it_is_spelled() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("py_fai-2.0.tar.gz"), "").unwrap();
        assert!(archive(folder.path(), "Py-FAI==2.0").unwrap().ends_with("py_fai-2.0.tar.gz"));
        assert!(archive(folder.path(), "Py-FAI==2.1").is_err());
    }

    #[test]
    fn files_are_those_of_the_patterns() {
        let folder = tempfile::tempdir().unwrap();
        for file in ["a/test_1.py", "a/b/test_2.py", "a/b/data.txt", "c/test_3.py"] {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let mut app: App = toml::from_str(
            "name = 'x'\npackages = ['p==1']\ntests = ['a/**/*']\n\
             without = [{ files = 'a/test_9*', reason = 'r' }]",
        )
        .unwrap();
        let find = |app: &App, only: &[&str]| {
            let only: Vec<_> = only.iter().map(|one| (*one).to_owned()).collect();
            files(folder.path(), app, &only).unwrap()
        };
        assert_eq!(find(&app, &[]), ["a/b/test_2.py", "a/test_1.py"]);
        assert_eq!(find(&app, &["a/test_1*"]), ["a/test_1.py"]);
        app.without[0].files = "**/*_2.py".to_owned();
        assert_eq!(find(&app, &[]), ["a/test_1.py"]);
        app.tests = vec!["a/*.py".to_owned()];
        assert_eq!(find(&app, &[]), ["a/test_1.py"]);
        app.tests = vec!["nowhere/*.py".to_owned()];
        assert!(find(&app, &[]).is_empty());
    }
}
