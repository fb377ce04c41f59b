//! Compiles real sources: checks predefined macros, diagnostics, and the handling of bad input.

use super::*;
use crate::options::Stage;
use std::fmt::Write as _;

fn device() -> DeviceDesc {
    let list = |names: &[&str]| names.iter().map(|&s| s.to_owned()).collect();
    DeviceDesc {
        id: "host-x86_64".into(),
        cpu: String::new(),
        features: String::new(),
        address_bits: 64,
        extensions: list(&["cl_khr_fp64", "cl_khr_global_int32_base_atomics", "cl_khr_icd"]),
        c_features: list(&[
            "__opencl_c_int64",
            "__opencl_c_fp64",
            "__opencl_c_generic_address_space",
            "__opencl_c_program_scope_global_variables",
            "__opencl_c_work_group_collective_functions",
            "__opencl_c_atomic_order_acq_rel",
            "__opencl_c_atomic_order_seq_cst",
            "__opencl_c_atomic_scope_device",
        ]),
        images: false,
        max_work_group_size: 1024,
        local_mem_bytes: 32768,
        requirements: muxcl_types::device::ContextRequirements::default(),
        vecz: muxcl_types::device::Vecz::Off,
        hal: None,
    }
}

struct Compiled {
    text: Option<String>,
    log: String,
    errors: u32,
    warnings: u32,
    files: Vec<FileUse>,
}

fn compile_with(source: &[u8], options: &str, headers: &[(&str, &[u8])]) -> Compiled {
    let options = BuildOptions::parse(options, Stage::Compile).unwrap();
    let run = || {
        let context = Context::new();
        let input = Input {
            source,
            headers,
            options: &options,
            device: &device(),
            keep_names: false,
            directory: None,
            opener: None,
        };
        let output = compile(&context, &input);
        Compiled {
            text: output.module.as_ref().map(ToString::to_string),
            log: output.log,
            errors: output.errors,
            warnings: output.warnings,
            files: output.files,
        }
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        thread.spawn_scoped(scope, run).unwrap().join().unwrap()
    })
}

fn good(source: &str, options: &str) -> String {
    let result = compile_with(source.as_bytes(), options, &[]);
    assert_eq!((result.errors, result.log.as_str()), (0, ""));
    result.text.unwrap()
}

fn bad(source: &[u8], options: &str) -> String {
    let result = compile_with(source, options, &[]);
    assert!(result.errors > 0 && result.text.is_none());
    assert!(result.log.contains("error:"), "{}", result.log);
    result.log
}

// Fails with `#error` unless the condition holds.
fn check(condition: &str, options: &str) {
    good(&format!("#if !({condition})\n#error no\n#endif\n"), options);
}

#[test]
fn a_kernel_becomes_a_spir_kernel_with_argument_metadata() {
    let text =
        good("kernel void f(global float *x, float4 y) { x[get_global_id(0)] = sin(y.x); }", "");
    assert!(text.contains("target triple = \"spir64-unknown-unknown\""));
    assert!(text.contains("define dso_local spir_kernel void @f(ptr addrspace(1)"), "{text}");
    assert!(text.contains("@_Z3sinf") && text.contains("@_Z13get_global_idj"));
    assert!(text.contains("!{!\"float*\", !\"float4\"}") && text.contains("!{!\"x\", !\"y\"}"));
    assert!(!text.contains("optnone"));
}

