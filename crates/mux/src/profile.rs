//! A profile of the process: launches and times of each kernel on each device, and what devices add
//! about their kernels. It is off until [`start`].
//!
//! Invariants: a launch is in the report before the next callback in its command buffer runs, and
//! before the command buffer completes, so an application that has waited finds it there. A child
//! of `fork` begins with an empty profile. Reports, and the details of devices in them, each take
//! at most 0.2 s and a tenth of the time of the process; beyond that, some are left out, and later
//! ones have what they lack. Nothing happens at the end of the process. Not here: where the report
//! is written (the sink).

use crate::Launch;
use muxcl_lock::{Mutex, Rank};
use muxcl_types::operations::OperationCounts;
use muxcl_types::variant::Counted;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Receives a whole report, which replaces the one before.
pub type Sink = Box<dyn Fn(&str, When) + Send + Sync>;

/// When a report is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// After launches, or at the end of a device.
    Launches,
    /// The application uses no device any more ([`Profile::all_released`]).
    Release,
}

/// The time that reports may take in any case: hundreds of reports.
const ALLOWANCE: Duration = Duration::from_millis(200);

static ACTIVE: OnceLock<Profile> = OnceLock::new();

/// The profile of the process.
pub struct Profile {
    sink: Sink,
    begin: Instant,
    /// Taken by the thread that makes a report, so that reports reach the sink in order.
    writing: Mutex<Duration>,
    /// The time that the details of devices have taken.
    asking: Mutex<Duration>,
    state: Mutex<State>,
    /// By device.
    peaks: Mutex<BTreeMap<String, Peak>>,
    /// A launch is not in a report yet.
    changed: AtomicBool,
    /// A launch is in no report at a release yet.
    unreleased: AtomicBool,
}

impl std::fmt::Debug for Profile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Profile").field("state", &self.state).finish_non_exhaustive()
    }
}

#[derive(Debug, Default)]
struct State {
    /// The process whose launches these are.
    process: u32,
    /// By device and kernel.
    kernels: BTreeMap<(String, String), Totals>,
    /// What devices say about their kernels: by device, and by the number of times that the device
    /// had been created.
    details: BTreeMap<(String, u64), String>,
}

/// The rates of a kernel, and their shares of the device's peak.
#[derive(Debug, Default)]
struct Rates {
    operations: String,
    operations_share: String,
    bytes: String,
    bytes_share: String,
}

/// All launches of a kernel.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Totals {
    launches: u64,
    failed: u64,
    groups: u64,
    /// Times in nanoseconds.
    total: u64,
    longest: u64,
    /// The lanes of the variants that ran.
    lanes: BTreeSet<String>,
    counts: OperationCounts,
    /// The time of the launches that counted their operations.
    counted: u64,
    /// The least that any launch counted.
    least: Option<Counted>,
}

/// What the profile is told about a launch.
#[derive(Debug, Default, Clone)]
struct Ran {
    groups: u64,
    /// Time in nanoseconds.
    time: u64,
    failed: bool,
    lanes: String,
    counted: Counted,
    counts: OperationCounts,
}

/// What a device can do at most.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Peak {
    /// Operations on `float` in a second; 0 if it is not known.
    pub single: f64,
    /// Operations on `double` in a second; 0 if it is not known.
    pub double: f64,
    /// Bytes in a second that a large copy reads and writes.
    pub bytes: f64,
}

/// Starts the profile of the process. Only the first call has an effect.
pub fn start(sink: Sink) {
    let _ = ACTIVE.set(Profile::new(sink));
}

/// The profile of the process, if it has been started.
#[must_use]
pub fn active() -> Option<&'static Profile> {
    ACTIVE.get()
}

/// The number of work-groups that the application asked for.
fn groups(launch: &Launch) -> u64 {
    // A group of the launch may consist of several of the application's.
    let seen = launch.kernel.variant().key.seen_local_size;
    let local = seen.map_or(launch.range.local, |local| local.map(u64::from));
    let sizes = launch.range.global.iter().zip(local);
    let each = sizes.map(|(size, local)| size.div_ceil(local.max(1)));
    each.fold(1, u64::saturating_mul)
}

