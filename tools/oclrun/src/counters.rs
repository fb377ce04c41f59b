//! The counters of HAL devices of muxcl, which the driver writes as CSV (`CA_PROFILE_LEVEL`).
//!
//! Invariant: only variables that the driver documents are used, so other drivers ignore them.

use std::collections::BTreeMap;
use std::fs;

use anyhow::Result;
use tempfile::TempDir;

use crate::report::table;

/// The table that the driver writes.
pub(crate) struct Counters(TempDir);

/// Everything that the driver knows.
const LEVEL: &str = "3";
/// What the driver calls a launch in the table.
const LAUNCH: &str = "kernel_exec";

impl Counters {
    /// Makes the driver write its counters.
    ///
    /// # Safety
    /// No other thread may run, because this changes the environment.
    pub(crate) unsafe fn start() -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("counters.csv").display().to_string();
        for (name, value) in [("CA_PROFILE_LEVEL", LEVEL), ("CA_PROFILE_CSV_PATH", &path)] {
            // SAFETY: the caller promises that no other thread runs.
            unsafe { muxcl_client::set_variable(name, value) };
        }
        Ok(Self(folder))
    }

    /// The totals of the last launch of each kernel, as a table.
    pub(crate) fn text(&self) -> Result<String> {
        let path = self.0.path().join("counters.csv");
        let text = if path.exists() { fs::read_to_string(path)? } else { String::new() };
        Ok(summary(&text))
    }
}

/// The fields of a line of CSV.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut quoted) = (vec![String::new()], false);
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let field = fields.last_mut();
        match (c, field) {
            ('"', Some(field)) if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            ('"', _) => quoted = !quoted,
            (',', _) if !quoted => fields.push(String::new()),
            (c, Some(field)) => field.push(c),
            (_, None) => {}
        }
    }
    fields
}

/// The last value of each kernel's counters.
fn summary(csv: &str) -> String {
    let mut last = BTreeMap::new();
    for line in csv.lines().skip(1) {
        let [_, call, kernel, counter, of, value, unit, device] = &fields(line)[..] else {
            continue;
        };
        if call == LAUNCH && of == "total" {
            let (value, unit) = (value.clone(), unit.clone());
            last.insert((device.clone(), kernel.clone(), counter.clone()), (value, unit));
        }
    }
    if last.is_empty() {
        return "the device has no counters\n".to_owned();
    }
    let mut rows = vec![["kernel", "counter", "value", "unit", "device"].map(str::to_owned)];
    rows.extend(
        last.into_iter().map(|((device, kernel, counter), (value, unit))| {
            [kernel, counter, value, unit, device]
        }),
    );
    table(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_launch_of_a_kernel_counts() {
        let csv = "event,call,detail,counter,of,value,unit,device\n\
            1,kernel_exec,\"a,b\",cycles,total,5,,RefSi\n\
            2,kernel_exec,\"a,b\",cycles,total,7,,RefSi\n\
            2,kernel_exec,\"a,b\",cycles,hart 0,7,,RefSi\n\
            3,mem_read,,bytes,total,9,bytes,RefSi\n";
        let text = summary(csv);
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(text.lines().nth(1).is_some_and(|l| l.starts_with("a,b")), "{text}");
        assert!(text.contains(" 7 "), "{text}");
        assert_eq!(summary(""), "the device has no counters\n");
    }
}
