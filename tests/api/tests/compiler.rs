//! The compiler's process as an application sees it: not at all. Each scenario is a process of its
//! own with the driver that cargo built, without a disk cache.
//!
//! Needs what `loader` needs.

#![expect(
    clippy::unwrap_used,
    clippy::multiple_unsafe_ops_per_block,
    reason = "a test may fail anywhere"
)]

use std::ffi::{CString, c_void};
use std::fs;
use std::path::{Path, PathBuf};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use libtest_mimic::Failed;
use muxcl_cl_sys::{
    CL_BUILD_ERROR, CL_BUILD_IN_PROGRESS, CL_BUILD_PROGRAM_FAILURE, CL_CONTEXT_TERMINATE_KHR,
    CL_PROGRAM_BUILD_LOG, CL_PROGRAM_BUILD_STATUS, CL_SUCCESS, CL_TRUE, cl_context, cl_int, cl_mem,
    cl_program,
};
use muxcl_config::{
    MUXCL_BUILD_MB, MUXCL_BUILD_SECONDS, MUXCL_CACHE, MUXCL_CACHE_DIR, MUXCL_COMPILER,
    MUXCL_COMPILER_FILES, MUXCL_CRASH_DIR,
};
use muxcl_test_api::drivers::{DEVICES, Scenario, alone, libraries, scenarios};
use muxcl_test_api::{buffer, cl, code, context, info, kernel, make, setup};

const SCENARIOS: &[Scenario] = &[
    ("unnoticed", unnoticed),
    ("little_inherited", little_inherited),
    ("relative_includes", relative_includes),
    ("included_files", included_files),
    ("any_file", any_file),
    ("inline_files", inline_files),
    ("replaced_header", replaced_header),
    ("ends_with_the_application", ends_with_the_application),
    ("ends_at_exec", ends_at_exec),
    ("crashed", crashed),
    ("killed", killed),
    ("forked", forked),
    ("too_slow", too_slow),
    ("too_large", too_large),
    ("cancelled", cancelled),
    ("cancelled_beside_others", cancelled_beside_others),
    ("cancelled_build", cancelled_build),
    ("cancelled_link", cancelled_link),
    ("cancelled_with_the_context", cancelled_with_the_context),
    ("cancelled_in_a_fork", cancelled_in_a_fork),
    ("small_stack", small_stack),
    ("no_processes", no_processes),
    ("no_program", no_program),
    ("no_descriptors", no_descriptors),
    ("many_processes", many_processes),
    ("wait_for_end", wait_for_end),
    ("build_one", build_one),
];
/// Scenarios that others start.
const PARTS: [&str; 2] = ["wait_for_end", "build_one"];

fn main() {
    scenarios(SCENARIOS, &PARTS, run);
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("compiler-{name}-{}", std::process::id()))
}

/// This program with the host as the only device.
fn child(name: &str, folder: &Path) -> std::io::Result<std::process::Command> {
    let mut command = alone(&DEVICES[0], folder)?;
    command.env(MUXCL_CACHE.name, "0").args(["--child", name]).arg(folder);
    Ok(command)
}

fn run(name: &str) -> Result<(), Failed> {
    let folder = folder(name);
    let mut command = child(name, &folder)?;
    match name {
        "too_slow" => command.env(MUXCL_BUILD_SECONDS.name, "1"),
        "too_large" => command.env(MUXCL_BUILD_MB.name, "64"),
        "crashed" => command.env(MUXCL_CRASH_DIR.name, folder.join("crashes")),
        "any_file" => command.env(MUXCL_COMPILER_FILES.name, "any"),
        "inline_files" => command.env(MUXCL_COMPILER.name, "inline"),
        "replaced_header" => {
            command.env(MUXCL_CACHE.name, "1").env(MUXCL_CACHE_DIR.name, folder.join("cache"))
        }
        "no_program" => command.env(muxcl_config::MUXCL_COMPILER_PROGRAM.name, "/bin/false"),
        _ => &mut command,
    };
    let output = command.output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() {
        let _ = fs::remove_dir_all(folder);
        return Ok(());
    }
    Err(format!("{}\n{}{}", output.status, text(&output.stdout), text(&output.stderr)).into())
}

fn program(c: cl_context, source: &str) -> cl_program {
    let source = CString::new(source).unwrap();
    let mut text = source.as_ptr();
    make!(clCreateProgramWithSource(c, 1, &raw mut text, null()))
}

fn log(p: cl_program) -> String {
    let log = info!(clGetProgramBuildInfo(p, setup().device()), CL_PROGRAM_BUILD_LOG);
    String::from_utf8_lossy(&log).into_owned()
}

