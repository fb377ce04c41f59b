//! The structs of `hal_types.h` and `hal_riscv.h`. Enumerations are plain integers here: what a
//! library says may be any number. Invariant: `repr(C)`, field by field. Not here: their meaning
//! (see the headers).

use crate::CxxString;
use std::ffi::{c_char, c_void};

/// Values of `hal_arg_kind_t`.
pub mod arg_kind {
    /// An address in device memory.
    pub const ADDRESS: u32 = 0;
    /// A value.
    pub const VALUE: u32 = 1;
}

/// Values of `hal_addr_space_t`.
pub mod space {
    /// Local memory.
    pub const LOCAL: u32 = 0;
    /// Global memory.
    pub const GLOBAL: u32 = 1;
}

/// Values of `hal_device_type_t`.
pub mod device_type {
    /// A RISC-V device.
    pub const RISCV: u32 = 0;
}

/// Values of `hal_counter_verbosity_t`.
pub mod verbosity {
    /// Always.
    pub const LOW: u32 = 0;
    /// From the middle level on.
    pub const MID: u32 = 1;
    /// At the highest level.
    pub const HIGH: u32 = 2;
    /// Never.
    pub const NONE: u32 = 3;
}

/// Values of `hal_counter_unit_t`, by position.
pub mod counter_unit {
    /// The units' names, in the order of their numbers.
    pub const NAMES: [&str; 11] = [
        "generic",
        "percent",
        "nanoseconds",
        "bytes",
        "bytes/s",
        "kelvin",
        "watts",
        "volts",
        "amps",
        "hertz",
        "cycles",
    ];
}

/// `hal_counter_log_config_t`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct CounterLogConfig {
    /// For each contained value.
    pub min_verbosity_per_value: u32,
    /// For their total.
    pub min_verbosity_total: u32,
}

/// `hal_counter_description_t`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct CounterDescription {
    /// Unique on the device.
    pub counter_id: u32,
    /// Short name.
    pub name: *const c_char,
    /// Long name.
    pub description: *const c_char,
    /// What a contained value belongs to.
    pub sub_value_name: *const c_char,
    /// How many values.
    pub contained_values: u32,
    /// The unit.
    pub unit: u32,
    /// When to show it.
    pub log_cfg: CounterLogConfig,
}

/// The union of [`Arg`].
#[repr(C)]
#[derive(Clone, Copy)]
pub union ArgValue {
    /// In device memory.
    pub address: u64,
    /// In the caller's memory.
    pub pod_data: *const c_void,
}

impl std::fmt::Debug for ArgValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ArgValue")
    }
}

/// `hal_arg_t`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Arg {
    /// See [`arg_kind`].
    pub kind: u32,
    /// See [`space`].
    pub space: u32,
    /// Bytes.
    pub size: u64,
    /// Where.
    pub value: ArgValue,
}

/// `hal_ndrange_t`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NdRange {
    /// Global offset.
    pub offset: [u64; 3],
    /// Global size.
    pub global: [u64; 3],
    /// Local size.
    pub local: [u64; 3],
}

/// `hal_info_t`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct HalInfo {
    /// Name.
    pub platform_name: *const c_char,
    /// Devices.
    pub num_devices: u32,
    /// Version.
    pub api_version: u32,
}

/// `hal_device_info_t`. Booleans are bytes: any value but 0 is true.
#[repr(C)]
#[derive(Debug)]
pub struct DeviceInfo {
    /// See [`device_type`].
    pub kind: u32,
    /// 32 or 64.
    pub word_size: u32,
    /// Name.
    pub target_name: *const c_char,
    /// Bytes of global memory.
    pub global_memory_avail: u64,
    /// Bytes of local memory.
    pub shared_local_memory_size: u64,
    /// Programs are to be linked.
    pub should_link: u8,
    /// By this script.
    pub linker_script: CxxString,
    /// Kernels are to be vectorised.
    pub should_vectorize: u8,
    /// Bits.
    pub preferred_vector_width: u32,
    /// Half precision.
    pub supports_fp16: u8,
    /// Double precision.
    pub supports_doubles: u8,
    /// Work-items of a group.
    pub max_workgroup_size: u32,
    /// Byte order.
    pub is_little_endian: u8,
    /// Counters.
    pub num_counters: u32,
    /// Their descriptions.
    pub counter_descriptions: *const CounterDescription,
    /// Programs are to be linked as position-independent ones. Libraries from before May 2024 end
    /// before this field, under the same version number: see [`RiscvTail::of`].
    pub link_shared: u8,
}

/// `hal_device_info_riscv_t`.
#[repr(C)]
#[derive(Debug)]
pub struct RiscvDeviceInfo {
    /// What every device has.
    pub base: DeviceInfo,
    /// Set of extension bits.
    pub extensions: u64,
    /// Calling convention.
    pub abi: u32,
    /// Bits of a vector register.
    pub vlen: u32,
}

/// What [`RiscvDeviceInfo`] has after its base.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RiscvTail {
    /// Set of extension bits.
    pub extensions: u64,
    /// Calling convention.
    pub abi: u32,
    /// Bits of a vector register.
    pub vlen: u32,
}

impl RiscvTail {
    /// Reads it, and whether the base has `link_shared`. Where that would be, a library without it
    /// has the extensions: a byte that is no boolean tells (every set of extensions with more than
    /// `M` has one; a bare `I` or `IM` device is taken for a new library's).
    ///
    /// # Safety
    /// `info` points to a `hal_device_info_riscv_t` of either kind.
    #[must_use]
    pub unsafe fn of(info: *const DeviceInfo) -> (Self, bool) {
        let flag = info.cast::<u8>().wrapping_add(std::mem::offset_of!(DeviceInfo, link_shared));
        // SAFETY: both kinds have a byte there.
        let short = unsafe { flag.read() } > 1;
        let tail = if short { flag } else { info.wrapping_add(1).cast() };
        // SAFETY: in both kinds the rest begins there.
        (unsafe { tail.cast::<Self>().read() }, !short)
    }
}
