//! `cargo xtask apps`: installs applications from PyPI, runs their own tests on the driver, and
//! compares the outcomes with `conformance/apps/NAME.expect`.
//!
//! Invariant: a test that does not pass must be in the expectation file with its reason, and an
//! entry of the file whose tests pass or no longer exist is an error, too. Sources
//! of other projects are downloaded; none are in our tree. Not here: building the driver.

mod junit;
mod page;
pub(crate) mod python;
mod runner;
mod table;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use crate::expect::{self, Expectations, Observed};
use crate::outcome::{load, save};
use crate::{dist, run};
use junit::{TestResult, Tests};
use python::Venv;
use runner::Runner;
use table::{App, Table};

/// Arguments of `apps`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The devices: `host`, `refsi` (the system that `HAL_REFSI_SOC` names), `both` or `none`.
    #[arg(long, default_value = "host")]
    device: String,
    /// Test this driver library instead of building `target/dist`.
    #[arg(long)]
    driver: Option<PathBuf>,
    /// Also run the tests on another driver from PyPI: `intel`. May be repeated.
    #[arg(long)]
    vs: Vec<String>,
    /// The number of test files that run at the same time.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Only files of tests whose path matches: a part of it, or a pattern with `*`. May be
    /// repeated.
    #[arg(long)]
    file: Vec<String>,
    /// Keep the results of an earlier run, and run only files without a result.
    #[arg(long)]
    resume: bool,
    /// Write `docs/applications.md` from all results known.
    #[arg(long)]
    write_results: bool,
    /// Only these applications of `conformance/apps/apps.toml`.
    names: Vec<String>,
}

/// A device of muxcl.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Device {
    Host,
    Refsi,
}

impl Device {
    const ALL: [Self; 2] = [Self::Host, Self::Refsi];

    fn name(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Refsi => "refsi",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Refsi => "RefSi",
        }
    }
}

/// The results of an application on one device.
#[derive(Default, serde::Serialize, serde::Deserialize)]
struct Results {
    /// The packages that had these results.
    packages: Vec<String>,
    /// The number of files with tests. Fewer have results if a run was stopped.
    #[serde(default)]
    all_files: usize,
    files: BTreeMap<String, Tests>,
}

impl Results {
    fn tests(&self) -> impl Iterator<Item = (&String, &TestResult)> + Clone {
        self.files.values().flatten()
    }

    /// True if every file of the application, in its present version, has results.
    fn is_whole(&self, app: &App) -> bool {
        self.packages == app.packages
            && !self.files.is_empty()
            && self.files.len() == self.all_files
    }

    fn find(&self, test: &str) -> Option<&TestResult> {
        self.files.values().find_map(|tests| tests.get(test))
    }
}

/// A driver on which applications run.
struct Target {
    /// The name of the folder of results, and of the device in expectation files.
    name: String,
    device: Option<Device>,
    library: PathBuf,
    /// A folder for `LD_LIBRARY_PATH`.
    library_path: Option<PathBuf>,
    variables: &'static [(&'static str, &'static str)],
}

/// The folders of the command.
struct Folders {
    /// `conformance/apps`.
    tree: PathBuf,
    /// `target/apps`.
    root: PathBuf,
}

impl Folders {
    fn results(&self, app: &App, target: &str) -> PathBuf {
        self.root.join("results").join(&app.name).join(target)
    }

    fn expectations(&self, app: &App) -> Result<Expectations> {
        let path = self.tree.join(format!("{}.expect", app.name));
        if path.exists() { Expectations::read(&path) } else { Ok(Expectations::default()) }
    }
}

/// Runs the applications that the arguments select, and reports.
///
/// # Errors
/// A test is not as expected, or an application cannot be installed or run.
pub(crate) fn apps(args: &Args) -> Result<()> {
    let folders = Folders {
        tree: run::root().join("conformance/apps"),
        root: run::root().join("target/apps"),
    };
    let table = Table::read(&folders.tree.join("apps.toml"))?;
    if let Some(name) = args.names.iter().find(|name| !table.app.iter().any(|a| a.name == **name)) {
        let all: Vec<_> = table.app.iter().map(|app| app.name.as_str()).collect();
        bail!("`{name}` is no application; conformance/apps/apps.toml has: {}", all.join(" "));
    }
    let devices: &[Device] = match args.device.as_str() {
        "host" => &[Device::Host],
        "refsi" => &[Device::Refsi],
        "both" => &Device::ALL,
        "none" => &[],
        other => bail!("`{other}` is none of `host`, `refsi`, `both` and `none`"),
    };
    let targets = targets(args, &table, &folders, devices)?;
    let mut problems = Vec::new();
    let selected =
        || table.app.iter().filter(|app| args.names.is_empty() || args.names.contains(&app.name));
    for app in selected() {
        for target in &targets {
            match one(args, &folders, app, target) {
                Ok(unexpected) => problems.extend(unexpected),
                Err(error) => problems.push(format!("{} on {}: {error:#}", app.name, target.name)),
            }
        }
        compare(&folders, app, &table)?;
    }
    if args.write_results {
        write_page(&folders, &table)?;
    }
    if problems.is_empty() {
        return Ok(());
    }
    println!("\nnot as conformance/apps expects:");
    for line in &problems {
        println!("{line}");
    }
    bail!(
        "{} line(s) above; logs are below {}",
        problems.len(),
        folders.root.join("results").display()
    )
}

