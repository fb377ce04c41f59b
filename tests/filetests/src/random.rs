//! Random kernels: programs whose work-items diverge in every way, for comparisons between scalar
//! code and lanes.
//!
//! Invariant: the result of a kernel does not depend on the order of its work-items. Each writes
//! its own words of `out`, or adds to shared ones by atomic operations whose results are not used.
//! Barriers stand in uniform control flow only. Sub-group functions may stand in divergent control
//! flow, but not in a cycle that work-items enter at different statements. Their results are
//! defined, because in all generated code, work-items reconverge behind a branch and before the
//! next iteration of a loop. No operation is undefined. A seed always gives the same kernel.
//!
//! A program is a tree of statements, so that [`Program::minimised`] can remove parts of it.

use std::fmt::Write as _;

use fastrand::Rng;

use crate::case::{Case, Header};

/// A statement.
#[derive(Debug, Clone)]
enum Statement {
    /// One that contains no other.
    Simple(String),
    If {
        condition: String,
        then: Vec<Self>,
        otherwise: Vec<Self>,
    },
    /// A loop with a counter of its own, which runs at most `bound` times.
    Loop {
        form: Form,
        counter: String,
        bound: String,
        body: Vec<Self>,
        /// Work-items for which the condition holds begin at this statement of the body. A `for`
        /// has none.
        entry: Option<Jump>,
    },
    /// Parts that run one after another, with jumps between them. Work-items enter at the part of
    /// the first of the `entries` whose condition holds, else at the first part. After each part,
    /// they jump to another one if the condition of its entry in `jumps` holds, at most `bound`
    /// times in all.
    Jumps {
        counter: String,
        bound: String,
        entries: Vec<Jump>,
        parts: Vec<Vec<Self>>,
        jumps: Vec<Jump>,
    },
    /// Cases 0, 1, 2, ... of `on`; those in `through` continue with the next case.
    Switch {
        on: String,
        cases: Vec<Vec<Self>>,
        through: Vec<bool>,
    },
}

/// A conditional jump to a part, or to a statement of a loop.
#[derive(Debug, Clone)]
struct Jump {
    condition: String,
    to: usize,
}

#[derive(Debug, Clone, Copy)]
enum Form {
    For,
    /// A `for` that counts up to `bound` from the work-item's id, by the same number in all
    /// work-items.
    Strided {
        /// From the local id instead of the global id.
        local: bool,
        signed: bool,
        step: u32,
    },
    While,
    DoWhile,
}

/// A kernel and the size of its launch.
#[derive(Debug, Clone)]
pub struct Program {
    body: Vec<Statement>,
    global: Vec<u64>,
    local: Vec<u32>,
    /// Indices are consecutive in y, as in `x * n + y`.
    by_columns: bool,
    /// The type of the elements of the long private array.
    element: &'static str,
}

/// Sizes of work-groups, and whether they have a second dimension. Some are no multiple of lanes.
const GROUPS: [&[u32]; 12] = [
    &[16],
    &[12],
    &[20],
    &[33],
    &[7],
    &[8, 3],
    &[16, 2],
    &[5, 4],
    &[2, 16],
    &[3, 9],
    &[4, 8],
    &[8, 8],
];

/// Types of the elements of private arrays. All of them represent the numbers up to 255.
const ELEMENTS: [&str; 7] = ["uchar", "ushort", "uint", "ulong", "float", "double", "int"];

/// The functions that kernels call. `helper` is not inlined.
const FUNCTIONS: &str = "\
__attribute__((noinline)) uint helper(uint x, uint y) {
  if (x & 1) return x * 31u + y;
  for (uint i = 0; i < y % 5u; i++) x = x * 3u + i;
  return x ^ y;
}
uint inlined(uint x, uint y) {
  if (x > y) return x - y;
  if ((x ^ y) % 3u == 1u) return x + 7u;
  return y * 5u;
}
uint bits(float f) { return isnan(f) ? 1u : as_uint(f); }
";

/// The seeds of a plain test run on the host. Their kernels are short, so that the run takes
/// minutes. The kernels of other seeds have no limit; some of them compile for half a minute.
pub const SHORT: std::ops::Range<u64> = 0..1000;
/// About the largest number of statements in a short kernel. One with sub-group functions has half
/// as many, because these become many blocks.
const STATEMENTS: u32 = 24;

