//! Every entry point has a test: a file of this folder or of `errors` calls each name of the table.
#![expect(clippy::unwrap_used, reason = "the sources of the tests are there")]

use std::fs;
use std::path::Path;

use muxcl_cl_sys::for_each_cl_function;

macro_rules! names {
    ($([$group:ident $kind:ident $name:ident $version:literal ($($p:ident : $t:ty),*) -> $r:ty])*)
        => {
        [$((stringify!($group), stringify!($name))),*]
    };
}

/// The source of a folder's files without comments.
fn code_in(folder: &Path) -> String {
    let mut code = String::new();
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.is_file() && path.file_name().is_some_and(|name| name != "coverage.rs") {
            for line in fs::read_to_string(path).unwrap().lines() {
                code.push_str(line.split("//").next().unwrap_or_default());
                code.push('\n');
            }
        }
    }
    code
}

/// True if `code` calls the function, or takes it from the driver's table of entry points.
fn calls(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let whole = before.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != '"');
        let after = code[at + name.len()..].chars().next();
        let from_table = code[..at].ends_with("api::") && after == Some(';');
        whole && (after == Some('(') || from_table)
    })
}

#[test]
fn every_entry_point_is_called() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let code = code_in(&tests) + &code_in(&tests.join("errors"));
    let missing: Vec<&str> = for_each_cl_function!(names)
        .into_iter()
        .filter(|(group, _)| matches!(*group, "core" | "slot" | "khr" | "icd"))
        .map(|(_, name)| name)
        .filter(|name| !calls(&code, name))
        .collect();
    assert!(missing.is_empty(), "no test calls {missing:?}");
}

#[test]
fn a_name_alone_is_no_call() {
    assert!(calls("code!(CL_SUCCESS, clFinish(q));", "clFinish"));
    assert!(calls("let icd = muxcl_cl::api::clFinish;", "clFinish"));
    assert!(!calls("address(c\"clFinish\")", "clFinish"));
    assert!(!calls("let finish: clFinish_fn = transmute(at);", "clFinish"));
    assert!(!calls("clFinish", "clFinish"));
    assert!(!calls("clFinishAll(q)", "clFinish"));
}
