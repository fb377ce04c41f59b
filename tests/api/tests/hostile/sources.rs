//! Hostile OpenCL C: sources that are deep, long, exponential, broken or strange.
//!
//! A source is a pure function of its seed, so a failure can be repeated. Every kind grows with a
//! size; most sizes are small, because large ones take long.

use fastrand::Rng;
use std::fmt::Write as _;

/// A source with its kind, for messages.
#[derive(Debug)]
pub(crate) struct Hostile {
    pub(crate) kind: &'static str,
    pub(crate) size: usize,
    pub(crate) text: Vec<u8>,
}

type Make = fn(&mut Rng, usize) -> String;

/// The kinds: a name, the largest size, and the text for a size.
const KINDS: &[(&str, usize, Make)] = &[
    ("parentheses", 100_000, |_, n| kernel(&format!("*p = {}1{};", "(".repeat(n), ")".repeat(n)))),
    ("unary operators", 100_000, |_, n| kernel(&format!("*p = {}1;", "- ".repeat(n)))),
    ("sum", 100_000, |_, n| kernel(&format!("*p = {}1;", "p[1] + ".repeat(n)))),
    ("blocks", 50_000, |_, n| kernel(&format!("{}*p = 1;{}", "{".repeat(n), "}".repeat(n)))),
    ("nested ifs", 5_000, |_, n| {
        kernel(&format!("{} *p = 1;", each(n, |i| format!("if (p[{i}])\n"))))
    }),
    ("chain of ifs", 8_000, |_, n| {
        kernel(&format!(
            "int x = p[0]; {} *p = x;",
            each(n, |i| format!("if (x == {i}) x += 3;\n"))
        ))
    }),
    ("else if", 8_000, |_, n| {
        kernel(&format!("{} ;", each(n, |i| format!("if (p[0] == {i}) p[1] = {i}; else\n"))))
    }),
    ("switch", 30_000, |_, n| {
        kernel(&format!(
            "switch (p[0]) {{ {} }}",
            each(n, |i| format!("case {i}: p[1] = {};\n", i * 7919 % 1000))
        ))
    }),
    ("labels", 4_000, |rng, n| {
        let jump = |i| format!("l{i}: if (p[{i}]++ < 3) goto l{};\n", rng.usize(..n.max(1)));
        kernel(&format!("{} ;", each(n.max(1), jump)))
    }),
    ("arguments", 20_000, |_, n| {
        format!("kernel void k(global int *p{}) {{ *p = 1; }}", each(n, |i| format!(", int a{i}")))
    }),
    ("locals", 20_000, |_, n| {
        let declared = each(n, |i| format!("int v{i} = p[{i}];\n"));
        kernel(&format!("{declared} *p = {}0;", each(n, |i| format!("v{i} + "))))
    }),
    ("local arrays", 2_000, |_, n| {
        kernel(&each(n, |i| format!("local int t{i}[16]; t{i}[p[0] & 15] = {i};\n")))
    }),
    ("private memory", 1 << 30, |_, n| kernel(&format!("int a[{n}]; a[p[0]] = 1; *p = a[p[1]];"))),
    ("barriers", 5_000, |_, n| {
        kernel(&each(n, |i| format!("p[get_local_id(0)] += {i}; barrier(CLK_GLOBAL_MEM_FENCE);\n")))
    }),
    ("barriers in loops", 12, |_, n| {
        let open = each(n, |i| format!("for (int i{i} = 0; i{i} < p[{i}]; ++i{i}) {{\n"));
        let barrier = "barrier(CLK_LOCAL_MEM_FENCE); p[get_local_id(0)]++;";
        kernel(&format!("{open} {barrier} {}", "}".repeat(n)))
    }),
    ("doubling functions", 22, |_, n| {
        let calls = each(n, |i| {
            format!("void f{}(global int *p) {{ f{i}(p); p[{i}]++; f{i}(p); }}\n", i + 1)
        });
        format!("void f0(global int *p) {{ barrier(1); }}\n{calls}{}", kernel(&format!("f{n}(p);")))
    }),
    ("calls of sin", 1_000, |_, n| {
        let calls = "x = sin(x) + 0.5f;\n".repeat(n);
        kernel(&format!("float x = p[0]; {calls} *p = (int)x;"))
    }),
    ("unrolled loops", 5, |_, n| {
        let open =
            each(n, |i| format!("\n#pragma unroll\nfor (int i{i} = 0; i{i} < 16; ++i{i}) {{"));
        kernel(&format!("{open} p[i0] += p[i{}]; {}", n.saturating_sub(1), "}".repeat(n)))
    }),
    ("macros", 40, |_, n| {
        let doubling = each(n, |i| format!("#define M{} M{i} + M{i}\n", i + 1));
        format!("#define M0 1\n{doubling}{}", kernel(&format!("*p = M{n};")))
    }),
    ("self-inclusion", 1, |_, _| "#include __FILE__\n#include \"/dev/zero\"\n".into()),
    ("line continuations", 3_000_000, |_, n| "\\\n".repeat(n)),
    ("long string", 4 << 20, |_, n| kernel(&format!("printf(\"{}\");", "a".repeat(n)))),
    ("long name", 1 << 20, |_, n| kernel(&format!("int {} = 1;", "x".repeat(n.max(1))))),
    ("nested structs", 3_000, |_, n| {
        let types = each(n, |i| format!("struct s{} {{ struct s{i} a; char c; }};\n", i + 1));
        format!("struct s0 {{ int i; }};\n{types}{}", kernel(&format!("struct s{n} s; *p = s.c;")))
    }),
    ("pointers", 5_000, |_, n| {
        format!("kernel void k(global int {}p) {{ *p = 0; }}", "*".repeat(n.max(1)))
    }),
    ("kernels", 2_000, |_, n| {
        each(n, |i| format!("kernel void k{i}(global int *p) {{ *p = {i}; }}\n"))
    }),
    ("phis", 3_000, |_, n| {
        let step = |i| format!("x = p[{i}] ? x * 3 : y; y = p[{i}] > 5 ? y + x : {i};\n");
        kernel(&format!("int x = 1, y = 2; while (p[0]--) {{ {} }} *p = x + y;", each(n, step)))
    }),
    ("attributes", 60, attributes),
    ("pragmas", 40, pragmas),
    ("tokens", 3_000, tokens),
    ("bytes", 3_000, |rng, n| (0..n).map(|_| char::from(rng.u8(1..128))).collect()),
    ("strange types", 40, strange_types),
];