#[test]
fn versions_and_macros() {
    check(
        "__OPENCL_C_VERSION__ == 120 && __OPENCL_VERSION__ == 310 && defined(__ENDIAN_LITTLE__)",
        "",
    );
    for (std, number) in
        [("1.0", 100), ("1.1", 110), ("1.2", 120), ("2.0", 200), ("3.0", 300), ("3.1", 310)]
    {
        check(&format!("__OPENCL_C_VERSION__ == {number}"), &format!("-cl-std=CL{std}"));
    }
    check("CL_VERSION_3_1 == 310 && CL_VERSION_3_0 == 300", "-cl-std=CL3.1 -Werror");
    check("!defined(CL_VERSION_3_1)", "-cl-std=CL3.0");
    check("defined(__FAST_RELAXED_MATH__)", "-cl-fast-relaxed-math");
    check(
        "!defined(__FAST_RELAXED_MATH__) && !defined(__IMAGE_SUPPORT__) && !defined(__SPIR__)",
        "",
    );
    check("A == 1 && B == 2 && !defined(C)", "-DA -D B=2 -DC -U C");
    check("defined(__kernel_exec) && CL_VERSION_3_0 == 300", "");
    for (std, number) in [("", 100), ("1.0", 100), ("2021", 202_100)] {
        check(
            &format!("__OPENCL_CPP_VERSION__ == {number} && !defined(__OPENCL_C_VERSION__)"),
            &format!("-cl-std=CLC++{std}"),
        );
    }
}

#[test]
fn cxx_has_constructors_and_the_rules_of_declarations() {
    let source = "struct A { int n; A(int x) : n(x) {} }; global A a(5);";
    has_constructors(&good(source, "-cl-std=CLC++"));
    has_constructors(&good(source, "-cl-std=CLC++2021"));
    // Rules hold in namespaces and classes, too.
    bad(b"namespace n { kernel __attribute__((noreturn)) void k() {} }", "-cl-std=CLC++");
    let ignored = "struct S { __attribute__((target(\"avx\"))) int f() { return 1; } }; \
        kernel void k(global int *p) { S s; p[0] = s.f(); }";
    let compiled = compile_with(ignored.as_bytes(), "-cl-std=CLC++", &[]);
    assert!(compiled.log.contains("'target' of function 'f' is ignored"), "{}", compiled.log);
    assert!(!compiled.text.unwrap().contains("avx"));
    bad(b"struct S { virtual int f(); };", "-cl-std=CLC++");
    bad(b"kernel void k() { throw 1; }", "-cl-std=CLC++");
}

#[track_caller]
fn has_constructors(ir: &str) {
    assert!(ir.contains("@llvm.global_ctors") && !ir.contains("__cxa_guard"), "{ir}");
}

#[test]
fn extensions_are_the_devices() {
    for std in ["", "-cl-std=CL2.0", "-cl-std=CL3.0", "-cl-std=CL3.1"] {
        check(
            "defined(cl_khr_fp64) && defined(cl_khr_global_int32_base_atomics) \
            && defined(cl_khr_icd)",
            std,
        );
        check(
            "!defined(cl_khr_fp16) && !defined(cl_khr_subgroups) && !defined(cl_intel_subgroups)",
            std,
        );
        check("!defined(cl_khr_3d_image_writes) && !defined(cl_khr_int64_base_atomics)", std);
    }
    check("!defined(__opencl_c_generic_address_space)", "-cl-std=CL1.2");
    for std in ["-cl-std=CL3.0", "-cl-std=CL3.1"] {
        check("defined(__opencl_c_generic_address_space) && defined(__opencl_c_fp64)", std);
    }
    check(
        "!defined(__opencl_c_images) && !defined(__opencl_c_pipes) \
        && !defined(__opencl_c_device_enqueue)",
        "-cl-std=CL3.0",
    );
    // clang treats the feature and the extension as one; the device of these tests has neither.
    check(
        "!defined(__opencl_c_atomic_scope_all_devices) && !defined(__opencl_c_subgroups)",
        "-cl-std=CL3.0",
    );
    let source = "global int n; kernel void k(global int *p, local atomic_int *q) \
        { int *g = p; *g = n++; atomic_store(q, 1); }";
    assert!(good(source, "-cl-std=CL3.0").contains("@n = addrspace(1) global i32"));
    good(source, "-cl-std=CL2.0");
    bad(source.as_bytes(), "-cl-std=CL1.2");
    bad(b"kernel void k(global half *p) { half h = *p; }", "");
}

