//! Expectation files: the tests that are known to fail or to be skipped, with reasons. For the CTS
//! (`conformance/expect`) and for applications (`conformance/apps`).

use std::path::Path;

use anyhow::{Result, bail};
use globset::{Glob, GlobMatcher};
use serde::de::{Deserialize as _, Deserializer, Error as _};

use crate::outcome::{self, Status};

/// An expectation file. A test that matches no entry is expected to pass; if several entries match,
/// the last one counts.
#[derive(serde::Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expectations {
    /// Another file of the folder whose entries come before this one's.
    inherits: Option<String>,
    #[serde(default)]
    expect: Vec<Entry>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// The test's name, with `*` for any text.
    #[serde(deserialize_with = "pattern")]
    test: GlobMatcher,
    /// The test's message, with `*` for any text. Such an entry says nothing about tests with
    /// another message or none.
    #[serde(default, deserialize_with = "optional_pattern")]
    message: Option<GlobMatcher>,
    /// The only device that the entry is about.
    device: Option<String>,
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

/// A test's result, as far as entries depend on it.
#[derive(Clone, Copy)]
pub(crate) struct Observed<'a> {
    pub(crate) test: &'a str,
    pub(crate) status: Status,
    /// What the test says about its outcome; empty if it says nothing.
    pub(crate) message: &'a str,
    pub(crate) device: &'a str,
}

impl Entry {
    fn matches(&self, observed: &Observed<'_>) -> bool {
        self.test.is_match(observed.test)
            && self.device.as_ref().is_none_or(|device| device == observed.device)
            && self.message.as_ref().is_none_or(|message| message.is_match(observed.message))
    }
}

/// A result compared with the expectations.
#[derive(Debug)]
pub(crate) enum Verdict<'a> {
    /// The test passed, as expected.
    Passes,
    /// The test did not pass, as expected, for this reason.
    Known(&'a str),
    /// The test did not pass, unexpectedly.
    Failure,
    /// The outcome differs from the file's entry, which has this reason.
    Changed(&'a str),
}

impl Verdict<'_> {
    pub(crate) fn is_unexpected(&self) -> bool {
        matches!(self, Self::Failure | Self::Changed(_))
    }

    pub(crate) fn remark(&self) -> String {
        match self {
            Self::Passes => String::new(),
            Self::Known(reason) => format!("  (expected: {reason})"),
            Self::Failure => "  UNEXPECTED".to_owned(),
            Self::Changed(reason) => format!("  UNEXPECTED, the expectation file says: {reason}"),
        }
    }
}

