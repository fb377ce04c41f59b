//! Every mathematical builtin has the vector variants that the rule of `muxcl_builtins::variants`
//! promises.

use std::collections::BTreeSet;

use muxcl_builtins::variants::{LANES, Lanes, fixed_variant, scalable_variant, scalar_of, variant};

/// The specification's table of math functions, with the parameters of their scalars: `g` is
/// float, double or half.
const MATH: &[(&str, &str)] = &[
    ("acos", "g"),
    ("acosh", "g"),
    ("acospi", "g"),
    ("asin", "g"),
    ("asinh", "g"),
    ("asinpi", "g"),
    ("atan", "g"),
    ("atan2", "gg"),
    ("atanh", "g"),
    ("atanpi", "g"),
    ("atan2pi", "gg"),
    ("cbrt", "g"),
    ("ceil", "g"),
    ("copysign", "gg"),
    ("cos", "g"),
    ("cosh", "g"),
    ("cospi", "g"),
    ("erfc", "g"),
    ("erf", "g"),
    ("exp", "g"),
    ("exp2", "g"),
    ("exp10", "g"),
    ("expm1", "g"),
    ("fabs", "g"),
    ("fdim", "gg"),
    ("floor", "g"),
    ("fma", "ggg"),
    ("fmax", "gg"),
    ("fmin", "gg"),
    ("fmod", "gg"),
    ("fract", "gPg"),
    ("frexp", "gPi"),
    ("hypot", "gg"),
    ("ilogb", "g"),
    ("ldexp", "gi"),
    ("lgamma", "g"),
    ("lgamma_r", "gPi"),
    ("log", "g"),
    ("log2", "g"),
    ("log10", "g"),
    ("log1p", "g"),
    ("logb", "g"),
    ("mad", "ggg"),
    ("maxmag", "gg"),
    ("minmag", "gg"),
    ("modf", "gPg"),
    ("nextafter", "gg"),
    ("pow", "gg"),
    ("pown", "gi"),
    ("powr", "gg"),
    ("remainder", "gg"),
    ("remquo", "ggPi"),
    ("rint", "g"),
    ("rootn", "gi"),
    ("round", "g"),
    ("rsqrt", "g"),
    ("sin", "g"),
    ("sincos", "gPg"),
    ("sinh", "g"),
    ("sinpi", "g"),
    ("sqrt", "g"),
    ("tan", "g"),
    ("tanh", "g"),
    ("tanpi", "g"),
    ("tgamma", "g"),
    ("trunc", "g"),
    ("degrees", "g"),
    ("radians", "g"),
    ("sign", "g"),
    ("max", "gg"),
    ("min", "gg"),
    ("clamp", "ggg"),
    ("mix", "ggg"),
    ("step", "gg"),
    ("smoothstep", "ggg"),
];

/// Functions for float only.
const FLOAT: &[(&str, &str)] = &[
    ("native_sin", "f"),
    ("native_cos", "f"),
    ("native_tan", "f"),
    ("native_exp", "f"),
    ("native_exp2", "f"),
    ("native_exp10", "f"),
    ("native_log", "f"),
    ("native_log2", "f"),
    ("native_log10", "f"),
    ("native_rsqrt", "f"),
    ("native_sqrt", "f"),
    ("native_recip", "f"),
    ("native_divide", "ff"),
    ("native_powr", "ff"),
    ("half_sin", "f"),
    ("half_cos", "f"),
    ("half_tan", "f"),
    ("half_exp", "f"),
    ("half_exp2", "f"),
    ("half_exp10", "f"),
    ("half_log", "f"),
    ("half_log2", "f"),
    ("half_log10", "f"),
    ("half_rsqrt", "f"),
    ("half_sqrt", "f"),
    ("half_recip", "f"),
    ("half_divide", "ff"),
    ("half_powr", "ff"),
];

