//! Helper processes that the application does not notice.
//!
//! The application gets no SIGCHLD for a helper and does not find it with `wait`: the helper is
//! started by a short-lived process that sends no signal when it ends, so it is no child of the
//! application. It has a session of its own (no signals from a terminal), default signal actions,
//! an empty signal mask, no descriptors but the given ones, no environment but the given one, and
//! `/` as its current directory.
//!
//! Invariant: between `clone` and `execve` the new processes share the memory of the calling thread
//! and only make system calls. Not here: what the helper does, and when it ends.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

use rustix::process::{PidfdFlags, Resource, Rlimit, getpid, getrlimit, pidfd_open, setrlimit};

use crate::{OsError, Stack};

/// A program to start by [`Helper::start`].
#[derive(Debug)]
pub struct Helper<'a> {
    /// The path of the program.
    pub program: &'a CStr,
    /// Its arguments; the first is its name.
    pub arguments: &'a [&'a CStr],
    /// Its environment, as `NAME=value`.
    pub environment: &'a [&'a CStr],
    /// Its descriptors 3, 4, ... in this order.
    pub descriptors: &'a [BorrowedFd<'a>],
    /// True if it shares the standard error stream; else all standard streams are `/dev/null`.
    pub stderr: bool,
}

/// What the new processes need: raw values only, because they must not allocate.
struct Plan<'a> {
    program: *const c_char,
    arguments: *const *const c_char,
    environment: *const *const c_char,
    descriptors: &'a [c_int],
    stderr: bool,
    /// The end of the stack of the second process.
    stack: *mut c_void,
    /// The errno of the step that failed; 0 after success.
    error: c_int,
}

/// Bytes of stack of each of the two processes.
const STACK: usize = 32 << 10;
/// The largest number of descriptors that a helper gets.
const MOST_DESCRIPTORS: usize = 8;
/// A descriptor number above those that the helper gets.
const ABOVE: c_int = 64;

impl Helper<'_> {
    /// Starts the program. Waits until it runs, about a millisecond.
    ///
    /// # Errors
    /// If the system cannot start a process or the program (`EAGAIN`, `ENOENT`, ...).
    pub fn start(&self) -> Result<(), OsError> {
        if self.descriptors.len() > MOST_DESCRIPTORS {
            return Err(OsError::new("clone", "too many descriptors"));
        }
        let null_ended = |list: &[&CStr]| -> Vec<*const c_char> {
            list.iter().map(|item| item.as_ptr()).chain([std::ptr::null()]).collect()
        };
        let (arguments, environment) = (null_ended(self.arguments), null_ended(self.environment));
        let descriptors: Vec<c_int> = self.descriptors.iter().map(AsRawFd::as_raw_fd).collect();
        let stacks = [Stack::new(STACK)?, Stack::new(STACK)?];
        let end = |stack: &Stack| std::ptr::with_exposed_provenance_mut(stack.range().end);
        let mut plan = Plan {
            program: self.program.as_ptr(),
            arguments: arguments.as_ptr(),
            environment: environment.as_ptr(),
            descriptors: &descriptors,
            stderr: self.stderr,
            stack: end(&stacks[1]),
            error: 0,
        };
        // The application's handlers must not run in the new processes, which share its memory.
        let mut all = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
        let mut old = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
        // SAFETY: the set is writable.
        unsafe { libc::sigfillset(all.as_mut_ptr()) };
        // SAFETY: one set was filled in, the other is writable; the mask is restored below.
        unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, all.as_ptr(), old.as_mut_ptr()) };
        let flags = libc::CLONE_VM | libc::CLONE_VFORK; // no signal at its end
        // SAFETY: this thread sleeps until `first` has ended, so the plan and the stacks live as
        // long as both processes use them.
        let child = unsafe { libc::clone(first, end(&stacks[0]), flags, (&raw mut plan).cast()) };
        let failed = (child < 0).then(|| OsError::last("clone"));
        if child > 0 {
            // SAFETY: the process has ended. Only a wait with `__WALL` or `__WCLONE` finds it.
            while unsafe { libc::waitpid(child, std::ptr::null_mut(), libc::__WALL) } < 0
                && std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted
            {
            }
        }
        // SAFETY: `old` was filled in above.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, old.as_ptr(), std::ptr::null_mut()) };
        if let Some(failed) = failed {
            return Err(failed);
        }
        // SAFETY: reads what the other processes may have written through the pointer.
        match unsafe { (&raw const plan.error).read_volatile() } {
            0 => Ok(()),
            code => {
                Err(OsError::new("execve", std::io::Error::from_raw_os_error(code).to_string()))
            }
        }
    }
}

