//! A HAL loaded from a library in C++ or Rust. Invariants: every value from the library is checked
//! before use. Its functions are called only on live objects that it created. An exception of the
//! library is an error of its call. A library is never unloaded.

use crate::contain::Runtime;
use crate::counters::{CounterDescription, Unit, Verbosity};
use crate::device::{check_allocation, run_in_turn};
use crate::library_file;
use crate::properties::MOST_TEXT;
use crate::target::{Abi, Extensions};
use crate::{
    Argument, Call, Device, DeviceInfo, Hal, HalError, Kernel, NdRange, Program, Properties,
};
use muxcl_hal_abi as abi;
use muxcl_os::Library;
use std::any::Any;
use std::ffi::{CStr, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::sync::Arc;

/// Maximum number of devices, counters or values that is accepted.
const MANY: u32 = 4096;
/// Maximum size in bytes of a profile that is accepted: that of thousands of kernels.
const MOST_PROFILE: usize = 64 << 20;

/// The library's `hal_t`.
struct Object(NonNull<abi::HalObject>);

// SAFETY: the interface allows calls from any thread.
unsafe impl Send for Object {}
// SAFETY: as above.
unsafe impl Sync for Object {}

struct Loaded {
    object: Object,
    name: String,
    devices: u32,
    properties: Option<abi::DeviceProperties>,
    last_error: Option<abi::LastError>,
    profile: Option<(abi::ProfileBegin, abi::ProfileText)>,
    run_calls: Option<abi::RunCalls>,
    runtime: Runtime,
    file: Option<PathBuf>,
    _library: Library,
}

/// The HAL, shared with its devices.
struct LoadedHal(Arc<Loaded>);

struct LoadedDevice {
    hal: Arc<Loaded>,
    object: NonNull<abi::DeviceObject>,
}

// SAFETY: as for `Object`.
unsafe impl Send for LoadedDevice {}
// SAFETY: users of a device let calls overlap only if the library states `concurrent_calls`; see
// `crate::device`.
unsafe impl Sync for LoadedDevice {}

fn nonsense(text: impl Into<String>) -> HalError {
    HalError::Nonsense(text.into())
}

/// Text owned by the library; `None` for null.
///
/// # Safety
/// `from` is null or points to a C string.
unsafe fn text(from: *const c_char) -> Option<String> {
    if from.is_null() {
        return None;
    }
    // SAFETY: the caller's promise.
    Some(unsafe { CStr::from_ptr(from) }.to_string_lossy().into_owned())
}

/// Loads the library at `path` and gets its HAL.
///
/// # Errors
/// If the file cannot be loaded, is not a HAL library, or has another interface version.
///
/// # Safety
/// The library's code runs while it loads; the caller guarantees that it is a HAL library.
pub unsafe fn load_library(path: &Path) -> Result<Box<dyn Hal>, HalError> {
    if let Some(reason) = library_file::defect(path) {
        return Err(HalError::Library { path: path.to_owned(), reason });
    }
    // SAFETY: the caller's promise.
    let library = unsafe { Library::open(path) }
        .map_err(|e| HalError::Library { path: path.to_owned(), reason: e.to_string() })?;
    let runtime = Runtime::of(&library);
    let entry = library.symbol(abi::ENTRY).ok_or_else(|| HalError::NoEntry(path.to_owned()))?;
    // SAFETY: a symbol of this name in a HAL library is this function.
    let get_hal = unsafe { std::mem::transmute::<*const c_void, abi::GetHal>(entry) };
    let mut version = 0;
    let at = &raw mut version;
    // SAFETY: `version` can be written.
    let object = runtime.contained("get_hal", || unsafe { get_hal(at) })?;
    if version != abi::API_VERSION {
        return Err(HalError::Version {
            path: path.to_owned(),
            found: version,
            wanted: abi::API_VERSION,
        });
    }
    let last_error = library.symbol(abi::LAST_ERROR).map(|entry| {
        // SAFETY: a symbol of this name in a HAL library is this function.
        unsafe { std::mem::transmute::<*const c_void, abi::LastError>(entry) }
    });
    let object = NonNull::new(object).ok_or_else(|| {
        reported(&runtime, last_error, "get_hal")
            .unwrap_or_else(|| nonsense("get_hal returned no object"))
    })?;
    let object = Object(object);
    // SAFETY: an object of the right version.
    let info =
        runtime.contained("get_info", || unsafe { (object.fns().get_info)(object.0.as_ptr()) })?;
    // SAFETY: in C++ this is a reference, so it is valid; the code checks for null nevertheless.
    let info = unsafe { info.as_ref() }.ok_or_else(|| nonsense("get_info returned nothing"))?;
    // SAFETY: the interface returns a C string.
    let name =
        unsafe { text(info.platform_name) }.ok_or_else(|| nonsense("a platform without a name"))?;
    if info.num_devices > MANY {
        return Err(nonsense(format!("{} devices", info.num_devices)));
    }
    let properties = library.symbol(abi::PROPERTIES).map(|entry| {
        // SAFETY: a symbol of this name in a HAL library is this function.
        unsafe { std::mem::transmute::<*const c_void, abi::DeviceProperties>(entry) }
    });
    let profile = library.symbol(abi::PROFILE_BEGIN).zip(library.symbol(abi::PROFILE_TEXT));
    let profile = profile.map(|(begin, text)| {
        // SAFETY: a symbol of this name in a HAL library is this function.
        let begin = unsafe { std::mem::transmute::<*const c_void, abi::ProfileBegin>(begin) };
        // SAFETY: as above.
        let text = unsafe { std::mem::transmute::<*const c_void, abi::ProfileText>(text) };
        (begin, text)
    });
    let run_calls = library.symbol(abi::RUN_CALLS).map(|entry| {
        // SAFETY: a symbol of this name in a HAL library is this function.
        unsafe { std::mem::transmute::<*const c_void, abi::RunCalls>(entry) }
    });
    Ok(Box::new(LoadedHal(Arc::new(Loaded {
        object,
        name,
        devices: info.num_devices,
        properties,
        last_error,
        profile,
        run_calls,
        runtime,
        file: muxcl_os::library_of(entry as usize),
        _library: library,
    }))))
}

/// The error for the function `call` that has just failed on this thread, with the reason that the
/// library gives; `None` if it gives none.
fn reported(
    runtime: &Runtime,
    last_error: Option<abi::LastError>,
    call: &'static str,
) -> Option<HalError> {
    let ask = last_error?;
    // SAFETY: the function takes no arguments.
    let text = runtime.contained("hal_last_error", || unsafe { ask() }).ok()?;
    if text.is_null() {
        return None;
    }
    // SAFETY: the interface returns null or a C string.
    let text = unsafe { bounded_text(text, MOST_TEXT) }.ok()?;
    Some(HalError::Reported { call, text })
}

/// The text at `from`, of at most `most` bytes.
///
/// # Safety
/// `from` points to a C string.
unsafe fn bounded_text(from: *const c_char, most: usize) -> Result<String, HalError> {
    let mut bytes = Vec::new();
    loop {
        // SAFETY: the caller's promise: no byte before this one ended the string.
        match unsafe { from.wrapping_add(bytes.len()).read() } {
            0 => return Ok(String::from_utf8_lossy(&bytes).into_owned()),
            _ if bytes.len() == most => {
                return Err(nonsense(format!("a text of more than {most} bytes")));
            }
            byte => bytes.push(byte.cast_unsigned()),
        }
    }
}

impl Object {
    fn fns(&self) -> &abi::HalFns {
        // SAFETY: the object lives as long as its library, which is never unloaded.
        let object = unsafe { self.0.as_ref() };
        // SAFETY: the first word of an object is its table.
        unsafe { &*object.fns }
    }
}

impl Loaded {
    /// The error for the function `call`, which has just failed on this thread. It contains the
    /// library's reason, if the library exports `hal_last_error`.
    fn failed(&self, call: &'static str) -> HalError {
        reported(&self.runtime, self.last_error, call).unwrap_or(HalError::Failed(call))
    }

    fn info(&self, index: u32) -> Result<DeviceInfo, HalError> {
        if index >= self.devices {
            return Err(HalError::Argument("the number of a device"));
        }
        let call = || {
            // SAFETY: an index below the number of devices.
            unsafe { (self.object.fns().device_get_info)(self.object.0.as_ptr(), index) }
        };
        let raw = self.runtime.contained("device_get_info", call)?;
        // SAFETY: null, or a description that the library keeps.
        let base = unsafe { raw.as_ref() }.ok_or_else(|| {
            reported(&self.runtime, self.last_error, "device_get_info")
                .unwrap_or_else(|| nonsense("a device without a description"))
        })?;
        if base.kind != abi::device_type::RISCV {
            return Err(nonsense(format!("a device of type {}", base.kind)));
        }
        // SAFETY: a description of this type is the larger struct.
        let (riscv, has_link_shared) = unsafe { abi::RiscvTail::of(raw) };
        let shared = has_link_shared && base.link_shared != 0;
        Ok(DeviceInfo { properties: self.properties(index)?, ..describe(base, riscv, shared)? })
    }

    fn properties(&self, index: u32) -> Result<Properties, HalError> {
        let Some(ask) = self.properties else { return Ok(Properties::default()) };
        // SAFETY: the library's function, and an index below the number of devices.
        let text = self.runtime.contained("hal_device_properties", || unsafe { ask(index) })?;
        if text.is_null() {
            return Ok(Properties::default());
        }
        // SAFETY: the interface returns a C string.
        unsafe { bounded_text(text, MOST_TEXT) }?.parse()
    }
}

fn describe(
    base: &abi::DeviceInfo,
    riscv: abi::RiscvTail,
    shared: bool,
) -> Result<DeviceInfo, HalError> {
    if !matches!(base.word_size, 32 | 64) {
        return Err(nonsense(format!("words of {} bits", base.word_size)));
    }
    if base.is_little_endian == 0 {
        return Err(nonsense("a big-endian RISC-V device"));
    }
    if base.max_workgroup_size == 0 || base.global_memory_avail == 0 {
        return Err(nonsense("a device without memory or work-items"));
    }
    if riscv.vlen != 0 && (!riscv.vlen.is_power_of_two() || riscv.vlen > 65536) {
        return Err(nonsense(format!("vector registers of {} bits", riscv.vlen)));
    }
    // SAFETY: the interface requires a C string.
    let target_name =
        unsafe { text(base.target_name) }.ok_or_else(|| nonsense("a device without a name"))?;
    // SAFETY: the library's string, at its original address.
    let script = unsafe { base.linker_script.bytes() }
        .ok_or_else(|| nonsense("a linker script that does not exist"))?;
    let script = String::from_utf8_lossy(script).into_owned();
    Ok(DeviceInfo {
        target_name,
        word_size: base.word_size,
        global_memory: base.global_memory_avail,
        local_memory: base.shared_local_memory_size,
        should_link: base.should_link != 0,
        // Position-independent programs need no script.
        linker_script: (base.should_link != 0 && !shared && !script.is_empty()).then_some(script),
        should_vectorize: base.should_vectorize != 0,
        preferred_vector_width: base.preferred_vector_width,
        fp16: base.supports_fp16 != 0,
        fp64: base.supports_doubles != 0,
        max_workgroup_size: base.max_workgroup_size,
        little_endian: true,
        counters: counters(base)?,
        extensions: Extensions::from_bits_truncate(riscv.extensions),
        abi: Abi::from_raw(riscv.abi)
            .ok_or_else(|| nonsense(format!("calling convention {}", riscv.abi)))?,
        vlen: riscv.vlen,
        properties: Properties::default(),
    })
}

fn counters(base: &abi::DeviceInfo) -> Result<Vec<CounterDescription>, HalError> {
    let count = base.num_counters;
    if count == 0 {
        return Ok(Vec::new());
    }
    if count > MANY || base.counter_descriptions.is_null() {
        return Err(nonsense(format!("{count} counters")));
    }
    // SAFETY: the interface requires an array of `count` descriptions.
    let raw = unsafe { std::slice::from_raw_parts(base.counter_descriptions, count as usize) };
    raw.iter()
        .map(|c| {
            if c.contained_values == 0 || c.contained_values > MANY {
                return Err(nonsense(format!("a counter of {} values", c.contained_values)));
            }
            // SAFETY: the interface requires C strings, or null.
            let read = |from| unsafe { text(from) }.unwrap_or_default();
            Ok(CounterDescription {
                id: c.counter_id,
                name: read(c.name),
                description: read(c.description),
                sub_value_name: read(c.sub_value_name),
                values: c.contained_values,
                unit: Unit(c.unit),
                per_value: Verbosity::from_raw(c.log_cfg.min_verbosity_per_value),
                total: Verbosity::from_raw(c.log_cfg.min_verbosity_total),
            })
        })
        .collect()
}

impl Hal for LoadedHal {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn device_count(&self) -> u32 {
        self.0.devices
    }

    fn device_info(&self, index: u32) -> Result<DeviceInfo, HalError> {
        self.0.info(index)
    }

    fn library(&self) -> Option<&Path> {
        self.0.file.as_deref()
    }

    fn create_device(&self, index: u32) -> Result<Box<dyn Device>, HalError> {
        if index >= self.0.devices {
            return Err(HalError::Argument("the number of a device"));
        }
        let call = || {
            // SAFETY: an index below the number of devices.
            unsafe { (self.0.object.fns().device_create)(self.0.object.0.as_ptr(), index) }
        };
        let object = self.0.runtime.contained("device_create", call)?;
        let object = NonNull::new(object).ok_or_else(|| self.0.failed("device_create"))?;
        Ok(Box::new(LoadedDevice { hal: self.0.clone(), object }))
    }
}

impl Drop for LoadedDevice {
    fn drop(&mut self) {
        let call = || {
            let (hal, device) = (self.hal.object.0.as_ptr(), self.object.as_ptr());
            // SAFETY: a device of this HAL, deleted once.
            unsafe { (self.hal.object.fns().device_delete)(hal, device) }
        };
        match self.hal.runtime.contained("device_delete", call) {
            Ok(0) => tracing::warn!(target: "hal", "the HAL did not delete its device"),
            Ok(_) => {}
            Err(error) => tracing::warn!(target: "hal", "{error}"),
        }
    }
}

impl LoadedDevice {
    fn fns(&self) -> &abi::DeviceFns {
        // SAFETY: the object lives until `drop`.
        let object = unsafe { self.object.as_ref() };
        // SAFETY: the first word of an object is its table.
        unsafe { &*object.fns }
    }

    fn this(&self) -> *mut abi::DeviceObject {
        self.object.as_ptr()
    }

    /// Calls a function that returns a C++ `bool`.
    fn done(&self, name: &'static str, call: impl Fn() -> u8) -> Result<(), HalError> {
        if self.hal.runtime.contained(name, call)? == 0 {
            Err(self.hal.failed(name))
        } else {
            Ok(())
        }
    }
}

impl Device for LoadedDevice {
    fn alloc(&self, size: u64, alignment: u64) -> Result<u64, HalError> {
        // SAFETY: a live device; every size and alignment is allowed.
        let call = || unsafe { (self.fns().mem_alloc)(self.this(), size, alignment) };
        let address = self.hal.runtime.contained("mem_alloc", call)?;
        if address == 0 {
            return Err(HalError::OutOfMemory { size, alignment });
        }
        check_allocation(address, size, alignment).inspect_err(|_| {
            // An error of `mem_free` changes nothing here.
            let _ = self.free(address);
        })?;
        Ok(address)
    }

    fn free(&self, address: u64) -> Result<(), HalError> {
        // SAFETY: a live device; it checks the address.
        self.done("mem_free", || unsafe { (self.fns().mem_free)(self.this(), address) })
    }

    fn read(&self, from: u64, into: &mut [u8]) -> Result<(), HalError> {
        let (to, size) = (into.as_mut_ptr(), into.len() as u64);
        // SAFETY: `into` has that many writable bytes.
        self.done("mem_read", || unsafe {
            (self.fns().mem_read)(self.this(), to.cast(), from, size)
        })
    }

    fn write(&self, to: u64, from: &[u8]) -> Result<(), HalError> {
        let size = from.len() as u64;
        self.done("mem_write", || {
            // SAFETY: `from` has that many readable bytes.
            unsafe { (self.fns().mem_write)(self.this(), to, from.as_ptr().cast(), size) }
        })
    }

    fn copy(&self, to: u64, from: u64, size: u64) -> Result<(), HalError> {
        // SAFETY: a live device; it checks the ranges.
        self.done("mem_copy", || unsafe { (self.fns().mem_copy)(self.this(), to, from, size) })
    }

    fn fill(&self, to: u64, pattern: &[u8], size: u64) -> Result<(), HalError> {
        if pattern.is_empty() {
            return Err(HalError::Argument("a pattern with bytes"));
        }
        let (bytes, length) = (pattern.as_ptr(), pattern.len() as u64);
        self.done("mem_fill", || {
            // SAFETY: the pattern has that many bytes.
            unsafe { (self.fns().mem_fill)(self.this(), to, bytes.cast(), length, size) }
        })
    }

    fn load(&self, elf: &[u8]) -> Result<Program, HalError> {
        let program = self.hal.runtime.contained("program_load", || {
            // SAFETY: `elf` has that many readable bytes.
            unsafe { (self.fns().program_load)(self.this(), elf.as_ptr().cast(), elf.len() as u64) }
        })?;
        if program == 0 { Err(self.hal.failed("program_load")) } else { Ok(Program(program)) }
    }

    fn find(&self, program: Program, name: &CStr) -> Result<Kernel, HalError> {
        let kernel = self.hal.runtime.contained("program_find_kernel", || {
            // SAFETY: the name ends with 0.
            unsafe { (self.fns().program_find_kernel)(self.this(), program.0, name.as_ptr()) }
        })?;
        if kernel == 0 {
            Err(HalError::NoKernel(name.to_string_lossy().into_owned()))
        } else {
            Ok(Kernel(kernel))
        }
    }

    fn execute(
        &self,
        program: Program,
        kernel: Kernel,
        range: &NdRange,
        args: &[Argument<'_>],
        dimensions: u32,
    ) -> Result<(), HalError> {
        if !(1..=3).contains(&dimensions) {
            return Err(HalError::Argument("one to three dimensions"));
        }
        let count = u32::try_from(args.len()).map_err(|_| HalError::Argument("fewer arguments"))?;
        let raw: Vec<abi::Arg> = args.iter().map(raw_argument).collect();
        let list = raw.as_ptr();
        self.done("kernel_exec", || {
            let (program, kernel, range) = (program.0, kernel.0, std::ptr::from_ref(range));
            let exec = self.fns().kernel_exec;
            // SAFETY: range and arguments are alive, and each pointer of a value refers to the
            // stated number of bytes.
            unsafe { exec(self.this(), program, kernel, range, list, count, dimensions) }
        })
    }

    fn run(&self, calls: &mut [Call<'_>], ended: &mut dyn FnMut(usize, Result<(), HalError>)) {
        let count = u32::try_from(calls.len());
        let (Some(run), Ok(count), true) = (self.hal.run_calls, count, calls.iter().all(fits))
        else {
            return run_in_turn(self, calls, ended);
        };
        let names: Vec<&'static str> = calls.iter().map(Call::name).collect();
        let arguments: Vec<Vec<abi::Arg>> = calls
            .iter()
            .map(|call| match call {
                Call::Execute { arguments, .. } => arguments.iter().map(raw_argument).collect(),
                _ => Vec::new(),
            })
            .collect();
        let raw: Vec<abi::Call> =
            calls.iter_mut().zip(&arguments).map(|(call, args)| raw_call(call, args)).collect();
        let mut results = Results { hal: &self.hal, names: &names, next: 0, ended, panic: None };
        let data: *mut Results<'_> = &raw mut results;
        let list = raw.as_ptr();
        let outcome = self.hal.runtime.contained("hal_run_calls", || {
            // SAFETY: a live device; the calls and what they refer to live during the call, and
            // `call_ended` gets the `Results` that it expects.
            unsafe { run(self.this(), list, count, call_ended, data.cast()) }
        });
        if let Some(panic) = results.panic {
            std::panic::resume_unwind(panic);
        }
        let missing = outcome.err().unwrap_or(HalError::Failed("hal_run_calls"));
        for number in results.next..names.len() {
            (results.ended)(number, Err(missing.clone()));
        }
    }

    fn unload(&self, program: Program) -> Result<(), HalError> {
        // SAFETY: a live device; it checks the program.
        self.done("program_free", || unsafe { (self.fns().program_free)(self.this(), program.0) })
    }

    fn read_counter(&self, counter: u32, index: u32) -> Option<u64> {
        let mut value = 0;
        let at = &raw mut value;
        // SAFETY: `value` can be written.
        let call = || unsafe { (self.fns().counter_read)(self.this(), counter, at, index) };
        let read = self.hal.runtime.contained("counter_read", call);
        (read.ok()? != 0).then_some(value)
    }

    fn begin_profile(&self) -> bool {
        let Some((begin, _)) = self.hal.profile else { return false };
        // SAFETY: a live device.
        let call = || unsafe { begin(self.this()) };
        let begun = self.hal.runtime.contained("hal_profile_begin", call);
        begun.is_ok_and(|begun| begun != 0)
    }

    fn profile(&self) -> Option<String> {
        let (_, text) = self.hal.profile?;
        // SAFETY: a live device.
        let call = || unsafe { text(self.this()) };
        let text = self.hal.runtime.contained("hal_profile_text", call).ok()?;
        if text.is_null() {
            return None;
        }
        // SAFETY: the interface returns a C string.
        unsafe { bounded_text(text, MOST_PROFILE) }.ok()
    }

    fn enable_counters(&self, enable: bool) {
        // SAFETY: a live device.
        let call = || unsafe { (self.fns().counter_set_enabled)(self.this(), enable.into()) };
        if let Err(error) = self.hal.runtime.contained("counter_set_enabled", call) {
            tracing::warn!(target: "hal", "{error}");
        }
    }
}

/// The results of a list of calls.
struct Results<'a> {
    hal: &'a Loaded,
    names: &'a [&'static str],
    /// Number of the call whose result comes next.
    next: usize,
    ended: &'a mut dyn FnMut(usize, Result<(), HalError>),
    /// A panic of `ended`, which must not reach the library.
    panic: Option<Box<dyn Any + Send>>,
}

/// # Safety
/// `data` points to the [`Results`] of the running list.
unsafe extern "C-unwind" fn call_ended(data: *mut c_void, done: u8) {
    // SAFETY: the caller's promise.
    let results = unsafe { &mut *data.cast::<Results<'_>>() };
    let Some(name) = results.names.get(results.next) else { return };
    if results.panic.is_some() {
        return;
    }
    let number = results.next;
    results.next += 1;
    let result = if done == 0 { Err(results.hal.failed(name)) } else { Ok(()) };
    let ended = AssertUnwindSafe(|| (results.ended)(number, result));
    results.panic = catch_unwind(ended).err();
}

/// True for a call that the interface can express.
fn fits(call: &Call<'_>) -> bool {
    match call {
        Call::Execute { arguments, dimensions, .. } => {
            (1..=3).contains(dimensions) && u32::try_from(arguments.len()).is_ok()
        }
        Call::Fill { pattern, .. } => !pattern.is_empty(),
        _ => true,
    }
}

fn raw_call(call: &mut Call<'_>, arguments: &[abi::Arg]) -> abi::Call {
    use abi::call_kind;
    let none = abi::Call {
        kind: call_kind::READ,
        work_dim: 0,
        to: 0,
        from: 0,
        size: 0,
        host: std::ptr::null_mut(),
        pattern_size: 0,
        program: 0,
        kernel: 0,
        nd_range: std::ptr::null(),
        args: std::ptr::null(),
        num_args: 0,
    };
    match call {
        Call::Read { from, into } => {
            let (host, size) = (into.as_mut_ptr().cast(), into.len() as u64);
            abi::Call { kind: call_kind::READ, from: *from, host, size, ..none }
        }
        Call::Write { to, from } => {
            let (host, size) = (from.as_ptr().cast_mut().cast(), from.len() as u64);
            abi::Call { kind: call_kind::WRITE, to: *to, host, size, ..none }
        }
        Call::Copy { to, from, size } => {
            abi::Call { kind: call_kind::COPY, to: *to, from: *from, size: *size, ..none }
        }
        Call::Fill { to, pattern, size } => abi::Call {
            kind: call_kind::FILL,
            to: *to,
            host: pattern.as_ptr().cast_mut().cast(),
            pattern_size: pattern.len() as u64,
            size: *size,
            ..none
        },
        Call::Execute { program, kernel, range, dimensions, .. } => abi::Call {
            kind: call_kind::EXEC,
            program: program.0,
            kernel: kernel.0,
            nd_range: range,
            args: arguments.as_ptr(),
            num_args: u32::try_from(arguments.len()).unwrap_or(u32::MAX),
            work_dim: *dimensions,
            ..none
        },
    }
}

fn raw_argument(arg: &Argument<'_>) -> abi::Arg {
    use abi::{ArgValue, arg_kind, space};
    match arg {
        Argument::Global { address, size } => abi::Arg {
            kind: arg_kind::ADDRESS,
            space: space::GLOBAL,
            size: *size,
            value: ArgValue { address: *address },
        },
        Argument::Local { size } => abi::Arg {
            kind: arg_kind::ADDRESS,
            space: space::LOCAL,
            size: *size,
            value: ArgValue { address: 0 },
        },
        Argument::Value(bytes) => abi::Arg {
            kind: arg_kind::VALUE,
            space: space::GLOBAL,
            size: bytes.len() as u64,
            value: ArgValue { pod_data: bytes.as_ptr().cast() },
        },
    }
}
