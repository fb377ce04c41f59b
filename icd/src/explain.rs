//! The sentences for errors on stderr (`MUXCL_EXPLAIN`). Not here: the texts (`muxcl_cl::explain`).

use std::io::Write as _;

/// Starts the sentences, if the environment asks for them.
pub(crate) fn start() {
    if muxcl_config::MUXCL_EXPLAIN.flag(false) {
        muxcl_cl::explain::start(|sentence| {
            // A closed stderr is ignored.
            let _ = writeln!(std::io::stderr(), "muxcl: {sentence}");
        });
    }
}
