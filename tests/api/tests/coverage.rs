//! No entry point is without a test: each name of the table stands in one of the files beside this
//! one.

use std::fs;
use std::path::Path;

use muxcl_cl_sys::for_each_cl_function;

macro_rules! names {
    ($([$group:ident $kind:ident $name:ident $version:literal ($($p:ident : $t:ty),*) -> $r:ty])*) => {
        [$((stringify!($group), stringify!($name))),*]
    };
}

#[test]
fn every_entry_point_is_called() {
    let mut text = String::new();
    for file in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")).unwrap() {
        let path = file.unwrap().path();
        if path.is_file() && path.file_name().is_some_and(|name| name != "coverage.rs") {
            text.push_str(&fs::read_to_string(path).unwrap());
        }
    }
    let words: Vec<&str> = text.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let missing: Vec<&str> = for_each_cl_function!(names)
        .into_iter()
        .filter(|(group, _)| matches!(*group, "core" | "slot" | "khr" | "icd"))
        .map(|(_, name)| name)
        .filter(|name| !words.contains(name))
        .collect();
    assert!(missing.is_empty(), "no test calls {missing:?}");
}
