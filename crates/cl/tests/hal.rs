//! Contexts of devices that do not share memory: the host and two devices of a HAL inside the test.
//! Content moves with the commands that use it, maps work if the host sees no device memory, and a
//! failing device disturbs no other device.
#![expect(
    clippy::unwrap_used,
    clippy::multiple_unsafe_ops_per_block,
    reason = "a test may fail anywhere"
)]

#[path = "../../mux-hal/tests/common/mod.rs"]
mod fake;

use fake::{FakeHal, KERNELS, Knobs, elf};
use muxcl_cl_sys::*;
use muxcl_mux_hal::HalDevice;
use muxcl_types::container::{Binary, BinaryKind};
use muxcl_types::program::{ArgInfo, ArgKind, KernelInfo, ProgramInfo};
use once_cell::sync::OnceCell;
use std::ffi::{CString, c_void};
use std::ptr::{null, null_mut};
use std::sync::Arc;
use std::sync::atomic::Ordering;

macro_rules! cl {
    ($name:ident($($arg:expr),* $(,)?)) => {{
        // SAFETY: the tests pass pointers to live data.
        unsafe { muxcl_cl::api::$name($($arg),*) }
    }};
}

macro_rules! ok {
    ($name:ident($($arg:expr),* $(,)?)) => {
        assert_eq!(cl!($name($($arg),*)), CL_SUCCESS, stringify!($name))
    };
}

macro_rules! make {
    ($name:ident($($arg:expr),* $(,)?)) => {{
        let mut code = 1;
        let made = cl!($name($($arg,)* &raw mut code));
        assert_eq!(code, CL_SUCCESS, stringify!($name));
        made
    }};
}

static KNOBS: OnceCell<Arc<Knobs>> = OnceCell::new();
/// The knobs belong to the process: tests that change or count them run one at a time.
static TURN: Turn = Turn(OnceCell::new());

/// A lock without a rank: callbacks of the application run while a test holds it.
#[expect(clippy::disallowed_types, reason = "the lock is not part of the driver's lock order")]
struct Turn(OnceCell<std::sync::Mutex<()>>);

impl Turn {
    fn lock(&self) -> std::sync::MutexGuard<'_, ()> {
        self.0
            .get_or_init(Default::default)
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

fn knobs() -> &'static Knobs {
    KNOBS.get().unwrap()
}

/// The host, and two devices of the HAL.
fn devices() -> [cl_device_id; 3] {
    muxcl_cl::install(|| {
        let (hal, knobs) = FakeHal::create(2);
        let _ = KNOBS.set(knobs);
        vec![
            muxcl_mux_host::HostDevice::create(),
            HalDevice::new(&hal, 0).unwrap().device(),
            HalDevice::new(&hal, 1).unwrap().device(),
        ]
    });
    let mut platform = null_mut();
    ok!(clGetPlatformIDs(1, &raw mut platform, null_mut()));
    let mut devices = [null_mut(); 3];
    ok!(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 3, devices.as_mut_ptr(), null_mut()));
    devices
}

struct Setup {
    context: cl_context,
    queues: Vec<cl_command_queue>,
    program: Option<cl_program>,
}

fn binary() -> Vec<u8> {
    let arg =
        |kind, size, type_qualifiers| ArgInfo { kind, size, type_qualifiers, ..ArgInfo::default() };
    let buffer = || arg(ArgKind::GlobalPointer, 8, 0);
    let kernels = KERNELS
        .iter()
        .map(|name| KernelInfo {
            name: (*name).into(),
            args: match *name {
                "sum" => vec![buffer(), arg(ArgKind::GlobalPointer, 8, 1)],
                "scale" => vec![buffer(), arg(ArgKind::Value, 4, 0)],
                "hidden" => vec![buffer(), arg(ArgKind::LocalPointer, 8, 0)],
                _ => vec![buffer()],
            },
            ..KernelInfo::default()
        })
        .collect();
    Binary {
        kind: BinaryKind::Executable,
        target: "riscv64".into(),
        features: "+m,+zvl128b".into(),
        options: String::new(),
        info: ProgramInfo { kernels, ..ProgramInfo::default() },
        bitcode: Vec::new(),
        globals_elf: Vec::new(),
        elf: elf(&KERNELS),
    }
    .to_bytes()
}

