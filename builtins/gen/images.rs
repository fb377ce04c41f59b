//! Image functions: the overloads for every kind of image, on the common functions in
//! `src-cl/image`.
//!
//! Not here: the representation of formats (`src-cl/image/fetch_*.cl`, `store_*.cl`), addressing
//! and filters (`core.h`, `linear*.cl`).

use std::fmt::Write as _;
use std::path::Path;

/// A kind of image and its coordinates.
struct Kind {
    /// The type's name without `_t`: `image2d`.
    name: &'static str,
    /// Number of components of a coordinate.
    width: u32,
    /// Number of dimensions that are addressed and filtered. The component after them may be a
    /// layer.
    dims: u32,
    layered: bool,
    depth: bool,
    /// True if kernels may read it with a sampler.
    sampled: bool,
}

const fn kind(name: &'static str, width: u32, dims: u32, layered: bool) -> Kind {
    Kind { name, width, dims, layered, depth: false, sampled: true }
}

const KINDS: [Kind; 8] = [
    kind("image1d", 1, 1, false),
    Kind { sampled: false, ..kind("image1d_buffer", 1, 1, false) },
    kind("image1d_array", 2, 1, true),
    kind("image2d", 2, 2, false),
    kind("image2d_array", 4, 2, true),
    Kind { depth: true, ..kind("image2d_depth", 2, 2, false) },
    Kind { depth: true, ..kind("image2d_array_depth", 4, 2, true) },
    kind("image3d", 4, 3, false),
];

const ACCESS: [&str; 3] = ["read_only", "write_only", "read_write"];

impl Kind {
    fn coordinate(&self, element: &str) -> String {
        if self.width == 1 { element.into() } else { format!("{element}{}", self.width) }
    }

    /// The coordinate as x, y, z arguments of the common functions.
    fn parts(&self, zero: &str) -> String {
        match (self.dims, self.layered, self.width) {
            (1, false, _) => format!("c, {zero}, {zero}"),
            (1, true, _) => format!("c.x, {zero}, c.y"),
            (2, false, _) => format!("c.x, c.y, {zero}"),
            _ => "c.x, c.y, c.z".into(),
        }
    }

    fn how(&self) -> String {
        format!("{}, {}", self.dims, u32::from(self.layered))
    }
}

/// A suffix of `read_image`: its result type, the suffix of the common functions, and the cast to
/// the result type.
const LETTERS: [(&str, &str, &str, &str); 4] = [
    ("f", "float4", "f", ""),
    ("h", "half4", "f", "half4"),
    ("i", "int4", "u", "as"),
    ("ui", "uint4", "u", ""),
];

const OVERLOAD: &str = "OVL __attribute__((always_inline))";

fn result(kind: &Kind, cast: &str, value: &str) -> String {
    match cast {
        _ if kind.depth => format!("{value}.x"),
        "" => value.into(),
        "as" => format!("__builtin_astype({value}, int4)"),
        to => format!("__builtin_convertvector({value}, {to})"),
    }
}

fn descriptors(text: &mut String, kind: &Kind) {
    for access in ACCESS {
        let _ = writeln!(text, "OVL IMG __muxcl_image({access} {}_t);", kind.name);
    }
}

fn reads(kind: &Kind, (letter, gives, common, cast): (&str, &str, &str, &str)) -> String {
    let gives = if kind.depth { "float" } else { gives };
    let mut text = String::new();
    let (name, how) = (kind.name, kind.how());
    let (int, float) = (kind.coordinate("int"), kind.coordinate("float"));
    let plain = result(
        kind,
        cast,
        &format!("texel_{common}(__muxcl_image(m), 0, {}, {how})", kind.parts("0")),
    );
    for access in ["read_only", "read_write"] {
        let _ = writeln!(
            text,
            "{OVERLOAD} {gives} read_image{letter}({access} {name}_t m, {int} c) \
            {{ return {plain}; }}"
        );
    }
    if kind.sampled {
        let bits = "__muxcl_sampler_bits(s)";
        let at = result(
            kind,
            cast,
            &format!("texel_{common}(__muxcl_image(m), {bits}, {}, {how})", kind.parts("0")),
        );
        let function = if common == "f" { "sample_f" } else { "near_u" };
        let sampled = result(
            kind,
            cast,
            &format!("{function}(__muxcl_image(m), {bits}, {}, {how})", kind.parts("0.0f")),
        );
        let _ = writeln!(
            text,
            "{OVERLOAD} {gives} read_image{letter}(read_only {name}_t m, sampler_t s, {int} c) {{ return {at}; }}"
        );
        let _ = writeln!(
            text,
            "{OVERLOAD} {gives} read_image{letter}(read_only {name}_t m, sampler_t s, {float} c) {{ return {sampled}; }}"
        );
    }
    text
}

