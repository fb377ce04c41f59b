//! [`ClError`]: the error codes of OpenCL, and how other crates' errors become one.
//!
//! An error is the address of a constant, so a `Result` with it fits into a register, and an error
//! costs nothing until `explain` makes a sentence of it.
//!
//! Invariant: a `ClError` is never `CL_SUCCESS`. Not here: the texts of build logs.

use muxcl_cl_sys as sys;
use muxcl_cl_sys::cl_int;
use muxcl_mux::MuxError;

/// A negative OpenCL error code, and the condition that the call has met. Two errors are equal if
/// their codes are.
#[derive(Clone, Copy)]
pub struct ClError(&'static Violation);

/// The condition of an error, as the macro `violated` of [`crate::explain`] states it.
#[derive(Debug)]
pub struct Violation {
    /// A negative error code.
    pub code: cl_int,
    /// The condition, `if size is 0` for example; empty: those that the table lists for the code.
    pub condition: &'static str,
}

impl PartialEq for ClError {
    fn eq(&self, other: &Self) -> bool {
        self.0.code == other.0.code
    }
}

impl Eq for ClError {}

macro_rules! codes {
    ($($short:ident = $full:ident)*) => {
        impl ClError {
            $(#[doc = concat!("`", stringify!($full), "`")]
            pub const $short: Self =
                Self(&Violation { code: sys::$full, condition: "" });)*

            /// The constant's name, for logs.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self.0.code {
                    $(sys::$full => stringify!($full),)*
                    _ => "unknown error",
                }
            }
        }
    };
}

codes! {
    DEVICE_NOT_FOUND = CL_DEVICE_NOT_FOUND
    DEVICE_NOT_AVAILABLE = CL_DEVICE_NOT_AVAILABLE
    COMPILER_NOT_AVAILABLE = CL_COMPILER_NOT_AVAILABLE
    MEM_OBJECT_ALLOCATION_FAILURE = CL_MEM_OBJECT_ALLOCATION_FAILURE
    OUT_OF_RESOURCES = CL_OUT_OF_RESOURCES
    OUT_OF_HOST_MEMORY = CL_OUT_OF_HOST_MEMORY
    PROFILING_INFO_NOT_AVAILABLE = CL_PROFILING_INFO_NOT_AVAILABLE
    MEM_COPY_OVERLAP = CL_MEM_COPY_OVERLAP
    IMAGE_FORMAT_MISMATCH = CL_IMAGE_FORMAT_MISMATCH
    IMAGE_FORMAT_NOT_SUPPORTED = CL_IMAGE_FORMAT_NOT_SUPPORTED
    BUILD_PROGRAM_FAILURE = CL_BUILD_PROGRAM_FAILURE
    MAP_FAILURE = CL_MAP_FAILURE
    MISALIGNED_SUB_BUFFER_OFFSET = CL_MISALIGNED_SUB_BUFFER_OFFSET
    EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
    COMPILE_PROGRAM_FAILURE = CL_COMPILE_PROGRAM_FAILURE
    LINKER_NOT_AVAILABLE = CL_LINKER_NOT_AVAILABLE
    LINK_PROGRAM_FAILURE = CL_LINK_PROGRAM_FAILURE
    DEVICE_PARTITION_FAILED = CL_DEVICE_PARTITION_FAILED
    KERNEL_ARG_INFO_NOT_AVAILABLE = CL_KERNEL_ARG_INFO_NOT_AVAILABLE
    INVALID_VALUE = CL_INVALID_VALUE
    INVALID_DEVICE_TYPE = CL_INVALID_DEVICE_TYPE
    INVALID_PLATFORM = CL_INVALID_PLATFORM
    INVALID_DEVICE = CL_INVALID_DEVICE
    INVALID_CONTEXT = CL_INVALID_CONTEXT
    INVALID_QUEUE_PROPERTIES = CL_INVALID_QUEUE_PROPERTIES
    INVALID_COMMAND_QUEUE = CL_INVALID_COMMAND_QUEUE
    INVALID_HOST_PTR = CL_INVALID_HOST_PTR
    INVALID_MEM_OBJECT = CL_INVALID_MEM_OBJECT
    INVALID_IMAGE_FORMAT_DESCRIPTOR = CL_INVALID_IMAGE_FORMAT_DESCRIPTOR
    INVALID_IMAGE_SIZE = CL_INVALID_IMAGE_SIZE
    INVALID_SAMPLER = CL_INVALID_SAMPLER
    INVALID_BINARY = CL_INVALID_BINARY
    INVALID_BUILD_OPTIONS = CL_INVALID_BUILD_OPTIONS
    INVALID_PROGRAM = CL_INVALID_PROGRAM
    INVALID_PROGRAM_EXECUTABLE = CL_INVALID_PROGRAM_EXECUTABLE
    INVALID_KERNEL_NAME = CL_INVALID_KERNEL_NAME
    INVALID_KERNEL_DEFINITION = CL_INVALID_KERNEL_DEFINITION
    INVALID_KERNEL = CL_INVALID_KERNEL
    INVALID_ARG_INDEX = CL_INVALID_ARG_INDEX
    INVALID_ARG_VALUE = CL_INVALID_ARG_VALUE
    INVALID_ARG_SIZE = CL_INVALID_ARG_SIZE
    INVALID_KERNEL_ARGS = CL_INVALID_KERNEL_ARGS
    INVALID_WORK_DIMENSION = CL_INVALID_WORK_DIMENSION
    INVALID_WORK_GROUP_SIZE = CL_INVALID_WORK_GROUP_SIZE
    INVALID_WORK_ITEM_SIZE = CL_INVALID_WORK_ITEM_SIZE
    INVALID_GLOBAL_OFFSET = CL_INVALID_GLOBAL_OFFSET
    INVALID_EVENT_WAIT_LIST = CL_INVALID_EVENT_WAIT_LIST
    INVALID_EVENT = CL_INVALID_EVENT
    INVALID_OPERATION = CL_INVALID_OPERATION
    INVALID_GL_OBJECT = CL_INVALID_GL_OBJECT
    INVALID_BUFFER_SIZE = CL_INVALID_BUFFER_SIZE
    INVALID_MIP_LEVEL = CL_INVALID_MIP_LEVEL
    INVALID_GLOBAL_WORK_SIZE = CL_INVALID_GLOBAL_WORK_SIZE
    INVALID_PROPERTY = CL_INVALID_PROPERTY
    INVALID_IMAGE_DESCRIPTOR = CL_INVALID_IMAGE_DESCRIPTOR
    INVALID_COMPILER_OPTIONS = CL_INVALID_COMPILER_OPTIONS
    INVALID_LINKER_OPTIONS = CL_INVALID_LINKER_OPTIONS
    INVALID_DEVICE_PARTITION_COUNT = CL_INVALID_DEVICE_PARTITION_COUNT
    INVALID_PIPE_SIZE = CL_INVALID_PIPE_SIZE
    INVALID_DEVICE_QUEUE = CL_INVALID_DEVICE_QUEUE
    INVALID_SPEC_ID = CL_INVALID_SPEC_ID
    MAX_SIZE_RESTRICTION_EXCEEDED = CL_MAX_SIZE_RESTRICTION_EXCEEDED
    PLATFORM_NOT_FOUND_KHR = CL_PLATFORM_NOT_FOUND_KHR
    INVALID_SEMAPHORE_KHR = CL_INVALID_SEMAPHORE_KHR
    INVALID_COMMAND_BUFFER_KHR = CL_INVALID_COMMAND_BUFFER_KHR
    INVALID_SYNC_POINT_WAIT_LIST_KHR = CL_INVALID_SYNC_POINT_WAIT_LIST_KHR
    INCOMPATIBLE_COMMAND_QUEUE_KHR = CL_INCOMPATIBLE_COMMAND_QUEUE_KHR
    INVALID_MUTABLE_COMMAND_KHR = CL_INVALID_MUTABLE_COMMAND_KHR
    CONTEXT_TERMINATED_KHR = CL_CONTEXT_TERMINATED_KHR
}

