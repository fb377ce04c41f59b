//! Every request runs on a thread with a large stack: clang and LLVM recurse on the nesting of
//! programs. An application's thread may have a small stack, so its requests run on a new thread. A
//! thread that the driver started with a large stack runs its requests itself. A stack is address
//! space only; the system provides pages as they are touched.

use crate::error::CompileError;
use muxcl_frontend_clang::STACK_BYTES;
use muxcl_os::reserve::{self, Outcome};
use std::panic::AssertUnwindSafe;

/// Runs `work` on a thread with a large stack and waits for it. Panics become errors. So do failed
/// allocations of large blocks in Rust code and fatal errors of LLVM; after those the thread and
/// everything it owns are leaked.
///
/// # Errors
/// Those of `work`, a panic or fatal error in it, no memory, or no thread can start.
pub fn run<T: Send>(
    work: impl FnOnce() -> Result<T, CompileError> + Send,
) -> Result<T, CompileError> {
    let mut work = Some(work);
    for bytes in SIZES {
        let slot = &mut work;
        let builder = std::thread::Builder::new().name("muxcl-compile".into()).stack_size(bytes);
        let work = move || slot.take().map(|work| work());
        match reserve::on_thread(builder, work) {
            Err(_) => {}
            Ok(Outcome::Returned(Some(result))) => return result,
            Ok(Outcome::Returned(None)) => {
                return Err(CompileError::internal("a request ran twice"));
            }
            Ok(Outcome::Panicked(panic)) => return Err(CompileError::internal(message(&*panic))),
            Ok(Outcome::Abandoned(reason)) => return Err(CompileError::internal(reason)),
        }
    }
    Err(CompileError::internal("no thread to compile on"))
}

/// Runs `work` on the calling thread, which has a large stack. Panics become errors. If an
/// allocation of a large block fails in Rust code or LLVM reports a fatal error, calls `give_up` on
/// this thread and never returns ([`reserve::in_place`]).
///
/// # Errors
/// Those of `work`, or a panic in it.
pub(crate) fn run_in_place<T>(
    work: impl FnOnce() -> Result<T, CompileError>,
    give_up: &dyn Fn(CompileError),
) -> Result<T, CompileError> {
    let work = || std::panic::catch_unwind(AssertUnwindSafe(work));
    reserve::in_place(work, &|reason| give_up(CompileError::internal(reason)))
        .unwrap_or_else(|panic| Err(CompileError::internal(message(&*panic))))
}

/// Starts `body` on a new thread, if another CPU can run it. If no thread can start, `body` does
/// not run. A panic in `body` ends only that thread.
pub(crate) fn in_background(stack: usize, body: impl FnOnce() + Send + 'static) {
    if muxcl_os::cpu_set().len() < 2 {
        return;
    }
    let _ = muxcl_os::spawn_brief("muxcl-warm", stack, move || {
        let _ = std::panic::catch_unwind(AssertUnwindSafe(|| reserve::expendable(body)));
    });
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "unknown panic".into())
}

const _: () = assert!(STACK_BYTES <= muxcl_compiler_abi::STACK_BYTES);

// Stack sizes in bytes, tried in this order: address space may be limited (`ulimit -v`).
const SIZES: [usize; 3] = [STACK_BYTES, 64 << 20, 16 << 20];

#[cfg(test)]
mod tests {
    use super::*;
    use muxcl_os::reserve::ReserveAllocator;

    // The allocator that `libmuxcl_compiler.so` uses.
    #[global_allocator]
    static ALLOCATOR: ReserveAllocator = ReserveAllocator;

    #[test]
    fn a_failed_allocation_is_an_error_of_its_request() {
        for _ in 0..3 {
            let error =
                run(|| Ok(std::hint::black_box(Vec::<u8>::with_capacity(1 << 47)).capacity()))
                    .unwrap_err();
            assert!(error.log.contains("no memory is left"), "{error}");
        }
        assert_eq!(run(|| Ok(vec![7_u8; 1 << 20].len())), Ok(1 << 20));
    }

    #[test]
    fn a_panic_is_an_error_and_results_come_back() {
        assert_eq!(run(|| Ok(7)), Ok(7));
        assert_eq!(run_in_place(|| Ok(7), &|error| unreachable!("{error}")), Ok(7));
        let text = "of course";
        let error = run::<()>(|| panic!("{text}")).unwrap_err();
        assert!(error.log.contains("of course"), "{error}");
        let error =
            run_in_place::<()>(|| panic!("{text}"), &|error| unreachable!("{error}")).unwrap_err();
        assert!(error.log.contains("of course"), "{error}");
    }

    #[test]
    fn a_failed_allocation_in_place_gives_up() {
        let (sender, receiver) = std::sync::mpsc::channel();
        // The thread is never joined, because it stays parked.
        std::thread::spawn(move || {
            let result = run_in_place(
                || Ok(std::hint::black_box(Vec::<u8>::with_capacity(1 << 47)).capacity()),
                &|error| sender.send(error.log).unwrap(),
            );
            sender.send(format!("it returned {result:?}")).unwrap();
        });
        assert!(receiver.recv().unwrap().contains("no memory is left"));
        let more = receiver.recv_timeout(std::time::Duration::from_millis(50));
        assert!(more.is_err(), "{more:?}");
    }

    #[test]
    fn no_thread_is_moved_to_other_cpus() {
        let before = muxcl_os::cpu_set();
        let (sender, receiver) = std::sync::mpsc::channel();
        in_background(1 << 20, move || sender.send(muxcl_os::cpu_set()).unwrap());
        assert_eq!(run(|| Ok(muxcl_os::cpu_set())), Ok(before.clone()));
        assert_eq!(muxcl_os::cpu_set(), before);
        match receiver.recv() {
            Ok(there) => assert_eq!(there, before),
            Err(_) => assert!(before.len() < 2, "the thread has not started"),
        }
    }
}
