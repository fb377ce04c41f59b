//! Exports a [`Hal`] written in Rust through the C++ interface. Invariant: no panic reaches the
//! caller. A call that fails returns the interface's failure value. Use
//! [`export_hal!`](crate::export_hal), not this module.

use crate::{Argument, Call, Device, DeviceInfo, Hal, HalError, Kernel, Program};
use muxcl_hal_abi as abi;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

/// Makes this library a HAL library. In `export_hal!(expression)`, the expression is a `Result` of
/// a [`Hal`] and is evaluated once.
#[macro_export]
macro_rules! export_hal {
    ($make:expr) => {
        /// The entry of a HAL library.
        ///
        /// # Safety
        /// `api_version` is null or can be written.
        #[unsafe(no_mangle)]
        pub unsafe extern "C-unwind" fn get_hal(
            api_version: *mut u32,
        ) -> *mut $crate::export::HalObject {
            static HAL: $crate::export::ExportCell = $crate::export::ExportCell::new();
            // SAFETY: the caller's promise.
            unsafe {
                $crate::export::entry(&HAL, api_version, || ($make).map($crate::export::boxed))
            }
        }

        /// Properties without a field in the interface's structs, as text.
        ///
        /// # Safety
        /// None: the function accepts any index.
        #[unsafe(no_mangle)]
        pub unsafe extern "C-unwind" fn hal_device_properties(
            device_index: u32,
        ) -> *const $crate::export::Text {
            // SAFETY: null is allowed; `get_hal` then writes no version.
            let hal = unsafe { get_hal(::std::ptr::null_mut()) };
            // SAFETY: null, or this library's HAL.
            unsafe { $crate::export::properties(hal, device_index) }
        }

        /// The reason why this thread's last call failed; null if none is known.
        ///
        /// # Safety
        /// None.
        #[unsafe(no_mangle)]
        pub unsafe extern "C-unwind" fn hal_last_error() -> *const $crate::export::Text {
            $crate::export::last_error()
        }

        /// Begins a profile of a device's kernels.
        ///
        /// # Safety
        /// `device` is null or a live device of this library.
        #[unsafe(no_mangle)]
        pub unsafe extern "C-unwind" fn hal_profile_begin(
            device: *mut $crate::export::DeviceObject,
        ) -> u8 {
            // SAFETY: the caller's promise.
            unsafe { $crate::export::profile_begin(device) }
        }

        /// The profile of a device's kernels, or null if none has begun.
        ///
        /// # Safety
        /// `device` is null or a live device of this library.
        #[unsafe(no_mangle)]
        pub unsafe extern "C-unwind" fn hal_profile_text(
            device: *mut $crate::export::DeviceObject,
        ) -> *const $crate::export::Text {
            // SAFETY: the caller's promise.
            unsafe { $crate::export::profile_text(device) }
        }

        /// Makes calls whose effects follow each other.
        ///
        /// # Safety
        /// `device` is a live device of this library, and `calls` has `num_calls` calls with valid
        /// pointers.
        #[unsafe(no_mangle)]
        pub unsafe extern "C-unwind" fn hal_run_calls(
            device: *mut $crate::export::DeviceObject,
            calls: *const $crate::export::RawCall,
            num_calls: u32,
            ended: $crate::export::CallEnded,
            data: *mut ::std::ffi::c_void,
        ) {
            // SAFETY: the caller's promise.
            unsafe { $crate::export::run_calls(device, calls, num_calls, ended, data) }
        }
    };
}

pub use abi::{Call as RawCall, CallEnded, DeviceObject, HalObject};
pub use std::ffi::c_char as Text;