/// The drivers: muxcl with one device each, then the others.
fn targets(
    args: &Args,
    table: &Table,
    folders: &Folders,
    devices: &[Device],
) -> Result<Vec<Target>> {
    let mut targets = Vec::new();
    if !devices.is_empty() {
        let library = match &args.driver {
            Some(library) => std::path::absolute(library)?,
            None => dist::dist()?.library,
        };
        if !library.is_file() {
            bail!("{} does not exist", library.display());
        }
        for device in devices {
            targets.push(Target {
                name: device.name().to_owned(),
                device: Some(*device),
                library: library.clone(),
                library_path: None,
                variables: run::device_variables(device.name()).unwrap_or_default(),
            });
        }
    }
    for name in &args.vs {
        let Some(peer) = table.vs.get(name) else {
            let all: Vec<_> = table.vs.keys().map(String::as_str).collect();
            bail!("`{name}` is no driver; conformance/apps/apps.toml has: {}", all.join(" "));
        };
        let venv = Venv::ensure(&folders.root, name, None, &peer.packages)?;
        let library = venv.folder.join(&peer.library);
        targets.push(Target {
            name: name.clone(),
            device: None,
            library_path: library.parent().map(Path::to_path_buf),
            library,
            variables: &[],
        });
    }
    Ok(targets)
}

/// Runs an application on a driver. Returns the tests that are not as expected.
fn one(args: &Args, folders: &Folders, app: &App, target: &Target) -> Result<Vec<String>> {
    let on_refsi = match (target.device, &app.refsi) {
        (Some(Device::Refsi), None) => {
            println!("{}: not on RefSi", app.name);
            return Ok(Vec::new());
        }
        // Other drivers have a CPU device, too.
        (Some(Device::Host) | None, _) if !app.host => {
            println!("{}: not on {}", app.name, target.name);
            return Ok(Vec::new());
        }
        (Some(Device::Refsi), Some(on_refsi)) => Some(on_refsi),
        _ => None,
    };
    let expectations = folders.expectations(app)?;
    let venv = Venv::ensure(&folders.root, app.venv(), app.python.as_deref(), &app.packages)?;
    let source = python::source(&folders.root, &folders.tree, app, &venv)?;
    let all = python::files(&source, app, on_refsi.map_or(&[], |on| on.tests.as_slice()))?;
    if all.is_empty() {
        bail!("no file in {} matches {}", source.display(), app.tests.join(" "));
    }
    let results = folders.results(app, &target.name);
    let mut known: Results = load(&results)?;
    if known.packages != app.packages || (!args.resume && args.file.is_empty()) {
        // The caches of the last run would hide what the driver does now.
        if results.exists() {
            fs::remove_dir_all(&results).with_context(|| results.display().to_string())?;
        }
        known = Results { packages: app.packages.clone(), ..Results::default() };
    }
    known.all_files = all.len();
    known.files.retain(|file, _| all.contains(file));
    let files: Vec<_> = all
        .iter()
        .filter(|file| args.file.is_empty() || args.file.iter().any(|one| selects(one, file)))
        .filter(|file| !(args.resume && known.files.contains_key(*file)))
        .cloned()
        .collect();
    println!("{} on {}: {} file(s)", app.name, target.name, files.len());
    fs::create_dir_all(&results).with_context(|| results.display().to_string())?;

    let limit = on_refsi.map_or(app.timeout, |on| on.timeout);
    let more = on_refsi.map_or(&[][..], |on| on.args.as_slice());
    let mut variables = variables(app, target, &venv, &results)?;
    if let Some(data) = &app.data {
        let folder = python::data(&folders.root, data, &venv)?;
        variables.push(("APPS_DATA".to_owned(), folder.display().to_string()));
    }
    let runner = Runner {
        python: venv.python(),
        source,
        tree: folders.tree.clone(),
        args: app
            .args
            .iter()
            .chain(more)
            .cloned()
            .chain(app.plugin.iter().map(|plugin| format!("-p{plugin}")))
            .chain(app.device_name.iter().map(|name| format!("--device-name={name}")))
            .collect(),
        variables,
        limit: Duration::from_secs(limit),
        results: results.clone(),
    };
    save(&results, &known)?;
    let mut problems = Vec::new();
    runner.run_all(&files, args.jobs, |file, tests| {
        match tests {
            Ok(tests) => {
                println!("{} {file}: {}", target.name, page::summary(&tests));
                known.files.insert(file.to_owned(), tests);
            }
            Err(error) => problems.push(format!("{} on {}: {error:#}", app.name, target.name)),
        }
        // Written after every file, so that a stopped run can resume.
        save(&results, &known)
    })?;
    if target.device.is_some() {
        problems.extend(judge(&expectations, app, &target.name, &known));
    }
    Ok(problems)
}

