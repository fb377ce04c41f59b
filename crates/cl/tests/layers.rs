//! The modules of `core` have a direction: each imports only modules that come before it in the
//! list in `core/mod.rs`.

#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn core() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/core")
}

/// The modules in the order of the list: the words at the start of each line, up to the first
/// double blank.
fn order() -> Vec<String> {
    let text = fs::read_to_string(core().join("mod.rs")).unwrap();
    let list = text.split("//! ```text\n").nth(1).unwrap().split("//! ```\n").next().unwrap();
    let words = list.lines().flat_map(|line| {
        let names = line.trim_start_matches("//! ").split("  ").next().unwrap();
        names.split(' ').map(str::to_owned).collect::<Vec<_>>()
    });
    words.collect()
}

/// The modules of `core` that the code of a file imports, without its tests.
fn imports(code: &str, nested: bool) -> BTreeSet<String> {
    let code = code.split("#[cfg(test)]").next().unwrap();
    let mut found = BTreeSet::new();
    for start in ["crate::core::", "super::"] {
        if nested && start == "super::" {
            continue;
        }
        for (at, _) in code.match_indices(start) {
            let line = code[..at].rsplit('\n').next().unwrap();
            if line.trim_start().starts_with("//") {
                continue;
            }
            let rest = &code[at + start.len()..];
            let name: String =
                rest.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
            found.insert(name);
        }
    }
    found
}

#[test]
fn modules_import_only_lower_ones() {
    let order = order();
    let place = |name: &str| order.iter().position(|known| known == name);
    let mut seen = BTreeSet::new();
    let mut edges = 0;
    for entry in fs::read_dir(core()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if name == "mod" {
            continue;
        }
        let mine = place(&name).unwrap_or_else(|| panic!("`{name}` is not in the list"));
        seen.insert(name.clone());
        let files: Vec<PathBuf> = if path.is_dir() {
            fs::read_dir(&path).unwrap().map(|file| file.unwrap().path()).collect()
        } else {
            vec![path.clone()]
        };
        for file in files {
            let code = fs::read_to_string(&file).unwrap();
            for import in imports(&code, path.is_dir()) {
                let Some(other) = place(&import) else { continue };
                edges += 1;
                assert!(
                    other < mine || import == name,
                    "{}: `{import}` stands behind `{name}`",
                    file.display()
                );
            }
        }
    }
    assert_eq!(seen.len(), order.len(), "the list names a module that does not exist: {order:?}");
    assert!(edges > 40, "imports are found: {edges}");
}