#[test]
fn options_reach_the_ir() {
    let source = "kernel void k(global float *p) { p[0] = p[1] * p[2] + p[3] / 1.5f; }";
    assert!(good(source, "").contains("!fpmath"));
    assert!(!good(source, "-cl-fp32-correctly-rounded-divide-sqrt").contains("!fpmath"));
    assert!(good(source, "-cl-fast-relaxed-math").contains("fmul fast float"));
    let exact = good(source, "-cl-fast-relaxed-math -cl-fp32-correctly-rounded-divide-sqrt");
    assert!(exact.contains("fdiv reassoc nnan ninf nsz contract afn float"), "{exact}");
    assert!(
        good(
            "kernel void k(global float *p) { float t = p[1] * p[2]; *p = t + p[3]; }",
            "-cl-mad-enable"
        )
        .contains("fadd contract")
    );
    assert!(good(source, "-cl-finite-math-only").contains("nnan ninf float"));
    assert!(good(source, "-cl-no-signed-zeros").contains("nsz"));
    assert!(good(source, "").contains("@llvm.fmuladd"));
    assert!(good(source, "-cl-denorms-are-zero").contains("preserve-sign"));
    assert!(good(source, "-g").contains("!DISubprogram"));
    assert!(!good(source, "-cl-opt-disable").contains("optnone"));
    assert!(
        good("kernel void k(global float *p) { *p = *p + 1.1; }", "-cl-single-precision-constant")
            .contains("fadd float")
    );
    assert!(good("kernel void k(global float *p) { *p = *p + 1.1; }", "").contains("fadd double"));
    assert!(
        good(source, "-cl-std=CL2.0 -cl-uniform-work-group-size")
            .contains("\"uniform-work-group-size\"=\"true\"")
    );
}

#[test]
fn clang_takes_every_option() {
    for option in [
        "-w",
        "-Werror",
        "-cl-single-precision-constant",
        "-cl-denorms-are-zero",
        "-cl-fp32-correctly-rounded-divide-sqrt",
        "-cl-opt-disable",
        "-cl-strict-aliasing",
        "-cl-mad-enable",
        "-cl-no-signed-zeros",
        "-cl-unsafe-math-optimizations",
        "-cl-finite-math-only",
        "-cl-fast-relaxed-math",
        "-cl-uniform-work-group-size",
        "-cl-no-subgroup-ifp",
        "-cl-kernel-arg-info",
        "-g",
    ] {
        for std in ["CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0", "CL3.1"] {
            good(
                "kernel void f(global float *x) { *x = 1.0f / *x; }",
                &format!("-cl-std={std} {option}"),
            );
        }
    }
}

#[test]
fn a_log_has_file_line_column_and_caret() {
    let log = bad(b"kernel void f() {\n  int x = y;\n}\n", "");
    assert_eq!(
        log,
        "<program source>:2:11: error: use of undeclared identifier 'y'\n    2 |   int x = y;\n      |           ^\n1 error generated.\n"
    );
}

#[test]
fn warnings_are_kept_silenced_or_errors() {
    let source = b"int g() {}\nkernel void f(global int *p) { *p = g(); }";
    let noted = compile_with(source, "", &[]);
    assert!(
        noted.text.is_some() && noted.warnings == 1 && noted.log.contains("warning:"),
        "{}",
        noted.log
    );
    let silent = compile_with(source, "-w", &[]);
    assert!(silent.text.is_some() && silent.log.is_empty());
    assert!(bad(source, "-Werror").contains("-Werror"));
}

#[test]
fn headers_of_the_application_are_found_by_name() {
    let headers: &[(&str, &[u8])] = &[
        ("a.h", b"#include \"sub/b.h\"\n"),
        ("sub/b.h", b"#include \"c.h\"\n#include <a2.h>\n#define B 3\n"),
        ("sub/c.h", b"#define C 4\n"),
        ("a2.h", b"#define A2 __FILE__\n"),
        ("/abs/d.h", b"#define D 5\n"),
    ];
    let source = b"#include \"a.h\"\n#include \"/abs/d.h\"\nconstant int n = B + C + D;\nconstant char s[] = A2; kernel void k(global int *p) { *p = n + s[0]; }";
    let result = compile_with(source, "", headers);
    assert_eq!(result.log, "");
    assert!(result.text.unwrap().contains("i32 12"));
    assert!(result.files.iter().all(|f| f.hash.is_none()), "{:?}", result.files);
    let broken = compile_with(b"#include \"x/e.h\"\n", "", &[("x/e.h", b"int f( {}\n")]);
    assert!(
        broken.log.contains("x/e.h:1:8: error:") && !broken.log.contains("__muxcl"),
        "{}",
        broken.log
    );
}

