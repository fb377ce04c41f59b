//! Calls on a program during its asynchronous build failed with `CL_INVALID_PROGRAM_EXECUTABLE`.
//!
//! PlaidML 0.7.0 builds each kernel with a callback and creates the kernel when `clBuildProgram`
//! returns. The specification (API 5.8.2) leaves open when the outcome can be used. The calls that
//! need it now wait for the build, on any thread, and then for its callback. PlaidML also frees the
//! callback's data when `clBuildProgram` returns, so that call waits too.

use std::ffi::{CStr, c_void};
use std::ptr;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, ensure};
use muxcl_client::Device;
use muxcl_client::sys::{self, cl_event, cl_int, cl_kernel, cl_program};

use crate::program::Program;
use crate::{Devices, Test};

pub(crate) const TESTS: &[Test] = &[
    ("s8_build_in_flight/create_kernel", Devices::All, create_kernel),
    ("s8_build_in_flight/create_kernels", Devices::All, create_kernels),
    ("s8_build_in_flight/queries", Devices::All, queries),
    ("s8_build_in_flight/failed_build", Devices::All, failed_build),
    ("s8_build_in_flight/from_callbacks", Devices::All, from_callbacks),
    ("s8_build_in_flight/callback_first", Devices::All, callback_first),
    ("s8_build_in_flight/callback_waits", Devices::All, callback_waits),
];

/// Maximum duration of a callback before a test fails.
const PATIENCE: Duration = Duration::from_secs(120);

/// A program whose build has been started with a callback.
struct Building {
    program: Program,
    /// Receives the code of `clCreateKernel` in the callback.
    called: Receiver<cl_int>,
}

/// Two kernels that take a while to compile, with a text that is in no cache.
fn source() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    let mut text = format!("// {now}\n");
    for name in ["one", "two"] {
        text += &format!("kernel void {name}(global float *p) {{\n  float x = p[0];\n");
        for i in 0..60 {
            text += &format!("  x = sin(x) + exp(x * {i}) / pow(x, p[{i}]);\n");
        }
        text += "  p[0] = x;\n}\n";
    }
    text
}

fn create(program: cl_program, name: &CStr) -> (cl_kernel, cl_int) {
    let mut code = 0;
    // SAFETY: a name that ends with zero.
    let kernel = unsafe { sys::clCreateKernel(program, name.as_ptr(), &raw mut code) };
    (kernel, code)
}

/// Creates a kernel, releases it, and returns the code of `clCreateKernel`.
fn try_create(program: cl_program, name: &CStr) -> cl_int {
    let (kernel, code) = create(program, name);
    if !kernel.is_null() {
        // SAFETY: just created.
        unsafe { sys::clReleaseKernel(kernel) };
    }
    code
}

unsafe extern "C" fn built(program: cl_program, data: *mut c_void) {
    // SAFETY: `start` created it for this one call.
    let sender = unsafe { Box::from_raw(data.cast::<Sender<cl_int>>()) };
    let _ = sender.send(try_create(program, c"one"));
}

type Callback = unsafe extern "C" fn(cl_program, *mut c_void);

fn start(device: Device, text: &str) -> Result<Building> {
    start_with(device, text, built)
}

fn start_with(device: Device, text: &str, callback: Callback) -> Result<Building> {
    let program = Program::create(device, text)?;
    let (sender, called) = channel();
    let data = Box::into_raw(Box::new(sender)).cast();
    let id = device.raw();
    let options = c"".as_ptr();
    // SAFETY: one device; the callback takes ownership of the data.
    let code = unsafe {
        sys::clBuildProgram(program.raw(), 1, &raw const id, options, Some(callback), data)
    };
    ensure!(code == sys::CL_SUCCESS, "clBuildProgram: {code}");
    Ok(Building { program, called })
}

impl Building {
    fn called(&self) -> Result<cl_int> {
        self.called.recv_timeout(PATIENCE).context("the callback was not called")
    }
}

fn create_kernel(device: Device) -> Result<()> {
    let building = start(device, &source())?;
    let code = try_create(building.program.raw(), c"two");
    ensure!(code == sys::CL_SUCCESS, "clCreateKernel during the build: {code}");
    let code = building.called()?;
    ensure!(code == sys::CL_SUCCESS, "clCreateKernel in the build's callback: {code}");
    Ok(())
}

fn create_kernels(device: Device) -> Result<()> {
    let building = start(device, &source())?;
    let (mut kernels, mut count) = ([ptr::null_mut(); 2], 0);
    // SAFETY: room for two kernels.
    let code = unsafe {
        sys::clCreateKernelsInProgram(
            building.program.raw(),
            2,
            kernels.as_mut_ptr(),
            &raw mut count,
        )
    };
    ensure!(code == sys::CL_SUCCESS && count == 2, "clCreateKernelsInProgram: {code}, {count}");
    for kernel in kernels {
        // SAFETY: just created.
        unsafe { sys::clReleaseKernel(kernel) };
    }
    building.called()?;
    Ok(())
}

