//! Runs the terminal sessions of a Markdown page and compares what they print with the page.
//!
//! * A fenced block of the language `console` is a session. A line `$ command` runs in `sh`; a
//!   command that ends with `\` continues on the next line. The lines up to the next command are
//!   its output, of both streams. If the command fails, a line `[status N]` follows.
//! * `...` stands for any text within a line, and on a line of its own for any number of lines.
//! * Below the line `<!-- numbers vary -->`, each number of the block stands for any number.
//! * Below the line `<!-- file: NAME -->`, the block is the content of a file, which is written
//!   before the later sessions run.
//!
//! The sessions of a page run in their order, in one folder that is empty at first. Each command
//! has a shell of its own, and at most [`SECONDS`]. Invariant: a page without a session is an
//! error, so that a misspelt language is found. Not here: which programs a page needs (the tests
//! of these programs).
//!
//! # Examples
//! ```
//! use muxcl_test_doc_sessions::Page;
//!
//! let text = "\
//! <!-- file: names -->\n```text\nAda\nBob\n```\n\
//! ```console\n$ wc -l < names\n2\n```\n";
//! Page::parse(text)?.run(&[], &[])?;
//! # Ok::<(), anyhow::Error>(())
//! ```

mod compare;
mod page;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail, ensure};

pub use compare::matches;
pub use page::{Page, Step};

/// The time for a command, in seconds. A command that takes longer ends with status 124.
pub const SECONDS: u32 = 120;

/// Runs the sessions of the page at `path`. `folders` precede the others in `PATH`; `variables` are
/// set for all commands.
///
/// # Errors
/// The page cannot be read, has no session, or a command prints something else.
pub fn check(path: &Path, folders: &[PathBuf], variables: &[(&str, &str)]) -> Result<()> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let page = Page::parse(&text).with_context(|| path.display().to_string())?;
    page.run(folders, variables).with_context(|| path.display().to_string())
}

impl Page {
    /// Runs the sessions. `folders` precede the others in `PATH`; `variables` are set for all
    /// commands.
    ///
    /// # Errors
    /// The page has no session, or a command prints something else.
    pub fn run(&self, folders: &[PathBuf], variables: &[(&str, &str)]) -> Result<()> {
        let commands = self.steps.iter().filter(|step| matches!(step, Step::Command { .. }));
        ensure!(commands.count() > 0, "the page has no command in a ```console block");
        let scratch = tempfile::tempdir()?;
        let path = search_path(folders)?;
        for step in &self.steps {
            match step {
                Step::File { name, text } => {
                    let plain = Path::new(name).file_name() == Some(name.as_ref());
                    ensure!(plain, "`{name}` is not the name of a file in the session's folder");
                    std::fs::write(scratch.path().join(name), text)?;
                }
                Step::Command { line, command, expected, any_numbers } => {
                    let found = output(command, scratch.path(), &path, variables)?;
                    if !matches(expected, &found, *any_numbers) {
                        bail!(
                            "line {line}: `{command}` prints something else\n\
                             ---- expected\n{expected}---- found\n{found}----"
                        );
                    }
                }
            }
        }
        Ok(())
    }
}

#[expect(clippy::disallowed_methods, reason = "the search path of programs is the system's")]
fn search_path(folders: &[PathBuf]) -> Result<std::ffi::OsString> {
    let old = std::env::var_os("PATH").unwrap_or_default();
    let all = folders.iter().cloned().chain(std::env::split_paths(&old));
    std::env::join_paths(all).context("a folder's name contains a colon")
}

/// What a command prints, with its status if it fails.
fn output(
    command: &str,
    folder: &Path,
    path: &std::ffi::OsStr,
    variables: &[(&str, &str)],
) -> Result<String> {
    // Braces, so that the redirection is that of the whole line.
    let output = Command::new("timeout")
        .args([&SECONDS.to_string(), "sh", "-c", &format!("{{ {command}\n}} 2>&1")])
        .current_dir(folder)
        .env("PATH", path)
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .output()
        .context("timeout, of coreutils")?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    if !output.status.success() {
        let status = output.status.code().map_or_else(|| "signal".to_owned(), |c| c.to_string());
        text.push_str(&format!("[status {status}]\n"));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str) -> Result<()> {
        Page::parse(text)?.run(&[], &[("ANSWER", "42")])
    }

    #[test]
    fn sessions_share_a_folder_and_see_variables() {
        run("```console\n$ echo $ANSWER > a\n```\ntext\n```console\n$ cat a\n42\n```\n").unwrap();
    }

    #[test]
    fn other_output_is_an_error_that_shows_both() {
        let error = run("```console\n$ echo a\nb\n```\n").unwrap_err().to_string();
        assert!(error.contains("line 2") && error.contains("expected\nb"), "{error}");
        assert!(error.contains("found\na"), "{error}");
        assert!(run("```console\n$ echo a\n```\n").is_err(), "unexpected output");
        assert!(run("```console\n$ true\na\n```\n").is_err(), "missing output");
    }

    #[test]
    fn a_failure_is_part_of_the_output() {
        run("```console\n$ echo no >&2; exit 3\nno\n[status 3]\n```\n").unwrap();
        assert!(run("```console\n$ false\n```\n").is_err());
    }

    #[test]
    fn programs_of_the_given_folders_come_first() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/bin/echo", folder.path().join("ls")).unwrap();
        let page = Page::parse("```console\n$ ls mine\nmine\n```\n").unwrap();
        page.run(&[folder.path().to_owned()], &[]).unwrap();
        assert!(page.run(&[], &[]).is_err());
    }

    #[test]
    fn files_stay_in_the_folder() {
        for name in ["../a", "/tmp/a", "..", "a/b", "."] {
            let page = format!("<!-- file: {name} -->\n```text\nb\n```\n```console\n$ true\n```\n");
            let error = run(&page).unwrap_err().to_string();
            assert!(error.contains("not the name of a file"), "{error}");
        }
    }

    #[test]
    fn a_page_without_sessions_is_an_error() {
        assert!(run("```sh\n$ true\n```\n").is_err());
    }
}
