//! Every request runs on a thread of its own with a very large stack: clang and LLVM recurse on the nesting of programs, and
//! the application's thread may be small. The stack is address space only; the kernel gives pages as they are touched.

use crate::error::CompileError;
use muxcl_frontend_clang::STACK_BYTES;
use muxcl_os::reserve;

/// Runs `work` on a large stack; a panic becomes an error, and so does the want of a large block of memory in Rust code: the thread then
/// stays where it is, with what it has.
///
/// # Errors
/// Those of `work`, a panic in it, no memory, or no thread to be had.
pub fn run<T: Send>(work: impl FnOnce() -> Result<T, CompileError> + Send) -> Result<T, CompileError> {
    let mut work = Some(work);
    for bytes in SIZES {
        let slot = &mut work;
        let builder = std::thread::Builder::new().name("muxcl-compile".into()).stack_size(bytes);
        let body = move || {
            muxcl_os::heap::widen();
            slot.take().map(|work| work())
        };
        match reserve::run_on(builder, body) {
            Err(_) => {}
            Ok(None) => return Err(CompileError::internal("no memory is left for this program")),
            Ok(Some(Ok(Some(result)))) => return result,
            Ok(Some(Ok(None))) => return Err(CompileError::internal("a request ran twice")),
            Ok(Some(Err(panic))) => return Err(CompileError::internal(message(&*panic))),
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
    use muxcl_os::reserve::ReserveAllocator;

    // As the library has it.
    #[global_allocator]
    static ALLOCATOR: ReserveAllocator = ReserveAllocator;

    #[test]
    fn a_failed_allocation_is_an_error_of_its_request() {
        for _ in 0..3 {
            let error = run(|| Ok(std::hint::black_box(Vec::<u8>::with_capacity(1 << 47)).capacity())).unwrap_err();
            assert!(error.log.contains("no memory is left"), "{error}");
        }
        assert_eq!(run(|| Ok(vec![7_u8; 1 << 20].len())), Ok(1 << 20));
    }

    #[test]
    fn a_panic_is_an_error_and_results_come_back() {
        assert_eq!(run(|| Ok(7)), Ok(7));
        let text = "of course";
        let error = run::<()>(|| panic!("{text}")).unwrap_err();
        assert!(error.log.contains("of course"), "{error}");
    }
}