fn each(count: usize, part: impl FnMut(usize) -> String) -> String {
    (0..count).map(part).collect()
}

fn kernel(body: &str) -> String {
    format!("kernel void k(global int *p) {{ {body} }}\n")
}

/// Attributes that clang knows, on kernels, functions, variables and types.
fn attributes(rng: &mut Rng, n: usize) -> String {
    const NAMES: &[&str] = &[
        "preserve_most",
        "preserve_all",
        "fastcall",
        "vectorcall",
        "regcall",
        "ms_abi",
        "sysv_abi",
        "swiftcall",
        "aarch64_vector_pcs",
        "amdgpu_kernel",
        "intel_ocl_bicc",
        "pcs(\"aapcs\")",
        "naked",
        "noreturn",
        "constructor",
        "destructor",
        "alias(\"k\")",
        "ifunc(\"k\")",
        "weak",
        "section(\"x\")",
        "used",
        "retain",
        "always_inline",
        "noinline",
        "optnone",
        "pure",
        "const",
        "malloc",
        "cleanup(k)",
        "packed",
        "aligned(65536)",
        "vector_size(16)",
        "ext_vector_type(3)",
        "address_space(7)",
        "mode(TI)",
        "overloadable",
        "enable_if(1, \"\")",
        "target(\"avx512f\")",
        "cpu_dispatch(ivybridge)",
        "nvptx_kernel",
        "device_kernel",
        "musttail",
        "opencl_global",
        "reqd_work_group_size(0, 1, 1)",
        "reqd_work_group_size(4294967295, 4294967295, 4)",
        "work_group_size_hint(1, 2, 3)",
        "vec_type_hint(void)",
        "intel_reqd_sub_group_size(5)",
    ];
    let mut text = String::new();
    for i in 0..n.max(1) {
        let mut pick = || NAMES[rng.usize(..NAMES.len())];
        let (a, b, c) = (pick(), pick(), pick());
        let _ = match i % 3 {
            0 => {
                writeln!(text, "__attribute__(({a})) kernel void k{i}(global int *p) {{ *p = 1; }}")
            }
            1 => writeln!(text, "__attribute__(({b})) int f{i}(int x) {{ return x; }}"),
            _ => writeln!(text, "typedef int t{i} __attribute__(({c})); constant t{i} v{i} = 1;"),
        };
    }
    text
}

fn pragmas(rng: &mut Rng, n: usize) -> String {
    const LINES: &[&str] = &[
        "#pragma clang __debug crash",
        "#pragma clang __debug overflow_stack",
        "#pragma clang __debug llvm_fatal_error",
        "#pragma clang __debug llvm_unreachable",
        "#pragma clang __debug assert",
        "#pragma clang __debug parser_crash",
        "#pragma clang __debug handle_crash",
        "#pragma clang __debug dump x",
        "#pragma clang __debug macro M",
        "#pragma clang module load x",
        "#pragma once",
        "#pragma push_macro(\"M\")",
        "#pragma pack(push, 0)",
        "#pragma weak k",
        "#pragma OPENCL EXTENSION all : enable",
        "#pragma OPENCL EXTENSION x : begin",
        "#pragma clang loop unroll_count(4294967295)",
        "#pragma clang fp contract(wild)",
        "#pragma STDC FENV_ACCESS ON",
        "#pragma clang attribute push(, apply_to = any)",
        "#pragma clang diagnostic fatal \"-Weverything\"",
        "#line 4294967295 \"\\0\"",
        "#include_next <x>",
        "#embed \"/dev/zero\"",
        "#if __has_include(\"/\")",
        "#endif",
        "#else",
        "#define defined",
        "#undef __OPENCL_VERSION__",
        "_Pragma(\"clang __debug crash\")",
    ];
    let mut text = each(n, |_| format!("{}\n", LINES[rng.usize(..LINES.len())]));
    text += &kernel("*p = 1;");
    text
}