/// The result of a build, with its log.
fn build(c: cl_context, source: &str) -> (cl_int, String) {
    let p = program(c, source);
    let code = cl!(clBuildProgram(p, 0, null(), null(), None, null_mut()));
    let log = log(p);
    code!(CL_SUCCESS, clReleaseProgram(p));
    (code, log)
}

/// Builds a program that nobody has built before, and runs it.
fn builds(c: cl_context) {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let p = program(
        c,
        &format!("kernel void k(global uint *out) {{ out[get_global_id(0)] = {number}; }}"),
    );
    let code = cl!(clBuildProgram(p, 0, null(), null(), None, null_mut()));
    assert_eq!(code, CL_SUCCESS, "{}", log(p));
    let q = make!(clCreateCommandQueueWithProperties(c, setup().device(), null()));
    let (k, out) = (kernel(p, c"k"), buffer(c, 64));
    code!(CL_SUCCESS, clSetKernelArg(k, 0, size_of::<cl_mem>(), (&raw const out).cast()));
    let global = 16_usize;
    code!(
        CL_SUCCESS,
        clEnqueueNDRangeKernel(q, k, 1, null(), &raw const global, null(), 0, null(), null_mut())
    );
    let mut result = [u32::MAX; 16];
    let to = result.as_mut_ptr().cast();
    code!(CL_SUCCESS, clEnqueueReadBuffer(q, out, CL_TRUE, 0, 64, to, 0, null(), null_mut()));
    assert_eq!(result, [number; 16]);
    code!(CL_SUCCESS, clReleaseMemObject(out));
    code!(CL_SUCCESS, clReleaseKernel(k));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseProgram(p));
}

/// A program whose build takes seconds: thousands of calls with different constants.
fn slow_source(number: u32) -> String {
    source_of_calls(number, 12_000)
}

fn source_of_calls(number: u32, calls: u32) -> String {
    let mut text = format!("kernel void k(global float *p) {{ float x = p[{number}];\n");
    for i in 0..calls {
        text += &format!("x = pow(x, {i}.5f) + lgamma(x * {i}.25f);\n");
    }
    text + "p[0] = x; }"
}

/// The compiler's processes of this process: those that watch its end.
fn compilers_of(application: u32) -> Vec<u32> {
    let watched = format!("\nPid:\t{application}\n");
    fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid: &u32| {
            let command = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            let watches = fs::read_to_string(format!("/proc/{pid}/fdinfo/4")).unwrap_or_default();
            String::from_utf8_lossy(&command).contains("muxcl-compiler\0--serve")
                && watches.contains(&watched)
        })
        .collect()
}

fn compilers() -> Vec<u32> {
    compilers_of(std::process::id())
}

/// Waits until `done`, at most 10 seconds.
fn eventually(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(10), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// True if the process runs; a zombie does not.
fn runs(pid: u32) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| !stat.contains(") Z ") && !stat.contains(") X "))
}

/// No SIGCHLD, nothing for `wait`, no compiler in this process.
fn unnoticed(_: &Path) {
    static CHILDREN: AtomicU32 = AtomicU32::new(0);
    extern "C" fn on_child(_: i32) {
        CHILDREN.fetch_add(1, Ordering::Relaxed);
    }
    // SAFETY: the handler only counts.
    unsafe { libc::signal(libc::SIGCHLD, on_child as extern "C" fn(i32) as usize) };
    let c = context();
    builds(c);
    let [pid] = compilers()[..] else { panic!("one process: {:?}", compilers()) };
    let none = || {
        // SAFETY: waits for any child, without waiting.
        let found = unsafe { libc::waitpid(-1, null_mut(), libc::WNOHANG) };
        let error = std::io::Error::last_os_error().raw_os_error();
        assert_eq!((found, error), (-1, Some(libc::ECHILD)));
    };
    none();
    // SAFETY: a process of the driver's.
    unsafe { libc::kill(i32::try_from(pid).unwrap(), libc::SIGKILL) };
    eventually("the killed process ends", || !runs(pid));
    none();
    builds(c);
    assert_ne!(compilers(), [pid], "another one was started");
    // With SIGCHLD ignored.
    // SAFETY: a valid action.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_IGN) };
    // SAFETY: as above.
    unsafe { libc::kill(i32::try_from(compilers()[0]).unwrap(), libc::SIGKILL) };
    builds(c);
    assert_eq!(CHILDREN.load(Ordering::Relaxed), 0, "SIGCHLD");
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    assert!(!maps.contains("LLVM") && !maps.contains("libmuxcl_compiler"));
}

