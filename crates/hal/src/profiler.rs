//! Counter values as CSV, one row per value. Invariants: rows follow the order of events, and a
//! counter is shown only at its own level and above. Not here: the times at which counters are
//! read.

use crate::Device;
use crate::counters::CounterDescription;
use std::io::{self, Write};

/// Default path of the table.
pub const DEFAULT_PATH: &str = "/tmp/hal_profile.csv";

/// Writes counter values as CSV.
#[derive(Debug)]
pub struct Profiler<W> {
    out: W,
    level: u32,
    event: u64,
}

/// Formats a field, with quotes if necessary.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

impl<W: Write> Profiler<W> {
    /// Creates a table for a level from 1 (totals of the most important counters) to 3
    /// (everything), and writes its heading.
    ///
    /// # Errors
    /// If the heading cannot be written.
    pub fn new(mut out: W, level: u32) -> io::Result<Self> {
        writeln!(out, "event,call,detail,counter,of,value,unit")?;
        Ok(Self { out, level, event: 0 })
    }

    /// Reads the counters that a call has set, and writes a row for each value shown at this level.
    /// `detail` is the kernel's name or other text.
    ///
    /// # Errors
    /// If a row cannot be written.
    pub fn record(
        &mut self,
        device: &dyn Device,
        counters: &[CounterDescription],
        call: &str,
        detail: &str,
    ) -> io::Result<()> {
        self.event += 1;
        for counter in counters {
            let values: Vec<(u32, u64)> = (0..counter.values)
                .filter_map(|k| device.read_counter(counter.id, k).map(|v| (k, v)))
                .collect();
            if values.is_empty() {
                continue;
            }
            if counter.values > 1 && counter.per_value.shown_at(self.level) {
                for (k, value) in &values {
                    self.row(
                        call,
                        detail,
                        counter,
                        &format!("{} {k}", counter.sub_value_name),
                        *value,
                    )?;
                }
            }
            if counter.total.shown_at(self.level) {
                let total = values.iter().fold(0u64, |sum, (_, v)| sum.saturating_add(*v));
                self.row(call, detail, counter, "total", total)?;
            }
        }
        self.out.flush()
    }

    fn row(
        &mut self,
        call: &str,
        detail: &str,
        counter: &CounterDescription,
        of: &str,
        value: u64,
    ) -> io::Result<()> {
        let (event, unit) = (self.event, counter.unit.name());
        writeln!(
            self.out,
            "{event},{},{},{},{},{value},{unit}",
            field(call),
            field(detail),
            field(&counter.name),
            field(of)
        )
    }

    /// The sink with the complete output.
    pub fn into_inner(self) -> W {
        self.out
    }
}
