//! Loads and runs objects that clang makes at test time, links and inspects AArch64 objects, and
//! feeds the loader damaged ones.

use crate::layout::Layout;
use crate::link::link;
use crate::object::Object;
use crate::{LoadError, LoadOptions, LoadedObject, PerfMode, gdb, section_of};
use proptest::prelude::*;
use std::process::Command;

/// Compiles C or assembly with clang.
fn compile(language: &str, source: &str, flags: &[&str]) -> Vec<u8> {
    let scratch = tempfile::tempdir().unwrap();
    let out = scratch.path().join("object.o");
    let mut child = Command::new("/usr/lib/llvm-22/bin/clang")
        .args(["-x", language, "-", "-c", "-o"])
        .arg(&out)
        .args(flags)
        .stdin(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), source.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
    std::fs::read(&out).unwrap()
}

fn c(source: &str, flags: &[&str]) -> Vec<u8> {
    compile("c", source, &[&["-O2"], flags].concat())
}

fn assemble(source: &str, target: &str) -> Vec<u8> {
    compile("assembler", source, &["-target", target])
}

fn nothing(_: &str) -> Option<u64> {
    None
}

fn load(bytes: &[u8], resolve: &dyn Fn(&str) -> Option<u64>) -> LoadedObject {
    LoadedObject::load(bytes, resolve, LoadOptions::default()).unwrap()
}

fn call(object: &LoadedObject, name: &str, argument: i64) -> i64 {
    let address = object.symbol(name).unwrap();
    assert!(object.is_code(address));
    let pointer = std::ptr::with_exposed_provenance::<()>(usize::try_from(address).unwrap());
    // SAFETY: every function the tests call has this type.
    let function: extern "C" fn(i64) -> i64 = unsafe { std::mem::transmute(pointer) };
    function(argument)
}

extern "C" fn plus_seven(x: i64) -> i64 {
    x + 7
}

fn host(name: &str) -> Option<u64> {
    match name {
        "plus_seven" => Some((plus_seven as extern "C" fn(i64) -> i64 as usize) as u64),
        _ => None,
    }
}

const PROGRAM: &str = r"
extern long plus_seven(long);
static long counter = 5;
long zeros[1000];
const long table[4] = {10, 20, 30, 40};
long (*pointer)(long) = plus_seven;
__attribute__((weak)) extern long absent(long);
__attribute__((noinline)) long local_call(long x) { return x * 2; }
long run(long x) {
  counter += x;
  zeros[x & 511] += counter;
  double d = x * 0.5;
  switch (x & 7) { case 0: d += 1.5; break; case 1: x += 3; break; case 2: x *= 9; break; case 3: x ^= 5; break; case 4: x -= 77; break; case 5: x |= 256; break; }
  return plus_seven(local_call(x)) + table[x & 3] + pointer(1) + (long)d + (absent ? 1000000 : 0);
}
long count(long x) { return counter + zeros[x]; }
";

#[cfg(target_arch = "x86_64")]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "C's own conversions, on small numbers"
)]
fn expected(x: i64) -> i64 {
    let mut d = x as f64 * 0.5;
    let mut y = x;
    match x & 7 {
        0 => d += 1.5,
        1 => y += 3,
        2 => y *= 9,
        3 => y ^= 5,
        4 => y -= 77,
        5 => y |= 256,
        _ => {}
    }
    y * 2 + 7 + [10, 20, 30, 40][usize::try_from(y & 3).unwrap()] + 8 + d as i64
}

