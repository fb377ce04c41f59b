//! The trace of a process (`MUXCL_TRACE`), as docs/tools/trace.md says: this program starts itself
//! as the application, which ends by a signal, and reads its trace. Not here: Perfetto's own
//! description of the format, which the page's session uses.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result, bail, ensure};
use muxcl_client::{Context, Platform};
use muxcl_test_kernels::driver;

/// The argument that makes this program the application.
const APPLICATION: &str = "--application";
const ITEMS: usize = 1 << 16;
const LAUNCHES: usize = 3;
const SOURCE: &str = "\
kernel void turn(global int *out, int times) {
  int x = get_global_id(0);
  for (int k = 0; k < times; ++k)
    x = x * 1664525 + (x >> 3);
  out[get_global_id(0)] = x;
}
";

/// Runs kernels, and ends without releasing or flushing anything.
fn application() -> Result<()> {
    // SAFETY: no thread has been started yet.
    unsafe { driver::choose() }?;
    let platforms = Platform::all()?;
    let device = *platforms.first().context("a platform")?.devices()?.first().context("one")?;
    let context = Context::new(device)?;
    let queue = context.queue(device, 0)?;
    let program = context.build(device, SOURCE, "")?;
    let buffer = context.buffer_with(&vec![0_i32; ITEMS])?;
    let mut turn = program.kernel("turn")?;
    turn.set_buffer(0, &buffer)?;
    turn.set(1, 100)?;
    for _ in 0..LAUNCHES {
        queue.run(&turn, &[ITEMS], Some(&[64]), None)?;
    }
    let mut out = vec![0_i32; ITEMS];
    queue.read(&buffer, &mut out)?;
    ensure!(out[1] != 0, "{out:?}");
    std::process::abort()
}

/// A field of a message: a number, or bytes.
#[derive(Clone, Copy, Debug)]
enum Field<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

fn varint(bytes: &mut &[u8]) -> Result<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&first, rest) = bytes.split_first().context("the file ends in a number")?;
        *bytes = rest;
        value |= u64::from(first & 0x7f) << shift;
        if first < 0x80 {
            return Ok(value);
        }
    }
    bail!("a number is too long")
}

/// The fields of a message in the protobuf format.
fn fields(mut bytes: &[u8]) -> Result<Vec<(u64, Field<'_>)>> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes)?;
        let field = match key & 7 {
            0 => Field::Number(varint(&mut bytes)?),
            1 => {
                let (value, rest) = bytes.split_at_checked(8).context("the file ends")?;
                bytes = rest;
                Field::Number(u64::from_le_bytes(value.try_into()?))
            }
            2 => {
                let length = usize::try_from(varint(&mut bytes)?)?;
                let (value, rest) = bytes.split_at_checked(length).context("the file ends")?;
                bytes = rest;
                Field::Bytes(value)
            }
            other => bail!("wire type {other}"),
        };
        found.push((key >> 3, field));
    }
    Ok(found)
}

fn number(message: &[(u64, Field<'_>)], field: u64) -> Option<u64> {
    message.iter().find_map(|(f, value)| match value {
        Field::Number(number) if *f == field => Some(*number),
        _ => None,
    })
}

fn bytes<'a>(message: &[(u64, Field<'a>)], field: u64) -> Option<&'a [u8]> {
    message.iter().find_map(|(f, value)| match value {
        Field::Bytes(bytes) if *f == field => Some(*bytes),
        _ => None,
    })
}