#[test]
fn files_on_disk_are_found_and_reported() {
    let scratch = tempfile::tempdir().unwrap();
    let dir = scratch.path().join("with a blank");
    std::fs::create_dir_all(dir.join("one")).unwrap();
    std::fs::create_dir_all(dir.join("two")).unwrap();
    std::fs::write(dir.join("two/h.h"), "#define H 42\n").unwrap();
    let options = format!("-I \"{0}/one\" -I \"{0}/two\"", dir.display());
    let result = compile_with(
        b"#include \"h.h\"\nconstant int n = H; kernel void k(global int *p) { *p = n; }",
        &options,
        &[],
    );
    assert_eq!(result.log, "");
    let hash_of = |name: &str| result.files.iter().find(|f| f.path.ends_with(name)).map(|f| f.hash);
    assert_eq!(hash_of("two/h.h"), Some(Some(*blake3::hash(b"#define H 42\n").as_bytes())));
    assert_eq!(hash_of("one/h.h"), Some(None));
    assert!(result.files.iter().all(|f| !f.path.contains("__muxcl")));
}

#[test]
fn a_missing_header_is_an_error_in_the_log() {
    let log = bad(b"#include \"nowhere.h\"\nkernel void k() {}\n", "");
    assert!(log.contains("'nowhere.h' file not found"), "{log}");
}

#[test]
fn hostile_bytes_give_a_log_and_no_crash() {
    bad(b"\xff\xfe\x00k\x00e\x00", "");
    bad(b"kernel void \xc3\x28() {}", "");
    bad(b"kernel void f() { \x00 foo }", "");
    bad(b"\x00", "-Werror");
    bad(b"kernel void f() { /* ", "");
    bad(b"#if 1\n", "");
    bad(b"#pragma OPENCL EXTENSION nothing : enable\n#error x", "");
    bad(b"#include __FILE__\n", "");
    bad(b"kernel void f() { char *s = \"unterminated; }", "");
    bad(b"kernel int f() { return 0; }", "");
    bad(b"__asm__(\"int3\"); int x[1ul<<62]; kernel void f() { foo }", "");
    let comment = compile_with(b"// \xff\xff\nkernel void f() {}", "", &[]);
    assert_eq!(comment.errors, 0, "{}", comment.log);
}

#[test]
fn random_bytes_and_mutated_sources_never_crash() {
    let seed_source = b"#define F(x) ((x)*2)\nstruct S { int a; float4 v; };\nkernel void f(global struct S *p, local int *q) {\n  for (int i = 0; i < F(4); ++i) { p[i].v.xy = (float2)(1.0f, 2.0f); barrier(CLK_LOCAL_MEM_FENCE); q[i] = atomic_add(q, 1); }\n  switch (q[0]) { case 1: p->a = 3; break; default: goto l; }\nl: return;\n}\n";
    let mut random = fastrand::Rng::with_seed(1);
    let mut next = move || random.usize(..);
    for _ in 0..150 {
        let mut source = seed_source.to_vec();
        for _ in 0..1 + next() % 6 {
            let at = next() % source.len();
            match next() % 3 {
                0 => source[at] = next().to_le_bytes()[0],
                1 => {
                    drop(source.drain(at..(at + 1 + next() % 8).min(seed_source.len() / 2).max(at)))
                }
                _ => source.insert(at, b"(){}[]<>,;#*&\"'\\"[next() % 15]),
            }
        }
        let result = compile_with(&source, "-cl-std=CL3.0", &[]);
        assert_eq!(result.text.is_none(), result.errors > 0);
    }
}

