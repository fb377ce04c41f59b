//! The library defines every builtin that clang declares. For each language version a probe calls
//! every overload of every function of clang's own header, compiled like user code, and the library
//! must define each symbol that the probe leaves undefined. Functions that other components lower,
//! or of extensions that no device reports, are excepted by name.

#![expect(clippy::unwrap_used, clippy::print_stderr, reason = "a test")]

use muxcl_builtins::overlay::{DMA, SPIR32};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const LLVM: &str = match option_env!("LLVM_SYS_221_PREFIX") {
    Some(prefix) => prefix,
    None => "/usr/lib/llvm-22",
};

/// True for functions that `passes` lowers, that are not OpenCL C, or whose extensions no device
/// reports.
fn excepted(name: &str) -> bool {
    // For multisampled images.
    if name.starts_with("get_image_num_samples") {
        return true;
    }
    if name.starts_with("get_image_")
        || (name.starts_with("get_sub_group_") && name.ends_with("_mask"))
    {
        return false;
    }
    const PREFIXES: [&str; 13] = [
        "get_",
        "intel_",
        "amd_",
        "to_",
        "clock_read_",
        "enqueue_",
        "ndrange_",
        "retain_event",
        "release_event",
        "set_user_event",
        "create_user_event",
        "capture_event",
        "is_valid",
    ];
    const NAMES: [&str; 5] =
        ["printf", "barrier", "work_group_barrier", "sub_group_barrier", "__attribute__"];
    PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || NAMES.contains(&name)
        || name.starts_with("arm_")
}

struct Language {
    name: &'static str,
    triple: &'static str,
    flags: &'static [&'static str],
}

const SPIR: &str = "spir-unknown-unknown";
const SPIR64: &str = "spir64-unknown-unknown";

const LANGUAGES: [Language; 6] = [
    Language {
        name: "1.2",
        triple: SPIR64,
        flags: &["-cl-std=CL1.2", "-cl-ext=+all,-cl_khr_gl_msaa_sharing"],
    },
    Language {
        name: "2.0",
        triple: SPIR64,
        flags: &["-cl-std=CL2.0", "-cl-ext=+all,-cl_khr_gl_msaa_sharing"],
    },
    Language {
        name: "3.0",
        triple: SPIR64,
        flags: &["-cl-std=CL3.0", "-cl-ext=+all,-cl_khr_gl_msaa_sharing"],
    },
    Language {
        name: "1.2-32-bit",
        triple: SPIR,
        flags: &["-cl-std=CL1.2", "-cl-ext=+all,-cl_khr_gl_msaa_sharing"],
    },
    Language {
        name: "3.0-32-bit",
        triple: SPIR,
        flags: &["-cl-std=CL3.0", "-cl-ext=+all,-cl_khr_gl_msaa_sharing"],
    },
    Language {
        name: "3.0-without-generic",
        triple: SPIR64,
        flags: &[
            "-cl-std=CL3.0",
            "-cl-ext=+all,-cl_khr_gl_msaa_sharing,-__opencl_c_generic_address_space,-__opencl_c_pipes,-__opencl_c_device_enqueue",
        ],
    },
];

fn clang(language: &Language) -> Command {
    let mut command = Command::new(format!("{LLVM}/bin/clang-22"));
    command.args(["-cc1", "-triple", language.triple, "-x", "cl"]).args(language.flags).args([
        "-internal-isystem",
        &format!("{LLVM}/lib/clang/22/include"),
        "-finclude-default-header",
    ]);
    command
}

/// Parameter types of a declaration, without names.
fn parameters(text: &str) -> Vec<String> {
    let mut types = Vec::new();
    for parameter in text.split(',') {
        let words: Vec<&str> = parameter.split_whitespace().collect();
        let mut kind = words.join(" ");
        // A name is the last word after another type word, or the text behind the last star.
        if let Some(star) = kind.rfind('*') {
            kind.truncate(star + 1);
        } else {
            let qualifiers = [
                "read_only",
                "write_only",
                "read_write",
                "const",
                "volatile",
                "unsigned",
                "signed",
                "__global",
                "__local",
                "__private",
            ];
            let real: Vec<&&str> = words.iter().filter(|word| !qualifiers.contains(word)).collect();
            if real.len() > 1 {
                kind = words[..words.len() - 1].join(" ");
            }
        }
        types.push(kind);
    }
    if types == ["void"] || types == [""] { Vec::new() } else { types }
}

