//! `docs/status.md` says what the driver has: its tables are made by asking each device through the
//! C interface.
//!
//! `cargo xtask status` (or `BLESS=1`) writes them. A device is asked in a process of its own,
//! which sees no other; see [`smoke`]. Needs `cargo build -p muxcl-icd -p muxcl-compiler-lib -p
//! muxcl-hal-refsi` (which `cargo xtask test` does first).

#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]
#![expect(clippy::print_stdout, reason = "what a child found goes to its parent")]

mod smoke;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use libtest_mimic::{Arguments, Failed, Trial};
use muxcl_test_api::drivers::{DEVICES, alone};

const BEGIN: &str =
    "<!-- Written by `cargo xtask status`; do not edit until the end of the tables. -->\n";
const END: &str = "<!-- End of the tables. -->\n";
/// Kinds of lines, and the headings of their tables.
const TABLES: [(&str, &str); 4] = [
    ("entry point", "Entry points that are not answered everywhere"),
    ("feature", "Features"),
    ("extension", "Extensions and their versions"),
    ("OpenCL C feature", "Optional features of OpenCL C 3.0"),
];

fn main() {
    if std::env::args().nth(1).as_deref() == Some("--child") {
        muxcl_test_api::use_driver();
        for (kind, name, answer) in smoke::facts() {
            println!("{kind}\t{name}\t{answer}");
        }
        return;
    }
    libtest_mimic::run(
        &Arguments::from_args(),
        vec![Trial::test("status_page_is_current", compare)],
    )
    .exit();
}

/// What the devices say: by kind, then by name, an answer for each device.
type Answers = BTreeMap<String, BTreeMap<String, Vec<String>>>;

fn ask() -> Result<Answers, Failed> {
    let mut all = Answers::new();
    for (index, device) in DEVICES.iter().enumerate() {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("status-{}", device.0));
        let output = alone(device, &folder)?.arg("--child").output()?;
        if !output.status.success() {
            return Err(format!("{}: {}", device.0, String::from_utf8_lossy(&output.stderr)).into());
        }
        for line in String::from_utf8(output.stdout)?.lines() {
            let mut parts = line.split('\t');
            let (Some(kind), Some(name), Some(answer)) = (parts.next(), parts.next(), parts.next())
            else {
                continue;
            };
            let row = all.entry(kind.to_owned()).or_default().entry(name.to_owned()).or_default();
            row.resize(DEVICES.len(), "no".to_owned());
            if let Some(cell) = row.get_mut(index) {
                answer.clone_into(cell);
            }
        }
    }
    Ok(all)
}

/// The text in lines of at most 100 columns, as all pages have them.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.len() + 1 + word.len() <= 100 => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

fn tables(all: &Answers) -> String {
    let mut page = String::from(BEGIN);
    for (kind, heading) in TABLES {
        let Some(rows) = all.get(kind) else { continue };
        write!(page, "\n### {heading}\n\n").unwrap();
        // Most entry points are answered by all devices, which is a line and not a hundred rows.
        let differ = |row: &&Vec<String>| row.iter().any(|answer| answer != "yes");
        if kind == "entry point" {
            let counts = |index: usize| rows.values().filter(|row| row[index] == "yes").count();
            let list: Vec<String> = DEVICES
                .iter()
                .enumerate()
                .map(|(i, d)| format!("{} of {} on {}", counts(i), rows.len(), d.0))
                .collect();
            let text = format!(
                "Called with good arguments, {} do what they are for; the others answer as below. \
                 `clSetCommandQueueProperty` is for devices of OpenCL 1.0 only, \
                 `clGetSemaphoreHandleForTypeKHR` is of an extension that is not there.",
                list.join(", ")
            );
            write!(page, "{}\n\n", wrapped(&text)).unwrap();
        }
        let names: Vec<&str> = DEVICES.iter().map(|d| d.0).collect();
        write!(page, "| {kind} | {} |\n|---|{}\n", names.join(" | "), "---|".repeat(names.len()))
            .unwrap();
        for (name, row) in rows.iter().filter(|(_, row)| kind != "entry point" || differ(row)) {
            writeln!(page, "| `{name}` | {} |", row.join(" | ")).unwrap();
        }
    }
    page.push('\n');
    page.push_str(END);
    page
}

fn compare() -> Result<(), Failed> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/status.md");
    let page = std::fs::read_to_string(&path)?;
    let written = tables(&ask()?);
    let (start, end) = (page.find(BEGIN), page.find(END));
    let (Some(start), Some(end)) = (start, end) else {
        return Err("docs/status.md has lost the marks of its tables".into());
    };
    let fresh = format!("{}{written}{}", &page[..start], &page[end + END.len()..]);
    if fresh == page {
        return Ok(());
    }
    if bless() {
        std::fs::write(&path, fresh)?;
        return Ok(());
    }
    let old: Vec<&str> = page.lines().collect();
    let news: Vec<&str> = fresh.lines().filter(|line| !old.contains(line)).collect();
    Err(format!(
        "docs/status.md is not what the devices say; `cargo xtask status` writes:\n{}",
        news.join("\n")
    )
    .into())
}

#[expect(
    clippy::disallowed_methods,
    reason = "a switch of tests, as in the file tests; the driver does not read it"
)]
fn bless() -> bool {
    std::env::var_os("BLESS").is_some()
}