fn errno() -> c_int {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EINVAL)
}

/// The first process: starts the second and ends, so that the second is nobody's child.
extern "C" fn first(plan: *mut c_void) -> c_int {
    // SAFETY: `start` passed the plan, which this process alone uses now.
    let plan = unsafe { &mut *plan.cast::<Plan<'_>>() };
    let _ = rustix::process::setsid();
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
    let stack = plan.stack;
    // SAFETY: this process sleeps until `second` executes the program or has ended.
    if unsafe { libc::clone(second, stack, flags, std::ptr::from_mut(plan).cast()) } < 0 {
        plan.error = errno();
    }
    end_process(0)
}

/// The second process: sets up what the program inherits, and executes it.
extern "C" fn second(plan: *mut c_void) -> c_int {
    // SAFETY: the plan of `start`, which this process alone uses now.
    let plan = unsafe { &mut *plan.cast::<Plan<'_>>() };
    let error = match inherit(plan) {
        Err(error) => error.raw_os_error(),
        Ok(()) => {
            // SAFETY: the strings and arrays of `start` live until the program runs.
            unsafe { libc::execve(plan.program, plan.arguments, plan.environment) };
            errno()
        }
    };
    plan.error = error;
    end_process(1)
}

/// Sets signals, limits, current directory and descriptors of this process, which will execute
/// another program.
fn inherit(plan: &Plan<'_>) -> rustix::io::Result<()> {
    // The system's call, because the C library keeps two signals to itself.
    let default = [0_u64; 4];
    for signal in 1..=64 {
        let old = std::ptr::null_mut::<c_void>();
        // SAFETY: an action of zeros is the default; the size of a signal mask is 8.
        unsafe { libc::syscall(libc::SYS_rt_sigaction, signal, default.as_ptr(), old, 8) };
    }
    let none = [0_u64; 1];
    let old = std::ptr::null_mut::<c_void>();
    // SAFETY: a mask of 8 bytes.
    unsafe { libc::syscall(libc::SYS_rt_sigprocmask, libc::SIG_SETMASK, none.as_ptr(), old, 8) };
    let _ = rustix::process::chdir(c"/");
    own_limits();
    // Copies with high numbers first: a descriptor may have the number that another one gets.
    let mut moved = [-1; MOST_DESCRIPTORS];
    for (slot, source) in moved.iter_mut().zip(plan.descriptors) {
        // SAFETY: takes and returns numbers.
        *slot = unsafe { libc::fcntl(*source, libc::F_DUPFD_CLOEXEC, ABOVE) };
        if *slot < 0 {
            return Err(rustix::io::Errno::from_raw_os_error(errno()));
        }
    }
    // SAFETY: a constant path.
    let null = unsafe { libc::open(c"/dev/null".as_ptr(), libc::O_RDWR) };
    if null < 0 {
        return Err(rustix::io::Errno::from_raw_os_error(errno()));
    }
    for stream in 0..if plan.stderr { 2 } else { 3 } {
        // SAFETY: changes descriptors of this process, which no other code uses any more; likewise
        // below.
        unsafe { libc::dup2(null, stream) };
    }
    let mut next = 3;
    for source in moved.iter().take(plan.descriptors.len()) {
        // SAFETY: as above.
        unsafe { libc::dup2(*source, next) };
        next += 1;
    }
    close_from(next);
    Ok(())
}

/// No core files; the other limits as high as the application might set them itself.
fn own_limits() {
    for kind in [Resource::Cpu, Resource::Nofile, Resource::As, Resource::Data] {
        let limit = getrlimit(kind);
        let _ = setrlimit(kind, Rlimit { current: limit.maximum, ..limit });
    }
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
}

/// Closes all descriptors from `from` on, in a process that will execute another program.
fn close_from(from: c_int) {
    // SAFETY: closes descriptors of this process, which no other code uses any more.
    if unsafe { libc::syscall(libc::SYS_close_range, from, c_int::MAX, 0) } == 0 {
        return;
    }
    // Before Linux 5.9. Descriptors can be above the limit only if it was lowered.
    let limit = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX).min(1 << 16);
    for fd in from..c_int::try_from(limit).unwrap_or(1 << 16) {
        // SAFETY: as above.
        unsafe { libc::close(fd) };
    }
}

/// A descriptor that becomes readable when this process has ended. `None` before Linux 5.3.
#[must_use]
pub fn process_descriptor() -> Option<OwnedFd> {
    pidfd_open(getpid(), PidfdFlags::empty()).ok()
}

/// True if this process has more rights than the user who set its environment: a set-user-ID
/// program and the like.
#[must_use]
pub fn has_more_rights() -> bool {
    // SAFETY: reads a value that the system passed to this process.
    unsafe { libc::getauxval(libc::AT_SECURE) != 0 }
}

/// The descriptor `number`, if this process has it, closed at `execve` from now on.
///
/// # Safety
/// Nothing else in this process owns it.
#[must_use]
pub unsafe fn inherited_descriptor(number: c_int) -> Option<OwnedFd> {
    // SAFETY: sets a flag, and fails if there is no such descriptor.
    if unsafe { libc::fcntl(number, libc::F_SETFD, libc::FD_CLOEXEC) } != 0 {
        return None;
    }
    // SAFETY: the caller's promise.
    Some(unsafe { OwnedFd::from_raw_fd(number) })
}

/// Ends this process at once: no destructors, no handlers of `atexit`, no flush.
pub fn end_process(code: i32) -> ! {
    // SAFETY: has no preconditions.
    unsafe { libc::_exit(code) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Channel;
    use std::os::fd::AsFd as _;

    fn shell(script: &CStr, channel: &Channel) -> Result<(), OsError> {
        Helper {
            program: c"/bin/sh",
            arguments: &[c"sh", c"-c", script],
            environment: &[c"GIVEN=1"],
            descriptors: &[channel.as_fd()],
            stderr: false,
        }
        .start()
    }

    #[test]
    fn a_helper_inherits_only_what_it_is_given() {
        let (here, there) = Channel::pair().unwrap();
        let kept = std::fs::File::open("/dev/zero").unwrap();
        // SAFETY: makes the file inheritable, as descriptors of C programs are.
        unsafe { libc::fcntl(kept.as_raw_fd(), libc::F_SETFD, 0) };
        let script = c"{ env | grep -v '^PWD\\|^_=\\|^SHLVL\\|^OLDPWD'; pwd; \
            ls -l /proc/$$/fd | grep -c 'zero'; ls /proc/$$/fd | tr '\\n' ' '; \
            grep SigBlk /proc/$$/status; ulimit -c; } | tr -s '\\n\\t' ';' >&3";
        shell(script, &there).unwrap();
        drop(there);
        let mut text = Vec::new();
        while let Some(message) = here.receive().unwrap() {
            text.extend(message.bytes);
        }
        assert_eq!(
            String::from_utf8_lossy(&text),
            "GIVEN=1;/;0;0 1 2 3 SigBlk:;0000000000000000;0;"
        );
    }

    #[test]
    fn the_application_does_not_notice_a_helper() {
        // A process of its own, because `wait` and SIGCHLD belong to the whole process.
        // SAFETY: the child makes system calls, allocates a little, and ends.
        let child = unsafe { libc::fork() };
        if child == 0 {
            extern "C" fn on_child(_: c_int) {
                // SAFETY: ends the process.
                unsafe { libc::_exit(3) }
            }
            // SAFETY: this process is a copy that nothing else uses.
            unsafe { libc::signal(libc::SIGCHLD, on_child as extern "C" fn(c_int) as usize) };
            let Ok((here, there)) = Channel::pair() else { end_process(1) };
            if shell(c"exit 0", &there).is_err() {
                end_process(1);
            }
            drop(there);
            here.wait(false, [None, None]);
            // SAFETY: waits for any child.
            let found = unsafe { libc::waitpid(-1, std::ptr::null_mut(), 0) };
            let none = std::io::Error::last_os_error().raw_os_error() == Some(libc::ECHILD);
            end_process(if found < 0 && none { 0 } else { 2 });
        }
        let mut status = 0;
        // SAFETY: the child of this test.
        unsafe { libc::waitpid(child, &raw mut status, 0) };
        assert_eq!(status, 0, "1 << 8: not started, 2 << 8: found by wait, 3 << 8: SIGCHLD");
    }

    #[test]
    fn a_missing_program_is_an_error() {
        let error = Helper {
            program: c"/nowhere/helper",
            arguments: &[c"helper"],
            environment: &[],
            descriptors: &[],
            stderr: true,
        }
        .start()
        .unwrap_err();
        assert!(error.to_string().contains("No such file"), "{error}");
    }

    #[test]
    fn the_end_of_a_process_is_seen() {
        let Some(own) = process_descriptor() else { return };
        let mut poll = libc::pollfd { fd: own.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // SAFETY: one entry.
        assert_eq!(unsafe { libc::poll(&raw mut poll, 1, 0) }, 0, "this process still runs");
        // SAFETY: not a descriptor of this process.
        assert!(unsafe { inherited_descriptor(9999) }.is_none());
    }
}