/// Name and parameter types of every function that clang's header declares in this language.
fn declarations(language: &Language) -> BTreeSet<(String, Vec<String>)> {
    let output = clang(language)
        .args(["-E", "-P", "-"])
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let raw = String::from_utf8(output.stdout).unwrap();
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw.as_str();
    while let Some(start) = rest.find("__attribute__((") {
        text.push_str(&rest[..start]);
        text.push(' ');
        let end = start + rest[start..].find("))").unwrap() + 2;
        // Nested parentheses: ext_vector_type(4), deprecated(...).
        rest = rest[end..].strip_prefix(')').unwrap_or(&rest[end..]);
    }
    text.push_str(rest);
    let mut found = BTreeSet::new();
    for statement in text.split(';') {
        let statement = statement.trim();
        if statement.starts_with("typedef")
            || statement.contains(['{', '}', '#'])
            || !statement.ends_with(')')
        {
            continue;
        }
        let Some(open) = statement.find('(') else { continue };
        let head = statement[..open].trim();
        let name = head.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap();
        if name.is_empty() || excepted(name) {
            continue;
        }
        found.insert((name.to_owned(), parameters(&statement[open + 1..statement.len() - 1])));
    }
    found
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("complete");
    fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

/// The symbols that user code needs to call all of `functions`, and the number of functions that
/// clang rejected.
fn wanted(
    language: &Language,
    functions: &BTreeSet<(String, Vec<String>)>,
) -> (BTreeSet<String>, Vec<String>) {
    let source = scratch(&format!("{}.cl", language.name));
    let bitcode = scratch(&format!("{}.bc", language.name));
    let pragma = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable";
    let mut lines: Vec<String> = functions
        .iter()
        .enumerate()
        .map(|(nth, (name, types))| {
            let declared: Vec<String> =
                types.iter().enumerate().map(|(at, kind)| format!("{kind} a{at}")).collect();
            let passed: Vec<String> = (0..types.len()).map(|at| format!("a{at}")).collect();
            format!(
                "void __probe{nth}({}) {{ {name}({}); }}",
                declared.join(", "),
                passed.join(", ")
            )
        })
        .collect();
    let mut unknown = Vec::new();
    loop {
        fs::write(&source, format!("{pragma}\n{}\n", lines.join("\n"))).unwrap();
        let output = clang(language)
            .args([
                "-fdeclare-opencl-builtins",
                "-O0",
                "-emit-llvm-bc",
                "-ferror-limit",
                "0",
                "-fno-caret-diagnostics",
                "-w",
                "-o",
            ])
            .args([&bitcode, &source])
            .output()
            .unwrap();
        if output.status.success() {
            break;
        }
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        let bad: BTreeSet<usize> = errors
            .lines()
            .filter(|line| line.contains(": error:"))
            .filter_map(|line| line.split(".cl:").nth(1)?.split(':').next()?.parse().ok())
            .collect();
        assert!(!bad.is_empty(), "{errors}");
        unknown.extend(bad.iter().map(|line| lines[line - 3].clone()));
        lines = lines
            .into_iter()
            .enumerate()
            .filter(|(at, _)| !bad.contains(&(at + 3)))
            .map(|(_, line)| line)
            .collect();
    }
    let output = Command::new(format!("{LLVM}/bin/llvm-nm"))
        .args(["--undefined-only", "-j"])
        .arg(&bitcode)
        .output()
        .unwrap();
    assert!(output.status.success());
    let symbols = String::from_utf8(output.stdout).unwrap();
    (
        symbols.lines().filter(|symbol| symbol.starts_with("_Z")).map(str::to_owned).collect(),
        unknown,
    )
}

#[test]
fn every_declared_builtin_is_in_the_library() {
    let mut missing = BTreeSet::new();
    for language in &LANGUAGES {
        let functions = declarations(language);
        let (symbols, unknown) = wanted(language, &functions);
        eprintln!(
            "OpenCL C {}: {} overloads declared, {} symbols, {} unknown to -fdeclare-opencl-builtins",
            language.name,
            functions.len(),
            symbols.len(),
            unknown.len()
        );
        // Guards against a parser that finds almost nothing.
        assert!(symbols.len() > 9_000, "only {} symbols probed", symbols.len());
        let overlay = |symbol: &str| language.triple == SPIR && SPIR32.find(symbol).is_some();
        missing.extend(
            symbols.into_iter().filter(|s| !overlay(s) && muxcl_builtins::find(s).is_none()),
        );
    }
    let list: Vec<&str> = missing.iter().map(String::as_str).collect();
    assert!(missing.is_empty(), "{} symbols are missing:\n{}", missing.len(), list.join("\n"));
}

#[test]
fn index_answers_for_every_symbol_and_no_other() {
    let mut previous = "";
    for (symbol, member) in muxcl_builtins::symbols() {
        assert!(previous < symbol, "{previous} and {symbol} are out of order");
        assert_eq!(muxcl_builtins::find(symbol), Some(member));
        assert!(
            muxcl_builtins::member(member).starts_with(b"BC\xc0\xde"),
            "{member:?} is not bitcode"
        );
        previous = symbol;
    }
    assert_eq!(muxcl_builtins::find("_Z3sin"), None);
    assert_eq!(muxcl_builtins::find(""), None);
    assert_eq!(muxcl_builtins::find("~"), None);
}

/// The functions that a member calls are in other members, or `passes` lowers them.
#[test]
fn members_call_nothing_unknown() {
    let folder = scratch("members");
    fs::create_dir_all(&folder).unwrap();
    let members: BTreeSet<_> = muxcl_builtins::symbols().map(|(_, member)| member).collect();
    let files: Vec<PathBuf> = members
        .iter()
        .map(|member| {
            let path = folder.join(format!("{}.bc", muxcl_builtins::member_name(*member)));
            fs::write(&path, muxcl_builtins::member(*member)).unwrap();
            path
        })
        .collect();
    let output = Command::new(format!("{LLVM}/bin/llvm-nm"))
        .args(["--undefined-only", "-A", "-j"])
        .args(&files)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lowered = [
        "_Z13get_global_idj",
        "_Z12get_group_idj",
        "_Z14get_num_groupsj",
        "_Z23get_enqueued_local_sizej",
        "_Z19get_local_linear_idv",
        "_Z14get_local_sizej",
        "_Z18work_group_barrierj",
        "_Z17sub_group_barrierj",
        "__muxcl_wg_scratch",
        "__muxcl_pipe_to_read",
        "__muxcl_pipe_to_write",
        "__muxcl_reserve_of",
        "__muxcl_reserve_number",
        "__muxcl_launch",
        "__muxcl_queue_of",
        "__muxcl_queue_number",
        "__muxcl_clk_event_of",
        "__muxcl_clk_event_number",
        "_Z22get_sub_group_local_idv",
        "_Z18get_sub_group_sizev",
        "_Z22get_max_sub_group_sizev",
        "__muxcl_sub_barrier",
        "__muxcl_sub_barrier_once",
        "__muxcl_sub_active",
        "__muxcl_sub_scratch",
    ];
    // Functions that the host provides when it loads a kernel.
    let provided = [
        "muxcl_enqueue_kernel",
        "muxcl_enqueue_marker",
        "muxcl_default_queue",
        "muxcl_create_user_event",
        "muxcl_set_user_event_status",
        "muxcl_retain_event",
        "muxcl_release_event",
        "muxcl_is_valid_event",
        "muxcl_capture_event_profiling_info",
        "muxcl_block_work_group_size",
        "muxcl_block_work_group_multiple",
        "muxcl_block_sub_group_size",
        "muxcl_block_sub_group_count",
    ];
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let (file, symbol) = line.rsplit_once(": ").unwrap();
        let image = symbol.starts_with("_Z13__muxcl_image") || symbol == "__muxcl_sampler_bits";
        let known = image
            || [&lowered[..], &provided[..]].concat().contains(&symbol)
            || symbol.starts_with("llvm.")
            || muxcl_builtins::find(symbol).is_some();
        assert!(known, "{file} calls {symbol}");
    }
    // Guards against an empty check: calls between members exist.
    assert!(muxcl_builtins::find("_Z3sinf").is_some());
    fs::remove_dir_all(folder).unwrap();
}

/// The DMA variant replaces functions of the library, and adds none.
#[test]
fn the_dma_variant_has_the_librarys_symbols() {
    let mut count = 0;
    for (symbol, member) in DMA.symbols() {
        assert!(muxcl_builtins::find(symbol).is_some(), "{symbol}");
        assert!(!DMA.member(member).is_empty());
        count += 1;
    }
    let copies = muxcl_builtins::symbols()
        .filter(|(s, _)| s.contains("async_work_group") || s.contains("wait_group_events"));
    assert_eq!(count, copies.count());
}
