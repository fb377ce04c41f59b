//! Checks that the driver explains each error that it returns: the macros of this library ask for
//! the sentence after each call that has to fail.
//!
//! Not here: the texts, and the driver behind a loader, which is another library.

use std::cell::RefCell;

thread_local! {
    /// The sentence for the last error on this thread.
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// The driver's sink.
pub(crate) fn receive(sentence: &str) {
    LAST.replace(Some(sentence.to_owned()));
}

/// Removes the sentence for the last error on this thread, and returns it.
#[must_use]
pub fn last_sentence() -> Option<String> {
    LAST.take()
}

/// Asserts that the last error on this thread is one of `name` with this code, and that its
/// sentence says what the specification wants.
///
/// # Panics
/// If there is no such sentence.
pub fn assert_explained(name: &str, code: &str) {
    if code == "CL_SUCCESS" || crate::LOADER.get().is_some() {
        return;
    }
    let sentence = last_sentence().unwrap_or_default();
    let begin = format!("{name} returned {code}");
    assert!(sentence.starts_with(&begin), "{begin} was explained as {sentence:?}");
    assert!(sentence.contains(" has this error "), "no rule: {sentence}");
    assert!(sentence.ends_with('.') && !sentence.contains('\n'), "one sentence: {sentence}");
}