struct Generator {
    rng: Rng,
    counters: u32,
    /// Control flow is the same for all work-items of a group.
    uniform: bool,
    loops: u32,
    depth: u32,
    items: u32,
    barriers: bool,
    /// The kernel calls sub-group functions.
    sub_groups: bool,
    /// The counters of the loops around.
    around: Vec<String>,
    /// How many more statements the kernel may get.
    left: u32,
}

impl Program {
    /// The program of a seed.
    #[must_use]
    pub fn of(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        let local = GROUPS[rng.usize(..GROUPS.len())].to_vec();
        // Every fourth launch has a last group that is not full.
        let rest = if rng.u8(..4) == 0 { u64::from(rng.u32(1..=local[0])) } else { 0 };
        let global = local
            .iter()
            .enumerate()
            .map(|(d, n)| u64::from(*n) * 2 + if d == 0 { rest % u64::from(*n) } else { 0 })
            .collect();
        let full = rest % u64::from(local[0]) == 0;
        // 5 has no common factor with the numbers that choose lanes and vector lengths.
        let sub_groups = seed % 5 == 3;
        let left = match SHORT.contains(&seed) {
            true if sub_groups => STATEMENTS / 2,
            true => STATEMENTS,
            false => u32::MAX,
        };
        let mut generator = Generator {
            barriers: full && rng.bool(),
            rng,
            counters: 0,
            uniform: true,
            loops: 0,
            depth: 0,
            items: local.iter().product(),
            sub_groups,
            around: Vec::new(),
            left,
        };
        // Sub-group functions become many blocks: a long kernel of them compiles for a minute.
        let count = generator.rng.u32(if sub_groups { 3..5 } else { 3..9 });
        let body = generator.statements(count);
        // 3 has no common factor with the numbers that make other choices by the seed.
        let by_columns = local.len() > 1 && seed % 3 == 1;
        // 7 has no common factor with them either.
        let element = ELEMENTS[(seed % 7) as usize];
        Self { body, by_columns, element, global, local }
    }

    /// The program as a case that `run` takes.
    #[must_use]
    pub fn case(&self) -> Case {
        let header = Header {
            test: "run".into(),
            global: self.global.clone(),
            local: self.local.clone(),
            ..Header::default()
        };
        Case::of_source(header, self.source())
    }

    fn source(&self) -> String {
        let items: u32 = self.local.iter().product();
        let (g, l) = match self.by_columns {
            true => (
                "get_global_id(0) * get_global_size(1) + get_global_id(1)",
                "get_local_id(0) * get_enqueued_local_size(1) + get_local_id(1)",
            ),
            false => ("get_global_linear_id()", "get_local_linear_id()"),
        };
        let mut out = String::from("#pragma OPENCL FP_CONTRACT OFF\n");
        out.push_str(FUNCTIONS);
        let _ = write!(
            out,
            "kernel void test(global uint *out, global const uint *in, uint n) {{
  local uint t[{items}];
  local uint4 q[{items}];
  uint g = {g}, l = {l}, u = get_group_id(0), m = n % 7u;
  uint x = get_global_id(0), a = in[g], b = l, c = 3, d = a ^ 77;
  int s = (int)a - 5000, r = -(int)x;
  ulong w = ((ulong)a << 20) | g;
  float f = (float)(a % 1000u), h = (float)l;
  uint4 v = (uint4)(a, b, g, 9);
  float2 e = (float2)(f, 0.5f);
  uchar4 y = convert_uchar4(v);
  uint p[5] = {{1, 2, 3, 4, 5}};
  q[l] = v;
  {0} z[40];
  #pragma unroll 1
  for (uint i = 0; i < 40u; i++) z[i] = ({0})(in[(g + i) % n] & 255u);
",
            self.element
        );
        print(&self.body, 1, &mut out);
        out.push_str(
            "  out[g] += a + b * 3 + c * 5 + d * 7 + u * 11 + m * 13 + (uint)s * 17 + (uint)r * 19;
  out[n + g] += (uint)w + (uint)(w >> 32) * 3 + bits(f) * 5 + bits(h) * 7 + p[0] * 17 + p[3];
  out[n + g] ^= v.x + v.y * 3 + v.z * 5 + v.w * 7 + bits(e.x) * 11 + bits(e.y) * 13;
  v ^= q[l];
  out[n + g] ^= v.x * 17 + v.w * 19;
  out[n + g] += y.x + y.y * 256 + y.z * 65536 + y.w * 3;
  #pragma unroll 1
  for (uint i = 0; i < 40u; i++) out[n + g] = out[n + g] * 3 + (uint)z[i];
}
",
        );
        out
    }

    /// The programs that arise if one statement is removed, replaced by its body, or made smaller.
    #[must_use]
    pub fn smaller(&self) -> Vec<Self> {
        variants(&self.body).into_iter().map(|body| Self { body, ..self.clone() }).collect()
    }

    /// The smallest program found, by removing statements, that `fails` still.
    #[must_use]
    pub fn minimised(&self, fails: impl Fn(&Self) -> bool) -> Self {
        let mut best = self.clone();
        while let Some(smaller) = best.smaller().into_iter().find(&fails) {
            best = smaller;
        }
        best
    }
}

