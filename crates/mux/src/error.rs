//! The errors of Mux, by cause: the caller, the program, or the device.

/// Error of a Mux call or of a command's execution.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MuxError {
    /// The caller broke the contract (bounds, state, size).
    #[error("invalid value: {0}")]
    InvalidValue(&'static str),
    /// Host or device memory is exhausted.
    #[error("out of memory")]
    OutOfMemory,
    /// The work needs more of a bounded resource (local memory, scratch memory, stack) than the
    /// device has.
    #[error("out of resources: {0}")]
    OutOfResources(String),
    /// The bytes are no executable for this device.
    #[error("invalid binary: {0}")]
    InvalidBinary(String),
    /// The executable has no kernel of that name, or no variant for the specialization key.
    #[error("no kernel `{0}` for this NDRange")]
    MissingKernel(String),
    /// The device does not support the feature.
    #[error("not supported by the device: {0}")]
    FeatureUnsupported(&'static str),
    /// The device failed while executing.
    #[error("device fault: {0}")]
    DeviceFault(String),
    /// The command did not run, because a dispatch it waits for failed.
    #[error("a command in the wait list failed")]
    DependencyFailed,
    /// A wait ended before completion.
    #[error("not complete within the given time")]
    NotReady,
    /// A bug in muxcl.
    #[error("internal error: {0}")]
    Internal(String),
}
