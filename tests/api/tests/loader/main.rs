//! The driver through the system's loader, on its real devices. Each scenario is a process of its
//! own, started by this program with `OCL_ICD_VENDORS` naming the driver that cargo built beside
//! it.
//!
//! On the host, also with the compiler as a library in the process.
//!
//! Needs `cargo build -p muxcl-icd -p muxcl-compiler-lib -p muxcl-compiler-process -p
//! muxcl-hal-refsi` (which `cargo xtask test` does first).

#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]

mod cxx;
mod opencl31;
mod overrun;

use std::ffi::c_void;
use std::path::Path;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Failed, Trial};
use muxcl_cl_sys::{
    CL_BUILD_ERROR, CL_BUILD_NONE, CL_BUILD_PROGRAM_FAILURE, CL_BUILD_SUCCESS,
    CL_COMPILER_NOT_AVAILABLE, CL_DEVICE_COMPILER_AVAILABLE,
    CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT, CL_DEVICE_MAX_COMPUTE_UNITS,
    CL_DEVICE_OPENCL_C_ALL_VERSIONS, CL_DEVICE_OPENCL_C_FEATURES,
    CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT, CL_KERNEL_ARG_ADDRESS_CONSTANT,
    CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ADDRESS_LOCAL, CL_KERNEL_ARG_ADDRESS_PRIVATE,
    CL_KERNEL_ARG_ADDRESS_QUALIFIER, CL_KERNEL_ARG_NAME, CL_KERNEL_ARG_TYPE_CONST,
    CL_KERNEL_ARG_TYPE_NAME, CL_KERNEL_ARG_TYPE_NONE, CL_KERNEL_ARG_TYPE_QUALIFIER,
    CL_KERNEL_ARG_TYPE_RESTRICT, CL_KERNEL_ARG_TYPE_VOLATILE, CL_KERNEL_ATTRIBUTES,
    CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES, CL_PLATFORM_NAME,
    CL_PROGRAM_BINARY_TYPE, CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
    CL_PROGRAM_BINARY_TYPE_EXECUTABLE, CL_PROGRAM_BINARY_TYPE_LIBRARY, CL_PROGRAM_BUILD_LOG,
    CL_PROGRAM_BUILD_OPTIONS, CL_PROGRAM_BUILD_STATUS, CL_PROGRAM_NUM_KERNELS, CL_SUCCESS, CL_TRUE,
    cl_command_queue, cl_context, cl_int, cl_mem, cl_name_version, cl_program, cl_version,
};
use muxcl_config::{
    MUXCL_CACHE, MUXCL_COMPILER, MUXCL_COMPILER_PATH, MUXCL_TEST_SECONDS, MUXCL_TEST_SEED,
};
use muxcl_test_api::api_fuzz::{ApiFuzz, Numbers, ProgramText};
use muxcl_test_api::drivers::{DEVICES, OnlyDevice, Scenario, alone, started_for};
use muxcl_test_api::{
    buffer, cl, code, context, errcode, fails, info, kernel, limit_memory, make, number,
    program_binary, setup,
};

const SOURCE: &std::ffi::CStr =
    c"kernel void twice(global uint *out) { out[get_global_id(0)] = 2 * get_global_id(0) + OFFSET; }
kernel void spin(global uint *out) { uint x = 1; for (uint i = 0; i < 400000000u; ++i) x = x * 1664525u + i; out[0] = x; }";
const ITEMS: usize = 1000;

/// The host with the compiler as a library in the process.
const INLINE: OnlyDevice =
    ("host-inline", &[("MUXCL_DEVICES", "host"), ("MUXCL_COMPILER", "inline")]);

const SCENARIOS: &[Scenario] = &[
    ("enumerate", enumerate),
    ("source", source),
    ("cached", cached),
    ("binary", binary),
    ("uncached_binary", uncached_binary),
    ("binary_alone", binary_alone),
    ("large_transfers", large_transfers),
    ("opencl_3_1", opencl31::requirements),
    ("overrun", overrun::overrun),
    ("cxx", cxx::cxx),
    ("released", released),
    ("threads", threads),
    ("building", building),
    ("broken_compiler", broken_compiler),
    ("printing", printing),
    ("linking", linking),
    ("large_sources", large_sources),
    ("argument_info", argument_info),
    ("asynchronous_builds", asynchronous_builds),
    ("forked", forked),
    ("exit_while_busy", exit_while_busy),
    ("starved", starved),
    ("starved_wait", starved_wait),
    ("random_calls", random_calls),
];

fn main() {
    if let Some(((name, scenario), folder)) = started_for(SCENARIOS) {
        if name == "random_calls" {
            muxcl_test_api::use_driver();
        } else {
            muxcl_test_api::use_loader();
        }
        scenario(&folder);
        return;
    }
    // The order matters: `cached` and the binaries use the results of `source`.
    let mut arguments = Arguments::from_args();
    arguments.test_threads = Some(1);
    let trials = DEVICES
        .iter()
        .chain([&INLINE])
        .flat_map(|device| SCENARIOS.iter().map(move |(name, _)| (device, *name)))
        .map(|(device, name)| {
            // The sanitizers themselves need more address space than the limit allows.
            #[expect(
                clippy::disallowed_methods,
                reason = "variables of the sanitizers, not of muxcl"
            )]
            let sanitized = ["ASAN_OPTIONS", "TSAN_OPTIONS"]
                .iter()
                .any(|name| std::env::var_os(name).is_some());
            Trial::test(format!("{}/{name}", device.0), move || run(device, name))
                .with_ignored_flag(name.starts_with("starved") && sanitized)
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit();
}

