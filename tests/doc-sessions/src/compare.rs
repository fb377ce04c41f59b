//! Compares output with a page.

/// Stands for any text, or on its own line for any lines.
const ANY: &str = "...";

/// True if the page's `expected` stands for `found`. With `any_numbers`, each number of `expected`
/// stands for any number. Blanks at the ends of lines do not count.
#[must_use]
pub fn matches(expected: &str, found: &str, any_numbers: bool) -> bool {
    let lines = |text: &str| -> Vec<String> {
        let clean = text.lines().map(str::trim_end);
        clean
            .map(|line| if any_numbers { without_numbers(line) } else { line.to_owned() })
            .collect()
    };
    let (expected, found) = (lines(expected), lines(found));
    let is_any = |line: &String| line.trim() == ANY;
    let equal = |e: &String, f: &String| {
        let parts: Vec<&str> = e.split(ANY).collect();
        parts_match(&parts, f)
    };
    sequence(&expected, &found, &is_any, &equal)
}

/// Matches a list with items that stand for any number of items.
fn sequence<T>(
    expected: &[T],
    found: &[T],
    is_any: &dyn Fn(&T) -> bool,
    equal: &dyn Fn(&T, &T) -> bool,
) -> bool {
    match expected.split_first() {
        None => found.is_empty(),
        Some((first, rest)) if is_any(first) => {
            (0..=found.len()).any(|skip| sequence(rest, &found[skip..], is_any, equal))
        }
        Some((first, rest)) => found
            .split_first()
            .is_some_and(|(f, found)| equal(first, f) && sequence(rest, found, is_any, equal)),
    }
}

/// True if `line` consists of `parts` with any text between them.
fn parts_match(parts: &[&str], line: &str) -> bool {
    let [first, middle @ .., last] = parts else {
        return parts == [line];
    };
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// The line with `#` for each number, its decimal fraction included. Several blanks become one,
/// because numbers of other widths move the columns of a table.
fn without_numbers(line: &str) -> String {
    let mut out = String::new();
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        if c == ' ' {
            while chars.next_if_eq(&' ').is_some() {}
            out.push(' ');
        } else if c.is_ascii_digit() {
            out.push('#');
            while chars.next_if(|n| n.is_ascii_digit() || *n == '.').is_some() {}
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_stand_for_text_and_lines() {
        assert!(matches("a\n...\nd\n", "a\nb\nc\nd\n", false));
        assert!(matches("a\n...\nd\n", "a\nd\n", false));
        assert!(!matches("a\n...\nd\n", "a\nb\n", false));
        assert!(matches("a ... c\n", "a b c\n", false));
        assert!(matches("... b ...\n", "a b c\n", false));
        assert!(!matches("a ... c\n", "a b d\n", false));
        assert!(!matches("ab...ba\n", "aba\n", false), "parts do not overlap");
        assert!(!matches("a\n", "a\nb\n", false));
    }

    #[test]
    fn numbers_vary_only_where_the_page_says_so() {
        assert!(matches("took 1.5 ms\n", "took   20.25 ms\n", true));
        assert!(!matches("took 1.5 ms\n", "took 1.6 ms\n", false));
        assert!(!matches("took 1.5 ms\n", "took 1.5 s\n", true));
    }
}
