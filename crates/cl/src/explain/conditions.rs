//! The table of conditions ([`muxcl_cl_sys::CONDITIONS`]).
//!
//! Invariant: a search allocates nothing. Not here: how a sentence is made.

use muxcl_cl_sys::CONDITIONS;

/// The conditions for an error code of an entry point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conditions {
    /// Title of the section of the specification, or name of the extension.
    pub section: &'static str,
    /// The conditions, `if` included, with semicolons between them. Any white space separates
    /// words. Empty if no call has the code.
    pub text: &'static str,
}

/// Rows of the table: a row's first line, and its further lines.
fn rows() -> impl Iterator<Item = (&'static str, &'static str)> {
    let mut rest = CONDITIONS;
    std::iter::from_fn(move || {
        // The first line of a row is the next one that is neither indented nor a comment.
        while rest.starts_with(['#', '\n']) {
            rest = rest.split_once('\n')?.1;
        }
        let (first, after) = rest.split_once('\n')?;
        let inside = |line: &&str| line.starts_with(' ');
        let length = after.split_inclusive('\n').take_while(inside).map(str::len).sum();
        let (body, next) = after.split_at(length);
        rest = next;
        Some((first, body))
    })
}

/// The conditions for `code` in the further lines of a row.
fn find(body: &'static str, code: &str) -> Option<&'static str> {
    let mut at = 0;
    for line in body.split_inclusive('\n') {
        let begin = at;
        at += line.len();
        let named = line.strip_prefix("  ").and_then(|line| line.strip_prefix(code));
        if named.is_some_and(|after| after.starts_with([' ', '\n'])) {
            let text = &body[begin + 2 + code.len()..];
            let further = |line: &&str| line.starts_with("    ");
            let mut lines = text.split_inclusive('\n');
            let first = lines.next().map_or(0, str::len);
            let length = first + lines.take_while(further).map(str::len).sum::<usize>();
            return Some(text[..length].trim());
        }
    }
    None
}

/// The section and the further lines of an entry point's row; `None` if the table has none.
fn row(entry_point: &str) -> Option<(&'static str, &'static str)> {
    let (first, body) = rows().find(|(first, _)| {
        let names = first.split_once(':').map_or(*first, |(names, _)| names);
        names.split(' ').any(|name| name == entry_point)
    })?;
    Some((first.split_once(':').map_or("", |(_, section)| section.trim()), body))
}

/// The conditions for `code`, such as `CL_INVALID_VALUE`, of an entry point. `None` if the table
/// has no such entry point.
#[must_use]
pub fn of(entry_point: &str, code: &str) -> Option<Conditions> {
    let (section, body) = row(entry_point)?;
    let common = || rows().next().and_then(|(_, body)| find(body, code));
    Some(Conditions { section, text: find(body, code).or_else(common).unwrap_or("") })
}

/// The conditions under which an entry point without error codes returns NULL. `None` for other
/// entry points.
#[must_use]
pub fn of_null(entry_point: &str) -> Option<Conditions> {
    let (section, body) = row(entry_point)?;
    Some(Conditions { section, text: find(body, "NULL")? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use muxcl_cl_sys::ERRORS;

    #[test]
    fn conditions_are_found() {
        let buffer = of("clCreateBuffer", "CL_INVALID_BUFFER_SIZE").unwrap();
        assert_eq!(buffer.section, "Creating Buffer Objects");
        assert!(buffer.text.starts_with("if the size is 0"), "{}", buffer.text);
        let same = of("clCreateBufferWithProperties", "CL_INVALID_BUFFER_SIZE").unwrap();
        assert_eq!(same, buffer, "one row for both");
        let own = of("clEnqueueMarker", "CL_INVALID_VALUE").unwrap();
        assert_eq!(own.text, "if event is NULL");
        let memory = of("clFinish", "CL_OUT_OF_HOST_MEMORY").unwrap();
        assert!(memory.text.starts_with("if the host has"), "that of the common row");
        let other = of("clFinish", "CL_INVALID_BUFFER_SIZE").unwrap();
        assert_eq!(other.text, buffer.text, "both have that of the common row");
        assert_eq!(of("clFinish", "CL_INVALID").unwrap().text, "", "a prefix is no code");
        assert_eq!(of("clNothing", "CL_INVALID_VALUE"), None);
        assert!(of_null("clSVMAlloc").is_some_and(|null| null.text.contains("size is 0")));
        assert_eq!(of_null("clCreateBuffer"), None);
    }

    /// Each error code of each entry point has a condition.
    #[test]
    fn the_table_covers_all_error_codes() {
        let mut name = "";
        let mut missing = Vec::new();
        let mut codes = 0;
        for line in ERRORS.lines().filter(|line| !line.starts_with(['#', '!'])) {
            let mut words = line.split_whitespace();
            if !line.starts_with(' ') {
                name = words.next().unwrap_or("");
            }
            for word in words {
                codes += 1;
                let code = word.split(['@', '!']).next().unwrap_or("");
                if !of(name, code).is_some_and(|found| found.text.starts_with("if ")) {
                    missing.push(format!("{name} {code}"));
                }
            }
        }
        assert!(codes > 1000, "{codes}");
        assert_eq!(missing, Vec::<String>::new());
    }
}
