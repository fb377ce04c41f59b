//! Running passes by name, with dumps before and after, timings and verification.
//!
//! Not here: reading `MUXCL_DUMP` (the compiler crate passes the values in), the order of passes
//! (target crates).

use std::io::Write as _;
use std::time::{Duration, Instant};

use globset::Glob;
use muxcl_llvm::Module;

use crate::PassError;

/// What the runner shows and checks.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Comma-separated names of passes to dump; `*` matches any part. `None`: no dumps.
    pub dump: Option<String>,
    /// Print the time of each pass when the runner is dropped.
    pub time: bool,
    /// Verify the module after each pass.
    pub verify: bool,
}

/// Sees the module after each pass that succeeded.
pub type Observer<'o> = &'o mut dyn FnMut(&str, &Module<'_>);

/// Runs passes in the order it is asked to.
pub struct Runner<'o> {
    options: &'o Options,
    times: Vec<(&'static str, Duration)>,
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

    /// A runner that shows every result to `observer` (file tests).
    pub fn with_observer(options: &'o Options, observer: Observer<'o>) -> Self {
        Self { options, times: Vec::new(), observer: Some(observer) }
    }

    /// Will somebody read the IR?
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
        let dump = self.options.dump.as_deref().is_some_and(|globs| matches(globs, name));
        if dump {
            show(module, name, "before");
        }
        let start = Instant::now();
        let result = pass();
        self.times.push((name, start.elapsed()));
        if dump {
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

    /// Times a step that is no pass (parsing, code generation).
    pub fn step<R>(&mut self, name: &'static str, f: impl FnOnce() -> R) -> R {
        let start = Instant::now();
        let r = f();
        self.times.push((name, start.elapsed()));
        r
    }
}

impl Drop for Runner<'_> {
    fn drop(&mut self) {
        if !self.options.time {
            return;
        }
        let mut out = std::io::stderr().lock();
        let total: Duration = self.times.iter().map(|t| t.1).sum();
        for (name, time) in &self.times {
            let _ = writeln!(out, "muxcl: {:>9.3} ms  {name}", time.as_secs_f64() * 1e3);
        }
        let _ = writeln!(out, "muxcl: {:>9.3} ms  in all", total.as_secs_f64() * 1e3);
    }
}

fn show(module: &Module<'_>, pass: &str, when: &str) {
    let _ = writeln!(std::io::stderr().lock(), "; ==== {when} {pass} ====\n{module}");
}

/// Whether `name` matches one of the comma-separated glob patterns; a pattern that is malformed
/// matches nothing.
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
