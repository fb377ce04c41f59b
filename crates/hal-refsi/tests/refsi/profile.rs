//! The profile of kernels and the counters of memory traffic: they are exact, and the same in the
//! interpreter and in translated code.

use crate::common::{Linking, buffer, build, build_with, global, range, run};
use hal_refsi::perf::id;
use hal_refsi::{Exec, Options, RefsiDevice, Soc, ThreadMode, TraceOptions};
use muxcl_hal::{Argument, Device};

/// Ways of executing code. Counted code runs translated in the second and the third.
const WAYS: [Exec; 4] = [Exec::Interpreter, Exec::Jit, Exec::Eager, Exec::Check];

/// Devices of each kind.
fn devices() -> Vec<Options> {
    let g1 = Options::new(Soc::G1);
    let narrow = "RV32GCV".parse().expect("an instruction set");
    vec![
        g1.clone(),
        Options { target: narrow, ..g1.clone() },
        Options { mode: ThreadMode::WorkItem, harts: 16, ..g1 },
        Options::new(Soc::M1),
    ]
}

/// Launches `sum` over groups of one work-item, and `add` over groups of ten. Returns the report
/// without times, and the sums of the harts' counters.
fn report(options: &Options, flags: &[&str]) -> (String, Vec<u64>) {
    let d = RefsiDevice::new(&Options { detailed_counters: true, ..options.clone() });
    let d = d.expect("a device");
    assert_eq!(d.profile(), None);
    assert!(d.begin_profile());
    let elf = build_with("kernels.c", options.word_size(), Linking::Pie, flags);
    let mut counters = vec![0; 20];
    // The program is unloaded and loaded again, and stays one program in the report.
    for times in [1u64, 20] {
        let program = d.load(&elf).expect("a program");
        let out = buffer(&d, 1);
        let bytes = &times.to_le_bytes()[..options.word_size() as usize / 8];
        let arguments = [global(out), Argument::Value(bytes)];
        run(&d, program, "sum", &range(100, 1), &arguments).expect("it runs");
        for (counter, sum) in (0..).zip(&mut counters) {
            *sum += (0..options.harts).filter_map(|h| d.read_counter(counter, h)).sum::<u64>();
        }
        d.unload(program).expect("unload");
    }
    let text = d.profile().expect("a profile");
    let lines = text.lines().map(|line| line.split(", time on the host").next().unwrap_or(line));
    (lines.map(|line| format!("{line}\n")).collect(), counters)
}

/// The number behind `name` in the text.
fn number(text: &str, name: &str) -> u64 {
    let (_, rest) = text.split_once(name).unwrap_or_else(|| panic!("no `{name}` in:\n{text}"));
    let digits: String = rest.trim_start().chars().take_while(char::is_ascii_digit).collect();
    digits.parse().expect("a number")
}

#[test]
fn counts_do_not_depend_on_the_way_of_execution() {
    for options in devices() {
        let [first, others @ ..] =
            WAYS.map(|exec| report(&Options { exec, ..options.clone() }, &[]));
        let (text, counters) = &first;
        for other in others {
            assert_eq!(other.0, *text);
            assert_eq!(other.1, *counters);
        }
        // Instructions that a trace executes count as well.
        let folder = tempfile::tempdir().expect("a temporary folder");
        let trace = Some(TraceOptions { path: folder.path().join("trace"), limit: 1000 });
        assert_eq!(report(&Options { trace, ..options.clone() }, &[]), first);

        let of = |counter: u32| counters[counter as usize];
        assert_eq!(number(text, "launches"), 2, "{text}");
        assert_eq!(number(text, "work-groups"), 200);
        assert_eq!(number(text, "instructions"), of(id::RETIRED));
        assert_eq!(number(text, "cycles"), of(id::CYCLES));
        assert_eq!(number(text, "bytes read"), of(id::READ_BYTES));
        assert_eq!(number(text, "bytes written"), of(id::WRITE_BYTES));
        // Each addition is one atomic instruction; other code loads and stores as well.
        let word = u64::from(options.word_size() / 8);
        assert!(of(id::WRITE_BYTES) >= 2100 * word && of(id::READ_BYTES) >= 2100 * word);
        assert!(text.contains("no source lines: build the program with -g"), "{text}");
    }
}

