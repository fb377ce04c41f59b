//! The binary interface of HAL libraries, version 6: the C++ headers `include/hal.h`, `hal_types.h`
//! and `hal_riscv.h` as C data. A C++ object is a pointer to a table of functions in the Itanium
//! ABI's order, followed by its fields. Invariant: layouts equal those that a C++ compiler gives
//! the headers (`tests/layout.rs`). Not here: safe wrappers (crate `hal`).

mod string;
mod types;
mod vtable;

pub use string::CxxString;
pub use types::{
    Arg, ArgValue, Call, CounterDescription, CounterLogConfig, DeviceInfo, HalInfo, NdRange,
    RiscvDeviceInfo, RiscvTail, arg_kind, call_kind, counter_unit, device_type, space, verbosity,
};
pub use vtable::{
    CallEnded, DeviceFns, DeviceObject, DeviceProperties, DeviceTable, GetHal, HalFns, HalObject,
    HalTable, LastError, ProfileBegin, ProfileText, RunCalls,
};

/// The version of the interface.
pub const API_VERSION: u32 = 6;

/// The name of the function that every HAL library exports.
pub const ENTRY: &std::ffi::CStr = c"get_hal";

/// The name of the optional function that describes a device beyond version 6 of the structs.
pub const PROPERTIES: &std::ffi::CStr = c"hal_device_properties";

/// The name of the optional function that returns why a call failed.
pub const LAST_ERROR: &std::ffi::CStr = c"hal_last_error";

/// The name of the optional function that begins a profile of a device's kernels.
pub const PROFILE_BEGIN: &std::ffi::CStr = c"hal_profile_begin";

/// The name of the optional function that returns this profile.
pub const PROFILE_TEXT: &std::ffi::CStr = c"hal_profile_text";

/// The name of the optional function that makes several calls.
pub const RUN_CALLS: &std::ffi::CStr = c"hal_run_calls";