/// Storage for the HAL of a library.
#[derive(Debug)]
pub struct ExportCell(OnceLock<Result<&'static Exported, String>>);

impl ExportCell {
    /// Creates empty storage.
    #[must_use]
    pub const fn new() -> Self {
        Self(OnceLock::new())
    }
}

impl Default for ExportCell {
    fn default() -> Self {
        Self::new()
    }
}

/// A HAL as a C++ object.
#[repr(C)]
pub struct Exported {
    object: HalObject,
    hal: Box<dyn Hal>,
    info: abi::HalInfo,
    /// The descriptions; the reason for a device without one.
    devices: Vec<Result<&'static abi::RiscvDeviceInfo, HalError>>,
    /// Properties of each device as a C string; null without a description.
    properties: Vec<*const c_char>,
}

impl std::fmt::Debug for Exported {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Exported").field("name", &self.hal.name()).finish_non_exhaustive()
    }
}

// SAFETY: all its pointers refer to constants and leaked strings.
unsafe impl Send for Exported {}
// SAFETY: as above.
unsafe impl Sync for Exported {}

/// A device as a C++ object.
#[repr(C)]
struct ExportedDevice {
    object: DeviceObject,
    device: Box<dyn Device>,
}

/// The HAL as a trait object; [`export_hal!`](crate::export_hal) calls it.
pub fn boxed<H: Hal + 'static>(hal: H) -> Box<dyn Hal> {
    Box::new(hal)
}

/// Runs the body of an exported call. Returns `failure` if it fails or panics, and stores the
/// reason for [`last_error`]; a success erases the reason of the call before.
fn call<T>(failure: T, body: impl FnOnce() -> Result<T, HalError>) -> T {
    let result = catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|_| {
        tracing::error!(target: "hal", "a HAL panicked");
        Err(HalError::Failed("panic in the HAL"))
    });
    keep_reason(result.as_ref().err());
    result.unwrap_or(failure)
}

/// Stores the reason why a call failed, or that it has not.
fn keep_reason(error: Option<&HalError>) {
    let text = error.map(|error| CString::new(error.to_string()).unwrap_or_default());
    // While a thread ends, its thread-local values may no longer exist.
    let _ = REASON.try_with(|reason| reason.replace(text));
}

/// Prints the reason of a failure on stderr, for hosts that do not call `hal_last_error`.
fn printed<T>(name: &str, result: Result<T, HalError>) -> Result<T, HalError> {
    result.inspect_err(|error| say(&format!("{name}: {error}")))
}

/// The body of `get_hal`: makes the HAL at the first call, and returns the same object at every
/// call. Null if `make` fails or panics.
///
/// # Safety
/// `api_version` is null or can be written.
pub unsafe fn entry<E: std::fmt::Display>(
    slot: &'static ExportCell,
    api_version: *mut u32,
    make: impl FnOnce() -> Result<Box<dyn Hal>, E>,
) -> *mut HalObject {
    // SAFETY: the caller's promise.
    if let Some(version) = unsafe { api_version.as_mut() } {
        *version = abi::API_VERSION;
    }
    call(std::ptr::null_mut(), || {
        let start = || match make() {
            Ok(hal) => Ok(Exported::leak(hal)),
            Err(error) => {
                let text = format!("the HAL cannot start: {error}");
                say(&text);
                Err(text)
            }
        };
        // A panic also counts as the first call.
        let first = || {
            catch_unwind(AssertUnwindSafe(start))
                .unwrap_or_else(|_| Err("the HAL cannot start: it panicked".to_owned()))
        };
        match slot.0.get_or_init(first) {
            Ok(exported) => Ok((&raw const exported.object).cast_mut()),
            Err(text) => Err(HalError::Start(text.clone())),
        }
    })
}

/// The body of `hal_device_properties`: the text that describes a device, or null.
///
/// # Safety
/// `hal` is null or came from [`entry`].
pub unsafe fn properties(hal: *mut HalObject, device_index: u32) -> *const c_char {
    if hal.is_null() {
        return std::ptr::null();
    }
    // SAFETY: the caller's promise.
    let list = &unsafe { exported(hal) }.properties;
    list.get(device_index as usize).copied().unwrap_or(std::ptr::null())
}

