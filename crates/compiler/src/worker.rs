//! Every request runs on a thread of its own with a very large stack: clang and LLVM recurse on the nesting of programs, and
//! the application's thread may be small. The stack is address space only; the kernel gives pages as they are touched.

use crate::error::CompileError;
use muxcl_frontend_clang::STACK_BYTES;

/// Runs `work` on a large stack; a panic becomes an error.
///
/// # Errors
/// Those of `work`, a panic in it, or no thread to be had.
pub fn run<T: Send>(work: impl FnOnce() -> Result<T, CompileError> + Send) -> Result<T, CompileError> {
    let mut work = Some(work);
    for bytes in SIZES {
        let slot = &mut work;
        let done = std::thread::scope(|scope| {
            let builder = std::thread::Builder::new().name("muxcl-compile".into()).stack_size(bytes);
            let thread = builder.spawn_scoped(scope, move || {
                muxcl_os::heap::widen();
                slot.take().map(|work| work())
            });
            let thread = thread.ok()?;
            Some(thread.join())
        });
        match done {
            Some(Ok(Some(result))) => return result,
            Some(Ok(None)) => return Err(CompileError::internal("a request ran twice")),
            Some(Err(panic)) => return Err(CompileError::internal(message(&*panic))),
            None => {}
        }
    }
    Err(CompileError::internal("no thread to compile on"))
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "unknown panic".into())
}

// Where address space is limited (`ulimit -v`), less must do.
const SIZES: [usize; 3] = [STACK_BYTES, 64 << 20, 16 << 20];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_and_results_come_back() {
        assert_eq!(run(|| Ok(7)), Ok(7));
        let text = "of course";
        let error = run::<()>(|| panic!("{text}")).unwrap_err();
        assert!(error.log.contains("of course"), "{error}");
    }
}
