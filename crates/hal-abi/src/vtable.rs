//! The objects of `hal.h` and their tables of functions. Invariant: the functions are in the order
//! in which a C++ compiler for the Itanium ABI places them (a virtual destructor has two entries).
//! A table begins with the offset to the top and the type information, and an object points to the
//! functions after those.

use crate::types::{Arg, Call, DeviceInfo, HalInfo, NdRange};
use std::ffi::{c_char, c_void};

/// The type of `get_hal`, the function that every HAL library exports. It writes the version of the
/// interface that the library was built for, and returns the library's one HAL, or null.
pub type GetHal = unsafe extern "C-unwind" fn(api_version: *mut u32) -> *mut HalObject;

/// The type of `hal_device_properties`, which a library may export. It returns lines `key = value`
/// that the library owns, or null.
pub type DeviceProperties = unsafe extern "C-unwind" fn(device_index: u32) -> *const c_char;

/// The type of `hal_last_error`, which a library may export. It returns why the thread's last call
/// failed: text that the library owns until the thread's next call, or null if it has none.
pub type LastError = unsafe extern "C-unwind" fn() -> *const c_char;

/// The type of `hal_profile_begin`, which a library may export. It begins to record a profile of
/// the device's kernels, none of which has run yet. It returns 0 if the device has no profile.
pub type ProfileBegin = unsafe extern "C-unwind" fn(device: *mut DeviceObject) -> u8;

/// The type of `hal_profile_text`, which a library may export. It returns the profile as text that
/// the library owns until the thread's next call of this function, or null if none has begun.
pub type ProfileText = unsafe extern "C-unwind" fn(device: *mut DeviceObject) -> *const c_char;

/// The type of `hal_run_calls`, which a library may export. It makes calls whose effects follow
/// each other, and reports the end of each.
pub type RunCalls =
    unsafe extern "C-unwind" fn(*mut DeviceObject, *const Call, u32, CallEnded, *mut c_void);

/// `hal_call_ended_t`: receives the data of [`RunCalls`] and whether a call has succeeded.
pub type CallEnded = unsafe extern "C-unwind" fn(*mut c_void, u8);

/// A `hal_t`: the HAL of a library.
#[repr(C)]
#[derive(Debug)]
pub struct HalObject {
    /// Its functions.
    pub fns: *const HalFns,
}

/// The functions of a `hal_t`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct HalFns {
    /// `get_info`: the platform's description, never null.
    pub get_info: unsafe extern "C-unwind" fn(*mut HalObject) -> *const HalInfo,
    /// `device_get_info(index)`: the description of a device, owned by the HAL, or null.
    pub device_get_info: unsafe extern "C-unwind" fn(*mut HalObject, u32) -> *const DeviceInfo,
    /// `device_create(index)`: a new device, or null.
    pub device_create: unsafe extern "C-unwind" fn(*mut HalObject, u32) -> *mut DeviceObject,
    /// `device_delete(device)`: destroys a device, whose programs are free. Returns false on
    /// failure.
    pub device_delete: unsafe extern "C-unwind" fn(*mut HalObject, *mut DeviceObject) -> u8,
}

/// A complete table for [`HalFns`].
#[repr(C)]
#[derive(Debug)]
pub struct HalTable {
    /// Bytes from this table's part to the start of the object: always 0.
    pub offset_to_top: isize,
    /// Null, because no code uses `dynamic_cast` on these objects.
    pub type_info: *const c_void,
    /// Functions. Objects point to this field.
    pub fns: HalFns,
}

/// A `hal_device_t`: a created device.
#[repr(C)]
#[derive(Debug)]
pub struct DeviceObject {
    /// Its functions.
    pub fns: *const DeviceFns,
    /// Result of `get_info`, which is not virtual.
    pub info: *const DeviceInfo,
}

/// The functions of a `hal_device_t`. A returned `u8` is a C++ `bool`: 0 is a failure. Addresses
/// are device addresses, sizes are in bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct DeviceFns {
    /// The destructor, without freeing the object.
    pub complete_destructor: unsafe extern "C-unwind" fn(*mut DeviceObject),
    /// The destructor that frees the object too.
    pub deleting_destructor: unsafe extern "C-unwind" fn(*mut DeviceObject),
    /// `program_find_kernel(program, name)`: a kernel's handle, or 0.
    pub program_find_kernel:
        unsafe extern "C-unwind" fn(*mut DeviceObject, u64, *const c_char) -> u64,
    /// `program_load(elf, size)`: a program's handle, or 0. The bytes are not used after the call.
    pub program_load: unsafe extern "C-unwind" fn(*mut DeviceObject, *const c_void, u64) -> u64,
    /// `kernel_exec(program, kernel, range, args, number of args, dimensions)`: runs a kernel to
    /// its end.
    pub kernel_exec: unsafe extern "C-unwind" fn(
        *mut DeviceObject,
        u64,
        u64,
        *const NdRange,
        *const Arg,
        u32,
        u32,
    ) -> u8,
    /// `program_free(program)`.
    pub program_free: unsafe extern "C-unwind" fn(*mut DeviceObject, u64) -> u8,
    /// `mem_alloc(size, alignment)`: an address, or 0. The alignment is a power of two.
    pub mem_alloc: unsafe extern "C-unwind" fn(*mut DeviceObject, u64, u64) -> u64,
    /// `mem_copy(to, from, size)` between ranges of the device that do not overlap.
    pub mem_copy: unsafe extern "C-unwind" fn(*mut DeviceObject, u64, u64, u64) -> u8,
    /// `mem_free(address)`.
    pub mem_free: unsafe extern "C-unwind" fn(*mut DeviceObject, u64) -> u8,
    /// `mem_fill(to, pattern, size of the pattern, size)`: whole repetitions of the pattern.
    pub mem_fill:
        unsafe extern "C-unwind" fn(*mut DeviceObject, u64, *const c_void, u64, u64) -> u8,
    /// `mem_read(host pointer, from, size)`.
    pub mem_read: unsafe extern "C-unwind" fn(*mut DeviceObject, *mut c_void, u64, u64) -> u8,
    /// `mem_write(to, host pointer, size)`.
    pub mem_write: unsafe extern "C-unwind" fn(*mut DeviceObject, u64, *const c_void, u64) -> u8,
    /// `counter_read(counter, value, index)`: takes an unread value; 0 if there is none.
    pub counter_read: unsafe extern "C-unwind" fn(*mut DeviceObject, u32, *mut u64, u32) -> u8,
    /// `counter_set_enabled(enable)`.
    pub counter_set_enabled: unsafe extern "C-unwind" fn(*mut DeviceObject, u8),
}

/// A complete table for [`DeviceFns`].
#[repr(C)]
#[derive(Debug)]
pub struct DeviceTable {
    /// Bytes from this table's part to the start of the object: always 0.
    pub offset_to_top: isize,
    /// Null, because no code uses `dynamic_cast` on these objects.
    pub type_info: *const c_void,
    /// Functions. Objects point to this field.
    pub fns: DeviceFns,
}

// SAFETY: tables are constants; the null pointer in them is never followed.
unsafe impl Sync for HalTable {}
// SAFETY: as above.
unsafe impl Sync for DeviceTable {}
