//! The files that an output depends on, as a rule of a makefile.

/// The rule: `output: input header ...`. Equal names appear once.
#[must_use]
pub fn rule<'n>(output: &str, inputs: impl IntoIterator<Item = &'n str>) -> String {
    let mut text = escaped(output) + ":";
    let mut seen: Vec<&str> = Vec::new();
    for input in inputs {
        if !seen.contains(&input) {
            seen.push(input);
            text.push_str(" \\\n  ");
            text.push_str(&escaped(input));
        }
    }
    text.push('\n');
    text
}

/// A name as make and ninja read it.
fn escaped(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars() {
        match c {
            ' ' | '#' => text.extend(['\\', c]),
            '$' => text.push_str("$$"),
            _ => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_and_appear_once() {
        let text = rule("out.bin", ["a b.cl", "$x#.h", "a b.cl"]);
        assert_eq!(text, "out.bin: \\\n  a\\ b.cl \\\n  $$x\\#.h\n");
    }
}