/// Of the application's descriptors, environment, session and signal state.
fn little_inherited(_: &Path) {
    // SAFETY: an ignored signal is inherited across `execve`, unless it is reset.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) };
    builds(context());
    let pid = compilers()[0];
    let mut descriptors: Vec<u32> = fs::read_dir(format!("/proc/{pid}/fd"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_str().unwrap().parse().unwrap())
        .collect();
    descriptors.sort_unstable();
    assert!(descriptors.starts_with(&[0, 1, 2, 3, 4]) && descriptors.len() <= 7, "{descriptors:?}");
    for stream in 0..3 {
        let target = fs::read_link(format!("/proc/{pid}/fd/{stream}")).unwrap();
        assert_eq!(target, Path::new("/dev/null"));
    }
    let environment = fs::read(format!("/proc/{pid}/environ")).unwrap();
    let environment = String::from_utf8_lossy(&environment).into_owned();
    assert!(!environment.contains("PATH=") && !environment.contains("OCL_ICD"), "{environment}");
    assert_eq!(fs::read_link(format!("/proc/{pid}/cwd")).unwrap(), Path::new("/"));
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let mask = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name)).unwrap();
        u64::from_str_radix(line[name.len()..].trim(), 16).unwrap()
    };
    assert_eq!((mask("SigBlk:"), mask("SigIgn:") & !(1 << (libc::SIGPIPE - 1))), (0, 0));
    let id = i32::try_from(pid).unwrap();
    // SAFETY: ask for the session of a process.
    assert_ne!(unsafe { libc::getsid(id) }, unsafe { libc::getsid(0) });
}

/// Paths are relative to the application's current directory at the time of the build.
fn relative_includes(folder: &Path) {
    let c = context();
    for number in [1, 2] {
        let here = folder.join(number.to_string());
        fs::create_dir_all(here.join("headers")).unwrap();
        fs::write(here.join("headers/number.h"), format!("#define NUMBER {number}\n")).unwrap();
        std::env::set_current_dir(&here).unwrap();
        let p = program(
            c,
            &format!(
                "#include \"number.h\"\n#if NUMBER != {number}\n#error another\n#endif\n\
                 kernel void k(global int *p) {{ *p = NUMBER; }}"
            ),
        );
        let code = cl!(clBuildProgram(p, 0, null(), c"-I headers".as_ptr(), None, null_mut()));
        assert_eq!(code, CL_SUCCESS, "{}", log(p));
    }
    fs::remove_dir_all(folder.join("2")).unwrap();
    builds(c);
}

/// The result of a build of a source that includes `header`, with its log. Successful if the header
/// defines `FOUND`.
fn includes(c: cl_context, header: &str, options: &str) -> (cl_int, String) {
    let text = format!("#include {header}\nkernel void k(global int *p) {{ *p = FOUND; }}");
    let p = program(c, &text);
    let options = CString::new(options).unwrap();
    let code = cl!(clBuildProgram(p, 0, null(), options.as_ptr(), None, null_mut()));
    let log = log(p).trim_end_matches('\0').to_owned();
    code!(CL_SUCCESS, clReleaseProgram(p));
    (code, log)
}

/// Makes `folder/top/project/src`, enters it, and puts headers beside, above and outside of it.
/// Returns the path of a header that no source there may include.
fn project(folder: &Path) -> String {
    let top = folder.join("top");
    let here = top.join("project/src");
    for below in ["headers/deep", ".hidden"] {
        fs::create_dir_all(here.join(below)).unwrap();
    }
    fs::create_dir_all(folder.join("outside")).unwrap();
    let found = "#define FOUND 1\n";
    for header in ["project/src/here", "project/src/headers/deep/deep", "project/up"] {
        fs::write(top.join(header), found).unwrap();
    }
    fs::write(top.join("up2"), found).unwrap();
    fs::write(here.join(".hidden/hidden"), found).unwrap();
    fs::write(here.join("headers/chain"), "#include \"../../up\"\n").unwrap();
    fs::write(folder.join("outside/out"), found).unwrap();
    fs::write(folder.join("outside/out.CL"), found).unwrap();
    std::os::unix::fs::symlink(folder.join("outside/out"), here.join("link")).unwrap();
    std::env::set_current_dir(here).unwrap();
    folder.join("outside/out").to_str().unwrap().to_owned()
}