/// A context of some of the devices, with a queue for each.
fn setup(which: &[usize], properties: cl_command_queue_properties) -> Setup {
    let all = devices();
    let devices: Vec<_> = which.iter().map(|i| all[*i]).collect();
    let count = u32::try_from(devices.len()).unwrap();
    let context = make!(clCreateContext(null(), count, devices.as_ptr(), None, null_mut()));
    let queues =
        devices.iter().map(|d| make!(clCreateCommandQueue(context, *d, properties))).collect();
    let hal: Vec<_> = which.iter().filter(|i| **i != 0).map(|i| all[*i]).collect();
    let program = (!hal.is_empty()).then(|| {
        let bytes = binary();
        let lengths = vec![bytes.len(); hal.len()];
        let mut pointers = vec![bytes.as_ptr(); hal.len()];
        let count = u32::try_from(hal.len()).unwrap();
        let program = make!(clCreateProgramWithBinary(
            context,
            count,
            hal.as_ptr(),
            lengths.as_ptr(),
            pointers.as_mut_ptr(),
            null_mut()
        ));
        ok!(clBuildProgram(program, 0, null(), null(), None, null_mut()));
        program
    });
    Setup { context, queues, program }
}

impl Drop for Setup {
    fn drop(&mut self) {
        for queue in &self.queues {
            ok!(clFinish(*queue));
            ok!(clReleaseCommandQueue(*queue));
        }
        if let Some(program) = self.program {
            ok!(clReleaseProgram(program));
        }
        ok!(clReleaseContext(self.context));
    }
}

impl Setup {
    fn buffer(&self, flags: cl_mem_flags, size: usize, host: *mut c_void) -> cl_mem {
        make!(clCreateBuffer(self.context, flags, size, host))
    }

    fn kernel(&self, name: &str) -> cl_kernel {
        let name = CString::new(name).unwrap();
        make!(clCreateKernel(self.program.unwrap(), name.as_ptr()))
    }

    /// Launches a kernel on words. Returns its event.
    fn launch(
        &self,
        queue: usize,
        kernel: cl_kernel,
        mems: &[cl_mem],
        items: usize,
        waits: &[cl_event],
    ) -> cl_event {
        let (code, event) = self.try_launch(queue, kernel, mems, items, waits);
        assert_eq!(code, CL_SUCCESS);
        event
    }

    fn try_launch(
        &self,
        queue: usize,
        kernel: cl_kernel,
        mems: &[cl_mem],
        items: usize,
        waits: &[cl_event],
    ) -> (cl_int, cl_event) {
        for (i, mem) in mems.iter().enumerate() {
            let i = u32::try_from(i).unwrap();
            ok!(clSetKernelArg(kernel, i, size_of::<cl_mem>(), (&raw const *mem).cast()));
        }
        let mut event = null_mut();
        let count = u32::try_from(waits.len()).unwrap();
        let list = if waits.is_empty() { null() } else { waits.as_ptr() };
        let code = cl!(clEnqueueNDRangeKernel(
            self.queues[queue],
            kernel,
            1,
            null(),
            &raw const items,
            null(),
            count,
            list,
            &raw mut event
        ));
        (code, event)
    }

    fn write(&self, queue: usize, mem: cl_mem, offset: usize, bytes: &[u8]) {
        let queue = self.queues[queue];
        ok!(clEnqueueWriteBuffer(
            queue,
            mem,
            1,
            offset,
            bytes.len(),
            bytes.as_ptr().cast(),
            0,
            null(),
            null_mut()
        ));
    }