thread_local! {
    /// The reason why the thread's last call failed.
    static REASON: RefCell<Option<CString>> = const { RefCell::new(None) };
    /// The result of the thread's last call of `hal_profile_text`.
    static PROFILE: RefCell<Option<CString>> = const { RefCell::new(None) };
}

/// The body of `hal_profile_begin`: false if the device has no profile.
///
/// # Safety
/// `object` is null or came from `device_create` and was not deleted.
pub unsafe fn profile_begin(object: *mut DeviceObject) -> u8 {
    if object.is_null() {
        return 0;
    }
    // SAFETY: the caller's promise.
    let device = unsafe { device(object) };
    call(0, || Ok(device.begin_profile().into()))
}

/// The body of `hal_profile_text`: the profile of the device's kernels, or null.
///
/// # Safety
/// As [`profile_begin`].
pub unsafe fn profile_text(object: *mut DeviceObject) -> *const c_char {
    if object.is_null() {
        return std::ptr::null();
    }
    // SAFETY: the caller's promise.
    let device = unsafe { device(object) };
    let text = call(None, || Ok(device.profile()));
    let text = text.map(|text| CString::new(text.replace('\0', "")).unwrap_or_default());
    let set = PROFILE.try_with(|profile| {
        let mut profile = profile.borrow_mut();
        *profile = text;
        profile.as_ref().map(|text| text.as_ptr())
    });
    set.ok().flatten().unwrap_or(std::ptr::null())
}

/// The body of `hal_last_error`: the reason why the thread's last call failed, or null. The text
/// stays valid until the thread's next call.
#[must_use]
pub fn last_error() -> *const c_char {
    // The value may no longer exist, as in `call`.
    let text = REASON.try_with(|reason| reason.borrow().as_ref().map(|text| text.as_ptr()));
    text.ok().flatten().unwrap_or(std::ptr::null())
}

#[expect(clippy::print_stderr, reason = "a HAL library has no other way to report errors")]
fn say(text: &str) {
    eprintln!("hal: {text}");
}

fn c_text(text: &str) -> *const c_char {
    // C ends a name at the first NUL in any case.
    CString::new(text.replace('\0', "")).unwrap_or_default().into_raw()
}

impl Exported {
    fn leak(hal: Box<dyn Hal>) -> &'static Self {
        let info = abi::HalInfo {
            platform_name: c_text(hal.name()),
            num_devices: hal.device_count(),
            api_version: abi::API_VERSION,
        };
        let described: Vec<_> = (0..info.num_devices).map(|k| hal.device_info(k)).collect();
        let devices =
            described.iter().map(|i| i.as_ref().map(raw_info).map_err(Clone::clone)).collect();
        let text = |i: &DeviceInfo| c_text(&i.properties.to_string());
        let properties =
            described.iter().map(|i| i.as_ref().map_or(std::ptr::null(), text)).collect();
        let object = HalObject { fns: &HAL_TABLE.fns };
        Box::leak(Box::new(Self { object, hal, info, devices, properties }))
    }
}

