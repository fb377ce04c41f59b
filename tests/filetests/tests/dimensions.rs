//! Kernels whose fastest lanes run along x, y or z, with local sizes that are long in one dimension
//! only. Whatever dimension the compiler chooses for the lanes, the results are those of a plain
//! loop.
#![expect(clippy::panic, reason = "a test")]

use muxcl_filetests::case::{Case, Header};
use muxcl_filetests::extent::Extent;
use muxcl_filetests::{riscv, run, run_riscv};

/// Local sizes, and global sizes whose last groups are partial in x, in y, or in both. A kernel
/// with barriers gets full groups only.
const SIZES: [([u32; 3], [u64; 3]); 7] = [
    ([64, 4, 1], [70, 9, 1]),
    ([4, 64, 1], [9, 70, 1]),
    ([2, 64, 1], [5, 64, 1]),
    ([1, 64, 1], [3, 80, 1]),
    ([8, 2, 16], [8, 4, 20]),
    ([16, 16, 1], [32, 16, 1]),
    ([5, 13, 1], [10, 14, 1]),
];

/// Indices whose consecutive dimension is x, y and z. `X`, `Y` and `Z` are the global sizes.
const INDICES: [&str; 3] = ["(z * Y + y) * X + x", "(z * X + x) * Y + y", "(x * Y + y) * Z + z"];

/// Sources: a body that computes `r` at index `i`, with the ids as `x`, `y` and `z`.
fn source(sizes: [u64; 3], index: &str, body: &str) -> String {
    let [x, y, z] = sizes;
    format!(
        "#define X {x}u
#define Y {y}u
#define Z {z}u
uint item(global const uint *in, uint x, uint y, uint z, uint i) {{
  uint r = in[i];
  {body}
  return r;
}}
kernel void test(global uint *out, global const uint *in, uint n) {{
  uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  uint i = {index};
  out[i] = item(in, x, y, z, i);
}}
kernel void expect(global uint *out, global const uint *in, uint n) {{
  for (uint z = 0; z < Z; z++)
    for (uint y = 0; y < Y; y++)
      for (uint x = 0; x < X; x++) {{
        uint i = {index};
        out[i] = item(in, x, y, z, i);
      }}
}}
"
    )
}

/// A kernel in which values and an array live across barriers, and work-items read the values of
/// neighbours in each dimension.
fn with_barriers(local: [u32; 3], sizes: [u64; 3], index: &str) -> String {
    let [x, y, z] = sizes;
    let [lx, ly, lz] = local;
    format!(
        "#define X {x}u
#define Y {y}u
#define Z {z}u
#define LX {lx}u
#define LY {ly}u
#define LZ {lz}u
uint at(uint x, uint y, uint z) {{ return {index}; }}
kernel void test(global uint *out, global const uint *in, uint n) {{
  local uint t[LX * LY * LZ];
  uint x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
  uint i = at(get_global_id(0), get_global_id(1), get_global_id(2));
  uint a = in[i] * 3u, p[3] = {{a, a ^ 5u, a + i}};
  for (uint k = 0; k < 3; k++) {{
    t[(x * LY + y) * LZ + z] = a + k;
    barrier(CLK_LOCAL_MEM_FENCE);
    a += p[(a + k) % 3u] ^ t[((x + 1) % LX * LY + (y + k) % LY) * LZ + (z + 1) % LZ];
    p[k] += a;
    barrier(CLK_LOCAL_MEM_FENCE);
  }}
  out[i] = a ^ p[i % 3u];
}}
kernel void expect(global uint *out, global const uint *in, uint n) {{
  uint t[LX * LY * LZ], a[LX * LY * LZ], p[LX * LY * LZ][3];
  for (uint gz = 0; gz < Z; gz += LZ)
  for (uint gy = 0; gy < Y; gy += LY)
  for (uint gx = 0; gx < X; gx += LX) {{
    for (uint l = 0; l < LX * LY * LZ; l++) {{
      uint i = at(gx + l / (LY * LZ), gy + l / LZ % LY, gz + l % LZ);
      a[l] = in[i] * 3u;
      p[l][0] = a[l];
      p[l][1] = a[l] ^ 5u;
      p[l][2] = a[l] + i;
    }}
    for (uint k = 0; k < 3; k++) {{
      for (uint l = 0; l < LX * LY * LZ; l++) t[l] = a[l] + k;
      for (uint l = 0; l < LX * LY * LZ; l++) {{
        uint x = l / (LY * LZ), y = l / LZ % LY, z = l % LZ;
        a[l] += p[l][(a[l] + k) % 3u] ^ t[((x + 1) % LX * LY + (y + k) % LY) * LZ + (z + 1) % LZ];
        p[l][k] += a[l];
      }}
    }}
    for (uint l = 0; l < LX * LY * LZ; l++) {{
      uint i = at(gx + l / (LY * LZ), gy + l / LZ % LY, gz + l % LZ);
      out[i] = a[l] ^ p[l][i % 3u];
    }}
  }}
}}
"
    )
}

/// All pairs of sizes and an index. The last value is true if the pair's kernel also runs on
/// RISC-V: in a plain run, one of three does.
fn pairs(extent: Extent) -> impl Iterator<Item = ([u32; 3], [u64; 3], &'static str, bool)> {
    SIZES.into_iter().enumerate().flat_map(move |(size, (local, global))| {
        INDICES.into_iter().enumerate().map(move |(index, text)| {
            let riscv = extent == Extent::Full || (size + index).is_multiple_of(INDICES.len());
            (local, global, text, riscv)
        })
    })
}

fn check(local: [u32; 3], global: [u64; 3], source: String, riscv: bool, extent: Extent) {
    let header = Header {
        test: "run".into(),
        global: global.to_vec(),
        local: local.to_vec(),
        ..Header::default()
    };
    let case = Case::of_source(header, source);
    let fail = |what: &str, error| panic!("{what}, local {local:?}: {error:#}\n{}", case.source);
    run::run(&case, extent).unwrap_or_else(|error| fail("host", error));
    if riscv {
        let device = riscv::device("RV64GCV", 256);
        run_riscv::run(&case, &device, extent).unwrap_or_else(|error| fail("RISC-V", error));
    }
}

#[test]
fn consecutive_accesses_along_each_dimension() {
    let extent = Extent::chosen();
    for (local, global, index, riscv) in pairs(extent) {
        let source = source(global, index, "r = r * 3u + in[i + 1];");
        check(local, global, source, riscv, extent);
    }
}

#[test]
fn divergent_work_items() {
    let body = "for (uint k = 0; k < ((x + y * 3u + z) & 7u); k++)
    if (in[(x * Y + k) & 63u] & 1u) r = r * 31u + y; else r ^= in[(y * X + k) & 63u] + z;";
    let extent = Extent::chosen();
    for (local, global, index, riscv) in pairs(extent) {
        check(local, global, source(global, index, body), riscv, extent);
    }
}

#[test]
fn values_across_barriers() {
    let extent = Extent::chosen();
    for (local, _, index, riscv) in pairs(extent) {
        let global = [0, 1, 2].map(|d| u64::from(local[d]) * if d == 1 { 2 } else { 1 });
        check(local, global, with_barriers(local, global, index), riscv, extent);
    }
}
