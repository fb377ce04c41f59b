//! Runs a program with a breakpoint on every function of a library.
//!
//! As soon as the library's code is mapped, before any of it runs, the first byte of every function
//! becomes `int3`. The first call of a function stops the program; the tracer records it and
//! restores the byte, so that later calls run at full speed.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use crate::functions::Functions;

const BREAKPOINT: u8 = 0xcc;

/// The program's copy of the library's code.
struct Mapped {
    /// The difference between an address in the process and the address in the file.
    bias: u64,
    /// Virtual address in the file of the first byte of code.
    code: u64,
    memory: File,
    original: Vec<u8>,
    starts: BTreeSet<u64>,
}

/// Runs `program` to its end. Returns the virtual addresses, in the file, of the functions of
/// `library` that ran, in the order of their first calls.
pub(crate) fn first_calls(
    library: &Path,
    functions: &Functions,
    program: &[OsString],
) -> Result<Vec<u64>> {
    ensure!(cfg!(target_arch = "x86_64"), "only programs for x86-64 can be traced");
    let (name, arguments) = program.split_first().context("no program")?;
    let mut command = Command::new(name);
    command.args(arguments);
    // SAFETY: between fork and exec the closure makes one system call and allocates nothing.
    unsafe { command.pre_exec(|| ptrace::traceme().map_err(std::io::Error::from)) };
    let child = command
        .spawn()
        .with_context(|| format!("{} cannot be started and traced", name.display()))?;
    let main = Pid::from_raw(i32::try_from(child.id())?);
    ensure!(
        matches!(waitpid(main, None)?, WaitStatus::Stopped(_, Signal::SIGTRAP)),
        "the program did not start"
    );
    ptrace::setoptions(
        main,
        Options::PTRACE_O_TRACECLONE | Options::PTRACE_O_TRACESYSGOOD | Options::PTRACE_O_EXITKILL,
    )?;
    ptrace::syscall(main, None)?;
    let mut mapped: Option<Mapped> = None;
    let mut called = Vec::new();
    loop {
        let status = waitpid(None, Some(WaitPidFlag::__WALL))?;
        let mut signal = None;
        let thread = match status {
            WaitStatus::Exited(pid, code) if pid == main => {
                ensure!(code == 0, "{} ended with status {code}", name.display());
                return Ok(called);
            }
            WaitStatus::Signaled(pid, signal, _) if pid == main => {
                bail!("{} was ended by {signal}", name.display())
            }
            WaitStatus::PtraceSyscall(pid) => {
                if mapped.is_none() {
                    mapped = Mapped::find(main, library, functions)?;
                }
                pid
            }
            WaitStatus::Stopped(pid, Signal::SIGTRAP) => {
                match mapped.as_ref().map(|m| m.hit(pid)).transpose()?.flatten() {
                    Some(start) => called.push(start),
                    None => signal = Some(Signal::SIGTRAP),
                }
                pid
            }
            // A new thread begins with a stop that is not a signal of the program.
            WaitStatus::Stopped(pid, Signal::SIGSTOP) | WaitStatus::PtraceEvent(pid, ..) => pid,
            WaitStatus::Stopped(pid, other) => {
                signal = Some(other);
                pid
            }
            _ => continue,
        };
        // Stops at system calls end once the library is mapped. Resuming a thread that has ended
        // fails, which is no error.
        let _ = if mapped.is_some() {
            ptrace::cont(thread, signal)
        } else {
            ptrace::syscall(thread, signal)
        };
    }
}