fn run(device: &OnlyDevice, name: &str) -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!(
        "loader-{}-{}",
        device.0,
        std::process::id()
    ));
    let child = |name: &str| {
        let mut command = alone(device, &folder)?;
        if matches!(name, "uncached_binary" | "binary_alone") {
            command.env(MUXCL_CACHE.name, "0");
        }
        if matches!(name, "broken_compiler" | "binary_alone") {
            let broken = folder.join("broken.so");
            std::fs::write(&broken, "no library")?;
            command.env(MUXCL_COMPILER_PATH.name, broken).env(MUXCL_COMPILER.name, "inline");
        }
        command.args(["--child", name]).arg(&folder).output()
    };
    if matches!(
        name,
        "cached" | "binary" | "uncached_binary" | "binary_alone" | "forked" | "starved"
    ) && !folder.join("binary").exists()
    {
        child("source")?;
    }
    let output = child(name)?;
    if output.status.success() {
        return if name == "printing" {
            printed(&String::from_utf8_lossy(&output.stdout))
        } else {
            Ok(())
        };
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Err(format!("{}\n{}{}", output.status, text(&output.stdout), text(&output.stderr)).into())
}

/// Names of this process's libraries that contain `part`.
fn mapped(part: &str) -> bool {
    std::fs::read_to_string("/proc/self/maps").unwrap_or_default().contains(part)
}

fn no_compiler() {
    assert!(mapped("libmuxcl.so"), "the driver is this process's");
    assert!(
        !mapped("libmuxcl_compiler") && !mapped("libLLVM") && !mapped("libclang"),
        "no compiler is mapped"
    );
}

/// A build has just been made. Only `MUXCL_COMPILER=inline` maps the compiler into this process.
fn compiler_was_used() {
    if MUXCL_COMPILER.get().is_some() {
        assert!(mapped("libmuxcl_compiler"), "a library in this process");
    } else {
        no_compiler();
    }
}

fn queue(c: cl_context) -> cl_command_queue {
    make!(clCreateCommandQueueWithProperties(c, setup().device(), null()))
}

fn from_source(c: cl_context) -> cl_program {
    let mut text = SOURCE.as_ptr();
    let p = make!(clCreateProgramWithSource(c, 1, &raw mut text, null()));
    let code = cl!(clBuildProgram(p, 0, null(), c"-DOFFSET=5".as_ptr(), None, null_mut()));
    let log = info!(clGetProgramBuildInfo(p, setup().device()), CL_PROGRAM_BUILD_LOG);
    assert_eq!(code, CL_SUCCESS, "{}", String::from_utf8_lossy(&log));
    p
}

fn from_binary(c: cl_context, folder: &Path) -> cl_program {
    let bytes = std::fs::read(folder.join("binary")).expect("scenario `source` wrote it");
    let p = muxcl_test_api::program_from(c, &[setup().device()], &bytes);
    code!(CL_SUCCESS, clBuildProgram(p, 0, null(), null(), None, null_mut()));
    p
}

/// Runs kernel `twice` and checks every item.
fn check(c: cl_context, p: cl_program) {
    let (q, k, out) = (queue(c), kernel(p, c"twice"), buffer(c, ITEMS * 4));
    code!(CL_SUCCESS, clSetKernelArg(k, 0, size_of::<cl_mem>(), (&raw const out).cast()));
    let global = ITEMS;
    code!(
        CL_SUCCESS,
        clEnqueueNDRangeKernel(q, k, 1, null(), &raw const global, null(), 0, null(), null_mut())
    );
    let mut result = vec![0_u32; ITEMS];
    let to = result.as_mut_ptr().cast();
    code!(
        CL_SUCCESS,
        clEnqueueReadBuffer(q, out, CL_TRUE, 0, ITEMS * 4, to, 0, null(), null_mut())
    );
    assert!(result.iter().enumerate().all(|(i, &x)| x as usize == 2 * i + 5), "{:?}", &result[..4]);
    code!(CL_SUCCESS, clReleaseMemObject(out));
    code!(CL_SUCCESS, clReleaseKernel(k));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
}

fn enumerate(_: &Path) {
    let d = setup().device();
    assert!(number(&info!(clGetDeviceInfo(d), CL_DEVICE_MAX_COMPUTE_UNITS)) > 0);
    assert_eq!(number(&info!(clGetDeviceInfo(d), CL_DEVICE_COMPILER_AVAILABLE)), 1);
    assert_eq!(
        number(&info!(clGetDeviceInfo(d), CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT)),
        0x7_0007,
        "everything"
    );
    assert_eq!(
        number(&info!(clGetDeviceInfo(d), CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT)),
        0x7_0007,
        "everything"
    );
    let c = context();
    code!(CL_SUCCESS, clReleaseContext(c));
    no_compiler();
}

fn source(folder: &Path) {
    let c = context();
    let p = from_source(c);
    compiler_was_used();
    check(c, p);
    std::fs::write(folder.join("binary"), program_binary(p)).unwrap();
    code!(CL_SUCCESS, clReleaseProgram(p));
    code!(CL_SUCCESS, clReleaseContext(c));
}