#[test]
fn the_loop_comes_first_with_its_lines() {
    for options in devices() {
        let (text, _) = report(&options, &["-g"]);
        let at = text.find("amoadd").expect("the addition");
        let block = text.find(" executions of ").expect("a block");
        assert!(
            block < at && at < text[block + 1..].find(" executions of ").expect("more") + block
        );
        assert!(text[..block].ends_with(", 2100"), "{text}");
        assert!(text.contains(" kernels.c:") && !text.contains("no source lines"), "{text}");
    }
}

#[test]
fn a_failed_launch_is_in_the_profile() {
    let d = RefsiDevice::new(&Options::new(Soc::G1)).expect("a device");
    assert!(d.begin_profile());
    let program = d.load(&build("kernels.c", 64, Linking::Pie)).expect("a program");
    let (what, at) = (0u64.to_le_bytes(), 0x3000_0000u64.to_le_bytes());
    let arguments = [Argument::Value(&what), Argument::Value(&at)];
    assert!(run(&d, program, "fault", &range(1, 1), &arguments).is_err());
    let text = d.profile().expect("a profile");
    assert_eq!((number(&text, "failed launches"), number(&text, "launches")), (1, 1), "{text}");
    assert!(text.contains("kernel fault") && number(&text, "instructions") > 0, "{text}");
}

/// Vector accesses of all kinds, with and without masks and with a short `vl`.
#[test]
fn bytes_of_vector_accesses_are_counted() {
    for soc in [Soc::G1, Soc::M1] {
        let traffic = WAYS.map(|exec| {
            let options = Options { exec, harts: 1, detailed_counters: true, ..Options::new(soc) };
            let d = RefsiDevice::new(&options).expect("a device");
            let flags = ["-march=rv64gcv"];
            let program = d.load(&build_with("traffic.c", 64, Linking::Pie, &flags));
            let program = program.expect("a program");
            let data = buffer(&d, 1 << 12);
            let groups = 300;
            run(&d, program, "empty", &range(groups, 1), &[global(data)]).expect("it runs");
            let value = |counter| d.read_counter(counter, 0).expect("a value");
            let before = [id::READ_BYTES, id::WRITE_BYTES].map(value);
            run(&d, program, "moves", &range(groups, 1), &[global(data)]).expect("it runs");
            let after = [id::READ_BYTES, id::WRITE_BYTES].map(value);
            [after[0] - before[0], after[1] - before[1]].map(|bytes| bytes / groups)
        });
        // As traffic.c says; one load more for the argument.
        let vlenb = u64::from(Options::new(soc).vlen / 8);
        let whole = 2 * vlenb;
        let expected = [whole + 16 + 3 * 4 + 2 * 8 + 6 * 2 + 5 + 8 + 8, whole + 16 + 3 * 4 + 8 + 3];
        assert!(traffic.iter().all(|t| *t == expected), "{traffic:?}, not {expected:?}");
    }
}

/// Debug information is input from outside: if it is broken, lines are wrong or missing, and
/// nothing else happens.
#[test]
fn broken_debug_information_is_harmless() {
    let elf = build_with("kernels.c", 64, Linking::Pie, &["-g"]);
    let sections = [".debug_line", ".debug_info", ".debug_abbrev", ".debug_str_offsets"];
    let ranges: Vec<_> = sections
        .iter()
        .filter_map(|name| {
            let section = muxcl_hal::section_of(&elf, name).expect("an ELF file")?;
            let start = section.as_ptr().addr() - elf.as_ptr().addr();
            Some(start..start + section.len())
        })
        .collect();
    assert!(ranges.len() >= 3);
    let mut random = fastrand::Rng::with_seed(1);
    for round in 0..150 {
        let mut broken = elf.clone();
        for _ in 0..1 + round % 8 {
            let bytes = ranges[random.usize(..ranges.len())].clone();
            broken[random.usize(bytes)] = random.u8(..);
        }
        let d = RefsiDevice::new(&Options::new(Soc::G1)).expect("a device");
        assert!(d.begin_profile());
        let program = d.load(&broken).expect("a program");
        let out = buffer(&d, 1);
        let arguments = [global(out), Argument::Value(&1u64.to_le_bytes())];
        run(&d, program, "sum", &range(1, 1), &arguments).expect("it runs");
        assert!(d.profile().expect("a profile").contains("amoadd"));
    }
}
