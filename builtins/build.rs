//! Compiles the OpenCL C library to bitcode members, and writes the data and the index that
//! `src/lib.rs` includes.
//!
//! Invariant: a member is compiled again only if its text, a header or the clang command line
//! changed. `target/builtins-cache` holds the results of all profiles by content hash. The command
//! line agrees with the frontend's in everything that mangling depends on: triple, OpenCL C 3.0,
//! all extensions and features.

#![expect(
    clippy::disallowed_methods,
    reason = "a build script is configured by cargo through the environment"
)]
#![expect(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "a build script fails by panicking"
)]

#[path = "gen/mod.rs"]
mod generate;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use std::{env, fs};

const FLAGS: &str = "-cc1 -triple spir64-unknown-unknown -x cl -cl-std=CL3.0 -cl-ext=+all -O2 \
    -fno-convergent-functions -ffp-contract=off -discard-value-names -Qn -relaxed-aliasing -Werror=implicit-function-declaration -Werror=undefined-internal \
    -Wno-unused-value -Wno-psabi -fno-unroll-loops -emit-llvm-bc";

/// The triple of devices with 32-bit addresses.
const SPIR32: &str = "spir-unknown-unknown";

/// The flags of the run-time library, for the smallest instruction set of each width.
/// `-fno-builtin`: a copy loop must not become a call of `memcpy`, which the library implements.
/// `+a`: atomics stay instructions until the device is known.
const RUNTIME_FLAGS: &str = "-cc1 -x c -std=c17 -O2 -ffreestanding -fno-builtin -discard-value-names -Qn \
    -target-feature +a -emit-llvm-bc -triple";
const RUNTIME_TRIPLES: [&str; 2] = ["riscv32-unknown-elf", "riscv64-unknown-elf"];

struct Member {
    name: String,
    source: PathBuf,
    text: String,
}

