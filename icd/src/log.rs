//! The log on stderr, if `MUXCL_LOG` asks for one. Not here: what is logged.

use muxcl_config::MUXCL_LOG;
use tracing_subscriber::EnvFilter;

/// Installs the subscriber, unless the variable is unset or the application has a subscriber of its
/// own.
pub(crate) fn start() {
    let Some(text) = MUXCL_LOG.get() else { return };
    let Ok(filter) = EnvFilter::try_new(&text) else { return };
    let subscriber =
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).finish();
    if tracing::subscriber::set_global_default(subscriber).is_ok() {
        muxcl_cl::entry::set_call_trace(
            tracing::enabled!(target: "cl::api", tracing::Level::TRACE),
        );
        for name in muxcl_config::unknown_variables() {
            tracing::warn!(target: "cl::config", "unknown variable {name}");
        }
    }
}
