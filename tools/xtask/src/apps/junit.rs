//! Reads the XML file with which pytest reports its tests. Not here: tests without a report,
//! because their process crashed (`runner`).

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use roxmltree::{Document, Node, ParsingOptions};

use crate::outcome::Status;

/// The property with the name of a test, which the plugin `progress.py` adds.
const NAME: &str = "muxcl-test";
/// The longest message that is kept, in characters.
const MESSAGE: usize = 300;

/// The result of one test.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(super) struct TestResult {
    pub(super) status: Status,
    pub(super) seconds: f64,
    /// What the test says about its outcome, in one line; empty for a test that passes.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) message: String,
}

/// Results by the tests' names.
pub(super) type Tests = BTreeMap<String, TestResult>;

/// The results in `text`, the report about the tests in `file`.
///
/// # Errors
/// The text is no report.
pub(super) fn parse(text: &str, file: &str) -> Result<Tests> {
    // pytest writes no document type; a report that has one does not define entities without end.
    let options = ParsingOptions { allow_dtd: false, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).context("not a report of pytest")?;
    if !matches!(document.root_element().tag_name().name(), "testsuites" | "testsuite") {
        anyhow::bail!("not a report of pytest: the root is not `testsuites`");
    }
    let mut tests = Tests::new();
    for case in document.descendants().filter(|node| node.has_tag_name("testcase")) {
        let result = result(&case);
        tests
            .entry(name(&case, file))
            // A test has several elements if it passes and its clean-up fails.
            .and_modify(|known| {
                known.seconds += result.seconds;
                if known.status == Status::Pass {
                    known.status = result.status;
                    known.message.clone_from(&result.message);
                }
            })
            .or_insert(result);
    }
    Ok(tests)
}

fn name(case: &Node<'_, '_>, file: &str) -> String {
    let property = case
        .descendants()
        .find(|node| node.has_tag_name("property") && node.attribute("name") == Some(NAME))
        .and_then(|node| node.attribute("value"));
    match property {
        Some(name) => name.to_owned(),
        // The file could not be imported, or the plugin did not see its tests.
        None => match (case.attribute("classname"), case.attribute("name")) {
            (Some(class), Some(name)) if !class.is_empty() => format!("{file}::{class}::{name}"),
            _ => format!("{file}::collection"),
        },
    }
}

fn result(case: &Node<'_, '_>) -> TestResult {
    let seconds = case.attribute("time").and_then(|time| time.parse().ok()).unwrap_or(0.0);
    let child = |names: &[&str]| {
        case.children().find(|node| node.is_element() && names.contains(&node.tag_name().name()))
    };
    let (status, element) = if let Some(element) = child(&["failure", "error"]) {
        (Status::Fail, element)
    } else if let Some(element) = child(&["skipped"]) {
        (Status::Skip, element)
    } else {
        return TestResult { status: Status::Pass, seconds, message: String::new() };
    };
    let mut message = element.attribute("message").unwrap_or_default();
    if message.is_empty() || message == "collection failure" || message == "collection skipped" {
        // The last line is the exception.
        message = element.text().unwrap_or_default().trim().lines().next_back().unwrap_or_default();
    }
    let mut line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    if element.attribute("type") == Some("pytest.xfail") {
        line.insert_str(0, "xfail: ");
    }
    TestResult { status, seconds, message: line.chars().take(MESSAGE).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = r#"<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite
        name="pytest" errors="1" failures="1" skipped="2" tests="5">
        <testcase classname="test.test_a" name="test_x[1-2]" time="0.25"><properties>
          <property name="muxcl-test" value="test/test_a.py::test_x[1-2]"/></properties></testcase>
        <testcase classname="test.test_a.TestB" name="test_y" time="1.5"><properties>
          <property name="muxcl-test" value="test/test_a.py::TestB::test_y"/></properties>
          <failure message="AssertionError: a&#10;  assert 1 == 2">trace</failure></testcase>
        <testcase classname="test.test_a" name="test_z" time="0"><properties>
          <property name="muxcl-test" value="test/test_a.py::test_z"/></properties>
          <skipped type="pytest.skip" message="no fp16">f.py:3: no fp16</skipped></testcase>
        <testcase classname="test.test_a" name="test_v" time="0"><properties>
          <property name="muxcl-test" value="test/test_a.py::test_v"/></properties>
          <skipped type="pytest.xfail" message="known"/></testcase>
        <testcase classname="" name="test.test_b" time="0"><error message="collection failure"
          >in b.py
E   ModuleNotFoundError: No module named 'b'
</error></testcase></testsuite></testsuites>"#;

    #[test]
    fn each_test_has_its_outcome() {
        let tests = parse(REPORT, "test/test_b.py").unwrap();
        let all: Vec<_> = tests
            .iter()
            .map(|(name, test)| (name.as_str(), test.status, test.seconds, test.message.as_str()))
            .collect();
        let no_module = "E ModuleNotFoundError: No module named 'b'";
        assert_eq!(
            all,
            [
                (
                    "test/test_a.py::TestB::test_y",
                    Status::Fail,
                    1.5,
                    "AssertionError: a assert 1 == 2"
                ),
                ("test/test_a.py::test_v", Status::Skip, 0.0, "xfail: known"),
                ("test/test_a.py::test_x[1-2]", Status::Pass, 0.25, ""),
                ("test/test_a.py::test_z", Status::Skip, 0.0, "no fp16"),
                ("test/test_b.py::collection", Status::Fail, 0.0, no_module),
            ]
        );
    }

    #[test]
    fn a_failing_clean_up_is_a_failure() {
        let text = r#"<testsuites><testcase classname="a" name="b" time="1"/>
            <testcase classname="a" name="b" time="2"><error message="teardown"/></testcase>
            </testsuites>"#;
        let tests = parse(text, "a.py").unwrap();
        let test = &tests["a.py::a::b"];
        assert_eq!((test.status, test.seconds, test.message.as_str()), {
            (Status::Fail, 3.0, "teardown")
        });
    }

    #[test]
    fn other_files_are_refused() {
        for text in ["", "<testsuites>", "<html></html>", "{}", "<!DOCTYPE a []><testsuites/>"] {
            let error = parse(text, "a.py").unwrap_err();
            assert!(error.to_string().starts_with("not a report of pytest"), "{text}: {error}");
        }
    }
}