    fn read(&self, queue: usize, mem: cl_mem, offset: usize, size: usize) -> Vec<u8> {
        let mut bytes = vec![0; size];
        let (queue, to) = (self.queues[queue], bytes.as_mut_ptr().cast());
        ok!(clEnqueueReadBuffer(queue, mem, 1, offset, size, to, 0, null(), null_mut()));
        bytes
    }

    fn map(
        &self,
        queue: usize,
        mem: cl_mem,
        flags: cl_map_flags,
        offset: usize,
        size: usize,
    ) -> *mut u8 {
        make!(clEnqueueMapBuffer(
            self.queues[queue],
            mem,
            1,
            flags,
            offset,
            size,
            0,
            null(),
            null_mut()
        ))
        .cast()
    }

    fn unmap(&self, queue: usize, mem: cl_mem, at: *mut u8) {
        ok!(clEnqueueUnmapMemObject(self.queues[queue], mem, at.cast(), 0, null(), null_mut()));
    }

    fn finish(&self, queue: usize) {
        ok!(clFinish(self.queues[queue]));
    }
}

fn words(list: &[u32]) -> Vec<u8> {
    list.iter().flat_map(|w| w.to_le_bytes()).collect()
}

fn numbers(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect()
}

fn status(event: cl_event) -> cl_int {
    let mut status: cl_int = 99;
    let size = size_of::<cl_int>();
    ok!(clGetEventInfo(
        event,
        CL_EVENT_COMMAND_EXECUTION_STATUS,
        size,
        (&raw mut status).cast(),
        null_mut()
    ));
    status
}

#[test]
fn devices_are_told_apart() {
    for (i, device) in devices().into_iter().enumerate() {
        let mut name = [0u8; 100];
        ok!(clGetDeviceInfo(device, CL_DEVICE_NAME, 100, name.as_mut_ptr().cast(), null_mut()));
        let mut kind: cl_device_type = 0;
        ok!(clGetDeviceInfo(device, CL_DEVICE_TYPE, 8, (&raw mut kind).cast(), null_mut()));
        let name = String::from_utf8_lossy(&name).into_owned();
        if i == 0 {
            assert_eq!(kind, CL_DEVICE_TYPE_CPU);
        } else {
            assert_eq!(kind, CL_DEVICE_TYPE_ACCELERATOR);
            assert!(name.starts_with(&format!("Chip {} (fake)", i - 1)), "{name}");
        }
    }
}

