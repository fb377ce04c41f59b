//! Cuts `src-cl/families/*.cl` into members.
//!
//! A line `//@ member <name> <header>` starts a member; its text is the body that `<header>` (`gen_int.h`, `gen_fp.h`)
//! includes for every type and width, or, with `none`, the whole text. What stands before a line `//@ each` in a member
//! is seen once, before the bodies.

use std::path::Path;

/// Reads every family file of `folder`, in name order.
pub(crate) fn members(all: &mut Vec<(String, String)>, folder: &Path) {
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for section in text.split("//@ member ").skip(1) {
            let (head, body) = section.split_once('\n').unwrap();
            let (name, header) = head.trim().split_once(' ').unwrap();
            let text = if header == "none" {
                format!("#include \"muxcl.h\"\n{body}")
            } else {
                let (once, each) = body.split_once("//@ each\n").unwrap_or(("", body));
                format!(
                    "#ifndef BODY\n#define BODY \"{name}.cl\"\n#include \"muxcl.h\"\n{once}#include \"{header}\"\n#else\n{each}#endif\n"
                )
            };
            all.push((name.to_owned(), text));
        }
    }
}
