//! Semaphores that contexts, processes and other programs share: export, import, and what is
//! refused. The other process is this program again (`MODES`).

#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]
#![expect(clippy::wildcard_imports, reason = "the names of the C interface, as in other tests")]

use std::os::fd::{AsFd as _, AsRawFd as _, FromRawFd as _, IntoRawFd as _, OwnedFd};
use std::process::{Child, Command, Stdio};
use std::ptr::{null, null_mut};
use std::time::Duration;

use libtest_mimic::{Arguments, Trial};
use muxcl_cl_sys::*;
use muxcl_os::{Channel, SharedSignal, share_bytes};
use muxcl_test_api::{
    bad_handles, cl, code, context, context_of, enqueue_fails, errcode, fails, info, make, number,
    setup, text,
};

const TYPE: u64 = CL_SEMAPHORE_TYPE_KHR as u64;
const EXPORTS: u64 = CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR as u64;
const DEVICES: u64 = CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR as u64;
const OPAQUE: u64 = CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR as u64;
const SYNC: u64 = CL_SEMAPHORE_HANDLE_SYNC_FD_KHR as u64;
/// `CL_SEMAPHORE_HANDLE_OPAQUE_WIN32_KHR`, which no device here has.
const WIN32: u64 = 0x2056;
/// The argument of a child process: what it does with the semaphores that it receives.
const MODES: [(&str, fn()); 2] = [("--echo", echo), ("--die", die)];

/// A context with a queue.
#[derive(Clone, Copy)]
struct Side {
    c: cl_context,
    q: cl_command_queue,
}

impl Side {
    fn new() -> Self {
        let c = context();
        let q = make!(clCreateCommandQueueWithProperties(c, setup().device(), null()));
        Self { c, q }
    }

    fn made(self, list: &[u64]) -> cl_semaphore_khr {
        make!(clCreateSemaphoreWithPropertiesKHR(self.c, list.as_ptr()))
    }

    fn exportable(self) -> cl_semaphore_khr {
        self.made(&[TYPE, 1, EXPORTS, OPAQUE, 0, 0])
    }

    fn imported(self, fd: OwnedFd) -> cl_semaphore_khr {
        self.made(&[TYPE, 1, OPAQUE, u64::try_from(fd.into_raw_fd()).unwrap(), 0])
    }

    fn signal(self, s: cl_semaphore_khr) {
        let (one, none) = (&raw const s, null_mut());
        code!(CL_SUCCESS, clEnqueueSignalSemaphoresKHR(self.q, 1, one, null(), 0, null(), none));
        code!(CL_SUCCESS, clFinish(self.q));
    }

    /// As [`Self::signal`], on a queue of its own, while this queue may wait for the signal.
    fn signal_from_afar(self, s: cl_semaphore_khr) {
        let q = make!(clCreateCommandQueueWithProperties(self.c, setup().device(), null()));
        Self { q, ..self }.signal(s);
        code!(CL_SUCCESS, clReleaseCommandQueue(q));
    }

    /// Enqueues a wait, and returns its event.
    fn wait(self, s: cl_semaphore_khr) -> cl_event {
        let (one, mut event) = (&raw const s, null_mut());
        let at = &raw mut event;
        code!(CL_SUCCESS, clEnqueueWaitSemaphoresKHR(self.q, 1, one, null(), 0, null(), at));
        code!(CL_SUCCESS, clFlush(self.q));
        event
    }

    fn end(self, list: &[cl_semaphore_khr]) {
        for &s in list {
            code!(CL_SUCCESS, clReleaseSemaphoreKHR(s));
        }
        code!(CL_SUCCESS, clReleaseCommandQueue(self.q));
        code!(CL_SUCCESS, clReleaseContext(self.c));
    }
}