#[test]
fn memory_the_host_does_not_see() {
    let _turn = TURN.lock();
    for properties in [0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE] {
        let s = setup(&[1], properties);
        let data = words(&(0..64).collect::<Vec<_>>());
        // COPY_HOST_PTR, ALLOC_HOST_PTR with it, and USE_HOST_PTR: the same content for a kernel
        // and for maps.
        for flags in [
            CL_MEM_COPY_HOST_PTR,
            CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR,
            CL_MEM_USE_HOST_PTR | CL_MEM_READ_WRITE,
        ] {
            let mut own = data.clone();
            let base = own.as_mut_ptr();
            let mem = s.buffer(flags, 256, base.cast());
            if flags & CL_MEM_USE_HOST_PTR == 0 {
                own.fill(0xEE);
            }
            let kernel = s.kernel("inc");
            ok!(clReleaseEvent(s.launch(0, kernel, &[mem], 64, &[])));
            s.finish(0);
            assert_eq!(numbers(&s.read(0, mem, 0, 256)), (1..=64).collect::<Vec<_>>());
            let at = s.map(0, mem, CL_MAP_READ | CL_MAP_WRITE, 64, 128);
            if flags & CL_MEM_USE_HOST_PTR != 0 {
                assert_eq!(at, base.wrapping_add(64), "derived from host_ptr");
            }
            // SAFETY: mapped for 128 bytes.
            let mapped = unsafe { std::slice::from_raw_parts_mut(at, 128) };
            assert_eq!(numbers(mapped), (17..=48).collect::<Vec<_>>());
            mapped[..4].copy_from_slice(&1000u32.to_le_bytes());
            s.unmap(0, mem, at);
            s.finish(0);
            ok!(clReleaseEvent(s.launch(0, kernel, &[mem], 64, &[])));
            s.finish(0);
            let got = numbers(&s.read(0, mem, 0, 256));
            assert_eq!((got[15], got[16], got[17], got[63]), (17, 1001, 19, 65));
            // Other commands that move content.
            let queue = s.queues[0];
            let nine = 9u8;
            ok!(clEnqueueFillBuffer(
                queue,
                mem,
                (&raw const nine).cast(),
                1,
                10,
                20,
                0,
                null(),
                null_mut()
            ));
            s.finish(0);
            let other = s.buffer(CL_MEM_READ_WRITE, 256, null_mut());
            ok!(clEnqueueCopyBuffer(queue, mem, other, 0, 100, 156, 0, null(), null_mut()));
            s.finish(0);
            assert_eq!(s.read(0, other, 110, 20), [9; 20]);
            let (zero, region) = ([0usize; 3], [4usize, 3, 2]);
            let mut out = [0u8; 24];
            let (to, from, size) = (out.as_mut_ptr().cast(), [2usize, 1, 0], region.as_ptr());
            ok!(clEnqueueReadBufferRect(
                queue,
                mem,
                1,
                from.as_ptr(),
                zero.as_ptr(),
                size,
                16,
                64,
                0,
                0,
                to,
                0,
                null(),
                null_mut()
            ));
            let whole = s.read(0, mem, 0, 256);
            for z in 0..2 {
                for y in 0..3 {
                    let at = z * 64 + (y + 1) * 16 + 2;
                    assert_eq!(out[z * 12 + y * 4..][..4], whole[at..at + 4]);
                }
            }
            ok!(clEnqueueWriteBufferRect(
                queue,
                other,
                1,
                from.as_ptr(),
                zero.as_ptr(),
                size,
                16,
                64,
                0,
                0,
                out.as_ptr().cast(),
                0,
                null(),
                null_mut()
            ));
            assert_eq!(s.read(0, other, 18, 4), out[..4]);
            ok!(clEnqueueCopyBufferRect(
                queue,
                mem,
                other,
                from.as_ptr(),
                zero.as_ptr(),
                size,
                16,
                64,
                16,
                64,
                0,
                null(),
                null_mut()
            ));
            s.finish(0);
            assert_eq!(s.read(0, other, 80, 4), out[16..20]);
            // INVALIDATE moves nothing in, and the unmap moves everything out.
            let before = knobs().bytes_moved.load(Ordering::SeqCst);
            let at = s.map(0, mem, CL_MAP_WRITE_INVALIDATE_REGION, 0, 256);
            assert_eq!(knobs().bytes_moved.load(Ordering::SeqCst), before);
            // SAFETY: mapped for 256 bytes.
            unsafe { at.write_bytes(5, 256) };
            s.unmap(0, mem, at);
            s.finish(0);
            assert_eq!(s.read(0, mem, 0, 256), [5; 256]);
            // A sub-buffer can be mapped and used by kernels like a buffer.
            let region = cl_buffer_region { origin: 128, size: 64 };
            let create = CL_BUFFER_CREATE_TYPE_REGION;
            let part = make!(clCreateSubBuffer(mem, 0, create, (&raw const region).cast()));
            ok!(clReleaseEvent(s.launch(0, kernel, &[part], 16, &[])));
            s.finish(0);
            let at = s.map(0, part, CL_MAP_READ, 4, 60);
            // SAFETY: mapped for 60 bytes.
            assert_eq!(unsafe { at.read() }, 6);
            s.unmap(0, part, at);
            assert_eq!(s.read(0, mem, 124, 8), [5, 5, 5, 5, 6, 5, 5, 5]);
            s.finish(0);
            for mem in [part, mem, other] {
                ok!(clReleaseMemObject(mem));
            }
            ok!(clReleaseKernel(kernel));
        }
    }
    assert_eq!(knobs().allocations.load(Ordering::SeqCst), 0, "all memory was given back");
    assert_eq!(knobs().programs.load(Ordering::SeqCst), 0, "and all programs");
}