/// The lists that arise if one statement is removed, replaced by its body, or made smaller.
fn variants(list: &[Statement]) -> Vec<Vec<Statement>> {
    let mut out = Vec::new();
    let replaced = |at: usize, with: Vec<Statement>| [&list[..at], &with, &list[at + 1..]].concat();
    for at in 0..list.len() {
        out.push(replaced(at, Vec::new()));
    }
    for (at, statement) in list.iter().enumerate() {
        match statement {
            Statement::Simple(_) => {}
            Statement::If { condition, then, otherwise } => {
                out.push(replaced(at, then.clone()));
                out.push(replaced(at, otherwise.clone()));
                for then in variants(then) {
                    let (condition, otherwise) = (condition.clone(), otherwise.clone());
                    out.push(replaced(at, vec![Statement::If { condition, then, otherwise }]));
                }
                for otherwise in variants(otherwise) {
                    let (condition, then) = (condition.clone(), then.clone());
                    out.push(replaced(at, vec![Statement::If { condition, then, otherwise }]));
                }
            }
            Statement::Loop { form, counter, bound, body, entry } => {
                let mut smaller: Vec<_> =
                    variants(body).into_iter().map(|body| (body, entry.clone())).collect();
                if entry.is_some() {
                    smaller.push((body.clone(), None));
                }
                for (body, entry) in smaller {
                    let (form, counter, bound) = (*form, counter.clone(), bound.clone());
                    let small = Statement::Loop { form, counter, bound, body, entry };
                    out.push(replaced(at, vec![small]));
                }
            }
            Statement::Jumps { counter, bound, entries, parts, jumps } => {
                out.extend(parts.iter().map(|part| replaced(at, part.clone())));
                let mut with = |entries: &[Jump], parts: &[Vec<Statement>], jumps: &[Jump]| {
                    let (counter, bound) = (counter.clone(), bound.clone());
                    let (entries, parts, jumps) =
                        (entries.to_vec(), parts.to_vec(), jumps.to_vec());
                    let small = Statement::Jumps { counter, bound, entries, parts, jumps };
                    out.push(replaced(at, vec![small]));
                };
                for n in 0..entries.len() {
                    with(&[&entries[..n], &entries[n + 1..]].concat(), parts, jumps);
                }
                for n in 0..parts.len() {
                    for smaller in variants(&parts[n]) {
                        let mut parts = parts.clone();
                        parts[n] = smaller;
                        with(entries, &parts, jumps);
                    }
                    if jumps[n].condition != "0" {
                        let mut jumps = jumps.clone();
                        jumps[n].condition = "0".into();
                        with(entries, parts, &jumps);
                    }
                }
            }
            Statement::Switch { on, cases, through } => {
                out.extend(cases.iter().map(|case| replaced(at, case.clone())));
                for (n, case) in cases.iter().enumerate() {
                    for smaller in variants(case) {
                        let mut cases = cases.clone();
                        cases[n] = smaller;
                        let (on, through) = (on.clone(), through.clone());
                        out.push(replaced(at, vec![Statement::Switch { on, cases, through }]));
                    }
                }
            }
        }
    }
    out
}

