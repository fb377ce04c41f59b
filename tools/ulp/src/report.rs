//! Writes rows as text, for the terminal and for `docs/accuracy.md`.

use std::fmt::Write as _;

/// The result for one function, type and set of build options.
#[derive(Clone, Debug)]
pub struct Row {
    /// The function.
    pub function: String,
    /// The type.
    pub format: &'static str,
    /// The build options.
    pub options: String,
    /// The specification's bound.
    pub bound: String,
    /// The largest error, in units in the last place.
    pub worst: f64,
    /// The arguments with the largest error.
    pub at: String,
    /// The result for these arguments, and its width.
    pub gives: String,
    /// The number of tried arguments.
    pub tried: u64,
    /// True if all arguments were tried.
    pub all: bool,
    /// The number of results out of bound.
    pub bad: u64,
}

impl Row {
    /// The error as text.
    fn error(&self) -> String {
        if self.worst == f64::INFINITY {
            "wrong".to_owned()
        } else if self.worst >= 1e6 {
            format!("{:.1e}", self.worst)
        } else if self.worst == 0.0 {
            "0".to_owned()
        } else {
            format!("{:.3}", self.worst)
        }
    }

    /// The row as a line for the terminal.
    #[must_use]
    pub fn line(&self) -> String {
        format!(
            "{:<18} {:<6} {:>10} ulp (bound: {}) at {}; {}{} tried{}{}",
            self.function,
            self.format,
            self.error(),
            self.bound,
            self.at,
            if self.all { "all " } else { "" },
            self.tried,
            if self.bad > 0 {
                format!("; OUT OF BOUND: {}, it gives {}", self.bad, self.gives)
            } else {
                String::new()
            },
            if self.options.is_empty() { String::new() } else { format!("  [{}]", self.options) },
        )
    }
}

/// The beginning of `docs/accuracy.md`.
const HEAD: &str = "# Accuracy of the OpenCL C library

Written by `cargo xtask ulp`; do not edit. Errors are in units in the last place, as OpenCL defines
them, against MPFR. \"Bound\" is the specification's (OpenCL 3.0, \"Relative Error as ULPs\", full
profile). Every function is called as a scalar and in one vector width, and both are judged. Unary
functions of `half`, and those marked \"all\", are tried with every argument there is, the others with
special values, every exponent, the ranges where the function is hard, and random bits.

![Largest error of each function in ULP](charts/accuracy.svg)

Marks are the rows of the tables without build options, from left to right. `cargo xtask charts`
draws them.
";

/// The section of one device.
#[must_use]
pub fn section(device: &str, rows: &[Row]) -> String {
    let mut text = format!("## {device}\n");
    let mut options: Vec<&str> = Vec::new();
    for row in rows {
        if !options.contains(&row.options.as_str()) {
            options.push(&row.options);
        }
    }
    for options in options {
        if !options.is_empty() {
            let _ = write!(text, "\n### With `{options}`\n");
        }
        text.push_str(
            "\n| function | type | bound | worst | at | tried |\n|---|---|---|---|---|---|\n",
        );
        for row in rows.iter().filter(|row| row.options == options) {
            let _ = writeln!(
                text,
                "| {} | {} | {} | {}{} | {} | {}{} |",
                row.function,
                row.format,
                row.bound,
                row.error(),
                if row.bad > 0 { " (out of bound)" } else { "" },
                row.at,
                if row.all { "all " } else { "" },
                row.tried
            );
        }
    }
    text
}

/// `old` with the section of `device` replaced or appended.
#[must_use]
pub fn replaced(old: &str, device: &str, section: &str) -> String {
    let mut sections: Vec<(String, String)> = Vec::new();
    for part in old.split("\n## ").skip(1) {
        let name = part.lines().next().unwrap_or_default().to_owned();
        sections.push((name, format!("## {}\n", part.trim_end())));
    }
    match sections.iter_mut().find(|(name, _)| name == device) {
        Some((_, text)) => section.clone_into(text),
        None => sections.push((device.to_owned(), section.to_owned())),
    }
    let mut text = HEAD.to_owned();
    for (_, section) in sections {
        text.push('\n');
        text.push_str(section.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Row, replaced, section};

    #[test]
    fn sections_are_replaced_and_others_stay() {
        let row = |worst| Row {
            function: "sin".to_owned(),
            format: "float",
            options: String::new(),
            bound: "4".to_owned(),
            worst,
            at: "1".to_owned(),
            gives: String::new(),
            tried: 10,
            all: false,
            bad: 0,
        };
        let text = replaced("", "A", &section("A", &[row(1.0)]));
        let text = replaced(&text, "B", &section("B", &[row(2.0)]));
        let text = replaced(&text, "A", &section("A", &[row(3.0)]));
        assert!(
            text.contains("| 3.000 |") && text.contains("| 2.000 |") && !text.contains("| 1.000 |"),
            "{text}"
        );
        assert_eq!(text.matches("\n## ").count(), 2);
        assert!(text.find("## A") < text.find("## B"));
    }
}