#[test]
fn content_follows_the_commands() {
    let _turn = TURN.lock();
    for which in [[0, 1, 2], [1, 0, 2], [2, 1, 0]] {
        let s = setup(&which, 0);
        let (host, a, b) = {
            let at = |d| which.iter().position(|w| *w == d).unwrap();
            (at(0), at(1), at(2))
        };
        let mut data = words(&[10, 20, 30, 40]);
        for flags in [CL_MEM_COPY_HOST_PTR, CL_MEM_USE_HOST_PTR] {
            let mem = s.buffer(flags | CL_MEM_READ_WRITE, 16, data.as_mut_ptr().cast());
            let kernel = s.kernel("inc");
            let first = s.launch(a, kernel, &[mem], 4, &[]);
            let second = s.launch(b, kernel, &[mem], 4, &[first]);
            let third = s.launch(a, kernel, &[mem], 4, &[second]);
            let mut got = [0u8; 16];
            let (queue, to) = (s.queues[host], got.as_mut_ptr().cast());
            ok!(clEnqueueReadBuffer(queue, mem, 1, 0, 16, to, 1, &raw const third, null_mut()));
            assert_eq!(numbers(&got), [13, 23, 33, 43]);
            // Written by the host in a map on one queue, seen by another device.
            let at = s.map(host, mem, CL_MAP_WRITE, 4, 4);
            // SAFETY: mapped for 4 bytes.
            unsafe { at.copy_from(7u32.to_le_bytes().as_ptr(), 4) };
            s.unmap(host, mem, at);
            s.finish(host);
            let fourth = s.launch(b, kernel, &[mem], 4, &[]);
            ok!(clWaitForEvents(1, &raw const fourth));
            assert_eq!(numbers(&s.read(a, mem, 0, 16)), [14, 8, 34, 44]);
            for event in [first, second, third, fourth] {
                assert_eq!(status(event), CL_COMPLETE);
                ok!(clReleaseEvent(event));
            }
            s.finish(a);
            ok!(clReleaseMemObject(mem));
            ok!(clReleaseKernel(kernel));
        }
    }
}

#[test]
fn what_is_only_read_moves_once_and_migration_is_eager() {
    let _turn = TURN.lock();
    let s = setup(&[0, 1], 0);
    let moved = || knobs().bytes_moved.load(Ordering::SeqCst);
    let mut data = words(&[1; 256]);
    let mem = s.buffer(CL_MEM_COPY_HOST_PTR, 1024, data.as_mut_ptr().cast());
    let out = s.buffer(CL_MEM_READ_WRITE, 1024, null_mut());
    s.write(0, out, 0, &data);
    let migrate = |flags| {
        let list = [mem, out];
        ok!(clEnqueueMigrateMemObjects(
            s.queues[1],
            2,
            list.as_ptr(),
            flags,
            0,
            null(),
            null_mut()
        ));
        s.finish(1);
    };
    let before = moved();
    migrate(0);
    assert_eq!(moved() - before, 2048, "moved by the migration");
    let kernel = s.kernel("sum");
    for _ in 0..5 {
        ok!(clReleaseEvent(s.launch(1, kernel, &[out, mem], 256, &[])));
    }
    s.finish(1);
    assert_eq!(moved() - before, 2048, "and not again");
    assert_eq!(numbers(&s.read(0, mem, 0, 1024)), [1; 256], "the host's copy is still good");
    assert_eq!(moved() - before, 2048);
    migrate(CL_MIGRATE_MEM_OBJECT_HOST);
    assert_eq!(moved() - before, 3072, "what was written comes back");
    assert_eq!(numbers(&s.read(0, out, 0, 1024)), [6; 256]);
    s.write(0, mem, 0, &data);
    migrate(CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED);
    assert_eq!(moved() - before, 3072, "content nobody wants does not move");
    ok!(clReleaseMemObject(mem));
    ok!(clReleaseMemObject(out));
    ok!(clReleaseKernel(kernel));
}

