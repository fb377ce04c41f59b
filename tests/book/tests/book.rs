//! One test for each block of code in the documents, and one for the sessions of a page. What
//! happens to a block depends on its language; see `muxcl_test_book`.
//!
//! Needs `cargo build -p muxcl-icd -p muxcl-compiler-process`. Sessions that need more than this
//! repository run on request: `BOOK_TOOLS=pyopencl,gdb cargo test -p muxcl-test-book`.

#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;

use anyhow::{Context as _, Result, bail, ensure};
use libtest_mimic::Trial;
use muxcl_client::{Context, Device, Platform};
use muxcl_test_book::{Block, DOCTESTS, blocks, without};
use muxcl_test_doc_sessions::{Page, Step};
use muxcl_test_kernels::directive::File;
use muxcl_test_kernels::driver;
use muxcl_test_kernels::execute::{Variant, execute};

/// Languages that `cargo xtask tidy` reads, in one page.
const OF_TIDY: (&str, [&str; 4]) =
    ("docs/architecture.md", ["edges", "unsafe", "long-files", "long-lines"]);

fn main() -> ExitCode {
    // SAFETY: no thread has been started yet.
    unsafe { muxcl_client::set_variable("MUXCL_DEVICES", "host") };
    // SAFETY: as above.
    unsafe { driver::run(trials) }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// What blocks are checked against.
struct Facts {
    root: PathBuf,
    device: Device,
    /// Commands of `cargo xtask`.
    commands: BTreeSet<String>,
    /// Packages of the workspace.
    packages: BTreeSet<String>,
    /// The page about environment variables.
    environment: String,
}

fn trials() -> Result<Vec<Trial>> {
    let root = root();
    let platforms = Platform::all()?;
    let device =
        *platforms.first().context("no platform")?.devices()?.first().context("a device")?;
    let main = fs::read_to_string(root.join("tools/xtask/src/main.rs"))?;
    let facts = Arc::new(Facts {
        device,
        commands: commands(&main)?,
        packages: packages(&root)?,
        environment: fs::read_to_string(root.join("docs/env.md"))?,
        root,
    });
    let mut trials = Vec::new();
    for page in pages(&facts.root)? {
        let text = fs::read_to_string(facts.root.join(&page))?;
        let found = blocks(&text).context(page.clone())?;
        let left_out = |block: &Block| !has_all(&block.needs) || block.not_run.is_some();
        let has_session = found.iter().any(|b| b.language == "console" && !left_out(b));
        let rest = without(&text, &left_out)?;
        for block in found {
            let (facts, page) = (Arc::clone(&facts), page.clone());
            let checked = block.language == "console" || (block.is_file && has_session);
            if block.not_run.is_none() && !checked {
                let name = format!("{page}:{} {}", block.line, block.language);
                trials.push(driver::trial(&name, move || check(&facts, &page, &block)));
            }
        }
        if has_session {
            let root = facts.root.clone();
            let name = format!("{page} console");
            trials.push(driver::trial(&name, move || sessions(&root, &page, &rest)));
        }
    }
    // As many as there were when this was written: pages and blocks are found.
    ensure!(trials.len() > 40, "only {} blocks", trials.len());
    Ok(trials)
}

/// True if the user has named all of `needs`.
#[expect(
    clippy::disallowed_methods,
    reason = "a switch of tests, as in the file tests; the driver does not read it"
)]
fn has_all(needs: &[String]) -> bool {
    let named = std::env::var("BOOK_TOOLS").unwrap_or_default();
    needs.iter().all(|need| named.split(',').any(|name| name.trim() == need))
}

/// The documents: the book, and what is beside the code.
fn pages(root: &Path) -> Result<Vec<String>> {
    let mut pages = vec!["README.md".to_owned(), "CHANGELOG.md".to_owned()];
    let mut folders = vec![root.join("docs"), root.join("conformance"), root.join("builtins")];
    for entry in fs::read_dir(root.join("crates"))? {
        folders.push(entry?.path());
    }
    while let Some(folder) = folders.pop() {
        let below_docs = folder.starts_with(root.join("docs"));
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() && below_docs {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "md") {
                pages.push(path.strip_prefix(root)?.display().to_string());
            }
        }
    }
    pages.sort();
    Ok(pages)
}