fn raw_info(info: &DeviceInfo) -> &'static abi::RiscvDeviceInfo {
    let counters: Vec<abi::CounterDescription> = info
        .counters
        .iter()
        .map(|c| abi::CounterDescription {
            counter_id: c.id,
            name: c_text(&c.name),
            description: c_text(&c.description),
            sub_value_name: c_text(&c.sub_value_name),
            contained_values: c.values,
            unit: c.unit.0,
            log_cfg: abi::CounterLogConfig {
                min_verbosity_per_value: c.per_value as u32,
                min_verbosity_total: c.total as u32,
            },
        })
        .collect();
    let counters = Box::leak(counters.into_boxed_slice());
    Box::leak(Box::new(abi::RiscvDeviceInfo {
        base: abi::DeviceInfo {
            kind: abi::device_type::RISCV,
            word_size: info.word_size,
            target_name: c_text(&info.target_name),
            global_memory_avail: info.global_memory,
            shared_local_memory_size: info.local_memory,
            should_link: info.should_link.into(),
            linker_script: abi::CxxString::leak(info.linker_script.as_deref().unwrap_or_default()),
            should_vectorize: info.should_vectorize.into(),
            preferred_vector_width: info.preferred_vector_width,
            supports_fp16: info.fp16.into(),
            supports_doubles: info.fp64.into(),
            max_workgroup_size: info.max_workgroup_size,
            is_little_endian: info.little_endian.into(),
            num_counters: u32::try_from(counters.len()).unwrap_or(0),
            counter_descriptions: counters.as_ptr(),
            link_shared: info.linker_script.as_deref().is_none_or(str::is_empty).into(),
        },
        extensions: info.extensions.bits(),
        abi: info.abi as u32,
        vlen: info.vlen,
    }))
}

static HAL_TABLE: abi::HalTable = abi::HalTable {
    offset_to_top: 0,
    type_info: std::ptr::null(),
    fns: abi::HalFns { get_info, device_get_info, device_create, device_delete },
};

static DEVICE_TABLE: abi::DeviceTable = abi::DeviceTable {
    offset_to_top: 0,
    type_info: std::ptr::null(),
    fns: abi::DeviceFns {
        complete_destructor,
        deleting_destructor,
        program_find_kernel,
        program_load,
        kernel_exec,
        program_free,
        mem_alloc,
        mem_copy,
        mem_free,
        mem_fill,
        mem_read,
        mem_write,
        counter_read,
        counter_set_enabled,
    },
};

/// # Safety
/// `this` came from [`entry`].
unsafe fn exported<'a>(this: *mut HalObject) -> &'a Exported {
    // SAFETY: the caller's promise: the object is the first field.
    unsafe { &*this.cast::<Exported>() }
}

/// # Safety
/// `this` came from [`device_create`] and was not deleted.
unsafe fn device<'a>(this: *mut DeviceObject) -> &'a dyn Device {
    // SAFETY: the caller's promise: the object is the first field.
    let whole = unsafe { &*this.cast::<ExportedDevice>() };
    &*whole.device
}

/// The caller's bytes. An error if the pointer is null or the size too large; a size of 0 needs no
/// pointer.
///
/// # Safety
/// `from` is null or points to `size` bytes, alive for `'a`.
unsafe fn bytes<'a>(from: *const c_void, size: u64) -> Result<&'a [u8], HalError> {
    if size == 0 {
        return Ok(&[]);
    }
    let len = length(from, size)?;
    // SAFETY: the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts(from.cast(), len) })
}

/// As [`bytes`], for bytes that are written.
///
/// # Safety
/// `into` is null or points to `size` bytes, alive for `'a`, that no other code uses.
unsafe fn bytes_mut<'a>(into: *mut c_void, size: u64) -> Result<&'a mut [u8], HalError> {
    if size == 0 {
        return Ok(&mut []);
    }
    let len = length(into, size)?;
    // SAFETY: the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts_mut(into.cast(), len) })
}

/// The size of the caller's bytes at `from`.
fn length(from: *const c_void, size: u64) -> Result<usize, HalError> {
    if from.is_null() {
        return Err(HalError::Argument("a null pointer"));
    }
    let len = usize::try_from(size).ok().filter(|n| *n <= isize::MAX as usize);
    len.ok_or(HalError::Argument("a size beyond the address space"))
}

unsafe extern "C-unwind" fn get_info(this: *mut HalObject) -> *const abi::HalInfo {
    // SAFETY: C++ passes the object that `get_hal` returned.
    &raw const unsafe { exported(this) }.info
}

