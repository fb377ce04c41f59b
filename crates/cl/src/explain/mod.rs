//! The sentence that explains an error: which call, which argument, what it was, and what the
//! specification wants.
//!
//! A check that fails states its condition, and the values that it compared, with the macro
//! `violated`. An error without a condition has those that a table lists for the call and the code
//! ([`conditions`]). When the call returns, `report` puts them together with the arguments
//! ([`sentence`]), gives the text to the sink (`MUXCL_EXPLAIN`), and to the callback of the
//! context.
//!
//! Invariants: without a sink and without a context that has a callback, nothing is formatted and
//! nothing is allocated. The values of a check never appear with the error of another check. Not
//! here: the checks.

pub mod conditions;
pub(crate) mod report;
pub mod sentence;

use std::cell::RefCell;
use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use muxcl_os::reserve;

use crate::error::ClError;
pub use sentence::{Argument, ArgumentValue, Value};

/// Receives each sentence, without a line break.
pub type Sink = fn(&str);

static SINK: OnceLock<Sink> = OnceLock::new();

/// Live contexts with a callback.
static CALLBACKS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// The values that the last failed check on this thread compared, and its error.
    static SEEN: RefCell<Option<(ClError, String)>> = const { RefCell::new(None) };
}

/// Sends a sentence for every error that a call returns to `sink`. Only the first call has an
/// effect.
pub fn start(sink: Sink) {
    let _ = SINK.set(sink);
}

/// Counts a context with a callback, while it lives.
#[derive(Debug)]
pub(crate) struct CallbackContext(());

impl CallbackContext {
    pub(crate) fn new() -> Self {
        CALLBACKS.fetch_add(1, Ordering::Relaxed);
        Self(())
    }
}

impl Drop for CallbackContext {
    fn drop(&mut self) {
        CALLBACKS.fetch_sub(1, Ordering::Relaxed);
    }
}

/// True if `MUXCL_EXPLAIN` is set, or a live context has an error callback.
pub(crate) fn is_wanted() -> bool {
    SINK.get().is_some() || CALLBACKS.load(Ordering::Relaxed) != 0
}

/// Stores the values that a failed check compared, for the sentence.
#[cold]
pub(crate) fn saw(error: ClError, what: fmt::Arguments<'_>) {
    // Without memory, the sentence has the condition only.
    if !is_wanted() || reserve::is_low() {
        return;
    }
    let text = what.to_string();
    // A thread that ends has no thread-local storage any more.
    let _ = SEEN.try_with(|seen| seen.replace(Some((error, text))));
}

/// Removes the values that the check of `error` stored, and returns them.
fn take_seen(error: ClError) -> Option<String> {
    let seen = SEEN.try_with(RefCell::take).ok().flatten();
    seen.filter(|(of, _)| of.is_same(error)).map(|(_, text)| text)
}

/// An error with the condition that the call met: `violated!(INVALID_VALUE, "if ptr is NULL")`. The
/// condition follows the words "has this error". After a semicolon, the values that were compared:
/// `violated!(INVALID_VALUE, "if ..."; "offset + size = {end}")`.
macro_rules! violated {
    ($code:ident, $condition:literal) => {
        $crate::error::ClError::of(
            const {
                &$crate::error::Violation {
                    code: $crate::error::ClError::$code.code(),
                    condition: $condition,
                }
            },
        )
    };
    ($code:ident, $condition:literal; $($seen:tt)+) => {{
        let error = $crate::explain::violated!($code, $condition);
        $crate::explain::saw(error, format_args!($($seen)+));
        error
    }};
}
pub(crate) use violated;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_check_saw_belongs_to_its_error() {
        let _context = CallbackContext::new();
        let size = 7;
        let refuse = || violated!(INVALID_VALUE, "if size is odd"; "size = {size}");
        let other = violated!(INVALID_VALUE, "if size is too large");
        let error = refuse();
        assert_eq!(error, other, "errors are equal if their codes are");
        assert_eq!(error.condition(), "if size is odd");
        assert_eq!(take_seen(other), None);
        assert_eq!(take_seen(error), None, "it was dropped with the other error");
        assert_eq!(take_seen(refuse()).as_deref(), Some("size = 7"));
    }
}