impl Profile {
    fn new(sink: Sink) -> Self {
        Self {
            sink,
            begin: Instant::now(),
            writing: Mutex::new(Rank::Hal, Duration::ZERO),
            asking: Mutex::new(Rank::Leaf, Duration::ZERO),
            state: Mutex::new(Rank::Leaf, State::default()),
            peaks: Mutex::new(Rank::Leaf, BTreeMap::new()),
            changed: AtomicBool::new(false),
            unreleased: AtomicBool::new(false),
        }
    }

    /// Adds a launch that took `time` nanoseconds.
    pub(crate) fn add(&self, device: &str, launch: &Launch, time: u64, failed: bool) {
        let variant = launch.kernel.variant();
        let ran = Ran {
            groups: groups(launch),
            time,
            failed,
            lanes: variant.lanes.clone(),
            counted: variant.counts,
            counts: launch.kernel.target().take_counts(),
        };
        self.add_launch(device, &variant.kernel, ran);
    }

    /// Sets what a device can do at most, the first time.
    pub fn set_peak(&self, device: &str, measure: impl FnOnce() -> Peak) {
        if !self.peaks.lock().contains_key(device) {
            let peak = measure();
            self.peaks.lock().insert(device.to_owned(), peak);
        }
    }

    fn add_launch(&self, device: &str, kernel: &str, ran: Ran) {
        let mut state = self.state.lock();
        let process = std::process::id();
        if state.process != process {
            *state = State { process, ..State::default() };
        }
        let totals = state.kernels.entry((device.to_owned(), kernel.to_owned())).or_default();
        totals.launches += 1;
        totals.failed += u64::from(ran.failed);
        totals.groups = totals.groups.saturating_add(ran.groups);
        totals.total += ran.time;
        totals.longest = totals.longest.max(ran.time);
        totals.lanes.insert(ran.lanes);
        totals.counts = totals.counts.plus(ran.counts);
        if ran.counted != Counted::None {
            totals.counted += ran.time;
            totals.least = Some(totals.least.map_or(ran.counted, |least| least.min(ran.counted)));
        }
        self.has_changed();
    }

    fn has_changed(&self) {
        self.changed.store(true, Ordering::Release);
        self.unreleased.store(true, Ordering::Release);
    }

    /// Whether `spent` is little enough to spend more.
    fn has_time(&self, spent: Duration) -> bool {
        spent <= ALLOWANCE + self.begin.elapsed() / 10
    }

    /// Whether there is time to ask a device for details.
    #[must_use]
    pub fn details_are_due(&self) -> bool {
        let spent = *self.asking.lock();
        self.has_time(spent)
    }

    /// Sets what a device says about its kernels. `generation` is the number of times that the
    /// device had been created. `make` may take a while, and counts as time for details.
    pub fn set_details(
        &self,
        device: &str,
        generation: u64,
        make: impl FnOnce() -> Option<String>,
    ) {
        let begin = Instant::now();
        if let Some(text) = make() {
            self.state.lock().details.insert((device.to_owned(), generation), text);
            self.has_changed();
        }
        *self.asking.lock() += begin.elapsed();
    }

    /// Reports what has changed, if there is time, or in any case if `surely`.
    pub fn report(&self, surely: bool) {
        self.report_changes(&self.changed, When::Launches, surely);
    }

    /// The application has released everything that uses devices. Reports what has changed since
    /// the last time.
    pub fn all_released(&self) {
        self.report_changes(&self.unreleased, When::Release, true);
    }

    fn report_changes(&self, changed: &AtomicBool, when: When, surely: bool) {
        if !changed.load(Ordering::Acquire) {
            return;
        }
        let mut spent = self.writing.lock();
        if !surely && !self.has_time(*spent) {
            return;
        }
        let begin = Instant::now();
        // A launch that is added from here on makes another report necessary.
        if changed.swap(false, Ordering::AcqRel) {
            let peaks = self.peaks.lock().clone();
            let text = self.state.lock().text(&peaks);
            (self.sink)(&text, when);
        }
        *spent += begin.elapsed();
    }
}

/// A number of nanoseconds in units of `unit` nanoseconds.
#[expect(clippy::cast_precision_loss, reason = "a time for people")]
fn time(nanoseconds: u64, unit: f64) -> String {
    format!("{:.3}", nanoseconds as f64 / unit)
}

