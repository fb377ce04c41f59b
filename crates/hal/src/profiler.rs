//! Counter values as a table of comma-separated values, one row per value. Invariant: rows follow
//! the order of events; a counter is shown only from its own level on. Not here: who calls it, and
//! when.

use crate::Device;
use crate::counters::CounterDescription;
use std::io::{self, Write};

/// Where the table usually goes.
pub const DEFAULT_PATH: &str = "/tmp/hal_profile.csv";

/// Writes the table.
#[derive(Debug)]
pub struct Profiler<W> {
    out: W,
    level: u32,
    event: u64,
}

/// A field, quoted when it must be.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

impl<W: Write> Profiler<W> {
    /// Begins a table, for levels 1 (totals of the most important counters) to 3 (everything).
    ///
    /// # Errors
    /// When the heading cannot be written.
    pub fn new(mut out: W, level: u32) -> io::Result<Self> {
        writeln!(out, "event,call,detail,counter,of,value,unit")?;
        Ok(Self { out, level, event: 0 })
    }

    /// Reads the counters a call has set, and writes a row for each that is shown. `detail` is the
    /// kernel's name or the like.
    ///
    /// # Errors
    /// When a row cannot be written.
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

    /// The sink, with all that was written.
    pub fn into_inner(self) -> W {
        self.out
    }
}
