//! The file of the trace (`MUXCL_TRACE`). Not here: its format (`muxcl_trace`).

use std::fs::File;

/// Starts the trace, if the environment asks for one. In the file's name, `%p` is the number of the
/// process.
pub(crate) fn start() {
    let Some(path) = muxcl_config::MUXCL_TRACE.get() else { return };
    let path = path.replace("%p", &std::process::id().to_string());
    let opened = File::create(&path).and_then(|_| File::options().append(true).open(&path));
    match opened {
        Ok(file) => {
            muxcl_trace::start(file);
            muxcl_cl::entry::trace_calls();
        }
        Err(error) => tracing::warn!(target: "cl::config", "MUXCL_TRACE: {path:?}: {error}"),
    }
}
