//! Every request runs on a thread of its own with a very large stack: clang and LLVM recurse on the
//! nesting of programs, and the application's thread may be small. The stack is address space only;
//! the kernel gives pages as they are touched.

use crate::error::CompileError;
use muxcl_frontend_clang::STACK_BYTES;
use muxcl_os::reserve;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicU32, Ordering};

/// Runs `work` on a large stack; a panic becomes an error, and so does the want of a large block of
/// memory in Rust code: the thread then stays where it is, with what it has.
///
/// # Errors
/// Those of `work`, a panic in it, no memory, or no thread to be had.
pub fn run<T: Send>(
    work: impl FnOnce() -> Result<T, CompileError> + Send,
) -> Result<T, CompileError> {
    let mut work = Some(work);
    let apart = Apart::begin();
    let back = &apart.0;
    for bytes in SIZES {
        let slot = &mut work;
        let builder = std::thread::Builder::new().name("muxcl-compile".into()).stack_size(bytes);
        let body = move || {
            muxcl_os::heap::widen();
            if let Some(cpus) = back {
                muxcl_os::run_on(cpus);
            }
            slot.take().map(|work| work())
        };
        match reserve::on_thread(builder, body) {
            Err(_) => {}
            Ok(None) => return Err(CompileError::internal("no memory is left for this program")),
            Ok(Some(Ok(Some(result)))) => return result,
            Ok(Some(Ok(None))) => return Err(CompileError::internal("a request ran twice")),
            Ok(Some(Err(panic))) => return Err(CompileError::internal(message(&*panic))),
        }
    }
    Err(CompileError::internal("no thread to compile on"))
}

/// One more than the CPU that work beside the first build has for itself; 0: none.
static TAKEN: AtomicU32 = AtomicU32::new(0);

/// Runs `body` beside the first build, on another CPU than the calling thread's.
///
/// Of two CPUs it has one, and threads of requests start on the other: where an idle CPU seems busy
/// to the system, as in virtual machines, it puts both on one of them, and then the build waits for
/// what should make it faster.
pub(crate) fn beside(stack: usize, body: impl FnOnce() + Send + 'static) {
    let cpus = muxcl_os::cpu_set();
    let mine = match (cpus.as_slice(), muxcl_os::current_cpu()) {
        ([], _) | ([_], _) => return,
        (&[a, b], Some(here)) => Some(if a == here { b } else { a }),
        _ => None,
    };
    TAKEN.store(mine.map_or(0, |cpu| cpu + 1), Ordering::Relaxed);
    let started = muxcl_os::spawn_brief("muxcl-warm", stack, move || {
        if let Some(cpu) = mine {
            muxcl_os::run_on(&[cpu]);
        }
        muxcl_os::heap::widen();
        let _ = std::panic::catch_unwind(AssertUnwindSafe(body));
        TAKEN.store(0, Ordering::Relaxed);
    });
    if started.is_err() {
        TAKEN.store(0, Ordering::Relaxed);
    }
}

/// The calling thread, and those it starts, kept away from the CPU that is taken. Inside: the CPUs
/// there were before, if that is so.
struct Apart(Option<Vec<u32>>);

impl Apart {
    fn begin() -> Self {
        let Some(taken) = TAKEN.load(Ordering::Relaxed).checked_sub(1) else { return Self(None) };
        let before = muxcl_os::cpu_set();
        let rest: Vec<u32> = before.iter().copied().filter(|cpu| *cpu != taken).collect();
        Self(
            (!rest.is_empty() && rest.len() < before.len() && muxcl_os::run_on(&rest))
                .then_some(before),
        )
    }
}

impl Drop for Apart {
    fn drop(&mut self) {
        if let Some(cpus) = &self.0 {
            muxcl_os::run_on(cpus);
        }
    }
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "unknown panic".into())
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
        let text = "of course";
        let error = run::<()>(|| panic!("{text}")).unwrap_err();
        assert!(error.log.contains("of course"), "{error}");
    }

    #[test]
    fn two_cpus_are_shared_with_what_runs_beside() {
        let all = muxcl_os::cpu_set();
        let (begun, has_begun) = std::sync::mpsc::channel();
        let (end, at_end) = std::sync::mpsc::channel::<()>();
        beside(1 << 20, move || {
            begun.send(muxcl_os::cpu_set()).unwrap();
            let _ = at_end.recv();
        });
        if all.len() < 2 {
            return assert!(has_begun.recv().is_err(), "there is nowhere beside");
        }
        let there = has_begun.recv().unwrap();
        assert_eq!(there.len(), if all.len() == 2 { 1 } else { all.len() });
        {
            let apart = Apart::begin();
            let here = muxcl_os::cpu_set();
            assert!(
                all.len() > 2 || (here.len() == 1 && here != there),
                "{here:?} and {there:?} of {all:?}"
            );
            assert_eq!(apart.0.is_some(), all.len() == 2);
        }
        assert_eq!(run(|| Ok(muxcl_os::cpu_set())), Ok(all.clone()), "long work may use all");
        assert_eq!(muxcl_os::cpu_set(), all);
        drop(end);
    }
}
