//! The functions of `cl_intel_subgroups`, its variants for other types (`_char`, `_short`,
//! `_long`), `cl_intel_subgroup_local_block_io` and `cl_intel_subgroup_buffer_prefetch`, made of
//! the Khronos functions of sub-groups.
//!
//! A vector is shuffled component by component. A block holds one component of all work-items of a
//! full sub-group, then the next one. In an image, each component has a row of its own. A prefetch
//! does nothing.
//!
//! Not here: the declarations for programs (`frontend-clang/src/intel-sub-groups.h`).

use super::{SCALARS, Scalar, VECTORS, WIDTHS, images, lane, sub_groups};
use std::fmt::Write as _;
use std::path::Path;

/// Shuffles of a scalar type `T`. `down` and `up` read a row of twice the maximum size of the
/// sub-group: all values of the first operand, then all of the second.
const SHUFFLES: &str = "
CONV T sub_group_shuffle(T x, uint i);
CONV T intel_sub_group_shuffle(T x, uint i) { return sub_group_shuffle(x, i); }
CONV T intel_sub_group_shuffle_xor(T x, uint mask) {
  return sub_group_shuffle(x, get_sub_group_local_id() ^ mask);
}
CONV T intel_sub_group_shuffle_down(T current, T next, uint by) {
  uint i = get_sub_group_local_id() + by, size = get_max_sub_group_size();
  T low = sub_group_shuffle(current, i), high = sub_group_shuffle(next, i - size);
  return i < size ? low : high;
}
CONV T intel_sub_group_shuffle_up(T previous, T current, uint by) {
  uint id = get_sub_group_local_id(), size = get_max_sub_group_size();
  T low = sub_group_shuffle(previous, id - by + size), high = sub_group_shuffle(current, id - by);
  return id < by ? low : high;
}
";

/// Functions of `cl_intel_subgroups_char` and `_short` that have another name than Khronos's.
const COMBINING: &str = "
CONV T sub_group_FUNCTION(T x);
CONV T intel_sub_group_FUNCTION(T x) { return sub_group_FUNCTION(x); }
";

/// Blocks of `COUNT` components `T` in the address space `SPACE`; `VEC` is the vector.
const BLOCK: &str = "
CONV VEC intel_sub_group_block_readNAME(const SPACE T *p) {
  uint id = get_sub_group_local_id(), size = get_max_sub_group_size();
  return (VEC)(READ);
}
CONV void intel_sub_group_block_writeNAME(SPACE T *p, VEC x) {
  uint id = get_sub_group_local_id(), size = get_max_sub_group_size();
  WRITE
}
";

/// A block of bytes in a row of an image, without conversion. Reads are clamped to the row, writes
/// outside do nothing.
const IMAGE: &str = "
INLINE T read_row(IMG im, int x, int y) {
  int bytes = (int)(im->width * im->bytes);
  ROW row = row_of(im, inside(y, (int)im->height), 0, 2, 0);
  int last = bytes - (int)sizeof(T);
  x = x < last ? x : last;
  x = x > 0 ? x : 0;
  if (last >= 0) return *(const __global T_at *)(row + x);
  T all = 0; // the row is shorter than T
  for (int i = 0; i < bytes; i++) all |= (T)row[i] << 8 * i;
  return all;
}
INLINE void write_row(IMG im, int x, int y, T value) {
  int bytes = (int)(im->width * im->bytes);
  if ((uint)y >= im->height) return;
  __global uchar *row = (__global uchar *)row_of(im, y, 0, 2, 0);
  if (x >= 0 && x <= bytes - (int)sizeof(T)) {
    *(__global T_at *)(row + x) = value;
    return;
  }
  for (int i = 0; i < (int)sizeof(T); i++)
    if (x + i >= 0 && x + i < bytes) row[x + i] = (uchar)(value >> 8 * i);
}
";

/// Blocks of `COUNT` rows of an image with access `ACCESS`; `VEC` is the vector of components `T`.
const IMAGE_READ: &str = "
CONV VEC intel_sub_group_block_readNAME(ACCESS image2d_t m, int2 c) {
  IMG im = __muxcl_image(m);
  int x = c.x + (int)(get_sub_group_local_id() * sizeof(T));
  return (VEC)(READ);
}
";
const IMAGE_WRITE: &str = "
CONV void intel_sub_group_block_writeNAME(ACCESS image2d_t m, int2 c, VEC v) {
  IMG im = __muxcl_image(m);
  int x = c.x + (int)(get_sub_group_local_id() * sizeof(T));
  WRITE
}
";

/// The types of blocks: element, the suffix of its functions' names, and its widths.
fn blocks() -> [(Scalar, &'static [&'static str], &'static [u32]); 4] {
    let element = |name| *SCALARS.iter().find(|scalar| scalar.name == name).unwrap();
    [
        (element("uchar"), &["_uc"], &[1, 2, 4, 8, 16]),
        (element("ushort"), &["_us"], &[1, 2, 4, 8, 16]),
        // The functions of the first extension have no suffix.
        (element("uint"), &["", "_ui"], &[1, 2, 4, 8]),
        (element("ulong"), &["_ul"], &[1, 2, 4, 8]),
    ]
}