/// The raw description of a device.
fn described(hal: &Exported, index: u32) -> Result<&'static abi::RiscvDeviceInfo, HalError> {
    let none = || Err(HalError::Argument("the number of a device"));
    hal.devices.get(index as usize).cloned().unwrap_or_else(none)
}

unsafe extern "C-unwind" fn device_get_info(
    this: *mut HalObject,
    index: u32,
) -> *const abi::DeviceInfo {
    // SAFETY: as above.
    let hal = unsafe { exported(this) };
    call(std::ptr::null(), || Ok(&raw const described(hal, index)?.base))
}

unsafe extern "C-unwind" fn device_create(this: *mut HalObject, index: u32) -> *mut DeviceObject {
    // SAFETY: as above.
    let hal = unsafe { exported(this) };
    call(std::ptr::null_mut(), || {
        let info = described(hal, index)?;
        let device = hal.hal.create_device(index)?;
        let object = DeviceObject { fns: &DEVICE_TABLE.fns, info: &raw const info.base };
        Ok(Box::into_raw(Box::new(ExportedDevice { object, device })).cast())
    })
}

unsafe extern "C-unwind" fn device_delete(_this: *mut HalObject, object: *mut DeviceObject) -> u8 {
    if object.is_null() {
        return call(0, || Err(HalError::Argument("a null pointer")));
    }
    // SAFETY: a device of this HAL, deleted once.
    unsafe { deleting_destructor(object) };
    1
}

/// The destructor that does not free memory. It does nothing: the deleting form destroys and frees.
unsafe extern "C-unwind" fn complete_destructor(_this: *mut DeviceObject) {}

unsafe extern "C-unwind" fn deleting_destructor(this: *mut DeviceObject) {
    // SAFETY: made by `Box::into_raw` in `device_create`.
    let whole = unsafe { Box::from_raw(this.cast::<ExportedDevice>()) };
    call((), || {
        drop(whole);
        Ok(())
    });
}

unsafe extern "C-unwind" fn program_find_kernel(
    this: *mut DeviceObject,
    program: u64,
    name: *const c_char,
) -> u64 {
    // SAFETY: a live device.
    let device = unsafe { device(this) };
    call(0, || {
        if name.is_null() {
            return Err(HalError::Argument("a null pointer"));
        }
        // SAFETY: the interface passes a C string.
        let name = unsafe { CStr::from_ptr(name) };
        device.find(Program(program), name).map(|kernel| kernel.0)
    })
}

unsafe extern "C-unwind" fn program_load(
    this: *mut DeviceObject,
    data: *const c_void,
    size: u64,
) -> u64 {
    // SAFETY: a live device.
    let device = unsafe { device(this) };
    call(0, || {
        // SAFETY: the interface passes `size` bytes.
        let data = unsafe { bytes(data, size) }?;
        printed("program_load", device.load(data)).map(|program| program.0)
    })
}

/// # Safety
/// `from` points to an argument whose value exists for `'a`.
unsafe fn argument<'a>(from: *const abi::Arg) -> Result<Argument<'a>, HalError> {
    // SAFETY: the caller's promise.
    let arg = unsafe { &*from };
    match (arg.kind, arg.space) {
        (abi::arg_kind::VALUE, _) => {
            // SAFETY: an argument of kind value holds a pointer.
            let data = unsafe { arg.value.pod_data };
            // SAFETY: the caller's promise.
            unsafe { bytes(data, arg.size) }.map(Argument::Value)
        }
        (abi::arg_kind::ADDRESS, abi::space::LOCAL) => Ok(Argument::Local { size: arg.size }),
        (abi::arg_kind::ADDRESS, abi::space::GLOBAL) => {
            // SAFETY: an argument of kind address holds a number.
            Ok(Argument::Global { address: unsafe { arg.value.address }, size: arg.size })
        }
        _ => Err(HalError::Argument("the kind or the address space of a kernel's argument")),
    }
}

