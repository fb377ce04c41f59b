//! Compares `docs/hal.md`, the specification of the interface, with the headers: the page names
//! each type, field, enumerator and function, and nothing that the headers lack.

use std::collections::BTreeSet;

const PAGE: &str = include_str!("../../../docs/hal.md");
const HEADERS: [&str; 3] = [
    include_str!("../include/hal_types.h"),
    include_str!("../include/hal_riscv.h"),
    include_str!("../include/hal.h"),
];

/// The header's words and punctuation, without comments and preprocessor lines.
fn tokens(header: &str) -> Vec<String> {
    let code: String = header
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split("//").next().unwrap_or_default().to_owned() + "\n")
        .collect();
    let mut tokens: Vec<String> = Vec::new();
    let mut joins = false;
    for c in code.chars() {
        let word = c.is_ascii_alphanumeric() || c == '_';
        match tokens.last_mut() {
            Some(last) if word && joins => last.push(c),
            _ if !c.is_whitespace() => tokens.push(c.to_string()),
            _ => {}
        }
        joins = word;
    }
    tokens
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Names that the headers declare: of types, fields, enumerators and functions. Names of parameters
/// and what bodies of functions contain are not among them.
fn declared() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for header in HEADERS {
        let tokens = tokens(header);
        // What each open brace belongs to: `enum`, `struct`, or `body` of a function.
        let mut scopes: Vec<&str> = Vec::new();
        let mut parentheses = 0;
        // Tokens of the declaration so far.
        let mut declaration: Vec<&str> = Vec::new();
        for token in tokens.iter().map(String::as_str) {
            match token {
                "(" => parentheses += 1,
                ")" => parentheses -= 1,
                _ => {}
            }
            let in_body = scopes.contains(&"body");
            match token {
                "{" => {
                    let kind = match declaration.iter().find(|t| !["extern", "static"].contains(t))
                    {
                        Some(&("enum" | "struct" | "union" | "namespace")) => declaration[0],
                        _ => "body",
                    };
                    if !in_body {
                        names.extend(name_of(&declaration));
                    }
                    scopes.push(kind);
                    declaration.clear();
                }
                "}" | ";" | "," if parentheses == 0 => {
                    if !in_body {
                        names.extend(name_of(&declaration));
                    }
                    if token == "}" {
                        scopes.pop();
                    }
                    declaration.clear();
                }
                // `private:`, `protected:`
                ":" if matches!(declaration.as_slice(), ["private" | "protected"]) => {
                    declaration.clear();
                }
                _ => declaration.push(token),
            }
        }
    }
    names
}

/// The name that a declaration introduces; `None` for constructors, destructors, namespaces and the
/// union without a name.
fn name_of(declaration: &[&str]) -> Option<String> {
    let (first, rest) = declaration.split_first()?;
    let name = match *first {
        "namespace" | "union" => return None,
        "struct" | "enum" | "using" => *rest.first()?,
        // An enumerator.
        only if rest.is_empty() || rest[0] == "=" => only,
        _ => {
            let end = declaration.iter().position(|t| ["=", "[", "("].contains(t));
            let before = end.map_or(declaration.len(), |end| end);
            let name = declaration[..before].last()?;
            let constructor = before == 1;
            if constructor || declaration[..before].contains(&"~") {
                return None;
            }
            name
        }
    };
    is_name(name).then(|| name.to_owned())
}

/// The words in code spans of the page, outside fenced blocks.
fn described() -> BTreeSet<String> {
    let mut fenced = false;
    let mut words = BTreeSet::new();
    for paragraph in PAGE.split("\n\n") {
        let mut prose = String::new();
        for line in paragraph.lines() {
            fenced ^= line.starts_with("```");
            if !fenced {
                prose += line;
                prose.push(' ');
            }
        }
        for code in prose.split('`').skip(1).step_by(2) {
            let split = code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            words.extend(split.filter(|word| is_name(word)).map(str::to_owned));
        }
    }
    words
}

#[test]
fn the_page_names_everything_that_the_headers_declare() {
    let (declared, described) = (declared(), described());
    // As many as there were when this was written: the parser finds what it should.
    assert!(declared.len() > 150, "{declared:?}");
    for known in ["mem_alloc", "hal_run_calls", "link_shared", "rv_abi_LP64D", "get_hal", "vlen"] {
        assert!(declared.contains(known), "{known}: {declared:?}");
    }
    let missing: Vec<_> = declared.difference(&described).collect();
    assert!(missing.is_empty(), "docs/hal.md does not name {missing:?}");
}

#[test]
fn the_page_names_nothing_that_the_headers_lack() {
    let declared = declared();
    let prefixes = ["hal_", "mem_", "kernel_", "program_", "device_", "counter_", "rv_", "riscv_"];
    // Files, parameters, keys of properties and functions of OpenCL beginning like names here.
    let other =
        ["hal_util", "hal_riscv", "hal_types", "kernel_abi", "device_index", "program_variables"];
    let unknown: Vec<_> = described()
        .into_iter()
        .filter(|word| prefixes.iter().any(|prefix| word.starts_with(prefix)))
        .filter(|word| !declared.contains(word) && !other.contains(&word.as_str()))
        .collect();
    assert!(unknown.is_empty(), "docs/hal.md names {unknown:?}, which the headers lack");
}
