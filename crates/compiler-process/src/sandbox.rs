//! The rights that this process gives up: the sources that it compiles come from strangers, and
//! clang and LLVM have bugs.
//!
//! After [`enter`] it has no network, executes no program, harms no other process, and opens no
//! file: the driver opens the files that a source may include, and sends them. A refused call fails
//! with EPERM (seccomp) or EACCES (Landlock). Where the system lacks either, the process works
//! without it. It still sees which files exist.

use std::collections::BTreeMap;

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, Ruleset, RulesetAttr as _, RulesetStatus, Scope,
};
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

/// What the system takes from this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entered {
    /// True if system calls are filtered.
    calls: bool,
    /// True if no file can be opened.
    files: bool,
}

/// Gives up the rights, in this thread and those that it starts. Must precede all other threads.
pub(crate) fn enter() -> Entered {
    let files = restrict_files().is_ok_and(|taken| taken);
    let calls = filter().is_some_and(|filter| apply_filter(&filter).is_ok());
    Entered { calls, files }
}

/// Takes all access to files, and what else this version of Landlock can take. False without
/// Landlock.
fn restrict_files() -> Result<bool, landlock::RulesetError> {
    let status = Ruleset::default()
        .handle_access(AccessFs::from_all(ABI::V7))?
        .handle_access(AccessNet::from_all(ABI::V7))?
        .scope(Scope::from_all(ABI::V7))?
        .create()?
        .restrict_self()?;
    Ok(status.ruleset != RulesetStatus::NotEnforced)
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
    use muxcl_os::Channel;
    use std::ffi::CString;
    use std::os::fd::AsFd as _;

    /// Runs `test` in a child process inside the sandbox; its number is the exit status.
    fn inside(test: impl FnOnce(Entered) -> i32) -> i32 {
        // SAFETY: the child makes system calls and ends.
        let child = unsafe { libc::fork() };
        if child == 0 {
            muxcl_os::end_process(test(enter()));
        }
        let mut status = 0;
        // SAFETY: the child above.
        unsafe { libc::waitpid(child, &raw mut status, 0) };
        status
    }

    fn refused(result: i64, error: i32) -> bool {
        result < 0 && std::io::Error::last_os_error().raw_os_error() == Some(error)
    }

    #[test]
    #[expect(clippy::multiple_unsafe_ops_per_block, reason = "a list of refused calls")]
    fn network_processes_and_changes_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| CString::new(folder.path().join(name).to_str().unwrap()).unwrap();
        std::fs::write(folder.path().join("file"), "text").unwrap();
        let (file, new, script) = (path("file"), path("new"), c"/bin/true");
        let status = inside(|entered| {
            if !entered.calls {
                return 0;
            }
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
            let last = refused(open(libc::O_RDWR), libc::EPERM);
            if count == 11 && last { 0 } else { 1 }
        });
        assert_eq!(status, 0);
        assert_eq!(std::fs::read_to_string(folder.path().join("file")).unwrap(), "text");
    }

    #[test]
    fn no_thread_opens_a_file_and_a_file_from_the_driver_is_read() {
        let (here, driver) = Channel::pair().unwrap();
        let source = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(source.path(), "text").unwrap();
        let file = std::fs::File::open(source.path()).unwrap();
        driver.send(&[b"file"], &[file.as_fd()]).unwrap();
        let path = CString::new(source.path().to_str().unwrap()).unwrap();
        let status = inside(|entered| {
            if !entered.files {
                return 0;
            }
            let opens = |path: &std::ffi::CStr| {
                // SAFETY: a path.
                let opened = i64::from(unsafe { libc::open(path.as_ptr(), libc::O_RDONLY) });
                !refused(opened, libc::EACCES)
            };
            let paths = [&*path, c"/etc/hostname", c"/proc/self/environ", c"/dev/zero", c"/"];
            let own = paths.map(opens);
            let thread = std::thread::spawn(move || opens(c"/etc/passwd")).join();
            let absent = std::fs::File::open("/no/such/file").map_err(|error| error.kind());
            let absent = absent.is_err_and(|kind| kind == std::io::ErrorKind::NotFound);
            let sent = here.receive().ok().flatten().and_then(|m| m.descriptors.into_iter().next());
            let text = sent.map(|sent| std::io::read_to_string(std::fs::File::from(sent)));
            let read = text.is_some_and(|text| text.is_ok_and(|text| text == "text"));
            let none = own == [false; 5] && thread.is_ok_and(|opened| !opened);
            if none && absent && read { 0 } else { 1 }
        });
        assert_eq!(status, 0);
    }

    #[test]
    fn an_abort_still_ends_the_process() {
        let status = inside(|_| std::process::abort());
        assert!(libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGABRT, "{status}");
    }
}
