//! The objects of `hal.h` and their tables of functions. Invariant: the functions are in the order
//! a C++ compiler for the Itanium ABI puts them (a virtual destructor has two entries); a table
//! begins with the offset to the top and the type information, and an object points behind those.

use crate::types::{Arg, DeviceInfo, HalInfo, NdRange};
use std::ffi::{c_char, c_void};

/// The type of `get_hal`.
pub type GetHal = unsafe extern "C-unwind" fn(api_version: *mut u32) -> *mut HalObject;

/// The type of `hal_device_properties`.
pub type DeviceProperties = unsafe extern "C-unwind" fn(device_index: u32) -> *const c_char;

/// A `hal_t`.
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
    /// `get_info`
    pub get_info: unsafe extern "C-unwind" fn(*mut HalObject) -> *const HalInfo,
    /// `device_get_info`
    pub device_get_info: unsafe extern "C-unwind" fn(*mut HalObject, u32) -> *const DeviceInfo,
    /// `device_create`
    pub device_create: unsafe extern "C-unwind" fn(*mut HalObject, u32) -> *mut DeviceObject,
    /// `device_delete`
    pub device_delete: unsafe extern "C-unwind" fn(*mut HalObject, *mut DeviceObject) -> u8,
}

/// A complete table for [`HalFns`].
#[repr(C)]
#[derive(Debug)]
pub struct HalTable {
    /// Always 0.
    pub offset_to_top: isize,
    /// Null: no `dynamic_cast` on these.
    pub type_info: *const c_void,
    /// Functions. Objects point to this field.
    pub fns: HalFns,
}

/// A `hal_device_t`.
#[repr(C)]
#[derive(Debug)]
pub struct DeviceObject {
    /// Its functions.
    pub fns: *const DeviceFns,
    /// Result of `get_info`, which is not virtual.
    pub info: *const DeviceInfo,
}

/// The functions of a `hal_device_t`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct DeviceFns {
    /// The destructor.
    pub complete_destructor: unsafe extern "C-unwind" fn(*mut DeviceObject),
    /// The destructor that frees the object too.
    pub deleting_destructor: unsafe extern "C-unwind" fn(*mut DeviceObject),
    /// `program_find_kernel`
    pub program_find_kernel:
        unsafe extern "C-unwind" fn(*mut DeviceObject, u64, *const c_char) -> u64,
    /// `program_load`
    pub program_load: unsafe extern "C-unwind" fn(*mut DeviceObject, *const c_void, u64) -> u64,
    /// `kernel_exec`
    pub kernel_exec: unsafe extern "C-unwind" fn(
        *mut DeviceObject,
        u64,
        u64,
        *const NdRange,
        *const Arg,
        u32,
        u32,
    ) -> u8,
    /// `program_free`
    pub program_free: unsafe extern "C-unwind" fn(*mut DeviceObject, u64) -> u8,
    /// `mem_alloc`
    pub mem_alloc: unsafe extern "C-unwind" fn(*mut DeviceObject, u64, u64) -> u64,
    /// `mem_copy`
    pub mem_copy: unsafe extern "C-unwind" fn(*mut DeviceObject, u64, u64, u64) -> u8,
    /// `mem_free`
    pub mem_free: unsafe extern "C-unwind" fn(*mut DeviceObject, u64) -> u8,
    /// `mem_fill`
    pub mem_fill:
        unsafe extern "C-unwind" fn(*mut DeviceObject, u64, *const c_void, u64, u64) -> u8,
    /// `mem_read`
    pub mem_read: unsafe extern "C-unwind" fn(*mut DeviceObject, *mut c_void, u64, u64) -> u8,
    /// `mem_write`
    pub mem_write: unsafe extern "C-unwind" fn(*mut DeviceObject, u64, *const c_void, u64) -> u8,
    /// `counter_read`
    pub counter_read: unsafe extern "C-unwind" fn(*mut DeviceObject, u32, *mut u64, u32) -> u8,
    /// `counter_set_enabled`
    pub counter_set_enabled: unsafe extern "C-unwind" fn(*mut DeviceObject, u8),
}

/// A complete table for [`DeviceFns`].
#[repr(C)]
#[derive(Debug)]
pub struct DeviceTable {
    /// Always 0.
    pub offset_to_top: isize,
    /// Null.
    pub type_info: *const c_void,
    /// Functions. Objects point to this field.
    pub fns: DeviceFns,
}

// SAFETY: tables are constants; the null pointer in them is never followed.
unsafe impl Sync for HalTable {}
// SAFETY: as above.
unsafe impl Sync for DeviceTable {}
