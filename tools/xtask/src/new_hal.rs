//! `new-hal NAME`: a HAL crate from the template `crates/hal-null`, ready to build and to pass
//! `clik run --hal NAME`.
//!
//! Invariant: no existing file is overwritten. Inside the repository the crate becomes
//! `crates/hal-NAME` and the architecture's map gets a line for it; elsewhere it is a workspace of
//! its own that uses this repository's crates. Not here: the template's text.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::run;

/// Arguments of `new-hal`.
#[derive(clap::Args)]
pub(crate) struct NewHalArgs {
    /// The HAL's name: small letters, digits and `_`. The library becomes libhal_NAME.so.
    name: String,
    /// A folder for the crate, outside this repository; default `crates/hal-NAME` in it.
    #[arg(long)]
    at: Option<PathBuf>,
}

/// Writes the crate and prints the next steps.
pub(crate) fn new_hal(args: &NewHalArgs) -> Result<()> {
    let name = &args.name;
    let root = run::root();
    let in_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if !name.starts_with(|c: char| c.is_ascii_lowercase())
        || !name.chars().all(in_name)
        || name == "null"
    {
        bail!("`{name}`: a name begins with a small letter; small letters, digits and _ follow");
    }
    let folder = args.at.clone().unwrap_or_else(|| root.join("crates").join(format!("hal-{name}")));
    if folder.exists() {
        bail!("{} exists", folder.display());
    }
    let template = root.join("crates/hal-null");
    let read = |file: &str| {
        fs::read_to_string(template.join(file)).with_context(|| format!("the template's {file}"))
    };
    let mut manifest = read("Cargo.toml")?.replace("muxcl-hal-null", &format!("muxcl-hal-{name}"));
    manifest = manifest.replace("hal_null", &format!("hal_{name}"));
    manifest =
        replaced(&manifest, "description = ", &format!("description = \"The HAL of {name}.\""))
            .join("\n")
            + "\n";
    let own = read("src/lib.rs")?
        .replace("NullHal", "TheHal")
        .replace("Null RV64", &format!("{name} RV64"));
    let own = own.replace("muxcl null", name);
    fs::create_dir_all(folder.join("src")).with_context(|| folder.display().to_string())?;
    if args.at.is_some() {
        manifest = standalone(&manifest, &root)?;
        // The lock file selects the same versions of the dependencies.
        fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).context("Cargo.lock")?;
    } else {
        add_to_map(&root.join("docs/architecture.md"), name)?;
        println!("docs/architecture.md: the map has a line for hal-{name}");
    }
    fs::write(folder.join("Cargo.toml"), manifest)?;
    fs::write(folder.join("src/lib.rs"), own)?;
    println!("{}: created. Next:", folder.display());
    match args.at {
        None => println!(
            "  cargo build -p muxcl-hal-{name} -p muxcl-clik\n  \
            target/debug/clik run --hal {name} hello"
        ),
        Some(_) => println!(
            "  (cd {0} && cargo build)\n  clik run --hal {0}/target/debug/libhal_{name}.so hello",
            folder.display()
        ),
    }
    println!("docs/howto/add-hal.md explains the next steps");
    Ok(())
}

/// Replaces the lines that begin with `start`.
fn replaced(text: &str, start: &str, by: &str) -> Vec<String> {
    text.lines()
        .map(|line| if line.starts_with(start) { by.to_owned() } else { line.to_owned() })
        .collect()
}

/// The manifest outside the workspace, with explicit versions and paths.
fn standalone(manifest: &str, root: &Path) -> Result<String> {
    let mut out = String::new();
    let workspace: toml::Table =
        fs::read_to_string(root.join("Cargo.toml"))?.parse().context("Cargo.toml")?;
    let package = |key: &str| workspace["workspace"]["package"][key].to_string();
    for line in manifest.lines() {
        if line == "[lints]" || line == "workspace = true" {
            continue;
        }
        match line.split_once(".workspace = true") {
            Some((name, _)) if name.starts_with("muxcl-") => {
                let path = workspace["workspace"]["dependencies"][name]["path"].as_str();
                let path = root.join(path.with_context(|| format!("{name} has no path"))?);
                out.push_str(&format!("{name} = {{ path = {:?} }}\n", path.display().to_string()));
            }
            Some((key, _)) => out.push_str(&format!("{key} = {}\n", package(key))),
            None => out.push_str(&format!("{line}\n")),
        }
    }
    // The template runs kernels in the simulator, which is slow without optimisation.
    let fast = |name: &str| format!("[profile.dev.package.{name}]\nopt-level = 2\n");
    let debug = "[profile.dev]\ndebug = \"line-tables-only\"\n";
    out.push_str(&format!(
        "\n{debug}{}{}\n[workspace]\n",
        fast("muxcl-rv-sim"),
        fast("muxcl-rv-isa")
    ));
    Ok(out)
}

/// Adds the new crate to the map, with the template's edges.
fn add_to_map(map: &Path, name: &str) -> Result<()> {
    let text = fs::read_to_string(map)?;
    let line = text
        .lines()
        .find(|l| l.starts_with("hal-null -> "))
        .context("the map has no line for hal-null")?;
    let own = line.replace("hal-null", &format!("hal-{name}"));
    fs::write(map, text.replace(line, &format!("{line}\n{own}")))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_hal_builds_and_says_hello() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().join("hal");
        let args = NewHalArgs { name: "trial_1".to_owned(), at: Some(folder.clone()) };
        new_hal(&args).unwrap();
        assert!(new_hal(&args).is_err(), "it is there already");
        let target = run::root().join("target");
        let mut build = run::cargo();
        build
            .current_dir(&folder)
            .args(["build", "--quiet", "--offline", "--target-dir"])
            .arg(&target);
        run::check(&mut build).unwrap();
        let mut clik = run::cargo();
        clik.args([
            "run",
            "--quiet",
            "--package",
            "muxcl-clik",
            "--bin",
            "clik",
            "--",
            "run",
            "hello",
            "--hal",
        ]);
        let text = run::output(clik.arg(target.join("debug/libhal_trial_1.so"))).unwrap();
        assert!(text.contains("trial_1 RV64") && text.contains("2 passed, 0 failed"), "{text}");
    }

    #[test]
    fn names_are_checked_and_the_map_is_kept() {
        for name in ["", "null", "Big", "1st", "a-b", "a/b"] {
            assert!(
                new_hal(&NewHalArgs { name: name.to_owned(), at: Some("/nowhere".into()) })
                    .is_err(),
                "{name}"
            );
        }
        let scratch = tempfile::tempdir().unwrap();
        let copy = scratch.path().join("map.md");
        fs::copy(run::root().join("docs/architecture.md"), &copy).unwrap();
        add_to_map(&copy, "fresh").unwrap();
        let text = fs::read_to_string(&copy).unwrap();
        assert!(text.contains("\nhal-fresh -> hal"));
    }

    #[test]
    fn the_template_stays_short() {
        let text = fs::read_to_string(run::root().join("crates/hal-null/src/lib.rs")).unwrap();
        assert!(text.lines().count() < 150, "a template of {} lines", text.lines().count());
    }
}