fn print(list: &[Statement], level: usize, out: &mut String) {
    let pad = "  ".repeat(level);
    for statement in list {
        let _ = match statement {
            Statement::Simple(text) => writeln!(out, "{pad}{text}"),
            Statement::If { condition, then, otherwise } => {
                let _ = writeln!(out, "{pad}if ({condition}) {{");
                print(then, level + 1, out);
                if !otherwise.is_empty() {
                    let _ = writeln!(out, "{pad}}} else {{");
                    print(otherwise, level + 1, out);
                }
                writeln!(out, "{pad}}}")
            }
            Statement::Loop { form, counter: k, bound, body, entry } => {
                let enter = entry.as_ref().map_or_else(String::new, |e| {
                    format!("{pad}if ({}) goto {k}e;\n", e.condition)
                });
                let _ = match form {
                    Form::For => {
                        writeln!(out, "{pad}for (uint {k} = 0; {k} < {bound}; {k}++) {{")
                    }
                    Form::Strided { local, signed, step } => {
                        let ty = if *signed { "int" } else { "uint" };
                        let id = if *local { "get_local_id(0)" } else { "get_global_id(0)" };
                        writeln!(
                            out,
                            "{pad}for ({ty} {k} = {id}; {k} < ({ty})({bound}); {k} += {step}) {{"
                        )
                    }
                    Form::While => {
                        writeln!(out, "{pad}uint {k} = 0;\n{enter}{pad}while ({k}++ < {bound}) {{")
                    }
                    Form::DoWhile => writeln!(out, "{pad}uint {k} = 0;\n{enter}{pad}do {{"),
                };
                let to = entry.as_ref().map_or(0, |e| e.to.min(body.len()));
                print(&body[..to], level + 1, out);
                if entry.is_some() {
                    let _ = writeln!(out, "{pad}{k}e:;");
                }
                print(&body[to..], level + 1, out);
                match form {
                    Form::DoWhile => writeln!(out, "{pad}}} while (++{k} < {bound});"),
                    _ => writeln!(out, "{pad}}}"),
                }
            }
            Statement::Jumps { counter: k, bound, entries, parts, jumps } => {
                let _ = writeln!(out, "{pad}uint {k} = 0;");
                for Jump { condition, to } in entries {
                    let _ = writeln!(out, "{pad}if ({condition}) goto {k}p{to};");
                }
                for (n, (part, Jump { condition, to })) in parts.iter().zip(jumps).enumerate() {
                    let _ = writeln!(out, "{pad}{k}p{n}: {{");
                    print(part, level + 1, out);
                    let _ = writeln!(
                        out,
                        "{pad}}}\n{pad}if ({condition} && {k}++ < {bound}) goto {k}p{to};"
                    );
                }
                Ok(())
            }
            Statement::Switch { on, cases, through } => {
                let _ = writeln!(out, "{pad}switch ({on}) {{");
                for (n, case) in cases.iter().enumerate() {
                    let _ = if n + 1 == cases.len() {
                        writeln!(out, "{pad}default: {{")
                    } else {
                        writeln!(out, "{pad}case {n}: {{")
                    };
                    print(case, level + 1, out);
                    let end = if through[n] { "}" } else { "} break;" };
                    let _ = writeln!(out, "{pad}{end}");
                }
                writeln!(out, "{pad}}}")
            }
        };
    }
}