/// The name after `block_read`: `_us4`, or `_us` for a scalar.
fn suffix(suffix: &str, width: u32) -> String {
    if width == 1 { suffix.into() } else { format!("{suffix}{width}") }
}

/// `part` for each component, joined.
fn each(width: u32, between: &str, part: impl Fn(u32) -> String) -> String {
    (0..width).map(part).collect::<Vec<_>>().join(between)
}

/// A component of the vector `x`, which may be a scalar.
fn component(vector: &str, width: u32, nth: u32) -> String {
    if width == 1 { vector.into() } else { format!("{vector}.{}", lane(nth)) }
}

fn shuffles(element: Scalar) -> String {
    let mut text = sub_groups::start();
    let _ = writeln!(text, "#define T {}", element.name);
    text.push_str(SHUFFLES);
    for width in VECTORS {
        let vector = element.vector(width);
        for (name, first, second, last) in [
            ("shuffle", "x", None, "i"),
            ("shuffle_xor", "x", None, "i"),
            ("shuffle_down", "x", Some("y"), "i"),
            ("shuffle_up", "x", Some("y"), "i"),
        ] {
            let parameter = second.map_or(String::new(), |y| format!("{vector} {y}, "));
            let parts = each(width, ", ", |nth| {
                let second = second.map_or(String::new(), |y| format!("{y}.{}, ", lane(nth)));
                format!("intel_sub_group_{name}({first}.{}, {second}{last})", lane(nth))
            });
            let _ = writeln!(
                text,
                "CONV {vector} intel_sub_group_{name}({vector} {first}, {parameter}uint {last}) \
                 {{ return ({vector})({parts}); }}"
            );
        }
    }
    text
}

fn combining(element: Scalar) -> String {
    let mut text = sub_groups::start();
    let _ = writeln!(text, "#define T {}", element.name);
    for operation in ["add", "min", "max"] {
        for function in ["reduce", "scan_exclusive", "scan_inclusive"] {
            text.push_str(&COMBINING.replace("FUNCTION", &format!("{function}_{operation}")));
        }
    }
    for width in WIDTHS {
        let vector = element.vector(width);
        let _ = writeln!(
            text,
            "CONV {vector} sub_group_broadcast({vector} x, uint i);\n\
             CONV {vector} intel_sub_group_broadcast({vector} x, uint i) \
             {{ return sub_group_broadcast(x, i); }}"
        );
    }
    text
}

fn block(element: Scalar, name: &str, width: u32, space: &str) -> String {
    let place = |nth: u32| format!("p[id + {nth} * size]");
    let write =
        each(width, "\n  ", |nth| format!("{} = {};", place(nth), component("x", width, nth)));
    BLOCK
        .replace("NAME", name)
        .replace("SPACE", space)
        .replace("READ", &each(width, ", ", place))
        .replace("WRITE", &write)
        .replace("VEC", &element.vector(width))
}

fn image_block(element: Scalar, name: &str, width: u32) -> String {
    let read = each(width, ", ", |nth| format!("read_row(im, x, c.y + {nth})"));
    let write = each(width, "\n  ", |nth| {
        format!("write_row(im, x, c.y + {nth}, {});", component("v", width, nth))
    });
    let vector = element.vector(width);
    let mut text = String::new();
    for (form, accesses) in
        [(IMAGE_READ, ["read_only", "read_write"]), (IMAGE_WRITE, ["write_only", "read_write"])]
    {
        for access in accesses {
            text.push_str(
                &form
                    .replace("NAME", name)
                    .replace("ACCESS", access)
                    .replace("READ", &read)
                    .replace("WRITE", &write)
                    .replace("VEC", &vector),
            );
        }
    }
    text
}

/// Adds the library members: shuffles of each type, reductions and broadcasts of short integers,
/// and for each type of blocks those in memory and those in images.
pub(crate) fn members(all: &mut Vec<(String, String)>, folder: &Path) {
    for element in SCALARS {
        all.push((format!("intel_shuffle_{}", element.name), shuffles(element)));
        if element.bits <= 16 && !element.float {
            all.push((format!("intel_combine_{}", element.name), combining(element)));
        }
    }
    for (element, names, widths) in blocks() {
        let mut memory = sub_groups::start();
        let _ = writeln!(memory, "#define T {}", element.name);
        let mut image = images::start_2d(folder);
        let _ = writeln!(
            image,
            "{}#define T {}\ntypedef T T_at __attribute__((aligned(1)));{IMAGE}",
            sub_groups::declarations(),
            element.name
        );
        for &width in widths {
            for name in names {
                let name = suffix(name, width);
                for space in ["__global", "__local"] {
                    memory.push_str(&block(element, &name, width, space));
                }
                let _ = writeln!(
                    memory,
                    "CONV void intel_sub_group_block_prefetch{name}(const __global T *p) {{}}"
                );
                image.push_str(&image_block(element, &name, width));
            }
        }
        all.push((format!("intel_blocks_{}", element.name), memory));
        all.push((format!("intel_image_blocks_{}", element.name), image));
    }
}
