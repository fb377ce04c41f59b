//! The structs of `hal_types.h` and `hal_riscv.h`. Enumerations are plain integers, because a
//! library may pass any number. Invariant: `repr(C)`, field by field. Not here: the meaning of
//! fields (see the headers).

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
    /// Shown at every level.
    pub const LOW: u32 = 0;
    /// Shown at the middle level and above.
    pub const MID: u32 = 1;
    /// Shown at the highest level.
    pub const HIGH: u32 = 2;
    /// Never shown.
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

/// `hal_counter_log_config_t`: the levels at which a counter is shown; see [`verbosity`].
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct CounterLogConfig {
    /// Verbosity of each contained value.
    pub min_verbosity_per_value: u32,
    /// Verbosity of the total.
    pub min_verbosity_total: u32,
}

/// `hal_counter_description_t`: one performance counter. Strings are owned by the HAL.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct CounterDescription {
    /// Identifier, unique on the device.
    pub counter_id: u32,
    /// Short name, a column of a table: `retired_inst`.
    pub name: *const c_char,
    /// Description in words.
    pub description: *const c_char,
    /// Name of the thing that each contained value belongs to.
    pub sub_value_name: *const c_char,
    /// Number of values that the counter contains, for example one for each core.
    pub contained_values: u32,
    /// Unit of the values; see [`counter_unit`].
    pub unit: u32,
    /// Levels at which the counter is shown.
    pub log_cfg: CounterLogConfig,
}

/// The union of [`Arg`].
#[repr(C)]
#[derive(Clone, Copy)]
pub union ArgValue {
    /// Address in device memory.
    pub address: u64,
    /// Pointer into the caller's memory.
    pub pod_data: *const c_void,
}

impl std::fmt::Debug for ArgValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ArgValue")
    }
}

/// `hal_arg_t`: one argument of a kernel.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Arg {
    /// Address or value; see [`arg_kind`].
    pub kind: u32,
    /// Address space of an address; see [`space`].
    pub space: u32,
    /// Size in bytes.
    pub size: u64,
    /// The address, or a pointer to the value's bytes.
    pub value: ArgValue,
}

/// `hal_ndrange_t`: the index space of a launch, in work-items.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NdRange {
    /// Global offset, 0 in unused dimensions.
    pub offset: [u64; 3],
    /// Global size, 1 in unused dimensions.
    pub global: [u64; 3],
    /// Local size: work-items of a work-group, 1 in unused dimensions.
    pub local: [u64; 3],
}

/// Values of `hal_call_kind_t`.
pub mod call_kind {
    /// `mem_read(host, from, size)`.
    pub const READ: u32 = 0;
    /// `mem_write(to, host, size)`.
    pub const WRITE: u32 = 1;
    /// `mem_copy(to, from, size)`.
    pub const COPY: u32 = 2;
    /// `mem_fill(to, host, pattern_size, size)`.
    pub const FILL: u32 = 3;
    /// `kernel_exec(program, kernel, nd_range, args, num_args, work_dim)`.
    pub const EXEC: u32 = 4;
}

/// `hal_call_t`: one call of a list. Fields that its kind does not name are 0.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Call {
    /// The function; see [`call_kind`].
    pub kind: u32,
    /// Number of dimensions.
    pub work_dim: u32,
    /// Device address of the destination.
    pub to: u64,
    /// Device address of the source.
    pub from: u64,
    /// Size in bytes.
    pub size: u64,
    /// The host's bytes: destination of a read, source of a write, pattern of a fill.
    pub host: *mut c_void,
    /// Size of the pattern in bytes.
    pub pattern_size: u64,
    /// Handle of the program.
    pub program: u64,
    /// Handle of the kernel.
    pub kernel: u64,
    /// The NDRange.
    pub nd_range: *const NdRange,
    /// The arguments.
    pub args: *const Arg,
    /// Number of arguments.
    pub num_args: u32,
}

/// `hal_info_t`: description of a platform.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct HalInfo {
    /// Name of the platform, owned by the HAL.
    pub platform_name: *const c_char,
    /// Number of devices.
    pub num_devices: u32,
    /// Version of the interface that the library was built for.
    pub api_version: u32,
}

/// `hal_device_info_t`. Booleans are bytes: any value but 0 is true.
#[repr(C)]
#[derive(Debug)]
pub struct DeviceInfo {
    /// Kind of the structure; see [`device_type`].
    pub kind: u32,
    /// Width of an address in bits: 32 or 64.
    pub word_size: u32,
    /// Name of the device, owned by the HAL.
    pub target_name: *const c_char,
    /// Size of global memory in bytes.
    pub global_memory_avail: u64,
    /// Size of local memory in bytes.
    pub shared_local_memory_size: u64,
    /// True if programs are linked before loading.
    pub should_link: u8,
    /// Linker script for programs with fixed addresses; empty for position-independent ones.
    pub linker_script: CxxString,
    /// True if the compiler vectorises kernels.
    pub should_vectorize: u8,
    /// Preferred vector width in bits.
    pub preferred_vector_width: u32,
    /// True if half precision is supported.
    pub supports_fp16: u8,
    /// True if double precision is supported.
    pub supports_doubles: u8,
    /// Maximum number of work-items in a work-group.
    pub max_workgroup_size: u32,
    /// True if the device is little-endian.
    pub is_little_endian: u8,
    /// Number of counters.
    pub num_counters: u32,
    /// Descriptions of the counters.
    pub counter_descriptions: *const CounterDescription,
    /// True if programs are linked as position-independent ones. Libraries from before May 2024
    /// lack this last field under the same version number; see [`RiscvTail::of`].
    pub link_shared: u8,
}

/// `hal_device_info_riscv_t`: description of a RISC-V device.
#[repr(C)]
#[derive(Debug)]
pub struct RiscvDeviceInfo {
    /// Fields of every device.
    pub base: DeviceInfo,
    /// Set of RISC-V extensions, one bit each (`rv_extension_*` of `hal_riscv.h`).
    pub extensions: u64,
    /// Calling convention, a value of `riscv_abi_t` (`hal_riscv.h`).
    pub abi: u32,
    /// Length of a vector register in bits; 0 without vectors.
    pub vlen: u32,
}

/// The fields of [`RiscvDeviceInfo`] after its base.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RiscvTail {
    /// Set of RISC-V extensions, one bit each (`rv_extension_*` of `hal_riscv.h`).
    pub extensions: u64,
    /// Calling convention, a value of `riscv_abi_t` (`hal_riscv.h`).
    pub abi: u32,
    /// Length of a vector register in bits; 0 without vectors.
    pub vlen: u32,
}

impl RiscvTail {
    /// Reads these fields, and detects whether the base has `link_shared`. A library without that
    /// field has the extensions at its offset. A byte there that is not a boolean identifies such a
    /// library. Every set of extensions with more than `M` has such a byte; a bare `I` or `IM`
    /// device is taken for one of the newer layout.
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
