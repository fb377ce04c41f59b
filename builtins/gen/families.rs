//! Cuts `src-cl/families/*.cl` into members.
//!
//! A line `//@ member <name> <header>` starts a member; its text is the body that `<header>`
//! includes for every type and width (`gen_int.h`; `gen_fp.h`, which makes one member per
//! precision; `float`, the same for functions of float only), or, with `none`, the whole text.

use std::path::Path;

/// Reads every family file of `folder`, in name order.
pub(crate) fn members(all: &mut Vec<(String, String)>, folder: &Path) {
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for section in text.split("//@ member ").skip(1) {
            let (head, body) = section.split_once('\n').unwrap();
            let (name, header) = head.trim().split_once(' ').unwrap();
            let expand = |name: &str, prefix: &str, header: &str| {
                format!(
                    "#ifndef BODY\n#define BODY \"{name}.cl\"\n{prefix}#include \"muxcl.h\"\n#include \"{header}\"\n#else\n{body}#endif\n"
                )
            };
            match header {
                "none" => all.push((name.to_owned(), format!("#include \"muxcl.h\"\n{body}"))),
                "gen_fp.h" => {
                    for bits in [16, 32, 64] {
                        let name = format!("{name}_f{bits}");
                        let text = expand(&name, &format!("#define ONLY {bits}\n"), header);
                        all.push((name, text));
                    }
                }
                "float" => {
                    all.push((name.to_owned(), expand(name, "#define ONLY 32\n", "gen_fp.h")))
                }
                _ => all.push((name.to_owned(), expand(name, "", header))),
            }
        }
    }
}