/// What a source may include, and the message about what it may not.
fn included_files(folder: &Path) {
    let c = context();
    let outside = project(folder);
    // As hashcat includes its headers: by absolute paths.
    let elsewhere = format!("\"{outside}.CL\"");
    let absolute = |name: &str| format!("\"{}/{name}\"", folder.join("top").display());
    for (header, options) in [
        ("\"here\"", ""),
        ("<here>", ""),
        ("\"headers/deep/deep\"", ""),
        ("<deep>", "-I headers/deep"),
        ("<deep>", "-Iheaders/../headers/deep"),
        ("\"../up\"", ""),
        ("\"../../up2\"", ""),
        ("\"headers/chain\"", ""),
        ("<chain>", "-I headers"),
        ("\"link\"", ""),
        (".hidden/hidden", "-I .hidden"),
        ("<../../up>", "-I headers"),
        ("<out>", "-I ../../../outside"),
        (&absolute("up2"), ""),
        (&absolute("project/src/here"), ""),
        (&elsewhere, ""),
        ("NAMED", &format!("-D \"NAMED={}\"", elsewhere.replace('"', "\\\""))),
    ] {
        let header = if header.starts_with('.') { "\"hidden\"" } else { header };
        let (code, log) = includes(c, header, options);
        assert_eq!(code, CL_SUCCESS, "{header} {options}: {log}");
    }
    let why = "nor below the current directory or a folder of -I";
    for header in [
        &outside,
        "../../../outside/out",
        ".hidden/hidden",
        "/etc/passwd",
        "/proc/self/environ",
        "/proc/self/fd/0",
        "/dev/zero",
    ] {
        let (code, log) = includes(c, &format!("\"{header}\""), "");
        assert_eq!(code, CL_BUILD_PROGRAM_FAILURE, "{header}");
        assert!(log.contains("file not found"), "{header}: {log}");
        assert!(log.contains(header) && log.contains(why), "{header}: {log}");
    }
    let (code, log) = includes(c, "\"none\"", "");
    assert_eq!(code, CL_BUILD_PROGRAM_FAILURE);
    assert!(log.contains("file not found") && !log.contains(why), "{log}");
    // What is there, and no file that may be read.
    for (header, options) in [("<zero>", "-I /dev"), ("\"headers\"", "")] {
        let (code, _) = includes(c, header, options);
        assert_eq!(code, CL_BUILD_PROGRAM_FAILURE, "{header}");
    }
    let asks = format!(
        "#if __has_include(\"{outside}\")\n#error found\n#endif\n\
         #if !__has_include(\"here\")\n#error not found\n#endif\n\
         kernel void k(global int *p) {{ *p = 1; }}"
    );
    assert_eq!(build(c, &asks).0, CL_SUCCESS);
    assert_eq!(compilers().len(), 1);
}

fn any_file(folder: &Path) {
    let c = context();
    let outside = project(folder);
    assert_eq!(includes(c, &format!("\"{outside}\""), ""), (CL_SUCCESS, String::new()));
    assert_eq!(includes(c, "\"/dev/zero\"", "").0, CL_BUILD_PROGRAM_FAILURE);
}

fn inline_files(folder: &Path) {
    let c = context();
    let outside = project(folder);
    assert_eq!(includes(c, &format!("\"{outside}\""), ""), (CL_SUCCESS, String::new()));
    assert_eq!(includes(c, "\"../up\"", ""), (CL_SUCCESS, String::new()));
}

/// With a disk cache: each build sees the header as it is.
fn replaced_header(folder: &Path) {
    let c = context();
    project(folder);
    for number in [0, 1, 2, 1] {
        fs::write("here.h", format!("#define FOUND 1\n#define NUMBER {number}\n")).unwrap();
        let text = format!("\"here.h\"\n#if NUMBER != {number}\n#error another\n#endif");
        assert_eq!(includes(c, &text, ""), (CL_SUCCESS, String::new()), "{number}");
    }
    fs::remove_file("here.h").unwrap();
    assert_eq!(includes(c, "\"here.h\"", "").0, CL_BUILD_PROGRAM_FAILURE);
}

/// A part of other scenarios: builds, says so, and waits to be killed.
fn wait_for_end(folder: &Path) {
    builds(context());
    fs::write(folder.join("ready"), "").unwrap();
    std::thread::sleep(Duration::from_secs(60));
}

fn ends_with_the_application(folder: &Path) {
    let mut application = child("wait_for_end", folder).unwrap().spawn().unwrap();
    eventually("the application builds", || folder.join("ready").exists());
    let compilers = compilers_of(application.id());
    assert_eq!(compilers.len(), 1);
    application.kill().unwrap(); // SIGKILL
    application.wait().unwrap();
    eventually("the compiler ends", || !runs(compilers[0]));
}

