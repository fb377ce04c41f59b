//! The process's standard output, as its C code sees it.

unsafe extern "C" {
    static stdout: *mut libc::FILE;
}

/// Writes through C's `stdout` and flushes it, so that the text is in order with the application's
/// own output and follows its redirection. Text that cannot be written is lost, as with C's
/// `printf`.
pub fn write_stdout(bytes: &[u8]) {
    if bytes.is_empty() {
        return;
    }
    // SAFETY: C's stream exists as long as the process.
    let stream = unsafe { stdout };
    // SAFETY: the stream locks itself; the bytes are readable.
    unsafe { libc::fwrite(bytes.as_ptr().cast(), 1, bytes.len(), stream) };
    // SAFETY: as above.
    unsafe { libc::fflush(stream) };
}