/// The build of `source` comes from the disk cache, including the kernel's variant.
fn cached(_: &Path) {
    let c = context();
    let p = from_source(c);
    check(c, p);
    no_compiler();
}

fn binary(folder: &Path) {
    let c = context();
    check(c, from_binary(c, folder));
    no_compiler();
}

/// Without the disk cache, a kernel of a binary is compiled for its local size, as in programs from
/// source.
fn uncached_binary(folder: &Path) {
    let c = context();
    let p = from_binary(c, folder);
    no_compiler();
    check(c, p);
    compiler_was_used();
}

/// A binary contains machine code, so it runs without a usable compiler and without the disk cache.
fn binary_alone(folder: &Path) {
    let c = context();
    check(c, from_binary(c, folder));
    no_compiler();
}

/// Blocking transfers that the driver splits over threads, because of their size.
fn large_transfers(_: &Path) {
    const BYTES: usize = (5 << 20) + 3;
    let c = context();
    let (q, mem) = (queue(c), buffer(c, BYTES + 7));
    for round in 0..4_usize {
        let data: Vec<u8> = (0..BYTES).map(|i| (i * 31 / 7 + round).to_le_bytes()[0]).collect();
        let mut back = vec![0_u8; BYTES];
        let (from, to) = (data.as_ptr().cast(), back.as_mut_ptr().cast());
        code!(
            CL_SUCCESS,
            clEnqueueWriteBuffer(q, mem, CL_TRUE, round, BYTES, from, 0, null(), null_mut())
        );
        code!(
            CL_SUCCESS,
            clEnqueueReadBuffer(q, mem, CL_TRUE, round, BYTES, to, 0, null(), null_mut())
        );
        assert!(data == back, "round {round}");
    }
}

/// The loader reads the dispatch table of every handle that it gets, even of a released one.
fn released(_: &Path) {
    let c = context();
    let mem = buffer(c, 64);
    let q = queue(c);
    code!(CL_SUCCESS, clReleaseMemObject(mem));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    code!(CL_SUCCESS, clReleaseContext(c));
    code!(CL_INVALID_MEM_OBJECT, clReleaseMemObject(mem));
    code!(CL_INVALID_COMMAND_QUEUE, clFinish(q));
    code!(CL_INVALID_CONTEXT, clRetainContext(c));
    code!(CL_INVALID_CONTEXT, clRetainContext(mem.cast()));
    code!(
        CL_INVALID_PLATFORM,
        clGetPlatformInfo(c.cast(), CL_PLATFORM_NAME, 0, null_mut(), null_mut())
    );
}