unsafe extern "C-unwind" fn kernel_exec(
    this: *mut DeviceObject,
    program: u64,
    kernel: u64,
    range: *const abi::NdRange,
    args: *const abi::Arg,
    count: u32,
    dimensions: u32,
) -> u8 {
    // SAFETY: a live device.
    let device = unsafe { device(this) };
    call(0, || {
        // SAFETY: null or an NDRange.
        let range = unsafe { range.as_ref() };
        let range = range.ok_or(HalError::Argument("a null pointer"))?;
        // SAFETY: the interface passes an array of that many arguments.
        let list = unsafe { arguments(args, count) }?;
        let done = device.execute(Program(program), Kernel(kernel), range, &list, dimensions);
        printed("kernel_exec", done).map(|()| 1)
    })
}

/// # Safety
/// `from` points to `count` arguments whose values exist for `'a`, or `count` is 0.
unsafe fn arguments<'a>(from: *const abi::Arg, count: u32) -> Result<Vec<Argument<'a>>, HalError> {
    if count != 0 && from.is_null() {
        return Err(HalError::Argument("a null pointer"));
    }
    // SAFETY: the caller's promise.
    (0..count as usize).map(|k| unsafe { argument(from.wrapping_add(k)) }).collect()
}

/// Implements `hal_run_calls`: makes the calls, and reports the result of each to `ended`.
///
/// # Safety
/// `object` came from `device_create` and was not deleted. `calls` has `count` calls. Their
/// pointers are null or refer to what the interface says, which no other code uses meanwhile.
pub unsafe fn run_calls(
    object: *mut DeviceObject,
    calls: *const abi::Call,
    count: u32,
    ended: CallEnded,
    data: *mut c_void,
) {
    // SAFETY: the caller's promise.
    let device = unsafe { device(object) };
    let mut told = 0;
    let mut tell = |result: Result<(), HalError>| {
        told += 1;
        keep_reason(result.as_ref().err());
        // SAFETY: the interface passes a function for these arguments.
        unsafe { ended(data, result.is_ok().into()) };
    };
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let list = |k: u32| calls.wrapping_add(k as usize);
        let lists = (0..count).map(|k| {
            // SAFETY: the caller's promise: there are `count` calls.
            let call = unsafe { &*list(k) };
            // SAFETY: as above, and so many arguments.
            unsafe { arguments(call.args, call.num_args) }
        });
        let lists = lists.collect::<Result<Vec<_>, _>>()?;
        // SAFETY: as above.
        let made = (0..count).zip(&lists).map(|(k, args)| unsafe { call_of(list(k), args) });
        let mut made = made.collect::<Result<Vec<_>, _>>()?;
        device.run(&mut made, &mut |_, result| tell(result));
        Ok(())
    }));
    let failed = Err(HalError::Failed("panic in the HAL"));
    let missing = match outcome.unwrap_or(failed) {
        Ok(()) => HalError::Failed("hal_run_calls"),
        Err(error) => error,
    };
    for _ in told..count as usize {
        keep_reason(Some(&missing));
        // SAFETY: as above.
        unsafe { ended(data, 0) };
    }
}

/// # Safety
/// `from` points to a call whose pointers are null or refer to what the interface says, for `'a`.
unsafe fn call_of<'a>(
    from: *const abi::Call,
    arguments: &'a [Argument<'a>],
) -> Result<Call<'a>, HalError> {
    use abi::call_kind;
    // SAFETY: the caller's promise.
    let call = unsafe { &*from };
    Ok(match call.kind {
        call_kind::READ => {
            let (host, from) = (call.host, call.from);
            // SAFETY: as above.
            Call::Read { from, into: unsafe { bytes_mut(host, call.size) }? }
        }
        call_kind::WRITE => {
            // SAFETY: as above.
            Call::Write { to: call.to, from: unsafe { bytes(call.host, call.size) }? }
        }
        call_kind::COPY => Call::Copy { to: call.to, from: call.from, size: call.size },
        call_kind::FILL => {
            // SAFETY: as above.
            let pattern = unsafe { bytes(call.host, call.pattern_size) }?;
            Call::Fill { to: call.to, pattern, size: call.size }
        }
        call_kind::EXEC => {
            // SAFETY: as above.
            let range = unsafe { call.nd_range.as_ref() };
            Call::Execute {
                program: Program(call.program),
                kernel: Kernel(call.kernel),
                range: *range.ok_or(HalError::Argument("a null pointer"))?,
                arguments,
                dimensions: call.work_dim,
            }
        }
        _ => return Err(HalError::Argument("the kind of a call")),
    })
}

