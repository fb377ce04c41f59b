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

/// A call whose counters are recorded.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// Name of the device.
    pub device: &'a str,
    /// Name of the call.
    pub name: &'a str,
    /// The kernel's name or other text.
    pub detail: &'a str,
}

/// The values that a call has set: for each counter, by index.
pub type Values = Vec<Vec<(u32, u64)>>;

/// Takes the values that a call has set, for [`Profiler::record`].
pub fn read(device: &dyn Device, counters: &[CounterDescription]) -> Values {
    let of = |c: &CounterDescription| {
        (0..c.values).filter_map(|k| device.read_counter(c.id, k).map(|v| (k, v))).collect()
    };
    counters.iter().map(of).collect()
}

impl<W: Write> Profiler<W> {
    /// Creates a table for a level from 1 (totals of the most important counters) to 3
    /// (everything), and writes its heading.
    ///
    /// # Errors
    /// If the heading cannot be written.
    pub fn new(mut out: W, level: u32) -> io::Result<Self> {
        writeln!(out, "event,call,detail,counter,of,value,unit,device")?;
        Ok(Self { out, level, event: 0 })
    }

    /// Writes the `values` that a call has set: a row for each that the table's level includes.
    ///
    /// # Errors
    /// If a row cannot be written.
    pub fn record(
        &mut self,
        call: Call<'_>,
        counters: &[CounterDescription],
        values: &Values,
    ) -> io::Result<()> {
        self.event += 1;
        for (counter, values) in counters.iter().zip(values) {
            if values.is_empty() {
                continue;
            }
            if counter.values > 1 && counter.per_value.shown_at(self.level) {
                for (k, value) in values {
                    let of = format!("{} {k}", counter.sub_value_name);
                    self.row(call, counter, &of, *value)?;
                }
            }
            if counter.total.shown_at(self.level) {
                let total = values.iter().fold(0u64, |sum, (_, v)| sum.saturating_add(*v));
                self.row(call, counter, "total", total)?;
            }
        }
        self.out.flush()
    }

    fn row(
        &mut self,
        call: Call<'_>,
        counter: &CounterDescription,
        of: &str,
        value: u64,
    ) -> io::Result<()> {
        let (event, unit) = (self.event, counter.unit.name());
        writeln!(
            self.out,
            "{event},{},{},{},{},{value},{unit},{}",
            field(call.name),
            field(call.detail),
            field(&counter.name),
            field(of),
            field(call.device)
        )
    }

    /// The sink with the complete output.
    pub fn into_inner(self) -> W {
        self.out
    }
}
