//! The build log as a compiler prints it: with the names of files, and with colours.
//!
//! Not here: the text, which is clang's and the compiler's.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Effects, Style};
use muxcl_types::options::SOURCE_NAME;

const BOLD: Style = Style::new().effects(Effects::BOLD);
const ERROR: Style = AnsiColor::BrightRed.on_default().effects(Effects::BOLD);
const WARNING: Style = AnsiColor::BrightMagenta.on_default().effects(Effects::BOLD);
const NOTE: Style = AnsiColor::BrightCyan.on_default().effects(Effects::BOLD);
const CARET: Style = AnsiColor::BrightGreen.on_default().effects(Effects::BOLD);

/// Words that begin a message, in the order in which a line is searched for them.
const KINDS: [(&str, Style); 4] =
    [("fatal error: ", ERROR), ("error: ", ERROR), ("warning: ", WARNING), ("note: ", NOTE)];

/// The log with the file's name in the place of the source's. Messages without a place begin with
/// the file's name, or with that of this program if they are not about one file. Each line ends
/// with a newline.
#[must_use]
pub fn named(log: &str, file: Option<&str>) -> String {
    let mut text = String::new();
    for line in log.lines() {
        if KINDS.iter().any(|(kind, _)| line.starts_with(kind)) {
            text.push_str(file.unwrap_or("clc"));
            text.push_str(": ");
        }
        match file {
            Some(file) => text.push_str(&line.replace(SOURCE_NAME, file)),
            None => text.push_str(line),
        }
        text.push('\n');
    }
    text
}

/// The log with escape sequences for colours, in the manner of clang.
#[must_use]
pub fn colored(log: &str) -> String {
    let mut text = String::new();
    for line in log.lines() {
        // Writing to a String cannot fail.
        let _ = match (message(line), is_marks(line)) {
            (Some((place, kind, style, rest)), _) => {
                writeln!(text, "{BOLD}{place}{BOLD:#}{style}{kind}{style:#}{BOLD}{rest}{BOLD:#}")
            }
            (None, true) => writeln!(text, "{CARET}{line}{CARET:#}"),
            (None, false) => writeln!(text, "{line}"),
        };
    }
    text
}

/// Splits a message into its place (`a.cl:3:5: `), its kind (`error: `), the kind's style, and the
/// text. `None` for a line that is no message.
fn message(line: &str) -> Option<(&str, &str, Style, &str)> {
    KINDS.iter().find_map(|(kind, style)| {
        let at = line.find(kind)?;
        let place = &line[..at];
        // A place ends with `: `; the other messages have none.
        (place.is_empty() || place.ends_with(": "))
            .then(|| (place, *kind, *style, &line[at + kind.len()..]))
    })
}

/// True for the line below a source line that marks a part of it: `      |   ^~~~`.
fn is_marks(line: &str) -> bool {
    let marks = line.trim_start().strip_prefix('|').unwrap_or("");
    marks.contains('^') && marks.chars().all(|c| matches!(c, ' ' | '^' | '~'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "<program source>:1:5: error: no x\n    1 | int error: y;\n      |     ^~\n";

    #[test]
    fn files_have_their_names() {
        assert!(named(LOG, Some("a.cl")).starts_with("a.cl:1:5: error: no x\n"));
        assert_eq!(named("error: no kernel", Some("a.cl")), "a.cl: error: no kernel\n");
        assert_eq!(named("error: no symbol\n", None), "clc: error: no symbol\n");
    }

    #[test]
    fn messages_and_marks_have_colors_and_source_lines_do_not() {
        let text = colored(&named(LOG, Some("a.cl")));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "\x1b[1ma.cl:1:5: \x1b[0m\x1b[1m\x1b[91merror: \x1b[0m\x1b[1mno x\x1b[0m"
        );
        assert_eq!(lines[1], "    1 | int error: y;");
        assert_eq!(lines[2], "\x1b[1m\x1b[92m      |     ^~\x1b[0m");
        assert_eq!(anstream::adapter::strip_str(&text).to_string(), named(LOG, Some("a.cl")));
    }
}