/// A suffix of `write_image`: the parameter type, the suffix of the common function, and its
/// argument.
fn written(
    kind: &Kind,
    letter: &str,
    takes: &'static str,
) -> (&'static str, &'static str, &'static str) {
    match letter {
        _ if kind.depth => ("float", "f", "(float4)(v, 0.0f, 0.0f, 1.0f)"),
        "f" => (takes, "f", "v"),
        "h" => (takes, "f", "__builtin_convertvector(v, float4)"),
        "i" => (takes, "i", "v"),
        _ => (takes, "u", "v"),
    }
}

fn writes(kind: &Kind, (letter, takes, _, _): (&str, &'static str, &str, &str)) -> String {
    let (takes, common, value) = written(kind, letter, takes);
    let mut text = String::new();
    let (name, how, int, parts) = (kind.name, kind.how(), kind.coordinate("int"), kind.parts("0"));
    for access in ["write_only", "read_write"] {
        let _ = writeln!(
            text,
            "{OVERLOAD} void write_image{letter}({access} {name}_t m, {int} c, {takes} v) \
             {{ write_{common}(__muxcl_image(m), {parts}, {how}, {value}); }}"
        );
    }
    text
}

/// A kind of image that may have mipmap levels.
fn may_have_levels(kind: &Kind) -> bool {
    kind.sampled
}

/// Reads at a level of detail, which is given or computed from gradients: the change of the
/// coordinate from pixel to pixel in both directions.
fn level_reads(kind: &Kind, (letter, gives, common, cast): (&str, &str, &str, &str)) -> String {
    let gives = if kind.depth { "float" } else { gives };
    let mut text = String::from("OVL float log2(float x);\n");
    let (name, float) = (kind.name, kind.coordinate("float"));
    let how = format!("HOW({})", kind.how());
    // A gradient has a component for each dimension, but 4 for 3 dimensions.
    let gradient = match kind.dims {
        1 => "float",
        2 => "float2",
        _ => "float4",
    };
    let scaled = match kind.dims {
        1 => "g *= (float)im->width; return g * g;",
        2 => "g *= (float2)((float)im->width, (float)im->height); return g.x * g.x + g.y * g.y;",
        _ => {
            "g.xyz *= (float3)((float)im->width, (float)im->height, (float)im->depth); \
             return g.x * g.x + g.y * g.y + g.z * g.z;"
        }
    };
    let _ = writeln!(text, "INLINE float squared(IMG im, {gradient} g) {{ {scaled} }}");
    let read = |lod: &str| {
        let parts = kind.parts("0.0f");
        result(
            kind,
            cast,
            &format!("__muxcl_mip_{common}(im, __muxcl_sampler_bits(s), {parts}, {lod}, {how})"),
        )
    };
    for access in ["read_only", "read_write"] {
        let _ = writeln!(
            text,
            "{OVERLOAD} {gives} read_image{letter}({access} {name}_t m, sampler_t s, {float} c, float lod) \
             {{ IMG im = __muxcl_image(m); return {}; }}",
            read("lod")
        );
        // The logarithm of a length, computed from its square.
        let _ = writeln!(
            text,
            "{OVERLOAD} {gives} read_image{letter}({access} {name}_t m, sampler_t s, {float} c, {gradient} gx, {gradient} gy) \
             {{ IMG im = __muxcl_image(m); float a = squared(im, gx), b = squared(im, gy); \
             float lod = 0.5f * log2(a > b ? a : b); return {}; }}",
            read("lod")
        );
    }
    text
}

/// Writes to a level; a level that does not exist is ignored.
fn level_writes(kind: &Kind, (letter, takes, _, _): (&str, &'static str, &str, &str)) -> String {
    let (takes, common, value) = written(kind, letter, takes);
    let mut text = String::new();
    let (name, how, int, parts) = (kind.name, kind.how(), kind.coordinate("int"), kind.parts("0"));
    for access in ["write_only", "read_write"] {
        let _ = writeln!(
            text,
            "{OVERLOAD} void write_image{letter}({access} {name}_t m, {int} c, int lod, {takes} v) {{ \
             IMG im = __muxcl_image(m); Descriptor level; if ((uint)lod >= im->levels) return; \
             __muxcl_level(im, (uint)lod, &level); write_{common}(&level, {parts}, {how}, {value}); }}"
        );
    }
    text
}

fn queries(kind: &Kind) -> String {
    let mut text = String::new();
    for access in ACCESS {
        let mut query = |gives: &str, name: &str, value: &str| {
            let _ = writeln!(
                text,
                "{OVERLOAD} {gives} {name}({access} {}_t m) {{ IMG im = __muxcl_image(m); return {value}; }}",
                kind.name
            );
        };
        query("int", "get_image_width", "(int)im->width");
        query("int", "get_image_channel_data_type", "(int)im->type");
        query("int", "get_image_channel_order", "(int)im->order");
        if may_have_levels(kind) {
            query("int", "get_image_num_mip_levels", "(int)im->levels");
        }
        if kind.dims > 1 {
            query("int", "get_image_height", "(int)im->height");
        }
        match kind.dims {
            2 => query("int2", "get_image_dim", "(int2)((int)im->width, (int)im->height)"),
            3 => {
                query("int", "get_image_depth", "(int)im->depth");
                query(
                    "int4",
                    "get_image_dim",
                    "(int4)((int)im->width, (int)im->height, (int)im->depth, 0)",
                );
            }
            _ => {}
        }
    }
    text
}

/// The beginning of every member's text.
fn common(folder: &Path) -> String {
    let core = std::fs::read_to_string(folder.join("image/core.h")).unwrap();
    format!("{}{core}", super::prologue())
}

/// The beginning of a member's text with functions of `image2d_t`.
pub(super) fn start_2d(folder: &Path) -> String {
    let mut text = common(folder);
    for kind in KINDS.iter().filter(|kind| kind.name == "image2d") {
        descriptors(&mut text, kind);
    }
    text
}

/// One member for each function of each kind of image, the members of formats, and those of
/// filters.
pub(crate) fn members(all: &mut Vec<(String, String)>, folder: &Path) {
    let common = common(folder);
    let srgb = std::fs::read_to_string(folder.join("image/srgb.h")).unwrap();
    for name in [
        "fetch_f", "fetch_u", "store_f", "store_i", "store_u", "linear1", "linear2", "linear3",
        "mipmap",
    ] {
        let body = std::fs::read_to_string(folder.join(format!("image/{name}.cl"))).unwrap();
        let body = body.replace("#include \"srgb.h\"\n", &srgb);
        all.push((format!("image_{name}"), format!("{common}{body}")));
    }
    for kind in &KINDS {
        let mut start = common.clone();
        descriptors(&mut start, kind);
        for letter in LETTERS {
            if kind.depth && letter.0 != "f" {
                continue;
            }
            let name = |what: &str| format!("{}_{what}_{}", kind.name, letter.0);
            all.push((name("read"), format!("{start}{}", reads(kind, letter))));
            all.push((name("write"), format!("{start}{}", writes(kind, letter))));
            if may_have_levels(kind) && letter.0 != "h" {
                all.push((name("level_read"), format!("{start}{}", level_reads(kind, letter))));
                all.push((name("level_write"), format!("{start}{}", level_writes(kind, letter))));
            }
        }
        all.push((format!("{}_queries", kind.name), format!("{start}{}", queries(kind))));
    }
    sized_members(all, folder);
}

/// The functions that return `size_t`.
pub(crate) fn sized_members(all: &mut Vec<(String, String)>, folder: &Path) {
    let mut text = common(folder);
    for kind in KINDS.iter().filter(|kind| kind.layered) {
        descriptors(&mut text, kind);
        for access in ACCESS {
            let _ = writeln!(
                text,
                "{OVERLOAD} size_t get_image_array_size({access} {}_t m) {{ return __muxcl_image(m)->layers; }}",
                kind.name
            );
        }
    }
    all.push(("image_array_size".into(), text));
}
