//! The sub-tests of the CTS program `conversions`, one for each pair of types.
//!
//! The program itself lists a single sub-test, which takes hours. Its arguments select conversions;
//! an unknown name selects none. Invariant: together the pairs cover all conversions of the
//! program. Not here: running them.

/// The types, as the program spells them.
const TYPES: [&str; 11] =
    ["uchar", "char", "ushort", "short", "uint", "int", "half", "float", "double", "ulong", "long"];
const ROUNDINGS: [&str; 5] = ["", "_rte", "_rtp", "_rtn", "_rtz"];

/// The name of each pair, and its arguments, the conversions.
pub(super) fn sub_tests() -> Vec<(String, Vec<String>)> {
    let mut all = Vec::new();
    for to in TYPES {
        // "destFormat<_sat><_round>_sourceFormat"; there is no saturated conversion to a
        // floating-point type.
        let saturations: &[&str] =
            if matches!(to, "half" | "float" | "double") { &[""] } else { &["", "_sat"] };
        for from in TYPES {
            let names = saturations.iter().flat_map(|saturation| {
                ROUNDINGS.iter().map(move |rounding| format!("{to}{saturation}{rounding}_{from}"))
            });
            all.push((format!("{to}_from_{from}"), names.collect()));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::sub_tests;

    #[test]
    fn all_conversions_are_there_once() {
        let names: std::collections::BTreeSet<String> =
            sub_tests().into_iter().flat_map(|(_, names)| names).collect();
        assert_eq!(names.len(), 11 * (8 * 10 + 3 * 5));
        assert!(
            names.contains("char_sat_rte_float")
                && names.contains("ulong_short")
                && !names.contains("float_sat_int")
        );
    }
}
