//! Expectation files: which sub-tests are known not to pass, and why.

use std::path::Path;

use anyhow::{Result, bail};

use super::runner::Status;

/// An expectation file. What no entry matches is expected to pass; of several entries that match,
/// the last one counts.
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
    test: String,
    /// What comes out. `["skip", "pass"]` is for sub-tests that depend on the machine.
    status: Statuses,
    /// Why, in words a user understands.
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

/// What the expectations say of one result.
pub(super) enum Verdict<'a> {
    /// It passed, as it should.
    Passes,
    /// It did not pass, and that is known.
    Known(&'a str),
    /// It should have passed.
    Failure,
    /// It passed, or failed in another way than the file says.
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
                bail!("{}: one step of inheritance is enough", path.display());
            }
            expectations.expect.splice(0..0, base.expect);
        }
        if let Some(entry) = expectations.expect.iter().find(|entry| entry.reason.trim().is_empty())
        {
            bail!("{}: {} has no reason", path.display(), entry.test);
        }
        Ok(expectations)
    }

    pub(super) fn judge(&self, id: &str, status: Status) -> Verdict<'_> {
        match self.expect.iter().rev().find(|entry| glob(&entry.test, id)) {
            Some(entry) if entry.status.contains(status) => Verdict::Known(&entry.reason),
            Some(entry) => Verdict::Changed(&entry.reason),
            None if status == Status::Pass => Verdict::Passes,
            None => Verdict::Failure,
        }
    }

    /// The reason the file gives for `id`, if it mentions it.
    pub(super) fn reason(&self, id: &str) -> Option<&str> {
        self.expect
            .iter()
            .rev()
            .find(|entry| glob(&entry.test, id))
            .map(|entry| entry.reason.as_str())
    }
}

/// Whether `text` matches `pattern`, in which `*` stands for any text.
pub(super) fn glob(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((head, tail)) => text.strip_prefix(head).is_some_and(|rest| {
            (0..=rest.len()).any(|i| rest.is_char_boundary(i) && glob(tail, &rest[i..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glob_matches() {
        for (pattern, text, expected) in [
            ("basic/*", "basic/x", true),
            ("basic/*", "basicx", false),
            ("*image*", "basic/arrayimagecopy", true),
            ("*/a*b*c", "s/axbyc", true),
            ("*/a*b*c", "s/axbycd", false),
            ("a", "ab", false),
        ] {
            assert_eq!(glob(pattern, text), expected, "{pattern} {text}");
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