/// `value` with three digits, and a mark if the true value may be larger.
fn rounded(value: f64, partly: bool) -> String {
    let digits = if value < 9.995 { 2 } else { usize::from(value < 99.95) };
    format!("{value:.digits$}{}", if partly { "+" } else { "" })
}

impl Totals {
    /// The rates; `-` where they are not known.
    #[expect(clippy::cast_precision_loss, reason = "rates for people")]
    fn rates(&self, peak: Option<&Peak>) -> Rates {
        let unknown = || "-".to_owned();
        let Some(least) = self.least.filter(|_| self.counted != 0) else {
            let [operations, operations_share, bytes, bytes_share] = [(); 4].map(|()| unknown());
            return Rates { operations, operations_share, bytes, bytes_share };
        };
        let partly = least == Counted::Some;
        let show = |value: f64| rounded(value, partly);
        let seconds = self.counted as f64 / 1e9;
        let [single, double, bytes] =
            [self.counts.single, self.counts.double, self.counts.bytes].map(|n| n as f64 / seconds);
        let peak = peak.copied().unwrap_or_default();
        // The time that the machine would need at its peak, as a part of the time taken.
        let share = |parts: &[(f64, f64)]| {
            let known = parts.iter().all(|&(rate, most)| rate == 0.0 || most != 0.0);
            let parts = parts.iter().filter(|part| part.0 != 0.0);
            let sum = parts.fold(0.0, |sum, &(rate, most)| sum + rate / most);
            if known { show(sum * 100.0) } else { unknown() }
        };
        Rates {
            operations: show((single + double) / 1e9),
            operations_share: share(&[(single, peak.single), (double, peak.double)]),
            bytes: show(bytes / 1e9),
            bytes_share: share(&[(bytes, peak.bytes)]),
        }
    }

    fn lanes(&self) -> String {
        let lanes: Vec<&str> =
            self.lanes.iter().map(|text| if text.is_empty() { "1" } else { text }).collect();
        lanes.join(", ")
    }
}