fn threads(_: &Path) {
    let c = context();
    let p = from_source(c);
    let (c, p) = (c.expose_provenance(), p.expose_provenance());
    let threads: Vec<_> = (0..8)
        .map(|_| {
            std::thread::spawn(move || {
                let (c, p) = (
                    std::ptr::with_exposed_provenance_mut(c),
                    std::ptr::with_exposed_provenance_mut(p),
                );
                for _ in 0..20 {
                    check(c, p);
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}

/// The child of a fork can use the driver with objects of its own, even if the parent used it.
fn forked(folder: &Path) {
    let c = context();
    check(c, from_binary(c, folder));
    // SAFETY: the program has no other thread; the test is about the driver's own threads.
    let child = unsafe { libc::fork() };
    assert!(child >= 0);
    if child == 0 {
        let c = context();
        check(c, from_binary(c, folder));
        // SAFETY: ends the child at once and runs none of the parent's exit handlers.
        unsafe { libc::_exit(0) };
    }
    let mut status = -1;
    // SAFETY: the child is ours; the status is written.
    let waited = unsafe { libc::waitpid(child, &raw mut status, 0) };
    assert_eq!((waited, status), (child, 0));
    check(c, from_binary(c, folder));
}

/// Leaving `main` with a kernel running must neither crash nor wait for it.
fn exit_while_busy(_: &Path) {
    let c = context();
    let p = from_source(c);
    let (q, k, out) = (queue(c), kernel(p, c"spin"), buffer(c, 64));
    code!(CL_SUCCESS, clSetKernelArg(k, 0, size_of::<cl_mem>(), (&raw const out).cast()));
    let global = 64;
    code!(
        CL_SUCCESS,
        clEnqueueNDRangeKernel(q, k, 1, null(), &raw const global, null(), 0, null(), null_mut())
    );
    code!(CL_SUCCESS, clFlush(q));
}

/// The random calls of `api_fuzz.rs` on real devices, briefly or for `MUXCL_TEST_SECONDS` seconds.
fn random_calls(folder: &Path) {
    let (start, first) = (Instant::now(), MUXCL_TEST_SEED.parse::<u64>().unwrap_or(1));
    let length = Duration::from_secs(MUXCL_TEST_SECONDS.parse::<u64>().unwrap_or(2));
    let text = c"kernel void empty() {} kernel void two(global int *p, float4 v) {}
        #ifdef __opencl_c_device_enqueue
        void enqueue(queue_t q) {
            clk_event_t first, go = create_user_event();
            if (enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(3), 1, &go, &first, ^{ int a[9]; a[2] = 1; }) == 0) {
                enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(2), 1, &first, NULL, ^(local void *p) {
                    ((local int *)p)[get_local_id(0)] = 7;
                }, 64);
                release_event(first);
            }
            set_user_event_status(go, get_global_id(0) % 3 == 1 ? -3 : 0);
            release_event(go);
        }
        kernel void family(void) { enqueue(get_default_queue()); }
        kernel void given(queue_t q) { enqueue(q); }
        #endif";
    for seed in first.. {
        std::fs::write(folder.join("api-fuzz-seed"), seed.to_string()).unwrap();
        let mut fuzz =
            ApiFuzz::new(Numbers::Seed(fastrand::Rng::with_seed(seed)), ProgramText::Source(text));
        for _ in 0..2000 {
            fuzz.step();
        }
        fuzz.finish();
        if start.elapsed() > length {
            break;
        }
    }
}

unsafe extern "C" fn never(_: cl_program, _: *mut c_void) {
    panic!("called for a build that was not begun");
}

/// Takes the stacks and the heaps that the C library keeps from threads that have ended, such as
/// those of RefSi's translator: new threads and allocations would use them in spite of a limit.
fn take_kept_memory() {
    let threads: Vec<_> = (0..8)
        .map(|_| {
            let (started, wait) = std::sync::mpsc::channel();
            let keep = move || {
                // The first allocation gives the thread its heap.
                started.send(Box::new(0)).unwrap();
                loop {
                    std::thread::park();
                }
            };
            std::thread::Builder::new().stack_size(8 << 20).spawn(keep).unwrap();
            wait
        })
        .collect();
    for started in threads {
        started.recv().unwrap();
    }
}

/// When memory runs out, every call that needs memory reports it, existing objects can be released,
/// and afterwards all calls work again.
fn starved(folder: &Path) {
    const MOST: usize = 1 << 21;
    let c = context();
    let p = from_source(c);
    check(c, p);
    take_kept_memory();
    let q = queue(c);
    let k = kernel(p, c"twice");
    let shared = buffer(c, ITEMS * 4);
    code!(CL_SUCCESS, clSetKernelArg(k, 0, size_of::<cl_mem>(), (&raw const shared).cast()));
    let mut handles: Vec<*mut c_void> = Vec::with_capacity(MOST);
    let ended = |code: cl_int| {
        assert!(
            [CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES, CL_MEM_OBJECT_ALLOCATION_FAILURE]
                .contains(&code),
            "an error that says what ended: {code}"
        );
    };
    for kind in 0..5 {
        let gate = make!(clCreateUserEvent(c));
        limit_memory(Some(16 << 20));
        let end = loop {
            assert!(handles.len() < MOST, "memory ends before");
            let mut code = CL_SUCCESS;
            let mut text = SOURCE.as_ptr();
            let mut event = null_mut();
            let bytes = [7_u8; 64];
            let handle: *mut c_void = match kind {
                0 => cl!(clCreateUserEvent(c, &raw mut code)).cast(),
                1 => {
                    cl!(clCreateBuffer(c, 32, 64, bytes.as_ptr().cast_mut().cast(), &raw mut code))
                        .cast()
                }
                2 => cl!(clCreateKernel(p, c"twice".as_ptr(), &raw mut code)).cast(),
                3 => cl!(clCreateProgramWithSource(c, 1, &raw mut text, null(), &raw mut code))
                    .cast(),
                // Commands that wait accumulate.
                _ => {
                    let (one, to) = (ITEMS, &raw mut event);
                    code = cl!(clEnqueueNDRangeKernel(
                        q,
                        k,
                        1,
                        null(),
                        &raw const one,
                        null(),
                        1,
                        &raw const gate,
                        to
                    ));
                    event.cast()
                }
            };
            if code != CL_SUCCESS {
                break code;
            }
            handles.push(handle);
        };
        ended(end);
        assert!(handles.len() > 100, "kind {kind}: only {} fitted", handles.len());
        // The build runs out of memory, or succeeds.
        let mut code = CL_SUCCESS;
        let mut text = c"kernel void other(global int *o) { o[0] = 3; }".as_ptr();
        let other = cl!(clCreateProgramWithSource(c, 1, &raw mut text, null(), &raw mut code));
        if code == CL_SUCCESS {
            let code = cl!(clBuildProgram(other, 0, null(), null(), None, null_mut()));
            // Reason for the last code: the compiler library is not loaded yet, because the program
            // came from the disk cache, and it does not fit into the remaining memory.
            let allowed = [
                CL_SUCCESS,
                CL_BUILD_PROGRAM_FAILURE,
                CL_OUT_OF_HOST_MEMORY,
                CL_COMPILER_NOT_AVAILABLE,
            ];
            assert!(allowed.contains(&code), "{code}");
            code!(CL_SUCCESS, clReleaseProgram(other));
        } else {
            ended(code);
        }
        code!(CL_SUCCESS, clSetUserEventStatus(gate, 0));
        code!(CL_SUCCESS, clFinish(q));
        for handle in handles.drain(..) {
            match kind {
                0 | 4 => code!(CL_SUCCESS, clReleaseEvent(handle.cast())),
                1 => code!(CL_SUCCESS, clReleaseMemObject(handle.cast())),
                2 => code!(CL_SUCCESS, clReleaseKernel(handle.cast())),
                _ => code!(CL_SUCCESS, clReleaseProgram(handle.cast())),
            }
        }
        code!(CL_SUCCESS, clReleaseEvent(gate));
        limit_memory(None);
        check(c, p);
    }
    // Too little memory for the stack of another thread.
    let text = program_of(c, b"kernel void other(global int *o) { o[0] = 5; }");
    let object = program_of(c, b"int f(int x) { return x; }");
    code!(
        CL_SUCCESS,
        clCompileProgram(object, 0, null(), null(), 0, null(), null_mut(), None, null_mut())
    );
    // A build thread has a stack of 8 MiB.
    limit_memory(Some(4 << 20));
    let (told, one) =
        (Some(never as unsafe extern "C" fn(cl_program, *mut c_void)), &raw const object);
    code!(CL_OUT_OF_RESOURCES, clBuildProgram(text, 0, null(), null(), told, null_mut()));
    code!(
        CL_OUT_OF_RESOURCES,
        clCompileProgram(text, 0, null(), null(), 0, null(), null_mut(), told, null_mut())
    );
    fails!(CL_OUT_OF_RESOURCES, clLinkProgram(c, 0, null(), null(), 1, one, told, null_mut()));
    limit_memory(None);
    code!(CL_SUCCESS, clBuildProgram(text, 0, null(), null(), None, null_mut()));
    check(c, from_binary(c, folder));
    // A program that no build had enough memory for.
    let p = program_of(c, b"kernel void other(global int *o) { o[0] = 4; }");
    code!(CL_SUCCESS, clBuildProgram(p, 0, null(), null(), None, null_mut()));
}

/// A thread that never slept in the driver waits for a command when no memory is left.
fn starved_wait(_: &Path) {
    static READY: AtomicUsize = AtomicUsize::new(0);
    let c = context();
    let (q, gate) = (queue(c), make!(clCreateUserEvent(c)));
    code!(CL_SUCCESS, clEnqueueMarkerWithWaitList(q, 1, &raw const gate, null_mut()));
    code!(CL_SUCCESS, clFlush(q));
    let address = q.expose_provenance();
    let waiting = std::thread::spawn(move || {
        let mut blocks: Vec<*mut c_void> = Vec::with_capacity(1 << 20);
        let q: cl_command_queue = std::ptr::with_exposed_provenance_mut(address);
        // The driver's thread-local storage exists.
        code!(CL_SUCCESS, clRetainCommandQueue(q));
        code!(CL_SUCCESS, clReleaseCommandQueue(q));
        limit_memory(Some(0));
        for size in [1 << 18, 1 << 14, 1 << 10, 1 << 7, 1 << 5, 1] {
            while blocks.len() < blocks.capacity() {
                // SAFETY: the block is only freed.
                let block = unsafe { libc::malloc(size) };
                if block.is_null() {
                    break;
                }
                blocks.push(block);
            }
        }
        READY.store(1, Ordering::SeqCst);
        let code = cl!(clFinish(q));
        for block in blocks {
            // SAFETY: a block of `malloc`, freed once.
            unsafe { libc::free(block) };
        }
        code
    });
    while READY.load(Ordering::SeqCst) == 0 {
        std::thread::yield_now();
    }
    std::thread::sleep(Duration::from_millis(200));
    limit_memory(None);
    code!(CL_SUCCESS, clSetUserEventStatus(gate, 0));
    assert_eq!(waiting.join().unwrap(), CL_SUCCESS);
}

fn program_of(c: cl_context, source: &[u8]) -> cl_program {
    let (mut at, length) = (source.as_ptr().cast(), source.len());
    make!(clCreateProgramWithSource(c, 1, &raw mut at, &raw const length))
}

fn log_of(p: cl_program) -> String {
    String::from_utf8_lossy(&info!(
        clGetProgramBuildInfo(p, setup().device()),
        CL_PROGRAM_BUILD_LOG
    ))
    .into_owned()
}

fn status_of(p: cl_program) -> cl_int {
    let status = info!(clGetProgramBuildInfo(p, setup().device()), CL_PROGRAM_BUILD_STATUS);
    cl_int::from_ne_bytes(status.try_into().unwrap())
}

/// Programs can be written in each listed version of the language, in 2.0 if kernels can enqueue.
fn versions(c: cl_context) {
    let d = setup().device();
    let listed = info!(clGetDeviceInfo(d), CL_DEVICE_OPENCL_C_ALL_VERSIONS);
    let versions: Vec<u32> = listed
        .chunks_exact(size_of::<cl_name_version>())
        .map(|entry| cl_version::from_ne_bytes(entry[..4].try_into().unwrap()) >> 12)
        .collect();
    for version in &versions {
        let (major, minor) = (version >> 10, version & 0x3ff);
        let text = format!(
            "#if __OPENCL_C_VERSION__ != {major}{minor}0\n#error\n#endif\nkernel void k(global int *o) {{ o[0] = 1; }}"
        );
        let options = std::ffi::CString::new(format!("-cl-std=CL{major}.{minor}")).unwrap();
        let p = program_of(c, text.as_bytes());
        code!(CL_SUCCESS, clBuildProgram(p, 0, null(), options.as_ptr(), None, null_mut()));
    }
    let features = info!(clGetDeviceInfo(d), CL_DEVICE_OPENCL_C_FEATURES);
    let enqueues = features.windows(25).any(|name| name == b"__opencl_c_device_enqueue");
    assert_eq!(versions.contains(&(2 << 10)), enqueues, "{versions:x?}");
    assert!(
        [1 << 10, 1 << 10 | 1, 1 << 10 | 2, 3 << 10, 3 << 10 | 1]
            .iter()
            .all(|v| versions.contains(v)),
        "{versions:x?}"
    );
}

/// Failing builds, and valid calls after them.
fn building(_: &Path) {
    let c = context();
    versions(c);
    let p = program_of(c, b"kernel void k(global int *o) {\n  o[0] = missing;\n}\n");
    assert_eq!(status_of(p), CL_BUILD_NONE);
    code!(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(p, 0, null(), null(), None, null_mut()));
    assert_eq!(status_of(p), CL_BUILD_ERROR);
    let log = log_of(p);
    assert!(log.contains(":2:10: error:") && log.contains("missing") && log.contains('^'), "{log}");
    fails!(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(p, c"k".as_ptr()));
    // The same program builds with a definition. Without the definition the build fails again and
    // discards the executable.
    code!(CL_SUCCESS, clBuildProgram(p, 0, null(), c"-Dmissing=1".as_ptr(), None, null_mut()));
    assert_eq!(status_of(p), CL_BUILD_SUCCESS);
    let k = kernel(p, c"k");
    code!(CL_INVALID_OPERATION, clBuildProgram(p, 0, null(), null(), None, null_mut()));
    code!(
        CL_INVALID_OPERATION,
        clCompileProgram(p, 0, null(), null(), 0, null(), null_mut(), None, null_mut())
    );
    code!(CL_SUCCESS, clReleaseKernel(k));
    code!(
        CL_INVALID_BUILD_OPTIONS,
        clBuildProgram(p, 0, null(), c"-no-such-option".as_ptr(), None, null_mut())
    );
    assert_eq!(status_of(p), CL_BUILD_ERROR);
    assert!(log_of(p).contains("-no-such-option"), "{}", log_of(p));
    let options = info!(clGetProgramBuildInfo(p, setup().device()), CL_PROGRAM_BUILD_OPTIONS);
    assert_eq!(options, b"-no-such-option\0");
    code!(
        CL_INVALID_COMPILER_OPTIONS,
        clCompileProgram(
            p,
            0,
            null(),
            c"-no-such-option".as_ptr(),
            0,
            null(),
            null_mut(),
            None,
            null_mut()
        )
    );
    code!(
        CL_COMPILE_PROGRAM_FAILURE,
        clCompileProgram(p, 0, null(), null(), 0, null(), null_mut(), None, null_mut())
    );
    fails!(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(p, c"k".as_ptr()));
    code!(CL_SUCCESS, clReleaseProgram(p));
    // Bytes that are not text, in a comment and in code, and an embedded NUL.
    for (source, builds) in [
        (&b"// \xff\xfe\nkernel void k() {}\n"[..], true),
        (b"kernel void k\xff() {}\n", false),
        (b"kernel void k() {}\n\0", false),
        (b"", true),
        (b"#error no\n", false),
        (b"#include <no/such/file.h>\n", false),
    ] {
        let p = program_of(c, if source.is_empty() { b"\n" } else { source });
        let code = cl!(clBuildProgram(p, 0, null(), null(), None, null_mut()));
        let shown = String::from_utf8_lossy(source);
        let allowed = if builds {
            code == CL_SUCCESS
        } else {
            matches!(code, CL_BUILD_PROGRAM_FAILURE | CL_SUCCESS)
        };
        assert!(allowed, "{shown:?}: {code}, {}", log_of(p));
        assert_eq!(
            status_of(p),
            if code == CL_SUCCESS { CL_BUILD_SUCCESS } else { CL_BUILD_ERROR }
        );
        assert!(code == CL_SUCCESS || log_of(p).len() > 5, "{shown:?} fails with a reason");
        code!(CL_SUCCESS, clReleaseProgram(p));
    }
    code!(CL_SUCCESS, clReleaseContext(c));
}

/// A compiler library that cannot be loaded gives the specification's error, with the reason in the
/// log.
fn broken_compiler(_: &Path) {
    let c = context();
    let mut text = SOURCE.as_ptr();
    let p = make!(clCreateProgramWithSource(c, 1, &raw mut text, null()));
    code!(CL_COMPILER_NOT_AVAILABLE, clBuildProgram(p, 0, null(), null(), None, null_mut()));
    let log = info!(clGetProgramBuildInfo(p, setup().device()), CL_PROGRAM_BUILD_LOG);
    assert!(
        String::from_utf8_lossy(&log).contains("broken.so"),
        "{}",
        String::from_utf8_lossy(&log)
    );
}

/// Work-items that print more than any buffer holds at once; see [`printed`].
fn printing(_: &Path) {
    let c = context();
    let source = c"kernel void k(int n) {
        for (int i = 0; i < n; ++i) printf(\"%d %d %s %v2hlf\\n\", (int)get_global_id(0), i, i % 2 ? \"odd\" : \"even\", (float2)(i, 0.5f));
        if (get_global_id(0) == 0) printf(\"bad format: %d\\n\", printf(\"%k\"));
        if (get_global_id(0) == 0) printf(\"sizes: %zu %td\\n\", (size_t)-n, (ptrdiff_t)-n);
    }";
    let mut text = source.as_ptr();
    let p = make!(clCreateProgramWithSource(c, 1, &raw mut text, null()));
    code!(CL_SUCCESS, clBuildProgram(p, 0, null(), null(), None, null_mut()));
    let (q, k) = (queue(c), kernel(p, c"k"));
    let lines = PRINTED_LINES;
    code!(CL_SUCCESS, clSetKernelArg(k, 0, 4, (&raw const lines).cast()));
    let items = PRINTING_ITEMS;
    code!(
        CL_SUCCESS,
        clEnqueueNDRangeKernel(q, k, 1, null(), &raw const items, null(), 0, null(), null_mut())
    );
    code!(CL_SUCCESS, clFinish(q));
    // Later output must come after it.
    #[expect(clippy::print_stdout, reason = "the test that started this process reads it")]
    {
        println!("end");
    }
}

const PRINTING_ITEMS: usize = 300;
const PRINTED_LINES: i32 = 100;

/// Every line appears once, those of a work-item in order, and all before `end`.
fn printed(text: &str) -> Result<(), Failed> {
    let mut next = [0; PRINTING_ITEMS];
    let mut lines: Vec<&str> = text.lines().collect();
    if lines.pop() != Some("end") {
        return Err("clFinish returned before everything was printed".into());
    }
    let bad =
        lines.iter().position(|l| *l == "bad format: -1").ok_or("no line about the bad format")?;
    lines.remove(bad);
    let all = [u64::MAX - 99, u64::from(u32::MAX) - 99].map(|size| format!("sizes: {size} -100"));
    let sizes = lines.iter().position(|l| all.iter().any(|known| known == l));
    lines.remove(sizes.ok_or("no line about sizes")?);
    for line in lines {
        let mut words = line.split(' ');
        let item: usize = words.next().unwrap_or_default().parse()?;
        let expected = next.get_mut(item).ok_or("a work-item there is not")?;
        let parity = if *expected % 2 == 1 { "odd" } else { "even" };
        if line != format!("{item} {expected} {parity} {expected}.000000,0.500000") {
            return Err(format!("unexpected line: {line}").into());
        }
        *expected += 1;
    }
    if next.iter().all(|n| *n == PRINTED_LINES) { Ok(()) } else { Err("lines are missing".into()) }
}

fn linking(_: &Path) {
    let c = context();
    let compile = |source: &[u8]| {
        let p = program_of(c, source);
        code!(
            CL_SUCCESS,
            clCompileProgram(p, 0, null(), null(), 0, null(), null_mut(), None, null_mut())
        );
        p
    };
    let kind =
        |p| number(&info!(clGetProgramBuildInfo(p, setup().device()), CL_PROGRAM_BINARY_TYPE));
    let object =
        compile(b"int f(int); kernel void twice(global uint *o) { o[get_global_id(0)] = f(get_global_id(0)); }");
    let helper = compile(b"int f(int x) { return 2 * x + 5; }");
    assert_eq!(kind(object), u64::from(CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT));
    fails!(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(object, c"twice".as_ptr()));
    let link = |programs: &[cl_program], options: &std::ffi::CStr| {
        let count = u32::try_from(programs.len()).unwrap();
        let mut code = 1;
        let o = options.as_ptr();
        let p = cl!(clLinkProgram(
            c,
            0,
            null(),
            o,
            count,
            programs.as_ptr(),
            None,
            null_mut(),
            &raw mut code
        ));
        (p, code)
    };
    let (p, code) = link(&[object, helper], c"");
    assert_eq!((code, kind(p)), (CL_SUCCESS, u64::from(CL_PROGRAM_BINARY_TYPE_EXECUTABLE)));
    check(c, p);
    code!(CL_INVALID_OPERATION, clBuildProgram(p, 0, null(), null(), None, null_mut()));
    code!(CL_SUCCESS, clReleaseProgram(p));
    let (library, code) = link(&[helper], c"-create-library");
    assert_eq!((code, kind(library)), (CL_SUCCESS, u64::from(CL_PROGRAM_BINARY_TYPE_LIBRARY)));
    let (p, code) = link(&[object, library], c"");
    assert_eq!(code, CL_SUCCESS);
    check(c, p);
    code!(CL_SUCCESS, clReleaseProgram(p));
    // A missing function: an error, and a program whose log names the function.
    let p = errcode!(
        CL_LINK_PROGRAM_FAILURE,
        clLinkProgram(c, 0, null(), null(), 1, &raw const object, None, null_mut())
    );
    assert!(
        !p.is_null() && status_of(p) == CL_BUILD_ERROR && log_of(p).contains('f'),
        "{}",
        log_of(p)
    );
    code!(CL_SUCCESS, clReleaseProgram(p));
    let (one, bogus) = (&raw const object, c"-bogus".as_ptr());
    fails!(CL_INVALID_LINKER_OPTIONS, clLinkProgram(c, 0, null(), bogus, 1, one, None, null_mut()));
    // A header in memory, included by the name that the call gives it.
    let header = program_of(c, b"#define FIVE 5\n");
    let with_header =
        program_of(c, b"#include \"deep/five.h\"\nint f(int x) { return 2 * x + FIVE; }");
    let mut name = c"deep/five.h".as_ptr();
    let compiled = cl!(clCompileProgram(
        with_header,
        0,
        null(),
        null(),
        1,
        &raw const header,
        &raw mut name,
        None,
        null_mut()
    ));
    assert_eq!(compiled, CL_SUCCESS, "{}", log_of(with_header));
    let (p, code) = link(&[object, with_header], c"");
    assert_eq!(code, CL_SUCCESS);
    check(c, p);
    for p in [p, object, helper, library, header, with_header] {
        code!(CL_SUCCESS, clReleaseProgram(p));
    }
    code!(CL_SUCCESS, clReleaseContext(c));
}

/// 2 MB of source, and 500 kernels.
fn large_sources(_: &Path) {
    let c = context();
    let mut text = String::from(
        "kernel void twice(global uint *o) { uint i = get_global_id(0); o[i] = 2 * i + 5; }\n",
    );
    while text.len() < 2 << 20 {
        text.push_str(
            "/* a comment that makes the source long, and nothing else, over and over again */\n",
        );
    }
    let p = program_of(c, text.as_bytes());
    code!(CL_SUCCESS, clBuildProgram(p, 0, null(), null(), None, null_mut()));
    check(c, p);
    code!(CL_SUCCESS, clReleaseProgram(p));
    let mut text = String::from(
        "kernel void twice(global uint *o) { uint i = get_global_id(0); o[i] = 2 * i + 5; }\n",
    );
    for i in 1..500 {
        use std::fmt::Write as _;
        writeln!(text, "kernel void k{i}(global float *o) {{ o[get_global_id(0)] *= {i}; }}")
            .unwrap();
    }
    let p = program_of(c, text.as_bytes());
    code!(CL_SUCCESS, clBuildProgram(p, 0, null(), null(), None, null_mut()));
    assert_eq!(number(&info!(clGetProgramInfo(p), CL_PROGRAM_NUM_KERNELS)), 500);
    check(c, p);
    let mut all = vec![null_mut(); 500];
    code!(CL_SUCCESS, clCreateKernelsInProgram(p, 500, all.as_mut_ptr(), null_mut()));
    for k in all {
        code!(CL_SUCCESS, clReleaseKernel(k));
    }
    code!(CL_SUCCESS, clReleaseProgram(p));
    code!(CL_SUCCESS, clReleaseContext(c));
}

fn argument_info(_: &Path) {
    let c = context();
    let source = b"__attribute__((reqd_work_group_size(8, 2, 1))) kernel void k(
        global const float4 *restrict in, constant int *table, local volatile uchar *scratch, const ulong n, float3 v) {}";
    let p = program_of(c, source);
    code!(
        CL_SUCCESS,
        clBuildProgram(p, 0, null(), c"-cl-kernel-arg-info".as_ptr(), None, null_mut())
    );
    let k = kernel(p, c"k");
    let expected = [
        (
            "in",
            "float4*",
            CL_KERNEL_ARG_ADDRESS_GLOBAL,
            CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT,
        ),
        ("table", "int*", CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_TYPE_CONST),
        ("scratch", "uchar*", CL_KERNEL_ARG_ADDRESS_LOCAL, CL_KERNEL_ARG_TYPE_VOLATILE),
        ("n", "ulong", CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_TYPE_NONE),
        ("v", "float3", CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_TYPE_NONE),
    ];
    for (i, (name, type_name, address, qualifiers)) in (0..).zip(expected) {
        let text = |query| muxcl_test_api::text(&info!(clGetKernelArgInfo(k, i), query));
        assert_eq!(
            (text(CL_KERNEL_ARG_NAME).as_str(), text(CL_KERNEL_ARG_TYPE_NAME).as_str()),
            (name, type_name)
        );
        assert_eq!(
            number(&info!(clGetKernelArgInfo(k, i), CL_KERNEL_ARG_ADDRESS_QUALIFIER)),
            u64::from(address),
            "{name}"
        );
        assert_eq!(
            number(&info!(clGetKernelArgInfo(k, i), CL_KERNEL_ARG_TYPE_QUALIFIER)),
            qualifiers,
            "{name}"
        );
    }
    let attributes = muxcl_test_api::text(&info!(clGetKernelInfo(k), CL_KERNEL_ATTRIBUTES));
    assert_eq!(attributes.replace(' ', ""), "reqd_work_group_size(8,2,1)");
    // A vector of three has the size of four.
    let bytes = [0_u8; 16];
    code!(CL_SUCCESS, clSetKernelArg(k, 4, 16, bytes.as_ptr().cast()));
    code!(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 4, 12, bytes.as_ptr().cast()));
    code!(CL_SUCCESS, clReleaseKernel(k));
    code!(CL_SUCCESS, clReleaseProgram(p));
    code!(CL_SUCCESS, clReleaseContext(c));
}

static DONE: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn done(_: cl_program, _: *mut c_void) {
    DONE.fetch_add(1, Ordering::SeqCst);
}

/// Sixteen programs at once; some are released while they are built.
fn asynchronous_builds(_: &Path) {
    let c = context();
    let programs: Vec<cl_program> = (0..16)
        .map(|i| {
            let text = format!(
                "kernel void twice(global uint *o) {{ uint i = get_global_id(0); o[i] = 2 * i + 5; /* {i} */ }}"
            );
            let p = program_of(c, text.as_bytes());
            code!(CL_SUCCESS, clBuildProgram(p, 0, null(), null(), Some(done), null_mut()));
            p
        })
        .collect();
    for p in &programs[8..] {
        code!(CL_SUCCESS, clReleaseProgram(*p));
    }
    let start = Instant::now();
    while DONE.load(Ordering::SeqCst) != 16 {
        assert!(start.elapsed().as_secs() < 120, "{} callbacks came", DONE.load(Ordering::SeqCst));
        std::thread::sleep(Duration::from_millis(1));
    }
    for p in &programs[..8] {
        check(c, *p);
        code!(CL_SUCCESS, clReleaseProgram(*p));
    }
    code!(CL_SUCCESS, clReleaseContext(c));
}
