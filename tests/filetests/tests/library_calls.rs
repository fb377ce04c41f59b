//! Tests that `vecz` calls the vector variants of every function of the OpenCL C library that has
//! them, and runs none of these functions for one lane after another. The processors have AVX2 or
//! AVX-512.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::fmt::Write as _;

use muxcl_builtins::variants::fixed_variant;
use muxcl_compiler::Library;
use muxcl_filetests::compile;
use muxcl_llvm::{Context, Module};
use muxcl_passes::{Options, Runner};
use muxcl_target_host::{CodeTarget as _, Settings, Target, Vectors};
use muxcl_types::variant::SpecializationKey;

/// Number of functions in one compilation.
const BATCH: usize = 40;

/// The name and the OpenCL C parameter types (`float`, `int *`) of a scalar function, parsed from
/// its mangled symbol. `None` if a parameter is a pointer to other than private memory.
fn parameters(symbol: &str) -> Option<(String, Vec<String>)> {
    let digits: String =
        symbol.strip_prefix("_Z")?.chars().take_while(char::is_ascii_digit).collect();
    let (name, mut rest) = symbol[2 + digits.len()..].split_at(digits.parse().ok()?);
    let mut list = Vec::new();
    while !rest.is_empty() {
        let pointer = rest.starts_with('P');
        rest = rest.trim_start_matches('P');
        // `U` begins the address space of a pointer to other memory. The overload with a pointer to
        // private memory, without `U`, stands for all overloads.
        if rest.starts_with('U') {
            return None;
        }
        let element = if rest.starts_with("Dh") { "Dh" } else { &rest[..1] };
        let ty = match element {
            "Dh" => "half",
            "f" => "float",
            "d" => "double",
            "c" => "char",
            "h" => "uchar",
            "s" => "short",
            "t" => "ushort",
            "i" => "int",
            "j" => "uint",
            "l" => "long",
            _ => "ulong",
        };
        list.push(if pointer { format!("{ty} *") } else { ty.to_owned() });
        rest = &rest[element.len()..];
    }
    Some((name.to_owned(), list))
}

/// The source of a kernel for each function with vector variants and a floating-point parameter.
/// The kernel loads the arguments from memory and stores the results to memory.
fn kernels() -> Vec<String> {
    let mut list = Vec::new();
    for id in (0..muxcl_builtins::member_count()).filter_map(muxcl_builtins::MemberId::from_index) {
        let context = Context::new();
        let module = Module::parse_lazy(&context, muxcl_builtins::member(id)).unwrap();
        let mut names: Vec<String> = module.functions().into_iter().map(|f| f.name()).collect();
        names.retain(|n| muxcl_builtins::find(n) == Some(id) && fixed_variant(n, 16).is_some());
        names.sort();
        for (name, types) in names.iter().filter_map(|n| parameters(n)) {
            // `vecz` calls vector variants of functions on floating-point numbers only.
            if !types.iter().any(|t| matches!(t.as_str(), "half" | "float" | "double")) {
                continue;
            }
            let (mut text, mut args) = (String::new(), Vec::new());
            let nth = list.len();
            let _ = write!(text, "kernel void k{nth}(global int *second");
            let numbers: Vec<&String> = types.iter().filter(|t| !t.ends_with('*')).collect();
            for (n, ty) in numbers.iter().enumerate() {
                let _ = write!(text, ", global const {ty} *a{n}");
                args.push(format!("a{n}[i]"));
            }
            let result = format!("global __typeof__({name}(",);
            let mut plain: Vec<String> = numbers.iter().map(|ty| format!("({ty})0")).collect();
            let last = types.last().filter(|t| t.ends_with('*')).map(|t| t.trim_end_matches(" *"));
            if let Some(ty) = last {
                plain.push(format!("({ty} *)0"));
                args.push("&two".to_owned());
            }
            let _ = write!(
                text,
                ", {result}{})) *out) {{ size_t i = get_global_id(0); ",
                plain.join(", ")
            );
            let _ = write!(text, "{} two = 0; ", last.unwrap_or("int"));
            let _ =
                writeln!(text, "out[i] = {name}({}); second[i] = (int)two; }}", args.join(", "));
            list.push(text);
        }
    }
    list
}

/// Compiles a program, and returns the names of the vectorized kernels in which an instruction runs
/// for one lane after another: they contain a block that is called `lane`.
fn lane_by_lane(source: &str, target: &Target) -> Vec<String> {
    let mut device = compile::device();
    device.extensions.push("cl_khr_fp16".into());
    let context = Context::new();
    let source = format!("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n{source}");
    let mut module = compile::source(&context, &source, "-cl-std=CL3.0", &device).unwrap();
    let (settings, options) = (Settings::default(), Options::default());
    let library = Library::new(64, None);
    let run = &mut Runner::new(&options);
    let done = target.finalise(&context, &mut module, &library, &settings, run).unwrap();
    let mut found = Vec::new();
    let mut vectorized = 0;
    let mut observe = |pass: &str, module: &Module<'_>| {
        if pass != "vecz" {
            return;
        }
        for f in module.definitions() {
            let blocks: Vec<String> = f.blocks().iter().map(|b| b.name()).collect();
            vectorized += usize::from(blocks.iter().any(|b| b == "vector.check"));
            if blocks.iter().any(|b| b.starts_with("lane")) {
                found.push(f.name());
            }
        }
    };
    let mut run = Runner::with_observer(&options, &mut observe);
    for kernel in &done.info.kernels {
        let key = SpecializationKey { uniform: true, ..SpecializationKey::default() };
        target
            .specialise(&done.program(&library), &kernel.name, &key, &settings, &mut run)
            .unwrap();
    }
    drop(run);
    assert_eq!(vectorized, done.info.kernels.len(), "{source}");
    found
}

#[test]
fn no_function_runs_lane_by_lane() {
    let kernels = kernels();
    assert!(kernels.len() > 200, "{} functions", kernels.len());
    let avx512 = "+avx512f,+avx512dq,+avx512vl,+avx512bw,+avx512cd";
    for (cpu, features, lanes) in [("x86-64-v3", "", 8), ("x86-64-v4", avx512, 16)] {
        let target = Target::new(cpu, features).with_vectors(Vectors::Always(lanes));
        for batch in kernels.chunks(BATCH) {
            let found = lane_by_lane(&batch.concat(), &target);
            let text: Vec<&String> = batch
                .iter()
                .filter(|k| {
                    found
                        .iter()
                        .any(|f| k.contains(&format!("{}(", f.trim_start_matches("muxcl.kernel."))))
                })
                .collect();
            assert!(found.is_empty(), "lane by lane for {cpu}: {text:#?}");
        }
    }
}