fn exported(s: cl_semaphore_khr) -> OwnedFd {
    let (mut number, mut size) = (-2_i32, 0);
    let at = (&raw mut number).cast();
    let kind = CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR;
    code!(
        CL_SUCCESS,
        clGetSemaphoreHandleForTypeKHR(s, setup().device(), kind, 4, at, &raw mut size)
    );
    assert!(size == 4 && number >= 0);
    // SAFETY: the caller owns an exported descriptor.
    unsafe { OwnedFd::from_raw_fd(number) }
}

fn sync_export(s: cl_semaphore_khr, code: cl_int) {
    let mut number = -2_i32;
    let at = (&raw mut number).cast();
    let (d, kind) = (setup().device(), CL_SEMAPHORE_HANDLE_SYNC_FD_KHR);
    assert_eq!(cl!(clGetSemaphoreHandleForTypeKHR(s, d, kind, 4, at, null_mut())), code);
    assert_eq!(number, if code == CL_SUCCESS { -1 } else { -2 });
}

fn payload(s: cl_semaphore_khr) -> u64 {
    number(&info!(clGetSemaphoreInfoKHR(s), CL_SEMAPHORE_PAYLOAD_KHR))
}

fn is_complete(event: cl_event) -> bool {
    number(&info!(clGetEventInfo(event), CL_EVENT_COMMAND_EXECUTION_STATUS)) == 0
}

fn ends(event: cl_event) {
    code!(CL_SUCCESS, clWaitForEvents(1, &raw const event));
    code!(CL_SUCCESS, clReleaseEvent(event));
}

fn pause() {
    std::thread::sleep(Duration::from_millis(20));
}

fn queries() {
    let kinds = [CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR];
    let both: Vec<u8> = kinds.iter().flat_map(|kind| kind.to_ne_bytes()).collect();
    for d in [setup().device(), setup().other_device(), setup().apart()] {
        let list = text(&info!(clGetDeviceInfo(d), CL_DEVICE_EXTENSIONS));
        for name in ["", "_opaque_fd", "_sync_fd"] {
            let name = format!("cl_khr_external_semaphore{name}");
            assert!(list.split(' ').any(|e| e == name), "{name}");
        }
        assert_eq!(info!(clGetDeviceInfo(d), CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR), both);
        assert_eq!(info!(clGetDeviceInfo(d), CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR), both);
    }
    let p = setup().platform();
    assert_eq!(info!(clGetPlatformInfo(p), CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR), both);
    assert_eq!(info!(clGetPlatformInfo(p), CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR), both);
    let side = Side::new();
    let lists: [(&[u64], &[u64]); 4] = [
        (&[TYPE, 1, 0], &[]),
        (&[TYPE, 1, EXPORTS, 0, 0], &[]),
        (&[TYPE, 1, EXPORTS, OPAQUE, 0, 0], &[OPAQUE]),
        (&[TYPE, 1, EXPORTS, SYNC, 0, 0], &[SYNC]),
    ];
    for (list, types) in lists {
        let s = side.made(list);
        let small = types.iter().map(|kind| u32::try_from(*kind).unwrap());
        let types: Vec<u8> = small.flat_map(u32::to_ne_bytes).collect();
        assert_eq!(info!(clGetSemaphoreInfoKHR(s), CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR), types);
        let exportable = number(&info!(clGetSemaphoreInfoKHR(s), CL_SEMAPHORE_EXPORTABLE_KHR));
        assert_eq!(exportable, u64::from(!types.is_empty()));
        let given: Vec<u8> = list.iter().flat_map(|v| v.to_ne_bytes()).collect();
        assert_eq!(info!(clGetSemaphoreInfoKHR(s), CL_SEMAPHORE_PROPERTIES_KHR), given);
        code!(CL_SUCCESS, clReleaseSemaphoreKHR(s));
    }
    side.end(&[]);
}