fn fnv(seed: u64, bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(seed, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

fn collect(src_cl: &Path, out: &Path) -> (Vec<Member>, u64) {
    let mut members = Vec::new();
    let mut headers = fnv(0xcbf2_9ce4_8422_2325, FLAGS.as_bytes());
    let mut files: Vec<PathBuf> =
        fs::read_dir(src_cl).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for source in files.into_iter().filter(|file| file.is_file()) {
        let text = fs::read_to_string(&source).unwrap();
        let name = source.file_stem().unwrap().to_string_lossy().into_owned();
        match source.extension().and_then(|extension| extension.to_str()) {
            Some("cl") => members.push(Member { name, source, text }),
            Some("h") => headers = fnv(headers, text.as_bytes()),
            _ => {}
        }
    }
    members.extend(written(generate::members(src_cl), out));
    (members, headers)
}

/// Writes the generated members as files for clang.
fn written(members: Vec<(String, String)>, out: &Path) -> Vec<Member> {
    fs::create_dir_all(out.join("gen")).unwrap();
    let write = |(name, text): (String, String)| {
        let source = out.join("gen").join(format!("{name}.cl"));
        if fs::read_to_string(&source).ok().as_deref() != Some(&text) {
            fs::write(&source, &text).unwrap();
        }
        Member { name, source, text }
    };
    members.into_iter().map(write).collect()
}

/// Compiles a member unless the cache has its result. Returns the bitcode file.
fn compile(
    member: &Member,
    headers: u64,
    flags: &str,
    llvm: &Path,
    src_cl: &Path,
    cache: &Path,
) -> Result<PathBuf, String> {
    let hash = fnv(fnv(headers, member.name.as_bytes()), member.text.as_bytes());
    let bitcode = cache.join(format!("{}.{hash:016x}.bc", member.name));
    if bitcode.exists() {
        return Ok(bitcode);
    }
    // Several builds (profiles, sanitizers) may fill the cache at the same time, so each writes a
    // partial file of its own.
    let partial = cache.join(format!("{}.{}.partial", member.name, std::process::id()));
    let output = Command::new(llvm.join("bin/clang-22"))
        .args(flags.split_whitespace())
        .arg("-internal-isystem")
        .arg(llvm.join("lib/clang/22/include"))
        .arg("-I")
        .arg(src_cl)
        .arg("-I")
        .arg(member.source.parent().unwrap())
        .arg("-o")
        .arg(&partial)
        .arg(&member.source)
        .output()
        .map_err(|error| format!("clang-22 of {}: {error}", llvm.display()))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    fs::rename(&partial, &bitcode).map_err(|error| error.to_string())?;
    Ok(bitcode)
}

fn compile_all(
    members: &[Member],
    headers: u64,
    flags: &str,
    llvm: &Path,
    src_cl: &Path,
    out: &Path,
) -> Vec<PathBuf> {
    let cache = cache_folder(out);
    fs::create_dir_all(&cache).unwrap();
    let jobs = env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok()).unwrap_or(2);
    let next = AtomicUsize::new(0);
    let mut done: Vec<(usize, Result<PathBuf, String>)> = std::thread::scope(|scope| {
        let worker = || {
            let mut mine = Vec::new();
            loop {
                let nth = next.fetch_add(1, Ordering::Relaxed);
                let Some(member) = members.get(nth) else { return mine };
                mine.push((nth, compile(member, headers, flags, llvm, src_cl, &cache)));
            }
        };
        let threads: Vec<_> = (0..jobs).map(|_| scope.spawn(worker)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    done.sort_by_key(|(nth, _)| *nth);
    let failures: Vec<&str> =
        done.iter().filter_map(|(_, result)| result.as_ref().err().map(String::as_str)).collect();
    assert!(
        failures.is_empty(),
        "{} members do not compile:\n{}",
        failures.len(),
        failures.join("\n")
    );
    let files: Vec<PathBuf> = done.into_iter().filter_map(|(_, result)| result.ok()).collect();
    forget_old(&cache, &files);
    files
}

/// The folder of the cache: cargo's target folder, which all profiles share.
fn cache_folder(out: &Path) -> PathBuf {
    let target = out.ancestors().filter(|folder| folder.join("CACHEDIR.TAG").exists()).last();
    target.map_or_else(|| out.join("cache"), |target| target.join("builtins-cache"))
}

/// Removes results that no build has used for a week.
fn forget_old(cache: &Path, used: &[PathBuf]) {
    let week = Duration::from_secs(7 * 24 * 3600);
    for entry in fs::read_dir(cache).unwrap().flatten() {
        let age = entry
            .metadata()
            .and_then(|data| data.modified())
            .ok()
            .and_then(|time| time.elapsed().ok());
        if age.is_some_and(|age| age > week) && !used.contains(&entry.path()) {
            // Another build may have removed the file already.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The external symbols that each member defines, by llvm-nm.
fn symbols(llvm: &Path, files: &[PathBuf]) -> BTreeMap<String, usize> {
    let mut symbols = BTreeMap::new();
    let output = Command::new(llvm.join("bin/llvm-nm"))
        .args(["--defined-only", "--extern-only", "-A", "-j"])
        .args(files)
        .output()
        .unwrap();
    assert!(output.status.success(), "llvm-nm: {}", String::from_utf8_lossy(&output.stderr));
    let by_path: BTreeMap<&str, usize> =
        files.iter().enumerate().map(|(nth, file)| (file.to_str().unwrap(), nth)).collect();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let (file, symbol) = line.rsplit_once(": ").unwrap();
        let member = by_path[file];
        if let Some(other) = symbols.insert(symbol.to_owned(), member) {
            panic!(
                "{symbol} is defined by {} and {}",
                files[other].display(),
                files[member].display()
            );
        }
    }
    symbols
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src-cl");
    println!("cargo::rerun-if-changed=gen");
    println!("cargo::rerun-if-changed=runtime");
    println!("cargo::rerun-if-env-changed=LLVM_SYS_221_PREFIX");
    let llvm = PathBuf::from(
        env::var("LLVM_SYS_221_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".into()),
    );
    let src_cl = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap()).join("src-cl");
    let out = PathBuf::from(env::var("OUT_DIR").unwrap());

    let (members, headers) = collect(&src_cl, &out);
    let files = compile_all(&members, headers, FLAGS, &llvm, &src_cl, &out);
    write_index(&out, "", &members, &files, &symbols(&llvm, &files));

    for (prefix, members) in [
        ("dma-", generate::dma_members()),
        ("timer-", generate::timer_members()),
        ("deferred-", generate::deferred_members()),
    ] {
        let members = written(members, &out);
        let files = compile_all(&members, headers, FLAGS, &llvm, &src_cl, &out);
        write_index(&out, prefix, &members, &files, &symbols(&llvm, &files));
    }

    let named = |(name, text): (String, String)| (format!("{SPIR32}-{name}"), text);
    let members = written(generate::sized_members(&src_cl).into_iter().map(named).collect(), &out);
    let flags = FLAGS.replace("spir64-unknown-unknown", SPIR32);
    let files =
        compile_all(&members, fnv(headers, SPIR32.as_bytes()), &flags, &llvm, &src_cl, &out);
    write_index(&out, &format!("{SPIR32}-"), &members, &files, &symbols(&llvm, &files));

    let folder = src_cl.with_file_name("runtime");
    for triple in RUNTIME_TRIPLES {
        let flags = format!("{RUNTIME_FLAGS} {triple}");
        let (members, headers) = collect_runtime(&folder, triple, &flags);
        let files = compile_all(&members, headers, &flags, &llvm, &folder, &out);
        write_index(&out, &format!("{triple}-"), &members, &files, &symbols(&llvm, &files));
    }
}

/// The C files of the run-time library; each is a member.
fn collect_runtime(folder: &Path, triple: &str, flags: &str) -> (Vec<Member>, u64) {
    let mut members = Vec::new();
    let mut headers = fnv(0xcbf2_9ce4_8422_2325, flags.as_bytes());
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for source in files {
        let text = fs::read_to_string(&source).unwrap();
        match source.extension().and_then(|extension| extension.to_str()) {
            Some("c") => {
                let name = format!("{triple}-{}", source.file_stem().unwrap().to_string_lossy());
                members.push(Member { name, source, text });
            }
            Some("h") => headers = fnv(headers, text.as_bytes()),
            _ => {}
        }
    }
    (members, headers)
}

/// Writes `<prefix>index.bin` and `<prefix>members.bin`. src/index.rs describes the layout.
fn write_index(
    out: &Path,
    prefix: &str,
    members: &[Member],
    files: &[PathBuf],
    symbols: &BTreeMap<String, usize>,
) {
    let mut blob: Vec<u8> = Vec::new();
    let mut names: Vec<u8> = Vec::new();
    let names_at = 8 + symbols.len() * 8 + members.len() * 16;
    let mut index: Vec<u8> = Vec::new();
    index.extend((symbols.len() as u32).to_le_bytes());
    index.extend((members.len() as u32).to_le_bytes());
    for (symbol, member) in symbols {
        index.extend(((names_at + names.len()) as u32).to_le_bytes());
        index.extend(u16::try_from(symbol.len()).unwrap().to_le_bytes());
        index.extend(u16::try_from(*member).unwrap().to_le_bytes());
        names.extend(symbol.as_bytes());
    }
    for (member, file) in members.iter().zip(files) {
        let bitcode = fs::read(file).unwrap();
        for number in [blob.len(), bitcode.len(), names_at + names.len(), member.name.len()] {
            index.extend(u32::try_from(number).unwrap().to_le_bytes());
        }
        names.extend(member.name.as_bytes());
        blob.extend(bitcode);
        blob.resize(blob.len().next_multiple_of(16), 0);
    }
    index.extend(names);
    fs::write(out.join(format!("{prefix}index.bin")), index).unwrap();
    fs::write(out.join(format!("{prefix}members.bin")), blob).unwrap();
}
