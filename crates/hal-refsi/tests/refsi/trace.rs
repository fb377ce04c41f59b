//! The trace of executed instructions: its lines, its limit, and its effect on nothing else.

use crate::common::{Linking, buffer, build, global, range, run};
use hal_refsi::{Options, RefsiDevice, Soc, TraceOptions};
use muxcl_hal::{Argument, Device};
use std::collections::BTreeSet;

/// Runs the kernel `sum` over ten groups with a trace of at most `limit` instructions. Returns the
/// trace, the sum, and the number of retired instructions.
fn traced(options: &Options, limit: u64) -> (String, u64, u64) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("trace");
    let trace = Some(TraceOptions { path: path.clone(), limit });
    let d = RefsiDevice::new(&Options { trace, ..options.clone() }).expect("a device");
    let program =
        d.load(&build("kernels.c", options.word_size(), Linking::Pie)).expect("a program");
    let out = buffer(&d, 1);
    let times = 2u64.to_le_bytes();
    let word = options.word_size() as usize / 8;
    let arguments = [global(out), Argument::Value(&times[..word])];
    run(&d, program, "sum", &range(10, 1), &arguments).expect("it runs");
    let mut sum = [0; 8];
    d.read(out, &mut sum[..word]).expect("read");
    let retired = hal_refsi::perf::id::RETIRED;
    let retired = (0..options.harts).filter_map(|hart| d.read_counter(retired, hart)).sum();
    (std::fs::read_to_string(path).expect("a trace"), u64::from_le_bytes(sum), retired)
}

#[test]
fn every_instruction_has_a_line() {
    let narrow =
        Options { target: "RV32GCV".parse().expect("an instruction set"), ..Options::new(Soc::G1) };
    for options in [Options::new(Soc::G1), narrow, Options::new(Soc::M1)] {
        let (text, sum, retired) = traced(&options, u64::MAX);
        assert_eq!(sum, 2 * 55);
        assert_eq!(text.lines().count() as u64, retired);
        let digits = options.word_size() as usize / 4;
        let mut harts = BTreeSet::new();
        for line in text.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            assert_eq!((words[0], words[2].len()), ("hart", digits + 2), "{line}");
            assert!(matches!(words[3].len(), 4 | 8), "{line}");
            assert!(u32::from_str_radix(words[3], 16).is_ok() && words.len() > 4, "{line}");
            harts.insert(words[1].parse::<u32>().expect("a hart"));
        }
        assert!(harts.iter().all(|hart| *hart < options.harts), "{harts:?}");
        // An atomic addition: its address, and the unused old value is no change of a register.
        let add = text.lines().filter(|l| l.contains("amoadd")).collect::<Vec<_>>();
        assert_eq!(add.len(), 20);
        assert!(add.iter().all(|l| l.contains(" [0x4")), "{}", add[0]);
        // The line of a load has its address in brackets and the loaded value.
        let load = text.lines().find(|l| l.contains(" [0x") && l.contains(" a0=0x"));
        assert!(load.is_some());
        assert!(text.lines().any(|l| l.contains("ecall")));
    }
}

#[test]
fn a_trace_ends_at_its_limit() {
    let options = Options::new(Soc::G1);
    for limit in [1, 100] {
        let (text, sum, retired) = traced(&options, limit);
        assert_eq!((text.lines().count() as u64, sum), (limit, 110));
        assert!(retired > 100);
    }
}

#[test]
fn a_trace_shows_faults() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("trace");
    let trace = Some(TraceOptions { path: path.clone(), limit: u64::MAX });
    let d = RefsiDevice::new(&Options { trace, ..Options::new(Soc::G1) }).expect("a device");
    let program = d.load(&build("kernels.c", 64, Linking::Pie)).expect("a program");
    let (what, at) = (0u64.to_le_bytes(), 0x3000_0000u64.to_le_bytes());
    let arguments = [Argument::Value(&what), Argument::Value(&at)];
    assert!(run(&d, program, "fault", &range(1, 1), &arguments).is_err());
    let text = std::fs::read_to_string(path).expect("a trace");
    let last = text.lines().last().expect("a line");
    assert!(last.contains("store to 0x30000000") && last.contains("[0x30000000]"), "{last}");
}

#[test]
fn a_file_that_cannot_be_written_is_an_error() {
    let trace = Some(TraceOptions { path: "/no/such/folder/trace".into(), limit: 1 });
    let error = RefsiDevice::new(&Options { trace, ..Options::new(Soc::G1) });
    let error = error.expect_err("no folder").to_string();
    assert!(error.contains("HAL_REFSI_TRACE") && error.contains("/no/such/folder"), "{error}");
}
