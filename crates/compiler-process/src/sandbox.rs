//! The system calls that this process gives up: the sources that it compiles come from strangers,
//! and clang and LLVM have bugs.
//!
//! After [`enter`] it has no network, executes no program, harms no other process, and changes no
//! file. It still reads files, because sources include headers from anywhere. A refused call fails
//! with EPERM. Where the system has no filters, the process works without them.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Op,
    SeccompCondition as Condition, SeccompFilter, SeccompRule, apply_filter,
};

/// Calls that are refused whatever their arguments.
const REFUSED: &[i64] = &[
    // Network
    libc::SYS_socket,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    // Programs and other processes
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_pidfd_send_signal,
    libc::SYS_pidfd_getfd,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_setpriority,
    // Files
    libc::SYS_unlinkat,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    libc::SYS_mkdirat,
    libc::SYS_mknodat,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_truncate,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_open_by_handle_at,
    // The system
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    // Their arguments are in memory, where a filter does not see them.
    libc::SYS_openat2,
    libc::SYS_io_uring_setup,
];

/// Older forms of calls above, which only some processors have.
#[cfg(target_arch = "x86_64")]
const REFUSED_HERE: &[i64] = &[
    libc::SYS_fork,
    libc::SYS_vfork,
    libc::SYS_unlink,
    libc::SYS_rename,
    libc::SYS_link,
    libc::SYS_symlink,
    libc::SYS_mkdir,
    libc::SYS_rmdir,
    libc::SYS_mknod,
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_creat,
    libc::SYS_utime,
    libc::SYS_utimes,
];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_HERE: &[i64] = &[];

/// Refuses the calls from now on, in this thread and those that it starts. Must precede all other
/// threads. False if the system has no filters; the process then works as before.
pub(crate) fn enter() -> bool {
    filter().is_some_and(|filter| apply_filter(&filter).is_ok())
}

/// True if `argument & mask == value`.
fn masked(argument: u8, mask: i32, value: i32) -> Option<SeccompRule> {
    let [mask, value] = [mask, value].map(|n| u64::from(n.cast_unsigned()));
    let condition = Condition::new(argument, Length::Dword, Op::MaskedEq(mask), value).ok()?;
    SeccompRule::new(vec![condition]).ok()
}

fn filter() -> Option<BpfProgram> {
    // An open for writing, or one that makes or empties a file.
    let writing = |argument| {
        Some(vec![
            masked(argument, libc::O_ACCMODE, libc::O_WRONLY)?,
            masked(argument, libc::O_ACCMODE, libc::O_RDWR)?,
            masked(argument, libc::O_CREAT, libc::O_CREAT)?,
            masked(argument, libc::O_TRUNC, libc::O_TRUNC)?,
        ])
    };
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        REFUSED.iter().chain(REFUSED_HERE).map(|call| (*call, Vec::new())).collect();
    rules.insert(libc::SYS_openat, writing(2)?);
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_open, writing(1)?);
    // A signal to a thread of another process. `abort` sends one to its own.
    let own = u64::from(std::process::id());
    let other = Condition::new(0, Length::Dword, Op::Ne, own).ok()?;
    rules.insert(libc::SYS_tgkill, vec![SeccompRule::new(vec![other]).ok()?]);
    // The limits of another process.
    let other = Condition::new(0, Length::Dword, Op::Ne, 0).ok()?;
    rules.insert(libc::SYS_prlimit64, vec![SeccompRule::new(vec![other]).ok()?]);
    // A new process; a thread has this flag.
    rules.insert(libc::SYS_clone, vec![masked(0, libc::CLONE_THREAD, 0)?]);
    let refuse = SeccompAction::Errno(libc::EPERM.cast_unsigned());
    let arch = std::env::consts::ARCH.try_into().ok()?;
    SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CString;

    /// Runs `test` in a child process inside the sandbox; its number is the exit status.
    fn inside(test: impl FnOnce() -> i32) -> i32 {
        // SAFETY: the child makes system calls and ends.
        let child = unsafe { libc::fork() };
        if child == 0 {
            // Nothing to test where the system has no filters.
            muxcl_os::end_process(if enter() { test() } else { 0 });
        }
        let mut status = 0;
        // SAFETY: the child above.
        unsafe { libc::waitpid(child, &raw mut status, 0) };
        status
    }

    fn refused(result: i64) -> bool {
        result < 0 && std::io::Error::last_os_error().raw_os_error() == Some(libc::EPERM)
    }

    #[test]
    #[expect(clippy::multiple_unsafe_ops_per_block, reason = "a list of refused calls")]
    fn network_processes_and_changes_are_refused_and_reading_works() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| CString::new(folder.path().join(name).to_str().unwrap()).unwrap();
        std::fs::write(folder.path().join("file"), "text").unwrap();
        let (file, new, script) = (path("file"), path("new"), c"/bin/true");
        let status = inside(|| {
            let open = |flags| {
                // SAFETY: a path.
                i64::from(unsafe { libc::open(file.as_ptr(), flags) })
            };
            // SAFETY: these calls get valid arguments and change nothing if they are refused.
            let calls = unsafe {
                [
                    i64::from(libc::socket(libc::AF_INET, libc::SOCK_STREAM, 0)),
                    libc::syscall(libc::SYS_fork),
                    i64::from(libc::kill(libc::getppid(), 0)),
                    libc::syscall(libc::SYS_tgkill, libc::getppid(), libc::getppid(), 0),
                    i64::from(libc::unlink(file.as_ptr())),
                    i64::from(libc::mkdir(new.as_ptr(), 0o700)),
                    i64::from(libc::execve(
                        script.as_ptr(),
                        [std::ptr::null()].as_ptr(),
                        [std::ptr::null()].as_ptr(),
                    )),
                ]
            };
            let opens = [libc::O_WRONLY, libc::O_RDWR, libc::O_CREAT, libc::O_TRUNC].map(open);
            let all = calls.into_iter().chain(opens);
            // `errno` is that of the latest call, so the reason is checked for one more call.
            let count = all.filter(|result| *result < 0).count();
            let last = refused(open(libc::O_RDWR));
            let thread = std::thread::spawn(|| std::fs::read_to_string("/proc/self/cmdline"));
            let reads = open(libc::O_RDONLY) >= 0 && thread.join().is_ok_and(|text| text.is_ok());
            if count == 11 && last && reads { 0 } else { 1 }
        });
        assert_eq!(status, 0);
        assert_eq!(std::fs::read_to_string(folder.path().join("file")).unwrap(), "text");
    }

    #[test]
    fn an_abort_still_ends_the_process() {
        let status = inside(|| std::process::abort());
        let aborted = libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGABRT;
        assert!(aborted || filter().is_none(), "{status}");
    }
}