#[test]
fn deep_nesting_is_an_error_or_a_module_never_a_crash() {
    let nest = |open: &str, middle: &str, close: &str, n: usize| {
        format!(
            "kernel void f(global int *p, int x) {{ *p = {}{middle}{}; }}",
            open.repeat(n),
            close.repeat(n)
        )
    };
    let long_sum =
        format!("kernel void f(global int *p, int x) {{ *p = x{}; }}", " + x".repeat(100_000));
    for source in [
        nest("(", "x", ")", 100_000),
        nest("-(", "x", ")", 200),
        nest("- ", "x", "", 300_000),
        nest("x ? x : ", "x", "", 20_000),
        long_sum,
        format!("kernel void f() {}{}", "{".repeat(10_000), "}".repeat(10_000)),
        format!("kernel void f(int x) {{ {} ; }}", "if (x) ".repeat(5_000)),
        format!("kernel void f(int x) {{ {} ; }}", "if (x) x = 1; else ".repeat(5_000)),
        format!(
            "#define A0 x\n{}\nkernel void f(int x) {{ int y = A18; }}",
            (1..=18).fold(String::new(), |mut s, i| {
                let _ = writeln!(s, "#define A{i} A{0} + A{0}", i - 1);
                s
            })
        ),
    ] {
        let result = compile_with(source.as_bytes(), "", &[]);
        assert_eq!(result.text.is_none(), result.errors > 0, "{}", result.log);
    }
}

#[test]
fn inline_assembly_is_refused() {
    for text in ["__asm__ volatile(\"nop\");", "__asm(\"bogus %0\" :: \"r\"(p[0]));"] {
        let log = bad(format!("kernel void f(global int *p) {{ {text} }}").as_bytes(), "");
        assert!(log.contains("<program source>:1:32: fatal error: inline assembly"), "{log}");
    }
}

#[test]
fn what_would_overflow_the_stack_is_named() {
    let deep = format!("kernel void f(global int *p, int x) {{ *p = {}x; }}", "~".repeat(200_000));
    assert!(bad(deep.as_bytes(), "").contains("nested too deeply"));
    let long = format!("kernel void f(global int *p, int x) {{ *p = x{}; }}", "+x".repeat(200_001));
    assert!(bad(long.as_bytes(), "").contains("expression is too long"));
    // Sources at the limit fit on the stack, in the code generator too.
    let near = format!("kernel void f(global int *p, int x) {{ *p = x{}; }}", "+x".repeat(199_990));
    good(&near, "");
}

#[test]
fn two_megabytes_and_five_hundred_kernels_compile() {
    let mut source = String::new();
    for i in 0..500 {
        let _ = writeln!(
            source,
            "kernel void k{i}(global float *p) {{ size_t i = get_global_id(0); p[i] = p[i] * {i}.0f; }}"
        );
    }
    let text = good(&source, "");
    assert_eq!(text.matches("define dso_local spir_kernel").count(), 500);
    while source.len() < 2 << 20 {
        let _ = writeln!(source, "// {:0>100}", source.len());
        let _ = writeln!(
            source,
            "constant int c{}[] = {{ 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 }};",
            source.len()
        );
    }
    good(&source, "");
}

#[test]
fn threads_compile_at_once_and_agree() {
    let source = "kernel void f(global float *x) { x[get_global_id(0)] *= 2; }";
    let expected = good(source, "");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..10 {
                    assert_eq!(good(source, ""), expected);
                }
            });
        }
    });
}

#[test]
fn preprocessing_gives_text() {
    let options = BuildOptions::parse("-DX=1", Stage::Compile).unwrap();
    let input = Input {
        source: b"int y = X;\n",
        headers: &[],
        options: &options,
        device: &device(),
        keep_names: false,
        directory: None,
        opener: None,
    };
    let (text, output) = preprocess(&input);
    assert_eq!(output.errors, 0, "{}", output.log);
    assert!(String::from_utf8(text).unwrap().contains("int y = 1;"));
}