unsafe extern "C-unwind" fn program_free(this: *mut DeviceObject, program: u64) -> u8 {
    // SAFETY: a live device.
    let device = unsafe { device(this) };
    call(0, || device.unload(Program(program)).map(|()| 1))
}

unsafe extern "C-unwind" fn mem_alloc(this: *mut DeviceObject, size: u64, alignment: u64) -> u64 {
    // SAFETY: a live device.
    let device = unsafe { device(this) };
    call(0, || device.alloc(size, alignment))
}

unsafe extern "C-unwind" fn mem_copy(this: *mut DeviceObject, to: u64, from: u64, size: u64) -> u8 {
    // SAFETY: a live device.
    let device = unsafe { device(this) };
    call(0, || device.copy(to, from, size).map(|()| 1))
}

unsafe extern "C-unwind" fn mem_free(this: *mut DeviceObject, address: u64) -> u8 {
    // SAFETY: a live device.
    let device = unsafe { device(this) };
    call(0, || device.free(address).map(|()| 1))
}

unsafe extern "C-unwind" fn mem_fill(
    this: *mut DeviceObject,
    to: u64,
    pattern: *const c_void,
    pattern_size: u64,
    size: u64,
) -> u8 {
    // SAFETY: a live device.
    let device = unsafe { device(this) };
    call(0, || {
        // SAFETY: the interface passes that many bytes.
        let pattern = unsafe { bytes(pattern, pattern_size) }?;
        device.fill(to, pattern, size).map(|()| 1)
    })
}

unsafe extern "C-unwind" fn mem_read(
    this: *mut DeviceObject,
    into: *mut c_void,
    from: u64,
    size: u64,
) -> u8 {
    // SAFETY: a live device.
    let device = unsafe { device(this) };
    call(0, || {
        // SAFETY: the interface passes `size` bytes, which no other code uses during the call.
        let into = unsafe { bytes_mut(into, size) }?;
        device.read(from, into).map(|()| 1)
    })
}

unsafe extern "C-unwind" fn mem_write(
    this: *mut DeviceObject,
    to: u64,
    from: *const c_void,
    size: u64,
) -> u8 {
    // SAFETY: a live device.
    let device = unsafe { device(this) };
    call(0, || {
        // SAFETY: the interface passes that many bytes.
        let from = unsafe { bytes(from, size) }?;
        device.write(to, from).map(|()| 1)
    })
}

unsafe extern "C-unwind" fn counter_read(
    this: *mut DeviceObject,
    counter: u32,
    out: *mut u64,
    index: u32,
) -> u8 {
    // SAFETY: a live device.
    let device = unsafe { device(this) };
    call(0, || {
        // SAFETY: in C++ this is a reference, so it is valid.
        let out = unsafe { out.as_mut() }.ok_or(HalError::Argument("a null pointer"))?;
        let value = device.read_counter(counter, index);
        // A counter without a new value is no failure.
        Ok(value.map_or(0, |value| {
            *out = value;
            1
        }))
    })
}

unsafe extern "C-unwind" fn counter_set_enabled(this: *mut DeviceObject, enable: u8) {
    // SAFETY: a live device.
    let device = unsafe { device(this) };
    call((), || {
        device.enable_counters(enable != 0);
        Ok(())
    });
}