fn selects(filter: &str, file: &str) -> bool {
    if filter.contains('*') { expect::matches(filter, file) } else { file.contains(filter) }
}

/// The results that are not as expected. If all tests have run, also the entries that match none.
fn judge(expectations: &Expectations, app: &App, device: &str, known: &Results) -> Vec<String> {
    let observed = || {
        known.tests().map(|(test, result)| Observed {
            test,
            status: result.status,
            message: &result.message,
            device,
        })
    };
    let mut lines: Vec<_> = observed()
        .filter_map(|one| {
            let verdict = expectations.judge(one);
            verdict.is_unexpected().then(|| {
                let (name, test, remark) = (&app.name, one.test, verdict.remark());
                format!("{:>8}  {name} on {device}: {test}{remark}  {}", one.status, one.message)
            })
        })
        .collect();
    if known.is_whole(app) {
        for entry in expectations.unused(device, observed()) {
            lines.push(format!("{:>8}  {} on {device}: no test is like {entry}", "", app.name));
        }
    }
    lines
}

/// The environment variables of an application's tests.
fn variables(
    app: &App,
    target: &Target,
    venv: &Venv,
    results: &Path,
) -> Result<Vec<(String, String)>> {
    let shown = |path: &Path| path.display().to_string();
    let mut all: Vec<_> = target
        .variables
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .chain(app.env.iter().map(|(name, value)| (name.clone(), value.clone())))
        .collect();
    let vendors = run::vendors(results.join("vendors"), &target.library)?;
    all.push(("OCL_ICD_VENDORS".to_owned(), shown(&vendors)));
    // Applications keep binaries of programs there; each driver has its own.
    all.push(("XDG_CACHE_HOME".to_owned(), shown(&results.join("cache"))));
    let lib = app.needs_lib.then(|| venv.folder.join("lib"));
    let paths: Vec<_> = lib.iter().chain(&target.library_path).map(|path| shown(path)).collect();
    if !paths.is_empty() {
        all.push(("LD_LIBRARY_PATH".to_owned(), paths.join(":")));
    }
    Ok(all)
}

/// Prints the tests of an application that fail on a device and pass on another driver.
fn compare(folders: &Folders, app: &App, table: &Table) -> Result<()> {
    for (name, peer) in &table.vs {
        let other: Results = load(&folders.results(app, name))?;
        for device in Device::ALL {
            let ours: Results = load(&folders.results(app, device.name()))?;
            for test in page::only_here(&ours, &other) {
                println!(
                    "passes on {}, not on {}: {} {test}",
                    peer.title,
                    device.title(),
                    app.name
                );
            }
        }
    }
    Ok(())
}

/// Writes `docs/applications.md`.
fn write_page(folders: &Folders, table: &Table) -> Result<()> {
    let expectations: Vec<_> =
        table.app.iter().map(|app| folders.expectations(app)).collect::<Result<_>>()?;
    let mut rows = Vec::new();
    for (app, expectations) in table.app.iter().zip(&expectations) {
        let mut results = BTreeMap::new();
        for name in Device::ALL.iter().map(|d| d.name()).chain(table.vs.keys().map(String::as_str))
        {
            let known: Results = load(&folders.results(app, name))?;
            if known.is_whole(app) {
                results.insert(name.to_owned(), known);
            } else if !known.files.is_empty() {
                println!("{} on {name}: not every file has results, not on the page", app.name);
            }
        }
        rows.push(page::Row { app, expectations, results });
    }
    let path = run::root().join("docs/applications.md");
    fs::write(&path, page::page(table, &rows)).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Status;

    #[test]
    fn results_are_judged_with_the_entries_that_match_none() {
        let app: App = toml::from_str("name = 'a'\npackages = ['p==1']\ntests = ['t.py']").unwrap();
        let expectations: Expectations = toml::from_str(
            "[[expect]]\ntest = 't.py::x'\nstatus = 'fail'\nreason = 'r'\n\
             [[expect]]\ntest = 't.py::gone'\nstatus = 'fail'\nreason = 's'",
        )
        .unwrap();
        let result = |status| TestResult { status, seconds: 1.0, message: "m".to_owned() };
        let tests = Tests::from([
            ("t.py::x".to_owned(), result(Status::Pass)),
            ("t.py::y".to_owned(), result(Status::Pass)),
            ("t.py::z".to_owned(), result(Status::Timeout)),
        ]);
        let mut known = Results {
            packages: app.packages.clone(),
            all_files: 2,
            files: [("t.py".to_owned(), tests)].into(),
        };
        let part = judge(&expectations, &app, "host", &known);
        assert_eq!(
            part,
            [
                "    pass  a on host: t.py::x  UNEXPECTED, the expectation file says: r  m",
                " timeout  a on host: t.py::z  UNEXPECTED  m",
            ]
        );
        known.all_files = 1;
        let whole = judge(&expectations, &app, "host", &known);
        assert_eq!(whole[2], "          a on host: no test is like t.py::gone: s");
        assert_eq!(whole.len(), 3);
    }
}
