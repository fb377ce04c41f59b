//! The log on stderr, enabled by `MUXCL_LOG`.
//!
//! Invariant: logging never changes a program's behaviour. Applications call OpenCL from `atexit`
//! handlers and from destructors of thread-local objects, so nothing here uses thread-local
//! storage. (The formatter of `tracing_subscriber` does, and panics there.) Not here: the logged
//! events.

use std::fmt::{self, Write as _};
use std::io::Write as _;

use muxcl_config::MUXCL_LOG;
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Metadata, Subscriber, span};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime as _, SystemTime};

/// Installs the subscriber, unless the variable is unset or the application already has a
/// subscriber.
pub(crate) fn start() {
    let Some(text) = MUXCL_LOG.get() else { return };
    let Ok(filter) = text.parse::<Targets>() else { return };
    if tracing::subscriber::set_global_default(StderrLog { filter }).is_ok() {
        muxcl_cl::entry::set_call_trace(
            tracing::enabled!(target: "cl::api", tracing::Level::TRACE),
        );
        for name in muxcl_config::unknown_variables() {
            tracing::warn!(target: "cl::config", "unknown variable {name}");
        }
    }
}

/// Writes each event as one line: time, level, target, message, fields. The driver has no spans.
#[derive(Debug)]
struct StderrLog {
    filter: Targets,
}

impl Subscriber for StderrLog {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        self.filter.would_enable(metadata.target(), metadata.level())
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        let default = self.filter.default_level().unwrap_or(LevelFilter::OFF);
        self.filter.iter().map(|(_, level)| level).max().max(Some(default))
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = String::new();
        // Writing to a string does not fail. A closed stderr is ignored, because the error cannot
        // be reported anywhere.
        let _ = SystemTime.format_time(&mut Writer::new(&mut line));
        let metadata = event.metadata();
        let _ = write!(line, " {:>5} {}:", metadata.level(), metadata.target());
        event.record(&mut Fields(&mut line));
        line.push('\n');
        let _ = std::io::stderr().write_all(line.as_bytes());
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

/// Appends an event's fields: the message unchanged, others as `name=value`.
struct Fields<'a>(&'a mut String);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let _ = if field.name() == "message" {
            write!(self.0, " {value:?}")
        } else {
            write!(self.0, " {}={value:?}", field.name())
        };
    }
}
