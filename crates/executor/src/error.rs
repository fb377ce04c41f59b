//! Errors of both modules.

/// A call that failed, or work that failed on the device.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExecutorError {
    /// The kernels do not compile.
    #[error("the kernels do not compile:\n{0}")]
    Build(String),
    /// The library has no such kernel.
    #[error("the library has no kernel {0}")]
    NoKernel(String),
    /// An object of another device or module.
    #[error("{0} of another device")]
    Foreign(&'static str),
    /// A range outside a buffer, or an empty one.
    #[error("{bytes} bytes from byte {offset} on, in memory of {size} bytes")]
    Size {
        /// Start of the range.
        offset: usize,
        /// Its length.
        bytes: usize,
        /// Size of the memory.
        size: usize,
    },
    /// The shared buffer is mapped.
    #[error("the shared memory is mapped; drop its view first")]
    Mapped,
    /// A copy from shared memory to shared memory, which the host does itself.
    #[error("both places of the copy are shared memory: map them instead")]
    OnHost,
    /// A parameter that does not fit the kernel.
    #[error("kernel {kernel}, parameter {index}: {reason}")]
    Parameter {
        /// Name of the kernel.
        kernel: String,
        /// Index of the parameter.
        index: usize,
        /// What is wrong.
        reason: String,
    },
    /// The device cannot run a kernel in work-groups of this size.
    #[error("kernel {kernel}: {reason}")]
    Groups {
        /// Name of the kernel.
        kernel: String,
        /// What is wrong.
        reason: String,
    },
    /// The module cannot use this kind of code.
    #[error("{module} cannot compile {code}")]
    Code {
        /// The module.
        module: &'static str,
        /// The kind of code.
        code: &'static str,
    },
    /// The device or the driver refuses, or work has failed.
    #[error("{0}")]
    Device(String),
}