#[test]
#[cfg(target_arch = "x86_64")]
fn every_code_model_runs() {
    let models: [&[&str]; 7] = [
        &["-fPIC"],
        &["-fPIC", "-O0"],
        &["-fPIC", "-fno-plt"],
        &["-fPIE", "-mcmodel=small"],
        &["-fPIC", "-mcmodel=medium", "-mlarge-data-threshold=16"],
        &["-fPIC", "-mcmodel=large"],
        &["-fno-pic", "-mcmodel=large"],
    ];
    for flags in models {
        let object = load(&c(PROGRAM, flags), &host);
        let mut sum = 5;
        for x in 0..16 {
            assert_eq!(call(&object, "run", x), expected(x), "{flags:?} {x}");
            sum += x;
            assert_eq!(call(&object, "count", 900), sum, "{flags:?}");
            assert_eq!(call(&object, "count", x), sum * 2, "{flags:?}");
        }
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
fn objects_see_each_others_symbols_common_and_aligned_data() {
    let first = load(
        &c(
            "long shared = 40; long common; long big[64] __attribute__((aligned(8192)));",
            &["-fPIC", "-fcommon"],
        ),
        &nothing,
    );
    let common = first.symbol("common").unwrap();
    assert_eq!(first.symbol("big").unwrap() % 8192, 0);
    assert_eq!(first.symbol_extent("big").unwrap().1, 512);
    assert!(!first.is_code(common));
    let source = "extern long shared, common; long bump(long x) { common += 1; shared += x; return shared + common; }";
    let second = load(&c(source, &["-fPIC"]), &|name| first.symbol(name));
    assert_eq!(call(&second, "bump", 2), 43);
    assert_eq!(call(&second, "bump", 0), 44);
    assert_eq!(second.symbol_names().collect::<Vec<_>>(), ["bump"]);
}

#[test]
fn errors_name_the_missing_or_unsupported_thing() {
    let load =
        |bytes: &[u8]| LoadedObject::load(bytes, &nothing, LoadOptions::default()).unwrap_err();
    assert_eq!(
        load(&c("long f(long); long g(long x){return f(x)+1;}", &["-fPIC"])),
        LoadError::Undefined("f".into())
    );
    let tls = load(&c("__thread long t; long g(long x){return t+=x;}", &["-fPIC"]));
    assert!(tls.to_string().contains("thread-local storage"), "{tls}");
    let tls = load(&c("extern __thread long t; long g(long x){return t+=x;}", &["-fPIC"]));
    assert!(tls.to_string().contains("thread-local"), "{tls}");
    let constructor =
        load(&c("volatile int x; __attribute__((constructor)) void f(void){x=x+1;}", &["-fPIC"]));
    assert!(constructor.to_string().contains("constructors"), "{constructor}");
    let other =
        if cfg!(target_arch = "aarch64") { "x86_64-linux-gnu" } else { "aarch64-linux-gnu" };
    assert!(matches!(load(&assemble("nop", other)), LoadError::WrongMachine { .. }));
    assert!(matches!(
        load(&assemble("nop", "riscv64-linux-gnu")),
        LoadError::WrongMachine { found: 243, .. }
    ));
    assert!(matches!(load(&assemble("nop", "i686-linux-gnu")), LoadError::NotAnObject(_)));
    assert!(matches!(load(&std::fs::read("/proc/self/exe").unwrap()), LoadError::NotAnObject(_)));
    assert!(matches!(load(b""), LoadError::NotAnObject(_)));
}

#[test]
#[cfg(target_arch = "x86_64")]
fn an_external_variable_out_of_reach_is_an_error_not_a_wild_access() {
    let bytes =
        c("extern long far; long g(long x){return far+x;}", &["-fno-pic", "-mcmodel=small"]);
    let far = |name: &str| (name == "far").then_some(0x7000_0000_0000_0000);
    let error = LoadedObject::load(&bytes, &far, LoadOptions::default()).unwrap_err();
    assert!(matches!(&error, LoadError::OutOfRange { symbol, .. } if symbol == "far"), "{error}");
}

#[test]
#[cfg(target_arch = "x86_64")]
fn code_and_constants_are_not_writable_afterwards() {
    let object = load(&c(PROGRAM, &["-fPIC"]), &host);
    let access = |address: u64| {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let line = maps.lines().find(|l| {
            let (a, b) = l.split_once(' ').unwrap().0.split_once('-').unwrap();
            let hex = |s| u64::from_str_radix(s, 16).unwrap();
            (hex(a)..hex(b)).contains(&address)
        });
        line.unwrap().split(' ').nth(1).unwrap().to_owned()
    };
    assert_eq!(access(object.symbol("run").unwrap()), "r-xp");
    assert_eq!(access(object.symbol("table").unwrap()), "r--p");
    assert_eq!(access(object.symbol("zeros").unwrap()), "rw-p");
    let writable = |name| object.is_writable(object.symbol(name).unwrap());
    assert_eq!(["run", "table", "zeros"].map(writable), [false, false, true]);
}

#[test]
#[cfg(target_arch = "x86_64")]
fn every_x86_64_field_computes_its_formula() {
    let source = r#"
        .globl here
        .data
        here: .quad 0x1122334455667788
        .size here, 8
        .globl table
        table:
        .reloc ., R_X86_64_64, here+1
        .quad 0
        .reloc ., R_X86_64_PC64, here
        .quad 0
        .reloc ., R_X86_64_SIZE32, here
        .long 0
        .reloc ., R_X86_64_PC32, here
        .long 0
        .reloc ., R_X86_64_SIZE64, here
        .quad 0
        .reloc ., R_X86_64_GOTPCREL, other
        .long 0
        .reloc ., R_X86_64_GOTPC32, _GLOBAL_OFFSET_TABLE_
        .long 0
        .reloc ., R_X86_64_GOTOFF64, here
        .quad 0
        .reloc ., R_X86_64_GOT64, other
        .quad 0
        .reloc ., R_X86_64_GOTPCREL64, other
        .quad 0
        .reloc ., R_X86_64_GOTPC64, _GLOBAL_OFFSET_TABLE_
        .quad 0
        .reloc ., R_X86_64_32, small
        .long 0
        .reloc ., R_X86_64_32S, small
        .long 0
        .reloc ., R_X86_64_16, small
        .short 0
        .reloc ., R_X86_64_8, small
        .byte 0
        .reloc ., R_X86_64_PC8, table
        .byte 0
    "#;
    let other = 0x1234_5678_9abc_def0u64;
    let object = load(&assemble(source, "x86_64-linux-gnu"), &|n| match n {
        "other" => Some(other),
        "small" => Some(0x42),
        _ => None,
    });
    let (here, table) = (object.symbol("here").unwrap(), object.symbol("table").unwrap());
    let read = |address: u64, size: usize| -> i64 {
        let mut bytes = [0u8; 8];
        let from = std::ptr::with_exposed_provenance::<u8>(usize::try_from(address).unwrap());
        // SAFETY: every address read lies in the loaded image.
        unsafe { from.copy_to_nonoverlapping(bytes.as_mut_ptr(), size) };
        let shift = 64 - 8 * u32::try_from(size).unwrap();
        (i64::from_le_bytes(bytes) << shift) >> shift
    };
    let at = |offset: u64, size: usize| read(table + offset, size);
    let to = |offset: u64, size: usize| (table + offset).wrapping_add_signed(at(offset, size));
    assert_eq!(at(0, 8).cast_unsigned(), here + 1);
    assert_eq!(to(8, 8), here);
    assert_eq!(at(16, 4), 8);
    assert_eq!(to(20, 4), here);
    assert_eq!(at(24, 8), 8);
    let slot = to(32, 4);
    assert_eq!(read(slot, 8).cast_unsigned(), other);
    let got = to(36, 4);
    assert_eq!(got.wrapping_add_signed(at(40, 8)), here);
    assert_eq!(got.wrapping_add_signed(at(48, 8)), slot);
    assert_eq!(to(56, 8), slot);
    assert_eq!(to(64, 8), got);
    assert_eq!((at(72, 4), at(76, 4), at(80, 2), at(82, 1)), (0x42, 0x42, 0x42, 0x42));
    assert_eq!(at(83, 1), -83);
}

/// Address and number of each line of the function at `address`, in a jitdump file.
#[cfg(target_arch = "x86_64")]
fn jitdump_lines(file: &[u8], address: u64) -> Vec<(u64, u32)> {
    let word = |bytes: &[u8], at: usize| u32::from_le_bytes(*bytes[at..].first_chunk().unwrap());
    let long = |bytes: &[u8], at: usize| u64::from_le_bytes(*bytes[at..].first_chunk().unwrap());
    let mut rest = &file[40..];
    while !rest.is_empty() {
        let (record, after) = rest.split_at(word(rest, 4) as usize);
        rest = after;
        if word(record, 0) != 2 || long(record, 16) != address {
            continue;
        }
        let mut at = 32;
        let entries = (0..long(record, 24)).map(|_| {
            let entry = (long(record, at), word(record, at + 8));
            let name = record[at + 16..].iter().position(|&byte| byte == 0).unwrap();
            at += 16 + name + 1;
            entry
        });
        return entries.collect();
    }
    Vec::new()
}

#[test]
#[cfg(target_arch = "x86_64")]
fn objects_are_registered_with_debuggers_and_perf() {
    let bytes = c(PROGRAM, &["-fPIC", "-g"]);
    let before = gdb::registered();
    let objects: Vec<_> = (0..3).map(|_| load(&bytes, &host)).collect();
    assert!(gdb::registered() >= 3, "{before}");
    drop(objects);
    for (perf, path) in [(PerfMode::Map, "/tmp/perf-"), (PerfMode::JitDump, "/tmp/jit-")] {
        let options = LoadOptions { debugger: false, perf };
        let object = LoadedObject::load(&bytes, &host, options).unwrap();
        let suffix = if perf == PerfMode::Map { "map" } else { "dump" };
        let path = format!("{path}{}.{suffix}", std::process::id());
        let content = std::fs::read(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let has = |text: &[u8]| content.windows(text.len()).any(|w| w == text);
        assert!(has(b"local_call"));
        if perf == PerfMode::Map {
            assert!(has(format!("{:x} ", object.symbol("run").unwrap()).as_bytes()));
        } else {
            assert!(content.starts_with(b"DTiJ"));
            let run = object.symbol("run").unwrap();
            assert!(has(&run.to_le_bytes()));
            let lines = jitdump_lines(&content, run);
            assert_eq!(lines.first().map(|first| first.0), Some(run), "{lines:?}");
            let text = PROGRAM.lines().position(|line| line.contains("run(")).unwrap();
            assert_eq!(lines[0].1 as usize, text + 1, "{lines:?}");
        }
    }
}

#[test]
fn a_note_is_found_without_loading() {
    let bytes = assemble(".section .note.muxcl,\"\",@note\n.ascii \"hello\"\n", "x86_64-linux-gnu");
    assert_eq!(section_of(&bytes, ".note.muxcl").unwrap(), Some(&b"hello"[..]));
    assert_eq!(section_of(&bytes, ".note.other").unwrap(), None);
    assert!(section_of(&bytes[..70], ".note.muxcl").is_err());
}

/// Links an AArch64 object at `base` without running it; the image and a symbol look-up.
fn link_aarch64(
    source: &str,
    base: u64,
) -> Result<(Vec<u8>, std::collections::BTreeMap<String, u64>), LoadError> {
    let bytes = assemble(source, "aarch64-linux-gnu");
    let object = Object::parse(&bytes)?;
    let layout = Layout::new(&object, 4096)?;
    let mut image = vec![0; usize::try_from(layout.size()).unwrap()];
    let resolve = |name: &str| match name {
        "far" => Some(0x7fff_1234_5678),
        "near" => Some(base + 0x10_0000),
        _ => None,
    };
    let symbols = link(&object, &layout, base, &mut image, &resolve)?;
    Ok((image, symbols.into_iter().map(|(n, d)| (n, d.address)).collect()))
}

#[test]
fn aarch64_instructions_are_patched() {
    let base = 0x5555_0000_0000;
    let source = r"
        .globl start
        start:
        bl near
        bl far
        adrp x0, data+8
        add x0, x0, :lo12:data+8
        ldrb w1, [x0, :lo12:data]
        ldrh w1, [x0, :lo12:data]
        ldr w1, [x0, :lo12:data]
        ldr x1, [x0, :lo12:data+8]
        ldr q1, [x0, :lo12:data+16]
        adrp x2, :got:far
        ldr x2, [x2, :got_lo12:far]
        movz x3, #:abs_g3:far
        movk x3, #:abs_g2_nc:far
        movk x3, #:abs_g1_nc:far
        movk x3, #:abs_g0_nc:far
        adr x4, target
        .globl target
        target:
        tbz x0, #3, start
        cbz x0, start
        ldr x5, literal
        ret
        literal: .quad far
        .data
        .balign 4096
        .globl data
        data: .space 64
        .globl words
        words: .quad start - .
        .word target - .
        .word data - .
    ";
    let (image, symbols) = link_aarch64(source, base).unwrap();
    let (start, data) = (symbols["start"], symbols["data"]);
    let word = |address: u64| {
        let at = usize::try_from(address - base).unwrap();
        u32::from_le_bytes(image[at..at + 4].try_into().unwrap())
    };
    let quad = |address: u64| u64::from(word(address)) | u64::from(word(address + 4)) << 32;
    let code = |n: u64| word(start + 4 * n);
    let branch =
        |at: u64, w: u32| at.wrapping_add_signed(i64::from((w << 6).cast_signed() >> 6) * 4);
    let page = |at: u64, w: u32| {
        let imm = i64::from((((w >> 5 & 0x7_ffff) << 2 | (w >> 29 & 3)) << 11).cast_signed() >> 11);
        (at & !0xfff).wrapping_add_signed(imm << 12)
    };
    let imm12 = |w: u32| u64::from(w >> 10 & 0xfff);
    assert_eq!(code(0) >> 26, 0x25);
    assert_eq!(branch(start, code(0)), base + 0x10_0000);
    // The far call goes through a veneer: adrp, ldr, br through a slot that holds the address.
    let veneer = branch(start + 4, code(1));
    assert_eq!(word(veneer + 8), 0xd61f_0200);
    assert_eq!(word(veneer) & 0x9f00_001f, 0x9000_0010);
    let slot = page(veneer, word(veneer)) + imm12(word(veneer + 4)) * 8;
    assert_eq!(quad(slot), 0x7fff_1234_5678);
    assert_eq!(page(start + 8, code(2)) + imm12(code(3)), data + 8);
    let low = data & 0xfff;
    assert_eq!((imm12(code(4)), imm12(code(5)) * 2, imm12(code(6)) * 4), (low, low, low));
    assert_eq!((imm12(code(7)) * 8, imm12(code(8)) * 16), (low + 8, low + 16));
    assert_eq!(page(start + 36, code(9)) + imm12(code(10)) * 8, slot);
    let moved = [11, 12, 13, 14].map(|n| code(n) >> 5 & 0xffff);
    assert_eq!(moved, [0, 0x7fff, 0x1234, 0x5678]);
    assert_eq!(quad(start + 4 * 20), 0x7fff_1234_5678);
    let words = symbols["words"];
    assert_eq!(words.wrapping_add(quad(words)), start);
    assert_eq!(
        (words + 8).wrapping_add_signed(i64::from(word(words + 8).cast_signed())),
        symbols["target"]
    );
    assert_eq!((words + 12).wrapping_add_signed(i64::from(word(words + 12).cast_signed())), data);
}

#[test]
fn aarch64_values_that_do_not_fit_are_refused() {
    for source in
        ["adr x0, far", "adrp x0, far", "cbz x0, far", "tbz x0, #1, far", ".word far", "b.eq far"]
    {
        let error = link_aarch64(source, 0x5555_0000_0000).unwrap_err();
        assert!(matches!(error, LoadError::OutOfRange { .. }), "{source}: {error}");
    }
    let misaligned = ".data\n.byte 0\ndata: .quad 0\n.text\nldr x1, [x0, :lo12:data]";
    assert!(matches!(link_aarch64(misaligned, 0x10000).unwrap_err(), LoadError::OutOfRange { .. }));
    let error = link_aarch64("ldr x0, [x0, :tprel_lo12:far]", 0).unwrap_err();
    assert!(error.to_string().contains("thread-local"), "{error}");
}

/// Base address of the images that [`exercise`] links.
const BASE: u64 = 0x7000_0000_0000;

/// Passes untrusted bytes to every entry point. For accepted objects, checks that sections lie in
/// their segments, and segments on separate pages within the image.
fn exercise(bytes: &[u8]) -> Result<(), LoadError> {
    if let Ok(Some(content)) = section_of(bytes, ".note.muxcl") {
        assert!(content.len() <= bytes.len());
    }
    let object = Object::parse(bytes)?;
    let layout = Layout::new(&object, 4096)?;
    let segments = [&layout.code, &layout.read_only, &layout.writable];
    assert_eq!((layout.code.start, layout.writable.end), (0, layout.size()));
    assert!(segments.iter().all(|s| s.start <= s.end && s.end.is_multiple_of(4096)));
    assert!(segments.windows(2).all(|pair| pair[0].end == pair[1].start));
    for (section, offset) in object.sections.iter().zip(&layout.sections) {
        let Some(start) = *offset else { continue };
        let end = start + section.size;
        assert!(segments.iter().any(|s| s.start <= start && end <= s.end), "{}", section.name);
    }
    if layout.size() > 1 << 24 {
        return Err(LoadError::Unsupported("more than these tests link".into()));
    }
    let mut image = vec![0; usize::try_from(layout.size()).unwrap()];
    let symbols = link(&object, &layout, BASE, &mut image, &|_| Some(0x6000_0000_0000))?;
    assert!(symbols.keys().all(|name| !name.is_empty()));
    Ok(())
}

fn samples() -> &'static [Vec<u8>] {
    static SAMPLES: std::sync::OnceLock<Vec<Vec<u8>>> = std::sync::OnceLock::new();
    SAMPLES.get_or_init(|| {
        let x86 = c(PROGRAM, &["-target", "x86_64-linux-gnu", "-fPIC"]);
        let arm = c(PROGRAM, &["-target", "aarch64-linux-gnu", "-fPIC"]);
        vec![x86, arm]
    })
}

#[test]
fn every_truncation_is_refused() {
    for sample in samples() {
        assert_eq!(exercise(sample), Ok(()));
        // The section table is at the end of the file, so every truncated file lacks a part of it.
        for cut in 0..sample.len() {
            assert!(exercise(&sample[..cut]).is_err(), "cut at {cut}");
        }
        for at in 0..sample.len() {
            for value in [0, 1, 0x7f, 0x80, 0xff] {
                let mut bytes = sample.clone();
                bytes[at] = value;
                // Damaged tables are errors. A changed instruction or constant is not detected.
                if let Err(error) = exercise(&bytes) {
                    assert!(!error.to_string().is_empty());
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 4000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]
    #[test]
    fn damaged_objects_never_panic(
        which in 0..2usize,
        edits in prop::collection::vec(
            (any::<prop::sample::Index>(), any::<u64>(), 1..9usize),
            1..12,
        ),
    ) {
        let mut bytes = samples()[which].clone();
        for (at, value, len) in edits {
            let at = at.index(bytes.len());
            let end = (at + len).min(bytes.len());
            bytes[at..end].copy_from_slice(&value.to_le_bytes()[..end - at]);
        }
        drop(exercise(&bytes));
    }

    #[test]
    fn noise_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        prop_assert!(exercise(&bytes).is_err());
        let mut with_magic = samples()[0][..64].to_vec();
        with_magic.extend(bytes);
        drop(exercise(&with_magic));
    }
}