#[test]
fn devices_work_on_parts_of_one_buffer_at_the_same_time() {
    let _turn = TURN.lock();
    let s = setup(&[0, 1, 2], 0);
    let mem = s.buffer(CL_MEM_READ_WRITE, 4096, null_mut());
    s.write(0, mem, 0, &words(&(0..1024).collect::<Vec<_>>()));
    let part = |origin| {
        let region = cl_buffer_region { origin, size: 2048 };
        make!(clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, (&raw const region).cast()))
    };
    let parts = [part(0), part(2048)];
    let kernels = [s.kernel("inc"), s.kernel("inc")];
    let mut last = [null_mut(); 2];
    for round in 0..10 {
        for (i, mem) in parts.iter().enumerate() {
            let event = s.launch(i + 1, kernels[i], &[*mem], 512, &[]);
            ok!(clFlush(s.queues[i + 1]));
            if round == 9 {
                last[i] = event;
            } else {
                ok!(clReleaseEvent(event));
            }
        }
    }
    ok!(clWaitForEvents(2, last.as_ptr()));
    assert_eq!(numbers(&s.read(0, mem, 0, 4096)), (10..1034).collect::<Vec<_>>());
    for i in 0..2 {
        ok!(clReleaseEvent(last[i]));
        ok!(clReleaseKernel(kernels[i]));
        ok!(clReleaseMemObject(parts[i]));
    }
    ok!(clReleaseMemObject(mem));
}