fn queries(device: Device) -> Result<()> {
    let building = start(device, &source())?;
    let mut names = [0_u8; 16];
    // SAFETY: room for the stated number of bytes.
    let code = unsafe {
        sys::clGetProgramInfo(
            building.program.raw(),
            sys::CL_PROGRAM_KERNEL_NAMES,
            names.len(),
            names.as_mut_ptr().cast(),
            ptr::null_mut(),
        )
    };
    ensure!(code == sys::CL_SUCCESS, "CL_PROGRAM_KERNEL_NAMES: {code}");
    let names = CStr::from_bytes_until_nul(&names)?.to_str()?;
    ensure!(names == "one;two", "CL_PROGRAM_KERNEL_NAMES: {names}");
    building.called()?;

    let building = start(device, &source())?;
    let mut kind = [0_u8; 4];
    building.program.build_info(sys::CL_PROGRAM_BINARY_TYPE, &mut kind)?;
    let kind = u32::from_ne_bytes(kind);
    ensure!(kind == sys::CL_PROGRAM_BINARY_TYPE_EXECUTABLE, "CL_PROGRAM_BINARY_TYPE: {kind}");
    building.called()?;
    Ok(())
}

/// The calls also wait for a build that fails.
fn failed_build(device: Device) -> Result<()> {
    let building = start(device, &(source() + "kernel void three() { no_such_thing(); }\n"))?;
    let mut log = [0_u8; 65536];
    let size = building.program.build_info(sys::CL_PROGRAM_BUILD_LOG, &mut log)?;
    let log = std::str::from_utf8(&log[..size])?;
    ensure!(log.contains("no_such_thing"), "the log of the build in flight: {log:?}");
    let code = building.called()?;
    ensure!(code == sys::CL_INVALID_PROGRAM_EXECUTABLE, "clCreateKernel: {code}");
    Ok(())
}

unsafe extern "C" fn event_done(_event: cl_event, _status: cl_int, data: *mut c_void) {
    // SAFETY: `from_callbacks` created it for this one call.
    let (program, sender) = *unsafe { Box::from_raw(data.cast::<(cl_program, Sender<cl_int>)>()) };
    let _ = sender.send(try_create(program, c"two"));
}

/// The callback of an event, on the callback thread, may also wait for a build.
fn from_callbacks(device: Device) -> Result<()> {
    let building = start(device, &source())?;
    let event = building.program.context().user_event()?;
    let (sender, called) = channel::<cl_int>();
    let data = Box::into_raw(Box::new((building.program.raw(), sender))).cast();
    // SAFETY: the callback takes ownership of the data.
    let code =
        unsafe { sys::clSetEventCallback(event.raw(), sys::CL_COMPLETE, Some(event_done), data) };
    ensure!(code == sys::CL_SUCCESS, "clSetEventCallback: {code}");
    event.set(sys::CL_COMPLETE)?;
    let code = called.recv_timeout(PATIENCE).context("the event's callback was not called")?;
    ensure!(code == sys::CL_SUCCESS, "clCreateKernel in an event's callback: {code}");
    let code = building.called()?;
    ensure!(code == sys::CL_SUCCESS, "clCreateKernel in the build's callback: {code}");
    Ok(())
}

unsafe extern "C" fn slowly(program: cl_program, data: *mut c_void) {
    std::thread::sleep(Duration::from_millis(200));
    // SAFETY: the same arguments as a call by the driver.
    unsafe { built(program, data) };
}

/// `clBuildProgram` returns when the callback has returned.
fn callback_first(device: Device) -> Result<()> {
    let building = start_with(device, &source(), slowly)?;
    let code = building.called.try_recv().context("the callback has not returned")?;
    ensure!(code == sys::CL_SUCCESS, "clCreateKernel in the build's callback: {code}");
    Ok(())
}

unsafe extern "C" fn by_another_thread(program: cl_program, data: *mut c_void) {
    // SAFETY: `start` created it for this one call.
    let sender = unsafe { Box::from_raw(data.cast::<Sender<cl_int>>()) };
    let address = program.expose_provenance();
    let other =
        std::thread::spawn(move || try_create(ptr::with_exposed_provenance_mut(address), c"one"));
    let _ = sender.send(other.join().unwrap_or(1));
}

/// A callback that waits for another thread's call is slow, not stuck.
fn callback_waits(device: Device) -> Result<()> {
    let building = start_with(device, &source(), by_another_thread)?;
    let code = building.called()?;
    ensure!(code == sys::CL_SUCCESS, "clCreateKernel on another thread: {code}");
    Ok(())
}