fn text(message: &[(u64, Field<'_>)], field: u64) -> Option<String> {
    bytes(message, field).map(|text| String::from_utf8_lossy(text).into_owned())
}

/// A slice: its name, its begin, and its end in nanoseconds.
type Slice = (String, u64, u64);
/// The slices of each track by its name.
type Tracks = BTreeMap<String, Vec<Slice>>;

/// The slices of each track, whose name is that of its queue or thread.
fn slices(file: &[u8]) -> Result<Tracks> {
    let mut names: BTreeMap<u64, String> = BTreeMap::new();
    let mut events: BTreeMap<u64, Vec<(u64, u64, String)>> = BTreeMap::new();
    for (field, packet) in fields(file)? {
        let Field::Bytes(packet) = packet else { bail!("a number in the trace") };
        ensure!(field == 1, "field {field} of the trace");
        let packet = fields(packet)?;
        ensure!(number(&packet, 10).is_some_and(|sequence| sequence != 0), "no sequence");
        if let Some(track) = bytes(&packet, 60) {
            let track = fields(track)?;
            let thread = bytes(&track, 4).map(fields).transpose()?;
            let name = text(&track, 2).or_else(|| text(&thread?, 5));
            let id = number(&track, 1).context("a track without identifier")?;
            names.insert(id, name.unwrap_or_default());
        }
        if let Some(event) = bytes(&packet, 11) {
            let (event, time) = (fields(event)?, number(&packet, 8).context("a time")?);
            let track = number(&event, 11).context("a track")?;
            let kind = number(&event, 9).context("a type")?;
            let name = text(&event, 23).unwrap_or_default();
            events.entry(track).or_default().push((time, kind, name));
        }
    }
    let mut found = Tracks::new();
    for (track, mut list) in events {
        // Perfetto sorts events, too. Those of one time keep their order.
        list.sort_by_key(|event| event.0);
        let name =
            names.get(&track).with_context(|| format!("track {track} has no description"))?;
        let slices = found.entry(name.clone()).or_default();
        let mut open = Vec::new();
        for (time, kind, name) in list {
            match kind {
                1 => open.push((name, time)),
                2 => {
                    let (name, begin) = open.pop().context("an end without a begin")?;
                    slices.push((name, begin, time));
                }
                _ => {}
            }
        }
    }
    Ok(found)
}

fn trace(devices: &str, file: &Path, environment: &[(&str, &str)]) -> Result<Vec<u8>> {
    let output = Command::new(std::env::current_exe()?)
        .arg(APPLICATION)
        .envs([("MUXCL_DEVICES", devices), ("CA_HAL_DEVICE", "refsi"), ("MUXCL_CACHE", "0")])
        .env("MUXCL_TRACE", file)
        .envs(environment.iter().copied())
        .output()?;
    let text = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.code().is_none(), "{}: {text}", output.status);
    Ok(std::fs::read(file)?)
}

/// All slices with a name.
fn named(tracks: &Tracks, name: &str) -> Vec<Slice> {
    tracks.values().flatten().filter(|slice| slice.0 == name).cloned().collect()
}

/// Each slice `inner` is inside a slice `outer`, and there is one.
fn inside(tracks: &Tracks, inner: &str, outer: &str) -> Result<()> {
    let (inner, outer) = (named(tracks, inner), named(tracks, outer));
    let holds = |i: &Slice| outer.iter().any(|o| o.1 <= i.1 && i.1 < i.2 && i.2 <= o.2);
    ensure!(!inner.is_empty() && inner.iter().all(holds), "{inner:?} {outer:?}");
    Ok(())
}

/// The steps inside the compiler are in the trace, whichever way the driver reaches it. A result
/// from the disk cache has none.
fn steps(compiler: &str) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let cache = folder.path().join("cache").display().to_string();
    let environment =
        [("MUXCL_COMPILER", compiler), ("MUXCL_CACHE", "1"), ("MUXCL_CACHE_DIR", &cache)];
    let run = |name: &str| slices(&trace("host", &folder.path().join(name), &environment)?);
    let tracks = run("cold")?;
    inside(&tracks, "clang", "build a program")?;
    inside(&tracks, "finalise", "build a program")?;
    inside(&tracks, "link-builtins", "finalise")?;
    for step in ["work-item-loops", "vecz", "optimise", "emit"] {
        inside(&tracks, step, "compile kernel turn")?;
    }
    let tracks = run("warm")?;
    ensure!(!named(&tracks, "look up in the cache").is_empty(), "{tracks:?}");
    for step in ["clang", "finalise", "emit"] {
        ensure!(named(&tracks, step).is_empty(), "{tracks:?}");
    }
    Ok(())
}

/// A killed process leaves a trace with its calls, compilations, commands and threads.
fn killed(devices: &str) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let bytes = trace(devices, &folder.path().join("trace"), &[])?;
    let tracks = slices(&bytes)?;
    let all = |name: &str| named(&tracks, name);
    for call in ["clCreateContext", "clBuildProgram", "clEnqueueNDRangeKernel"] {
        ensure!(!all(call).is_empty(), "no {call} in {tracks:?}");
    }
    let (build, compiler) = (all("clBuildProgram"), all("build a program"));
    ensure!(compiler.len() == 1 && build[0].1 <= compiler[0].1, "{build:?} {compiler:?}");
    ensure!(compiler[0].2 <= build[0].2, "{build:?} {compiler:?}");
    ensure!(!all("compile kernel turn").is_empty(), "{tracks:?}");
    let queue = |(name, _): &(&String, &Vec<Slice>)| {
        name.starts_with("queue ") && !name.ends_with(": waiting")
    };
    let commands: Vec<Slice> =
        tracks.iter().filter(queue).flat_map(|(_, slices)| slices.clone()).collect();
    let launches: Vec<_> = commands.iter().filter(|slice| slice.0 == "turn").collect();
    ensure!(launches.len() == LAUNCHES, "{commands:?}");
    // In an in-order queue, they do not overlap.
    ensure!(launches.windows(2).all(|pair| pair[0].2 <= pair[1].1), "{launches:?}");
    let enqueue = all("clEnqueueNDRangeKernel");
    ensure!(enqueue[0].1 < launches[0].1, "{enqueue:?} {launches:?}");
    let waits = tracks.keys().filter(|name| name.ends_with(": waiting")).count();
    ensure!(waits >= 1, "{tracks:?}");
    // The threads that ran them.
    let work = if devices == "host" { "commands" } else { "turn" };
    let threads = tracks.iter().filter(|(name, _)| !name.starts_with("queue "));
    let mut worked = threads.flat_map(|(_, slices)| slices);
    ensure!(worked.any(|slice| slice.0 == work), "{tracks:?}");
    Ok(())
}

/// Each process has a file of its own if the name says so.
fn numbered() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("trace-%p");
    ensure!(trace("host", &file, &[]).is_err(), "the file has another name");
    let names: Vec<_> = std::fs::read_dir(folder.path())?.collect::<Result<_, _>>()?;
    let [only] = names.as_slice() else { bail!("{names:?}") };
    let name = only.file_name().to_string_lossy().into_owned();
    ensure!(name.strip_prefix("trace-").is_some_and(|n| n.parse::<u32>().is_ok()), "{name}");
    Ok(())
}

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some(APPLICATION) {
        return driver::exit(application());
    }
    driver::run_ours(vec![
        driver::trial("host", || killed("host")),
        driver::trial("refsi", || killed("hal")),
        driver::trial("steps", || steps("process")),
        driver::trial("steps_inline", || steps("inline")),
        driver::trial("numbered", numbered),
    ])
}