impl State {
    /// The report: the table of kernels, by time, and the details of the devices.
    fn text(&self, peaks: &BTreeMap<String, Peak>) -> String {
        let mut kernels: Vec<_> = self.kernels.iter().collect();
        kernels.sort_by_key(|(_, totals)| std::cmp::Reverse(totals.total));
        let heading = ["kernel", "device", "launches", "failed", "work-groups"];
        let times = ["total ms", "mean us", "longest us"];
        let rates = ["GFLOP/s", "% of peak", "GB/s", "% of copy", "lanes"];
        let heading = heading.into_iter().chain(times).chain(rates);
        let mut rows = vec![heading.map(str::to_owned).collect::<Vec<_>>()];
        for ((device, kernel), t) in kernels {
            let mut row = vec![kernel.clone(), device.clone()];
            row.extend([t.launches, t.failed, t.groups].map(|n| n.to_string()));
            row.push(time(t.total, 1e6));
            row.push(time(t.total / t.launches.max(1), 1e3));
            row.push(time(t.longest, 1e3));
            let Rates { operations, operations_share, bytes, bytes_share } =
                t.rates(peaks.get(device));
            row.extend([operations, operations_share, bytes, bytes_share, t.lanes()]);
            rows.push(row);
        }
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
        let widths: Vec<usize> = (0..rows[0].len()).map(|k| width(k).unwrap_or(0)).collect();
        let mut text = String::from("Kernels\n\n");
        for row in &rows {
            let mut line = String::new();
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                // Writing into a String cannot fail. Names are on the left, numbers on the right.
                let _ = match column {
                    0 | 1 | 12 => write!(line, "{cell:width$}  "),
                    _ => write!(line, "{cell:>width$}  "),
                };
            }
            let _ = writeln!(text, "{}", line.trim_end());
        }
        for details in self.details.values() {
            let _ = write!(text, "\n{}\n", details.trim_end());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn took(groups: u64, time: u64, failed: bool) -> Ran {
        Ran { groups, time, failed, ..Ran::default() }
    }

    /// A profile, and its reports at the given occasion.
    fn profile_of(wanted: When) -> (Profile, Arc<Mutex<Vec<String>>>) {
        let reports = Arc::new(Mutex::new(Rank::Leaf, Vec::new()));
        let out = Arc::clone(&reports);
        let keep = move |text: &str, when| {
            if when == wanted {
                out.lock().push(text.to_owned());
            }
        };
        (Profile::new(Box::new(keep)), reports)
    }

    fn profile() -> (Profile, Arc<Mutex<Vec<String>>>) {
        profile_of(When::Launches)
    }

    #[test]
    fn one_report_at_the_release() {
        let (profile, reports) = profile_of(When::Release);
        profile.add_launch("host", "short", took(4, 1_500, false));
        profile.report(true);
        assert!(reports.lock().is_empty());
        profile.all_released();
        profile.all_released();
        assert_eq!(reports.lock().len(), 1, "nothing has changed since");
    }

    #[test]
    fn a_child_of_fork_begins_anew() {
        let (profile, reports) = profile();
        profile.add_launch("host", "parent", took(4, 1_500, false));
        profile.state.lock().process = 0; // as if it were another process's
        profile.add_launch("host", "child", took(4, 1_500, false));
        profile.report(true);
        assert!(!reports.lock()[0].contains("parent"), "{reports:?}");
        assert!(reports.lock()[0].contains("child"), "{reports:?}");
    }

    #[test]
    fn kernels_are_sorted_by_time_and_details_follow() {
        let (profile, reports) = profile();
        profile.report(false);
        assert!(reports.lock().is_empty(), "nothing to report");
        profile.add_launch("host", "short", took(4, 1_500, false));
        profile.add_launch("host", "long", took(2, 2_000_000, false));
        profile.add_launch("host", "long", took(3, 1_000_000, true));
        profile.set_details("hal", 1, || Some("RefSi\n".to_owned()));
        profile.set_details("hal", 2, || None);
        profile.report(false);
        profile.report(true);
        let unknown = "        -          -     -          -  1";
        let rates = "  GFLOP/s  % of peak  GB/s  % of copy  lanes";
        let expected = format!(
            "\
Kernels

kernel  device  launches  failed  work-groups  total ms   mean us  longest us{rates}
long    host           2       1            5     3.000  1500.000    2000.000{unknown}
short   host           1       0            4     0.002     1.500       1.500{unknown}

RefSi
"
        );
        assert_eq!(*reports.lock(), [expected]);
    }

    #[test]
    fn rates_are_shares_of_the_peak() {
        let (profile, reports) = profile();
        profile.set_peak("host", || Peak { single: 8e9, double: 4e9, bytes: 1e9 });
        profile.set_peak("host", || unreachable!("it is known"));
        let ran = |counted| Ran {
            time: 1_000,
            counted,
            counts: OperationCounts { single: 2_000, double: 1_000, bytes: 500 },
            lanes: "8 along x".to_owned(),
            ..Ran::default()
        };
        profile.add_launch("host", "all", ran(Counted::All));
        profile.add_launch("host", "partly", ran(Counted::All));
        profile.add_launch("host", "partly", ran(Counted::Some));
        profile.add_launch("other", "unknown", ran(Counted::All));
        profile.report(true);
        let text = reports.lock()[0].clone();
        let cells = |name: &str| -> Vec<String> {
            let row = text.lines().find(|row| row.starts_with(name)).unwrap();
            let cells = row.split("  ").map(str::trim).filter(|cell| !cell.is_empty());
            cells.skip(8).map(str::to_owned).collect()
        };
        // 2 of 8 and 1 of 4 GFLOP/s; 0.5 of 1 GB/s.
        assert_eq!(cells("all"), ["3.00", "50.0", "0.50", "50.0", "8 along x"], "{text}");
        assert_eq!(cells("partly"), ["3.00+", "50.0+", "0.50+", "50.0+", "8 along x"], "{text}");
        assert_eq!(cells("unknown"), ["3.00", "-", "0.50", "-", "8 along x"], "{text}");
    }

    #[test]
    fn reports_beyond_the_allowance_are_left_out() {
        let (profile, reports) = profile();
        *profile.writing.lock() = Duration::from_secs(3600);
        profile.add_launch("host", "short", took(4, 1_500, false));
        profile.report(false);
        assert!(reports.lock().is_empty());
        profile.report(true);
        assert_eq!(reports.lock().len(), 1);
    }
}