fn ends_at_exec(folder: &Path) {
    use std::os::unix::process::CommandExt as _;
    // SAFETY: the child of this single-threaded process may do anything.
    let application = unsafe { libc::fork() };
    if application == 0 {
        builds(context());
        let pid = compilers()[0].to_string();
        fs::write(folder.join("pid"), pid).unwrap();
        let _ = std::process::Command::new("/bin/sleep").arg("60").exec();
        muxcl_os::end_process(1);
    }
    eventually("the application builds", || folder.join("pid").exists());
    let mut pid = 0;
    eventually("its file is written", || {
        pid = fs::read_to_string(folder.join("pid")).unwrap().parse().unwrap_or(0);
        pid != 0
    });
    eventually("the compiler ends", || !runs(pid));
    // SAFETY: the child above.
    unsafe {
        libc::kill(application, libc::SIGKILL);
        libc::waitpid(application, null_mut(), 0);
    }
}

/// Sends SIGSEGV to threads that compile, until it is dropped.
struct Crasher(&'static AtomicBool, Option<std::thread::JoinHandle<()>>);

impl Crasher {
    fn start() -> Self {
        static ON: AtomicBool = AtomicBool::new(false);
        ON.store(true, Ordering::Relaxed);
        let thread = std::thread::spawn(|| {
            while ON.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(300));
                for pid in compilers() {
                    let threads = fs::read_dir(format!("/proc/{pid}/task"));
                    for thread in threads.into_iter().flatten().flatten() {
                        let stat =
                            fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
                        if stat.contains("(compile) R") && ON.load(Ordering::Relaxed) {
                            let id: i64 = thread.file_name().to_str().unwrap().parse().unwrap();
                            // SAFETY: a thread of the driver's process.
                            unsafe {
                                libc::syscall(
                                    libc::SYS_tgkill,
                                    i64::from(pid),
                                    id,
                                    i64::from(libc::SIGSEGV),
                                )
                            };
                        }
                    }
                }
            }
        });
        Self(&ON, Some(thread))
    }
}

impl Drop for Crasher {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
        self.1.take().unwrap().join().unwrap();
    }
}

/// A crash is an error of the build, with a log and a request that can be repeated.
fn crashed(folder: &Path) {
    let c = context();
    builds(c);
    let source = slow_source(0);
    let crasher = Crasher::start();
    let (code, text) = build(c, &source);
    drop(crasher);
    assert_eq!(code, CL_BUILD_PROGRAM_FAILURE, "{text}");
    assert!(text.contains("the compiler crashed (SIGSEGV)\nphase: build\npass: "), "{text}");
    assert!(text.contains("--replay "), "{text}");
    let start = Instant::now();
    assert_eq!(build(c, &source), (CL_BUILD_PROGRAM_FAILURE, text), "not tried again");
    assert!(start.elapsed() < Duration::from_millis(300), "{:?}", start.elapsed());
    builds(c);
    let files: Vec<PathBuf> =
        fs::read_dir(folder.join("crashes")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 2, "{files:?}");
    let request = files.iter().find(|f| f.extension().unwrap() == "request").unwrap();
    let compiler = libraries().unwrap().join("muxcl-compiler");
    let replay = std::process::Command::new(compiler).arg("--replay").arg(request).output();
    let replay = replay.unwrap();
    let words = String::from_utf8_lossy(&replay.stderr).into_owned();
    assert!(replay.status.success() && words.contains("the program was built"), "{words}");
}