fn check(facts: &Facts, page: &str, block: &Block) -> Result<()> {
    let text = block.text.as_str();
    match block.language.as_str() {
        "c" if text.contains("// run:") => {
            execute(facts.device, &File::parse(text)?, Variant::Source)
        }
        "c" => Ok(Context::new(facts.device)?.build(facts.device, text, "").map(drop)?),
        "c++" => {
            let headers = facts.root.join("crates/hal-abi/include");
            let include = format!("-I{}", headers.display());
            let text = format!("#include \"hal_riscv.h\"\n{text}");
            let flags = ["-std=c++17", "-Wall", "-Werror", "-fsyntax-only", &include, "-xc++", "-"];
            takes("g++", &flags, &text)
        }
        "python" => takes("python3", &["-c", "import ast, sys; ast.parse(sys.stdin.read())"], text),
        "rust" => {
            let (_, listed) = DOCTESTS
                .iter()
                .find(|(name, _)| *name == page)
                .context("DOCTESTS of tests/book does not list the page")?;
            ensure!(listed.contains(text.trim_end()), "the page has changed since the build");
            ensure!(block.attributes.is_empty(), "`{}` without a reason", block.attributes);
            Ok(())
        }
        "sh" => takes("bash", &["-n"], text).and_then(|()| facts.names(text)),
        "json" => Ok(serde_json::from_str::<serde_json::Value>(text).map(drop)?),
        "toml" => Ok(text.parse::<toml::Table>().map(drop)?),
        "text" => Ok(()),
        other if page == OF_TIDY.0 && OF_TIDY.1.contains(&other) => Ok(()),
        "" => bail!("the block has no language; `text` is for what is no code"),
        other => bail!("nothing is known about the language `{other}`"),
    }
}

/// Runs a program with `text` as its input.
fn takes(program: &str, arguments: &[&str], text: &str) -> Result<()> {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| program.to_owned())?;
    child.stdin.take().context("the input is a pipe")?.write_all(text.as_bytes())?;
    let output = child.wait_with_output()?;
    ensure!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

impl Facts {
    /// Checks the names in shell commands: of `cargo xtask`, of packages, of variables.
    fn names(&self, text: &str) -> Result<()> {
        // `cargo xtask new-hal NAME` makes a package.
        let mut packages = self.packages.clone();
        for line in text.lines() {
            let line = line.split(" # ").next().unwrap_or_default();
            let words: Vec<&str> = line.split_whitespace().collect();
            for pair in words.windows(2) {
                match *pair {
                    ["xtask", command] => {
                        let known = self.commands.contains(command);
                        ensure!(known, "`cargo xtask {command}` does not exist");
                    }
                    ["new-hal", name] => {
                        packages.insert(format!("muxcl-hal-{name}"));
                    }
                    ["-p" | "--package", package] if words.contains(&"cargo") => {
                        ensure!(packages.contains(package), "there is no package {package}");
                    }
                    _ => {}
                }
            }
            for word in line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
                let ours = ["MUXCL_", "CA_", "HAL_"].iter().any(|start| word.starts_with(start));
                let known = self.environment.contains(&format!("`{word}"));
                ensure!(!ours || known, "docs/env.md has no variable {word}");
            }
        }
        Ok(())
    }
}

/// The commands of `cargo xtask`: the variants of its enumeration, as clap names them.
fn commands(main: &str) -> Result<BTreeSet<String>> {
    let (_, rest) = main.split_once("enum Command {").context("xtask has an enum Command")?;
    let (variants, _) = rest.split_once("\n}").context("the enum ends")?;
    let mut names = BTreeSet::new();
    for line in variants.lines().map(str::trim) {
        if !line.starts_with(|c: char| c.is_ascii_uppercase()) {
            continue;
        }
        let name = line.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        let mut kebab = String::new();
        for c in name.chars() {
            if c.is_ascii_uppercase() && !kebab.is_empty() {
                kebab.push('-');
            }
            kebab.push(c.to_ascii_lowercase());
        }
        names.insert(kebab);
    }
    ensure!(names.contains("new-hal") && names.contains("test"), "{names:?}");
    Ok(names)
}

fn packages(root: &Path) -> Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for folder in ["crates", "tools", "tests", "."] {
        for entry in fs::read_dir(root.join(folder))? {
            let manifest = entry?.path().join("Cargo.toml");
            let Ok(text) = fs::read_to_string(manifest) else { continue };
            let table: toml::Table = text.parse()?;
            let name = table.get("package").and_then(|package| package.get("name"));
            names.extend(name.and_then(toml::Value::as_str).map(str::to_owned));
        }
    }
    ensure!(names.contains("muxcl-icd") && names.contains("muxcl-clik"), "{names:?}");
    Ok(names)
}

/// Runs the sessions of a page, from its `text`. The files of the pages beside it are there, too.
fn sessions(root: &Path, page: &str, text: &str) -> Result<()> {
    let folder = root.join(page).parent().context("a page lies in a folder")?.to_owned();
    let mut beside: Vec<PathBuf> =
        fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    beside.sort();
    let mut all = Page::default();
    for other in beside.iter().filter(|path| path.extension().is_some_and(|end| end == "md")) {
        let steps = Page::parse(&fs::read_to_string(other)?)?.steps;
        all.steps.extend(steps.into_iter().filter(|step| matches!(step, Step::File { .. })));
    }
    all.steps.extend(Page::parse(text)?.steps);
    let program = std::env::current_exe()?;
    let built = program.ancestors().nth(2).context("the folder of programs")?.to_owned();
    // The host, and a device that is the same on every machine.
    let devices =
        [("MUXCL_DEVICES", "host,hal"), ("CA_HAL_DEVICE", "refsi"), ("HAL_REFSI_SOC", "g1")];
    all.run(&[built], &devices)
}