fn tokens(rng: &mut Rng, n: usize) -> String {
    const TOKENS: &[&str] = &[
        "kernel",
        "void",
        "k",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        ";",
        ",",
        "global",
        "local",
        "constant",
        "private",
        "generic",
        "int",
        "float4",
        "double",
        "half",
        "image2d_t",
        "sampler_t",
        "event_t",
        "queue_t",
        "ndrange_t",
        "pipe",
        "read_only",
        "struct",
        "union",
        "enum",
        "typedef",
        "if",
        "else",
        "for",
        "while",
        "do",
        "switch",
        "case",
        "return",
        "goto",
        "break",
        "sizeof",
        "*",
        "&",
        "+",
        "-",
        "/",
        "%",
        "<<",
        ">>",
        "=",
        "==",
        "?",
        ":",
        "^",
        "~",
        "!",
        ".",
        "->",
        "...",
        "0",
        "1",
        "0x7fffffffffffffff",
        "1e999",
        "'a'",
        "\"%s\"",
        "p",
        "get_global_id",
        "barrier",
        "atomic_add",
        "vload4",
        "convert_int4_sat_rte",
        "enqueue_kernel",
        "printf",
        "sub_group_all",
        "__builtin_trap",
        "__builtin_unreachable",
        "__builtin_alloca",
        "asm",
        "volatile",
        "#",
        "\n",
        "__attribute__",
        "_Atomic",
        "auto",
        "_Generic",
        "__block",
        "__builtin_shufflevector",
    ];
    each(n, |_| format!("{} ", TOKENS[rng.usize(..TOKENS.len())]))
}

/// Declarations with types that clang accepts and later steps may not.
fn strange_types(rng: &mut Rng, n: usize) -> String {
    const LINES: &[&str] = &[
        "__int128 a = p[0]; *p = a * a;",
        "_BitInt(200) b = p[0]; *p = b * b;",
        "_Complex float c; *p = c;",
        "long double d = p[0]; *p = d;",
        "__bf16 e; *p = (int)e;",
        "_Float16 f = 1; *p = f;",
        "__fp16 g; *p = g;",
        "int h[0]; *p = sizeof h;",
        "int i[p[0]]; i[0] = 1;",
        "typeof(p) j = p; *j = 1;",
        "void *l = p; *p = (long)l;",
        "int4 m = p[0]; m.xyzw.wzyx.s0123 = m; *p = m.x;",
        "half16 n; *p = n.s0;",
        "event_t o; *p = sizeof o;",
        "image2d_t q;",
        "queue_t r = get_default_queue();",
        "clk_event_t s; *p = is_valid_event(s);",
        "ndrange_t t; *p = sizeof t;",
        "int (^u)(int) = ^(int x) { return x * p[0]; }; *p = u(1);",
        "static constant int v[] = { [1 ... 100000] = 3 }; *p = v[p[1]];",
        "*p = (int)(long)&&w; w: ;",
        "*p = ({ int x = 1; x; });",
        "asm(\"\" : : \"r\"(p));",
        "asm volatile(\"%0 %1 hello\" : \"=x\"(*p) : \"0\"(1.0));",
        "__builtin_trap();",
        "*p = __builtin_va_arg(p, int);",
        "_Atomic int x = 1; x += p[0];",
        "char y = \"ab\"[p[0]];",
        "float16 z = (float16)(p[0]); *p = z.sF; z = fma(z, z, z).hi.lo.odd.even;",
        "*p = as_int(as_float(p[0])) / 0 % 0;",
        "*p = 1 << 400 >> -1;",
    ];
    let kernels = |i| {
        let line = LINES[rng.usize(..LINES.len())];
        format!("kernel void k{i}(global int *p) {{ {line} }}\n")
    };
    each(n.clamp(1, 6), kernels)
}

/// The source of a seed.
pub(crate) fn source(seed: u64) -> Hostile {
    let mut rng = Rng::with_seed(seed);
    let (kind, most, make) = KINDS[rng.usize(..KINDS.len())];
    // Small sizes are more frequent; a fourth is up to the largest.
    let most = if rng.u8(..4) == 0 { most } else { most.min(300) };
    let size = rng.usize(..=most);
    let mut text = make(&mut rng, size).into_bytes();
    // Every eighth is damaged.
    if rng.u8(..8) == 0 && !text.is_empty() {
        for _ in 0..rng.usize(1..4) {
            let at = rng.usize(..text.len());
            text[at] = rng.u8(..);
        }
        text.truncate(rng.usize(text.len() / 2..=text.len()));
    }
    Hostile { kind, size, text }
}