/// Builds on four threads while the process is killed again and again.
fn killed(_: &Path) {
    let c = context();
    builds(c);
    let over = AtomicBool::new(false);
    let at = c.expose_provenance();
    let (kills, failures) = (AtomicU32::new(0), AtomicU32::new(0));
    std::thread::scope(|scope| {
        let builders: Vec<_> = (0..4_u32)
            .map(|thread| {
                let failures = &failures;
                scope.spawn(move || {
                    let c = std::ptr::with_exposed_provenance_mut(at);
                    for number in 0..60 {
                        let source = format!(
                            "kernel void k(global int *p) {{ *p = {}; }}",
                            1000 * thread + number
                        );
                        let (code, log) = build(c, &source);
                        if code != CL_SUCCESS {
                            assert_eq!(code, CL_BUILD_PROGRAM_FAILURE, "{log}");
                            assert!(log.contains("the compiler's process ended"), "{log}");
                            failures.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                })
            })
            .collect();
        scope.spawn(|| {
            let mut wait = 3;
            while !over.load(Ordering::Relaxed) {
                wait = wait * 7 % 101;
                std::thread::sleep(Duration::from_millis(10 + wait));
                for pid in compilers() {
                    // SAFETY: a process of the driver's.
                    unsafe { libc::kill(i32::try_from(pid).unwrap(), libc::SIGKILL) };
                    kills.fetch_add(1, Ordering::Relaxed);
                }
            }
        });
        let ended: Vec<_> = builders.into_iter().map(|builder| builder.join()).collect();
        over.store(true, Ordering::Relaxed);
        ended.into_iter().for_each(|result| result.unwrap());
    });
    assert!(kills.load(Ordering::Relaxed) > 3, "{kills:?} kills");
    // A build fails if five processes that serve it are killed.
    assert!(failures.load(Ordering::Relaxed) < 100, "{failures:?} of 240 builds failed");
    builds(c);
}

/// The child of a `fork` has a compiler of its own, and the parent keeps its.
fn forked(_: &Path) {
    let c = context();
    builds(c);
    let parent = compilers();
    // SAFETY: no other thread of this process holds a lock for long.
    let id = unsafe { libc::fork() };
    if id == 0 {
        assert!(compilers().is_empty());
        let c = context();
        builds(c);
        assert_eq!(compilers().len(), 1);
        assert_ne!(compilers(), parent);
        muxcl_os::end_process(0);
    }
    let mut status = 0;
    // SAFETY: the child above.
    unsafe { libc::waitpid(id, &raw mut status, 0) };
    assert_eq!(status, 0, "the child");
    builds(c);
    assert_eq!(compilers(), parent);
}

/// More processor time than `MUXCL_BUILD_SECONDS`. A build beside it is repeated.
fn too_slow(_: &Path) {
    let c = context();
    let at = c.expose_provenance();
    std::thread::scope(|scope| {
        let slow = scope.spawn(move || {
            let start = Instant::now();
            let result = build(std::ptr::with_exposed_provenance_mut(at), &slow_source(1));
            (start.elapsed(), result)
        });
        while !slow.is_finished() {
            builds(c);
        }
        let (time, (code, log)) = slow.join().unwrap();
        assert_eq!(code, CL_BUILD_PROGRAM_FAILURE, "{log}");
        assert!(log.contains("MUXCL_BUILD_SECONDS") && log.contains("phase: build"), "{log}");
        assert!(time < Duration::from_secs(20), "{time:?}");
    });
    builds(c);
}

/// More memory than `MUXCL_BUILD_MB`.
fn too_large(_: &Path) {
    let c = context();
    builds(c);
    let (code, log) = build(c, &slow_source(2));
    assert_eq!(code, CL_BUILD_PROGRAM_FAILURE, "{log}");
    assert!(log.contains("more than 64 MiB of memory (MUXCL_BUILD_MB)"), "{log}");
    builds(c);
}

/// A program that clang reads for an hour: macros that expand to 2^40 times nothing.
fn endless_source() -> String {
    let mut text = "#define M0\n".to_owned();
    for i in 0..40 {
        text += &format!("#define M{} M{i} M{i}\n", i + 1);
    }
    text + "M40\nkernel void k() {}"
}

/// Calls of [`on_end`], each after a build that failed because it was cancelled.
static ENDS: AtomicU32 = AtomicU32::new(0);

extern "C" fn on_end(p: cl_program, _: *mut c_void) {
    let status = info!(clGetProgramBuildInfo(p, setup().device()), CL_PROGRAM_BUILD_STATUS);
    assert_eq!(status, CL_BUILD_ERROR.to_ne_bytes());
    assert!(log(p).contains("cancelled"), "{}", log(p));
    ENDS.fetch_add(1, Ordering::Relaxed);
}

/// Begins to compile a program, and returns while this goes on.
fn compile_endless(c: cl_context) -> cl_program {
    let p = program(c, &endless_source());
    code!(
        CL_SUCCESS,
        clCompileProgram(p, 0, null(), null(), 0, null(), null_mut(), Some(on_end), null_mut())
    );
    // A thread that has just answered another request may run for a moment.
    let mut seen = 0;
    eventually("the process compiles", || {
        seen = if compiles() { seen + 1 } else { 0 };
        seen == 20
    });
    assert!(in_progress(p));
    p
}

/// True if a thread of a compiler's process runs.
fn compiles() -> bool {
    compilers().iter().any(|pid| {
        let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
        threads
            .filter_map(|thread| fs::read_to_string(thread.path().join("stat")).ok())
            .any(|stat| stat.contains("(compile) R"))
    })
}

fn in_progress(p: cl_program) -> bool {
    let status = info!(clGetProgramBuildInfo(p, setup().device()), CL_PROGRAM_BUILD_STATUS);
    status == CL_BUILD_IN_PROGRESS.to_ne_bytes()
}

/// Waits for the callback of the cancelled build number `count`.
fn ends(count: u32) {
    let start = Instant::now();
    eventually("the callback", || ENDS.load(Ordering::Relaxed) == count);
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}

fn cancelled(_: &Path) {
    let c = context();
    builds(c);
    for count in 1..=3 {
        let [pid] = compilers()[..] else { panic!("one process: {:?}", compilers()) };
        let p = compile_endless(c);
        code!(CL_SUCCESS, clRetainProgram(p));
        code!(CL_SUCCESS, clReleaseProgram(p));
        std::thread::sleep(Duration::from_millis(200));
        assert!(in_progress(p), "the application has it");
        code!(CL_SUCCESS, clReleaseProgram(p));
        ends(count);
        eventually("the process ends", || !runs(pid));
        builds(c);
    }
    assert_eq!(ENDS.load(Ordering::Relaxed), 3);
}

/// The process ends only when the builds beside the cancelled one have ended, which succeed.
fn cancelled_beside_others(_: &Path) {
    let c = context();
    builds(c);
    let [pid] = compilers()[..] else { panic!("one process: {:?}", compilers()) };
    let p = compile_endless(c);
    let at = c.expose_provenance();
    let other = std::thread::spawn(move || {
        build(std::ptr::with_exposed_provenance_mut(at), &source_of_calls(3, 3000))
    });
    std::thread::sleep(Duration::from_millis(200));
    assert!(!other.is_finished());
    code!(CL_SUCCESS, clReleaseProgram(p));
    ends(1);
    builds(c);
    assert_eq!(compilers().len(), 2, "another process for new builds");
    assert!(runs(pid) && !other.is_finished());
    let (code, log) = other.join().unwrap();
    assert_eq!(code, CL_SUCCESS, "{log}");
    eventually("the process ends", || !runs(pid));
    builds(c);
    assert_eq!(compilers().len(), 1);
}

/// `clBuildProgram` with a callback waits for it, until another thread releases the program.
fn cancelled_build(_: &Path) {
    let c = context();
    builds(c);
    let pid = compilers()[0];
    let p = program(c, &endless_source());
    let at = p.expose_provenance();
    let waits = std::thread::spawn(move || {
        let p = std::ptr::with_exposed_provenance_mut(at);
        cl!(clBuildProgram(p, 0, null(), null(), Some(on_end), null_mut()))
    });
    std::thread::sleep(Duration::from_millis(300));
    assert!(in_progress(p) && !waits.is_finished());
    code!(CL_SUCCESS, clReleaseProgram(p));
    ends(1);
    assert_eq!(waits.join().unwrap(), CL_SUCCESS);
    eventually("the process ends", || !runs(pid));
    builds(c);
}

fn cancelled_link(_: &Path) {
    let c = context();
    // LLVM takes quadratic time for the sums of all ways through the switch.
    let cases: String = (0..8000).map(|i| format!("case {i}: x += {i};\n")).collect();
    let kernel = "kernel void k(global int *p) { int x = 0; switch (*p) {";
    let p = program(c, &format!("{kernel} {cases} }} *p = x; }}"));
    code!(
        CL_SUCCESS,
        clCompileProgram(p, 0, null(), null(), 0, null(), null_mut(), None, null_mut())
    );
    let pid = compilers()[0];
    let linked =
        make!(clLinkProgram(c, 0, null(), null(), 1, &raw const p, Some(on_end), null_mut()));
    std::thread::sleep(Duration::from_millis(200));
    assert!(in_progress(linked));
    code!(CL_SUCCESS, clReleaseProgram(p));
    std::thread::sleep(Duration::from_millis(200));
    assert!(in_progress(linked), "the link has a copy of its input");
    code!(CL_SUCCESS, clReleaseProgram(linked));
    ends(1);
    eventually("the process ends", || !runs(pid));
    builds(c);
}

/// The context ends with its last program, or when it is terminated.
fn cancelled_with_the_context(_: &Path) {
    let other = context();
    builds(other);
    let pid = compilers()[0];
    let c = context();
    let p = compile_endless(c);
    code!(CL_SUCCESS, clReleaseContext(c));
    std::thread::sleep(Duration::from_millis(200));
    assert!(in_progress(p), "the application has the program");
    code!(CL_SUCCESS, clReleaseProgram(p));
    ends(1);
    eventually("the process ends", || !runs(pid));
    builds(other);
    let pid = compilers()[0];
    let properties = [CL_CONTEXT_TERMINATE_KHR, 1, 0];
    let device = setup().device();
    let c = make!(clCreateContext(properties.as_ptr(), 1, &raw const device, None, null_mut()));
    let p = compile_endless(c);
    code!(CL_SUCCESS, clTerminateContextKHR(c));
    ends(2);
    eventually("the process ends", || !runs(pid));
    assert!(!in_progress(p));
    code!(CL_SUCCESS, clReleaseProgram(p));
    code!(CL_SUCCESS, clReleaseContext(c));
    builds(other);
}

/// A child of `fork` that releases its copy of the program cancels nothing.
fn cancelled_in_a_fork(_: &Path) {
    let c = context();
    let p = compile_endless(c);
    // SAFETY: no other thread of this process holds a lock for long.
    let id = unsafe { libc::fork() };
    if id == 0 {
        code!(CL_SUCCESS, clReleaseProgram(p));
        muxcl_os::end_process(0);
    }
    let mut status = 0;
    // SAFETY: the child above.
    unsafe { libc::waitpid(id, &raw mut status, 0) };
    assert_eq!(status, 0, "the child");
    std::thread::sleep(Duration::from_millis(200));
    assert!(in_progress(p));
    code!(CL_SUCCESS, clReleaseProgram(p));
    ends(1);
}

/// From a thread with 64 KiB of stack, with all signals blocked.
fn small_stack(_: &Path) {
    let at = context().expose_provenance();
    let thread = std::thread::Builder::new().stack_size(64 << 10).spawn(move || {
        let mut all = std::mem::MaybeUninit::uninit();
        // SAFETY: the set is initialised before its use.
        unsafe {
            libc::sigfillset(all.as_mut_ptr());
            libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), null_mut());
        }
        let c = std::ptr::with_exposed_provenance_mut(at);
        let source = "kernel void k(global int *p) { *p = 1; }";
        let code = build(c, source).0;
        let mut now = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
        // SAFETY: the set is written before it is read.
        let blocked = unsafe {
            libc::pthread_sigmask(libc::SIG_SETMASK, null(), now.as_mut_ptr());
            libc::sigismember(now.as_ptr(), libc::SIGUSR1)
        };
        assert_eq!(blocked, 1, "the thread's mask is as it was");
        code
    });
    assert_eq!(thread.unwrap().join().unwrap(), CL_SUCCESS);
}

