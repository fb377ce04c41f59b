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

/// Kinds with two or more dimensions: on a simulator their [`LONG_PARTS`] take hours, so each is
/// divided by [`ORDERS`].
const LONG_KINDS: [&str; 3] = ["2D", "3D", "2Darray"];

/// The parts that use samplers.
const LONG_PARTS: [&str; 2] = ["read_float_nearest", "read_float_linear"];

/// The channel orders of `muxcl_img::format`, as the program names them. The program passes
/// without a test where no image of a kind has the order.
const ORDERS: [&str; 14] = [
    "R",
    "A",
    "RG",
    "RA",
    "RGBA",
    "RGB",
    "BGRA",
    "ARGB",
    "ABGR",
    "INTENSITY",
    "LUMINANCE",
    "sRGBA",
    "sBGRA",
    "DEPTH",
];

/// The parts of the sub-test `name`: the name of each, and its arguments.
pub(super) fn sub_tests(name: &str) -> Vec<(String, Vec<String>)> {
    if !KINDS.contains(&name) {
        return vec![(name.to_owned(), vec![name.to_owned()])];
    }
    let mut parts = Vec::new();
    for (part, words) in &PARTS {
        let arguments: Vec<_> =
            std::iter::once(name).chain(words.iter().copied()).map(str::to_owned).collect();
        if LONG_KINDS.contains(&name) && LONG_PARTS.contains(part) {
            for order in ORDERS {
                let mut arguments = arguments.clone();
                arguments.push(format!("CL_{order}"));
                parts.push((format!("{name}_{part}_{order}"), arguments));
            }
        } else {
            parts.push((format!("{name}_{part}"), arguments));
        }
    }
    parts
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
        let parts = sub_tests("3D");
        assert_eq!(parts.len(), 36);
        assert_eq!(parts[17].0, "3D_read_float_linear_A");
        assert_eq!(parts[17].1, ["3D", "read", "float", "CL_FILTER_LINEAR", "CL_A"]);
        assert_eq!(
            sub_tests("image2d_from_buffer_positive"),
            [(
                "image2d_from_buffer_positive".to_owned(),
                vec!["image2d_from_buffer_positive".to_owned()]
            )]
        );
    }
}
