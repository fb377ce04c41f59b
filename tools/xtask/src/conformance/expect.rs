//! Expectation files: the sub-tests that are known to fail or to be skipped, with reasons.

use std::path::Path;

use anyhow::{Result, bail};
use globset::{Glob, GlobMatcher};
use serde::de::{Deserialize as _, Deserializer, Error as _};

use super::runner::Status;

/// An expectation file. A sub-test that matches no entry is expected to pass; if several entries
/// match, the last one counts.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Expectations {
    /// Another file of the folder whose entries come before this one's.
    inherits: Option<String>,
    #[serde(default)]
    expect: Vec<Entry>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// `suite/name`, with `*` for any text.
    #[serde(deserialize_with = "pattern")]
    test: GlobMatcher,
    /// The expected outcome. `["skip", "pass"]`: the machine determines which.
    status: Statuses,
    /// The reason, in words that a user understands.
    reason: String,
}

#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Statuses {
    One(Status),
    Any(Vec<Status>),
}

impl Statuses {
    fn contains(&self, status: Status) -> bool {
        match self {
            Self::One(one) => *one == status,
            Self::Any(any) => any.contains(&status),
        }
    }
}

/// A result compared with the expectations.
pub(super) enum Verdict<'a> {
    /// The sub-test passed, as expected.
    Passes,
    /// The sub-test did not pass, as expected, for this reason.
    Known(&'a str),
    /// The sub-test did not pass, unexpectedly.
    Failure,
    /// The outcome differs from the file's entry, which has this reason.
    Changed(&'a str),
}

impl Verdict<'_> {
    pub(super) fn is_unexpected(&self) -> bool {
        matches!(self, Self::Failure | Self::Changed(_))
    }

    pub(super) fn remark(&self) -> String {
        match self {
            Self::Passes => String::new(),
            Self::Known(reason) => format!("  (expected: {reason})"),
            Self::Failure => "  UNEXPECTED".to_owned(),
            Self::Changed(reason) => format!("  UNEXPECTED, the expectation file says: {reason}"),
        }
    }
}

impl Expectations {
    pub(super) fn read(path: &Path) -> Result<Self> {
        let mut expectations: Self = super::read_toml(path)?;
        if let Some(base) = &expectations.inherits {
            let base: Self = super::read_toml(&path.with_file_name(base))?;
            if base.inherits.is_some() {
                bail!("{}: the inherited file inherits from another one", path.display());
            }
            expectations.expect.splice(0..0, base.expect);
        }
        if let Some(entry) = expectations.expect.iter().find(|entry| entry.reason.trim().is_empty())
        {
            bail!("{}: {} has no reason", path.display(), entry.test.glob());
        }
        Ok(expectations)
    }

    pub(super) fn judge(&self, id: &str, status: Status) -> Verdict<'_> {
        match self.expect.iter().rev().find(|entry| entry.test.is_match(id)) {
            Some(entry) if entry.status.contains(status) => Verdict::Known(&entry.reason),
            Some(entry) => Verdict::Changed(&entry.reason),
            None if status == Status::Pass => Verdict::Passes,
            None => Verdict::Failure,
        }
    }

    /// The file's reason for `id`, if an entry matches.
    pub(super) fn reason(&self, id: &str) -> Option<&str> {
        self.expect
            .iter()
            .rev()
            .find(|entry| entry.test.is_match(id))
            .map(|entry| entry.reason.as_str())
    }
}

/// Reads a pattern of an expectation file.
fn pattern<'de, D: Deserializer<'de>>(from: D) -> Result<GlobMatcher, D::Error> {
    let text = String::deserialize(from)?;
    Glob::new(&text).map(|glob| glob.compile_matcher()).map_err(D::Error::custom)
}

/// True if `text` matches `pattern`, in which `*` stands for any text. A malformed pattern matches
/// nothing.
pub(super) fn matches(pattern: &str, text: &str) -> bool {
    Glob::new(pattern).is_ok_and(|glob| glob.compile_matcher().is_match(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_text() {
        for (pattern, text, expected) in [
            ("basic/*", "basic/x", true),
            ("basic/*", "basicx", false),
            ("*image*", "basic/arrayimagecopy", true),
            ("*/a*b*c", "s/axbyc", true),
            ("*/a*b*c", "s/axbycd", false),
            ("a", "ab", false),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn unexpected_pass_is_reported() {
        let file: Expectations =
            toml::from_str("[[expect]]\ntest = \"a/*\"\nstatus = \"fail\"\nreason = \"r\"\n")
                .unwrap();
        assert!(file.judge("a/x", Status::Pass).is_unexpected());
        assert!(!file.judge("a/x", Status::Fail).is_unexpected());
        assert!(file.judge("a/x", Status::Crash).is_unexpected());
        assert!(file.judge("b/x", Status::Skip).is_unexpected());
        assert!(!file.judge("b/x", Status::Pass).is_unexpected());
    }
}