/// Where no process can be started, the compiler is a library.
fn no_processes(_: &Path) {
    let c = context();
    let none = libc::rlimit { rlim_cur: 2, rlim_max: 2 };
    // SAFETY: a readable limit. Root is not limited, so this process becomes another user.
    let limited = unsafe {
        libc::setrlimit(libc::RLIMIT_NPROC, &raw const none) == 0
            && (libc::geteuid() != 0 || libc::setuid(65534) == 0)
    };
    assert!(limited);
    let source = "kernel void k(global int *p) { *p = 1; }";
    let (code, log) = build(c, source);
    // With so few threads, the library may have none for its work; and the other user may not be
    // allowed to read it. Then the log says so.
    let excuses = ["no thread to compile on", "cannot open shared object file"];
    let excused = excuses.iter().any(|excuse| log.contains(excuse));
    assert!(code == CL_SUCCESS || excused, "{code} {log}");
}

/// A program that does not run here, as if a library of it were missing.
fn no_program(_: &Path) {
    builds(context());
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    assert!(maps.contains("libmuxcl_compiler"), "the library took over");
}

/// A process with no descriptors left gets an error, and builds later.
fn no_descriptors(_: &Path) {
    let c = context();
    builds(c);
    let few = libc::rlimit { rlim_cur: 64, rlim_max: 64 };
    // SAFETY: a readable limit.
    unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const few) };
    let mut files = Vec::new();
    while let Ok(file) = fs::File::open("/dev/null") {
        files.push(file);
    }
    let source = "kernel void k(global int *p) { *p = 1; }";
    let (code, log) = build(c, source);
    assert_ne!(code, CL_SUCCESS);
    assert!(log.contains("open files"), "{log}");
    drop(files);
    builds(c);
}

/// A part of [`many_processes`].
fn build_one(_: &Path) {
    builds(context());
}

/// Many applications that build at once.
fn many_processes(folder: &Path) {
    let children: Vec<_> = (0..64_u32)
        .map(|n| child("build_one", &folder.join(n.to_string())).unwrap().spawn().unwrap())
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
}