impl ClError {
    /// The code as the C interface returns it.
    #[must_use]
    pub const fn code(self) -> cl_int {
        self.0.code
    }

    /// An error with a condition of its own.
    #[must_use]
    pub const fn of(violation: &'static Violation) -> Self {
        Self(violation)
    }

    /// The condition; empty: those that the table lists for the code.
    #[must_use]
    pub const fn condition(self) -> &'static str {
        self.0.condition
    }

    /// True if both come from the same place of the source.
    #[must_use]
    pub fn is_same(self, other: Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl std::fmt::Debug for ClError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl std::fmt::Display for ClError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.name(), self.code())
    }
}

impl std::error::Error for ClError {}

impl From<std::collections::TryReserveError> for ClError {
    fn from(_: std::collections::TryReserveError) -> Self {
        Self::OUT_OF_HOST_MEMORY
    }
}

/// The error of an allocation on a device.
pub(crate) fn allocation_error(error: &MuxError) -> ClError {
    match error {
        MuxError::OutOfMemory | MuxError::DeviceFault(_) => ClError::MEM_OBJECT_ALLOCATION_FAILURE,
        MuxError::OutOfResources(_) => ClError::OUT_OF_RESOURCES,
        _ => ClError::OUT_OF_HOST_MEMORY,
    }
}

/// Result of entry points and of methods of the object model.
pub type ClResult<T> = Result<T, ClError>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names() {
        assert_eq!(ClError::INVALID_VALUE.code(), -30);
        assert_eq!(ClError::PLATFORM_NOT_FOUND_KHR.code(), -1001);
        assert_eq!(ClError::OUT_OF_HOST_MEMORY.to_string(), "CL_OUT_OF_HOST_MEMORY (-6)");
        assert_eq!(ClError::MAX_SIZE_RESTRICTION_EXCEEDED.code(), -72);
    }
}
