//! Splits build options into words. The driver and the compiler both use it, so that they find the
//! same `-I` folders. Tools turn words from a command line into options.
//!
//! Not here: the meaning of options (`muxcl_frontend_clang::options`).

/// Splits at white space like a shell: single and double quotes group; a backslash escapes a quote,
/// a blank or another backslash, and is literal elsewhere (so that `C:\dir` is kept). `None` if a
/// quote has no end.
#[must_use]
pub fn words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut open = false;
    let mut quote: Option<char> = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some('\''), c) => word.push(c),
            (_, '\\') => {
                open = true;
                match chars.next_if(|n| {
                    matches!(n, '"' | '\'' | '\\') || (quote.is_none() && n.is_whitespace())
                }) {
                    Some(n) => word.push(n),
                    None => word.push('\\'),
                }
            }
            (Some(_), c) => word.push(c),
            (None, '"' | '\'') => {
                quote = Some(c);
                open = true;
            }
            (None, c) if c.is_whitespace() => {
                if open {
                    words.push(std::mem::take(&mut word));
                    open = false;
                }
            }
            (None, c) => {
                word.push(c);
                open = true;
            }
        }
    }
    if quote.is_some() {
        return None;
    }
    if open {
        words.push(word);
    }
    Some(words)
}

/// Name of the program's source in a build log.
pub const SOURCE_NAME: &str = "<program source>";

/// The text of which [`words`] makes `list`.
#[must_use]
pub fn text<'w>(list: impl IntoIterator<Item = &'w str>) -> String {
    let mut text = String::new();
    for word in list {
        if !text.is_empty() {
            text.push(' ');
        }
        let special = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '\\');
        if !word.is_empty() && !word.contains(special) {
            text.push_str(word);
            continue;
        }
        text.push('"');
        for c in word.chars() {
            if matches!(c, '"' | '\\') {
                text.push('\\');
            }
            text.push(c);
        }
        text.push('"');
    }
    text
}

/// Reads the sizes of an NDRange, such as `64` or `16,16`: one to three numbers above zero. The
/// other dimensions have size 1.
///
/// # Errors
/// A sentence that names the part that is wrong.
pub fn work_size(text: &str) -> Result<[u32; 3], String> {
    let mut size = [1; 3];
    for (number, part) in text.split(',').enumerate() {
        let dimension = size.get_mut(number).ok_or("more than three numbers")?;
        *dimension = match part.parse() {
            Ok(count @ 1..) => count,
            _ => return Err(format!("{part} is not a number of work-items")),
        };
    }
    Ok(size)
}

/// The letter of `-D`, `-U` or `-I`, and the value in the same word: empty if it is the next word.
#[must_use]
pub fn preprocessor(word: &str) -> Option<(char, &str)> {
    let rest = word.strip_prefix('-')?;
    let letter = rest.chars().next().filter(|letter| matches!(letter, 'D' | 'U' | 'I'))?;
    Some((letter, &rest[1..]))
}

/// The folders of `-I`, in their order.
#[must_use]
pub fn include_folders(options: &str) -> Vec<String> {
    let mut folders = Vec::new();
    let mut words = words(options).unwrap_or_default().into_iter();
    while let Some(word) = words.next() {
        let Some((letter, value)) = preprocessor(&word) else { continue };
        let value = if value.is_empty() { words.next() } else { Some(value.to_owned()) };
        folders.extend(value.filter(|value| letter == 'I' && !value.is_empty()));
    }
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_found_in_both_forms_and_not_among_macros() {
        let found = include_folders("-Ia -I b -w -I 'c d' -D -Inone -U -I -DX=-Inone -I\"/e\" -I");
        assert_eq!(found, ["a", "b", "c d", "/e"]);
        assert_eq!(include_folders("-I 'a"), [""; 0]);
    }

    #[test]
    fn words_of_a_command_line_stay_the_same_in_options() {
        let list = ["-w", "-DA=b c", "", "-I", "it's", "a\"b", "c:\\dir\\", "\\\\", "-Dx=\"y z\""];
        assert_eq!(words(&text(list)).unwrap(), list);
        assert_eq!(text(["-w", "-DN=3"]), "-w -DN=3");
    }

    #[test]
    fn sizes_have_up_to_three_dimensions() {
        assert_eq!(work_size("64"), Ok([64, 1, 1]));
        assert_eq!(work_size("16,8,4"), Ok([16, 8, 4]));
        for wrong in ["", "0", "a", "1,", "1,2,3,4", "-1"] {
            assert!(work_size(wrong).is_err(), "{wrong}");
        }
    }
}
