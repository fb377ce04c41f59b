//! The sub-tests of the CTS program `test_image_streams`, divided into parts, because a whole one
//! takes an hour.
//!
//! Invariant: together the parts of a sub-test cover all of it. Not here: running them, and sizes,
//! pitches and levels, which are arguments of a suite.

/// Kinds of images: each is a sub-test of the program, and has all [`PARTS`].
const KINDS: [&str; 5] = ["1D", "2D", "3D", "1Darray", "2Darray"];

/// Arguments that select a part: the access, the type of the pixels, and the filter for reads of
/// floats. Without such an argument the program tests everything.
const PARTS: [(&str, &[&str]); 10] = [
    ("read_int", &["read", "int"]),
    ("read_uint", &["read", "uint"]),
    ("read_float_nearest", &["read", "float", "CL_FILTER_NEAREST"]),
    ("read_float_linear", &["read", "float", "CL_FILTER_LINEAR"]),
    ("write_int", &["write", "int"]),
    ("write_uint", &["write", "uint"]),
    ("write_float", &["write", "float"]),
    ("read_write_int", &["read_write", "int"]),
    ("read_write_uint", &["read_write", "uint"]),
    ("read_write_float", &["read_write", "float"]),
];

/// The parts of the sub-test `name`: the name of each, and its arguments.
pub(super) fn sub_tests(name: &str) -> Vec<(String, Vec<String>)> {
    if !KINDS.contains(&name) {
        return vec![(name.to_owned(), vec![name.to_owned()])];
    }
    let part = |(part, words): &(&str, &[&str])| {
        let arguments =
            std::iter::once(name).chain(words.iter().copied()).map(str::to_owned).collect();
        (format!("{name}_{part}"), arguments)
    };
    PARTS.iter().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::sub_tests;

    #[test]
    fn kinds_are_cut_and_others_are_not() {
        let parts = sub_tests("1Darray");
        assert_eq!(parts.len(), 10);
        assert_eq!(parts[3].0, "1Darray_read_float_linear");
        assert_eq!(parts[3].1, ["1Darray", "read", "float", "CL_FILTER_LINEAR"]);
        assert_eq!(
            sub_tests("image2d_from_buffer_positive"),
            [(
                "image2d_from_buffer_positive".to_owned(),
                vec!["image2d_from_buffer_positive".to_owned()]
            )]
        );
    }
}
