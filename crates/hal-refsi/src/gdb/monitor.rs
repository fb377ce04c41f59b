//! The commands of gdb's `monitor`. Invariant: they only read.

use super::Debugger;
use super::programs::name;
use crate::context;
use crate::instruction_trace::fetch;
use crate::machine::Machine;
use std::fmt::Write as _;

/// Maximum number of instructions that one command shows.
const MOST_LINES: u64 = 1000;
const HELP: &str = "\
monitor programs                      the loaded programs: name, address and kernels
monitor harts                         the harts: state, work-group, pc
monitor disassemble ADDRESS [COUNT]   instructions, those of vectors included
";

/// A hart's state: `idle`, or its work-group.
pub(super) fn describe(machine: &Machine, debugger: &Debugger, hart: usize) -> String {
    let active = debugger.change(|c| c.active.get(hart).copied().unwrap_or(false));
    let number = u32::try_from(hart).unwrap_or(u32::MAX);
    match context::current_group(&machine.memory, &debugger.options, number) {
        Some([x, y, z]) if active => format!("hart {hart}, work-group ({x}, {y}, {z})"),
        _ if active => format!("hart {hart}"),
        _ => format!("hart {hart}, idle"),
    }
}

/// The answer to a command.
pub(super) fn answer(machine: &Machine, debugger: &Debugger, command: &[u8]) -> String {
    let mut text = String::new();
    match command.trim_ascii() {
        b"programs" | b"kernels" => {
            for (number, program) in &debugger.programs.lock().loaded {
                // Writing into a String cannot fail.
                let _ = writeln!(text, "{} at {:#x}", name(*number), program.address);
                for (address, kernel) in &program.kernels {
                    let _ = writeln!(text, "  {address:#x} {kernel}");
                }
            }
            if text.is_empty() {
                text.push_str("no program is loaded\n");
            }
        }
        b"harts" => {
            for hart in 0..machine.harts() as usize {
                let pc = machine.with_hart(hart, |h| h.pc());
                let pc = pc.map_or_else(|| "running".to_owned(), |pc| format!("pc {pc:#x}"));
                let _ = writeln!(text, "{}, {pc}", describe(machine, debugger, hart));
            }
        }
        _ => text.push_str(&disassemble(machine, command).unwrap_or_else(|| HELP.to_owned())),
    }
    text
}

/// The answer to `disassemble ADDRESS [COUNT]`; the numbers are decimal or begin with `0x`.
fn disassemble(machine: &Machine, command: &[u8]) -> Option<String> {
    let number = |word: &str| match word.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => word.parse().ok(),
    };
    let mut words = std::str::from_utf8(command).ok()?.split_ascii_whitespace();
    if words.next() != Some("disassemble") {
        return None;
    }
    let mut at = number(words.next()?)?;
    let count = words.next().map_or(Some(8), number)?.min(MOST_LINES);
    let text = machine.with_hart(0, |hart| {
        let mut text = String::new();
        for _ in 0..count {
            let Some(fetched) = fetch(hart, at) else {
                let _ = writeln!(text, "{at:#x} no memory");
                break;
            };
            let _ = writeln!(text, "{at:#x} {fetched}");
            at = at.wrapping_add(fetched.size());
        }
        text
    });
    Some(text.unwrap_or_else(|| "hart 0 executes\n".to_owned()))
}
