//! A page's sessions and files, from Markdown.

use anyhow::{Context as _, Result, bail, ensure};

/// The language of sessions.
const LANGUAGE: &str = "console";

/// The comment that lets numbers vary.
const NUMBERS: &str = "<!-- numbers vary -->";

/// Something that a page's test does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Writes a file.
    File {
        /// Its name in the sessions' folder.
        name: String,
        /// Its content.
        text: String,
    },
    /// Runs a command.
    Command {
        /// The command's line in the page, from 1.
        line: usize,
        /// The text for the shell.
        command: String,
        /// What the page says that it prints; each line ends with a newline.
        expected: String,
        /// Numbers may differ.
        any_numbers: bool,
    },
}

/// The steps of a page, in their order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Page {
    /// The steps.
    pub steps: Vec<Step>,
}

/// What the comment above a block says.
enum Note {
    File(String),
    Numbers,
    Nothing,
}

impl Note {
    fn of(line: &str) -> Self {
        match line.strip_prefix("<!-- file: ").and_then(|rest| rest.strip_suffix(" -->")) {
            Some(name) => Self::File(name.trim().to_owned()),
            None if line == NUMBERS => Self::Numbers,
            None => Self::Nothing,
        }
    }
}

/// The backquotes that begin a block and the block's language. The block ends with as many.
fn fence(line: &str) -> Option<(&str, &str)> {
    let count = line.bytes().take_while(|b| *b == b'`').count();
    (count >= 3).then(|| line.split_at(count))
}

impl Page {
    /// Reads the steps of a page.
    ///
    /// # Errors
    /// A block has no end, a file's comment has no block below it, or output precedes the first
    /// command of a session. A session that is indented, as in a list, would not be found; it is an
    /// error, too.
    pub fn parse(text: &str) -> Result<Self> {
        let mut page = Self::default();
        let mut note = Note::Nothing;
        let mut lines = (1..).zip(text.lines());
        while let Some((number, line)) = lines.next() {
            if line.trim().is_empty() {
                continue;
            }
            let above = std::mem::replace(&mut note, Note::Nothing);
            let Some((fence, language)) = fence(line) else {
                if let Note::File(name) = above {
                    bail!("line {number}: not the block of the file `{name}`");
                }
                let indented = line.trim_start().strip_prefix("```");
                ensure!(indented != Some(LANGUAGE), "line {number}: a session is not indented");
                note = Note::of(line);
                continue;
            };
            let mut block = Vec::new();
            loop {
                match lines.next() {
                    Some((_, line)) if line == fence => break,
                    Some(line) => block.push(line),
                    None => bail!("line {number}: the block has no end"),
                }
            }
            match above {
                Note::File(name) => {
                    let text = block.iter().flat_map(|(_, line)| [*line, "\n"]).collect();
                    page.steps.push(Step::File { name, text });
                }
                note if language == LANGUAGE => {
                    page.session(&block, matches!(note, Note::Numbers))?;
                }
                _ => {}
            }
        }
        if let Note::File(name) = note {
            bail!("the file `{name}` has no block");
        }
        Ok(page)
    }

    fn session(&mut self, block: &[(usize, &str)], any_numbers: bool) -> Result<()> {
        let first = self.steps.len();
        let mut lines = block.iter();
        while let Some(&(line, text)) = lines.next() {
            if let Some(start) = text.strip_prefix("$ ") {
                let mut command = start.to_owned();
                while command.ends_with('\\') {
                    let (_, more) = lines
                        .next()
                        .with_context(|| format!("line {line}: the command does not end"))?;
                    command.pop();
                    command.push_str(more.trim_start());
                }
                let expected = String::new();
                self.steps.push(Step::Command { line, command, expected, any_numbers });
            } else {
                match self.steps.get_mut(first..).and_then(<[Step]>::last_mut) {
                    Some(Step::Command { expected, .. }) => {
                        expected.push_str(text);
                        expected.push('\n');
                    }
                    _ => bail!("line {line}: a session begins with `$ command`"),
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_files_and_notes_are_read() {
        let text = "\
# Page\n\
<!-- file: a.cl -->\n\n```c\nkernel void k() {}\n```\n\
<!-- numbers vary -->\n```console\n$ one \\\n    two\nout\nput\n$ three\n```\n\
```c\nnot a file\n```\n\
```console\n$ four\n```\n";
        let command = |line, command: &str, expected: &str, any_numbers| Step::Command {
            line,
            command: command.to_owned(),
            expected: expected.to_owned(),
            any_numbers,
        };
        let file = Step::File { name: "a.cl".to_owned(), text: "kernel void k() {}\n".to_owned() };
        assert_eq!(
            Page::parse(text).unwrap().steps,
            [
                file,
                command(9, "one two", "out\nput\n", true),
                command(13, "three", "", true),
                command(19, "four", "", false),
            ]
        );
    }

    #[test]
    fn a_longer_fence_shows_a_session_without_running_it() {
        let text = "````text\n```console\n$ no\n```\n````\n```console\n$ yes\n```\n";
        let page = Page::parse(text).unwrap();
        assert!(matches!(&page.steps[..], [Step::Command { command, .. }] if command == "yes"));
    }

    #[test]
    fn broken_blocks_are_errors() {
        for (text, about) in [
            ("```console\n$ a\n", "no end"),
            ("```console\nout\n```\n", "begins with"),
            ("```console\n$ a \\\n```\n", "does not end"),
            ("* item\n  ```console\n  $ a\n  ```\n", "indented"),
            ("<!-- file: a -->\ntext\n```text\nb\n```\n", "not the block of the file `a`"),
            ("<!-- file: a -->\n", "no block"),
        ] {
            let error = Page::parse(text).unwrap_err().to_string();
            assert!(error.contains(about), "{text}: {error}");
        }
    }
}