/// All semaphores of one payload are one semaphore: three, in two contexts.
fn two_contexts() {
    let (a, b) = (Side::new(), Side::new());
    let s = a.exportable();
    let [t, u] = [b, a].map(|side| side.imported(exported(s)));
    let all = [(a, s), (b, t), (a, u)];
    for (from, signaller) in all {
        for (to, waiter) in all {
            from.signal(signaller);
            assert_eq!([s, t, u].map(payload), [1; 3]);
            ends(to.wait(waiter));
            assert_eq!([s, t, u].map(payload), [0; 3]);
        }
    }
    // The wait first. The signal is pending until a user event completes.
    let gate = make!(clCreateUserEvent(b.c));
    let event = a.wait(s);
    let (one, none) = (&raw const t, null_mut());
    let w = &raw const gate;
    code!(CL_SUCCESS, clEnqueueSignalSemaphoresKHR(b.q, 1, one, null(), 1, w, none));
    pause();
    assert!(!is_complete(event));
    code!(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
    ends(event);
    // Each signal ends one of several waits.
    let other = Side::new();
    let v = other.imported(exported(s));
    let waits = [a.wait(s), b.wait(t), other.wait(v)];
    for done in 1..=3 {
        let signaller = make!(clCreateCommandQueueWithProperties(a.c, setup().device(), null()));
        Side { q: signaller, ..a }.signal(u);
        while waits.iter().filter(|&&event| is_complete(event)).count() < done {
            std::thread::yield_now();
        }
        pause();
        assert_eq!(waits.iter().filter(|&&event| is_complete(event)).count(), done);
        code!(CL_SUCCESS, clReleaseCommandQueue(signaller));
    }
    waits.into_iter().for_each(ends);
    // The payload outlives the semaphore that exported it.
    let fd = exported(s);
    a.signal(s);
    code!(CL_SUCCESS, clReleaseSemaphoreKHR(s));
    let w = b.imported(fd);
    ends(b.wait(w));
    code!(CL_SUCCESS, clReleaseEvent(gate));
    other.end(&[v]);
    a.end(&[u]);
    b.end(&[t, w]);
}

/// Two new semaphores, and a child in `mode` that gets both.
fn shared_with_child(side: Side, mode: &str) -> ([cl_semaphore_khr; 2], Child) {
    let both = [side.exportable(), side.exportable()];
    let (ours, theirs) = Channel::pair().unwrap();
    let fds = both.map(exported);
    ours.send(&[b"x"], &[fds[0].as_fd(), fds[1].as_fd()]).unwrap();
    let stdin = Stdio::from(theirs.as_fd().try_clone_to_owned().unwrap());
    let program = std::env::current_exe().unwrap();
    (both, Command::new(program).arg(mode).stdin(stdin).spawn().unwrap())
}

/// In a child: the two semaphores that its parent sent.
fn received(side: Side) -> [cl_semaphore_khr; 2] {
    let channel = Channel::from(std::io::stdin().as_fd().try_clone_to_owned().unwrap());
    let message = channel.receive().unwrap().unwrap();
    let list: Vec<_> = message.descriptors.into_iter().map(|fd| side.imported(fd)).collect();
    list.try_into().unwrap()
}

/// In a child: answers ten signals of the first semaphore by signals of the second.
fn echo() {
    let side = Side::new();
    let [question, answer] = received(side);
    for _ in 0..10 {
        ends(side.wait(question));
        side.signal(answer);
    }
    side.end(&[question, answer]);
}

/// In a child: waits for the second semaphore, which nobody signals, and dies.
fn die() {
    let side = Side::new();
    let [question, answer] = received(side);
    side.wait(answer);
    side.signal_from_afar(question);
    std::process::abort();
}

fn two_processes() {
    let side = Side::new();
    let ([question, answer], mut process) = shared_with_child(side, "--echo");
    for _ in 0..10 {
        let event = side.wait(answer);
        side.signal_from_afar(question);
        ends(event);
    }
    assert!(process.wait().unwrap().success());
    assert_eq!([question, answer].map(payload), [0; 2]);
    side.end(&[question, answer]);
}

/// A process that ends with a wait and without a signal leaves a semaphore that works, and other
/// commands of the waiting process run.
fn a_process_dies() {
    let side = Side::new();
    let ([first, second], mut process) = shared_with_child(side, "--die");
    ends(side.wait(first));
    assert!(!process.wait().unwrap().success());
    // The child's signal will not come.
    let event = side.wait(second);
    let other = Side::new();
    let s = other.made(&[TYPE, 1, 0]);
    for _ in 0..10 {
        other.signal(s);
        ends(other.wait(s));
    }
    pause();
    assert!(!is_complete(event), "the dead process took no signal and gave none");
    side.signal_from_afar(second);
    ends(event);
    other.end(&[s]);
    side.end(&[first, second]);
}

fn sync_files() {
    let side = Side::new();
    let s = side.made(&[TYPE, 1, EXPORTS, SYNC, 0, 0]);
    // Neither a signal nor a command that will signal.
    let (d, kind, mut fd) = (setup().device(), CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, 0_i32);
    let at = (&raw mut fd).cast();
    code!(CL_INVALID_OPERATION, clGetSemaphoreHandleForTypeKHR(s, d, kind, 4, at, null_mut()));
    // An export takes the signal.
    side.signal(s);
    assert_eq!(payload(s), 1);
    sync_export(s, CL_SUCCESS);
    assert_eq!(payload(s), 0);
    sync_export(s, CL_INVALID_OPERATION);
    // A size alone takes nothing.
    side.signal(s);
    let mut size = 0;
    let at = &raw mut size;
    code!(CL_SUCCESS, clGetSemaphoreHandleForTypeKHR(s, d, kind, 0, null_mut(), at));
    assert_eq!((size, payload(s)), (4, 1));
    ends(side.wait(s));
    // An export waits for a signal that is pending.
    let gate = make!(clCreateUserEvent(side.c));
    let (one, none, w) = (&raw const s, null_mut(), &raw const gate);
    code!(CL_SUCCESS, clEnqueueSignalSemaphoresKHR(side.q, 1, one, null(), 1, w, none));
    let address = gate.expose_provenance();
    let helper = std::thread::spawn(move || {
        pause();
        let gate = std::ptr::with_exposed_provenance_mut(address);
        code!(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
    });
    sync_export(s, CL_SUCCESS);
    helper.join().unwrap();
    code!(CL_SUCCESS, clFinish(side.q));
    assert_eq!(payload(s), 0);
    // A signal that fails ends the wait of the export.
    let failing = make!(clCreateUserEvent(side.c));
    let w = &raw const failing;
    code!(CL_SUCCESS, clEnqueueSignalSemaphoresKHR(side.q, 1, one, null(), 1, w, none));
    code!(CL_SUCCESS, clSetUserEventStatus(failing, -1));
    sync_export(s, CL_INVALID_OPERATION);
    for event in [gate, failing] {
        code!(CL_SUCCESS, clReleaseEvent(event));
    }
    // -1 is work that has ended. A wait takes it; after that the semaphore is like any other.
    let t = side.made(&[TYPE, 1, SYNC, u64::MAX, 0]);
    for round in 0..3 {
        assert_eq!(payload(t), 1, "{round}");
        ends(side.wait(t));
        assert_eq!(payload(t), 0);
        side.signal(t);
        ends(side.wait(t));
        code!(CL_SUCCESS, clReImportSemaphoreSyncFdKHR(t, null_mut(), -1));
    }
    let mut empty = [0_u64];
    code!(CL_SUCCESS, clReImportSemaphoreSyncFdKHR(t, empty.as_mut_ptr(), -1));
    assert_eq!(payload(t), 1);
    ends(side.wait(t));
    // A wait that is there already takes the new payload.
    let event = side.wait(t);
    pause();
    assert!(!is_complete(event));
    code!(CL_SUCCESS, clReImportSemaphoreSyncFdKHR(t, null_mut(), -1));
    ends(event);
    assert_eq!(payload(t), 0);
    side.end(&[s, t]);
}

fn errors() {
    let (side, d) = (Side::new(), setup().device());
    let c = side.c;
    let memory = share_bytes(&[b"x"]).unwrap();
    let signal = SharedSignal::new().unwrap();
    let raw = |fd: i32| u64::try_from(fd).unwrap();
    let (wrong, right) = (raw(memory.as_raw_fd()), raw(signal.as_fd().as_raw_fd()));
    let cases: [&[u64]; 11] = [
        &[TYPE, 1, OPAQUE, u64::MAX, 0],
        &[TYPE, 1, OPAQUE, 0x7FFF_FFFF, 0],
        &[TYPE, 1, OPAQUE, 1 << 40, 0],
        &[TYPE, 1, OPAQUE, wrong, 0],
        &[TYPE, 1, SYNC, wrong, 0],
        &[TYPE, 1, SYNC, right, 0],
        &[TYPE, 1, SYNC, 0xFFFF_FFFE, 0],
        &[TYPE, 1, OPAQUE, right, OPAQUE, right, 0],
        &[TYPE, 1, OPAQUE, right, SYNC, u64::MAX, 0],
        &[TYPE, 1, EXPORTS, WIN32, 0, 0],
        &[TYPE, 1, EXPORTS, OPAQUE, 0, EXPORTS, OPAQUE, 0, 0],
    ];
    for list in cases {
        fails!(CL_INVALID_PROPERTY, clCreateSemaphoreWithPropertiesKHR(c, list.as_ptr()));
    }
    for types in [[OPAQUE, OPAQUE], [OPAQUE, SYNC]] {
        let list = [TYPE, 1, EXPORTS, types[0], types[1], 0, 0];
        fails!(CL_INVALID_VALUE, clCreateSemaphoreWithPropertiesKHR(c, list.as_ptr()));
    }
    for handle in [[OPAQUE, right], [SYNC, u64::MAX]] {
        let list = [TYPE, 1, EXPORTS, OPAQUE, 0, handle[0], handle[1], 0];
        fails!(CL_INVALID_OPERATION, clCreateSemaphoreWithPropertiesKHR(c, list.as_ptr()));
    }
    signal.set();
    assert!(signal.is_set(), "a failure leaves the descriptor to the application");
    // Exports.
    let [plain, opaque, sync] =
        [side.made(&[TYPE, 1, 0]), side.exportable(), side.made(&[TYPE, 1, EXPORTS, SYNC, 0, 0])];
    let import = side.imported(exported(opaque));
    let mut number = -2_i32;
    let at = (&raw mut number).cast();
    let (fd, file) = (CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR);
    let none = null_mut();
    for (s, kind) in [(plain, fd), (plain, file), (opaque, file), (sync, fd), (import, fd)] {
        code!(CL_INVALID_VALUE, clGetSemaphoreHandleForTypeKHR(s, d, kind, 4, at, none));
    }
    code!(CL_INVALID_VALUE, clGetSemaphoreHandleForTypeKHR(opaque, d, fd, 3, at, none));
    let other = setup().other_device();
    code!(CL_INVALID_DEVICE, clGetSemaphoreHandleForTypeKHR(opaque, other, fd, 4, at, none));
    for bad in bad_handles::<_cl_semaphore_khr>() {
        code!(CL_INVALID_SEMAPHORE_KHR, clGetSemaphoreHandleForTypeKHR(bad, d, fd, 4, at, none));
        code!(CL_INVALID_SEMAPHORE_KHR, clReImportSemaphoreSyncFdKHR(bad, none.cast(), -1));
    }
    assert_eq!(number, -2);
    // A device of the context that the semaphore is not associated with.
    let pair = context_of(&[d, other]);
    let named = [TYPE, 1, EXPORTS, OPAQUE, 0, DEVICES, d.addr() as u64, 0, 0];
    let s = make!(clCreateSemaphoreWithPropertiesKHR(pair, named.as_ptr()));
    code!(CL_INVALID_DEVICE, clGetSemaphoreHandleForTypeKHR(s, other, fd, 4, at, none));
    code!(CL_SUCCESS, clReleaseSemaphoreKHR(s));
    code!(CL_SUCCESS, clReleaseContext(pair));
    // Imports again.
    for s in [plain, opaque, sync, import] {
        code!(CL_INVALID_SEMAPHORE_KHR, clReImportSemaphoreSyncFdKHR(s, null_mut(), -1));
    }
    let t = side.made(&[TYPE, 1, SYNC, u64::MAX, 0]);
    for fd in [-2, i32::MAX, memory.as_raw_fd(), signal.as_fd().as_raw_fd()] {
        code!(CL_INVALID_VALUE, clReImportSemaphoreSyncFdKHR(t, null_mut(), fd));
    }
    let mut unknown = [7, 1, 0_u64];
    code!(CL_INVALID_VALUE, clReImportSemaphoreSyncFdKHR(t, unknown.as_mut_ptr(), -1));
    assert_eq!(payload(t), 1);
    side.end(&[plain, opaque, sync, import, t]);
}

/// The number of semaphores is limited by the number of descriptors.
fn too_many() {
    let side = Side::new();
    let t = side.made(&[TYPE, 1, SYNC, u64::MAX, 0]);
    limit_descriptors(64);
    let mut list = Vec::new();
    let code = loop {
        let mut code = 1;
        let p = [TYPE, 1, EXPORTS, OPAQUE, 0, 0];
        let s = cl!(clCreateSemaphoreWithPropertiesKHR(side.c, p.as_ptr(), &raw mut code));
        if s.is_null() || list.len() > 100 {
            break code;
        }
        list.push(s);
    };
    assert_eq!(code, CL_OUT_OF_RESOURCES);
    let one = list[0];
    let (mut number, kind) = (-2_i32, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR);
    let (d, at) = (setup().device(), (&raw mut number).cast());
    code!(CL_OUT_OF_RESOURCES, clGetSemaphoreHandleForTypeKHR(one, d, kind, 4, at, null_mut()));
    let exports = [TYPE, 1, EXPORTS, OPAQUE, 0, 0];
    let p = exports.as_ptr();
    assert!(errcode!(CL_OUT_OF_RESOURCES, clCreateSemaphoreWithPropertiesKHR(side.c, p)).is_null());
    code!(CL_OUT_OF_RESOURCES, clReImportSemaphoreSyncFdKHR(t, null_mut(), 0));
    // The first wait without a signal starts a thread, which has a descriptor.
    enqueue_fails!(
        CL_OUT_OF_RESOURCES,
        clEnqueueWaitSemaphoresKHR(side.q, 1, &raw const one, null())
    );
    assert_eq!([one, t].map(payload), [0, 1]);
    list.push(t);
    side.end(&list);
}

/// Limits the descriptors of this process.
fn limit_descriptors(most: u64) {
    let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
    // SAFETY: reads the structure.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit) }, 0);
}

fn main() {
    let mode = std::env::args().nth(1).unwrap_or_default();
    if mode == "--few" {
        return too_many();
    }
    if let Some((_, run)) = MODES.iter().find(|(name, _)| *name == mode) {
        return run();
    }
    let tests: [(&str, fn()); 7] = [
        ("queries", queries),
        ("two_contexts", two_contexts),
        ("two_processes", two_processes),
        ("a_process_dies", a_process_dies),
        ("sync_files", sync_files),
        ("errors", errors),
        ("descriptors_end", || {
            let program = std::env::current_exe().unwrap();
            assert!(Command::new(program).arg("--few").status().unwrap().success());
        }),
    ];
    let trial = |(name, test): (&'static str, fn())| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    libtest_mimic::run(&Arguments::from_args(), tests.into_iter().map(trial).collect()).exit();
}
