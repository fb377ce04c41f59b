//! Reports functions and their addresses to Linux `perf`, in a perf map (`/tmp/perf-PID.map`) or in
//! a jitdump file with the code and its source lines (`perf record -k mono`, `perf inject --jit`).
//!
//! Invariant: profiling never fails a load. A file that cannot be written is dropped silently.

use crate::lines::Row;
use crate::link::Defined;
use crate::object::Machine;
use muxcl_lock::{Mutex, Rank};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::ops::Range;

/// How loaded code is reported to `perf`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PerfMode {
    /// Not at all.
    #[default]
    Off,
    /// Names only, in `/tmp/perf-PID.map`.
    Map,
    /// Names and code, in `/tmp/jit-PID.dump`.
    JitDump,
}

#[derive(Debug, Default)]
struct Files {
    map: Option<File>,
    dump: Option<File>,
    next: u64,
}

static FILES: Mutex<Files> = Mutex::new(Rank::Leaf, Files { map: None, dump: None, next: 0 });

/// Reports every function of a loaded object.
pub(crate) fn report(
    mode: PerfMode,
    symbols: &BTreeMap<String, Defined>,
    code: &Range<usize>,
    lines: impl FnOnce() -> Vec<Row>,
) {
    if mode == PerfMode::Off {
        return;
    }
    let lines = if mode == PerfMode::JitDump { lines() } else { Vec::new() };
    let mut files = FILES.lock();
    let mut bytes = Vec::new();
    for (name, symbol) in symbols.iter().filter(|(_, s)| s.function && inside(s, code)) {
        match mode {
            PerfMode::Off => {}
            PerfMode::Map => {
                bytes.extend(format!("{:x} {:x} {name}\n", symbol.address, symbol.size).bytes())
            }
            PerfMode::JitDump => {
                files.next += 1;
                line_record(&mut bytes, symbol, &lines);
                code_record(&mut bytes, name, symbol, files.next);
            }
        }
    }
    let file = match mode {
        PerfMode::Map => &mut files.map,
        _ => &mut files.dump,
    };
    if file.is_none() {
        *file = create(mode);
    }
    if let Some(open) = file
        && open.write_all(&bytes).is_err()
    {
        *file = None;
    }
}

/// True if the function lies within the object's code. The extent comes from the untrusted object.
fn inside(symbol: &Defined, code: &Range<usize>) -> bool {
    let end = symbol.address.checked_add(symbol.size);
    symbol.size != 0
        && symbol.address >= code.start as u64
        && end.is_some_and(|e| e <= code.end as u64)
}

fn create(mode: PerfMode) -> Option<File> {
    let id = std::process::id();
    if mode == PerfMode::Map {
        return File::options().append(true).create(true).open(format!("/tmp/perf-{id}.map")).ok();
    }
    let path = format!("/tmp/jit-{id}.dump");
    let mut file =
        File::options().read(true).write(true).create(true).truncate(true).open(path).ok()?;
    file.write_all(&header(id)).ok()?;
    // perf finds the file by an executable mapping of it in its event stream.
    muxcl_os::mark_executable_file(&file);
    Some(file)
}

fn header(process: u32) -> Vec<u8> {
    let mut out = Vec::new();
    let words = [0x4a69_5444, 1, 40, u32::from(Machine::HOST.elf_number()), 0, process];
    out.extend(words.iter().flat_map(|w: &u32| w.to_le_bytes()));
    out.extend(muxcl_os::now_ns().to_le_bytes());
    out.extend(0u64.to_le_bytes());
    out
}

/// A JIT_CODE_DEBUG_INFO record with the lines of a function, which precedes the function's code;
/// nothing if it has no lines.
fn line_record(out: &mut Vec<u8>, symbol: &Defined, lines: &[Row]) {
    let end = symbol.address.saturating_add(symbol.size);
    let inside = lines.iter().filter(|row| (symbol.address..end).contains(&row.address));
    let mut entries = Vec::new();
    let mut count = 0_u64;
    for row in inside {
        count += 1;
        entries.extend(row.address.to_le_bytes());
        entries.extend(row.line.to_le_bytes());
        // The discriminator.
        entries.extend(0_u32.to_le_bytes());
        entries.extend(row.file.bytes().filter(|&byte| byte != 0));
        entries.push(0);
    }
    let Ok(total) = u32::try_from(16 + 16 + entries.len()) else { return };
    if count == 0 {
        return;
    }
    out.extend(2_u32.to_le_bytes());
    out.extend(total.to_le_bytes());
    out.extend(muxcl_os::now_ns().to_le_bytes());
    out.extend(symbol.address.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend(entries);
}

/// A JIT_CODE_LOAD record.
fn code_record(out: &mut Vec<u8>, name: &str, symbol: &Defined, number: u64) {
    let Ok(size) = usize::try_from(symbol.size) else { return };
    let total = 16 + 40 + name.len() + 1 + size;
    let Ok(total) = u32::try_from(total) else { return };
    out.extend(0u32.to_le_bytes());
    out.extend(total.to_le_bytes());
    out.extend(muxcl_os::now_ns().to_le_bytes());
    out.extend(std::process::id().to_le_bytes());
    out.extend(muxcl_os::thread_id().to_le_bytes());
    for word in [symbol.address, symbol.address, symbol.size, number] {
        out.extend(word.to_le_bytes());
    }
    out.extend(name.bytes());
    out.push(0);
    let code =
        std::ptr::with_exposed_provenance::<u8>(usize::try_from(symbol.address).unwrap_or(0));
    // SAFETY: `inside` held: the bytes are part of the code that was just loaded and is readable.
    out.extend(unsafe { std::slice::from_raw_parts(code, size) });
}
