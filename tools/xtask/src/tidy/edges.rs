//! Dependencies between crates are those of the map in `docs/architecture.md`, which has no cycle.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::block;
use crate::run;

/// Foreign crates that only the named crates may depend on.
const FOREIGN: &[(&str, &[&str])] = &[
    ("inkwell", &["llvm"]),
    ("llvm-sys", &["llvm", "frontend-clang"]),
    ("libloading", &["os", "test-api", "test-kernels", "builtins", "bench"]),
    // `rv-sim` and `rv-jit` read ELF in their tests and examples only.
    (
        "goblin",
        &[
            "elf-loader",
            "hal",
            "os",
            "target-riscv",
            "rv-sim",
            "rv-jit",
            "filetests",
            "symbol-order",
        ],
    ),
];

/// For each crate, the crates that it must not reach on any path; dev-dependencies do not count.
const NEVER: &[(&str, &[&str])] = &[
    ("icd", &["llvm", "frontend-clang", "passes", "compiler", "builtins"]),
    ("cl", &["llvm", "frontend-clang", "passes", "compiler", "builtins", "mux-host"]),
    ("mux", &["cl-sys", "llvm"]),
    ("mux-host", &["cl-sys", "llvm", "cl"]),
    ("types", &["cl-sys", "llvm"]),
    ("xtask", &["llvm"]),
];

pub(super) fn check(root: &Path, map: &str, findings: &mut Vec<String>) -> Result<()> {
    let allowed = allowed(map)?;
    let actual = actual(root)?;
    for (from, Dependencies { ours, foreign, .. }) in &actual {
        let Some(targets) = allowed.get(from.as_str()) else {
            findings
                .push(format!("docs/architecture.md: the map has no line for the crate `{from}`"));
            continue;
        };
        for to in ours.iter().filter(|to| !targets.contains(to.as_str())) {
            findings.push(format!("edge {from} -> {to}: not in the map of docs/architecture.md"));
        }
        for (name, owners) in FOREIGN {
            if foreign.contains(*name) && !owners.contains(&from.as_str()) {
                findings.push(format!("{from} depends on {name}: only {} may", owners.join(", ")));
            }
        }
    }
    for name in allowed.keys().filter(|name| !actual.contains_key(**name)) {
        findings.push(format!("docs/architecture.md: the map names `{name}`, which is no crate"));
    }
    for (from, forbidden) in NEVER {
        let reached = reachable(&actual, from);
        for to in forbidden.iter().filter(|to| reached.contains(**to)) {
            findings.push(format!(
                "{from} depends on {to}, directly or indirectly, which is forbidden"
            ));
        }
    }
    for (from, found) in &actual {
        if found.ours.contains("icd") {
            findings.push(format!("edge {from} -> icd: nothing depends on icd"));
        }
        let is_published = |name: &str| actual.get(name).is_some_and(|crate_| crate_.published);
        for to in found.shipped.iter().filter(|to| found.published && !is_published(to)) {
            findings.push(format!("{from} can be published, but depends on {to}, which cannot"));
        }
    }
    Ok(())
}

/// The map's edges: `from -> to to to`. A line without an arrow continues the one above.
fn allowed(map: &str) -> Result<BTreeMap<&str, BTreeSet<&str>>> {
    let mut edges = BTreeMap::new();
    let mut current = None;
    for line in block(map, "edges")? {
        let to = match line.split_once("->") {
            Some((from, to)) => {
                current = Some(from.trim());
                to
            }
            None => line,
        };
        let from = current.with_context(|| format!("docs/architecture.md: `{line}`"))?;
        edges.entry(from).or_insert_with(BTreeSet::new).extend(to.split_whitespace());
    }
    Ok(edges)
}

/// The dependencies of one crate.
#[derive(Default)]
struct Dependencies {
    /// Crates of the workspace, including dev-dependencies.
    ours: BTreeSet<String>,
    /// Crates of the workspace, without dev-dependencies.
    shipped: BTreeSet<String>,
    /// Foreign crates, including dev-dependencies.
    foreign: BTreeSet<String>,
    /// The crate can be published.
    published: bool,
}

type Edges = BTreeMap<String, Dependencies>;

fn actual(root: &Path) -> Result<Edges> {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(root).args(["metadata", "--format-version", "1", "--no-deps", "--offline"]);
    let metadata: serde_json::Value = serde_json::from_str(&run::output(&mut command)?)?;
    let packages = metadata["packages"].as_array().context("cargo metadata without packages")?;
    let mut edges = Edges::new();
    for package in packages {
        let name = package["name"].as_str().context("a package without a name")?;
        // `publish = false` is an empty list of registries.
        let published = package["publish"].as_array().is_none_or(|list| !list.is_empty());
        let mut found = Dependencies { published, ..Dependencies::default() };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let name = dependency["name"].as_str().unwrap_or_default();
            let Some(short) = name.strip_prefix("muxcl-") else {
                found.foreign.insert(name.to_owned());
                continue;
            };
            found.ours.insert(short.to_owned());
            if dependency["kind"].as_str() != Some("dev") {
                found.shipped.insert(short.to_owned());
            }
        }
        edges.insert(name.strip_prefix("muxcl-").unwrap_or(name).to_owned(), found);
    }
    Ok(edges)
}

fn reachable(edges: &Edges, from: &str) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut waiting = vec![from.to_owned()];
    while let Some(name) = waiting.pop() {
        for to in edges.get(&name).into_iter().flat_map(|found| &found.shipped) {
            if reached.insert(to.clone()) {
                waiting.push(to.clone());
            }
        }
    }
    reached
}
