//! Runs passes by name, with dumps, timings and verification.
//!
//! Not here: reading `MUXCL_DUMP` (the compiler crate passes the values in), the order of passes
//! ([`crate::codegen`]).

use std::cell::RefCell;
use std::io::Write as _;
use std::rc::Rc;
use std::time::{Duration, Instant};

use globset::Glob;
use muxcl_llvm::Module;

use crate::PassError;

/// A step that has ended.
#[derive(Debug, Clone, Copy)]
pub struct TimedStep {
    /// The name of the pass, or of another step.
    pub name: &'static str,
    /// The begin.
    pub begin: Instant,
    /// The end.
    pub end: Instant,
}

/// The steps of a compilation, in the order of their ends. Clones share one list.
#[derive(Debug, Clone, Default)]
pub struct StepLog(Rc<RefCell<Vec<TimedStep>>>);

impl StepLog {
    fn add(&self, step: TimedStep) {
        self.0.borrow_mut().push(step);
    }

    /// Removes all steps.
    #[must_use]
    pub fn take(&self) -> Vec<TimedStep> {
        self.0.take()
    }
}

/// Diagnostic options of the runner.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Comma-separated names of passes to dump; `*` matches any part. `None`: no dumps.
    pub dump: Option<String>,
    /// Print the time of each pass when the runner is dropped.
    pub time: bool,
    /// Receives each step, for a trace.
    pub log: Option<StepLog>,
    /// Verify the module after each pass.
    pub verify: bool,
    /// Write which loops over work-items run in lanes of vectors, and why others do not.
    pub report: bool,
}

/// Called with the module after each pass that succeeds.
pub type Observer<'o> = &'o mut dyn FnMut(&str, &Module<'_>);

/// Runs passes in the order of the calls.
pub struct Runner<'o> {
    options: &'o Options,
    times: Vec<TimedStep>,
    observer: Option<Observer<'o>>,
}

impl std::fmt::Debug for Runner<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runner")
            .field("options", &self.options)
            .field("times", &self.times)
            .finish_non_exhaustive()
    }
}

impl<'o> Runner<'o> {
    /// A runner with these options.
    pub fn new(options: &'o Options) -> Self {
        Self { options, times: Vec::new(), observer: None }
    }

    /// Runs `phase`, which consists of steps. The log has the phase as a step that contains them.
    pub fn phase<R>(options: &Options, name: &'static str, phase: impl FnOnce() -> R) -> R {
        let begin = Instant::now();
        let result = phase();
        if let Some(log) = &options.log {
            log.add(TimedStep { name, begin, end: Instant::now() });
        }
        result
    }

    /// A runner that reports every result to `observer` (file tests).
    pub fn with_observer(options: &'o Options, observer: Observer<'o>) -> Self {
        Self { options, times: Vec::new(), observer: Some(observer) }
    }

    /// True if a person or a test reads the IR, so that values keep their names.
    pub fn wants_names(&self) -> bool {
        self.options.dump.is_some() || self.observer.is_some()
    }

    /// The options.
    pub fn options(&self) -> &'o Options {
        self.options
    }

    /// Runs one pass.
    ///
    /// # Errors
    /// Those of the pass; [`PassError::Internal`] if it left malformed IR and `verify` is on.
    pub fn run<R>(
        &mut self,
        name: &'static str,
        module: &Module<'_>,
        pass: impl FnOnce() -> Result<R, PassError>,
    ) -> Result<R, PassError> {
        let start = self.before(name, module);
        let result = pass();
        self.after(name, module, start, result)
    }

    fn dumps(&self, name: &str) -> bool {
        self.options.dump.as_deref().is_some_and(|globs| matches(globs, name))
    }

    fn before(&self, name: &'static str, module: &Module<'_>) -> Instant {
        muxcl_llvm::step::enter(name);
        if self.dumps(name) {
            show(module, name, "before");
        }
        Instant::now()
    }

    fn after<R>(
        &mut self,
        name: &'static str,
        module: &Module<'_>,
        start: Instant,
        result: Result<R, PassError>,
    ) -> Result<R, PassError> {
        self.record(name, start);
        if self.dumps(name) {
            show(module, name, if result.is_ok() { "after" } else { "after failing" });
        }
        if self.options.verify && result.is_ok() {
            module.verify().map_err(|e| PassError::Internal { pass: name, what: e.to_string() })?;
        }
        if let (Some(observer), true) = (&mut self.observer, result.is_ok()) {
            observer(name, module);
        }
        result
    }

    /// Runs one pass that may delete any part of the module, so no handle may remain.
    ///
    /// # Errors
    /// As [`Runner::run`].
    pub fn run_whole<'c, R>(
        &mut self,
        name: &'static str,
        module: &mut Module<'c>,
        pass: impl FnOnce(&mut Module<'c>) -> Result<R, PassError>,
    ) -> Result<R, PassError> {
        let start = self.before(name, module);
        let result = pass(module);
        self.after(name, module, start, result)
    }

    /// Times a step that is not a pass (parsing, code generation).
    pub fn step<R>(&mut self, name: &'static str, f: impl FnOnce() -> R) -> R {
        muxcl_llvm::step::enter(name);
        let start = Instant::now();
        let r = f();
        self.record(name, start);
        r
    }

    fn record(&mut self, name: &'static str, begin: Instant) {
        let step = TimedStep { name, begin, end: Instant::now() };
        self.times.push(step);
        if let Some(log) = &self.options.log {
            log.add(step);
        }
    }
}

impl Drop for Runner<'_> {
    fn drop(&mut self) {
        if !self.options.time {
            return;
        }
        let mut out = std::io::stderr().lock();
        let mut total = Duration::ZERO;
        for step in &self.times {
            let time = step.end - step.begin;
            total += time;
            let _ = writeln!(out, "muxcl: {:>9.3} ms  {}", time.as_secs_f64() * 1e3, step.name);
        }
        let _ = writeln!(out, "muxcl: {:>9.3} ms  in all", total.as_secs_f64() * 1e3);
    }
}

fn show(module: &Module<'_>, pass: &str, when: &str) {
    let _ = writeln!(std::io::stderr().lock(), "; ==== {when} {pass} ====\n{module}");
}

/// True if `name` matches one of the comma-separated glob patterns; a malformed pattern matches
/// nothing.
pub fn matches(globs: &str, name: &str) -> bool {
    globs
        .split(',')
        .filter_map(|glob| Glob::new(glob.trim()).ok())
        .any(|glob| glob.compile_matcher().is_match(name))
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn globs() {
        assert!(matches("*", "kernel-abi"));
        assert!(matches("prepare,work-*", "work-item-loops"));
        assert!(!matches("prepare", "prepare2"));
        assert!(matches("*-abi", "kernel-abi"));
        assert!(!matches("", "x"));
    }
}