impl Generator {
    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.rng.usize(..list.len())]
    }

    /// An expression of type `uint`.
    fn value(&mut self) -> String {
        if self.uniform && self.barriers && self.rng.u8(..4) == 0 {
            return self.uniform_value();
        }
        let k = self.rng.u32(..9);
        match self.rng.u8(..24) {
            22 => format!("(uint)z[{} % 40u]", self.pick(&["a", "b", "c", "l", "v.x"])),
            23 => format!("(uint)z[{}]", self.uniform_index()),
            0 => format!("{k}u"),
            1..=5 => self.pick(&["a", "b", "c", "d", "g", "l", "x", "u", "m"]).into(),
            // The element of a partner.
            6 if k < 3 => format!("in[{} ^ {}]", self.pick(&["g", "x", "l"]), self.distance()),
            6 => format!("in[{} % (4u * n)]", self.pick(&["a", "b", "c", "d"])),
            7 if k < 5 => format!("in[g + {k}u]"),
            // An index that wraps within a vector of work-items.
            7 => format!("in[({} + {k}u) & 7u]", self.pick(&["g", "l", "x", "2u * l"])),
            8 => format!("p[{} % 5u]", self.pick(&["a", "b", "c", "l"])),
            9 => {
                format!("(uint){}", self.pick(&["s", "r", "w", "(w >> 7)", "(short)a", "(char)b"]))
            }
            10 => format!("helper({}, {})", self.pick(&["a", "b", "c"]), self.pick(&["d", "l"])),
            11 => format!("inlined({}, {k}u)", self.pick(&["a", "b", "c"])),
            12 => format!("v.{}", self.pick(&["x", "y", "z", "w"])),
            13 => format!("v[{} & 3u]", self.pick(&["a", "b", "l"])),
            14 => format!("y.{}", self.pick(&["x", "y", "z", "w"])),
            15 => format!("bits({})", self.pick(&["f", "h", "e.x", "e.y"])),
            16 => "in[out[g] % n]".into(),
            17 => {
                let (x, y) = (self.pick(&["a", "b", "c"]), self.pick(&["d", "l", "m"]));
                format!("({x} {} ({y} | 1u))", self.pick(&["/", "%"]))
            }
            18 => format!(
                "{}({}, {k}u)",
                self.pick(&["min", "max", "rotate", "add_sat", "mul_hi", "abs_diff"]),
                self.pick(&["a", "b", "c", "d"])
            ),
            19 => {
                format!("({} > {k}u ? {} : c)", self.pick(&["a", "b", "l"]), self.pick(&["d", "x"]))
            }
            _ => {
                let (x, y) = (self.pick(&["a", "b", "c", "l"]), self.pick(&["d", "g", "m", "5u"]));
                format!(
                    "({x} {} {y})",
                    self.pick(&["+", "-", "*", "^", "&", "|", "<< 3 ^", ">> 2 ^"])
                )
            }
        }
    }

    /// An index of the long private array that is mostly the same in all work-items.
    fn uniform_index(&mut self) -> String {
        let k = self.rng.u32(..40);
        match self.around.last().filter(|_| !k.is_multiple_of(4)) {
            Some(counter) => format!("({counter} + {k}u) % 40u"),
            None if k.is_multiple_of(2) => format!("(m + {k}u) % 40u"),
            None => format!("{k}"),
        }
    }

    /// An expression that is the same in all work-items of a group.
    fn uniform_value(&mut self) -> String {
        let k = self.rng.u32(1..7);
        match self.rng.u8(..4) {
            0 => format!("(u + {k}u)"),
            1 => format!("(m * {k}u)"),
            2 => format!("in[u + {k}u]"),
            _ => "m".into(),
        }
    }

    /// The distance of partners, the same in all work-items of a group.
    fn distance(&mut self) -> &'static str {
        self.pick(&["1u", "5u", "8u", "16u", "21u", "m", "u"])
    }

    fn condition(&mut self) -> String {
        let k = self.rng.u32(..5);
        if self.uniform && self.barriers {
            return format!("{} % 3u == {}u", self.uniform_value(), k % 3);
        }
        match self.rng.u8(..9) {
            0 => format!("{} % 3u == {}u", self.uniform_value(), k % 3),
            1 => format!("s {} r", self.pick(&["<", ">", "<=", "=="])),
            2 => format!("f {} h", self.pick(&["<", ">", "!=", "<="])),
            3 => format!("x == {k}u || l > {}u", k + 4),
            4 => format!("(w >> {k}) & 1"),
            5 => format!("v.x > v.y && ({} & {}u)", self.value(), k + 1),
            6 => format!("any(v == (uint4)({k}u)) || y.x > y.y"),
            _ => format!(
                "({}) % {}u {} {}u",
                self.value(),
                k + 2,
                self.pick(&["==", "<", ">"]),
                k / 2
            ),
        }
    }

    fn simple(&mut self) -> Statement {
        let value = self.value();
        let k = self.rng.u32(..9);
        let name = self.pick(&["a", "b", "c", "d"]);
        let op = self.pick(&["=", "+=", "-=", "^=", "*=", "|=", "&="]);
        let text = match self.rng.u8(..30) {
            0 => format!("s = (int)((uint)s {} ({value}));", self.pick(&["+", "-", "*", "^"])),
            1 => format!("r = s {} (int)(({value}) & 255u | 1);", self.pick(&["/", "%", "&"])),
            2 => format!("w {} (ulong)({value}) * {}ul;", self.pick(&["=", "+=", "^="]), k + 1),
            3 => format!("f = (float)({value}) * 0.25f - h;"),
            4 => format!(
                "h = {};",
                self.pick(&["f * 1.5f + h", "fabs(f - h)", "floor(f * 0.1f)", "fma(f, 0.5f, h)"])
            ),
            5 => format!("p[({value}) % 5u] {op} {};", self.pick(&["a", "b", "l"])),
            6 => format!("v.{} {op} {value};", self.pick(&["x", "y", "z", "w"])),
            7 => format!("v = v.{} + (uint4)({value});", self.pick(&["yzwx", "xxyy", "wzyx"])),
            8 => format!("v[({value}) & 3u] = {name};"),
            9 => format!("y += (uchar4)((uchar)({value}), 1, 2, {k});"),
            10 => format!("e = e.yx * (float2)({k}.5f, (float)(a & 15u));"),
            11 if k < 3 => format!(
                "{{ volatile global uint *at = &out[2u * n + ({value}) % n]; uint old; do old = \
                 *at; while (atomic_cmpxchg(at, old, old + {k}u) != old); }}"
            ),
            11 => format!(
                "atomic_add(&out[2u * n + ({value}) % n], {});",
                self.pick(&["a", "l", "1u"])
            ),
            12 => format!(
                "atomic_xor(&out[3u * n + ({value}) % n], {});",
                self.pick(&["b", "g", "5u"])
            ),
            13 if k < 3 => format!("out[n + g] = {value}; mem_fence(CLK_GLOBAL_MEM_FENCE);"),
            13 => format!("out[n + g] = {value};"),
            14 => format!("out[g] {op} {value};"),
            15 => format!("if ({}) {name} {op} {value};", self.condition()),
            16 => format!("v = vload4(({value}) % n, in);"),
            17 => format!("w = (ulong)popcount({name}) + clz({value});"),
            18 => format!("v {op} vload4({}, in);", self.pick(&["g", "l", "u", "m"])),
            19 => format!("q[l] {op} {};", self.pick(&["v", "v.x", "v * q[l]", "max(v, 9u)"])),
            20 => format!(
                "v = {};",
                self.pick(&[
                    "v * 3u + q[l]",
                    "select(v, q[l], v > q[l])",
                    "convert_uint4(y) ^ v >> 1",
                    "a > b ? v : q[l]",
                    "v / (q[l] | 1u)",
                ])
            ),
            21 => "y = convert_uchar4(v & 255u);".into(),
            24 => format!("z[({value}) % 40u] = ({name}) & 127u;"),
            25 | 26 => format!("z[{}] = ({value}) & 255u;", self.uniform_index()),
            _ => format!("{name} {op} {value};"),
        };
        Statement::Simple(text)
    }

    /// A value of each work-item goes to another one.
    fn exchange(&mut self) -> Statement {
        let (value, k) = (self.value(), self.rng.u32(..self.items));
        let form = self.rng.u8(..6);
        if form < 2 {
            let (with, items) = (self.distance(), self.items);
            let name = self.pick(&["a", "b", "c", "d"]);
            let partner = format!("t[l ^ {with}]");
            let has_partner = format!("(l ^ {with}) < {items}u && ({name} & 3u) != 1u");
            let (before, after) = match form {
                0 => (value, format!("if ({has_partner}) {name} ^= {partner};")),
                _ => (
                    format!("{k}u"),
                    format!(
                        "if ({has_partner}) {partner} = {value}; barrier(CLK_LOCAL_MEM_FENCE); \
                         {name} += t[l];"
                    ),
                ),
            };
            return Statement::Simple(format!(
                "t[l] = {before}; barrier(CLK_LOCAL_MEM_FENCE); {after} \
                 barrier(CLK_LOCAL_MEM_FENCE);"
            ));
        }
        Statement::Simple(format!(
            "t[l] = {value}; barrier(CLK_LOCAL_MEM_FENCE); {} {} t[(l + {k}u) % {}u]; \
             barrier(CLK_LOCAL_MEM_FENCE);",
            self.pick(&["a", "b", "c", "d"]),
            self.pick(&["=", "+=", "^="]),
            self.items
        ))
    }

    /// A statement with a sub-group function.
    fn sub_group(&mut self) -> Statement {
        let (value, k) = (self.value(), self.rng.u32(1..16));
        let name = self.pick(&["a", "b", "c", "d"]);
        let op = self.pick(&["=", "+=", "^="]);
        let (kind, with) = (
            self.pick(&["reduce", "scan_inclusive", "scan_exclusive"]),
            self.pick(&["add", "mul", "min", "max", "and", "or", "xor"]),
        );
        let float = self.pick(&["add", "mul", "min", "max"]);
        // A work-item may read the value of another one, given by its number, only if all
        // work-items of the sub-group run the statement.
        let together = self.barriers && self.uniform;
        let text = match self.rng.u8(if together { 0..14 } else { 0..9 }) {
            0 | 1 => format!("{name} {op} sub_group_non_uniform_{kind}_{with}({value});"),
            2 => format!("s ^= sub_group_non_uniform_{kind}_{with}((int)({value}));"),
            3 => format!("w += sub_group_non_uniform_{kind}_{with}(w ^ {value});"),
            4 => format!("h = sub_group_non_uniform_{kind}_{float}(f);"),
            5 => format!("{name} {op} sub_group_broadcast_first({value});"),
            6 => format!("{name} {op} sub_group_ballot({}).x;", self.condition()),
            7 => {
                let vote = self.pick(&["any", "all"]);
                format!(
                    "if (sub_group_non_uniform_{vote}({})) {name} {op} {value};",
                    self.condition()
                )
            }
            8 => format!("if (sub_group_elect()) {name} {op} {value};"),
            9 => format!(
                "{name} {op} sub_group_shuffle({value}, {} % get_sub_group_size());",
                self.pick(&["a", "b", "l", "m"])
            ),
            10 => format!(
                "{{ uint q = sub_group_shuffle_xor({value}, {k}u), \
                 o = get_sub_group_local_id() ^ {k}u; \
                 {name} {op} o < get_sub_group_size() ? q : o; }}"
            ),
            11 => format!(
                "{{ float q = sub_group_shuffle_down(f, {k}u); \
                 f = get_sub_group_local_id() + {k}u < get_sub_group_size() ? q : h; }}"
            ),
            12 => format!("{name} {op} sub_group_broadcast({value}, {k}u % get_sub_group_size());"),
            _ => format!(
                "{name} {op} sub_group_clustered_reduce_{with}({value}, {}u);",
                self.pick(&["1", "2", "4", "8", "16"])
            ),
        };
        Statement::Simple(text)
    }

    /// At most `count` statements, and at least one.
    fn statements(&mut self, count: u32) -> Vec<Statement> {
        let mut list = vec![self.statement()];
        for _ in 1..count {
            if self.left == 0 {
                break;
            }
            list.push(self.statement());
        }
        list
    }

    /// Statements in control flow that diverges if `diverges`.
    fn inner(&mut self, diverges: bool, is_loop: bool) -> Vec<Statement> {
        let before = (self.uniform, self.loops);
        if self.barriers && self.uniform && diverges {
            // Work-items that leave a loop around would not reach its barriers.
            self.loops = 0;
        }
        self.uniform &= !diverges;
        self.loops += u32::from(is_loop);
        self.depth += 1;
        let count = self.rng.u32(1..5);
        let body = self.statements(count);
        self.depth -= 1;
        (self.uniform, self.loops) = before;
        body
    }

    /// A part of a statement with jumps. Each region between barriers has a copy of all code that
    /// jumps lead to, so parts with barriers are short.
    fn part(&mut self, diverges: bool) -> Vec<Statement> {
        if diverges || !self.barriers || !self.uniform {
            return self.inner(diverges, false);
        }
        let second = self.simple();
        vec![if self.rng.bool() { self.exchange() } else { self.simple() }, second]
    }

    /// A jump to one of `count` places. Its condition varies if `diverges`.
    fn jump(&mut self, diverges: bool, count: usize) -> Jump {
        let outside = self.uniform;
        self.uniform &= !diverges;
        let condition = format!("({})", self.condition());
        self.uniform = outside;
        Jump { condition, to: self.rng.usize(..count) }
    }

    fn statement(&mut self) -> Statement {
        self.left = self.left.saturating_sub(1);
        if self.sub_groups && self.rng.u8(..4) == 0 {
            return self.sub_group();
        }
        let kind = self.rng.u8(..20);
        if self.barriers && self.uniform && kind < 4 {
            return self.exchange();
        }
        if self.loops > 0 && kind == 4 && !(self.barriers && self.uniform) {
            let word = self.pick(&["break;", "continue;"]);
            return Statement::Simple(format!("if ({}) {word}", self.condition()));
        }
        if kind == 5 && !self.barriers {
            return Statement::Simple(format!("if ({}) return;", self.condition()));
        }
        if self.depth > 3 || self.left == 0 {
            return self.simple();
        }
        // With barriers, control flow is uniform or holds none.
        let diverges = !self.barriers || self.rng.bool();
        let outside = self.uniform;
        self.uniform &= !diverges;
        let condition = self.condition();
        let bound = if self.barriers && self.uniform {
            format!("{}u", self.rng.u32(1..4))
        } else {
            let varying = format!("({}) % {}u", self.value(), self.rng.u32(2..6));
            if self.rng.u8(..3) == 0 { format!("{}u", self.rng.u32(1..5)) } else { varying }
        };
        self.uniform = outside;
        match kind {
            6..=9 => Statement::If {
                condition,
                then: self.inner(diverges, false),
                otherwise: if self.rng.bool() { self.inner(diverges, false) } else { Vec::new() },
            },
            10..=12 => {
                self.counters += 1;
                let counter = format!("k{}", self.counters);
                let mut form = [Form::For, Form::While, Form::DoWhile][self.rng.usize(..3)];
                let mut bound = bound;
                if diverges && self.rng.u8(..3) == 0 {
                    let (local, signed) = (self.rng.bool(), self.rng.bool());
                    form = Form::Strided { local, signed, step: self.rng.u32(8..40) };
                    bound = self.pick(&["m + 30u", "40u", "x % 3u + 40u"]).to_owned();
                }
                let counts = matches!(form, Form::For | Form::Strided { .. });
                let entry = (!counts && self.rng.u8(..4) == 0).then(|| self.jump(diverges, 3));
                let enabled = self.sub_groups;
                self.sub_groups &= entry.is_none() || (!diverges && self.uniform);
                self.around.push(counter.clone());
                let body = self.inner(diverges, true);
                self.around.pop();
                self.sub_groups = enabled;
                Statement::Loop { form, counter, bound, body, entry }
            }
            // With barriers, jumps copy much code, so few kernels have both.
            14 if self.depth < 2 && (!self.barriers || self.rng.u8(..4) == 0) => {
                self.counters += 1;
                let counter = format!("k{}", self.counters);
                let count = self.rng.usize(2..4);
                let enabled = self.sub_groups;
                self.sub_groups &= !diverges && self.uniform;
                let parts = (0..count).map(|_| self.part(diverges)).collect();
                self.sub_groups = enabled;
                let entries =
                    (0..self.rng.usize(1..3)).map(|_| self.jump(diverges, count)).collect();
                let mut jumps: Vec<Jump> = (0..count).map(|_| self.jump(diverges, count)).collect();
                if self.rng.bool() {
                    jumps[count - 1].condition = "1".into();
                }
                Statement::Jumps { counter, bound, entries, parts, jumps }
            }
            13 => {
                let count = self.rng.usize(2..5);
                let on = if self.barriers && !diverges {
                    format!("{} % {count}u", self.uniform_value())
                } else {
                    format!("({}) % {count}u", self.value())
                };
                // A `continue` or `break` of the loop around is not wanted in a case.
                let loops = std::mem::take(&mut self.loops);
                let cases = (0..count).map(|_| self.inner(diverges, false)).collect();
                self.loops = loops;
                let through = (0..count).map(|n| n + 1 < count && self.rng.u8(..3) == 0).collect();
                Statement::Switch { on, cases, through }
            }
            _ => self.simple(),
        }
    }
}