impl Expectations {
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let mut expectations: Self = outcome::read_toml(path)?;
        if let Some(base) = &expectations.inherits {
            let base: Self = outcome::read_toml(&path.with_file_name(base))?;
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

    pub(crate) fn judge(&self, observed: Observed<'_>) -> Verdict<'_> {
        match self.entry(&observed) {
            Some(entry) if entry.status.contains(observed.status) => Verdict::Known(&entry.reason),
            Some(entry) => Verdict::Changed(&entry.reason),
            None if observed.status == Status::Pass => Verdict::Passes,
            None => Verdict::Failure,
        }
    }

    /// The file's reason for a result, if an entry matches.
    pub(crate) fn reason(&self, observed: Observed<'_>) -> Option<&str> {
        self.entry(&observed).map(|entry| entry.reason.as_str())
    }

    /// Entries for `device` that no result matches, as `test: reason`. An entry that accepts a pass
    /// needs no result: where the machine has what is missing elsewhere, no test has its message.
    pub(crate) fn unused<'a>(
        &self,
        device: &str,
        results: impl Iterator<Item = Observed<'a>> + Clone,
    ) -> Vec<String> {
        self.expect
            .iter()
            .filter(|entry| entry.device.as_ref().is_none_or(|only| only == device))
            .filter(|entry| !entry.status.contains(Status::Pass))
            .filter(|entry| !results.clone().any(|observed| entry.matches(&observed)))
            .map(|entry| format!("{}: {}", entry.test.glob(), entry.reason))
            .collect()
    }

    fn entry(&self, observed: &Observed<'_>) -> Option<&Entry> {
        self.expect.iter().rev().find(|entry| entry.matches(observed))
    }
}

/// Reads a pattern of an expectation file.
fn pattern<'de, D: Deserializer<'de>>(from: D) -> Result<GlobMatcher, D::Error> {
    let text = String::deserialize(from)?;
    Glob::new(&text).map(|glob| glob.compile_matcher()).map_err(D::Error::custom)
}

fn optional_pattern<'de, D: Deserializer<'de>>(from: D) -> Result<Option<GlobMatcher>, D::Error> {
    pattern(from).map(Some)
}

/// True if `text` matches `pattern`, in which `*` stands for any text. A malformed pattern matches
/// nothing.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    Glob::new(pattern).is_ok_and(|glob| glob.compile_matcher().is_match(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observed<'a>(test: &'a str, status: Status, message: &'a str) -> Observed<'a> {
        Observed { test, status, message, device: "host" }
    }

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
        assert!(file.judge(observed("a/x", Status::Pass, "")).is_unexpected());
        assert!(!file.judge(observed("a/x", Status::Fail, "")).is_unexpected());
        assert!(file.judge(observed("a/x", Status::Crash, "")).is_unexpected());
        assert!(file.judge(observed("b/x", Status::Skip, "")).is_unexpected());
        assert!(!file.judge(observed("b/x", Status::Pass, "")).is_unexpected());
    }

    #[test]
    fn an_entry_may_be_about_one_device_or_one_message() {
        let file: Expectations = toml::from_str(
            "[[expect]]\ntest = '*'\nmessage = 'no fp16*'\nstatus = 'skip'\nreason = 'half'\n\
             [[expect]]\ntest = 't.py::x\\[1\\]'\ndevice = 'refsi'\nstatus = 'fail'\nreason = 'r'",
        )
        .unwrap();
        let half = observed("t.py::y", Status::Skip, "no fp16\nat all");
        assert!(matches!(file.judge(half), Verdict::Known("half")));
        assert!(matches!(
            file.judge(observed("t.py::y", Status::Skip, "no fp64")),
            Verdict::Failure
        ));
        assert!(matches!(file.judge(observed("t.py::y", Status::Pass, "")), Verdict::Passes));
        let one = observed("t.py::x[1]", Status::Fail, "assert");
        assert!(matches!(file.judge(one), Verdict::Failure));
        assert!(matches!(file.judge(Observed { device: "refsi", ..one }), Verdict::Known("r")));
    }

    #[test]
    fn entries_without_a_result_are_listed() {
        let file: Expectations = toml::from_str(
            "[[expect]]\ntest = 'a'\nstatus = 'skip'\nreason = 'r'\n\
             [[expect]]\ntest = 'b'\nstatus = 'skip'\nreason = 's'\n\
             [[expect]]\ntest = 'c'\ndevice = 'refsi'\nstatus = 'skip'\nreason = 't'\n\
             [[expect]]\ntest = 'd'\nstatus = ['skip', 'pass']\nreason = 'u'",
        )
        .unwrap();
        let results = [observed("a", Status::Pass, ""), observed("x", Status::Pass, "")];
        assert_eq!(file.unused("host", results.into_iter()), ["b: s"]);
    }

    #[test]
    fn a_file_is_refused_with_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.expect");
        for (text, expected) in [
            ("[[expect]]\ntest = 'a'\nstatus = 'skip'\nreason = ' '\n", "a has no reason"),
            ("[[expect]]\ntest = 'a'\nstatus = 'skip'\n", "missing field `reason`"),
            ("[[expect]]\ntest = 'a'\nstatus = 'wrong'\nreason = 'r'\n", "did not match any"),
            ("[[expect]]\ntest = '['\nstatus = 'skip'\nreason = 'r'\n", "unclosed character class"),
            ("[[expect]]\ntset = 'a'\n", "unknown field `tset`"),
        ] {
            std::fs::write(&path, text).unwrap();
            let Err(error) = Expectations::read(&path) else { panic!("{text} is accepted") };
            let error = format!("{error:#}");
            assert!(error.contains("x.expect") && error.contains(expected), "{text}: {error}");
        }
    }
}