#[test]
fn every_math_function_has_every_variant() {
    let mut missing = BTreeSet::new();
    for (kind, functions) in [("f", MATH), ("d", MATH), ("Dh", MATH), ("f", FLOAT)] {
        for (name, parameters) in functions {
            let scalar = format!("_Z{}{name}{}", name.len(), parameters.replace('g', kind));
            assert!(muxcl_builtins::find(&scalar).is_some(), "{scalar}");
            for lanes in LANES {
                if fixed_variant(&scalar, lanes).is_none() {
                    missing.insert(format!("{scalar} for {lanes} lanes"));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn the_rule_gives_the_names_that_clang_does() {
    let variant = |symbol: &str, lanes| fixed_variant(symbol, lanes).map(|(name, _)| name);
    assert_eq!(variant("_Z3sinf", 16).as_deref(), Some("_Z3sinDv16_f"));
    assert_eq!(variant("_Z3powdd", 8).as_deref(), Some("_Z3powDv8_dS_"));
    assert_eq!(variant("_Z4pownDhi", 3).as_deref(), Some("_Z4pownDv3_DhDv3_i"));
    assert_eq!(variant("_Z6sincosfPU3AS1f", 4).as_deref(), Some("_Z6sincosDv4_fPU3AS1S_"));
    assert_eq!(variant("_Z6remquoffPi", 2).as_deref(), Some("_Z6remquoDv2_fS_PDv2_i"));
    assert_eq!(variant("_Z7mad_hihhh", 2), None, "no such function");
    assert_eq!(variant("_Z6mad_hihhh", 2).as_deref(), Some("_Z6mad_hiDv2_hS_S_"));
}

#[test]
fn what_is_not_lane_by_lane_has_no_variant() {
    for symbol in
        ["_Z3dotff", "_Z6lengthf", "_Z5isnanf", "_Z6selectffi", "_Z3allc", "_Z3sinDv4_f", "_Z3sinf"]
    {
        let lanes = if symbol == "_Z3sinf" { 5 } else { 4 };
        assert_eq!(fixed_variant(symbol, lanes), None, "{symbol}");
    }
}

#[test]
fn variants_on_scalable_vectors_have_the_abis_names() {
    let name = |symbol: &str, count| variant(symbol, Lanes::Scalable(count)).map(|f| f.symbol);
    assert_eq!(name("_Z3sinf", 4).as_deref(), Some("_ZGVr2Nxv__Z3sinf"));
    assert_eq!(name("_Z3sind", 1).as_deref(), Some("_ZGVr1Nxv__Z3sind"));
    assert_eq!(name("_Z3powff", 16).as_deref(), Some("_ZGVr8Nxvv__Z3powff"));
    assert_eq!(name("_Z3sinDh", 1).as_deref(), Some("_ZGVrqNxv__Z3sinDh"));
    assert_eq!(name("_Z3absc", 1).as_deref(), Some("_ZGVreNxv__Z3absc"));
    assert_eq!(name("_Z6sincosfPU3AS1f", 4).as_deref(), Some("_ZGVr2Nxvl4__Z6sincosfPU3AS1f"));
    assert_eq!(name("_Z6remquoddPi", 4).as_deref(), Some("_ZGVr4Nxvvl4__Z6remquoddPi"));
    // The widest vector determines the name: the second parameter, the result.
    assert_eq!(name("_Z5ldexpDhi", 4).as_deref(), Some("_ZGVr2Nxvv__Z5ldexpDhi"));
    assert_eq!(name("_Z5ilogbDh", 4).as_deref(), Some("_ZGVr2Nxv__Z5ilogbDh"));
    assert_eq!(name("_Z8upsampleij", 4).as_deref(), Some("_ZGVr4Nxvv__Z8upsampleij"));
    for (symbol, count) in
        [("_Z3sinf", 3), ("_Z3sinf", 0), ("_Z3sinf", 32), ("_Z3sinf", u32::MAX), ("_Z3sind", 16)]
    {
        assert_eq!(name(symbol, count), None, "{symbol} for vscale x {count}");
    }
    assert_eq!(name("_Z6lengthf", 4), None, "not lane by lane");
    let fixed =
        variant("_Z3sinf", Lanes::Fixed(8)).map(|f| (f.symbol.clone(), f.source == f.symbol));
    assert_eq!(fixed, Some(("_Z3sinDv8_f".to_owned(), true)));
}

#[test]
fn names_of_variants_on_scalable_vectors_lead_back() {
    let mut variants = 0;
    for (symbol, _) in muxcl_builtins::symbols() {
        for count in [1, 2, 4, 8, 16, 32, 64] {
            if let Some(f) = variant(symbol, Lanes::Scalable(count)) {
                assert_eq!(
                    scalable_variant(&f.symbol),
                    Some(f.clone()),
                    "{symbol} for vscale x {count}"
                );
                assert_eq!(fixed_variant(symbol, 4).map(|v| v.0), Some(f.source), "{symbol}");
                variants += 1;
            }
        }
    }
    assert_eq!(variants, 2403, "README.md says how many there are");
    for other in [
        "_ZGVr2Nxvv__Z3sinf",
        "_ZGVr2Mxv__Z3sinf",
        "_ZGVr2N4v__Z3sinf",
        "_ZGVn2Nxv__Z3sinf",
        "_ZGVr2Nxv__Z3sinDv4_f",
    ] {
        assert_eq!(scalable_variant(other), None, "{other}");
    }
}

#[test]
fn variants_name_their_scalars() {
    for (variant, scalar) in [
        ("_Z3powDv8_fS_", Some("_Z3powff")),
        ("_Z3powff", Some("_Z3powff")),
        ("_Z4pownDv4_dDv4_i", Some("_Z4powndi")),
        ("_Z3fmaDv2_DhS_S_", Some("_Z3fmaDhDhDh")),
        ("_Z6sincosdPd", Some("_Z6sincosdPd")),
        // A function on vectors with a second result, one with the same integer for all lanes, one
        // that combines lanes, and one that the library does not have.
        ("_Z6sincosDv4_dPS_", None),
        ("_Z5ldexpDv4_fi", None),
        ("_Z3dotDv4_fS_", None),
        ("_Z5otherDv4_f", None),
    ] {
        assert_eq!(scalar_of(variant).as_deref(), scalar, "{variant}");
    }
}