impl Mapped {
    /// Sets the breakpoints once the code of `library` is mapped in `process`.
    fn find(process: Pid, library: &Path, functions: &Functions) -> Result<Option<Self>> {
        let maps = fs::read_to_string(format!("/proc/{process}/maps")).unwrap_or_default();
        let Some(begin) =
            maps.lines().find_map(|line| executable_start(line, library, functions.code.offset))
        else {
            return Ok(None);
        };
        let page = functions.code.address & !0xfff;
        let bias = begin.wrapping_sub(page);
        let memory =
            OpenOptions::new().read(true).write(true).open(format!("/proc/{process}/mem"))?;
        let at = bias.wrapping_add(functions.code.address);
        let mut original = vec![0; usize::try_from(functions.code.size)?];
        memory.read_exact_at(&mut original, at).context("the program's memory cannot be read")?;
        let mut patched = original.clone();
        for start in functions.starts() {
            if let Some(byte) = usize::try_from(start - functions.code.address)
                .ok()
                .and_then(|i| patched.get_mut(i))
            {
                *byte = BREAKPOINT;
            }
        }
        memory.write_all_at(&patched, at).context("the program's memory cannot be written")?;
        let starts = functions.starts().collect();
        let mapped = Self { bias, code: functions.code.address, memory, original, starts };
        Ok(Some(mapped))
    }

    /// If `thread` stopped at a breakpoint: restores the byte, moves the thread back to it, and
    /// returns the function's address in the file.
    fn hit(&self, thread: Pid) -> Result<Option<u64>> {
        let mut registers = ptrace::getregs(thread)?;
        let address = registers.rip.wrapping_sub(1);
        let start = address.wrapping_sub(self.bias);
        if !self.starts.contains(&start) {
            return Ok(None);
        }
        let offset = usize::try_from(start - self.code)?;
        let byte = *self.original.get(offset).context("a function outside the code")?;
        self.memory.write_all_at(&[byte], address)?;
        registers.rip = address;
        ptrace::setregs(thread, registers)?;
        Ok(Some(start))
    }
}

/// The start address of the code of `library`, if this line of `/proc/PID/maps` contains it.
fn executable_start(line: &str, library: &Path, offset: u64) -> Option<u64> {
    let mut fields = line.split_whitespace();
    let (range, rights, at) = (fields.next()?, fields.next()?, fields.next()?);
    let path = fields.nth(2)?;
    if Path::new(path) != library
        || !rights.contains('x')
        || u64::from_str_radix(at, 16).ok()? != offset & !0xfff
    {
        return None;
    }
    u64::from_str_radix(range.split('-').next()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_code_among_the_maps() {
        let library = Path::new("/opt/lib/libx.so");
        let line = |rights: &str, at: &str, path: &str| {
            format!("7f0010000000-7f0010200000 {rights} {at} fe:00 123   {path}")
        };
        let found = |line: &str| executable_start(line, library, 0x2_24a_e88);
        assert_eq!(found(&line("r-xp", "0224a000", "/opt/lib/libx.so")), Some(0x7f00_1000_0000));
        assert_eq!(found(&line("r--p", "0224a000", "/opt/lib/libx.so")), None);
        assert_eq!(found(&line("r-xp", "00000000", "/opt/lib/libx.so")), None);
        assert_eq!(found(&line("r-xp", "0224a000", "/opt/lib/liby.so")), None);
        assert_eq!(found("7f0010000000-7f0010200000 rw-p 00000000 00:00 0"), None);
    }

    #[test]
    fn a_program_that_calls_nothing_of_a_library_has_no_calls() {
        // The test's own program serves as a library: it is an ELF file with symbols.
        let own = std::env::current_exe().unwrap();
        let functions = Functions::of(&own).unwrap();
        assert!(functions.starts().count() > 100);
        match first_calls(&own, &functions, &["true".into()]) {
            Ok(calls) => assert!(calls.is_empty()),
            Err(error) => println!("this machine does not permit tracing: {error:#}"),
        }
        let listing = first_calls(&own, &functions, &[own.clone().into(), "--list".into()]);
        if let Ok(calls) = listing {
            let names: Vec<&str> = calls.iter().flat_map(|start| functions.names(*start)).collect();
            assert!(names.iter().any(|name| name.contains("main")), "{names:?}");
        }
    }
}