#[test]
fn a_failing_device_disturbs_no_other() {
    let _turn = TURN.lock();
    let s = setup(&[0, 1, 2], 0);
    let mem = s.buffer(CL_MEM_READ_WRITE, 64, null_mut());
    let other = s.buffer(CL_MEM_READ_WRITE, 64, null_mut());
    s.write(0, mem, 0, &words(&[5; 16]));
    s.write(0, other, 0, &words(&[6; 16]));
    let inc = s.kernel("inc");
    for name in ["fault", "panic"] {
        let kernel = s.kernel(name);
        let event = s.launch(1, kernel, &[mem], 16, &[]);
        // Commands that depend on it fail too. Other commands run, on the same queue and on others.
        let behind = s.launch(2, inc, &[mem], 16, &[event]);
        let free = s.launch(2, inc, &[other], 16, &[]);
        let same = s.launch(1, inc, &[other], 16, &[free]);
        assert!(cl!(clWaitForEvents(1, &raw const event)) < 0);
        assert!(cl!(clWaitForEvents(1, &raw const behind)) < 0);
        ok!(clWaitForEvents(1, &raw const same));
        let failed = if name == "fault" { CL_OUT_OF_RESOURCES } else { CL_OUT_OF_HOST_MEMORY };
        assert_eq!(status(event), failed);
        assert_eq!(status(behind), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        for event in [event, behind, free, same] {
            ok!(clReleaseEvent(event));
        }
        ok!(clReleaseKernel(kernel));
    }
    assert_eq!(numbers(&s.read(0, other, 0, 64)), [10; 16]);
    assert_eq!(numbers(&s.read(0, mem, 0, 64)), [5; 16]);
    // The only current copy is on a device that does not answer: the read fails, and no content is
    // lost.
    let event = s.launch(1, inc, &[mem], 16, &[]);
    ok!(clWaitForEvents(1, &raw const event));
    ok!(clReleaseEvent(event));
    knobs().broken.store(true, Ordering::SeqCst);
    let mut got = [0u8; 64];
    for queue in [0, 1, 2] {
        let to = got.as_mut_ptr().cast();
        let code =
            cl!(clEnqueueReadBuffer(s.queues[queue], mem, 1, 0, 64, to, 0, null(), null_mut()));
        assert_eq!(code, CL_OUT_OF_RESOURCES, "queue {queue}");
    }
    let code = cl!(clEnqueueWriteBuffer(
        s.queues[1],
        other,
        1,
        0,
        64,
        got.as_ptr().cast(),
        0,
        null(),
        null_mut()
    ));
    assert_eq!(code, CL_OUT_OF_RESOURCES);
    knobs().broken.store(false, Ordering::SeqCst);
    assert_eq!(numbers(&s.read(0, mem, 0, 64)), [6; 16]);
    assert_eq!(numbers(&s.read(2, mem, 0, 64)), [6; 16]);
    // With a buffer larger than the device's memory, the launch there fails, and commands on the
    // host succeed.
    let large = s.buffer(CL_MEM_READ_WRITE, 64 << 20, null_mut());
    let (code, _) = s.try_launch(1, inc, &[large], 16, &[]);
    assert_eq!(code, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    s.write(0, large, 60 << 20, &[1, 2, 3]);
    assert_eq!(s.read(0, large, 60 << 20, 3), [1, 2, 3]);
    let event = s.launch(1, inc, &[mem], 16, &[]);
    ok!(clWaitForEvents(1, &raw const event));
    ok!(clReleaseEvent(event));
    for mem in [mem, other, large] {
        ok!(clReleaseMemObject(mem));
    }
    ok!(clReleaseKernel(inc));
}

#[test]
fn random_commands_agree_with_a_plain_vector() {
    let _turn = TURN.lock();
    let mut random = fastrand::Rng::with_seed(20_261_120);
    let mut next = move |n: usize| random.usize(..n);
    const WORDS: usize = 256;
    for which in [&[0, 1, 2][..], &[1, 2], &[1], &[2, 0]] {
        let s = setup(which, 0);
        let kernels = [s.kernel("inc"), s.kernel("sum")];
        let mut models: Vec<Vec<u32>> = Vec::new();
        let mut mems = Vec::new();
        for _ in 0..3 {
            let model: Vec<u32> = (0..WORDS).map(|_| u32::try_from(next(1000)).unwrap()).collect();
            let mut bytes = words(&model);
            mems.push(s.buffer(
                CL_MEM_COPY_HOST_PTR | CL_MEM_READ_WRITE,
                4 * WORDS,
                bytes.as_mut_ptr().cast(),
            ));
            models.push(model);
        }
        for step in 0..400 {
            let queue = next(s.queues.len());
            let is_host = which[queue] == 0;
            let (m, other) = (next(3), next(3));
            // Sub-buffers begin at multiples of 128 bytes.
            let start = next(WORDS / 32) * 32;
            let count = 1 + next(WORDS - start);
            let value = u32::try_from(next(100)).unwrap();
            match next(8) {
                0 => {
                    s.write(queue, mems[m], 4 * start, &words(&vec![value; count]));
                    models[m][start..start + count].fill(value);
                }
                1 => {
                    let pattern = value.to_le_bytes();
                    let (from, q) = (pattern.as_ptr().cast(), s.queues[queue]);
                    ok!(clEnqueueFillBuffer(
                        q,
                        mems[m],
                        from,
                        4,
                        4 * start,
                        4 * count,
                        0,
                        null(),
                        null_mut()
                    ));
                    models[m][start..start + count].fill(value);
                }
                2 if m != other => {
                    let q = s.queues[queue];
                    ok!(clEnqueueCopyBuffer(
                        q,
                        mems[m],
                        mems[other],
                        4 * start,
                        0,
                        4 * count,
                        0,
                        null(),
                        null_mut()
                    ));
                    let moved = models[m][start..start + count].to_vec();
                    models[other][..count].copy_from_slice(&moved);
                }
                3 => {
                    let at =
                        s.map(queue, mems[m], CL_MAP_READ | CL_MAP_WRITE, 4 * start, 4 * count);
                    // SAFETY: mapped for that many bytes.
                    let mapped = unsafe { std::slice::from_raw_parts_mut(at, 4 * count) };
                    assert_eq!(numbers(mapped), models[m][start..start + count], "step {step}");
                    mapped[..4].copy_from_slice(&value.to_le_bytes());
                    models[m][start] = value;
                    s.unmap(queue, mems[m], at);
                }
                4 if !is_host => {
                    ok!(clReleaseEvent(s.launch(queue, kernels[0], &[mems[m]], count, &[])));
                    models[m][..count].iter_mut().for_each(|w| *w = w.wrapping_add(1));
                }
                5 if !is_host && m != other => {
                    ok!(clReleaseEvent(s.launch(
                        queue,
                        kernels[1],
                        &[mems[m], mems[other]],
                        count,
                        &[]
                    )));
                    let by = models[other].clone();
                    models[m][..count].iter_mut().zip(by).for_each(|(w, b)| *w = w.wrapping_add(b));
                }
                6 if !is_host => {
                    let region = cl_buffer_region { origin: 4 * start, size: 4 * count };
                    let create = CL_BUFFER_CREATE_TYPE_REGION;
                    let part =
                        make!(clCreateSubBuffer(mems[m], 0, create, (&raw const region).cast()));
                    ok!(clReleaseEvent(s.launch(queue, kernels[0], &[part], count, &[])));
                    models[m][start..start + count].iter_mut().for_each(|w| *w = w.wrapping_add(1));
                    ok!(clReleaseMemObject(part));
                }
                _ => {
                    let got = numbers(&s.read(queue, mems[m], 4 * start, 4 * count));
                    assert_eq!(got, models[m][start..start + count], "step {step}");
                }
            }
            s.finish(queue);
        }
        for (mem, model) in mems.iter().zip(&models) {
            for queue in 0..s.queues.len() {
                assert_eq!(numbers(&s.read(queue, *mem, 0, 4 * WORDS)), *model);
            }
            ok!(clReleaseMemObject(*mem));
        }
        for kernel in kernels {
            ok!(clReleaseKernel(kernel));
        }
    }
}

#[test]
fn native_kernels_are_the_hosts() {
    extern "C" fn double(args: *mut c_void) {
        // SAFETY: the argument block holds one pointer to words.
        let words = unsafe { std::slice::from_raw_parts_mut(*args.cast::<*mut u32>(), 4) };
        words.iter_mut().for_each(|w| *w *= 2);
    }
    let _turn = TURN.lock();
    let s = setup(&[0, 1], 0);
    let mem = s.buffer(CL_MEM_READ_WRITE, 16, null_mut());
    s.write(1, mem, 0, &words(&[1, 2, 3, 4]));
    let mut block: *mut c_void = null_mut();
    let place: *const c_void = (&raw const block).cast();
    let native = |queue: cl_command_queue, block: *mut c_void, place: &*const c_void| {
        cl!(clEnqueueNativeKernel(
            queue,
            Some(double),
            block,
            8,
            1,
            &raw const mem,
            (&raw const *place).cast_mut(),
            0,
            null(),
            null_mut()
        ))
    };
    let at: *mut c_void = (&raw mut block).cast();
    assert_eq!(native(s.queues[1], at, &place), CL_INVALID_OPERATION);
    assert_eq!(native(s.queues[0], at, &place), CL_SUCCESS);
    s.finish(0);
    assert_eq!(numbers(&s.read(1, mem, 0, 16)), [2, 4, 6, 8]);
    ok!(clReleaseMemObject(mem));
}
